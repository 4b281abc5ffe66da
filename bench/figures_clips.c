/* The figures of clips from their text to GLBs, beside the mere reading of the text: many short ones, a long
 * one. */
#include "bake_setting.h"
#include "base/heap.h"

static const double none = (double)NAN;

enum { SCAN, SCAN_ONE, PLAIN, VERIFIED, PLAIN_ONE, VERIFIED_ONE, WRITE_ALONE, STEP_COUNT };

typedef struct clips_names {
  const char *scan, *scan_one, *plain, *verified, *plain_one, *verified_one, *threads, *write_alone;
} clips_names;
#define CLIPS_NAMES(kind)                                                                                    \
  {                                                                                                          \
    kind "_scan", kind "_scan_one", kind "_over_scan", kind "_verified_over_scan", kind "_one_over_scan",    \
        kind "_verified_one_over_scan", kind "_threads_over_one", "write_alone_" kind                        \
  }

typedef struct clips_subject {
  const bake_setting *set;
  const files_folder *folder;
  uint32_t count;
  size_t byte_count; /* of all their text */
  void *glb;         /* the first one's */
  size_t glb_byte_count;
} clips_subject;

static double step(void *subject, int index) {
  const clips_subject *c = subject;
  const bool one = index == SCAN_ONE || index == PLAIN_ONE || index == VERIFIED_ONE;
  const sinew_context *context = one ? c->set->one : c->set->all;
  if (index == SCAN || index == SCAN_ONE)
    return files_scan_s(c->folder, c->count, sinew_context_threads(context));
  if (index == WRITE_ALONE) return files_write_alone_s(c->folder, c->glb, c->glb_byte_count);
  return files_convert_s(context, c->set->rig, c->folder, c->count,
                         index == VERIFIED || index == VERIFIED_ONE);
}

static void put_rate(figure_list *list, const clips_subject *c, const char *name, double s, double ratio) {
  if (c->count > 1)
    figures_put(list, name, "", c->count / s, "clips/s", ratio);
  else
    figures_put(list, name, "", (double)c->byte_count * 1e-6 / s, "MB/s", ratio);
}

static bool put_subject(figure_list *list, clips_subject *c, const clips_names *names, int rounds) {
  static step_times times;
  const double *s = times.median_s;
  bool ok = step(c, VERIFIED) > 0;
  c->glb = ok ? files_bytes(c->folder, "000000.glb", &c->glb_byte_count) : NULL;
  ok = c->glb && steps_run(step, c, STEP_COUNT, rounds, &times);
  heap_free(c->glb);
  if (!ok) return false;
  put_rate(list, c, names->scan, s[SCAN], none);
  put_rate(list, c, names->scan_one, s[SCAN_ONE], none);
  put_rate(list, c, names->plain, s[PLAIN], s[SCAN] / s[PLAIN]);
  put_rate(list, c, names->verified, s[VERIFIED], s[SCAN] / s[VERIFIED]);
  put_rate(list, c, names->plain_one, s[PLAIN_ONE], s[SCAN_ONE] / s[PLAIN_ONE]);
  put_rate(list, c, names->verified_one, s[VERIFIED_ONE], s[SCAN_ONE] / s[VERIFIED_ONE]);
  figures_put(list, names->write_alone, "", s[WRITE_ALONE] * 1e3, "ms", none);
  if (sinew_context_threads(c->set->all) > 1)
    figures_put(list, names->threads, "", none, "", s[VERIFIED_ONE] / s[VERIFIED]);
  return true;
}

static bool put_clips(figure_list *list, made_clip_shape shape, uint32_t count, const clips_names *names,
                      int rounds) {
  bake_setting set;
  if (!bake_setting_open(&set)) return false;
  bool ok = true;
  for (int place = 0; ok && place < PLACE_COUNT; place++) {
    files_folder folder;
    if (!place_open(place, &folder)) continue;
    clips_subject c = {.set = &set, .folder = &folder, .count = count};
    ok =
        files_put_clips(&folder, shape, count, &c.byte_count) && put_subject(list, &c, &names[place], rounds);
    files_folder_remove(&folder);
  }
  bake_setting_close(&set);
  return ok;
}

bool figures_of_clips(figure_list *list, bool quick) {
  static const clips_names short_names[PLACE_COUNT] = {CLIPS_NAMES("clips_shm"), CLIPS_NAMES("clips_disk")},
                           dense_names[PLACE_COUNT] = {CLIPS_NAMES("dense_shm"), CLIPS_NAMES("dense_disk")};
  const made_clip_shape dense = {.frames = 4001, .key_stride = 1, .rate_hz = 60}; /* 125 MB of text */
  return put_clips(list, made_clip_typical, quick ? 16 : 64, short_names, quick ? 5 : 15) &&
         put_clips(list, dense, 1, dense_names, quick ? 5 : 15);
}
