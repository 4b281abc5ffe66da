/* The humanoid's tables: bones, muscles, default limits, axis rules, masses. Data only.
 * Sources: public engine documentation for names, order, muscles and default limits; the rest measured on public avatars. */
#ifndef SINEW_RIG_HUMAN_H
#define SINEW_RIG_HUMAN_H

#include "sinew.h"

enum human_bone {
  HUMAN_HIPS = 0, HUMAN_LEFT_UPPER_LEG, HUMAN_RIGHT_UPPER_LEG, HUMAN_LEFT_LOWER_LEG, HUMAN_RIGHT_LOWER_LEG,
  HUMAN_LEFT_FOOT, HUMAN_RIGHT_FOOT, HUMAN_SPINE, HUMAN_CHEST, HUMAN_NECK, HUMAN_HEAD, HUMAN_LEFT_SHOULDER,
  HUMAN_RIGHT_SHOULDER, HUMAN_LEFT_UPPER_ARM, HUMAN_RIGHT_UPPER_ARM, HUMAN_LEFT_LOWER_ARM, HUMAN_RIGHT_LOWER_ARM,
  HUMAN_LEFT_HAND, HUMAN_RIGHT_HAND, HUMAN_LEFT_TOES, HUMAN_RIGHT_TOES, HUMAN_LEFT_EYE, HUMAN_RIGHT_EYE, HUMAN_JAW,
  HUMAN_LEFT_THUMB_PROXIMAL = 24, HUMAN_RIGHT_THUMB_PROXIMAL = 39, HUMAN_UPPER_CHEST = 54,
  HUMAN_BONE_COUNT = 55
};

typedef enum human_x_rule { /* where a bone's twist axis points in T-pose, avatar.md 1 */
  HUMAN_X_CHILD, HUMAN_X_UP, HUMAN_X_DOWN, HUMAN_X_FORWARD, HUMAN_X_PARENT
} human_x_rule;
typedef enum human_y_rule { /* avatar.md 2: y = normalize(...) */
  HUMAN_Y_X_CROSS_RIGHT, HUMAN_Y_RIGHT_CROSS_X, HUMAN_Y_UP_CROSS_X, HUMAN_Y_FORWARD_CROSS_X
} human_y_rule;

typedef struct human_bone_entry {
  const char *name;       /* "LeftUpperArm", "LeftThumbProximal" */
  const char *trait_name; /* as a humanDescription writes it: "LeftUpperArm", "Left Thumb Proximal" */
  bool required;
  int8_t parent;          /* full-humanoid parent, -1 for the hips */
  int8_t muscle[3];       /* muscle on x (twist), y, z; -1: none */
  human_x_rule x_rule;
  human_y_rule y_rule;
  double d[3];            /* the fixed turn D = normalize(d, 1) of the zero pose */
  double sgn[3];
  double mass;            /* of 82.5; 0 for fingers */
} human_bone_entry;
extern const human_bone_entry human_bones[HUMAN_BONE_COUNT];

typedef struct human_muscle_entry {
  const char *attribute; /* the curve's name in a clip */
  double min_deg;
  double max_deg;
  int8_t bone;
  uint8_t axis; /* 0 x, 1 y, 2 z */
} human_muscle_entry;
extern const human_muscle_entry human_muscles[SINEW_MUSCLE_COUNT];

/* Parents before children: the order in which all 55 bones are compiled and stored. */
extern const uint8_t human_order[HUMAN_BONE_COUNT];

/* The bone of a humanDescription's humanName, or -1. */
int human_bone_find(const char *trait_name, size_t length);

#endif
