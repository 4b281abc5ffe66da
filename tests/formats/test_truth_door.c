/* Through the public door: the takes that the editor made clips of, put on the rigs they came from and
 * written as .anim files, give the editor's own clips at their every key. tests/truth has the same of the
 * kernels.
 *
 * The last frame of one take was cut off before the clip was made of it: its keys there are the editor's own
 * interpolation. */
#include "clip/clip.h"
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct {
  const char *name;
  bool cut;
} cases[] = {{"ibrahimozturk47_TwinSword_Idle", false},
             {"HEL-d_Y_BotHead_Nod_Yes", true},
             {"HEL-d_Y_BotLaughing", false},
             {"N1rium_female_move_run_back_left", false},
             {"N1rium_female_move_run_front", false}};

typedef struct apart {
  size_t count, room;
  double *of;
} apart;

enum { MUSCLES, ROOT_T, ROOT_Q, GOAL_T, GOAL_Q, KINDS };
static const struct {
  const char *what;
  double most, most_99; /* 0: no other */
} limits[KINDS] = {{"muscles", 1e-3, 2e-5},
                   {"RootT", 2e-6, 0},
                   {"RootQ, degrees", 2e-4, 0},
                   {"goals T", 2e-6, 0},
                   {"goals Q, degrees", 2e-4, 0}};

static const char *path_of(const char *name, const char *suffix) {
  char path[256];
  snprintf(path, sizeof path, "humanoid/truth/%s%s", name, suffix);
  return test_data(path);
}

static void add(apart *a, double value) {
  if (a->count == a->room) a->of = realloc(a->of, (a->room = a->room ? 2 * a->room : 4096) * sizeof *a->of);
  a->of[a->count++] = value == value ? value : INFINITY;
}
static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
static double share_of(apart *a, double share) {
  if (a->count == 0) return INFINITY;
  qsort(a->of, a->count, sizeof *a->of, ascending);
  return a->of[(size_t)(share * (double)(a->count - 1) + 0.5)];
}

static int kind_of(int channel, bool *is_turn) {
  *is_turn = false;
  if (channel >= CLIP_CHANNEL_MUSCLE && channel < CLIP_CHANNEL_TDOF) return MUSCLES;
  if (channel >= CLIP_CHANNEL_GOAL && channel < CLIP_CHANNEL_MUSCLE) {
    *is_turn = (channel - CLIP_CHANNEL_GOAL) % 7 >= 3;
    return *is_turn ? GOAL_Q : GOAL_T;
  }
  if (channel < CLIP_CHANNEL_ROOT || channel >= CLIP_CHANNEL_GOAL) return -1;
  *is_turn = channel - CLIP_CHANNEL_ROOT >= 3;
  return *is_turn ? ROOT_Q : ROOT_T;
}

/* A key of ours at a time of the editor's: frames have all of them. A curve that stands still has fewer. */
static double value_at(const sinew_clip *clip, const clip_curve *curve, double time_s) {
  if (curve->constant) return (double)clip->value[curve->first_key];
  for (uint64_t k = curve->first_key; k < curve->first_key + curve->key_count; k++)
    if (fabs((double)clip->time_s[k] - time_s) < 1e-4) return (double)clip->value[k];
  return NAN;
}

/* Turns component by component, as keys are reduced: to first order one is off by no more than half the
 * angle. The sign of a quaternion as a whole is nobody's. */
static void compare_curve(const sinew_clip *editor, const sinew_clip *own, int channel, bool cut,
                          apart *all) {
  bool is_turn;
  const int kind = kind_of(channel, &is_turn);
  const int32_t from = editor->curve_of_channel[channel], to = own->curve_of_channel[channel];
  if (kind < 0 || from < 0) return;
  cr_assert(to >= 0, "no curve of %s", clip_channel_name(channel));
  const clip_curve *curve = &editor->curves[from];
  for (uint64_t k = curve->first_key; k < curve->first_key + curve->key_count; k++) {
    const double time_s = (double)editor->time_s[k], wanted = (double)editor->value[k];
    if (cut && time_s >= editor->stop_s - 1e-4) continue;
    const double got = value_at(own, &own->curves[to], time_s);
    add(&all[kind],
        is_turn ? fmin(fabs(got - wanted), fabs(got + wanted)) * 2 * 180 / M_PI : fabs(got - wanted));
  }
}

static void judge(const char *name, const char *isa, apart *all) {
  for (int kind = 0; kind < KINDS; kind++) {
    const double most = share_of(&all[kind], 1), most_99 = share_of(&all[kind], 0.99);
    if (getenv("SINEW_TEST_VERBOSE"))
      fprintf(stderr, "%s %s: %s: 99%% %.2g, most %.2g of %zu keys\n", name, isa, limits[kind].what, most_99,
              most, all[kind].count);
    cr_expect(most <= limits[kind].most, "%s on %s: %s %.3g, at most %.3g expected", name, isa,
              limits[kind].what, most, limits[kind].most);
    cr_expect(limits[kind].most_99 == 0 || most_99 <= limits[kind].most_99, "%s on %s: %s %.3g of 99%%", name,
              isa, limits[kind].what, most_99);
    free(all[kind].of);
  }
}

static void go(const char *name, bool cut, const char *isa, const char *folder) {
  char path[512];
  sinew_error error;
  apart all[KINDS] = {0};
  sinew_context *context = test_open_context(isa, 2);
  sinew_rig *rig = test_open_rig(path_of(name, ".fbx.meta"));
  sinew_clip_file *take = test_open_clip(path_of(name, ".take.glb")),
                  *editor = test_open_clip(path_of(name, ".anim"));
  const sinew_bake_options options = {.format = SINEW_FORMAT_ANIM};
  sinew_bake_report report;
  snprintf(path, sizeof path, "%s/own.anim", folder);
  cr_assert(sinew_bake(context, sinew_clip_file_clip(take, 0), rig, &options, path, &report, &error) ==
                SINEW_OK,
            "%s: %s", name, error.message);
  cr_expect(report.muscles.from_bones && report.verified);
  sinew_clip_file *own = test_open_clip(path);
  for (int channel = 0; channel < CLIP_CHANNEL_COUNT; channel++)
    compare_curve(sinew_clip_file_clip(editor, 0), sinew_clip_file_clip(own, 0), channel, cut, all);
  judge(name, sinew_context_isa(context), all);
  unlink(path);
  sinew_clip_file_close(own), sinew_clip_file_close(editor), sinew_clip_file_close(take);
  sinew_rig_close(rig);
  sinew_context_close(context);
}

Test(truth_door, takes_become_the_editors_own_clips) {
  NEED_DATA();
  char *folder = test_folder_make();
  const char *isa;
  for (uint32_t i = 0; (isa = sinew_isa_available(i)); i++)
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) go(cases[c].name, cases[c].cut, isa, folder);
  test_folder_remove(folder);
}
