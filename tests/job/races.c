/* Eight workers on everything the queue does, for a build that watches for races (scripts/test.sh races). A
 * program of its own: the test framework's processes do not start under the thread sanitizer. */
#include "base/os.h"
#include "job/batch_run.h"
#include "output/plane_store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { WORKERS = 8, JOBS = 40 };

static int wrong;

static void tell(bool right, const char *what) {
  static int number;
  printf("%sok %d - races::%s\n", right ? "" : "not ", ++number, what);
  wrong += !right;
}

static bool every_fifth(uint64_t index) {
  return index % 5 == 1;
}

static void bake_many(const char *what, bool no_verify, bool (*fails)(uint64_t), uint64_t stop_after_frames) {
  static batch_run run; /* too large for a stack */
  batch_setup(&run, WORKERS, JOBS);
  run.no_verify = no_verify;
  run.fails = fails;
  run.stop_after_frames = stop_after_frames;
  const sinew_result result = batch_go(&run);
  const bool all = run.published + run.failed == JOBS;
  tell(stop_after_frames ? result == SINEW_ERROR_CANCELLED || all : result == SINEW_OK && all, what);
  batch_teardown(&run);
}

/* Workers begin at once with a clip of which none has yet asked what is constant in it. */
static void bake_rows(void) {
  enum { FRAMES = 2000 };
  static float muscles[FRAMES][SINEW_MUSCLE_COUNT];
  for (int f = 0; f < FRAMES; f++) muscles[f][f % 90] = 0.25F;
  const sinew_row_clip rows = {.name = "rows",
                               .rate_hz = 700,
                               .frame_count = FRAMES,
                               .values = muscles[0],
                               .column_count = SINEW_MUSCLE_COUNT};
  static batch_run run; /* too large for a stack */
  batch_setup(&run, WORKERS, JOBS);
  sinew_clip_file_close(run.file);
  const bool made = sinew_clip_from_rows(&rows, NULL, &run.file, &run.error) == SINEW_OK;
  tell(made && batch_go(&run) == SINEW_OK && run.published == JOBS, "rows_that_all_workers_bake");
  batch_teardown(&run);
}

/* Workers share a clip of bones, its figure, a rig and the file that is kept. */
static void bake_bones(void) {
  static batch_run run; /* too large for a stack */
  batch_setup_bones(&run, WORKERS, JOBS, true);
  tell(batch_go(&run) == SINEW_OK && run.published == JOBS, "bones_on_a_character_that_is_kept");
  batch_teardown(&run);
  batch_setup_bones(&run, WORKERS, JOBS, false);
  tell(batch_go(&run) == SINEW_OK && run.published == JOBS, "bones_on_their_own_skeleton");
  batch_teardown(&run);
  batch_setup_character(&run, WORKERS, JOBS);
  tell(batch_go(&run) == SINEW_OK && run.published == JOBS, "a_character_on_itself");
  batch_teardown(&run);
}

/* ---- every format -----------------------------------------------------------------------------------------
 */

enum { FORMATS = SINEW_FORMAT_CSV + 1 };

/* Clips of many pieces: text of one file is made by several workers, late pieces among them. Twice, the
 * second time by one worker: the bytes are the same. */
static bool same_bytes(batch_run *run) {
  static uint64_t hash[BATCH_MOST];
  for (uint64_t i = 0; i < run->count; i++) hash[i] = batch_hash(run, i);
  sinew_context_close(run->context);
  run->context = test_open_context(NULL, 1);
  if (batch_go(run) != SINEW_OK) return false;
  for (uint64_t i = 0; i < run->count; i++)
    if (!hash[i] || batch_hash(run, i) != hash[i]) return false;
  return true;
}

static void bake_formats(const char *what, batch_run *run) {
  run->every_format = true;
  const sinew_result result = batch_go(run);
  for (uint64_t i = 0; i < run->count; i++)
    if (run->errors[i].code) printf("# %llu: %s\n", (unsigned long long)i, run->errors[i].message);
  tell(result == SINEW_OK && run->published == run->count && same_bytes(run), what);
  batch_teardown(run);
}

static void bake_every_format(void) {
  static batch_run run;               /* too large for a stack */
  plane_store_memory_bytes = 1 << 14; /* some clips lie in memory, some in files */
  batch_setup(&run, WORKERS, JOBS);
  bake_formats("muscles_in_every_format", &run);
  batch_setup_bones(&run, WORKERS, JOBS, true);
  bake_formats("bones_in_every_format", &run);
  batch_setup_bones(&run, WORKERS, JOBS, true);
  run.via = SINEW_VIA_MUSCLE;
  bake_formats("bones_by_muscles_in_every_format", &run);
  batch_setup_character(&run, WORKERS, JOBS);
  bake_formats("own_bones_in_every_format", &run);
}

static bool stop_late(void *user, uint64_t done, uint64_t count) {
  return done * 4 < count * *(const uint64_t *)user;
}

static void bake_long(const char *what, sinew_format format, uint64_t stop_quarter) {
  static batch_run run; /* too large for a stack */
  char path[512];
  batch_setup(&run, WORKERS, 1);
  sinew_bake_options options = {
      .format = format, .rate_hz = 29000, .progress = stop_late, .user = &stop_quarter};
  const sinew_result result = sinew_bake(run.context, sinew_clip_file_clip(run.file, 0), run.rig, &options,
                                         batch_path(&run, 0, path), NULL, &run.error);
  if (result != SINEW_OK && result != SINEW_ERROR_CANCELLED) printf("# %s\n", run.error.message);
  tell(result == (stop_quarter < 5 ? SINEW_ERROR_CANCELLED : SINEW_OK), what);
  batch_teardown(&run);
}

static atomic_llong bytes_left;
static ssize_t write_to_full_disk(int fd, const void *bytes, size_t count, off_t offset) {
  if (atomic_fetch_sub(&bytes_left, (long long)count) >= (long long)count)
    return os_real.pwrite(fd, bytes, count, offset);
  errno = ENOSPC;
  return -1;
}

static void bake_to_full_disk(void) {
  os_calls calls = os_real;
  calls.pwrite = write_to_full_disk;
  atomic_store(&bytes_left, 3000000);
  static batch_run run; /* too large for a stack */
  batch_setup(&run, WORKERS, JOBS);
  os = &calls;
  const sinew_result result = batch_go(&run);
  os = &os_real;
  tell(result == SINEW_OK && run.failed && run.failed + run.published == JOBS, "a_full_disk");
  batch_teardown(&run);
}

int main(void) {
  bake_many("many_clips", false, NULL, 0);
  bake_many("many_clips_unverified", true, NULL, 0);
  bake_many("some_cannot_be_read", false, every_fifth, 0);
  bake_many("stopped_early", false, NULL, 1);
  bake_many("stopped_midway", false, NULL, 30000);
  bake_to_full_disk();
  bake_rows();
  bake_bones();
  bake_long("a_long_clip", SINEW_FORMAT_GLB, 5);
  bake_long("a_long_clip_stopped_while_computed", SINEW_FORMAT_GLB, 1);
  bake_long("a_long_clip_stopped_while_verified", SINEW_FORMAT_GLB, 3);
  bake_long("a_long_clip_stopped_at_its_last_frame", SINEW_FORMAT_GLB, 4);
  bake_every_format();
  static const char *const names[FORMATS] = {"a_long_glb", "a_long_vrma", "a_long_bvh",
                                             "a_long_npz", "a_long_anim", "a_long_csv"};
  static const char *const stopped[FORMATS] = {"a_glb_stopped",  "a_vrma_stopped",  "a_bvh_stopped",
                                               "an_npz_stopped", "an_anim_stopped", "a_csv_stopped"};
  for (int format = 0; format < FORMATS; format++) {
    bake_long(names[format], (sinew_format)format, 5);
    bake_long(stopped[format], (sinew_format)format, 4);
  }
  printf("1..30\n");
  return wrong != 0;
}
