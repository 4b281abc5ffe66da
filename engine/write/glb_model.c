#include "write/glb_model.h"
#include "base/error.h"
#include "base/json_text.h"
#include "read/glb_split.h"
#include "read/reader.h"
#include "write/glb_model_check.h"

#include <string.h>

/* ---- the JSON ----------------------------------------------------------------------------------------- */

static sinew_result parse(json_text text, uint64_t memory_bytes, json_t **root, sinew_error *error) {
  const json_span whole = json_whole(text);
  const char *bytes = text.bytes + whole.begin;
  const size_t count = text.byte_count - whole.begin; /* what stands behind the value is looked at too */
  const uint64_t need = json_text_need(bytes, count);
  SINEW_CHECK(need <= memory_bytes, error, SINEW_ERROR_MEMORY,
              "the model's JSON may take %llu bytes of memory, the limit is %llu", (unsigned long long)need,
              (unsigned long long)memory_bytes);
  json_error_t reason;
  bool out_of_memory;
  *root = json_text_parse(bytes, count, &reason, &out_of_memory);
  if (*root) return SINEW_OK;
  SINEW_CHECK(!out_of_memory, error, SINEW_ERROR_MEMORY, "out of memory while parsing the model's JSON");
  char shown[sizeof reason.text];
  error_printable(reason.text, strlen(reason.text), shown, sizeof shown);
  return error_set(error, SINEW_ERROR_SYNTAX, "the model's JSON is not sound: %s", shown);
}

/* What wrote the model; a file of this program remembers it. */
static sinew_result take_generator(const json_t *root, glb_model *model, sinew_error *error) {
  const json_t *asset = json_object_get(root, "asset");
  const json_t *own = json_object_get(json_object_get(asset, "extras"), "sinew");
  const char *generator = json_string_value(json_object_get(own ? own : asset, "generator"));
  if (!generator) return SINEW_OK;
  model->generator = arena_text(&model->memory, generator, strlen(generator));
  SINEW_CHECK(model->generator, error, SINEW_ERROR_MEMORY, "out of memory, or past its limit, for names");
  return SINEW_OK;
}

static sinew_result take_nodes(const json_t *root, glb_model *model, sinew_error *error) {
  size_t index;
  json_t *node;
  json_array_foreach(json_object_get(root, "nodes"), index, node) {
    if (!json_object_get(node, "matrix")) continue;
    if (!model->has_matrix)
      model->has_matrix = arena_alloc(&model->memory, model->node_count, sizeof *model->has_matrix);
    SINEW_CHECK(model->has_matrix, error, SINEW_ERROR_MEMORY,
                "out of memory, or past its limit, for %u nodes", model->node_count);
    model->has_matrix[index] = true;
  }
  return SINEW_OK;
}

/* ---- places in the text ------------------------------------------------------------------------------- */

/* Where the first `kept` items of a list end, and the last. */
static model_list place_list(json_text text, json_span root, const char *key, uint32_t kept) {
  model_list list = {.kept_count = kept};
  json_member member, item;
  if (!json_member_find(text, root, key, &member)) return list;
  json_walk walk = json_walk_begin(text, member.value);
  list.there = true;
  list.cut.begin = list.cut.end = member.value.begin + 1;
  for (uint32_t i = 0; json_walk_next(&walk, &item); i++) {
    if (i == 0) list.cut.begin = item.value.begin;
    if (i < kept) list.cut.begin = item.value.end;
    list.cut.end = item.value.end;
  }
  return list;
}

static void place_lists(glb_model *model, const model_use *use) {
  model->root = json_whole(model->text);
  model->accessors = place_list(model->text, model->root, "accessors", use->kept_accessors);
  model->views = place_list(model->text, model->root, "bufferViews", use->kept_views);
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static sinew_result copy_bytes(glb_model *model, const glb_parts *parts, sinew_error *error) {
  char *text = arena_text(&model->memory, parts->json, parts->json_bytes);
  const size_t padded = (size_t)glb_model_padded(model);
  unsigned char *bin = arena_alloc(&model->memory, padded, 1);
  SINEW_CHECK(text && bin, error, SINEW_ERROR_MEMORY,
              "out of memory, or past its limit, for a model of %zu and %zu bytes", parts->json_bytes,
              padded);
  if (model->byte_count) memcpy(bin, parts->bin, (size_t)model->byte_count);
  model->bin = bin;
  model->text = (json_text){text, parts->json_bytes};
  return SINEW_OK;
}

/* A buffer has at least one byte: where there are others beside it, it cannot leave. */
static void take_use(glb_model *model, const json_t *root, const model_use *use) {
  model->byte_count = use->kept_bytes;
  model->empty = model->has_buffer && use->kept_bytes == 0;
  if (model->empty && json_array_size(json_object_get(root, "buffers")) > 1) {
    model->byte_count = 1;
    model->empty = false;
  }
  model->cut_accessors = use->accessor_count - use->kept_accessors;
  model->cut_views = use->view_count - use->kept_views;
  model->cut_bytes = use->buffer_bytes - model->byte_count;
}

static sinew_result read_json(const json_t *root, const glb_parts *parts, uint32_t node_limit,
                              glb_model *model, sinew_error *error) {
  model_use use = {0};
  SINEW_TRY(model_check(root, parts->bin_bytes, node_limit, model, &use, error));
  SINEW_TRY(model_use_find(root, &use, error));
  SINEW_TRY(take_generator(root, model, error));
  SINEW_TRY(take_nodes(root, model, error));
  take_use(model, root, &use);
  SINEW_TRY(copy_bytes(model, parts, error));
  place_lists(model, &use);
  return SINEW_OK;
}

/* Kinds of chunks that the format does not know stand behind BIN. */
static void look_at_chunks(const glb_parts *parts, size_t byte_count, glb_model *model) {
  const uint64_t known = 12 + 8 + parts->json_bytes + (parts->bin ? 8 + parts->bin_bytes : 0);
  if (known < byte_count)
    model->warnings[model->warning_count++] = "chunks other than JSON and BIN are left out";
}

static sinew_result read_model(const void *glb, size_t byte_count, const sinew_read_options *limits,
                               glb_model *model, sinew_error *error) {
  glb_parts parts;
  json_t *root = NULL;
  model->memory.byte_limit = limits->memory_bytes;
  SINEW_TRY(glb_split(glb, byte_count, &parts, error));
  look_at_chunks(&parts, byte_count, model);
  SINEW_TRY(parse((json_text){parts.json, parts.json_bytes}, limits->memory_bytes, &root, error));
  const sinew_result result = read_json(root, &parts, limits->nodes, model, error);
  json_decref(root);
  return result;
}

sinew_result glb_model_open(const void *glb, size_t byte_count, const sinew_read_options *limits,
                            glb_model **model, sinew_error *error) {
  const sinew_read_options complete = read_limits_complete(limits);
  *model = NULL;
  glb_model *opened = heap_alloc(1, sizeof *opened);
  SINEW_CHECK(opened, error, SINEW_ERROR_MEMORY, "out of memory");
  const sinew_result result = read_model(glb, byte_count, &complete, opened, error);
  if (result == SINEW_OK)
    *model = opened;
  else
    glb_model_close(opened);
  return result;
}

void glb_model_close(glb_model *model) {
  if (!model) return;
  arena_release(&model->memory);
  heap_free(model);
}
