/* Muscles to bones and back on every rig of the data folder, and where hands and feet land when a limb was
 * not posed by muscles. Limbs that are to land come back as they went, but for rounding. The editor's rule
 * stops within 0.1 degrees of a hinge's and an end's own axis and leaves what is left: in double too its
 * muscles come back 4e-3 off, more on rigs whose elbows bend about an axis far from the T-pose's; here the
 * kernel is held against the rule. */
#include "retarget/inverse_rig.h"
#include "rig/quat.h"
#include "support/compare.h"
#include "support/data.h"
#include "support/inverse_body.h"
#include "sinew.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRACK = 4 * SINEW_BLOCK, MODEL = SINEW_MODEL_PLANES * SINEW_BLOCK };

typedef struct trip {
  const sinew_kernels *k;
  const sinew_rig *rig;
  muscle_rig muscles;
  inverse_rig inverse[2]; /* by inverse_limbs */
  inverse_body reference[2];
  _Alignas(64) float planes[SINEW_PLANE_COUNT * SINEW_BLOCK];
  _Alignas(64) float back[SINEW_PLANE_COUNT * SINEW_BLOCK];
  _Alignas(64) float local[HUMAN_BONE_COUNT * TRACK];
  _Alignas(64) float turns[HUMAN_BONE_COUNT * TRACK];
  _Alignas(64) float source[HUMAN_BONE_COUNT * MODEL];
  _Alignas(64) float held[HUMAN_BONE_COUNT * MODEL];
  double bend[4][SINEW_BLOCK];           /* how far each limb's hinge is from the ends of its way, 0..1 */
  double apart[2];                       /* muscles, from the reference's */
  double most[2], place[2], turn_deg[2]; /* muscles; landing: as a share of the limb, degrees */
} trip;

static const int limb_upper[] = {HUMAN_LEFT_UPPER_LEG, HUMAN_RIGHT_UPPER_LEG, HUMAN_LEFT_UPPER_ARM,
                                 HUMAN_RIGHT_UPPER_ARM};

static uint32_t random_bits(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 32);
}
static double random_between(uint64_t *state, double low, double high) {
  return low + (high - low) * (random_bits(state) * 0x1p-32);
}

static bool is_stretch(int muscle) {
  return human_muscles[muscle].axis == 2 && (human_muscles[muscle].bone == HUMAN_LEFT_LOWER_ARM ||
                                             human_muscles[muscle].bone == HUMAN_RIGHT_LOWER_ARM ||
                                             human_muscles[muscle].bone == HUMAN_LEFT_LOWER_LEG ||
                                             human_muscles[muscle].bone == HUMAN_RIGHT_LOWER_LEG);
}

static void random_muscles(trip *t, uint64_t *state) {
  memset(t->planes, 0, sizeof t->planes);
  for (int m = 0; m < SINEW_MUSCLE_COUNT; m++)
    for (int f = 0; f < SINEW_BLOCK; f++) /* a limb is straight at 1 */
      t->planes[(SINEW_PLANE_MUSCLE + m) * SINEW_BLOCK + f] =
          (float)random_between(state, -0.9, is_stretch(m) ? 0.6 : 0.9);
}

static void turns_of_local(trip *t) {
  for (uint32_t slot = 1; slot < t->muscles.bone_count; slot++)
    for (int f = 0; f < SINEW_BLOCK; f++) {
      double q[4];
      for (int c = 0; c < 4; c++) q[c] = (double)t->local[slot * TRACK + (uint32_t)(c * SINEW_BLOCK + f)];
      quat_mul(t->rig->between[t->muscles.bone_of_slot[slot]], q, q);
      for (int c = 0; c < 4; c++) t->turns[slot * TRACK + (uint32_t)(c * SINEW_BLOCK + f)] = (float)q[c];
    }
}

static void keep_most(double *most, double value) {
  if (!(value <= *most)) *most = value;
}

static bool has_muscle(const trip *t, int m) {
  const human_muscle_entry *entry = &human_muscles[m];
  const rig_axes *axes = &t->rig->axes[entry->bone];
  return t->rig->node_of_bone[entry->bone] >= 0 &&
         (axes->min_rad[entry->axis] != 0 || axes->max_rad[entry->axis] != 0);
}

static void lane_of_turns(const trip *t, int f, double turn[HUMAN_BONE_COUNT][4]) {
  for (uint32_t slot = 1; slot < t->muscles.bone_count; slot++) {
    for (int c = 0; c < 4; c++)
      turn[slot][c] = (double)t->turns[slot * TRACK + (uint32_t)(c * SINEW_BLOCK + f)];
    quat_normalise(turn[slot]);
  }
}

/* By the reference; and whether no limb's step is doubtful. */
static bool plain_muscles(trip *t, int way, int f, double plain[SINEW_PLANE_COUNT]) {
  double turn[HUMAN_BONE_COUNT][4];
  ref_inverse_steps steps[4];
  bool clear = true;
  lane_of_turns(t, f, turn);
  ref_inverse(&t->reference[way].body, (const double(*)[4])turn, plain, steps);
  for (int i = 0; i < 4; i++) {
    clear = clear && steps[i].closest >= 1e-3;
    if (way == INVERSE_EXACT) t->bend[i][f] = steps[i].closest;
  }
  return clear;
}

/* Limbs straight or folded, to some 18 degrees: a distance says little of their angle. */
static bool is_straight(const trip *t, int bone, int f) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++)
      if (bone == limb_upper[i] + 2 * j) return t->bend[i][f] < 0.05;
  return false;
}

static void compare_muscles(trip *t, int way) {
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double plain[SINEW_PLANE_COUNT] = {0};
    const bool clear = plain_muscles(t, way, f, plain);
    for (int m = 0; m < SINEW_MUSCLE_COUNT; m++) {
      const int plane = SINEW_PLANE_MUSCLE + m, at = plane * SINEW_BLOCK + f;
      const double wanted = has_muscle(t, m) ? (double)t->planes[at] : 0, got = (double)t->back[at];
      if (is_straight(t, human_muscles[m].bone, f)) continue;
      keep_most(&t->most[way], fabs(got - wanted));
      if (clear) keep_most(&t->apart[way], fabs(plain[plane] - got));
    }
  }
}

static void back_again(trip *t, int way) {
  memset(t->back, 0, sizeof t->back);
  t->k->inverse(&t->inverse[way].inverse, t->turns, t->back);
}

static void there_and_back(trip *t, uint64_t *state) {
  random_muscles(t, state);
  t->k->muscle(&t->muscles.muscle, t->planes, t->local);
  turns_of_local(t);
  for (int way = 1; way >= 0; way--) { /* landing first: it tells how far limbs are bent */
    back_again(t, way);
    compare_muscles(t, way);
  }
}

/* ---- landing ---- */

/* Limbs turned further by some degrees, as a take has them and no muscle. */
static void disturb_limbs(trip *t, uint64_t *state, double reach) {
  for (int i = 0; i < 12; i++) {
    float *track = t->local + t->muscles.slot_of_bone[limb_upper[i / 3] + i % 3 * 2] * TRACK;
    for (int f = 0; f < SINEW_BLOCK; f++) {
      double by[4] = {random_between(state, -reach, reach), random_between(state, -reach, reach),
                      random_between(state, -reach, reach), 1};
      double q[4];
      for (int c = 0; c < 4; c++) q[c] = (double)track[c * SINEW_BLOCK + f];
      quat_mul(q, by, q);
      quat_normalise(q);
      for (int c = 0; c < 4; c++) track[c * SINEW_BLOCK + f] = (float)q[c];
    }
  }
}

static void joint_at(const float *model, int slot, int f, double out[7]) {
  for (int c = 0; c < 7; c++) out[c] = (double)model[slot * MODEL + c * SINEW_BLOCK + f];
}

static void compare_ends(trip *t, int way) {
  static const int ends[] = {HUMAN_LEFT_FOOT, HUMAN_RIGHT_FOOT, HUMAN_LEFT_HAND, HUMAN_RIGHT_HAND};
  for (int i = 0; i < 4; i++) {
    const double *lower = t->rig->offset[ends[i] - 2], *end = t->rig->offset[ends[i]];
    const double length = sqrt(vec_dot(lower, lower)) + sqrt(vec_dot(end, end));
    for (int f = 0; f < SINEW_BLOCK; f++) {
      double a[7], b[7];
      if (is_straight(t, ends[i], f)) continue;
      joint_at(t->source, t->muscles.slot_of_bone[ends[i]], f, a);
      joint_at(t->held, t->muscles.slot_of_bone[ends[i]], f, b);
      keep_most(&t->place[way], distance(a, b) / length);
      keep_most(&t->turn_deg[way], angle_deg(a + 3, b + 3));
    }
  }
}

static void land(trip *t, uint64_t *state) {
  random_muscles(t, state);
  t->k->muscle(&t->muscles.muscle, t->planes, t->local);
  disturb_limbs(t, state, 0.08);
  turns_of_local(t);
  t->k->fk(&t->muscles.fk, t->local, NULL, NULL, t->source);
  for (int way = 1; way >= 0; way--) {
    back_again(t, way);
    for (int f = 0; f < SINEW_BLOCK && way == INVERSE_EXACT; f++) {
      double plain[SINEW_PLANE_COUNT];
      plain_muscles(t, way, f, plain);
    }
    t->k->muscle(&t->muscles.muscle, t->back, t->local);
    t->k->fk(&t->muscles.fk, t->local, NULL, NULL, t->held);
    compare_ends(t, way);
  }
}

static void go(const char *path, const sinew_kernels *k, trip *t) {
  sinew_rig *rig;
  sinew_error error;
  if (sinew_rig_open(path, NULL, &rig, &error) != SINEW_OK)
    return; /* other tests tell of rigs that do not open */
  *t = (trip){.k = k, .rig = rig};
  cr_assert(muscle_rig_build(rig, &t->muscles, &error) == SINEW_OK);
  for (int way = 0; way < 2; way++) {
    cr_assert(inverse_rig_build(rig, &t->muscles, (inverse_limbs)way, &t->inverse[way], &error) == SINEW_OK);
    inverse_body_of(rig, &t->muscles, way == INVERSE_EXACT, &t->reference[way]);
  }
  uint64_t state = 7;
  for (int round = 0; round < 8; round++) there_and_back(t, &state), land(t, &state);
  for (int way = 0; way < 2; way++) inverse_rig_release(&t->inverse[way]);
  muscle_rig_release(&t->muscles);
  sinew_rig_close(rig);
  const char *name = strrchr(path, '/') + 1;
  if (getenv("SINEW_TEST_VERBOSE"))
    fprintf(stderr,
            "%s %s: back: %.1e, landing %.1e; apart %.1e, %.1e; ends: %.1e, "
            "%.1e of the limb, %.1e, %.1e degrees\n",
            name, k->name, t->most[0], t->most[1], t->apart[0], t->apart[1], t->place[0], t->place[1],
            t->turn_deg[0], t->turn_deg[1]);
  cr_expect(t->most[1] <= 1e-4, "%s on %s: muscles come back %.2g off, landing", name, k->name, t->most[1]);
  cr_expect(t->apart[0] <= 2e-5, "%s on %s: %.2g from the editor's rule in double", name, k->name,
            t->apart[0]);
  cr_expect(t->place[1] <= 1e-5 && t->turn_deg[1] <= 2e-4,
            "%s on %s: ends land %.2g of the limb and %.2g degrees off", name, k->name, t->place[1],
            t->turn_deg[1]);
}

Test(round_trip, muscles_become_bones_and_muscles_again) {
  NEED_DATA();
  static const char *const folders[][2] = {{"humanoid/metas", ".meta"},
                                           {"humanoid/truth", ".meta"},
                                           {"humanoid/avatars", ".meta"},
                                           {"humanoid/avatars", ".asset"},
                                           {"humanoid/avatars", ".prefab"}};
  trip *t = aligned_alloc(64, (sizeof *t + 63) / 64 * 64);
  const sinew_kernels *k;
  for (uint32_t isa = 0; (k = sinew_kernels_available(isa)); isa++)
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
      size_t count;
      char **paths = test_data_list(folders[i][0], folders[i][1], &count);
      for (size_t p = 0; p < count; p++) go(paths[p], k, t);
    }
  free(t);
}
