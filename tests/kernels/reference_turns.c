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
