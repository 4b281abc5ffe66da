#include "reference.h"

#include <math.h>
#include <string.h>

/* ---- angles ---- */

void ref_euler(const uint8_t *axis, const double *degrees, int count, double q[4]) {
  double file[4] = {0, 0, 0, 1};
  for (int t = 0; t < count; t++) {
    const double half = fmod(degrees[t], 360) * M_PI / 360;
    double turn[4] = {0, 0, 0, cos(half)};
    turn[axis[t]] = sin(half);
    ref_quat_mul(file, turn, file);
  }
  q[0] = file[0], q[1] = -file[1], q[2] = -file[2], q[3] = file[3];
}

void ref_angles(const double q[4], const uint8_t axis[3], double degrees[3]) {
  const int i = axis[0], j = axis[1], k = axis[2];
  const double file[4] = {q[0], -q[1], -q[2], q[3]}, e = j == (i + 1) % 3 ? 1 : -1;
  double column[3][3]; /* of the rotation's matrix */
  for (int a = 0; a < 3; a++) ref_rotate(file, (double[3]){a == 0, a == 1, a == 2}, column[a]);
  degrees[0] = atan2(-e * column[k][j], column[k][k]) * 180 / M_PI;
  degrees[1] = atan2(e * column[k][i], hypot(column[i][i], column[j][i])) * 180 / M_PI;
  degrees[2] = atan2(-e * column[j][i], column[i][i]) * 180 / M_PI;
}

void ref_fold_angles(const double before[4], const double after[4], const uint8_t axis[3],
                     sinew_angle_joint *out) {
  const int i = axis[0], j = axis[1], k = axis[2];
  const double e = j == (i + 1) % 3 ? 1 : -1;
  *out = (sinew_angle_joint){.sign = (float)e};
  for (int c = 0; c < 4; c++) {
    double unit[4] = {c == 0, c == 1, c == 2, c == 3}, q[4];
    ref_quat_mul(before, unit, q);
    ref_quat_mul(q, after, q);
    q[1] = -q[1], q[2] = -q[2];
    out->m[0][c] = (float)(q[3] + q[j]), out->m[1][c] = (float)(q[i] + e * q[k]);
    out->m[2][c] = (float)(q[3] - q[j]), out->m[3][c] = (float)(q[i] - e * q[k]);
  }
}

/* ---- between keys ---- */

void ref_slerp(const double a[4], const double b[4], double share, double q[4]) {
  double from[4], to[4], dot = 0, sum = 0, apart = 0;
  memcpy(from, a, sizeof from), memcpy(to, b, sizeof to);
  for (int c = 0; c < 4; c++) dot += from[c] * to[c];
  for (int c = 0; c < 4 && dot < 0; c++) to[c] = -to[c];
  ref_quat_normalise(from);
  ref_quat_normalise(to);
  for (int c = 0; c < 4; c++)
    sum += (to[c] + from[c]) * (to[c] + from[c]), apart += (to[c] - from[c]) * (to[c] - from[c]);
  const double angle = 2 * atan2(sqrt(apart), sqrt(sum));
  const bool same = angle < 1e-9;
  const double first = same ? 1 - share : sin((1 - share) * angle) / sin(angle);
  const double second = same ? share : sin(share * angle) / sin(angle);
  for (int c = 0; c < 4; c++) q[c] = first * from[c] + second * to[c];
}

double ref_hermite(double p0, double m0, double p1, double m1, double u) {
  const double u2 = u * u, u3 = u2 * u;
  return (2 * u3 - 3 * u2 + 1) * p0 + (u3 - 2 * u2 + u) * m0 + (3 * u2 - 2 * u3) * p1 + (u3 - u2) * m1;
}

/* ---- one skeleton's turns on another ---- */

/* What turned the joint away from its T-pose, in body space. */
static void turn_of(const double rotation[4], const double tpose[4], double turn[4]) {
  double back[4];
  ref_quat_conj(tpose, back);
  ref_quat_mul(rotation, back, turn);
}

void ref_delta(const ref_delta_slot *slots, int count, const double (*rotation)[4], double (*turned)[4],
               double (*local)[4]) {
  for (int s = 0; s < count; s++) {
    const ref_delta_slot *slot = &slots[s];
    double parent[4] = {0, 0, 0, 1}, turn[4], other[4];
    if (slot->parent >= 0) ref_quat_mul(turned[slot->parent], slot->between, parent);
    if (slot->joint[0] < 0) {
      memcpy(local[s], slot->rest, sizeof local[s]);
      ref_quat_mul(parent, slot->rest, turned[s]);
      continue;
    }
    turn_of(rotation[slot->joint[0]], slot->source[0], turn);
    if (slot->joint[1] >= 0) {
      turn_of(rotation[slot->joint[1]], slot->source[1], other);
      ref_slerp(turn, other, slot->share, turn);
    }
    ref_quat_mul(turn, slot->stance, turned[s]);
    ref_quat_conj(parent, parent);
    ref_quat_mul(parent, turned[s], local[s]);
  }
}

void ref_fold_delta_slot(const ref_delta_slot *slot, sinew_delta_slot *out) {
  *out = (sinew_delta_slot){.parent = (int16_t)slot->parent,
                            .joint = {(int16_t)slot->joint[0], (int16_t)slot->joint[1]},
                            .share = (float)slot->share,
                            .has_between = slot->between[3] != 1};
  for (int c = 0; c < 4; c++) {
    for (int end = 0; end < 2; end++)
      out->undo[end][c] = (float)(c < 3 ? -slot->source[end][c] : slot->source[end][c]);
    out->stance[c] = (float)slot->stance[c];
    out->between[c] = (float)slot->between[c];
    out->rest[c] = (float)slot->rest[c];
  }
}
