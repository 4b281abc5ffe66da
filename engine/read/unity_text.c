/* Scalars that are texts: plain ones, which fold over lines, and quoted ones. */
#include "base/arena.h"
#include "base/error.h"
#include "base/utf8.h"
#include "read/unity_scan.h"

#include <string.h>

enum { SCRATCH_FIRST = 256 };

static inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/* ---- the text being put together --------------------------------------------------------------------------
 */

typedef struct builder {
  scan *s;
  size_t length;
  sinew_result result; /* the first failure; later pushes do nothing */
} builder;

static bool make_room(builder *b, size_t count) {
  scan *s = b->s;
  if (b->result != SINEW_OK) return false;
  if (count > s->text_limit || b->length > s->text_limit - count) {
    b->result = scan_fail(s, SINEW_ERROR_LIMIT, s->line_start, "a text of more than %u bytes, the limit",
                          s->text_limit);
    return false;
  }
  if (b->length + count <= s->scratch_size) return true;
  size_t size = s->scratch_size ? s->scratch_size : SCRATCH_FIRST;
  while (size < b->length + count) size *= 2;
  char *grown = heap_grow(s->scratch, s->scratch_size, size, 1);
  if (!grown) {
    b->result = error_set(s->error, SINEW_ERROR_MEMORY, "out of memory for a text of %zu bytes", size);
    return false;
  }
  s->scratch = grown;
  s->scratch_size = size;
  return true;
}

static void push(builder *b, const char *bytes, size_t count) {
  if (count == 0 || !make_room(b, count)) return;
  memcpy(b->s->scratch + b->length, bytes, count);
  b->length += count;
}

/* A line break between two pieces of text is a blank; each empty line after it is a line break. */
static void push_fold(builder *b, uint64_t empty_lines) {
  if (empty_lines == 0) push(b, " ", 1);
  for (uint64_t i = 0; i < empty_lines && b->result == SINEW_OK; i++) push(b, "\n", 1);
}

/* ---- plain ------------------------------------------------------------------------------------------------
 */

/* The end of a plain piece: trailing blanks and a comment (` #`) are no part of it. */
static const char *piece_end(const char *p, const char *line_end, bool *comment) {
  const char *stop = line_end;
  *comment = false;
  for (const char *hash = p; (hash = memchr(hash, '#', (size_t)(line_end - hash))); hash++) {
    if (hash == p || !is_blank(hash[-1])) continue;
    stop = hash;
    *comment = true;
    break;
  }
  while (stop > p && is_blank(stop[-1])) stop--;
  return stop;
}

static sinew_result check_piece(scan *s, const scan_field *field, const char *p, const char *stop,
                                bool first) {
  if (first && p < stop && strchr("&*!|>@`%[]{},", *p) && *p)
    return scan_fail_value(s, SINEW_ERROR_SYNTAX, field, "found '%s', expected a plain or quoted text",
                           scan_show(p, (size_t)(stop - p)).text);
  for (const char *colon = p; (colon = memchr(colon, ':', (size_t)(stop - colon))); colon++)
    if (colon + 1 == stop || is_blank(colon[1]))
      return scan_fail_value(s, SINEW_ERROR_SYNTAX, field, "found '%s', expected a text without a bare ': '",
                             scan_show(p, (size_t)(stop - p)).text);
  return SINEW_OK;
}

static sinew_result read_plain(scan *s, const scan_field *field, const char *value, const char *value_end,
                               const char **text, size_t *length) {
  bool comment;
  const char *stop = piece_end(value, value_end, &comment);
  SINEW_TRY(check_piece(s, field, value, stop, true));
  *text = value;
  *length = (size_t)(stop - value);
  uint64_t line = s->line;
  scan_advance(s);
  if (comment || s->ended || s->column <= field->column) return SINEW_OK;
  builder b = {.s = s};
  push(&b, value, *length);
  while (!comment && !s->ended && s->column > field->column && b.result == SINEW_OK) {
    push_fold(&b, s->line - line - 1);
    stop = piece_end(s->content, s->line_end, &comment);
    SINEW_TRY(check_piece(s, field, s->content, stop, false));
    push(&b, s->content, (size_t)(stop - s->content));
    line = s->line;
    scan_advance(s);
  }
  *text = s->scratch;
  *length = b.length;
  return b.result;
}

/* ---- quoted -----------------------------------------------------------------------------------------------
 */

static void push_code_point(builder *b, uint32_t c) {
  char bytes[4];
  size_t count;
  if (c < 0x80) {
    bytes[0] = (char)c;
    count = 1;
  } else if (c < 0x800) {
    bytes[0] = (char)(0xc0 | c >> 6);
    bytes[1] = (char)(0x80 | (c & 63));
    count = 2;
  } else if (c < 0x10000) {
    bytes[0] = (char)(0xe0 | c >> 12);
    bytes[1] = (char)(0x80 | (c >> 6 & 63));
    bytes[2] = (char)(0x80 | (c & 63));
    count = 3;
  } else {
    bytes[0] = (char)(0xf0 | c >> 18);
    bytes[1] = (char)(0x80 | (c >> 12 & 63));
    bytes[2] = (char)(0x80 | (c >> 6 & 63));
    bytes[3] = (char)(0x80 | (c & 63));
    count = 4;
  }
  push(b, bytes, count);
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* `count` hexadecimal digits at p, or UINT32_MAX. */
static uint32_t read_hex(const char *p, const char *stop, int count) {
  if (stop - p < count) return UINT32_MAX;
  uint32_t value = 0;
  for (int i = 0; i < count; i++) {
    int digit = hex_digit(p[i]);
    if (digit < 0) return UINT32_MAX;
    value = value << 4 | (uint32_t)digit;
  }
  return value;
}

static sinew_result bad_escape(scan *s, const char *at) {
  size_t left = (size_t)(s->line_end - at);
  return scan_fail(s, SINEW_ERROR_SYNTAX, at, "'%s' is no escape of a quoted text",
                   scan_show(at, left < 10 ? left : 10).text);
}

/* \x, \u and \U; a pair of \u surrogates is one character. `p` stands behind the letter. */
static sinew_result read_hex_escape(builder *b, const char **p, int count) {
  scan *s = b->s;
  const char *at = *p - 2;
  uint32_t c = read_hex(*p, s->line_end, count);
  if (c == UINT32_MAX) return bad_escape(s, at);
  *p += count;
  if (c >= 0xd800 && c < 0xdc00 && s->line_end - *p >= 6 && (*p)[0] == '\\' && (*p)[1] == 'u') {
    uint32_t low = read_hex(*p + 2, s->line_end, 4);
    if (low >= 0xdc00 && low < 0xe000) {
      c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
      *p += 6;
    }
  }
  if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return bad_escape(s, at);
  push_code_point(b, c);
  return SINEW_OK;
}

/* p stands on the backslash, and more of the line follows. */
static sinew_result read_escape(builder *b, const char **p) {
  static const char letters[] = "abtnvfre \"/\\0N_LP";
  static const uint32_t meaning[] = {7,   8,   9,    10, 11,   12,   13,     27,    ' ',
                                     '"', '/', '\\', 0,  0x85, 0xa0, 0x2028, 0x2029};
  const char *at = *p;
  char letter = at[1];
  *p += 2;
  if (letter == 'x') return read_hex_escape(b, p, 2);
  if (letter == 'u') return read_hex_escape(b, p, 4);
  if (letter == 'U') return read_hex_escape(b, p, 8);
  const char *known = letter ? strchr(letters, letter) : NULL;
  if (letter == '\t') known = letters + 2;
  if (!known) return bad_escape(b->s, at);
  push_code_point(b, meaning[known - letters]);
  return SINEW_OK;
}

/* The next line of a quoted text; a document mark or the end of the file there is an error. Counts empty
 * lines. */
static sinew_result next_quoted_line(scan *s, const scan_field *field, const char **p,
                                     uint64_t *empty_lines) {
  *empty_lines = 0;
  for (;;) {
    if (s->next >= s->end)
      return scan_fail_value(s, SINEW_ERROR_SYNTAX, field,
                             "the file is cut short: this quoted text has no end");
    scan_take_line(s);
    const char *at = s->line_start;
    if (scan_document_mark(at, s->line_end))
      return scan_fail_value(s, SINEW_ERROR_SYNTAX, field, "this quoted text has no end in its document");
    while (at < s->line_end && is_blank(*at)) at++;
    if (at < s->line_end) {
      *p = at;
      return SINEW_OK;
    }
    ++*empty_lines;
  }
}

/* Everything up to the closing quote. p stands behind the opening one. */
static sinew_result read_quoted_body(builder *b, const scan_field *field, char quote, const char **p) {
  scan *s = b->s;
  size_t kept = 0; /* blanks before a line break are dropped, but not those that an escape made */
  while (b->result == SINEW_OK) {
    const char *at = *p;
    if (at == s->line_end) {
      uint64_t empty_lines;
      while (b->length > kept && is_blank(s->scratch[b->length - 1])) b->length--;
      SINEW_TRY(next_quoted_line(s, field, p, &empty_lines));
      push_fold(b, empty_lines);
      kept = b->length;
    } else if (*at == quote) {
      if (quote == '"' || at + 1 == s->line_end || at[1] != quote) return SINEW_OK;
      push(b, "'", 1);
      *p += 2;
    } else if (*at == '\\' && quote == '"') {
      if (at + 1 == s->line_end) { /* an escaped line break joins without a blank */
        uint64_t empty_lines;
        SINEW_TRY(next_quoted_line(s, field, p, &empty_lines));
        for (uint64_t i = 0; i < empty_lines; i++) push(b, "\n", 1);
      } else {
        SINEW_TRY(read_escape(b, p));
      }
      kept = b->length;
    } else {
      push(b, at, 1);
      ++*p;
    }
  }
  return b->result;
}

/* The text where it stands, when it ends on its line and holds nothing to translate; NULL otherwise. */
static const char *plain_quoted_end(const scan *s, const char *p, char quote) {
  const char *close = memchr(p, quote, (size_t)(s->line_end - p));
  if (!close) return NULL;
  if (quote == '"') return memchr(p, '\\', (size_t)(close - p)) ? NULL : close;
  return close + 1 < s->line_end && close[1] == '\'' ? NULL : close;
}

static sinew_result read_quoted(scan *s, const scan_field *field, const char *open, const char **text,
                                size_t *length) {
  const char *p = open + 1, *close = plain_quoted_end(s, p, *open);
  if (close) {
    *text = p;
    *length = (size_t)(close - p);
  } else {
    builder b = {.s = s};
    SINEW_TRY(read_quoted_body(&b, field, *open, &p));
    *text = b.length ? s->scratch : open;
    *length = b.length;
    close = p;
  }
  const char *rest = close + 1;
  while (rest < s->line_end && is_blank(*rest)) rest++;
  if (rest < s->line_end && (*rest != '#' || rest == close + 1))
    return scan_fail(s, SINEW_ERROR_SYNTAX, rest, "found '%s' behind a quoted text, expected the line's end",
                     scan_show(rest, (size_t)(s->line_end - rest)).text);
  scan_advance(s);
  return SINEW_OK;
}

/* ---- both -------------------------------------------------------------------------------------------------
 */

static sinew_result check_text(scan *s, const scan_field *field, const char *text, size_t length) {
  if (length > s->text_limit)
    return scan_fail_value(s, SINEW_ERROR_LIMIT, field, "a text of %zu bytes, the limit is %u", length,
                           s->text_limit);
  const unsigned char *p = (const unsigned char *)text;
  for (size_t i = 0; i < length;) {
    size_t step = utf8_sequence(p + i, length - i);
    if (step == 0)
      return scan_fail_value(s, SINEW_ERROR_SYNTAX, field, "byte 0x%02x in '%s' is no UTF-8", p[i],
                             scan_show(text, length).text);
    if (p[i] == 0)
      return scan_fail_value(s, SINEW_ERROR_SYNTAX, field, "a zero byte in '%s', expected a text",
                             scan_show(text, length).text);
    i += step;
  }
  return SINEW_OK;
}

sinew_result scan_text(scan *s, const scan_field *field, const char **text, size_t *length) {
  const char *value = field->value, *value_end = field->value_end;
  if (value == value_end) { /* it may begin on the next line */
    scan_advance(s);
    if (s->ended || s->column <= field->column) {
      *text = field->value;
      *length = 0;
      return SINEW_OK;
    }
    value = s->content;
    value_end = s->line_end;
  }
  bool quoted = *value == '"' || *value == '\'';
  SINEW_TRY(quoted ? read_quoted(s, field, value, text, length)
                   : read_plain(s, field, value, value_end, text, length));
  return check_text(s, field, *text, *length);
}
