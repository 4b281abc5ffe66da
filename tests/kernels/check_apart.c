/* Angles between rotations, against double precision: turns of every size about any axis, whole and half
 * ones, of both signs, of lengths as a chain of products leaves them. The arc tangent is right to 3.5 units
 * in the last place of a half angle, 4e-7 at a right angle, and the products before it add 1e-7: 1e-6 rad of
 * the whole angle at most. Small angles are right to 1e-6 of themselves, as differences of quaternions are
 * exact there, but for 1e-10 rad that lengths off by 1e-4 leave: that part of a difference cancels to its own
 * rounding. */
#include "check.h"
#include "reference.h"

#include <math.h>
#include <string.h>

enum { PAIRS = 48, TRACK = 4 * SINEW_BLOCK, A_STRIDE = TRACK, B_STRIDE = TRACK + 3 * SINEW_BLOCK };

typedef struct apart_run {
  guarded a, b, angles;
  double off, small_off, least, most; /* small_off: past 1e-6 of the angle */
  bool same_is_none;
} apart_run;

static bool open_all(apart_run *r) {
  memset(r, 0, sizeof *r);
  r->same_is_none = true;
  return guarded_open(&r->a, PAIRS * A_STRIDE) && guarded_open(&r->b, PAIRS * B_STRIDE) &&
         guarded_open(&r->angles, PAIRS * SINEW_BLOCK);
}
static bool all_intact(const apart_run *r) {
  return guarded_intact(&r->a) && guarded_intact(&r->b) && guarded_intact(&r->angles);
}
static void close_all(apart_run *r) {
  guarded_close(&r->a), guarded_close(&r->b), guarded_close(&r->angles);
}

static float *lane(float *tracks, int stride, int i) {
  return tracks + i / SINEW_BLOCK * stride + i % SINEW_BLOCK;
}
static void read_lane(const float *track, double q[4]) {
  for (int c = 0; c < 4; c++) q[c] = (double)track[c * SINEW_BLOCK];
}
static void put(float *track, const double q[4], double length) {
  for (int c = 0; c < 4; c++) track[c * SINEW_BLOCK] = (float)(q[c] * length);
}

/* b is a turned by the angle about any axis. */
static void make_pair(dice *d, double rad, double uneven, float *a, float *b) {
  double from[4], axis[4], turn[4], to[4];
  dice_quat(d, from);
  do {
    dice_quat(d, axis);
    axis[3] = 0;
    ref_quat_normalise(axis);
  } while (!(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2] > 0.5));
  for (int c = 0; c < 3; c++) turn[c] = axis[c] * sin(rad / 2);
  turn[3] = cos(rad / 2);
  ref_quat_mul(from, turn, to);
  const double sign = dice_bits(d) % 2 ? -1 : 1;
  put(a, from, 1 + dice_between(d, -uneven, uneven));
  put(b, to, sign * (1 + dice_between(d, -uneven, uneven)));
}

static double some_angle(dice *d) {
  static const double awkward[] = {0, M_PI, M_PI / 2, 1e-7, 1e-6, 1e-5, M_PI - 1e-7, M_PI - 1e-4};
  const uint32_t kind = dice_bits(d) % 4;
  if (kind == 0) return awkward[dice_bits(d) % 8];
  if (kind == 1) return pow(10, dice_between(d, -8, 0));
  if (kind == 2) return M_PI - pow(10, dice_between(d, -8, 0));
  return dice_between(d, 0, M_PI);
}

static void larger(double *worst, double off) {
  *worst = off == off ? fmax(*worst, off) : INFINITY;
}

static void run(const sinew_kernels *k, apart_run *r) {
  k->apart(r->a.values, A_STRIDE, r->b.values, B_STRIDE, PAIRS, r->angles.values);
}

static void compare(apart_run *r) {
  for (int i = 0; i < PAIRS * SINEW_BLOCK; i++) {
    double a[4], b[4];
    read_lane(lane(r->a.values, A_STRIDE, i), a);
    read_lane(lane(r->b.values, B_STRIDE, i), b);
    const double want = ref_apart(a, b), got = (double)r->angles.values[i], off = fabs(got - want);
    larger(&r->off, off);
    larger(&r->small_off, off - 1e-6 * want);
    r->least = fmin(r->least, got), r->most = fmax(r->most, got);
  }
}

/* A rotation and itself, negated on every other frame. */
static void compare_same(const sinew_kernels *k, dice *d, apart_run *r) {
  for (int i = 0; i < PAIRS * SINEW_BLOCK; i++) {
    double q[4];
    dice_quat(d, q);
    put(lane(r->a.values, A_STRIDE, i), q, 1);
    put(lane(r->b.values, B_STRIDE, i), q, i % 2 ? -1 : 1);
  }
  run(k, r);
  for (int i = 0; i < PAIRS * SINEW_BLOCK; i++) r->same_is_none = r->same_is_none && r->angles.values[i] == 0;
}

void check_apart(const sinew_kernels *k, check *c) {
  apart_run r;
  const bool memory = open_all(&r);
  dice d = {83};
  for (int round = 0; round < 24 && memory; round++) {
    const double uneven = round % 2 ? 1e-4 : 0;
    for (int i = 0; i < PAIRS * SINEW_BLOCK; i++)
      make_pair(&d, some_angle(&d), uneven, lane(r.a.values, A_STRIDE, i), lane(r.b.values, B_STRIDE, i));
    run(k, &r);
    compare(&r);
  }
  if (memory) compare_same(k, &d, &r);
  check_that(c, memory && r.off <= 1e-6, "apart: angles off by %.1e of 1e-6 rad", r.off);
  check_that(c, memory && r.small_off <= 1e-10,
             "apart: angles off by %.1e of 1e-10 rad past 1e-6 of themselves", r.small_off);
  check_that(c, memory && r.least >= 0 && r.most <= (double)(float)M_PI, "apart: angles of %g to %g rad",
             r.least, r.most);
  check_that(c, memory && r.same_is_none, "apart: nothing between a rotation and itself");
  check_that(c, memory && all_intact(&r), "apart: writes nothing beside its planes");
  close_all(&r);
}
