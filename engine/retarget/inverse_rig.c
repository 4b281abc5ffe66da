#include "retarget/inverse_rig.h"

#include "base/error.h"
#include "rig/quat.h"

/* ---- axes --------------------------------------------------------------------------------------------- */

static bool axis_is_kept(const sinew_rig *rig, int bone, int axis) {
  const rig_axes *axes = &rig->axes[bone];
  return human_bones[bone].muscle[axis] >= 0 && (axes->min_rad[axis] != 0 || axes->max_rad[axis] != 0);
}
static bool any_axis_is_kept(const sinew_rig *rig, int bone) {
  return axis_is_kept(rig, bone, 0) || axis_is_kept(rig, bone, 1) || axis_is_kept(rig, bone, 2);
}

static float per_half_angle(double limit_rad, double sgn) {
  return limit_rad != 0 ? (float)(sgn * 2 / limit_rad) : 0;
}

/* muscle = angle / (sgn * max) where sgn * angle >= 0, else angle / (sgn * -min). */
static void set_axis(const sinew_rig *rig, int bone, int axis, sinew_inverse_axis *out) {
  const rig_axes *axes = &rig->axes[bone];
  *out = (sinew_inverse_axis){.plane = -1};
  if (!axis_is_kept(rig, bone, axis)) return;
  const float by_max = per_half_angle(axes->max_rad[axis], axes->sgn[axis]);
  const float by_min = per_half_angle(-axes->min_rad[axis], axes->sgn[axis]);
  out->plane = (int16_t)(SINEW_PLANE_MUSCLE + human_bones[bone].muscle[axis]);
  out->per_pos = axes->sgn[axis] >= 0 ? by_max : by_min;
  out->per_neg = axes->sgn[axis] >= 0 ? by_min : by_max;
}

/* ---- bones ----------------------------------------------------------------------------------------------
 */

static void set_quat(const double q[4], float out[4]) {
  for (int c = 0; c < 4; c++) out[c] = (float)q[c];
}

/* conj(mid * pre) of a bone: from its human parent's frame to its own muscle frame. */
static void to_muscle_frame(const sinew_rig *rig, int bone, double q[4]) {
  quat_mul(rig->between[bone], rig->axes[bone].pre, q);
  quat_conj(q, q);
}

/* I = conj(pre) * conj(mid) * turn * post, turn = mid * local. */
static void set_matrix(const sinew_rig *rig, int bone, float m[4][4]) {
  double to_frame[4];
  to_muscle_frame(rig, bone, to_frame);
  for (int k = 0; k < 4; k++) {
    double e[4] = {k == 0, k == 1, k == 2, k == 3};
    quat_mul(to_frame, e, e);
    quat_mul(e, rig->axes[bone].post, e);
    for (int c = 0; c < 4; c++) m[c][k] = (float)e[c];
  }
}

static bool is_limb(int bone) {
  return (bone >= HUMAN_LEFT_UPPER_LEG && bone <= HUMAN_RIGHT_FOOT) ||
         (bone >= HUMAN_LEFT_UPPER_ARM && bone <= HUMAN_RIGHT_HAND);
}

static void set_bones(const sinew_rig *rig, const muscle_rig *muscles, sinew_inverse_bone *bones,
                      uint32_t *count) {
  for (uint32_t slot = 1; slot < muscles->bone_count; slot++) {
    const int bone = muscles->bone_of_slot[slot];
    if (is_limb(bone) || !any_axis_is_kept(rig, bone)) continue;
    sinew_inverse_bone *out = &bones[(*count)++];
    out->slot = (uint16_t)slot;
    for (int axis = 0; axis < 3; axis++) set_axis(rig, bone, axis, &out->axis[axis]);
    set_matrix(rig, bone, out->m);
  }
}

/* ---- limbs ----------------------------------------------------------------------------------------------
 */

/* conj(post of the upper) * mid * pre of the lower: between the muscle frames of two bones. */
static void set_joint(const sinew_rig *rig, int upper, int lower, float k[4], float row[3]) {
  double q[4], to_frame[4];
  to_muscle_frame(rig, lower, to_frame);
  quat_mul(to_frame, rig->axes[upper].post, q);
  quat_conj(q, q);
  set_quat(q, k);
  for (int axis = 0; axis < 3; axis++) {
    double e[3] = {axis == 0, axis == 1, axis == 2};
    quat_rotate(q, e, e);
    row[axis] = (float)e[0];
  }
}

static void set_offset(const sinew_rig *rig, int above, int bone, float out[3]) {
  double back[4], v[3];
  quat_conj(rig->axes[above].post, back);
  quat_rotate(back, rig->offset[bone], v);
  for (int c = 0; c < 3; c++) out[c] = (float)v[c];
}

/* The hips are turned by the root: they stay as they are. */
static void set_parent(const sinew_rig *rig, const muscle_rig *muscles, int parent, sinew_inverse_limb *out) {
  out->parent_slot = -1;
  if (parent == HUMAN_HIPS) return;
  for (int axis = 0; axis < 3; axis++) {
    out->parent_keeps[axis] = axis_is_kept(rig, parent, axis);
    if (!out->parent_keeps[axis]) out->parent_slot = muscles->slot_of_bone[parent];
  }
  set_matrix(rig, parent, out->parent_m);
  set_quat(rig->axes[parent].post, out->parent_post);
}

static void set_limb(const sinew_rig *rig, const muscle_rig *muscles, const int bone[3],
                     sinew_inverse_limb *out) {
  double q[4];
  for (int i = 0; i < 3; i++) {
    out->slot[i] = (uint16_t)muscles->slot_of_bone[bone[i]];
    for (int axis = 0; axis < 3; axis++) set_axis(rig, bone[i], axis, &out->axis[i][axis]);
    set_quat(rig->axes[bone[i]].post, out->post[i]);
  }
  out->is_arm = bone[0] >= HUMAN_LEFT_UPPER_ARM;
  set_parent(rig, muscles, rig->parent_bone[bone[0]], out);
  to_muscle_frame(rig, bone[0], q);
  set_quat(q, out->to_upper);
  set_matrix(rig, bone[1], out->lower_m);
  set_joint(rig, bone[0], bone[1], out->k, out->k_row);
  set_joint(rig, bone[1], bone[2], out->k2, out->k2_row);
  set_offset(rig, bone[0], bone[1], out->to_elbow);
  set_offset(rig, bone[1], bone[2], out->to_end);
  out->per_share = rig->share[bone[0]] > 0 ? (float)(1 / rig->share[bone[0]]) : 0;
}

static void set_limbs(const sinew_rig *rig, const muscle_rig *muscles, sinew_inverse_limb limb[4]) {
  static const int upper[] = {HUMAN_LEFT_UPPER_LEG, HUMAN_RIGHT_UPPER_LEG, HUMAN_LEFT_UPPER_ARM,
                              HUMAN_RIGHT_UPPER_ARM};
  for (int i = 0; i < 4; i++)
    set_limb(rig, muscles, (const int[3]){upper[i], upper[i] + 2, upper[i] + 4}, &limb[i]);
}

/* ---- goals ----------------------------------------------------------------------------------------------
 */

static void set_goals(const sinew_rig *rig, sinew_goal_rig *out) {
  static const int bones[] = {HUMAN_LEFT_FOOT, HUMAN_RIGHT_FOOT, HUMAN_LEFT_HAND, HUMAN_RIGHT_HAND};
  double q[4];
  for (int i = 0; i < 4; i++) {
    set_quat(rig->axes[bones[i]].post, out->post[i]);
    out->axis_m[i] = i < 2 ? (float)rig->axes[bones[i]].length : 0;
  }
  quat_conj(rig->hips_rest_q, q);
  set_quat(q, out->upright);
  quat_conj(rig->root_q, q);
  set_quat(q, out->back);
  out->inv_scale = (float)(1 / rig->human_scale_m);
}

sinew_result inverse_rig_build(const sinew_rig *rig, const muscle_rig *muscles, inverse_limbs limbs,
                               inverse_rig *out, sinew_error *error) {
  *out = (inverse_rig){0};
  sinew_inverse_bone *bones = arena_alloc(&out->memory, HUMAN_BONE_COUNT, sizeof *bones);
  if (!bones) {
    inverse_rig_release(out);
    return error_set(error, SINEW_ERROR_MEMORY, "out of memory");
  }
  out->inverse.bones = bones;
  out->inverse.exact = limbs == INVERSE_EXACT;
  set_bones(rig, muscles, bones, &out->inverse.bone_count);
  set_limbs(rig, muscles, out->inverse.limb);
  set_goals(rig, &out->goals);
  return SINEW_OK;
}

void inverse_rig_release(inverse_rig *r) {
  arena_release(&r->memory);
  *r = (inverse_rig){0};
}
