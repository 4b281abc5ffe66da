/* What the compiler refuses, and what it says. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rig/synthetic.h"

static void expect_refusal(const rig_description *description, double unit_scale, sinew_result code,
                           const char *part) {
  sinew_rig *rig = (sinew_rig *)1;
  sinew_error error;
  cr_assert_eq(rig_compile(description, unit_scale, &rig, &error), code, "wanted: %s", part);
  cr_expect_null(rig);
  cr_expect_eq(error.code, code);
  cr_expect_not_null(strstr(error.message, part), "\"%s\" lacks \"%s\"", error.message, part);
}

static void refuse(const rig_description *description, const char *part) {
  expect_refusal(description, 0, SINEW_ERROR_RIG, part);
}

Test(refusals, each_required_bone) {
  int required = 0;
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    if (!human_bones[b].required) continue;
    rig_description *d = synthetic_rig(NULL);
    d->node_of_bone[b] = -1;
    char part[96];
    snprintf(part, sizeof part, "required human bone %s is not mapped", human_bones[b].name);
    refuse(d, part);
    required++;
  }
  cr_expect_eq(required, 15);
}

/* Swaps the nodes of two bones on the same chain: the lower one then lies above. */
static void refuse_swapped(int a, int b, const char *part) {
  rig_description *d = synthetic_rig(NULL);
  int32_t node = d->node_of_bone[a];
  d->node_of_bone[a] = d->node_of_bone[b];
  d->node_of_bone[b] = node;
  refuse(d, part);
}

Test(refusals, broken_hierarchy) {
  refuse_swapped(
      HUMAN_LEFT_UPPER_ARM, HUMAN_LEFT_LOWER_ARM,
      "LeftLowerArm (node \"LeftUpperArm\") does not lie below LeftUpperArm (node \"LeftLowerArm\")");
  refuse_swapped(HUMAN_HIPS, HUMAN_SPINE, "Spine (node \"Hips\") does not lie below Hips (node \"Spine\")");
  refuse_swapped(HUMAN_SPINE, HUMAN_CHEST, "Chest (node \"Spine\") does not lie below Spine");
  refuse_swapped(HUMAN_CHEST, HUMAN_UPPER_CHEST, "UpperChest (node \"Chest\") does not lie below Chest");
  refuse_swapped(HUMAN_NECK, HUMAN_HEAD, "Head (node \"Neck\") does not lie below Neck");
  refuse_swapped(HUMAN_RIGHT_SHOULDER, HUMAN_RIGHT_UPPER_ARM,
                 "RightUpperArm (node \"RightShoulder\") does not lie below");
  refuse_swapped(HUMAN_LEFT_FOOT, HUMAN_RIGHT_FOOT,
                 "LeftFoot (node \"RightFoot\") does not lie below LeftLowerLeg");
  refuse_swapped(
      HUMAN_LEFT_TOES, HUMAN_LEFT_FOOT,
      "LeftFoot (node \"LeftToes\") hangs from LeftToes (node \"LeftFoot\"), expected LeftLowerLeg");
  refuse_swapped(HUMAN_JAW, HUMAN_LEFT_TOES, "does not lie below");
  refuse_swapped(24, 25, "hangs from LeftThumbIntermediate (node \"LeftThumbProximal\"), expected LeftHand");
  refuse_swapped(27, 42, "LeftIndexProximal (node \"RightIndexProximal\") does not lie below LeftHand");
  refuse_swapped(HUMAN_LEFT_UPPER_LEG, HUMAN_LEFT_LOWER_LEG,
                 "LeftLowerLeg (node \"LeftUpperLeg\") does not lie below");

  synthetic_options o = {.between = true}; /* a finger below its hand, but through another finger's bone */
  rig_description *d = synthetic_rig(&o);
  d->node_of_bone[30] = synthetic_node(d, "before LeftIndexProximal");
  refuse(d, "LeftIndexProximal (node \"LeftIndexProximal\") hangs from LeftMiddleProximal");
}

Test(refusals, broken_map) {
  rig_description *d = synthetic_rig(NULL);
  d->node_of_bone[HUMAN_NECK] = d->node_of_bone[HUMAN_HEAD];
  refuse(d, "node \"Head\" is mapped to two human bones, Neck and Head");
  d = synthetic_rig(NULL);
  d->node_of_bone[HUMAN_JAW] = (int32_t)d->node_count;
  refuse(d, "Jaw is mapped to node 56 of 56");
  d = synthetic_rig(NULL);
  d->nodes[3].parent = 3;
  refuse(d, "node 3 has parent 3");
  d = synthetic_rig(NULL);
  d->nodes[3].parent = -2;
  refuse(d, "node 3 has parent -2");
  d = synthetic_rig(NULL);
  d->node_count = 0;
  refuse(d, "Hips is mapped to node 1 of 0");
  d = synthetic_rig(NULL);
  d->nodes[d->node_of_bone[HUMAN_HEAD]].name = "a\x1b[31m\xff"
                                               "b";
  d->node_of_bone[HUMAN_NECK] = d->node_of_bone[HUMAN_HEAD];
  refuse(d, "node \"a?[31m?b\" is mapped");
}

Test(refusals, scales) {
  static const double bad[] = {0, -1, NAN};
  for (int i = 0; i < 3; i++) {
    rig_description *d = synthetic_rig(NULL);
    d->nodes[d->node_of_bone[HUMAN_CHEST]].s[1] = bad[i];
    refuse(d, "node \"Chest\" above a human bone has scale 1, ");
  }
  rig_description *d = synthetic_rig(NULL); /* nothing human hangs below: any scale will do */
  d->nodes[d->node_of_bone[HUMAN_JAW]].s[0] = -1;
  sinew_rig *rig;
  cr_assert_eq(rig_compile(d, 0, &rig, NULL), SINEW_OK);
  sinew_rig_close(rig);
  d = synthetic_rig(NULL);
  d->nodes[0].s[0] = d->nodes[0].s[1] = d->nodes[0].s[2] = 1e-11;
  d->nodes[1].t[1] = 1e11;
  for (int k = 0; k < 3; k++) d->nodes[1].s[k] = 1e11;
  refuse(d, "the nodes above the hips scale by 1e-11");
}

Test(refusals, shapes) {
  rig_description *d = synthetic_rig(NULL);
  d->nodes[1].t[1] = 1e13;
  refuse(d, "node \"Hips\" lies or scales beyond");
  d->nodes[1].t[1] = NAN;
  refuse(d, "node \"Hips\" lies or scales beyond");
  d = synthetic_rig(NULL);
  memcpy(d->nodes[0].q, (double[4]){0, 0, 1, 0}, 4 * sizeof(double));
  refuse(d, "the head is not above the feet");
  d = synthetic_rig(NULL);
  memcpy(d->nodes[0].q, (double[4]){0, 1, 0, 0}, 4 * sizeof(double));
  refuse(d, "the body faces -Z");
  d = synthetic_rig(NULL);
  d->nodes[1].t[1] -= 2;
  refuse(d, "centre of mass stands at height");
  d = synthetic_rig(NULL); /* arms where the legs are */
  for (int side = 0; side < 2; side++) {
    synthetic_options plain = {0};
    double arm[3], leg[3];
    synthetic_place(&plain, HUMAN_LEFT_UPPER_ARM + side, arm);
    synthetic_place(&plain, HUMAN_LEFT_UPPER_LEG + side, leg);
    rig_node *node = &d->nodes[d->node_of_bone[HUMAN_LEFT_UPPER_ARM + side]];
    for (int k = 0; k < 3; k++) node->t[k] += leg[k] - arm[k];
  }
  refuse(d, "has no body frame");
}

Test(refusals, units) {
  static const double bad[] = {-1, NAN, INFINITY};
  for (int i = 0; i < 3; i++)
    expect_refusal(synthetic_rig(NULL), bad[i], SINEW_ERROR_ARGUMENT, "expected metres per unit");
  expect_refusal(synthetic_rig(NULL), 1e-12, SINEW_ERROR_RIG, "too small to compute with");
  rig_description *d = synthetic_rig(NULL);
  d->nodes[1].t[1] = 1e9;
  expect_refusal(d, 1e9, SINEW_ERROR_RIG, "node \"Hips\" lies or scales beyond");
}

/* Joints number their parents in 16 bits. */
Test(refusals, more_nodes_than_joints_can_number) {
  enum { MOST = 32767 };
  static rig_node nodes[MOST + 1];
  rig_description *d = synthetic_rig(NULL);
  memcpy(nodes, d->nodes, d->node_count * sizeof *nodes);
  for (uint32_t i = d->node_count; i <= MOST; i++) nodes[i] = (rig_node){"prop", 0, {0}, {0, 0, 0, 1}, {1, 1, 1}};
  d->nodes = nodes;
  d->node_count = MOST;
  sinew_rig *rig;
  cr_expect_eq(rig_compile(d, 0, &rig, NULL), SINEW_OK);
  sinew_rig_close(rig);
  d->node_count = MOST + 1;
  expect_refusal(d, 0, SINEW_ERROR_LIMIT, "the rig has 32768 nodes, at most 32767 can be written");
}
