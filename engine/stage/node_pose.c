#include "stage/node_pose.h"
#include "rig/quat.h"

#include <math.h>
#include <string.h>

bool node_pose_alloc(const bake_output *output, arena *memory, node_pose *pose) {
  pose->t = arena_alloc(memory, output->node_count, sizeof *pose->t);
  pose->q = arena_alloc(memory, output->node_count, sizeof *pose->q);
  pose->s = arena_alloc(memory, output->node_count, sizeof *pose->s);
  return pose->t && pose->q && pose->s;
}

/* Hangs a node with these local values below its parent, which is placed already. */
static void place(int32_t parent, uint32_t index, const double t[3], const double q[4], const double s[3],
                  node_pose *out) {
  if (parent < 0) {
    memcpy(out->t[index], t, sizeof *out->t);
    memcpy(out->q[index], q, sizeof *out->q);
    memcpy(out->s[index], s, sizeof *out->s);
    return;
  }
  const double *above_s = out->s[parent], *above_q = out->q[parent];
  double moved[3];
  for (int c = 0; c < 3; c++) moved[c] = t[c] * above_s[c];
  quat_rotate(above_q, moved, moved);
  for (int c = 0; c < 3; c++) out->t[index][c] = out->t[parent][c] + moved[c];
  quat_mul(above_q, q, out->q[index]);
  for (int c = 0; c < 3; c++) out->s[index][c] = above_s[c] * s[c];
}

void node_pose_rest(const bake_output *output, node_pose *out) {
  for (uint32_t i = 0; i < output->node_count; i++)
    place(output->nodes[i].parent, i, output->nodes[i].t, output->nodes[i].q, output->nodes[i].s, out);
}

void node_pose_at(const bake_output *output, const pose_block *block, uint32_t f, node_pose *out) {
  for (uint32_t i = 0; i < output->node_count; i++) {
    const rig_node *node = &output->nodes[i];
    const int32_t slot = output->slot_of_node[i], place_index = output->place_of_node[i],
                  scale = output->scale_of_node[i];
    double t[3] = {node->t[0], node->t[1], node->t[2]};
    double q[4] = {node->q[0], node->q[1], node->q[2], node->q[3]},
           s[3] = {node->s[0], node->s[1], node->s[2]};
    for (int c = 0; c < 4 && slot >= 0; c++)
      q[c] = (double)block->local[((size_t)slot * 4 + (size_t)c) * SINEW_BLOCK + f];
    for (int c = 0; c < 3 && place_index >= 0; c++)
      t[c] = (double)block->places[((size_t)place_index * 3 + (size_t)c) * SINEW_BLOCK + f];
    for (int c = 0; c < 3 && scale >= 0; c++)
      s[c] = (double)block->places[((size_t)scale * 3 + (size_t)c) * SINEW_BLOCK + f] * (c == 0 ? -1 : 1);
    place(node->parent, i, t, q, s, out);
  }
}

bool node_scale_is_uniform(const double s[3]) {
  return fabs(s[1] - s[0]) <= 1e-6 * fabs(s[0]) && fabs(s[2] - s[0]) <= 1e-6 * fabs(s[0]);
}
