/* The numbers behind an animation's accessors. */
#include "base/checked.h"
#include "base/error.h"
#include "inspect/gltf.h"
#include "verify/json_field.h"

#include <math.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are read as they lie in the file");

/* ---- elements ----------------------------------------------------------------------------------------- */

bool gltf_readable(const gltf_accessor *accessor) {
  return (accessor->here || accessor->zeros) && (!accessor->sparse.count || accessor->sparse.here);
}

static double component_at(const unsigned char *at, uint32_t type, bool normalized) {
  int8_t i8;
  int16_t i16;
  uint16_t u16;
  uint32_t u32;
  float f32;
  switch (type) {
  case 5120:
    memcpy(&i8, at, sizeof i8);
    return normalized ? fmax(i8 / 127.0, -1) : i8;
  case 5121:
    return normalized ? *at / 255.0 : *at;
  case 5122:
    memcpy(&i16, at, sizeof i16);
    return normalized ? fmax(i16 / 32767.0, -1) : i16;
  case 5123:
    memcpy(&u16, at, sizeof u16);
    return normalized ? u16 / 65535.0 : u16;
  case 5125:
    memcpy(&u32, at, sizeof u32);
    return u32;
  default:
    memcpy(&f32, at, sizeof f32);
    return (double)f32;
  }
}

static uint64_t sparse_index(const gltf_reading *reading, const gltf_sparse *sparse, uint64_t position) {
  const unsigned char *at = reading->bin + sparse->index_offset + position * sparse->index_bytes;
  uint64_t index = 0;
  for (uint32_t i = 0; i < sparse->index_bytes; i++) index |= (uint64_t)at[i] << 8 * i;
  return index;
}

/* Where the element's bytes stand; NULL: it is zero. The sparse indices ascend. */
static const unsigned char *element_bytes(const gltf_reading *reading, const gltf_accessor *accessor,
                                          uint64_t index) {
  const gltf_sparse *sparse = &accessor->sparse;
  for (uint64_t low = 0, high = sparse->count; low < high;) {
    const uint64_t middle = low + (high - low) / 2, found = sparse_index(reading, sparse, middle);
    if (found == index) return reading->bin + sparse->value_offset + middle * accessor->element_bytes;
    if (found < index)
      low = middle + 1;
    else
      high = middle;
  }
  return accessor->zeros ? NULL : reading->bin + accessor->offset + index * accessor->stride;
}

void gltf_element(const gltf_reading *reading, const gltf_accessor *accessor, uint64_t index,
                  double value[4]) {
  const unsigned char *at = element_bytes(reading, accessor, index);
  const uint32_t count = accessor->component_count < 4 ? accessor->component_count : 4;
  for (uint32_t i = 0; i < 4; i++) value[i] = 0;
  for (uint32_t i = 0; at && i < count; i++)
    value[i] = component_at(at + (size_t)i * accessor->component_bytes, accessor->component_type,
                            accessor->normalized);
}

/* A pass over an accessor's elements takes their bytes off the budget, since accessors may share theirs. */
static sinew_result begin_pass(gltf_reading *reading, uint32_t index, sinew_error *error) {
  const gltf_accessor *accessor = &reading->accessors[index];
  const gltf_sparse *sparse = &accessor->sparse;
  size_t bytes, sparse_bytes;
  const bool enough = checked_mul(accessor->count, accessor->element_bytes, &bytes) &&
                      checked_mul(sparse->count, accessor->element_bytes, &sparse_bytes) &&
                      checked_add(bytes, sparse_bytes, &bytes) && bytes <= reading->scan_budget;
  SINEW_CHECK(enough, error, SINEW_ERROR_LIMIT,
              "accessor %u: the animations' keys are many times what the file holds: they are not looked at",
              index);
  reading->scan_budget -= bytes;
  for (uint64_t i = 0; i < sparse->count; i++) {
    const uint64_t at = sparse_index(reading, sparse, i);
    SINEW_CHECK(at < accessor->count && (i == 0 || sparse_index(reading, sparse, i - 1) < at), error,
                SINEW_ERROR_VERIFY, "accessor %u: sparse indices do not ascend within its count", index);
  }
  return SINEW_OK;
}

/* ---- times -------------------------------------------------------------------------------------------- */

static sinew_result read_bound(const gltf_reading *reading, uint32_t index, const char *key, double *value,
                               bool *present, sinew_error *error) {
  json_place place;
  SINEW_TRY(field_element(reading->root, "accessors", "accessor", index, &place, error));
  return field_numbers(place, key, 1, value, present, error);
}

static sinew_result scan_times(gltf_reading *reading, uint32_t index, sinew_error *error) {
  gltf_accessor *accessor = &reading->accessors[index];
  double before = -1, value[4];
  SINEW_TRY(begin_pass(reading, index, error));
  for (uint64_t i = 0; i < accessor->count; i++) {
    gltf_element(reading, accessor, i, value);
    if (!(isfinite(value[0]) && value[0] >= 0 && value[0] > before))
      return gltf_warn(reading, error,
                       "accessor %u: time %llu is %g, expected one from 0 up, after the one before", index,
                       (unsigned long long)i, value[0]);
    before = value[0];
  }
  return SINEW_OK;
}

static sinew_result compare_bounds(gltf_reading *reading, uint32_t index, sinew_error *error) {
  const gltf_accessor *accessor = &reading->accessors[index];
  static const char *const keys[] = {"min", "max"};
  const double stored[] = {accessor->start_s, accessor->stop_s};
  for (int i = 0; i < 2; i++) {
    double stated;
    bool present;
    SINEW_TRY(read_bound(reading, index, keys[i], &stated, &present, error));
    if (!present)
      SINEW_TRY(gltf_warn(reading, error, "accessor %u: %s is missing on times", index, keys[i]));
    else if ((float)stated != (float)stored[i])
      SINEW_TRY(gltf_warn(reading, error, "accessor %u: %s is %.9g, the stored time %.9g", index, keys[i],
                          stated, stored[i]));
  }
  return SINEW_OK;
}

static sinew_result find_ends(gltf_reading *reading, uint32_t index, sinew_error *error) {
  gltf_accessor *accessor = &reading->accessors[index];
  bool present;
  if (!gltf_readable(accessor)) {
    SINEW_TRY(read_bound(reading, index, "min", &accessor->start_s, &present, error));
    return read_bound(reading, index, "max", &accessor->stop_s, &present, error);
  }
  double value[4];
  SINEW_TRY(scan_times(reading, index, error));
  gltf_element(reading, accessor, 0, value);
  accessor->start_s = value[0];
  gltf_element(reading, accessor, accessor->count - 1, value);
  accessor->stop_s = value[0];
  return compare_bounds(reading, index, error);
}

sinew_result gltf_check_times(gltf_reading *reading, uint32_t index, double *start_s, double *stop_s,
                              sinew_error *error) {
  gltf_accessor *accessor = &reading->accessors[index];
  if (!accessor->times_known) SINEW_TRY(find_ends(reading, index, error));
  accessor->times_known = true;
  *start_s = accessor->start_s;
  *stop_s = accessor->stop_s;
  return SINEW_OK;
}

/* ---- values ------------------------------------------------------------------------------------------- */

/* What the format's own validator allows. */
static const double unit_tolerance = 0.00769;

typedef struct value_pass {
  const gltf_reading *reading;
  const gltf_accessor *accessor;
  gltf_key_facts facts;
  uint64_t not_finite;
  double unit_off;
} value_pass;

/* Whether an element of a cubic key is a tangent, which stands still at 0. */
static bool is_tangent(const gltf_key_facts *facts, uint64_t index) {
  if (!facts->cubic) return false;
  const uint64_t part = index / facts->per_key % 3;
  return part != 1;
}

/* The element of the first key that this one equals when nothing moves. */
static uint64_t first_alike(const gltf_key_facts *facts, uint64_t index) {
  return index % facts->per_key + (facts->cubic ? facts->per_key : 0);
}

static void look_at_element(value_pass *pass, uint64_t index) {
  double value[4], first[4] = {0}, square = 0;
  bool finite = true;
  gltf_element(pass->reading, pass->accessor, index, value);
  for (int i = 0; i < 4; i++) finite = finite && isfinite(value[i]);
  if (!finite) {
    pass->not_finite++;
    pass->facts.constant = false;
    return;
  }
  const bool tangent = is_tangent(&pass->facts, index);
  if (!tangent) gltf_element(pass->reading, pass->accessor, first_alike(&pass->facts, index), first);
  for (int i = 0; i < 4; i++) {
    if (value[i] != first[i]) pass->facts.constant = false;
    square += value[i] * value[i];
  }
  if (pass->facts.rotation && !tangent) pass->unit_off = fmax(pass->unit_off, fabs(sqrt(square) - 1));
}

static sinew_result tell_values(gltf_reading *reading, uint32_t index, const value_pass *pass,
                                sinew_error *error) {
  if (pass->not_finite)
    SINEW_TRY(gltf_warn(reading, error, "accessor %u: %llu values are not finite", index,
                        (unsigned long long)pass->not_finite));
  if (pass->unit_off > unit_tolerance)
    SINEW_TRY(gltf_warn(reading, error, "accessor %u: a rotation's length differs from 1 by %.3g", index,
                        pass->unit_off));
  return SINEW_OK;
}

sinew_result gltf_check_values(gltf_reading *reading, uint32_t index, uint32_t per_key, bool cubic,
                               bool rotation, bool *constant, sinew_error *error) {
  gltf_accessor *accessor = &reading->accessors[index];
  gltf_key_facts *facts = &accessor->facts;
  if (!facts->known || facts->per_key != per_key || facts->cubic != cubic || facts->rotation != rotation) {
    const bool told = facts->known;
    value_pass pass = {reading, accessor, {true, true, per_key, cubic, rotation}, 0, 0};
    if (gltf_readable(accessor)) {
      SINEW_TRY(begin_pass(reading, index, error));
      for (uint64_t i = 0; i < accessor->count; i++) look_at_element(&pass, i);
    } else {
      pass.facts.constant = accessor->count == (uint64_t)per_key * (cubic ? 3 : 1);
    }
    if (!told) SINEW_TRY(tell_values(reading, index, &pass, error));
    *facts = pass.facts;
  }
  *constant = facts->constant;
  return SINEW_OK;
}
