/* BVH: a file's two sections, its words and its messages. */
#include "read/bvh.h"
#include "base/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- words -------------------------------------------------------------------------------------------- */

void bvh_skip_space(bvh_reading *r) {
  while (r->at < r->end && bvh_is_space(*r->at)) r->at++;
}

void bvh_skip_blanks(bvh_reading *r) {
  while (r->at < r->end && bvh_is_blank(*r->at)) r->at++;
}

static bool is_brace(char c) {
  return c == '{' || c == '}';
}

bvh_word bvh_peek(bvh_reading *r) {
  bvh_skip_space(r);
  const char *p = r->at;
  if (p < r->end && is_brace(*p)) return (bvh_word){p, 1};
  while (p < r->end && !bvh_is_space(*p) && !is_brace(*p)) p++;
  return (bvh_word){r->at, (size_t)(p - r->at)};
}

void bvh_take(bvh_reading *r, bvh_word word) {
  r->at = word.text + word.length;
}

bool bvh_word_is(bvh_word word, const char *text) {
  return word.length == strlen(text) && strncasecmp(word.text, text, word.length) == 0;
}

/* ---- messages ----------------------------------------------------------------------------------------- */

typedef struct place {
  uint32_t line, column;
} place;

static place place_of(const bvh_reading *r, const char *at) {
  uint64_t line = 1;
  const char *line_start = r->start;
  for (const char *p = r->start; p < at; p++) {
    if (!bvh_is_line_end(*p)) continue;
    if (*p == '\r' && p + 1 < r->end && p[1] == '\n') {
      if (p + 1 == at) break; /* between the two: still this line */
      p++;
    }
    line++;
    line_start = p + 1;
  }
  const uint64_t column = (uint64_t)(at - line_start) + 1;
  return (place){line <= UINT32_MAX ? (uint32_t)line : 0, column <= UINT32_MAX ? (uint32_t)column : 0};
}

uint32_t bvh_line_of(const bvh_reading *r, const char *at) {
  return place_of(r, at).line;
}

sinew_result bvh_fail(const bvh_reading *r, sinew_result code, const char *at, const char *format, ...) {
  char message[sizeof r->error->message];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  const place here = place_of(r, at);
  return error_set_at(r->error, code, (uint64_t)(at - r->start), here.line, here.column, "%s", message);
}

bvh_shown bvh_show(const char *text, size_t length) {
  bvh_shown shown;
  if (length > 60) {
    error_printable(text, 57, shown.text, sizeof shown.text);
    strcat(shown.text, "...");
  } else {
    error_printable(text, length, shown.text, sizeof shown.text);
  }
  return shown;
}

sinew_result bvh_unexpected(const bvh_reading *r, bvh_word found, const char *expected) {
  if (found.length == 0)
    return bvh_fail(r, SINEW_ERROR_SYNTAX, r->end, "the file ends here, expected %s", expected);
  return bvh_fail(r, SINEW_ERROR_SYNTAX, found.text, "found '%s', expected %s",
                  bvh_show(found.text, found.length).text, expected);
}

sinew_result bvh_out_of_memory(const bvh_reading *r) {
  return error_set(r->error, SINEW_ERROR_MEMORY, "out of memory, or past the limit of %llu bytes",
                   (unsigned long long)r->limits->memory_bytes);
}

/* ---- numbers ------------------------------------------------------------------------------------------ */

sinew_result bvh_take_number(bvh_reading *r, const char *what, double limit, double *value) {
  bvh_skip_blanks(r);
  bvh_word word = {r->at, 0};
  if (r->at < r->end && !bvh_is_line_end(*r->at)) word = bvh_peek(r);
  if (word.length == 0)
    return bvh_fail(r, SINEW_ERROR_SYNTAX, r->at, "%s: the %s ends here, expected a number", what,
                    r->at == r->end ? "file" : "line");
  const size_t used = number_parse_double(word.text, word.length, value);
  const bool fused = used > 0 && used < word.length && (word.text[used] == '-' || word.text[used] == '+');
  if (used != word.length && !fused) {
    const bool comma = used > 0 && word.text[used] == ',';
    return bvh_fail(r, SINEW_ERROR_SYNTAX, word.text, "%s: found '%s', expected a number%s", what,
                    bvh_show(word.text, word.length).text, comma ? " with a decimal point" : "");
  }
  if (!(fabs(*value) <= limit)) {
    char most[40];
    most[number_print_double(most, limit)] = 0;
    return bvh_fail(r, SINEW_ERROR_SYNTAX, word.text, "%s: found '%s', expected a number within -%s..%s",
                    what, bvh_show(word.text, word.length).text, most, most);
  }
  r->at = word.text + used;
  return SINEW_OK;
}

/* ---- the file ----------------------------------------------------------------------------------------- */

static bool begins(const char *p, const char *end, const char *text, size_t length) {
  return (size_t)(end - p) >= length && memcmp(p, text, length) == 0;
}

static const char *behind_mark(const read_source *source) {
  const char *p = source->bytes;
  return begins(p, p + source->byte_count, "\xef\xbb\xbf", 3) ? p + 3 : p;
}

bool is_bvh(const read_source *source) {
  bvh_reading r = {.at = behind_mark(source), .end = source->bytes + source->byte_count};
  return bvh_word_is(bvh_peek(&r), "HIERARCHY");
}

static sinew_result check_text(const bvh_reading *r) {
  if (r->start == r->end)
    return bvh_fail(r, SINEW_ERROR_SYNTAX, r->start, "the file is empty, expected HIERARCHY");
  if (begins(r->start, r->end, "\xff\xfe", 2) || begins(r->start, r->end, "\xfe\xff", 2))
    return bvh_fail(r, SINEW_ERROR_UNSUPPORTED, r->start, "the text is UTF-16, expected UTF-8");
  return SINEW_OK;
}

/* What the skeleton left of the limit is the rows'. */
static void limit_rows(bvh_reading *r) {
  const uint64_t used = r->skeleton->memory.byte_count, all = r->limits->memory_bytes;
  r->file->memory.byte_limit = all > used ? all - used : 1;
}

sinew_result read_bvh(const read_source *source, motion_file *file, sinew_error *error) {
  sinew_error unheard;
  bvh_reading r = {.start = source->bytes,
                   .at = behind_mark(source),
                   .end = source->bytes + source->byte_count,
                   .limits = &source->limits,
                   .file = file,
                   .error = error ? error : &unheard};
  SINEW_TRY(check_text(&r));
  file->skeleton = r.skeleton = skeleton_new(source->limits.memory_bytes);
  if (!r.skeleton) return bvh_out_of_memory(&r);
  r.skeleton->kind = "bvh";
  SINEW_TRY(bvh_read_hierarchy(&r));
  file->channels = r.channels;
  file->channel_count = r.channel_count;
  limit_rows(&r);
  const bvh_word word = bvh_peek(&r);
  if (word.length == 0) return SINEW_OK;
  bvh_take(&r, word);
  return bvh_read_motion(&r);
}
