#include "map/made_body.h"
#include "support/keep.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  double at[3]; /* of the left, where there are two */
} made_places[] = {
    {"origin", {0, 0, 0}},
    {"hips", {0, 1, 0}},
    {"waist", {0, 1.08, 0}},
    {"spine1", {0, 1.12, 0}},
    {"spine2", {0, 1.2, 0}},
    {"spine3", {0, 1.28, 0}},
    {"spine4", {0, 1.34, 0}},
    {"spine5", {0, 1.4, 0}},
    {"neck", {0, 1.52, 0}},
    {"neck2", {0, 1.56, 0}},
    {"head", {0, 1.61, 0.02}},
    {"crown", {0, 1.8, 0.02}},
    {"jaw", {0, 1.63, 0.05}},
    {"eye", {0.03, 1.67, 0.09}},
    {"shoulder", {0.03, 1.46, 0}},
    {"upperarm", {0.17, 1.46, 0}},
    {"armtwist", {0.3, 1.46, 0}},
    {"lowerarm", {0.45, 1.46, 0}},
    {"foretwist", {0.57, 1.46, 0}},
    {"hand", {0.7, 1.46, 0}},
    {"thumb1", {0.72, 1.44, 0.03}},
    {"thumb2", {0.75, 1.42, 0.06}},
    {"thumb3", {0.78, 1.41, 0.08}},
    {"index1", {0.79, 1.46, 0.03}},
    {"index2", {0.83, 1.46, 0.03}},
    {"index3", {0.855, 1.46, 0.03}},
    {"middle1", {0.79, 1.46, 0.005}},
    {"middle2", {0.835, 1.46, 0.005}},
    {"middle3", {0.865, 1.46, 0.005}},
    {"ring1", {0.785, 1.46, -0.02}},
    {"ring2", {0.825, 1.46, -0.02}},
    {"ring3", {0.85, 1.46, -0.02}},
    {"little1", {0.775, 1.46, -0.045}},
    {"little2", {0.805, 1.46, -0.045}},
    {"little3", {0.825, 1.46, -0.045}},
    {"indexm", {0.73, 1.46, 0.015}},
    {"pelvis", {0.04, 0.98, 0}},
    {"upperleg", {0.1, 0.94, 0}},
    {"legtwist", {0.1, 0.7, 0.005}},
    {"lowerleg", {0.1, 0.5, 0.01}},
    {"shintwist", {0.1, 0.3, 0}},
    {"foot", {0.1, 0.09, -0.02}},
    {"toes", {0.1, 0.02, 0.1}},
    {"toeend", {0.1, 0.02, 0.17}},
    {"skirt1", {0.12, 0.92, 0.1}},
    {"skirt2", {0.14, 0.7, 0.12}},
    {"skirt3", {0.16, 0.5, 0.13}},
    {"hair1", {0.1, 1.7, -0.08}},
    {"hair2", {0.12, 1.55, -0.1}},
    {"hair3", {0.12, 1.4, -0.1}},
    {"hair4", {0.12, 1.25, -0.1}},
    {"tail1", {0, 0.95, -0.12}},
    {"tail2", {0, 0.85, -0.3}},
    {"tail3", {0, 0.8, -0.5}},
    {"prop1", {0.78, 1.44, 0.02}},
    {"prop2", {0.78, 1.44, 0.9}},
    {"breast", {0.08, 1.35, 0.12}},
};

static void put_side(const char *form, const char *side, char name[128]) {
  const char *gap = strchr(form, '#');
  if (gap)
    snprintf(name, 128, "%.*s%s%s", (int)(gap - form), form, side, gap + 1);
  else
    snprintf(name, 128, "%s", form);
}

static int find_row(const made_joint *joints, const char *name) {
  for (int i = 0; joints[i].name; i++)
    if (strcmp(joints[i].name, name) == 0) return i;
  cr_assert_fail("no row '%s'", name);
  return -1;
}

static void place_of(const made_joint *joints, int row, double at[3]) {
  const char *place = joints[row].place;
  if (*place == '+') {
    char *end = NULL;
    double parent[3] = {0, 0, 0};
    if (joints[row].parent) place_of(joints, find_row(joints, joints[row].parent), parent);
    for (int k = 0; k < 3; k++) at[k] = parent[k] + strtod(k == 0 ? place + 1 : end, &end);
    return;
  }
  for (size_t i = 0; i < sizeof made_places / sizeof *made_places; i++)
    if (strcmp(made_places[i].name, place) == 0) {
      memcpy(at, made_places[i].at, sizeof made_places[i].at);
      return;
    }
  cr_assert_fail("no place '%s'", place);
}

static int32_t find_node(const skeleton *s, const char *name) {
  for (uint32_t i = 0; i < s->node_count; i++)
    if (strcmp(s->nodes[i].name, name) == 0) return (int32_t)i;
  return -1;
}

static void add(skeleton *s, const made_joint *joints, int row, made_side side, bool right) {
  skeleton_node *node = &s->nodes[s->node_count];
  char name[128];
  double at[3], above[3] = {0, 0, 0};
  *node = (skeleton_node){
      .parent = -1, .q = {0, 0, 0, 1}, .s = {1, 1, 1}, .is_joint = true, .source_index = s->node_count};
  place_of(joints, row, at);
  if (joints[row].parent) {
    const int parent = find_row(joints, joints[row].parent);
    put_side(joints[row].parent, right ? side.right : side.left, name);
    node->parent = find_node(s, name);
    cr_assert(node->parent >= 0, "'%s' stands after '%s'", name, joints[row].name);
    place_of(joints, parent, above);
    if (right && !strchr(joints[parent].name, '#')) above[0] = -above[0];
  }
  for (int k = 0; k < 3; k++) node->t[k] = at[k] - above[k];
  if (right) node->t[0] = -node->t[0];
  put_side(joints[row].name, right ? side.right : side.left, name);
  node->name = test_keep_text(name);
  s->node_count++;
}

skeleton *made_body(const made_joint *joints, made_side side, const char *kind) {
  skeleton *s = test_keep(1, sizeof *s);
  int rows = 0;
  while (joints[rows].name) rows++;
  s->kind = kind;
  s->name = "";
  s->nodes = test_keep(2 * (size_t)rows, sizeof *s->nodes);
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) s->node_of_bone[bone] = -1;
  for (int row = 0; row < rows; row++) {
    add(s, joints, row, side, false);
    if (strchr(joints[row].name, '#')) add(s, joints, row, side, true);
  }
  return s;
}

static int find_bone(const char *name) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    if (strcmp(human_bones[bone].name, name) == 0) return bone;
  cr_assert_fail("no bone '%s'", name);
  return -1;
}

void made_expect(const made_joint *joints, made_side side, const skeleton *s, int32_t *node_of_bone) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) node_of_bone[bone] = -1;
  for (int row = 0; joints[row].name; row++) {
    if (!joints[row].bone) continue;
    for (int right = 0; right <= (strchr(joints[row].name, '#') != NULL); right++) {
      char bone[128], name[128];
      put_side(joints[row].bone, right ? "Right" : "Left", bone);
      put_side(joints[row].name, right ? side.right : side.left, name);
      node_of_bone[find_bone(bone)] = find_node(s, name);
    }
  }
}

human_map made_check(const made_joint *joints, made_side side, const skeleton *s, const char *label) {
  human_map map;
  sinew_error error = {0};
  int32_t nodes[HUMAN_BONE_COUNT];
  made_expect(joints, side, s, nodes);
  cr_expect(human_map_find(s, NULL, 0, NULL, &map, &error) == SINEW_OK, "%s: %s", label, error.message);
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    cr_expect(map.node_of_bone[bone] == nodes[bone], "%s: %s is '%s', expected '%s'", label,
              human_bones[bone].name,
              map.node_of_bone[bone] < 0 ? "-" : s->nodes[map.node_of_bone[bone]].name,
              nodes[bone] < 0 ? "-" : s->nodes[nodes[bone]].name);
  return map;
}
