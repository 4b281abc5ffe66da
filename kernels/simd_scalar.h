/* One lane, fused: the readable reference, with the same bits as avx2, avx512 and neon. Included by simd.h
 * alone. */
#ifndef SINEW_SIMD_SCALAR_H
#define SINEW_SIMD_SCALAR_H

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
SINEW_INLINE int32_t v_largest(vi a) {
  return a[0];
}
SINEW_INLINE uint32_t v_signs(vf a) {
  return __builtin_signbit(a[0]) ? 1 : 0;
}
SINEW_INLINE vf v_time_since(const double *t, double s) {
  return (vf){(float)(t[0] - s)};
}
SINEW_INLINE vf v_time_since_each(const double *t, const double *s, const uint32_t *i) {
  return (vf){(float)(t[0] - s[i[0]])};
}
SINEW_INLINE vi v_load_bytes(const uint8_t *p) {
  return (vi){p[0]};
}
SINEW_INLINE vi v_picks(vi i) {
  return i;
}
SINEW_INLINE vf v_pick(const float *p, vi picks) {
  return (vf){p[picks[0]]};
}

SINEW_INLINE void v_store_past_caches(float *p, vf a) {
  v_store(p, a);
}
SINEW_INLINE void v_stores_done(void) {
}
SINEW_INLINE void v_store_interleaved4(float *out, vf x, vf y, vf z, vf w) {
  out[0] = x[0], out[1] = y[0], out[2] = z[0], out[3] = w[0];
}
SINEW_INLINE void v_store_interleaved2(int32_t *out, vi a, vi b) {
  out[0] = a[0], out[1] = b[0];
}

#endif
