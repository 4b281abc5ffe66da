/* Rotations to angles, against the C library's in double precision. What is compared is the rotation that the
 * angles make: each of them is off by up to 3.5 units in the last place (8e-7 rad at a half turn), the
 * input's rounding and the matrix' add 2e-7; the three together stay within 1e-6 rad. Away from a middle
 * angle of 90 degrees the angles themselves are compared: their errors there are those of the rotation over
 * its cosine. */
#include "reference.h"
#include "check.h"

#include <math.h>

enum { JOINTS = 24, SLOTS = 2 * JOINTS, PLANES = 3 * JOINTS + 1, TRACK = 4 * SINEW_BLOCK };

typedef struct angles_run {
  sinew_angle_joint joints[JOINTS];
  double before[JOINTS][4], after[JOINTS][4];
  uint8_t axis[JOINTS][3];
  guarded local, planes;
  double rad, angle_rad;
  bool in_range, untouched;
} angles_run;

static void make_joints(dice *d, angles_run *r) {
  static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int j = 0; j < JOINTS; j++) {
    const double one[4] = {0, 0, 0, 1};
    for (int c = 0; c < 4; c++) r->before[j][c] = r->after[j][c] = one[c];
    if (j % 4 > 0) dice_quat(d, r->before[j]);
    if (j % 4 > 1) dice_quat(d, r->after[j]);
    for (int t = 0; t < 3; t++) r->axis[j][t] = orders[j % 6][t];
    ref_fold_angles(r->before[j], r->after[j], r->axis[j], &r->joints[j]);
    r->joints[j].slot = (uint16_t)(2 * (JOINTS - 1 - j) + 1);
    for (int t = 0; t < 3; t++) r->joints[j].plane[t] = (uint32_t)(3 * j + (t + j) % 3);
  }
}

/* Angles that are awkward, or near such. */
static double some_angle(dice *d, int kind) {
  static const double near[] = {0, 1e-9, 1e-7, 1e-5, 1e-3, 0.1};
  if (kind == 0) return dice_between(d, -180, 180);
  const double off = near[dice_bits(d) % 6];
  return 90.0 * (dice_bits(d) % 5) - 180 + (dice_bits(d) % 2 ? off : -off);
}

/* The rotation that comes to these angles. */
static void make_rotation(dice *d, const angles_run *r, int j, int kind, double q[4]) {
  double degrees[3], made[4], inverse[4];
  if (kind == 2) {
    dice_quat(d, q);
    return;
  }
  for (int t = 0; t < 3; t++) degrees[t] = some_angle(d, kind);
  ref_euler(r->axis[j], degrees, 3, made);
  ref_quat_conj(r->before[j], inverse);
  ref_quat_mul(inverse, made, q);
  ref_quat_conj(r->after[j], inverse);
  ref_quat_mul(q, inverse, q);
  for (int c = 0; c < 4 && dice_bits(d) % 2; c++) q[c] = -q[c];
}

static void fill(dice *d, angles_run *r, int kind) {
  for (int i = 0; i < JOINTS * SINEW_BLOCK; i++) {
    const int j = i / SINEW_BLOCK, f = i % SINEW_BLOCK;
    double q[4];
    make_rotation(d, r, j, kind, q);
    for (int c = 0; c < 4; c++)
      r->local.values[r->joints[j].slot * TRACK + c * SINEW_BLOCK + f] = (float)q[c];
  }
}

static double apart_rad(double a, double b) {
  return fabs(remainder(a - b, 360)) * M_PI / 180;
}

static void compare(angles_run *r) {
  for (int i = 0; i < JOINTS * SINEW_BLOCK; i++) {
    const int j = i / SINEW_BLOCK, f = i % SINEW_BLOCK;
    double q[4], want[4], made[4], got[3], angles[3];
    for (int c = 0; c < 4; c++)
      q[c] = (double)r->local.values[r->joints[j].slot * TRACK + c * SINEW_BLOCK + f];
    ref_quat_normalise(q);
    ref_quat_mul(r->before[j], q, want);
    ref_quat_mul(want, r->after[j], want);
    for (int t = 0; t < 3; t++) {
      got[t] = (double)r->planes.values[r->joints[j].plane[t] * SINEW_BLOCK + (uint32_t)f];
      r->in_range = r->in_range && fabs(got[t]) <= (t == 1 ? 90.0001 : 180.0001);
    }
    ref_euler(r->axis[j], got, 3, made);
    const double off = ref_angle_deg(made, want) * M_PI / 180;
    r->rad = off == off ? fmax(r->rad, off) : INFINITY;
    ref_angles(want, r->axis[j], angles);
    const double flat = cos(angles[1] * M_PI / 180);
    for (int t = 0; t < 3 && flat > 0.1; t++)
      r->angle_rad = fmax(r->angle_rad, flat * apart_rad(got[t], angles[t]));
  }
}

void check_angles(const sinew_kernels *k, check *c) {
  angles_run r = {.in_range = true, .untouched = true};
  bool memory = guarded_open(&r.local, SLOTS * TRACK);
  memory = guarded_open(&r.planes, PLANES * SINEW_BLOCK) && memory;
  dice d = {43};
  for (int round = 0; round < 12 && memory; round++) {
    make_joints(&d, &r);
    fill(&d, &r, round % 3);
    k->angles(r.joints, JOINTS, r.local.values, r.planes.values);
    compare(&r);
  }
  for (int f = 0; f < SINEW_BLOCK && memory; f++)
    r.untouched = r.untouched && isnan(r.planes.values[(PLANES - 1) * SINEW_BLOCK + f]);
  check_that(c, memory && r.rad <= 1e-6, "angles: the rotation is off by %.1e of 1e-6 rad", r.rad);
  check_that(c, memory && r.angle_rad <= 1e-6, "angles: each is off by %.1e of 1e-6 rad", r.angle_rad);
  check_that(c, memory && r.in_range, "angles: outer ones within 180 degrees, the middle one within 90");
  check_that(c, memory && r.untouched && guarded_intact(&r.local) && guarded_intact(&r.planes),
             "angles: writes nothing beside its planes");
  guarded_close(&r.local), guarded_close(&r.planes);
}
