/* What only a pose can tell: which of two twins is left, and whether the body ever stands upright. Taken from
 * the rest, the bind pose and frames of the movement alike, so that a rest which is no stance does no harm.
 */
#ifndef SINEW_MAP_SIDES_H
#define SINEW_MAP_SIDES_H

#include "map/node_tree.h"

/* Two legs and two arms, of which each [0] and [1] are twins. */
typedef struct limb_pairs {
  int32_t hips;
  int32_t leg[2][3];
  int32_t arm[2][3];
} limb_pairs;

typedef enum side_proof { SIDE_FEET, SIDE_KNEES, SIDE_WALK, SIDE_ASSUMED } side_proof;

typedef struct body_sides {
  double leg_left;      /* above 0: leg[0] is the left one */
  double arm_left;      /* the same of arm[0] */
  bool sure, arms_sure; /* measured, and by much: of the legs, of the arms too */
  side_proof proof;
  double upright;     /* -1 to 1: how far the trunk stands against the legs where it does so most */
  bool four_legged;   /* arms as long as legs, and a trunk that mostly lies across them */
  uint32_t best_pose; /* of node_places, where that is */
} body_sides;

/* place: room for every node. */
body_sides body_sides_measure(const node_tree *tree, const node_places *places, const limb_pairs *pairs,
                              double (*place)[3]);

#endif
