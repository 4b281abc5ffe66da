/* One block of 64 frames from curves or rows to poses. */
#ifndef SINEW_STAGE_POSE_BLOCK_H
#define SINEW_STAGE_POSE_BLOCK_H

#include "stage/bake_plan.h"

/* Scratch of one worker. */
typedef struct pose_scratch {
  double time_s[SINEW_BLOCK];
  float *planes; /* [SINEW_PLANE_COUNT][64] */
  float *
      model; /* [joints][7][64], of the body's joints or of all; before, scratch of the rows (ROWS_SCRATCH) */
  float *body; /* centre of mass [3][64], frame [4][64] */
} pose_scratch;

/* A block's pose. */
typedef struct pose_block {
  float *local;  /* [slots][4][64]; slot 0 is the hips in its parent node */
  float *node_t; /* [3][64] hips in its parent node, metres */
  float *hips_t; /* [3][64] hips in the avatar's root space */
  float *hips_q; /* [4][64] */
} pose_block;

/* Both allocate from `memory`; false when it is exhausted. Without a plan there is room for any rig's, and
 * pose_scratch_begin comes before the first block of each plan. */
bool pose_scratch_alloc(const bake_plan *plan, arena *memory, pose_scratch *scratch);
bool pose_block_alloc(const bake_plan *plan, arena *memory, pose_block *pose);
/* Planes without a curve get the value they keep. */
void pose_scratch_begin(const bake_plan *plan, pose_scratch *scratch);

/* The two halves of pose_block_compute, for planes that come from elsewhere. first_frame: what an error calls
 * the block's first frame. Errors: POSE. */
sinew_result pose_check_planes(const sinew_kernels *kernels, const float *planes, uint64_t first_frame,
                               sinew_error *error);
/* The same of the wanted planes alone; NULL: of all. */
sinew_result pose_check_wanted(const sinew_kernels *kernels, const float *planes,
                               const bool wanted[SINEW_PLANE_COUNT], uint64_t first_frame,
                               sinew_error *error);
/* scratch->planes hold sound values. */
void pose_from_planes(const sinew_kernels *k, const muscle_rig *c, pose_scratch *scratch, pose_block *pose);

uint32_t pose_block_frames(const bake_plan *plan, uint64_t block); /* 1..64 */

/* Errors: POSE, naming the curve and the frame whose value is not finite or absurd. Allocates nothing. */
sinew_result pose_block_compute(const bake_plan *plan, uint64_t block, pose_scratch *scratch,
                                pose_block *pose, sinew_error *error);

#endif
