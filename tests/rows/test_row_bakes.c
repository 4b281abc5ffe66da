/* Bakes of rows: the bytes of the curves they were taken from, whatever the columns' order, the workers and
 * the instruction set; which tracks are constant; what is refused. */
#include "made_rows.h"
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sample {
  sinew_context *context;
  sinew_clip_file *file;
  sinew_rig *rig;
  const sinew_clip *clip;
} sample;

static sample sample_open(const char *isa, uint32_t threads) {
  sample s = {.context = test_open_context(isa, threads),
              .file = test_open_clip(test_source("scripts/sample/walk.anim")),
              .rig = test_open_rig(test_source("scripts/sample/walker.fbx.meta"))};
  s.clip = sinew_clip_file_clip(s.file, 0);
  return s;
}

static void sample_close(sample *s) {
  sinew_rig_close(s->rig);
  sinew_clip_file_close(s->file);
  sinew_context_close(s->context);
}

/* Rows of 102 or 130 columns out of 130. */
static sinew_row_clip plain_rows(const char *name, const float *values, uint64_t frame_count, double rate_hz,
                                 uint32_t columns) {
  return (sinew_row_clip){.name = name,
                          .rate_hz = rate_hz,
                          .frame_count = frame_count,
                          .values = values,
                          .stride = ROW_COLUMNS,
                          .column_count = columns};
}

/* ---- against curves -------------------------------------------------------------------------------------
 */

static void expect_same_bytes(const sample *s, double rate_hz, sinew_bake_options options) {
  sinew_clip_info info;
  sinew_clip_get_info(s->clip, &info);
  const double rate = rate_hz ? rate_hz : info.rate_hz;
  const uint64_t count = sinew_clip_frame_count(s->clip, rate);
  options.rate_hz = rate;
  options.source_name = "walk";
  sinew_bake_report curves, rows;
  const uint64_t expected = rows_bake(s->context, s->clip, s->rig, options, &curves);
  float *values = rows_of_clip(s->context, s->clip, s->rig, rate, count);
  rows_shuffled shuffled = rows_shuffle(values, count, rate, 3);
  shuffled.clip.name = info.name;
  const sinew_row_clip forms[] = {plain_rows(info.name, values, count, rate, 102),
                                  plain_rows(info.name, values, count, rate, 130), shuffled.clip};
  for (size_t i = 0; i < 3; i++) {
    sinew_clip_file *file = rows_open(&forms[i]);
    const sinew_clip *clip = sinew_clip_file_clip(file, 0);
    cr_expect_eq(sinew_clip_frame_count(clip, 0), count);
    for (int own = 0; own < 2; own++) { /* the rate by its name and by 0 */
      options.rate_hz = own ? 0 : rate;
      cr_expect_eq(rows_bake(s->context, clip, s->rig, options, &rows), expected,
                   "%s at %g Hz, form %zu: other bytes", info.name, rate, i);
    }
    cr_expect_eq(rows.constant_tracks, curves.constant_tracks);
    cr_expect_eq(rows.frame_count, count);
    sinew_clip_file_close(file);
  }
  rows_shuffled_free(&shuffled);
  free(values);
}

/* Every instruction set, every number of workers; verified and not. */
Test(row_bakes, the_samples_bytes, .timeout = 120) {
  const char *isa;
  for (uint32_t i = 0; (isa = sinew_isa_available(i)); i++)
    for (uint32_t threads = 1; threads <= 8; threads = threads == 1 ? 2 : threads * 4) {
      sample s = sample_open(isa, threads);
      expect_same_bytes(&s, 0, (sinew_bake_options){0});
      expect_same_bytes(&s, 2812.5, (sinew_bake_options){.no_verify = threads != 2});
      sample_close(&s);
    }
}

Test(row_bakes, quantized_and_with_boxes, .timeout = 60) {
  sample s = sample_open(NULL, 2);
  expect_same_bytes(&s, 0, (sinew_bake_options){.quantize = true});
  expect_same_bytes(&s, 0, (sinew_bake_options){.mesh = SINEW_MESH_BOXES});
  sample_close(&s);
}

/* Blocks that are not full, that are, and the first of the next piece. */
Test(row_bakes, as_many_frames_as_blocks_and_pieces_hold, .timeout = 60) {
  sample s = sample_open(NULL, 2);
  sinew_clip_info info;
  sinew_clip_get_info(s.clip, &info);
  static const uint32_t counts[] = {3, 63, 64, 65, 127, 129, 1023, 1024, 1025};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    const double rate = (counts[i] - 1) / (info.stop_s - info.start_s);
    cr_assert_eq(sinew_clip_frame_count(s.clip, rate), counts[i]);
    expect_same_bytes(&s, rate, (sinew_bake_options){0});
  }
  sample_close(&s);
}

Test(row_bakes, a_single_frame) {
  sample s = sample_open(NULL, 1);
  float *values = rows_of_clip(s.context, s.clip, s.rig, 0, 1);
  const sinew_row_clip rows = plain_rows("one", values, 1, 30, 102);
  sinew_clip_file *file = rows_open(&rows);
  sinew_bake_report report;
  for (int other = 0; other < 2; other++) {
    rows_bake(s.context, sinew_clip_file_clip(file, 0), s.rig,
              (sinew_bake_options){.rate_hz = other ? 24 : 0}, &report);
    cr_expect_eq(report.frame_count, 1);
    cr_expect_eq(report.sampled_tracks, 0);
    cr_expect(report.verified);
  }
  sinew_clip_file_close(file);
  free(values);
  sample_close(&s);
}

/* Clips of the data that begin at 0 and have whole frames. */
Test(row_bakes, bytes_of_real_clips, .timeout = 240) {
  NEED_DATA();
  static const char *const rigs[] = {
      "humanoid/avatars/OneYoungMean_SMPLX.fbx.meta", "humanoid/avatars/co1umbine_SampleScene_BoxMan.prefab",
      "humanoid/avatars/malaybaku_vroid_sample_a.Avatar_VrmAvatar.asset",
      "humanoid/metas/CuteWaterBeary_run.fbx.meta", "humanoid/metas/readyplayerme_Idle.fbx.meta"};
  size_t clip_count, compared = 0;
  char **clips = test_data_list("humanoid/clips", ".anim", &clip_count);
  for (size_t i = 0; i < clip_count; i++) {
    sample s = {.context = test_open_context(NULL, 2),
                .file = test_open_clip(clips[i]),
                .rig = test_open_rig(test_data(rigs[i % 5]))};
    s.clip = sinew_clip_file_clip(s.file, 0);
    sinew_clip_info info;
    sinew_clip_get_info(s.clip, &info);
    const double steps = (info.stop_s - info.start_s) * info.rate_hz;
    /* stop times are float32 in the files: the last frame may be off by its rounding, and then is another
     * time */
    if (info.start_s == 0 && info.stop_s == round(steps) / info.rate_hz) {
      expect_same_bytes(&s, 0, (sinew_bake_options){.no_verify = true});
      compared++;
    }
    sample_close(&s);
  }
  cr_expect_geq(compared, 5u, "%zu clips", compared);
}

/* ---- other rates ----------------------------------------------------------------------------------------
 */

/* One hash a profile, over instruction sets, workers and the columns' places; each verified on the way. */
Test(row_bakes, one_hash_at_another_rate, .timeout = 240) {
  enum { FRAMES = 300 };
  static const double rates_hz[] = {24, 60, 47.3, 480, 0.7};
  float *values = rows_of_formula(FRAMES, 5);
  rows_shuffled shuffled = rows_shuffle(values, FRAMES, 30, 11);
  const sinew_row_clip forms[] = {plain_rows("rows", values, FRAMES, 30, 102), shuffled.clip};
  for (size_t r = 0; r < sizeof rates_hz / sizeof *rates_hz; r++) {
    uint64_t hashes[2] = {0};
    const char *isa;
    for (uint32_t i = 0; (isa = sinew_isa_available(i)); i++)
      for (uint32_t threads = 1; threads <= 8; threads = threads == 1 ? 2 : threads * 4) {
        sample s = sample_open(isa, threads);
        uint64_t *hash = &hashes[strcmp(sinew_context_profile(s.context), "fma") == 0];
        for (size_t form = 0; form < 2; form++) {
          sinew_clip_file *file = rows_open(&forms[form]);
          const sinew_bake_options options = {.rate_hz = rates_hz[r], .no_verify = threads != 2};
          const uint64_t own = rows_bake(s.context, sinew_clip_file_clip(file, 0), s.rig, options, NULL);
          if (!*hash) *hash = own;
          cr_expect_eq(own, *hash, "%s, %u workers, form %zu at %g Hz", isa, threads, form, rates_hz[r]);
          sinew_clip_file_close(file);
        }
        sample_close(&s);
      }
  }
  rows_shuffled_free(&shuffled);
  free(values);
}

/* ---- constant columns -----------------------------------------------------------------------------------
 */

static uint32_t constant_tracks(const sample *s, const sinew_row_clip *rows) {
  sinew_clip_file *file = rows_open(rows);
  sinew_bake_report report;
  rows_bake(s->context, sinew_clip_file_clip(file, 0), s->rig, (sinew_bake_options){0}, &report);
  sinew_clip_file_close(file);
  return report.constant_tracks;
}

/* Nothing moves until one value of one row differs, wherever it stands. */
Test(row_bakes, one_value_makes_a_track_move) {
  enum { FRAMES = 200, HEAD_NOD = ROW_MUSCLES + 12 };
  sample s = sample_open(NULL, 1);
  float *values = rows_of_formula(FRAMES, 2);
  for (uint32_t f = 1; f < FRAMES; f++)
    memcpy(values + f * ROW_COLUMNS, values, ROW_COLUMNS * sizeof *values);
  const sinew_row_clip rows = plain_rows("still", values, FRAMES, 30, 102);
  cr_assert_str_eq(sinew_muscle_name(HEAD_NOD - ROW_MUSCLES), "Head Nod Down-Up");
  const uint32_t all = constant_tracks(&s, &rows);
  static const uint32_t frames[] = {0, 1, 63, 64, 130, FRAMES - 1};
  for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
    float *value = values + frames[i] * ROW_COLUMNS + HEAD_NOD, kept = *value;
    *value = nextafterf(kept, 2);
    /* the head, and by its weight the hips' translation and rotation */
    cr_expect_eq(constant_tracks(&s, &rows), all - 3, "at frame %u", frames[i]);
    *value = kept;
  }
  free(values);
  sample_close(&s);
}

/* ---- what is refused ------------------------------------------------------------------------------------
 */

static void expect_pose_error(const sample *s, const sinew_row_clip *rows, double rate_hz,
                              const char *message) {
  sinew_clip_file *file = rows_open(rows);
  char *folder = test_folder_make(), path[1100];
  snprintf(path, sizeof path, "%s/bad.glb", folder);
  sinew_error error = {0};
  const sinew_bake_options options = {.rate_hz = rate_hz};
  cr_expect_eq(
      sinew_bake(s->context, sinew_clip_file_clip(file, 0), s->rig, &options, path, NULL, &error),
      SINEW_ERROR_POSE);
  cr_expect(strstr(error.message, message), "'%s', expected '%s'", error.message, message);
  cr_expect_eq(test_folder_count(folder), 0u);
  test_folder_remove(folder);
  sinew_clip_file_close(file);
}

Test(row_bakes, values_that_are_no_poses) {
  enum { FRAMES = 1500, ARM = ROW_MUSCLES + 39 };
  sample s = sample_open(NULL, 2);
  float *values = rows_of_formula(FRAMES, 4);
  const sinew_row_clip rows = plain_rows("bad", values, FRAMES, 30, 130);
  const struct {
    uint32_t frame, column;
    float value;
    const char *message;
  } cases[] = {
      {0, ARM, NAN, "Left Arm Down-Up is not a finite number at frame 0"},
      {1499, ARM, INFINITY, "Left Arm Down-Up is not a finite number at frame 1499"},
      {1024, 3, -INFINITY, "RootQ.x is not a finite number at frame 1024"},
      {70, 0, 2e6F, "RootT.x is 2e+06 at frame 70"},
      {70, ARM, -1001, "Left Arm Down-Up is -1001 at frame 70"},
  };
  cr_assert_str_eq(row_column_name(ARM), "Left Arm Down-Up");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    float *value = values + cases[i].frame * ROW_COLUMNS + cases[i].column, kept = *value;
    *value = cases[i].value;
    expect_pose_error(&s, &rows, 0, cases[i].message);
    *value = kept;
  }
  values[700 * ROW_COLUMNS + ARM] = NAN; /* at twice the rate the frames beside it lie on the way to it */
  expect_pose_error(&s, &rows, 60, "Left Arm Down-Up is not a finite number at frame 1399");
  free(values);
  sample_close(&s);
}

/* As of a curve, what no bone of the rig follows is not looked at. */
Test(row_bakes, values_that_nothing_reads) {
  enum { FRAMES = 100 };
  sample s = sample_open(NULL, 1);
  float *values = rows_of_formula(FRAMES, 6);
  const sinew_row_clip rows = plain_rows("goals", values, FRAMES, 30, 130);
  sinew_clip_file *file = rows_open(&rows);
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  const uint64_t own = rows_bake(s.context, clip, s.rig, (sinew_bake_options){0}, NULL),
                 other = rows_bake(s.context, clip, s.rig, (sinew_bake_options){.rate_hz = 50}, NULL);
  for (uint32_t f = 0; f < FRAMES; f++)
    for (uint32_t c = ROW_GOALS; c < ROW_COLUMNS; c++) values[f * ROW_COLUMNS + c] = f % 2 ? NAN : 1e30F;
  cr_expect_eq(rows_bake(s.context, clip, s.rig, (sinew_bake_options){0}, NULL), own);
  cr_expect_eq(rows_bake(s.context, clip, s.rig, (sinew_bake_options){.rate_hz = 50}, NULL), other);
  sinew_clip_file_close(file);
  free(values);
  sample_close(&s);
}

/* ---- batches --------------------------------------------------------------------------------------------
 */

enum { BATCH_JOBS = 24 };
typedef struct batch_jobs {
  const sinew_clip *clip;
  const sinew_rig *rig;
  char paths[BATCH_JOBS][1100];
  size_t done;
} batch_jobs;

static sinew_result open_job(void *user, uint64_t index, sinew_bake_job *job, sinew_error *error) {
  batch_jobs *jobs = user;
  (void)error;
  *job = (sinew_bake_job){.clip = jobs->clip, .rig = jobs->rig, .path = jobs->paths[index]};
  return SINEW_OK;
}

static void job_done(void *user, uint64_t index, const sinew_bake_job *job, const sinew_bake_report *report,
                     const sinew_error *error) {
  batch_jobs *jobs = user;
  (void)index, (void)job;
  jobs->done += !error && report->verified;
}

/* Several workers begin to bake one clip at once, each the first to ask which of its columns are constant. */
Test(row_bakes, a_clip_baked_many_times_at_once, .timeout = 60) {
  enum { FRAMES = 3000 };
  sample s = sample_open(NULL, 8);
  float *values = rows_of_formula(FRAMES, 8);
  const sinew_row_clip rows = plain_rows("many", values, FRAMES, 30, 102);
  sinew_clip_file *file = rows_open(&rows);
  char *folder = test_folder_make();
  static batch_jobs jobs;
  jobs = (batch_jobs){.clip = sinew_clip_file_clip(file, 0), .rig = s.rig};
  for (int i = 0; i < BATCH_JOBS; i++) snprintf(jobs.paths[i], sizeof jobs.paths[i], "%s/%d.glb", folder, i);
  const sinew_batch batch = {.job_count = BATCH_JOBS, .open = open_job, .done = job_done, .user = &jobs};
  sinew_error error;
  cr_expect_eq(sinew_bake_batch(s.context, &batch, &error), SINEW_OK);
  cr_expect_eq(jobs.done, BATCH_JOBS);
  const uint64_t expected = rows_bake(s.context, jobs.clip, s.rig, (sinew_bake_options){0}, NULL);
  for (int i = 0; i < BATCH_JOBS; i++) {
    size_t byte_count;
    char *bytes = test_read_file(jobs.paths[i], &byte_count);
    cr_assert(bytes);
    cr_expect_eq(test_hash(bytes, byte_count), expected, "file %d", i);
    free(bytes);
  }
  test_folder_remove(folder);
  sinew_clip_file_close(file);
  free(values);
  sample_close(&s);
}
