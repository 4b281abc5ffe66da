/* Rows of frames to planes: what a caller holds as an array of structures. */
#include "isa.h"
#include "simd.h"

void SINEW_KERNEL(rows)(const float *rows, size_t stride, uint32_t frames, uint32_t columns, float *planes) {
  for (uint32_t c = 0; c < columns; c++)
    for (uint32_t f = 0; f < SINEW_BLOCK; f++)
      planes[c * SINEW_BLOCK + f] = rows[(f < frames ? f : frames - 1) * stride + c];
}
