/* Bodies under odd roots, with joints that are no bones, with names that lie, and things that are no bodies.
 */
#include "map/changed_file.h"
#include "map/made_body.h"
#include "rig/quat.h"
#include "support/keep.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const made_side letters = {"L", "R"};

/* clang-format off */
#define BODY \
  {"root", NULL, "origin", NULL}, {"a", "root", "hips", "Hips"}, {"b", "a", "spine1", "Spine"}, {"c", "b", "spine3", "Chest"}, {"d", "c", "spine5", "UpperChest"}, {"e", "d", "neck", "Neck"}, {"f", "e", "head", "Head"}, \
  {"g#", "d", "shoulder", "#Shoulder"}, {"h#", "g#", "upperarm", "#UpperArm"}, {"i#", "h#", "lowerarm", "#LowerArm"}, {"j#", "i#", "hand", "#Hand"}, \
  {"k#", "a", "upperleg", "#UpperLeg"}, {"m#", "k#", "lowerleg", "#LowerLeg"}, {"n#", "m#", "foot", "#Foot"}, {"o#", "n#", "toes", "#Toes"}
static const made_joint plain[] = {BODY, {0}};
/* "root" is the only word among the names: all of it is found by structure. */
static const made_joint crowded[] = {BODY,
  {"crown", "f", "crown", NULL}, {"q#", "f", "hair1", NULL}, {"r#", "q#", "hair2", NULL}, {"s#", "r#", "hair3", NULL}, {"t#", "s#", "hair4", NULL}, {"u#", "f", "eye", NULL},
  {"sk1#", "a", "skirt1", NULL}, {"sk2#", "sk1#", "skirt2", NULL}, {"sk3#", "sk2#", "skirt3", NULL}, {"ta1", "a", "tail1", NULL}, {"ta2", "ta1", "tail2", NULL}, {"ta3", "ta2", "tail3", NULL},
  {"br#", "d", "breast", NULL}, {"tw1#", "h#", "armtwist", NULL}, {"tw2#", "i#", "foretwist", NULL}, {"tw3#", "k#", "legtwist", NULL}, {"tw4#", "m#", "shintwist", NULL},
  {"pe#", "a", "pelvis", NULL}, {"w1", "jR", "prop1", NULL}, {"w2", "w1", "prop2", NULL}, {"ikr", "root", "origin", NULL}, {"ikf#", "ikr", "foot", NULL}, {"ikh#", "ikr", "hand", NULL}, {"cam", NULL, "+0 3 9", NULL}, {"te#", "o#", "toeend", NULL}, {0}};
/* clang-format on */

static human_map expect_map(const made_joint *joints, const skeleton *s, const char *label) {
  return made_check(joints, letters, s, label);
}

/* Everything under one more node that is turned, scaled and moved. */
static skeleton *under(const made_joint *joints, const double q[4], double scale) {
  skeleton *made = made_body(joints, letters, "gltf"), *s = test_keep(1, sizeof *s);
  *s = *made;
  s->nodes = test_keep(made->node_count + 1, sizeof *s->nodes);
  s->nodes[0] = (skeleton_node){.name = "wrapper", .parent = -1, .t = {3, -2, 5}, .s = {scale, scale, scale}};
  memcpy(s->nodes[0].q, q, sizeof s->nodes[0].q);
  for (uint32_t i = 0; i < made->node_count; i++) {
    s->nodes[i + 1] = made->nodes[i];
    s->nodes[i + 1].parent++;
    s->nodes[i + 1].source_index = i + 1;
  }
  s->node_count++;
  return s;
}

Test(map_shapes, roots_turned_and_scaled_change_nothing) {
  const double half = 0.70710678118654752;
  const double turns[][4] = {{0, 0, 0, 1},         {-half, 0, 0, half},
                             {0, 1, 0, 0},         {half, 0, 0, half},
                             {0, half, 0, half},   {0, 0, half, half},
                             {0.5, 0.5, 0.5, 0.5}, {0.1825742, 0.3651484, 0.5477226, 0.7302967}};
  const double scales[] = {1, 0.01, 100, 1e-6, 1e6};
  for (size_t t = 0; t < sizeof turns / sizeof *turns; t++)
    for (size_t k = 0; k < sizeof scales / sizeof *scales; k++) {
      skeleton *s = under(plain, turns[t], scales[k]);
      human_map map = expect_map(plain, s, "turned");
      cr_expect_eq(map.warning_count, 0);
      cr_expect_eq(map.source[HUMAN_LEFT_FOOT], MAP_STRUCTURE);
      human_map_release(&map);
    }
}

Test(map_shapes, what_is_no_bone_does_not_confuse) {
  made_joint joints[sizeof crowded / sizeof *crowded];
  memcpy(joints, crowded, sizeof crowded);
  skeleton *s;
  for (int i = 0; joints[i].name; i++) /* the prop hangs from one hand alone, which no row can say */
    if (strcmp(joints[i].name, "w1") == 0) joints[i].parent = "d";
  s = made_body(joints, letters, "gltf");
  const int32_t prop = changed_find(s, "w1"), hand = changed_find(s, "jR");
  s->nodes[prop].parent = hand;
  human_map map = expect_map(joints, s, "crowded");
  human_map_release(&map);
  for (unsigned seed = 1; seed <= 20; seed++) {
    motion_file file = {.skeleton = made_body(joints, letters, "gltf")};
    int32_t nodes[HUMAN_BONE_COUNT];
    sinew_error error = {0};
    made_expect(joints, letters, file.skeleton, nodes);
    changed_rename(&file, seed);
    const uint32_t *old_of_new = changed_shuffle(&file, seed);
    cr_assert_eq(human_map_find(file.skeleton, NULL, 0, NULL, &map, &error), SINEW_OK, "%s", error.message);
    for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
      cr_expect_eq(map.node_of_bone[bone] < 0 ? -1 : (int32_t)old_of_new[map.node_of_bone[bone]], nodes[bone],
                   "%u: %s", seed, human_bones[bone].name);
    human_map_release(&map);
  }
}

Test(map_shapes, a_chain_with_twist_joints_within) {
  static const made_joint joints[] = {{"a", NULL, "hips", "Hips"},
                                      {"b", "a", "spine1", "Spine"},
                                      {"d", "b", "spine5", "Chest"},
                                      {"e", "d", "neck", "Neck"},
                                      {"f", "e", "head", "Head"},
                                      {"g#", "d", "shoulder", "#Shoulder"},
                                      {"h#", "g#", "upperarm", "#UpperArm"},
                                      {"x#", "h#", "armtwist", NULL},
                                      {"i#", "x#", "lowerarm", "#LowerArm"},
                                      {"y#", "i#", "foretwist", NULL},
                                      {"j#", "y#", "hand", "#Hand"},
                                      {"p#", "j#", "middle1", NULL},
                                      {"k#", "a", "upperleg", "#UpperLeg"},
                                      {"z#", "k#", "legtwist", NULL},
                                      {"m#", "z#", "lowerleg", "#LowerLeg"},
                                      {"w#", "m#", "shintwist", NULL},
                                      {"n#", "w#", "foot", "#Foot"},
                                      {"o#", "n#", "toes", "#Toes"},
                                      {0}};
  skeleton *s = made_body(joints, letters, "gltf");
  human_map map = expect_map(joints, s, "twists within");
  human_map_release(&map);
}

Test(map_shapes, legs_and_trunk_beside_each_other) {
  static const made_joint joints[] = {{"a", NULL, "hips", "Hips"},
                                      {"p", "a", "+0 -.03 0", NULL},
                                      {"b", "a", "spine1", "Spine"},
                                      {"d", "b", "spine5", "Chest"},
                                      {"f", "d", "head", "Head"},
                                      {"h#", "d", "upperarm", "#UpperArm"},
                                      {"i#", "h#", "lowerarm", "#LowerArm"},
                                      {"j#", "i#", "hand", "#Hand"},
                                      {"k#", "p", "upperleg", "#UpperLeg"},
                                      {"m#", "k#", "lowerleg", "#LowerLeg"},
                                      {"n#", "m#", "foot", "#Foot"},
                                      {0}};
  skeleton *s = made_body(joints, letters, "gltf");
  human_map map = expect_map(joints, s, "a pelvis of its own");
  cr_expect_eq(map.warning_count, 0, "the knees bend a little");
  human_map_release(&map);
}

/* Straight legs without toes, which go nowhere: the body faces as its kind of file has it. */
Test(map_shapes, where_nothing_tells_the_format_does) {
  static const made_joint joints[] = {{"a", NULL, "hips", "Hips"},
                                      {"b", "a", "spine1", "Spine"},
                                      {"d", "b", "spine5", "Chest"},
                                      {"f", "d", "head", "Head"},
                                      {"h#", "d", "upperarm", "#UpperArm"},
                                      {"i#", "h#", "lowerarm", "#LowerArm"},
                                      {"j#", "i#", "hand", "#Hand"},
                                      {"k#", "a", "upperleg", "#UpperLeg"},
                                      {"m#", "k#", "+0 -.44 0", "#LowerLeg"},
                                      {"n#", "m#", "+0 -.41 0", "#Foot"},
                                      {0}};
  static const char *const kinds[] = {"gltf", "vrm1", "bvh", "vrm0"};
  for (size_t i = 0; i < 4; i++) {
    const bool faces_back = i == 3;
    skeleton *s = made_body(joints, letters, kinds[i]);
    human_map map = made_check(joints, faces_back ? (made_side){"R", "L"} : letters, s, kinds[i]);
    const double *hand = s->nodes[map.node_of_bone[HUMAN_LEFT_UPPER_ARM]].t;
    cr_expect(faces_back ? hand[0] < 0 : hand[0] > 0, "%s", kinds[i]);
    cr_expect(map.warning_count == 1 && strstr(map.warnings[0], "nothing tells left from right"));
    human_map_release(&map);
  }
}

/* ---- names --------------------------------------------------------------------------------------------- */

#define HUMAN_NAMES(UPPER, LOWER)                                                                            \
  {"Hips", NULL, "hips", "Hips"}, {"Spine", "Hips", "spine1", "Spine"},                                      \
      {"Chest", "Spine", "spine5", "Chest"}, {"Neck", "Chest", "neck", "Neck"},                              \
      {"Head", "Neck", "head", "Head"}, {"#Shoulder", "Chest", "shoulder", "#Shoulder"},                     \
      {UPPER, "#Shoulder", "upperarm", "#UpperArm"}, {LOWER, UPPER, "lowerarm", "#LowerArm"},                \
      {"#Hand", LOWER, "hand", "#Hand"}, {"#UpperLeg", "Hips", "upperleg", "#UpperLeg"},                     \
      {"#LowerLeg", "#UpperLeg", "lowerleg", "#LowerLeg"}, {"#Foot", "#LowerLeg", "foot", "#Foot"},          \
      {"#Toes", "#Foot", "toes", "#Toes"}, {                                                                 \
    0                                                                                                        \
  }

static const made_joint honest[] = {HUMAN_NAMES("#UpperArm", "#LowerArm")};
static const made_joint lying[] = {HUMAN_NAMES("#LowerArm", "#UpperArm")};
static const made_side words = {"Left", "Right"};

static bool warns(const human_map *map, const char *text) {
  for (uint32_t i = 0; i < map->warning_count; i++)
    if (strstr(map->warnings[i], text)) return true;
  return false;
}

Test(map_shapes, names_in_the_wrong_order_lose) {
  skeleton *s = made_body(lying, words, "gltf");
  human_map map = made_check(lying, words, s, "lower above upper");
  cr_expect_eq(map.source[HUMAN_LEFT_LOWER_ARM], MAP_STRUCTURE);
  cr_expect_eq(map.source[HUMAN_LEFT_LOWER_LEG], MAP_NAME);
  cr_expect(warns(&map, "the names of the arms make no whole"));
  human_map_release(&map);
}

Test(map_shapes, reasons_say_what_decided) {
  skeleton *s = made_body(honest, words, "gltf");
  human_map map = made_check(honest, words, s, "honest");
  cr_expect_str_eq(map.reason[HUMAN_LEFT_UPPER_ARM], "named \"LeftUpperArm\"");
  human_map_release(&map);
  s = made_body(plain, letters, "gltf");
  map = expect_map(plain, s, "plain");
  cr_expect_str_eq(map.reason[HUMAN_LEFT_TOES], "the joint behind the left foot");
  cr_expect_str_eq(map.reason[HUMAN_RIGHT_UPPER_ARM], "the first of the three long joints of the right arm");
  cr_expect_null(map.reason[HUMAN_JAW]);
  human_map_release(&map);
  s->node_of_bone[HUMAN_HIPS] = 1; /* a file that says so little is not helped by names or structure */
  sinew_error error = {0};
  cr_expect_eq(human_map_find(s, NULL, 0, NULL, &map, &error), SINEW_ERROR_RIG);
  cr_expect(strstr(error.message, "the spine, the head"));
}

Test(map_shapes, empty_double_and_foreign_names_are_bound_by_index) {
  static const char *const odd[] = {"",      "Bone",  "Bone",     "骨", "左腕",
                                    "a:b|c", "x y.z", "\xff\xfe", "L",  "Left"};
  skeleton *s = made_body(plain, letters, "gltf");
  int32_t nodes[HUMAN_BONE_COUNT];
  made_expect(plain, letters, s, nodes);
  for (uint32_t i = 0; i < s->node_count; i++) s->nodes[i].name = odd[i % (sizeof odd / sizeof *odd)];
  human_map map;
  sinew_error error = {0};
  cr_assert_eq(human_map_find(s, NULL, 0, NULL, &map, &error), SINEW_OK, "%s", error.message);
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) cr_expect_eq(map.node_of_bone[bone], nodes[bone]);
  human_map_release(&map);
}

/* An armature called as the bone that it holds. */
Test(map_shapes, hips_below_a_node_of_their_name) {
  static const made_side sides = {"Left", "Right"};
  static const made_joint joints[] = {{"Hips", NULL, "hips", "Hips"},
                                      {"Spine", "Hips", "spine1", "Spine"},
                                      {"Chest", "Spine", "spine5", "Chest"},
                                      {"Neck", "Chest", "neck", "Neck"},
                                      {"Head", "Neck", "head", "Head"},
                                      {"#Shoulder", "Chest", "shoulder", "#Shoulder"},
                                      {"#Arm", "#Shoulder", "upperarm", "#UpperArm"},
                                      {"#ForeArm", "#Arm", "lowerarm", "#LowerArm"},
                                      {"#Hand", "#ForeArm", "hand", "#Hand"},
                                      {"#UpLeg", "Hips", "upperleg", "#UpperLeg"},
                                      {"#Leg", "#UpLeg", "lowerleg", "#LowerLeg"},
                                      {"#Foot", "#Leg", "foot", "#Foot"},
                                      {"#ToeBase", "#Foot", "toes", "#Toes"},
                                      {0}};
  const skeleton *plainly = made_body(joints, sides, "gltf");
  skeleton *s = test_keep(1, sizeof *s);
  int32_t nodes[HUMAN_BONE_COUNT];
  sinew_error error = {0};
  human_map map;
  made_expect(joints, sides, plainly, nodes);
  *s = *plainly;
  s->nodes = test_keep(plainly->node_count + 1, sizeof *s->nodes);
  s->nodes[0] = (skeleton_node){.name = "Hips", .parent = -1, .q = {0, 0, 0, 1}, .s = {1, 1, 1}};
  for (uint32_t i = 0; i < plainly->node_count; i++) {
    s->nodes[i + 1] = plainly->nodes[i];
    s->nodes[i + 1].parent++;
    s->nodes[i + 1].source_index = i + 1;
  }
  s->node_count++;
  cr_assert_eq(human_map_find(s, NULL, 0, NULL, &map, &error), SINEW_OK, "%s", error.message);
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    cr_expect_eq(map.node_of_bone[bone], nodes[bone] < 0 ? -1 : nodes[bone] + 1, "%s",
                 human_bones[bone].name);
  human_map_release(&map);
}

/* Exporters that number every node. */
Test(map_shapes, a_number_on_every_name_says_nothing) {
  skeleton *s = made_body(honest, words, "gltf");
  int32_t nodes[HUMAN_BONE_COUNT];
  made_expect(honest, words, s, nodes);
  for (uint32_t i = 0; i < s->node_count; i++) {
    char name[128];
    snprintf(name, sizeof name, "%s_%02u", s->nodes[i].name, i + 1);
    s->nodes[i].name = test_keep_text(name);
  }
  human_map map;
  sinew_error error = {0};
  cr_assert_eq(human_map_find(s, NULL, 0, NULL, &map, &error), SINEW_OK, "%s", error.message);
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) cr_expect_eq(map.node_of_bone[bone], nodes[bone]);
  cr_expect_eq(map.source[HUMAN_LEFT_HAND], MAP_NAME);
  human_map_release(&map);
}

Test(map_shapes, unequal_sides_are_told) {
  skeleton *s = made_body(honest, words, "gltf");
  double *t = s->nodes[changed_find(s, "RightLowerLeg")].t;
  for (int k = 0; k < 3; k++) t[k] *= 3;
  human_map map = made_check(honest, words, s, "unequal");
  cr_expect(warns(&map, "the left upper leg and the right one differ in length"));
  human_map_release(&map);
}

/* ---- what is no body ----------------------------------------------------------------------------------- */

static void expect_refused(const skeleton *s, const char *sentence) {
  human_map map;
  sinew_error error = {0};
  cr_expect_eq(human_map_find(s, NULL, 0, NULL, &map, &error), SINEW_ERROR_RIG);
  cr_expect(strstr(error.message, sentence), "%s", error.message);
}

Test(map_shapes, a_body_short_of_one_bone) {
  made_joint joints[sizeof honest / sizeof *honest];
  int count = 0;
  for (int i = 0; honest[i].name; i++)
    if (strcmp(honest[i].name, "#Foot") != 0 && strcmp(honest[i].name, "#Toes") != 0)
      joints[count++] = honest[i];
  joints[count] = (made_joint){0};
  expect_refused(made_body(joints, words, "gltf"), "no human map: both feet are missing");
  skeleton *s = made_body(honest, words, "gltf");
  s->nodes[changed_find(s, "LeftHand")].parent = 0;
  expect_refused(
      s, "no human map: the left hand is missing (node \"LeftHand\", by its name the left hand, does not "
         "hang below the left lower arm)");
}

Test(map_shapes, nothing_at_all) {
  const skeleton none = {.kind = "gltf", .name = ""};
  expect_refused(&none, "the skeleton has no nodes");
}

static skeleton *empty_body(uint32_t count) {
  skeleton *s = test_keep(1, sizeof *s);
  s->kind = "gltf", s->name = "";
  s->nodes = test_keep(count, sizeof *s->nodes);
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) s->node_of_bone[bone] = -1;
  for (; s->node_count < count; s->node_count++)
    s->nodes[s->node_count] = (skeleton_node){.name = "",
                                              .parent = -1,
                                              .t = {1, 0.5, 0.25},
                                              .q = {0, 0, 0, 1},
                                              .s = {1, 1, 1},
                                              .source_index = s->node_count};
  return s;
}

static void expect_quick(const skeleton *s, const char *label) {
  const clock_t start = clock();
  expect_refused(s, "no human map");
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  cr_expect(seconds < 5, "%s took %.1f s", label, seconds);
}

/* Trees that an exponential or cubic search would not come back from. */
Test(map_shapes, large_trees_take_bounded_time) {
  enum { NODES = 4096 };
  skeleton *chain = empty_body(NODES), *star = empty_body(NODES), *binary = empty_body(NODES),
           *comb = empty_body(NODES);
  for (int32_t i = 1; i < NODES; i++) {
    chain->nodes[i].parent = i % 256 == 0 ? 0 : i - 1;
    star->nodes[i].parent = i <= 1024 ? 0 : i - 1024;
    binary->nodes[i].parent = (i - 1) / 2;
    comb->nodes[i].parent = i % 16 == 1 ? (i > 16 ? i - 16 : 0) : i - 1;
  }
  expect_quick(chain, "chains");
  expect_quick(star, "a star of chains");
  expect_quick(comb, "a comb");
  human_map map;
  sinew_error error = {0};
  const clock_t start = clock();
  human_map_find(binary, NULL, 0, NULL, &map, &error); /* whatever it is taken for */
  cr_expect((double)(clock() - start) / CLOCKS_PER_SEC < 5);
  human_map_release(&map);
}

Test(map_shapes, numbers_without_bound_do_no_harm) {
  const double odd[] = {1e308, -1e308, 1e-308, 0};
  for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
    skeleton *s = made_body(plain, letters, "gltf");
    for (uint32_t i = 0; i < s->node_count; i++)
      s->nodes[i].s[i % 3] = odd[k], s->nodes[i].t[1] *= odd[(k + 1) % 4];
    human_map map;
    sinew_error error = {0};
    const sinew_result result = human_map_find(s, NULL, 0, NULL, &map, &error);
    cr_expect(result == SINEW_OK || result == SINEW_ERROR_RIG);
    human_map_release(&map);
  }
}

/* Two characters in one file: the first, and nothing of the other. */
Test(map_shapes, of_two_bodies_the_first) {
  skeleton *one = made_body(honest, words, "gltf"), *s = test_keep(1, sizeof *s);
  int32_t nodes[HUMAN_BONE_COUNT];
  made_expect(honest, words, one, nodes);
  *s = *one;
  s->nodes = test_keep(2 * (size_t)one->node_count, sizeof *s->nodes);
  for (uint32_t i = 0; i < 2 * one->node_count; i++) {
    s->nodes[i] = one->nodes[i % one->node_count];
    s->nodes[i].source_index = i;
    if (i >= one->node_count && s->nodes[i].parent >= 0) s->nodes[i].parent += (int32_t)one->node_count;
  }
  s->node_count *= 2;
  for (int renamed = 0; renamed < 2; renamed++) {
    human_map map;
    sinew_error error = {0};
    cr_assert_eq(human_map_find(s, NULL, 0, NULL, &map, &error), SINEW_OK, "%s", error.message);
    for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
      cr_expect_eq(map.node_of_bone[bone], nodes[bone], "%s", human_bones[bone].name);
    human_map_release(&map);
    for (uint32_t i = 0; i < s->node_count; i++) s->nodes[i].name = "";
  }
}
