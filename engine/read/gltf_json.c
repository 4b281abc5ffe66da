/* Checked access to the members of a glTF's JSON, each known by its path. */
#include "base/error.h"
#include "read/gltf_document.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double number_limit = 1e12;

/* ---- places ------------------------------------------------------------------------------------------- */

static void append(char *path, size_t size, const char *text) {
  const size_t used = strlen(path), length = strlen(text), room = size - 1 - used;
  memcpy(path + used, text, length < room ? length : room);
  path[used + (length < room ? length : room)] = 0;
}

doc_place doc_at_key(const doc_place *object, const char *key) {
  doc_place place = *object;
  char shown[64];
  error_printable(key, strlen(key), shown, sizeof shown);
  place.json = json_object_get(object->json, key);
  if (*place.path) append(place.path, sizeof place.path, ".");
  append(place.path, sizeof place.path, shown);
  return place;
}

doc_place doc_at_index(const doc_place *list, size_t index) {
  doc_place place = *list;
  char text[32];
  snprintf(text, sizeof text, "[%zu]", index);
  place.json = json_array_get(list->json, index);
  append(place.path, sizeof place.path, text);
  return place;
}

sinew_result doc_fail(const gltf_document *d, sinew_result code, const doc_place *place, const char *format,
                      ...) {
  char text[sizeof d->error->message];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return error_set(d->error, code, "%s%s%s", place->path, *place->path ? ": " : "", text);
}

doc_label doc_show(const char *text) {
  doc_label label;
  error_printable(text, strlen(text), label.text, sizeof label.text);
  return label;
}

/* ---- members ------------------------------------------------------------------------------------------ */

sinew_result doc_object(const gltf_document *d, const doc_place *place) {
  if (!place->json) return doc_fail(d, SINEW_ERROR_SYNTAX, place, "is missing");
  if (!json_is_object(place->json)) return doc_fail(d, SINEW_ERROR_SYNTAX, place, "is no object");
  return SINEW_OK;
}

sinew_result doc_list(const gltf_document *d, const doc_place *object, const char *key, uint32_t limit,
                      doc_place *list, uint32_t *count) {
  *list = doc_at_key(object, key);
  *count = 0;
  if (!list->json) return SINEW_OK;
  if (!json_is_array(list->json)) return doc_fail(d, SINEW_ERROR_SYNTAX, list, "is no array");
  const size_t size = json_array_size(list->json);
  if (size > limit)
    return doc_fail(d, SINEW_ERROR_LIMIT, list, "has %zu items, the limit is %u", size, limit);
  *count = (uint32_t)size;
  return SINEW_OK;
}

static sinew_result whole(const gltf_document *d, const doc_place *place, uint64_t *value) {
  if (!json_is_integer(place->json) || json_integer_value(place->json) < 0)
    return doc_fail(d, SINEW_ERROR_SYNTAX, place, "is no whole number from 0 up");
  *value = (uint64_t)json_integer_value(place->json);
  return SINEW_OK;
}

sinew_result doc_own_index(const gltf_document *d, const doc_place *place, uint32_t limit, const char *what,
                           uint32_t *index) {
  uint64_t value = 0;
  *index = 0;
  if (!place->json) return doc_fail(d, SINEW_ERROR_SYNTAX, place, "is missing");
  SINEW_TRY(whole(d, place, &value));
  if (value >= limit)
    return doc_fail(d, SINEW_ERROR_SYNTAX, place, "is %llu, the file has %u %s", (unsigned long long)value,
                    limit, what);
  *index = (uint32_t)value;
  return SINEW_OK;
}

sinew_result doc_index(const gltf_document *d, const doc_place *object, const char *key, uint32_t limit,
                       const char *what, int32_t *index) {
  const doc_place place = doc_at_key(object, key);
  uint32_t value;
  *index = -1;
  if (!place.json) return SINEW_OK;
  SINEW_TRY(doc_own_index(d, &place, limit < INT32_MAX ? limit : INT32_MAX, what, &value));
  *index = (int32_t)value;
  return SINEW_OK;
}

sinew_result doc_size(const gltf_document *d, const doc_place *object, const char *key, uint64_t missing,
                      uint64_t *value) {
  const doc_place place = doc_at_key(object, key);
  *value = missing;
  return place.json ? whole(d, &place, value) : SINEW_OK;
}

sinew_result doc_string(const gltf_document *d, const doc_place *object, const char *key, const char **text) {
  const doc_place place = doc_at_key(object, key);
  *text = NULL;
  if (!place.json) return SINEW_OK;
  if (!json_is_string(place.json)) return doc_fail(d, SINEW_ERROR_SYNTAX, &place, "is no string");
  *text = json_string_value(place.json);
  return SINEW_OK;
}

sinew_result doc_name(const gltf_document *d, const doc_place *object, const char *key, arena *memory,
                      const char **name) {
  const char *text;
  *name = "";
  SINEW_TRY(doc_string(d, object, key, &text));
  if (!text || !*text) return SINEW_OK;
  const size_t length = strlen(text);
  const uint32_t limit = d->source->limits.name_bytes;
  if (length > limit) {
    const doc_place place = doc_at_key(object, key);
    return doc_fail(d, SINEW_ERROR_LIMIT, &place, "has %zu bytes, the limit is %u", length, limit);
  }
  const char *copy = arena_text(memory, text, length);
  SINEW_CHECK(copy, d->error, SINEW_ERROR_MEMORY, "out of memory, or past its limit, for names");
  *name = copy;
  return SINEW_OK;
}

sinew_result doc_numbers(const gltf_document *d, const doc_place *object, const char *key, size_t count,
                         double *values, bool *present) {
  const doc_place list = doc_at_key(object, key);
  *present = list.json != NULL;
  if (!list.json) return SINEW_OK;
  if (!json_is_array(list.json) || json_array_size(list.json) != count)
    return doc_fail(d, SINEW_ERROR_SYNTAX, &list, "is no array of %zu number%s", count,
                    count == 1 ? "" : "s");
  for (size_t i = 0; i < count; i++) {
    const json_t *item = json_array_get(list.json, i);
    const double value = json_number_value(item);
    if (!json_is_number(item) || !(fabs(value) <= number_limit)) {
      const doc_place place = doc_at_index(&list, i);
      return doc_fail(d, SINEW_ERROR_SYNTAX, &place,
                      json_is_number(item) ? "is beyond 1e12" : "is no number");
    }
    values[i] = value;
  }
  return SINEW_OK;
}

sinew_result doc_items(const gltf_document *d, arena *memory, size_t count, size_t size, void *items) {
  void *block = arena_alloc(memory, count, size);
  memcpy(items, &block, sizeof block);
  SINEW_CHECK(block, d->error, SINEW_ERROR_MEMORY,
              "out of memory, or past its limit, for %zu items of %zu bytes", count, size);
  return SINEW_OK;
}
