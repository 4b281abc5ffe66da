/* Rigs from models, through the public door: what they say, what they refuse, and how muscle clips move on
 * them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/motion_reader.h"
#include "rig/quat.h"
#include "stance/figure.h"
#include "stance/turned_body.h"
#include "support/bake.h"
#include "support/data.h"
#include "support/keep.h"

static const char *const bodies[] = {"rigs/Mesh2Motion_rig-human.glb",
                                     "rigs/SaschaWillems_CesiumMan.glb",
                                     "rigs/bulgat_Soldier.glb",
                                     "rigs/gdquest-demos_mannequiny-0.3.0.glb",
                                     "rigs/V-Sekai_Godette_vrm_v4.vrm",
                                     "rigs/saturday06_Example.vrm",
                                     "rigs/saturday06_basic_armature_vrm1.vrm",
                                     "rigs/saturday06_rest_a_pose_t_position_pose.vrm",
                                     "rigs/pixiv_test.vrma",
                                     "bvh/20tab_test_freebvh.bvh",
                                     "bvh/VictorS-67_bvh_example.bvh",
                                     "bvh/orangeduck_Geno_stance.bvh",
                                     "bvh/nv-tlabs_soma77_run_leap_standard_tpose.bvh"};
enum { BODIES = sizeof bodies / sizeof bodies[0], FRAMES = 12 };

static sinew_rig *open_data(const char *relative, const sinew_rig_options *options) {
  sinew_rig *rig;
  sinew_error error;
  cr_assert_eq(sinew_rig_open(test_data(relative), options, &rig, &error), SINEW_OK, "%s: %s", relative,
               error.message);
  return rig;
}

/* ---- muscles ------------------------------------------------------------------------------------------ */

typedef struct walk {
  float model[FRAMES][SINEW_HUMAN_BONE_COUNT][3]; /* glTF's frame; by bone, NAN: missing */
} walk;

static void play(const sinew_rig *rig, walk *w) {
  sinew_context *context = test_open_context(NULL, 1);
  sinew_clip_file *file = test_open_clip(test_source("scripts/sample/walk.anim"));
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  const sinew_player_options options = {.frame = SINEW_FRAME_GLTF};
  sinew_player *player;
  sinew_error error;
  cr_assert_eq(sinew_player_open(context, clip, rig, &options, &player, &error), SINEW_OK, "%s",
               error.message);
  const uint32_t count = sinew_player_bone_count(player);
  float *places = test_keep(FRAMES * count * 3, sizeof *places);
  double times[FRAMES];
  for (int f = 0; f < FRAMES; f++) times[f] = 0.09 * f;
  void *scratch = malloc(sinew_player_scratch_bytes(player));
  cr_assert_eq(sinew_player_evaluate(player, scratch, sinew_player_scratch_bytes(player), times, FRAMES,
                                     &(sinew_pose_buffers){.model_m = places}, &error),
               SINEW_OK, "%s", error.message);
  for (int f = 0; f < FRAMES; f++)
    for (int b = 0; b < SINEW_HUMAN_BONE_COUNT; b++) w->model[f][b][0] = NAN;
  for (int f = 0; f < FRAMES; f++)
    for (uint32_t i = 0; i < count; i++)
      memcpy(w->model[f][sinew_player_bone(player, i)], places + ((size_t)f * count + i) * 3,
             3 * sizeof *places);
  free(scratch);
  sinew_player_close(player);
  sinew_clip_file_close(file);
  sinew_context_close(context);
}

static void way(const walk *w, int f, int from, int to, double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = (double)w->model[f][to][k] - (double)w->model[f][from][k];
  vec_normalise(out);
}

/* The same clip on a rig that a human description was written for: limbs go the same ways, so the left foot
 * is in front when it should be, whichever way the model's file faces. */
Test(figure, muscles_move_models_as_they_move_described_rigs) {
  NEED_DATA();
  static const int limbs[][2] = {{HUMAN_LEFT_UPPER_LEG, HUMAN_LEFT_LOWER_LEG},
                                 {HUMAN_LEFT_LOWER_LEG, HUMAN_LEFT_FOOT},
                                 {HUMAN_RIGHT_UPPER_LEG, HUMAN_RIGHT_LOWER_LEG},
                                 {HUMAN_RIGHT_LOWER_LEG, HUMAN_RIGHT_FOOT},
                                 {HUMAN_LEFT_UPPER_ARM, HUMAN_LEFT_LOWER_ARM},
                                 {HUMAN_LEFT_LOWER_ARM, HUMAN_LEFT_HAND},
                                 {HUMAN_RIGHT_UPPER_ARM, HUMAN_RIGHT_LOWER_ARM},
                                 {HUMAN_RIGHT_LOWER_ARM, HUMAN_RIGHT_HAND},
                                 {HUMAN_SPINE, HUMAN_HEAD}};
  walk *want = test_keep(1, sizeof *want), *got = test_keep(1, sizeof *got);
  sinew_rig *walker = test_open_rig(test_source("scripts/sample/walker.fbx.meta"));
  play(walker, want);
  double swing = 0; /* the walk does swing its legs, in front of the body */
  for (int f = 0; f < FRAMES; f++) {
    double leg[3];
    way(want, f, HUMAN_LEFT_UPPER_LEG, HUMAN_LEFT_LOWER_LEG, leg);
    swing = fmax(swing, fabs(leg[2]));
  }
  cr_expect_gt(swing, 0.2);
  for (int i = 0; i < BODIES; i++) {
    sinew_rig *rig = open_data(bodies[i], NULL);
    play(rig, got);
    for (size_t l = 0; l < sizeof limbs / sizeof limbs[0]; l++)
      for (int f = 0; f < FRAMES; f++) {
        double a[3], b[3];
        way(want, f, limbs[l][0], limbs[l][1], a);
        way(got, f, limbs[l][0], limbs[l][1], b);
        /* what T-poses keep differs by up to 5 degrees a bone, a trunk by more */
        cr_expect_gt(vec_dot(a, b), l == 8 ? 0.9 : 0.95, "%s: %s at frame %d", bodies[i],
                     human_bones[limbs[l][0]].name, f);
      }
    const double lowest =
        fmin((double)got->model[3][HUMAN_LEFT_FOOT][1], (double)got->model[3][HUMAN_RIGHT_FOOT][1]);
    cr_expect(fabs(lowest) < 0.2 * rig->height_m, "%s: feet at %g m", bodies[i], lowest);
    sinew_rig_close(rig);
  }
  sinew_rig_close(walker);
}

/* A VRM 0.x whose nodes are all unturned, told as a .fbx.meta tells such a body: turned about to face +Z. */
Test(figure, the_same_as_a_description_of_its_tpose) {
  NEED_DATA();
  const char *path = "rigs/saturday06_rest_a_pose_t_position_pose.vrm";
  motion_file *file;
  sinew_error error;
  cr_assert_eq(read_motion_file(test_data(path), NULL, &file, &error), SINEW_OK, "%s", error.message);
  const skeleton *s = file->skeleton;
  rig_description d = {.name = "told",
                       .arm_twist = 0.5,
                       .fore_arm_twist = 0.5,
                       .upper_leg_twist = 0.5,
                       .leg_twist = 0.5,
                       .node_count = s->node_count,
                       .nodes = test_keep(s->node_count, sizeof *d.nodes)};
  memcpy(d.node_of_bone, s->node_of_bone, sizeof d.node_of_bone);
  for (uint32_t i = 0; i < s->node_count; i++) {
    const double *t = s->nodes[i].t;
    cr_assert_lt(turn_degrees(s->nodes[i].q, (double[4]){0, 0, 0, 1}), 1e-3);
    /* half around Y, then mirrored in x */
    d.nodes[i] = (rig_node){.name = s->nodes[i].name,
                            .parent = s->nodes[i].parent,
                            .t = {t[0], t[1], -t[2]},
                            .q = {0, 0, 0, 1},
                            .s = {1, 1, 1}};
  }
  sinew_rig *told, *found = open_data(path, NULL);
  cr_assert_eq(rig_compile(&d, 1, &told, &error), SINEW_OK, "%s", error.message);
  walk *want = test_keep(1, sizeof *want), *got = test_keep(1, sizeof *got);
  play(told, want);
  play(found, got);
  for (int f = 0; f < FRAMES; f++)
    for (int b = 0; b < SINEW_HUMAN_BONE_COUNT; b++)
      for (int k = 0; k < 3 && told->node_of_bone[b] >= 0; k++)
        cr_expect_lt(fabs((double)want->model[f][b][k] - (double)got->model[f][b][k]), 2e-6, "%s",
                     human_bones[b].name);
  cr_expect_eq(found->align_q[1] * found->align_q[1], 1);
  sinew_rig_close(told);
  sinew_rig_close(found);
  motion_file_close(file);
}

/* ---- the public door ---------------------------------------------------------------------------------- */

Test(figure, what_a_rig_says) {
  NEED_DATA();
  sinew_rig *rig = open_data("rigs/V-Sekai_Godette_vrm_v4.vrm", NULL);
  sinew_rig_info info;
  sinew_rig_bone bone;
  sinew_rig_get_info(rig, &info);
  cr_expect_str_eq(info.kind, "vrm0");
  cr_expect_eq(info.unit_scale, 1);
  cr_expect_not(info.unit_inferred);
  cr_expect_eq(info.arm_stretch, 0.05);
  cr_assert(sinew_rig_get_bone(rig, HUMAN_LEFT_UPPER_LEG, &bone));
  cr_assert_not_null(bone.reason);
  cr_expect_gt(strlen(bone.reason), 5);
  cr_expect_float_eq(bone.stance_turn_deg, 10, 0.1);
  cr_assert(sinew_rig_get_bone(rig, HUMAN_SPINE, &bone));
  cr_expect_eq(bone.stance_turn_deg, 0);
  sinew_rig_close(rig);
  rig = open_data("bvh/20tab_test_freebvh.bvh", NULL);
  sinew_rig_get_info(rig, &info);
  cr_expect_str_eq(info.kind, "bvh");
  cr_expect(info.unit_inferred && info.unit_scale == 0.01);
  sinew_rig_close(rig);
}

Test(figure, rig_and_map_files_bring_it_back) {
  NEED_DATA();
  char *folder = test_folder_make(), rig_path[512], map_path[512];
  snprintf(rig_path, sizeof rig_path, "%s/a.json", folder);
  snprintf(map_path, sizeof map_path, "%s/map.json", folder);
  for (int i = 0; i < BODIES; i++) {
    sinew_rig *rig = open_data(bodies[i], NULL), *again;
    sinew_error error;
    cr_assert_eq(sinew_rig_save(rig, rig_path, &error), SINEW_OK, "%s", error.message);
    cr_assert_eq(sinew_rig_open(rig_path, NULL, &again, &error), SINEW_OK, "%s: %s", bodies[i],
                 error.message);
    cr_expect_str_eq(again->hash, rig->hash, "%s", bodies[i]);
    sinew_rig_close(again);
    cr_assert_eq(sinew_rig_save_map(rig, map_path, &error), SINEW_OK, "%s", error.message);
    const sinew_figure_options given = {.map_path = map_path};
    again = open_data(bodies[i], &(sinew_rig_options){.read = {.figure = &given}});
    cr_expect_str_eq(again->hash, rig->hash, "%s", bodies[i]);
    sinew_rig_close(again);
    sinew_rig_close(rig);
  }
  test_folder_remove(folder);
}

/* ---- ranges of muscles --------------------------------------------------------------------------------- */

static void put_map(const char *path, const char *text) {
  FILE *out = fopen(path, "w");
  cr_assert(out && fputs(text, out) >= 0 && fclose(out) == 0);
}

static const char some_ranges[] =
    "{\"sinew_map\": 1, \"ranges\": {\"Left Arm Down-Up\": [-30, 90.7], \"LeftHand.Index.2 Stretched\": "
    "[-45, 0.1], "
    "\"Head Turn Left-Right\": [-40, 40], \"Right Upper Leg In-Out\": [-33.333333333333336, 1e-3], "
    "\"Neck Nod Down-Up\": [0, 0], \"Spine Front-Back\": [-180, 180]}, \"twist\": {\"foreArm\": 0.3, "
    "\"leg\": 0.5}}";

/* Ranges alone leave bones, stance and reasons as they are found. */
Test(figure, a_map_changes_ranges) {
  NEED_DATA();
  char *folder = test_folder_make(), path[512], saved[512];
  snprintf(path, sizeof path, "%s/map.json", folder);
  snprintf(saved, sizeof saved, "%s/saved.json", folder);
  put_map(path, some_ranges);
  const sinew_figure_options given = {.map_path = path}, again = {.map_path = saved};
  const char *model = "rigs/V-Sekai_Godette_vrm_v4.vrm";
  sinew_rig *plain = open_data(model, NULL);
  sinew_rig *rig = open_data(model, &(sinew_rig_options){.read = {.figure = &given}}), *same;
  sinew_rig_bone bone, usual;
  sinew_error error;
  cr_expect_str_neq(rig->hash, plain->hash);
  cr_assert(sinew_rig_get_bone(rig, HUMAN_LEFT_UPPER_ARM, &bone));
  cr_assert(sinew_rig_get_bone(plain, HUMAN_LEFT_UPPER_ARM, &usual));
  cr_expect(bone.custom_limits && !usual.custom_limits);
  cr_expect_str_eq(bone.reason, usual.reason);
  cr_expect_float_eq(bone.min_deg[2], -30, 1e-12);
  cr_expect_float_eq(bone.max_deg[2], 90.7, 1e-12);
  for (int axis = 0; axis < 2; axis++)
    cr_expect(bone.min_deg[axis] == usual.min_deg[axis] && bone.max_deg[axis] == usual.max_deg[axis]);
  cr_assert(sinew_rig_get_bone(rig, HUMAN_HEAD, &bone));
  cr_expect_not(bone.custom_limits, "what is said is what is usual");
  sinew_rig_info info;
  sinew_rig_get_info(rig, &info);
  cr_expect(info.fore_arm_twist == 0.3 && info.arm_twist == 0.5 && info.leg_twist == 0.5);
  cr_assert_eq(sinew_rig_save_map(rig, saved, &error), SINEW_OK, "%s", error.message);
  same = open_data(model, &(sinew_rig_options){.read = {.figure = &again}});
  cr_expect_str_eq(same->hash, rig->hash);
  size_t byte_count;
  char *text = test_read_file(saved, &byte_count);
  cr_expect(strstr(text, "\"Left Arm Down-Up\": [-30, 90.7]") && strstr(text, "\"foreArm\": 0.3\n"));
  cr_expect_not(strstr(text, "Head Turn Left-Right") || strstr(text, "\"leg\""));
  free(text);
  sinew_rig_close(plain), sinew_rig_close(rig), sinew_rig_close(same);
  test_folder_remove(folder);
}

/* Degrees of every kind come back as the same radians. */
Test(figure, a_saved_map_makes_the_same_ranges) {
  NEED_DATA();
  char *folder = test_folder_make(), path[512];
  snprintf(path, sizeof path, "%s/map.json", folder);
  const sinew_figure_options given = {.map_path = path};
  const sinew_rig_options options = {.read = {.figure = &given}};
  const char *model = "bvh/orangeduck_Geno_stance.bvh";
  for (int turn = 0; turn < 20; turn++) {
    sinew_error error;
    char text[512];
    const double share = (turn + 1) * 0.047;
    snprintf(
        text, sizeof text,
        "{\"sinew_map\": 1, \"ranges\": {\"Left Arm Down-Up\": [%.17g, %.17g], \"Chest Front-Back\": [%.3g, "
        "%.3g]}, \"twist\": {\"arm\": %.17g}}",
        -180 * share, 1 / share, -91 * share, 7 * share, share);
    put_map(path, text);
    sinew_rig *rig = open_data(model, &options), *same;
    cr_assert_eq(sinew_rig_save_map(rig, path, &error), SINEW_OK, "%s", error.message);
    same = open_data(model, &options);
    cr_expect_str_eq(same->hash, rig->hash, "%s", text);
    sinew_rig_close(rig), sinew_rig_close(same);
  }
  test_folder_remove(folder);
}

/* A figure of a file with clips holds them for its rig too, and a range that can do nothing is told. */
Test(figure, ranges_of_the_clips_skeleton) {
  NEED_DATA();
  char *folder = test_folder_make(), path[512];
  snprintf(path, sizeof path, "%s/map.json", folder);
  put_map(path,
          "{\"sinew_map\": 1, \"ranges\": {\"Left Forearm Stretch\": [-10, 20], \"Jaw Close\": [-1, 1]}}");
  const sinew_figure_options given = {.map_path = path};
  const sinew_read_options options = {.figure = &given};
  motion_file *file;
  figure *f;
  sinew_rig *rig;
  sinew_error error;
  cr_assert_eq(read_motion_file(test_data("bvh/20tab_test_freebvh.bvh"), &options, &file, &error), SINEW_OK,
               "%s", error.message);
  cr_assert_eq(figure_open(file, &options, &f, &error), SINEW_OK, "%s", error.message);
  cr_assert_eq(figure_rig(f, &rig, &error), SINEW_OK, "%s", error.message);
  cr_expect_float_eq(rig->axes[HUMAN_LEFT_LOWER_ARM].max_rad[2], 20 * M_PI / 180, 1e-15);
  bool told = false;
  for (uint32_t i = 0; i < rig->warning_count; i++)
    told = told || strcmp(rig->warnings[i], "the map's ranges.Jaw Close moves nothing: there is no Jaw") == 0;
  cr_expect(told);
  sinew_rig_close(rig);
  figure_close(f);
  test_folder_remove(folder);
}

Test(figure, options) {
  NEED_DATA();
  const char *path = "bvh/orangeduck_Geno_stance.bvh";
  sinew_figure_options given = {.unit_scale = 0.02};
  sinew_rig_options options = {.read = {.figure = &given}};
  sinew_rig *plain = open_data(path, NULL), *rig = open_data(path, &options), *none;
  cr_expect_float_eq(rig->height_m, 2 * plain->height_m, 1e-9);
  sinew_rig_close(rig);
  options.unit_scale = 0.01;
  rig = open_data(path, &options);
  cr_expect_float_eq(rig->height_m, plain->height_m, 1e-9);
  sinew_rig_close(rig);
  given.tpose_frame = 2;
  rig = open_data(path, &options);
  cr_expect_str_neq(rig->hash, plain->hash);
  sinew_rig_close(rig);
  sinew_error error;
  given.tpose_frame = 99;
  cr_expect_eq(sinew_rig_open(test_data(path), &options, &none, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_str_eq(error.message, "the T-pose is asked from frame 99 of 2 that the movement has");
  given.tpose_frame = -1;
  cr_expect_eq(sinew_rig_open(test_data(path), &options, &none, &error), SINEW_ERROR_ARGUMENT);
  given = (sinew_figure_options){.unit_scale = NAN};
  cr_expect_eq(sinew_rig_open(test_data(path), &options, &none, &error), SINEW_ERROR_ARGUMENT);
  given = (sinew_figure_options){.map_path = "/nowhere/map.json"};
  cr_expect_eq(sinew_rig_open(test_data(path), &options, &none, &error), SINEW_ERROR_IO);
  cr_expect_null(none);
  sinew_rig_close(plain);
}

Test(figure, what_is_no_humanoid) {
  NEED_DATA();
  static const struct {
    const char *path, *part;
  } refused[] = {{"rigs/bevyengine_Fox.glb", "are missing"},
                 {"rigs/Mesh2Motion_rig-fox.glb", "are missing"},
                 {"rigs/bulgat_RobotExpressive.glb", "both feet are missing"},
                 {"rigs/raysan5_greenman.glb", "are missing"},
                 {"bvh/mochi-neko_sample.bvh", "missing"},
                 {"bvh/burtonageo_test_simple.bvh", "are missing"}};
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    sinew_rig *rig;
    sinew_error error;
    cr_expect_eq(sinew_rig_open(test_data(refused[i].path), NULL, &rig, &error), SINEW_ERROR_RIG, "%s",
                 refused[i].path);
    cr_expect_null(rig);
    cr_expect_not_null(strstr(error.message, refused[i].part), "%s: %s", refused[i].path, error.message);
    cr_expect_str_eq(error.path, test_data(refused[i].path));
  }
}

Test(figure, several_hold_one) {
  NEED_DATA();
  motion_file *file;
  sinew_error error;
  figure *f;
  cr_assert_eq(read_motion_file(test_data("bvh/ux3d_Example1.bvh"), NULL, &file, &error), SINEW_OK);
  cr_assert_eq(figure_open(file, NULL, &f, &error), SINEW_OK, "%s", error.message);
  figure *other = figure_hold(f);
  figure_close(f);
  sinew_rig *rig;
  cr_assert_eq(figure_rig(other, &rig, &error), SINEW_OK, "%s", error.message);
  cr_expect_eq(rig->node_count, other->file->skeleton->node_count);
  cr_expect_eq(rig->source_node[5], other->file->skeleton->nodes[5].source_index);
  figure_close(other);
  cr_expect_eq(rig->node_of_bone[HUMAN_HIPS], 0);
  sinew_rig_close(rig);
  figure_close(NULL);
}
