/* Translation degrees of freedom: what is left of a take's translations when the bones stand at their rig's
 * offsets, as the reference editor writes it into the channels SpineTDOF to RightHandTDOF.
 *
 * value = conj(R_p * post_p) applied to (the way from the parent to the bone in the take - in the held pose)
 * / human scale: in the parent's muscle frame. Measured on the spine (1e-7) and, by the editor's newer
 * versions, on feet and hands with equal shares of twist; toes are an assumption. A channel that stays below
 * OFFSETS_LEAST is left out by the editor. */
#ifndef SINEW_RETARGET_OFFSETS_H
#define SINEW_RETARGET_OFFSETS_H

#include "retarget/muscle_rig.h"

enum { OFFSETS_BONES = 21 };
#define OFFSETS_LEAST 1e-4f

typedef struct offsets_bone {
  uint16_t channel; /* of x, from CLIP_CHANNEL_TDOF on */
  int8_t slot, parent;
  float post[4]; /* the parent's */
} offsets_bone;

typedef struct offsets_rig {
  uint32_t count; /* bones the rig has */
  offsets_bone bones[OFFSETS_BONES];
  float inv_scale;
} offsets_rig;

void offsets_rig_build(const sinew_rig *rig, const muscle_rig *muscles, offsets_rig *out);

/* source, held: [slot][7][64] of all bones of the muscle rig in the hips' frame, metres; held is its fk of
 * the muscles' rotations. values [count][3][64], over the human scale. */
void offsets_block(const offsets_rig *rig, const float *source, const float *held, float *values);

#endif
