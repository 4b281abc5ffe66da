/* A block of a clip of bones. */
#ifndef SINEW_STAGE_BONE_BLOCK_H
#define SINEW_STAGE_BONE_BLOCK_H

#include "stage/pose_block.h"

/* Of pose_scratch.bones. */
size_t bone_scratch_floats(const bake_plan *plan);
/* Errors: POSE: a place or a scale of the motion that is no number, or absurd; names the node and the frame.
 */
sinew_result bone_check_places(const motion_plan *sampled, const float *places, uint64_t block,
                               sinew_error *error);
/* What does not vary. */
void bone_block_begin(const bake_plan *plan, pose_scratch *scratch, pose_block *pose);
/* Errors: POSE: a number that is none, or beyond what can be computed with; names the node and the frame. */
sinew_result bone_block_compute(const bake_plan *plan, uint64_t block, pose_scratch *scratch,
                                pose_block *pose, sinew_error *error);
/* pose_place_joints of a clip on its own skeleton. */
void bone_place_joints(const bake_plan *plan, const pose_scratch *scratch, const pose_block *pose,
                       float *model);

#endif
