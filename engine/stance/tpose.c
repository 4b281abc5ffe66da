#include "stance/tpose.h"

#include "rig/quat.h"

#include <string.h>

/* What is kept, in degrees. */
static const double kept_trunk = 30, kept_shoulder = 60, kept_limb = 5, kept_hand = 10, kept_thumb = 15,
                    kept_foot = 10, kept_palm = 15, kept_palm_by_thumb = 60, kept_yaw = 10;

/* A direction that is shorter than this share of the way it is part of says nothing. */
static const double least_share = 0.25;

static const double x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};

/* true when it was turned. */
static bool aim(turned_body *body, int bone, const double way[3], const double goal[3], double kept) {
  double turn[4];
  if (way_degrees(way, goal) <= kept) return false;
  shortest_turn(way, goal, turn);
  turned_body_turn(body, body->node_of_bone[bone], turn);
  return true;
}

static bool aim_at(turned_body *body, int bone, int child, const double goal[3], double kept) {
  double way[3];
  return bone_way(body, bone, child, way) > 0 && aim(body, bone, way, goal, kept);
}

/* About an axis, so that `way` lies as near to `goal` as a turn about it brings it. false: kept. */
static bool roll(turned_body *body, int bone, const double axis[3], const double way[3], const double goal[3],
                 double kept) {
  double a[3], b[3], turn[4];
  const double along_a = vec_dot(way, axis), along_b = vec_dot(goal, axis);
  for (int k = 0; k < 3; k++) a[k] = way[k] - along_a * axis[k], b[k] = goal[k] - along_b * axis[k];
  if (vec_normalise(a) < least_share || vec_normalise(b) < least_share || way_degrees(a, b) <= kept)
    return false;
  shortest_turn(a, b, turn);
  if (vec_dot(a, b) < -1 + 1e-9) { /* half around: about this axis and no other */
    memcpy(turn, axis, 3 * sizeof *turn);
    turn[3] = 0;
  }
  turned_body_turn(body, body->node_of_bone[bone], turn);
  return true;
}

/* To the first child node that lies apart. */
static bool way_to_end(const turned_body *body, int bone, double way[3]) {
  const int32_t node = body->node_of_bone[bone];
  for (uint32_t i = (uint32_t)node + 1; i < body->s->node_count; i++) {
    if (body->s->nodes[i].parent != node) continue;
    for (int k = 0; k < 3; k++) way[k] = body->t[i][k] - body->t[node][k];
    if (vec_normalise(way) > 0) return true;
  }
  return false;
}

/* ---- trunk -------------------------------------------------------------------------------------------- */

static bool turn_trunk(turned_body *body) {
  static const int trunk[] = {HUMAN_SPINE, HUMAN_CHEST, HUMAN_UPPER_CHEST, HUMAN_NECK, HUMAN_HEAD};
  bool turned = false;
  int top = HUMAN_SPINE;
  for (int i = 0; i < 4; i++) {
    if (!has_bone(body, trunk[i])) continue;
    int next = i + 1;
    double way[3];
    while (next < 4 && !(bone_way(body, trunk[i], trunk[next], way) > 0)) next++;
    turned |= aim_at(body, trunk[i], trunk[next], y_axis, kept_trunk);
    if (trunk[i] != HUMAN_NECK) top = trunk[i];
  }
  double line[3];
  if (bone_way(body, HUMAN_RIGHT_UPPER_ARM, HUMAN_LEFT_UPPER_ARM, line) > 0)
    turned |= roll(body, top, y_axis, line, x_axis, kept_yaw);
  return turned;
}

/* ---- arms --------------------------------------------------------------------------------------------- */

static int finger(int side, int which, int joint) {
  return (side ? HUMAN_RIGHT_THUMB_PROXIMAL : HUMAN_LEFT_THUMB_PROXIMAL) + 3 * which + joint;
}

/* From the hand to its fingers: to the middle one, else to the mean of those there are, else to an end. */
static bool hand_way(const turned_body *body, int side, double way[3]) {
  const int hand = HUMAN_LEFT_HAND + side;
  if (bone_way(body, hand, finger(side, 2, 0), way) > 0) return true;
  double sum[3] = {0, 0, 0};
  for (int which = 1; which < 5; which++)
    if (bone_way(body, hand, finger(side, which, 0), way) > 0)
      for (int k = 0; k < 3; k++) sum[k] += way[k];
  memcpy(way, sum, sizeof sum);
  if (vec_normalise(way) > 0) return true;
  const int32_t node = body->node_of_bone[hand];
  for (uint32_t i = (uint32_t)node + 1; i < body->s->node_count; i++)
    if (body->s->nodes[i].parent == node && body->s->nodes[i].is_joint) return false; /* of whatever it is */
  return way_to_end(body, hand, way);
}

static void aim_hand(turned_body *body, int side, const double goal[3]) {
  double way[3];
  if (hand_way(body, side, way)) aim(body, HUMAN_LEFT_HAND + side, way, goal, kept_hand);
}

/* The index finger lies before the little one when palms look down; a thumb alone says it roughly. */
static bool turn_palm(turned_body *body, int side, const double goal[3]) {
  double way[3];
  int first = 1, last = 4;
  while (first < 5 && !has_bone(body, finger(side, first, 0))) first++;
  while (last > first && !has_bone(body, finger(side, last, 0))) last--;
  const int lower = HUMAN_LEFT_LOWER_ARM + side;
  if (last > first && bone_way(body, finger(side, last, 0), finger(side, first, 0), way) > 0)
    return roll(body, lower, goal, way, z_axis, kept_palm);
  return bone_way(body, HUMAN_LEFT_HAND + side, finger(side, 0, 0), way) > 0 &&
         roll(body, lower, goal, way, z_axis, kept_palm_by_thumb);
}

static void turn_finger(turned_body *body, int side, int which, const double goal[3], double kept) {
  for (int joint = 0; joint < 3; joint++) {
    const int bone = finger(side, which, joint);
    double way[3];
    if (!has_bone(body, bone)) return;
    if (joint < 2 && bone_way(body, bone, bone + 1, way) > 0)
      aim(body, bone, way, goal, kept);
    else if (way_to_end(body, bone, way))
      aim(body, bone, way, goal, kept);
  }
}

static void turn_arm(turned_body *body, int side) {
  const double out[3] = {side ? -1 : 1, 0, 0}, half = 0.70710678118654757;
  const double thumb[3] = {side ? -half : half, 0, half};
  const int shoulder = HUMAN_LEFT_SHOULDER + side, upper = HUMAN_LEFT_UPPER_ARM + side,
            lower = HUMAN_LEFT_LOWER_ARM + side, hand = HUMAN_LEFT_HAND + side;
  aim_at(body, shoulder, upper, out, kept_shoulder);
  aim_at(body, upper, lower, out, kept_limb);
  aim_at(body, lower, hand, out, kept_limb);
  aim_hand(body, side, out);
  if (turn_palm(body, side, out)) aim_hand(body, side, out);
  turn_finger(body, side, 0, thumb, kept_thumb);
  for (int which = 1; which < 5; which++) turn_finger(body, side, which, out, kept_hand);
}

/* ---- legs --------------------------------------------------------------------------------------------- */

static void turn_leg(turned_body *body, int side) {
  const double down[3] = {0, -1, 0};
  const int upper = HUMAN_LEFT_UPPER_LEG + side, lower = HUMAN_LEFT_LOWER_LEG + side,
            foot = HUMAN_LEFT_FOOT + side, toes = HUMAN_LEFT_TOES + side;
  double flat[4], way[3];
  memcpy(flat, body->q[body->node_of_bone[foot]], sizeof flat);
  bool turned = aim_at(body, upper, lower, down, kept_limb);
  turned |= aim_at(body, lower, foot, down, kept_limb);
  if (turned) turned_body_set(body, body->node_of_bone[foot], flat);
  if (bone_way(body, foot, toes, way) > 0 || way_to_end(body, foot, way))
    roll(body, foot, y_axis, way, z_axis, kept_foot);
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

void tpose_turn(turned_body *body) {
  const int32_t head_node = body->node_of_bone[HUMAN_HEAD];
  double head[4];
  memcpy(head, body->q[head_node], sizeof head);
  if (turn_trunk(body)) turned_body_set(body, head_node, head);
  for (int side = 0; side < 2; side++) {
    turn_leg(body, side);
    turn_arm(body, side);
  }
}

void tpose_face(turned_body *body) {
  double line[3];
  if (!(bone_way(body, HUMAN_RIGHT_UPPER_LEG, HUMAN_LEFT_UPPER_LEG, line) > 0)) return;
  roll(body, HUMAN_HIPS, y_axis, line, x_axis, 0);
}
