#include "read/affine.h"
#include "rig/quat.h"

#include <math.h>
#include <string.h>

static const double least_volume = 1e-12; /* of the box of unit edges along the axes */

static void columns_of(double m[3][4], double axes[3][3]) {
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++) axes[c][r] = m[r][c];
}

/* The largest component first, so that nothing small is divided by. */
static void quat_of_axes(double axes[3][3], double q[4]) {
  const double xx = axes[0][0], yy = axes[1][1], zz = axes[2][2];
  const double square[4] = {1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz};
  int largest = 3;
  for (int i = 0; i < 3; i++)
    if (square[i] > square[largest]) largest = i;
  const double difference[3] = {axes[1][2] - axes[2][1], axes[2][0] - axes[0][2], axes[0][1] - axes[1][0]};
  const double sum[3] = {axes[1][2] + axes[2][1], axes[2][0] + axes[0][2], axes[0][1] + axes[1][0]};
  q[largest] = square[largest];
  for (int i = 0; i < 3; i++) {
    if (i == largest) continue;
    q[i] = largest == 3 ? difference[i] : sum[3 - i - largest];
  }
  if (largest != 3) q[3] = difference[largest];
  quat_normalise(q);
}

/* An axis without length gets a direction at right angles to the others. */
static void complete_axes(double axes[3][3], const double s[3]) {
  for (int i = 0; i < 3; i++) {
    if (s[i] > 0) continue;
    const double *a = axes[(i + 1) % 3], *b = axes[(i + 2) % 3];
    vec_cross(a, b, axes[i]);
    if (vec_normalise(axes[i]) > 0) continue;
    const double *one = vec_dot(a, a) > 0 ? a : b; /* the one that is left, if any */
    int least = 0;
    for (int k = 1; k < 3; k++)
      if (fabs(one[k]) < fabs(one[least])) least = k;
    double unit[3] = {0};
    unit[least] = 1;
    vec_cross(one, unit, axes[i]);
    if (vec_normalise(axes[i]) == 0) axes[i][i] = 1;
  }
}

static void square_axes(double axes[3][3]) {
  const double along = vec_dot(axes[0], axes[1]);
  for (int k = 0; k < 3; k++) axes[1][k] -= along * axes[0][k];
  vec_normalise(axes[1]);
  vec_cross(axes[0], axes[1], axes[2]);
}

void matrix_decompose(double m[3][4], matrix_parts *parts) {
  double axes[3][3], across[3];
  *parts = (matrix_parts){0};
  columns_of(m, axes);
  for (int i = 0; i < 3; i++) {
    parts->t[i] = m[i][3];
    parts->s[i] = vec_normalise(axes[i]);
    if (parts->s[i] == 0) parts->flattened = true;
  }
  for (int i = 0; i < 3; i++) parts->shear = fmax(parts->shear, fabs(vec_dot(axes[i], axes[(i + 1) % 3])));
  if (parts->flattened) complete_axes(axes, parts->s);
  vec_cross(axes[0], axes[1], across);
  if (vec_dot(across, axes[2]) < 0) { /* a mirror image: of the three ways to say so, the first */
    parts->s[0] = -parts->s[0];
    for (int k = 0; k < 3; k++) axes[0][k] = -axes[0][k];
  }
  square_axes(axes);
  quat_of_axes(axes, parts->q);
}

bool matrix_invert(double m[3][4], double inverse[3][4]) {
  double axes[3][3], rows[3][3], unit[3][3], across[3];
  columns_of(m, axes);
  memcpy(unit, axes, sizeof unit);
  for (int i = 0; i < 3; i++) vec_normalise(unit[i]);
  vec_cross(unit[1], unit[2], across);
  if (!(fabs(vec_dot(unit[0], across)) > least_volume)) return false;
  vec_cross(axes[1], axes[2], rows[0]);
  vec_cross(axes[2], axes[0], rows[1]);
  vec_cross(axes[0], axes[1], rows[2]);
  const double volume = vec_dot(axes[0], rows[0]);
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) inverse[r][c] = rows[r][c] / volume;
    inverse[r][3] = -(inverse[r][0] * m[0][3] + inverse[r][1] * m[1][3] + inverse[r][2] * m[2][3]);
    for (int c = 0; c < 4; c++)
      if (!isfinite(inverse[r][c])) return false;
  }
  return true;
}
