/* AVX2 and FMA: 8 lanes, fused. Included by simd.h alone. */
#ifndef SINEW_SIMD_AVX2_H
#define SINEW_SIMD_AVX2_H

#include <immintrin.h>

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
SINEW_INLINE int32_t v_largest(vi v) {
  __m128i a = _mm_max_epi32(_mm256_castsi256_si128((__m256i)v), _mm256_extracti128_si256((__m256i)v, 1));
  a = _mm_max_epi32(a, _mm_shuffle_epi32(a, 0x4e));
  return _mm_cvtsi128_si32(_mm_max_epi32(a, _mm_shuffle_epi32(a, 0xb1)));
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
/* p[i[lane]] of the eight doubles whose halves are `below` and `above`: less than gathers wait. */
SINEW_INLINE __m256d v_pick_doubles(__m256 below, __m256 above, const uint32_t *i) {
  const __m256i wide = _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)i));
  const __m256i twice = _mm256_shuffle_epi32(_mm256_slli_epi64(wide, 1), 0xa0);
  const __m256i halves = _mm256_add_epi32(twice, _mm256_set1_epi64x((long long)1 << 32));
  return _mm256_blendv_pd((__m256d)_mm256_permutevar8x32_ps(below, halves),
                          (__m256d)_mm256_permutevar8x32_ps(above, halves),
                          (__m256d)_mm256_slli_epi64(wide, 61)); /* the third bit to the sign */
}
SINEW_INLINE vf v_time_since_each(const double *t, const double *s, const uint32_t *i) {
  const __m256 below = (__m256)_mm256_loadu_pd(s), above = (__m256)_mm256_loadu_pd(s + 4);
  const __m256d first = v_pick_doubles(below, above, i), second = v_pick_doubles(below, above, i + 4);
  __m128 low = _mm256_cvtpd_ps(_mm256_sub_pd(_mm256_loadu_pd(t), first));
  __m128 high = _mm256_cvtpd_ps(_mm256_sub_pd(_mm256_loadu_pd(t + 4), second));
  return (vf)_mm256_set_m128(high, low);
}
SINEW_INLINE vi v_load_bytes(const uint8_t *p) {
  return (vi)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p));
}
SINEW_INLINE vi v_picks(vi i) {
  return i;
}
SINEW_INLINE vf v_pick(const float *p, vi picks) {
  return (vf)_mm256_permutevar8x32_ps(_mm256_loadu_ps(p), (__m256i)picks);
}
SINEW_INLINE void v_store_past_caches(float *p, vf a) {
  _mm256_stream_ps(p, (__m256)a);
}
SINEW_INLINE void v_stores_done(void) {
  _mm_sfence();
}
SINEW_INLINE vf v_load_quads(const float *const *p, uint32_t at) {
  return (vf)_mm256_set_m128(_mm_loadu_ps(p[4] + at), _mm_loadu_ps(p[0] + at));
}
/* In each group of four lanes; integer shuffles, for which Intel has two ports and not one. */
SINEW_INLINE void v_transpose4(vf v[4]) {
  const __m256i a = _mm256_unpacklo_epi32((__m256i)v[0], (__m256i)v[1]);
  const __m256i b = _mm256_unpackhi_epi32((__m256i)v[0], (__m256i)v[1]);
  const __m256i c = _mm256_unpacklo_epi32((__m256i)v[2], (__m256i)v[3]);
  const __m256i d = _mm256_unpackhi_epi32((__m256i)v[2], (__m256i)v[3]);
  v[0] = (vf)_mm256_unpacklo_epi64(a, c);
  v[1] = (vf)_mm256_unpackhi_epi64(a, c);
  v[2] = (vf)_mm256_unpacklo_epi64(b, d);
  v[3] = (vf)_mm256_unpackhi_epi64(b, d);
}

/* After the transpose v[k] holds the quadruples of lanes k and 4 + k: two of them change halves by one
 * shuffle and two blends, which have more ports. */
SINEW_INLINE void v_store_interleaved4(float *out, vf x, vf y, vf z, vf w) {
  vf v[4] = {x, y, z, w};
  v_transpose4(v);
  for (int k = 0; k < 4; k += 2) {
    const __m256 first = (__m256)v[k], second = (__m256)v[k + 1];
    const __m256 crossed = _mm256_permute2f128_ps(first, second, 0x21);
    v_store(out + 4 * k, (vf)_mm256_blend_ps(first, crossed, 0xf0));
    v_store(out + 16 + 4 * k, (vf)_mm256_blend_ps(crossed, second, 0xf0));
  }
}
SINEW_INLINE void v_store_interleaved2(int32_t *out, vi a, vi b) {
  __m256i low = _mm256_unpacklo_epi32((__m256i)a, (__m256i)b);
  __m256i high = _mm256_unpackhi_epi32((__m256i)a, (__m256i)b);
  _mm256_storeu_si256((__m256i *)out, _mm256_permute2x128_si256(low, high, 0x20));
  _mm256_storeu_si256((__m256i *)out + 1, _mm256_permute2x128_si256(low, high, 0x31));
}

#endif
