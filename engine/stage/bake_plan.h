/* Everything a bake knows before its first frame: the rig's constants, the curves or rows to sample, the
 * output's tracks and which of them are constant. Read-only once built: workers share it. */
#ifndef SINEW_STAGE_BAKE_PLAN_H
#define SINEW_STAGE_BAKE_PLAN_H

#include "clip/segments.h"
#include "retarget/muscle_rig.h"
#include "write/box_mesh.h"
#include "write/glb.h"

typedef struct bake_plan {
  const sinew_clip *clip;
  const sinew_rig *rig;
  const sinew_kernels *kernels;
  muscle_rig constants;
  clip_segments segments; /* none where the clip has rows */
  double rate_hz;
  uint64_t frame_count;
  uint64_t block_count;
  float fill[SINEW_PLANE_COUNT];          /* what a plane without a curve holds */
  bool wanted[SINEW_PLANE_COUNT];         /* what the rig's pose depends on */
  bool moves[SINEW_PLANE_COUNT];          /* of these, what changes in the clip */
  glb_track tracks[HUMAN_BONE_COUNT + 1]; /* 0: the hips' translation; 1 + slot: the rotation of a slot */
  uint32_t track_count;
  uint32_t constant_count;
  bool quantized; /* rotations are stored as int16; the caller sets it */
  box_mesh mesh;  /* box_count 0: none is written; the caller may build it */
} bake_plan;

/* Errors: ARGUMENT (rate), LIMIT (frames), MEMORY. */
sinew_result bake_plan_build(const sinew_kernels *kernels, const sinew_clip *clip, const sinew_rig *rig,
                             double rate_hz, bake_plan *plan, sinew_error *error);
void bake_plan_release(bake_plan *plan);

/* How far a file's joints may lie from the computed ones. */
typedef struct bake_bounds {
  double of_height; /* as a share of the body's height */
  double
      far_slack; /* metres forgiven per metre that a joint lies farther from the hips than the body is tall */
} bake_bounds;
bake_bounds bake_plan_bounds(const bake_plan *plan);

/* The planes that the rig's pose depends on: the root and the muscles its bones have. */
void bake_plan_list_wanted(const muscle_rig *constants, bool wanted[SINEW_PLANE_COUNT]);

#endif
