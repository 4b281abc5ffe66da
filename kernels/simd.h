/* One vector vocabulary for every instruction set. Included by the kernels alone, which are compiled once per
 * instruction set; the width is a constant of the compilation, taken from the compiler's own macros.
 *
 * Operators + - * / and comparisons are written as such. Everything here rounds as IEEE 754 says, so equal
 * inputs give equal bits at every width: no estimates, no sums across lanes. v_fma is fused on avx2, avx512,
 * neon and in the scalar reference; sse4 has no such instruction and rounds twice: the "nofma" profile. */
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
#elif defined(__SSE4_1__)
#define SINEW_WIDTH 4
#elif defined(__aarch64__)
#define SINEW_WIDTH 4
#else
#error "no vector width for these compiler flags"
#endif

#if defined(__SSE4_1__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
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

/* What each instruction set has to bring:
 *   v_set(x), v_seti(x)   x in every lane
 *   v_fma(a, b, c)        a * b + c          v_fnma(a, b, c)  c - a * b
 *   v_sqrt(a)             v_round(a)         to the nearest integer, ties to even
 *   v_max(a, b)           a > b ? a : b      v_min(a, b)  a < b ? a : b; so b where one is NaN or both are
 * zeros v_maxi(a, b)          of signed integers v_by_sign(s, a, b)    b where the sign bit of s is set, else
 * a v_signs(a)            the sign bits, lane 0 lowest v_time_since(t, s)    (float)(t[lane] - s): subtracted
 * in double, rounded once v_transpose4(v)       in each group of four lanes, the 4x4 transpose of v[0..3] */

#if SINEW_WIDTH ==                                                                                           \
    1 /* ---- scalar ----------------------------------------------------------------------------- */

SINEW_INLINE vf v_set(float x) {
  return (vf){x};
}
SINEW_INLINE vi v_seti(int32_t x) {
  return (vi){x};
}
SINEW_INLINE vf v_fma(vf a, vf b, vf c) {
  return (vf){__builtin_fmaf(a[0], b[0], c[0])};
}
SINEW_INLINE vf v_fnma(vf a, vf b, vf c) {
  return (vf){__builtin_fmaf(-a[0], b[0], c[0])};
}
SINEW_INLINE vf v_sqrt(vf a) {
  return (vf){__builtin_sqrtf(a[0])};
}
SINEW_INLINE vf v_round(vf a) {
  return (vf){__builtin_rintf(a[0])};
}
SINEW_INLINE vf v_max(vf a, vf b) {
  return a[0] > b[0] ? a : b;
}
SINEW_INLINE vf v_min(vf a, vf b) {
  return a[0] < b[0] ? a : b;
}
SINEW_INLINE vi v_maxi(vi a, vi b) {
  return a[0] > b[0] ? a : b;
}
SINEW_INLINE vf v_by_sign(vf s, vf a, vf b) {
  return __builtin_signbit(s[0]) ? b : a;
}
SINEW_INLINE uint32_t v_signs(vf a) {
  return __builtin_signbit(a[0]) ? 1 : 0;
}
SINEW_INLINE vf v_time_since(const double *t, double s) {
  return (vf){(float)(t[0] - s)};
}

#elif SINEW_WIDTH ==                                                                                         \
    16 /* ---- AVX-512 ------------------------------------------------------------------------- */

SINEW_INLINE vf v_set(float x) {
  return (vf)_mm512_set1_ps(x);
}
SINEW_INLINE vi v_seti(int32_t x) {
  return (vi)_mm512_set1_epi32(x);
}
SINEW_INLINE vf v_fma(vf a, vf b, vf c) {
  return (vf)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}
SINEW_INLINE vf v_fnma(vf a, vf b, vf c) {
  return (vf)_mm512_fnmadd_ps((__m512)a, (__m512)b, (__m512)c);
}
SINEW_INLINE vf v_sqrt(vf a) {
  return (vf)_mm512_sqrt_ps((__m512)a);
}
SINEW_INLINE vf v_round(vf a) {
  return (vf)_mm512_roundscale_ps((__m512)a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
SINEW_INLINE vf v_max(vf a, vf b) {
  return (vf)_mm512_max_ps((__m512)a, (__m512)b);
}
SINEW_INLINE vf v_min(vf a, vf b) {
  return (vf)_mm512_min_ps((__m512)a, (__m512)b);
}
SINEW_INLINE vi v_maxi(vi a, vi b) {
  return (vi)_mm512_max_epi32((__m512i)a, (__m512i)b);
}
SINEW_INLINE uint32_t v_signs(vf a) {
  return _mm512_movepi32_mask((__m512i)a);
}
SINEW_INLINE vf v_by_sign(vf s, vf a, vf b) {
  return (vf)_mm512_mask_blend_ps(_mm512_movepi32_mask((__m512i)s), (__m512)a, (__m512)b);
}
SINEW_INLINE vf v_time_since(const double *t, double s) {
  __m256 low = _mm512_cvtpd_ps(_mm512_sub_pd(_mm512_loadu_pd(t), _mm512_set1_pd(s)));
  __m256 high = _mm512_cvtpd_ps(_mm512_sub_pd(_mm512_loadu_pd(t + 8), _mm512_set1_pd(s)));
  return (vf)_mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}
SINEW_INLINE void v_transpose4(vf v[4]) {
  __m512d a = (__m512d)_mm512_unpacklo_ps((__m512)v[0], (__m512)v[1]);
  __m512d b = (__m512d)_mm512_unpackhi_ps((__m512)v[0], (__m512)v[1]);
  __m512d c = (__m512d)_mm512_unpacklo_ps((__m512)v[2], (__m512)v[3]);
  __m512d d = (__m512d)_mm512_unpackhi_ps((__m512)v[2], (__m512)v[3]);
  v[0] = (vf)_mm512_unpacklo_pd(a, c);
  v[1] = (vf)_mm512_unpackhi_pd(a, c);
  v[2] = (vf)_mm512_unpacklo_pd(b, d);
  v[3] = (vf)_mm512_unpackhi_pd(b, d);
}

#elif SINEW_WIDTH ==                                                                                         \
    8 /* ---- AVX2 and FMA --------------------------------------------------------------------- */

SINEW_INLINE vf v_set(float x) {
  return (vf)_mm256_set1_ps(x);
}
SINEW_INLINE vi v_seti(int32_t x) {
  return (vi)_mm256_set1_epi32(x);
}
SINEW_INLINE vf v_fma(vf a, vf b, vf c) {
  return (vf)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
SINEW_INLINE vf v_fnma(vf a, vf b, vf c) {
  return (vf)_mm256_fnmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
SINEW_INLINE vf v_sqrt(vf a) {
  return (vf)_mm256_sqrt_ps((__m256)a);
}
SINEW_INLINE vf v_round(vf a) {
  return (vf)_mm256_round_ps((__m256)a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
SINEW_INLINE vf v_max(vf a, vf b) {
  return (vf)_mm256_max_ps((__m256)a, (__m256)b);
}
SINEW_INLINE vf v_min(vf a, vf b) {
  return (vf)_mm256_min_ps((__m256)a, (__m256)b);
}
SINEW_INLINE vi v_maxi(vi a, vi b) {
  return (vi)_mm256_max_epi32((__m256i)a, (__m256i)b);
}
SINEW_INLINE uint32_t v_signs(vf a) {
  return (uint32_t)_mm256_movemask_ps((__m256)a);
}
SINEW_INLINE vf v_by_sign(vf s, vf a, vf b) {
  return (vf)_mm256_blendv_ps((__m256)a, (__m256)b, (__m256)s);
}
SINEW_INLINE vf v_time_since(const double *t, double s) {
  __m128 low = _mm256_cvtpd_ps(_mm256_sub_pd(_mm256_loadu_pd(t), _mm256_set1_pd(s)));
  __m128 high = _mm256_cvtpd_ps(_mm256_sub_pd(_mm256_loadu_pd(t + 4), _mm256_set1_pd(s)));
  return (vf)_mm256_set_m128(high, low);
}
SINEW_INLINE void v_transpose4(vf v[4]) {
  __m256d a = (__m256d)_mm256_unpacklo_ps((__m256)v[0], (__m256)v[1]);
  __m256d b = (__m256d)_mm256_unpackhi_ps((__m256)v[0], (__m256)v[1]);
  __m256d c = (__m256d)_mm256_unpacklo_ps((__m256)v[2], (__m256)v[3]);
  __m256d d = (__m256d)_mm256_unpackhi_ps((__m256)v[2], (__m256)v[3]);
  v[0] = (vf)_mm256_unpacklo_pd(a, c);
  v[1] = (vf)_mm256_unpackhi_pd(a, c);
  v[2] = (vf)_mm256_unpacklo_pd(b, d);
  v[3] = (vf)_mm256_unpackhi_pd(b, d);
}

#elif defined(                                                                                               \
    __SSE4_1__) /* ---- SSE4.1 ------------------------------------------------------------------------ */

SINEW_INLINE vf v_set(float x) {
  return (vf)_mm_set1_ps(x);
}
SINEW_INLINE vi v_seti(int32_t x) {
  return (vi)_mm_set1_epi32(x);
}
SINEW_INLINE vf v_fma(vf a, vf b, vf c) {
  return a * b + c;
}
SINEW_INLINE vf v_fnma(vf a, vf b, vf c) {
  return c - a * b;
}
SINEW_INLINE vf v_sqrt(vf a) {
  return (vf)_mm_sqrt_ps((__m128)a);
}
SINEW_INLINE vf v_round(vf a) {
  return (vf)_mm_round_ps((__m128)a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
SINEW_INLINE vf v_max(vf a, vf b) {
  return (vf)_mm_max_ps((__m128)a, (__m128)b);
}
SINEW_INLINE vf v_min(vf a, vf b) {
  return (vf)_mm_min_ps((__m128)a, (__m128)b);
}
SINEW_INLINE vi v_maxi(vi a, vi b) {
  return (vi)_mm_max_epi32((__m128i)a, (__m128i)b);
}
SINEW_INLINE uint32_t v_signs(vf a) {
  return (uint32_t)_mm_movemask_ps((__m128)a);
}
SINEW_INLINE vf v_by_sign(vf s, vf a, vf b) {
  return (vf)_mm_blendv_ps((__m128)a, (__m128)b, (__m128)s);
}
SINEW_INLINE vf v_time_since(const double *t, double s) {
  __m128 low = _mm_cvtpd_ps(_mm_sub_pd(_mm_loadu_pd(t), _mm_set1_pd(s)));
  __m128 high = _mm_cvtpd_ps(_mm_sub_pd(_mm_loadu_pd(t + 2), _mm_set1_pd(s)));
  return (vf)_mm_movelh_ps(low, high);
}
SINEW_INLINE void v_transpose4(vf v[4]) {
  __m128 a = (__m128)v[0], b = (__m128)v[1], c = (__m128)v[2], d = (__m128)v[3];
  _MM_TRANSPOSE4_PS(a, b, c, d);
  v[0] = (vf)a, v[1] = (vf)b, v[2] = (vf)c, v[3] = (vf)d;
}

#else /* ---- NEON (aarch64)                                                                                 \
         ------------------------------------------------------------------------------------ */

SINEW_INLINE vf v_set(float x) {
  return (vf)vdupq_n_f32(x);
}
SINEW_INLINE vi v_seti(int32_t x) {
  return (vi)vdupq_n_s32(x);
}
SINEW_INLINE vf v_fma(vf a, vf b, vf c) {
  return (vf)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
}
SINEW_INLINE vf v_fnma(vf a, vf b, vf c) {
  return (vf)vfmsq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
}
SINEW_INLINE vf v_sqrt(vf a) {
  return (vf)vsqrtq_f32((float32x4_t)a);
}
SINEW_INLINE vf v_round(vf a) {
  return (vf)vrndnq_f32((float32x4_t)a);
}
SINEW_INLINE vf v_max(vf a, vf b) {
  return (vf)vbslq_f32((uint32x4_t)(a > b), (float32x4_t)a, (float32x4_t)b);
}
SINEW_INLINE vf v_min(vf a, vf b) {
  return (vf)vbslq_f32((uint32x4_t)(a < b), (float32x4_t)a, (float32x4_t)b);
}
SINEW_INLINE vi v_maxi(vi a, vi b) {
  return (vi)vmaxq_s32((int32x4_t)a, (int32x4_t)b);
}
SINEW_INLINE uint32_t v_signs(vf a) {
  const int32_t place[4] = {0, 1, 2, 3};
  return vaddvq_u32(vshlq_u32(vshrq_n_u32((uint32x4_t)a, 31), vld1q_s32(place)));
}
SINEW_INLINE vf v_by_sign(vf s, vf a, vf b) {
  return (vf)vbslq_f32((uint32x4_t)((vi)s < 0), (float32x4_t)b, (float32x4_t)a);
}
SINEW_INLINE vf v_time_since(const double *t, double s) {
  float32x2_t low = vcvt_f32_f64(vsubq_f64(vld1q_f64(t), vdupq_n_f64(s)));
  return (vf)vcvt_high_f32_f64(low, vsubq_f64(vld1q_f64(t + 2), vdupq_n_f64(s)));
}
SINEW_INLINE void v_transpose4(vf v[4]) {
  float32x4x2_t a = vtrnq_f32((float32x4_t)v[0], (float32x4_t)v[1]);
  float32x4x2_t b = vtrnq_f32((float32x4_t)v[2], (float32x4_t)v[3]);
  v[0] = (vf)vcombine_f32(vget_low_f32(a.val[0]), vget_low_f32(b.val[0]));
  v[1] = (vf)vcombine_f32(vget_low_f32(a.val[1]), vget_low_f32(b.val[1]));
  v[2] = (vf)vcombine_f32(vget_high_f32(a.val[0]), vget_high_f32(b.val[0]));
  v[3] = (vf)vcombine_f32(vget_high_f32(a.val[1]), vget_high_f32(b.val[1]));
}

#endif

/* ---- the same for all
 * ------------------------------------------------------------------------------------------ */

/* a where the mask is set (all ones), b where it is clear. */
SINEW_INLINE vf v_select(vi mask, vf a, vf b) {
  return (vf)((mask & (vi)a) | (~mask & (vi)b));
}
SINEW_INLINE vi v_abs_bits(vf a) {
  return (vi)a & v_seti(0x7fffffff);
}
SINEW_INLINE vf v_flip_sign(vf a, vi sign_bits) {
  return (vf)((vi)a ^ sign_bits);
}
SINEW_INLINE vf v_neg(vf a) {
  return v_flip_sign(a, v_seti(INT32_MIN));
}

/* Four planes to SINEW_WIDTH interleaved quadruples at out, and back. */
SINEW_INLINE void v_store_interleaved4(float *out, vf x, vf y, vf z, vf w) {
#if SINEW_WIDTH == 1
  out[0] = x[0], out[1] = y[0], out[2] = z[0], out[3] = w[0];
#else
  vf v[4] = {x, y, z, w};
  v_transpose4(v); /* v[k] holds the quadruples of lanes k, 4 + k, 8 + k, 12 + k */
#if SINEW_WIDTH == 4
  for (int k = 0; k < 4; k++) v_store(out + 4 * k, v[k]);
#elif SINEW_WIDTH == 8
  __m256 a = (__m256)v[0], b = (__m256)v[1], c = (__m256)v[2], d = (__m256)v[3];
  v_store(out, (vf)_mm256_permute2f128_ps(a, b, 0x20));
  v_store(out + 8, (vf)_mm256_permute2f128_ps(c, d, 0x20));
  v_store(out + 16, (vf)_mm256_permute2f128_ps(a, b, 0x31));
  v_store(out + 24, (vf)_mm256_permute2f128_ps(c, d, 0x31));
#else
  __m512 ab_low = _mm512_shuffle_f32x4((__m512)v[0], (__m512)v[1], 0x44);
  __m512 cd_low = _mm512_shuffle_f32x4((__m512)v[2], (__m512)v[3], 0x44);
  __m512 ab_high = _mm512_shuffle_f32x4((__m512)v[0], (__m512)v[1], 0xee);
  __m512 cd_high = _mm512_shuffle_f32x4((__m512)v[2], (__m512)v[3], 0xee);
  v_store(out, (vf)_mm512_shuffle_f32x4(ab_low, cd_low, 0x88));
  v_store(out + 16, (vf)_mm512_shuffle_f32x4(ab_low, cd_low, 0xdd));
  v_store(out + 32, (vf)_mm512_shuffle_f32x4(ab_high, cd_high, 0x88));
  v_store(out + 48, (vf)_mm512_shuffle_f32x4(ab_high, cd_high, 0xdd));
#endif
#endif
}
SINEW_INLINE void v_load_interleaved4(const float *in, vf v[4]) {
#if SINEW_WIDTH == 1
  for (int k = 0; k < 4; k++) v[k] = v_set(in[k]);
#else
#if SINEW_WIDTH == 4
  for (int k = 0; k < 4; k++) v[k] = v_load(in + 4 * k);
#elif SINEW_WIDTH == 8
  __m256 a = _mm256_loadu_ps(in), b = _mm256_loadu_ps(in + 8);
  __m256 c = _mm256_loadu_ps(in + 16), d = _mm256_loadu_ps(in + 24);
  v[0] = (vf)_mm256_permute2f128_ps(a, c, 0x20);
  v[1] = (vf)_mm256_permute2f128_ps(a, c, 0x31);
  v[2] = (vf)_mm256_permute2f128_ps(b, d, 0x20);
  v[3] = (vf)_mm256_permute2f128_ps(b, d, 0x31);
#else
  __m512 a = _mm512_loadu_ps(in), b = _mm512_loadu_ps(in + 16);
  __m512 c = _mm512_loadu_ps(in + 32), d = _mm512_loadu_ps(in + 48);
  __m512 ab_even = _mm512_shuffle_f32x4(a, b, 0x88), ab_odd = _mm512_shuffle_f32x4(a, b, 0xdd);
  __m512 cd_even = _mm512_shuffle_f32x4(c, d, 0x88), cd_odd = _mm512_shuffle_f32x4(c, d, 0xdd);
  v[0] = (vf)_mm512_shuffle_f32x4(ab_even, cd_even, 0x88);
  v[1] = (vf)_mm512_shuffle_f32x4(ab_odd, cd_odd, 0x88);
  v[2] = (vf)_mm512_shuffle_f32x4(ab_even, cd_even, 0xdd);
  v[3] = (vf)_mm512_shuffle_f32x4(ab_odd, cd_odd, 0xdd);
#endif
  v_transpose4(v);
#endif
}

#endif
