/* The figures of what is written: each format's text by itself on one core, and whole files of each format
 * beside the mere writing of their bytes. */
#include "bake_setting.h"
#include "base/heap.h"
#include "made_rows.h"
#include "measure/timing.h"
#include "written_text.h"

#include <stdio.h>

static const double none = (double)NAN;

/* ---- text in memory ------------------------------------------------------------------------------------ */

static bool put_written_text(figure_list *list, bool quick) {
  const timing_effort effort = {.rounds = quick ? 5 : 21, .slice_s = 0.02};
  cpu_set_t cpus;
  written_text *text = written_text_open();
  if (!text) return false;
  bench_case cases[WRITTEN_CASE_COUNT];
  timed subjects[WRITTEN_CASE_COUNT];
  for (int i = 0; i < WRITTEN_CASE_COUNT; i++) {
    written_text_case(text, (written_case)i, &cases[i]);
    subjects[i] = (timed){.run = cases[i].run, .subject = cases[i].subject};
  }
  const bool ok =
      timing_cpus(&cpus) && timing_pin(&cpus, 0) && timing_run(subjects, WRITTEN_CASE_COUNT, effort);
  timing_unpin(&cpus);
  for (int i = 0; ok && i < WRITTEN_CASE_COUNT; i++) {
    if (cases[i].bytes > 0)
      figures_put(list, cases[i].name, "", cases[i].bytes / subjects[i].least_s * 1e-6, "MB/s", none);
    else
      figures_put(list, cases[i].name, "", subjects[i].least_s / cases[i].poses * 1e9, "ns/pose", none);
  }
  written_text_close(text);
  return ok;
}

/* ---- whole files, in memory ----------------------------------------------------------------------------
 */

typedef struct format_names {
  sinew_format format;
  uint32_t frames; /* of a hundred megabytes or more */
  const char *alone, *plain, *verified, *one, *threads;
} format_names;
#define FORMAT_NAMES(format, name, frames)                                                                   \
  {                                                                                                          \
    format, frames, "write_alone_" name, name "_over_write", name "_verified_over_write",                    \
        name "_one_over_write", name "_threads_over_one"                                                     \
  }
static const format_names formats[] = {
    FORMAT_NAMES(SINEW_FORMAT_VRMA, "vrma", 100000), FORMAT_NAMES(SINEW_FORMAT_NPZ, "npz", 60000),
    FORMAT_NAMES(SINEW_FORMAT_BVH, "bvh", 60000), FORMAT_NAMES(SINEW_FORMAT_ANIM, "anim", 6000),
    FORMAT_NAMES(SINEW_FORMAT_CSV, "csv", 100000)};

/* What is taken in turn. */
enum { ALONE, PLAIN, VERIFIED, ONE, STEP_COUNT };

typedef struct format_subject {
  files_bake all, one;
  void *bytes;
  size_t byte_count;
} format_subject;

static double step(void *subject, int index) {
  const format_subject *s = subject;
  if (index == ALONE) return files_write_alone_s(s->all.folder, s->bytes, s->byte_count);
  return files_bake_s(index == ONE ? &s->one : &s->all, index == VERIFIED);
}

static bool put_format(figure_list *list, const bake_setting *set, const files_folder *folder,
                       const format_names *names, int rounds) {
  static step_times times;
  made_rows rows;
  if (!made_rows_open(&rows, names->frames)) return false;
  format_subject s = {.all = {set->all, sinew_clip_file_clip(rows.file, 0), set->rig, folder, names->format}};
  s.one = s.all;
  s.one.context = set->one;
  bool ok = files_bake_s(&s.all, false) > 0;
  s.bytes = ok ? files_bytes(folder, "baked.glb", &s.byte_count) : NULL;
  ok = s.bytes && steps_run(step, &s, STEP_COUNT, rounds, &times);
  const double *m = times.median_s, megabytes = (double)s.byte_count * 1e-6;
  if (ok) {
    figures_put(list, names->alone, "", megabytes / m[ALONE], "MB/s", none);
    figures_put(list, names->plain, "", megabytes / m[PLAIN], "MB/s", m[ALONE] / m[PLAIN]);
    figures_put(list, names->verified, "", megabytes / m[VERIFIED], "MB/s", m[ALONE] / m[VERIFIED]);
    figures_put(list, names->one, "", megabytes / m[ONE], "MB/s", m[ALONE] / m[ONE]);
    figures_put(list, names->threads, "", none, "", m[ONE] / m[PLAIN]);
  }
  heap_free(s.bytes);
  made_rows_close(&rows);
  return ok;
}

bool figures_of_formats(figure_list *list, bool quick) {
  bake_setting set;
  files_folder folder;
  if (!put_written_text(list, quick)) return false;
  if (!place_open(0, &folder)) return true;
  bool ok = bake_setting_open(&set);
  for (size_t i = 0; ok && i < sizeof formats / sizeof *formats; i++)
    ok = put_format(list, &set, &folder, &formats[i], quick ? 3 : 9);
  bake_setting_close(&set);
  files_folder_remove(&folder);
  return ok;
}
