/* Sound descriptions in other forms. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/reader.h"
#include "readers/made_meta.h"

static sinew_result read_text(const char *bytes, size_t length, arena *memory, rig_description *description,
                              sinew_error *error) {
  guarded g = guard_bytes(bytes, length);
  read_source source = {g.bytes, g.length, read_limits_complete(NULL)};
  sinew_result result = read_fbx_meta(&source, memory, description, error);
  guard_free(&g);
  return result;
}

/* ---- sound ------------------------------------------------------------------------------------------------
 */

typedef struct form {
  int first, last; /* lines of the base that `lines` replaces; last < first: put before first */
  const char *lines;
  const char *what;
} form;

typedef struct sound {
  arena memory;
  rig_description d;
} sound;

static sound read_sound(const char *bytes) {
  sound s = {0};
  sinew_error error = {0};
  sinew_result result = read_text(bytes, strlen(bytes), &s.memory, &s.d, &error);
  cr_assert_eq(result, SINEW_OK, "%s (line %u)", error.message, error.line);
  return s;
}

static sound read_edit(int first, int last, const char *lines) {
  text t = text_edit(made_meta_base, first, last, lines);
  sound s = read_sound(t.bytes);
  text_free(&t);
  return s;
}

static void expect_base(sound s) {
  const rig_description *d = &s.d;
  cr_expect_str_eq(d->name, "Model");
  cr_assert_eq(d->node_count, 4);
  static const char *const names[] = {"Model(Clone)", "Hips", "rig:Spine", "Jaw"};
  for (int i = 0; i < 4; i++) {
    cr_expect_str_eq(d->nodes[i].name, names[i]);
    cr_expect_eq(d->nodes[i].parent, i - 1);
    const double *q = d->nodes[i].q;
    cr_expect_float_eq(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-15);
  }
  cr_expect_float_eq(d->nodes[0].q[0], -sqrt(0.5), 1e-7);
  cr_expect_eq(d->nodes[0].s[2], 100);
  cr_expect_eq(d->nodes[2].t[1], 0.1);
  cr_expect_eq(d->nodes[2].t[2], -2e-3);
  cr_expect_eq(d->nodes[3].t[1], 0.25);
  cr_expect_eq(d->node_of_bone[HUMAN_HIPS], 1);
  cr_expect_eq(d->node_of_bone[HUMAN_SPINE], 2);
  cr_expect_eq(d->node_of_bone[HUMAN_JAW], 3);
  cr_expect_eq(d->node_of_bone[HUMAN_HEAD], -1);
  cr_expect_not(d->limit[HUMAN_HIPS].modified);
  cr_expect(d->limit[HUMAN_SPINE].modified);
  cr_expect_eq(d->limit[HUMAN_SPINE].min_deg[1], -30);
  cr_expect_eq(d->limit[HUMAN_SPINE].max_deg[2], 20);
  cr_expect_eq(d->arm_twist, 0.5);
  cr_expect_eq(d->fore_arm_twist, 0.4);
  cr_expect_eq(d->upper_leg_twist, 0.3);
  cr_expect_eq(d->leg_twist, 0.2);
  cr_expect_eq(d->arm_stretch, 0.05);
  cr_expect_eq(d->leg_stretch, 0.06);
  cr_expect_eq(d->feet_spacing, 0.1);
  cr_expect(d->has_translation_dof);
  cr_expect_eq(d->warning_count, 0);
  arena_release(&s.memory);
}

Test(meta_forms, same_rig) {
  static const form forms[] = {
      {66, 65, "", "as it is"},
      {1, 1,
       "\xef\xbb\xbf"
       "fileFormatVersion: 2\n",
       "byte order mark"},
      {1, 0, "# comment\n---\n", "a document mark"},
      {1, 0, "%YAML 1.1\n---\n", "a directive"},
      {65, 65, "  assetBundleName: x", "no line end at the end"},
      {18, 18, "    - boneName: 'rig:Spine'\n", "single quotes"},
      {18, 18, "    - boneName: \"rig\\x3aSpine\"\n", "double quotes"},
      {41, 41, "      position: {x: 0, y: 0.1,\n        z: -0.002}\n", "a map over two lines"},
      {41, 41, "      position: {z: -2e-3,x: 0,y: 0.1, w: 7, q: [1, {a: '}'}]}  # m\n", "order and extras"},
      {41, 41, "      position:\n        x: 0\n        y: 0.1\n        z: -2e-3\n", "a map as a block"},
      {41, 41, "      position: {q: \"a } \\\" ,\n  ' b\", r: 'it''s }', x: 0, y: 0.1, z: -2e-3}\n",
       "quotes in what nobody wants"},
      {41, 41, "      position:\n        w: 7\n        x: 0\n        y: 0.1\n        z: -2e-3\n",
       "an axis too many in a block"},
      {41, 41, "      position: {\"x\": 0, 'y' : 0.1, \"z\":-2e-3, \"q}\": 'a'}\n", "quoted keys"},
      {41, 41, "      position : {x : 0, y\t: 0.1, z : -2e-3}\n", "blanks before colons"},
      {41, 41, "      position:\n        x : 0\n        'y' : 0.1\n        z : -2e-3\n", "blanks in a block"},
      {20, 25,
       "      limit :\n        min : {x : -40, y : -30, z: -20}\n        max : {x: 40, y: 30, z: 20}\n"
       "        modified : 1\n",
       "blanks before the colons of limits"},
      {50, 50, "    foreArmTwist : 0.4\n", "a blank before a setting's colon"},
      {43, 43, "      scale: {x: 1, y: 1, z: 1}\n      transformModified: 1\n", "an older field"},
      {13, 17, "        min: {x: 9, y: 0, z: 0}\n        max: {x: NaN, y: 0, z: 0}\n        modified: 0\n",
       "limits that are not used"},
      {12, 17, "", "no limit"},
      {60, 60, "", "no skeletonHasParents"},
      {62, 62, "  animationType: 2\n", "a description all the same"},
  };
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
    expect_base(read_edit(forms[i].first, forms[i].last, forms[i].lines));
  text t = text_crlf(made_meta_base);
  expect_base(read_sound(t.bytes));
  text_free(&t);
}

/* Lists may stand in either order. */
Test(meta_forms, skeleton_first) {
  const char *human = strstr(made_meta_base, "    human:"),
             *skeleton = strstr(made_meta_base, "    skeleton:");
  const char *behind = strstr(made_meta_base, "    armTwist:");
  text t = {0};
  text_add(&t, "%.*s%.*s", (int)(human - made_meta_base), made_meta_base, (int)(behind - skeleton), skeleton);
  text_add(&t, "%.*s%s", (int)(skeleton - human), human, behind);
  expect_base(read_sound(t.bytes));
  text_free(&t);
}

#define NODE(name, parent, x)                                                                                \
  "    - name: " name "\n      parentName: " parent "\n      position: {x: " x                               \
  ", y: 0, z: 0}\n      rotation: {x: 0, y: 0, z: 0, w: 1}\n      scale: {x: 1, y: 1, z: 1}\n"

static int32_t node_at(const rig_description *d, double x) {
  for (uint32_t i = 0; i < d->node_count; i++)
    if (d->nodes[i].t[0] == x) return (int32_t)i;
  return -2;
}

static void expect_sorted(const rig_description *d) {
  for (uint32_t i = 0; i < d->node_count; i++) cr_expect_lt(d->nodes[i].parent, (int32_t)i);
}

Test(meta_forms, parents_below_their_children) {
  sound s = read_edit(29, 48,
                      NODE("Jaw", "rig:Spine", "3") NODE("rig:Spine", "Hips", "2") NODE("Top", "", "0")
                          NODE("Hips", "Top", "1"));
  const rig_description *d = &s.d;
  expect_sorted(d);
  cr_expect_eq(d->nodes[node_at(d, 3)].parent, node_at(d, 2));
  cr_expect_eq(d->nodes[node_at(d, 2)].parent, node_at(d, 1));
  cr_expect_eq(d->nodes[node_at(d, 1)].parent, node_at(d, 0));
  cr_expect_eq(d->nodes[node_at(d, 0)].parent, -1);
  cr_expect_eq(d->node_of_bone[HUMAN_JAW], node_at(d, 3));
  cr_expect_str_eq(d->name, "Jaw");
  arena_release(&s.memory);
}

/* Two nodes of one name: a child belongs to the nearest one above it; a bone to the first, with a word about
 * it. */
Test(meta_forms, names_that_repeat) {
  sound s = read_edit(29, 48,
                      NODE("Top", "", "0") NODE("Hips", "Top", "1") NODE("end", "Hips", "2")
                          NODE("rig:Spine", "Hips", "3") NODE("end", "rig:Spine", "4") NODE("tip", "end", "5")
                              NODE("Jaw", "rig:Spine", "6") NODE("end", "end", "7") NODE("Jaw", "Jaw", "8"));
  const rig_description *d = &s.d;
  expect_sorted(d);
  cr_expect_eq(d->nodes[node_at(d, 5)].parent, node_at(d, 4));
  cr_expect_eq(d->nodes[node_at(d, 7)].parent, node_at(d, 4));
  cr_expect_eq(d->nodes[node_at(d, 8)].parent, node_at(d, 6));
  cr_expect_eq(d->node_of_bone[HUMAN_JAW], node_at(d, 6));
  cr_assert_eq(d->warning_count, 1);
  cr_expect_not_null(strstr(d->warnings[0], "Jaw (line 26) is node 'Jaw', a name of several nodes"), "%s",
                     d->warnings[0]);
  arena_release(&s.memory);
}

Test(meta_forms, warnings) {
  sound s = read_edit(26, 26, "    - boneName: x\n      humanName: Tail\n    - boneName: Chin\n");
  cr_assert_eq(s.d.warning_count, 2);
  cr_expect_str_eq(s.d.warnings[0], "'Tail' (line 27) is no human bone's name: ignored for node 'x'");
  cr_expect_str_eq(s.d.warnings[1],
                   "Jaw (line 28) is node 'Chin', which is not in the skeleton: the rig goes without");
  cr_expect_eq(s.d.node_of_bone[HUMAN_JAW], -1);
  arena_release(&s.memory);
  s = read_edit(37, 37, "      rotation: {x: 0, y: 0, z: 0, w: 2}\n");
  cr_assert_eq(s.d.warning_count, 1);
  cr_expect_str_eq(s.d.warnings[0], "a rotation (line 37) has length 2: made 1");
  cr_expect_eq(s.d.nodes[1].q[3], 1);
  arena_release(&s.memory);
}

Test(meta_forms, more_warnings_than_fit) {
  text lines = {0};
  for (int i = 0; i < 100; i++) text_add(&lines, "    - boneName: x%d\n      humanName: Tail\n", i);
  sound s = read_edit(10, 9, lines.bytes);
  cr_assert_eq(s.d.warning_count, sizeof s.d.warnings / sizeof s.d.warnings[0]);
  cr_expect_str_eq(s.d.warnings[s.d.warning_count - 1], "more was repaired or ignored than is listed here");
  arena_release(&s.memory);
  text_free(&lines);
}

Test(meta_forms, defaults) {
  sound s = read_edit(49, 57, "");
  cr_expect_eq(s.d.arm_twist, 0.5);
  cr_expect_eq(s.d.fore_arm_twist, 0.5);
  cr_expect_eq(s.d.upper_leg_twist, 0.5);
  cr_expect_eq(s.d.leg_twist, 0.5);
  cr_expect_eq(s.d.arm_stretch, 0.05);
  cr_expect_eq(s.d.leg_stretch, 0.05);
  cr_expect_eq(s.d.feet_spacing, 0);
  arena_release(&s.memory);
}
