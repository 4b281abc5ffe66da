#include "map/hierarchy_check.h"

static bool is_arm_root(const int32_t *node_of_bone, int bone) {
  return bone == HUMAN_LEFT_SHOULDER || bone == HUMAN_RIGHT_SHOULDER ||
         (bone == HUMAN_LEFT_UPPER_ARM && node_of_bone[HUMAN_LEFT_SHOULDER] < 0) ||
         (bone == HUMAN_RIGHT_UPPER_ARM && node_of_bone[HUMAN_RIGHT_SHOULDER] < 0);
}

/* Clavicles hang from the spine, the chest or the neck. */
static int wanted_above(const int32_t *node_of_bone, int bone) {
  int wanted = is_arm_root(node_of_bone, bone) ? HUMAN_SPINE : human_bones[bone].parent;
  while (wanted >= 0 && node_of_bone[wanted] < 0) wanted = human_bones[wanted].parent;
  return wanted;
}

static void leave_out(int32_t *node_of_bone, int bone, int against, map_fault *faults, uint32_t *count) {
  if (*count < MAP_FAULTS) faults[(*count)++] = (map_fault){bone, node_of_bone[bone], against};
  node_of_bone[bone] = -1;
}

static void check_twice(int32_t *node_of_bone, map_fault *faults, uint32_t *count) {
  for (int bone = 1; bone < HUMAN_BONE_COUNT; bone++)
    for (int other = 0; other < bone; other++) {
      if (node_of_bone[bone] < 0 || node_of_bone[other] != node_of_bone[bone]) continue;
      if (human_bones[bone].required && !human_bones[other].required)
        leave_out(node_of_bone, other, bone, faults, count);
      else
        leave_out(node_of_bone, bone, other, faults, count);
    }
}

/* A bone's table parents come before it in no order of numbers: one pass for each generation. */
static bool check_above(const node_tree *tree, int32_t *node_of_bone, map_fault *faults, uint32_t *count) {
  for (int bone = 1; bone < HUMAN_BONE_COUNT; bone++) {
    const int wanted = node_of_bone[bone] < 0 ? -1 : wanted_above(node_of_bone, bone);
    if (wanted < 0 || node_is_above(tree, node_of_bone[wanted], node_of_bone[bone])) continue;
    if (human_bones[bone].required && !human_bones[wanted].required)
      leave_out(node_of_bone, wanted, bone, faults, count);
    else
      leave_out(node_of_bone, bone, wanted, faults, count);
    return false;
  }
  return true;
}

uint32_t map_leave_out_faults(const node_tree *tree, int32_t *node_of_bone, map_fault faults[MAP_FAULTS]) {
  uint32_t count = 0;
  check_twice(node_of_bone, faults, &count);
  while (!check_above(tree, node_of_bone, faults, &count)) {
  }
  return count;
}

uint32_t map_required_count(const int32_t *node_of_bone) {
  uint32_t count = 0;
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    count += human_bones[bone].required && node_of_bone[bone] >= 0;
  return count;
}
