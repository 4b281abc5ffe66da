/* What the search for a stance works on, step by step. */
#ifndef SINEW_STANCE_WORK_H
#define SINEW_STANCE_WORK_H

#include "stance/plausible.h"
#include "stance/stance.h"

typedef struct stance_work {
  const skeleton *s;
  int32_t node_of_bone[HUMAN_BONE_COUNT]; /* without those that the rig compiler takes off the map */
  const motion *motion;                   /* the first one, NULL: none */
  stance_options options;
  bool is_bvh;
  stance *out;
  arena scratch;
  local_pose rest, base; /* base: what the T-pose is made from, nodes above the hips at rest */
  double (*matrix)[3][4], (*turned_q)[4];
  bool *turned_bone;
  turned_body body;
  motion_survey survey;           /* of a BVH's movement */
  bool rest_stands;               /* the rest is a stance */
  double base_lowest;             /* the lowest foot or toe joint of the base pose, in the body frame */
  body_axes rest_axes, base_axes; /* measured, in the file's frame */
} stance_work;

/* Chooses the pose that the T-pose is made from, and what the output rests with. Errors: ARGUMENT, RIG,
 * MEMORY. */
sinew_result stance_choose_base(stance_work *w, sinew_error *error);
/* The file's frame: out->align_q. The base pose stands in the body frame then, upright and facing +Z. */
void stance_choose_align(stance_work *w);
/* Once the body is in T-pose: its unit, its reach, its ground; the places of the hips. Errors: RIG. */
sinew_result stance_measure(stance_work *w, sinew_error *error);

#endif
