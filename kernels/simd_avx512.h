/* AVX-512 F, VL, DQ and BW: 16 lanes, fused. Included by simd.h alone. */
#ifndef SINEW_SIMD_AVX512_H
#define SINEW_SIMD_AVX512_H

#include <immintrin.h>

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
SINEW_INLINE vf v_max_abs(vf a, vf b) {
  return (vf)_mm512_range_ps((__m512)a, (__m512)b, 11); /* the largest magnitude, its sign clear */
}
SINEW_INLINE vi v_maxi(vi a, vi b) {
  return (vi)_mm512_max_epi32((__m512i)a, (__m512i)b);
}
SINEW_INLINE int32_t v_largest(vi a) {
  return _mm512_reduce_max_epi32((__m512i)a);
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
SINEW_INLINE vf v_time_since_each(const double *t, const double *s, const uint32_t *i) {
  const __m512d below = _mm512_loadu_pd(s), above = _mm512_loadu_pd(s + 8);
  const __m512i first = _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)i));
  const __m512i second = _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(i + 8)));
  __m512d low = _mm512_sub_pd(_mm512_loadu_pd(t), _mm512_permutex2var_pd(below, first, above));
  __m512d high = _mm512_sub_pd(_mm512_loadu_pd(t + 8), _mm512_permutex2var_pd(below, second, above));
  return (vf)_mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(low)), _mm512_cvtpd_ps(high), 1);
}
SINEW_INLINE vi v_load_bytes(const uint8_t *p) {
  return (vi)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p));
}
SINEW_INLINE vi v_picks(vi i) {
  return i;
}
SINEW_INLINE vf v_pick(const float *p, vi picks) {
  return (vf)_mm512_permutexvar_ps((__m512i)picks, _mm512_loadu_ps(p));
}
SINEW_INLINE void v_store_past_caches(float *p, vf a) {
  _mm512_stream_ps(p, (__m512)a);
}
SINEW_INLINE void v_stores_done(void) {
  _mm_sfence();
}
SINEW_INLINE vf v_load_quads(const float *const *p, uint32_t at) {
  __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(p[0] + at));
  v = _mm512_mask_broadcast_f32x4(v, 0x00f0, _mm_loadu_ps(p[4] + at));
  v = _mm512_mask_broadcast_f32x4(v, 0x0f00, _mm_loadu_ps(p[8] + at));
  return (vf)_mm512_mask_broadcast_f32x4(v, 0xf000, _mm_loadu_ps(p[12] + at));
}
/* In each group of four lanes. */
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

/* Two shuffles a result: pairs first, then pairs of pairs. */
SINEW_INLINE void v_store_interleaved4(float *out, vf x, vf y, vf z, vf w) {
  const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const __m512i high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const __m512i low2 = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
  const __m512i high2 = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
  const __m512d xy0 = (__m512d)_mm512_permutex2var_ps((__m512)x, low, (__m512)y);
  const __m512d xy1 = (__m512d)_mm512_permutex2var_ps((__m512)x, high, (__m512)y);
  const __m512d zw0 = (__m512d)_mm512_permutex2var_ps((__m512)z, low, (__m512)w);
  const __m512d zw1 = (__m512d)_mm512_permutex2var_ps((__m512)z, high, (__m512)w);
  v_store(out, (vf)_mm512_permutex2var_pd(xy0, low2, zw0));
  v_store(out + 16, (vf)_mm512_permutex2var_pd(xy0, high2, zw0));
  v_store(out + 32, (vf)_mm512_permutex2var_pd(xy1, low2, zw1));
  v_store(out + 48, (vf)_mm512_permutex2var_pd(xy1, high2, zw1));
}
SINEW_INLINE void v_store_interleaved2(int32_t *out, vi a, vi b) {
  const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const __m512i high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  _mm512_storeu_si512(out, _mm512_permutex2var_epi32((__m512i)a, low, (__m512i)b));
  _mm512_storeu_si512(out + 16, _mm512_permutex2var_epi32((__m512i)a, high, (__m512i)b));
}

#endif
