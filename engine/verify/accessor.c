#include "verify/accessor.h"
#include "base/checked.h"
#include "base/error.h"

#include <string.h>

enum { TARGET_VERTICES = 34962, TARGET_INDICES = 34963, STRIDE_LIMIT = 252 };

typedef struct view_place {
  uint64_t offset; /* in the BIN chunk */
  uint64_t byte_count;
  uint64_t stride_bytes; /* 0: none is stated */
} view_place;

static sinew_result check_use(json_place view, accessor_use use, uint64_t *stride_bytes, sinew_error *error) {
  *stride_bytes = 0;
  if (use != USE_VERTICES)
    SINEW_TRY(field_absent(view, "byteStride", "must not stand on data that is no vertices", error));
  if (use == USE_ANIMATION || use == USE_MATRICES)
    return field_absent(view, "target", "must not stand on data that is neither vertices nor indices", error);
  uint64_t target, expected = use == USE_VERTICES ? TARGET_VERTICES : TARGET_INDICES;
  SINEW_TRY(field_size(view, "target", 0, &target, error));
  SINEW_CHECK(target == expected, error, SINEW_ERROR_VERIFY, "bufferView %zu: target is %llu, expected %llu",
              view.index, (unsigned long long)target, (unsigned long long)expected);
  SINEW_TRY(field_size(view, "byteStride", 0, stride_bytes, error));
  SINEW_CHECK(*stride_bytes <= STRIDE_LIMIT && *stride_bytes % 4 == 0, error, SINEW_ERROR_VERIFY,
              "bufferView %zu: byteStride is %llu, expected a multiple of 4 up to %d", view.index,
              (unsigned long long)*stride_bytes, STRIDE_LIMIT);
  return SINEW_OK;
}

static sinew_result read_view(const verify_file *file, const json_t *root, uint64_t index, accessor_use use,
                              view_place *out, sinew_error *error) {
  json_place view, buffer;
  SINEW_TRY(field_element(root, "bufferViews", "bufferView", index, &view, error));
  SINEW_TRY(check_use(view, use, &out->stride_bytes, error));
  uint64_t buffer_index, buffer_bytes;
  SINEW_TRY(field_index(view, "buffer", 1, &buffer_index, error));
  SINEW_TRY(field_element(root, "buffers", "buffer", 0, &buffer, error));
  SINEW_TRY(field_absent(buffer, "uri", "must not stand on a GLB's own buffer", error));
  SINEW_TRY(field_index(buffer, "byteLength", UINT64_MAX, &buffer_bytes, error));
  SINEW_CHECK(buffer_bytes <= file->bin_byte_count, error, SINEW_ERROR_VERIFY,
              "buffer 0 has %llu bytes, the BIN chunk only %llu", (unsigned long long)buffer_bytes,
              (unsigned long long)file->bin_byte_count);
  SINEW_CHECK(file->bin_byte_count - buffer_bytes < 4, error, SINEW_ERROR_VERIFY,
              "the BIN chunk has %llu bytes, buffer 0 only %llu", (unsigned long long)file->bin_byte_count,
              (unsigned long long)buffer_bytes);
  SINEW_TRY(field_size(view, "byteOffset", 0, &out->offset, error));
  SINEW_TRY(field_index(view, "byteLength", UINT64_MAX, &out->byte_count, error));
  SINEW_CHECK(out->offset <= buffer_bytes && out->byte_count <= buffer_bytes - out->offset, error,
              SINEW_ERROR_VERIFY, "bufferView %zu does not fit into its buffer", view.index);
  return SINEW_OK;
}

static uint32_t component_bytes(int component) {
  return component == COMPONENT_FLOAT ? 4 : component == COMPONENT_UBYTE ? 1 : 2;
}

static sinew_result read_component(document_accessor *accessor, sinew_error *error) {
  static const struct {
    const char *type;
    uint32_t count;
  } types[] = {{"SCALAR", 1}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
  json_place place = accessor->place;
  const char *type;
  SINEW_TRY(field_text(place, "type", &type, error));
  accessor->component_count = 0;
  for (size_t i = 0; type && i < sizeof types / sizeof *types; i++)
    if (strcmp(type, types[i].type) == 0) accessor->component_count = types[i].count;
  SINEW_CHECK(accessor->component_count, error, SINEW_ERROR_VERIFY, "accessor %zu: type is none that is used",
              place.index);
  uint64_t component;
  SINEW_TRY(field_index(place, "componentType", UINT32_MAX, &component, error));
  SINEW_CHECK(component == COMPONENT_FLOAT || component == COMPONENT_SHORT || component == COMPONENT_USHORT ||
                  component == COMPONENT_UBYTE,
              error, SINEW_ERROR_VERIFY, "accessor %zu: componentType is %llu, which is none that is used",
              place.index, (unsigned long long)component);
  accessor->component = (int)component;
  accessor->normalized = json_is_true(json_object_get(place.object, "normalized"));
  SINEW_CHECK(accessor->component != COMPONENT_FLOAT || !accessor->normalized, error, SINEW_ERROR_VERIFY,
              "accessor %zu: floats cannot be normalized", place.index);
  return SINEW_OK;
}

static sinew_result check_fit(const document_accessor *accessor, const view_place *view, uint64_t offset,
                              sinew_error *error) {
  size_t index = accessor->place.index, bytes, end;
  uint32_t size = component_bytes(accessor->component);
  SINEW_CHECK(offset % size == 0 && view->offset % size == 0, error, SINEW_ERROR_VERIFY,
              "accessor %zu starts between two numbers", index);
  uint32_t item_bytes = accessor->component_count * size;
  SINEW_CHECK(accessor->stride_bytes >= item_bytes, error, SINEW_ERROR_VERIFY,
              "accessor %zu: its items are longer than the stride", index);
  bool fits = checked_mul(accessor->count - 1, accessor->stride_bytes, &bytes) &&
              checked_add(bytes, item_bytes, &end) && offset <= view->byte_count &&
              end <= view->byte_count - offset;
  SINEW_CHECK(fits, error, SINEW_ERROR_VERIFY, "accessor %zu does not fit into its bufferView", index);
  return SINEW_OK;
}

sinew_result accessor_read(const verify_file *file, const json_t *root, uint64_t index, accessor_use use,
                           document_accessor *accessor, sinew_error *error) {
  SINEW_TRY(field_element(root, "accessors", "accessor", index, &accessor->place, error));
  SINEW_TRY(field_absent(accessor->place, "sparse", "is not expected", error));
  SINEW_TRY(read_component(accessor, error));
  SINEW_TRY(field_index(accessor->place, "count", UINT64_MAX, &accessor->count, error));
  SINEW_CHECK(accessor->count, error, SINEW_ERROR_VERIFY, "accessor %zu: count is 0", accessor->place.index);
  uint64_t view_index, offset;
  view_place view;
  SINEW_TRY(field_index(accessor->place, "bufferView", UINT64_MAX, &view_index, error));
  SINEW_TRY(field_size(accessor->place, "byteOffset", 0, &offset, error));
  SINEW_TRY(read_view(file, root, view_index, use, &view, error));
  accessor->stride_bytes = view.stride_bytes
                               ? (uint32_t)view.stride_bytes
                               : accessor->component_count * component_bytes(accessor->component);
  SINEW_TRY(check_fit(accessor, &view, offset, error));
  accessor->offset = file->bin_offset + view.offset + offset;
  return SINEW_OK;
}

sinew_result accessor_expect(const document_accessor *accessor, uint32_t component_count, int component,
                             bool normalized, sinew_error *error) {
  size_t index = accessor->place.index;
  SINEW_CHECK(accessor->component_count == component_count, error, SINEW_ERROR_VERIFY,
              "accessor %zu has %u components, expected %u", index, accessor->component_count,
              component_count);
  SINEW_CHECK(accessor->component == component, error, SINEW_ERROR_VERIFY,
              "accessor %zu: componentType is %d, expected %d", index, accessor->component, component);
  SINEW_CHECK(accessor->normalized == normalized, error, SINEW_ERROR_VERIFY,
              "accessor %zu: normalized is %s, expected the opposite", index,
              accessor->normalized ? "true" : "false");
  return SINEW_OK;
}

sinew_result accessor_load(const verify_file *file, const document_accessor *accessor, arena *memory,
                           const unsigned char **bytes, sinew_error *error) {
  /* accessor_read has proved that this does not overflow and lies within the file */
  size_t count = (size_t)(accessor->count - 1) * accessor->stride_bytes +
                 accessor->component_count * component_bytes(accessor->component);
  unsigned char *loaded = arena_alloc(memory, count, 1);
  *bytes = loaded;
  SINEW_CHECK(loaded, error, SINEW_ERROR_MEMORY, "out of memory for %zu bytes of accessor %zu", count,
              accessor->place.index);
  return document_read_bytes(file, loaded, count, accessor->offset, error);
}
