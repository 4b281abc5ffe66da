/* What rows hold at any time, by a player: the rows themselves at their times, straight lines between them,
 * the same whatever is asked for beside it; and what is told of a clip of rows. */
#include "made_rows.h"
#include "support/bake.h"

#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct playing {
  sinew_context *context;
  sinew_rig *rig;
  sinew_player *player;
  void *scratch;
} playing;

static playing play(const sinew_clip *clip, const char *isa) {
  playing p = {.context = test_open_context(isa, 1),
               .rig = test_open_rig(test_source("scripts/sample/walker.fbx.meta"))};
  sinew_error error;
  cr_assert_eq(sinew_player_open(p.context, clip, p.rig, NULL, &p.player, &error), SINEW_OK);
  p.scratch = malloc(sinew_player_scratch_bytes(p.player));
  cr_assert(p.scratch);
  return p;
}

static void stop(playing *p) {
  free(p->scratch);
  sinew_player_close(p->player);
  sinew_rig_close(p->rig);
  sinew_context_close(p->context);
}

/* [count][130] in the order of made_rows.h; the caller frees it. */
static float *sample(const playing *p, const double *time_s, size_t count) {
  float *muscles = malloc(count * 95 * sizeof(float)), *root = malloc(count * 7 * sizeof(float)),
        *goals = malloc(count * 28 * sizeof(float)), *values = malloc(count * ROW_COLUMNS * sizeof(float));
  cr_assert(muscles && root && goals && values);
  const sinew_pose_buffers out = {.muscles = muscles, .root = root, .goals = goals};
  sinew_error error;
  cr_assert_eq(sinew_player_evaluate(p->player, p->scratch, sinew_player_scratch_bytes(p->player), time_s,
                                     count, &out, &error),
               SINEW_OK, "%s", error.message);
  for (size_t f = 0; f < count; f++) {
    memcpy(values + f * ROW_COLUMNS + ROW_ROOT, root + f * 7, 7 * sizeof(float));
    memcpy(values + f * ROW_COLUMNS + ROW_MUSCLES, muscles + f * 95, 95 * sizeof(float));
    memcpy(values + f * ROW_COLUMNS + ROW_GOALS, goals + f * 28, 28 * sizeof(float));
  }
  free(muscles), free(root), free(goals);
  return values;
}

static sinew_row_clip all_columns(const float *values, uint64_t frame_count, double rate_hz) {
  return (sinew_row_clip){
      .rate_hz = rate_hz, .frame_count = frame_count, .values = values, .column_count = ROW_COLUMNS};
}

/* ---- at the rows ----------------------------------------------------------------------------------------
 */

/* Bits that arithmetic would change. */
static void plant_odd_bits(float *values, uint64_t frame_count) {
  for (uint64_t f = 0; f < frame_count; f++) {
    float *row = values + f * ROW_COLUMNS;
    row[0] = -0.0F, row[ROW_MUSCLES + 3] = f % 2 ? -0.0F : 0.0F;
    row[ROW_MUSCLES + 4] = 1e-42F, row[ROW_GOALS] = -1e-40F;
  }
}

Test(row_samples, rows_at_their_own_times, .timeout = 60) {
  static const double rates_hz[] = {30, 29.97, 24000.0 / 1001, 1.0 / 3, 60, 119.88, 1e6, 1e-6, 0.1, 7};
  enum { FRAMES = 3001 };
  float *values = rows_of_formula(FRAMES, 1);
  plant_odd_bits(values, FRAMES);
  for (size_t r = 0; r < sizeof rates_hz / sizeof *rates_hz; r++) {
    const sinew_row_clip rows = all_columns(values, FRAMES, rates_hz[r]);
    sinew_clip_file *file = rows_open(&rows);
    const sinew_clip *clip = sinew_clip_file_clip(file, 0);
    cr_expect_eq(sinew_clip_frame_count(clip, 0), FRAMES, "%g Hz", rates_hz[r]);
    double time_s[FRAMES];
    for (uint32_t f = 0; f < FRAMES; f++) time_s[f] = sinew_clip_frame_time(clip, 0, f);
    playing p = play(clip, NULL);
    float *own = sample(&p, time_s, FRAMES);
    cr_expect_eq(memcmp(own, values, sizeof(float) * FRAMES * ROW_COLUMNS), 0, "%g Hz", rates_hz[r]);
    free(own);
    stop(&p);
    sinew_clip_file_close(file);
  }
  free(values);
}

/* Frames far into a clip that no memory holds: times are multiplied, and rounded, in double. */
Test(row_samples, rows_of_a_clip_larger_than_memory) {
  const uint64_t frames = UINT64_C(1) << 30;
  const size_t bytes = frames * sizeof(float);
  float *values =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  cr_assert_neq(values, MAP_FAILED);
  static const char *const jaw[] = {"Jaw Close"};
  const sinew_row_clip rows = {
      .rate_hz = 29.97, .frame_count = frames, .values = values, .column_count = 1, .columns = jaw};
  sinew_clip_file *file = rows_open(&rows);
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  playing p = play(clip, NULL);
  for (int i = 0; i < 200; i++) {
    const uint64_t f = (uint64_t)((row_noise((uint64_t)i, 1) + 1) / 2 * (double)(frames - 2));
    values[f] = 0.25F + (float)i * 0.001F, values[f + 1] = values[f] + 0.125F;
    const double time_s[] = {(double)f / 29.97, ((double)f + 0.5) / 29.97, (double)(f + 1) / 29.97};
    float *own = sample(&p, time_s, 3);
    const float *at = own + ROW_MUSCLES + 19; /* the jaw */
    cr_expect(at[0] == values[f] && at[2 * ROW_COLUMNS] == values[f + 1], "frame %llu",
              (unsigned long long)f);
    cr_expect(fabsf(at[ROW_COLUMNS] - values[f] - 0.0625F) < 1e-6F);
    free(own);
  }
  stop(&p);
  sinew_clip_file_close(file);
  munmap(values, bytes);
}

/* ---- between the rows -----------------------------------------------------------------------------------
 */

static bool is_quat(uint32_t column, uint32_t *first) {
  if (column >= 3 && column < 7) *first = 3;
  const uint32_t of_goal = column >= ROW_GOALS ? (column - ROW_GOALS) % 7 : 0;
  if (of_goal >= 3) *first = column - (of_goal - 3);
  return (column >= 3 && column < 7) || of_goal >= 3;
}

/* The rule in double precision. Where two quaternions are nearly square to each other either sign is right.
 */
static double expected_value(const float *values, uint64_t frame_count, double at, uint32_t column,
                             bool *either) {
  *either = false;
  if (at <= 0) return (double)values[column];
  if (at >= (double)(frame_count - 1)) return (double)values[(frame_count - 1) * ROW_COLUMNS + column];
  const double before = floor(at);
  const float *a = values + (uint64_t)before * ROW_COLUMNS, *b = a + ROW_COLUMNS;
  double dot = 1, sign = 1;
  uint32_t first;
  if (is_quat(column, &first)) {
    dot = 0;
    for (uint32_t i = first; i < first + 4; i++) dot += (double)a[i] * (double)b[i];
    *either = fabs(dot) < 1e-6;
    sign = dot < 0 ? -1 : 1;
  }
  return (double)a[column] + (at - before) * (sign * (double)b[column] - (double)a[column]);
}

/* Every fifth row holds the negative quaternions, the same rotations. */
static void turn_signs(float *values, uint64_t frame_count) {
  uint32_t first;
  for (uint64_t f = 0; f < frame_count; f += 5)
    for (uint32_t c = 0; c < ROW_COLUMNS; c++)
      if (is_quat(c, &first)) values[f * ROW_COLUMNS + c] = -values[f * ROW_COLUMNS + c];
}

/* Rounded to float: the weight once, the difference, the product and the sum. */
Test(row_samples, straight_lines_between_rows, .timeout = 60) {
  enum { FRAMES = 257, TIMES = 5000 };
  float *values = rows_of_formula(FRAMES, 9);
  turn_signs(values, FRAMES);
  const sinew_row_clip rows = all_columns(values, FRAMES, 24);
  sinew_clip_file *file = rows_open(&rows);
  double time_s[TIMES];
  for (uint32_t i = 0; i < TIMES; i++) time_s[i] = (row_noise(i, 3) * 0.6 + 0.5) * (FRAMES - 1) / 24;
  const char *isa;
  float *first = NULL;
  for (uint32_t k = 0; (isa = sinew_isa_available(k)); k++) {
    playing p = play(sinew_clip_file_clip(file, 0), isa);
    float *own = sample(&p, time_s, TIMES);
    for (uint32_t i = 0; i < TIMES; i++)
      for (uint32_t c = 0; c < ROW_COLUMNS; c++) {
        bool either;
        const double expected = expected_value(values, FRAMES, time_s[i] * 24, c, &either);
        const double off = fabs((double)own[i * ROW_COLUMNS + c] - expected);
        cr_assert(either || off <= 6 * 0x1p-24, "%s at %g s: off by %g", row_column_name(c), time_s[i], off);
      }
    if (!first) first = own;
    cr_expect_eq(memcmp(own, first, sizeof(float) * TIMES * ROW_COLUMNS), 0, "%s has other bits", isa);
    if (own != first) free(own);
    stop(&p);
  }
  free(first);
  sinew_clip_file_close(file);
  free(values);
}

/* A time gives what it gives alone, whatever stands beside it; columns wherever they stand. */
Test(row_samples, each_time_by_itself) {
  enum { FRAMES = 100, TIMES = 300 };
  float *values = rows_of_formula(FRAMES, 12);
  rows_shuffled shuffled = rows_shuffle(values, FRAMES, 30, 4);
  const sinew_row_clip plain = all_columns(values, FRAMES, 30);
  sinew_clip_file *file = rows_open(&plain), *other = rows_open(&shuffled.clip);
  playing p = play(sinew_clip_file_clip(file, 0), NULL), q = play(sinew_clip_file_clip(other, 0), NULL);
  double time_s[TIMES];
  for (uint32_t i = 0; i < TIMES; i++) time_s[i] = i % 7 ? row_noise(i, 8) * 4 : (double)(i % FRAMES) / 30;
  float *together = sample(&p, time_s, TIMES), *elsewhere = sample(&q, time_s, TIMES);
  cr_expect_eq(memcmp(together, elsewhere, sizeof(float) * TIMES * ROW_COLUMNS), 0);
  for (uint32_t i = 0; i < TIMES; i++) {
    float *alone = sample(&p, time_s + i, 1);
    cr_expect_eq(memcmp(alone, together + i * ROW_COLUMNS, sizeof(float) * ROW_COLUMNS), 0, "time %u", i);
    free(alone);
  }
  free(together), free(elsewhere);
  stop(&p), stop(&q);
  sinew_clip_file_close(file);
  sinew_clip_file_close(other);
  rows_shuffled_free(&shuffled);
  free(values);
}

/* ---- nothing beside the rows ----------------------------------------------------------------------------
 */

/* Between two pages that must not be touched; at the end of the room or at its start. */
typedef struct fenced {
  char *pages;
  size_t bytes;
  float *values;
} fenced;

static fenced fence(size_t floats, bool at_end) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const size_t room = (floats * sizeof(float) + page - 1) / page * page;
  fenced f = {.bytes = room + 2 * page};
  f.pages = mmap(NULL, f.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  cr_assert_neq((void *)f.pages, MAP_FAILED);
  cr_assert_eq(mprotect(f.pages, page, PROT_NONE), 0);
  cr_assert_eq(mprotect(f.pages + page + room, page, PROT_NONE), 0);
  f.values = (float *)(void *)(f.pages + page + (at_end ? room - floats * sizeof(float) : 0));
  return f;
}

static void use_all_of(const sinew_row_clip *rows, const char *isa) {
  sinew_clip_file *file = rows_open(rows);
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  playing p = play(clip, isa);
  double time_s[100];
  const double stop_s = (double)(rows->frame_count - 1) / rows->rate_hz;
  for (uint32_t i = 0; i < 100; i++) time_s[i] = stop_s * (row_noise(i, 2) * 0.7 + 0.5);
  free(sample(&p, time_s, 100));
  sinew_curve_info curve;
  for (uint32_t i = 0; sinew_clip_get_curve(clip, i, &curve); i++) cr_expect(curve.constant);
  rows_bake(p.context, clip, p.rig, (sinew_bake_options){.no_verify = true}, NULL);
  rows_bake(p.context, clip, p.rig, (sinew_bake_options){.no_verify = true, .rate_hz = 77}, NULL);
  stop(&p);
  sinew_clip_file_close(file);
}

Test(row_samples, nothing_beside_the_rows_is_read, .timeout = 120) {
  static const uint32_t columns[] = {1, 3, 17, 95, 102, 130}, frames[] = {1, 2, 63, 64, 65, 129};
  const char *names[ROW_COLUMNS], *isa;
  for (uint32_t c = 0; c < ROW_COLUMNS; c++) names[c] = row_column_name(c);
  for (uint32_t k = 0; (isa = sinew_isa_available(k)); k++)
    for (int i = 0; i < 36; i++) {
      sinew_row_clip rows = {.rate_hz = 30,
                             .frame_count = frames[i / 6],
                             .column_count = columns[i % 6],
                             .stride = columns[i % 6] + (uint32_t)(i % 2),
                             .columns = names};
      fenced f = fence((rows.frame_count - 1) * rows.stride + rows.column_count, i % 3 > 0);
      rows.values = f.values;
      use_all_of(&rows, isa);
      munmap(f.pages, f.bytes);
    }
}

/* ---- what is told ---------------------------------------------------------------------------------------
 */

Test(row_samples, a_clip_of_rows_tells_of_itself) {
  enum { FRAMES = 91 };
  float *values = rows_of_formula(FRAMES, 3);
  for (uint32_t f = 0; f < FRAMES; f++) values[f * ROW_COLUMNS + 9] = 0.5F;
  values[5 * ROW_COLUMNS + 8] = NAN, values[6 * ROW_COLUMNS + 8] = 3, values[7 * ROW_COLUMNS + 8] = -4;
  values[10] = NAN;
  sinew_row_clip rows = all_columns(values, FRAMES, 30);
  rows.name = "gr\xc3\xbc\xc3\x9f";
  sinew_clip_file *file = rows_open(&rows);
  cr_expect_eq(sinew_clip_file_count(file), 1);
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  sinew_clip_info info;
  sinew_clip_get_info(clip, &info);
  cr_expect_str_eq(info.name, rows.name);
  cr_expect(info.rate_hz == 30 && info.start_s == 0 && info.stop_s == 3);
  cr_expect(info.key_count == FRAMES * ROW_COLUMNS && info.curve_count == ROW_COLUMNS);
  cr_expect(info.muscle_curves == 95 && info.root_curves == 7 && info.goal_curves == 28);
  cr_expect(info.tdof_curves == 0 && info.foreign_curves == 0 && info.settings.stop_time_s == 3);
  sinew_curve_info curve;
  for (uint32_t c = 0; c < ROW_COLUMNS; c++) {
    cr_assert(sinew_clip_get_curve(clip, c, &curve));
    cr_expect_str_eq(curve.attribute, row_column_name(c));
    cr_expect_eq(curve.muscle, c >= ROW_MUSCLES && c < ROW_GOALS ? (int32_t)c - ROW_MUSCLES : -1);
    cr_expect(curve.key_count == FRAMES && curve.stepped_keys == 0 && curve.weighted_keys == 0);
    cr_expect_eq(curve.constant, c == 9, "column %u", c);
    if (c == 8) cr_expect(curve.least_key == -4 && curve.most_key == 3);
    if (c == 9) cr_expect(curve.least_key == 0.5 && curve.most_key == 0.5);
    if (c == 10) cr_expect(curve.least_key > -2 && curve.most_key < 2);
  }
  cr_expect_not(sinew_clip_get_curve(clip, ROW_COLUMNS, &curve));
  sinew_clip_file_close(file);
  free(values);
}

/* Groups of columns and blocks of rows end anywhere; so does the one value that differs. */
Test(row_samples, constant_columns) {
  enum { FRAMES = 200 };
  float *values = calloc(FRAMES * ROW_COLUMNS, sizeof *values);
  for (uint32_t f = 0; f < FRAMES; f++)
    for (uint32_t c = 0; c < ROW_COLUMNS; c++) values[f * ROW_COLUMNS + c] = (float)c;
  for (uint32_t i = 0; i < 400; i++) {
    const uint32_t c = i % ROW_COLUMNS, f = (i * 37) % FRAMES,
                   columns = i % 3 == 0   ? 95
                             : i % 3 == 1 ? 102
                                          : 130;
    float *value = &values[f * ROW_COLUMNS + c], kept = *value;
    *value = i % 2 ? -kept : nextafterf(kept, 1000);
    sinew_row_clip rows = all_columns(values, FRAMES, 30);
    rows.stride = ROW_COLUMNS;
    rows.column_count = columns;
    sinew_clip_file *file = rows_open(&rows);
    sinew_curve_info curve;
    for (uint32_t k = 0; sinew_clip_get_curve(sinew_clip_file_clip(file, 0), k, &curve); k++)
      cr_assert_eq(curve.constant, k != c, "column %u of %u, row %u: column %u", c, columns, f, k);
    sinew_clip_file_close(file);
    *value = kept;
  }
  free(values);
}

static void *count_constant(void *data) {
  const sinew_clip *clip = data;
  sinew_curve_info curve;
  size_t count = 0;
  for (uint32_t k = 0; sinew_clip_get_curve(clip, k, &curve); k++) count += curve.constant;
  return (void *)count;
}

Test(row_samples, several_threads_find_the_constant_columns) {
  enum { FRAMES = 20000, THREADS = 8 };
  float *values = calloc((size_t)FRAMES * ROW_COLUMNS, sizeof *values);
  for (uint32_t c = 0; c < ROW_COLUMNS; c += 2) values[(size_t)(FRAMES - 1) * ROW_COLUMNS + c] = 1;
  const sinew_row_clip rows = all_columns(values, FRAMES, 30);
  sinew_clip_file *file = rows_open(&rows);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    cr_assert_eq(
        pthread_create(&threads[i], NULL, count_constant, (void *)(uintptr_t)sinew_clip_file_clip(file, 0)),
        0);
  for (int i = 0; i < THREADS; i++) {
    void *count;
    pthread_join(threads[i], &count);
    cr_expect_eq((size_t)count, ROW_COLUMNS / 2);
  }
  sinew_clip_file_close(file);
  free(values);
}

Test(row_samples, what_rows_reach) {
  enum { FRAMES = 500 };
  float *values = rows_of_formula(FRAMES, 7);
  values[100 * ROW_COLUMNS + ROW_MUSCLES + 20] = 1.5F;
  values[333 * ROW_COLUMNS + 5] = 40; /* of RootQ */
  const sinew_row_clip rows = all_columns(values, FRAMES, 50);
  sinew_clip_file *file = rows_open(&rows);
  sinew_context *context = test_open_context(NULL, 1);
  sinew_error error;
  static sinew_clip_ranges ranges;
  cr_assert_eq(sinew_clip_measure(context, sinew_clip_file_clip(file, 0), 0, &ranges, &error), SINEW_OK);
  cr_expect(ranges.frame_count == FRAMES && ranges.rate_hz == 50 && ranges.root_key_count == FRAMES);
  for (uint32_t m = 0; m < SINEW_MUSCLE_COUNT; m++) {
    float least = INFINITY, most = -INFINITY;
    for (uint32_t f = 0; f < FRAMES; f++) {
      least = fminf(least, values[f * ROW_COLUMNS + ROW_MUSCLES + m]);
      most = fmaxf(most, values[f * ROW_COLUMNS + ROW_MUSCLES + m]);
    }
    const sinew_muscle_range *range = &ranges.muscles[m];
    cr_expect(range->present && range->least == (double)least && range->most == (double)most);
    cr_expect_eq(range->frames_beyond, m == 20, "muscle %u", m);
  }
  cr_expect_eq(ranges.frames_beyond, 1);
  double square = 0;
  for (int i = 3; i < 7; i++)
    square += (double)values[333 * ROW_COLUMNS + i] * (double)values[333 * ROW_COLUMNS + i];
  cr_expect(ranges.root_unit_off == fabs(sqrt(square) - 1) && ranges.root_unit_off_at_s == 333 / 50.0);
  sinew_context_close(context);
  sinew_clip_file_close(file);
  free(values);
}
