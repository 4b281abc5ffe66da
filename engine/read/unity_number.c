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
  const char *p; /* inside the flow map */
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

/* Passes blanks, comments and line breaks; false at the end of the file or of the document. */
static bool pass_gap(vector_reader *r) {
  scan *s = r->s;
  for (;;) {
    while (r->p < s->line_end && is_blank(*r->p)) r->p++;
    if (r->p < s->line_end && *r->p != '#') return true;
    if (!scan_take_line(s)) return false;
    if (scan_document_mark(s->line_start, s->line_end)) return false;
    r->p = s->line_start;
  }
}

static sinew_result not_closed(vector_reader *r) {
  return scan_fail_value(r->s, SINEW_ERROR_SYNTAX, r->field, "the file is cut short: this '{' has no '}'");
}

/* A value that nobody wants, up to the ',' or '}' behind it, with whatever brackets and quotes it holds. */
static sinew_result skip_flow_value(vector_reader *r) {
  size_t depth = 0;
  char quote = 0;
  for (;;) {
    if (!quote && !pass_gap(r)) return not_closed(r);
    if (quote && r->p == r->s->line_end) {
      if (!scan_take_line(r->s)) return not_closed(r);
      r->p = r->s->line_start;
      continue;
    }
    char c = *r->p;
    if (quote) {
      if (c == '\\' && quote == '"' && r->p + 1 < r->s->line_end)
        r->p++;
      else if (c == quote)
        quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '{' || c == '[') {
      depth++;
    } else if (depth == 0 && (c == ',' || c == '}')) {
      return SINEW_OK;
    } else if (c == '}' || c == ']') {
      if (depth == 0) return scan_fail(r->s, SINEW_ERROR_SYNTAX, r->p, "']' without its '['");
      depth--;
    }
    r->p++;
  }
}

/* The key at r->p, a quoted one without its quotes; r->p stands behind it then. NULL: a quote has no end. */
static const char *take_flow_key(vector_reader *r, size_t *length) {
  const char *name = r->p, *line_end = r->s->line_end;
  if (*name == '"' || *name == '\'') {
    const char *close = memchr(name + 1, *name, (size_t)(line_end - name - 1));
    if (!close) return NULL;
    r->p = close + 1;
    *length = (size_t)(close - name - 1);
    return name + 1;
  }
  while (r->p < line_end && !strchr(":,{}[]", *r->p)) r->p++;
  *length = (size_t)(r->p - name);
  while (*length && is_blank(name[*length - 1])) --*length;
  return name;
}

/* `x: 0`, `"x": 0` */
static sinew_result read_flow_pair(vector_reader *r) {
  scan *s = r->s;
  size_t length;
  const char *name = take_flow_key(r, &length);
  if (!name)
    return scan_fail(s, SINEW_ERROR_SYNTAX, r->p, "this quoted key has no end on its line, expected '%c'",
                     *r->p);
  bool axis = is_axis(r, name, length);
  if (!pass_gap(r)) return not_closed(r);
  if (*r->p != ':')
    return scan_fail(s, SINEW_ERROR_SYNTAX, r->p, "found '%s' in a map in braces, expected 'key: value'",
                     scan_show(r->p, 1).text);
  r->p++;
  if (!pass_gap(r)) return not_closed(r);
  if (!axis) return skip_flow_value(r);
  if (r->seen & 1u << axis_index(*name))
    return scan_fail(s, SINEW_ERROR_SYNTAX, r->p, "%c stands twice", *name);
  double number;
  const char *at = r->p;
  size_t used = number_parse_double(at, (size_t)(s->line_end - at), &number);
  const char *after = at + used;
  if (used == 0 || (after < s->line_end && !is_blank(*after) && *after != ',' && *after != '}')) {
    size_t left = (size_t)(s->line_end - at);
    return scan_fail(s, SINEW_ERROR_SYNTAX, at, "%c is '%s', expected a number", *name,
                     scan_show(at, left).text);
  }
  r->p = after;
  store(r, *name, number);
  return SINEW_OK;
}

static sinew_result read_flow(vector_reader *r) {
  scan *s = r->s;
  r->p = r->field->value + 1;
  for (;;) {
    if (!pass_gap(r)) return not_closed(r);
    if (*r->p == '}') break;
    SINEW_TRY(read_flow_pair(r));
    if (!pass_gap(r)) return not_closed(r);
    if (*r->p == ',') {
      r->p++;
    } else if (*r->p != '}') {
      return scan_fail(s, SINEW_ERROR_SYNTAX, r->p, "found '%s', expected ',' or '}'",
                       scan_show(r->p, 1).text);
    }
  }
  r->p++;
  bool end = is_end(r->p, s->line_end);
  while (r->p < s->line_end && is_blank(*r->p)) r->p++;
  if (!end)
    return scan_fail(s, SINEW_ERROR_SYNTAX, r->p, "found '%s' behind a '}', expected the line's end",
                     scan_show(r->p, (size_t)(s->line_end - r->p)).text);
  scan_advance(s);
  return check_seen(r);
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
