/* Half angles without trigonometry: a tangent kept as numerator and denominator.
 *
 * A rotation by the angle 2h is, up to its length, (axis sin h, cos h) ~ (axis tan h, 1); with tan h = s / c
 * it is (axis s, c), and nothing is divided until the finished quaternion is normalised. */
#ifndef SINEW_VMATH_H
#define SINEW_VMATH_H

#include "simd.h"

/* h - n pi in [-pi/2, pi/2]. Half angles that differ by pi turn alike. pi stands in two parts, the first of 8
 * bits, so that n times it is exact up to n = 2^16 without fused rounding too. */
SINEW_INLINE vf v_wrap_half_angle(vf h) {
  vf n = v_round(h * v_set(0.318309886f));
  h = v_fnma(n, v_set(3.140625f), h);
  return v_fnma(n, v_set(9.67653589793e-4f), h);
}

/* s / c = tan h for |h| <= pi/2. The half angle atan2(s, c) is wrong by at most 1.8e-8 rad before rounding
 * and by 1.1e-7 with it, which is float32's own step at pi/2; fit_tangent.py derives the coefficients. c is
 * nowhere 0, rounded fused or apart: so a product of two does not vanish and the normalisation never divides
 * by 0. */
SINEW_INLINE void v_half_tangent(vf h, vf *s, vf *c) {
  vf w = h * h;
  vf p = v_fma(w, v_set(1.132497098e-03f), v_set(-1.121524796e-01f));
  p = v_fma(w, p, v_set(1.000000119e+00f));
  vf q = v_fma(w, v_set(1.629255526e-02f), v_set(-4.454849958e-01f));
  *s = h * p;
  *c = v_fma(w, q, v_set(1.0f));
}

/* a limited to 0..1; NaN and -0 give 0. */
SINEW_INLINE vf v_clamp01(vf a) {
  return v_min(v_max(a, v_set(0.0f)), v_set(1.0f));
}

#endif
