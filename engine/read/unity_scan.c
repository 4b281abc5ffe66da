#include "read/unity_scan.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void scan_open(scan *s, const char *bytes, size_t byte_count, uint32_t text_limit, sinew_error *error) {
  *s = (scan){.begin = bytes, .end = bytes + byte_count, .text_limit = text_limit, .error = error};
  s->next = bytes;
  if (byte_count >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) s->next += 3;
  s->line_start = s->line_end = s->content = s->next;
}

void scan_close(scan *s) {
  heap_free(s->scratch);
}

/* ---- messages ---------------------------------------------------------------------------------------------
 */

static sinew_result fail_at(scan *s, sinew_result code, const char *at, const char *line_start, uint64_t line,
                            const char *format, va_list arguments) {
  char message[sizeof s->error->message];
  vsnprintf(message, sizeof message, format, arguments);
  size_t column = at >= line_start ? (size_t)(at - line_start) + 1 : 0;
  return error_set_at(s->error, code, (uint64_t)(at - s->begin), line < UINT32_MAX ? (uint32_t)line : 0,
                      column < UINT32_MAX ? (uint32_t)column : 0, "%s", message);
}

sinew_result scan_fail(scan *s, sinew_result code, const char *at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  sinew_result result = fail_at(s, code, at, s->line_start, s->line, format, arguments);
  va_end(arguments);
  return result;
}

sinew_result scan_fail_value(scan *s, sinew_result code, const scan_field *field, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  sinew_result result = fail_at(s, code, field->value, field->line_start, field->line, format, arguments);
  va_end(arguments);
  return result;
}

sinew_result scan_fail_key(scan *s, sinew_result code, const scan_field *field, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  sinew_result result = fail_at(s, code, field->name, field->line_start, field->line, format, arguments);
  va_end(arguments);
  return result;
}

scan_place scan_place_of(const scan *s, const scan_field *field) {
  size_t column = (size_t)(field->value - field->line_start) + 1;
  return (scan_place){(uint64_t)(field->value - s->begin), field->line,
                      column < UINT32_MAX ? (uint32_t)column : 0};
}

scan_place scan_here(const scan *s) {
  size_t column = (size_t)(s->content - s->line_start) + 1;
  return (scan_place){(uint64_t)(s->content - s->begin), s->line, column < UINT32_MAX ? (uint32_t)column : 0};
}

sinew_result scan_fail_place(scan *s, sinew_result code, const scan_place *place, const char *format, ...) {
  char message[sizeof s->error->message];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return error_set_at(s->error, code, place->byte, place->line < UINT32_MAX ? (uint32_t)place->line : 0,
                      place->column, "%s", message);
}

scan_quote scan_show(const char *text, size_t length) {
  scan_quote quote;
  if (length > 60) {
    error_printable(text, 57, quote.text, sizeof quote.text);
    strcat(quote.text, "...");
  } else {
    error_printable(text, length, quote.text, sizeof quote.text);
  }
  return quote;
}

/* ---- lines ------------------------------------------------------------------------------------------------
 */

static inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

bool scan_document_mark(const char *p, const char *line_end) {
  if (line_end - p < 3 || (memcmp(p, "---", 3) != 0 && memcmp(p, "...", 3) != 0)) return false;
  return line_end - p == 3 || is_blank(p[3]);
}

static inline bool is_dash(const scan *s) {
  return !s->ended && *s->content == '-' && (s->content + 1 == s->line_end || s->content[1] == ' ');
}

/* Takes the line at s->next whatever it holds; false at the end of the file. */
bool scan_take_line(scan *s) {
  if (s->next >= s->end) return false;
  s->line_start = s->next;
  const char *feed = memchr(s->next, '\n', (size_t)(s->end - s->next));
  s->cut_line = feed == NULL;
  const char *stop = feed ? feed : s->end;
  s->next = feed ? feed + 1 : s->end;
  s->line++;
  s->line_end = stop > s->line_start && stop[-1] == '\r' ? stop - 1 : stop;
  return true;
}

static void end_document(scan *s) {
  s->ended = true;
  s->column = 0;
  s->content = s->line_end = s->line_start;
}

void scan_advance(scan *s) {
  while (scan_take_line(s)) {
    const char *p = s->line_start, *stop = s->line_end;
    while (p < stop && *p == ' ') p++;
    if (p == stop || *p == '#') continue;
    if (*p == '\t') {
      const char *rest = p;
      while (rest < stop && is_blank(*rest)) rest++;
      if (rest == stop) continue;
    }
    s->content = p;
    s->column = (size_t)(p - s->line_start);
    s->ended = false;
    if (s->column == 0 && scan_document_mark(p, stop)) {
      s->next = s->line_start; /* scan_next_document takes it */
      s->line--;
      end_document(s);
    }
    return;
  }
  s->line_start = s->end;
  end_document(s);
}

void scan_return(scan *s, scan_mark mark) {
  s->next = mark.at;
  s->line = mark.line;
  s->ended = false;
}

/* The lines deeper than `column` from s->next on, at memory speed: only their first bytes are looked at. */
static void pass_deeper_lines(scan *s, size_t column) {
  const char *p = s->next;
  while ((size_t)(s->end - p) > column) {
    size_t spaces = 0;
    while (spaces <= column && p[spaces] == ' ') spaces++;
    if (spaces <= column) break;
    const char *feed = memchr(p, '\n', (size_t)(s->end - p));
    if (!feed) break; /* scan_advance takes the last line */
    p = feed + 1;
    s->line++;
  }
  s->next = p;
}

void scan_leave(scan *s, size_t column) {
  while (!s->ended && s->column > column) {
    pass_deeper_lines(s, column);
    scan_advance(s);
  }
}

bool scan_at_file_end(const scan *s) {
  return s->next >= s->end;
}

/* `!u!74`, or the whole tag that Unity's files abbreviate so: `!<tag:unity3d.com,2011:74>`. 0 for others. */
static int64_t tag_class(const char *tag, const char *tag_end) {
  static const char *const forms[][2] = {{"!u!", ""}, {"!<tag:unity3d.com,2011:", ">"}};
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    size_t head = strlen(forms[i][0]), tail = strlen(forms[i][1]), length = (size_t)(tag_end - tag);
    if (length <= head + tail || memcmp(tag, forms[i][0], head) != 0 ||
        memcmp(tag_end - tail, forms[i][1], tail) != 0)
      continue;
    int64_t id;
    size_t digits = length - head - tail;
    if (number_parse_int(tag + head, digits, &id) == digits) return id;
  }
  return 0;
}

int64_t scan_document_class(const char *p, const char *line_end) {
  for (;;) {
    while (p < line_end && is_blank(*p)) p++;
    const char *word = p;
    while (p < line_end && !is_blank(*p)) p++;
    if (word == p || (*word != '&' && *word != '!')) return 0;
    if (*word == '!') return tag_class(word, p);
  }
}

bool scan_next_document(scan *s, scan_document *document) {
  while (scan_take_line(s)) {
    const char *p = s->line_start;
    if (*p != '-' || !scan_document_mark(p, s->line_end)) continue;
    *document = (scan_document){.byte = (uint64_t)(p - s->begin), .line = s->line};
    p += 3;
    document->class_id = scan_document_class(p, s->line_end);
    static const char stripped[] = " stripped";
    size_t tail = sizeof stripped - 1, left = (size_t)(s->line_end - p);
    document->stripped = left >= tail && memcmp(s->line_end - tail, stripped, tail) == 0;
    scan_advance(s);
    return true;
  }
  return false;
}

/* ---- fields -----------------------------------------------------------------------------------------------
 */

bool scan_field_is(const scan_field *field, const char *name) {
  size_t length = strlen(name);
  return field->name_length == length && memcmp(field->name, name, length) == 0;
}

/* The colon that ends a key: followed by a blank or the end of the line. NULL when there is none. */
static const char *find_colon(const char *p, const char *line_end) {
  while (p < line_end) {
    const char *colon = memchr(p, ':', (size_t)(line_end - p));
    if (!colon || colon + 1 == line_end || is_blank(colon[1])) return colon;
    p = colon + 1;
  }
  return NULL;
}

static const char *find_key_end(const scan *s, scan_field *field) {
  const char *p = s->content;
  if (*p != '"' && *p != '\'') {
    const char *colon = find_colon(p, s->line_end);
    field->name = p;
    const char *name_end = colon ? colon : p;
    while (name_end > p && is_blank(name_end[-1])) name_end--;
    field->name_length = (size_t)(name_end - p);
    return colon;
  }
  const char *close = memchr(p + 1, *p, (size_t)(s->line_end - p - 1));
  field->name = p + 1;
  field->name_length = close ? (size_t)(close - p - 1) : 0;
  return close ? find_colon(close + 1, s->line_end) : NULL;
}

static sinew_result no_key(scan *s) {
  if (s->cut_line)
    return scan_fail(s, SINEW_ERROR_SYNTAX, s->content,
                     "the file is cut short: it ends in the middle of this line");
  return scan_fail(s, SINEW_ERROR_SYNTAX, s->content, "found '%s', expected 'key: value'",
                   scan_show(s->content, (size_t)(s->line_end - s->content)).text);
}

/* What stands on the current line from `value` on, blanks and a mere comment aside. */
static void take_value(const scan *s, const char *value, scan_field *field) {
  const char *stop = s->line_end;
  while (value < stop && is_blank(*value)) value++;
  while (stop > value && is_blank(stop[-1])) stop--;
  if (value < stop && *value == '#') stop = value;
  field->column = s->column;
  field->value = value;
  field->value_end = stop;
  field->line_start = s->line_start;
  field->line = s->line;
}

sinew_result scan_field_next(scan *s, size_t column, scan_field *field, bool *found) {
  *found = false;
  if (s->ended) return SINEW_OK;
  if (*s->content == '\t')
    return scan_fail(s, SINEW_ERROR_SYNTAX, s->content, "a tab in the indentation, expected spaces");
  if (s->column < column) return SINEW_OK;
  if (s->column > column)
    return scan_fail(s, SINEW_ERROR_SYNTAX, s->content, "a line indented by %zu, expected %zu at most",
                     s->column, column);
  if (is_dash(s)) return scan_fail(s, SINEW_ERROR_SYNTAX, s->content, "a list item, expected 'key: value'");
  const char *colon = find_key_end(s, field);
  if (!colon) return no_key(s);
  take_value(s, colon + 1, field);
  *found = true;
  return SINEW_OK;
}

void scan_skip(scan *s, const scan_field *field) {
  size_t column = field->column;
  bool may_be_list = field->value == field->value_end;
  do {
    pass_deeper_lines(s, column);
    scan_advance(s);
  } while (!s->ended && (s->column > column || (may_be_list && s->column == column && is_dash(s))));
}

/* `[]` or `{}`, blanks and a comment allowed */
static bool is_empty_flow(const scan_field *field) {
  const char *p = field->value, *stop = field->value_end;
  if (p == stop || (*p != '[' && *p != '{')) return false;
  char close = *p == '[' ? ']' : '}';
  for (p++; p < stop && is_blank(*p); p++) {
  }
  if (p == stop || *p != close) return false;
  const char *after = p + 1;
  for (p++; p < stop && is_blank(*p); p++) {
  }
  return p == stop || (*p == '#' && p > after);
}

sinew_result scan_enter(scan *s, const scan_field *field, scan_block *block) {
  *block = (scan_block){SCAN_EMPTY, 0};
  bool nothing = field->value == field->value_end;
  if (!nothing && !is_empty_flow(field))
    return scan_fail_value(s, SINEW_ERROR_SYNTAX, field,
                           "%.*s is '%s', expected its contents on the lines below",
                           (int)(field->name_length < 60 ? field->name_length : 60), field->name,
                           scan_show(field->value, (size_t)(field->value_end - field->value)).text);
  scan_advance(s);
  if (s->ended || !nothing) return SINEW_OK;
  if (s->column > field->column || (s->column == field->column && is_dash(s)))
    *block = (scan_block){is_dash(s) ? SCAN_LIST : SCAN_MAP, s->column};
  return SINEW_OK;
}

bool scan_item(scan *s, size_t column) {
  if (s->ended || s->column != column || !is_dash(s)) return false;
  const char *p = s->content + 1;
  while (p < s->line_end && *p == ' ') p++;
  if (p == s->line_end || *p == '#') {
    scan_advance(s);
    return true;
  }
  s->column += (size_t)(p - s->content);
  s->content = p;
  return true;
}

scan_field scan_item_scalar(const scan *s, const scan_field *list) {
  scan_field field = {.name = list->name, .name_length = list->name_length};
  take_value(s, s->content, &field);
  return field;
}
