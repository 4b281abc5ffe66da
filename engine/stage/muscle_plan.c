#include "stage/muscle_plan.h"
#include "base/error.h"
#include "retarget/mirror.h"

#include <math.h>
#include <string.h>

static void list_moves(bake_plan *plan) {
  if (plan->planes_from == PLANES_OF_BONES) {
    for (int plane = 0; plane < SINEW_PLANE_COUNT; plane++) plan->moves[plane] = true; /* any of them may */
    return;
  }
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

/* What a mirrored plane does is what its source does. */
static void mirror_moves(bake_plan *plan) {
  bool moves[SINEW_PLANE_COUNT];
  for (uint32_t plane = 0; plane < SINEW_PLANE_COUNT; plane++)
    moves[plane] = plan->moves[mirror_source_of(plane).plane];
  memcpy(plan->moves, moves, sizeof moves);
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

/* The hips' translation, then the rotation of every human bone. */
static sinew_result list_output(bake_plan *plan, sinew_error *error) {
  const sinew_rig *rig = plan->rig;
  const muscle_rig *constants = &plan->constants;
  bake_output *output = &plan->output;
  *output = (bake_output){.nodes = rig->nodes,
                          .node_count = rig->node_count,
                          .file_node = rig->source_node,
                          .slot_count = constants->bone_count,
                          .place_count = 1,
                          .fk = constants->fk,
                          .height_m = rig->height_m};
  SINEW_TRY(bake_output_open(output, &plan->memory, error));
  output->joint_node = arena_alloc(&plan->memory, constants->bone_count, sizeof *output->joint_node);
  SINEW_CHECK(output->joint_node, error, SINEW_ERROR_MEMORY, "out of memory for %u joints",
              constants->bone_count);
  const bool hips_constant = !hips_move(plan);
  bake_output_move(output, (uint32_t)rig->node_of_bone[HUMAN_HIPS], 0, hips_constant);
  for (uint32_t slot = 0; slot < constants->bone_count; slot++) {
    output->joint_node[slot] = (uint32_t)rig->node_of_bone[constants->bone_of_slot[slot]];
    bake_output_turn(output, output->joint_node[slot], slot,
                     slot == 0 ? hips_constant : !slot_moves(plan, slot));
  }
  for (int c = 0; c < 3; c++) output->root_reach_m = fmax(output->root_reach_m, fabs(rig->above_t[c]));
  return SINEW_OK;
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

/* Curves of a clip of muscles: those a pose is made of, and those that are written. */
static sinew_result take_curves(bake_plan *plan, sinew_error *error) {
  for (int channel = 0; channel < CLIP_CHANNEL_COUNT; channel++) {
    const int plane = clip_plane_of_channel(channel);
    if (plane >= 0 && plan->clip->curve_of_channel[channel] >= 0) plan->curved[plane] = true;
  }
  for (int plane = 0; plane < SINEW_PLANE_COUNT; plane++)
    if (plan->wants_planes && plan->curved[plane]) plan->wanted[plane] = true;
  /* a mirrored plane is another's */
  bool sampled[SINEW_PLANE_COUNT];
  for (int plane = 0; plane < SINEW_PLANE_COUNT; plane++)
    sampled[plane] =
        plan->wanted[plane] || (plan->mirror && plan->wanted[mirror_source_of((uint32_t)plane).plane]);
  memcpy(plan->wanted, sampled, sizeof sampled);
  return clip_segments_build(plan->clip, plan->wanted, &plan->segments, error);
}

sinew_result muscle_plan_build(bake_plan *plan, sinew_error *error) {
  for (int goal = 0; goal < 4; goal++) plan->fill[SINEW_PLANE_GOAL + 7 * goal + 6] = 1;
  plan->fill[SINEW_PLANE_ROOT_Q + 3] = 1;
  if (plan->way == BAKE_MUSCLE) {
    SINEW_TRY(muscle_rig_build(plan->rig, &plan->constants, error));
    for (int i = 0; i < 7; i++) plan->fill[SINEW_PLANE_ROOT_T + i] = plan->constants.rest_root[i];
    bake_plan_list_wanted(&plan->constants, plan->wanted);
  }
  if (plan->planes_from == PLANES_OF_CLIP) SINEW_TRY(take_curves(plan, error));
  list_moves(plan);
  if (plan->mirror) mirror_moves(plan);
  return plan->way == BAKE_MUSCLE ? list_output(plan, error) : SINEW_OK;
}

void muscle_plan_list_present(bake_plan *plan) {
  if (plan->planes_from == PLANES_NONE) return;
  const bool all = plan->planes_from != PLANES_OF_CLIP;
  for (uint32_t plane = 0; plane < SINEW_PLANE_COUNT; plane++)
    plan->present[plane] = all || plan->curved[plan->mirror ? mirror_source_of(plane).plane : plane];
}
