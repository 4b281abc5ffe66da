/* Quaternions and vectors of lanes: x, y, z, w, Hamilton product. */
#ifndef SINEW_VQUAT_H
#define SINEW_VQUAT_H

#include "kernels.h"
#include "simd.h"

typedef struct vvec {
  vf x, y, z;
} vvec;
typedef struct vquat {
  vf x, y, z, w;
} vquat;

/* Planes of one block; p points to lane 0 of the first. */
SINEW_INLINE vvec vvec_load(const float *p) {
  return (vvec){v_load(p), v_load(p + SINEW_BLOCK), v_load(p + 2 * SINEW_BLOCK)};
}
SINEW_INLINE void vvec_store(float *p, vvec a) {
  v_store(p, a.x), v_store(p + SINEW_BLOCK, a.y), v_store(p + 2 * SINEW_BLOCK, a.z);
}
SINEW_INLINE vquat vquat_load(const float *p) {
  return (vquat){v_load(p), v_load(p + SINEW_BLOCK), v_load(p + 2 * SINEW_BLOCK),
                 v_load(p + 3 * SINEW_BLOCK)};
}
SINEW_INLINE void vquat_store(float *p, vquat q) {
  v_store(p, q.x), v_store(p + SINEW_BLOCK, q.y), v_store(p + 2 * SINEW_BLOCK, q.z);
  v_store(p + 3 * SINEW_BLOCK, q.w);
}
SINEW_INLINE vvec vvec_set(const float a[3]) {
  return (vvec){v_set(a[0]), v_set(a[1]), v_set(a[2])};
}
SINEW_INLINE vquat vquat_set(const float q[4]) {
  return (vquat){v_set(q[0]), v_set(q[1]), v_set(q[2]), v_set(q[3])};
}

SINEW_INLINE vvec vvec_add(vvec a, vvec b) {
  return (vvec){a.x + b.x, a.y + b.y, a.z + b.z};
}
SINEW_INLINE vvec vvec_sub(vvec a, vvec b) {
  return (vvec){a.x - b.x, a.y - b.y, a.z - b.z};
}
SINEW_INLINE vvec vvec_scale(vvec a, vf k) {
  return (vvec){a.x * k, a.y * k, a.z * k};
}
SINEW_INLINE vf vvec_dot(vvec a, vvec b) {
  return v_fma(a.x, b.x, v_fma(a.y, b.y, a.z * b.z));
}
SINEW_INLINE vvec vvec_cross(vvec a, vvec b) {
  return (vvec){v_fnma(a.z, b.y, a.y * b.z), v_fnma(a.x, b.z, a.z * b.x), v_fnma(a.y, b.x, a.x * b.y)};
}

SINEW_INLINE vf vquat_dot(vquat a, vquat b) {
  return v_fma(a.x, b.x, v_fma(a.y, b.y, v_fma(a.z, b.z, a.w * b.w)));
}
SINEW_INLINE vquat vquat_scale(vquat q, vf k) {
  return (vquat){q.x * k, q.y * k, q.z * k, q.w * k};
}
SINEW_INLINE vquat vquat_conj(vquat q) {
  return (vquat){v_neg(q.x), v_neg(q.y), v_neg(q.z), q.w};
}
SINEW_INLINE vquat vquat_mul(vquat a, vquat b) {
  return (vquat){
      v_fnma(a.z, b.y, v_fma(a.y, b.z, v_fma(a.x, b.w, a.w * b.x))),
      v_fnma(a.x, b.z, v_fma(a.z, b.x, v_fma(a.y, b.w, a.w * b.y))),
      v_fnma(a.y, b.x, v_fma(a.x, b.y, v_fma(a.z, b.w, a.w * b.z))),
      v_fnma(a.z, b.z, v_fnma(a.y, b.y, v_fnma(a.x, b.x, a.w * b.w))),
  };
}

/* base + q a conj(q) for a unit q: with t = 2 u x a it is base + a + w t + u x t, u the vector part. */
SINEW_INLINE vvec vquat_rotate_add(vquat q, vvec a, vvec base) {
  vvec twice = vvec_add(a, a);
  vvec t = {v_fnma(q.z, twice.y, q.y * twice.z), v_fnma(q.x, twice.z, q.z * twice.x),
            v_fnma(q.y, twice.x, q.x * twice.y)};
  vvec out = vvec_add(base, a);
  out = (vvec){v_fma(q.w, t.x, out.x), v_fma(q.w, t.y, out.y), v_fma(q.w, t.z, out.z)};
  return (vvec){v_fnma(q.z, t.y, v_fma(q.y, t.z, out.x)), v_fnma(q.x, t.z, v_fma(q.z, t.x, out.y)),
                v_fnma(q.y, t.x, v_fma(q.x, t.y, out.z))};
}

SINEW_INLINE vquat vquat_select(vi mask, vquat a, vquat b) {
  return (vquat){v_select(mask, a.x, b.x), v_select(mask, a.y, b.y), v_select(mask, a.z, b.z),
                 v_select(mask, a.w, b.w)};
}
SINEW_INLINE vquat vquat_identity(void) {
  return (vquat){v_set(0.0f), v_set(0.0f), v_set(0.0f), v_set(1.0f)};
}

/* Unit length; the identity where the length is below 1e-18. Lanes whose squares would overflow are scaled by
 * a power of two first. Infinity and NaN stay NaN. */
SINEW_INLINE vquat vquat_normalise(vquat q) {
  vf largest =
      v_max(v_max((vf)v_abs_bits(q.x), (vf)v_abs_bits(q.y)), v_max((vf)v_abs_bits(q.z), (vf)v_abs_bits(q.w)));
  q = vquat_scale(q, v_select(largest > v_set(0x1p62f), v_set(0x1p-66f), v_set(1.0f)));
  vf square = vquat_dot(q, q);
  vi tiny = square < v_set(1e-36f);
  vf unit = v_set(1.0f) / v_sqrt(v_select(tiny, v_set(1.0f), square));
  return vquat_select(tiny, vquat_identity(), vquat_scale(q, unit));
}

#endif
