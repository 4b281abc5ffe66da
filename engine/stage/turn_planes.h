/* A block's rotations and places turned by one rotation: each operation rounded by itself, so that the bytes
 * are the same everywhere. */
#ifndef SINEW_STAGE_TURN_PLANES_H
#define SINEW_STAGE_TURN_PLANES_H

#include "kernels.h"

/* turn * q; q [4][64] in place. */
static inline void turn_rotation(const float turn[4], float *q) {
  float *y = q + SINEW_BLOCK, *z = q + 2 * SINEW_BLOCK, *w = q + 3 * SINEW_BLOCK;
  for (int f = 0; f < SINEW_BLOCK; f++) {
    const float a = q[f], b = y[f], c = z[f], d = w[f];
    q[f] = turn[3] * a + turn[0] * d + turn[1] * c - turn[2] * b;
    y[f] = turn[3] * b - turn[0] * c + turn[1] * d + turn[2] * a;
    z[f] = turn[3] * c + turn[0] * b - turn[1] * a + turn[2] * d;
    w[f] = turn[3] * d - turn[0] * a - turn[1] * b - turn[2] * c;
  }
}

/* turn * t * conj(turn); t [3][64] in place. */
static inline void turn_place(const float turn[4], float *t) {
  float *y = t + SINEW_BLOCK, *z = t + 2 * SINEW_BLOCK;
  for (int f = 0; f < SINEW_BLOCK; f++) {
    const float a = 2 * (turn[1] * z[f] - turn[2] * y[f]), b = 2 * (turn[2] * t[f] - turn[0] * z[f]),
                c = 2 * (turn[0] * y[f] - turn[1] * t[f]);
    const float moved[3] = {t[f] + turn[3] * a + (turn[1] * c - turn[2] * b),
                            y[f] + turn[3] * b + (turn[2] * a - turn[0] * c),
                            z[f] + turn[3] * c + (turn[0] * b - turn[1] * a)};
    t[f] = moved[0], y[f] = moved[1], z[f] = moved[2];
  }
}

#endif
