/* Bones to muscles as a user would write them who knows what costs: one frame after the other, double
 * precision, no vectors. Constants are multiplied beforehand, and sines, cosines and tangents of half angles
 * carried along, so that the C library's functions are left with one call for each muscle; built with -O2. */
#ifndef BENCH_RIVAL_INVERSE_PLAIN_H
#define BENCH_RIVAL_INVERSE_PLAIN_H

#include "kernels/reference_inverse.h"

enum { PLAIN_BONES = 55 };

typedef struct plain_bone {
  int parent;
  double left[4]; /* conj(mid * pre) */
  double post[4];
  double post_back[4];
  double offset[3];
  double per_up[3], per_down[3]; /* muscle over angle, by the angle's sign */
  int plane[3];                  /* -1: none */
  bool in_limb;
} plain_bone;

typedef struct plain_limb {
  int bone[3]; /* upper, lower, end */
  bool is_arm;
  double k_x[3];     /* a vector's x after K, the way from the upper to the lower bone's frame */
  double k2_x[3];    /* the same from the lower to the end's */
  double k2_back[4]; /* conj(K2) */
} plain_limb;

typedef struct plain_body {
  int bone_count;
  plain_bone bones[PLAIN_BONES];
  plain_limb limb[4];
} plain_body;

void plain_body_of(const ref_inverse_body *body, plain_body *out);

/* turns [frames][bone_count][4] -> planes [frames][SINEW_PLANE_COUNT]: the muscles' are written. */
void rival_inverse_plain(const plain_body *body, const double (*turns)[4], size_t frames, double *planes);

#endif
