/* Planes to interleaved values in glTF's frame: Unity's with x mirrored. Negation is a change of the sign
 * bit: -0 for 0. */
#include "isa.h"
#include "simd.h"

/* The sign bit in the lanes whose bit is set; lane 0 is the lowest. */
SINEW_INLINE vi sign_mask(uint64_t bits) {
  vi place;
  for (int i = 0; i < SINEW_WIDTH; i++) place[i] = 1 << i;
  return ((v_seti((int32_t)(uint32_t)bits) & place) == place) & v_seti(INT32_MIN);
}

void SINEW_KERNEL(pack_quat)(const float *quat, uint64_t flips, float *xyzw) {
  const vi negative = v_seti(INT32_MIN);
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    vi flip = sign_mask(flips >> f);
    vf x = v_flip_sign(v_load(quat + f), flip);
    vf y = v_flip_sign(v_load(quat + SINEW_BLOCK + f), flip ^ negative);
    vf z = v_flip_sign(v_load(quat + 2 * SINEW_BLOCK + f), flip ^ negative);
    vf w = v_flip_sign(v_load(quat + 3 * SINEW_BLOCK + f), flip);
    v_store_interleaved4(xyzw + 4 * f, x, y, z, w);
  }
}

/* One translation per pose: not worth shuffles. */
void SINEW_KERNEL(pack_vec3)(const float *planes, float *xyz) {
  for (int f = 0; f < SINEW_BLOCK; f++) {
    xyz[3 * f] = -planes[f];
    xyz[3 * f + 1] = planes[SINEW_BLOCK + f];
    xyz[3 * f + 2] = planes[2 * SINEW_BLOCK + f];
  }
}
