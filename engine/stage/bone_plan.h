/* The part of a plan that is a clip of bones: on its own skeleton, or by what turns on a rig. */
#ifndef SINEW_STAGE_BONE_PLAN_H
#define SINEW_STAGE_BONE_PLAN_H

#include "motion/motion_block.h"
#include "retarget/delta_rig.h"

struct bake_plan;

/* A root of the output that the clip's own file turns: its channels are turned by `up`. */
typedef struct bone_root {
  uint32_t slot;
  int32_t place; /* -1: none */
} bone_root;

typedef struct bone_plan {
  motion_plan motion;
  float *place_scale; /* [motion.place_count] of the nodes above, as a translation meets it */
  /* on a rig */
  delta_rig delta;
  uint32_t dropped_moves; /* followed nodes below the hips that move in their parents */
  /* on its own skeleton */
  bool turned_up; /* the file's up axis is not y: roots are turned */
  float up[4];
  bone_root *roots;
  uint32_t root_count;
  size_t scratch_floats;
} bone_plan;

/* Both fill in what follows from the plan's clip and, for the second, its rig. Errors: LIMIT, POSE, RIG,
 * MEMORY. */
sinew_result own_plan_build(struct bake_plan *plan, sinew_error *error);
sinew_result delta_plan_build(struct bake_plan *plan, bool in_place, sinew_error *error);
void bone_plan_release(bone_plan *bones);

#endif
