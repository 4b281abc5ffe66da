/* Centre of mass, body frame and the hips they put in place: humanoid.md 6.
 *
 * Two vectors make the body frame; where one of them vanishes (coinciding origins) the frame is the identity,
 * so that no rig and no pose makes a NaN. */
#include "hips_parent.h"
#include "isa.h"

#define TINY_SQUARE 1e-36f

static void centre_of_mass(const sinew_body_rig *rig, const float *model, float *com) {
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    vvec sum = {v_set(0.0f), v_set(0.0f), v_set(0.0f)};
    for (uint32_t j = 0; j < rig->joint_count; j++) {
      vf weight = v_set(rig->com_weight[j]);
      vvec p = vvec_load(model + (size_t)j * SINEW_MODEL_PLANES * SINEW_BLOCK + f);
      sum = (vvec){v_fma(weight, p.x, sum.x), v_fma(weight, p.y, sum.y), v_fma(weight, p.z, sum.z)};
    }
    vvec_store(com + f, sum);
  }
}

SINEW_INLINE vf row_times(const float row[3], vvec a) {
  return v_fma(v_set(row[0]), a.x, v_fma(v_set(row[1]), a.y, v_set(row[2]) * a.z));
}
SINEW_INLINE vvec matrix_times(const float m[3][3], vvec a) {
  return (vvec){row_times(m[0], a), row_times(m[1], a), row_times(m[2], a)};
}
SINEW_INLINE vvec joint_position(const float *model, uint16_t joint, int f) {
  return vvec_load(model + (size_t)joint * SINEW_MODEL_PLANES * SINEW_BLOCK + f);
}

/* From the line hips to shoulders and the line across, in the frame in which the hips have their T-pose
 * rotation. x and z stay shorter than 1 where the two are not perpendicular; the quaternion is read off the
 * columns all the same. */
SINEW_INLINE vquat body_frame(vvec up, vvec across) {
  vf up_square = vvec_dot(up, up), across_square = vvec_dot(across, across);
  vi flat = (up_square < v_set(TINY_SQUARE)) | (across_square < v_set(TINY_SQUARE));
  vf one = v_set(1.0f);
  vvec y = vvec_scale(up, one / v_sqrt(v_select(flat, one, up_square)));
  vvec l = vvec_scale(across, one / v_sqrt(v_select(flat, one, across_square)));
  vvec z = vvec_cross(l, y);
  vvec x = vvec_cross(y, z);
  vquat frame = {y.z - z.y, z.x - x.z, x.y - y.x, ((one + x.x) + y.y) + z.z};
  return vquat_normalise(vquat_select(flat, vquat_identity(), frame));
}

void SINEW_KERNEL(body)(const sinew_body_rig *rig, const float *model, float *com, float *frame) {
  centre_of_mass(rig, model, com);
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    vvec left_leg = joint_position(model, rig->upper_leg[0], f),
         right_leg = joint_position(model, rig->upper_leg[1], f);
    vvec left_arm = joint_position(model, rig->upper_arm[0], f),
         right_arm = joint_position(model, rig->upper_arm[1], f);
    vvec up = vvec_sub(vvec_add(left_arm, right_arm), vvec_add(left_leg, right_leg)); /* twice */
    vvec across = vvec_add(vvec_sub(right_arm, left_arm), vvec_sub(right_leg, left_leg));
    vquat_store(frame + f,
                body_frame(matrix_times(rig->hips_rest, up), matrix_times(rig->hips_rest, across)));
  }
}

void SINEW_KERNEL(hips)(const sinew_body_rig *rig, const float *root, const float *com, const float *frame,
                        float *hips_t, float *hips_q, float *node_t, float *node_q) {
  const vquat r0 = vquat_set(rig->r0), after = vquat_set(rig->after);
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    vquat body = vquat_normalise(vquat_load(root + 3 * SINEW_BLOCK + f));
    vquat upright = vquat_mul(body, vquat_mul(r0, vquat_conj(vquat_load(frame + f))));
    vquat q = vquat_normalise(vquat_mul(upright, after));
    vvec body_t = vvec_scale(vvec_load(root + f), v_set(rig->scale_m));
    vvec away = vvec_load(com + f);
    away = (vvec){v_neg(away.x), v_neg(away.y), v_neg(away.z)};
    vvec_store(hips_t + f, vquat_rotate_add(q, away, body_t));
    vquat_store(hips_q + f, q);
  }
  const hips_above above = {rig->above_q, rig->above_t, rig->inv_above_scale, rig->has_above};
  hips_in_parent(above, hips_t, hips_q, node_t, node_q);
}
