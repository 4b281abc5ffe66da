#include "stance/align.h"

#include "rig/quat.h"

#include <string.h>

static void middle(const turned_body *body, int left_bone, double out[3]) {
  for (int k = 0; k < 3; k++)
    out[k] = (bone_place(body, left_bone)[k] + bone_place(body, left_bone + 1)[k]) / 2;
}

bool body_measure(const turned_body *body, body_axes *axes) {
  double arms[3], legs[3], feet[3], trunk[3], stand[3];
  middle(body, HUMAN_LEFT_UPPER_ARM, arms);
  middle(body, HUMAN_LEFT_UPPER_LEG, legs);
  middle(body, HUMAN_LEFT_FOOT, feet);
  for (int k = 0; k < 3; k++) trunk[k] = arms[k] - legs[k], stand[k] = legs[k] - feet[k];
  vec_normalise(trunk);
  vec_normalise(stand);
  for (int k = 0; k < 3; k++) {
    axes->up[k] = trunk[k] + stand[k];
    axes->left[k] = bone_place(body, HUMAN_LEFT_UPPER_ARM)[k] - bone_place(body, HUMAN_RIGHT_UPPER_ARM)[k] +
                    (bone_place(body, HUMAN_LEFT_UPPER_LEG)[k] - bone_place(body, HUMAN_RIGHT_UPPER_LEG)[k]);
  }
  const double tall = vec_normalise(axes->up), wide = vec_normalise(axes->left);
  vec_cross(axes->left, axes->up, axes->forward);
  const double across = vec_normalise(axes->forward);
  vec_cross(axes->up, axes->forward, axes->left);
  return tall > 1e-3 && wide > 0 && across > 1e-3;
}

static int largest(const double v[3], int except) {
  int most = except == 0 ? 1 : 0;
  for (int k = 0; k < 3; k++)
    if (k != except && fabs(v[k]) > fabs(v[most])) most = k;
  return most;
}

double axes_snap(const body_axes *measured, body_axes *snapped) {
  double a[4], b[4];
  *snapped = (body_axes){0};
  const int up = largest(measured->up, -1), left = largest(measured->left, up);
  snapped->up[up] = measured->up[up] < 0 ? -1 : 1;
  snapped->left[left] = measured->left[left] < 0 ? -1 : 1;
  vec_cross(snapped->left, snapped->up, snapped->forward);
  axes_align(measured, a);
  axes_align(snapped, b);
  return turn_degrees(a, b);
}

void axes_align(const body_axes *axes, double align[4]) {
  quat_from_frame(axes->left, axes->up, axes->forward, align);
  quat_conj(align, align);
  for (int k = 0; k < 3; k++) align[k] += 0.0; /* no negative zeros */
}

void axes_of_up(const double up[3], body_axes *axes) {
  double turn[4], y[3] = {0, 1, 0};
  if (up[1] < -0.9) /* upside down: about the way it faces */
    memcpy(turn, (double[4]){0, 0, 1, 0}, sizeof turn);
  else
    shortest_turn(y, up, turn);
  quat_rotate(turn, (double[3]){1, 0, 0}, axes->left);
  quat_rotate(turn, y, axes->up);
  quat_rotate(turn, (double[3]){0, 0, 1}, axes->forward);
}

double lowest_foot(const turned_body *body, const double up[3]) {
  static const int ends[] = {HUMAN_LEFT_FOOT, HUMAN_RIGHT_FOOT, HUMAN_LEFT_TOES, HUMAN_RIGHT_TOES};
  double lowest = INFINITY;
  for (int i = 0; i < 4; i++)
    if (has_bone(body, ends[i])) lowest = fmin(lowest, vec_dot(bone_place(body, ends[i]), up));
  return lowest;
}
