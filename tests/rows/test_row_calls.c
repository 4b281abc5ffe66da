/* Calls of sinew_clip_from_rows that must fail, each by its own words; whose the values are, and how long. */
#include "made_rows.h"
#include "support/bake.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static float few[4 * ROW_COLUMNS];
static const char *names[3] = {"RootT.x", "Left Eye In-Out", "LeftHandQ.w"};

static sinew_row_clip good_rows(void) {
  return (sinew_row_clip){
      .name = "few", .rate_hz = 30, .frame_count = 4, .values = few, .column_count = 3, .columns = names};
}

#define EXPECT_REFUSED(expected, words, ...)                                                                 \
  do {                                                                                                       \
    sinew_row_clip rows = good_rows();                                                                       \
    __VA_ARGS__;                                                                                             \
    expect_refused(&rows, NULL, (expected), (words));                                                        \
  } while (0)

static void expect_refused(const sinew_row_clip *rows, const sinew_read_options *options,
                           sinew_result expected, const char *words) {
  sinew_clip_file *file = (void *)1;
  sinew_error error = {0};
  cr_expect_eq(sinew_clip_from_rows(rows, options, &file, &error), expected, "%s: %s", words, error.message);
  cr_expect_null(file);
  cr_expect_eq(error.code, expected);
  cr_expect(strstr(error.message, words), "'%s' without '%s'", error.message, words);
  cr_expect_eq(sinew_clip_from_rows(rows, options, &file, NULL), expected);
}

Test(row_calls, sizes_and_rates) {
  const sinew_row_clip good = good_rows();
  sinew_clip_file_close(rows_open(&good));
  const sinew_result wrong = SINEW_ERROR_ARGUMENT;
  EXPECT_REFUSED(wrong, "values is NULL", rows.values = NULL);
  EXPECT_REFUSED(wrong, "not aligned", rows.values = (const float *)(const void *)((const char *)few + 2));
  EXPECT_REFUSED(wrong, "rate is 0", rows.rate_hz = 0);
  EXPECT_REFUSED(wrong, "rate is -30", rows.rate_hz = -30);
  EXPECT_REFUSED(wrong, "rate is nan", rows.rate_hz = (double)NAN);
  EXPECT_REFUSED(wrong, "rate is inf", rows.rate_hz = (double)INFINITY);
  EXPECT_REFUSED(wrong, "rate is 1e-07", rows.rate_hz = 1e-7);
  EXPECT_REFUSED(wrong, "rate is 1.1e+06", rows.rate_hz = 1.1e6);
  EXPECT_REFUSED(wrong, "there are 0 frames", rows.frame_count = 0);
  EXPECT_REFUSED(wrong, "18446744073709551615 frames", rows.frame_count = UINT64_MAX);
  EXPECT_REFUSED(wrong, "no columns", rows.column_count = 0);
  EXPECT_REFUSED(wrong, "stride is 2 floats", rows.stride = 2);
  EXPECT_REFUSED(wrong, "more than memory can hold", rows.stride = SIZE_MAX);
  EXPECT_REFUSED(wrong, "more than memory can hold", rows.stride = SIZE_MAX / 12);
  EXPECT_REFUSED(wrong, "more than memory can hold", rows.frame_count = UINT64_C(1) << 40,
                 rows.stride = 1 << 22);
  EXPECT_REFUSED(SINEW_ERROR_LIMIT, "65537 columns, the limit is 65536", rows.column_count = 65537);
}

Test(row_calls, columns) {
  const sinew_result wrong = SINEW_ERROR_ARGUMENT;
  const char *unknown[3] = {"RootT.x", "Left Elbow", "RootT.y"},
             *twice[3] = {"RootT.x", "RootQ.w", "RootT.x"},
             *no_plane[3] = {"RootT.x", "RootT.y", "SpineTDOF.x"}, *none[3] = {NULL, NULL, NULL},
             *motion[3] = {"MotionT.x", NULL, NULL}, *empty[3] = {"RootT.x", "", NULL},
             *rude[3] = {"RootT.x", NULL, "\x1b[2Jx\xff"};
  EXPECT_REFUSED(wrong, "column 1 is 'Left Elbow', expected", rows.columns = unknown);
  EXPECT_REFUSED(wrong, "column 2 is 'RootT.x', as an earlier", rows.columns = twice);
  EXPECT_REFUSED(wrong, "column 2 is 'SpineTDOF.x', expected", rows.columns = no_plane);
  EXPECT_REFUSED(wrong, "column 0 is 'MotionT.x', expected", rows.columns = motion);
  EXPECT_REFUSED(wrong, "column 1 is '', expected", rows.columns = empty);
  EXPECT_REFUSED(wrong, "column 2 is '?[2Jx?', expected", rows.columns = rude);
  EXPECT_REFUSED(wrong, "none of the 3 columns", rows.columns = none);
  EXPECT_REFUSED(wrong, "3 columns without names, expected 95, 102 or 130", rows.columns = NULL);
}

Test(row_calls, columns_without_names) {
  for (uint32_t count = 1; count <= 200; count++) {
    sinew_row_clip rows = good_rows();
    rows.columns = NULL, rows.column_count = count, rows.frame_count = 1;
    static float values[200];
    rows.values = values;
    sinew_clip_file *file;
    const bool known = count == 95 || count == 102 || count == 130;
    cr_expect_eq(sinew_clip_from_rows(&rows, NULL, &file, NULL), known ? SINEW_OK : SINEW_ERROR_ARGUMENT,
                 "%u", count);
    sinew_curve_info curve;
    for (uint32_t c = 0; known && sinew_clip_get_curve(sinew_clip_file_clip(file, 0), c, &curve); c++)
      cr_expect_str_eq(curve.attribute, row_column_name(count == 95 ? c + ROW_MUSCLES : c));
    sinew_clip_file_close(file);
  }
}

Test(row_calls, names) {
  static char longest[4098];
  memset(longest, 'n', 4097);
  EXPECT_REFUSED(SINEW_ERROR_LIMIT, "the name has 4097 bytes, the limit is 4096", rows.name = longest);
  EXPECT_REFUSED(SINEW_ERROR_ARGUMENT, "no UTF-8", rows.name = "a\xc3");
  sinew_row_clip good = good_rows();
  good.name = longest + 1;
  sinew_clip_file_close(rows_open(&good));
  good.name = NULL;
  sinew_clip_file *file = rows_open(&good);
  sinew_clip_info info;
  sinew_clip_get_info(sinew_clip_file_clip(file, 0), &info);
  cr_expect_str_eq(info.name, "");
  sinew_clip_file_close(file);
}

/* One row has no stride, whatever is said of it. */
Test(row_calls, a_row_alone) {
  sinew_row_clip rows = good_rows();
  rows.frame_count = 1, rows.stride = SIZE_MAX / 8;
  sinew_clip_file *file = rows_open(&rows);
  sinew_curve_info curve;
  cr_expect(sinew_clip_get_curve(sinew_clip_file_clip(file, 0), 2, &curve) && curve.constant);
  sinew_clip_file_close(file);
}

Test(row_calls, limits_of_a_copy) {
  enum { FRAMES = 1000 };
  float *values = rows_of_formula(FRAMES, 1);
  sinew_row_clip rows = {
      .rate_hz = 30, .frame_count = FRAMES, .values = values, .column_count = 130, .copy = true};
  const uint64_t bytes = FRAMES * 130 * sizeof(float);
  sinew_read_options options = {.memory_bytes = bytes - 1};
  expect_refused(&rows, &options, SINEW_ERROR_MEMORY, "is larger than the limit");
  sinew_clip_file *file;
  options.memory_bytes = bytes + (1 << 20);
  cr_expect_eq(sinew_clip_from_rows(&rows, &options, &file, NULL), SINEW_OK);
  sinew_clip_file_close(file);
  options = (sinew_read_options){.curves = 129};
  expect_refused(&rows, &options, SINEW_ERROR_LIMIT, "the limit is 129");
  rows.frame_count = UINT64_C(1) << 33; /* nothing is read before the size is known to be too large */
  expect_refused(&rows, NULL, SINEW_ERROR_MEMORY, "is larger than the limit");
  free(values);
}

static float *head_places(const sinew_player *player, size_t count) {
  void *scratch = malloc(sinew_player_scratch_bytes(player));
  double *time_s = malloc(count * sizeof *time_s);
  float *places = malloc(count * sinew_player_bone_count(player) * 3 * sizeof *places);
  for (size_t i = 0; i < count; i++) time_s[i] = (double)i / 41;
  const sinew_pose_buffers out = {.model_m = places};
  cr_assert_eq(
      sinew_player_evaluate(player, scratch, sinew_player_scratch_bytes(player), time_s, count, &out, NULL),
      SINEW_OK);
  free(scratch), free(time_s);
  return places;
}

/* Copied: the array, its names and the file are gone, and the player plays. Borrowed: the file is gone. */
Test(row_calls, a_player_outlives_the_file) {
  enum { FRAMES = 150, TIMES = 200 };
  sinew_context *context = test_open_context(NULL, 1);
  sinew_rig *rig = test_open_rig(test_source("scripts/sample/walker.fbx.meta"));
  float *values = rows_of_formula(FRAMES, 2), *expected = NULL;
  size_t bytes = 0;
  for (int copy = 0; copy < 2; copy++) {
    rows_shuffled rows = rows_shuffle(values, FRAMES, 30, 5);
    rows.clip.copy = copy;
    sinew_clip_file *file = rows_open(&rows.clip);
    sinew_player *player;
    cr_assert_eq(sinew_player_open(context, sinew_clip_file_clip(file, 0), rig, NULL, &player, NULL),
                 SINEW_OK);
    memset(rows.names, 0xee, rows.clip.column_count * sizeof *rows.names);
    if (copy) memset(rows.values, 0xee, FRAMES * rows.clip.stride * sizeof(float));
    sinew_clip_file_close(file);
    float *places = head_places(player, TIMES);
    bytes = TIMES * sinew_player_bone_count(player) * 3 * sizeof *places;
    if (!expected)
      expected = places;
    else
      cr_expect_eq(memcmp(places, expected, bytes), 0);
    if (places != expected) free(places);
    sinew_player_close(player);
    rows_shuffled_free(&rows);
  }
  free(expected), free(values);
  sinew_rig_close(rig);
  sinew_context_close(context);
}
