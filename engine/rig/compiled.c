/* What an Avatar holds compiled, taken over as it is. Its human skeleton is the body's T-pose and gives the
 * places of the human bones; the output's nodes rest as m_AvatarSkeletonPose has them. */
#include "rig/compile.h"

#include "base/error.h"
#include "rig/body.h"
#include "rig/quat.h"

#include <math.h>
#include <string.h>

/* Of the body's height: what float32 leaves is some 1e-7. */
static const double place_tolerance = 1e-5;
/* The sine of half of 0.01 degrees. */
static const double turn_tolerance = 8.7e-5;
static const double limit_tolerance_rad = 1e-6;
static const double rad_per_deg = 0.017453292519943295;
static const double pi = 3.14159265358979323846;

static bool turned(const double a[4], const double b[4]) {
  double d[4];
  quat_conj(a, d);
  quat_mul(d, b, d);
  return sqrt(vec_dot(d, d)) > turn_tolerance;
}

static double distance(const double a[3], const double b[3]) {
  double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return sqrt(vec_dot(d, d));
}

static int bone_at(const sinew_rig *rig, uint32_t node) {
  for (int b = 0; b < HUMAN_BONE_COUNT; b++)
    if (rig->node_of_bone[b] == (int32_t)node) return b;
  return -1;
}

static bool below_hips(const sinew_rig *rig, uint32_t node) {
  return rig_is_above(rig, rig->node_of_bone[HUMAN_HIPS], (int32_t)node);
}

/* ---- the human skeleton's pose ----------------------------------------------------------------------- */

typedef struct difference { /* between the human skeleton and the nodes, in the file's unit */
  uint32_t moved, turned;
  double most;
  uint32_t worst_node;
  bool root;
} difference;

/* The first node of the human skeleton stands in root space; the output's nodes above it say where it is. */
static void compare_root(const rig_human_node *first, const rig_pose *pose, double height, difference *d) {
  d->root = distance(first->t, pose->t[first->node]) > place_tolerance * height ||
            turned(first->q, pose->q[first->node]);
}

static void take_place(sinew_rig *rig, const rig_human_node *human, const rig_pose *pose, double height,
                       difference *d) {
  rig_node *node = &rig->nodes[human->node];
  double scale = node->parent >= 0 ? pose->scale[node->parent] : 1, before[3];
  for (int k = 0; k < 3; k++) {
    before[k] = node->t[k] * scale;
    node->t[k] = human->t[k] / scale;
  }
  double moved = distance(before, human->t);
  if (moved > place_tolerance * height) d->moved++;
  if (moved > d->most) d->most = moved, d->worst_node = human->node;
}

static void take_pose(sinew_rig *rig, const rig_compiled *compiled, const rig_pose *pose, double height,
                      double (*rest_q)[4], difference *d) {
  for (uint32_t i = 0; i < compiled->human_count; i++) {
    const rig_human_node *human = &compiled->human[i];
    rig_node *node = &rig->nodes[human->node];
    bool hips = human->node == (uint32_t)rig->node_of_bone[HUMAN_HIPS];
    if (!hips && !below_hips(rig, human->node)) continue;
    if (!hips || (i > 0 && !d->root)) take_place(rig, human, pose, height, d);
    if (bone_at(rig, human->node) < 0) { /* one in between: nothing turns it, so the output has it so too */
      d->turned += turned(node->q, human->q);
      memcpy(rest_q[human->node], human->q, sizeof human->q);
    }
    memcpy(node->q, human->q, sizeof node->q);
  }
}

static void tell_difference(sinew_rig *rig, const difference *d) {
  if (d->root)
    rig_warn(rig, "the human skeleton's first node stands elsewhere than m_AvatarSkeletonPose has it: the "
                  "output's nodes above the hips are the latter's");
  if (d->moved)
    rig_warn(rig,
             "%u node%s of the human skeleton stand%s elsewhere than in m_AvatarSkeletonPose, \"%s\" by %.3g "
             "of the file's unit: placed as in the human skeleton",
             d->moved, d->moved == 1 ? "" : "s", d->moved == 1 ? "s" : "",
             rig_node_label(rig, (int32_t)d->worst_node).text, d->most);
  if (d->turned)
    rig_warn(rig,
             "%u node%s between human bones %s turned otherwise in m_AvatarSkeletonPose: turned as in the "
             "human skeleton",
             d->turned, d->turned == 1 ? "" : "s", d->turned == 1 ? "is" : "are");
}

void rig_take_human_pose(sinew_rig *rig, const rig_compiled *compiled, const rig_pose *pose,
                         double (*rest_q)[4]) {
  difference d = {0};
  double height = fabs(rig_chain_height(rig, pose));
  for (uint32_t i = 0; i < rig->node_count; i++) memcpy(rest_q[i], rig->nodes[i].q, sizeof rest_q[i]);
  if (compiled->human_count) compare_root(&compiled->human[0], pose, height, &d);
  take_pose(rig, compiled, pose, height, rest_q, &d);
  tell_difference(rig, &d);
}

/* ---- axes -------------------------------------------------------------------------------------------- */

static bool is_usable(const rig_axes *axes, int axis) {
  double slack = limit_tolerance_rad, least = axes->min_rad[axis], most = axes->max_rad[axis];
  return least >= -pi - slack && least <= 0 && most >= 0 && most <= pi + slack;
}

/* An asset's hips carry limits, but no muscle. */
static void take_limits(sinew_rig *rig, int bone) {
  rig_axes *axes = &rig->axes[bone];
  for (int axis = 0; axis < 3; axis++) {
    int muscle = human_bones[bone].muscle[axis];
    double least = muscle < 0 ? 0 : human_muscles[muscle].min_deg * rad_per_deg;
    double most = muscle < 0 ? 0 : human_muscles[muscle].max_deg * rad_per_deg;
    if (muscle >= 0 && is_usable(axes, axis)) {
      rig->custom_limits[bone] |= fabs(axes->min_rad[axis] - least) > limit_tolerance_rad ||
                                  fabs(axes->max_rad[axis] - most) > limit_tolerance_rad;
      continue;
    }
    if (muscle >= 0)
      rig_warn(
          rig,
          "%s: limits %g to %g rad about %c cannot be used (expected -pi to 0 and 0 to pi): the defaults "
          "are taken",
          human_bones[bone].name, axes->min_rad[axis], axes->max_rad[axis], "xyz"[axis]);
    axes->min_rad[axis] = least;
    axes->max_rad[axis] = most;
  }
}

/* ---- body -------------------------------------------------------------------------------------------- */

void rig_pass_masses(sinew_rig *rig) {
  double sum = 0;
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    int carrier = rig->node_of_bone[b] >= 0 ? b : rig_table_parent(rig, b);
    if (carrier != b) {
      rig->mass[carrier] += rig->mass[b];
      rig->mass[b] = 0;
    }
  }
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) sum += rig->mass[b];
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) rig->mass[b] /= sum;
}

/* H: the hips' rotation in the human skeleton, whose first node stands in root space. */
static void take_hips_rest(sinew_rig *rig, const rig_compiled *compiled) {
  double q[4] = {0, 0, 0, 1};
  for (int32_t n = rig->node_of_bone[HUMAN_HIPS]; n >= 0; n = rig->nodes[n].parent) {
    uint32_t i = 0;
    while (i < compiled->human_count && compiled->human[i].node != (uint32_t)n) i++;
    if (i == compiled->human_count) break;
    quat_mul(compiled->human[i].q, q, q);
  }
  quat_normalise(q);
  memcpy(rig->hips_rest_q, q, sizeof q);
}

/* What the Avatar says of its body must be what its own pose gives. */
static void check_body(sinew_rig *rig, const rig_pose *pose) {
  double weight[HUMAN_BONE_COUNT], com[3] = {0, 0, 0}, leg[2][3], arm[2][3], frame[4];
  rig_com_weights(rig, weight);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++)
    for (int k = 0; k < 3 && rig->node_of_bone[b] >= 0; k++)
      com[k] += weight[b] * pose->t[rig->node_of_bone[b]][k];
  double off = distance(com, rig->root_t);
  if (off > 1e-4 * rig->height_m)
    rig_warn(rig, "m_RootX stands %.3g m from the centre of mass of the stored pose: taken as it is", off);
  for (int side = 0; side < 2; side++) {
    memcpy(leg[side], pose->t[rig->node_of_bone[HUMAN_LEFT_UPPER_LEG + side]], sizeof leg[side]);
    memcpy(arm[side], pose->t[rig->node_of_bone[HUMAN_LEFT_UPPER_ARM + side]], sizeof arm[side]);
  }
  if (!body_frame(leg, arm, frame) || turned(frame, rig->root_q))
    rig_warn(rig, "the rotation of m_RootX is not the body frame of the stored pose: taken as it is");
}

sinew_result rig_take_compiled(sinew_rig *rig, const rig_compiled *compiled, const rig_pose *pose,
                               double (*rest_q)[4], sinew_error *error) {
  const double most = 1e12, unit = rig->unit_scale;
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    if (rig->node_of_bone[b] < 0) continue;
    rig->axes[b] = compiled->axes[b];
    rig->axes[b].length *= unit;
    SINEW_CHECK(fabs(rig->axes[b].length) <= most, error, SINEW_ERROR_RIG, "the axis of %s is %g m long",
                human_bones[b].name, rig->axes[b].length);
    take_limits(rig, b);
  }
  memcpy(rig->mass, compiled->mass, sizeof rig->mass);
  rig_pass_masses(rig);
  rig->human_scale_m = compiled->human_scale * unit;
  for (int k = 0; k < 3; k++) rig->root_t[k] = compiled->root_t[k] * unit;
  memcpy(rig->root_q, compiled->root_q, sizeof rig->root_q);
  SINEW_CHECK(rig->human_scale_m > 1e-3 * rig->height_m && rig->human_scale_m <= most, error, SINEW_ERROR_RIG,
              "the human scale is %g m for a body %g m high", rig->human_scale_m, rig->height_m);
  for (int k = 0; k < 3; k++)
    SINEW_CHECK(fabs(rig->root_t[k]) <= most, error, SINEW_ERROR_RIG, "m_RootX stands at %g m in %c",
                rig->root_t[k], "xyz"[k]);
  take_hips_rest(rig, compiled);
  check_body(rig, pose);
  for (uint32_t i = 0; i < rig->node_count; i++) memcpy(rig->nodes[i].q, rest_q[i], sizeof rest_q[i]);
  return SINEW_OK;
}
