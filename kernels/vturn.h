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

/* From a (share 0) to b (1), both unit, along the shorter way: b is negated where a . b < 0. Share 0 gives
 * a's bits, 1 those of b as it was negated. 2e-7 of a quaternion's angle, rounding included.
 *
 * With `half` half of the angle between the two, x = tan half = |b - a| / |a + b| and u = 2 share - 1, the
 * result is (a + b) + (b - a) tan(u half) / x up to its length. half = x arc(x^2), so tan(u half) / x is u
 * arc(x^2) times an even function of u half, whose square asks for no root. x <= 1. */
SINEW_INLINE vquat vquat_slerp(vquat a, vquat b, vf share) {
  const vf one = v_set(1.0f);
  const vi away = (vquat_dot(a, b) < v_set(0.0f)) & v_seti(INT32_MIN);
  b = (vquat){v_flip_sign(b.x, away), v_flip_sign(b.y, away), v_flip_sign(b.z, away), v_flip_sign(b.w, away)};
  const vquat sum = {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
  const vquat apart = {b.x - a.x, b.y - a.y, b.z - a.z, b.w - a.w};
  const vf x2 = vquat_dot(apart, apart) / vquat_dot(sum, sum), u = v_fma(v_set(2.0f), share, v_set(-1.0f));

  vf arc = v_fma(x2, v_set(2.619105391e-03f), v_set(-1.511989068e-02f));
  arc = v_fma(x2, arc, v_set(4.110104591e-02f));
  arc = v_fma(x2, arc, v_set(-7.364909351e-02f));
  arc = v_fma(x2, arc, v_set(1.057306528e-01f));
  arc = v_fma(x2, arc, v_set(-1.418574601e-01f));
  arc = v_fma(x2, arc, v_set(1.999036670e-01f));
  arc = v_fma(x2, arc, v_set(-3.333298564e-01f));
  const vf scaled = u * v_fma(x2, arc, one), angle2 = (scaled * scaled) * x2;
  const vf top = v_fma(angle2, v_set(-9.580221772e-02f), one);
  const vf bottom = v_fma(angle2, v_fma(angle2, v_set(9.716931731e-03f), v_set(-4.291361570e-01f)), one);

  const vf side = scaled * top;
  vquat q = {v_fma(apart.x, side, sum.x * bottom), v_fma(apart.y, side, sum.y * bottom),
             v_fma(apart.z, side, sum.z * bottom), v_fma(apart.w, side, sum.w * bottom)};
  q = vquat_scale(q, one / v_sqrt(vquat_dot(q, q)));
  return vquat_select(share <= v_set(0.0f), a, vquat_select(share >= one, b, q));
}

#endif
