/* CSV of muscles: what is written is read back bit for bit, with its rate and length; the forms that others
 * write. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clip/clip.h"
#include "clip/frame_times.h"
#include "write/csv_text.h"

enum { CHANNELS = CLIP_CHANNEL_TDOF - CLIP_CHANNEL_ROOT, MOST_FRAMES = 300 };

static float values[CHANNELS][MOST_FRAMES];

static void fill_values(void) {
  uint32_t state = 1;
  for (int c = 0; c < CHANNELS; c++)
    for (int f = 0; f < MOST_FRAMES; f++) {
      state = state * 1664525 + 1013904223;
      values[c][f] = (float)(sin(f * 0.1 + c) * 0.9) + (float)(state >> 8) * 0x1p-40F;
      if (f % 50 == 7) values[c][f] = c % 3 ? -0.0F : ldexpf((float)(c + 1), -120);
    }
}

static text_out write_rows(const csv_facts *facts, uint64_t piece) {
  const char *names[CHANNELS];
  for (int c = 0; c < CHANNELS; c++) names[c] = clip_channel_name(CLIP_CHANNEL_ROOT + c);
  text_out out = {0};
  csv_text_head(&out, names, CHANNELS);
  for (uint64_t first = 0; first < facts->frame_count; first += piece) {
    const float *columns[CHANNELS];
    for (int c = 0; c < CHANNELS; c++) columns[c] = values[c] + first;
    const uint64_t left = facts->frame_count - first;
    csv_text_rows(&out, facts, first, (uint32_t)(left < piece ? left : piece), columns, CHANNELS);
  }
  cr_assert(!out.failed);
  return out;
}

static sinew_result open_bytes(const char *bytes, size_t byte_count, const sinew_read_options *options,
                               sinew_clip_file **file, sinew_error *error) {
  return sinew_clip_file_open_memory(bytes, byte_count, "folder/walk.csv", options, file, error);
}

static sinew_clip_file *open_text(const char *text) {
  sinew_clip_file *file;
  sinew_error error = {0};
  cr_assert_eq(open_bytes(text, strlen(text), NULL, &file, &error), SINEW_OK, "line %u: %s", error.line,
               error.message);
  return file;
}

/* ---- there and back ----------------------------------------------------------------------------------- */

static void check_there_and_back(const csv_facts *facts) {
  text_out out = write_rows(facts, 64);
  sinew_clip_file *file;
  sinew_error error = {0};
  cr_assert_eq(open_bytes(out.bytes, out.byte_count, NULL, &file, &error), SINEW_OK, "%g Hz: line %u: %s",
               facts->rate_hz, error.line, error.message);
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  cr_assert_str_eq(clip->name, "walk");
  cr_assert_eq(clip->curve_count, CHANNELS);
  cr_assert_eq(clip->rows->frame_count, facts->frame_count);
  if (facts->frame_count > 2)
    cr_assert_eq(clip->rate_hz, facts->rate_hz, "%.17g became %.17g", facts->rate_hz, clip->rate_hz);
  if (facts->frame_count > 1) cr_assert_eq(clip->stop_s, facts->length_s);
  cr_assert_eq(sinew_clip_frame_count(clip, 0), facts->frame_count);
  cr_assert_null(sinew_clip_warning(clip, 0));
  for (int c = 0; c < CHANNELS; c++) {
    cr_assert_eq(clip->curves[c].channel, CLIP_CHANNEL_ROOT + c);
    for (uint64_t f = 0; f < facts->frame_count; f++)
      cr_assert_eq(memcmp(clip->rows->values + f * CHANNELS + c, &values[c][f], sizeof(float)), 0);
  }
  sinew_clip_file_close(file);
  text_out_release(&out);
}

Test(csv_text, there_and_back, .init = fill_values) {
  const double rates[] = {1,
                          12.5,
                          23.976,
                          24,
                          24000 / 1001.0,
                          25,
                          29.97,
                          30000 / 1001.0,
                          30,
                          59.94,
                          60000 / 1001.0,
                          60,
                          90,
                          119.88,
                          120,
                          1000 / 3.0,
                          1e-3,
                          1e5,
                          100.0 / 7,
                          31.4159265358979};
  static const uint64_t counts[] = {1, 2, 3, 64, 65, 300};
  for (size_t r = 0; r < sizeof rates / sizeof *rates; r++)
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
      check_there_and_back(&(csv_facts){rates[r], (double)(counts[c] - 1) / rates[r], counts[c]});
}

Test(csv_text, short_last_step, .init = fill_values) {
  for (int tenth = 1; tenth < 10; tenth++)
    check_there_and_back(&(csv_facts){30, 98 / 30.0 + tenth / 300.0, 100});
}

/* A clip's length is often a float32. */
Test(csv_text, length_in_float32, .init = fill_values) {
  for (uint64_t count = 3; count < 300; count++)
    check_there_and_back(&(csv_facts){30, (double)(float)((double)(count - 1) / 30), count});
}

Test(csv_text, pieces_make_the_whole, .init = fill_values) {
  const csv_facts facts = {60, 199 / 60.0, 200};
  text_out whole = write_rows(&facts, 200);
  for (uint64_t piece = 1; piece < 70; piece += 11) {
    text_out out = write_rows(&facts, piece);
    cr_assert_eq(out.byte_count, whole.byte_count);
    cr_assert_eq(memcmp(out.bytes, whole.bytes, whole.byte_count), 0);
    text_out_release(&out);
  }
  text_out_release(&whole);
}

Test(csv_text, names_that_need_quotes) {
  static const char *const names[] = {"a", "a,b", "a\"b", "a\nb"};
  text_out out = {0};
  csv_text_head(&out, names, 4);
  static const char expected[] = "frame,time,a,\"a,b\",\"a\"\"b\",\"a\nb\"\n";
  cr_assert_eq(out.byte_count, sizeof expected - 1);
  cr_assert_eq(memcmp(out.bytes, expected, out.byte_count), 0);
  text_out_release(&out);
}

/* ---- others' forms ------------------------------------------------------------------------------------ */

static void check_rate(const char *text, double rate_hz, double stop_s, float last) {
  sinew_clip_file *file = open_text(text);
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  cr_expect_eq(clip->rate_hz, rate_hz, "%s: %.17g", text, clip->rate_hz);
  cr_expect_float_eq(clip->stop_s, stop_s, 1e-12, "%s: %.17g", text, clip->stop_s);
  cr_expect_eq(sinew_clip_frame_count(clip, 0), clip->rows->frame_count);
  cr_expect_eq(clip->rows->values[clip->rows->frame_count * clip->rows->stride - 1], last);
  sinew_clip_file_close(file);
}

Test(csv_text, forms) {
  static const struct {
    const char *text;
    double rate_hz, stop_s;
    float last;
  } cases[] = {
      {"time,RootT.y\n0,1\n0.5,2\n1,3\n", 2, 1, 3},
      {"RootT.y,time\n1,0\n2,0.5\n3,1", 2, 1, 1}, /* the last value is the only column's */
      {"\xef\xbb\xbftime,RootT.y\r\n0,1\r\n0.5,2\r\n\r\n \r\n", 2, 0.5, 2},
      {"\"time\" , \"Jaw Close\"\n \"0\" ,\"1\"\n\t0.25,-2e-1 \n", 4, 0.25, -0.2F},
      {"Jaw Close\n1\n2\n", 30, 1 / 30.0, 2},
      {"frame,Jaw Close\n-3,1\n-2,2\n-1,.5\n", 30, 2 / 30.0, 0.5F},
      {"time,Jaw Close\n7,1\n", 30, 0, 1},
      {"time,Jaw Close\n10,1\n10.1,1\n10.2,4\n", 10, 10.2 - 10, 4},
      {"time,Jaw Close\n0.00,1\n0.03,1\n0.07,4\n0.10,5\n0.13,5\n0.17,6\n", 30, 5 / 30.0, 6},
      {"time,Jaw Close\n0,1\n0.033333335,1\n0.06666667,4\n0.1,5\n0.13333334,6\n", 30, 0.13333334, 6},
      {"time,Jaw Close\n0,1\n0.0167,1\n0.0333,1\n0.0500,4\n0.0667,5\n0.0833,6\n", 60, 0.0833, 6},
      {"time,Jaw Close\n0,1\n0.1,1\n0.2,1\n0.25,4\n", 10, 0.25, 4},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const bool one = strncmp(cases[i].text, "RootT.y", 7) == 0;
    check_rate(cases[i].text, cases[i].rate_hz, cases[i].stop_s, one ? 3 : cases[i].last);
  }
}

Test(csv_text, no_times_are_told) {
  sinew_clip_file *file = open_text("Jaw Close\n1\n2\n");
  cr_assert_str_eq(sinew_clip_warning(sinew_clip_file_clip(file, 0), 0),
                   "no times of rows: 30 rows a second are taken");
  cr_assert_null(sinew_clip_warning(sinew_clip_file_clip(file, 0), 1));
  sinew_clip_file_close(file);
}

/* Where the last step is short, the last row's values are reached at its own time. */
Test(csv_text, samples_of_a_short_step) {
  sinew_clip_file *file = open_text("time,Jaw Close\n0,1\n0.1,2\n0.2,4\n0.25,8\n");
  const clip_rows *rows = sinew_clip_file_clip(file, 0)->rows;
  const sinew_kernels *k = sinew_kernels_select(NULL);
  static _Alignas(64) float scratch[ROWS_SCRATCH], planes[SINEW_PLANE_COUNT * SINEW_BLOCK];
  double time_s[SINEW_BLOCK] = {0, 0.05, 0.1, 0.15, 0.2, 0.225, 0.25, 0.3};
  static const float expected[] = {1, 1.5F, 2, 3, 4, 6, 8, 8};
  clip_rows_sample(rows, k, time_s, scratch, planes);
  const int plane = clip_plane_of_channel(clip_channel_find("Jaw Close", 9));
  for (int i = 0; i < 8; i++)
    cr_expect_float_eq((double)planes[plane * SINEW_BLOCK + i], (double)expected[i], 1e-6, "%d: %g", i,
                       (double)planes[plane * SINEW_BLOCK + i]);
  sinew_clip_file_close(file);
}

/* ---- limits and memory -------------------------------------------------------------------------------- */

static sinew_result open_limited(const sinew_read_options *options) {
  static const char text[] = "time,Jaw Close,RootT.y\n0,1,1\n0.1,2,2\n0.2,3,3\n";
  sinew_clip_file *file;
  const sinew_result result = open_bytes(text, sizeof text - 1, options, &file, NULL);
  sinew_clip_file_close(file);
  return result;
}

Test(csv_text, limits) {
  cr_expect_eq(open_limited(&(sinew_read_options){.keys = 6, .curves = 2}), SINEW_OK);
  cr_expect_eq(open_limited(&(sinew_read_options){.keys = 5}), SINEW_ERROR_LIMIT);
  cr_expect_eq(open_limited(&(sinew_read_options){.curves = 1}), SINEW_ERROR_LIMIT);
  cr_expect_eq(open_limited(&(sinew_read_options){.memory_bytes = 40}), SINEW_ERROR_MEMORY);
  cr_expect_eq(open_limited(&(sinew_read_options){.file_bytes = 40}), SINEW_ERROR_LIMIT);
}

static int permitted, denied_at;
static int permit(size_t byte_count) {
  (void)byte_count;
  return permitted++ != denied_at;
}

Test(csv_text, every_allocation_may_fail) {
  heap_permit = permit;
  for (denied_at = 0;; denied_at++) {
    permitted = 0;
    const sinew_result result = open_limited(NULL);
    if (permitted <= denied_at) break;
    cr_expect_eq(result, SINEW_ERROR_MEMORY, "allocation %d", denied_at);
  }
  cr_expect_geq(denied_at, 6);
  heap_permit = NULL;
}

Test(csv_text, writing_without_memory, .init = fill_values) {
  heap_permit = permit;
  for (denied_at = 0;; denied_at++) {
    permitted = 0;
    text_out out = {0};
    const float *columns[CHANNELS];
    for (int c = 0; c < CHANNELS; c++) columns[c] = values[c];
    csv_text_rows(&out, &(csv_facts){30, 4, 121}, 0, 121, columns, CHANNELS);
    cr_expect_eq(out.failed, permitted > denied_at);
    text_out_release(&out);
    if (permitted <= denied_at) break;
  }
  cr_expect_geq(denied_at, 2);
  heap_permit = NULL;
}

/* Cut anywhere, a file is refused with a place or is a clip of fewer rows. */
Test(csv_text, cut_anywhere, .init = fill_values) {
  text_out out = write_rows(&(csv_facts){30, 3 / 30.0, 4}, 4);
  for (size_t length = 0; length < out.byte_count; length++) {
    char *copy = malloc(length ? length : 1);
    memcpy(copy, out.bytes, length);
    sinew_clip_file *file;
    sinew_error error = {0};
    const sinew_result result = open_bytes(copy, length, NULL, &file, &error);
    cr_assert(result == SINEW_OK || result == SINEW_ERROR_SYNTAX, "%zu bytes: %d", length, result);
    cr_assert(result == SINEW_OK || (error.has_place && error.byte <= length && error.message[0]));
    sinew_clip_file_close(file);
    free(copy);
  }
  text_out_release(&out);
}
