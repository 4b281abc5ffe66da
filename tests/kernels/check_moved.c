/* Joints that move in their parents, against double precision; and that those which do not are fk's, bit for
 * bit. The tolerances are those of fk: float32's rounding along a chain. */
#include "figure.h"

#include <math.h>
#include <string.h>

enum { FIGURES = 12, PLACES = 20, JOINT_FLOATS = SINEW_MODEL_PLANES * SINEW_BLOCK };

typedef struct moved_run {
  figure fig;
  guarded local, places, model, fixed;
  double reach, turn_deg; /* positions off, as a share of the figure's size; rotations off */
  bool untouched, same;
} moved_run;

static bool open_all(moved_run *r) {
  memset(r, 0, sizeof *r);
  r->untouched = r->same = true;
  return guarded_open(&r->local, FIGURE_BONES * 4 * SINEW_BLOCK) &&
         guarded_open(&r->places, PLACES * 3 * SINEW_BLOCK) &&
         guarded_open(&r->model, FIGURE_BONES * JOINT_FLOATS) &&
         guarded_open(&r->fixed, FIGURE_BONES * JOINT_FLOATS);
}
static bool all_intact(const moved_run *r) {
  return guarded_intact(&r->local) && guarded_intact(&r->places) && guarded_intact(&r->model) &&
         guarded_intact(&r->fixed);
}
static void close_all(moved_run *r) {
  guarded_close(&r->local), guarded_close(&r->places), guarded_close(&r->model), guarded_close(&r->fixed);
}

/* Rotations and places, and a rig of several roots whose joints take their slots in an order of their own. */
static void make(dice *d, uint64_t seed, moved_run *r) {
  figure_make(&r->fig, seed);
  for (int i = 0; i < FIGURE_BONES * SINEW_BLOCK; i++) {
    double q[4];
    dice_quat(d, q);
    for (int c = 0; c < 4; c++)
      r->local.values[(i / SINEW_BLOCK * 4 + c) * SINEW_BLOCK + i % SINEW_BLOCK] = (float)q[c];
  }
  for (int i = 0; i < PLACES * 3 * SINEW_BLOCK; i++) r->places.values[i] = (float)dice_between(d, -0.1, 0.1);
  for (int j = 0; j < FIGURE_BONES; j++) {
    sinew_fk_joint *joint = &r->fig.joints[j];
    joint->slot = (uint16_t)(FIGURE_BONES - 1 - j);
    joint->place = (uint16_t)(dice_bits(d) % (PLACES + 1));
    if (j % 16 == 0) joint->parent = -1, r->fig.ref_joints[j].parent = -1;
    joint->rotation_unused = 1;
    if (joint->parent >= 0) r->fig.joints[joint->parent].rotation_unused = 0;
  }
  for (int i = 0; i < FIGURE_BONES * JOINT_FLOATS; i++) r->model.values[i] = NAN;
}

static void reference_at(const moved_run *r, int f, double (*position)[3], double (*rotation)[4]) {
  double local[FIGURE_BONES][4], offset[FIGURE_BONES][3];
  for (int j = 0; j < FIGURE_BONES; j++) {
    const sinew_fk_joint *joint = &r->fig.joints[j];
    const float *place = r->places.values + (joint->place - 1) * 3 * SINEW_BLOCK;
    for (int c = 0; c < 4; c++)
      local[j][c] = (double)r->local.values[(joint->slot * 4 + c) * SINEW_BLOCK + f];
    for (int c = 0; c < 3; c++)
      offset[j][c] = joint->place ? (double)place[c * SINEW_BLOCK + f] : r->fig.ref_joints[j].offset[c];
  }
  ref_fk_moved(r->fig.ref_joints, FIGURE_BONES, (const double(*)[4])local, (const double(*)[3])offset,
               position, rotation);
}

static void compare(moved_run *r) {
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double position[FIGURE_BONES][3], rotation[FIGURE_BONES][4], got[7];
    reference_at(r, f, position, rotation);
    for (int j = 0; j < FIGURE_BONES; j++) {
      for (int i = 0; i < 7; i++) got[i] = (double)r->model.values[j * JOINT_FLOATS + i * SINEW_BLOCK + f];
      double square = 0;
      for (int c = 0; c < 3; c++) square += (got[c] - position[j][c]) * (got[c] - position[j][c]);
      r->reach = square == square ? fmax(r->reach, sqrt(square)) : INFINITY;
      if (r->fig.joints[j].rotation_unused) {
        for (int i = 3; i < 7; i++) r->untouched = r->untouched && got[i] != got[i];
        continue;
      }
      const double off_deg = ref_angle_deg(got + 3, rotation[j]);
      r->turn_deg = off_deg == off_deg ? fmax(r->turn_deg, off_deg) : INFINITY;
    }
  }
}

static bool same_model(const moved_run *r) {
  return memcmp(r->model.values, r->fixed.values, FIGURE_BONES * JOINT_FLOATS * sizeof(float)) == 0;
}

/* One root at the origin and no joint moves: fk, bit for bit; so too where places hold what does not change,
 * and then `offset` is not read. */
static void compare_with_fk(const sinew_kernels *k, dice *d, uint64_t seed, moved_run *r) {
  make(d, seed, r);
  figure_make(&r->fig, seed);
  for (int c = 0; c < 3; c++) r->fig.joints[0].offset[c] = 0;
  r->fig.joints[0].has_between = 0;
  k->fk(&r->fig.fk, r->local.values, NULL, NULL, r->fixed.values);
  k->fk_moved(&r->fig.fk, r->local.values, NULL, r->model.values);
  r->same = r->same && same_model(r);
  for (int j = 1; j <= PLACES; j++) {
    sinew_fk_joint *joint = &r->fig.joints[j];
    joint->place = (uint16_t)j;
    for (int i = 0; i < 3 * SINEW_BLOCK; i++)
      r->places.values[(j - 1) * 3 * SINEW_BLOCK + i] = joint->offset[i / SINEW_BLOCK];
    for (int c = 0; c < 3; c++) joint->offset[c] = NAN;
  }
  for (int i = 0; i < FIGURE_BONES * JOINT_FLOATS; i++) r->model.values[i] = NAN;
  k->fk_moved(&r->fig.fk, r->local.values, r->places.values, r->model.values);
  r->same = r->same && same_model(r);
}

void check_fk_moved(const sinew_kernels *k, check *c) {
  moved_run r;
  const bool memory = open_all(&r);
  dice d = {23};
  for (uint64_t seed = 1; seed <= FIGURES && memory; seed++) {
    make(&d, seed, &r);
    k->fk_moved(&r.fig.fk, r.local.values, r.places.values, r.model.values);
    compare(&r);
    compare_with_fk(k, &d, seed, &r);
  }
  check_that(c, memory && r.reach <= 1e-6, "fk_moved: places off by %.1e of 1e-6 m", r.reach);
  check_that(c, memory && r.turn_deg <= 1e-4, "fk_moved: rotations off by %.1e of 1e-4 deg", r.turn_deg);
  check_that(c, memory && r.untouched, "fk_moved: leaves unused rotations alone");
  check_that(c, memory && r.same, "fk_moved: what does not move is fk's, bit for bit");
  check_that(c, memory && all_intact(&r), "fk_moved: writes nothing beside its planes");
  close_all(&r);
}
