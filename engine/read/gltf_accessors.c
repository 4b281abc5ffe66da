/* Accessors: lists of numbers in a buffer's bytes. */
#include "base/checked.h"
#include "base/error.h"
#include "read/gltf_document.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Accessors may share bytes, and those without a view have none: all together may be this often as large as
 * the buffers, and a little more. */
enum { DECODE_FACTOR = 8, DECODE_SPARE_BYTES = 16 << 20 };

static const struct {
  const char *name;
  uint32_t components;
} element_types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                     {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};

static uint32_t component_size(uint64_t type) {
  switch (type) {
  case COMPONENT_INT8:
  case COMPONENT_UINT8:
    return 1;
  case COMPONENT_INT16:
  case COMPONENT_UINT16:
    return 2;
  case COMPONENT_UINT32:
  case COMPONENT_FLOAT:
    return 4;
  default:
    return 0;
  }
}

doc_label doc_accessor_text(const doc_accessor *accessor) {
  static const char *const names[] = {"int8", "uint8", "int16", "uint16", "", "uint32", "float"};
  doc_label label;
  snprintf(label.text, sizeof label.text, "%s of %s%s", accessor->type,
           accessor->normalized ? "normalised " : "", names[accessor->component_type - COMPONENT_INT8]);
  return label;
}

static doc_place accessor_place(const gltf_document *d, uint32_t index) {
  const doc_place list = doc_at_key(&d->root, "accessors");
  return doc_at_index(&list, index);
}

/* ---- shape -------------------------------------------------------------------------------------------- */

static sinew_result read_component(const gltf_document *d, const doc_place *place, doc_accessor *accessor) {
  const doc_place component = doc_at_key(place, "componentType"),
                  normalized = doc_at_key(place, "normalized");
  uint64_t type;
  SINEW_TRY(doc_size(d, place, "componentType", 0, &type));
  accessor->component_bytes = component_size(type);
  if (!accessor->component_bytes)
    return doc_fail(d, SINEW_ERROR_SYNTAX, &component,
                    component.json ? "is none of the six of the format" : "is missing");
  accessor->component_type = (uint32_t)type;
  if (normalized.json && !json_is_boolean(normalized.json))
    return doc_fail(d, SINEW_ERROR_SYNTAX, &normalized, "is neither true nor false");
  accessor->normalized = json_is_true(normalized.json);
  if (accessor->normalized && accessor->component_bytes == 4)
    return doc_fail(d, SINEW_ERROR_SYNTAX, &normalized, "is true of numbers of 32 bits");
  return SINEW_OK;
}

sinew_result doc_accessor_shape(gltf_document *d, uint32_t index, doc_accessor **found) {
  doc_accessor *accessor = &d->accessors[index];
  *found = accessor;
  if (accessor->shaped) return SINEW_OK;
  const doc_place place = accessor_place(d, index), type_place = doc_at_key(&place, "type");
  const doc_place count_place = doc_at_key(&place, "count");
  const char *type;
  SINEW_TRY(doc_object(d, &place));
  SINEW_TRY(doc_string(d, &place, "type", &type));
  SINEW_TRY(read_component(d, &place, accessor));
  for (size_t i = 0; type && i < sizeof element_types / sizeof *element_types; i++) {
    if (strcmp(type, element_types[i].name) != 0) continue;
    accessor->type = element_types[i].name;
    accessor->component_count = element_types[i].components;
  }
  if (!accessor->type)
    return doc_fail(d, SINEW_ERROR_SYNTAX, &type_place,
                    type_place.json ? "is none of the seven of the format" : "is missing");
  SINEW_TRY(doc_size(d, &place, "count", 0, &accessor->count));
  if (accessor->count == 0)
    return doc_fail(d, SINEW_ERROR_SYNTAX, &count_place,
                    count_place.json ? "is 0, expected at least 1" : "is missing");
  accessor->shaped = true;
  return SINEW_OK;
}

/* ---- numbers ------------------------------------------------------------------------------------------ */

/* Little-endian, at any address. */
static uint32_t bits_at(const unsigned char *p, uint32_t bytes) {
  uint32_t bits = p[0];
  if (bytes > 1) bits |= (uint32_t)p[1] << 8;
  if (bytes > 2) bits |= (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
  return bits;
}

static float number_at(const doc_accessor *accessor, const unsigned char *p) {
  const uint32_t bits = bits_at(p, accessor->component_bytes);
  float value;
  switch (accessor->component_type) {
  case COMPONENT_INT8:
    value = (float)(int8_t)bits;
    return accessor->normalized ? fmaxf(value / 127, -1) : value;
  case COMPONENT_UINT8:
    return accessor->normalized ? (float)bits / 255 : (float)bits;
  case COMPONENT_INT16:
    value = (float)(int16_t)bits;
    return accessor->normalized ? fmaxf(value / 32767, -1) : value;
  case COMPONENT_UINT16:
    return accessor->normalized ? (float)bits / 65535 : (float)bits;
  case COMPONENT_UINT32:
    return (float)bits;
  default:
    memcpy(&value, &bits, sizeof value);
    return value;
  }
}

static void decode(const doc_accessor *accessor, const unsigned char *from, float *values) {
  for (uint32_t i = 0; i < accessor->component_count; i++)
    values[i] = number_at(accessor, from + (size_t)i * accessor->component_bytes);
}

/* ---- where they stand --------------------------------------------------------------------------------- */

/* `count` elements `stride` apart. */
typedef struct element_run {
  const unsigned char *at;
  uint32_t stride;
} element_run;

static sinew_result open_run(gltf_document *d, const doc_place *place, uint64_t count, uint32_t element_bytes,
                             uint32_t component_bytes, bool may_stride, element_run *run) {
  int32_t view_index;
  uint64_t offset;
  size_t bytes;
  doc_view view;
  SINEW_TRY(doc_index(d, place, "bufferView", d->view_count, "bufferViews", &view_index));
  SINEW_TRY(doc_size(d, place, "byteOffset", 0, &offset));
  if (view_index < 0) return doc_fail(d, SINEW_ERROR_SYNTAX, place, "has no bufferView");
  SINEW_TRY(doc_view_open(d, (uint32_t)view_index, place, &view));
  if (view.stride && !may_stride)
    return doc_fail(d, SINEW_ERROR_SYNTAX, place,
                    "bufferViews[%d] has a byteStride, which a sparse part must not", view_index);
  run->stride = view.stride ? view.stride : element_bytes;
  if (run->stride < element_bytes)
    return doc_fail(d, SINEW_ERROR_SYNTAX, place, "an element has %u bytes, bufferViews[%d] strides %u",
                    element_bytes, view_index, run->stride);
  const bool fits = offset <= view.byte_count && checked_mul((size_t)(count - 1), run->stride, &bytes) &&
                    checked_add(bytes, element_bytes, &bytes) && bytes <= view.byte_count - offset;
  if (!fits)
    return doc_fail(
        d, SINEW_ERROR_SYNTAX, place,
        "%llu elements of %u bytes from byte %llu on do not fit into bufferViews[%d] of %llu bytes",
        (unsigned long long)count, element_bytes, (unsigned long long)offset, view_index,
        (unsigned long long)view.byte_count);
  if (offset % component_bytes != 0)
    return doc_fail(d, SINEW_ERROR_SYNTAX, place, "byteOffset is %llu, expected a multiple of %u",
                    (unsigned long long)offset, component_bytes);
  run->at = view.bytes + offset;
  return SINEW_OK;
}

static sinew_result open_sparse(gltf_document *d, const doc_place *sparse, const doc_accessor *accessor,
                                uint64_t count, uint32_t *index_bytes, element_run *indices,
                                element_run *values) {
  const doc_place indices_place = doc_at_key(sparse, "indices"), values_place = doc_at_key(sparse, "values");
  const doc_place component = doc_at_key(&indices_place, "componentType");
  uint64_t type;
  SINEW_TRY(doc_object(d, &indices_place));
  SINEW_TRY(doc_object(d, &values_place));
  SINEW_TRY(doc_size(d, &indices_place, "componentType", 0, &type));
  if (type != COMPONENT_UINT8 && type != COMPONENT_UINT16 && type != COMPONENT_UINT32)
    return doc_fail(d, SINEW_ERROR_SYNTAX, &component, "is none of uint8, uint16 and uint32");
  *index_bytes = component_size(type);
  SINEW_TRY(open_run(d, &indices_place, count, *index_bytes, *index_bytes, false, indices));
  return open_run(d, &values_place, count, accessor->component_bytes * accessor->component_count,
                  accessor->component_bytes, false, values);
}

static sinew_result apply_sparse(gltf_document *d, const doc_place *place, const doc_accessor *accessor,
                                 float *numbers) {
  const doc_place sparse = doc_at_key(place, "sparse");
  if (!sparse.json) return SINEW_OK;
  const doc_place count_place = doc_at_key(&sparse, "count"), indices_place = doc_at_key(&sparse, "indices");
  uint64_t count;
  uint32_t index_bytes = 0;
  element_run indices = {0}, values = {0};
  SINEW_TRY(doc_object(d, &sparse));
  SINEW_TRY(doc_size(d, &sparse, "count", 0, &count));
  if (count == 0 || count > accessor->count)
    return doc_fail(d, SINEW_ERROR_SYNTAX, &count_place, "is %llu, expected 1 to %llu",
                    (unsigned long long)count, (unsigned long long)accessor->count);
  SINEW_TRY(open_sparse(d, &sparse, accessor, count, &index_bytes, &indices, &values));
  uint64_t least = 0;
  for (uint64_t i = 0; i < count; i++) {
    const uint32_t index = bits_at(indices.at + i * indices.stride, index_bytes);
    if (index >= accessor->count)
      return doc_fail(d, SINEW_ERROR_SYNTAX, &indices_place,
                      "index %llu is %u, the accessor has %llu elements", (unsigned long long)i, index,
                      (unsigned long long)accessor->count);
    if (index < least)
      return doc_fail(d, SINEW_ERROR_SYNTAX, &indices_place, "index %llu is %u, not above the one before it",
                      (unsigned long long)i, index);
    decode(accessor, values.at + i * values.stride, numbers + (size_t)index * accessor->component_count);
    least = (uint64_t)index + 1;
  }
  return SINEW_OK;
}

static sinew_result spend(gltf_document *d, const doc_place *place, uint64_t count, uint32_t element_bytes) {
  const uint64_t budget =
      d->buffer_bytes > UINT64_MAX / 16 ? UINT64_MAX : d->buffer_bytes * DECODE_FACTOR + DECODE_SPARE_BYTES;
  size_t bytes;
  if (!checked_mul((size_t)count, element_bytes, &bytes) || bytes > budget - d->decoded_bytes)
    return doc_fail(d, SINEW_ERROR_LIMIT, place,
                    "%llu elements are more than the limit for lists that share bytes or have none",
                    (unsigned long long)count);
  d->decoded_bytes += bytes;
  return SINEW_OK;
}

sinew_result doc_accessor_values(gltf_document *d, uint32_t index, const float **values) {
  doc_accessor *accessor = &d->accessors[index];
  if (!accessor->values) {
    const doc_place place = accessor_place(d, index);
    const uint32_t element_bytes = accessor->component_bytes * accessor->component_count;
    element_run run = {0};
    float *numbers;
    if (doc_at_key(&place, "bufferView").json)
      SINEW_TRY(open_run(d, &place, accessor->count, element_bytes, accessor->component_bytes, true, &run));
    SINEW_TRY(spend(d, &place, accessor->count, element_bytes));
    SINEW_TRY(doc_items(d, &d->file->memory, (size_t)accessor->count,
                        accessor->component_count * sizeof *numbers, &numbers));
    for (uint64_t i = 0; run.at && i < accessor->count; i++)
      decode(accessor, run.at + i * run.stride, numbers + i * accessor->component_count);
    SINEW_TRY(apply_sparse(d, &place, accessor, numbers));
    accessor->values = numbers;
  }
  *values = accessor->values;
  return SINEW_OK;
}
