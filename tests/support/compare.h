/* Comparing poses with numbers from a JSON file. */
#ifndef TESTS_SUPPORT_COMPARE_H
#define TESTS_SUPPORT_COMPARE_H

#include "rig/quat.h"

#include <criterion/criterion.h>
#include <jansson.h>

static inline void numbers_of_json(const json_t *array, double *out, size_t count) {
  cr_assert(json_array_size(array) == count);
  for (size_t i = 0; i < count; i++) out[i] = json_number_value(json_array_get(array, i));
}

/* The angle between two rotations; the sign of either quaternion does not matter. */
static inline double angle_deg(const double a[4], const double b[4]) {
  double inverse[4], d[4];
  quat_conj(a, inverse);
  quat_mul(inverse, b, d);
  return 2 * atan2(sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), fabs(d[3])) * 180 / M_PI;
}

static inline double distance(const double a[3], const double b[3]) {
  double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return sqrt(vec_dot(d, d));
}

#endif
