#include "rig/compile.h"

#include "rig/quat.h"

#include <math.h>
#include <string.h>

/* pi / 180 to double. */
static const double rad_per_deg = 0.017453292519943295;

/* Origins closer than this share of the body's height lie in one place. */
static const double coincident_share = 1e-6;

typedef struct axis_frame {
  double x[3], y[3], z[3];
  double length;
} axis_frame;

typedef struct axis_work {
  sinew_rig *rig;
  const rig_pose *pose;
  double least_length;
  axis_frame frame[HUMAN_BONE_COUNT];
} axis_work;

/* The bone a twist axis points to in a full humanoid, -1 at the ends. */
static int next_bone(int bone) {
  static const int8_t trunk[][2] = {{HUMAN_HIPS, HUMAN_SPINE},
                                    {HUMAN_SPINE, HUMAN_CHEST},
                                    {HUMAN_CHEST, HUMAN_UPPER_CHEST},
                                    {HUMAN_UPPER_CHEST, HUMAN_NECK},
                                    {HUMAN_NECK, HUMAN_HEAD}};
  for (size_t i = 0; i < sizeof trunk / sizeof trunk[0]; i++)
    if (trunk[i][0] == bone) return trunk[i][1];
  bool leg = bone >= HUMAN_LEFT_UPPER_LEG && bone <= HUMAN_RIGHT_LOWER_LEG;
  bool arm = bone >= HUMAN_LEFT_SHOULDER && bone <= HUMAN_RIGHT_LOWER_ARM;
  if (leg || arm) return bone + 2; /* left and right alternate */
  bool finger = bone >= HUMAN_LEFT_THUMB_PROXIMAL && bone < HUMAN_UPPER_CHEST;
  return finger && (bone - HUMAN_LEFT_THUMB_PROXIMAL) % 3 < 2 ? bone + 1 : -1;
}

static bool is_trunk(int bone) {
  return bone == HUMAN_HIPS || bone == HUMAN_SPINE || bone == HUMAN_CHEST || bone == HUMAN_UPPER_CHEST ||
         bone == HUMAN_NECK;
}

static const double *origin(const axis_work *w, int bone) {
  return w->pose->t[w->rig->node_of_bone[bone]];
}

static double distance(const double a[3], const double b[3]) {
  double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  return sqrt(vec_dot(d, d));
}

/* Sets x and the length towards a point; false when it lies where the bone does. */
static bool point_at(const axis_work *w, const double from[3], const double to[3], axis_frame *frame) {
  double d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  double length = vec_normalise(d);
  if (length <= w->least_length) return false;
  memcpy(frame->x, d, sizeof d);
  frame->length = length;
  return true;
}

static int32_t child_node_apart(const axis_work *w, int32_t node, axis_frame *frame) {
  for (uint32_t i = (uint32_t)node + 1; i < w->rig->node_count; i++)
    if (w->rig->nodes[i].parent == node && point_at(w, w->pose->t[node], w->pose->t[i], frame))
      return (int32_t)i;
  return -1;
}

/* No human bone to point at. A trunk bone then stands upright (as the reference has it on a rig whose head
 * lies on its spine); any other follows a child node, or else the bone above. */
static void point_without_child(const axis_work *w, int bone, axis_frame *frame) {
  int32_t node = w->rig->node_of_bone[bone];
  const char *name = human_bones[bone].name;
  if (is_trunk(bone)) {
    memcpy(frame->x, (double[3]){0, 1, 0}, sizeof frame->x);
    frame->length = 0;
    rig_warn(w->rig, "%s (node \"%s\") has no length: its twist axis is taken upright", name,
             rig_node_label(w->rig, node).text);
    return;
  }
  int32_t child = child_node_apart(w, node, frame);
  if (child >= 0) {
    const bool named = *rig_node_label(w->rig, child).text != 0; /* a BVH's End Sites are not */
    rig_warn(w->rig, "%s (node \"%s\") has no human bone to point to: its twist axis points to %s%s%s", name,
             rig_node_label(w->rig, node).text, named ? "node \"" : "the node without a name below it",
             named ? rig_node_label(w->rig, child).text : "", named ? "\"" : "");
    return;
  }
  int above = rig_table_parent(w->rig, bone);
  memcpy(frame->x, w->frame[above].x, sizeof frame->x);
  frame->length = 0;
  rig_warn(w->rig, "%s (node \"%s\") has no length: its twist axis is that of %s", name,
           rig_node_label(w->rig, node).text, human_bones[above].name);
}

static void point_at_child(const axis_work *w, int bone, axis_frame *frame) {
  bool passed = false; /* a bone that lies in the same place */
  for (int child = next_bone(bone); child >= 0; child = next_bone(child)) {
    if (w->rig->node_of_bone[child] < 0) continue;
    if (point_at(w, origin(w, bone), origin(w, child), frame)) {
      if (passed)
        rig_warn(w->rig, "%s lies where the bone below it does: its twist axis points to %s",
                 human_bones[bone].name, human_bones[child].name);
      return;
    }
    passed = true;
  }
  point_without_child(w, bone, frame);
}

/* Rules 1 and 6 where x does not point to a child. */
static double length_of_end(const axis_work *w, int bone) {
  switch (bone) {
  case HUMAN_LEFT_FOOT:
  case HUMAN_RIGHT_FOOT:
    return origin(w, bone)[1];
  case HUMAN_LEFT_TOES:
  case HUMAN_RIGHT_TOES:
    return distance(origin(w, human_bones[bone].parent), origin(w, bone)) / 4;
  case HUMAN_HEAD:
    return w->rig->node_of_bone[HUMAN_NECK] >= 0 ? w->frame[HUMAN_NECK].length : 0.25;
  case HUMAN_LEFT_HAND:
  case HUMAN_RIGHT_HAND:
    return w->frame[human_bones[bone].parent].length / 4;
  case HUMAN_LEFT_EYE:
  case HUMAN_RIGHT_EYE:
  case HUMAN_JAW:
    return 0.1;
  default:
    return w->frame[human_bones[bone].parent].length * 9 / 16;
  }
}

static void set_x(const axis_work *w, int bone, axis_frame *frame) {
  static const double up[3] = {0, 1, 0}, down[3] = {0, -1, 0}, forward[3] = {0, 0, 1};
  human_x_rule rule = human_bones[bone].x_rule;
  if (rule == HUMAN_X_CHILD) {
    point_at_child(w, bone, frame);
    return;
  }
  const double *x = rule == HUMAN_X_UP        ? up
                    : rule == HUMAN_X_DOWN    ? down
                    : rule == HUMAN_X_FORWARD ? forward
                                              : w->frame[human_bones[bone].parent].x;
  memcpy(frame->x, x, sizeof frame->x);
  frame->length = length_of_end(w, bone);
}

/* Rule 2. Where x lies along the rule's world axis, the next world axis takes its place. */
static void set_y(const axis_work *w, int bone, axis_frame *frame) {
  human_y_rule rule = human_bones[bone].y_rule;
  int first = rule == HUMAN_Y_UP_CROSS_X ? 1 : rule == HUMAN_Y_FORWARD_CROSS_X ? 2 : 0;
  for (int turn = 0; turn < 3; turn++) {
    int axis = (first + turn) % 3;
    double world[3] = {axis == 0, axis == 1, axis == 2};
    if (rule == HUMAN_Y_X_CROSS_RIGHT)
      vec_cross(frame->x, world, frame->y);
    else
      vec_cross(world, frame->x, frame->y);
    if (vec_normalise(frame->y) < 1e-5) continue;
    if (turn > 0)
      rig_warn(w->rig,
               "%s (node \"%s\") lies along the world axis its bend is measured from: another axis is taken",
               human_bones[bone].name, rig_node_label(w->rig, w->rig->node_of_bone[bone]).text);
    return;
  }
}

/* Rules 3 and 4. */
static void set_pre_post(const axis_work *w, int bone, const double g[4], rig_axes *axes) {
  int32_t node = w->rig->node_of_bone[bone], parent = w->rig->nodes[node].parent;
  double inverse[4], turn[4];
  quat_conj(w->pose->q[node], inverse);
  quat_mul(inverse, g, axes->post);
  quat_normalise(axes->post);
  memcpy(turn, (double[4]){human_bones[bone].d[0], human_bones[bone].d[1], human_bones[bone].d[2], 1},
         sizeof turn);
  quat_normalise(turn);
  quat_mul(turn, g, turn);
  quat_conj(parent >= 0 ? w->pose->q[parent] : w->rig->align_q, inverse);
  quat_mul(inverse, turn, axes->pre);
  quat_normalise(axes->pre);
}

/* Limits that can be a muscle's: at most a half turn, the rest pose between them. */
static bool usable(const rig_limit *limit, int axis) {
  double least = limit->min_deg[axis], most = limit->max_deg[axis];
  return least >= -180 && least <= 0 && most >= 0 && most <= 180;
}

static void set_limits(sinew_rig *rig, int bone, const rig_limit *limit) {
  rig_axes *axes = &rig->axes[bone];
  bool custom = limit->modified;
  for (int axis = 0; custom && axis < 3; axis++) {
    if (human_bones[bone].muscle[axis] < 0 || usable(limit, axis)) continue;
    rig_warn(rig,
             "%s: limits %g to %g degrees cannot be used (expected -180 to 0 and 0 to 180): the defaults are "
             "taken",
             human_bones[bone].name, limit->min_deg[axis], limit->max_deg[axis]);
    custom = false;
  }
  rig->custom_limits[bone] = custom;
  for (int axis = 0; axis < 3; axis++) {
    int muscle = human_bones[bone].muscle[axis];
    if (muscle < 0) continue;
    axes->min_rad[axis] = (custom ? limit->min_deg[axis] : human_muscles[muscle].min_deg) * rad_per_deg;
    axes->max_rad[axis] = (custom ? limit->max_deg[axis] : human_muscles[muscle].max_deg) * rad_per_deg;
  }
}

void rig_build_axes(sinew_rig *rig, const rig_pose *pose, const rig_limit *limits) {
  axis_work w = {.rig = rig, .pose = pose, .least_length = coincident_share * rig->height_m};
  for (int i = 0; i < HUMAN_BONE_COUNT; i++) {
    int bone = human_order[i];
    if (rig->node_of_bone[bone] < 0) continue;
    axis_frame *frame = &w.frame[bone];
    set_x(&w, bone, frame);
    set_y(&w, bone, frame);
    vec_cross(frame->x, frame->y, frame->z);
    double g[4];
    quat_from_frame(frame->x, frame->y, frame->z, g);
    rig_axes *axes = &rig->axes[bone];
    set_pre_post(&w, bone, g, axes);
    memcpy(axes->sgn, human_bones[bone].sgn, sizeof axes->sgn);
    axes->length = frame->length;
    set_limits(rig, bone, &limits[bone]);
  }
}
