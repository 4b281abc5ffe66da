/* Muscles beyond their range: how many frames, how far, and held back on request. A muscle is within its
 * range from -1 to 1 (sinew_muscle_range in sinew.h counts the same way). */
#ifndef SINEW_RETARGET_MUSCLE_LIMITS_H
#define SINEW_RETARGET_MUSCLE_LIMITS_H

#include "kernels.h"
#include "sinew.h"

#include <stdbool.h>

/* All 0: nothing found yet. Of pieces of a clip computed apart, in any order and by any threads, the merge is
 * the same. */
typedef struct limit_findings {
  uint64_t frames_beyond[SINEW_MUSCLE_COUNT]; /* beyond -1..1 by more than 1e-6 */
  float largest[SINEW_MUSCLE_COUNT]; /* |value|, over every frame, beyond or not; before it is clamped */
  uint64_t any_beyond;               /* frames in which any muscle is */
} limit_findings;

/* planes [SINEW_PLANE_COUNT][64], of which the first `frames` count, 1..64; all of them finite. clamp:
 * muscles become the nearest value within -1..1, in all 64 frames, whatever 1e-6 they exceed it by; the rest
 * of the planes stays. findings NULL: nothing is counted. */
void limits_apply(float *planes, uint32_t frames, bool clamp, limit_findings *findings);

/* into += from. */
void limit_findings_merge(limit_findings *into, const limit_findings *from);

#endif
