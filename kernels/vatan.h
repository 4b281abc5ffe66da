/* The one door to SLEEF: its arc tangent of two arguments, 3.5 units in the last place. Of its deterministic
 * functions those of one family (finz) give the same bits with and without vectors; SSE4.1, which has no
 * fused multiply-add, has another (cinz) and other last bits, as all of that profile. */
#ifndef SINEW_VATAN_H
#define SINEW_VATAN_H

#include "simd.h"

#include <sleef.h>

#if SINEW_WIDTH == 1 && defined(__aarch64__) /* whose header names no function of one lane */
SINEW_INLINE vf v_atan2(vf y, vf x) {
  return (vf){Sleef_finz_atan2f4_u35advsimd((float32x4_t){y[0]}, (float32x4_t){x[0]})[0]};
}
#elif SINEW_WIDTH == 1
SINEW_INLINE vf v_atan2(vf y, vf x) {
  return (vf){Sleef_finz_atan2f1_u35purecfma(y[0], x[0])};
}
#elif SINEW_WIDTH == 16
SINEW_INLINE vf v_atan2(vf y, vf x) {
  return (vf)Sleef_finz_atan2f16_u35avx512f((__m512)y, (__m512)x);
}
#elif SINEW_WIDTH == 8
SINEW_INLINE vf v_atan2(vf y, vf x) {
  return (vf)Sleef_finz_atan2f8_u35avx2((__m256)y, (__m256)x);
}
#elif defined(__SSE4_1__)
SINEW_INLINE vf v_atan2(vf y, vf x) {
  return (vf)Sleef_cinz_atan2f4_u35sse4((__m128)y, (__m128)x);
}
#else
SINEW_INLINE vf v_atan2(vf y, vf x) {
  return (vf)Sleef_finz_atan2f4_u35advsimd((float32x4_t)y, (float32x4_t)x);
}
#endif

/* The half angle, -pi/2..pi/2, of which s : c are sine and cosine but for a common factor of any sign. */
SINEW_INLINE vf v_half_angle_of(vf s, vf c) {
  return v_atan2(v_flip_sign(s, (vi)c & v_seti(INT32_MIN)), (vf)v_abs_bits(c));
}

#endif
