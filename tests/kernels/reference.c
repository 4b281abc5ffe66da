#include "reference.h"

#include <math.h>
#include <string.h>

/* ---- quaternions ---- */

void ref_quat_mul(const double a[4], const double b[4], double out[4]) {
  const double q[4] = {
      a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
      a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
      a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
      a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  };
  memcpy(out, q, sizeof q);
}
void ref_quat_conj(const double q[4], double out[4]) {
  for (int c = 0; c < 3; c++) out[c] = -q[c];
  out[3] = q[3];
}
void ref_quat_normalise(double q[4]) {
  const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (length < 1e-18) {
    q[0] = q[1] = q[2] = 0, q[3] = 1;
    return;
  }
  for (int c = 0; c < 4; c++) q[c] /= length;
}
void ref_rotate(const double q[4], const double v[3], double out[3]) {
  double inverse[4], turned[4];
  const double point[4] = {v[0], v[1], v[2], 0};
  ref_quat_conj(q, inverse);
  ref_quat_mul(q, point, turned);
  ref_quat_mul(turned, inverse, turned);
  memcpy(out, turned, 3 * sizeof(double));
}
double ref_angle_deg(const double a[4], const double b[4]) {
  double apart = 0, sum = 0;
  for (int c = 0; c < 4; c++) {
    apart += (a[c] - b[c]) * (a[c] - b[c]);
    sum += (a[c] + b[c]) * (a[c] + b[c]);
  }
  return 4 * asin(fmin(1, sqrt(fmin(apart, sum)) / 2)) * 180 / M_PI;
}

double ref_apart(const double a[4], const double b[4]) {
  double inverse[4], turn[4];
  ref_quat_conj(a, inverse);
  ref_quat_mul(inverse, b, turn);
  return 2 * atan2(sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]), fabs(turn[3]));
}

/* ---- muscles, humanoid.md 2 to 4 ---- */

double ref_bone_angle(const ref_bone *bone, int axis, const double *value) {
  if (bone->plane[axis] < 0) return 0;
  const double v = value[bone->plane[axis]];
  return v >= 0 ? bone->sgn[axis] * v * bone->max_rad[axis] : bone->sgn[axis] * -v * bone->min_rad[axis];
}

/* Into (-pi, pi]. */
static double wrap(double angle) {
  return angle - 2 * M_PI * ceil((angle - M_PI) / (2 * M_PI));
}

static void twist(double angle, double q[4]) {
  q[0] = sin(angle / 2), q[1] = 0, q[2] = 0, q[3] = cos(angle / 2);
}
static void swing(double y, double z, double q[4]) {
  q[0] = 0, q[1] = tan(y / 2), q[2] = tan(z / 2), q[3] = 1;
  ref_quat_normalise(q);
}

double ref_bone_swing_deg(const ref_bone *bone, const double *value) {
  double q[4];
  swing(ref_bone_angle(bone, 1, value), ref_bone_angle(bone, 2, value), q);
  return 2 * acos(fmin(1, fabs(q[3]))) * 180 / M_PI;
}

/* q -> a q conj(a) */
static void turn_axis(const double a[4], double q[4]) {
  double inverse[4];
  ref_quat_conj(a, inverse);
  ref_quat_mul(a, q, q);
  ref_quat_mul(q, inverse, q);
}

/* pre * inner * conj(post) */
static void place(const ref_bone *bone, const double inner[4], double q[4]) {
  double after[4];
  ref_quat_conj(bone->post, after);
  ref_quat_mul(bone->pre, inner, q);
  ref_quat_mul(q, after, q);
}

/* A rotation about the donor's own axis, seen from the bone that receives it. */
static void from_donor(const ref_bone *donor, const ref_bone *bone, double q[4]) {
  double to_child[4];
  ref_quat_conj(bone->between, to_child);
  turn_axis(donor->post, q);
  turn_axis(to_child, q);
}

void ref_bone_local(const ref_bone *bones, int index, const double *value, double q[4]) {
  const ref_bone *bone = &bones[index];
  double x = ref_bone_angle(bone, 0, value);
  if (bone->limb) x = bone->share * wrap(x);
  double swung[4], twisted[4], inner[4];
  swing(ref_bone_angle(bone, 1, value), ref_bone_angle(bone, 2, value), swung);
  twist(x, twisted);
  ref_quat_mul(swung, twisted, inner);
  place(bone, inner, q);
  if (bone->donor < 0) return;
  const ref_bone *donor = &bones[bone->donor];
  double rest[4];
  twist((1 - donor->share) * wrap(ref_bone_angle(donor, 0, value)), rest);
  from_donor(donor, bone, rest);
  ref_quat_mul(rest, q, q);
}

void ref_fold_bone(const ref_bone *bones, int index, sinew_muscle_bone *out) {
  const ref_bone *bone = &bones[index];
  const ref_bone *donor = bone->donor >= 0 ? &bones[bone->donor] : NULL;
  *out = (sinew_muscle_bone){.donor_plane = -1, .keep = 1};
  for (int a = 0; a < 3; a++) {
    out->plane[a] = (int16_t)bone->plane[a];
    out->half_pos[a] = (float)(bone->sgn[a] * bone->max_rad[a] / 2);
    out->half_neg[a] = (float)(bone->sgn[a] * -bone->min_rad[a] / 2);
  }
  if (bone->limb) out->keep = (float)bone->share, out->wraps = 1;
  for (int k = 0; k < 4; k++) {
    double unit[4] = {0}, column[4];
    unit[k] = 1;
    place(bone, unit, column);
    for (int c = 0; c < 4; c++) out->m[c][k] = (float)column[c];
    if (!donor) continue;
    double axis[4] = {1, 0, 0, 0};
    from_donor(donor, bone, axis);
    ref_quat_mul(axis, column, column);
    for (int c = 0; c < 4; c++) out->n[c][k] = (float)column[c];
  }
  if (!donor) return;
  out->donor_plane = (int16_t)donor->plane[0];
  out->donor_half_pos = (float)(donor->sgn[0] * donor->max_rad[0] / 2);
  out->donor_half_neg = (float)(donor->sgn[0] * -donor->min_rad[0] / 2);
  out->donor_pass = (float)(1 - donor->share);
}

/* ---- joints, body, hips: humanoid.md 5, 6 ---- */

void ref_fk(const ref_joint *joints, int count, const double (*local)[4], const double root_t[3],
            double (*position)[3], double (*rotation)[4]) {
  for (int j = 0; j < count; j++) {
    const int parent = joints[j].parent;
    if (parent < 0) {
      memcpy(position[j], root_t, 3 * sizeof(double));
      memcpy(rotation[j], local[j], 4 * sizeof(double));
      continue;
    }
    ref_rotate(rotation[parent], joints[j].offset, position[j]);
    for (int c = 0; c < 3; c++) position[j][c] += position[parent][c];
    ref_quat_mul(rotation[parent], joints[j].between, rotation[j]);
    ref_quat_mul(rotation[j], local[j], rotation[j]);
  }
}

void ref_fk_moved(const ref_joint *joints, int count, const double (*local)[4], const double (*offset)[3],
                  double (*position)[3], double (*rotation)[4]) {
  for (int j = 0; j < count; j++) {
    static const double origin[3] = {0}, unturned[4] = {0, 0, 0, 1};
    const int parent = joints[j].parent;
    const double *at = parent < 0 ? origin : position[parent];
    const double *turn = parent < 0 ? unturned : rotation[parent];
    ref_rotate(turn, offset[j], position[j]);
    for (int c = 0; c < 3; c++) position[j][c] += at[c];
    ref_quat_mul(turn, joints[j].between, rotation[j]);
    ref_quat_mul(rotation[j], local[j], rotation[j]);
  }
}

void ref_matrix(const double position[3], const double rotation[4], double matrix[12]) {
  for (int column = 0; column < 3; column++) {
    double axis[3] = {0};
    axis[column] = 1;
    ref_rotate(rotation, axis, axis);
    for (int row = 0; row < 3; row++) matrix[row * 4 + column] = axis[row];
  }
  for (int row = 0; row < 3; row++) matrix[row * 4 + 3] = position[row];
}

static void cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1], out[1] = a[2] * b[0] - a[0] * b[2], out[2] = a[0] * b[1] - a[1] * b[0];
}
static bool normalise3(double v[3]) {
  const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int c = 0; c < 3; c++) v[c] /= length;
  return length >= 1e-18;
}

void ref_body_frame(const double points[4][3], const double hips_rest[4], double frame[4]) {
  double turned[4][3], up[3], across[3], x[3], z[3];
  for (int i = 0; i < 4; i++) ref_rotate(hips_rest, points[i], turned[i]);
  const double *left_leg = turned[0], *right_leg = turned[1], *left_arm = turned[2], *right_arm = turned[3];
  for (int c = 0; c < 3; c++) {
    up[c] = (left_arm[c] + right_arm[c]) / 2 - (left_leg[c] + right_leg[c]) / 2;
    across[c] = (right_arm[c] - left_arm[c]) + (right_leg[c] - left_leg[c]);
  }
  const bool has_up = normalise3(up), has_across = normalise3(across);
  frame[0] = frame[1] = frame[2] = 0, frame[3] = 1;
  if (!has_up || !has_across) return;
  cross(across, up, z);
  cross(up, z, x);
  frame[0] = up[2] - z[1], frame[1] = z[0] - x[2], frame[2] = x[1] - up[0],
  frame[3] = 1 + x[0] + up[1] + z[2];
  ref_quat_normalise(frame);
}

void ref_hips_place(const ref_hips *rig, const double root_t[3], const double root_q[4], const double com[3],
                    const double frame[4], double t[3], double q[4], double node_t[3], double node_q[4]) {
  double back[4], away[3], to_parent[4], moved[3];
  memcpy(q, root_q, 4 * sizeof(double));
  ref_quat_normalise(q);
  ref_quat_conj(frame, back);
  ref_quat_mul(q, rig->r0, q);
  ref_quat_mul(q, back, q);
  ref_quat_mul(q, rig->rest, q);
  ref_rotate(q, com, away);
  for (int c = 0; c < 3; c++) t[c] = root_t[c] * rig->scale_m - away[c];
  ref_quat_conj(rig->above_q, to_parent);
  ref_quat_mul(to_parent, q, node_q);
  for (int c = 0; c < 3; c++) moved[c] = t[c] - rig->above_t[c];
  ref_rotate(to_parent, moved, node_t);
  for (int c = 0; c < 3; c++) node_t[c] /= rig->above_scale;
}
