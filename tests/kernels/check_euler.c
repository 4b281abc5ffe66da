/* Angles to rotations, against the C library's sines and cosines in double precision. A half angle is off by
 * 6e-8 rad once its sine and cosine are float32; an angle is twice that, and each product adds as much as it
 * rounds: three turns stay within 5e-7 rad, six within 8e-7. */
#include "reference.h"
#include "check.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { JOINTS = 40, PLANES = 160, SLOTS = 2 * JOINTS, TRACK = 4 * SINEW_BLOCK };

typedef struct euler_run {
  sinew_euler_joint joints[JOINTS];
  guarded planes, local, again;
  double rad[SINEW_EULER_TURNS + 1], length;
  bool exact, still, untouched;
} euler_run;

/* Turns of any axes, a third of them a file's usual three; planes of their own or shared; every other slot.
 */
static void make_joints(dice *d, euler_run *r) {
  static const uint8_t usual[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int j = 0; j < JOINTS; j++) {
    sinew_euler_joint *joint = &r->joints[j];
    const bool three = j % 3 == 0;
    joint->slot = (uint16_t)(2 * (JOINTS - 1 - j) + 1);
    joint->turn_count = three ? 3 : (uint8_t)(1 + dice_bits(d) % SINEW_EULER_TURNS);
    for (int t = 0; t < joint->turn_count; t++) {
      joint->axis[t] = three ? usual[j / 3 % 6][t] : (uint8_t)(dice_bits(d) % 3);
      joint->plane[t] = three ? (uint32_t)(j + t) : dice_bits(d) % PLANES;
    }
  }
}

static float some_angle(dice *d, int kind) {
  static const float awkward[] = {
      0,        -0.0f,    180,        -180,       360,  -360,   720,     90,      -90,      1e-40f,
      -1e-40f,  1e-20f,   179.99999f, 180.00002f, 540,  -900,   65520,   131072,  131080,   -131090,
      47185920, 67108864, 67108872,   -94371840,  1e9f, -1e10f, 3.4e38f, FLT_MAX, -FLT_MAX, 1e20f};
  switch (kind) {
  case 0:
    return (float)dice_between(d, -180, 180);
  case 1:
    return (float)dice_between(d, -2000, 2000);
  case 2:
    return (float)dice_between(d, -2e5, 2e5);
  case 3:
    return (float)dice_between(d, -2e9, 2e9);
  case 4:
    return (float)dice_between(d, -FLT_MAX, FLT_MAX);
  case 5:
    return (float)(dice_bits(d) % 100000) * 90.0f;
  default:
    return awkward[dice_bits(d) % (sizeof awkward / sizeof awkward[0])];
  }
}

static void lane_of(const float *local, const sinew_euler_joint *joint, int f, double q[4]) {
  for (int c = 0; c < 4; c++) q[c] = (double)local[joint->slot * TRACK + c * SINEW_BLOCK + f];
}

static void compare(euler_run *r) {
  for (int i = 0; i < JOINTS * SINEW_BLOCK; i++) {
    const sinew_euler_joint *joint = &r->joints[i / SINEW_BLOCK];
    const int f = i % SINEW_BLOCK;
    double degrees[SINEW_EULER_TURNS], want[4], got[4];
    for (int t = 0; t < joint->turn_count; t++)
      degrees[t] = (double)r->planes.values[joint->plane[t] * SINEW_BLOCK + (uint32_t)f];
    ref_euler(joint->axis, degrees, joint->turn_count, want);
    lane_of(r->local.values, joint, f, got);
    const double length = sqrt(got[0] * got[0] + got[1] * got[1] + got[2] * got[2] + got[3] * got[3]);
    r->length = length == length ? fmax(r->length, fabs(length - 1)) : INFINITY;
    ref_quat_normalise(got);
    const double off = ref_angle_deg(got, want) * M_PI / 180;
    double *worst = &r->rad[joint->turn_count];
    *worst = off == off ? fmax(*worst, off) : INFINITY;
  }
}

/* Whole turns are taken off without rounding: the same bits from what is left, in float32 without rounding
 * too. Half a turn may be left either way. Here every angle is small, there some are not: so lanes do not
 * depend on each other. */
static void compare_with_reduced(const sinew_kernels *k, euler_run *r) {
  bool half[PLANES * SINEW_BLOCK];
  for (int i = 0; i < PLANES * SINEW_BLOCK; i++) {
    float *a = &r->planes.values[i];
    const double left = remainder((double)*a, 360);
    half[i] = fabs(left) > 179.9;
    r->exact = r->exact && (double)(float)left == left;
    *a = (float)left;
  }
  k->euler(r->joints, JOINTS, r->planes.values, r->again.values);
  for (int i = 0; i < JOINTS * SINEW_BLOCK; i++) {
    const sinew_euler_joint *joint = &r->joints[i / SINEW_BLOCK];
    const uint32_t f = (uint32_t)i % SINEW_BLOCK;
    bool skip = false;
    for (int t = 0; t < joint->turn_count; t++) skip = skip || half[joint->plane[t] * SINEW_BLOCK + f];
    for (int c = 0; c < 4 && !skip; c++) {
      const size_t at = joint->slot * (size_t)TRACK + (size_t)c * SINEW_BLOCK + f;
      r->exact = r->exact && memcmp(&r->local.values[at], &r->again.values[at], sizeof(float)) == 0;
    }
  }
}

static void check_still(const sinew_kernels *k, euler_run *r) {
  for (int i = 0; i < PLANES * SINEW_BLOCK; i++) r->planes.values[i] = i % 2 ? 0.0f : -0.0f;
  k->euler(r->joints, JOINTS, r->planes.values, r->local.values);
  for (int j = 0; j < JOINTS; j++)
    for (int i = 0; i < TRACK; i++)
      r->still = r->still && r->local.values[r->joints[j].slot * TRACK + i] == (i < 3 * SINEW_BLOCK ? 0 : 1);
  for (int slot = 0; slot < SLOTS; slot += 2)
    for (int i = 0; i < TRACK; i++) r->untouched = r->untouched && isnan(r->local.values[slot * TRACK + i]);
}

void check_euler(const sinew_kernels *k, check *c) {
  euler_run r = {.exact = true, .still = true, .untouched = true};
  bool memory = guarded_open(&r.planes, PLANES * SINEW_BLOCK);
  memory = guarded_open(&r.local, SLOTS * TRACK) && memory;
  memory = guarded_open(&r.again, SLOTS * TRACK) && memory;
  dice d = {41};
  for (int round = 0; round < 14 && memory; round++) {
    make_joints(&d, &r);
    for (int i = 0; i < PLANES * SINEW_BLOCK; i++)
      r.planes.values[i] = some_angle(&d, round < 7 ? round : (int)(dice_bits(&d) % 7));
    k->euler(r.joints, JOINTS, r.planes.values, r.local.values);
    compare(&r);
    compare_with_reduced(k, &r);
  }
  if (memory) check_still(k, &r);
  const double few = fmax(r.rad[1], fmax(r.rad[2], r.rad[3])),
               many = fmax(r.rad[4], fmax(r.rad[5], r.rad[6]));
  check_that(c, memory && few <= 5e-7, "euler: up to three turns: off by %.1e of 5e-7 rad", few);
  check_that(c, memory && many <= 8e-7, "euler: up to six turns: off by %.1e of 8e-7 rad", many);
  check_that(c, memory && r.length <= 2e-7, "euler: length off by %.1e of 2e-7", r.length);
  check_that(c, memory && r.exact, "euler: whole turns change no bit");
  check_that(c, memory && r.still, "euler: no angle is the identity");
  check_that(c, memory && r.untouched && guarded_intact(&r.planes) && guarded_intact(&r.local),
             "euler: writes nothing beside its tracks");
  guarded_close(&r.planes), guarded_close(&r.local), guarded_close(&r.again);
}
