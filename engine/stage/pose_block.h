/* One block of 64 frames from curves or rows to poses. */
#ifndef SINEW_STAGE_POSE_BLOCK_H
#define SINEW_STAGE_POSE_BLOCK_H

#include "stage/bake_plan.h"
#include "stage/pose_findings.h"

/* How much a plan's blocks take, in tracks of 64 frames. */
typedef struct pose_room {
  size_t slots;
  size_t places;
  size_t joints;  /* of the model */
  size_t bones;   /* floats, of a clip of bones */
  size_t muscles; /* floats, of muscles made of bones */
} pose_room;

/* Of any clip of muscles on any rig. */
pose_room pose_room_most(void);
pose_room pose_room_of(const bake_plan *plan);
bool pose_room_holds(pose_room room, pose_room needed);

/* Scratch of one worker. */
typedef struct pose_scratch {
  double time_s[SINEW_BLOCK];
  float *planes;  /* [SINEW_PLANE_COUNT][64] as they move the rig and are written */
  float *sampled; /* the same before they are mirrored */
  float *muscles; /* of muscles made of bones: muscle_source.c */
  float *
      model; /* [joints][7][64], of the body's joints or of all; before, scratch of the rows (ROWS_SCRATCH) */
  float *body;          /* centre of mass [3][64], frame [4][64] */
  float *bones;         /* of a clip of bones: bone_block.c */
  pose_findings *found; /* what blocks tell of themselves is added here; NULL: nobody asks */
} pose_scratch;

/* A block's pose. */
typedef struct pose_block {
  float *local;  /* [slots][4][64] rotations in the parent node */
  float *places; /* [places][3][64] translations in the parent node, metres */
  float *hips_t; /* [3][64] joint 0, the hips, in root space */
  float *hips_q; /* [4][64] */
} pose_block;

/* Both allocate from `memory`; false when it is exhausted. pose_begin comes before the first block of each
 * plan: what does not vary gets the value it keeps. */
bool pose_scratch_alloc(pose_room room, arena *memory, pose_scratch *scratch);
bool pose_block_alloc(pose_room room, arena *memory, pose_block *pose);
void pose_begin(const bake_plan *plan, pose_scratch *scratch, pose_block *pose);
/* All three, for one plan. */
bool pose_open(const bake_plan *plan, arena *memory, pose_scratch *scratch, pose_block *pose);

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

/* The verified joints of a pose as the file shows them: model [joint][7][64], joint 0 at its origin. hips_t
 * and hips_q of the pose become the file's too. */
void pose_place_joints(const bake_plan *plan, const pose_scratch *scratch, pose_block *pose, float *model);

/* Errors: POSE, naming the curve and the frame whose value is not finite or absurd. Allocates nothing. */
sinew_result pose_block_compute(const bake_plan *plan, uint64_t block, pose_scratch *scratch,
                                pose_block *pose, sinew_error *error);

#endif
