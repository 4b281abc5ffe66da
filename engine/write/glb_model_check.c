#include "write/glb_model_check.h"
#include "base/checked.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct model_place { /* "accessors[3]" */
  const json_t *json;
  const char *list;
  size_t index;
} model_place;

/* An optional array of objects. */
static sinew_result list_of(const json_t *root, const char *key, uint64_t limit, uint32_t *count,
                            sinew_error *error) {
  const json_t *list = json_object_get(root, key);
  *count = 0;
  if (!list) return SINEW_OK;
  SINEW_CHECK(json_is_array(list), error, SINEW_ERROR_SYNTAX, "%s is no array", key);
  const size_t size = json_array_size(list);
  SINEW_CHECK(size <= limit, error, SINEW_ERROR_LIMIT, "%s has %zu items, the limit is %llu", key, size,
              (unsigned long long)limit);
  for (size_t i = 0; i < size; i++)
    SINEW_CHECK(json_is_object(json_array_get(list, i)), error, SINEW_ERROR_SYNTAX, "%s[%zu] is no object",
                key, i);
  *count = (uint32_t)size;
  return SINEW_OK;
}

/* An optional whole number from 0 up. */
static sinew_result size_of(model_place place, const char *key, uint64_t missing, uint64_t *value,
                            sinew_error *error) {
  const json_t *member = json_object_get(place.json, key);
  *value = missing;
  if (!member) return SINEW_OK;
  SINEW_CHECK(json_is_integer(member) && json_integer_value(member) >= 0, error, SINEW_ERROR_SYNTAX,
              "%s[%zu].%s is no whole number from 0 up", place.list, place.index, key);
  *value = (uint64_t)json_integer_value(member);
  return SINEW_OK;
}

static sinew_result index_of(model_place place, const char *key, const char *what, uint32_t count,
                             uint64_t *index, sinew_error *error) {
  SINEW_TRY(size_of(place, key, UINT64_MAX, index, error));
  SINEW_CHECK(*index < count, error, SINEW_ERROR_SYNTAX, "%s[%zu].%s is none of the file's %u %s", place.list,
              place.index, key, count, what);
  return SINEW_OK;
}

static model_place place_of(const json_t *root, const char *list, size_t index) {
  return (model_place){json_array_get(json_object_get(root, list), index), list, index};
}

/* ---- data in other files ------------------------------------------------------------------------------ */

static bool is_data(const char *uri) {
  return strncasecmp(uri, "data:", 5) == 0;
}

static void shown_uri(const char *uri, char *buffer, size_t size) {
  const size_t length = strlen(uri);
  error_printable(uri, length < 60 ? length : 60, buffer, size);
}

/* Buffer 0 is the BIN chunk's: the clip is added to it. Others stay as they are, whether they hold their data
 * in their uri or are filled by an extension. */
static sinew_result check_buffer(const json_t *root, size_t index, uint64_t bin_byte_count, model_use *use,
                                 sinew_error *error) {
  const model_place place = place_of(root, "buffers", index);
  const json_t *uri = json_object_get(place.json, "uri");
  uint64_t length;
  SINEW_TRY(size_of(place, "byteLength", 0, &length, error));
  SINEW_CHECK(length, error, SINEW_ERROR_SYNTAX, "buffers[%zu].byteLength is missing or 0", index);
  SINEW_CHECK(!uri || json_is_string(uri), error, SINEW_ERROR_SYNTAX, "buffers[%zu].uri is no string", index);
  char shown[64];
  if (uri) shown_uri(json_string_value(uri), shown, sizeof shown);
  SINEW_CHECK(
      !uri || is_data(json_string_value(uri)), error, SINEW_ERROR_UNSUPPORTED,
      "buffers[%zu]: '%s': the model keeps its data in other files: --mesh none writes its joints alone",
      index, shown);
  if (index) return SINEW_OK;
  SINEW_CHECK(
      !uri, error, SINEW_ERROR_UNSUPPORTED,
      "buffers[0] is no BIN chunk but a uri, and the clip cannot be added to it: --mesh none writes the "
      "model's joints alone");
  SINEW_CHECK(length <= bin_byte_count, error, SINEW_ERROR_SYNTAX,
              "buffers[0].byteLength is %llu, but the BIN chunk has %llu bytes", (unsigned long long)length,
              (unsigned long long)bin_byte_count);
  use->buffer_bytes = length;
  return SINEW_OK;
}

static sinew_result warn(glb_model *model, const char *text, sinew_error *error) {
  const char *copy = arena_text(&model->memory, text, strlen(text));
  SINEW_CHECK(copy, error, SINEW_ERROR_MEMORY, "out of memory, or past its limit, for a warning");
  if (model->warning_count < GLB_MODEL_WARNINGS) model->warnings[model->warning_count++] = copy;
  return SINEW_OK;
}

static sinew_result look_at_images(const json_t *root, uint32_t image_count, glb_model *model,
                                   sinew_error *error) {
  uint32_t outside = 0;
  char first[64] = "", text[256];
  for (uint32_t i = 0; i < image_count; i++) {
    const char *uri = json_string_value(json_object_get(place_of(root, "images", i).json, "uri"));
    if (!uri || is_data(uri)) continue;
    if (!outside++) shown_uri(uri, first, sizeof first);
  }
  if (!outside) return SINEW_OK;
  snprintf(text, sizeof text,
           "%u image%s in a file of its own ('%s'), which has to stand beside the output as well", outside,
           outside == 1 ? " is" : "s are each", first);
  return warn(model, text, error);
}

/* ---- views and accessors ------------------------------------------------------------------------------ */

static sinew_result check_view(const json_t *root, size_t index, uint32_t buffer_count, sinew_error *error) {
  const model_place place = place_of(root, "bufferViews", index);
  uint64_t buffer, offset, length, whole;
  SINEW_TRY(index_of(place, "buffer", "buffers", buffer_count, &buffer, error));
  SINEW_TRY(size_of(place, "byteOffset", 0, &offset, error));
  SINEW_TRY(size_of(place, "byteLength", 0, &length, error));
  SINEW_TRY(size_of(place_of(root, "buffers", buffer), "byteLength", 0, &whole, error));
  SINEW_CHECK(offset <= whole && length <= whole - offset, error, SINEW_ERROR_SYNTAX,
              "bufferViews[%zu] has %llu bytes from %llu on, buffers[%llu] ends at %llu", index,
              (unsigned long long)length, (unsigned long long)offset, (unsigned long long)buffer,
              (unsigned long long)whole);
  return SINEW_OK;
}

/* 0: none that is known here, so that an accessor's size is not either. */
static uint64_t element_bytes(const json_t *accessor) {
  static const struct {
    const char *name;
    uint32_t count;
  } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
  static const uint32_t bytes[] = {1, 1, 2, 2, 0, 4, 4}; /* of component types 5120 to 5126 */
  const char *type = json_string_value(json_object_get(accessor, "type"));
  const json_int_t component = json_integer_value(json_object_get(accessor, "componentType"));
  if (!type || component < 5120 || component > 5126) return 0;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(type, types[i].name) == 0) return (uint64_t)types[i].count * bytes[component - 5120];
  return 0;
}

static bool fits(uint64_t count, uint64_t stride, uint64_t element, uint64_t offset, uint64_t view_bytes) {
  size_t before, bytes, end;
  if (!count || !element) return true;
  return checked_mul(count - 1, stride, &before) && checked_add(before, element, &bytes) &&
         checked_add(bytes, offset, &end) && end <= view_bytes;
}

static sinew_result check_accessor(const json_t *root, size_t index, uint32_t view_count,
                                   sinew_error *error) {
  const model_place place = place_of(root, "accessors", index);
  uint64_t count, view_index, offset, view_bytes, stride;
  SINEW_TRY(size_of(place, "count", 0, &count, error));
  SINEW_TRY(size_of(place, "byteOffset", 0, &offset, error));
  if (!json_object_get(place.json, "bufferView")) return SINEW_OK;
  SINEW_TRY(index_of(place, "bufferView", "bufferViews", view_count, &view_index, error));
  const model_place view = place_of(root, "bufferViews", view_index);
  const uint64_t element = element_bytes(place.json);
  SINEW_TRY(size_of(view, "byteLength", 0, &view_bytes, error));
  SINEW_TRY(size_of(view, "byteStride", element, &stride, error));
  SINEW_CHECK(fits(count, stride, element, offset, view_bytes), error, SINEW_ERROR_SYNTAX,
              "accessors[%zu] has %llu items from %llu on, which are more than bufferViews[%llu] holds",
              index, (unsigned long long)count, (unsigned long long)offset, (unsigned long long)view_index);
  return SINEW_OK;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static sinew_result check_asset(const json_t *root, sinew_error *error) {
  SINEW_CHECK(json_is_object(root), error, SINEW_ERROR_SYNTAX, "the JSON is no object");
  const json_t *asset = json_object_get(root, "asset");
  SINEW_CHECK(json_is_object(asset), error, SINEW_ERROR_SYNTAX, "asset is missing or no object");
  const char *version = json_string_value(json_object_get(asset, "version"));
  SINEW_CHECK(version && strncmp(version, "2.", 2) == 0, error, SINEW_ERROR_UNSUPPORTED,
              "asset.version is not 2.0");
  return SINEW_OK;
}

sinew_result model_check(const json_t *root, uint64_t bin_byte_count, uint32_t node_limit, glb_model *model,
                         model_use *use, sinew_error *error) {
  uint32_t buffer_count, image_count;
  SINEW_TRY(check_asset(root, error));
  SINEW_TRY(list_of(root, "nodes", node_limit, &model->node_count, error));
  SINEW_CHECK(model->node_count, error, SINEW_ERROR_SYNTAX, "the model has no nodes");
  SINEW_TRY(list_of(root, "animations", UINT32_MAX, &model->cut_animations, error));
  SINEW_TRY(list_of(root, "images", UINT32_MAX, &image_count, error));
  SINEW_TRY(list_of(root, "buffers", UINT32_MAX, &buffer_count, error));
  SINEW_TRY(list_of(root, "bufferViews", INT32_MAX, &use->view_count, error));
  SINEW_TRY(list_of(root, "accessors", INT32_MAX, &use->accessor_count, error));
  for (uint32_t i = 0; i < buffer_count; i++) SINEW_TRY(check_buffer(root, i, bin_byte_count, use, error));
  for (uint32_t i = 0; i < use->view_count; i++) SINEW_TRY(check_view(root, i, buffer_count, error));
  for (uint32_t i = 0; i < use->accessor_count; i++)
    SINEW_TRY(check_accessor(root, i, use->view_count, error));
  model->has_buffer = buffer_count > 0;
  return look_at_images(root, image_count, model, error);
}
