#include "write/bvh_body.h"

#include <stdlib.h>
#include <string.h>

#include "rig/quat.h"
#include "rig/synthetic.h"
#include "support/keep.h"

static float *planes_of(size_t count) {
  void *memory;
  if (posix_memalign(&memory, 64, (count ? count : 1) * SINEW_BLOCK * sizeof(float)) != 0) abort();
  return memory;
}

static void turn_node(bvh_body *b, uint32_t node, int32_t slot, unsigned *state) {
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double q[4];
    synthetic_random_rotation(state, q);
    for (int c = 0; c < 4; c++) {
      const float value = (float)q[c];
      b->local[(slot * 4 + c) * SINEW_BLOCK + f] = value;
      b->q[node][f][c] = (double)value;
    }
    quat_normalise(b->q[node][f]);
  }
}

static void move_node(bvh_body *b, uint32_t node, int32_t place, unsigned *state) {
  for (int f = 0; f < SINEW_BLOCK; f++)
    for (int c = 0; c < 3; c++) {
      const float value = (float)(b->source.nodes[node].t[c] * (1 + 0.5 * synthetic_random(state)));
      b->places[(place * 3 + c) * SINEW_BLOCK + f] = value;
      b->t[node][f][c] = (double)value;
    }
}

void bvh_body_of_rig(const sinew_rig *rig, bool tpose, uint32_t moving, unsigned seed, bvh_body *b) {
  const uint32_t count = rig->node_count;
  int32_t *slots = test_keep(count, sizeof *slots), *places = test_keep(count, sizeof *places);
  double(*reference)[4] = test_keep(count, sizeof *reference), (*tip)[3] = test_keep(count, sizeof *tip);
  bvh_rig_tpose(rig, reference);
  bvh_rig_tips(rig, tip);
  *b = (bvh_body){.source = {.nodes = rig->nodes,
                             .node_count = count,
                             .reference_q = tpose ? (const double(*)[4])reference : NULL,
                             .align_q = rig->align_q,
                             .slot_of_node = slots,
                             .place_of_node = places,
                             .tip = (const double(*)[3])tip,
                             .rate_hz = 30,
                             .frame_count = SINEW_BLOCK},
                  .q = test_keep(count, sizeof *b->q),
                  .t = test_keep(count, sizeof *b->t),
                  .local = test_keep(4 * HUMAN_BONE_COUNT, SINEW_BLOCK * sizeof(float)),
                  .places = test_keep(3 * (size_t)count, SINEW_BLOCK * sizeof(float))};
  unsigned state = seed;
  int32_t slot_count = 0, place_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    const rig_node *node = &rig->nodes[i];
    slots[i] = places[i] = -1;
    for (int f = 0; f < SINEW_BLOCK; f++) {
      memcpy(b->q[i][f], node->q, sizeof node->q);
      memcpy(b->t[i][f], node->t, sizeof node->t);
    }
    const bool hips = (int32_t)i == rig->node_of_bone[HUMAN_HIPS];
    for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
      if (rig->node_of_bone[bone] == (int32_t)i) turn_node(b, i, slots[i] = slot_count++, &state);
    if (hips || (moving && i % moving == 0)) move_node(b, i, places[i] = place_count++, &state);
  }
}

void bvh_body_place(const bvh_body *b, uint32_t node, uint32_t frame, double unit, double place[3]) {
  double at[3] = {0, 0, 0};
  for (int32_t n = (int32_t)node; n >= 0; n = b->source.nodes[n].parent) {
    const double *s = b->source.nodes[n].s;
    if (n != (int32_t)node) {
      for (int k = 0; k < 3; k++) at[k] *= s[k];
      quat_rotate(b->q[n][frame], at, at);
    }
    for (int k = 0; k < 3; k++) at[k] += b->t[n][frame][k];
  }
  quat_rotate(b->source.align_q, at, at);
  for (int k = 0; k < 3; k++) place[k] = unit * (k == 0 ? -at[k] : at[k]);
}

void bvh_body_write(const bvh_body *b, const bvh_plan *plan, uint32_t frames, text_out *out) {
  float *planes = planes_of(plan->channel_count);
  const sinew_kernels *k = sinew_kernels_available(0);
  bvh_planes_begin(plan, planes);
  bvh_head(plan, out);
  for (uint32_t first = 0; first < frames; first += SINEW_BLOCK) {
    bvh_planes(plan, k, b->local, b->places, planes);
    bvh_lines(plan, planes, frames - first < SINEW_BLOCK ? frames - first : SINEW_BLOCK, out);
  }
  free(planes);
}
