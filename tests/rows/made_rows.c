#include "made_rows.h"
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double row_noise(uint64_t a, uint64_t b) {
  uint64_t x = (a + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ (b + 7) * UINT64_C(0xc2b2ae3d27d4eb4f);
  x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
  x ^= x >> 32;
  return (double)(x >> 11) / 0x1p52 - 1;
}

static void *make(size_t count, size_t size) {
  void *block = malloc(count > 0 ? count * size : 1);
  cr_assert(block);
  return block;
}

float *rows_of_clip(const sinew_context *context, const sinew_clip *clip, const sinew_rig *rig,
                    double rate_hz, uint64_t frame_count) {
  sinew_player *player;
  sinew_error error;
  cr_assert_eq(sinew_player_open(context, clip, rig, NULL, &player, &error), SINEW_OK, "%s", error.message);
  const size_t scratch_bytes = sinew_player_scratch_bytes(player);
  void *scratch = make(scratch_bytes, 1);
  double *time_s = make(frame_count, sizeof *time_s);
  float *muscles = make(frame_count, 95 * sizeof(float)), *root = make(frame_count, 7 * sizeof(float)),
        *goals = make(frame_count, 28 * sizeof(float)),
        *values = make(frame_count, ROW_COLUMNS * sizeof(float));
  for (uint64_t f = 0; f < frame_count; f++) time_s[f] = sinew_clip_frame_time(clip, rate_hz, f);
  const sinew_pose_buffers out = {.muscles = muscles, .root = root, .goals = goals};
  cr_assert_eq(sinew_player_evaluate(player, scratch, scratch_bytes, time_s, frame_count, &out, &error),
               SINEW_OK, "%s", error.message);
  for (uint64_t f = 0; f < frame_count; f++) {
    float *row = values + f * ROW_COLUMNS;
    memcpy(row + ROW_ROOT, root + f * 7, 7 * sizeof *row);
    memcpy(row + ROW_MUSCLES, muscles + f * 95, 95 * sizeof *row);
    memcpy(row + ROW_GOALS, goals + f * 28, 28 * sizeof *row);
  }
  free(muscles), free(root), free(goals), free(time_s), free(scratch);
  sinew_player_close(player);
  return values;
}

float *rows_of_formula(uint64_t frame_count, uint32_t seed) {
  float *values = make(frame_count, ROW_COLUMNS * sizeof *values);
  for (uint64_t f = 0; f < frame_count; f++)
    for (uint32_t c = 0; c < ROW_COLUMNS; c++) {
      const double turn = sin((double)f * (0.02 + 0.01 * row_noise(c, seed)) + c);
      values[f * ROW_COLUMNS + c] = (float)(0.9 * turn + 0.05 * row_noise(f, c + 1000 * seed));
    }
  return values;
}

const char *row_column_name(uint32_t column) {
  static const char *const root[] = {"RootT.x", "RootT.y", "RootT.z", "RootQ.x",
                                     "RootQ.y", "RootQ.z", "RootQ.w"};
  static const char *const goals[] = {
      "LeftFootT.x",  "LeftFootT.y",  "LeftFootT.z",  "LeftFootQ.x",  "LeftFootQ.y",  "LeftFootQ.z",
      "LeftFootQ.w",  "RightFootT.x", "RightFootT.y", "RightFootT.z", "RightFootQ.x", "RightFootQ.y",
      "RightFootQ.z", "RightFootQ.w", "LeftHandT.x",  "LeftHandT.y",  "LeftHandT.z",  "LeftHandQ.x",
      "LeftHandQ.y",  "LeftHandQ.z",  "LeftHandQ.w",  "RightHandT.x", "RightHandT.y", "RightHandT.z",
      "RightHandQ.x", "RightHandQ.y", "RightHandQ.z", "RightHandQ.w"};
  if (column < ROW_MUSCLES) return root[column];
  if (column < ROW_GOALS) return sinew_muscle_name(column - ROW_MUSCLES);
  return goals[column - ROW_GOALS];
}

sinew_clip_file *rows_open(const sinew_row_clip *rows) {
  sinew_clip_file *file;
  sinew_error error;
  cr_assert_eq(sinew_clip_from_rows(rows, NULL, &file, &error), SINEW_OK, "%s", error.message);
  return file;
}

/* Where column c stands: a permutation of the 130, and a gap behind every third. */
static void place_columns(uint32_t place[ROW_COLUMNS], uint32_t seed) {
  uint32_t order[ROW_COLUMNS];
  for (uint32_t i = 0; i < ROW_COLUMNS; i++) order[i] = i;
  for (uint32_t i = ROW_COLUMNS - 1; i > 0; i--) {
    const uint32_t j = (uint32_t)((row_noise(i, seed) + 1) / 2 * i), kept = order[i];
    order[i] = order[j], order[j] = kept;
  }
  for (uint32_t i = 0; i < ROW_COLUMNS; i++) place[order[i]] = i + i / 3;
}

rows_shuffled rows_shuffle(const float *values, uint64_t frame_count, double rate_hz, uint32_t seed) {
  const uint32_t columns = ROW_COLUMNS + ROW_COLUMNS / 3 + 1;
  const size_t stride = columns + 5;
  uint32_t place[ROW_COLUMNS];
  place_columns(place, seed);
  rows_shuffled s = {.values = make(frame_count * stride, sizeof(float)),
                     .names = make(columns, sizeof(char *))};
  for (uint64_t i = 0; i < frame_count * stride; i++) s.values[i] = NAN;
  for (uint32_t c = 0; c < columns; c++) s.names[c] = NULL;
  for (uint32_t c = 0; c < ROW_COLUMNS; c++) {
    s.names[place[c]] = row_column_name(c);
    for (uint64_t f = 0; f < frame_count; f++) s.values[f * stride + place[c]] = values[f * ROW_COLUMNS + c];
  }
  s.clip = (sinew_row_clip){.name = "rows",
                            .rate_hz = rate_hz,
                            .frame_count = frame_count,
                            .values = s.values,
                            .stride = stride,
                            .column_count = columns,
                            .columns = s.names};
  return s;
}

void rows_shuffled_free(rows_shuffled *s) {
  free(s->values);
  free(s->names);
}

uint64_t rows_bake(const sinew_context *context, const sinew_clip *clip, const sinew_rig *rig,
                   sinew_bake_options options, sinew_bake_report *report) {
  char *folder = test_folder_make(), path[1100], text[1024];
  snprintf(path, sizeof path, "%s/rows.glb", folder);
  sinew_error error;
  cr_assert(sinew_bake(context, clip, rig, &options, path, report, &error) == SINEW_OK, "%s",
            sinew_error_text(&error, text, sizeof text));
  size_t byte_count;
  char *bytes = test_read_file(path, &byte_count);
  cr_assert(bytes);
  const uint64_t hash = test_hash(bytes, byte_count);
  free(bytes);
  test_folder_remove(folder);
  return hash;
}
