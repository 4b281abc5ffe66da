/* Bones to muscles, block by block: a clip's bones on the avatar of its own skeleton, or what delta gives on
 * a rig's. Root and goals too, and what is lost by it. */
#ifndef SINEW_STAGE_MUSCLE_SOURCE_H
#define SINEW_STAGE_MUSCLE_SOURCE_H

#include "motion/motion_block.h"
#include "retarget/bone_source.h"
#include "retarget/inverse_rig.h"
#include "retarget/offsets.h"
#include "stage/pose_findings.h"

struct bake_plan;
struct pose_block;

/* What a clip's skeleton and its avatar differ in, bits by bone. */
typedef struct avatar_differences {
  uint64_t place_differs, moves, between_turns, between_differs, custom_ranges;
} avatar_differences;

/* Read-only once built. */
typedef struct muscle_source {
  arena memory;
  const sinew_rig *avatar;
  const char *avatar_kind; /* "rig", "clip rig" or "figure" */
  sinew_rig *made;         /* the avatar, where none was given; NULL otherwise */
  bool of_delta;           /* of the plan's pose, which delta gave */
  muscle_rig constants;
  inverse_rig inverse;
  bone_source bones;
  /* of a clip's bones */
  offsets_rig offsets; /* no bones: they are not asked for */
  motion_plan motion;
  float *place_scale; /* [motion.place_count] */
  avatar_differences differences;
} muscle_source;

/* Whose muscles. clip_rig: the avatar of the clip's skeleton, NULL: the rig where the clip's skeleton is its,
 * else that of the clip's figure. */
typedef struct avatar_choice {
  const sinew_rig *clip_rig;
  const sinew_rig *rig; /* may be NULL */
  inverse_limbs limbs;
  bool offsets; /* the clip's translations below the hips as well */
} avatar_choice;

/* Whether the clip's bones are the rig's, so that they need no delta to be its muscles. */
bool muscle_source_is_own(const sinew_clip *clip, const sinew_rig *rig);

/* A clip of bones. Errors: RIG (no avatar, or the clip's skeleton is not the clip rig's), LIMIT, POSE,
 * MEMORY; the source is empty then. */
sinew_result muscle_source_of_clip(const struct bake_plan *plan, const avatar_choice *choice,
                                   muscle_source *source, sinew_error *error);
/* What the plan's delta gives on its rig. Errors: MEMORY. */
sinew_result muscle_source_of_delta(const struct bake_plan *plan, inverse_limbs limbs, muscle_source *source,
                                    sinew_error *error);
void muscle_source_release(muscle_source *source);

/* Scratch of one thread, in floats. */
size_t muscle_source_floats(const muscle_source *source);
/* What does not vary: once for each scratch; planes [SINEW_PLANE_COUNT][64]: all are filled in, muscles of
 * bones that the avatar lacks with 0. */
void muscle_source_begin(const muscle_source *source, float *scratch, float *planes);
/* A block of the plan; `frames` of it count. pose: of delta, else not read. found may be NULL. Errors: POSE
 * (names the node and the frame). */
sinew_result muscle_source_block(const muscle_source *source, const sinew_kernels *k, uint64_t block,
                                 uint32_t frames, const struct pose_block *pose, float *scratch,
                                 float *planes, pose_findings *found, sinew_error *error);
/* Of the scratch's last block: [offsets.count][3][64] as offsets_block gives them. */
const float *muscle_source_offsets(const muscle_source *source, float *scratch);

#endif
