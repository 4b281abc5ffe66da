/* NEON of aarch64: 4 lanes, fused. Included by simd.h alone. */
#ifndef SINEW_SIMD_NEON_H
#define SINEW_SIMD_NEON_H

#include <arm_neon.h>

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
SINEW_INLINE int32_t v_largest(vi a) {
  return vmaxvq_s32((int32x4_t)a);
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
SINEW_INLINE vf v_time_since_each(const double *t, const double *s, const uint32_t *i) {
  const float64x2_t first = {s[i[0]], s[i[1]]}, second = {s[i[2]], s[i[3]]};
  float32x2_t low = vcvt_f32_f64(vsubq_f64(vld1q_f64(t), first));
  return (vf)vcvt_high_f32_f64(low, vsubq_f64(vld1q_f64(t + 2), second));
}
SINEW_INLINE vi v_load_bytes(const uint8_t *p) {
  uint32_t bytes;
  memcpy(&bytes, p, sizeof bytes);
  return (vi)vmovl_u16(vget_low_u16(vmovl_u8(vcreate_u8(bytes))));
}
/* The places of the picked lanes' bytes: 4 i + 0..3 in each. */
SINEW_INLINE vi v_picks(vi i) {
  return i * v_seti(0x04040404) + v_seti(0x03020100);
}
SINEW_INLINE vf v_pick(const float *p, vi picks) {
  return (vf)vqtbl1q_u8(vld1q_u8((const uint8_t *)p), (uint8x16_t)picks);
}
SINEW_INLINE void v_store_past_caches(float *p, vf a) {
  v_store(p, a);
}
SINEW_INLINE void v_stores_done(void) {
}
SINEW_INLINE vf v_load_quads(const float *const *p, uint32_t at) {
  return v_load(p[0] + at);
}
/* In each group of four lanes. */
SINEW_INLINE void v_transpose4(vf v[4]) {
  float32x4x2_t a = vtrnq_f32((float32x4_t)v[0], (float32x4_t)v[1]);
  float32x4x2_t b = vtrnq_f32((float32x4_t)v[2], (float32x4_t)v[3]);
  v[0] = (vf)vcombine_f32(vget_low_f32(a.val[0]), vget_low_f32(b.val[0]));
  v[1] = (vf)vcombine_f32(vget_low_f32(a.val[1]), vget_low_f32(b.val[1]));
  v[2] = (vf)vcombine_f32(vget_high_f32(a.val[0]), vget_high_f32(b.val[0]));
  v[3] = (vf)vcombine_f32(vget_high_f32(a.val[1]), vget_high_f32(b.val[1]));
}

SINEW_INLINE void v_store_interleaved4(float *out, vf x, vf y, vf z, vf w) {
  vf v[4] = {x, y, z, w};
  v_transpose4(v);
  for (int k = 0; k < 4; k++) v_store(out + 4 * k, v[k]);
}
SINEW_INLINE void v_store_interleaved2(int32_t *out, vi a, vi b) {
  vst2q_s32(out, (int32x4x2_t){{(int32x4_t)a, (int32x4_t)b}});
}

#endif
