/* How far rotations are apart: twice the arc tangent of vector part and scalar part of conj(a) * b. The
 * vector part is taken of conj(a) * (b - a) instead, b by the nearer sign: the same, for conj(a) * a has
 * none, and of rotations that are nearly alike the difference is exact where the product would cancel. */
#include "isa.h"
#include "vatan.h"
#include "vquat.h"

/* The vector part of conj(a) * b. */
SINEW_INLINE vvec vector_part(vquat a, vquat b) {
  return (vvec){v_fma(a.z, b.y, v_fnma(a.y, b.z, v_fnma(a.x, b.w, a.w * b.x))),
                v_fma(a.x, b.z, v_fnma(a.z, b.x, v_fnma(a.y, b.w, a.w * b.y))),
                v_fma(a.y, b.x, v_fnma(a.x, b.y, v_fnma(a.z, b.w, a.w * b.z)))};
}

SINEW_INLINE vf angle(vquat a, vquat b) {
  const vf dot = vquat_dot(a, b);
  const vi sign = (vi)dot & v_seti(INT32_MIN);
  const vquat away = {v_flip_sign(b.x, sign) - a.x, v_flip_sign(b.y, sign) - a.y,
                      v_flip_sign(b.z, sign) - a.z, v_flip_sign(b.w, sign) - a.w};
  const vvec v = vector_part(a, away);
  const vf half = v_atan2(v_sqrt(vvec_dot(v, v)), (vf)v_abs_bits(dot));
  return half + half;
}

void SINEW_KERNEL(apart)(const float *a, size_t a_stride, const float *b, size_t b_stride, size_t count,
                         float *angles) {
  for (size_t i = 0; i < count; i++)
    for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH)
      v_store(angles + i * SINEW_BLOCK + f,
              angle(vquat_load(a + i * a_stride + f), vquat_load(b + i * b_stride + f)));
}
