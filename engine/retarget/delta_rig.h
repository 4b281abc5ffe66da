/* From one body to another by what turns: the constants of the kernel `delta`. Each bone's turn away from its
 * T-pose, seen in the body's own frame (up, left, forward), is applied to the target's T-pose; where a chain
 * has another number of joints there, its turn is shared so that the chain's end turns alike. */
#ifndef SINEW_RETARGET_DELTA_RIG_H
#define SINEW_RETARGET_DELTA_RIG_H

#include "kernels.h"
#include "rig/rig.h"
#include "skeleton/skeleton.h"
#include "stance/stance.h"

/* The body that moves. */
typedef struct delta_source {
  const skeleton *skeleton;
  const int32_t *node_of_bone; /* [HUMAN_BONE_COUNT] */
  const stance *stance;
} delta_source;

typedef struct delta_rig {
  arena memory;
  /* the source: what has to be followed, and the joints whose rotations the kernel reads */
  uint32_t follow_count;
  uint32_t *follow;       /* nodes of the skeleton, parents first; slot i of what moves them */
  double *follow_scale;   /* [follow_count] the scales above each, as its translation meets them */
  sinew_fk_rig source;    /* joint 0: the body's frame, its slot is follow_count; joint 1 + i: follow[i] */
  sinew_fk_joint *joints; /* the same, to be told their places */
  float align_q[4];       /* what slot follow_count holds */
  /* the target */
  uint32_t slot_count;
  uint32_t *slot_node; /* nodes of the rig, parents first, the hips first */
  sinew_delta_rig delta;
  sinew_fk_rig fk; /* joint i is slot i */
  double ratio;    /* target's length over source's: of the legs */
} delta_rig;

/* in_place: the hips keep their place but for their height. Errors: RIG (a body whose legs have no length),
 * LIMIT (more nodes above bones than joints can number), MEMORY. */
sinew_result delta_rig_build(const delta_source *source, const sinew_rig *target, bool in_place,
                             delta_rig *out, sinew_error *error);
void delta_rig_release(delta_rig *d);

#endif
