/* What a player should show, as the engine computes it without writing a file: pose_dump CLIP RIG RATE COUNT
 * Prints JSON: the times of COUNT frames spread over the clip, every node's place at each, and the place of
 * one corner of each box. glTF's frame, metres. */
#include "base/error.h"
#include "stage/mesh_check.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(const char *what, const sinew_error *error) {
  char line[1200];
  fprintf(stderr, "%s: %s\n", what, sinew_error_text(error, line, sizeof line));
  exit(1);
}

static json_t *json_place(double x, double y, double z) {
  return json_pack("[f,f,f]", x, y, z);
}

/* Human bones from the kernels' forward kinematics, the nodes around them from double arithmetic. */
static json_t *places_of_nodes(const bake_plan *plan, const node_pose *pose, const float *model, uint32_t f) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < plan->rig->node_count; i++)
    json_array_append_new(list, json_place(-pose->t[i][0], pose->t[i][1], pose->t[i][2]));
  for (uint32_t slot = 0; slot < plan->constants.bone_count; slot++) {
    const float *m = model + (size_t)slot * SINEW_MODEL_PLANES * SINEW_BLOCK + f;
    size_t node = (size_t)plan->rig->node_of_bone[plan->constants.bone_of_slot[slot]];
    json_array_set_new(list, node,
                       json_place(-(double)m[0], (double)m[SINEW_BLOCK], (double)m[2 * SINEW_BLOCK]));
  }
  return list;
}

static uint32_t corner_of_box(uint32_t box) {
  return box * BOX_VERTICES + box % BOX_VERTICES;
}

static json_t *places_of_corners(const bake_plan *plan, const node_pose *rest, const node_pose *pose,
                                 double (*corners)[3]) {
  json_t *list = json_array();
  mesh_corners(plan, rest, pose, corners);
  for (uint32_t box = 0; box < plan->mesh.box_count; box++) {
    const double *c = corners[corner_of_box(box)];
    json_array_append_new(list, json_place(c[0], c[1], c[2]));
  }
  return list;
}

static void dump(const bake_plan *plan, uint32_t count, sinew_error *error) {
  arena memory = {0};
  pose_scratch scratch;
  pose_block block;
  node_pose rest, pose;
  double(*corners)[3] = arena_alloc(&memory, plan->mesh.box_count * BOX_VERTICES, sizeof *corners);
  if (!corners || !pose_open(plan, &memory, &scratch, &block) ||
      !node_pose_alloc(&plan->output, &memory, &rest) || !node_pose_alloc(&plan->output, &memory, &pose))
    exit(1);
  node_pose_rest(&plan->output, &rest);
  const glb_plan glb = {.rate_hz = plan->rate_hz,
                        .frame_count = plan->frame_count,
                        .start_s = plan->clip->start_s,
                        .stop_s = plan->clip->stop_s};
  json_t *times = json_array(), *nodes = json_array(), *places = json_array(), *indices = json_array();
  for (uint32_t i = 0; i < count; i++) {
    uint64_t frame = count > 1 ? (plan->frame_count - 1) * i / (count - 1) : 0;
    uint32_t f = (uint32_t)(frame % SINEW_BLOCK);
    if (pose_block_compute(plan, frame / SINEW_BLOCK, &scratch, &block, error) != SINEW_OK)
      fail("pose", error);
    plan->kernels->fk(&plan->constants.fk, block.local, block.hips_t, block.hips_q, scratch.model);
    node_pose_at(&plan->output, &block, f, &pose);
    json_array_append_new(times, json_real((double)glb_frame_time(&glb, frame)));
    json_array_append_new(nodes, places_of_nodes(plan, &pose, scratch.model, f));
    json_array_append_new(places, places_of_corners(plan, &rest, &pose, corners));
  }
  for (uint32_t box = 0; box < plan->mesh.box_count; box++)
    json_array_append_new(indices, json_integer(corner_of_box(box)));
  json_t *root = json_pack("{s:f,s:f,s:o,s:o,s:o,s:o}", "heightM", plan->rig->height_m, "durationS",
                           plan->clip->stop_s - plan->clip->start_s, "timesS", times, "nodes", nodes,
                           "corners", indices, "places", places);
  json_dumpf(root, stdout, JSON_COMPACT);
  json_decref(root);
  arena_release(&memory);
}

int main(int argument_count, char **arguments) {
  if (argument_count != 5) {
    fprintf(stderr, "usage: %s CLIP RIG RATE COUNT\n", arguments[0]);
    return 2;
  }
  sinew_error error = {0};
  sinew_clip_file *file;
  sinew_rig *rig;
  if (sinew_clip_file_open(arguments[1], NULL, &file, &error) != SINEW_OK) fail("clip", &error);
  if (sinew_rig_open(arguments[2], NULL, &rig, &error) != SINEW_OK) fail("rig", &error);
  bake_plan *plan = calloc(1, sizeof *plan);
  if (bake_plan_build(sinew_kernels_select(NULL), sinew_clip_file_clip(file, 0), rig,
                      &(bake_choice){.rate_hz = strtod(arguments[3], NULL)}, plan, &error) != SINEW_OK)
    fail("plan", &error);
  if (box_mesh_build(rig, &plan->mesh, &error) != SINEW_OK) fail("mesh", &error);
  dump(plan, (uint32_t)strtoul(arguments[4], NULL, 10), &error);
  bake_plan_release(plan);
  free(plan);
  sinew_rig_close(rig);
  sinew_clip_file_close(file);
  return 0;
}
