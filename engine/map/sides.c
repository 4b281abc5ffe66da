/* The ankle and the knee are hinges about the body's left-right axis: (knee to hip) x (ankle to toe) points
 * left however the leg is held, and so does thigh x shin of a bent knee. Where the feet have no length and
 * the knees no bend, the way that the hips go is forward; where they go nowhere, the format's convention
 * holds. */
#include "map/sides.h"
#include "rig/quat.h"

#include <string.h>

static const double most_arm_of_human = 0.95; /* to the leg: quadrupeds have more */
static const double mostly_upright = 0.7;
static const double upright_rest = 0.5; /* a rest that stands less is no stance: its bends mean nothing */
static const double feet_speak = 0.08, knees_speak = 0.02, walk_speaks = 0.05, surely = 0.3;

typedef struct side_votes {
  double feet, knees, walk, arms, convention;
  double poses;
} side_votes;

typedef double place3[3];

static void direction(const double from[3], const double to[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = to[k] - from[k];
  vec_normalise(out);
}

static void between(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = 0.5 * (a[k] + b[k]);
}

/* From the hips to the middle of the upper arms. */
static void trunk_direction(const limb_pairs *p, const place3 *place, double out[3]) {
  double middle[3];
  between(place[p->arm[0][0]], place[p->arm[1][0]], middle);
  direction(place[p->hips], middle, out);
}

static double uprightness(const limb_pairs *p, const place3 *place) {
  double trunk[3], leg[3], sum = 0;
  trunk_direction(p, place, trunk);
  for (int i = 0; i < 2; i++) {
    direction(place[p->leg[i][0]], place[p->leg[i][2]], leg);
    sum -= 0.5 * vec_dot(trunk, leg);
  }
  return sum;
}

static void vote_legs(const limb_pairs *p, const int32_t tip[2], const place3 *place, const double left[3],
                      side_votes *votes) {
  double thigh[3], shin[3], foot[3], axis[3];
  for (int i = 0; i < 2; i++) {
    direction(place[p->leg[i][0]], place[p->leg[i][1]], thigh);
    direction(place[p->leg[i][1]], place[p->leg[i][2]], shin);
    direction(place[p->leg[i][2]], place[tip[i]], foot);
    vec_cross(foot, shin, axis);
    votes->feet += 0.5 * vec_dot(axis, left);
    vec_cross(thigh, shin, axis);
    votes->knees += 0.5 * vec_dot(axis, left);
  }
}

/* glTF faces +Z, VRM 0 -Z; a body that stands along Z is taken to face -Y. */
static double convention(const node_tree *tree, const double up[3], const double left[3]) {
  const double facing = strcmp(tree->skeleton->kind, "vrm0") == 0 ? -1 : 1;
  const double forward_y[3] = {0, 0, facing}, forward_z[3] = {0, -1, 0};
  double axis[3];
  vec_cross(up, fabs(up[2]) > 0.7 ? forward_z : forward_y, axis);
  return vec_dot(axis, left);
}

static void vote_pose(const node_tree *tree, const limb_pairs *p, const int32_t tip[2], const place3 *place,
                      const double *hips_before, side_votes *votes) {
  double left[3], arms[3], up[3], way[3], axis[3];
  direction(place[p->leg[1][0]], place[p->leg[0][0]], left);
  direction(place[p->arm[1][0]], place[p->arm[0][0]], arms);
  trunk_direction(p, place, up);
  votes->arms += vec_dot(arms, left);
  votes->convention += convention(tree, up, left);
  vote_legs(p, tip, place, left, votes);
  votes->poses++;
  if (!hips_before || !(node_distance(hips_before, place[p->hips]) > 0.01 * tree->size)) return;
  direction(hips_before, place[p->hips], way);
  vec_cross(up, way, axis);
  votes->walk += vec_dot(axis, left);
}

static void decide(const side_votes *v, body_sides *sides) {
  const double count = v->poses > 0 ? v->poses : 1;
  if (fabs(v->feet) > feet_speak * count)
    sides->leg_left = v->feet / count, sides->proof = SIDE_FEET;
  else if (fabs(v->knees) > knees_speak * count)
    sides->leg_left = v->knees / count, sides->proof = SIDE_KNEES;
  else if (fabs(v->walk) > walk_speaks * count)
    sides->leg_left = v->walk / count, sides->proof = SIDE_WALK;
  else
    sides->leg_left = v->convention < 0 ? -1 : 1, sides->proof = SIDE_ASSUMED;
  sides->sure = sides->proof == SIDE_FEET && fabs(sides->leg_left) > surely;
  sides->arm_left = v->arms < 0 ? -sides->leg_left : sides->leg_left;
  sides->arms_sure = sides->sure && fabs(v->arms) > surely * count;
}

static double limb_length(const node_tree *tree, const int32_t limb[3]) {
  return node_distance(tree->place[limb[0]], tree->place[limb[1]]) +
         node_distance(tree->place[limb[1]], tree->place[limb[2]]);
}

static bool has_long_arms(const node_tree *tree, const limb_pairs *p) {
  return limb_length(tree, p->arm[0]) + limb_length(tree, p->arm[1]) >=
         most_arm_of_human * (limb_length(tree, p->leg[0]) + limb_length(tree, p->leg[1]));
}

body_sides body_sides_measure(const node_tree *tree, const node_places *places, const limb_pairs *p,
                              double (*place)[3]) {
  body_sides sides = {.upright = -1};
  side_votes votes = {0}, still = {0};
  double hips_before[3] = {0, 0, 0};
  const int32_t tip[2] = {node_far_end(tree, p->leg[0][2]), node_far_end(tree, p->leg[1][2])};
  double sum = 0, count = 0;
  bool frame, before = false;
  for (uint32_t pose = 0; pose < places->count; pose++) {
    if (!node_places_at(places, pose, place, &frame)) continue;
    const double upright = uprightness(p, (const place3 *)place);
    sum += upright;
    count++;
    if (pose == 0 || upright > sides.upright) sides.upright = upright, sides.best_pose = pose;
    const bool counts = frame || upright >= upright_rest;
    const bool follows = before && frame && (pose - 2) % places->frames_each != 0;
    vote_pose(tree, p, tip, (const place3 *)place, follows ? hips_before : NULL, counts ? &votes : &still);
    memcpy(hips_before, place[p->hips], sizeof hips_before);
    before = frame;
  }
  sides.four_legged = sum < mostly_upright * count && has_long_arms(tree, p);
  decide(votes.poses > 0 ? &votes : &still, &sides);
  if (!(votes.poses > 0)) sides.sure = sides.arms_sure = false;
  return sides;
}
