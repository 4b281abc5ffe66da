#include "stance/named_map.h"

#include <stdio.h>
#include <string.h>

typedef struct named_bone {
  int left_bone;        /* of a pair the left one */
  const char *names[3]; /* %s: the side */
} named_bone;

typedef struct named_rig {
  const char *sides[2];
  named_bone bones[40];
} named_rig;

static const named_rig rigs[] = {
    {{"Left", "Right"},
     {{HUMAN_HIPS, {"Hips"}},
      {HUMAN_LEFT_UPPER_LEG, {"%sUpLeg"}},
      {HUMAN_LEFT_LOWER_LEG, {"%sLeg"}},
      {HUMAN_LEFT_FOOT, {"%sFoot"}},
      {HUMAN_LEFT_TOES, {"%sToeBase"}},
      {HUMAN_SPINE, {"LowerBack", "Spine"}},
      {HUMAN_CHEST, {"Spine1"}},
      {HUMAN_NECK, {"Neck"}},
      {HUMAN_HEAD, {"Head"}},
      {HUMAN_LEFT_SHOULDER, {"%sShoulder"}},
      {HUMAN_LEFT_UPPER_ARM, {"%sArm"}},
      {HUMAN_LEFT_LOWER_ARM, {"%sForeArm"}},
      {HUMAN_LEFT_HAND, {"%sHand"}},
      {HUMAN_LEFT_THUMB_PROXIMAL, {"%sHandThumb1"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 1, {"%sHandThumb2"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 3, {"%sHandIndex1"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 4, {"%sHandIndex2"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 6, {"%sHandMiddle1"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 7, {"%sHandMiddle2"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 9, {"%sHandRing1"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 12, {"%sHandPinky1"}}}},
    {{"Left", "Right"}, /* SOMA */
     {{HUMAN_HIPS, {"Hips"}},
      {HUMAN_LEFT_UPPER_LEG, {"%sLeg"}},
      {HUMAN_LEFT_LOWER_LEG, {"%sShin"}},
      {HUMAN_LEFT_FOOT, {"%sFoot"}},
      {HUMAN_LEFT_TOES, {"%sToeBase"}},
      {HUMAN_SPINE, {"Spine1"}},
      {HUMAN_CHEST, {"Spine2"}},
      {HUMAN_UPPER_CHEST, {"Chest"}},
      {HUMAN_NECK, {"Neck1"}},
      {HUMAN_HEAD, {"Head"}},
      {HUMAN_LEFT_SHOULDER, {"%sShoulder"}},
      {HUMAN_LEFT_UPPER_ARM, {"%sArm"}},
      {HUMAN_LEFT_LOWER_ARM, {"%sForeArm"}},
      {HUMAN_LEFT_HAND, {"%sHand"}},
      {HUMAN_LEFT_THUMB_PROXIMAL, {"%sHandThumb1"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 1, {"%sHandThumb2"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 3, {"%sHandIndex2"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 4, {"%sHandIndex3"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 6, {"%sHandMiddle2"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 7, {"%sHandMiddle3"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 9, {"%sHandRing2"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 12, {"%sHandPinky2"}}}},
    {{"Left", "Right"}, /* collar, shoulder, elbow, wrist */
     {{HUMAN_HIPS, {"Hips"}},
      {HUMAN_LEFT_UPPER_LEG, {"%sHip"}},
      {HUMAN_LEFT_LOWER_LEG, {"%sKnee"}},
      {HUMAN_LEFT_FOOT, {"%sAnkle"}},
      {HUMAN_LEFT_TOES, {"%sToe", "%sToes"}},
      {HUMAN_SPINE, {"lowerback", "Ab", "Chest"}},
      {HUMAN_CHEST, {"Chest2"}},
      {HUMAN_NECK, {"Neck"}},
      {HUMAN_HEAD, {"Head"}},
      {HUMAN_LEFT_SHOULDER, {"%sCollar"}},
      {HUMAN_LEFT_UPPER_ARM, {"%sShoulder"}},
      {HUMAN_LEFT_LOWER_ARM, {"%sElbow"}},
      {HUMAN_LEFT_HAND, {"%sWrist"}}}},
    {{"Left", "Right"}, /* Biovision's example */
     {{HUMAN_HIPS, {"Hips"}},
      {HUMAN_LEFT_UPPER_LEG, {"%sUpLeg"}},
      {HUMAN_LEFT_LOWER_LEG, {"%sLowLeg"}},
      {HUMAN_LEFT_FOOT, {"%sFoot"}},
      {HUMAN_SPINE, {"Chest"}},
      {HUMAN_NECK, {"Neck"}},
      {HUMAN_HEAD, {"Head"}},
      {HUMAN_LEFT_SHOULDER, {"%sCollar"}},
      {HUMAN_LEFT_UPPER_ARM, {"%sUpArm"}},
      {HUMAN_LEFT_LOWER_ARM, {"%sLowArm"}},
      {HUMAN_LEFT_HAND, {"%sHand"}}}},
    {{"l", "r"}, /* the Unreal mannequin's */
     {{HUMAN_HIPS, {"pelvis"}},
      {HUMAN_LEFT_UPPER_LEG, {"thigh_%s", "thigh.%s"}},
      {HUMAN_LEFT_LOWER_LEG, {"calf_%s", "calf.%s"}},
      {HUMAN_LEFT_FOOT, {"foot_%s", "foot.%s"}},
      {HUMAN_LEFT_TOES, {"ball_%s", "ball.%s"}},
      {HUMAN_SPINE, {"spine_01"}},
      {HUMAN_CHEST, {"spine_02"}},
      {HUMAN_UPPER_CHEST, {"spine_03"}},
      {HUMAN_NECK, {"neck_01"}},
      {HUMAN_HEAD, {"head"}},
      {HUMAN_LEFT_SHOULDER, {"clavicle_%s", "clavicle.%s"}},
      {HUMAN_LEFT_UPPER_ARM, {"upperarm_%s", "upperarm.%s"}},
      {HUMAN_LEFT_LOWER_ARM, {"lowerarm_%s", "lowerarm.%s"}},
      {HUMAN_LEFT_HAND, {"hand_%s", "hand.%s"}},
      {HUMAN_LEFT_THUMB_PROXIMAL, {"thumb_01_%s", "thumb_01.%s"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 1, {"thumb_02_%s", "thumb_02.%s"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 3, {"index_01_%s", "index_01.%s"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 4, {"index_02_%s", "index_02.%s"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 6, {"middle_01_%s", "middle_01.%s"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 7, {"middle_02_%s", "middle_02.%s"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 9, {"ring_01_%s", "ring_01.%s"}},
      {HUMAN_LEFT_THUMB_PROXIMAL + 12, {"pinky_01_%s"}}}},
    {{"L", "R"}, /* CesiumMan, whose joints count from one end on the left, from the other on the right */
     {{HUMAN_HIPS, {"Skeleton_torso_joint_1"}},
      {HUMAN_SPINE, {"Skeleton_torso_joint_2"}},
      {HUMAN_CHEST, {"torso_joint_3"}},
      {HUMAN_NECK, {"Skeleton_neck_joint_1"}},
      {HUMAN_HEAD, {"Skeleton_neck_joint_2"}},
      {HUMAN_LEFT_UPPER_LEG, {"leg_joint_%s_1"}},
      {HUMAN_LEFT_LOWER_LEG, {"leg_joint_%s_2"}},
      {HUMAN_LEFT_FOOT, {"leg_joint_%s_3"}},
      {HUMAN_LEFT_TOES, {"leg_joint_%s_5"}},
      {HUMAN_LEFT_UPPER_ARM, {"Skeleton_arm_joint_%s__4_", "Skeleton_arm_joint_%s"}},
      {HUMAN_LEFT_LOWER_ARM, {"Skeleton_arm_joint_%s__3_", "Skeleton_arm_joint_%s__2_"}},
      {HUMAN_LEFT_HAND, {"Skeleton_arm_joint_%s__2_", "Skeleton_arm_joint_%s__3_"}}}},
};

static int32_t node_named(const skeleton *s, const char *name) {
  for (uint32_t i = 0; i < s->node_count; i++) {
    const char *colon = strchr(s->nodes[i].name, ':');
    if (strcmp(colon ? colon + 1 : s->nodes[i].name, name) == 0) return (int32_t)i;
  }
  return -1;
}

static int32_t find(const skeleton *s, const named_bone *bone, const char *side, bool backwards) {
  int32_t node = -1;
  for (int n = 0; n < 3 && node < 0; n++) {
    const char *pattern = bone->names[backwards && n < 2 ? 1 - n : n];
    char name[64];
    if (!pattern) continue;
    const char *at = strstr(pattern, "%s");
    if (at)
      snprintf(name, sizeof name, "%.*s%s%s", (int)(at - pattern), pattern, side, at + 2);
    else
      snprintf(name, sizeof name, "%s", pattern);
    node = node_named(s, name);
  }
  return node;
}

static bool is_paired(const named_bone *bone) {
  return strstr(bone->names[0], "%s") != NULL;
}

static int right_of(int bone) {
  return bone >= HUMAN_LEFT_THUMB_PROXIMAL ? bone + 15 : bone + 1;
}

static bool complete(const int32_t *node_of_bone) {
  for (int b = 0; b < HUMAN_BONE_COUNT; b++)
    if (human_bones[b].required && node_of_bone[b] < 0) return false;
  return true;
}

bool named_map(const skeleton *s, int32_t node_of_bone[HUMAN_BONE_COUNT]) {
  memcpy(node_of_bone, s->node_of_bone, sizeof s->node_of_bone);
  if (complete(node_of_bone)) return true;
  for (size_t r = 0; r < sizeof rigs / sizeof rigs[0]; r++) {
    for (int b = 0; b < HUMAN_BONE_COUNT; b++) node_of_bone[b] = -1;
    for (int i = 0; i < 40 && rigs[r].bones[i].names[0]; i++) {
      const named_bone *bone = &rigs[r].bones[i];
      node_of_bone[bone->left_bone] = find(s, bone, rigs[r].sides[0], false);
      if (is_paired(bone))
        node_of_bone[right_of(bone->left_bone)] =
            find(s, bone, rigs[r].sides[1], rigs[r].sides[1][0] == 'R' && !rigs[r].sides[1][1]);
    }
    if (complete(node_of_bone)) return true;
  }
  return false;
}
