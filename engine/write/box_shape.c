#include "write/box_shape.h"

#include <math.h>
#include <string.h>

#include "rig/quat.h"

/* ---- proportions, as shares of the body's height unless said otherwise ----------------------------------
 */

enum { FIRST_FINGER = HUMAN_LEFT_THUMB_PROXIMAL, FINGER_END = HUMAN_UPPER_CHEST, FINGER_BONES = 3 };

static const double thickness_of_length = 0.2;
static const double limb_least = 0.02, limb_most = 0.08;
static const double stout_least = 0.045; /* of a neck, feet and toes: short, and yet not thin */
static const double finger_least = 0.006, finger_most = 0.012;
static const double head_length = 0.13, head_width = 0.1, head_depth = 0.12;
static const double torso_least = 0.1, torso_most = 0.25, torso_depth_of_width = 0.55;
static const double hand_length = 0.1, foot_length = 0.1, toes_length = 0.04, finger_length = 0.02;
static const double hand_width_of_length = 0.5;
static const double shortest = 0.005; /* bones at one place still get a box */

/* ---- which bone a box reaches to ------------------------------------------------------------------------
 */

static bool is_finger(int bone) {
  return bone >= FIRST_FINGER && bone < FINGER_END;
}

static bool is_torso(int bone) {
  return bone == HUMAN_HIPS || bone == HUMAN_SPINE || bone == HUMAN_CHEST || bone == HUMAN_UPPER_CHEST;
}

static bool is_stout(int bone) {
  return bone == HUMAN_NECK || bone == HUMAN_LEFT_FOOT || bone == HUMAN_RIGHT_FOOT ||
         bone == HUMAN_LEFT_TOES || bone == HUMAN_RIGHT_TOES;
}

/* The bones that may end a box, the first present one counts; -1 fills up. */
typedef struct box_ends {
  int8_t bones[4];
} box_ends;

static box_ends ends_of(int bone) {
  static const int8_t middle_finger = 6; /* thumb and index come before it, three bones each */
  switch (bone) {
  case HUMAN_HIPS:
    return (box_ends){{HUMAN_SPINE, -1, -1, -1}};
  case HUMAN_SPINE:
    return (box_ends){{HUMAN_CHEST, HUMAN_UPPER_CHEST, HUMAN_NECK, HUMAN_HEAD}};
  case HUMAN_CHEST:
    return (box_ends){{HUMAN_UPPER_CHEST, HUMAN_NECK, HUMAN_HEAD, -1}};
  case HUMAN_UPPER_CHEST:
    return (box_ends){{HUMAN_NECK, HUMAN_HEAD, -1, -1}};
  case HUMAN_NECK:
    return (box_ends){{HUMAN_HEAD, -1, -1, -1}};
  case HUMAN_LEFT_UPPER_LEG:
  case HUMAN_RIGHT_UPPER_LEG:
  case HUMAN_LEFT_LOWER_LEG:
  case HUMAN_RIGHT_LOWER_LEG:
  case HUMAN_LEFT_SHOULDER:
  case HUMAN_RIGHT_SHOULDER:
  case HUMAN_LEFT_UPPER_ARM:
  case HUMAN_RIGHT_UPPER_ARM:
  case HUMAN_LEFT_LOWER_ARM:
  case HUMAN_RIGHT_LOWER_ARM: /* the tables go down a limb left, right, left, right */
    return (box_ends){{(int8_t)(bone + 2), -1, -1, -1}};
  case HUMAN_LEFT_FOOT:
    return (box_ends){{HUMAN_LEFT_TOES, -1, -1, -1}};
  case HUMAN_RIGHT_FOOT:
    return (box_ends){{HUMAN_RIGHT_TOES, -1, -1, -1}};
  case HUMAN_LEFT_HAND:
    return (box_ends){{(int8_t)(HUMAN_LEFT_THUMB_PROXIMAL + middle_finger), -1, -1, -1}};
  case HUMAN_RIGHT_HAND:
    return (box_ends){{(int8_t)(HUMAN_RIGHT_THUMB_PROXIMAL + middle_finger), -1, -1, -1}};
  default:
    break;
  }
  if (is_finger(bone) && (bone - FIRST_FINGER) % FINGER_BONES < FINGER_BONES - 1)
    return (box_ends){{(int8_t)(bone + 1), -1, -1, -1}};
  return (box_ends){{-1, -1, -1, -1}};
}

/* ---- length and direction -------------------------------------------------------------------------------
 */

static double clamp(double value, double least, double most) {
  return value < least ? least : value > most ? most : value;
}

static void between(rest_places places, int32_t from, int32_t to, double out[3]) {
  for (int c = 0; c < 3; c++) out[c] = places[to][c] - places[from][c];
}

/* Where no bone follows: the head rises, feet and toes point forward, the rest goes on as its parent bone
 * came in. */
static void free_end(const sinew_rig *rig, rest_places places, int bone, double to_end[3]) {
  bool foot = bone == HUMAN_LEFT_FOOT || bone == HUMAN_RIGHT_FOOT;
  bool toes = bone == HUMAN_LEFT_TOES || bone == HUMAN_RIGHT_TOES;
  double length = bone == HUMAN_HEAD ? head_length
                  : foot             ? foot_length
                  : toes             ? toes_length
                  : is_finger(bone)  ? finger_length
                                     : hand_length;
  double along[3] = {0, !foot && !toes, foot || toes};
  if (bone != HUMAN_HEAD && !foot && !toes && rig->parent_bone[bone] >= 0) {
    between(places, rig->node_of_bone[rig->parent_bone[bone]], rig->node_of_bone[bone], along);
    if (vec_normalise(along) == 0) along[1] = 1;
  }
  for (int c = 0; c < 3; c++) to_end[c] = along[c] * length * rig->height_m;
}

static void find_end(const sinew_rig *rig, rest_places places, int bone, double to_end[3]) {
  box_ends ends = ends_of(bone);
  for (int i = 0; i < 4; i++) {
    if (ends.bones[i] < 0 || rig->node_of_bone[ends.bones[i]] < 0) continue;
    between(places, rig->node_of_bone[bone], rig->node_of_bone[ends.bones[i]], to_end);
    return;
  }
  free_end(rig, places, bone, to_end);
}

/* ---- width and depth --------------------------------------------------------------------------------------
 */

/* The torso is as wide as what hangs on it: the hips as the legs, the rest as the arms. */
static double torso_width(const sinew_rig *rig, rest_places places, int bone) {
  int left = bone == HUMAN_HIPS ? HUMAN_LEFT_UPPER_LEG : HUMAN_LEFT_UPPER_ARM;
  double apart[3];
  between(places, rig->node_of_bone[left], rig->node_of_bone[left + 1], apart);
  double share = bone == HUMAN_HIPS ? 1.6 : bone == HUMAN_SPINE ? 0.65 : 0.8;
  return clamp(share * sqrt(vec_dot(apart, apart)), torso_least * rig->height_m, torso_most * rig->height_m);
}

static void find_thickness(const sinew_rig *rig, rest_places places, int bone, box_shape *shape) {
  double height_m = rig->height_m;
  if (is_torso(bone)) {
    shape->width_m = torso_width(rig, places, bone);
    shape->depth_m = shape->width_m * torso_depth_of_width;
  } else if (bone == HUMAN_HEAD) {
    shape->width_m = head_width * height_m;
    shape->depth_m = head_depth * height_m;
  } else {
    bool finger = is_finger(bone), hand = bone == HUMAN_LEFT_HAND || bone == HUMAN_RIGHT_HAND;
    double least = finger ? finger_least : is_stout(bone) ? stout_least : limb_least;
    double thickness_m = clamp(thickness_of_length * shape->length_m, least * height_m,
                               (finger ? finger_most : limb_most) * height_m);
    shape->width_m = shape->depth_m = thickness_m;
    /* a hand lies flat: its depth axis is forward in T-pose */
    if (hand)
      shape->depth_m = clamp(hand_width_of_length * shape->length_m, thickness_m, limb_most * height_m);
  }
}

/* Depth lies as near to the model's forward as it can, or to up for boxes that point forward themselves. */
static void find_axes(const double to_end[3], box_shape *shape) {
  memcpy(shape->axis, to_end, sizeof shape->axis);
  if (vec_normalise(shape->axis) == 0) shape->axis[1] = 1;
  bool forward = fabs(shape->axis[2]) > 0.8;
  double reference[3] = {0, forward, !forward};
  double along = vec_dot(reference, shape->axis);
  for (int c = 0; c < 3; c++) shape->depth_axis[c] = reference[c] - along * shape->axis[c];
  vec_normalise(shape->depth_axis);
  vec_cross(shape->depth_axis, shape->axis, shape->width_axis);
}

bool box_shape_of(const sinew_rig *rig, rest_places places, int bone, box_shape *shape) {
  int32_t node = rig->node_of_bone[bone];
  if (node < 0 || bone == HUMAN_LEFT_EYE || bone == HUMAN_RIGHT_EYE || bone == HUMAN_JAW) return false;
  double to_end[3];
  find_end(rig, places, bone, to_end);
  find_axes(to_end, shape);
  memcpy(shape->start_m, places[node], sizeof shape->start_m);
  shape->length_m = fmax(sqrt(vec_dot(to_end, to_end)), shortest * rig->height_m);
  find_thickness(rig, places, bone, shape);
  return true;
}
