/* The boxes of a finished file against freshly computed poses. */
#ifndef SINEW_STAGE_MESH_CHECK_H
#define SINEW_STAGE_MESH_CHECK_H

#include "stage/node_pose.h"
#include "verify/verify.h"

typedef struct worst_corner {
  double distance_m;
  uint32_t node;
} worst_corner;

/* Where the bones put each corner of the plan's mesh, glTF's frame: as its box lies on its bone in the rest
 * pose, so it lies on it in `pose`. corners has 24 per box. */
void mesh_corners(const bake_plan *plan, const node_pose *rest, const node_pose *pose, double (*corners)[3]);

/* The largest distance between a corner as the file's skin places it at file_frame and where the bones put it
 * at frame f of the block, both seen from the hips. Errors: VERIFY (the file has another number of corners),
 * IO, MEMORY. */
sinew_result mesh_check(const bake_plan *plan, const verify_file *file, const pose_block *block, uint32_t f,
                        uint64_t file_frame, worst_corner *worst, sinew_error *error);

#endif
