#include "support/inverse_body.h"

#include <string.h>

static void set_bone(const sinew_rig *rig, const muscle_rig *muscles, int bone, ref_inverse_bone *out) {
  const rig_axes *axes = &rig->axes[bone];
  const int parent = rig->parent_bone[bone];
  *out = (ref_inverse_bone){.parent = parent < 0 ? -1 : muscles->slot_of_bone[parent]};
  memcpy(out->pre, axes->pre, sizeof out->pre);
  memcpy(out->post, axes->post, sizeof out->post);
  memcpy(out->mid, rig->between[bone], sizeof out->mid);
  memcpy(out->offset, rig->offset[bone], sizeof out->offset);
  for (int axis = 0; axis < 3; axis++) {
    const int muscle = human_bones[bone].muscle[axis];
    const bool fixed = axes->min_rad[axis] == 0 && axes->max_rad[axis] == 0;
    out->sgn[axis] = axes->sgn[axis];
    out->min_rad[axis] = axes->min_rad[axis], out->max_rad[axis] = axes->max_rad[axis];
    out->plane[axis] = muscle < 0 || fixed || bone == HUMAN_HIPS ? -1 : SINEW_PLANE_MUSCLE + muscle;
  }
}

void inverse_body_of(const sinew_rig *rig, const muscle_rig *muscles, bool exact, inverse_body *out) {
  static const int upper[] = {HUMAN_LEFT_UPPER_LEG, HUMAN_RIGHT_UPPER_LEG, HUMAN_LEFT_UPPER_ARM,
                              HUMAN_RIGHT_UPPER_ARM};
  out->body = (ref_inverse_body){.bone_count = (int)muscles->bone_count, .bones = out->bones, .exact = exact};
  for (uint32_t slot = 0; slot < muscles->bone_count; slot++)
    set_bone(rig, muscles, muscles->bone_of_slot[slot], &out->bones[slot]);
  for (int i = 0; i < 4; i++) {
    ref_inverse_limb *limb = &out->body.limb[i];
    limb->is_arm = i >= 2;
    limb->share = rig->share[upper[i]];
    for (int j = 0; j < 3; j++) limb->bone[j] = muscles->slot_of_bone[upper[i] + 2 * j];
  }
}
