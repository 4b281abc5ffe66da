/* The signs of a pose's quaternions carried from frame to frame: each in the half-space of the frame before
 * it. Within a block the kernel `signs` decides; here blocks are chained to runs, and runs to the whole clip.
 * Tracks are bits. */
#ifndef SINEW_STAGE_SIGN_CHAIN_H
#define SINEW_STAGE_SIGN_CHAIN_H

#include "kernels.h"

#include <stdbool.h>
#include <stddef.h>

enum { SIGN_TRACKS = 64 };
/* How many chains so many tracks take. */
static inline size_t sign_chain_count(size_t tracks) {
  return (tracks + SIGN_TRACKS - 1) / SIGN_TRACKS;
}

typedef struct sign_chain {    /* zeroed before its first block */
  float first[4][SIGN_TRACKS]; /* every track's quaternion at the first frame, as computed */
  float last[4][SIGN_TRACKS];  /* and at the last frame */
  uint64_t flipped;            /* tracks whose last frame is negated */
  bool begun;
} sign_chain;

/* quats: 4 planes as computed for each of count tracks (at most SIGN_TRACKS), `stride` floats from one track
 * to the next; flips[track]: what `signs` gave for them, made into the frames to negate; frames: 1..64, how
 * many count. Blocks come in order; the first frame of the first one is never negated. */
void sign_chain_next(const sinew_kernels *kernels, sign_chain *chain, const float *quats, size_t stride,
                     uint32_t count, uint32_t frames, uint64_t *flips);

/* Appends a run of frames with a chain of its own. Returns the tracks that the run has to be negated in as a
 * whole. */
uint64_t sign_chain_join(const sinew_kernels *kernels, sign_chain *chain, sign_chain *run);

#endif
