/* A moving skeleton as an avatar's human bones see it: the constants of what leads to the kernels inverse,
 * root and goals. Each bone's turn from its human parent's, nodes in between included, is a track of the
 * skeleton's or a product of some; where the body stands is followed from the skeleton's root to its hips,
 * and the rest as seen from the hips, so that no far-away place takes digits away. */
#ifndef SINEW_RETARGET_BONE_SOURCE_H
#define SINEW_RETARGET_BONE_SOURCE_H

#include "retarget/delta_rig.h"
#include "retarget/muscle_rig.h"

/* A bone's turn: a track of the pose, or the rotation of the last joint of a chain, or what never changes. */
typedef struct bone_turn {
  uint8_t slot;  /* of the muscle rig */
  int32_t track; /* -1: none */
  int32_t joint; /* of `chains`, -1: none */
  float fixed[4];
} bone_turn;

typedef struct bone_source {
  arena memory;
  uint32_t turn_count;
  bone_turn *turns;
  sinew_fk_rig chains; /* their roots are the first nodes below a human bone */
  sinew_fk_rig above;  /* down to the hips, its last joint; no joints: where the hips are is known */
  sinew_fk_rig below;  /* joint 0: the hips */
  int32_t
      joint_of_slot[HUMAN_BONE_COUNT]; /* of `below`, by the muscle rig's slots; -1: the skeleton lacks it */
  /* of a skeleton with a motion: what has to be followed */
  uint32_t follow_count;
  uint32_t *follow;     /* nodes, parents first; track i is what moves follow[i] */
  double *follow_scale; /* [follow_count] the scales above each, as its translation meets them */
  float align_q[4];     /* track follow_count; track follow_count + 1 is the identity */
} bone_source;

/* A clip's skeleton. Its nodes' rest, as the file has it. */
typedef struct bone_body {
  const skeleton *skeleton;
  const double (*rest_t)[3]; /* NULL, with the next two: the skeleton's own */
  const double (*rest_q)[4];
  const double (*rest_s)[3];
  double unit_m;
  double align_q[4];           /* Unity's frame: root space = align * file */
  const int32_t *node_of_bone; /* [HUMAN_BONE_COUNT] the avatar's bones; -1 of one it has: it rests as the
                                  avatar's node does */
} bone_body;

/* The required bones are there. After an error, MEMORY or LIMIT (nodes), `out` is empty. */
sinew_result bone_source_of_clip(const bone_body *body, const sinew_rig *avatar, const muscle_rig *muscles,
                                 bone_source *out, sinew_error *error);
/* The pose that delta gives on the avatar itself: tracks are its slots. delta outlives the source. */
sinew_result bone_source_of_delta(const delta_rig *delta, const sinew_rig *avatar, const muscle_rig *muscles,
                                  bone_source *out, sinew_error *error);
void bone_source_release(bone_source *source);

/* Joints of `above` and `below` that stand for followed node `track` get the place: 1 + its number. */
void bone_source_set_place(bone_source *source, uint32_t track, uint16_t place);

#endif
