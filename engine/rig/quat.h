/* Double-precision quaternions and vectors for set-up code; x, y, z, w, Hamilton product. Only + - * / and sqrt, so the
 * results are the same on every machine. */
#ifndef SINEW_RIG_QUAT_H
#define SINEW_RIG_QUAT_H

#include <math.h>

static inline void quat_mul(const double a[4], const double b[4], double out[4]) {
  double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
  double y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
  double z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
  double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
  out[0] = x, out[1] = y, out[2] = z, out[3] = w;
}
static inline void quat_conj(const double q[4], double out[4]) {
  out[0] = -q[0], out[1] = -q[1], out[2] = -q[2], out[3] = q[3];
}
/* Returns the length before; a zero quaternion becomes the identity. */
static inline double quat_normalise(double q[4]) {
  double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (n > 0) {
    for (int i = 0; i < 4; i++) q[i] /= n;
  } else {
    q[0] = q[1] = q[2] = 0, q[3] = 1;
  }
  return n;
}
/* v' = v + 2 w (u x v) + 2 u x (u x v) */
static inline void quat_rotate(const double q[4], const double v[3], double out[3]) {
  double tx = 2 * (q[1] * v[2] - q[2] * v[1]);
  double ty = 2 * (q[2] * v[0] - q[0] * v[2]);
  double tz = 2 * (q[0] * v[1] - q[1] * v[0]);
  double x = v[0] + q[3] * tx + (q[1] * tz - q[2] * ty);
  double y = v[1] + q[3] * ty + (q[2] * tx - q[0] * tz);
  double z = v[2] + q[3] * tz + (q[0] * ty - q[1] * tx);
  out[0] = x, out[1] = y, out[2] = z;
}
/* From a right-handed frame to Unity's or back: x mirrored. */
static inline void quat_mirror(const double from[4], double to[4]) {
  to[0] = from[0], to[1] = -from[1], to[2] = -from[2], to[3] = from[3];
}
static inline void vec_mirror(const double from[3], double to[3]) {
  to[0] = -from[0], to[1] = from[1], to[2] = from[2];
}
static inline void vec_cross(const double a[3], const double b[3], double out[3]) {
  double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  out[0] = x, out[1] = y, out[2] = z;
}
static inline double vec_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
/* Returns the length before; a zero vector stays. */
static inline double vec_normalise(double v[3]) {
  double n = sqrt(vec_dot(v, v));
  if (n > 0) v[0] /= n, v[1] /= n, v[2] /= n;
  return n;
}
/* Columns x, y, z of a rotation as a quaternion by the trace alone, as humanoid.md 6 takes the body frame;
 * not for half turns. Not normalised inside: the caller normalises. */
static inline void quat_from_frame_trace(const double x[3], const double y[3], const double z[3], double out[4]) {
  out[0] = y[2] - z[1], out[1] = z[0] - x[2], out[2] = x[1] - y[0], out[3] = 1 + x[0] + y[1] + z[2];
}
/* The rotation with these orthonormal columns; the largest component is found first, so that nothing cancels. */
static inline void quat_from_frame(const double x[3], const double y[3], const double z[3], double q[4]) {
  const double *c[3] = {x, y, z};
  double trace = c[0][0] + c[1][1] + c[2][2];
  if (trace > 0) {
    quat_from_frame_trace(x, y, z, q);
  } else {
    int i = c[0][0] >= c[1][1] ? 0 : 1;
    if (c[2][2] > c[i][i]) i = 2;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    q[i] = 1 + c[i][i] - c[j][j] - c[k][k];
    q[j] = c[j][i] + c[i][j];
    q[k] = c[k][i] + c[i][k];
    q[3] = c[j][k] - c[k][j];
  }
  quat_normalise(q);
}

#endif
