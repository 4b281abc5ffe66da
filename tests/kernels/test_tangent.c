/* The half-angle tangent against the C library's tangent in double and against SLEEF's, whose float32 tangent
 * is right to one unit in the last place. Compiled fused (one lane) and with separate rounding (SSE4.1). */
#include "vmath.h"

#include <criterion/criterion.h>
#include <math.h>
#include <sleef.h>

static bool can_run(void) {
#if defined(__x86_64__) && defined(__SSE4_1__)
  return __builtin_cpu_supports("sse4.1");
#else
  return true;
#endif
}

static void half_tangent(float h, double *s, double *c) {
  vf vs, vc;
  v_half_tangent(v_set(h), &vs, &vc);
  *s = (double)vs[0], *c = (double)vc[0];
}

/* What range reduction leaves at most: pi/2 and what the rounding of 1000 turns adds. */
#define REACH 1.5712f

/* 1.8e-8 from the fit; s and c are each rounded by up to 6e-8 of themselves, not both at their worst at once.
 */
Test(tangent, angle_is_right) {
  if (!can_run()) cr_skip_test("this CPU cannot run the instructions: skipped");
  double worst = 0;
  for (float h = -REACH; h <= REACH; h += 1e-6f) {
    double s, c;
    half_tangent(h, &s, &c);
    const double sine = sin((double)h), cosine = cos((double)h);
    worst = fmax(worst, fabs(atan2(s * cosine - c * sine, s * sine + c * cosine)));
  }
  cr_assert_leq(worst, 1.3e-7, "half angle off by %.2e rad", worst);
}

Test(tangent, agrees_with_sleef) {
  if (!can_run()) cr_skip_test("this CPU cannot run the instructions: skipped");
  double worst = 0;
  for (float h = -1.5707f; h <= 1.5707f; h += 1e-6f) {
    double s, c;
    half_tangent(h, &s, &c);
    const double apart = fabs(atan2(s, c) - atan((double)Sleef_tanf_u10(h)));
    worst = fmax(worst, apart);
  }
  cr_assert_leq(worst, 1.5e-7, "half angles apart by %.2e rad", worst);
}

/* Every float there is, not a sample: a denominator of 0 in both axes of a swing would leave nothing to
 * normalise. */
Test(tangent, denominator_is_nowhere_zero) {
  if (!can_run()) cr_skip_test("this CPU cannot run the instructions: skipped");
  double least = 1;
  for (float h = 1.55f; h <= REACH; h = nextafterf(h, 2)) {
    double s, c;
    half_tangent(h, &s, &c);
    least = fmin(least, fabs(c));
    half_tangent(-h, &s, &c);
    least = fmin(least, fabs(c));
  }
  cr_assert_gt(least, 1e-10, "least denominator %.2e", least);
}

Test(tangent, small_angles_keep_their_relative_precision) {
  if (!can_run()) cr_skip_test("this CPU cannot run the instructions: skipped");
  for (float h = 1e-30f; h < 0.1f; h *= 1.37f) {
    double s, c;
    half_tangent(h, &s, &c);
    cr_assert_leq(fabs(s / c / tan((double)h) - 1), 3e-7, "at %g", (double)h);
  }
}

Test(tangent, wrapping_leaves_the_reach) {
  if (!can_run()) cr_skip_test("this CPU cannot run the instructions: skipped");
  for (float h = -3142.0f; h < 3142.0f; h += 0.0137f) { /* 1000 units of muscle at pi radians */
    const double wrapped = (double)v_wrap_half_angle(v_set(h))[0];
    cr_assert_leq(fabs(wrapped), (double)REACH);
    const double turns = ((double)h - wrapped) / M_PI;
    cr_assert_leq(fabs(turns - nearbyint(turns)) * M_PI, 2e-7 + fabs((double)h) * 1e-9, "at %g", (double)h);
  }
}
