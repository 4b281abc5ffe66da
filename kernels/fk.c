/* Forward kinematics: joint after joint, each over the block's 64 frames; a parent stands before its
 * children. */
#include "isa.h"
#include "vquat.h"

static void root_joint(const float *rotation, const float *position, const sinew_fk_joint *joint,
                       float *model) {
  const vvec origin = {v_set(0.0f), v_set(0.0f), v_set(0.0f)};
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    vvec_store(model + f, position ? vvec_load(position + f) : origin);
    if (!joint->rotation_unused) vquat_store(model + 3 * SINEW_BLOCK + f, vquat_load(rotation + f));
  }
}

SINEW_INLINE void child_joint(const sinew_fk_joint *joint, const float *parent, const float *local,
                              float *model, int turns, int has_between) {
  const vvec offset = vvec_set(joint->offset);
  const vquat between = vquat_set(joint->between);
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    vquat q = vquat_load(parent + 3 * SINEW_BLOCK + f);
    vvec_store(model + f, vquat_rotate_add(q, offset, vvec_load(parent + f)));
    if (turns) {
      vquat own = vquat_load(local + f);
      if (has_between) own = vquat_mul(between, own);
      vquat_store(model + 3 * SINEW_BLOCK + f, vquat_mul(q, own));
    }
  }
}

void SINEW_KERNEL(fk)(const sinew_fk_rig *rig, const float *local, const float *root_t, const float *root_q,
                      float *model) {
  for (uint32_t j = 0; j < rig->joint_count; j++) {
    const sinew_fk_joint *joint = &rig->joints[j];
    const float *own = local + (size_t)joint->slot * 4 * SINEW_BLOCK;
    float *out = model + (size_t)j * SINEW_MODEL_PLANES * SINEW_BLOCK;
    if (joint->parent < 0) {
      root_joint(root_q ? root_q : own, root_t, joint, out);
      continue;
    }
    const float *parent = model + (size_t)joint->parent * SINEW_MODEL_PLANES * SINEW_BLOCK;
    if (joint->rotation_unused)
      child_joint(joint, parent, own, out, 0, 0);
    else if (joint->has_between)
      child_joint(joint, parent, own, out, 1, 1);
    else
      child_joint(joint, parent, own, out, 1, 0);
  }
}
