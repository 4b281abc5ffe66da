#include "take.h"

#include "rig/quat.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static int32_t find_node(const skeleton *s, const char *name) {
  for (uint32_t n = 0; n < s->node_count; n++)
    if (strcmp(s->nodes[n].name, name) == 0) return (int32_t)n;
  return -1;
}

void take_open(const sinew_kernels *k, const char *path, const sinew_rig *rig, take *out) {
  sinew_error error;
  *out = (take){0};
  cr_assert(read_motion_file(path, NULL, &out->file, &error) == SINEW_OK, "%s: %s", path, error.message);
  const skeleton *s = out->file->skeleton;
  cr_assert(out->file->motion_count == 1, "%s: %u motions", path, out->file->motion_count);
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    const int32_t node = rig->node_of_bone[bone];
    out->node_of_bone[bone] = node < 0 ? -1 : find_node(s, rig->nodes[node].name);
    cr_assert(node < 0 || out->node_of_bone[bone] >= 0, "%s: no node %s", path, rig->nodes[node].name);
  }
  uint32_t *nodes = calloc(s->node_count, sizeof *nodes);
  for (uint32_t n = 0; n < s->node_count; n++) nodes[n] = n;
  cr_assert(motion_plan_build(k, s, NULL, NULL, &out->file->motions[0], nodes, s->node_count, rig->unit_scale,
                              0, &out->plan, &error) == SINEW_OK,
            "%s: %s", path, error.message);
  free(nodes);
  out->place_of_node = calloc(s->node_count, sizeof *out->place_of_node);
  for (uint32_t n = 0; n < s->node_count; n++) out->place_of_node[n] = -1;
  for (uint32_t p = 0; p < out->plan.place_count; p++)
    out->place_of_node[out->plan.place_slot[p]] = (int32_t)p;
  out->scratch = aligned_alloc(64, motion_scratch_floats(&out->plan) * sizeof(float) + 64);
  out->local = aligned_alloc(64, (size_t)s->node_count * 4 * SINEW_BLOCK * sizeof(float));
  out->places = aligned_alloc(64, (size_t)(out->plan.place_count + 1) * 3 * SINEW_BLOCK * sizeof(float));
  motion_block_begin(&out->plan, out->local, out->places);
}

void take_close(take *t) {
  motion_plan_release(&t->plan);
  motion_file_close(t->file);
  free(t->place_of_node), free(t->scratch), free(t->local), free(t->places);
}

void take_load(take *t, const double *time_s) {
  motion_block_at(&t->plan, time_s, t->scratch, t->local, t->places);
}

/* A node's transform in the frame of a node above it (-1: of the file): as one follows the other. Scales
 * stand still. */
static void place_of(const take *t, int32_t node, int32_t above, int lane, double v[3], double q[4]) {
  v[0] = v[1] = v[2] = 0, q[0] = q[1] = q[2] = 0, q[3] = 1;
  for (int32_t n = node; n >= 0 && n != above; n = t->file->skeleton->nodes[n].parent) {
    const skeleton_node *at = &t->file->skeleton->nodes[n];
    double turn[4], own[3];
    for (int c = 0; c < 4; c++)
      turn[c] = (double)t->local[((size_t)n * 4 + (size_t)c) * SINEW_BLOCK + (size_t)lane];
    quat_normalise(turn);
    vec_mirror(at->t, own);
    for (int c = 0; c < 3; c++) own[c] *= t->plan.unit_m;
    for (int c = 0; c < 3 && t->place_of_node[n] >= 0; c++)
      own[c] = (double)t->places[((size_t)t->place_of_node[n] * 3 + (size_t)c) * SINEW_BLOCK + (size_t)lane];
    for (int c = 0; c < 3; c++) v[c] *= at->s[c];
    quat_rotate(turn, v, v);
    for (int c = 0; c < 3; c++) v[c] += own[c];
    quat_mul(turn, q, q);
  }
}

void take_pose_of(const take *t, const sinew_rig *rig, const muscle_rig *muscles, int lane, take_pose *pose) {
  static const int ends[] = {HUMAN_LEFT_FOOT, HUMAN_RIGHT_FOOT, HUMAN_LEFT_HAND, HUMAN_RIGHT_HAND};
  double unused[3];
  for (uint32_t slot = 1; slot < muscles->bone_count; slot++) {
    const int bone = muscles->bone_of_slot[slot];
    place_of(t, t->node_of_bone[bone], t->node_of_bone[rig->parent_bone[bone]], lane, unused,
             pose->turn[slot]);
  }
  for (uint32_t slot = 0; slot < muscles->bone_count; slot++) {
    const int bone = muscles->bone_of_slot[slot];
    place_of(t, t->node_of_bone[bone], t->node_of_bone[HUMAN_HIPS], lane, pose->model[slot],
             pose->model[slot] + 3);
  }
  for (int i = 0; i < 4; i++)
    place_of(t, t->node_of_bone[ends[i]], t->node_of_bone[HUMAN_HIPS], lane, pose->ends[i],
             pose->ends[i] + 3);
  place_of(t, t->node_of_bone[HUMAN_HIPS], -1, lane, pose->hips_t, pose->hips_q);
}
