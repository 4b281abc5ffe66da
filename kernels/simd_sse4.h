/* SSE4.1: 4 lanes, multiply and add rounded apart. Included by simd.h alone. */
#ifndef SINEW_SIMD_SSE4_H
#define SINEW_SIMD_SSE4_H

#include <smmintrin.h>

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
SINEW_INLINE int32_t v_largest(vi v) {
  __m128i a = _mm_max_epi32((__m128i)v, _mm_shuffle_epi32((__m128i)v, 0x4e));
  return _mm_cvtsi128_si32(_mm_max_epi32(a, _mm_shuffle_epi32(a, 0xb1)));
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
SINEW_INLINE vf v_time_since_each(const double *t, const double *s, const uint32_t *i) {
  __m128d first = _mm_setr_pd(s[i[0]], s[i[1]]), second = _mm_setr_pd(s[i[2]], s[i[3]]);
  __m128 low = _mm_cvtpd_ps(_mm_sub_pd(_mm_loadu_pd(t), first));
  __m128 high = _mm_cvtpd_ps(_mm_sub_pd(_mm_loadu_pd(t + 2), second));
  return (vf)_mm_movelh_ps(low, high);
}
SINEW_INLINE vi v_load_bytes(const uint8_t *p) {
  int32_t bytes;
  memcpy(&bytes, p, sizeof bytes);
  return (vi)_mm_cvtepu8_epi32(_mm_cvtsi32_si128(bytes));
}
/* The places of the picked lanes' bytes. */
SINEW_INLINE vi v_picks(vi i) {
  const __m128i repeat = _mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
  const __m128i bytes = _mm_setr_epi8(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
  return (vi)_mm_add_epi8(_mm_shuffle_epi8((__m128i)(i << 2), repeat), bytes);
}
SINEW_INLINE vf v_pick(const float *p, vi picks) {
  return (vf)_mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)p), (__m128i)picks);
}
SINEW_INLINE void v_store_past_caches(float *p, vf a) {
  _mm_stream_ps(p, (__m128)a);
}
SINEW_INLINE void v_stores_done(void) {
  _mm_sfence();
}
SINEW_INLINE vf v_load_quads(const float *const *p, uint32_t at) {
  return v_load(p[0] + at);
}
/* In each group of four lanes; integer shuffles, for which Intel has two ports and not one. */
SINEW_INLINE void v_transpose4(vf v[4]) {
  const __m128i a = _mm_unpacklo_epi32((__m128i)v[0], (__m128i)v[1]);
  const __m128i b = _mm_unpackhi_epi32((__m128i)v[0], (__m128i)v[1]);
  const __m128i c = _mm_unpacklo_epi32((__m128i)v[2], (__m128i)v[3]);
  const __m128i d = _mm_unpackhi_epi32((__m128i)v[2], (__m128i)v[3]);
  v[0] = (vf)_mm_unpacklo_epi64(a, c);
  v[1] = (vf)_mm_unpackhi_epi64(a, c);
  v[2] = (vf)_mm_unpacklo_epi64(b, d);
  v[3] = (vf)_mm_unpackhi_epi64(b, d);
}

SINEW_INLINE void v_store_interleaved4(float *out, vf x, vf y, vf z, vf w) {
  vf v[4] = {x, y, z, w};
  v_transpose4(v);
  for (int k = 0; k < 4; k++) v_store(out + 4 * k, v[k]);
}
SINEW_INLINE void v_store_interleaved2(int32_t *out, vi a, vi b) {
  _mm_storeu_si128((__m128i *)out, _mm_unpacklo_epi32((__m128i)a, (__m128i)b));
  _mm_storeu_si128((__m128i *)out + 1, _mm_unpackhi_epi32((__m128i)a, (__m128i)b));
}

#endif
