/* Bones to muscles, root and goals against double precision. A limb's course is a few dozen products of
 * rounded quaternions and what comes after the hinge depends on what came before: 2e-5 of a muscle whose
 * limit may be 17 degrees, where no angle is within a thousandth of the one at which a step more or less is
 * made. Landing, the hinge's angle follows from a distance, the worse the straighter the limb: 5e-5 from 18
 * degrees on. Other bones: a product and an arc tangent. */
#include "made_inverse.h"

#include <math.h>
#include <string.h>

enum { TRACK = 4 * SINEW_BLOCK, ROUNDS = 12 };

typedef struct inverse_run {
  made_inverse made;
  guarded turns, planes;
  double bones, limbs;
  uint32_t compared, steps;
  bool left, finite;
} inverse_run;

static void lane_of(const float *planes, int count, int f, double *out) {
  for (int i = 0; i < count; i++) out[i] = (double)planes[i * SINEW_BLOCK + f];
}
static void larger(double *worst, double off) {
  *worst = off == off ? fmax(*worst, off) : INFINITY;
}

static int limb_of_bone(const made_inverse *m, int bone) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++)
      if (m->body.limb[i].bone[j] == bone) return i;
  return -1;
}

/* A muscle is an angle of a full circle over its limit. */
static double muscle_apart(const ref_inverse_bone *b, int axis, double got, double wanted) {
  const double off = fabs(got - wanted);
  const double round = 2 * M_PI / fmin(b->max_rad[axis], -b->min_rad[axis]);
  return axis == 0 && off > round / 4 ? 0 : off; /* on the other side of half a turn */
}

static void compare(inverse_run *r) {
  const made_inverse *m = &r->made;
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double turn[INVERSE_BONES][4], wanted[SINEW_PLANE_COUNT], got[SINEW_PLANE_COUNT];
    ref_inverse_steps steps[4];
    for (int b = 0; b < INVERSE_BONES; b++) {
      lane_of(r->turns.values + b * TRACK, 4, f, turn[b]);
      ref_quat_normalise(turn[b]);
    }
    lane_of(r->planes.values, SINEW_PLANE_COUNT, f, got);
    memcpy(wanted, got, sizeof wanted);
    ref_inverse(&m->body, (const double(*)[4])turn, wanted, steps);
    for (int b = 1; b < INVERSE_BONES; b++) {
      const int limb = limb_of_bone(m, b);
      if (limb >= 0 && steps[limb].closest < (m->body.exact ? 0.05 : 1e-3)) continue;
      r->compared++, r->steps += limb >= 0 ? (uint32_t)(steps[limb].hinge + steps[limb].end) : 0;
      for (int axis = 0; axis < 3; axis++) {
        const int plane = m->ref[b].plane[axis];
        if (plane < 0) continue;
        const bool unused = limb >= 0 && ((axis == 1 && m->body.limb[limb].bone[1] == b) ||
                                          (axis == 0 && m->body.limb[limb].bone[2] == b));
        if (unused)
          r->left = r->left && got[plane] != got[plane]; /* as it was: no number */
        else
          larger(limb >= 0 ? &r->limbs : &r->bones,
                 muscle_apart(&m->ref[b], axis, got[plane], wanted[plane]));
      }
    }
  }
}

/* Any rotations: numbers come out, and no angle beyond half a turn. */
static void compare_wild(inverse_run *r) {
  for (int b = 1; b < INVERSE_BONES; b++)
    for (int axis = 0; axis < 3; axis++) {
      const int limb = limb_of_bone(&r->made, b), plane = r->made.ref[b].plane[axis];
      if (plane < 0) continue;
      if (limb >= 0 && ((axis == 1 && r->made.body.limb[limb].bone[1] == b) ||
                        (axis == 0 && r->made.body.limb[limb].bone[2] == b)))
        continue;
      for (int f = 0; f < SINEW_BLOCK; f++)
        r->finite = r->finite && fabs((double)r->planes.values[plane * SINEW_BLOCK + f]) <= 11;
    }
}

static void unset(guarded *g) {
  for (size_t i = 0; i < g->count; i++) g->values[i] = NAN;
}

static void run_limbs(const sinew_kernels *k, bool exact, inverse_run *r) {
  dice d = {exact ? 83 : 82};
  for (int round = 0; round < ROUNDS; round++) {
    made_inverse_make(&d, exact, &r->made);
    for (int wild = 0; wild < 2; wild++) {
      made_inverse_turns(&d, &r->made, wild ? INFINITY : 0.6, r->turns.values);
      unset(&r->planes);
      k->inverse(&r->made.rig, r->turns.values, r->planes.values);
      if (wild)
        compare_wild(r);
      else
        compare(r);
    }
  }
}

void check_inverse(const sinew_kernels *k, check *c) {
  for (int exact = 0; exact < 2; exact++) {
    inverse_run r = {.left = true, .finite = true};
    bool memory = guarded_open(&r.turns, INVERSE_BONES * TRACK);
    memory = guarded_open(&r.planes, SINEW_PLANE_COUNT * SINEW_BLOCK) && memory;
    if (memory) run_limbs(k, exact, &r);
    const double most = exact ? 5e-5 : 2e-5;
    const char *way = exact ? "landing" : "as the editor";
    check_that(c, memory && r.bones <= 5e-6, "inverse: bones off by %.1e of 5e-6", r.bones);
    check_that(c, memory && r.limbs <= most, "inverse: limbs %s: off by %.1e of %.0e", way, r.limbs, most);
    check_that(c, memory && r.compared > 12000, "inverse: limbs %s: %u bones compared, %u steps", way,
               r.compared, r.steps);
    check_that(c, memory && r.left, "inverse: leaves axes without a muscle");
    check_that(c, memory && r.finite, "inverse: any rotation gives numbers");
    check_that(c, memory && guarded_intact(&r.turns) && guarded_intact(&r.planes),
               "inverse: writes nothing beside its planes");
    guarded_close(&r.turns), guarded_close(&r.planes);
  }
}

/* ---- root and goals ---- */

typedef struct goal_run {
  guarded ends, com, frame, hips_t, hips_q, root, goals;
  ref_hips hips;
  sinew_body_rig body;
  sinew_goal_rig rig;
  double post[4][4];
  double place, turn_deg;
} goal_run;

static bool goal_open(goal_run *r) {
  memset(r, 0, sizeof *r);
  return guarded_open(&r->ends, 28 * SINEW_BLOCK) && guarded_open(&r->com, 3 * SINEW_BLOCK) &&
         guarded_open(&r->frame, TRACK) && guarded_open(&r->hips_t, 3 * SINEW_BLOCK) &&
         guarded_open(&r->hips_q, TRACK) && guarded_open(&r->root, 7 * SINEW_BLOCK) &&
         guarded_open(&r->goals, 28 * SINEW_BLOCK);
}
static bool goal_close(goal_run *r) {
  guarded *all[] = {&r->ends, &r->com, &r->frame, &r->hips_t, &r->hips_q, &r->root, &r->goals};
  bool intact = true;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    intact = guarded_intact(all[i]) && intact, guarded_close(all[i]);
  return intact;
}

static void quat_constant(dice *d, double q[4], float rounded[4], bool conjugate) {
  dice_quat(d, q);
  for (int c = 0; c < 4; c++) rounded[c] = (float)(conjugate && c < 3 ? -q[c] : q[c]);
}
static void random_places(dice *d, float *planes) {
  for (int i = 0; i < 3 * SINEW_BLOCK; i++) planes[i] = (float)dice_between(d, -1, 1);
}
static void random_turns(dice *d, float *planes) {
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double q[4];
    dice_quat(d, q);
    for (int c = 0; c < 4; c++) planes[c * SINEW_BLOCK + f] = (float)q[c];
  }
}

static void goal_make(dice *d, goal_run *r) {
  quat_constant(d, r->hips.r0, r->rig.back, true);
  quat_constant(d, r->hips.rest, r->rig.upright, true);
  for (int c = 0; c < 4; c++) r->body.r0[c] = (float)r->hips.r0[c], r->body.after[c] = (float)r->hips.rest[c];
  r->hips.scale_m = dice_between(d, 0.5, 2);
  r->body.scale_m = (float)r->hips.scale_m, r->rig.inv_scale = (float)(1 / r->hips.scale_m);
  for (int i = 0; i < 4; i++) {
    quat_constant(d, r->post[i], r->rig.post[i], false);
    r->rig.axis_m[i] = i < 2 ? (float)dice_between(d, -0.2, 0.2) : 0;
    random_places(d, r->ends.values + i * 7 * SINEW_BLOCK);
    random_turns(d, r->ends.values + (i * 7 + 3) * SINEW_BLOCK);
  }
  random_places(d, r->com.values), random_places(d, r->hips_t.values);
  random_turns(d, r->frame.values), random_turns(d, r->hips_q.values);
}

static void goal_compare_one(goal_run *r, const double t[3], const double q[4], const float *planes, int f) {
  double got[7];
  lane_of(planes, 7, f, got);
  for (int c = 0; c < 3; c++) larger(&r->place, fabs(got[c] - t[c]));
  larger(&r->turn_deg, ref_angle_deg(got + 3, q));
}
static void goal_compare(goal_run *r) {
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double com[3], frame[4], hips_t[3], hips_q[4], end[7], t[3], q[4];
    lane_of(r->com.values, 3, f, com), lane_of(r->frame.values, 4, f, frame);
    lane_of(r->hips_t.values, 3, f, hips_t), lane_of(r->hips_q.values, 4, f, hips_q);
    ref_root(&r->hips, com, frame, hips_t, hips_q, t, q);
    goal_compare_one(r, t, q, r->root.values, f);
    for (int i = 0; i < 4; i++) {
      lane_of(r->ends.values + i * 7 * SINEW_BLOCK, 7, f, end);
      ref_goal(&r->hips, r->post[i], (double)r->rig.axis_m[i], com, frame, end, end + 3, t, q);
      goal_compare_one(r, t, q, r->goals.values + i * 7 * SINEW_BLOCK, f);
    }
  }
}

void check_goals(const sinew_kernels *k, check *c) {
  goal_run r;
  const bool memory = goal_open(&r);
  dice d = {84};
  for (int round = 0; round < 8 && memory; round++) {
    goal_make(&d, &r);
    k->root(&r.body, r.com.values, r.frame.values, r.hips_t.values, r.hips_q.values, r.root.values);
    k->goals(&r.rig, r.ends.values, r.com.values, r.frame.values, r.goals.values);
    goal_compare(&r);
  }
  check_that(c, memory && r.place <= 3e-6, "goals: places off by %.1e of 3e-6 scales", r.place);
  check_that(c, memory && r.turn_deg <= 5e-5, "goals: rotations off by %.1e of 5e-5 degrees", r.turn_deg);
  check_that(c, goal_close(&r) && memory, "goals: writes nothing beside its planes");
}
