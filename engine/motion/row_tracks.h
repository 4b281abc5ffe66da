/* Rows of channels as tracks of keys. */
#ifndef SINEW_MOTION_ROW_TRACKS_H
#define SINEW_MOTION_ROW_TRACKS_H

#include "clip/motion.h"
#include "kernels.h"

/* Replaces rows by tracks: a rotation for each node with channels of rotation, a translation for each with
 * channels of position, of a key a row or of one key where nothing changes. In `memory`. Errors: LIMIT (rows
 * too near each other for times in float, or too many), MEMORY. */
sinew_result row_tracks_make(const sinew_kernels *k, const skeleton *s, motion *m, arena *memory,
                             sinew_error *error);

#endif
