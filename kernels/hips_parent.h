/* The hips from the avatar's root space to their parent node. */
#ifndef SINEW_HIPS_PARENT_H
#define SINEW_HIPS_PARENT_H

#include "vquat.h"

typedef struct hips_above { /* as in sinew_body_rig */
  const float *q, *t;
  float inv_scale;
  int there; /* 0: the parent is at the identity */
} hips_above;

SINEW_INLINE void hips_in_parent(hips_above above, const float *hips_t, const float *hips_q, float *node_t,
                                 float *node_q) {
  if (!above.there) {
    memcpy(node_t, hips_t, sizeof(float) * 3 * SINEW_BLOCK);
    memcpy(node_q, hips_q, sizeof(float) * 4 * SINEW_BLOCK);
    return;
  }
  const vquat to_parent = vquat_conj(vquat_set(above.q));
  const vvec above_t = vvec_set(above.t), zero = {v_set(0.0f), v_set(0.0f), v_set(0.0f)};
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    vvec t = vquat_rotate_add(to_parent, vvec_sub(vvec_load(hips_t + f), above_t), zero);
    vvec_store(node_t + f, vvec_scale(t, v_set(above.inv_scale)));
    vquat_store(node_q + f, vquat_normalise(vquat_mul(to_parent, vquat_load(hips_q + f))));
  }
}

#endif
