/* A clip on a rig as a VRM animation, and what it shows: vrma_dump CLIP RIG RATE COUNT FILE.vrma
 * Writes the file and prints JSON: the times of COUNT frames spread over the clip; each bone's normalised
 * rotation there, x y z w, by its VRM name; where the hips are; how high they rest; where the bones of the
 * rig itself stand by the same clip, facing +Z. glTF's frame, metres. */
#include "base/error.h"
#include "rig/normalised.h"
#include "stage/pose_block.h"
#include "support/vrma.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(const char *what, const sinew_error *error) {
  char line[1200];
  fprintf(stderr, "%s: %s\n", what, sinew_error_text(error, line, sizeof line));
  exit(1);
}

static double lane(const float *planes, size_t plane, uint32_t f) {
  return (double)planes[plane * SINEW_BLOCK + f];
}

static json_t *rotations(const bake_plan *plan, const pose_block *block, uint32_t f) {
  json_t *bones = json_object();
  for (uint32_t slot = 0; slot < plan->constants.bone_count; slot++) {
    char name[RIG_VRM_NAME_BYTES];
    rig_vrm_name(plan->constants.bone_of_slot[slot], name);
    json_object_set_new(bones, name,
                        json_pack("[f,f,f,f]", lane(block->local, slot * 4, f),
                                  -lane(block->local, slot * 4 + 1, f), -lane(block->local, slot * 4 + 2, f),
                                  lane(block->local, slot * 4 + 3, f)));
  }
  return bones;
}

/* Joints of the bones on the rig itself, by the same clip. */
static json_t *joints(const bake_plan *plan, const float *model, uint32_t f) {
  json_t *bones = json_object();
  for (uint32_t slot = 0; slot < plan->constants.bone_count; slot++) {
    char name[RIG_VRM_NAME_BYTES];
    const float *m = model + (size_t)slot * SINEW_MODEL_PLANES * SINEW_BLOCK;
    rig_vrm_name(plan->constants.bone_of_slot[slot], name);
    json_object_set_new(bones, name, json_pack("[f,f,f]", -lane(m, 0, f), lane(m, 1, f), lane(m, 2, f)));
  }
  return bones;
}

static json_t *dump_joints(const bake_plan *plan, uint32_t count, sinew_error *error) {
  arena memory = {0};
  pose_scratch scratch;
  pose_block block;
  if (!pose_open(plan, &memory, &scratch, &block)) exit(1);
  json_t *places = json_array();
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t frame = count > 1 ? (plan->frame_count - 1) * i / (count - 1) : 0;
    if (pose_block_compute(plan, frame / SINEW_BLOCK, &scratch, &block, error) != SINEW_OK)
      fail("pose", error);
    plan->kernels->fk(&plan->constants.fk, block.local, block.hips_t, block.hips_q, scratch.model);
    json_array_append_new(places, joints(plan, scratch.model, (uint32_t)(frame % SINEW_BLOCK)));
  }
  arena_release(&memory);
  return places;
}

static json_t *dump(const bake_plan *plan, uint32_t count, sinew_error *error) {
  arena memory = {0};
  pose_scratch scratch;
  pose_block block;
  if (!pose_open(plan, &memory, &scratch, &block)) exit(1);
  const glb_plan glb = {.rate_hz = plan->rate_hz,
                        .frame_count = plan->frame_count,
                        .start_s = plan->clip->start_s,
                        .stop_s = plan->clip->stop_s};
  json_t *times = json_array(), *bones = json_array(), *hips = json_array();
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t frame = count > 1 ? (plan->frame_count - 1) * i / (count - 1) : 0;
    const uint32_t f = (uint32_t)(frame % SINEW_BLOCK);
    if (pose_block_compute(plan, frame / SINEW_BLOCK, &scratch, &block, error) != SINEW_OK)
      fail("pose", error);
    json_array_append_new(times, json_real((double)glb_frame_time(&glb, frame)));
    json_array_append_new(bones, rotations(plan, &block, f));
    json_array_append_new(hips, json_pack("[f,f,f]", -lane(block.places, 0, f), lane(block.places, 1, f),
                                          lane(block.places, 2, f)));
  }
  arena_release(&memory);
  return json_pack("{s:f,s:o,s:o,s:o}", "hipsRestM", plan->rig->offset[HUMAN_HIPS][1], "timesS", times,
                   "bones", bones, "hips", hips);
}

static bake_plan *plan_of(const sinew_clip_file *file, const sinew_rig *rig, const char *rate,
                          sinew_error *error) {
  bake_plan *plan = calloc(1, sizeof *plan);
  if (!plan || bake_plan_build(sinew_kernels_select(NULL), sinew_clip_file_clip(file, 0), rig,
                               &(bake_choice){.rate_hz = strtod(rate, NULL)}, plan, error) != SINEW_OK)
    fail("plan", error);
  return plan;
}

int main(int argument_count, char **arguments) {
  if (argument_count != 6) {
    fprintf(stderr, "usage: %s CLIP RIG RATE COUNT FILE\n", arguments[0]);
    return 2;
  }
  sinew_error error = {0};
  sinew_clip_file *file;
  sinew_rig *rig, *plain;
  const rig_normalise_options options = {.without_eyes = true};
  const uint32_t count = (uint32_t)strtoul(arguments[4], NULL, 10);
  if (sinew_clip_file_open(arguments[1], NULL, &file, &error) != SINEW_OK) fail("clip", &error);
  if (sinew_rig_open(arguments[2], NULL, &rig, &error) != SINEW_OK) fail("rig", &error);
  if (rig_normalise(rig, &options, &plain, &error) != SINEW_OK) fail("plain rig", &error);
  bake_plan *plan = plan_of(file, plain, arguments[3], &error),
            *own = plan_of(file, rig, arguments[3], &error);
  if (vrma_write(plan, arguments[5], &error) != SINEW_OK) fail(arguments[5], &error);
  json_t *root = dump(plan, count, &error);
  json_object_set_new(root, "places", dump_joints(own, count, &error));
  json_object_set_new(root, "heightM", json_real(rig->height_m));
  json_dumpf(root, stdout, JSON_COMPACT);
  json_decref(root);
  bake_plan_release(plan), bake_plan_release(own);
  free(plan), free(own);
  sinew_rig_close(plain);
  sinew_rig_close(rig);
  sinew_clip_file_close(file);
  return 0;
}
