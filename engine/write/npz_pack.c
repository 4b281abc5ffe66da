#include "write/npz_pack.h"

#include <string.h>

/* Joints interleaved together: four rotations are a line of the cache, which is then written whole. */
enum { TOGETHER = 4 };

typedef struct packed_joints {
  _Alignas(64) float values[TOGETHER][SINEW_BLOCK][4];
} packed_joints;

/* ---- rest --------------------------------------------------------------------------------------------- */

static void repeat_row(float *rows, size_t floats, uint32_t frames) {
  for (uint32_t f = 1; f < frames; f++) memcpy(rows + f * floats, rows, floats * sizeof *rows);
}

void npz_fill_rotations(const npz_plan *plan, uint32_t frames, float *rows) {
  const uint32_t width = npz_turn_floats(plan);
  for (uint32_t i = 0; i < plan->node_count; i++) {
    const double *q = plan->nodes[i].q;
    const float turn[4] = {(float)q[0], (float)-q[1], (float)-q[2], (float)q[3]};
    const bool negated = plan->three_components && turn[3] < 0;
    for (uint32_t k = 0; k < width; k++) rows[(size_t)i * width + k] = negated ? -turn[k] : turn[k];
  }
  repeat_row(rows, (size_t)plan->node_count * width, frames);
}

void npz_fill_local_positions(const npz_plan *plan, uint32_t frames, float *rows) {
  for (uint32_t i = 0; i < plan->node_count; i++) {
    const double *t = plan->nodes[i].t;
    float *to = rows + (size_t)i * 3;
    to[0] = (float)-t[0], to[1] = (float)t[1], to[2] = (float)t[2];
  }
  repeat_row(rows, (size_t)plan->node_count * 3, frames);
}

/* ---- planes ------------------------------------------------------------------------------------------- */

/* The frames whose w is below 0 (-0 is not). */
static uint64_t negative_w(const float *quat) {
  const float *w = quat + (size_t)3 * SINEW_BLOCK;
  uint64_t bits = 0;
  for (int f = 0; f < SINEW_BLOCK; f++) bits |= (uint64_t)(w[f] < 0) << f;
  return bits;
}

static void put_four(const packed_joints *packed, uint32_t frames, float *rows, size_t stride) {
  for (uint32_t f = 0; f < frames; f++, rows += stride)
    for (int j = 0; j < TOGETHER; j++)
      memcpy(rows + (ptrdiff_t)j * 4, packed->values[j][f], 4 * sizeof *rows);
}

static void put_one(const float (*values)[4], uint32_t width, uint32_t frames, float *rows, size_t stride) {
  if (width == 4)
    for (uint32_t f = 0; f < frames; f++) memcpy(rows + f * stride, values[f], 4 * sizeof *rows);
  else
    for (uint32_t f = 0; f < frames; f++) memcpy(rows + f * stride, values[f], 3 * sizeof *rows);
}

void npz_pack_rotations(const sinew_kernels *k, const npz_plan *plan, const float *local,
                        const int32_t *slot_of_node, const uint64_t *flips, uint32_t frames, float *rows) {
  const uint32_t width = npz_turn_floats(plan);
  const size_t stride = (size_t)plan->node_count * width;
  for (uint32_t first = 0; first < plan->node_count; first += TOGETHER) {
    packed_joints packed;
    const uint32_t left = plan->node_count - first, count = left < TOGETHER ? left : TOGETHER;
    uint32_t turned = 0;
    for (uint32_t j = 0; j < count; j++) {
      const int32_t slot = slot_of_node[first + j];
      if (slot < 0) continue;
      const float *quat = local + (size_t)slot * 4 * SINEW_BLOCK;
      const uint64_t negated = plan->three_components ? negative_w(quat) : flips ? flips[slot] : 0;
      k->pack_quat(quat, negated, packed.values[j][0]);
      turned++;
    }
    if (turned == TOGETHER && width == 4) {
      put_four(&packed, frames, rows + (size_t)first * width, stride);
      continue;
    }
    for (uint32_t j = 0; j < count; j++)
      if (slot_of_node[first + j] >= 0)
        put_one((const float(*)[4])packed.values[j], width, frames, rows + (size_t)(first + j) * width,
                stride);
  }
}

void npz_pack_root(const sinew_kernels *k, const float *planes, uint32_t frames, float *rows) {
  float packed[3 * SINEW_BLOCK];
  k->pack_vec3(planes, packed);
  memcpy(rows, packed, (size_t)frames * 3 * sizeof *rows);
}

void npz_pack_positions(const sinew_kernels *k, const npz_plan *plan, const float *planes,
                        const int32_t *plane_of_node, uint32_t frames, float *rows) {
  const size_t stride = (size_t)plan->node_count * 3;
  for (uint32_t i = 0; i < plan->node_count; i++) {
    float packed[SINEW_BLOCK][3];
    if (plane_of_node[i] < 0) continue;
    k->pack_vec3(planes + (size_t)plane_of_node[i] * SINEW_BLOCK, packed[0]);
    for (uint32_t f = 0; f < frames; f++)
      memcpy(rows + f * stride + (size_t)i * 3, packed[f], 3 * sizeof *rows);
  }
}

void npz_pack_planes(const float *planes, uint32_t count, uint32_t frames, float *rows, size_t stride) {
  for (uint32_t c = 0; c < count; c++)
    for (uint32_t f = 0; f < frames; f++) rows[f * stride + c] = planes[(size_t)c * SINEW_BLOCK + f];
}
