/* Flow maps: `{x: 0, y: 1}`, over as many lines as they like. */
#include "base/error.h"
#include "base/number.h"
#include "read/unity_scan.h"

#include <string.h>

static inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

scan_flow scan_flow_open(scan *s, const scan_field *field) {
  return (scan_flow){.s = s, .field = field, .p = field->value + 1};
}

/* Passes blanks, comments and line breaks; false at the end of the file or of the document. */
static bool pass_gap(scan_flow *f) {
  scan *s = f->s;
  for (;;) {
    while (f->p < s->line_end && is_blank(*f->p)) f->p++;
    if (f->p < s->line_end && *f->p != '#') return true;
    if (!scan_take_line(s)) return false;
    if (scan_document_mark(s->line_start, s->line_end)) {
      s->next = s->line_start; /* the document's end */
      s->line--;
      return false;
    }
    f->p = s->line_start;
  }
}

static sinew_result not_closed(scan_flow *f) {
  return scan_fail_value(f->s, SINEW_ERROR_SYNTAX, f->field, "the file is cut short: this '{' has no '}'");
}

/* The key at f->p, a quoted one without its quotes; f->p stands behind it then. NULL: a quote has no end. */
static const char *take_key(scan_flow *f, size_t *length) {
  const char *name = f->p, *line_end = f->s->line_end;
  if (*name == '"' || *name == '\'') {
    const char *close = memchr(name + 1, *name, (size_t)(line_end - name - 1));
    if (!close) return NULL;
    f->p = close + 1;
    *length = (size_t)(close - name - 1);
    return name + 1;
  }
  while (f->p < line_end && !strchr(":,{}[]", *f->p)) f->p++;
  *length = (size_t)(f->p - name);
  while (*length && is_blank(name[*length - 1])) --*length;
  return name;
}

/* `x: `, `"x": `; then the value stands at f->p. */
static sinew_result read_key(scan_flow *f, scan_field *pair) {
  scan *s = f->s;
  size_t length;
  const char *name = take_key(f, &length);
  if (!name)
    return scan_fail(s, SINEW_ERROR_SYNTAX, f->p, "this quoted key has no end on its line, expected '%c'",
                     *f->p);
  if (!pass_gap(f)) return not_closed(f);
  if (*f->p != ':')
    return scan_fail(s, SINEW_ERROR_SYNTAX, f->p, "found '%s' in a map in braces, expected 'key: value'",
                     scan_show(f->p, 1).text);
  f->p++;
  if (!pass_gap(f)) return not_closed(f);
  *pair = (scan_field){.name = name,
                       .name_length = length,
                       .column = f->field->column,
                       .value = f->p,
                       .value_end = s->line_end,
                       .line_start = s->line_start,
                       .line = s->line};
  return SINEW_OK;
}

/* f->p stands on the '}'. */
static sinew_result close_flow(scan_flow *f) {
  scan *s = f->s;
  const char *p = f->p + 1;
  while (p < s->line_end && is_blank(*p)) p++;
  if (p < s->line_end && (*p != '#' || p == f->p + 1))
    return scan_fail(s, SINEW_ERROR_SYNTAX, p, "found '%s' behind a '}', expected the line's end",
                     scan_show(p, (size_t)(s->line_end - p)).text);
  scan_advance(s);
  return SINEW_OK;
}

sinew_result scan_flow_next(scan_flow *f, scan_field *pair, bool *found) {
  *found = false;
  if (!pass_gap(f)) return not_closed(f);
  if (f->begun && *f->p == ',') {
    f->p++;
    if (!pass_gap(f)) return not_closed(f);
  } else if (f->begun && *f->p != '}') {
    return scan_fail(f->s, SINEW_ERROR_SYNTAX, f->p, "found '%s', expected ',' or '}'",
                     scan_show(f->p, 1).text);
  }
  f->begun = true;
  if (*f->p == '}') return close_flow(f);
  *found = true;
  return read_key(f, pair);
}

/* ---- values ------------------------------------------------------------------------------------------- */

sinew_result scan_flow_skip(scan_flow *f) {
  size_t depth = 0;
  char quote = 0;
  for (;;) {
    if (!quote && !pass_gap(f)) return not_closed(f);
    if (quote && f->p == f->s->line_end) {
      if (!scan_take_line(f->s)) return not_closed(f);
      f->p = f->s->line_start;
      continue;
    }
    char c = *f->p;
    if (quote) {
      if (c == '\\' && quote == '"' && f->p + 1 < f->s->line_end)
        f->p++;
      else if (c == quote)
        quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '{' || c == '[') {
      depth++;
    } else if (depth == 0 && (c == ',' || c == '}')) {
      return SINEW_OK;
    } else if (c == '}' || c == ']') {
      if (depth == 0) return scan_fail(f->s, SINEW_ERROR_SYNTAX, f->p, "']' without its '['");
      depth--;
    }
    f->p++;
  }
}

static sinew_result finish_number(scan_flow *f, const scan_field *pair, size_t used, const char *wanted) {
  const char *line_end = f->s->line_end, *after = f->p + used;
  if (used == 0 || (after < line_end && !is_blank(*after) && *after != ',' && *after != '}'))
    return scan_fail(f->s, SINEW_ERROR_SYNTAX, f->p, "%.*s is '%s', expected %s",
                     (int)(pair->name_length < 60 ? pair->name_length : 60), pair->name,
                     scan_show(f->p, (size_t)(line_end - f->p)).text, wanted);
  f->p = after;
  return SINEW_OK;
}

sinew_result scan_flow_float(scan_flow *f, const scan_field *pair, float *value) {
  size_t used = number_parse_float(f->p, (size_t)(f->s->line_end - f->p), value);
  return finish_number(f, pair, used, "a number");
}

sinew_result scan_flow_double(scan_flow *f, const scan_field *pair, double *value) {
  size_t used = number_parse_double(f->p, (size_t)(f->s->line_end - f->p), value);
  return finish_number(f, pair, used, "a number");
}

sinew_result scan_flow_int(scan_flow *f, const scan_field *pair, int64_t *value) {
  size_t used = number_parse_int(f->p, (size_t)(f->s->line_end - f->p), value);
  return finish_number(f, pair, used, "a whole number");
}
