#include "rival_rig.h"
#include "rig/quat.h"

static rival_quat quat_of(const double q[4]) {
  return (rival_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
}

void rival_rig_build(const sinew_rig *rig, const muscle_rig *constants, rival_rig *out) {
  *out = (rival_rig){.bone_count = (int)constants->bone_count};
  for (int slot = 0; slot < out->bone_count; slot++) {
    const int bone = constants->bone_of_slot[slot];
    const rig_axes *axes = &rig->axes[bone];
    const sinew_muscle_bone *made = &constants->muscle.bones[slot];
    rival_bone *b = &out->bones[slot];
    for (int axis = 0; axis < 3; axis++) {
      b->muscle[axis] = slot == 0 ? -1 : human_bones[bone].muscle[axis];
      b->positive_rad[axis] = (float)(axes->sgn[axis] * axes->max_rad[axis]);
      b->negative_rad[axis] = (float)(axes->sgn[axis] * -axes->min_rad[axis]);
    }
    b->pre = slot == 0 ? (rival_quat){0, 0, 0, 1} : quat_of(axes->pre);
    b->post = slot == 0 ? (rival_quat){0, 0, 0, 1} : quat_of(axes->post);
    b->limb = made->wraps;
    b->keep = (float)rig->share[bone];
    b->donor = made->donor_plane >= 0 ? constants->slot_of_bone[rig->parent_bone[bone]] : -1;
    b->between = quat_of(rig->between[bone]);
  }
}

double rival_worst_deg(const float *a, const float *b, size_t count) {
  double worst = 0;
  for (size_t i = 0; i < count; i++) {
    double p[4], q[4], turn[4];
    for (int k = 0; k < 4; k++)
      p[k] = (k < 3 ? -1 : 1) * (double)a[4 * i + (size_t)k], q[k] = (double)b[4 * i + (size_t)k];
    quat_mul(p, q, turn);
    const double sine = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
    const double angle_deg = 2 * atan2(sine, fabs(turn[3])) * 57.29577951308232;
    if (!(angle_deg <= worst)) worst = angle_deg;
  }
  return worst;
}
