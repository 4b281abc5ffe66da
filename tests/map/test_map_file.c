/* The map as a file: read, refused, bound to a skeleton, written. */
#include "map/changed_file.h"
#include "map/made_body.h"
#include "support/keep.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static sinew_result read_text(const char *text, map_file *map, sinew_error *error) {
  const read_source source = {text, strlen(text), read_limits_complete(NULL)};
  *error = (sinew_error){0};
  return map_file_read(&source, map, error);
}

static map_file read_good(const char *text) {
  map_file map;
  sinew_error error;
  cr_assert_eq(read_text(text, &map, &error), SINEW_OK, "%s", error.message);
  return map;
}

Test(map_file, every_kind_of_value) {
  map_file map = read_good(
      "\xef\xbb\xbf{\"sinew_map\": 1, \"bones\": {\"Hips\": \"a: b.c \\u9aa8\", \"LeftHand\": {\"node\": 7}, "
      "\"Jaw\": null}}");
  cr_expect_eq(map.kind[HUMAN_HIPS], MAP_FILE_NAME);
  cr_expect_str_eq(map.name[HUMAN_HIPS], "a: b.c 骨");
  cr_expect_eq(map.kind[HUMAN_LEFT_HAND], MAP_FILE_INDEX);
  cr_expect_eq(map.index[HUMAN_LEFT_HAND], 7);
  cr_expect_eq(map.kind[HUMAN_JAW], MAP_FILE_NO_NODE);
  cr_expect_eq(map.kind[HUMAN_HEAD], MAP_FILE_UNSAID);
  map_file_release(&map);
}

static const struct {
  const char *text;
  sinew_result code;
  const char *message;
} bad[] = {
    {"", SINEW_ERROR_SYNTAX, "no sound JSON"},
    {"{", SINEW_ERROR_SYNTAX, "no sound JSON"},
    {"[]", SINEW_ERROR_SYNTAX, "no JSON object"},
    {"{}", SINEW_ERROR_SYNTAX, "no map file: \"sinew_map\" is missing"},
    {"{\"sinew_map\": \"1\", \"bones\": {}}", SINEW_ERROR_SYNTAX, "no map file"},
    {"{\"sinew_map\": 2, \"bones\": {}}", SINEW_ERROR_UNSUPPORTED,
     "a map file of version 2, this program reads version 1"},
    {"{\"sinew_map\": 1}", SINEW_ERROR_SYNTAX, "bones is missing or no object"},
    {"{\"sinew_map\": 1, \"bones\": []}", SINEW_ERROR_SYNTAX, "bones is missing or no object"},
    {"{\"sinew_map\": 1, \"bones\": {}, \"bone\": 3}", SINEW_ERROR_SYNTAX,
     "'bone' is no member of a map file of version 1"},
    {"{\"sinew_map\": 1, \"bones\": {\"hips\": \"x\"}}", SINEW_ERROR_SYNTAX, "bones.hips is no human bone"},
    {"{\"sinew_map\": 1, \"bones\": {\"Hips\": \"x\", \"Hips\": \"y\"}}", SINEW_ERROR_SYNTAX,
     "no sound JSON"},
    {"{\"sinew_map\": 1, \"bones\": {\"Hips\": 3}}", SINEW_ERROR_SYNTAX,
     "bones.Hips is no name, no {\"node\": index} and not null"},
    {"{\"sinew_map\": 1, \"bones\": {\"Hips\": \"\"}}", SINEW_ERROR_SYNTAX, "bones.Hips is an empty name"},
    {"{\"sinew_map\": 1, \"bones\": {\"Hips\": {}}}", SINEW_ERROR_SYNTAX,
     "bones.Hips is an object, but not {\"node\": index}"},
    {"{\"sinew_map\": 1, \"bones\": {\"Hips\": {\"node\": 1, \"name\": \"x\"}}}", SINEW_ERROR_SYNTAX,
     "bones.Hips is an object, but not"},
    {"{\"sinew_map\": 1, \"bones\": {\"Hips\": {\"node\": 1.5}}}", SINEW_ERROR_SYNTAX,
     "bones.Hips is an object, but not"},
    {"{\"sinew_map\": 1, \"bones\": {\"Hips\": {\"node\": -1}}}", SINEW_ERROR_SYNTAX,
     "bones.Hips.node is -1, no index"},
    {"{\"sinew_map\": 1, \"bones\": {\"Hips\": {\"node\": 3000000000}}}", SINEW_ERROR_SYNTAX,
     "bones.Hips.node is 3000000000, no index"},
    {"{\"sinew_map\": 1, \"bones\": [], \"ranges\": {}}", SINEW_ERROR_SYNTAX,
     "bones is missing or no object"},
    {"{\"sinew_map\": 1, \"ranges\": []}", SINEW_ERROR_SYNTAX, "ranges is no object"},
    {"{\"sinew_map\": 1, \"ranges\": null}", SINEW_ERROR_SYNTAX, "ranges is no object"},
    {"{\"sinew_map\": 1, \"ranges\": {\"Left Arm\": [-1, 1]}}", SINEW_ERROR_SYNTAX,
     "ranges.Left Arm is no muscle"},
    {"{\"sinew_map\": 1, \"ranges\": {\"\\u001b[2J\\n\": [-1, 1]}}", SINEW_ERROR_SYNTAX, " is no muscle"},
    {"{\"sinew_map\": 1, \"ranges\": {\"Jaw Close\": 7}}", SINEW_ERROR_SYNTAX,
     "ranges.Jaw Close is not [least, most] in degrees"},
    {"{\"sinew_map\": 1, \"ranges\": {\"Jaw Close\": {\"min\": -1, \"max\": 1}}}", SINEW_ERROR_SYNTAX,
     "ranges.Jaw Close is not [least, most] in degrees"},
    {"{\"sinew_map\": 1, \"ranges\": {\"Jaw Close\": [-1]}}", SINEW_ERROR_SYNTAX, "ranges.Jaw Close is not"},
    {"{\"sinew_map\": 1, \"ranges\": {\"Jaw Close\": [-1, 0, 1]}}", SINEW_ERROR_SYNTAX,
     "ranges.Jaw Close is not"},
    {"{\"sinew_map\": 1, \"ranges\": {\"Jaw Close\": [-1, \"1\"]}}", SINEW_ERROR_SYNTAX,
     "ranges.Jaw Close is not"},
    {"{\"sinew_map\": 1, \"ranges\": {\"Jaw Close\": [null, 1]}}", SINEW_ERROR_SYNTAX,
     "ranges.Jaw Close is not"},
    {"{\"sinew_map\": 1, \"ranges\": {\"Jaw Close\": [NaN, 1]}}", SINEW_ERROR_SYNTAX, "no sound JSON"},
    {"{\"sinew_map\": 1, \"ranges\": {\"Jaw Close\": [-1e999, 1]}}", SINEW_ERROR_SYNTAX, "no sound JSON"},
    {"{\"sinew_map\": 1, \"ranges\": {\"Jaw Close\": [1, -1]}}", SINEW_ERROR_SYNTAX,
     "ranges.Jaw Close is 1 to -1 degrees, expected -180 to 0 and 0 to 180"},
    {"{\"sinew_map\": 1, \"ranges\": {\"Jaw Close\": [5, 10]}}", SINEW_ERROR_SYNTAX,
     "ranges.Jaw Close is 5 to 10 degrees"},
    {"{\"sinew_map\": 1, \"ranges\": {\"Jaw Close\": [-181, 10]}}", SINEW_ERROR_SYNTAX,
     "ranges.Jaw Close is -181 to 10 degrees"},
    {"{\"sinew_map\": 1, \"ranges\": {\"Jaw Close\": [-1, 1e300]}}", SINEW_ERROR_SYNTAX,
     "ranges.Jaw Close is -1 to 1e+300 degrees"},
    {"{\"sinew_map\": 1, \"ranges\": {\"Jaw Close\": [-1, 1], \"Jaw Close\": [-2, 2]}}", SINEW_ERROR_SYNTAX,
     "no sound JSON"},
    {"{\"sinew_map\": 1, \"twist\": 0.5}", SINEW_ERROR_SYNTAX, "twist is no object"},
    {"{\"sinew_map\": 1, \"twist\": {\"wrist\": 0.5}}", SINEW_ERROR_SYNTAX,
     "twist.wrist is none of arm, foreArm, upperLeg, leg"},
    {"{\"sinew_map\": 1, \"twist\": {\"arm\": true}}", SINEW_ERROR_SYNTAX, "twist.arm is no number"},
    {"{\"sinew_map\": 1, \"twist\": {\"foreArm\": 1.01}}", SINEW_ERROR_SYNTAX,
     "twist.foreArm is 1.01, expected a share of 0 to 1"},
    {"{\"sinew_map\": 1, \"twist\": {\"leg\": -1}}", SINEW_ERROR_SYNTAX, "twist.leg is -1, expected"},
};

Test(map_file, what_is_wrong_is_said) {
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    map_file map;
    sinew_error error;
    cr_expect_eq(read_text(bad[i].text, &map, &error), bad[i].code, "%s", bad[i].text);
    cr_expect(strstr(error.message, bad[i].message), "%s gives '%s'", bad[i].text, error.message);
  }
}

Test(map_file, limits_hold) {
  static const char text[] = "{\"sinew_map\": 1, \"bones\": {\"Hips\": \"a name of some length\"}}";
  sinew_read_options tight = {.name_bytes = 8};
  map_file map;
  sinew_error error = {0};
  read_source source = {text, strlen(text), read_limits_complete(&tight)};
  cr_expect_eq(map_file_read(&source, &map, &error), SINEW_ERROR_LIMIT);
  tight = (sinew_read_options){.memory_bytes = 64};
  source.limits = read_limits_complete(&tight);
  cr_expect_eq(map_file_read(&source, &map, &error), SINEW_ERROR_LIMIT);
}

Test(map_file, a_file_is_named_with_its_fault) {
  map_file map;
  sinew_error error = {0};
  cr_expect_eq(map_file_open("/nonexistent/map.json", NULL, &map, &error), SINEW_ERROR_IO);
  cr_expect(strstr(error.path, "map.json"));
}

/* ---- corrections --------------------------------------------------------------------------------------- */

/* clang-format off */
static const made_joint body[] = {
  {"hips", NULL, "hips", "Hips"}, {"spine", "hips", "spine1", "Spine"}, {"twin", "spine", "spine3", NULL}, {"chest", "twin", "spine5", "Chest"}, {"neck", "chest", "neck", "Neck"}, {"head", "neck", "head", "Head"}, {"jaw", "head", "jaw", "Jaw"},
  {"twin", "head", "crown", NULL}, {"#Shoulder", "chest", "shoulder", "#Shoulder"}, {"#UpperArm", "#Shoulder", "upperarm", "#UpperArm"}, {"#LowerArm", "#UpperArm", "lowerarm", "#LowerArm"}, {"#Hand", "#LowerArm", "hand", "#Hand"},
  {"#UpperLeg", "hips", "upperleg", "#UpperLeg"}, {"#LowerLeg", "#UpperLeg", "lowerleg", "#LowerLeg"}, {"#Foot", "#LowerLeg", "foot", "#Foot"}, {"#Toes", "#Foot", "toes", "#Toes"}, {0}};
/* clang-format on */
static const made_side sides = {"left", "right"};

static sinew_result find_with(const skeleton *s, const char *text, human_map *map, sinew_error *error) {
  map_file given = read_good(text);
  *error = (sinew_error){0};
  const sinew_result result = human_map_find(s, NULL, 0, &given, map, error);
  map_file_release(&given);
  return result;
}

Test(map_file, a_given_map_wins) {
  skeleton *s = made_body(body, sides, "gltf");
  human_map map;
  sinew_error error;
  cr_assert_eq(find_with(s,
                         "{\"sinew_map\": 1, \"bones\": {\"Jaw\": null, \"Chest\": {\"node\": 2}, "
                         "\"UpperChest\": \"chest\", "
                         "\"LeftToes\": null, \"RightShoulder\": null}}",
                         &map, &error),
               SINEW_OK, "%s", error.message);
  cr_expect_eq(map.node_of_bone[HUMAN_JAW], -1);
  cr_expect_eq(map.node_of_bone[HUMAN_CHEST], 2);
  cr_expect_eq(map.source[HUMAN_CHEST], MAP_GIVEN);
  cr_expect_str_eq(map.reason[HUMAN_CHEST], "the given map says so");
  cr_expect_eq(map.node_of_bone[HUMAN_UPPER_CHEST], 3);
  cr_expect_eq(map.node_of_bone[HUMAN_LEFT_TOES], -1);
  cr_expect_eq(map.node_of_bone[HUMAN_RIGHT_SHOULDER], -1);
  cr_expect_eq(map.source[HUMAN_RIGHT_SHOULDER], MAP_NONE);
  cr_expect_eq(map.source[HUMAN_LEFT_HAND], MAP_NAME);
  human_map_release(&map);
}

/* A node that is given away is no longer what it was found to be. */
Test(map_file, a_given_node_is_taken_from_its_bone) {
  skeleton *s = made_body(body, sides, "gltf");
  human_map map;
  sinew_error error;
  cr_assert_eq(find_with(s, "{\"sinew_map\": 1, \"bones\": {\"UpperChest\": \"neck\"}}", &map, &error),
               SINEW_OK, "%s", error.message);
  cr_expect_eq(map.node_of_bone[HUMAN_UPPER_CHEST], changed_find(s, "neck"));
  cr_expect_eq(map.node_of_bone[HUMAN_NECK], -1);
  human_map_release(&map);
}

Test(map_file, it_wins_over_what_a_file_states) {
  skeleton *s = made_body(body, sides, "vrm1");
  made_expect(body, sides, s, s->node_of_bone);
  human_map map;
  sinew_error error;
  cr_assert_eq(find_with(s, "{\"sinew_map\": 1, \"bones\": {\"Chest\": {\"node\": 2}}}", &map, &error),
               SINEW_OK, "%s", error.message);
  cr_expect_eq(map.node_of_bone[HUMAN_CHEST], 2);
  cr_expect_eq(map.source[HUMAN_HIPS], MAP_FILE);
  cr_expect_str_eq(map.reason[HUMAN_HIPS], "the file says so");
  human_map_release(&map);
}

static const struct {
  const char *text, *message;
} unbound[] = {
    {"{\"sinew_map\": 1, \"bones\": {\"Head\": \"kopf\"}}",
     "the map's bones.Head: no node is named \"kopf\""},
    {"{\"sinew_map\": 1, \"bones\": {\"Head\": \"twin\"}}",
     "the map's bones.Head: 2 nodes are named \"twin\", say which with {\"node\": index}"},
    {"{\"sinew_map\": 1, \"bones\": {\"Head\": {\"node\": 99}}}",
     "the map's bones.Head: there is no node 99"},
    {"{\"sinew_map\": 1, \"bones\": {\"Head\": \"neck\", \"Neck\": \"neck\"}}",
     "the map's bones.Neck and bones.Head are one node"},
    {"{\"sinew_map\": 1, \"bones\": {\"Head\": null}}", "no human map: the head is missing"},
    {"{\"sinew_map\": 1, \"bones\": {\"LeftHand\": \"rightHand\"}}", "no human map: both hands are missing"},
};

Test(map_file, what_it_cannot_mean_is_said) {
  skeleton *s = made_body(body, sides, "gltf");
  for (size_t i = 0; i < sizeof unbound / sizeof *unbound; i++) {
    human_map map;
    sinew_error error;
    cr_expect_eq(find_with(s, unbound[i].text, &map, &error), SINEW_ERROR_RIG, "%s", unbound[i].text);
    cr_expect(strstr(error.message, unbound[i].message), "%s gives '%s'", unbound[i].text, error.message);
  }
}

/* Limbs that no rule would find: the file is enough. */
Test(map_file, a_whole_map_needs_neither_names_nor_structure) {
  skeleton *s = made_body(body, sides, "gltf");
  human_map map, again;
  sinew_error error = {0};
  json_out out = {0};
  cr_assert_eq(human_map_find(s, NULL, 0, NULL, &map, &error), SINEW_OK);
  map_file_write(s, map.node_of_bone, NULL, &out);
  cr_assert(!out.failed);
  motion_file file = {.skeleton = s};
  char *text = test_keep(out.byte_count + 1, 1);
  memcpy(text, out.bytes, out.byte_count);
  for (uint32_t i = 0; i < s->node_count; i++)
    for (int k = 0; k < 3; k++) s->nodes[i].t[k] = k == 0 ? 1 : 0;
  cr_assert_eq(find_with(file.skeleton, text, &again, &error), SINEW_OK, "%s", error.message);
  cr_expect_eq(memcmp(map.node_of_bone, again.node_of_bone, sizeof map.node_of_bone), 0);
  json_release(&out);
  human_map_release(&map);
  human_map_release(&again);
}

/* ---- ranges ---------------------------------------------------------------------------------------------
 */

static int muscle_named(const char *name) {
  for (int muscle = 0; muscle < SINEW_MUSCLE_COUNT; muscle++)
    if (strcmp(sinew_muscle_name((uint32_t)muscle), name) == 0) return muscle;
  cr_assert_fail("no muscle %s", name);
  return -1;
}

Test(map_file, ranges_stand_beside_bones_or_alone) {
  map_file map =
      read_good("{\"sinew_map\": 1, \"ranges\": {\"Left Arm Down-Up\": [-60.5, 100], "
                "\"RightHand.Thumb.1 Stretched\": [-180, -0.0]}, \"twist\": {\"arm\": 0, \"leg\": 1}}");
  const int arm = muscle_named("Left Arm Down-Up"), thumb = muscle_named("RightHand.Thumb.1 Stretched");
  uint32_t count = 0;
  for (int muscle = 0; muscle < SINEW_MUSCLE_COUNT; muscle++) count += map.ranges.has_range[muscle];
  cr_expect_eq(count, 2u);
  cr_expect_not(map.has_bones);
  cr_expect(map.ranges.min_deg[arm] == -60.5 && map.ranges.max_deg[arm] == 100);
  cr_expect(map.ranges.min_deg[thumb] == -180 && map.ranges.max_deg[thumb] == 0);
  cr_expect_not(signbit(map.ranges.max_deg[thumb]));
  cr_expect(map.ranges.has_twist[MAP_TWIST_ARM] && map.ranges.twist[MAP_TWIST_ARM] == 0);
  cr_expect(map.ranges.has_twist[MAP_TWIST_LEG] && map.ranges.twist[MAP_TWIST_LEG] == 1);
  cr_expect_not(map.ranges.has_twist[MAP_TWIST_FORE_ARM] || map.ranges.has_twist[MAP_TWIST_UPPER_LEG]);
  map_file_release(&map);
  map = read_good("{\"sinew_map\": 1, \"bones\": {\"Jaw\": null}, \"ranges\": {}, \"twist\": {}}");
  cr_expect(map.has_bones);
  map_file_release(&map);
}

Test(map_file, ranges_that_are_written_read_back) {
  skeleton *s = made_body(body, sides, "gltf");
  json_out out = {0};
  int32_t nodes[HUMAN_BONE_COUNT];
  sinew_error error = {0};
  map_ranges ranges = {0};
  made_expect(body, sides, s, nodes);
  for (int muscle = 0; muscle < SINEW_MUSCLE_COUNT; muscle++) {
    ranges.has_range[muscle] = true;
    ranges.min_deg[muscle] = -180.0 / (muscle + 1);
    ranges.max_deg[muscle] = 180.0 / (95 - muscle);
  }
  ranges.has_twist[MAP_TWIST_FORE_ARM] = true, ranges.twist[MAP_TWIST_FORE_ARM] = 1 / 3.0;
  map_file_write(s, nodes, &ranges, &out);
  const read_source source = {out.bytes, out.byte_count, read_limits_complete(NULL)};
  map_file map;
  cr_assert_eq(map_file_read(&source, &map, &error), SINEW_OK, "%s", error.message);
  cr_expect_eq(memcmp(&map.ranges, &ranges, sizeof ranges), 0);
  map_file_release(&map);
  json_release(&out);
}

Test(map_file, what_is_written_reads_back) {
  skeleton *s = made_body(body, sides, "gltf");
  json_out out = {0}, second = {0};
  int32_t nodes[HUMAN_BONE_COUNT], read[HUMAN_BONE_COUNT];
  bool said[HUMAN_BONE_COUNT];
  sinew_error error = {0};
  made_expect(body, sides, s, nodes);
  nodes[HUMAN_UPPER_CHEST] = 2;         /* a name that two have: by index */
  s->nodes[nodes[HUMAN_JAW]].name = ""; /* none: likewise */
  s->nodes[nodes[HUMAN_HEAD]].name = "quo\"te \\ 骨";
  map_file_write(s, nodes, NULL, &out);
  const read_source source = {out.bytes, out.byte_count, read_limits_complete(NULL)};
  map_file map;
  cr_assert_eq(map_file_read(&source, &map, &error), SINEW_OK, "%s", error.message);
  cr_expect_eq(map.kind[HUMAN_UPPER_CHEST], MAP_FILE_INDEX);
  cr_expect_eq(map.kind[HUMAN_JAW], MAP_FILE_INDEX);
  cr_assert_eq(map_file_bind(&map, s, read, said, &error), SINEW_OK, "%s", error.message);
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) cr_expect(said[bone] && read[bone] == nodes[bone]);
  map_file_write(s, read, NULL, &second);
  cr_expect(second.byte_count == out.byte_count && memcmp(out.bytes, second.bytes, out.byte_count) == 0);
  json_release(&out);
  json_release(&second);
  map_file_release(&map);
}
