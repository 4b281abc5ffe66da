/* Results that leave the caches. */
#include "isa.h"
#include "simd.h"

void SINEW_KERNEL(stream)(const float *from, size_t count, float *to) {
  memcpy(to, from, count * sizeof(float));
}
