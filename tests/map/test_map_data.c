/* The public rigs and clips: which node is which bone was read in the files by eye and is written here.
 * Names, no names, another order of the nodes and a mirror must all give that. */
#include "map/changed_file.h"
#include "support/data.h"
#include "support/keep.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { EXPECTED_BONES = 14 };

/* '#' stands for the side; "a|b": the left one's name and the right one's. NULL: there is none. */
static const int expected_bones[EXPECTED_BONES] = {
    HUMAN_HIPS,           HUMAN_SPINE,          HUMAN_CHEST,          HUMAN_UPPER_CHEST,    HUMAN_NECK,
    HUMAN_HEAD,           HUMAN_LEFT_SHOULDER,  HUMAN_LEFT_UPPER_ARM, HUMAN_LEFT_LOWER_ARM, HUMAN_LEFT_HAND,
    HUMAN_LEFT_UPPER_LEG, HUMAN_LEFT_LOWER_LEG, HUMAN_LEFT_FOOT,      HUMAN_LEFT_TOES};

/* clang-format off */
#define LEGS_HIK "#UpLeg", "#Leg", "#Foot"
#define ARMS_HIK "#Shoulder", "#Arm", "#ForeArm", "#Hand"
#define ARMS_JOINTS "#Collar", "#Shoulder", "#Elbow", "#Wrist"
#define LEGS_JOINTS "#Hip", "#Knee", "#Ankle"
#define LONG "Left", "Right"
#define DOTS ".L", ".R"

typedef struct expected_file {
  const char *path;
  const char *scheme;
  const char *left, *right;
  const char *name[EXPECTED_BONES];
  map_source source; /* of the hips */
} expected_file;

#define UE3(path) {path, "Unreal", "l", "r", {"pelvis", "spine_01", "spine_02", "spine_03", "neck_01", "head", \
  "clavicle_#", "upperarm_#", "lowerarm_#", "hand_#", "thigh_#", "calf_#", "foot_#", "ball_#"}, MAP_NAME}
#define MIXAMO(path) {path, "Mixamo", LONG, {"mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2", "mixamorig:Neck", "mixamorig:Head", \
  "mixamorig:#Shoulder", "mixamorig:#Arm", "mixamorig:#ForeArm", "mixamorig:#Hand", "mixamorig:#UpLeg", "mixamorig:#Leg", "mixamorig:#Foot", "mixamorig:#ToeBase"}, MAP_NAME}
#define SOMA(path) {path, "SOMA", LONG, {"Hips", "Spine1", "Spine2", "Chest", "Neck1", "Head", ARMS_HIK, "#Leg", "#Shin", "#Foot", "#ToeBase"}, MAP_NAME}
#define VRM(path) {path, NULL, DOTS, {"hips", "spine", "chest", NULL, "neck", "head", "shoulder#", "upper_arm#", "lower_arm#", "hand#", "upper_leg#", "lower_leg#", "foot#", "toes#"}, MAP_FILE}
#define SPINES4 "Hips", "Spine", "Spine2", "Spine3", "Neck", "Head"
#define MOCAPBANK(path) {path, "Biovision", LONG, {"Hips", "Chest", "Chest2", NULL, "Neck", "Head", ARMS_JOINTS, LEGS_JOINTS, NULL}, MAP_NAME}
#define XSENS(path) {path, "Xsens", LONG, {"Hips", "Chest", "Chest3", "Chest4", "Neck", "Head", ARMS_JOINTS, LEGS_JOINTS, "#Toe"}, MAP_NAME}
#define EXAMPLE1(path) {path, "plain words", LONG, {"Hips", "Chest", NULL, NULL, "Neck", "Head", "#Collar", "#UpArm", "#LowArm", "#Hand", "#UpLeg", "#LowLeg", "#Foot", NULL}, MAP_NAME}

static const expected_file expected[] = {
  UE3("rigs/Mesh2Motion_rig-human.glb"), UE3("rigs/Mesh2Motion_human-male.glb"), UE3("rigs/Mesh2Motion_m2m-sample-rig.glb"),
  {"rigs/SaschaWillems_CesiumMan.glb", NULL, "L", "R", {"Skeleton_torso_joint_1", "Skeleton_torso_joint_2", "torso_joint_3", NULL, "Skeleton_neck_joint_1", "Skeleton_neck_joint_2", NULL,
    "Skeleton_arm_joint_L__4_|Skeleton_arm_joint_R", "Skeleton_arm_joint_L__3_|Skeleton_arm_joint_R__2_", "Skeleton_arm_joint_L__2_|Skeleton_arm_joint_R__3_",
    "leg_joint_#_1", "leg_joint_#_2", "leg_joint_#_3", "leg_joint_#_5"}, MAP_STRUCTURE},
  MIXAMO("rigs/bulgat_Soldier.glb"),
  {"rigs/gdquest-demos_mannequiny-0.3.0.glb", "Unreal", "l", "r", {"pelvis", "spine_01", "spine_02", NULL, "neck_01", "head", "clavicle.#", "upperarm.#", "lowerarm.#", "hand.#",
    "thigh.#", "calf.#", "foot.#", "ball.#"}, MAP_NAME},
  {"rigs/V-Sekai_Godette_vrm_v4.vrm", NULL, "l", "r", {"pelvis_Armature", "tummy_Armature", "chest_Armature", NULL, "neck_Armature", "head_Armature",
    "shoulder.#_Armature", "upper_arm.#_Armature", "lowerarm.#_Armature", "hand.#_Armature", "thigh.#_Armature", "shin.#_Armature", "foot.#_Armature", "toes.#_Armature"}, MAP_FILE},
  VRM("rigs/saturday06_Example.vrm"), VRM("rigs/saturday06_basic_armature_vrm1.vrm"), VRM("rigs/saturday06_rest_a_pose_t_position_pose.vrm"),
  {"rigs/saturday06_hips_spine_twisting.vrma", NULL, LONG, {"Hips", "Spine", "Chest", NULL, "Neck", "Head", NULL, "#UpperArm", "#LowerArm", "#Hand", "#UpperLeg", "#LowerLeg", "#Foot", NULL}, MAP_FILE},
  {"rigs/pixiv_test.vrma", NULL, "left", "right", {"hips", "spine", "chest", NULL, "neck", "head", "#Shoulder", "#UpperArm", "#LowerArm", "#Hand", "#UpperLeg", "#LowerLeg", "#Foot", "#Toes"}, MAP_FILE},
  MIXAMO("bvh/20tab_test_freebvh.bvh"), MIXAMO("bvh/upf-gti_kateBVH.bvh"),
  MOCAPBANK("bvh/OlafHaag_test_mocapbank.bvh"), MOCAPBANK("bvh/burtonageo_test_mocapbank.bvh"),
  {"bvh/VictorS-67_bvh_example.bvh", "HumanIK", LONG, {SPINES4, ARMS_HIK, LEGS_HIK, "#ToeBase"}, MAP_NAME},
  XSENS("bvh/VictorS-67_bvh_test2.bvh"), XSENS("bvh/eth-ait_sample.bvh"),
  {"bvh/VictorS-67_bvh_test3.bvh", "HumanIK", LONG, {SPINES4, ARMS_HIK, LEGS_HIK, "#ForeFoot"}, MAP_NAME},
  {"bvh/VictorS-67_cmu_12_01_walk.bvh", "CMU", LONG, {"Hips", "LowerBack", "Spine", "Spine1", "Neck", "Head", ARMS_HIK, LEGS_HIK, "#ToeBase"}, MAP_NAME},
  {"bvh/eherr_mh_cmu_skeleton_pose.bvh", "CMU", LONG, {"Hips", "LowerBack", "Spine", "Spine1", "Neck", "Head", ARMS_HIK, LEGS_HIK, "#ToeBase"}, MAP_NAME},
  {"bvh/facebookresearch_jumping_jacks.bvh", "CMU", LONG, {"Hips", "lowerback", "Chest", "Chest2", "lowerneck", "Head", ARMS_JOINTS, LEGS_JOINTS, "#Toe"}, MAP_NAME},
  EXAMPLE1("bvh/Wasserwecken_example.bvh"), EXAMPLE1("bvh/ux3d_Example1.bvh"),
  {"bvh/assimp_Boxing_Toes.bvh", "Biovision", LONG, {"Hips", "Ab", "Chest", NULL, "Neck", "Head", ARMS_JOINTS, LEGS_JOINTS, "#Toes"}, MAP_NAME},
  {"bvh/facebookresearch_dab.bvh", "HumanIK", LONG, {SPINES4, ARMS_HIK, LEGS_HIK, "#ToeBase"}, MAP_NAME},
  {"bvh/facebookresearch_zombie.bvh", "HumanIK", LONG, {SPINES4, ARMS_HIK, LEGS_HIK, "#ToeBase"}, MAP_NAME},
  {"bvh/facebookresearch_jesse_dance.bvh", "Perception Neuron", LONG, {"Hips", "Spine", "Spine1", "Spine2", "Neck", "Head", ARMS_HIK, LEGS_HIK, "#ToeBase"}, MAP_NAME},
  SOMA("bvh/nv-tlabs_soma77_run_leap_seed_rest.bvh"), SOMA("bvh/nv-tlabs_soma77_run_leap_standard_tpose.bvh"),
  SOMA("bvh/nv-tlabs_soma77_stylized_seed_rest.bvh"), SOMA("bvh/polats_somaskel77_standard_tpose.bvh"),
  {"bvh/omimo_AV_8Walk_Meredith_HVHA_Rep1.bvh", "HumanIK", LONG, {"Hips", "Spine", NULL, NULL, NULL, "Head", ARMS_HIK, LEGS_HIK, "#ToeBase"}, MAP_NAME},
  {"bvh/orangeduck_Geno_bind.bvh", "HumanIK", LONG, {SPINES4, ARMS_HIK, LEGS_HIK, "#ToeBase"}, MAP_NAME},
  {"bvh/orangeduck_Geno_stance.bvh", "HumanIK", LONG, {SPINES4, ARMS_HIK, LEGS_HIK, "#ToeBase"}, MAP_NAME},
};
/* clang-format on */
enum { EXPECTED_FILES = sizeof expected / sizeof *expected };

/* ---- expectations as nodes ----------------------------------------------------------------------------- */

static void side_name(const expected_file *file, const char *form, bool right, char name[128]) {
  const char *bar = strchr(form, '|'), *gap = strchr(form, '#');
  if (bar && right)
    snprintf(name, 128, "%s", bar + 1);
  else if (bar)
    snprintf(name, 128, "%.*s", (int)(bar - form), form);
  else if (gap)
    snprintf(name, 128, "%.*s%s%s", (int)(gap - form), form, right ? file->right : file->left, gap + 1);
  else
    snprintf(name, 128, "%s", form);
}

static bool is_sided(int bone) {
  return strncmp(human_bones[bone].name, "Left", 4) == 0;
}

/* By the names as they stand in the file; -2: not said. */
static void expected_nodes(const expected_file *file, const skeleton *s, int32_t *nodes) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) nodes[bone] = -2;
  for (int i = 0; i < EXPECTED_BONES; i++)
    for (int right = 0; right <= is_sided(expected_bones[i]); right++) {
      char name[128];
      int32_t *node = &nodes[expected_bones[i] + right];
      *node = -1;
      if (!file->name[i]) continue;
      side_name(file, file->name[i], right, name);
      *node = changed_find(s, name);
      cr_assert(*node >= 0, "%s has no node '%s'", file->path, name);
    }
}

static void expect_nodes(const expected_file *file, const skeleton *s, const human_map *map,
                         const int32_t *nodes, const char *how) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    if (nodes[bone] == -2) continue;
    const int32_t node = map->node_of_bone[bone];
    cr_expect(node == nodes[bone], "%s, %s: %s is '%s', expected '%s'", file->path, how,
              human_bones[bone].name, node < 0 ? "-" : s->nodes[node].name,
              nodes[bone] < 0 ? "-" : s->nodes[nodes[bone]].name);
    cr_expect((map->reason[bone] != NULL) == (node >= 0) && (map->source[bone] != MAP_NONE) == (node >= 0),
              "%s: reasons stand where bones do", file->path);
  }
}

static human_map find_map(const motion_file *file, const char *path, const char *how) {
  human_map map;
  sinew_error error = {0};
  const sinew_result result =
      human_map_find(file->skeleton, file->motions, file->motion_count, NULL, &map, &error);
  cr_assert(result == SINEW_OK, "%s, %s: %s", path, how, error.message);
  return map;
}

static bool warns(const human_map *map, const char *words) {
  for (uint32_t i = 0; i < map->warning_count; i++)
    if (strstr(map->warnings[i], words)) return true;
  return false;
}

/* ---- tests --------------------------------------------------------------------------------------------- */

Test(map_data, names_or_the_file_itself_say_what_was_read_by_eye) {
  NEED_DATA();
  for (int i = 0; i < EXPECTED_FILES; i++) {
    motion_file *file = changed_open(expected[i].path);
    human_map map = find_map(file, expected[i].path, "as it is");
    int32_t nodes[HUMAN_BONE_COUNT];
    expected_nodes(&expected[i], file->skeleton, nodes);
    expect_nodes(&expected[i], file->skeleton, &map, nodes, "as it is");
    cr_expect_eq(map.source[HUMAN_HIPS], expected[i].source, "%s", expected[i].path);
    cr_expect(expected[i].scheme ? map.scheme && strcmp(map.scheme, expected[i].scheme) == 0 : !map.scheme,
              "%s: scheme %s", expected[i].path, map.scheme ? map.scheme : "-");
    cr_expect_eq(map.warning_count, map.source[HUMAN_LEFT_HAND] == MAP_STRUCTURE ? 1 : 0, "%s: %s",
                 expected[i].path, map.warning_count ? map.warnings[0] : "");
    human_map_release(&map);
    motion_file_close(file);
  }
}

Test(map_data, a_vrm_without_its_extension_maps_by_names_alike) {
  NEED_DATA();
  for (int i = 0; i < EXPECTED_FILES; i++) {
    if (expected[i].source != MAP_FILE) continue;
    motion_file *file = changed_open(expected[i].path);
    int32_t nodes[HUMAN_BONE_COUNT];
    expected_nodes(&expected[i], file->skeleton, nodes);
    changed_forget_stated(file);
    human_map map = find_map(file, expected[i].path, "without extension");
    expect_nodes(&expected[i], file->skeleton, &map, nodes, "without extension");
    cr_expect_eq(map.source[HUMAN_HIPS], MAP_NAME);
    human_map_release(&map);
    motion_file_close(file);
  }
}

static void check_random(const expected_file *one, unsigned seed, bool mirrored) {
  motion_file *file = changed_open(one->path);
  int32_t nodes[HUMAN_BONE_COUNT], moved[HUMAN_BONE_COUNT];
  expected_nodes(one, file->skeleton, nodes);
  changed_rename(file, seed);
  if (mirrored) changed_mirror(file);
  const uint32_t *old_of_new = changed_shuffle(file, seed + 77);
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    const bool left = is_sided(bone), right = strncmp(human_bones[bone].name, "Right", 5) == 0;
    const int32_t wanted = !mirrored ? nodes[bone]
                           : left    ? nodes[bone + 1]
                           : right   ? nodes[bone - 1]
                                     : nodes[bone];
    moved[bone] = wanted;
    for (uint32_t i = 0; wanted >= 0 && i < file->skeleton->node_count; i++)
      if (old_of_new[i] == (uint32_t)wanted) moved[bone] = (int32_t)i;
  }
  human_map map = find_map(file, one->path, mirrored ? "mirrored without names" : "without names");
  expect_nodes(one, file->skeleton, &map, moved, mirrored ? "mirrored without names" : "without names");
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    cr_expect(map.source[bone] == MAP_NONE || map.source[bone] == MAP_STRUCTURE, "no name is left to go by");
  cr_expect_eq(map.node_of_bone[HUMAN_JAW], -1);
  cr_expect_eq(map.node_of_bone[HUMAN_LEFT_EYE], -1);
  cr_expect(!map.scheme);
  human_map_release(&map);
  motion_file_close(file);
}

Test(map_data, random_names_in_random_order_change_nothing) {
  NEED_DATA();
  for (int i = 0; i < EXPECTED_FILES; i++)
    for (unsigned seed = 1; seed <= 3; seed++) check_random(&expected[i], seed * 1000u + (unsigned)i, false);
}

Test(map_data, in_a_mirror_left_is_right) {
  NEED_DATA();
  for (int i = 0; i < EXPECTED_FILES; i++) check_random(&expected[i], 5000u + (unsigned)i, true);
}

/* A mirrored body keeps its labels: what feet and knees show wins over them. */
Test(map_data, names_on_the_wrong_side_lose) {
  NEED_DATA();
  static const char *const paths[] = {"rigs/Mesh2Motion_rig-human.glb", "bvh/facebookresearch_dab.bvh",
                                      "bvh/nv-tlabs_soma77_run_leap_seed_rest.bvh"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    motion_file *file = changed_open(paths[i]);
    human_map before = find_map(file, paths[i], "as it is");
    changed_mirror(file);
    human_map map = find_map(file, paths[i], "mirrored");
    cr_expect(warns(&map, "left and right are exchanged"), "%s", paths[i]);
    cr_expect(map.scheme != NULL);
    for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
      if (!is_sided(bone)) continue;
      const int other = bone >= HUMAN_LEFT_THUMB_PROXIMAL ? bone + 15 : bone + 1;
      cr_expect(map.node_of_bone[bone] == before.node_of_bone[other] &&
                    map.node_of_bone[other] == before.node_of_bone[bone],
                "%s: %s", paths[i], human_bones[bone].name);
    }
    human_map_release(&map);
    human_map_release(&before);
    motion_file_close(file);
  }
}

/* Fingers: the names' own numbers against the rule that knows none. */
Test(map_data, fingers_by_rule_are_those_by_name) {
  NEED_DATA();
  static const char *const paths[] = {"rigs/Mesh2Motion_rig-human.glb",
                                      "rigs/bulgat_Soldier.glb",
                                      "rigs/gdquest-demos_mannequiny-0.3.0.glb",
                                      "rigs/saturday06_Example.vrm",
                                      "rigs/pixiv_test.vrma",
                                      "bvh/20tab_test_freebvh.bvh",
                                      "bvh/VictorS-67_bvh_test3.bvh",
                                      "bvh/facebookresearch_jesse_dance.bvh",
                                      "bvh/nv-tlabs_soma77_run_leap_seed_rest.bvh",
                                      "bvh/orangeduck_Geno_bind.bvh",
                                      "bvh/upf-gti_kateBVH.bvh"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    motion_file *file = changed_open(paths[i]);
    human_map named = find_map(file, paths[i], "as it is");
    changed_rename(file, 9);
    human_map map = find_map(file, paths[i], "without names");
    int mapped = 0;
    for (int bone = HUMAN_LEFT_THUMB_PROXIMAL; bone < HUMAN_UPPER_CHEST; bone++) {
      mapped += named.node_of_bone[bone] >= 0;
      cr_expect_eq(map.node_of_bone[bone], named.node_of_bone[bone], "%s: %s is %d, by name %d", paths[i],
                   human_bones[bone].name, map.node_of_bone[bone], named.node_of_bone[bone]);
    }
    cr_expect(mapped >= 24, "%s has fingers", paths[i]);
    human_map_release(&map);
    human_map_release(&named);
    motion_file_close(file);
  }
}

static void expect_finger(const char *path, const char *first, const char *last) {
  motion_file *file = changed_open(path);
  human_map map = find_map(file, path, "as it is");
  const int proximal = HUMAN_LEFT_THUMB_PROXIMAL + 3;
  cr_expect_str_eq(file->skeleton->nodes[map.node_of_bone[proximal]].name, first);
  cr_expect_str_eq(file->skeleton->nodes[map.node_of_bone[proximal + 2]].name, last);
  human_map_release(&map);
  motion_file_close(file);
}

Test(map_data, metacarpals_are_no_finger_bones) {
  NEED_DATA();
  expect_finger("bvh/nv-tlabs_soma77_run_leap_standard_tpose.bvh", "LeftHandIndex2", "LeftHandIndex4");
  expect_finger("bvh/orangeduck_Geno_stance.bvh", "LeftHandIndex1", "LeftHandIndex3");
  expect_finger("bvh/upf-gti_kateBVH.bvh", "mixamorig:LeftHandIndex1", "mixamorig:LeftHandIndex3");
  expect_finger("bvh/facebookresearch_jesse_dance.bvh", "LeftHandIndex1", "LeftHandIndex3");
  expect_finger("bvh/VictorS-67_bvh_test3.bvh", "LeftHandIndex1", "LeftHandIndex3");
}

/* ---- refusals ------------------------------------------------------------------------------------------ */

#define ALL_BUT_HEADS                                                                                        \
  "both upper arms, both lower arms, both hands, both upper legs, both lower legs and both feet"
static const struct {
  const char *path;
  const char *sentence;
} refused[] = {
    {"rigs/raysan5_greenman.glb",
     "no human map: the hips, the spine, the head, both upper arms, both lower arms, "
     "both upper legs and both feet are missing"},
    {"rigs/bulgat_RobotExpressive.glb", "no human map: both hands and both feet are missing (node "
                                        "\"Foot.L\", by its name the left foot, does not hang "
                                        "below the left lower leg)"},
    {"rigs/Mesh2Motion_rig-fox.glb",
     "no human map: the spine, " ALL_BUT_HEADS
     " are missing: the limbs are four legs, the trunk does not stand on two"},
    {"rigs/bevyengine_Fox.glb",
     "no human map: both upper legs, both lower legs and both feet are missing: the limbs "
     "are four legs, the trunk does not stand on two"},
    {"bvh/VictorS-67_rotation_first_root.bvh",
     "no human map: the spine, both upper arms, both lower arms, both hands, "
     "both upper legs, both feet and the right lower leg are missing"},
    {"bvh/jbrd_test_bvh.bvh", "no human map: the hips, the spine, the head, " ALL_BUT_HEADS " are missing"},
    {"bvh/burtonageo_test_simple.bvh",
     "no human map: the hips, the spine, the head, " ALL_BUT_HEADS " are missing"},
    {"bvh/mochi-neko_sample.bvh",
     "no human map: limbs with length are missing: all 27 nodes are in one place, as "
     "every offset is zero"},
};

Test(map_data, what_is_no_human_is_refused_for_what_is_missing) {
  NEED_DATA();
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    motion_file *file = changed_open(refused[i].path);
    human_map map;
    sinew_error error = {0};
    cr_expect_eq(human_map_find(file->skeleton, file->motions, file->motion_count, NULL, &map, &error),
                 SINEW_ERROR_RIG, "%s", refused[i].path);
    cr_expect_str_eq(error.message, refused[i].sentence, "%s: %s", refused[i].path, error.message);
    for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
      cr_expect_eq(map.node_of_bone[bone], -1, "the map is empty");
    changed_rename(file, 4);
    cr_expect_eq(human_map_find(file->skeleton, file->motions, file->motion_count, NULL, &map, &error),
                 SINEW_ERROR_RIG, "%s without names", refused[i].path);
    motion_file_close(file);
  }
}

Test(map_data, every_file_is_expected_or_refused) {
  NEED_DATA();
  static const char *const unread = "mochi-neko_results.bvh"; /* holds NaN: no reader takes it */
  static const char *const folders[][2] = {
      {"bvh", ".bvh"}, {"rigs", ".glb"}, {"rigs", ".vrm"}, {"rigs", ".vrma"}};
  for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
    size_t count;
    char **list = test_data_list(folders[f][0], folders[f][1], &count);
    cr_expect(count > 0);
    for (size_t i = 0; i < count; i++) {
      bool known = strstr(list[i], unread) != NULL;
      for (int e = 0; e < EXPECTED_FILES; e++)
        known |= strstr(list[i], strchr(expected[e].path, '/')) != NULL;
      for (size_t e = 0; e < sizeof refused / sizeof *refused; e++)
        known |= strstr(list[i], strchr(refused[e].path, '/')) != NULL;
      cr_expect(known, "%s is in no list", list[i]);
    }
  }
}
