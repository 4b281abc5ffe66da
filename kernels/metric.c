/* Measures over planes. */
#include "isa.h"
#include "simd.h"

/* With the sign bit off, floats order as integers do, NaN above infinity. */
void SINEW_KERNEL(absmax)(const float *planes, size_t plane_count, uint32_t *bits) {
  for (size_t i = 0; i < plane_count; i++, planes += SINEW_BLOCK) {
    vi largest = v_abs_bits(v_load(planes));
    for (int f = SINEW_WIDTH; f < SINEW_BLOCK; f += SINEW_WIDTH)
      largest = v_maxi(largest, v_abs_bits(v_load(planes + f)));
    bits[i] = (uint32_t)v_largest(largest);
  }
}
