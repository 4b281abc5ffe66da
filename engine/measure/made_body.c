#include "measure/made_body.h"
#include "base/error.h"

#include <string.h>

/* Metres, in root space: the middle and the left half; the right half mirrors X. */
static const double places[HUMAN_LEFT_THUMB_PROXIMAL][3] = {
    [HUMAN_HIPS] = {0, 0.95, 0},
    [HUMAN_LEFT_UPPER_LEG] = {-0.09, 0.9, 0.005},
    [HUMAN_LEFT_LOWER_LEG] = {-0.095, 0.49, 0.01},
    [HUMAN_LEFT_FOOT] = {-0.1, 0.08, -0.02},
    [HUMAN_LEFT_TOES] = {-0.105, 0.02, 0.1},
    [HUMAN_SPINE] = {0, 1.05, -0.005},
    [HUMAN_CHEST] = {0, 1.16, -0.01},
    [HUMAN_NECK] = {0, 1.44, -0.025},
    [HUMAN_HEAD] = {0, 1.53, -0.005},
    [HUMAN_LEFT_SHOULDER] = {-0.04, 1.39, -0.02},
    [HUMAN_LEFT_UPPER_ARM] = {-0.16, 1.39, -0.025},
    [HUMAN_LEFT_LOWER_ARM] = {-0.43, 1.385, -0.03},
    [HUMAN_LEFT_HAND] = {-0.67, 1.39, -0.015},
    [HUMAN_LEFT_EYE] = {-0.03, 1.6, 0.08},
    [HUMAN_JAW] = {0, 1.55, 0.03},
};
static const double upper_chest[3] = {0, 1.28, -0.02};

enum { FINGER_JOINTS = 3, HAND_JOINTS = 15 };

static bool is_right(int bone) {
  return bone >= HUMAN_RIGHT_THUMB_PROXIMAL ? bone != HUMAN_UPPER_CHEST
                                            : strncmp(human_bones[bone].name, "Right", 5) == 0;
}

/* Fingers spread along Z, their joints outward; the thumb points forward. */
static void finger_place(int joint_of_hand, double place[3]) {
  const int finger = joint_of_hand / FINGER_JOINTS, joint = joint_of_hand % FINGER_JOINTS;
  const double *hand = places[HUMAN_LEFT_HAND];
  const double out = finger == 0 ? 0.025 : 0.085;
  place[0] = hand[0] - out - 0.028 * joint;
  place[1] = hand[1] - 0.003 * joint;
  place[2] = hand[2] + 0.045 - 0.022 * finger + (finger == 0 ? 0.02 * joint : 0);
}

static void bone_place(int bone, double place[3]) {
  if (bone == HUMAN_UPPER_CHEST)
    memcpy(place, upper_chest, sizeof upper_chest);
  else if (bone >= HUMAN_LEFT_THUMB_PROXIMAL)
    finger_place((bone - HUMAN_LEFT_THUMB_PROXIMAL) % HAND_JOINTS, place);
  else
    memcpy(place, places[is_right(bone) ? bone - 1 : bone], 3 * sizeof *place);
  if (is_right(bone)) place[0] = -place[0];
}

static bool has_bone(made_body_bones bones, int bone) {
  const bool face_or_finger = bone >= HUMAN_LEFT_EYE && bone < HUMAN_UPPER_CHEST;
  return bones == MADE_BODY_ALL || !face_or_finger;
}

/* Every node is a bone and stands unturned. */
static void describe(made_body_bones bones, rig_node nodes[HUMAN_BONE_COUNT], rig_description *out) {
  *out = (rig_description){.name = "made body", .nodes = nodes, .kind = "made"};
  out->arm_twist = out->fore_arm_twist = out->upper_leg_twist = out->leg_twist = 0.5;
  out->arm_stretch = out->leg_stretch = 0.05;
  for (int i = 0; i < HUMAN_BONE_COUNT; i++) {
    const int bone = human_order[i], above = human_bones[bone].parent;
    out->node_of_bone[bone] = -1;
    if (!has_bone(bones, bone)) continue;
    double place[3], parent_place[3] = {0, 0, 0};
    bone_place(bone, place);
    if (above >= 0) bone_place(above, parent_place);
    rig_node *node = &nodes[out->node_count];
    *node = (rig_node){.name = human_bones[bone].name,
                       .parent = above >= 0 ? out->node_of_bone[above] : -1,
                       .q = {0, 0, 0, 1},
                       .s = {1, 1, 1}};
    for (int k = 0; k < 3; k++) node->t[k] = place[k] - parent_place[k];
    out->node_of_bone[bone] = (int32_t)out->node_count++;
  }
}

sinew_result made_body(made_body_bones bones, sinew_rig **rig, sinew_error *error) {
  rig_node nodes[HUMAN_BONE_COUNT];
  rig_description description;
  describe(bones, nodes, &description);
  return rig_compile(&description, 1, rig, error);
}
