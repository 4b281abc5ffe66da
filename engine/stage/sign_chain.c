#include "stage/sign_chain.h"

/* Whether the block's first frame lies in the other half-space than the frame before it. The kernel itself is
 * asked, so that a block's border decides as its inside does. */
static bool crosses(const sinew_kernels *kernels, const float before[4], const float *quat) {
  _Alignas(64) float border[4 * SINEW_BLOCK];
  for (int c = 0; c < 4; c++) {
    border[c * SINEW_BLOCK] = before[c];
    for (int f = 1; f < SINEW_BLOCK; f++) border[c * SINEW_BLOCK + f] = quat[c * SINEW_BLOCK];
  }
  uint64_t flips;
  kernels->signs(border, 1, &flips);
  return flips >> 1 & 1;
}

uint64_t sign_chain_next(const sinew_kernels *kernels, sign_chain *chain, const float *quat, uint64_t flips,
                         uint32_t frames) {
  bool crossing = chain->begun && crosses(kernels, chain->last, quat);
  /* within the block the first frame is unflipped: all of it turns over where that is wrong */
  if (chain->last_flipped != crossing) flips = ~flips;
  uint32_t end = frames - 1;
  for (int c = 0; c < 4; c++) chain->last[c] = quat[c * SINEW_BLOCK + end];
  chain->last_flipped = flips >> end & 1;
  chain->begun = true;
  return flips;
}
