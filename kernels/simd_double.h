/* Vectors of doubles: half as many lanes as simd.h has floats. Operators + - * / are written as such; vd_fma
 * and vd_fnma round once where v_fma does. Included by the kernels alone. */
#ifndef SINEW_SIMD_DOUBLE_H
#define SINEW_SIMD_DOUBLE_H

#include "simd.h"

#if SINEW_WIDTH == 1
#define SINEW_DOUBLES 1
#else
#define SINEW_DOUBLES (SINEW_WIDTH / 2)
#endif

typedef double vd __attribute__((vector_size(8 * SINEW_DOUBLES)));
typedef int64_t vdl __attribute__((vector_size(8 * SINEW_DOUBLES)));
typedef float vdf __attribute__((vector_size(4 * SINEW_DOUBLES)));

SINEW_INLINE vd vd_load(const double *p) {
  vd v;
  memcpy(&v, p, sizeof v);
  return v;
}
SINEW_INLINE void vd_store(double *p, vd v) {
  memcpy(p, &v, sizeof v);
}
/* As many floats as there are lanes. */
SINEW_INLINE vd vd_load_floats(const float *p) {
  vdf v;
  memcpy(&v, p, sizeof v);
  return __builtin_convertvector(v, vd);
}
SINEW_INLINE vd vd_set(double x) {
#if SINEW_DOUBLES == 8
  return (vd)_mm512_set1_pd(x);
#elif SINEW_DOUBLES == 4
  return (vd)_mm256_set1_pd(x);
#elif SINEW_DOUBLES == 2
  return (vd){x, x};
#else
  return (vd){x};
#endif
}

/* a * b + c */
SINEW_INLINE vd vd_fma(vd a, vd b, vd c) {
#if SINEW_DOUBLES == 8
  return (vd)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif SINEW_DOUBLES == 4
  return (vd)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#elif SINEW_DOUBLES == 1
  return (vd){__builtin_fma(a[0], b[0], c[0])};
#elif defined(__aarch64__)
  return (vd)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
#else
  return a * b + c;
#endif
}
/* c - a * b */
SINEW_INLINE vd vd_fnma(vd a, vd b, vd c) {
#if SINEW_DOUBLES == 8
  return (vd)_mm512_fnmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif SINEW_DOUBLES == 4
  return (vd)_mm256_fnmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#elif SINEW_DOUBLES == 1
  return (vd){__builtin_fma(-a[0], b[0], c[0])};
#elif defined(__aarch64__)
  return (vd)vfmsq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
#else
  return c - a * b;
#endif
}
/* a > b ? a : b, so b where one is no number */
SINEW_INLINE vd vd_max(vd a, vd b) {
#if SINEW_DOUBLES == 8
  return (vd)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif SINEW_DOUBLES == 4
  return (vd)_mm256_max_pd((__m256d)a, (__m256d)b);
#elif SINEW_DOUBLES == 1
  return (vd){a[0] > b[0] ? a[0] : b[0]};
#elif defined(__aarch64__)
  return (vd)vbslq_f64((uint64x2_t)(a > b), (float64x2_t)a, (float64x2_t)b);
#else
  return (vd)_mm_max_pd((__m128d)a, (__m128d)b);
#endif
}

/* As many quadruples as there are lanes, at p one after the other: v[c] holds component c of each. */
#if SINEW_DOUBLES == 8
SINEW_INLINE void vd_load_quads(const float *p, vd v[4]) {
  const __m512i first = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
  const __m512i second = _mm512_or_si512(first, _mm512_set1_epi32(2));
  const __m512 low = _mm512_loadu_ps(p), high = _mm512_loadu_ps(p + 16);
  const __m512 xy = _mm512_permutex2var_ps(low, first, high), zw = _mm512_permutex2var_ps(low, second, high);
  v[0] = (vd)_mm512_cvtps_pd(_mm512_castps512_ps256(xy)),
  v[1] = (vd)_mm512_cvtps_pd(_mm512_extractf32x8_ps(xy, 1));
  v[2] = (vd)_mm512_cvtps_pd(_mm512_castps512_ps256(zw)),
  v[3] = (vd)_mm512_cvtps_pd(_mm512_extractf32x8_ps(zw, 1));
}
SINEW_INLINE void vd_load_short_quads(const int16_t *p, vd v[4]) {
  const __m512i quads = _mm512_loadu_si512(p);
  for (unsigned c = 0; c < 4; c++)
    v[c] = (vd)_mm512_cvtepi64_pd(_mm512_srai_epi64(_mm512_slli_epi64(quads, 48 - 16 * c), 48));
}
#elif SINEW_DOUBLES == 4
SINEW_INLINE void vd_load_quads(const float *p, vd v[4]) {
  __m128 a = _mm_loadu_ps(p), b = _mm_loadu_ps(p + 4), c = _mm_loadu_ps(p + 8), d = _mm_loadu_ps(p + 12);
  _MM_TRANSPOSE4_PS(a, b, c, d);
  v[0] = (vd)_mm256_cvtps_pd(a), v[1] = (vd)_mm256_cvtps_pd(b);
  v[2] = (vd)_mm256_cvtps_pd(c), v[3] = (vd)_mm256_cvtps_pd(d);
}
SINEW_INLINE void vd_load_short_quads(const int16_t *p, vd v[4]) {
  const __m256i halves = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)p),
                                                     _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7));
  const __m128i half[2] = {_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1)};
  for (int k = 0; k < 2; k++) {
    v[2 * k] = (vd)_mm256_cvtepi32_pd(_mm_srai_epi32(_mm_slli_epi32(half[k], 16), 16));
    v[2 * k + 1] = (vd)_mm256_cvtepi32_pd(_mm_srai_epi32(half[k], 16));
  }
}
#elif SINEW_DOUBLES == 2
SINEW_INLINE void vd_load_quads(const float *p, vd v[4]) {
  for (int c = 0; c < 4; c++) v[c] = (vd){(double)p[c], (double)p[4 + c]};
}
SINEW_INLINE void vd_load_short_quads(const int16_t *p, vd v[4]) {
  for (int c = 0; c < 4; c++) v[c] = (vd){p[c], p[4 + c]};
}
#else
SINEW_INLINE void vd_load_quads(const float *p, vd v[4]) {
  for (int c = 0; c < 4; c++) v[c] = (vd){(double)p[c]};
}
SINEW_INLINE void vd_load_short_quads(const int16_t *p, vd v[4]) {
  for (int c = 0; c < 4; c++) v[c] = (vd){p[c]};
}
#endif

#endif
