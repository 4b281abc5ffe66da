#include "read/muscle_csv.h"
#include "base/checked.h"
#include "base/error.h"
#include "read/bvh_number.h"
#include "read/csv_times.h"
#include "read/file_stem.h"
#include "read/row_clip.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double assumed_hz = 30, least_hz = 1e-6, most_hz = 1e6, most_time_s = 1e12;
#define MOST_FRAME INT64_C(9007199254740992)

enum {
  COLUMN_FRAME = -2, /* others are channels */
  COLUMN_TIME = -3,
  MOST_COLUMNS = SINEW_PLANE_COUNT + 2, /* each stands once */
  NAME_BYTES = 64,                      /* longer than any name that is known */
  SHOWN_BYTES = 64
};

typedef struct csv_reading {
  const read_source *source;
  const char *at;
  const char *end;
  const char *line_start;
  uint64_t line;
  sinew_error *error;
  int column[MOST_COLUMNS];
  uint32_t column_count;
  uint32_t value_count; /* columns that are channels */
  /* [row_capacity] of the rows so far */
  float *values; /* [row][value] */
  double *time_s;
  uint64_t row_capacity;
  uint64_t row_count;
  int64_t frame; /* of the row before */
  unsigned decimals;
} csv_reading;

#define FAIL(r, code, place, ...)                                                                            \
  error_set_at((r)->error, code, (uint64_t)((place) - (r)->source->bytes), (uint32_t)(r)->line,              \
               (uint32_t)((place) - (r)->line_start) + 1, __VA_ARGS__)

/* ---- lines and fields --------------------------------------------------------------------------------- */

static inline void skip_blanks(csv_reading *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t')) r->at++;
}

static inline bool ends_line(const csv_reading *r) {
  if (r->at == r->end || *r->at == '\n') return true;
  return *r->at == '\r' && (r->at + 1 == r->end || r->at[1] == '\n');
}

static void next_line(csv_reading *r) {
  if (r->at < r->end && *r->at == '\r') r->at++;
  if (r->at < r->end) r->at++;
  r->line_start = r->at;
  r->line++;
}

/* The field at p for a message. */
static const char *show_field(const csv_reading *r, const char *p, char shown[SHOWN_BYTES]) {
  const char *end = p;
  while (end < r->end && *end != ',' && *end != '\n' && *end != '\r') end++;
  return error_printable(p, (size_t)(end - p), shown, SHOWN_BYTES);
}

static const char *name_of_column(int column) {
  return column == COLUMN_FRAME ? "frame" : column == COLUMN_TIME ? "time" : clip_channel_name(column);
}

/* ---- the head ----------------------------------------------------------------------------------------- */

/* A field's text without quotes and the blanks around it; one of more than NAME_BYTES is cut there. False
 * where a quote is not closed on the line. */
static bool take_name(csv_reading *r, char name[NAME_BYTES], size_t *length) {
  size_t count = 0;
  skip_blanks(r);
  const bool quoted = r->at < r->end && *r->at == '"';
  r->at += quoted;
  for (; !ends_line(r) && (quoted || *r->at != ','); r->at++) {
    if (quoted && *r->at == '"') {
      if (r->at + 1 == r->end || r->at[1] != '"') break;
      r->at++;
    }
    if (count < NAME_BYTES) name[count++] = *r->at;
  }
  if (quoted && (r->at == r->end || *r->at != '"')) return false;
  r->at += quoted;
  skip_blanks(r);
  while (!quoted && count > 0 && (name[count - 1] == ' ' || name[count - 1] == '\t')) count--;
  *length = count;
  return true;
}

static int find_column(const char *name, size_t length) {
  if (length == 5 && memcmp(name, "frame", 5) == 0) return COLUMN_FRAME;
  if (length == 4 && memcmp(name, "time", 4) == 0) return COLUMN_TIME;
  const int channel = clip_channel_find(name, length);
  return channel >= 0 && clip_plane_of_channel(channel) >= 0 ? channel : CLIP_CHANNEL_FOREIGN;
}

static sinew_result add_column(csv_reading *r) {
  char name[NAME_BYTES], shown[SHOWN_BYTES];
  size_t length;
  const char *begin = r->at;
  if (!take_name(r, name, &length))
    return FAIL(r, SINEW_ERROR_SYNTAX, begin, "a quoted name that does not end on its line");
  const int column = find_column(name, length);
  error_printable(name, length, shown, sizeof shown);
  if (column == CLIP_CHANNEL_FOREIGN)
    return FAIL(r, SINEW_ERROR_SYNTAX, begin,
                "column %u is '%s', expected frame, time or a root, muscle or goal channel",
                r->column_count + 1, shown);
  for (uint32_t i = 0; i < r->column_count; i++)
    if (r->column[i] == column)
      return FAIL(r, SINEW_ERROR_SYNTAX, begin, "column %u is '%s', as column %u is already",
                  r->column_count + 1, shown, i + 1);
  if (!ends_line(r) && *r->at != ',')
    return FAIL(r, SINEW_ERROR_SYNTAX, r->at, "column %u: something stands behind '%s', expected a comma",
                r->column_count + 1, shown);
  r->column[r->column_count++] = column;
  r->value_count += column >= 0;
  return SINEW_OK;
}

static sinew_result read_head(csv_reading *r) {
  if (r->at == r->end)
    return FAIL(r, SINEW_ERROR_SYNTAX, r->at, "the file is empty, expected names of columns");
  for (;;) {
    SINEW_TRY(add_column(r));
    if (ends_line(r)) break;
    r->at++;
  }
  if (r->value_count == 0)
    return FAIL(r, SINEW_ERROR_SYNTAX, r->line_start, "no column is a root, muscle or goal channel");
  if (r->value_count > r->source->limits.curves)
    return FAIL(r, SINEW_ERROR_LIMIT, r->line_start, "%u columns of channels, the limit is %u",
                r->value_count, r->source->limits.curves);
  next_line(r);
  return SINEW_OK;
}

/* ---- rows --------------------------------------------------------------------------------------------- */

/* No more rows than lines, nor than fields of a byte and their commas fill. */
static uint64_t most_rows(const csv_reading *r) {
  const size_t left = (size_t)(r->end - r->at);
  const uint64_t most = left / (2 * (size_t)r->column_count) + 1;
  uint64_t lines = 1;
  const char *p = r->at;
  while (lines < most && (p = memchr(p, '\n', (size_t)(r->end - p)))) {
    p++;
    lines++;
  }
  return lines;
}

static sinew_result make_room(csv_reading *r) {
  const uint64_t limit = r->source->limits.memory_bytes;
  size_t values, times, all;
  r->row_capacity = most_rows(r);
  if (!checked_mul((size_t)r->row_capacity, r->value_count * sizeof(float), &values) ||
      !checked_mul((size_t)r->row_capacity, sizeof(double), &times) || !checked_add(values, times, &all) ||
      all > limit)
    return error_set(r->error, SINEW_ERROR_MEMORY,
                     "%llu rows of %u values are larger than the limit of %llu bytes",
                     (unsigned long long)r->row_capacity, r->value_count, (unsigned long long)limit);
  r->values = heap_alloc_unset(values);
  r->time_s = heap_alloc_unset(times);
  if (r->values && r->time_s) return SINEW_OK;
  return error_set(r->error, SINEW_ERROR_MEMORY, "out of memory for %llu rows of %u values",
                   (unsigned long long)r->row_capacity, r->value_count);
}

static sinew_result no_number(const csv_reading *r, int column, const char *begin, const char *wanted) {
  char shown[SHOWN_BYTES];
  show_field(r, begin, shown);
  if (shown[0] == 0)
    return FAIL(r, SINEW_ERROR_SYNTAX, begin, "%s: nothing stands here, expected %s", name_of_column(column),
                wanted);
  return FAIL(r, SINEW_ERROR_SYNTAX, begin, "%s: found '%s', expected %s", name_of_column(column), shown,
              wanted);
}

/* Frames count up from any number. */
static sinew_result take_frame(csv_reading *r, const char *begin) {
  int64_t frame;
  const size_t used = number_parse_int(r->at, (size_t)(r->end - r->at), &frame);
  if (!used || frame < -MOST_FRAME || frame > MOST_FRAME)
    return no_number(r, COLUMN_FRAME, begin, "a whole number");
  if (r->row_count > 0 && frame != r->frame + 1)
    return FAIL(r, SINEW_ERROR_SYNTAX, begin, "frame %lld follows frame %lld, expected %lld",
                (long long)frame, (long long)r->frame, (long long)r->frame + 1);
  r->frame = frame;
  r->at += used;
  return SINEW_OK;
}

static unsigned count_decimals(const char *text, size_t length) {
  const char *point = memchr(text, '.', length);
  if (!point) return 0;
  unsigned count = 0;
  for (const char *p = point + 1; p < text + length && *p >= '0' && *p <= '9'; p++) count++;
  return count;
}

static sinew_result take_time(csv_reading *r, const char *begin) {
  double *time_s = &r->time_s[r->row_count];
  const size_t used = number_parse_double(r->at, (size_t)(r->end - r->at), time_s);
  if (!used || !(fabs(*time_s) <= most_time_s))
    return no_number(r, COLUMN_TIME, begin, "seconds, within +-1e12");
  if (r->row_count > 0 && !(*time_s > time_s[-1]))
    return FAIL(r, SINEW_ERROR_SYNTAX, begin, "time %.9g follows %.9g, expected a later one", *time_s,
                time_s[-1]);
  const unsigned decimals = count_decimals(r->at, used);
  if (decimals > r->decimals) r->decimals = decimals;
  r->at += used;
  return SINEW_OK;
}

static inline sinew_result take_value(csv_reading *r, int column, const char *begin, float *value) {
  const char *behind = r->at < r->end ? bvh_number(r->at, r->end, value) : NULL;
  if (!behind || !isfinite(*value)) return no_number(r, column, begin, "a number that float32 holds");
  r->at = behind;
  return SINEW_OK;
}

static inline sinew_result take_field(csv_reading *r, int column, float **value) {
  skip_blanks(r);
  const char *begin = r->at;
  const bool quoted = r->at < r->end && *r->at == '"';
  r->at += quoted;
  if (column >= 0)
    SINEW_TRY(take_value(r, column, begin, (*value)++));
  else
    SINEW_TRY(column == COLUMN_FRAME ? take_frame(r, begin) : take_time(r, begin));
  if (quoted && (r->at == r->end || *r->at++ != '"'))
    return no_number(r, column, begin, "a number in quotes");
  skip_blanks(r);
  if (!ends_line(r) && *r->at != ',')
    return no_number(r, column, begin, column == COLUMN_FRAME ? "a whole number" : "a number");
  return SINEW_OK;
}

static sinew_result read_row(csv_reading *r) {
  if (r->row_count == r->row_capacity || (r->row_count + 1) * r->value_count > r->source->limits.keys)
    return FAIL(r, SINEW_ERROR_LIMIT, r->line_start,
                "more than %llu rows of %u values, the limit is %llu values",
                (unsigned long long)r->row_count, r->value_count, (unsigned long long)r->source->limits.keys);
  float *value = r->values + r->row_count * r->value_count;
  for (uint32_t i = 0; i < r->column_count; i++) {
    SINEW_TRY(take_field(r, r->column[i], &value));
    if (ends_line(r) != (i + 1 == r->column_count))
      return FAIL(r, SINEW_ERROR_SYNTAX, r->at, "the row has %s than the %u fields of the head",
                  ends_line(r) ? "fewer" : "more", r->column_count);
    if (!ends_line(r)) r->at++;
  }
  r->row_count++;
  return SINEW_OK;
}

/* A blank line ends the rows. */
static sinew_result read_rows(csv_reading *r) {
  while (r->at < r->end) {
    skip_blanks(r);
    if (ends_line(r)) break;
    SINEW_TRY(read_row(r));
    next_line(r);
  }
  const uint64_t blank_line = r->line;
  while (r->at < r->end) {
    skip_blanks(r);
    if (!ends_line(r))
      return FAIL(r, SINEW_ERROR_SYNTAX, r->at, "a row behind line %llu, which is blank",
                  (unsigned long long)blank_line);
    next_line(r);
  }
  if (r->row_count == 0) return FAIL(r, SINEW_ERROR_SYNTAX, r->at, "the file ends here, expected a row");
  return SINEW_OK;
}

/* ---- the clip ----------------------------------------------------------------------------------------- */

static bool has_times(const csv_reading *r) {
  for (uint32_t i = 0; i < r->column_count; i++)
    if (r->column[i] == COLUMN_TIME) return true;
  return false;
}

static sinew_result find_rate(csv_reading *r, csv_rate *found) {
  *found = (csv_rate){.rate_hz = assumed_hz, .last_s = (double)(r->row_count - 1) / assumed_hz};
  if (r->row_count == 1 || !has_times(r)) return SINEW_OK;
  const csv_times times = {r->time_s, r->row_count, r->decimals};
  const bool one_rate = csv_times_rate(&times, found);
  const uint64_t line = one_rate ? 2 : found->odd_row + 2;
  if (!one_rate)
    return error_set_at(r->error, SINEW_ERROR_SYNTAX, 0, (uint32_t)line, 0,
                        "time %.9g, expected %.9g: the rows come at no one rate", r->time_s[found->odd_row],
                        found->expected_s);
  if (!(found->rate_hz >= least_hz && found->rate_hz <= most_hz))
    return error_set_at(r->error, SINEW_ERROR_SYNTAX, 0, (uint32_t)line, 0,
                        "the rows come at %.9g a second, expected %g to %g", found->rate_hz, least_hz,
                        most_hz);
  return SINEW_OK;
}

static void warn(const csv_reading *r, sinew_clip *clip) {
  static const char *const unknown_rate[] = {"no times of rows: 30 rows a second are taken"};
  if (has_times(r)) return;
  clip->warnings = unknown_rate;
  clip->warning_count = 1;
}

static sinew_result make_clip(csv_reading *r, const char *label, sinew_clip_file *file) {
  csv_rate rate;
  SINEW_TRY(find_rate(r, &rate));
  const char *columns[MOST_COLUMNS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < r->column_count; i++)
    if (r->column[i] >= 0) columns[count++] = clip_channel_name(r->column[i]);
  const char *name = file_stem(label, &file->memory);
  if (!name) return error_set(r->error, SINEW_ERROR_MEMORY, "out of memory for the clip's name");
  const sinew_row_clip rows = {.name = name,
                               .rate_hz = rate.rate_hz,
                               .frame_count = r->row_count,
                               .values = r->values,
                               .column_count = count,
                               .columns = columns};
  SINEW_TRY(row_clip_fill(&rows, &r->source->limits, file, r->error));
  sinew_clip *clip = file->clips;
  clip->rows->copy = r->values;
  r->values = NULL;
  clip->rows->last_s = clip->stop_s = clip->settings.stop_time_s = rate.last_s;
  warn(r, clip);
  return SINEW_OK;
}

static sinew_result read_all(csv_reading *r, const char *label, sinew_clip_file *file) {
  SINEW_TRY(read_head(r));
  SINEW_TRY(make_room(r));
  SINEW_TRY(read_rows(r));
  return make_clip(r, label, file);
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static csv_reading reading_of(const read_source *source, sinew_error *error) {
  const char *begin = source->bytes, *end = begin + source->byte_count;
  if (source->byte_count >= 3 && memcmp(begin, "\xef\xbb\xbf", 3) == 0) begin += 3;
  return (csv_reading){
      .source = source, .at = begin, .end = end, .line_start = begin, .line = 1, .error = error};
}

sinew_result read_muscle_csv(const read_source *source, const char *label, sinew_clip_file *file,
                             sinew_error *error) {
  csv_reading r = reading_of(source, error);
  const sinew_result result = read_all(&r, label, file);
  heap_free(r.values);
  heap_free(r.time_s);
  return result;
}

bool is_muscle_csv(const char *bytes, size_t byte_count) {
  const read_source source = {.bytes = bytes, .byte_count = byte_count};
  csv_reading r = reading_of(&source, NULL);
  for (bool first = true; r.at < r.end && !ends_line(&r); first = false) {
    char name[NAME_BYTES];
    size_t length;
    if (!take_name(&r, name, &length)) return false;
    const int column = find_column(name, length);
    if (column >= 0 || (first && column != CLIP_CHANNEL_FOREIGN && r.at < r.end && *r.at == ',')) return true;
    if (r.at == r.end || *r.at != ',') return false;
    r.at++;
  }
  return false;
}
