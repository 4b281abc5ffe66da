#include "motion/plan_parts.h"
#include "clip/frame_times.h"
#include "motion/motion_rate.h"
#include "rig/quat.h"

#include <math.h>
#include <string.h>

sinew_result plan_out_of_memory(const plan_building *b) {
  return error_set(b->error, SINEW_ERROR_MEMORY, "out of memory for the movement of %u nodes",
                   b->plan->node_count);
}

/* ---- slots and places --------------------------------------------------------------------------------- */

static sinew_result follow(plan_building *b, const uint32_t *nodes) {
  motion_plan *plan = b->plan;
  const uint32_t all = plan->skeleton->node_count, count = plan->node_count;
  uint32_t *kept = arena_alloc(&plan->memory, count, sizeof *kept);
  b->slot_of_node = arena_alloc(&b->scratch, all, sizeof *b->slot_of_node);
  b->place_of_slot = arena_alloc(&b->scratch, count, sizeof *b->place_of_slot);
  b->scale_of_slot = arena_alloc(&b->scratch, count, sizeof *b->scale_of_slot);
  plan->turns = arena_alloc(&plan->memory, count, sizeof *plan->turns);
  plan->fixed_q = arena_alloc(&plan->memory, count, sizeof *plan->fixed_q);
  if (!kept || !b->slot_of_node || !b->place_of_slot || !b->scale_of_slot || !plan->turns || !plan->fixed_q)
    return plan_out_of_memory(b);
  plan->nodes = kept;
  for (uint32_t i = 0; i < all; i++) b->slot_of_node[i] = -1;
  for (uint32_t slot = 0; slot < count; slot++) {
    SINEW_CHECK(nodes[slot] < all && b->slot_of_node[nodes[slot]] < 0, b->error, SINEW_ERROR_ARGUMENT,
                "node %u of %u is followed twice or is none", nodes[slot], all);
    kept[slot] = nodes[slot];
    b->slot_of_node[nodes[slot]] = (int32_t)slot;
    b->place_of_slot[slot] = b->scale_of_slot[slot] = -1;
  }
  return SINEW_OK;
}

static void rest_rotations(motion_plan *plan, const double (*rest_q)[4]) {
  for (uint32_t slot = 0; slot < plan->node_count; slot++) {
    const uint32_t node = plan->nodes[slot];
    double q[4];
    memcpy(q, rest_q ? rest_q[node] : plan->skeleton->nodes[node].q, sizeof q);
    quat_normalise(q);
    float *fixed = plan->fixed_q[slot];
    fixed[0] = (float)q[0], fixed[1] = (float)-q[1], fixed[2] = (float)-q[2], fixed[3] = (float)q[3];
  }
}

static uint32_t add_place(plan_building *b, uint32_t slot, const double value[3], bool is_scale) {
  motion_plan *plan = b->plan;
  const uint32_t place = plan->place_count++;
  plan->place_slot[place] = slot;
  plan->is_scale[place] = is_scale;
  for (int axis = 0; axis < 3; axis++)
    plan->fixed_t[place][axis] = plan_value(plan, place, axis, value[axis]);
  return place;
}

static sinew_result open_places(plan_building *b, uint32_t count) {
  motion_plan *plan = b->plan;
  plan->place_slot = arena_alloc(&plan->memory, count, sizeof *plan->place_slot);
  plan->is_scale = arena_alloc(&plan->memory, count, sizeof *plan->is_scale);
  plan->moves = arena_alloc(&plan->memory, count, sizeof *plan->moves);
  plan->fixed_t = arena_alloc(&plan->memory, count, sizeof *plan->fixed_t);
  if (!plan->place_slot || !plan->is_scale || !plan->moves || !plan->fixed_t) return plan_out_of_memory(b);
  return SINEW_OK;
}

sinew_result plan_build_places(plan_building *b, const bool *has_place, const bool *has_scale) {
  const motion_plan *plan = b->plan;
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < plan->node_count; slot++)
    count += (uint32_t)has_place[slot] + (has_scale && has_scale[slot]);
  SINEW_TRY(open_places(b, count));
  for (uint32_t slot = 0; slot < plan->node_count; slot++) {
    const uint32_t node = plan->nodes[slot];
    const double *t = b->rest_t ? b->rest_t[node] : plan->skeleton->nodes[node].t;
    if (has_place[slot]) b->place_of_slot[slot] = (int32_t)add_place(b, slot, t, false);
  }
  for (uint32_t slot = 0; slot < plan->node_count && has_scale; slot++)
    if (has_scale[slot])
      b->scale_of_slot[slot] = (int32_t)add_place(b, slot, plan->skeleton->nodes[plan->nodes[slot]].s, true);
  return SINEW_OK;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static void set_frames(motion_plan *plan, double rate_hz) {
  const motion *m = plan->motion;
  const double own_hz = motion_rate_find(m);
  plan->rate_hz = rate_hz > 0 ? rate_hz : own_hz;
  plan->frame_count = 1;
  if (!m) return;
  plan->rows.own_rate = m->frame_count > 0 && plan->rate_hz == own_hz;
  plan->frame_count =
      plan->rows.own_rate ? m->frame_count : frame_times_count(m->start_s, m->stop_s, plan->rate_hz);
}

static sinew_result build(plan_building *b, const double (*rest_q)[4], const uint32_t *nodes,
                          double rate_hz) {
  motion_plan *plan = b->plan;
  SINEW_CHECK(rate_hz >= 0 && isfinite(rate_hz), b->error, SINEW_ERROR_ARGUMENT,
              "a rate of %g frames a second", rate_hz);
  SINEW_CHECK(plan->node_count <= UINT16_MAX, b->error, SINEW_ERROR_LIMIT,
              "%u nodes are followed, the limit is %d", plan->node_count, UINT16_MAX);
  SINEW_TRY(follow(b, nodes));
  rest_rotations(plan, rest_q);
  set_frames(plan, rate_hz);
  if (plan->motion && plan->motion->channel_count) return plan_build_rows(b);
  return plan_build_tracks(b);
}

sinew_result motion_plan_build(const sinew_kernels *kernels, const skeleton *s, const double (*rest_t)[3],
                               const double (*rest_q)[4], const motion *m, const uint32_t *nodes,
                               uint32_t node_count, double unit_m, double rate_hz, motion_plan *plan,
                               sinew_error *error) {
  *plan = (motion_plan){
      .skeleton = s, .motion = m, .kernels = kernels, .unit_m = unit_m, .node_count = node_count};
  plan_building b = {.plan = plan, .rest_t = rest_t, .error = error};
  const sinew_result result = build(&b, rest_q, nodes, rate_hz);
  arena_release(&b.scratch);
  if (result != SINEW_OK) motion_plan_release(plan);
  return result;
}

void motion_plan_release(motion_plan *plan) {
  arena_release(&plan->memory);
  *plan = (motion_plan){0};
}
