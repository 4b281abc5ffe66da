/* One vector vocabulary for every instruction set. Included by the kernels alone, which are compiled once per
 * instruction set; the width is a constant of the compilation, taken from the compiler's own macros.
 *
 * Operators + - * / and comparisons are written as such. Everything here rounds as IEEE 754 says, so equal
 * inputs give equal bits at every width: no estimates, no sums across lanes. v_fma is fused on avx2, avx512,
 * neon and in the scalar reference; sse4 has no such instruction and rounds twice: the "nofma" profile.
 *
 * What the header of an instruction set brings:
 *   v_set(x), v_seti(x)    x in every lane
 *   v_fma(a, b, c)         a * b + c
 *   v_fnma(a, b, c)        c - a * b
 *   v_sqrt(a)
 *   v_round(a)             to the nearest integer, ties to even
 *   v_max(a, b)            a > b ? a : b, so b where one is NaN or both are zeros
 *   v_min(a, b)            a < b ? a : b, likewise
 *   v_max_abs(a, b)        the larger of |a| and b >= 0; which one where one is NaN is not said
 *   v_maxi(a, b)           the larger, signed integers
 *   v_largest(a)           the largest lane, signed integers
 *   v_by_sign(s, a, b)     b where the sign bit of s is set, else a
 *   v_signs(a)             the sign bits, lane 0 lowest
 *   v_time_since(t, s)     (float)(t[lane] - s): subtracted in double, rounded once
 *   v_time_since_each(t, s, i)
 *                          (float)(t[lane] - s[i[lane]]), i[lane] a lane's number; all lanes of s may be read
 *   v_load_bytes(p)        bytes as integers
 *   v_picks(i), v_pick(p, v_picks(i))
 *                          p[i[lane]], likewise
 *   v_store_past_caches(p, a), v_stores_done()
 *                          p aligned to the vector; the second orders these stores before later ones
 *   v_load_quads(p, at)    from p[0][at] on four floats, then four from p[4][at], p[8][at] (not scalar)
 *   v_transpose4(v)        lane 4g + i of v[k] becomes lane 4g + k of v[i] (not scalar)
 *   v_store_interleaved4   four planes to as many quadruples as there are lanes
 *   v_store_interleaved2   two vectors of integers to as many pairs as there are lanes */
#ifndef SINEW_SIMD_H
#define SINEW_SIMD_H

#include <stdint.h>
#include <string.h>

#if defined(SINEW_SCALAR)
#define SINEW_WIDTH 1
#elif defined(__AVX512F__)
#define SINEW_WIDTH 16
#elif defined(__AVX2__)
#define SINEW_WIDTH 8
#elif defined(__SSE4_1__) || defined(__aarch64__)
#define SINEW_WIDTH 4
#else
#error "no vector width for these compiler flags"
#endif

typedef float vf __attribute__((vector_size(4 * SINEW_WIDTH)));
typedef int32_t vi __attribute__((vector_size(4 * SINEW_WIDTH)));

#define SINEW_INLINE static inline __attribute__((always_inline))

SINEW_INLINE vf v_load(const float *p) {
  vf v;
  memcpy(&v, p, sizeof v);
  return v;
}
SINEW_INLINE void v_store(float *p, vf v) {
  memcpy(p, &v, sizeof v);
}

#if SINEW_WIDTH == 1
#include "simd_scalar.h"
#elif SINEW_WIDTH == 16
#include "simd_avx512.h"
#elif SINEW_WIDTH == 8
#include "simd_avx2.h"
#elif defined(__SSE4_1__)
#include "simd_sse4.h"
#else
#include "simd_neon.h"
#endif

/* a where the mask is set (all ones), b where it is clear. */
SINEW_INLINE vf v_select(vi mask, vf a, vf b) {
  return (vf)((mask & (vi)a) | (~mask & (vi)b));
}
SINEW_INLINE vi v_abs_bits(vf a) {
  return (vi)a & v_seti(0x7fffffff);
}
#if SINEW_WIDTH != 16 /* AVX-512 has an instruction for it */
SINEW_INLINE vf v_max_abs(vf a, vf b) {
  return v_max((vf)v_abs_bits(a), b);
}
#endif
SINEW_INLINE vf v_flip_sign(vf a, vi sign_bits) {
  return (vf)((vi)a ^ sign_bits);
}
SINEW_INLINE vf v_neg(vf a) {
  return v_flip_sign(a, v_seti(INT32_MIN));
}

#endif
