/* The figures of files: text read, GLBs written, many clips converted, the program started. */
#include "figures.h"
#include "base/heap.h"
#include "files.h"
#include "measure/made_body.h"
#include "measure/made_clip.h"
#include "kernels.h"
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

typedef struct setting { /* what bakes need, as users have it: all CPUs, or one */
  sinew_context *all, *one;
  sinew_rig *rig;
} setting;

static void setting_close(setting *set) {
  sinew_rig_close(set->rig);
  sinew_context_close(set->all);
  sinew_context_close(set->one);
}
static bool setting_open(setting *set) {
  const sinew_context_options single = {.thread_count = 1};
  sinew_error error = {0};
  *set = (setting){0};
  if (sinew_context_open(NULL, &set->all, &error) == SINEW_OK &&
      sinew_context_open(&single, &set->one, &error) == SINEW_OK &&
      made_body(MADE_BODY_ALL, &set->rig, &error) == SINEW_OK)
    return true;
  fprintf(stderr, "%s\n", error.message);
  setting_close(set);
  return false;
}

/* Muscles in memory, a row a frame, that move all the time. */
typedef struct row_clip {
  float *values;
  sinew_clip_file *file;
} row_clip;

static void row_clip_close(row_clip *rows) {
  sinew_clip_file_close(rows->file);
  heap_free(rows->values);
}
static bool row_clip_open(row_clip *rows, uint32_t frames) {
  enum { COLUMNS = SINEW_PLANE_GOAL }; /* the root, then the muscles */
  const double rate_hz = 64;           /* every frame time is a float32 exactly */
  *rows = (row_clip){.values = heap_alloc_unset((size_t)frames * COLUMNS * sizeof(float))};
  for (uint32_t f = 0; rows->values && f < frames; f++)
    for (int plane = 0; plane < COLUMNS; plane++)
      rows->values[(size_t)f * COLUMNS + (size_t)plane] = (float)made_clip_value(plane, f / rate_hz);
  const sinew_row_clip given = {.name = "rows",
                                .rate_hz = rate_hz,
                                .frame_count = frames,
                                .values = rows->values,
                                .column_count = COLUMNS};
  sinew_error error = {.message = "out of memory"};
  if (rows->values && sinew_clip_from_rows(&given, NULL, &rows->file, &error) == SINEW_OK) return true;
  fprintf(stderr, "%s\n", error.message);
  row_clip_close(rows);
  return false;
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

static bool put_glb(figure_list *list, const setting *set, const sinew_clip *clip, const glb_place *place,
                    int rounds) {
  static double s[GLB_STEP_COUNT][MOST_ROUNDS];
  files_folder folder;
  if (!files_folder_make(place->folder, &folder)) {
    fprintf(stderr, "cannot write to %s: no figures of it\n", place->folder);
    return true;
  }
  const files_bake bake = {set->all, clip, set->rig, &folder};
  files_bake single = bake;
  single.context = set->one;
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
  if (sinew_context_threads(set->all) > 1)
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
  setting set;
  row_clip rows;
  if (!setting_open(&set)) return false;
  const bool opened = row_clip_open(&rows, quick ? 20000 : 100000);
  bool ok = opened;
  for (size_t i = 0; ok && i < sizeof places / sizeof *places; i++)
    ok = put_glb(list, &set, sinew_clip_file_clip(rows.file, 0), &places[i], quick ? 3 : 9);
  if (opened) row_clip_close(&rows);
  setting_close(&set);
  return ok;
}

/* ---- many clips
 * ------------------------------------------------------------------------------------------------ */

typedef struct clips_place {
  const char *folder;
  const char *scan, *one, *all, *over_scan, *threads;
} clips_place;

enum { CLIPS_SCAN, CLIPS_ONE, CLIPS_ALL, CLIPS_STEP_COUNT };

static bool put_clips(figure_list *list, const setting *set, const clips_place *place, uint32_t count,
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
    s[CLIPS_SCAN][round] = files_scan_s(&folder, count, sinew_context_threads(set->all));
    s[CLIPS_ALL][round] = files_convert_s(set->all, set->rig, &folder, count, true);
    s[CLIPS_ONE][round] = files_convert_s(set->one, set->rig, &folder, count, true);
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
  if (sinew_context_threads(set->all) > 1)
    figures_put(list, place->threads, "", none, "", median_s[CLIPS_ONE] / median_s[CLIPS_ALL]);
  return true;
}

bool figures_of_clips(figure_list *list, bool quick) {
  const clips_place places[] = {{"/dev/shm", "clips_shm_scan", "clips_shm_one_thread", "clips_shm",
                                 "clips_shm_over_scan", "clips_shm_threads_over_one"},
                                {disk_folder(), "clips_disk_scan", "clips_disk_one_thread", "clips_disk",
                                 "clips_disk_over_scan", "clips_disk_threads_over_one"}};
  setting set;
  if (!setting_open(&set)) return false;
  bool ok = true;
  for (size_t i = 0; ok && i < sizeof places / sizeof *places; i++)
    ok = put_clips(list, &set, &places[i], quick ? 16 : 64, quick ? 3 : 9);
  setting_close(&set);
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
