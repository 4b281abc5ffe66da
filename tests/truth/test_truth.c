/* Clips that the reference editor wrote, on the rigs they came from, against the takes they were made of: the
 * take's own rotations as an outside reader found them. The bounds are what an independent double-precision
 * model of the same rules leaves (the editor's muscles hold the pose only so far, and it reduces keys), times
 * 2 on the uncompressed take and 1.2 on the others. */
#include "base/error.h"
#include "read/reader.h"
#include "stage/pose_block.h"
#include "support/compare.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum measure {
  HIPS_ROTATION_DEG,
  HIPS_POSITION,
  SPINE_DEG,
  ELBOW_KNEE,
  HAND_FOOT,
  ENDS_DEG,
  FIRST_HIPS_DEG,
  MEASURE_COUNT
} measure;

typedef struct truth_case {
  const char *name;
  double slack;
  double bound[MEASURE_COUNT]; /* maxima of the model; positions over the human scale */
} truth_case;

static const truth_case cases[] = {
    {"ibrahimozturk47_TwinSword_Idle", 2, {6e-5, 4e-7, 0.0005, 2.7e-4, 2.8e-5, 0.021, 1e-4}},
    {"HEL-d_Y_BotHead_Nod_Yes", 1.2, {0.014, 8e-4, 0.045, 0.005, 0.0042, 0.48, 2e-4 / 1.2}},
    {"HEL-d_Y_BotLaughing", 1.2, {0.18, 0.0043, 0.16, 0.0033, 0.0039, 0.40, 2e-4 / 1.2}},
    {"N1rium_female_move_run_back_left", 1.2, {0.26, 0.0042, 0.067, 0.0016, 0.0021, 0.33, 2e-4 / 1.2}},
    {"N1rium_female_move_run_front", 1.2, {0.063, 0.0031, 0.068, 0.0012, 9e-4, 0.25, 2e-4 / 1.2}},
};

static const char *const measure_name[MEASURE_COUNT] = {"hips rotation, degrees",
                                                        "hips position / scale",
                                                        "spine to head, degrees",
                                                        "elbow, knee / scale",
                                                        "hand, foot / scale",
                                                        "ends' rotation from the hips, degrees",
                                                        "hips at the first frame, degrees"};

/* Model rotation and position of a bone in the hips' frame, from local rotations per bone. */
static void model_of(const sinew_rig *rig, double (*local)[4], int bone, double t[3], double q[4]) {
  if (bone == HUMAN_HIPS) {
    memset(t, 0, 3 * sizeof *t);
    q[0] = q[1] = q[2] = 0, q[3] = 1;
    return;
  }
  double parent_t[3], parent_q[4], moved[3];
  model_of(rig, local, rig->parent_bone[bone], parent_t, parent_q);
  quat_rotate(parent_q, rig->offset[bone], moved);
  for (int c = 0; c < 3; c++) t[c] = parent_t[c] + moved[c];
  quat_mul(parent_q, rig->between[bone], q);
  quat_mul(q, local[bone], q);
}

static void keep_most(double *most, double value) {
  if (!(value <= *most)) *most = value;
}

static int bone_of_name(const char *name) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    if (strcmp(sinew_bone_name((uint32_t)bone), name) == 0) return bone;
  return -1;
}

/* The last value of "key:" in the meta's text, `other` when it has none. */
static double meta_number(const char *text, const char *key, double other) {
  const char *at = strstr(text, key);
  return at ? strtod(at + strlen(key), NULL) : other;
}

typedef struct pose_at_frame {
  double local[HUMAN_BONE_COUNT][4];
  double hips_t[3], hips_q[4];
} pose_at_frame;

static void pose_of_frame(const bake_plan *plan, uint64_t frame, pose_scratch *scratch, pose_block *block,
                          pose_at_frame *pose) {
  sinew_error error;
  cr_assert(pose_block_compute(plan, frame / SINEW_BLOCK, scratch, block, &error) == SINEW_OK);
  size_t f = frame % SINEW_BLOCK;
  for (uint32_t slot = 0; slot < plan->constants.bone_count; slot++)
    for (size_t c = 0; c < 4; c++)
      pose->local[plan->constants.bone_of_slot[slot]][c] = block->local[(slot * 4 + c) * SINEW_BLOCK + f];
  for (size_t c = 0; c < 3; c++) pose->hips_t[c] = block->hips_t[c * SINEW_BLOCK + f];
  for (size_t c = 0; c < 4; c++) pose->hips_q[c] = block->hips_q[c * SINEW_BLOCK + f];
}

static void compare_spine(json_t *local, const pose_at_frame *pose, double most[MEASURE_COUNT]) {
  static const char *const names[] = {"Spine", "Chest", "UpperChest", "Neck", "Head"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    json_t *entry = json_object_get(local, names[i]);
    if (!entry) continue;
    double q[4];
    numbers_of_json(entry, q, 4);
    keep_most(&most[SPINE_DEG], angle_deg(q, pose->local[bone_of_name(names[i])]));
  }
}

static void compare_limbs(const sinew_rig *rig, json_t *frame, pose_at_frame *pose, double unit_m,
                          double most[MEASURE_COUNT]) {
  static const struct {
    const char *name;
    measure place;
  } joints[] = {{"LeftLowerArm", ELBOW_KNEE},  {"RightLowerArm", ELBOW_KNEE}, {"LeftLowerLeg", ELBOW_KNEE},
                {"RightLowerLeg", ELBOW_KNEE}, {"LeftHand", HAND_FOOT},       {"RightHand", HAND_FOOT},
                {"LeftFoot", HAND_FOOT},       {"RightFoot", HAND_FOOT}};
  double take[HUMAN_BONE_COUNT][4];
  const char *name;
  json_t *value;
  json_object_foreach(json_object_get(frame, "local"), name, value) {
    int bone = bone_of_name(name);
    cr_assert(bone >= 0, "%s", name);
    numbers_of_json(value, take[bone], 4);
  }
  for (size_t i = 0; i < sizeof joints / sizeof *joints; i++) {
    int bone = bone_of_name(joints[i].name);
    double file_t[3], own_t[3], own_q[4], take_t[3], take_q[4];
    numbers_of_json(json_object_get(json_object_get(frame, "joints_from_hips"), joints[i].name), file_t, 3);
    for (int c = 0; c < 3; c++) file_t[c] *= unit_m;
    model_of(rig, pose->local, bone, own_t, own_q);
    model_of(rig, take, bone, take_t, take_q);
    keep_most(&most[joints[i].place], distance(file_t, own_t) / rig->human_scale_m);
    if (joints[i].place == HAND_FOOT) keep_most(&most[ENDS_DEG], angle_deg(take_q, own_q));
  }
}

static void compare_hips(const sinew_rig *rig, json_t *frame, const pose_at_frame *pose, double raw_to_m,
                         bool first, double most[MEASURE_COUNT]) {
  double q[4], t[3];
  numbers_of_json(json_object_get(frame, "hips_rotation"), q, 4);
  numbers_of_json(json_object_get(frame, "hips_position_raw"), t, 3);
  for (int c = 0; c < 3; c++) t[c] *= raw_to_m;
  double angle = angle_deg(q, pose->hips_q);
  keep_most(&most[HIPS_ROTATION_DEG], angle);
  if (first) keep_most(&most[FIRST_HIPS_DEG], angle);
  keep_most(&most[HIPS_POSITION], distance(t, pose->hips_t) / rig->human_scale_m);
}

static uint32_t compare_take(const truth_case *c, const sinew_kernels *kernels, double most[MEASURE_COUNT]) {
  char path[256];
  sinew_error error;
  char text[1024];
  snprintf(path, sizeof path, "humanoid/truth/%s.fbx.meta", c->name);
  sinew_rig *rig;
  const char *meta_path = test_data(path);
  cr_assert(sinew_rig_open(meta_path, NULL, &rig, &error) == SINEW_OK, "%s",
            sinew_error_text(&error, text, sizeof text));
  size_t meta_bytes;
  char *meta = test_read_file(meta_path, &meta_bytes);
  meta = realloc(meta, meta_bytes + 1);
  meta[meta_bytes] = 0;
  snprintf(path, sizeof path, "humanoid/truth/%s.anim", c->name);
  sinew_clip_file *file;
  cr_assert(sinew_clip_file_open(test_data(path), NULL, &file, &error) == SINEW_OK, "%s",
            sinew_error_text(&error, text, sizeof text));
  snprintf(path, sizeof path, "humanoid/truth/%s.truth.json", c->name);
  json_t *truth = json_load_file(test_data(path), 0, NULL);
  cr_assert(truth);
  double unit_of_take = json_is_number(json_object_get(truth, "unit_scale_of_take"))
                            ? json_number_value(json_object_get(truth, "unit_scale_of_take"))
                            : 1;
  double raw_to_m = meta_number(meta, "    globalScale:", 1) *
                    (meta_number(meta, "useFileScale:", 0) != 0 ? unit_of_take : 1) * rig->unit_scale;
  bake_plan *plan = calloc(1, sizeof *plan);
  double fps = json_number_value(json_object_get(truth, "fps"));
  cr_assert(bake_plan_build(kernels, sinew_clip_file_clip(file, 0), rig, &(bake_choice){.rate_hz = fps}, plan, &error) == SINEW_OK);
  arena memory = {0};
  pose_scratch scratch;
  pose_block block;
  cr_assert(pose_open(plan, &memory, &scratch, &block));
  uint32_t compared = 0;
  size_t i;
  json_t *frame;
  json_array_foreach(json_object_get(truth, "frames"), i, frame) {
    uint64_t index = (uint64_t)llround(json_number_value(json_object_get(frame, "time")) * fps);
    if (index >= plan->frame_count) continue; /* the clip was cut shorter than the take */
    pose_at_frame pose;
    pose_of_frame(plan, index, &scratch, &block, &pose);
    compare_hips(rig, frame, &pose, raw_to_m, index == 0, most);
    compare_spine(json_object_get(frame, "local"), &pose, most);
    compare_limbs(rig, frame, &pose, rig->unit_scale, most);
    compared++;
  }
  arena_release(&memory);
  bake_plan_release(plan);
  free(plan);
  json_decref(truth);
  sinew_clip_file_close(file);
  sinew_rig_close(rig);
  free(meta);
  return compared;
}

Test(truth, poses_agree_with_the_takes_the_editor_made_the_clips_of) {
  NEED_DATA();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const sinew_kernels *kernels;
    for (uint32_t isa = 0; (kernels = sinew_kernels_available(isa)); isa++) {
      double most[MEASURE_COUNT] = {0};
      uint32_t compared = compare_take(&cases[i], kernels, most);
      cr_expect(compared >= 20, "%s: only %u frames compared", cases[i].name, compared);
      for (int m = 0; m < MEASURE_COUNT; m++) {
        double bound = cases[i].slack * cases[i].bound[m];
        if (getenv("SINEW_TEST_VERBOSE"))
          fprintf(stderr, "%s %s: %s: %.3g (bound %.3g)\n", cases[i].name, kernels->name, measure_name[m],
                  most[m], bound);
        cr_expect(most[m] <= bound, "%s on %s: %s is %.4g, at most %.4g expected", cases[i].name,
                  kernels->name, measure_name[m], most[m], bound);
      }
    }
  }
}
