/* Where the engine computes the nodes of clips on bodies, without a file: bake_places COUNT CLIP RIG [CLIP
 * RIG]... RIG `-`: the clip's own skeleton. Prints JSON, for each pair the times of COUNT frames spread over
 * the first clip and every node's matrix at each, by its number in the file that a bake writes: 12 numbers,
 * row by row, glTF's frame, metres. Verified joints stand where the kernels put them, all else where double
 * arithmetic does. */
#include "base/error.h"
#include "rig/quat.h"
#include "stage/pose_block.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, const sinew_error *error) {
  char line[1200];
  fprintf(stderr, "%s: %s\n", what, sinew_error_text(error, line, sizeof line));
  exit(1);
}

typedef double matrix[3][4];

static void take(const float *planes, int32_t track, uint32_t width, uint32_t f, double *values) {
  for (uint32_t c = 0; c < width && track >= 0; c++)
    values[c] = (double)planes[((size_t)track * width + c) * SINEW_BLOCK + f];
}

/* A node in its parent. A place that is a scale has its x negated, as any place. */
static void local_matrix(const bake_output *output, uint32_t node, const pose_block *block, uint32_t f,
                         matrix m) {
  const rig_node *rest = &output->nodes[node];
  double t[3], q[4], s[3];
  memcpy(t, rest->t, sizeof t);
  memcpy(q, rest->q, sizeof q);
  memcpy(s, rest->s, sizeof s);
  take(block->local, output->slot_of_node[node], 4, f, q);
  take(block->places, output->place_of_node[node], 3, f, t);
  take(block->places, output->scale_of_node[node], 3, f, s);
  if (output->scale_of_node[node] >= 0) s[0] = -s[0];
  for (int column = 0; column < 3; column++) {
    double axis[3] = {0, 0, 0};
    axis[column] = s[column];
    quat_rotate(q, axis, axis);
    for (int row = 0; row < 3; row++) m[row][column] = axis[row];
  }
  for (int row = 0; row < 3; row++) m[row][3] = t[row];
}

static void all_matrices(const bake_output *output, const pose_block *block, uint32_t f, matrix *all) {
  for (uint32_t node = 0; node < output->node_count; node++) {
    const int32_t parent = output->nodes[node].parent;
    matrix own;
    local_matrix(output, node, block, f, own);
    for (int row = 0; row < 3; row++)
      for (int column = 0; column < 4; column++) {
        const double *above = parent >= 0 ? all[parent][row] : NULL;
        all[node][row][column] = above ? above[0] * own[0][column] + above[1] * own[1][column] +
                                             above[2] * own[2][column] + (column == 3 ? above[3] : 0)
                                       : own[row][column];
      }
  }
}

/* Unity's frame is glTF's with x mirrored. */
static json_t *json_matrix(const matrix m) {
  json_t *list = json_array();
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++)
      json_array_append_new(list, json_real(m[row][column] * ((row == 0) != (column == 0) ? -1 : 1)));
  return list;
}

static void take_joints(const bake_plan *plan, const pose_block *block, const float *model, uint32_t f,
                        matrix *all) {
  for (uint32_t joint = 0; joint < plan->output.fk.joint_count; joint++)
    for (uint32_t c = 0; c < 3; c++)
      all[plan->output.joint_node[joint]][c][3] =
          (double)block->hips_t[c * SINEW_BLOCK + f] +
          (double)model[((size_t)joint * SINEW_MODEL_PLANES + c) * SINEW_BLOCK + f];
}

static json_t *matrices_of(const bake_plan *plan, const matrix *all) {
  json_t *list = json_array();
  for (uint32_t node = 0; node < plan->output.node_count; node++) {
    const uint32_t number = bake_file_node(plan, node);
    while (json_array_size(list) <= number) json_array_append_new(list, json_null());
    json_array_set_new(list, number, json_matrix(all[node]));
  }
  return list;
}

static json_t *places_of(const bake_plan *plan, uint32_t count, sinew_error *error) {
  arena memory = {0};
  pose_scratch scratch;
  pose_block block;
  matrix *all = arena_alloc(&memory, plan->output.node_count, sizeof *all);
  if (!all || !pose_open(plan, &memory, &scratch, &block)) exit(1);
  const glb_plan glb = {.rate_hz = plan->rate_hz,
                        .frame_count = plan->frame_count,
                        .start_s = plan->clip->start_s,
                        .stop_s = plan->clip->stop_s};
  json_t *times = json_array(), *matrices = json_array();
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t frame = (plan->frame_count - 1) * i / (count - 1);
    const uint32_t f = (uint32_t)(frame % SINEW_BLOCK);
    if (pose_block_compute(plan, frame / SINEW_BLOCK, &scratch, &block, error) != SINEW_OK)
      fail("pose", error);
    all_matrices(&plan->output, &block, f, all);
    pose_place_joints(plan, &scratch, &block, scratch.model);
    take_joints(plan, &block, scratch.model, f, all);
    json_array_append_new(times, json_real((double)glb_frame_time(&glb, frame)));
    json_array_append_new(matrices, matrices_of(plan, (const matrix *)all));
  }
  arena_release(&memory);
  return json_pack("{s:f,s:f,s:o,s:o}", "bodyM", plan->output.height_m, "unevenness", plan->output.unevenness,
                   "timesS", times, "matrices", matrices);
}

static json_t *places_of_pair(const char *clip_path, const char *rig_path, uint32_t count) {
  sinew_error error = {0};
  sinew_clip_file *file;
  sinew_rig *rig = NULL;
  if (sinew_clip_file_open(clip_path, NULL, &file, &error) != SINEW_OK) fail(clip_path, &error);
  if (rig_path[0] != '-' && sinew_rig_open(rig_path, NULL, &rig, &error) != SINEW_OK) fail(rig_path, &error);
  bake_plan *plan = calloc(1, sizeof *plan);
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  if (bake_plan_build(sinew_kernels_select(NULL), clip, rig, NULL, plan, &error) != SINEW_OK)
    fail("plan", &error);
  plan->model = rig ? rig->model : clip->body->model;
  if (plan->model && rig) plan->output.unevenness = rig->unevenness;
  json_t *found = places_of(plan, count, &error);
  bake_plan_release(plan);
  free(plan);
  sinew_rig_close(rig);
  sinew_clip_file_close(file);
  return found;
}

int main(int argument_count, char **arguments) {
  const unsigned long count = argument_count > 3 ? strtoul(arguments[1], NULL, 10) : 0;
  if (count < 2 || argument_count % 2) {
    fprintf(stderr, "usage: %s COUNT CLIP RIG [CLIP RIG]...\n", arguments[0]);
    return 2;
  }
  json_t *all = json_array();
  for (int i = 2; i < argument_count; i += 2)
    json_array_append_new(all, places_of_pair(arguments[i], arguments[i + 1], (uint32_t)count));
  json_dumpf(all, stdout, JSON_COMPACT);
  json_decref(all);
  return 0;
}
