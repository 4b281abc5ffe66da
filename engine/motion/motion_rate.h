/* The frames a second of a motion whose file states none. */
#ifndef SINEW_MOTION_MOTION_RATE_H
#define SINEW_MOTION_MOTION_RATE_H

#include "clip/motion.h"

/* What the file states; else the lowest rate found whose frames, counted from start_s, fall on nine in ten of
 * the keys within 2 % of a frame, or where none does on half of them (two takes put together). Tried are the
 * shortest step between two keys of a track and eight steps spread over that track, each made exact over the
 * track's length, and a half, a third and a quarter of each: first the nearest whole number where that is
 * within 0.1 %, then the nearest 1000/1001 of one, then the step itself. Rates below 10 and above 1000 are
 * poses or capture noise rather than frames: those, keys without any even step and motions without two keys
 * give 30. NULL: 30. */
double motion_rate_find(const motion *m);

#endif
