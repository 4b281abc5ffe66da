/* A clip of bones on a rig, by what turns (retarget/delta_rig.h). */
#include "base/error.h"
#include "map/map.h"
#include "stage/bone_block.h"

#include <math.h>

/* ---- what varies ----------------------------------------------------------------------------------------
 */

typedef struct variation {
  const bake_plan *plan;
  uint8_t *seen; /* [joint of the source] in how many of the joints' ways to the root it stands */
} variation;

static bool joint_turns(const bake_plan *plan, int32_t joint) {
  return joint > 0 && plan->bones.motion.turns[joint - 1];
}

/* Whether any of these joints turns against another: a joint that turns is above some of them but not all. */
static bool vary(const variation *v, const int32_t *joints, uint8_t count) {
  const sinew_fk_rig *source = &v->plan->bones.delta.source;
  bool found = false;
  for (uint32_t j = 0; j < source->joint_count; j++) v->seen[j] = 0;
  for (uint8_t i = 0; i < count; i++)
    for (int32_t j = joints[i]; j >= 0; j = source->joints[j].parent) v->seen[j]++;
  for (uint32_t j = 0; j < source->joint_count; j++)
    found = found || (v->seen[j] > 0 && v->seen[j] < count && joint_turns(v->plan, (int32_t)j));
  return found;
}

/* The nearest slot above that something moves: what hangs in between keeps to it. */
static const sinew_delta_slot *moved_above(const sinew_delta_rig *delta, const sinew_delta_slot *slot) {
  do slot = &delta->slots[slot->parent];
  while (slot->joint[0] < 0);
  return slot;
}

static bool slot_varies(const variation *v, uint32_t index) {
  const sinew_delta_rig *delta = &v->plan->bones.delta.delta;
  const sinew_delta_slot *slot = &delta->slots[index];
  if (slot->joint[0] < 0) return false;
  const sinew_delta_slot *above = moved_above(delta, slot);
  const int32_t joints[] = {slot->joint[0], slot->joint[1], above->joint[0], above->joint[1]};
  return vary(v, joints, 4);
}

static bool hips_vary(const bake_plan *plan) {
  const sinew_fk_rig *source = &plan->bones.delta.source;
  for (int32_t j = plan->bones.delta.delta.hips_joint; j > 0; j = source->joints[j].parent) {
    if (joint_turns(plan, j)) return true;
    const uint16_t place = source->joints[j].place;
    if (place && plan->bones.motion.moves[place - 1]) return true;
  }
  return false;
}

/* ---- the plan -------------------------------------------------------------------------------------------
 */

/* Joints of the source whose translation the motion states. */
static sinew_result set_places(bake_plan *plan, sinew_error *error) {
  const motion_plan *sampled = &plan->bones.motion;
  delta_rig *delta = &plan->bones.delta;
  plan->bones.place_scale = arena_alloc(&plan->memory, sampled->place_count, sizeof *plan->bones.place_scale);
  SINEW_CHECK(plan->bones.place_scale, error, SINEW_ERROR_MEMORY, "out of memory for %u translations",
              sampled->place_count);
  for (uint32_t place = 0; place < sampled->place_count; place++) {
    const uint32_t slot = sampled->place_slot[place];
    if (!sampled->is_scale[place]) delta->joints[slot + 1].place = (uint16_t)(place + 1);
    plan->bones.place_scale[place] = (float)delta->follow_scale[slot];
  }
  return SINEW_OK;
}

/* A rig's bones keep their lengths: of what moves in its parent only the hips, and what they hang from,
 * count. */
static void count_dropped(bake_plan *plan) {
  const motion_plan *sampled = &plan->bones.motion;
  const sinew_fk_rig *source = &plan->bones.delta.source;
  bool followed[UINT16_MAX + 1] = {false}; /* joints count in 16 bits */
  for (int32_t j = plan->bones.delta.delta.hips_joint; j > 0; j = source->joints[j].parent)
    followed[j] = true;
  for (uint32_t place = 0; place < sampled->place_count; place++)
    plan->bones.dropped_moves +=
        sampled->moves[place] && !sampled->is_scale[place] && !followed[sampled->place_slot[place] + 1];
}

static sinew_result list_output(bake_plan *plan, sinew_error *error) {
  const sinew_rig *rig = plan->rig;
  const delta_rig *delta = &plan->bones.delta;
  bake_output *output = &plan->output;
  output->nodes = rig->nodes;
  output->node_count = rig->node_count;
  output->file_node = rig->source_node;
  output->slot_count = delta->slot_count;
  output->place_count = 1;
  output->fk = delta->fk;
  output->joint_node = delta->slot_node;
  output->height_m = rig->height_m;
  for (int c = 0; c < 3; c++) output->root_reach_m = fmax(output->root_reach_m, fabs(rig->above_t[c]));
  SINEW_TRY(bake_output_open(output, &plan->memory, error));
  variation v = {plan, arena_alloc(&plan->memory, delta->source.joint_count, 1)};
  SINEW_CHECK(v.seen, error, SINEW_ERROR_MEMORY, "out of memory for %u joints", delta->source.joint_count);
  const bool hips_constant = !hips_vary(plan);
  bake_output_move(output, delta->slot_node[0], 0, hips_constant);
  for (uint32_t slot = 0; slot < delta->slot_count; slot++)
    bake_output_turn(output, delta->slot_node[slot], slot,
                     slot == 0 ? hips_constant : !slot_varies(&v, slot));
  return SINEW_OK;
}

sinew_result delta_plan_build(bake_plan *plan, bool in_place, sinew_error *error) {
  const clip_body *body = plan->clip->body;
  const delta_source source = {body->skeleton, body->map->node_of_bone, body->stance};
  SINEW_TRY(delta_rig_build(&source, plan->rig, in_place, &plan->bones.delta, error));
  const delta_rig *delta = &plan->bones.delta;
  SINEW_TRY(motion_plan_build(plan->kernels, body->skeleton, (const double(*)[3])body->stance->rest_t,
                              (const double(*)[4])body->stance->rest_q, plan->clip->motion, delta->follow,
                              delta->follow_count, body->stance->unit_m, plan->rate_hz, &plan->bones.motion,
                              error));
  SINEW_TRY(set_places(plan, error));
  count_dropped(plan);
  plan->bones.scratch_floats = bone_scratch_floats(plan);
  return list_output(plan, error);
}

void bone_plan_release(bone_plan *bones) {
  motion_plan_release(&bones->motion);
  delta_rig_release(&bones->delta);
}
