/* Human maps of the public rigs by the names that they are known to have, written down by hand: what the
 * stance is tested with, whatever the engine's own search finds. */
#ifndef TESTS_STANCE_NAMED_MAP_H
#define TESTS_STANCE_NAMED_MAP_H

#include "clip/motion.h"

/* false where the skeleton is none of them. What the file itself states goes first. */
bool named_map(const skeleton *s, int32_t node_of_bone[HUMAN_BONE_COUNT]);

#endif
