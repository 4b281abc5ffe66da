/* Buffers, views and accessors: every byte that an element could be read from lies in the BIN chunk, or is
 * known not to be in the file. */
#include "base/checked.h"
#include "base/error.h"
#include "inspect/gltf.h"
#include "verify/json_field.h"

#include <string.h>

/* ---- buffers and views -------------------------------------------------------------------------------- */

typedef struct buffer_span {
  uint64_t byte_count;
  bool here;
} buffer_span;

static sinew_result read_buffer(gltf_reading *reading, uint32_t index, buffer_span *span,
                                sinew_error *error) {
  json_place place;
  const char *uri;
  SINEW_TRY(field_element(reading->root, "buffers", "buffer", index, &place, error));
  SINEW_TRY(field_index(place, "byteLength", UINT64_MAX, &span->byte_count, error));
  SINEW_TRY(field_text(place, "uri", &uri, error));
  span->here = index == 0 && !uri && reading->bin;
  if (!span->here) {
    /* a buffer without data of its own is what compression leaves behind */
    const bool stated = uri || json_is_object(json_object_get(place.object, "extensions"));
    SINEW_CHECK(stated, error, SINEW_ERROR_VERIFY, "buffer %u has neither a uri nor the BIN chunk", index);
    return gltf_warn(reading, error, "buffer %u lies outside the file: its data are not looked at", index);
  }
  SINEW_CHECK(span->byte_count <= reading->bin_bytes, error, SINEW_ERROR_VERIFY,
              "buffer 0 has %llu bytes, the BIN chunk only %llu", (unsigned long long)span->byte_count,
              (unsigned long long)reading->bin_bytes);
  if (reading->bin_bytes - span->byte_count >= 4)
    return gltf_warn(reading, error, "the BIN chunk has %llu bytes, buffer 0 only %llu",
                     (unsigned long long)reading->bin_bytes, (unsigned long long)span->byte_count);
  return SINEW_OK;
}

static sinew_result read_view(const gltf_reading *reading, const buffer_span *buffers, uint32_t buffer_count,
                              uint32_t index, gltf_view *view, sinew_error *error) {
  json_place place;
  uint64_t buffer, stride;
  SINEW_TRY(field_element(reading->root, "bufferViews", "bufferView", index, &place, error));
  SINEW_TRY(field_index(place, "buffer", buffer_count, &buffer, error));
  SINEW_TRY(field_size(place, "byteOffset", 0, &view->offset, error));
  SINEW_TRY(field_index(place, "byteLength", UINT64_MAX, &view->byte_count, error));
  SINEW_TRY(field_size(place, "byteStride", 0, &stride, error));
  SINEW_CHECK(view->offset <= buffers[buffer].byte_count &&
                  view->byte_count <= buffers[buffer].byte_count - view->offset,
              error, SINEW_ERROR_VERIFY, "bufferView %u does not fit into its buffer", index);
  SINEW_CHECK(
      !json_object_get(place.object, "byteStride") || (stride >= 4 && stride <= 252 && stride % 4 == 0),
      error, SINEW_ERROR_VERIFY, "bufferView %u: byteStride is %llu, expected a multiple of 4 from 4 to 252",
      index, (unsigned long long)stride);
  view->stride = (uint32_t)stride;
  view->here = buffers[buffer].here;
  return SINEW_OK;
}

sinew_result gltf_read_views(gltf_reading *reading, sinew_error *error) {
  uint32_t buffer_count;
  buffer_span *buffers;
  SINEW_TRY(gltf_list_size(reading->root, "buffers", &buffer_count, error));
  SINEW_TRY(gltf_list_size(reading->root, "bufferViews", &reading->view_count, error));
  SINEW_TRY(gltf_items(&reading->scratch, buffer_count, sizeof *buffers, &buffers, error));
  SINEW_TRY(
      gltf_items(&reading->scratch, reading->view_count, sizeof *reading->views, &reading->views, error));
  SINEW_TRY(gltf_items(&reading->scratch, reading->view_count, sizeof *reading->view_use, &reading->view_use,
                       error));
  for (uint32_t i = 0; i < buffer_count; i++) SINEW_TRY(read_buffer(reading, i, &buffers[i], error));
  for (uint32_t i = 0; i < reading->view_count; i++)
    SINEW_TRY(read_view(reading, buffers, buffer_count, i, &reading->views[i], error));
  return SINEW_OK;
}

/* ---- accessors ---------------------------------------------------------------------------------------- */

/* More than any file has room for, so that sums of counts stay within 64 bits where no data bound them. */
static const uint64_t COUNT_LIMIT = UINT64_C(1) << 40;

typedef struct element_type {
  const char *name;
  uint32_t rows;
  uint32_t columns; /* each column of a matrix begins at a multiple of 4 */
} element_type;

static const element_type element_types[] = {{"SCALAR", 1, 1}, {"VEC2", 2, 1}, {"VEC3", 3, 1}, {"VEC4", 4, 1},
                                             {"MAT2", 2, 2},   {"MAT3", 3, 3}, {"MAT4", 4, 4}};

static uint32_t component_size(uint64_t type) {
  switch (type) {
  case 5120:
  case 5121:
    return 1;
  case 5122:
  case 5123:
    return 2;
  case 5125:
  case 5126:
    return 4;
  default:
    return 0;
  }
}

static sinew_result read_type(json_place place, gltf_accessor *accessor, sinew_error *error) {
  const char *name;
  uint64_t component;
  SINEW_TRY(field_text(place, "type", &name, error));
  SINEW_TRY(field_index(place, "componentType", UINT64_MAX, &component, error));
  accessor->component_bytes = component_size(component);
  SINEW_CHECK(accessor->component_bytes, error, SINEW_ERROR_VERIFY,
              "accessor %zu: componentType is none of the six", place.index);
  accessor->component_type = (uint32_t)component;
  const json_t *normalized = json_object_get(place.object, "normalized");
  SINEW_CHECK(!normalized || json_is_boolean(normalized), error, SINEW_ERROR_VERIFY,
              "accessor %zu: normalized is neither true nor false", place.index);
  accessor->normalized = json_is_true(normalized);
  SINEW_CHECK(!accessor->normalized || accessor->component_bytes < 4, error, SINEW_ERROR_VERIFY,
              "accessor %zu: only 8 and 16 bit numbers can be normalized", place.index);
  for (size_t i = 0; name && i < sizeof element_types / sizeof *element_types; i++) {
    const element_type *type = &element_types[i];
    if (strcmp(name, type->name) != 0) continue;
    accessor->component_count = type->rows * type->columns;
    uint32_t column_bytes = type->rows * accessor->component_bytes;
    if (type->columns > 1) column_bytes = (column_bytes + 3) / 4 * 4;
    accessor->element_bytes = column_bytes * type->columns;
    return SINEW_OK;
  }
  return error_set(error, SINEW_ERROR_VERIFY, "accessor %zu: type is none of the seven", place.index);
}

/* `count` elements of `element_bytes` at `stride` fit behind `offset` of the view. */
static bool fits(const gltf_view *view, uint64_t offset, uint64_t count, uint32_t stride,
                 uint32_t element_bytes) {
  size_t bytes;
  if (count == 0 || offset > view->byte_count) return false;
  if (!checked_mul(count - 1, stride, &bytes) || !checked_add(bytes, element_bytes, &bytes)) return false;
  return bytes <= view->byte_count - offset;
}

/* The part of a sparse accessor that stands in a view of its own. */
static sinew_result read_sparse_part(const gltf_reading *reading, json_place part, uint64_t count,
                                     uint32_t element_bytes, uint32_t component_bytes, gltf_sparse *sparse,
                                     uint64_t *offset, sinew_error *error) {
  uint64_t view_index, inside;
  SINEW_TRY(field_index(part, "bufferView", reading->view_count, &view_index, error));
  SINEW_TRY(field_size(part, "byteOffset", 0, &inside, error));
  const gltf_view *view = &reading->views[view_index];
  SINEW_CHECK(fits(view, inside, count, element_bytes, element_bytes), error, SINEW_ERROR_VERIFY,
              "accessor %zu: its sparse part does not fit into its bufferView", part.index);
  *offset = view->offset + inside;
  SINEW_CHECK(*offset % component_bytes == 0, error, SINEW_ERROR_VERIFY,
              "accessor %zu: its sparse part starts between two numbers", part.index);
  sparse->here = sparse->here && view->here;
  return SINEW_OK;
}

static sinew_result read_sparse(const gltf_reading *reading, json_place place, gltf_accessor *accessor,
                                sinew_error *error) {
  if (!json_object_get(place.object, "sparse")) return SINEW_OK;
  json_place sparse, indices, values;
  uint64_t component;
  SINEW_TRY(field_object(place, "sparse", &sparse, error));
  SINEW_TRY(field_index(sparse, "count", UINT64_MAX, &accessor->sparse.count, error));
  SINEW_CHECK(accessor->sparse.count > 0 && accessor->sparse.count <= accessor->count, error,
              SINEW_ERROR_VERIFY, "accessor %zu: sparse.count is not from 1 to count", place.index);
  SINEW_TRY(field_object(sparse, "indices", &indices, error));
  SINEW_TRY(field_object(sparse, "values", &values, error));
  SINEW_TRY(field_index(indices, "componentType", UINT64_MAX, &component, error));
  SINEW_CHECK(component == 5121 || component == 5123 || component == 5125, error, SINEW_ERROR_VERIFY,
              "accessor %zu: sparse indices are no unsigned integers", place.index);
  accessor->sparse.index_bytes = component_size(component);
  accessor->sparse.here = true;
  SINEW_TRY(read_sparse_part(reading, indices, accessor->sparse.count, accessor->sparse.index_bytes,
                             accessor->sparse.index_bytes, &accessor->sparse, &accessor->sparse.index_offset,
                             error));
  return read_sparse_part(reading, values, accessor->sparse.count, accessor->element_bytes,
                          accessor->component_bytes, &accessor->sparse, &accessor->sparse.value_offset,
                          error);
}

static sinew_result read_place(const gltf_reading *reading, json_place place, gltf_accessor *accessor,
                               sinew_error *error) {
  uint64_t view_index, offset;
  SINEW_TRY(field_size(place, "byteOffset", 0, &offset, error));
  accessor->stride = accessor->element_bytes;
  if (!json_object_get(place.object, "bufferView")) {
    SINEW_CHECK(!json_object_get(place.object, "byteOffset"), error, SINEW_ERROR_VERIFY,
                "accessor %zu has a byteOffset but no bufferView", place.index);
    accessor->zeros = true;
    return SINEW_OK;
  }
  SINEW_TRY(field_index(place, "bufferView", reading->view_count, &view_index, error));
  const gltf_view *view = &reading->views[view_index];
  if (view->stride) accessor->stride = view->stride;
  SINEW_CHECK(accessor->stride >= accessor->element_bytes, error, SINEW_ERROR_VERIFY,
              "accessor %zu: an element has %u bytes, its bufferView strides %u", place.index,
              accessor->element_bytes, accessor->stride);
  SINEW_CHECK(fits(view, offset, accessor->count, accessor->stride, accessor->element_bytes), error,
              SINEW_ERROR_VERIFY, "accessor %zu does not fit into its bufferView", place.index);
  accessor->offset = view->offset + offset;
  SINEW_CHECK(offset % accessor->component_bytes == 0 && accessor->offset % accessor->component_bytes == 0,
              error, SINEW_ERROR_VERIFY, "accessor %zu starts between two numbers", place.index);
  accessor->here = view->here;
  return SINEW_OK;
}

sinew_result gltf_read_accessors(gltf_reading *reading, sinew_error *error) {
  SINEW_TRY(gltf_list_size(reading->root, "accessors", &reading->accessor_count, error));
  SINEW_TRY(gltf_items(&reading->scratch, reading->accessor_count, sizeof *reading->accessors,
                       &reading->accessors, error));
  for (uint32_t i = 0; i < reading->accessor_count; i++) {
    gltf_accessor *accessor = &reading->accessors[i];
    json_place place;
    SINEW_TRY(field_element(reading->root, "accessors", "accessor", i, &place, error));
    SINEW_TRY(read_type(place, accessor, error));
    SINEW_TRY(field_index(place, "count", COUNT_LIMIT, &accessor->count, error));
    SINEW_CHECK(accessor->count, error, SINEW_ERROR_VERIFY, "accessor %u: count is 0", i);
    SINEW_TRY(read_place(reading, place, accessor, error));
    SINEW_TRY(read_sparse(reading, place, accessor, error));
  }
  return SINEW_OK;
}
