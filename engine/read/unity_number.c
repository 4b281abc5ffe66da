/* Numbers and small vectors of a Unity text file. */
#include "base/error.h"
#include "base/number.h"
#include "read/unity_scan.h"

#include <math.h>
#include <string.h>

static inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/* Behind a value: nothing, or blanks and a comment. */
static bool is_end(const char *p, const char *stop) {
  if (p == stop) return true;
  if (!is_blank(*p)) return false;
  while (p < stop && is_blank(*p)) p++;
  return p == stop || *p == '#';
}

static sinew_result no_number(scan *s, const scan_field *field, const char *wanted) {
  if (field->value == field->value_end && s->cut_line)
    return scan_fail_value(s, SINEW_ERROR_SYNTAX, field,
                           "the file is cut short: it ends in the middle of this line");
  scan_quote found = {"nothing"};
  if (field->value < field->value_end)
    found = scan_show(field->value, (size_t)(field->value_end - field->value));
  return scan_fail_value(s, SINEW_ERROR_SYNTAX, field, "%.*s is '%s', expected %s",
                         (int)(field->name_length < 60 ? field->name_length : 60), field->name, found.text,
                         wanted);
}

/* A number whose line has no end may lack its last digits. */
static sinew_result finish_number(scan *s, const scan_field *field, size_t used, const char *wanted) {
  if (used == 0 || !is_end(field->value + used, field->value_end)) return no_number(s, field, wanted);
  if (s->cut_line)
    return scan_fail_value(
        s, SINEW_ERROR_SYNTAX, field,
        "the file may be cut short: it ends right behind this number, expected a line end");
  scan_advance(s);
  return SINEW_OK;
}

sinew_result scan_float(scan *s, const scan_field *field, float *value) {
  size_t used = number_parse_float(field->value, (size_t)(field->value_end - field->value), value);
  return finish_number(s, field, used, "a number");
}

sinew_result scan_double(scan *s, const scan_field *field, double *value) {
  size_t used = number_parse_double(field->value, (size_t)(field->value_end - field->value), value);
  return finish_number(s, field, used, "a number");
}

sinew_result scan_int(scan *s, const scan_field *field, int64_t *value) {
  size_t used = number_parse_int(field->value, (size_t)(field->value_end - field->value), value);
  return finish_number(s, field, used, "a whole number");
}

sinew_result scan_flag(scan *s, const scan_field *field, bool *value) {
  int64_t number;
  size_t used = number_parse_int(field->value, (size_t)(field->value_end - field->value), &number);
  if (used == 0 || !is_end(field->value + used, field->value_end)) return no_number(s, field, "0 or 1");
  *value = number != 0;
  scan_advance(s);
  return SINEW_OK;
}

/* ---- vectors ----------------------------------------------------------------------------------------------
 */

static const char axis_names[] = "xyzw";

typedef struct vector_reader {
  scan *s;
  const scan_field *field;
  int count;
  double *value;
  unsigned seen; /* bit per axis */
} vector_reader;

static int axis_index(char axis) {
  return (int)(strchr(axis_names, axis) - axis_names);
}

static void store(vector_reader *r, char axis, double number) {
  r->seen |= 1u << axis_index(axis);
  r->value[axis_index(axis)] = number;
}

static bool is_axis(const vector_reader *r, const char *name, size_t length) {
  return length == 1 && memchr(axis_names, *name, (size_t)r->count) != NULL;
}

static sinew_result check_seen(vector_reader *r) {
  for (int i = 0; i < r->count; i++)
    if (!(r->seen & 1u << i))
      return scan_fail_value(r->s, SINEW_ERROR_SYNTAX, r->field, "%.*s has no %c",
                             (int)(r->field->name_length < 60 ? r->field->name_length : 60), r->field->name,
                             axis_names[i]);
  return SINEW_OK;
}

static sinew_result read_flow(vector_reader *r) {
  scan_flow flow = scan_flow_open(r->s, r->field);
  scan_field part;
  bool found;
  for (;;) {
    SINEW_TRY(scan_flow_next(&flow, &part, &found));
    if (!found) return check_seen(r);
    if (!is_axis(r, part.name, part.name_length)) {
      SINEW_TRY(scan_flow_skip(&flow));
      continue;
    }
    if (r->seen & 1u << axis_index(*part.name))
      return scan_fail_value(r->s, SINEW_ERROR_SYNTAX, &part, "%c stands twice", *part.name);
    double number;
    SINEW_TRY(scan_flow_double(&flow, &part, &number));
    store(r, *part.name, number);
  }
}

static sinew_result read_block(vector_reader *r) {
  scan_block block;
  SINEW_TRY(scan_enter(r->s, r->field, &block));
  scan_field part;
  bool found;
  while (block.kind == SCAN_MAP) {
    SINEW_TRY(scan_field_next(r->s, block.column, &part, &found));
    if (!found) break;
    if (!is_axis(r, part.name, part.name_length)) {
      scan_skip(r->s, &part);
      continue;
    }
    if (r->seen & 1u << axis_index(*part.name))
      return scan_fail_key(r->s, SINEW_ERROR_SYNTAX, &part, "%c stands twice", *part.name);
    double number;
    SINEW_TRY(scan_double(r->s, &part, &number));
    store(r, *part.name, number);
  }
  return check_seen(r);
}

sinew_result scan_vector(scan *s, const scan_field *field, int count, double *value) {
  vector_reader r = {.s = s, .field = field, .count = count, .value = value};
  if (field->value < field->value_end && *field->value != '{') {
    return no_number(s, field, count == 4 ? "{x: 0, y: 0, z: 0, w: 1}" : "{x: 0, y: 0, z: 0}");
  }
  return field->value < field->value_end ? read_flow(&r) : read_block(&r);
}
