/* The public way to a GLB's facts. */
#include "base/error.h"
#include "base/json_text.h"
#include "base/os.h"
#include "inspect/gltf.h"
#include "read/glb_split.h"
#include "read/reader.h"

#include <stdio.h>
#include <string.h>

/* Accessors may share bytes: all passes over keys together may read the BIN chunk this often. */
enum { SCAN_FACTOR = 8, SCAN_SPARE_BYTES = 16 << 20 };

static sinew_result parse_json(const glb_parts *container, uint64_t memory_limit, json_t **root,
                               sinew_error *error) {
  const uint64_t need = json_text_need(container->json, container->json_bytes);
  SINEW_CHECK(need <= memory_limit, error, SINEW_ERROR_MEMORY,
              "the JSON may take %llu bytes of memory, the limit is %llu", (unsigned long long)need,
              (unsigned long long)memory_limit);
  json_error_t reason;
  bool out_of_memory;
  *root = json_text_parse(container->json, container->json_bytes, &reason, &out_of_memory);
  if (*root) return SINEW_OK;
  if (out_of_memory) return error_set(error, SINEW_ERROR_MEMORY, "out of memory while parsing the JSON");
  char text[sizeof reason.text];
  error_printable(reason.text, strlen(reason.text), text, sizeof text);
  return error_set(error, SINEW_ERROR_VERIFY, "the JSON is broken at its byte %d: %s", reason.position, text);
}

static sinew_result read_parts(gltf_reading *reading, sinew_error *error) {
  SINEW_TRY(gltf_read_asset(reading, error));
  SINEW_TRY(gltf_read_views(reading, error));
  SINEW_TRY(gltf_read_accessors(reading, error));
  SINEW_TRY(gltf_read_nodes(reading, error));
  SINEW_TRY(gltf_read_meshes(reading, error));
  SINEW_TRY(gltf_read_skins(reading, error));
  SINEW_TRY(gltf_read_images(reading, error));
  SINEW_TRY(gltf_read_animations(reading, error));
  SINEW_TRY(gltf_read_human_facts(reading, error));
  return gltf_count_bytes(reading, error);
}

static sinew_result read_glb(sinew_glb *glb, const void *bytes, size_t byte_count,
                             const sinew_read_options *options, sinew_error *error) {
  glb_parts container;
  json_t *root = NULL;
  SINEW_TRY(glb_split(bytes, byte_count, &container, error));
  SINEW_TRY(parse_json(&container, options->memory_bytes, &root, error));
  glb->memory.byte_limit = options->memory_bytes;
  glb->info.byte_count = byte_count;
  glb->info.json_bytes = container.json_bytes;
  glb->info.bin_bytes = container.bin_bytes;
  gltf_reading reading = {
      .glb = glb,
      .scratch = {.byte_limit = options->memory_bytes},
      .root = root,
      .bin = container.bin,
      .bin_bytes = container.bin_bytes,
      .scan_budget = container.bin_bytes * SCAN_FACTOR + SCAN_SPARE_BYTES,
  };
  const sinew_result result = read_parts(&reading, error);
  arena_release(&reading.scratch);
  json_decref(root);
  return result;
}

/* To a caller a broken rule of the format is SYNTAX; VERIFY means that sinew's own output is wrong. */
static sinew_result outward(sinew_result result, const char *label, sinew_error *error) {
  if (result == SINEW_ERROR_VERIFY) {
    result = SINEW_ERROR_SYNTAX;
    if (error) error->code = result;
  }
  return result == SINEW_OK ? result : error_in_file(error, result, label);
}

sinew_result sinew_glb_open_memory(const void *bytes, size_t byte_count, const char *label,
                                   const sinew_read_options *options, sinew_glb **glb, sinew_error *error) {
  SINEW_CHECK(glb, error, SINEW_ERROR_ARGUMENT, "glb is NULL");
  *glb = NULL;
  SINEW_CHECK(bytes || byte_count == 0, error, SINEW_ERROR_ARGUMENT, "bytes is NULL");
  const sinew_read_options complete = read_limits_complete(options);
  SINEW_TRY(heap_check_allocator(complete.allocator, error));
  HEAP_SCOPE(complete.allocator);
  if (byte_count > complete.file_bytes) {
    error_set(error, SINEW_ERROR_LIMIT, "has %zu bytes, the limit is %llu", byte_count,
              (unsigned long long)complete.file_bytes);
    return error_in_file(error, SINEW_ERROR_LIMIT, label);
  }
  sinew_glb *opened = heap_alloc(1, sizeof *opened);
  SINEW_CHECK(opened, error, SINEW_ERROR_MEMORY, "out of memory");
  const sinew_result result = read_glb(opened, byte_count ? bytes : "", byte_count, &complete, error);
  if (result == SINEW_OK)
    *glb = opened;
  else
    sinew_glb_close(opened);
  return outward(result, label, error);
}

sinew_result sinew_glb_open(const char *path, const sinew_read_options *options, sinew_glb **glb,
                            sinew_error *error) {
  SINEW_CHECK(glb, error, SINEW_ERROR_ARGUMENT, "glb is NULL");
  *glb = NULL;
  SINEW_CHECK(path, error, SINEW_ERROR_ARGUMENT, "path is NULL");
  const sinew_read_options complete = read_limits_complete(options);
  SINEW_TRY(heap_check_allocator(complete.allocator, error));
  HEAP_SCOPE(complete.allocator);
  os_file file;
  SINEW_TRY(os_file_open(path, complete.file_bytes, &file, error));
  const sinew_result result = sinew_glb_open_memory(file.bytes, file.byte_count, path, options, glb, error);
  os_file_close(&file);
  return result;
}

void sinew_glb_close(sinew_glb *glb) {
  if (!glb) return;
  arena_release(&glb->memory);
  heap_free(glb);
}

/* ---- what is told ------------------------------------------------------------------------------------- */

void sinew_glb_get_info(const sinew_glb *glb, sinew_glb_info *info) {
  if (!info) return;
  *info = glb ? glb->info : (sinew_glb_info){0};
}

bool sinew_glb_get_node(const sinew_glb *glb, uint32_t index, sinew_glb_node *node) {
  if (!glb || !node || index >= glb->info.node_count) return false;
  *node = glb->nodes[index];
  return true;
}

bool sinew_glb_get_skin(const sinew_glb *glb, uint32_t index, sinew_glb_skin *skin) {
  if (!glb || !skin || index >= glb->info.skin_count) return false;
  *skin = glb->skins[index];
  return true;
}

bool sinew_glb_get_mesh(const sinew_glb *glb, uint32_t index, sinew_glb_mesh *mesh) {
  if (!glb || !mesh || index >= glb->info.mesh_count) return false;
  *mesh = glb->meshes[index];
  return true;
}

bool sinew_glb_get_animation(const sinew_glb *glb, uint32_t index, sinew_glb_animation *animation) {
  if (!glb || !animation || index >= glb->info.animation_count) return false;
  *animation = glb->animations[index].info;
  return true;
}

bool sinew_glb_get_channel(const sinew_glb *glb, uint32_t animation, uint32_t index,
                           sinew_glb_channel *channel) {
  if (!glb || !channel || animation >= glb->info.animation_count) return false;
  if (index >= glb->animations[animation].info.channel_count) return false;
  *channel = glb->animations[animation].channels[index].info;
  return true;
}

bool sinew_glb_get_extension(const sinew_glb *glb, uint32_t index, sinew_glb_extension *extension) {
  if (!glb || !extension || index >= glb->info.extension_count) return false;
  *extension = glb->extensions[index];
  return true;
}

bool sinew_glb_get_human(const sinew_glb *glb, sinew_glb_human *human) {
  if (!glb || !human || !glb->human_kind) return false;
  *human = (sinew_glb_human){.kind = glb->human_kind};
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    const bool there = glb->node_of_bone[bone] >= 0;
    human->bone_count += there;
    human->required_missing += !there && human_bones[bone].required;
  }
  return true;
}

int32_t sinew_glb_human_node(const sinew_glb *glb, uint32_t bone) {
  return glb && glb->human_kind && bone < HUMAN_BONE_COUNT ? glb->node_of_bone[bone] : -1;
}

const char *sinew_glb_warning(const sinew_glb *glb, uint32_t index) {
  return glb && index < glb->info.warning_count ? glb->warnings[index] : NULL;
}
