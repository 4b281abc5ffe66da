/* Plain poses of a skeleton in double precision: at rest, at a row, at a time. The file's own frame and unit.
 * For setting up and for tests; bakes go another way. */
#ifndef SINEW_STANCE_POSE_AT_H
#define SINEW_STANCE_POSE_AT_H

#include "clip/motion.h"

typedef struct local_pose { /* per node, in its parent */
  double (*t)[3];
  double (*q)[4];
  double (*s)[3];
} local_pose;

/* False when out of memory. */
bool local_pose_alloc(const skeleton *s, arena *memory, local_pose *pose);
void local_pose_rest(const skeleton *s, local_pose *pose);
/* Frame `row` of a motion made of rows: a node's rotations stand in place of its rest rotation, its position
 * channels each in place of an axis of its rest translation. */
void local_pose_row(const skeleton *s, const motion *m, uint64_t row, local_pose *pose);
/* A time of a motion made of tracks, seconds; before the first key and behind the last that key's value. */
void local_pose_time(const skeleton *s, const motion *m, double time_s, local_pose *pose);
/* Frame f of a motion, 0 to pose_frame_count - 1: its row, or its tracks where a bake at the motion's own
 * rate has that frame. */
void local_pose_frame(const skeleton *s, const motion *m, uint64_t f, local_pose *pose);
uint64_t pose_frame_count(const motion *m);

/* Global matrices as rows, and rotations as products of the local ones. Either may be NULL. */
void global_pose(const skeleton *s, const local_pose *pose, double (*matrix)[3][4], double (*q)[4]);

/* Sine and cosine of degrees with + - * alone, the same on every machine; exact at multiples of 90. */
void sine_of_degrees(double degrees, double *sine, double *cosine);

#endif
