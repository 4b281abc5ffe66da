#include "figure.h"

#include <math.h>

/* Bones 0..15 are limb bones (with a twist muscle), 16..47 take every combination of axes, half of them below
 * a limb. */
static void make_bone(dice *d, figure *f, int b) {
  ref_bone *bone = &f->ref_bones[b];
  *bone = (ref_bone){.donor = -1, .share = 1, .between = {0, 0, 0, 1}, .limb = b < FIGURE_LIMBS};
  const int axes = b < FIGURE_LIMBS ? 1 | (b << 1 & 6) : b & 7;
  for (int a = 0; a < 3; a++) {
    bone->plane[a] = axes >> a & 1 ? SINEW_PLANE_MUSCLE + (int)(dice_bits(d) % 95) : -1;
    bone->sgn[a] = dice_bits(d) & 1 ? 1 : -1;
    bone->min_rad[a] = -dice_between(d, 0.1, 1.57);
    bone->max_rad[a] = dice_between(d, 0.1, 1.57);
  }
  dice_quat(d, bone->pre);
  dice_quat(d, bone->post);
  if (bone->limb) bone->share = (dice_bits(d) % 5) * 0.25;
  const bool receives = b < FIGURE_LIMBS ? b >= FIGURE_LIMBS / 2 : (b & 8) != 0;
  if (!receives) return;
  bone->donor = (int)(dice_bits(d) % (FIGURE_LIMBS / 2));
  if (dice_bits(d) & 1) dice_quat(d, bone->between);
}

static void make_joint(dice *d, figure *f, int j) {
  ref_joint *joint = &f->ref_joints[j];
  *joint = (ref_joint){.parent = j == 0  ? -1
                                 : j < 8 ? j - 1
                                         : (int)(dice_bits(d) % (uint32_t)j),
                       .between = {0, 0, 0, 1}};
  for (int c = 0; c < 3; c++) joint->offset[c] = dice_between(d, -0.1, 0.1);
  const bool has_between = dice_bits(d) % 4 == 0;
  if (has_between) dice_quat(d, joint->between);
  sinew_fk_joint *out = &f->joints[j];
  *out = (sinew_fk_joint){.parent = (int16_t)joint->parent, .slot = (uint16_t)j, .has_between = has_between};
  for (int c = 0; c < 4; c++) out->between[c] = (float)joint->between[c];
  for (int c = 0; c < 3; c++) out->offset[c] = (float)joint->offset[c];
}

static void make_body(dice *d, figure *f) {
  double total = 0, raw[FIGURE_BONES];
  for (int j = 0; j < FIGURE_BONES; j++) raw[j] = dice_between(d, -0.05, 1), total += raw[j];
  for (int j = 0; j < FIGURE_BONES; j++) f->weights[j] = (float)(raw[j] / total);
  dice_quat(d, f->hips_rest);
  f->body = (sinew_body_rig){.joint_count = FIGURE_BONES,
                             .com_weight = f->weights,
                             .upper_leg = {3, 9},
                             .upper_arm = {21, 33},
                             .has_above = 1};
  ref_hips *r = &f->ref_hips;
  dice_quat(d, r->r0);
  dice_quat(d, r->above_q);
  r->scale_m = dice_between(d, 0.5, 1.5), r->above_scale = dice_between(d, 0.5, 2);
  for (int c = 0; c < 3; c++)
    r->above_t[c] = dice_between(d, -1, 1), f->body.above_t[c] = (float)r->above_t[c];
  for (int c = 0; c < 4; c++) {
    r->rest[c] = f->hips_rest[c];
    f->body.after[c] = (float)f->hips_rest[c];
    f->body.r0[c] = (float)r->r0[c];
    f->body.above_q[c] = (float)r->above_q[c];
  }
  f->body.scale_m = (float)r->scale_m, f->body.inv_above_scale = (float)(1 / r->above_scale);
  for (int column = 0; column < 3; column++) {
    double axis[3] = {column == 0, column == 1, column == 2};
    ref_rotate(f->hips_rest, axis, axis);
    for (int row = 0; row < 3; row++) f->body.hips_rest[row][column] = (float)axis[row];
  }
}

void figure_make(figure *f, uint64_t seed) {
  dice d = {seed};
  for (int b = 0; b < FIGURE_BONES; b++) make_bone(&d, f, b);
  for (int b = 0; b < FIGURE_BONES; b++) ref_fold_bone(f->ref_bones, b, &f->bones[b]);
  f->muscle = (sinew_muscle_rig){FIGURE_BONES, f->bones};
  double reach[FIGURE_BONES];
  f->height_m = 0;
  for (int j = 0; j < FIGURE_BONES; j++) {
    make_joint(&d, f, j);
    const double *o = f->ref_joints[j].offset;
    const double above = j == 0 ? 0 : reach[f->ref_joints[j].parent];
    reach[j] = j == 0 ? 0 : above + sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]);
    if (reach[j] > f->height_m) f->height_m = reach[j];
  }
  f->fk = (sinew_fk_rig){FIGURE_BONES, f->joints};
  make_body(&d, f);
}

void figure_planes(dice *d, double reach, float *planes) {
  for (int i = 0; i < SINEW_PLANE_COUNT * SINEW_BLOCK; i++) planes[i] = (float)dice_between(d, -reach, reach);
}
