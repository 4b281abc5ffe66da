/* The sample's poses against the independent model that made it: plain double-precision Python from the same
 * rules, which shares no line with the engine. Positions carry a float32 chain's rounding, 1e-6 of the body's
 * height; rotations that of a float32 quaternion, 1e-4 degrees. */
#include "base/error.h"
#include "clip/motion.h"
#include "read/motion_reader.h"
#include "stage/pose_block.h"
#include "stance/pose_at.h"
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

static json_t *load_truth(void) {
  const char *path = getenv("SINEW_TEST_SAMPLE_TRUTH");
  cr_assert(path);
  json_t *truth = json_load_file(path, 0, NULL);
  cr_assert(truth, "%s cannot be read", path);
  return truth;
}

Test(model, the_sample_moves_as_its_maker_says) {
  json_t *truth = load_truth();
  const sinew_kernels *kernels;
  for (uint32_t i = 0; (kernels = sinew_kernels_available(i)); i++) compare_all(kernels, truth);
  json_decref(truth);
}

/* ---- the same walk as bones: what is written, read by the reader of glTF
 * ------------------------------------------ */

static int32_t node_named(const skeleton *s, const char *name) {
  int32_t node = (int32_t)s->node_count - 1;
  while (node >= 0 && strcmp(s->nodes[node].name, name) != 0) node--;
  return node;
}

/* The largest distance over the frames of a joint from where the model has the bone, metres. */
static double worst_distance(const motion_file *made, const json_t *truth, const char *bone,
                             const char *node_name) {
  arena memory = {0};
  local_pose pose;
  const skeleton *s = made->skeleton;
  const int32_t node = node_named(s, node_name);
  double(*matrix)[3][4] = arena_alloc(&memory, s->node_count, sizeof *matrix), worst = 0;
  cr_assert(node >= 0, "no node %s", node_name);
  cr_assert(matrix && local_pose_alloc(s, &memory, &pose));
  size_t i;
  json_t *frame;
  json_array_foreach(json_object_get(truth, "frames"), i, frame) {
    double place[3], off[3];
    numbers_of_json(json_object_get(json_object_get(frame, "position_m"), bone), place, 3);
    local_pose_time(s, &made->motions[0], json_number_value(json_object_get(frame, "time_s")), &pose);
    global_pose(s, &pose, matrix, NULL);
    for (int c = 0; c < 3; c++) off[c] = matrix[node][c][3] - (c == 0 ? -place[c] : place[c]);
    worst = fmax(worst, sqrt(vec_dot(off, off)));
  }
  cr_expect(i >= 10);
  arena_release(&memory);
  return worst;
}

static motion_file *baked_bones(const char *rig_path, const char *folder) {
  char path[512];
  sinew_context *context = test_open_context(NULL, 1);
  sinew_clip_file *file = test_open_clip(test_source("scripts/sample/walk.bvh"));
  sinew_rig *rig = rig_path ? test_open_rig(rig_path) : NULL;
  sinew_error error = {0};
  motion_file *made = NULL;
  snprintf(path, sizeof path, "%s/walk.glb", folder);
  cr_assert(sinew_bake(context, sinew_clip_file_clip(file, 0), rig, NULL, path, NULL, &error) == SINEW_OK,
            "%s", error.message);
  cr_assert(read_motion_file(path, NULL, &made, &error) == SINEW_OK, "%s", error.message);
  if (rig) sinew_rig_close(rig);
  sinew_clip_file_close(file);
  sinew_context_close(context);
  return made;
}

Test(model, as_bones_on_their_own_skeleton) {
  char *folder = test_folder_make();
  json_t *truth = load_truth();
  motion_file *made = baked_bones(NULL, folder);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    if (b == HUMAN_LEFT_EYE || b == HUMAN_RIGHT_EYE || b == HUMAN_JAW) continue; /* motion capture has none */
    const double worst_m =
        worst_distance(made, truth, sinew_bone_name((uint32_t)b), sinew_bone_name((uint32_t)b));
    /* the file's four decimals of centimetres and degrees, along the chain */
    cr_expect(worst_m < 1e-5, "%s: %.3g m off", sinew_bone_name((uint32_t)b), worst_m);
  }
  motion_file_close(made);
  json_decref(truth);
  test_folder_remove(folder);
}

/* Its T-pose is found from lowered arms, so the arms' small natural bend is not that of the clip's body. */
Test(model, as_bones_on_the_character) {
  static const struct {
    const char *bone, *node;
    double allowed_m;
  } joints[] = {{"Hips", "rig:Hips", 1e-4},     {"Head", "Head", 1e-3},
                {"LeftFoot", "Foot.L", 1e-3},   {"RightFoot", "Foot.R", 1e-3},
                {"LeftToes", "Toes.L", 1e-3},   {"LeftLowerArm", "Lower Arm.L", 0.015},
                {"RightHand", "Hand.R", 0.015}, {"LeftHand", "Hand.L", 0.015}};
  char *folder = test_folder_make();
  json_t *truth = load_truth();
  motion_file *made = baked_bones(test_source("scripts/sample/walker.glb"), folder);
  for (size_t i = 0; i < sizeof joints / sizeof *joints; i++) {
    const double worst_m = worst_distance(made, truth, joints[i].bone, joints[i].node);
    cr_expect(worst_m < joints[i].allowed_m, "%s: %.3g m off", joints[i].bone, worst_m);
  }
  motion_file_close(made);
  json_decref(truth);
  test_folder_remove(folder);
}
