/* Muscles to rotations against the unfolded rules.
 *
 * Tolerances. float32 rounds a muscle's half angle of up to 4 radians by 2.4e-7, the constants likewise, and
 * the finished quaternion's components by 6e-8 each: together below 1e-4 degrees, unless the swing is so near
 * the half turn that the rule itself, tan(y/2) and tan(z/2) both growing without limit, magnifies the angle's
 * last bit: 1e-2 degrees there. Very large muscles keep the relative precision of their angle alone: 2^-22 of
 * it. */
#include "figure.h"

#include <math.h>
#include <string.h>

enum { FIGURES = 24 };

typedef struct muscle_errors {
  double near_deg, far_deg, unit;
} muscle_errors;

/* Within a hair of the wrap, rounding decides on which side a twist lies, and its shares differ by half a
 * turn. */
static bool at_the_wrap(const ref_bone *bone, const double *value) {
  const double turns = ref_bone_angle(bone, 0, value) / (2 * M_PI) - 0.5;
  return fabs(turns - nearbyint(turns)) < 1e-6 * (1 + fabs(turns));
}
static bool undecided(const figure *f, int b, const double *value) {
  const ref_bone *bone = &f->ref_bones[b];
  if (bone->limb && at_the_wrap(bone, value)) return true;
  return bone->donor >= 0 && at_the_wrap(&f->ref_bones[bone->donor], value);
}

static void measure(const figure *f, const float *planes, const float *local, muscle_errors *e) {
  double value[SINEW_PLANE_COUNT], want[4], got[4];
  for (int frame = 0; frame < SINEW_BLOCK; frame++) {
    for (int p = 0; p < SINEW_PLANE_COUNT; p++) value[p] = (double)planes[p * SINEW_BLOCK + frame];
    for (int b = 0; b < FIGURE_BONES; b++) {
      double square = 0;
      for (int c = 0; c < 4; c++) {
        got[c] = (double)local[(b * 4 + c) * SINEW_BLOCK + frame];
        square += got[c] * got[c];
      }
      e->unit = fmax(e->unit, fabs(sqrt(square) - 1));
      if (!(square < 4)) e->unit = INFINITY;
      if (undecided(f, b, value)) continue;
      ref_bone_local(f->ref_bones, b, value, want);
      double *worst = ref_bone_swing_deg(&f->ref_bones[b], value) < 165 ? &e->near_deg : &e->far_deg;
      *worst = fmax(*worst, ref_angle_deg(got, want));
    }
  }
}

static void check_reach(const sinew_kernels *k, check *c, double reach) {
  guarded planes = {0}, local = {0};
  muscle_errors e = {0};
  dice d = {7};
  const bool memory = guarded_open(&planes, SINEW_PLANE_COUNT * SINEW_BLOCK) &&
                      guarded_open(&local, FIGURE_BONES * 4 * SINEW_BLOCK);
  for (uint64_t seed = 1; seed <= FIGURES && memory; seed++) {
    figure f;
    figure_make(&f, seed);
    figure_planes(&d, reach, planes.values);
    k->muscle(&f.muscle, planes.values, local.values);
    measure(&f, planes.values, local.values, &e);
  }
  if (reach <= 3)
    check_that(c, memory && e.near_deg <= 1e-4,
               "muscle: |muscle| <= %g, swing below 165 deg: off by %.1e of 1e-4 deg", reach, e.near_deg);
  if (reach == 3)
    check_that(c, memory && e.far_deg <= 1e-2,
               "muscle: |muscle| <= %g, swing beyond: off by %.1e of 1e-2 deg", reach, e.far_deg);
  check_that(c, memory && e.unit <= 1e-6, "muscle: |muscle| <= %g: length off 1 by %.1e of 1e-6", reach,
             e.unit);
  check_that(c, memory && guarded_intact(&local) && guarded_intact(&planes),
             "muscle: writes nothing beside its planes");
  guarded_close(&local);
  guarded_close(&planes);
}

/* One axis, so that no swing magnifies the angle's error: a twist of up to 1000 units. */
static void check_large_twist(const sinew_kernels *k, check *c) {
  ref_bone bone = {.plane = {SINEW_PLANE_MUSCLE, -1, -1},
                   .pre = {0, 0, 0, 1},
                   .post = {0, 0, 0, 1},
                   .sgn = {1, 1, 1},
                   .min_rad = {-1.5, 0, 0},
                   .max_rad = {1.5, 0, 0},
                   .share = 1,
                   .donor = -1,
                   .between = {0, 0, 0, 1}};
  sinew_muscle_bone folded;
  ref_fold_bone(&bone, 0, &folded);
  const sinew_muscle_rig rig = {1, &folded};
  _Alignas(64) float planes[SINEW_PLANE_COUNT * SINEW_BLOCK] = {0};
  _Alignas(64) float local[4 * SINEW_BLOCK];
  float *muscle = planes + SINEW_PLANE_MUSCLE * SINEW_BLOCK;
  dice d = {3};
  double worst = 0;
  for (int f = 0; f < SINEW_BLOCK; f++) muscle[f] = (float)dice_between(&d, -1000, 1000);
  k->muscle(&rig, planes, local);
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double value[SINEW_PLANE_COUNT] = {0}, want[4], got[4];
    value[SINEW_PLANE_MUSCLE] = (double)muscle[f];
    ref_bone_local(&bone, 0, value, want);
    for (int q = 0; q < 4; q++) got[q] = (double)local[q * SINEW_BLOCK + f];
    const double allowed = 5e-5 + fabs(ref_bone_angle(&bone, 0, value)) * 0x1p-22 * 180 / M_PI;
    worst = fmax(worst, ref_angle_deg(got, want) / allowed);
  }
  check_that(c, worst <= 1,
             "muscle: twists up to 1000 units: off by %.2f of what the angle's precision allows", worst);
}

/* Muscles at, and a few floats beside, those that turn both swing axes by exactly a half turn: there the
 * direction of the swing is undefined and every unit quaternion is as good as another, but it must be one. */
static void check_half_turns(const sinew_kernels *k, check *c) {
  ref_bone bone = {.plane = {-1, SINEW_PLANE_MUSCLE, SINEW_PLANE_MUSCLE + 1},
                   .pre = {0, 0, 0, 1},
                   .post = {0, 0, 0, 1},
                   .sgn = {1, 1, 1},
                   .min_rad = {-1, -1, -1},
                   .max_rad = {1, 1, 1},
                   .share = 1,
                   .donor = -1,
                   .between = {0, 0, 0, 1}};
  sinew_muscle_bone folded;
  ref_fold_bone(&bone, 0, &folded);
  const sinew_muscle_rig rig = {1, &folded};
  _Alignas(64) float planes[SINEW_PLANE_COUNT * SINEW_BLOCK] = {0};
  _Alignas(64) float local[4 * SINEW_BLOCK];
  double worst = 0;
  for (int shift = -32; shift < 32; shift++) {
    for (int f = 0; f < SINEW_BLOCK; f++) {
      planes[SINEW_PLANE_MUSCLE * SINEW_BLOCK + f] = (float)M_PI + (float)(f - 32) * 0x1p-22f;
      planes[(SINEW_PLANE_MUSCLE + 1) * SINEW_BLOCK + f] = -(float)M_PI + (float)shift * 0x1p-22f;
    }
    k->muscle(&rig, planes, local);
    for (int f = 0; f < SINEW_BLOCK; f++) {
      double square = 0;
      for (int q = 0; q < 4; q++)
        square += (double)local[q * SINEW_BLOCK + f] * (double)local[q * SINEW_BLOCK + f];
      worst = square < 4 ? fmax(worst, fabs(sqrt(square) - 1)) : INFINITY;
    }
  }
  check_that(c, worst <= 1e-6, "muscle: half turns of both axes: length off 1 by %.1e of 1e-6", worst);
}

/* Small muscles take ways that leave steps out; one large one in a bone's block, and the whole block takes
 * the long way. The last frame decides which: the others' bits must not notice. */
static void tame_planes(dice *d, const figure *f, float *planes) {
  static const float awkward[] = {0, -0.0f, 1e-40f, -1e-40f, 1e-45f, -1e-45f, 1e-30f, -1e-30f};
  for (int i = 0; i < SINEW_PLANE_COUNT * SINEW_BLOCK; i++) {
    const uint32_t roll = dice_bits(d);
    planes[i] = roll % 4 ? (float)dice_between(d, -1, 1) : awkward[roll / 4 % 8];
  }
  for (int b = 0; b < FIGURE_BONES; b++) /* half angles just within the short ways' reach */
    for (int a = 0; a < 3; a++) {
      if (f->bones[b].plane[a] < 0) continue;
      float *muscle = planes + f->bones[b].plane[a] * SINEW_BLOCK + dice_bits(d) % (SINEW_BLOCK - 1);
      *muscle = (float)(1.5699 /
                        fmax(fabs((double)f->bones[b].half_pos[a]), fabs((double)f->bones[b].half_neg[a])));
      if (*muscle > 2) *muscle = 2;
    }
}
static void check_short_ways(const sinew_kernels *k, check *c) {
  static _Alignas(64) float planes[SINEW_PLANE_COUNT * SINEW_BLOCK];
  static _Alignas(64) float local[2][FIGURE_BONES][4][SINEW_BLOCK];
  bool equal = true;
  dice d = {11};
  for (uint64_t seed = 1; seed <= FIGURES; seed++) {
    figure f;
    figure_make(&f, seed);
    for (int b = 0; b < FIGURE_BONES; b += 2) { /* limits alike on both sides: a way of its own */
      for (int a = 0; a < 3; a++) f.bones[b].half_neg[a] = f.bones[b].half_pos[a];
      f.bones[b].donor_half_neg = f.bones[b].donor_half_pos;
    }
    for (int b = 0; b < FIGURE_BONES; b += 3) /* matrices that leave a zero's sign to be seen */
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
          if (i != j) f.bones[b].m[i][j] = f.bones[b].n[i][j] = 0;
    tame_planes(&d, &f, planes);
    k->muscle(&f.muscle, planes, local[0][0][0]);
    for (int p = 0; p < SINEW_PLANE_COUNT; p++) planes[p * SINEW_BLOCK + SINEW_BLOCK - 1] = 1000;
    k->muscle(&f.muscle, planes, local[1][0][0]);
    for (int b = 0; b < FIGURE_BONES; b++)
      for (int q = 0; q < 4; q++)
        equal = equal && memcmp(local[0][b][q], local[1][b][q], (SINEW_BLOCK - 1) * sizeof(float)) == 0;
  }
  check_that(c, equal, "muscle: short ways give the long one's bits");
}

void check_muscle(const sinew_kernels *k, check *c) {
  check_reach(k, c, 1.2);
  check_reach(k, c, 3);
  check_reach(k, c, 1000);
  check_large_twist(k, c);
  check_half_turns(k, c);
  check_short_ways(k, c);
}
