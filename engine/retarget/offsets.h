/* Translation degrees of freedom: a take's translations below the hips, which muscles cannot hold, as the
 * reference editor writes them into the channels SpineTDOF to RightHandTDOF.
 *
 * value = conj(post_p) applied to (the bone's place in its parent's frame in the take - its place there in
 * the rig) / human scale: in the parent's muscle frame. That is what editors write that let limbs land, as
 * the muscles here do, with the root of the bones that muscles hold: of the takes that are known, the spine's
 * to 1e-7, and no curves of limbs, whose places differ by turns that muscles lose but whose translations do
 * not. (Newer editors skip the landing, take the root from the take and count the lost turns in.) A channel
 * that stays below OFFSETS_LEAST is left out. */
#ifndef SINEW_RETARGET_OFFSETS_H
#define SINEW_RETARGET_OFFSETS_H

#include "retarget/muscle_rig.h"

enum { OFFSETS_BONES = 21 };
#define OFFSETS_LEAST 1e-4f

typedef struct offsets_bone {
  uint16_t channel;      /* of x, from CLIP_CHANNEL_TDOF on */
  int32_t joint, parent; /* of the take */
  float offset[3];       /* the rig's, metres */
  float post[4];         /* the parent's */
} offsets_bone;

typedef struct offsets_rig {
  uint32_t count; /* bones that both rig and take have */
  offsets_bone bones[OFFSETS_BONES];
  float inv_scale;
} offsets_rig;

/* joint_of_slot: the take's joints by the muscle rig's slots, -1 of a bone that it lacks; NULL: the slots
 * themselves. */
void offsets_rig_build(const sinew_rig *rig, const muscle_rig *muscles,
                       const int32_t joint_of_slot[HUMAN_BONE_COUNT], offsets_rig *out);

/* source: [joint][7][64] of the take in any one frame, metres. values [count][3][64], over the human scale.
 */
void offsets_block(const offsets_rig *rig, const float *source, float *values);

#endif
