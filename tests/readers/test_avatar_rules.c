/* One small broken Avatar per rule, with what must be said and where; and sound ones in other forms. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/reader.h"
#include "readers/made_avatar.h"
#include "rig/compile.h"
#include "rig/quat.h"
#include "rig/synthetic.h"

typedef struct rule {
  const char *after, *from, *to; /* the first `from` behind `after` becomes `to` */
  sinew_result code;
  int line; /* of the error, from that of `from` on; ELSEWHERE: not looked at */
  const char *message;
} rule;

#define SYNTAX SINEW_ERROR_SYNTAX
#define UNSUPPORTED SINEW_ERROR_UNSUPPORTED
enum { ELSEWHERE = 9999 };

static const rule rules[] = {
    /* the file */
    {NULL, "--- !u!90", "--- !u!74", UNSUPPORTED, -2, "an animation clip, expected a rig"},
    {NULL, "--- !u!90", "--- !u!1", UNSUPPORTED, -2, "no Avatar inside (1 document, none of class 90)"},
    {NULL, "Avatar:", "Animator:", SYNTAX, -1, "a document of class 90 without 'Avatar:'"},
    {NULL, "  m_Avatar:", "  m_Avatars:", SYNTAX, ELSEWHERE, "it ends inside Avatar, without m_Avatar yet"},
    {NULL, "  m_TOS:", "  m_Paths:", SYNTAX, ELSEWHERE, "it ends inside Avatar, without m_TOS yet"},
    {NULL, "  m_TOS:", "  m_TOS: []\n  m_X:", SYNTAX, ELSEWHERE, "which m_TOS has no path for"},
    {NULL, "    m_AvatarSkeleton:", "    m_Skeletons:", SYNTAX, ELSEWHERE,
     "m_Avatar has no m_AvatarSkeleton"},
    {NULL, "    m_Human:", "    m_Robot:", SYNTAX, ELSEWHERE, "m_Avatar has no m_Human"},
    {NULL, "    m_Human:", "    m_Human: {}\n    m_Robot:", SYNTAX, 0, "m_Human has no data"},
    {NULL, "    m_AvatarSkeletonPose:", "    m_Pose:", SYNTAX, ELSEWHERE,
     "m_Avatar has no m_AvatarSkeletonPose"},
    {NULL, "    m_SkeletonNameIDArray:", "    m_AvatarSkeleton:", SYNTAX, 0, "m_AvatarSkeleton stands twice"},
    {NULL, "m_TOS:", "m_TOS:\n  - 1", SYNTAX, 1, "m_TOS is a list, expected 'number: path'"},
    /* nodes */
    {"m_AvatarSkeleton:", "- m_ParentId: 1", "- m_ParentId: 2", SYNTAX, 0,
     "m_ParentId of node 2 is 2, expected a node before it"},
    {"m_AvatarSkeleton:", "- m_ParentId: -1", "- m_ParentId: 0", SYNTAX, 0,
     "m_ParentId of node 0 is 0, expected -1 for the first"},
    {"m_AvatarSkeleton:", "- m_ParentId: 1", "- m_ParentId: -1", SYNTAX, 0, "m_ParentId of node 2 is -1"},
    {"m_AvatarSkeleton:", "- m_ParentId: 1", "- m_ParentId: -5", SYNTAX, 0, "m_ParentId of node 2 is -5"},
    {"m_AvatarSkeleton:", "- m_ParentId: 1\n", "- m_Parent: 1\n", SYNTAX, 0, "m_Node has no m_ParentId"},
    {"m_AvatarSkeleton:", "m_AxesId: -1", "m_AxesId: none", SYNTAX, 0,
     "m_AxesId is 'none', expected a whole number"},
    {"m_AvatarSkeleton:", "        m_Node:", "        m_Node: []\n        m_Nodes:", SYNTAX, ELSEWHERE,
     "m_ID has 17 entries, expected 0"},
    {"m_AvatarSkeleton:", "- m_ParentId: -1\n          m_AxesId: -1", "-", SYNTAX, 1,
     "an empty item in the list m_Node"},
    {"m_AvatarSkeleton:", "        - m_ParentId: -1\n          m_AxesId: -1\n", "", SYNTAX, ELSEWHERE,
     "m_ID has 17 entries, expected 16, as m_AvatarSkeleton has nodes"},
    /* integers */
    {"m_AvatarSkeleton:", "m_ID: 0", "m_ID: ", SYNTAX, 0,
     "m_ID has 135 hexadecimal digits, expected 8 for each entry"},
    {"m_AvatarSkeleton:", "m_ID: 0000000", "m_ID: 000000g", SYNTAX, 0,
     "m_ID holds '000000g0', expected a list or"},
    {"m_AvatarSkeleton:", "m_ID: 00000000", "m_ID: ", SYNTAX, 0,
     "m_ID has 16 entries, expected 17, as m_AvatarSkeleton"},
    {"m_AvatarSkeleton:", "m_ID: 0000000", "m_ID: 1000000", SYNTAX, 0,
     "m_ID of node 0 is 16, which m_TOS has no path for"},
    {"m_AvatarSkeleton:", "m_ID: ", "m_ID: [1, 2] # ", SYNTAX, 0, "expected its contents on the lines below"},
    {"m_AvatarSkeleton:", "m_ID: ", "m_ID:\n        - 5000000000\n        x: ", SYNTAX, 1,
     "m_ID holds 5000000000, expected 32 bits"},
    {"m_AvatarSkeleton:", "m_ID: ", "m_ID:\n        - x\n        y: ", SYNTAX, 1,
     "m_ID is 'x', expected a whole number"},
    {"m_AvatarSkeleton:", "m_ID: ", "m_ID:\n        -\n        y: ", SYNTAX, 2,
     "an empty item in the list m_ID"},
    {"m_AvatarSkeleton:", "m_ID: ", "m_ID:\n          a: 1\n        y: ", SYNTAX, 1, "m_ID is no list"},
    /* transforms */
    {"m_AvatarSkeletonPose:", "- t: {x: ", "- t: {x: Infinity, y: 0, z: 0} # ", SYNTAX, 0,
     "x of t is not a finite number"},
    {"m_AvatarSkeletonPose:", "q: {", "q: {x: 0, y: 0, z: 0, w: 0} # ", SYNTAX, 0,
     "q has length 0, expected 1"},
    {"m_AvatarSkeletonPose:", "s: {", "s: {x: 1, y: 1, z: 0} # ", SYNTAX, 0, "scale is zero in z"},
    {"m_AvatarSkeletonPose:", "          s: {x: 1, y: 1, z: 1}\n", "", SYNTAX, ELSEWHERE, "m_X has no s"},
    {"m_AvatarSkeletonPose:", "        m_X:", "        m_Y:", SYNTAX, -1, "data has no m_X"},
    {"m_AvatarSkeletonPose:", "        m_X:", "        m_X: []\n        m_Y:", SYNTAX, ELSEWHERE,
     "m_AvatarSkeletonPose has 0 entries, expected 17"},
    /* the human skeleton */
    {"m_SkeletonPose:", "s: {x: 1,", "s: {x: 1.5,", UNSUPPORTED, -2,
     "the human skeleton's node 0 has scale 1.5 in x, expected 1"},
    {"m_SkeletonPose:", "- t:", "- u:", SYNTAX, 0, "m_X has no t"},
    {"m_Skeleton:", "- m_ParentId: 1", "- m_ParentId: 0", SYNTAX, 0,
     "the human skeleton hangs node 2 from another node than m_AvatarSkeleton does"},
    {"m_Skeleton:", "m_ID: 00000000", "m_ID: 01000000", SYNTAX, 0,
     "m_ID of the human skeleton's node 0 is 1, that of its node 'Made' is 0"},
    {"m_Skeleton:", "m_AxesArray:", "m_AxesList:", SYNTAX, ELSEWHERE,
     "m_AxesId of Hips is 0, expected one of the 0 entries of m_AxesArray"},
    {"m_Skeleton:", "m_AxesId: 14", "m_AxesId: 15", SYNTAX, -1,
     "expected one of the 15 entries of m_AxesArray"},
    {NULL, "m_HumanSkeletonIndexArray: 00000000", "m_HumanSkeletonIndexArray: 11000000", SYNTAX, 0,
     "m_HumanSkeletonIndexArray has 17 for node 0, expected one of 17 nodes"},
    {NULL, "m_HumanSkeletonIndexArray: 00000000", "m_HumanSkeletonIndexArray: ffffffff", SYNTAX, 0,
     "m_HumanSkeletonIndexArray has -1 for node 0"},
    {NULL, "m_HumanSkeletonIndexArray: 00000000", "m_HumanSkeletonIndexArray: 01000000", SYNTAX, ELSEWHERE,
     "m_ID of the human skeleton's node 0 is 0, that of its node 'Hips'"},
    {NULL, "m_HumanSkeletonIndexArray: 0000000001000000", "m_HumanSkeletonIndexArray: 0000000000000000",
     SYNTAX, 0, "m_HumanSkeletonIndexArray has node 0 twice"},
    {NULL, "m_HumanSkeletonIndexArray: 00000000", "m_HumanSkeletonIndexArray: ", SYNTAX, 0,
     "m_HumanSkeletonIndexArray has 16 entries, expected 17, as m_Human's"},
    /* axes */
    {"m_AxesArray:", "m_PreQ: {", "m_PreQ: {x: NaN, y: 0, z: 0, w: 1} # ", SYNTAX, 0,
     "x of m_PreQ is not a finite"},
    {"m_Skeleton:", "m_Sgn: {x: 1", "m_Sgn: {x: 0.5", SYNTAX, 0, "x of m_Sgn is 0.5, expected 1 or -1"},
    {"m_Skeleton:", "m_Min: {x: 0", "m_Min: {x: 0.1", SYNTAX, -1, "the limit about x is from 0.1 to 0"},
    {"m_Skeleton:", "m_Max:", "m_Most:", SYNTAX, ELSEWHERE, "m_Limit has no m_Max"},
    {"m_Skeleton:", "m_Length: ", "m_Length: 1e39 # ", SYNTAX, 0, "m_Length is not a finite number"},
    {"m_Skeleton:", "m_Type: 1", "m_Type: 3", UNSUPPORTED, 0, "m_Type is 3, expected 1 (swing and twist)"},
    /* bones */
    {NULL, "m_HumanBoneIndex: 01000000", "m_HumanBoneIndex: 12000000", SYNTAX, 0,
     "Hips is node 18 of the human skeleton, expected -1 or one of its 17 nodes"},
    {NULL, "m_HumanBoneIndex: 01000000", "m_HumanBoneIndex: feffffff", SYNTAX, 0, "Hips is node -2"},
    {NULL, "m_HumanBoneIndex: 01000000", "m_HumanBoneIndex: ", SYNTAX, 0,
     "m_HumanBoneIndex has 24 entries, expected 25, the body's bones of editors since 5.6"},
    {NULL, "m_HumanBoneIndex: ", "m_HumanBoneIndex: \n        m_X: ", UNSUPPORTED, ELSEWHERE,
     "a generic Avatar: it maps no human bone"},
    {NULL, "m_HandBoneIndex: ffffffff", "m_HandBoneIndex: ", SYNTAX, 0,
     "m_HandBoneIndex has 14 entries, expected 15"},
    {NULL, "m_HandBoneIndex: ffffffff", "m_HandBoneIndex: ffff0000", SYNTAX, 0,
     "LeftThumbProximal is node 65535 of the human skeleton"},
    {NULL, "m_HumanBoneIndex: 01000000", "m_HumanBoneIndex: ffffffff", SINEW_ERROR_RIG, ELSEWHERE,
     "required human bone Hips is not mapped"},
    {NULL, "m_HumanBoneIndex: 01000000", "m_HumanBoneIndex: 02000000", SINEW_ERROR_RIG, ELSEWHERE,
     "is mapped to two human bones"},
    /* the body */
    {NULL, "        m_HumanBoneMass:\n        - ", "        m_HumanBoneMass:\n        - -", SYNTAX, ELSEWHERE,
     "the mass of Hips is -0."},
    {NULL, "        m_HumanBoneMass:\n", "        m_HumanBoneMass:\n        - 1\n", SYNTAX, ELSEWHERE,
     "m_HumanBoneMass has 26 entries, expected 25"},
    {NULL, "        m_HumanBoneMass:\n        - ", "        m_HumanBoneMass:\n        - 1e39 # ", SYNTAX, 1,
     "m_HumanBoneMass is not a finite number"},
    {NULL, "m_Scale: ", "m_Scale: -", SYNTAX, 0, "expected more than 0"},
    {NULL, "m_Scale: ", "m_Scale: 1e-9 # ", SINEW_ERROR_RIG, ELSEWHERE,
     "the human scale is 1e-09 m for a body"},
    {NULL, "m_ArmTwist: 0.5", "m_ArmTwist: 1.5", SYNTAX, 0, "m_ArmTwist is 1.5, expected 0 to 1"},
    {NULL, "m_LegStretch: 0.05", "m_LegStretch: NaN", SYNTAX, 0, "m_LegStretch is nan, expected 0 to 1"},
    {NULL, "m_HasTDoF: 1", "m_HasTDoF: yes", SYNTAX, 0, "m_HasTDoF is 'yes', expected 0 or 1"},
    {"m_RootX:", "q: {", "q: {x: 0, y: 0, z: 0, w: 0} # ", SYNTAX, 0, "q has length 0, expected 1"},
    {"m_RootX:", "t: {", "t: {x: 1e13, y: 1, z: 0} # ", SINEW_ERROR_RIG, ELSEWHERE,
     "m_RootX stands at 1e+13 m in x"},
    /* paths */
    {"m_TOS:", "    0: ", "    x: ", SYNTAX, 0, "'x' in m_TOS, expected a 32-bit number"},
    {"m_TOS:", "    0: ", "    4294967296: ", SYNTAX, 0, "'4294967296' in m_TOS"},
    {"m_TOS:", "    0: ", "    0: a\n    0: ", SYNTAX, 1, "0 stands twice in m_TOS, first in line"},
    {"m_TOS:", "    0: ", "    1: ", SYNTAX, ELSEWHERE, "m_ID of node 0 is 0, which m_TOS has no path for"},
    {"m_TOS:", "/LeftUpperLeg\n", "/\n", SYNTAX, 0, "ends in no name"},
    {"m_TOS:", ": Hips\n", ": \"Hips\n", SYNTAX, 0, "this quoted text has no end"},
    {"m_TOS:", ": Hips\n", ": Hi\xffps\n", SYNTAX, 0, "byte 0xff in"},
};

static sinew_result open_text(const text *t, const sinew_read_options *limits, sinew_rig **rig,
                              sinew_error *error) {
  guarded g = guard_bytes(t->bytes, t->length);
  sinew_rig_options options = {0};
  if (limits) options.read = *limits;
  sinew_result result = sinew_rig_open_memory(g.bytes, g.length, "made", &options, rig, error);
  guard_free(&g);
  return result;
}

Test(avatar_rules, each_says_what_and_where) {
  text base = made_small_avatar(AVATAR_SHORT);
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    const rule *r = &rules[i];
    unsigned line;
    text t = text_replace(base.bytes, r->after, r->from, r->to, &line);
    sinew_rig *rig;
    sinew_error error = {0};
    sinew_result result = open_text(&t, NULL, &rig, &error);
    cr_expect_eq(result, r->code, "rule %zu (%s): code %d, \"%s\"", i, r->message, result, error.message);
    cr_expect_null(rig);
    cr_expect_not_null(strstr(error.message, r->message), "rule %zu: \"%s\" lacks \"%s\"", i, error.message,
                       r->message);
    cr_expect_str_eq(error.path, "made");
    if (r->code != SINEW_ERROR_RIG) cr_expect(error.has_place, "rule %zu: \"%s\"", i, error.message);
    if (r->line != ELSEWHERE)
      cr_expect_eq(error.line, line + (unsigned)r->line, "rule %zu: line %u, wanted %u for \"%s\"", i,
                   error.line, line + (unsigned)r->line, error.message);
    text_free(&t);
  }
  text_free(&base);
}

/* ---- limits ---------------------------------------------------------------------------------------------
 */

static void expect_limit(sinew_read_options limits, sinew_result code, const char *part) {
  text t = made_small_avatar(0);
  sinew_rig *rig;
  sinew_error error = {0};
  sinew_result result = open_text(&t, &limits, &rig, &error);
  cr_expect_eq(result, code, "%s: %d, \"%s\"", part, result, error.message);
  cr_expect_not_null(strstr(error.message, part), "\"%s\" lacks \"%s\"", error.message, part);
  sinew_rig_close(rig);
  text_free(&t);
}

/* 17 nodes, the longest way down 7, the longest name RightUpperLeg. */
Test(avatar_rules, limits) {
  text t = made_small_avatar(0);
  expect_limit((sinew_read_options){.nodes = 18}, SINEW_OK, "");
  expect_limit((sinew_read_options){.nodes = 17}, SINEW_OK, "");
  expect_limit((sinew_read_options){.nodes = 16}, SINEW_ERROR_LIMIT,
               "m_Node has more than 16 entries, the limit");
  expect_limit((sinew_read_options){.depth = 7}, SINEW_OK, "");
  expect_limit((sinew_read_options){.depth = 6}, SINEW_OK, "");
  expect_limit((sinew_read_options){.depth = 5}, SINEW_ERROR_LIMIT, "more than 5 nodes deep, the limit");
  expect_limit((sinew_read_options){.name_bytes = 14}, SINEW_OK, "");
  expect_limit((sinew_read_options){.name_bytes = 13}, SINEW_OK, "");
  expect_limit((sinew_read_options){.name_bytes = 12}, SINEW_ERROR_LIMIT,
               "a name of 13 bytes, the limit is 12");
  expect_limit((sinew_read_options){.file_bytes = t.length + 1}, SINEW_OK, "");
  expect_limit((sinew_read_options){.file_bytes = t.length}, SINEW_OK, "");
  expect_limit((sinew_read_options){.file_bytes = t.length - 1}, SINEW_ERROR_LIMIT, "more than the limit of");
  expect_limit((sinew_read_options){.memory_bytes = 1000}, SINEW_ERROR_MEMORY, "memory");
  text_free(&t);
}

/* ---- sound ----------------------------------------------------------------------------------------------
 */

static sinew_rig *open_sound(const text *t) {
  sinew_rig *rig;
  sinew_error error = {0};
  sinew_result result = open_text(t, NULL, &rig, &error);
  cr_assert_eq(result, SINEW_OK, "%s (line %u)", error.message, error.line);
  return rig;
}

static double furthest(const double *a, const double *b, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

/* What the Avatar gives, against what the compiler made of the description behind it. */
static void expect_same(const sinew_rig *a, const sinew_rig *b) {
  const double close = 1e-12;
  cr_assert_eq(a->node_count, b->node_count);
  for (uint32_t i = 0; i < a->node_count; i++) {
    if (i > 0) cr_expect_str_eq(a->nodes[i].name, b->nodes[i].name);
    cr_expect_eq(a->nodes[i].parent, b->nodes[i].parent);
    cr_expect_lt(furthest(a->nodes[i].t, b->nodes[i].t, 3), close * 1e3, "node %u", i);
    cr_expect_lt(furthest(a->nodes[i].q, b->nodes[i].q, 4), close, "node %u", i);
    cr_expect_lt(furthest(a->nodes[i].s, b->nodes[i].s, 3), close * 1e3, "node %u", i);
  }
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    const char *name = human_bones[bone].name;
    cr_assert_eq(a->node_of_bone[bone], b->node_of_bone[bone], "%s", name);
    if (a->node_of_bone[bone] < 0) continue;
    const rig_axes *left = &a->axes[bone], *right = &b->axes[bone];
    cr_expect_lt(furthest(left->pre, right->pre, 4), close, "%s", name);
    cr_expect_lt(furthest(left->post, right->post, 4), close, "%s", name);
    cr_expect_eq(furthest(left->sgn, right->sgn, 3), 0, "%s", name);
    cr_expect_eq(furthest(left->min_rad, right->min_rad, 3), 0, "%s", name);
    cr_expect_eq(furthest(left->max_rad, right->max_rad, 3), 0, "%s", name);
    cr_expect_lt(fabs(left->length - right->length), close, "%s", name);
    cr_expect_lt(fabs(a->mass[bone] - b->mass[bone]), close, "%s", name);
    cr_expect_eq(a->custom_limits[bone], b->custom_limits[bone]);
    cr_expect_eq(a->parent_bone[bone], b->parent_bone[bone]);
    cr_expect_eq(a->between_count[bone], b->between_count[bone]);
    cr_expect_lt(furthest(a->between[bone], b->between[bone], 4), close, "%s", name);
    cr_expect_lt(furthest(a->offset[bone], b->offset[bone], 3), close, "%s", name);
    cr_expect_lt(furthest(a->rest_q[bone], b->rest_q[bone], 4), close, "%s", name);
  }
  cr_expect_lt(fabs(a->height_m - b->height_m), close);
  cr_expect_lt(fabs(a->human_scale_m - b->human_scale_m), close);
  cr_expect_lt(furthest(a->root_t, b->root_t, 3), close);
  cr_expect_lt(furthest(a->root_q, b->root_q, 4), close);
  cr_expect_lt(furthest(a->hips_rest_q, b->hips_rest_q, 4), close);
  cr_expect_lt(furthest(a->above_q, b->above_q, 4), close);
  cr_expect_lt(fabs(a->above_scale - b->above_scale), close * 1e3);
}

static void compare(const synthetic_options *options, unsigned form) {
  rig_description *description = synthetic_rig(options);
  text t = made_avatar(description, form);
  sinew_rig *mine = open_sound(&t), *wanted;
  sinew_error error;
  cr_assert_eq(rig_compile(description, 1, &wanted, &error), SINEW_OK, "%s", error.message);
  expect_same(mine, wanted);
  cr_expect_str_eq(mine->name, "Made");
  cr_expect_str_eq(mine->kind, "avatar");
  cr_expect_str_eq(mine->nodes[0].name, "Made");
  cr_expect_eq(mine->warning_count, 0, "%s", mine->warnings[0]);
  cr_expect(mine->has_translation_dof);
  sinew_rig_close(mine);
  sinew_rig_close(wanted);
  text_free(&t);
}

Test(avatar_forms, as_the_compiler_has_it) {
  synthetic_options options[] = {
      {.seed = 1},
      {.seed = 2, .turned = true},
      {.seed = 3, .turned = true, .between = true, .asymmetric = true},
      {.seed = 4,
       .turned = true,
       .between = true,
       .root_q = {-1, 0, 0, 1},
       .root_scale = 100,
       .asymmetric = true},
      {.seed = 5, .root_q = {0, 0.1, 0, 1}, .root_scale = 0.01, .between = true},
      {.seed = 6, .missing = {[HUMAN_CHEST] = true, [HUMAN_UPPER_CHEST] = true, [HUMAN_NECK] = true}},
      {.seed = 7, .unmapped = {[HUMAN_NECK] = true, [HUMAN_LEFT_TOES] = true, [HUMAN_UPPER_CHEST] = true}},
  };
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
    for (unsigned form = 0; form < 16; form += 5) compare(&options[i], form);
}

/* Assets are in metres as a rule; one that is not is told by its height, and all its lengths with it. */
Test(avatar_forms, in_centimetres) {
  /* eyes and jaw have an axis of 0.1 whatever the unit */
  synthetic_options metres = {
      .seed = 8,
      .turned = true,
      .between = true,
      .missing = {[HUMAN_LEFT_EYE] = true, [HUMAN_RIGHT_EYE] = true, [HUMAN_JAW] = true}};
  synthetic_options centimetres = metres;
  centimetres.file_scale = 100;
  text small = made_avatar(synthetic_rig(&metres), 0), large = made_avatar(synthetic_rig(&centimetres), 0);
  sinew_rig *wanted = open_sound(&small), *rig = open_sound(&large);
  cr_expect_eq(rig->unit_scale, 0.01);
  cr_expect(rig->unit_inferred && !wanted->unit_inferred);
  cr_assert_eq(rig->warning_count, 1);
  cr_expect_not_null(strstr(rig->warnings[0], "taken as 0.01 m per unit"), "%s", rig->warnings[0]);
  expect_same(rig, wanted);
  sinew_rig_close(rig);
  sinew_rig_close(wanted);
  text_free(&small);
  text_free(&large);
}

Test(avatar_forms, each_form_is_the_same_rig) {
  text plain = made_small_avatar(0), crlf = text_crlf(plain.bytes);
  sinew_rig *wanted = open_sound(&plain);
  for (unsigned form = 0; form < 16; form++) {
    text t = made_small_avatar(form);
    sinew_rig *rig = open_sound(&t);
    cr_expect_str_eq(rig->hash, wanted->hash, "form %u", form);
    sinew_rig_close(rig);
    text_free(&t);
  }
  sinew_rig *rig = open_sound(&crlf);
  cr_expect_str_eq(rig->hash, wanted->hash);
  sinew_rig_close(rig);
  static const char *const marks[] = {"--- &9000000 !u!90\n", "--- !<tag:unity3d.com,2011:90> &9000000\n",
                                      "--- &9000000 !<tag:unity3d.com,2011:90>\n", "--- !u!90\n",
                                      "--- &9000000 !<tag:unity3d.com,2011:90> stripped\n--- &1 !u!90\n"};
  for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
    const char *mark = strstr(plain.bytes, "--- !u!90"), *behind = strchr(mark, '\n') + 1;
    text t = {0};
    text_add(&t, "%.*s%s%s", (int)(mark - plain.bytes), plain.bytes, marks[i], behind);
    rig = open_sound(&t);
    cr_expect_str_eq(rig->hash, wanted->hash, "%s", marks[i]);
    sinew_rig_close(rig);
    text_free(&t);
  }
  sinew_rig_close(wanted);
  text_free(&crlf);
  text_free(&plain);
}

/* ---- what is repaired or looks wrong ----------------------------------------------------------------------
 */

static sinew_rig *open_edited(const char *after, const char *from, const char *to) {
  text base = made_small_avatar(0);
  unsigned line;
  text t = text_replace(base.bytes, after, from, to, &line);
  sinew_rig *rig = open_sound(&t);
  text_free(&t);
  text_free(&base);
  return rig;
}

static void expect_warning(const char *after, const char *from, const char *to, const char *part) {
  sinew_rig *rig = open_edited(after, from, to);
  bool found = false;
  for (uint32_t i = 0; i < rig->warning_count; i++) found |= strstr(rig->warnings[i], part) != NULL;
  cr_expect(found, "no warning \"%s\"; the first of %u: \"%s\"", part, rig->warning_count,
            rig->warning_count ? rig->warnings[0] : "");
  sinew_rig_close(rig);
}

Test(avatar_forms, warnings) {
  expect_warning("m_TOS:", ": Hips\n", ": Hip\n", "the path 'Hip' (line ");
  expect_warning("m_RootX:", "t: {x: ", "t: {x: 1",
                 "from the centre of mass of the stored pose: taken as it is");
  expect_warning("m_RootX:", "q: {", "q: {x: 0.1, y: 0, z: 0, w: 0.99498743710661997} # ",
                 "m_RootX is not the body frame of the stored pose");
  expect_warning("m_RootX:", "q: {", "q: {x: 0, y: 0, z: 0, w: 2} # ", "q (line ");
}

Test(avatar_forms, a_hand_that_is_said_to_be_none) {
  text base = made_small_avatar(0);
  unsigned line;
  text fingers = text_replace(base.bytes, "m_RightHand:", "m_HandBoneIndex: ffffffff",
                              "m_HandBoneIndex: 03000000", &line);
  text t = text_replace(fingers.bytes, NULL, "m_HasRightHand: 1", "m_HasRightHand: 0", &line);
  sinew_rig *rig = open_sound(&t);
  cr_expect_eq(rig->node_of_bone[HUMAN_RIGHT_THUMB_PROXIMAL], -1);
  cr_assert_eq(rig->warning_count, 1);
  cr_expect_not_null(strstr(rig->warnings[0], "m_HasRightHand is 0, but m_HandBoneIndex"), "%s",
                     rig->warnings[0]);
  sinew_rig_close(rig);
  text_free(&t);
  text_free(&fingers);
  text_free(&base);
}

/* A human bone takes the place the human skeleton gives it, its node in the output too. */
Test(avatar_forms, the_human_skeleton_has_the_places) {
  text base = made_small_avatar(0);
  sinew_rig *plain = open_sound(&base);
  int32_t spine = plain->node_of_bone[HUMAN_SPINE];
  char line[256], moved[256];
  snprintf(line, sizeof line, "- t: {x: %.17g, y: %.17g, z: %.17g}", plain->nodes[spine].t[0],
           plain->nodes[spine].t[1], plain->nodes[spine].t[2]);
  snprintf(moved, sizeof moved, "- t: {x: %.17g, y: %.17g, z: %.17g}", plain->nodes[spine].t[0] + 0.01,
           plain->nodes[spine].t[1], plain->nodes[spine].t[2]);
  unsigned number;
  text t = text_replace(base.bytes, "m_SkeletonPose:", line, moved, &number);
  sinew_rig *rig = open_sound(&t);
  cr_expect_float_eq(rig->nodes[spine].t[0], plain->nodes[spine].t[0] + 0.01, 1e-15);
  cr_expect_float_eq(rig->offset[HUMAN_SPINE][0], plain->offset[HUMAN_SPINE][0] + 0.01, 1e-15);
  cr_assert_geq(rig->warning_count, 1);
  cr_expect_not_null(strstr(rig->warnings[0],
                            "1 node of the human skeleton stands elsewhere than in m_AvatarSkeletonPose, "
                            "\"Spine\" by 0.01 of the file's unit"),
                     "%s", rig->warnings[0]);
  sinew_rig_close(rig);
  text_free(&t);
  sinew_rig_close(plain);
  text_free(&base);
}

/* The output rests as m_AvatarSkeletonPose has it, the T-pose is the human skeleton's; one in between is
 * turned as the human skeleton has it in both. */
Test(avatar_forms, rest_and_t_pose) {
  text base = made_small_avatar(0);
  sinew_rig *plain = open_sound(&base);
  int32_t arm = plain->node_of_bone[HUMAN_LEFT_UPPER_ARM];
  int32_t neck = plain->nodes[plain->node_of_bone[HUMAN_HEAD]].parent;
  cr_assert_str_eq(plain->nodes[neck].name, "Neck");
  text t = {0};
  const char *pose = strstr(base.bytes, "m_AvatarSkeletonPose:"), *p = pose;
  for (int32_t i = 0, at = arm < neck ? arm : neck; i <= at; i++) p = strstr(p + 1, "- t:");
  const char *q = strstr(p, "q: {"), *end = strchr(q, '\n');
  text_add(&t, "%.*sq: {x: 0.6, y: 0, z: 0, w: 0.8}%s", (int)(q - base.bytes), base.bytes, end);
  text two = {0};
  p = strstr(t.bytes, "m_AvatarSkeletonPose:");
  for (int32_t i = 0, at = arm < neck ? neck : arm; i <= at; i++) p = strstr(p + 1, "- t:");
  q = strstr(p, "q: {"), end = strchr(q, '\n');
  text_add(&two, "%.*sq: {x: 0.6, y: 0, z: 0, w: 0.8}%s", (int)(q - t.bytes), t.bytes, end);
  sinew_rig *rig = open_sound(&two);
  cr_expect_eq(rig->nodes[arm].q[0], 0.6 / sqrt(0.6 * 0.6 + 0.8 * 0.8));
  cr_expect_lt(furthest(rig->rest_q[HUMAN_LEFT_UPPER_ARM], plain->rest_q[HUMAN_LEFT_UPPER_ARM], 4), 1e-15);
  cr_expect_lt(furthest(rig->nodes[neck].q, plain->nodes[neck].q, 4), 1e-15);
  cr_expect_lt(furthest(rig->between[HUMAN_HEAD], plain->between[HUMAN_HEAD], 4), 1e-15);
  cr_expect_lt(furthest(rig->offset[HUMAN_LEFT_LOWER_ARM], plain->offset[HUMAN_LEFT_LOWER_ARM], 3), 1e-15);
  cr_assert_eq(rig->warning_count, 1);
  cr_expect_not_null(strstr(rig->warnings[0], "1 node between human bones is turned otherwise"), "%s",
                     rig->warnings[0]);
  sinew_rig_close(rig);
  sinew_rig_close(plain);
  text_free(&two);
  text_free(&t);
  text_free(&base);
}

Test(avatar_forms, limits_of_its_own) {
  sinew_rig *rig = open_edited("m_Skeleton:", "m_Max: {x: 0.69813", "m_Max: {x: 0.5, a: 0.69813");
  cr_expect(rig->custom_limits[HUMAN_SPINE]);
  cr_expect_eq(rig->axes[HUMAN_SPINE].max_rad[0], 0.5);
  cr_expect_not(rig->custom_limits[HUMAN_HEAD]);
  sinew_rig_close(rig);
  expect_warning("m_Skeleton:", "m_Max: {x: 0.69813", "m_Max: {x: 3.3, a: 0.69813",
                 "Spine: limits -0.698132 to 3.3 rad about x cannot be used");
}

/* A name may hold a '/': what the path has beyond its parent's is the name. */
Test(avatar_forms, names_with_slashes) {
  sinew_rig *rig = open_edited("m_TOS:", ": Hips/Spine/Neck\n", ": Hips/Spine/a/b\n");
  int32_t neck = rig->nodes[rig->node_of_bone[HUMAN_HEAD]].parent;
  cr_expect_str_eq(rig->nodes[neck].name, "a/b");
  cr_expect_str_eq(rig->nodes[rig->node_of_bone[HUMAN_HEAD]].name, "Head");
  sinew_rig_close(rig);
}

Test(avatar_forms, the_first_of_two) {
  text one = made_small_avatar(0), two = {0};
  text_add(&two, "%s%s", one.bytes, strstr(one.bytes, "--- !u!90"));
  sinew_rig *rig = open_sound(&two);
  cr_assert_eq(rig->warning_count, 1);
  cr_expect_str_eq(rig->warnings[0], "the file holds 2 Avatars: the first, 'Made', is taken");
  sinew_rig_close(rig);
  text_free(&two);
  text_free(&one);
}
