#include "stage/bake_plan.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

static const uint64_t frame_limit = UINT64_C(1) << 28;
static const double rate_limit_hz = 1e6;

static void list_moves(bake_plan *plan) {
  for (uint32_t i = 0; i < plan->segments.curve_count; i++)
    plan->moves[plan->segments.curves[i].plane] = plan->segments.curves[i].times->count > 1;
  const clip_rows *rows = plan->clip->rows;
  if (!rows) return;
  bool constant[SINEW_PLANE_COUNT];
  clip_rows_constant(plan->clip->rows, constant);
  for (int plane = 0; plane < SINEW_PLANE_COUNT; plane++)
    plan->moves[plane] =
        plan->wanted[plane] && rows->column_of_plane[plane] != ROWS_NO_COLUMN && !constant[plane];
}

static bool plane_moves(const bake_plan *plan, int plane) {
  return plane >= 0 && plan->moves[plane];
}

static bool slot_moves(const bake_plan *plan, uint32_t slot) {
  const sinew_muscle_bone *bone = &plan->constants.muscle.bones[slot];
  return plane_moves(plan, bone->plane[0]) || plane_moves(plan, bone->plane[1]) ||
         plane_moves(plan, bone->plane[2]) || plane_moves(plan, bone->donor_plane);
}

/* The hips follow the root and every bone that the body frame and the centre of mass read. */
static bool hips_move(const bake_plan *plan) {
  for (int plane = SINEW_PLANE_ROOT_T; plane < SINEW_PLANE_MUSCLE; plane++)
    if (plane_moves(plan, plane)) return true;
  for (uint32_t i = 0; i < plan->constants.fk_body.joint_count; i++)
    if (slot_moves(plan, plan->constants.fk_body.joints[i].slot)) return true;
  return false;
}

static void list_tracks(bake_plan *plan) {
  bool hips_constant = !hips_move(plan);
  uint32_t hips_node = (uint32_t)plan->rig->node_of_bone[HUMAN_HIPS];
  plan->tracks[0] = (glb_track){hips_node, GLB_TRANSLATION, hips_constant};
  for (uint32_t slot = 0; slot < plan->constants.bone_count; slot++) {
    uint32_t node = (uint32_t)plan->rig->node_of_bone[plan->constants.bone_of_slot[slot]];
    bool constant = slot == 0 ? hips_constant : !slot_moves(plan, slot);
    plan->tracks[1 + slot] = (glb_track){node, GLB_ROTATION, constant};
  }
  plan->track_count = 1 + plan->constants.bone_count;
  for (uint32_t i = 0; i < plan->track_count; i++) plan->constant_count += plan->tracks[i].constant;
}

void bake_plan_list_wanted(const muscle_rig *constants, bool wanted[SINEW_PLANE_COUNT]) {
  memset(wanted, 0, SINEW_PLANE_COUNT * sizeof *wanted);
  for (int plane = SINEW_PLANE_ROOT_T; plane < SINEW_PLANE_MUSCLE; plane++) wanted[plane] = true;
  for (uint32_t slot = 0; slot < constants->bone_count; slot++) {
    const sinew_muscle_bone *bone = &constants->muscle.bones[slot];
    for (int axis = 0; axis < 3; axis++)
      if (bone->plane[axis] >= 0) wanted[bone->plane[axis]] = true;
    if (bone->donor_plane >= 0) wanted[bone->donor_plane] = true;
  }
}

sinew_result bake_plan_build(const sinew_kernels *kernels, const sinew_clip *clip, const sinew_rig *rig,
                             double rate_hz, bake_plan *plan, sinew_error *error) {
  memset(plan, 0, sizeof *plan);
  plan->clip = clip;
  plan->rig = rig;
  plan->kernels = kernels;
  plan->rate_hz = rate_hz == 0 ? clip->rate_hz : rate_hz;
  SINEW_CHECK(plan->rate_hz > 0 && plan->rate_hz <= rate_limit_hz, error, SINEW_ERROR_ARGUMENT,
              "the rate is %g frames per second, expected more than 0 and at most %g", plan->rate_hz,
              rate_limit_hz);
  double duration_s = clip->stop_s - clip->start_s;
  SINEW_CHECK(duration_s * plan->rate_hz < (double)frame_limit - 1, error, SINEW_ERROR_LIMIT,
              "%g seconds at %g frames per second are more than the limit of %llu frames", duration_s,
              plan->rate_hz, (unsigned long long)frame_limit);
  plan->frame_count = sinew_clip_frame_count(clip, plan->rate_hz);
  plan->block_count = (plan->frame_count + SINEW_BLOCK - 1) / SINEW_BLOCK;
  SINEW_TRY(muscle_rig_build(rig, &plan->constants, error));
  for (int i = 0; i < 7; i++) plan->fill[SINEW_PLANE_ROOT_T + i] = plan->constants.rest_root[i];
  bake_plan_list_wanted(&plan->constants, plan->wanted);
  sinew_result result = clip_segments_build(clip, plan->wanted, &plan->segments, error);
  if (result != SINEW_OK) {
    muscle_rig_release(&plan->constants);
    return result;
  }
  list_moves(plan);
  list_tracks(plan);
  return SINEW_OK;
}

/* Float: far above what rounding leaves (about 1e-6 of the body), far below any wrong axis. int16: half a
 * step of 1/32767 in each component turns by up to 6e-5 rad, and a chain of bones adds such turns up. */
bake_bounds bake_plan_bounds(const bake_plan *plan) {
  return plan->quantized ? (bake_bounds){5e-4, 2e-4} : (bake_bounds){1e-5, 4e-6};
}

void bake_plan_release(bake_plan *plan) {
  box_mesh_release(&plan->mesh);
  clip_segments_release(&plan->segments);
  muscle_rig_release(&plan->constants);
}
