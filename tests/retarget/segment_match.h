/* How alike two bodies stand: the directions of their limbs' segments, a clip's own by plain double arithmetic and the
 * rig's as the bake computes them. */
#ifndef TESTS_RETARGET_SEGMENT_MATCH_H
#define TESTS_RETARGET_SEGMENT_MATCH_H

#include "stage/bake_plan.h"

typedef struct segment_match {
  double arms; /* mean cosine between the clip's segments and the rig's: upper and lower arms */
  double legs;
  double worst;
} segment_match;

/* The plan is one by delta. Looks at some frames spread over the clip. */
segment_match segment_match_find(const bake_plan *plan);

/* The largest angle in degrees between a bone's global rotation as the plan computes it and as the clip `wanted` has it
 * by plain arithmetic, both in the body's frame; the plan's rig has `wanted`'s skeleton. *bone is the worst. */
double rotation_miss_deg(const bake_plan *plan, const sinew_clip *wanted, int *bone);

#endif
