#include "rig/quat.h"
#include "stance/tpose.h"
#include "stance/work.h"

#include <string.h>

/* A body that stands within this many degrees of the file's axes stands on them. */
static const double kept_lean = 20;
/* A movement decides which way is up where its frames agree, and stand on the ground, this well. */
static const double least_steady = 0.8, ground_share = 0.25;

static const char *axis_name(const double v[3]) {
  static const char *const names[] = {"-X", "-Y", "-Z", "+X", "+Y", "+Z"};
  int k = v[0] != 0 ? 0 : v[1] != 0 ? 1 : 2;
  return names[k + (v[k] > 0 ? 3 : 0)];
}

static double leg_length(const stance_work *w) {
  double way[3], sum = 0;
  for (int side = 0; side < 2; side++) {
    sum += bone_way(&w->body, HUMAN_LEFT_UPPER_LEG + side, HUMAN_LEFT_LOWER_LEG + side, way);
    sum += bone_way(&w->body, HUMAN_LEFT_LOWER_LEG + side, HUMAN_LEFT_FOOT + side, way);
  }
  return sum / 2;
}

/* true where a BVH's movement stands along another axis than its rest. A body that lies all along looks so
 * too, but not with its feet on the ground. */
static bool moves_otherwise(const stance_work *w, const body_axes *rest) {
  const motion_survey *look = &w->survey;
  return look->measured && look->steady > least_steady && look->lean_deg < 2 * kept_lean &&
         fabs(look->lowest) < ground_share * leg_length(w) && vec_dot(look->up, rest->up) < 0.5;
}

/* The axes of the file's frame: those of a pose, or of the way up alone where a pose's facing is only a
 * moment's. */
static void choose_axes(stance_work *w, body_axes *axes) {
  const body_axes *pose = w->out->origin == STANCE_FRAME && w->rest_stands ? &w->rest_axes : &w->base_axes;
  body_axes snapped;
  const double lean = axes_snap(pose, &snapped);
  if (w->out->origin == STANCE_FRAME && !w->rest_stands) {
    const bool steady = w->survey.measured && w->survey.steady > least_steady;
    axes_of_up(steady ? w->survey.up : snapped.up, axes);
    return;
  }
  if (w->is_bvh && moves_otherwise(w, &snapped)) {
    stance_warn(w->out, "the rest stands along %s, the movement along %s: the latter is up",
                axis_name(snapped.up), axis_name(w->survey.up));
    axes_of_up(w->survey.up, axes);
    return;
  }
  *axes = snapped;
  if (lean <= kept_lean) return;
  *axes = *pose;
  stance_warn(w->out, "the body stands %.0f degrees off the axes of its file: taken as it is measured", lean);
}

/* A bind pose may stand in a frame of its own, which its skin's mesh has and the nodes have not. */
static void choose_axes_of_bind(stance_work *w, body_axes *axes) {
  body_axes nodes;
  choose_axes(w, axes);
  if (w->rest_stands && axes_snap(&w->rest_axes, &nodes) <= 2 * kept_lean &&
      vec_dot(nodes.up, axes->up) < 0.5)
    *axes = nodes;
}

void stance_choose_align(stance_work *w) {
  turned_body *body = &w->body;
  body_axes axes, left_over, snapped;
  if (w->out->origin == STANCE_BIND)
    choose_axes_of_bind(w, &axes);
  else
    choose_axes(w, &axes);
  axes_align(&axes, w->out->align_q);
  memcpy(body->align, w->out->align_q, sizeof body->align);
  turned_body_place(body);
  if (!body_measure(body, &left_over)) return; /* measured before: as rigid as it was */
  axes_snap(&left_over, &snapped);
  if (snapped.left[0] < 0.5 || snapped.up[1] < 0.5) {
    double turn[4];
    axes_align(&snapped, turn);
    const int32_t hips = w->node_of_bone[HUMAN_HIPS];
    turned_body_turn(body, hips, turn);
    /* a BVH's hips rest as the movement stands */
    if (w->is_bvh) memcpy(w->out->rest_q[hips], body->local[hips], sizeof w->out->rest_q[hips]);
  }
  if (w->out->origin == STANCE_FRAME) tpose_face(body);
}
