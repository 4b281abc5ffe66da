/* Planes to interleaved values in glTF's frame: Unity's with x mirrored. Negation is a change of the sign
 * bit: -0 for 0. */
#include "isa.h"
#include "simd.h"

/* The sign bit in the lanes whose bit is set; lane 0 is the lowest. */
SINEW_INLINE vi sign_mask(uint64_t bits) {
  const vi all = v_seti((int32_t)(uint32_t)bits);
  vi place;
#if defined(__SSE4_1__) && !defined(__AVX2__) /* no shift by a count of its own for each lane */
  for (int i = 0; i < SINEW_WIDTH; i++) place[i] = 1 << i;
  return ((all & place) == place) & v_seti(INT32_MIN);
#else
  for (int i = 0; i < SINEW_WIDTH; i++) place[i] = 31 - i;
  return (all << place) & v_seti(INT32_MIN);
#endif
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

/* 32767 a for a limited to -1..1 (NaN gives -1), to the nearest integer, ties to even. The addend's last
 * place is 1, so the sum's rounding is the wanted one: the only one where v_fma is fused. */
SINEW_INLINE vi to_int16(vf a) {
  const vf addend = v_set(0x1.8p23f);
  a = v_min(v_max(a, v_set(-1.0f)), v_set(1.0f));
  return (vi)v_fma(a, v_set(32767.0f), addend) - (vi)addend;
}
/* The low half of the first below the low half of the second. */
SINEW_INLINE vi join_halves(vi low, vi high) {
  return (low & v_seti(0xffff)) | (high << 16);
}

void SINEW_KERNEL(pack_quat16)(const float *quat, uint64_t flips, int16_t *xyzw) {
  const vi negative = v_seti(INT32_MIN);
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    vi flip = sign_mask(flips >> f);
    vi x = to_int16(v_flip_sign(v_load(quat + f), flip));
    vi y = to_int16(v_flip_sign(v_load(quat + SINEW_BLOCK + f), flip ^ negative));
    vi z = to_int16(v_flip_sign(v_load(quat + 2 * SINEW_BLOCK + f), flip ^ negative));
    vi w = to_int16(v_flip_sign(v_load(quat + 3 * SINEW_BLOCK + f), flip));
    int32_t pairs[2 * SINEW_WIDTH];
    v_store_interleaved2(pairs, join_halves(x, y), join_halves(z, w));
    memcpy(xyzw + 4 * f, pairs, sizeof pairs);
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
