/* The figures of long GLBs: from muscles in memory, and a million frames by the program, beside the mere
 * writing of their bytes. */
#include "bake_setting.h"
#include "base/heap.h"
#include "inputs.h"
#include "made_rows.h"

#include <stdio.h>

static const double none = (double)NAN;

/* ---- both kinds ------------------------------------------------------------------------------------------
 */

/* What is taken in turn. */
enum { ALONE, CACHED, PLAIN, VERIFIED, PLAIN_ONE, VERIFIED_ONE, STEP_COUNT };

typedef struct glb_names {
  const char *alone, *cached, *plain, *verified, *plain_one, *verified_one, *plain_threads, *verified_threads;
} glb_names;
#define GLB_NAMES(kind, place, alone)                                                                        \
  {                                                                                                          \
    alone, alone "_cached", kind "_" place "_over_write", kind "_" place "_verified_over_write",             \
        kind "_" place "_one_over_write", kind "_" place "_verified_one_over_write",                         \
        kind "_" place "_plain_threads_over_one", kind "_" place "_threads_over_one"                         \
  }

static void put_steps(figure_list *list, const glb_names *names, size_t byte_count, const double *s,
                      uint32_t threads) {
  const double megabytes = (double)byte_count * 1e-6;
  figures_put(list, names->alone, "", megabytes / s[ALONE], "MB/s", none);
  figures_put(list, names->cached, "", megabytes / s[CACHED], "MB/s", none);
  figures_put(list, names->plain, "", megabytes / s[PLAIN], "MB/s", s[ALONE] / s[PLAIN]);
  figures_put(list, names->verified, "", megabytes / s[VERIFIED], "MB/s", s[ALONE] / s[VERIFIED]);
  figures_put(list, names->plain_one, "", megabytes / s[PLAIN_ONE], "MB/s", s[ALONE] / s[PLAIN_ONE]);
  figures_put(list, names->verified_one, "", megabytes / s[VERIFIED_ONE], "MB/s", s[ALONE] / s[VERIFIED_ONE]);
  if (threads < 2) return;
  figures_put(list, names->plain_threads, "", none, "", s[PLAIN_ONE] / s[PLAIN]);
  figures_put(list, names->verified_threads, "", none, "", s[VERIFIED_ONE] / s[VERIFIED]);
}

/* One of two ways to a file, then the figures of both. */
typedef struct glb_subject {
  files_bake all, one;   /* in this process */
  files_program program; /* clip NULL: not by the program */
  const char *name;      /* of the file that results */
  const files_folder *folder;
  uint32_t threads;
  void *bytes; /* what it holds */
  size_t byte_count;
} glb_subject;

static double bake_s(const glb_subject *g, bool all, bool verify) {
  if (g->program.clip) return files_program_s(&g->program, all ? g->threads : 1, verify);
  return files_bake_s(all ? &g->all : &g->one, verify);
}

static double step(void *subject, int index) {
  const glb_subject *g = subject;
  if (index == ALONE) return files_write_alone_s(g->folder, g->bytes, g->byte_count);
  if (index == CACHED) return files_write_cached_s(g->folder, g->byte_count);
  return bake_s(g, index == PLAIN || index == VERIFIED, index == VERIFIED || index == VERIFIED_ONE);
}

static bool put_subject(figure_list *list, glb_subject *g, const glb_names *names, int rounds) {
  static step_times times;
  bool ok = bake_s(g, true, false) > 0;
  g->bytes = ok ? files_bytes(g->folder, g->name, &g->byte_count) : NULL;
  ok = g->bytes && steps_run(step, g, STEP_COUNT, rounds, &times);
  if (ok) put_steps(list, names, g->byte_count, times.median_s, g->threads);
  heap_free(g->bytes);
  return ok;
}

bool figures_of_glb(figure_list *list, bool quick) {
  static const glb_names names[PLACE_COUNT] = {GLB_NAMES("glb", "shm", "write_alone_shm"),
                                               GLB_NAMES("glb", "disk", "write_alone_disk")};
  bake_setting set;
  made_rows rows;
  if (!bake_setting_open(&set)) return false;
  const bool opened = made_rows_open(&rows, 100000);
  bool ok = opened;
  for (int place = 0; ok && place < PLACE_COUNT; place++) {
    files_folder folder;
    if (!place_open(place, &folder)) continue;
    glb_subject g = {.all = {set.all, sinew_clip_file_clip(rows.file, 0), set.rig, &folder},
                     .name = "baked.glb",
                     .folder = &folder,
                     .threads = sinew_context_threads(set.all)};
    g.one = g.all;
    g.one.context = set.one;
    ok = put_subject(list, &g, &names[place], quick ? 5 : 15);
    files_folder_remove(&folder);
  }
  if (opened) made_rows_close(&rows);
  bake_setting_close(&set);
  return ok;
}

/* The sample at a rate that makes a million frames of it, from the program's start to its end. */
bool figures_of_long(figure_list *list, bool quick) {
  static const glb_names names[PLACE_COUNT] = {GLB_NAMES("long", "shm", "write_alone_long_shm"),
                                               GLB_NAMES("long", "disk", "write_alone_long_disk")};
  bake_setting set;
  if (!input_sample_clip() || !input_sample_rig()) {
    fputs("the sample is not there: no figures of a million frames\n", stderr);
    return true;
  }
  if (!bake_setting_open(&set)) return false;
  bool ok = true;
  for (int place = 0; ok && place < PLACE_COUNT; place++) {
    files_folder folder;
    if (!place_open(place, &folder)) continue;
    glb_subject g = {.program = {&folder, input_sample_clip(), input_sample_rig(), "937400"},
                     .name = "program.glb",
                     .folder = &folder,
                     .threads = sinew_context_threads(set.all)};
    ok = put_subject(list, &g, &names[place], quick ? 3 : 5);
    files_folder_remove(&folder);
  }
  bake_setting_close(&set);
  return ok;
}
