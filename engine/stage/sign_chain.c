#include "stage/sign_chain.h"

#include <string.h>

/* Whether each track's quaternion of b lies in the other half-space than that of a. The kernel itself is
 * asked, so that a border decides as the inside of a block does: frames 2i and 2i + 1 are the two of a track.
 */
static uint64_t crossings(const sinew_kernels *kernels, float (*a)[SIGN_TRACKS], float (*b)[SIGN_TRACKS]) {
  _Alignas(64) float pairs[SIGN_TRACKS / 32][4][SINEW_BLOCK];
  for (int track = 0; track < SIGN_TRACKS; track++)
    for (int c = 0; c < 4; c++) {
      pairs[track / 32][c][track % 32 * 2] = a[c][track];
      pairs[track / 32][c][track % 32 * 2 + 1] = b[c][track];
    }
  uint64_t flips[SIGN_TRACKS / 32], crossing = 0;
  kernels->signs(pairs[0][0], SIGN_TRACKS / 32, flips);
  for (int track = 0; track < SIGN_TRACKS; track++) {
    const uint64_t pair = flips[track / 32] >> (track % 32 * 2) & 3;
    crossing |= ((pair ^ pair >> 1) & 1) << track;
  }
  return crossing;
}

static void take_frame(const float *quats, size_t stride, uint32_t count, uint32_t frame,
                       float (*out)[SIGN_TRACKS]) {
  for (uint32_t track = 0; track < count; track++)
    for (uint32_t c = 0; c < 4; c++) out[c][track] = quats[track * stride + c * SINEW_BLOCK + frame];
}

void sign_chain_next(const sinew_kernels *kernels, sign_chain *chain, const float *quats, size_t stride,
                     uint32_t count, uint32_t frames, uint64_t *flips) {
  float first[4][SIGN_TRACKS] = {{0}};
  take_frame(quats, stride, count, 0, first);
  /* within the block the first frame is unflipped: all of it turns over where that is wrong */
  const uint64_t turned = chain->begun ? chain->flipped ^ crossings(kernels, chain->last, first) : 0;
  if (!chain->begun) memcpy(chain->first, first, sizeof first);
  chain->flipped = 0;
  for (uint32_t track = 0; track < count; track++) {
    if (turned >> track & 1) flips[track] = ~flips[track];
    chain->flipped |= (flips[track] >> (frames - 1) & 1) << track;
  }
  take_frame(quats, stride, count, frames - 1, chain->last);
  chain->begun = true;
}

uint64_t sign_chain_join(const sinew_kernels *kernels, sign_chain *chain, sign_chain *run) {
  const uint64_t turned = chain->begun ? chain->flipped ^ crossings(kernels, chain->last, run->first) : 0;
  if (!chain->begun) memcpy(chain->first, run->first, sizeof run->first);
  memcpy(chain->last, run->last, sizeof run->last);
  chain->flipped = run->flipped ^ turned;
  chain->begun = true;
  return turned;
}
