#include "verify/json_field.h"
#include "base/error.h"

#include <math.h>

static sinew_result wrong(json_place place, const char *key, const char *what, sinew_error *error) {
  return error_set(error, SINEW_ERROR_VERIFY, "%s %zu: %s %s", place.kind, place.index, key, what);
}

sinew_result field_element(const json_t *root, const char *key, const char *kind, uint64_t index,
                           json_place *place, sinew_error *error) {
  const json_t *list = json_object_get(root, key);
  SINEW_CHECK(json_is_array(list), error, SINEW_ERROR_VERIFY, "%s is no array", key);
  SINEW_CHECK(index < json_array_size(list), error, SINEW_ERROR_VERIFY, "%s %llu does not exist", kind,
              (unsigned long long)index);
  *place = (json_place){json_array_get(list, (size_t)index), kind, (size_t)index};
  SINEW_CHECK(json_is_object(place->object), error, SINEW_ERROR_VERIFY, "%s %zu is no object", kind,
              place->index);
  return SINEW_OK;
}

static sinew_result read_uint(json_place place, const char *key, const json_t *member, uint64_t *value,
                              sinew_error *error) {
  if (!json_is_integer(member) || json_integer_value(member) < 0)
    return wrong(place, key, "is no integer from 0 up", error);
  *value = (uint64_t)json_integer_value(member);
  return SINEW_OK;
}

sinew_result field_index(json_place place, const char *key, uint64_t limit, uint64_t *value,
                         sinew_error *error) {
  const json_t *member = json_object_get(place.object, key);
  if (!member) return wrong(place, key, "is missing", error);
  SINEW_TRY(read_uint(place, key, member, value, error));
  if (*value >= limit) return wrong(place, key, "is out of range", error);
  return SINEW_OK;
}

sinew_result field_size(json_place place, const char *key, uint64_t missing, uint64_t *value,
                        sinew_error *error) {
  const json_t *member = json_object_get(place.object, key);
  *value = missing;
  return member ? read_uint(place, key, member, value, error) : SINEW_OK;
}

sinew_result field_numbers(json_place place, const char *key, size_t count, double *values, bool *present,
                           sinew_error *error) {
  const json_t *member = json_object_get(place.object, key);
  *present = member != NULL;
  if (!member) return SINEW_OK;
  if (!json_is_array(member) || json_array_size(member) != count)
    return wrong(place, key, "is no array of the expected length", error);
  for (size_t i = 0; i < count; i++) {
    const json_t *item = json_array_get(member, i);
    if (!json_is_number(item)) return wrong(place, key, "holds something that is no number", error);
    values[i] = json_number_value(item);
    if (!isfinite(values[i])) return wrong(place, key, "holds a number that is not finite", error);
  }
  return SINEW_OK;
}

sinew_result field_object(json_place place, const char *key, json_place *child, sinew_error *error) {
  *child = (json_place){json_object_get(place.object, key), place.kind, place.index};
  if (!json_is_object(child->object)) return wrong(place, key, "is missing or no object", error);
  return SINEW_OK;
}

sinew_result field_text(json_place place, const char *key, const char **text, sinew_error *error) {
  const json_t *member = json_object_get(place.object, key);
  *text = NULL;
  if (!member) return SINEW_OK;
  if (!json_is_string(member)) return wrong(place, key, "is no string", error);
  *text = json_string_value(member);
  return SINEW_OK;
}

sinew_result field_absent(json_place place, const char *key, const char *why, sinew_error *error) {
  return json_object_get(place.object, key) ? wrong(place, key, why, error) : SINEW_OK;
}
