/* Rotations to angles about three axes: what a BVH file's channels hold, the other way round than euler.c.
 *
 * With half angles h0, h1, h2 of turns about the axes i, j, k, and e = 1 where i, j, k follow each other in a
 * circle and -1 elsewhere, the quaternion (x, w) of their product has
 *   A = (w + x_j) + (x_i + e x_k) i = (cos h1 + sin h1) exp(i (h0 + e h2))
 *   B = (w - x_j) + (x_i - e x_k) i = (cos h1 - sin h1) exp(i (h0 - e h2))
 * so that the angles are the arguments of A B, of A conj(B), and of 2 |A| |B| + (|A|^2 - |B|^2) i. Where the
 * middle angle comes near a quarter turn, A or B vanishes and its argument is what rounding makes it: as it
 * stands in both outer angles, the rotation stays right. All four numbers are linear in the quaternion, and
 * so are the constant turns before and after it and the mirrored axis: one matrix. */
#include "isa.h"
#include "vatan.h"
#include "vquat.h"

static const float DEGREES = 57.2957795f; /* 180 / pi */

/* The complex number, or 1 where it is 0 and has no argument. */
SINEW_INLINE void with_argument(vf *re, vf *im, vf *square) {
  *square = v_fma(*re, *re, *im * *im);
  const vi none = *square < v_set(1e-30f);
  *re = v_select(none, v_set(1.0f), *re);
  *im = v_select(none, v_set(0.0f), *im);
}

SINEW_INLINE vf row_times(const float row[4], vquat q) {
  return v_fma(v_set(row[0]), q.x, v_fma(v_set(row[1]), q.y, v_fma(v_set(row[2]), q.z, v_set(row[3]) * q.w)));
}

static void angles_of(const sinew_angle_joint *restrict joint, const float *restrict local,
                      float *restrict planes) {
  float *first = planes + (size_t)joint->plane[0] * SINEW_BLOCK;
  float *second = planes + (size_t)joint->plane[1] * SINEW_BLOCK;
  float *third = planes + (size_t)joint->plane[2] * SINEW_BLOCK;
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    const vquat q = vquat_load(local + f);
    vf a = row_times(joint->m[0], q), b = row_times(joint->m[1], q);
    vf c = row_times(joint->m[2], q), d = row_times(joint->m[3], q), a2, b2;
    with_argument(&a, &b, &a2);
    with_argument(&c, &d, &b2);
    v_store(first + f, v_set(DEGREES) * v_atan2(v_fma(a, d, b * c), v_fnma(b, d, a * c)));
    v_store(second + f, v_set(DEGREES) * v_atan2(a2 - b2, v_set(2.0f) * v_sqrt(a2 * b2)));
    v_store(third + f, v_set(DEGREES * joint->sign) * v_atan2(v_fnma(a, d, b * c), v_fma(b, d, a * c)));
  }
}

void SINEW_KERNEL(angles)(const sinew_angle_joint *joints, size_t count, const float *local, float *planes) {
  for (size_t i = 0; i < count; i++)
    angles_of(&joints[i], local + (size_t)joints[i].slot * 4 * SINEW_BLOCK, planes);
}
