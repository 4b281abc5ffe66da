/* The tests' reference is that rule, written for reading. It is compiled here again, under other names and
 * with the quaternions beside it, so that the compiler can take it apart. */
#define ref_quat_mul rival_inverse_quat_mul
#define ref_quat_conj rival_inverse_quat_conj
#define ref_quat_normalise rival_inverse_quat_normalise
#define ref_rotate rival_inverse_rotate
#define ref_inverse rival_inverse_frame
#define ref_fold_inverse rival_inverse_fold
#define ref_root rival_inverse_root
#define ref_goal rival_inverse_goal

#include "rival_inverse.h"

#include <math.h>

void ref_quat_mul(const double a[4], const double b[4], double out[4]) {
  const double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
  const double y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
  const double z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
  const double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
  out[0] = x, out[1] = y, out[2] = z, out[3] = w;
}
void ref_quat_conj(const double q[4], double out[4]) {
  out[0] = -q[0], out[1] = -q[1], out[2] = -q[2], out[3] = q[3];
}
void ref_quat_normalise(double q[4]) {
  const double scale = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int c = 0; c < 4; c++) q[c] *= scale;
}
void ref_rotate(const double q[4], const double v[3], double out[3]) {
  const double x = 2 * (q[1] * v[2] - q[2] * v[1]), y = 2 * (q[2] * v[0] - q[0] * v[2]),
               z = 2 * (q[0] * v[1] - q[1] * v[0]);
  const double a = v[0] + q[3] * x + q[1] * z - q[2] * y, b = v[1] + q[3] * y + q[2] * x - q[0] * z,
               c = v[2] + q[3] * z + q[0] * y - q[1] * x;
  out[0] = a, out[1] = b, out[2] = c;
}

#include "kernels/reference_inverse.c"

void rival_inverse(const ref_inverse_body *body, const double (*turns)[4], size_t frames, double *planes) {
  for (size_t f = 0; f < frames; f++)
    ref_inverse(body, turns + f * (size_t)body->bone_count, planes + f * SINEW_PLANE_COUNT, NULL);
}
