/* The sign of a track of quaternions carried from block to block: each frame in the half-space of the frame
 * before it. Within a block the kernel `signs` decides; here its answer for one block is joined with the
 * block before. */
#ifndef SINEW_STAGE_SIGN_CHAIN_H
#define SINEW_STAGE_SIGN_CHAIN_H

#include "kernels.h"
#include <stdbool.h>

typedef struct sign_chain { /* of one track; zeroed before its first block */
  float last[4];            /* the last frame's quaternion, as computed */
  bool last_flipped;
  bool begun;
} sign_chain;

/* quat: the track's 4 planes as computed; flips: what `signs` gave for them; frames: 1..64, how many count.
 * Returns the frames to negate. Blocks come in order; the first frame of the first one is never negated. */
uint64_t sign_chain_next(const sinew_kernels *kernels, sign_chain *chain, const float *quat, uint64_t flips,
                         uint32_t frames);

#endif
