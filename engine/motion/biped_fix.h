/* A biped's hierarchy made that of other skeletons. */
#ifndef SINEW_MOTION_BIPED_FIX_H
#define SINEW_MOTION_BIPED_FIX_H

#include "clip/motion.h"

/* Hangs the nodes of a biped_is from the parents that biped_parents says; nothing where there are none. Every
 * node keeps its transform in the world at rest and at every frame and key: a moved node's new local
 * rotations and translations are tracks with a key at each frame of the motion's own rate (motion_rate_find)
 * and at each key of the nodes between its parents. Rows become tracks, a key a row; a motion of no rows
 * stays. Nodes are put in order, parents first, and everything that names them follows; source_index stays.
 * Errors: UNSUPPORTED (nodes between the parents are scaled unevenly, or in the motion), LIMIT (a row's time
 * is float's neighbour of the one before, or too many), POSE (a motion's numbers are absurd), MEMORY. The
 * file is only fit to be closed then. */
sinew_result biped_fix(motion_file *file, sinew_error *error);

#endif
