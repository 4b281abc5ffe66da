#include "json_line.h"

#include "console.h"
#include "printable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *json_of_text(const char *text) {
  if (!text) return json_null();
  char *safe = json_safe(text);
  json_t *value = or_die(json_string(safe));
  free(safe);
  return value;
}

json_t *json_of_number(double value) {
  return isfinite(value) ? or_die(json_real(value)) : json_null();
}

json_t *json_of_count(uint64_t count) {
  return or_die(json_integer((json_int_t)count));
}

json_t *json_of_triple(const double value[3]) {
  json_t *array = or_die(json_array());
  for (int i = 0; i < 3; i++) json_add(array, json_of_number(value[i]));
  return array;
}

static const char *code_name(sinew_result code) {
  switch (code) {
  case SINEW_OK:
    return "ok";
  case SINEW_ERROR_ARGUMENT:
    return "argument";
  case SINEW_ERROR_MEMORY:
    return "memory";
  case SINEW_ERROR_IO:
    return "io";
  case SINEW_ERROR_SYNTAX:
    return "syntax";
  case SINEW_ERROR_UNSUPPORTED:
    return "unsupported";
  case SINEW_ERROR_LIMIT:
    return "limit";
  case SINEW_ERROR_RIG:
    return "rig";
  case SINEW_ERROR_POSE:
    return "pose";
  case SINEW_ERROR_VERIFY:
    return "verify";
  case SINEW_ERROR_CANCELLED:
    return "cancelled";
  }
  return "unknown";
}

static json_t *place(bool known, uint64_t value) {
  return known ? or_die(json_integer((json_int_t)value)) : json_null();
}

json_t *json_of_error(const sinew_error *error) {
  json_t *object = or_die(json_object());
  json_put(object, "code", json_of_text(code_name(error->code)));
  json_put(object, "message", json_of_text(error->message));
  json_put(object, "line", place(error->has_place && error->line, error->line));
  json_put(object, "column", place(error->has_place && error->column, error->column));
  json_put(object, "byte", place(error->has_place, error->byte));
  return object;
}

void json_put(json_t *object, const char *key, json_t *value) {
  if (json_object_set_new(object, key, value) != 0) or_die(NULL);
}

void json_add(json_t *array, json_t *value) {
  if (json_array_append_new(array, value) != 0) or_die(NULL);
}

json_t *json_begin(void) {
  json_t *object = or_die(json_object());
  json_put(object, "sinew", json_of_text(sinew_version()));
  return object;
}

void json_say(json_t *object) {
  /* 15 digits: enough for a report, and 29.97 stays 29.97 */
  char *text = or_die(json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(15)));
  json_decref(object);
  const size_t length = strlen(text);
  char *line = or_die(malloc(length + 2));
  memcpy(line, text, length);
  memcpy(line + length, "\n", 2);
  free(text);
  say_text(line);
  free(line);
}

void failure_json(const char *input, const char *clip_name, const char *output, const sinew_error *error) {
  json_t *object = json_begin();
  json_put(object, "input", json_of_text(input));
  if (clip_name) json_put(object, "clip", json_of_text(clip_name));
  if (output) json_put(object, "output", json_of_text(output));
  json_put(object, "ok", json_false());
  json_put(object, "error", json_of_error(error));
  json_say(object);
}
