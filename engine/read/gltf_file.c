/* A glTF 2.0 file, alone or in a GLB, and what VRM adds to it: its skeleton and its animations. */
#include "base/error.h"
#include "base/json_text.h"
#include "read/glb_split.h"
#include "read/gltf_document.h"

#include <string.h>

static const char byte_order_mark[] = "\xef\xbb\xbf";

static bool begins(const read_source *source, const char *with) {
  const size_t length = strlen(with);
  return source->byte_count >= length && memcmp(source->bytes, with, length) == 0;
}

static bool holds(const read_source *source, const char *text) {
  return memmem(source->bytes, source->byte_count, text, strlen(text)) != NULL;
}

bool is_gltf(const read_source *source) {
  if (begins(source, "glTF")) return true;
  return is_json(source) && holds(source, "\"asset\"") && holds(source, "\"version\"");
}

/* ---- the JSON ----------------------------------------------------------------------------------------- */

static sinew_result parse(const gltf_document *d, const char *json, size_t byte_count, json_t **root) {
  const uint64_t need = json_text_need(json, byte_count), limit = d->source->limits.memory_bytes;
  SINEW_CHECK(need <= limit, d->error, SINEW_ERROR_MEMORY,
              "the JSON may take %llu bytes of memory, the limit is %llu", (unsigned long long)need,
              (unsigned long long)limit);
  json_error_t reason;
  bool out_of_memory;
  *root = json_text_parse(json, byte_count, &reason, &out_of_memory);
  if (*root) return SINEW_OK;
  SINEW_CHECK(!out_of_memory, d->error, SINEW_ERROR_MEMORY, "out of memory while parsing the JSON");
  char text[sizeof reason.text];
  error_printable(reason.text, strlen(reason.text), text, sizeof text);
  const bool whole = !begins(d->source, "glTF"); /* else lines are those of a chunk */
  const uint64_t before = (uint64_t)(json - d->source->bytes);
  return error_set_at(d->error, SINEW_ERROR_SYNTAX,
                      before + (uint64_t)(reason.position > 0 ? reason.position : 0),
                      reason.line > 0 && whole ? (uint32_t)reason.line : 0,
                      reason.column > 0 && whole ? (uint32_t)reason.column : 0, "no sound JSON: %s", text);
}

static sinew_result check_asset(const gltf_document *d) {
  const doc_place asset = doc_at_key(&d->root, "asset"), version_place = doc_at_key(&asset, "version");
  const doc_place least_place = doc_at_key(&asset, "minVersion");
  const char *version, *least;
  SINEW_TRY(doc_object(d, &asset));
  SINEW_TRY(doc_string(d, &asset, "version", &version));
  if (!version) return doc_fail(d, SINEW_ERROR_SYNTAX, &version_place, "is missing");
  if (strncmp(version, "2.", 2) != 0)
    return doc_fail(d, SINEW_ERROR_UNSUPPORTED, &version_place, "is '%s', expected 2.0",
                    doc_show(version).text);
  SINEW_TRY(doc_string(d, &asset, "minVersion", &least));
  if (least && strcmp(least, "2.0") != 0)
    return doc_fail(d, SINEW_ERROR_UNSUPPORTED, &least_place, "is '%s', expected 2.0", doc_show(least).text);
  return SINEW_OK;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static sinew_result open_lists(gltf_document *d) {
  doc_place list;
  SINEW_TRY(doc_list(d, &d->root, "buffers", INT32_MAX, &list, &d->buffer_count));
  SINEW_TRY(doc_list(d, &d->root, "bufferViews", INT32_MAX, &list, &d->view_count));
  SINEW_TRY(doc_list(d, &d->root, "accessors", INT32_MAX, &list, &d->accessor_count));
  SINEW_TRY(doc_items(d, &d->scratch, d->buffer_count, sizeof *d->buffers, &d->buffers));
  return doc_items(d, &d->scratch, d->accessor_count, sizeof *d->accessors, &d->accessors);
}

static sinew_result read_parts(gltf_document *d) {
  if (!json_is_object(d->root.json)) return error_set(d->error, SINEW_ERROR_SYNTAX, "the JSON is no object");
  SINEW_TRY(check_asset(d));
  SINEW_TRY(open_lists(d));
  SINEW_TRY(doc_read_nodes(d));
  SINEW_TRY(doc_read_skins(d));
  SINEW_TRY(doc_read_human(d));
  return doc_read_motions(d);
}

static void close_buffers(gltf_document *d) {
  for (uint32_t i = 0; d->buffers && i < d->buffer_count; i++) os_file_close(&d->buffers[i].file);
}

static sinew_result open_json(gltf_document *d, json_t **root) {
  const read_source *source = d->source;
  if (!begins(source, "glTF")) {
    const size_t mark = begins(source, byte_order_mark) ? strlen(byte_order_mark) : 0;
    return parse(d, source->bytes + mark, source->byte_count - mark, root);
  }
  glb_parts parts;
  SINEW_TRY(glb_split(source->bytes, source->byte_count, &parts, d->error));
  d->bin = parts.bin;
  d->bin_bytes = parts.bin_bytes;
  return parse(d, parts.json, parts.json_bytes, root);
}

/* The folder of a path, in scratch memory; "" is the one the process runs in. */
static sinew_result find_folder(gltf_document *d, const char *path) {
  if (!path) return SINEW_OK;
  const char *slash = strrchr(path, '/');
  d->folder = arena_text(&d->scratch, path, slash ? (size_t)(slash - path) + 1 : 0);
  SINEW_CHECK(d->folder, d->error, SINEW_ERROR_MEMORY, "out of memory, or past its limit, for a path");
  return SINEW_OK;
}

sinew_result read_gltf(const read_source *source, const char *path, motion_file *file, sinew_error *error) {
  json_t *root = NULL;
  gltf_document d = {.source = source, .error = error, .file = file};
  d.scratch.byte_limit = source->limits.memory_bytes;
  file->skeleton = skeleton_new(source->limits.memory_bytes);
  SINEW_CHECK(file->skeleton, error, SINEW_ERROR_MEMORY, "out of memory");
  file->skeleton->unit_m = 1;
  sinew_result result = find_folder(&d, path);
  if (result == SINEW_OK) result = open_json(&d, &root);
  if (result == SINEW_OK) {
    d.root.json = root;
    result = read_parts(&d);
    close_buffers(&d);
  }
  json_decref(root);
  arena_release(&d.scratch);
  return result;
}
