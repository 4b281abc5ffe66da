/* Whether a clip's skeleton is a rig's: then its bones' rotations are the rig's as they stand. Told by the
 * nodes' names and by the way each bone leaves its parent, which no pose changes. */
#ifndef SINEW_RETARGET_SKELETON_MATCH_H
#define SINEW_RETARGET_SKELETON_MATCH_H

#include "rig/rig.h"
#include "skeleton/skeleton.h"

typedef enum skeleton_likeness {
  SKELETON_OTHER,    /* bones are missing, or hang from others */
  SKELETON_NAMESAKE, /* the same names in the same order, but bones that lead elsewhere in their parents */
  SKELETON_SAME
} skeleton_likeness;

/* node_of_bone [HUMAN_BONE_COUNT]: the skeleton's nodes that are called as the rig's bones are, -1 of a bone
 * that is optional and not there. Names that two nodes have count as missing. `why`, unless NULL, becomes a
 * sentence's end where the answer is no SKELETON_SAME: "has no node 'Hips', the rig's Hips". */
skeleton_likeness skeleton_match(const skeleton *s, const sinew_rig *rig,
                                 int32_t node_of_bone[HUMAN_BONE_COUNT], sinew_error *why);

/* Metres per unit of the skeleton where it is the rig's: unit_m where lengths agree with it to a tenth, else
 * the rig's own unit where they agree with that, else unit_m. */
double skeleton_match_unit(const skeleton *s, const sinew_rig *rig,
                           const int32_t node_of_bone[HUMAN_BONE_COUNT], double unit_m);

#endif
