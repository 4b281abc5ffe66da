/* What a clip stores of a body beside its muscles: the root, which is the centre of mass and the body frame
 * of the pose the muscles hold, and where the hands and feet of the source are against it. humanoid.md 6
 * and 7.
 *
 * Places are taken from the hips, whatever the distance to the origin: the goals lose nothing there. */
#include "isa.h"
#include "vquat.h"

void SINEW_KERNEL(root)(const sinew_body_rig *rig, const float *com, const float *frame, const float *hips_t,
                        const float *hips_q, float *root) {
  const vquat from_rest = vquat_conj(vquat_set(rig->after)), from_r0 = vquat_conj(vquat_set(rig->r0));
  const vf inv_scale = v_set(1.0f) / v_set(rig->scale_m);
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    const vquat hips = vquat_load(hips_q + f);
    const vquat upright = vquat_mul(hips, from_rest);
    const vquat body = vquat_mul(upright, vquat_mul(vquat_load(frame + f), from_r0));
    const vvec centre = vquat_rotate_add(hips, vvec_load(com + f), vvec_load(hips_t + f));
    vvec_store(root + f, vvec_scale(centre, inv_scale));
    vquat_store(root + 3 * SINEW_BLOCK + f, vquat_normalise(body));
  }
}

/* One end: its bone's rotation in the muscle frame, its place a foot's height down the sole, both against the
 * body. */
SINEW_INLINE void goal_of(const sinew_goal_rig *rig, int end, vquat to_body, vvec com, const float *ends,
                          float *goals) {
  const vquat q = vquat_mul(vquat_load(ends + 3 * SINEW_BLOCK), vquat_set(rig->post[end]));
  const vf zero = v_set(0.0f);
  vvec place = vvec_sub(vvec_load(ends), com);
  if (rig->axis_m[end] != 0) place = vquat_rotate_add(q, (vvec){v_set(rig->axis_m[end]), zero, zero}, place);
  place = vquat_rotate_add(to_body, place, (vvec){zero, zero, zero});
  vvec_store(goals, vvec_scale(place, v_set(rig->inv_scale)));
  vquat_store(goals + 3 * SINEW_BLOCK, vquat_normalise(vquat_mul(to_body, q)));
}

void SINEW_KERNEL(goals)(const sinew_goal_rig *rig, const float *ends, const float *com, const float *frame,
                         float *goals) {
  const vquat upright = vquat_set(rig->upright), back = vquat_set(rig->back);
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    const vquat body = vquat_mul(upright, vquat_mul(vquat_load(frame + f), back));
    const vquat to_body = vquat_conj(vquat_normalise(body));
    const vvec centre = vvec_load(com + f);
    for (int end = 0; end < 4; end++)
      goal_of(rig, end, to_body, centre, ends + end * 7 * SINEW_BLOCK + f, goals + end * 7 * SINEW_BLOCK + f);
  }
}
