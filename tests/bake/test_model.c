/* The sample's poses against the independent model that made it: plain double-precision Python from the same
 * rules, which shares no line with the engine. Positions carry a float32 chain's rounding, 1e-6 of the body's
 * height; rotations that of a float32 quaternion, 1e-4 degrees. */
#include "base/error.h"
#include "stage/pose_block.h"
#include "support/bake.h"
#include "support/compare.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void compare_bone(const bake_plan *plan, const pose_block *pose, const float *model, uint32_t slot,
                         size_t f, const json_t *frame) {
  const char *name = sinew_bone_name(plan->constants.bone_of_slot[slot]);
  double place[3], own[3], q[4], own_q[4];
  numbers_of_json(json_object_get(json_object_get(frame, "position_m"), name), place, 3);
  numbers_of_json(json_object_get(json_object_get(frame, "local_rotation"), name), q, 4);
  for (size_t c = 0; c < 3; c++) own[c] = model[(slot * SINEW_MODEL_PLANES + c) * SINEW_BLOCK + f] - place[c];
  for (size_t c = 0; c < 4; c++) own_q[c] = pose->local[(slot * 4 + c) * SINEW_BLOCK + f];
  double miss_m = sqrt(vec_dot(own, own));
  cr_expect(miss_m <= 1e-6 * plan->rig->height_m, "%s %s: %.3g m off", plan->kernels->name, name, miss_m);
  cr_expect(angle_deg(q, own_q) <= 1e-4, "%s %s: %.3g degrees off", plan->kernels->name, name,
            angle_deg(q, own_q));
}

static void compare_all(const sinew_kernels *kernels, const json_t *truth) {
  sinew_clip_file *file = test_open_clip(test_source("scripts/sample/walk.anim"));
  sinew_rig *rig = test_open_rig(test_source("scripts/sample/walker.fbx.meta"));
  sinew_error error;
  bake_plan *plan = calloc(1, sizeof *plan);
  cr_assert(bake_plan_build(kernels, sinew_clip_file_clip(file, 0), rig, NULL, plan, &error) == SINEW_OK);
  cr_assert(plan->frame_count <= SINEW_BLOCK && plan->constants.bone_count == HUMAN_BONE_COUNT);
  double scale_m = json_number_value(json_object_get(truth, "human_scale_m"));
  cr_expect(fabs(rig->human_scale_m - scale_m) < 1e-7, "human scale %.9g, expected %.9g", rig->human_scale_m,
            scale_m);
  arena memory = {0};
  pose_scratch scratch;
  pose_block pose;
  cr_assert(pose_open(plan, &memory, &scratch, &pose));
  cr_assert(pose_block_compute(plan, 0, &scratch, &pose, &error) == SINEW_OK);
  kernels->fk(&plan->constants.fk, pose.local, pose.hips_t, pose.hips_q, scratch.model);
  size_t i;
  json_t *frame;
  json_array_foreach(json_object_get(truth, "frames"), i, frame) {
    size_t f = (size_t)json_integer_value(json_object_get(frame, "frame"));
    for (uint32_t slot = 0; slot < HUMAN_BONE_COUNT; slot++)
      compare_bone(plan, &pose, scratch.model, slot, f, frame);
  }
  cr_expect(i >= 10);
  arena_release(&memory);
  bake_plan_release(plan);
  free(plan);
  sinew_rig_close(rig);
  sinew_clip_file_close(file);
}

Test(model, the_sample_moves_as_its_maker_says) {
  const char *path = getenv("SINEW_TEST_SAMPLE_TRUTH");
  cr_assert(path);
  json_t *truth = json_load_file(path, 0, NULL);
  cr_assert(truth, "%s cannot be read", path);
  const sinew_kernels *kernels;
  for (uint32_t i = 0; (kernels = sinew_kernels_available(i)); i++) compare_all(kernels, truth);
  json_decref(truth);
}
