/* A clip of rows that a caller holds in memory: what it says of them is checked here. */
#include "base/checked.h"
#include "base/error.h"
#include "base/utf8.h"
#include "read/row_clip.h"

#include <string.h>

static const double rate_least_hz = 1e-6, rate_most_hz = 1e6; /* the upper one is a bake's own */

enum { DEFAULT_MUSCLES = 95, DEFAULT_ROOT = 102, DEFAULT_GOALS = 130 };

/* ---- sizes -------------------------------------------------------------------------------------------- */

static sinew_result check_name(const char *name, uint32_t name_bytes, sinew_error *error) {
  const size_t length = name ? strlen(name) : 0;
  SINEW_CHECK(length <= name_bytes, error, SINEW_ERROR_LIMIT, "the name has %zu bytes, the limit is %u",
              length, name_bytes);
  for (size_t i = 0; i < length;) {
    const size_t step = utf8_sequence((const unsigned char *)name + i, length - i);
    SINEW_CHECK(step, error, SINEW_ERROR_ARGUMENT, "byte 0x%02x in the name is no UTF-8",
                (unsigned)(unsigned char)name[i]);
    i += step;
  }
  return SINEW_OK;
}

static size_t stride_of(const sinew_row_clip *clip) {
  return clip->stride && clip->frame_count > 1 ? clip->stride : clip->column_count;
}

/* Floats from the first to the last of all rows; false where no memory has so many bytes. */
static bool float_count(const sinew_row_clip *clip, size_t *count) {
  size_t bytes;
  return checked_mul((size_t)(clip->frame_count - 1), stride_of(clip), count) &&
         checked_add(*count, clip->column_count, count) && checked_mul(*count, sizeof(float), &bytes) &&
         bytes <= PTRDIFF_MAX;
}

static sinew_result check_sizes(const sinew_row_clip *clip, const sinew_read_options *limits,
                                sinew_error *error) {
  SINEW_CHECK(clip->values, error, SINEW_ERROR_ARGUMENT, "values is NULL");
  SINEW_CHECK((uintptr_t)clip->values % _Alignof(float) == 0, error, SINEW_ERROR_ARGUMENT,
              "values is not aligned to %zu bytes", _Alignof(float));
  SINEW_CHECK(clip->rate_hz >= rate_least_hz && clip->rate_hz <= rate_most_hz, error, SINEW_ERROR_ARGUMENT,
              "the rate is %g rows per second, expected %g to %g", clip->rate_hz, rate_least_hz,
              rate_most_hz);
  SINEW_CHECK(clip->frame_count >= 1 && clip->frame_count <= ROWS_MOST_FRAMES, error, SINEW_ERROR_ARGUMENT,
              "there are %llu frames, expected 1 to %llu", (unsigned long long)clip->frame_count,
              (unsigned long long)ROWS_MOST_FRAMES);
  SINEW_CHECK(clip->column_count >= 1, error, SINEW_ERROR_ARGUMENT, "there are no columns");
  SINEW_CHECK(clip->column_count <= limits->curves, error, SINEW_ERROR_LIMIT,
              "there are %u columns, the limit is %u", clip->column_count, limits->curves);
  SINEW_CHECK(clip->stride == 0 || clip->stride >= clip->column_count, error, SINEW_ERROR_ARGUMENT,
              "the stride is %zu floats, less than the %u columns", clip->stride, clip->column_count);
  size_t floats;
  SINEW_CHECK(float_count(clip, &floats), error, SINEW_ERROR_ARGUMENT,
              "%llu rows of %zu floats are more than memory can hold", (unsigned long long)clip->frame_count,
              stride_of(clip));
  return SINEW_OK;
}

/* ---- columns ------------------------------------------------------------------------------------------ */

/* The order of rows without names. */
static int default_channel(uint32_t column, uint32_t column_count) {
  if (column_count == DEFAULT_MUSCLES) return CLIP_CHANNEL_MUSCLE + (int)column;
  if (column < SINEW_ROOT_CHANNEL_COUNT) return CLIP_CHANNEL_ROOT + (int)column;
  if (column < DEFAULT_ROOT) return CLIP_CHANNEL_MUSCLE + (int)column - SINEW_ROOT_CHANNEL_COUNT;
  return CLIP_CHANNEL_GOAL + (int)column - DEFAULT_ROOT;
}

typedef struct column_list {
  int16_t *plane; /* [column_count], -1: not used */
  clip_curve curves[SINEW_PLANE_COUNT];
  uint32_t curve_count;
  bool seen[SINEW_PLANE_COUNT];
} column_list;

static sinew_result add_column(column_list *list, uint32_t column, int channel, const sinew_row_clip *clip,
                               sinew_error *error) {
  const int plane = clip_plane_of_channel(channel);
  char shown[80];
  const char *name = clip_channel_name(channel);
  if (!name)
    name = error_printable(clip->columns[column], strlen(clip->columns[column]), shown, sizeof shown);
  SINEW_CHECK(plane >= 0, error, SINEW_ERROR_ARGUMENT,
              "column %u is '%s', expected the name of a root, muscle or goal channel", column, name);
  SINEW_CHECK(!list->seen[plane], error, SINEW_ERROR_ARGUMENT,
              "column %u is '%s', as an earlier column is already", column, name);
  list->seen[plane] = true;
  list->plane[column] = (int16_t)plane;
  list->curves[list->curve_count++] = (clip_curve){
      .attribute = name,
      .channel = (int16_t)channel,
      .before_code = SINEW_OUTSIDE_CLAMP,
      .after_code = SINEW_OUTSIDE_CLAMP,
      .key_count = clip->frame_count,
  };
  return SINEW_OK;
}

static sinew_result list_columns(const sinew_row_clip *clip, column_list *list, sinew_error *error) {
  const uint32_t count = clip->column_count;
  SINEW_CHECK(clip->columns || count == DEFAULT_MUSCLES || count == DEFAULT_ROOT || count == DEFAULT_GOALS,
              error, SINEW_ERROR_ARGUMENT, "there are %u columns without names, expected %d, %d or %d", count,
              DEFAULT_MUSCLES, DEFAULT_ROOT, DEFAULT_GOALS);
  for (uint32_t column = 0; column < count; column++) {
    const char *name = clip->columns ? clip->columns[column] : NULL;
    list->plane[column] = -1;
    if (clip->columns && !name) continue;
    const int channel = name ? clip_channel_find(name, strlen(name)) : default_channel(column, count);
    SINEW_TRY(add_column(list, column, channel, clip, error));
  }
  SINEW_CHECK(list->curve_count, error, SINEW_ERROR_ARGUMENT, "none of the %u columns has a name", count);
  return SINEW_OK;
}

/* ---- the clip ----------------------------------------------------------------------------------------- */

/* A copy has no gaps between its rows. */
static sinew_result copy_values(const sinew_row_clip *clip, uint64_t memory_bytes, clip_rows *rows,
                                sinew_error *error) {
  const size_t row_bytes = clip->column_count * sizeof(float);
  size_t bytes;
  SINEW_CHECK(checked_mul((size_t)clip->frame_count, row_bytes, &bytes) && bytes <= memory_bytes, error,
              SINEW_ERROR_MEMORY, "a copy of %llu rows of %zu bytes is larger than the limit of %llu bytes",
              (unsigned long long)clip->frame_count, row_bytes, (unsigned long long)memory_bytes);
  rows->copy = heap_alloc_unset(bytes);
  SINEW_CHECK(rows->copy, error, SINEW_ERROR_MEMORY, "out of memory for a copy of %zu bytes", bytes);
  if (rows->stride == clip->column_count)
    memcpy(rows->copy, clip->values, bytes);
  else
    for (uint64_t f = 0; f < clip->frame_count; f++)
      memcpy(rows->copy + f * clip->column_count, clip->values + f * rows->stride, row_bytes);
  rows->values = rows->copy;
  rows->stride = clip->column_count;
  return SINEW_OK;
}

static sinew_result make_rows(const sinew_row_clip *clip, const column_list *list, uint64_t memory_bytes,
                              clip_rows **made, sinew_error *error) {
  clip_rows *rows = heap_alloc(1, sizeof *rows);
  SINEW_CHECK(rows, error, SINEW_ERROR_MEMORY, "out of memory");
  rows->values = clip->values;
  rows->stride = stride_of(clip);
  rows->frame_count = clip->frame_count;
  rows->rate_hz = clip->rate_hz;
  rows->last_s = (double)(clip->frame_count - 1) / clip->rate_hz;
  rows->owner_count = 1;
  clip_rows_arrange(rows, list->plane, clip->column_count);
  const sinew_result result = clip->copy ? copy_values(clip, memory_bytes, rows, error) : SINEW_OK;
  if (result != SINEW_OK) {
    clip_rows_release(rows);
    rows = NULL;
  }
  *made = rows;
  return result;
}

static sinew_result fill_file(const sinew_row_clip *rows, const column_list *list,
                              const sinew_read_options *limits, sinew_clip_file *file, sinew_error *error) {
  sinew_clip *clip = arena_alloc(&file->memory, 1, sizeof *clip);
  SINEW_CHECK(clip, error, SINEW_ERROR_MEMORY, "out of memory for the clip");
  file->clips = clip;
  file->clip_count = 1;
  clip->name = arena_text(&file->memory, rows->name ? rows->name : "", rows->name ? strlen(rows->name) : 0);
  clip->curves = arena_alloc(&file->memory, list->curve_count, sizeof *clip->curves);
  SINEW_CHECK(clip->name && clip->curves, error, SINEW_ERROR_MEMORY, "out of memory for the clip's curves");
  memcpy(clip->curves, list->curves, list->curve_count * sizeof *clip->curves);
  clip->curve_count = list->curve_count;
  clip->rate_hz = rows->rate_hz;
  clip->stop_s = (double)(rows->frame_count - 1) / rows->rate_hz;
  clip->settings.stop_time_s = clip->stop_s;
  SINEW_TRY(make_rows(rows, list, limits->memory_bytes, &clip->rows, error));
  clip_finish(clip);
  return SINEW_OK;
}

sinew_result row_clip_fill(const sinew_row_clip *rows, const sinew_read_options *limits,
                           sinew_clip_file *file, sinew_error *error) {
  column_list list = {.plane = heap_alloc(rows->column_count, sizeof *list.plane)};
  SINEW_CHECK(list.plane, error, SINEW_ERROR_MEMORY, "out of memory for %u columns", rows->column_count);
  sinew_result result = list_columns(rows, &list, error);
  if (result == SINEW_OK) result = fill_file(rows, &list, limits, file, error);
  heap_free(list.plane);
  return result;
}

sinew_result sinew_clip_from_rows(const sinew_row_clip *rows, const sinew_read_options *options,
                                  sinew_clip_file **file, sinew_error *error) {
  SINEW_CHECK(file, error, SINEW_ERROR_ARGUMENT, "file is NULL");
  *file = NULL;
  SINEW_CHECK(rows, error, SINEW_ERROR_ARGUMENT, "rows is NULL");
  const sinew_read_options limits = read_limits_complete(options);
  SINEW_TRY(heap_check_allocator(limits.allocator, error));
  HEAP_SCOPE(limits.allocator);
  SINEW_TRY(check_sizes(rows, &limits, error));
  SINEW_TRY(check_name(rows->name, limits.name_bytes, error));
  sinew_clip_file *made = heap_alloc(1, sizeof *made);
  SINEW_CHECK(made, error, SINEW_ERROR_MEMORY, "out of memory");
  made->memory.byte_limit = limits.memory_bytes;
  const sinew_result result = row_clip_fill(rows, &limits, made, error);
  if (result == SINEW_OK)
    *file = made;
  else
    sinew_clip_file_close(made);
  return result;
}
