#include "retarget/offsets.h"

#include "clip/clip.h"
#include "kernels.h"

/* In the channels' order. */
static const uint8_t bones[OFFSETS_BONES] = {
    HUMAN_SPINE,      HUMAN_CHEST,           HUMAN_UPPER_CHEST,     HUMAN_NECK,
    HUMAN_HEAD,       HUMAN_LEFT_UPPER_LEG,  HUMAN_LEFT_LOWER_LEG,  HUMAN_LEFT_FOOT,
    HUMAN_LEFT_TOES,  HUMAN_RIGHT_UPPER_LEG, HUMAN_RIGHT_LOWER_LEG, HUMAN_RIGHT_FOOT,
    HUMAN_RIGHT_TOES, HUMAN_LEFT_SHOULDER,   HUMAN_LEFT_UPPER_ARM,  HUMAN_LEFT_LOWER_ARM,
    HUMAN_LEFT_HAND,  HUMAN_RIGHT_SHOULDER,  HUMAN_RIGHT_UPPER_ARM, HUMAN_RIGHT_LOWER_ARM,
    HUMAN_RIGHT_HAND};

void offsets_rig_build(const sinew_rig *rig, const muscle_rig *muscles,
                       const int32_t joint_of_slot[HUMAN_BONE_COUNT], offsets_rig *out) {
  *out = (offsets_rig){.inv_scale = (float)(1 / rig->human_scale_m)};
  for (int i = 0; i < OFFSETS_BONES; i++) {
    const int bone = bones[i];
    if (rig->node_of_bone[bone] < 0) continue;
    const int parent = rig->parent_bone[bone];
    const int32_t slot = muscles->slot_of_bone[bone], above = muscles->slot_of_bone[parent];
    const int32_t joint = joint_of_slot ? joint_of_slot[slot] : slot,
                  joint_above = joint_of_slot ? joint_of_slot[above] : above;
    if (joint < 0 || joint_above < 0) continue;
    offsets_bone *to = &out->bones[out->count++];
    to->channel = (uint16_t)(CLIP_CHANNEL_TDOF + 3 * i);
    to->joint = joint;
    to->parent = joint_above;
    for (int c = 0; c < 3; c++) to->offset[c] = (float)rig->offset[bone][c];
    for (int c = 0; c < 4; c++) to->post[c] = (float)rig->axes[parent].post[c];
  }
}

/* conj(q) v q for a unit q */
static void rotate_back(const float q[4], float v[3]) {
  const float x = 2 * (v[1] * q[2] - v[2] * q[1]), y = 2 * (v[2] * q[0] - v[0] * q[2]),
              z = 2 * (v[0] * q[1] - v[1] * q[0]);
  const float a = v[0] + q[3] * x + (y * q[2] - z * q[1]), b = v[1] + q[3] * y + (z * q[0] - x * q[2]),
              c = v[2] + q[3] * z + (x * q[1] - y * q[0]);
  v[0] = a, v[1] = b, v[2] = c;
}

static void offset_of(const offsets_rig *rig, const offsets_bone *bone, const float *source, float *values) {
  enum { JOINT = SINEW_MODEL_PLANES * SINEW_BLOCK };
  const float *at = source + (size_t)bone->joint * JOINT, *above = source + (size_t)bone->parent * JOINT;
  for (int f = 0; f < SINEW_BLOCK; f++) {
    float q[4], v[3];
    for (int c = 0; c < 4; c++) q[c] = above[(3 + c) * SINEW_BLOCK + f];
    for (int c = 0; c < 3; c++) v[c] = at[c * SINEW_BLOCK + f] - above[c * SINEW_BLOCK + f];
    rotate_back(q, v);
    for (int c = 0; c < 3; c++) v[c] = (v[c] - bone->offset[c]) * rig->inv_scale;
    rotate_back(bone->post, v);
    for (int c = 0; c < 3; c++) values[c * SINEW_BLOCK + f] = v[c];
  }
}

void offsets_block(const offsets_rig *rig, const float *source, float *values) {
  for (uint32_t i = 0; i < rig->count; i++)
    offset_of(rig, &rig->bones[i], source, values + (size_t)i * 3 * SINEW_BLOCK);
}
