/* A file's joints against computed ones: the farthest apart, over a block of frames at once. */
#ifndef SINEW_STAGE_JOINT_COMPARE_H
#define SINEW_STAGE_JOINT_COMPARE_H

#include "stage/pose_block.h"

/* Zeroed: nothing is amiss. */
typedef struct worst_joint {
  double distance_m;
  uint32_t node;
  uint64_t frame;
} worst_joint;

/* Read-only once built: threads share it. */
typedef struct joint_compare {
  const bake_plan *plan;
  bool may_be_far; /* some joint can be farther from the hips than the body is tall */
} joint_compare;

/* Errors: MEMORY. */
sinew_result joint_compare_build(const bake_plan *plan, joint_compare *compare, sinew_error *error);

/* Keeps the worse. What is no number is the worst of all; of equal distances the earliest frame's is kept,
 * whichever thread met it first. */
void worst_joint_keep(worst_joint *worst, double distance_m, uint32_t node, uint64_t frame);

/* How far two places are apart, less what stored rotations along a chain leave of a joint that is farther
 * from the hips than the body is tall: nothing is forgiven within the body. Both as seen from the hips;
 * `more_m` is forgiven everywhere. */
double joint_distance(const bake_plan *plan, const double found[3], const double own[3], double more_m);

/* Squares of distances below this change nothing. */
double joint_least_square(const worst_joint *worst);

/* squares [64], places [joint][3][64]: what the kernel `places` gave for a `least` of joint_least_square of
 * the same `worst`; model [joint][7][64], joint 0 at its origin; the pose they belong to. Frame f of `frames`
 * is first_frame + f. Exactly as if every joint of every frame were measured. */
void joint_compare_block(const joint_compare *compare, const double *squares, const double *places,
                         const float *model, const pose_block *pose, uint32_t frames, uint64_t first_frame,
                         worst_joint *worst);

#endif
