/* The muscle space's formulas as they are stated (bones, limits, pre and post rotations, shares of twist), in
 * float32: what whoever does not know the engine's constants would compute with. */
#ifndef BENCH_RIVAL_RIG_H
#define BENCH_RIVAL_RIG_H

#include "retarget/muscle_rig.h"

typedef struct rival_quat {
  float x, y, z, w;
} rival_quat;

typedef struct rival_bone {
  int muscle[3];         /* of the twist, y and z; -1: none */
  float positive_rad[3]; /* angle at muscle 1 and, below, at -1 with its sign turned */
  float negative_rad[3];
  rival_quat pre, post;
  int limb;           /* 1: its twist is wrapped, a share of it kept, the rest handed to the bone below */
  float keep;         /* that share */
  int donor;          /* the slot of the limb bone above, -1: none */
  rival_quat between; /* rotation of the nodes between the donor and this bone */
} rival_bone;

typedef struct rival_rig {
  int bone_count; /* the hips first: the identity */
  rival_bone bones[HUMAN_BONE_COUNT];
} rival_rig;

void rival_rig_build(const sinew_rig *rig, const muscle_rig *constants, rival_rig *out);

/* The largest angle between two sets of poses, [count][4] each, in degrees. */
double rival_worst_deg(const float *a, const float *b, size_t count);

#endif
