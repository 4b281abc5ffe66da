#include "rig/body.h"

#include "base/error.h"
#include "rig/compile.h"
#include "rig/quat.h"

#include <math.h>
#include <string.h>

static const double total_mass = 82.5;

bool body_frame(double upper_leg[2][3], double upper_arm[2][3], double frame[4]) {
  double x[3], y[3], z[3], l[3];
  for (int k = 0; k < 3; k++) {
    y[k] = (upper_arm[0][k] + upper_arm[1][k]) / 2 - (upper_leg[0][k] + upper_leg[1][k]) / 2;
    l[k] = upper_arm[1][k] - upper_arm[0][k] + (upper_leg[1][k] - upper_leg[0][k]);
  }
  double trunk = vec_normalise(y), width = vec_normalise(l);
  vec_cross(l, y, z);
  vec_cross(y, z, x);
  quat_from_frame_trace(x, y, z, frame);
  /* `!(a > b)` so that a NaN is a failure too */
  bool none = !(trunk > 0) || !(width > 0) || !(vec_dot(z, z) > 1e-6);
  if (none) memcpy(frame, (double[4]){0, 0, 0, 0}, 4 * sizeof frame[0]);
  return quat_normalise(frame) > 1e-6 && !none;
}

/* A missing bone's mass goes to the nearest mapped bone above it. */
static void set_masses(sinew_rig *rig) {
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    int carrier = rig->node_of_bone[b] >= 0 ? b : rig_table_parent(rig, b);
    rig->mass[carrier] += human_bones[b].mass / total_mass;
  }
}

static bool stands_alone(int bone) {
  switch (bone) {
  case HUMAN_HEAD:
  case HUMAN_LEFT_HAND:
  case HUMAN_RIGHT_HAND:
  case HUMAN_LEFT_FOOT:
  case HUMAN_RIGHT_FOOT:
  case HUMAN_LEFT_TOES:
  case HUMAN_RIGHT_TOES:
  case HUMAN_LEFT_EYE:
  case HUMAN_RIGHT_EYE:
  case HUMAN_JAW:
    return true;
  default:
    return bone >= HUMAN_LEFT_THUMB_PROXIMAL && bone < HUMAN_UPPER_CHEST;
  }
}

/* Eyes, jaw, toes and fingers hang only from bones that stand alone, so no test of the child is needed. */
static bool is_child(const sinew_rig *rig, int child, int bone) {
  return rig->node_of_bone[child] >= 0 && rig_table_parent(rig, child) == bone;
}

void rig_com_weights(const sinew_rig *rig, double weight[HUMAN_BONE_COUNT]) {
  memset(weight, 0, HUMAN_BONE_COUNT * sizeof weight[0]);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    if (rig->node_of_bone[b] < 0) continue;
    if (stands_alone(b)) {
      weight[b] += rig->mass[b];
      continue;
    }
    int count = b != HUMAN_HIPS;
    for (int child = 0; child < HUMAN_BONE_COUNT; child++) count += is_child(rig, child, b);
    double share = rig->mass[b] / count;
    /* the reference takes the left upper arm's origin for the left lower arm's own, on that side alone */
    if (b != HUMAN_HIPS) weight[b == HUMAN_LEFT_LOWER_ARM ? HUMAN_LEFT_UPPER_ARM : b] += share;
    for (int child = 0; child < HUMAN_BONE_COUNT; child++)
      if (is_child(rig, child, b)) weight[child] += share;
  }
}

static sinew_result set_frame(sinew_rig *rig, const rig_pose *pose, sinew_error *error) {
  double leg[2][3], arm[2][3];
  for (int side = 0; side < 2; side++) {
    memcpy(leg[side], pose->t[rig->node_of_bone[HUMAN_LEFT_UPPER_LEG + side]], sizeof leg[side]);
    memcpy(arm[side], pose->t[rig->node_of_bone[HUMAN_LEFT_UPPER_ARM + side]], sizeof arm[side]);
  }
  SINEW_CHECK(body_frame(leg, arm, rig->root_q), error, SINEW_ERROR_RIG,
              "the T-pose has no body frame: upper arms and upper legs lie in one place or one line, or the "
              "body faces -Z");
  if (rig->root_q[3] < 0.7)
    rig_warn(rig, "in its T-pose the body is turned by more than 90 degrees from upright, facing +Z: results "
                  "may be poor");
  return SINEW_OK;
}

sinew_result rig_build_body(sinew_rig *rig, const rig_pose *pose, sinew_error *error) {
  set_masses(rig);
  double weight[HUMAN_BONE_COUNT];
  rig_com_weights(rig, weight);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++)
    for (int k = 0; k < 3 && rig->node_of_bone[b] >= 0; k++)
      rig->root_t[k] += weight[b] * pose->t[rig->node_of_bone[b]][k];
  rig->human_scale_m = rig->root_t[1];
  SINEW_CHECK(rig->human_scale_m > 1e-3 * rig->height_m, error, SINEW_ERROR_RIG,
              "the T-pose's centre of mass stands at height %g m, expected above the ground (Y = 0)",
              rig->human_scale_m);
  memcpy(rig->hips_rest_q, pose->q[rig->node_of_bone[HUMAN_HIPS]], sizeof rig->hips_rest_q);
  return set_frame(rig, pose, error);
}
