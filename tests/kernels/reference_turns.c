#include "reference.h"

#include <math.h>
#include <string.h>

/* ---- angles ---- */

void ref_euler(const uint8_t *axis, const double *degrees, int count, double q[4]) {
  double file[4] = {0, 0, 0, 1};
  for (int t = 0; t < count; t++) {
    const double half = fmod(degrees[t], 360) * M_PI / 360;
    double turn[4] = {0, 0, 0, cos(half)};
    turn[axis[t]] = sin(half);
    ref_quat_mul(file, turn, file);
  }
  q[0] = file[0], q[1] = -file[1], q[2] = -file[2], q[3] = file[3];
}

/* ---- between keys ---- */

void ref_slerp(const double a[4], const double b[4], double share, double q[4]) {
  double from[4], to[4], dot = 0, sum = 0, apart = 0;
  memcpy(from, a, sizeof from), memcpy(to, b, sizeof to);
  for (int c = 0; c < 4; c++) dot += from[c] * to[c];
  for (int c = 0; c < 4 && dot < 0; c++) to[c] = -to[c];
  ref_quat_normalise(from);
  ref_quat_normalise(to);
  for (int c = 0; c < 4; c++)
    sum += (to[c] + from[c]) * (to[c] + from[c]), apart += (to[c] - from[c]) * (to[c] - from[c]);
  const double angle = 2 * atan2(sqrt(apart), sqrt(sum));
  const bool same = angle < 1e-9;
  const double first = same ? 1 - share : sin((1 - share) * angle) / sin(angle);
  const double second = same ? share : sin(share * angle) / sin(angle);
  for (int c = 0; c < 4; c++) q[c] = first * from[c] + second * to[c];
}

double ref_hermite(double p0, double m0, double p1, double m1, double u) {
  const double u2 = u * u, u3 = u2 * u;
  return (2 * u3 - 3 * u2 + 1) * p0 + (u3 - 2 * u2 + u) * m0 + (3 * u2 - 2 * u3) * p1 + (u3 - u2) * m1;
}
