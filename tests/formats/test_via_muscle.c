/* Muscles to bones and back, and bones from one rig to another by muscles and back, all through files.
 * Muscles come back as they went on every rig, limbs that are to land exactly; hands and feet land where they
 * stood. What the editor's own rule for limbs costs is told with SINEW_TEST_VERBOSE: it stops within 0.1
 * degrees of a hinge's and an end's axis. */
#include "posed.h"
#include "rig/quat.h"
#include "rows/made_rows.h"
#include "support/bake.h"
#include "support/compare.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A limb's bend: some 18 degrees, where muscles of a hinge grow uncertain; some 9, where hands and feet do on
 * their way back from another rig, whose hinge may stop short of straight. */
static const double straight = 0.05, nearly_straight = 0.0123;

enum { FRAMES = 192, COLUMNS = SINEW_ROOT_CHANNEL_COUNT + SINEW_MUSCLE_COUNT, RIGS = 96 };

static const int ends[4] = {HUMAN_LEFT_FOOT, HUMAN_RIGHT_FOOT, HUMAN_LEFT_HAND, HUMAN_RIGHT_HAND};

typedef struct rigs {
  sinew_rig *rig[RIGS];
  const char *name[RIGS];
  uint32_t count;
} rigs;

static void open_rigs(rigs *all, bool models) {
  static const char *const kinds[][2] = {{"humanoid/metas", ".meta"},
                                         {"humanoid/truth", ".meta"},
                                         {"humanoid/avatars", ".meta"},
                                         {"humanoid/avatars", ".asset"},
                                         {"humanoid/avatars", ".prefab"},
                                         {"rigs", ".glb"},
                                         {"rigs", ".vrm"},
                                         {"bvh", ".bvh"}};
  all->count = 0;
  for (size_t i = 0; i < (models ? 8u : 5u); i++) {
    size_t count;
    char **paths = test_data_list(kinds[i][0], kinds[i][1], &count);
    for (size_t k = 0; k < count && all->count < RIGS; k++) {
      sinew_error error;
      if (sinew_rig_open(paths[k], NULL, &all->rig[all->count], &error) != SINEW_OK) continue;
      all->name[all->count++] = strrchr(paths[k], '/') + 1;
    }
  }
}

static void close_rigs(rigs *all) {
  for (uint32_t i = 0; i < all->count; i++) sinew_rig_close(all->rig[i]);
}

static void keep_most(double *most, double value) {
  if (!(value <= *most)) *most = value == value ? value : (double)INFINITY;
}

static sinew_clip_file *bake(const sinew_context *context, const sinew_clip *clip, const sinew_rig *rig,
                             const sinew_bake_options *options, const char *folder) {
  char path[512], text[1024];
  sinew_error error;
  snprintf(path, sizeof path, "%s/way.%s", folder, sinew_format_name(options->format));
  cr_assert(sinew_bake(context, clip, rig, options, path, NULL, &error) == SINEW_OK, "%s",
            sinew_error_text(&error, text, sizeof text));
  sinew_clip_file *file = test_open_clip(path);
  unlink(path);
  return file;
}

/* ---- there and back on one rig ----------------------------------------------------------------------------
 */

static bool is_stretch(int muscle) {
  const int bone = human_muscles[muscle].bone;
  return human_muscles[muscle].axis == 2 && (bone == HUMAN_LEFT_LOWER_ARM || bone == HUMAN_RIGHT_LOWER_ARM ||
                                             bone == HUMAN_LEFT_LOWER_LEG || bone == HUMAN_RIGHT_LOWER_LEG);
}

/* Within 0.9 of each muscle's range, limbs bent: one is straight at 1. */
static sinew_clip_file *random_clip(float values[FRAMES][COLUMNS]) {
  for (uint64_t f = 0; f < FRAMES; f++) {
    const double half = 3 * row_noise(f, 500);
    float *row = values[f];
    for (int c = 0; c < 3; c++) row[c] = (float)((c == 1) + 0.3 * row_noise(f, 600 + (uint64_t)c));
    row[3] = (float)(0.6 * sin(half)), row[4] = (float)(0.8 * sin(half)), row[5] = 0,
    row[6] = (float)cos(half);
    for (int m = 0; m < SINEW_MUSCLE_COUNT; m++) {
      const double noise = row_noise(f * 131 + 7, (uint64_t)m);
      row[7 + m] = (float)(is_stretch(m) ? -0.15 + 0.75 * noise : 0.9 * noise);
    }
  }
  const sinew_row_clip rows = {
      .name = "random", .rate_hz = 30, .frame_count = FRAMES, .values = values[0], .column_count = COLUMNS};
  return rows_open(&rows);
}

static bool has_muscle(const sinew_rig *rig, int m) {
  const human_muscle_entry *entry = &human_muscles[m];
  const rig_axes *axes = &rig->axes[entry->bone];
  return rig->node_of_bone[entry->bone] >= 0 &&
         (axes->min_rad[entry->axis] != 0 || axes->max_rad[entry->axis] != 0);
}

/* The limb of a bone, upper to end; -1: none. */
static int limb_of(int bone) {
  for (int i = 0; i < 4; i++)
    if (bone == ends[i] || bone == ends[i] - 2 || bone == ends[i] - 4) return i;
  return -1;
}

/* How far a limb is from straight or folded: of both a distance says little of the angle. */
static bool is_straight(const posed *p, const sinew_rig *rig, int limb) {
  double a[3], b[3];
  const int end = ends[limb];
  for (int c = 0; c < 3; c++) {
    a[c] = p->t[rig->node_of_bone[end - 2]][c] - p->t[rig->node_of_bone[end - 4]][c];
    b[c] = p->t[rig->node_of_bone[end]][c] - p->t[rig->node_of_bone[end - 2]][c];
  }
  return 1 - fabs(vec_dot(a, b)) / sqrt(vec_dot(a, a) * vec_dot(b, b)) < straight;
}

typedef struct loss {
  double muscle, root_t, root_deg;
  double sum;
  uint64_t count;
} loss;

static void compare_frame(const posed *back, const posed *there, const sinew_rig *rig, const float *row,
                          uint32_t lane, loss *l) {
  bool is[4];
  double q[4], wanted[4];
  for (int i = 0; i < 4; i++) is[i] = is_straight(there, rig, i);
  for (int m = 0; m < SINEW_MUSCLE_COUNT; m++) {
    const int limb = limb_of(human_muscles[m].bone);
    if (!has_muscle(rig, m) || (limb >= 0 && is[limb])) continue;
    const double off = fabs((double)posed_plane(back, SINEW_PLANE_MUSCLE + m, lane) - (double)row[7 + m]);
    keep_most(&l->muscle, off);
    l->sum += off;
    l->count++;
  }
  for (int c = 0; c < 3; c++)
    keep_most(&l->root_t, fabs((double)posed_plane(back, c, lane) - (double)row[c]));
  for (int c = 0; c < 4; c++) q[c] = (double)posed_plane(back, 3 + c, lane), wanted[c] = (double)row[3 + c];
  keep_most(&l->root_deg, angle_deg(q, wanted));
}

static loss there_and_back(const sinew_context *context, const sinew_rig *rig, const sinew_clip *clip,
                           float values[FRAMES][COLUMNS], sinew_limb limb, const char *folder) {
  loss l = {0};
  sinew_error error;
  const sinew_bake_options there = {.mesh = SINEW_MESH_NONE},
                           back = {.format = SINEW_FORMAT_ANIM, .limb = limb};
  sinew_clip_file *bones = bake(context, clip, rig, &there, folder),
                  *muscles = bake(context, sinew_clip_file_clip(bones, 0), rig, &back, folder);
  posed a, b;
  const bake_choice planes = {.no_pose = true, .planes = true};
  cr_assert(posed_open(clip, rig, NULL, &a, &error) &&
            posed_open(sinew_clip_file_clip(muscles, 0), NULL, &planes, &b, &error));
  cr_assert(a.plan.frame_count == FRAMES && b.plan.frame_count == FRAMES);
  for (uint64_t f = 0; f < FRAMES; f++) {
    const uint32_t lane = posed_load(&b, f);
    posed_stand(&a, posed_load(&a, f));
    compare_frame(&b, &a, rig, values[f], lane, &l);
  }
  posed_close(&a), posed_close(&b);
  sinew_clip_file_close(muscles), sinew_clip_file_close(bones);
  return l;
}

Test(via_muscle, muscles_come_back_on_every_rig, .timeout = 300) {
  NEED_DATA();
  static float values[FRAMES][COLUMNS];
  rigs all;
  open_rigs(&all, true);
  char *folder = test_folder_make();
  sinew_context *context = test_open_context(NULL, 2);
  sinew_clip_file *file = random_clip(values);
  for (uint32_t i = 0; i < all.count; i++) {
    const loss exact = there_and_back(context, all.rig[i], sinew_clip_file_clip(file, 0), values,
                                      SINEW_LIMB_EXACT, folder),
               editor = there_and_back(context, all.rig[i], sinew_clip_file_clip(file, 0), values,
                                       SINEW_LIMB_EDITOR, folder);
    cr_expect(exact.muscle <= 1e-4 && exact.root_t <= 1e-5 && exact.root_deg <= 1e-3,
              "%s: muscles come back %.2g off, RootT %.2g, RootQ %.2g degrees", all.name[i], exact.muscle,
              exact.root_t, exact.root_deg);
    cr_expect(editor.sum / (double)editor.count <= 1e-3, "%s: by the editor's rule %.2g off in the mean",
              all.name[i], editor.sum / (double)editor.count);
    if (getenv("SINEW_TEST_VERBOSE"))
      fprintf(stderr,
              "%s: exact %.1e (mean %.1e), RootT %.1e, RootQ %.1e degrees; editor's %.1e (mean %.1e)\n",
              all.name[i], exact.muscle, exact.sum / (double)exact.count, exact.root_t, exact.root_deg,
              editor.muscle, editor.sum / (double)editor.count);
  }
  cr_expect(all.count >= 40, "%u rigs", all.count);
  sinew_clip_file_close(file);
  sinew_context_close(context);
  test_folder_remove(folder);
  close_rigs(&all);
}

/* ---- from one rig to another and back ---------------------------------------------------------------------
 */

static bool is_finger(int bone) {
  return bone >= HUMAN_LEFT_THUMB_PROXIMAL && bone < HUMAN_UPPER_CHEST;
}

/* What hands and feet hang from is there on both. */
static bool same_trunk(const sinew_rig *a, const sinew_rig *b) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    if (is_finger(bone) || bone == HUMAN_JAW || bone == HUMAN_LEFT_EYE || bone == HUMAN_RIGHT_EYE) continue;
    if (bone == HUMAN_LEFT_TOES || bone == HUMAN_RIGHT_TOES) continue;
    if ((a->node_of_bone[bone] >= 0) != (b->node_of_bone[bone] >= 0)) return false;
  }
  return true;
}

static uint32_t node_named(const posed *p, const char *name) {
  for (uint32_t i = 0; i < p->plan.output.node_count; i++)
    if (strcmp(p->plan.output.nodes[i].name, name) == 0) return i;
  cr_assert(0, "no node %s", name);
  return 0;
}

/* Where an end stands from where its limb begins, in limbs, and its rotation, seen from the hips. */
static void end_at(const posed *p, const sinew_rig *rig, int end, double t[3], double q[4]) {
  const uint32_t from = node_named(p, rig->nodes[rig->node_of_bone[HUMAN_HIPS]].name),
                 to = node_named(p, rig->nodes[rig->node_of_bone[end]].name),
                 upper = node_named(p, rig->nodes[rig->node_of_bone[end - 4]].name),
                 lower = node_named(p, rig->nodes[rig->node_of_bone[end - 2]].name);
  double back[4];
  const double length = distance(p->t[upper], p->t[lower]) + distance(p->t[lower], p->t[to]);
  quat_conj(p->q[from], back);
  for (int c = 0; c < 3; c++) t[c] = (p->t[to][c] - p->t[upper][c]) / length;
  quat_rotate(back, t, t);
  quat_mul(back, p->q[to], q);
}

typedef struct landing {
  double place, deg; /* shares of the limb, degrees */
  double straight_place, straight_deg;
  uint64_t all, straight; /* limbs of frames */
  int end;                /* the worst, on its way */
  uint64_t frame;
  double bend;
} landing;

/* How far from straight a limb is, 0 to 1, as is_straight has it. */
static double bend_of(const posed *p, const sinew_rig *rig, int end) {
  double a[3], b[3];
  const uint32_t upper = node_named(p, rig->nodes[rig->node_of_bone[end - 4]].name),
                 lower = node_named(p, rig->nodes[rig->node_of_bone[end - 2]].name),
                 to = node_named(p, rig->nodes[rig->node_of_bone[end]].name);
  for (int c = 0; c < 3; c++) a[c] = p->t[lower][c] - p->t[upper][c], b[c] = p->t[to][c] - p->t[lower][c];
  return 1 - fabs(vec_dot(a, b)) / sqrt(vec_dot(a, a) * vec_dot(b, b));
}

/* Of limbs that were bent on the way: one that is straighter than its hinge allows comes back as straight as
 * that. */
static void compare_limb(const posed p[3], const sinew_rig *a, const sinew_rig *b, int end, uint64_t frame,
                         landing *most) {
  double t[2][3], q[2][4];
  end_at(&p[0], a, end, t[0], q[0]);
  end_at(&p[2], a, end, t[1], q[1]);
  const double place = distance(t[0], t[1]), deg = angle_deg(q[0], q[1]);
  most->all++;
  if (bend_of(&p[1], b, end) < nearly_straight) {
    most->straight++;
    keep_most(&most->straight_place, place);
    keep_most(&most->straight_deg, deg);
    return;
  }
  if (place > most->place) most->end = end, most->frame = frame, most->bend = bend_of(&p[1], b, end);
  keep_most(&most->place, place);
  keep_most(&most->deg, deg);
}

static landing compare_ends(const sinew_clip *const clips[3], const sinew_rig *a, const sinew_rig *b) {
  landing most = {0};
  posed p[3];
  sinew_error error;
  for (int i = 0; i < 3; i++) cr_assert(posed_open(clips[i], NULL, NULL, &p[i], &error), "%s", error.message);
  cr_assert(p[0].plan.frame_count == p[1].plan.frame_count && p[0].plan.frame_count == p[2].plan.frame_count);
  for (uint64_t f = 0; f < p[0].plan.frame_count; f++) {
    for (int i = 0; i < 3; i++) posed_stand(&p[i], posed_load(&p[i], f));
    for (int i = 0; i < 4; i++) compare_limb(p, a, b, ends[i], f, &most);
  }
  for (int i = 0; i < 3; i++) posed_close(&p[i]);
  return most;
}

static landing go_and_return(const sinew_context *context, const sinew_clip *clip, const sinew_rig *a,
                             const sinew_rig *b, sinew_limb limb, const char *folder) {
  const sinew_bake_options there = {.mesh = SINEW_MESH_NONE,
                                    .via = SINEW_VIA_MUSCLE,
                                    .limb = limb,
                                    .clip_rig = a},
                           back = {
                               .mesh = SINEW_MESH_NONE, .via = SINEW_VIA_MUSCLE, .limb = limb, .clip_rig = b};
  sinew_clip_file *on_b = bake(context, clip, b, &there, folder),
                  *on_a = bake(context, sinew_clip_file_clip(on_b, 0), a, &back, folder);
  const sinew_clip *const clips[3] = {clip, sinew_clip_file_clip(on_b, 0), sinew_clip_file_clip(on_a, 0)};
  const landing most = compare_ends(clips, a, b);
  sinew_clip_file_close(on_a), sinew_clip_file_close(on_b);
  return most;
}

static uint32_t take_everywhere(const sinew_context *context, const char *name, const rigs *all,
                                const char *folder) {
  char path[256];
  uint32_t pairs = 0;
  landing most[2] = {{.place = 0}};
  snprintf(path, sizeof path, "humanoid/truth/%s.take.glb", name);
  sinew_clip_file *take = test_open_clip(test_data(path));
  snprintf(path, sizeof path, "humanoid/truth/%s.fbx.meta", name);
  sinew_rig *own = test_open_rig(test_data(path));
  for (uint32_t i = 0; i < all->count; i++) {
    if (!same_trunk(own, all->rig[i])) continue;
    pairs++;
    for (int limb = 0; limb < 2; limb++) {
      const landing l = go_and_return(context, sinew_clip_file_clip(take, 0), own, all->rig[i],
                                      limb ? SINEW_LIMB_EXACT : SINEW_LIMB_EDITOR, folder);
      cr_expect(
          !limb || (l.place <= 1e-3 && l.deg <= 0.1),
          "%s on %s and back: %s lands %.2g of the limb and %.2g degrees off in frame %llu, bent by %.2g",
          name, all->name[i], human_bones[l.end].name, l.place, l.deg, (unsigned long long)l.frame, l.bend);
      cr_expect(!limb || (l.straight_place <= 0.05 && l.straight_deg <= 5),
                "%s on %s and back: a straight limb lands %.2g of it and %.2g degrees off", name,
                all->name[i], l.straight_place, l.straight_deg);
      most[limb].all += l.all;
      most[limb].straight += l.straight;
      keep_most(&most[limb].straight_place, l.straight_place);
      keep_most(&most[limb].straight_deg, l.straight_deg);
      keep_most(&most[limb].place, l.place);
      keep_most(&most[limb].deg, l.deg);
    }
  }
  for (int limb = 0; getenv("SINEW_TEST_VERBOSE") && limb < 2; limb++)
    fprintf(
        stderr,
        "%s on %u rigs and back, %s: %.1e of the limb, %.1e degrees; straight limbs (%.1f %%): %.1e, %.1e\n",
        name, pairs, limb ? "exact" : "editor's", most[limb].place, most[limb].deg,
        100 * (double)most[limb].straight / (double)most[limb].all, most[limb].straight_place,
        most[limb].straight_deg);
  sinew_clip_file_close(take);
  sinew_rig_close(own);
  return pairs;
}

Test(via_muscle, hands_and_feet_return, .timeout = 300) {
  NEED_DATA();
  static const char *const names[] = {"ibrahimozturk47_TwinSword_Idle", "HEL-d_Y_BotHead_Nod_Yes",
                                      "HEL-d_Y_BotLaughing", "N1rium_female_move_run_back_left",
                                      "N1rium_female_move_run_front"};
  rigs all;
  uint32_t pairs = 0;
  open_rigs(&all, false);
  char *folder = test_folder_make();
  sinew_context *context = test_open_context(NULL, 2);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    pairs += take_everywhere(context, names[i], &all, folder);
  cr_expect(pairs >= 20, "%u pairs", pairs);
  sinew_context_close(context);
  test_folder_remove(folder);
  close_rigs(&all);
}
