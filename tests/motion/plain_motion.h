/* A motion sampled plainly, node by node, in double precision and in the file's own frame: matrices of
 * angles, and the shortest turn between two of them by its axis. Nothing is shared with the engine but what
 * it read. */
#ifndef TESTS_MOTION_PLAIN_MOTION_H
#define TESTS_MOTION_PLAIN_MOTION_H

#include "clip/motion.h"
#include "kernels.h"
#include "motion/motion_block.h"

typedef struct plain_pose {
  double r[3][3];
  double t[3];
  bool moved;    /* a channel or track states where it stands */
  bool doubtful; /* between two rotations nearly half a turn apart: either way round is right */
} plain_pose;

/* m NULL: at rest. */
plain_pose plain_at(const skeleton *s, const motion *m, uint32_t node, double time_s);
plain_pose plain_at_row(const skeleton *s, const motion *m, uint32_t node, uint64_t row);

/* How far a slot's rotation at a lane is from the pose's, as the largest difference of the matrices' numbers.
 */
double plain_turn_apart(const plain_pose *pose, const float *local, uint32_t slot, uint32_t lane);

/* A plan of every node with room for a block. */
typedef struct sampled {
  motion_plan plan;
  uint32_t *nodes;
  float *scratch, *local, *places;
} sampled;

/* The test fails unless it builds. rate_hz 0: the motion's own. */
sampled sampled_open(const sinew_kernels *k, const skeleton *s, const motion *m, double unit_m,
                     double rate_hz);
void sampled_close(sampled *s);
void sampled_load(sampled *s, uint64_t block);
/* The translation of a slot at a lane, in Unity's frame and metres; its rest where the motion states none. */
void sampled_place(const sampled *s, uint32_t slot, uint32_t lane, double t[3]);

#endif
