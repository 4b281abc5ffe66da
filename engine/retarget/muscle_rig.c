#include "retarget/muscle_rig.h"

#include "base/error.h"
#include "rig/quat.h"

#include <string.h>

/* ---- slots ------------------------------------------------------------------------------------------- */

/* Present bones in human_order, each after the bone it hangs from: an exporter may hang clavicles from the
 * neck, which human_order does not foresee in general. */
static void assign_slots(const sinew_rig *rig, muscle_rig *out) {
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) out->slot_of_bone[b] = -1;
  for (uint32_t before = UINT32_MAX; before != out->bone_count;) {
    before = out->bone_count;
    for (int i = 0; i < HUMAN_BONE_COUNT; i++) {
      int bone = human_order[i];
      if (rig->node_of_bone[bone] < 0 || out->slot_of_bone[bone] >= 0) continue;
      if (bone != HUMAN_HIPS && out->slot_of_bone[rig->parent_bone[bone]] < 0) continue;
      out->slot_of_bone[bone] = (int8_t)out->bone_count;
      out->bone_of_slot[out->bone_count++] = (uint8_t)bone;
    }
  }
}

/* ---- muscles ----------------------------------------------------------------------------------------- */

/* The limb bone whose left-over twist a bone receives, -1: none. */
static int donor_of(int bone) {
  switch (bone) {
  case HUMAN_LEFT_LOWER_LEG:
  case HUMAN_RIGHT_LOWER_LEG:
  case HUMAN_LEFT_FOOT:
  case HUMAN_RIGHT_FOOT:
  case HUMAN_LEFT_LOWER_ARM:
  case HUMAN_RIGHT_LOWER_ARM:
  case HUMAN_LEFT_HAND:
  case HUMAN_RIGHT_HAND:
    return human_bones[bone].parent;
  default:
    return -1;
  }
}

static bool is_limb(int bone) {
  return (bone >= HUMAN_LEFT_UPPER_LEG && bone <= HUMAN_RIGHT_LOWER_LEG) ||
         (bone >= HUMAN_LEFT_UPPER_ARM && bone <= HUMAN_RIGHT_LOWER_ARM);
}

static int16_t muscle_plane(int bone, int axis) {
  int muscle = human_bones[bone].muscle[axis];
  return (int16_t)(muscle < 0 ? -1 : SINEW_PLANE_MUSCLE + muscle);
}

static float half_pos(const rig_axes *axes, int axis) {
  return (float)(axes->sgn[axis] * axes->max_rad[axis] / 2);
}
static float half_neg(const rig_axes *axes, int axis) {
  return (float)(axes->sgn[axis] * -axes->min_rad[axis] / 2);
}

/* What the donor's left-over twist, a turn about its x axis by a half angle h, is to the receiver: cos h +
 * sin h * turn with turn = conj(mid) * (post * i * conj(post)) * mid, mid the rotation of the nodes in
 * between. */
static void received_turn(const sinew_rig *rig, int donor, int bone, double turn[4]) {
  const double *post = rig->axes[donor].post, *mid = rig->between[bone];
  double i[4] = {1, 0, 0, 0}, inverse[4];
  quat_conj(post, inverse);
  quat_mul(post, i, turn);
  quat_mul(turn, inverse, turn);
  quat_conj(mid, inverse);
  quat_mul(inverse, turn, turn);
  quat_mul(turn, mid, turn);
}

/* Columns m[.][k] = pre * e_k * conj(post), n[.][k] = turn * m[.][k]. */
static void set_matrices(const rig_axes *axes, const double turn[4], sinew_muscle_bone *out) {
  double inverse[4];
  quat_conj(axes->post, inverse);
  for (int k = 0; k < 4; k++) {
    double e[4] = {k == 0, k == 1, k == 2, k == 3}, column[4];
    quat_mul(axes->pre, e, column);
    quat_mul(column, inverse, column);
    for (int c = 0; c < 4; c++) out->m[c][k] = (float)column[c];
    quat_mul(turn, column, column);
    for (int c = 0; c < 4; c++) out->n[c][k] = (float)column[c];
  }
}

/* The hips have no muscle: the root turns them later, and until then the body is taken in their own frame. */
static void set_hips(sinew_muscle_bone *out) {
  for (int k = 0; k < 4; k++) out->m[k][k] = 1;
  for (int axis = 0; axis < 3; axis++) out->plane[axis] = -1;
  out->donor_plane = -1;
  out->keep = 1;
}

static void set_muscle_bone(const sinew_rig *rig, int bone, sinew_muscle_bone *out) {
  const rig_axes *axes = &rig->axes[bone];
  if (bone == HUMAN_HIPS) {
    set_hips(out);
    return;
  }
  for (int axis = 0; axis < 3; axis++) {
    out->plane[axis] = muscle_plane(bone, axis);
    out->half_pos[axis] = half_pos(axes, axis);
    out->half_neg[axis] = half_neg(axes, axis);
  }
  out->keep = (float)rig->share[bone];
  out->wraps = is_limb(bone);
  out->donor_plane = -1;
  double turn[4] = {0, 0, 0, 0};
  int donor = donor_of(bone);
  if (donor >= 0) {
    out->donor_plane = muscle_plane(donor, 0);
    out->donor_half_pos = half_pos(&rig->axes[donor], 0);
    out->donor_half_neg = half_neg(&rig->axes[donor], 0);
    out->donor_pass = (float)(1 - rig->share[donor]);
    received_turn(rig, donor, bone, turn);
  }
  set_matrices(axes, turn, out);
}

/* ---- forward kinematics -------------------------------------------------------------------------------- */

static void set_joint(const sinew_rig *rig, const muscle_rig *m, int bone, int16_t parent,
                      sinew_fk_joint *joint) {
  const double *q = rig->between[bone];
  joint->parent = parent;
  joint->slot = (uint16_t)m->slot_of_bone[bone];
  joint->has_between = parent >= 0 && (q[0] != 0 || q[1] != 0 || q[2] != 0);
  for (int k = 0; k < 4; k++) joint->between[k] = parent >= 0 ? (float)q[k] : k == 3;
  for (int k = 0; k < 3; k++) joint->offset[k] = parent >= 0 ? (float)rig->offset[bone][k] : 0;
}

/* The bones the centre of mass and the body frame read, and all above them. */
static void choose_body_bones(const sinew_rig *rig, const double weight[HUMAN_BONE_COUNT],
                              bool chosen[HUMAN_BONE_COUNT]) {
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    bool read = weight[b] != 0 || (b >= HUMAN_LEFT_UPPER_LEG && b <= HUMAN_RIGHT_UPPER_LEG) ||
                (b >= HUMAN_LEFT_UPPER_ARM && b <= HUMAN_RIGHT_UPPER_ARM);
    for (int a = rig->node_of_bone[b] >= 0 && read ? b : -1; a >= 0; a = rig->parent_bone[a])
      chosen[a] = true;
  }
}

/* Both rigs share the slots' order, so parents come first. In the full rig every rotation is computed, for
 * any reader; in the body's rig positions alone are read, so a joint that carries no other needs no rotation.
 */
static void build_fk(const sinew_rig *rig, muscle_rig *m, const bool chosen[HUMAN_BONE_COUNT],
                     sinew_fk_joint *all, sinew_fk_joint *body, int16_t body_joint[HUMAN_BONE_COUNT]) {
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < m->bone_count; slot++) {
    int bone = m->bone_of_slot[slot], parent = rig->parent_bone[bone];
    set_joint(rig, m, bone, parent >= 0 ? m->slot_of_bone[parent] : -1, &all[slot]);
    if (!chosen[bone]) continue;
    set_joint(rig, m, bone, parent >= 0 ? body_joint[parent] : -1, &body[count]);
    body[count].rotation_unused = 1;
    if (parent >= 0) body[body_joint[parent]].rotation_unused = 0;
    body_joint[bone] = (int16_t)count++;
  }
  m->fk = (sinew_fk_rig){m->bone_count, all};
  m->fk_body = (sinew_fk_rig){count, body};
}

/* ---- body ------------------------------------------------------------------------------------------------
 */

static void matrix_of(const double q[4], float rows[3][3]) {
  for (int column = 0; column < 3; column++) {
    double e[3] = {column == 0, column == 1, column == 2}, v[3];
    quat_rotate(q, e, v);
    for (int row = 0; row < 3; row++) rows[row][column] = (float)v[row];
  }
}

static void build_body(const sinew_rig *rig, muscle_rig *m, const int16_t joint[HUMAN_BONE_COUNT],
                       const float *com_weight) {
  sinew_body_rig *body = &m->body;
  body->joint_count = m->fk_body.joint_count;
  body->com_weight = com_weight;
  for (int side = 0; side < 2; side++) {
    body->upper_leg[side] = (uint16_t)joint[HUMAN_LEFT_UPPER_LEG + side];
    body->upper_arm[side] = (uint16_t)joint[HUMAN_LEFT_UPPER_ARM + side];
  }
  matrix_of(rig->hips_rest_q, body->hips_rest);
  for (int k = 0; k < 4; k++) {
    body->after[k] = (float)rig->hips_rest_q[k];
    body->r0[k] = (float)rig->root_q[k];
    body->above_q[k] = (float)rig->above_q[k];
  }
  body->scale_m = (float)rig->human_scale_m;
  body->inv_above_scale = (float)(1 / rig->above_scale);
  bool identity = rig->above_scale == 1;
  for (int k = 0; k < 3; k++) {
    body->above_t[k] = (float)rig->above_t[k];
    identity = identity && rig->above_t[k] == 0 && rig->above_q[k] == 0;
  }
  body->has_above = !identity;
}

/* In the T-pose the body frame is R0, so hips rotation = RootQ * R0 * conj(R0) * H is the rest rotation for
 * RootQ = 1, and the hips' place is RootT * scale minus the way from the hips to the centre of mass. */
static void set_rest_root(const sinew_rig *rig, float rest_root[7]) {
  for (int k = 0; k < 3; k++) rest_root[k] = (float)(rig->root_t[k] / rig->human_scale_m);
  rest_root[6] = 1;
}

sinew_result muscle_rig_build(const sinew_rig *rig, muscle_rig *out, sinew_error *error) {
  *out = (muscle_rig){0};
  sinew_muscle_bone *bones = arena_alloc(&out->memory, HUMAN_BONE_COUNT, sizeof *bones);
  sinew_fk_joint *all = arena_alloc(&out->memory, HUMAN_BONE_COUNT, sizeof *all);
  sinew_fk_joint *body = arena_alloc(&out->memory, HUMAN_BONE_COUNT, sizeof *body);
  float *com_weight = arena_alloc(&out->memory, HUMAN_BONE_COUNT, sizeof *com_weight);
  if (!bones || !all || !body || !com_weight) {
    muscle_rig_release(out);
    return error_set(error, SINEW_ERROR_MEMORY, "out of memory");
  }
  assign_slots(rig, out);
  for (uint32_t slot = 0; slot < out->bone_count; slot++)
    set_muscle_bone(rig, out->bone_of_slot[slot], &bones[slot]);
  out->muscle = (sinew_muscle_rig){out->bone_count, bones};

  double weight[HUMAN_BONE_COUNT];
  bool chosen[HUMAN_BONE_COUNT] = {false};
  int16_t joint[HUMAN_BONE_COUNT] = {0};
  rig_com_weights(rig, weight);
  choose_body_bones(rig, weight, chosen);
  build_fk(rig, out, chosen, all, body, joint);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++)
    if (chosen[b]) com_weight[joint[b]] = (float)weight[b];
  build_body(rig, out, joint, com_weight);
  set_rest_root(rig, out->rest_root);
  return SINEW_OK;
}

void muscle_rig_release(muscle_rig *m) {
  arena_release(&m->memory);
  *m = (muscle_rig){0};
}
