/* A take, as a GLB holds it, on a rig: nodes found by their names. */
#ifndef TESTS_TRUTH_TAKE_H
#define TESTS_TRUTH_TAKE_H

#include "motion/motion_block.h"
#include "read/motion_reader.h"
#include "retarget/muscle_rig.h"

typedef struct take {
  motion_file *file;
  motion_plan plan;
  int32_t node_of_bone[HUMAN_BONE_COUNT]; /* of the take's skeleton, -1: none */
  int32_t *place_of_node;                 /* -1: none moves it */
  float *scratch, *local, *places;
} take;

typedef struct take_pose {
  double turn[HUMAN_BONE_COUNT][4]; /* by slot: from the human parent's rotation, nodes in between included */
  double model[HUMAN_BONE_COUNT][7]; /* by slot: place and rotation in the hips' frame, metres */
  double ends[4][7];           /* left foot, right foot, left hand, right hand in the hips' frame: metres */
  double hips_t[3], hips_q[4]; /* in root space */
} take_pose;

/* The test fails where the file is none, or a bone's node is missing. */
void take_open(const sinew_kernels *k, const char *path, const sinew_rig *rig, take *out);
void take_close(take *t);
/* Samples 64 times; then the pose of one of them. */
void take_load(take *t, const double *time_s);
void take_pose_of(const take *t, const sinew_rig *rig, const muscle_rig *muscles, int lane, take_pose *pose);

#endif
