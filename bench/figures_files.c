/* The figures of files: text read, GLBs written, many clips converted, the program started. */
#include "figures.h"
#include "base/heap.h"
#include "files.h"
#include "measure/made_body.h"
#include "measure/made_clip.h"
#include "measure/timing.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_ROUNDS = 64 };

static const double none = (double)NAN;

/* ---- text
 * -------------------------------------------------------------------------------------------------- */

static bool put_text(figure_list *list, int input, const char *ratio_name, timing_effort effort) {
  text_set *set = text_set_open(input);
  if (!set) return input != TEXT_MADE; /* the others may not be there */
  bench_case cases[TEXT_CASE_COUNT];
  timed subjects[TEXT_CASE_COUNT];
  for (int i = 0; i < TEXT_CASE_COUNT; i++) {
    text_set_case(set, (text_case)i, &cases[i]);
    subjects[i] = (timed){.run = cases[i].run, .subject = cases[i].subject};
  }
  const bool ok = timing_run(subjects, TEXT_CASE_COUNT, effort);
  for (int i = 0; ok && i < TEXT_CASE_COUNT; i++)
    figures_put(list, cases[i].name, "", cases[i].bytes / subjects[i].least_s * 1e-6, "MB/s", none);
  if (ok)
    figures_put(list, ratio_name, "", none, "", subjects[TEXT_YAML].least_s / subjects[TEXT_SAMPLED].least_s);
  text_set_close(set);
  return ok;
}

bool figures_of_text(figure_list *list, bool quick) {
  const timing_effort effort = {.rounds = quick ? 5 : 21, .slice_s = 0.02};
  cpu_set_t cpus;
  bool ok = timing_cpus(&cpus) && timing_pin(&cpus, 0);
  ok = ok && put_text(list, TEXT_MADE, "text_over_yaml_made", effort);
  ok = ok && put_text(list, TEXT_SAMPLE, "text_over_yaml_sample", effort);
  ok = ok && put_text(list, TEXT_REAL, "text_over_yaml_real", effort);
  timing_unpin(&cpus);
  return ok;
}

/* ---- GLBs
 * ---------------------------------------------------------------------------------------------------- */

typedef struct long_run { /* the steps of one round, in turn */
  sinew_context *all, *one;
  sinew_clip_file *file;
  sinew_rig *rig;
} long_run;

static bool long_run_open(long_run *run, uint32_t frames, sinew_error *error) {
  /* 64 a second: every frame time is a float32 exactly */
  const made_clip_shape shape = {.frames = frames, .key_stride = frames / 200, .rate_hz = 64};
  size_t byte_count;
  char *text = made_clip_text(shape, &byte_count);
  const sinew_context_options single = {.thread_count = 1};
  const bool ok = text && sinew_context_open(NULL, &run->all, error) == SINEW_OK &&
                  sinew_context_open(&single, &run->one, error) == SINEW_OK &&
                  made_body(MADE_BODY_ALL, &run->rig, error) == SINEW_OK &&
                  sinew_clip_file_open_memory(text, byte_count, "long", NULL, &run->file, error) == SINEW_OK;
  heap_free(text);
  return ok;
}
static void long_run_close(long_run *run) {
  sinew_clip_file_close(run->file);
  sinew_rig_close(run->rig);
  sinew_context_close(run->all);
  sinew_context_close(run->one);
}

typedef struct glb_place {
  const char *folder;
  const char *alone, *plain, *verified, *threads; /* names of its figures */
} glb_place;

enum { GLB_ALONE, GLB_PLAIN, GLB_VERIFIED, GLB_ONE_THREAD, GLB_STEP_COUNT };

static bool take_round(const files_bake *bake, const files_bake *single, const void *bytes, size_t byte_count,
                       double s[GLB_STEP_COUNT][MOST_ROUNDS], int round) {
  s[GLB_ALONE][round] = files_write_alone_s(bake->folder, bytes, byte_count);
  s[GLB_PLAIN][round] = files_bake_s(bake, false);
  s[GLB_VERIFIED][round] = files_bake_s(bake, true);
  s[GLB_ONE_THREAD][round] = files_bake_s(single, true);
  for (int step = 0; step < GLB_STEP_COUNT; step++)
    if (s[step][round] <= 0) return false;
  return true;
}

static bool put_glb(figure_list *list, const long_run *run, const glb_place *place, int rounds) {
  static double s[GLB_STEP_COUNT][MOST_ROUNDS];
  files_folder folder;
  if (!files_folder_make(place->folder, &folder)) {
    fprintf(stderr, "cannot write to %s: no figures of it\n", place->folder);
    return true;
  }
  const files_bake bake = {run->all, sinew_clip_file_clip(run->file, 0), run->rig, &folder};
  files_bake single = bake;
  single.context = run->one;
  size_t byte_count = 0;
  bool ok = files_bake_s(&bake, false) > 0;
  void *bytes = ok ? files_bake_bytes(&bake, &byte_count) : NULL;
  ok = bytes != NULL;
  for (int round = 0; ok && round < rounds; round++)
    ok = take_round(&bake, &single, bytes, byte_count, s, round);
  files_folder_remove(&folder);
  heap_free(bytes);
  if (!ok) return false;
  double median_s[GLB_STEP_COUNT];
  for (int step = 0; step < GLB_STEP_COUNT; step++) median_s[step] = timing_median(s[step], (size_t)rounds);
  const double megabytes = (double)byte_count * 1e-6;
  figures_put(list, place->alone, "", megabytes / median_s[GLB_ALONE], "MB/s", none);
  figures_put(list, place->plain, "", megabytes / median_s[GLB_PLAIN], "MB/s",
              median_s[GLB_ALONE] / median_s[GLB_PLAIN]);
  figures_put(list, place->verified, "", megabytes / median_s[GLB_VERIFIED], "MB/s",
              median_s[GLB_ALONE] / median_s[GLB_VERIFIED]);
  if (sinew_context_threads(run->all) > 1)
    figures_put(list, place->threads, "", megabytes / median_s[GLB_ONE_THREAD], "MB/s",
                median_s[GLB_ONE_THREAD] / median_s[GLB_VERIFIED]);
  return true;
}

/* The folder for figures of a disk: TMPDIR, else /var/tmp, which unlike /tmp is no memory anywhere. */
static const char *disk_folder(void) {
  const char *given = getenv("TMPDIR");
  return given && *given ? given : "/var/tmp";
}

bool figures_of_glb(figure_list *list, bool quick) {
  const glb_place places[] = {{"/dev/shm", "write_alone_shm", "glb_shm_over_write",
                               "glb_shm_verified_over_write", "glb_shm_threads_over_one"},
                              {disk_folder(), "write_alone_disk", "glb_disk_over_write",
                               "glb_disk_verified_over_write", "glb_disk_threads_over_one"}};
  const uint32_t frames = quick ? 20000 : 100000;
  long_run run = {0};
  sinew_error error = {0};
  bool ok = long_run_open(&run, frames, &error);
  if (!ok) fprintf(stderr, "%s\n", error.message);
  for (size_t i = 0; ok && i < sizeof places / sizeof *places; i++)
    ok = put_glb(list, &run, &places[i], quick ? 3 : 9);
  long_run_close(&run);
  return ok;
}

/* ---- many clips
 * ------------------------------------------------------------------------------------------------ */

typedef struct clips_place {
  const char *folder;
  const char *scan, *one, *all, *over_scan, *threads;
} clips_place;

enum { CLIPS_SCAN, CLIPS_ONE, CLIPS_ALL, CLIPS_STEP_COUNT };

static bool put_clips(figure_list *list, const long_run *run, const clips_place *place, uint32_t count,
                      int rounds) {
  static double s[CLIPS_STEP_COUNT][MOST_ROUNDS];
  files_folder folder;
  size_t byte_count;
  if (!files_folder_make(place->folder, &folder)) {
    fprintf(stderr, "cannot write to %s: no figures of it\n", place->folder);
    return true;
  }
  bool ok = files_put_clips(&folder, count, &byte_count);
  for (int round = 0; ok && round < rounds; round++) {
    s[CLIPS_SCAN][round] = files_scan_s(&folder, count, sinew_context_threads(run->all));
    s[CLIPS_ALL][round] = files_convert_s(run->all, run->rig, &folder, count, true);
    s[CLIPS_ONE][round] = files_convert_s(run->one, run->rig, &folder, count, true);
    for (int step = 0; step < CLIPS_STEP_COUNT; step++) ok = ok && s[step][round] > 0;
  }
  files_folder_remove(&folder);
  if (!ok) return false;
  double median_s[CLIPS_STEP_COUNT];
  for (int step = 0; step < CLIPS_STEP_COUNT; step++) median_s[step] = timing_median(s[step], (size_t)rounds);
  figures_put(list, place->scan, "", (double)byte_count * 1e-6 / median_s[CLIPS_SCAN], "MB/s", none);
  figures_put(list, place->one, "", count / median_s[CLIPS_ONE], "clips/s", none);
  figures_put(list, place->all, "", count / median_s[CLIPS_ALL], "clips/s", none);
  figures_put(list, place->over_scan, "", (double)byte_count * 1e-6 / median_s[CLIPS_ALL], "MB/s",
              median_s[CLIPS_SCAN] / median_s[CLIPS_ALL]);
  if (sinew_context_threads(run->all) > 1)
    figures_put(list, place->threads, "", none, "", median_s[CLIPS_ONE] / median_s[CLIPS_ALL]);
  return true;
}

bool figures_of_clips(figure_list *list, bool quick) {
  const clips_place places[] = {{"/dev/shm", "clips_shm_scan", "clips_shm_one_thread", "clips_shm",
                                 "clips_shm_over_scan", "clips_shm_threads_over_one"},
                                {disk_folder(), "clips_disk_scan", "clips_disk_one_thread", "clips_disk",
                                 "clips_disk_over_scan", "clips_disk_threads_over_one"}};
  long_run run = {0};
  sinew_error error = {0};
  bool ok = long_run_open(&run, 400, &error);
  if (!ok) fprintf(stderr, "%s\n", error.message);
  for (size_t i = 0; ok && i < sizeof places / sizeof *places; i++)
    ok = put_clips(list, &run, &places[i], quick ? 16 : 64, quick ? 3 : 9);
  long_run_close(&run);
  return ok;
}

bool figures_of_start(figure_list *list, bool quick) {
  double s[MOST_ROUNDS];
  const int rounds = quick ? 15 : MOST_ROUNDS - 1;
  for (int round = 0; round < rounds; round++) {
    s[round] = files_start_s();
    if (s[round] < 0) {
      fputs("the program cannot be started\n", stderr);
      return false;
    }
  }
  const double median_ms = timing_median(s, (size_t)rounds) * 1e3;
  figures_put(list, "start_ms", "", median_ms, "ms", median_ms);
  return true;
}
