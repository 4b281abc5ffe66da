/* Skeletons of 3ds Max's Biped: told by their names, and by parents that no other skeleton has. Max turns the
 * bones itself, whatever their parents; everywhere else a bent spine swings the legs. */
#ifndef SINEW_SKELETON_BIPED_H
#define SINEW_SKELETON_BIPED_H

#include "skeleton/skeleton.h"

/* Whether a node is named Bip001, Bip01 or the like, behind a namespace or not, and among those that carry
 * its name a thigh hangs from the spine, a clavicle from the neck, a prop from the root or an upper arm's
 * twist from the clavicle. Letters' case, blanks and other signs between the words do not matter. */
bool biped_is(const skeleton *s);

/* parents[node_count]: the parent each node should have. Of a biped_is: spine and thighs hang from the root,
 * clavicles from the spine bone the neck hangs from, Prop1 from the right hand, Prop2 from the left, other
 * props from the hand that is nearer at rest, upper arms' twists from the upper arm. All else, and what would
 * hang from itself, keeps its own. Returns how many differ. */
uint32_t biped_parents(const skeleton *s, int32_t *parents);

#endif
