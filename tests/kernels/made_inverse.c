#include "made_inverse.h"

#include <math.h>
#include <string.h>

enum { LEFT_LEG = 1, RIGHT_LEG = 4, LEFT_ARM = 9, RIGHT_ARM = 12 };

static void small_turn(dice *d, double reach, double q[4]) {
  for (int c = 0; c < 3; c++) q[c] = dice_between(d, -reach, reach);
  q[3] = 1;
  ref_quat_normalise(q);
}

/* Spine 7 and shoulder 8 above the arms; three bones more at the end. */
static int parent_of(dice *d, int bone) {
  switch (bone) {
  case LEFT_LEG:
  case RIGHT_LEG:
  case 7:
    return 0;
  case 8:
    return 7;
  case LEFT_ARM:
  case RIGHT_ARM:
    return 8 - (int)(dice_bits(d) % 3) / 2 * 8;
  default:
    return bone - 1;
  }
}

static void make_axes(dice *d, int bone, ref_inverse_bone *out) {
  for (int axis = 0; axis < 3; axis++) {
    const bool none = bone == 0 || dice_bits(d) % 8 == 0;
    out->plane[axis] = none ? -1 : SINEW_PLANE_MUSCLE + 3 * bone + axis;
    out->sgn[axis] = dice_bits(d) % 2 ? 1 : -1;
    out->min_rad[axis] = -dice_between(d, 0.3, 1.7), out->max_rad[axis] = dice_between(d, 0.3, 1.7);
  }
}

static void make_bone(dice *d, made_inverse *m, int bone, bool limb_below, bool hinge) {
  ref_inverse_bone *out = &m->ref[bone];
  const double identity[4] = {0, 0, 0, 1};
  *out = (ref_inverse_bone){.parent = bone == 0 ? -1 : parent_of(d, bone)};
  make_axes(d, bone, out);
  dice_quat(d, out->post);
  dice_quat(d, out->pre);
  memcpy(out->mid, identity, sizeof identity);
  if (dice_bits(d) % 3 == 0) dice_quat(d, out->mid);
  for (int c = 0; c < 3; c++) out->offset[c] = dice_between(d, -0.1, 0.1);
  if (limb_below) { /* the bone above points here, and has nearly this one's frame */
    const ref_inverse_bone *above = &m->ref[bone - 1];
    double k[4], undo[4];
    ref_rotate(above->post, (const double[3]){dice_between(d, 0.2, 0.5), 0, 0}, out->offset);
    small_turn(d, hinge ? 0.15 : 0.3, k);
    ref_quat_conj(out->mid, undo);
    ref_quat_mul(undo, above->post, out->pre);
    ref_quat_mul(out->pre, k, out->pre);
  }
}

void made_inverse_make(dice *d, bool exact, made_inverse *m) {
  static const int first[] = {LEFT_LEG, RIGHT_LEG, LEFT_ARM, RIGHT_ARM};
  m->body = (ref_inverse_body){.bone_count = INVERSE_BONES, .bones = m->ref, .exact = exact};
  for (int bone = 0; bone < INVERSE_BONES; bone++) {
    int place = -1; /* along a limb */
    for (int i = 0; i < 4; i++)
      if (bone >= first[i] && bone < first[i] + 3) place = bone - first[i];
    make_bone(d, m, bone, place > 0, place == 1);
  }
  for (int i = 0; i < 4; i++)
    m->body.limb[i] = (ref_inverse_limb){.bone = {first[i], first[i] + 1, first[i] + 2},
                                         .is_arm = i >= 2,
                                         .share = (dice_bits(d) % 4 + 1) / 4.0};
  ref_fold_inverse(&m->body, m->bones, &m->rig);
}

static bool is_hinge(const made_inverse *m, int bone) {
  for (int i = 0; i < 4; i++)
    if (m->body.limb[i].bone[1] == bone) return true;
  return false;
}

void made_inverse_turns(dice *d, const made_inverse *m, double reach, float *turns) {
  for (int i = 0; i < INVERSE_BONES * SINEW_BLOCK; i++) {
    const int bone = i / SINEW_BLOCK, lane = i % SINEW_BLOCK;
    const ref_inverse_bone *b = &m->ref[bone];
    double q[4], undo[4];
    if (reach < INFINITY) {
      const double aside = is_hinge(m, bone) ? reach / 10 : reach;
      double twist[4] = {dice_between(d, -reach, reach), 0, 0, 1};
      double swing[4] = {0, dice_between(d, -aside, aside), dice_between(d, -reach, reach), 1};
      ref_quat_mul(swing, twist, q);
      ref_quat_mul(b->pre, q, q);
      ref_quat_conj(b->post, undo);
      ref_quat_mul(q, undo, q);
      ref_quat_mul(b->mid, q, q);
      ref_quat_normalise(q);
    } else {
      dice_quat(d, q);
    }
    for (int c = 0; c < 4; c++) turns[(bone * 4 + c) * SINEW_BLOCK + lane] = (float)q[c];
  }
}
