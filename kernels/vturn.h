/* Turns by an angle and between two rotations, without trigonometry. fit_turn.py derives the coefficients. */
#ifndef SINEW_VTURN_H
#define SINEW_VTURN_H

#include "vquat.h"

/* A quaternion whose length is off by less than 1e-4 to length 1: one step of Newton's from 1 leaves 3/2 of
 * the square of what is missing. */
SINEW_INLINE vquat vquat_near_unit(vquat q) {
  return vquat_scale(q, v_fnma(v_set(0.5f), vquat_dot(q, q), v_set(1.5f)));
}

/* s : c = sin : cos of half the angle, in degrees, |degrees| <= 180.05; negated: of minus that. The length of
 * (s, c) is off by at most 2e-5, the half angle by 2e-9 rad before rounding and 6e-8 with it. s is 0 and c is
 * 1 where the angle is 0. */
SINEW_INLINE void v_turn(vf degrees, int negated, vf *s, vf *c) {
  const float sign = negated ? -1.0f : 1.0f;
  const vf w = degrees * degrees;
  vf p = v_fma(w, v_set(sign * -6.238495367e-19f), v_set(sign * 4.165886115e-13f));
  p = v_fma(w, p, v_set(sign * -1.107128114e-07f));
  p = v_fma(w, p, v_set(sign * 8.726646192e-03f));
  vf q = v_fma(w, v_set(4.105862735e-22f), v_set(-5.831632848e-16f));
  q = v_fma(w, q, v_set(2.409125122e-10f));
  q = v_fma(w, q, v_set(-3.807154644e-05f));
  *s = degrees * p;
  *c = v_fma(w, q, v_set(1.0f));
}

/* q * (axis s, c), the axis 0, 1, 2 for x, y, z. */
SINEW_INLINE vquat vquat_mul_turn(vquat q, int axis, vf s, vf c) {
  switch (axis) {
  case 0:
    return (vquat){v_fma(s, q.w, c * q.x), v_fma(s, q.z, c * q.y), v_fnma(s, q.y, c * q.z),
                   v_fnma(s, q.x, c * q.w)};
  case 1:
    return (vquat){v_fnma(s, q.z, c * q.x), v_fma(s, q.w, c * q.y), v_fma(s, q.x, c * q.z),
                   v_fnma(s, q.y, c * q.w)};
  default:
    return (vquat){v_fma(s, q.y, c * q.x), v_fnma(s, q.x, c * q.y), v_fma(s, q.w, c * q.z),
                   v_fnma(s, q.z, c * q.w)};
  }
}

#endif
