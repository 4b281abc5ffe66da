/* A motion's frames, block by block: local rotations and translations of the followed nodes in Unity's frame.
 */
#ifndef SINEW_MOTION_MOTION_BLOCK_H
#define SINEW_MOTION_MOTION_BLOCK_H

#include "motion/motion_plan.h"

/* Scratch of one thread, in floats, a multiple of 16; aligned to 64 bytes. */
size_t motion_scratch_floats(const motion_plan *plan);

/* Fills what does not change. Once for each pair of buffers, before the first block: local
 * [node_count][4][64] unit quaternions, places [place_count][3][64] metres, both aligned to 64 bytes. */
void motion_block_begin(const motion_plan *plan, float *local, float *places);

/* Frames 64 * block onwards, the last of the motion filling the lanes behind it. Frame f is at start_s + f /
 * rate, the last at stop_s. Allocates nothing. Rows: at their own rate the rows themselves; at others what
 * lies between two: rotations on the short path (slerp), translations on the straight line. Tracks: the last
 * key at most 2^-22 of the time later than the frame counts as reached, and a key at most 2^-23 of it earlier
 * is met exactly: its value is given (translations unchanged but for the unit, rotations made unit). Then
 * STEP holds, LINEAR slerps or goes straight, CUBIC is the format's spline, rotations made unit. Outside the
 * keys the first and last hold. Places are not checked: where a file's numbers are absurd they may be
 * infinite or NaN. */
void motion_block_load(const motion_plan *plan, uint64_t block, float *scratch, float *local, float *places);

/* The same at 64 times in seconds, finite, in any order: each gives what it gives alone. Of rows, a time
 * within 2^-50 of a row's, as a share, is the row's. */
void motion_block_at(const motion_plan *plan, const double *time_s, float *scratch, float *local,
                     float *places);

#endif
