/* The steps of one clip's bake, by themselves: what the queue relies on. */
#include "base/os.h"
#include "job/bake_job.h"
#include "output/formats.h"
#include "output/glb_output.h"
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const glb_layout *layout_of(const bake_job *job) {
  return &((const glb_output *)job->out.own)->layout;
}

typedef struct steps {
  sinew_context *context;
  sinew_clip_file *file;
  sinew_rig *rig;
  char *folder;
  char path[512];
  bake_job job;
  output_worker worker;
  sinew_error error;
} steps;

static void begin(steps *s, sinew_clip_file *file, double rate_hz, bool quantize) {
  memset(s, 0, sizeof *s);
  s->context = test_open_context(NULL, 1);
  s->file = file;
  s->rig = test_open_rig(test_source("scripts/sample/walker.fbx.meta"));
  s->folder = test_folder_make();
  snprintf(s->path, sizeof s->path, "%s/out.glb", s->folder);
  s->job.number = 1;
  s->job.given = (sinew_bake_job){.clip = sinew_clip_file_clip(file, 0),
                                  .rig = s->rig,
                                  .path = s->path,
                                  .options = {.rate_hz = rate_hz, .quantize = quantize}};
  cr_assert_eq(output_worker_open(&s->worker, &s->error), SINEW_OK);
  cr_assert_eq(bake_job_begin(s->context, &s->job, &s->error), SINEW_OK, "%s", s->error.message);
}

static void bake_piece(steps *s, uint64_t piece) {
  cr_assert_eq(output_glb.compute(&s->job.out, piece, &s->worker.piece, &s->error), SINEW_OK, "%s",
               s->error.message);
  output_join(&s->job.out, piece, &s->worker.piece);
  cr_assert_eq(output_glb.write(&s->job.out, piece, &s->worker.piece, &s->error), SINEW_OK, "%s",
               s->error.message);
}

static void check_piece(steps *s, uint64_t piece) {
  cr_assert_eq(bake_job_check(&s->job, piece, &s->worker, &s->job.findings, &s->error), SINEW_OK, "%s",
               s->error.message);
}

static void end(steps *s) {
  bake_job_end(&s->job);
  output_worker_close(&s->worker);
  sinew_rig_close(s->rig);
  sinew_clip_file_close(s->file);
  sinew_context_close(s->context);
  cr_expect_eq(test_folder_count(s->folder), 0u);
  test_folder_remove(s->folder);
}

static sinew_clip_file *sample(void) {
  return test_open_clip(test_source("scripts/sample/walk.anim"));
}

/* All pieces baked and checked, and then more written than the file has: over keys that were right. */
static void expect_judged(uint64_t extra_bytes, sinew_result expected) {
  steps s;
  begin(&s, sample(), 9000, false);
  for (uint64_t piece = 0; piece < piece_count(&s.job.plan); piece++) {
    bake_piece(&s, piece);
    if (piece == 0) cr_assert_eq(bake_job_begin_check(&s.job, &s.error), SINEW_OK, "%s", s.error.message);
    check_piece(&s, piece);
  }
  static const char wrong[64];
  cr_assert_eq(outfile_write(&s.job.file, wrong, extra_bytes, layout_of(&s.job)->track_offset[1], &s.error),
               SINEW_OK);
  cr_expect_eq(bake_job_finish(&s.job, &s.error), expected, "%s", s.error.message);
  if (expected != SINEW_OK) {
    cr_expect(strstr(s.error.message, "bytes were written to a file of"), "%s", s.error.message);
    cr_expect_str_eq(s.error.path, s.path);
  }
  end(&s);
}

Test(bake_job, what_goes_over_a_checked_place_is_known_from_the_sizes) {
  expect_judged(0, SINEW_OK);
  expect_judged(16, SINEW_ERROR_VERIFY);
}

Test(bake_job, a_piece_that_was_never_written_is_missed) {
  steps s;
  begin(&s, sample(), 9000, false);
  bake_piece(&s, 0);
  cr_assert_eq(bake_job_begin_check(&s.job, &s.error), SINEW_OK, "%s", s.error.message);
  cr_expect_eq(bake_job_check(&s.job, 1, &s.worker, &s.job.findings, &s.error), SINEW_ERROR_VERIFY, "%s",
               s.error.message);
  end(&s);
}

/* ---- signs over the borders of blocks and pieces ----------------------------------------------------------
 */

enum { SPINS = 9000, COLUMNS = 95 + 7 }; /* frames; more than eight small pieces */

/* The root turns about a tilted axis, 0.37 rad a frame: its quaternion's sign would change again and again.
 */
static sinew_clip_file *spinning(float **kept, uint64_t frames) {
  float *rows = calloc(frames * COLUMNS, sizeof *rows);
  cr_assert_not_null(rows);
  for (uint64_t f = 0; f < frames; f++) {
    float *row = rows + f * COLUMNS;
    const double half = fmod(0.185 * (double)f, M_PI), sine = sin(half);
    row[1] = 1;
    row[3] = (float)(0.6 * sine), row[4] = (float)(0.8 * sine), row[6] = (float)cos(half);
    for (int muscle = 7; muscle < COLUMNS; muscle++)
      row[muscle] = (float)(0.7 * sin(0.01 * (double)f + muscle));
  }
  sinew_clip_file *file;
  sinew_error error;
  const sinew_row_clip clip = {.name = "spin",
                               .rate_hz = 30,
                               .frame_count = frames,
                               .values = rows,
                               .stride = COLUMNS,
                               .column_count = COLUMNS};
  cr_assert_eq(sinew_clip_from_rows(&clip, NULL, &file, &error), SINEW_OK, "%s", error.message);
  *kept = rows;
  return file;
}

static double key_component(const char *bytes, const steps *s, uint32_t track, uint64_t frame, int c) {
  const uint64_t at = layout_of(&s->job)->track_offset[track] + frame * glb_key_bytes(&((const glb_output *)s->job.out.own)->glb, track);
  float number;
  int16_t quantized;
  memcpy(&number, bytes + at + 4 * c, s->job.plan.quantized ? 0 : sizeof number);
  memcpy(&quantized, bytes + at + 2 * c, s->job.plan.quantized ? sizeof quantized : 0);
  return s->job.plan.quantized ? quantized / 32767.0 : number;
}

static void expect_continuous(uint64_t frames, bool quantize) {
  steps s;
  float *rows;
  begin(&s, spinning(&rows, frames), 0, quantize);
  cr_assert_gt(piece_count(&s.job.plan), 2u);
  uint64_t turned = 0;
  for (uint64_t piece = 0; piece < piece_count(&s.job.plan); piece++) {
    bake_piece(&s, piece);
    turned |= s.worker.piece.turned[0];
  }
  cr_expect(turned & 1, "the hips have to be turned in some piece, or this shows nothing");
  char *bytes = malloc(layout_of(&s.job)->file_byte_count);
  cr_assert(os_read_all(s.job.file.fd, bytes, layout_of(&s.job)->file_byte_count, 0));
  for (uint32_t track = 1; track < s.job.plan.output.track_count; track++) {
    if (s.job.plan.output.tracks[track].constant) continue;
    uint64_t apart = 0;
    for (uint64_t f = 1; f < frames; f++) {
      double dot = 0;
      for (int c = 0; c < 4; c++)
        dot += key_component(bytes, &s, track, f - 1, c) * key_component(bytes, &s, track, f, c);
      apart += dot < 0;
    }
    cr_expect_eq(apart, 0u, "track %u: %llu frames in the other half-space", track,
                 (unsigned long long)apart);
  }
  free(bytes);
  end(&s);
  free(rows);
}

Test(bake_job, signs_over_pieces) {
  expect_continuous(SPINS, false);
  expect_continuous(SPINS, true);
}

Test(bake_job, signs_over_large_pieces) {
  expect_continuous(16 * PIECE_BLOCKS * SINEW_BLOCK + 5000, false);
}
