/* How far a node goes in a motion, as its file has it: what is mere noise can be told from movement. */
#ifndef SINEW_MOTION_MOTION_REACH_H
#define SINEW_MOTION_MOTION_REACH_H

#include "clip/motion.h"

/* Of a node's turns, in degrees: the largest angle away from the first key, of rows the largest difference of
 * a channel. Else of its places: the largest difference along an axis, in the file's unit. Between keys a
 * spline may go farther. m NULL: 0. */
double motion_reach(const motion *m, uint32_t node, bool turns);

#endif
