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

static void child(const sinew_fk_joint *joint, const float *parent, const float *local, float *model) {
  if (joint->rotation_unused)
    child_joint(joint, parent, local, model, 0, 0);
  else if (joint->has_between)
    child_joint(joint, parent, local, model, 1, 1);
  else
    child_joint(joint, parent, local, model, 1, 0);
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
    child(joint, parent, own, out);
  }
}

/* ---- joints that move in their parents ---- */

SINEW_INLINE void moved_root(const sinew_fk_joint *joint, const float *place, const float *local,
                             float *model, int has_place) {
  const vvec offset = vvec_set(joint->offset);
  const vquat between = vquat_set(joint->between);
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    vvec_store(model + f, has_place ? vvec_load(place + f) : offset);
    if (joint->rotation_unused) continue;
    vquat own = vquat_load(local + f);
    vquat_store(model + 3 * SINEW_BLOCK + f, joint->has_between ? vquat_mul(between, own) : own);
  }
}

SINEW_INLINE void moved_child(const sinew_fk_joint *joint, const float *parent, const float *place,
                              const float *local, float *model, int turns, int has_between) {
  const vquat between = vquat_set(joint->between);
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    vquat q = vquat_load(parent + 3 * SINEW_BLOCK + f);
    vvec_store(model + f, vquat_rotate_add(q, vvec_load(place + f), vvec_load(parent + f)));
    if (turns) {
      vquat own = vquat_load(local + f);
      if (has_between) own = vquat_mul(between, own);
      vquat_store(model + 3 * SINEW_BLOCK + f, vquat_mul(q, own));
    }
  }
}

void SINEW_KERNEL(fk_moved)(const sinew_fk_rig *rig, const float *local, const float *places, float *model) {
  for (uint32_t j = 0; j < rig->joint_count; j++) {
    const sinew_fk_joint *joint = &rig->joints[j];
    const float *own = local + (size_t)joint->slot * 4 * SINEW_BLOCK;
    const float *place = joint->place ? places + (size_t)(joint->place - 1) * 3 * SINEW_BLOCK : NULL;
    float *out = model + (size_t)j * SINEW_MODEL_PLANES * SINEW_BLOCK;
    if (joint->parent < 0) {
      moved_root(joint, place, own, out, place != NULL);
      continue;
    }
    const float *parent = model + (size_t)joint->parent * SINEW_MODEL_PLANES * SINEW_BLOCK;
    if (!place)
      child(joint, parent, own, out);
    else if (joint->rotation_unused)
      moved_child(joint, parent, place, own, out, 0, 0);
    else if (joint->has_between)
      moved_child(joint, parent, place, own, out, 1, 1);
    else
      moved_child(joint, parent, place, own, out, 1, 0);
  }
}

/* ---- matrices ---- */

/* Rows of the rotation by a unit quaternion, each with its part of the position behind it. */
void SINEW_KERNEL(matrices)(const float *model, size_t joint_count, float *matrices) {
  const vf one = v_set(1.0f);
  for (size_t j = 0; j < joint_count; j++) {
    const float *in = model + j * SINEW_MODEL_PLANES * SINEW_BLOCK;
    float *out = matrices + j * 12 * SINEW_BLOCK;
    for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH, in += SINEW_WIDTH, out += SINEW_WIDTH) {
      vvec p = vvec_load(in);
      vquat q = vquat_load(in + 3 * SINEW_BLOCK);
      vf x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
      vf xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
      vquat_store(
          out, (vquat){v_fnma(q.z, z2, v_fnma(q.y, y2, one)), v_fnma(q.w, z2, xy), v_fma(q.w, y2, xz), p.x});
      vquat_store(out + 4 * SINEW_BLOCK, (vquat){v_fma(q.w, z2, xy), v_fnma(q.z, z2, v_fnma(q.x, x2, one)),
                                                 v_fnma(q.w, x2, yz), p.y});
      vquat_store(out + 8 * SINEW_BLOCK, (vquat){v_fnma(q.w, y2, xz), v_fma(q.w, x2, yz),
                                                 v_fnma(q.y, y2, v_fnma(q.x, x2, one)), p.z});
    }
  }
}
