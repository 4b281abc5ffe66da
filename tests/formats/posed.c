#include "posed.h"

#include "rig/quat.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

bool posed_open(const sinew_clip *clip, const sinew_rig *rig, const bake_choice *choice, posed *p,
                sinew_error *error) {
  memset(p, 0, sizeof *p);
  if (bake_plan_build(sinew_kernels_select(NULL), clip, rig, choice, &p->plan, error) != SINEW_OK)
    return false;
  cr_assert(pose_open(&p->plan, &p->memory, &p->scratch, &p->pose));
  const size_t count = p->plan.output.node_count;
  p->q = calloc(count + 1, sizeof *p->q);
  p->t = calloc(count + 1, sizeof *p->t);
  p->s = calloc(count + 1, sizeof *p->s);
  p->block = UINT64_MAX;
  return true;
}

void posed_close(posed *p) {
  free(p->q), free(p->t), free(p->s);
  arena_release(&p->memory);
  bake_plan_release(&p->plan);
}

uint32_t posed_load(posed *p, uint64_t frame) {
  sinew_error error = {0};
  cr_assert(frame < p->plan.frame_count);
  if (frame / SINEW_BLOCK != p->block) {
    p->block = frame / SINEW_BLOCK;
    cr_assert(pose_block_compute(&p->plan, p->block, &p->scratch, &p->pose, &error) == SINEW_OK, "%s",
              error.message);
  }
  return (uint32_t)(frame % SINEW_BLOCK);
}

float posed_turn(const posed *p, uint32_t node, int c, uint32_t lane) {
  const int32_t slot = p->plan.output.slot_of_node[node];
  if (slot < 0) return (float)p->plan.output.nodes[node].q[c];
  return p->pose.local[((size_t)slot * 4 + (size_t)c) * SINEW_BLOCK + lane];
}

float posed_place(const posed *p, uint32_t node, int c, uint32_t lane) {
  const int32_t place = p->plan.output.place_of_node[node];
  if (place < 0) return (float)p->plan.output.nodes[node].t[c];
  return p->pose.places[((size_t)place * 3 + (size_t)c) * SINEW_BLOCK + lane];
}

float posed_plane(const posed *p, int plane, uint32_t lane) {
  return p->scratch.planes[(size_t)plane * SINEW_BLOCK + lane];
}

/* Scales follow one another along the axes, as they do where they are even. */
void posed_stand(posed *p, uint32_t lane) {
  const bake_output *output = &p->plan.output;
  for (uint32_t i = 0; i < output->node_count; i++) {
    double own_q[4], own_t[3];
    const int32_t parent = output->nodes[i].parent;
    for (int c = 0; c < 4; c++) own_q[c] = (double)posed_turn(p, i, c, lane);
    quat_normalise(own_q);
    for (int c = 0; c < 3; c++) own_t[c] = (double)posed_place(p, i, c, lane);
    memcpy(p->s[i], output->nodes[i].s, sizeof p->s[i]);
    memcpy(p->q[i], own_q, sizeof own_q);
    memcpy(p->t[i], own_t, sizeof own_t);
    if (parent < 0) continue;
    for (int c = 0; c < 3; c++) own_t[c] *= p->s[parent][c], p->s[i][c] *= p->s[parent][c];
    quat_rotate(p->q[parent], own_t, own_t);
    for (int c = 0; c < 3; c++) p->t[i][c] = p->t[parent][c] + own_t[c];
    quat_mul(p->q[parent], own_q, p->q[i]);
  }
}

void posed_turn_model(const posed *p, const double (*local)[4], double (*model)[4]) {
  const bake_output *output = &p->plan.output;
  for (uint32_t i = 0; i < output->node_count; i++) {
    const int32_t parent = output->nodes[i].parent;
    if (parent < 0)
      memcpy(model[i], local[i], sizeof model[i]);
    else
      quat_mul(model[parent], local[i], model[i]);
  }
}
