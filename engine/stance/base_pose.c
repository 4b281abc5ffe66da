#include "base/error.h"
#include "rig/quat.h"
#include "stance/work.h"

#include <string.h>

/* A bind pose has to be nearer to a stance by this much than the nodes' own pose. */
static const double bind_margin = 0.02;

static const double least_length = 1e-9;

/* ---- the bind pose ------------------------------------------------------------------------------------ */

static bool bind_rotation(const skeleton_node *node, double q[4]) {
  double x[3], y[3], z[3];
  for (int row = 0; row < 3; row++) x[row] = node->bind[row][0], y[row] = node->bind[row][1];
  if (!(vec_normalise(x) > least_length)) return false;
  const double along = vec_dot(x, y);
  for (int k = 0; k < 3; k++) y[k] -= along * x[k];
  if (!(vec_normalise(y) > least_length)) return false;
  vec_cross(x, y, z);
  quat_from_frame(x, y, z, q);
  return true;
}

static bool is_bone(const stance_work *w, uint32_t node) {
  for (int b = 0; b < HUMAN_BONE_COUNT; b++)
    if (w->node_of_bone[b] == (int32_t)node) return true;
  return false;
}

static bool has_bind_pose(const stance_work *w) {
  for (int b = 0; b < HUMAN_BONE_COUNT; b++)
    if (human_bones[b].required && !w->s->nodes[w->node_of_bone[b]].has_bind) return false;
  return true;
}

/* The human bones turned in the file's frame as `bound` has them, where has[] says so. All else keeps its own
 * rotation and place, for nothing moves it later. */
static void take_bones(const stance_work *w, const double (*bound)[4], const bool *has, local_pose *pose) {
  double(*q)[4] = w->body.q;
  local_pose_rest(w->s, pose);
  for (uint32_t i = 0; i < w->s->node_count; i++) {
    const int32_t parent = w->s->nodes[i].parent;
    const double *above = parent >= 0 ? q[parent] : (double[4]){0, 0, 0, 1};
    double inverse[4];
    if (has[i]) {
      quat_conj(above, inverse);
      quat_mul(inverse, bound[i], pose->q[i]);
      quat_normalise(pose->q[i]);
    }
    quat_mul(above, pose->q[i], q[i]);
    quat_normalise(q[i]);
  }
}

static void take_bind(const stance_work *w, local_pose *pose) {
  for (uint32_t i = 0; i < w->s->node_count; i++) {
    const skeleton_node *node = &w->s->nodes[i];
    w->turned_bone[i] = node->has_bind && is_bone(w, i) && bind_rotation(node, w->turned_q[i]);
  }
  take_bones(w, (const double(*)[4])w->turned_q, w->turned_bone, pose);
}

static double take_and_score(stance_work *w, const local_pose *pose) {
  turned_body_take(&w->body, pose, w->matrix);
  return stance_score(&w->body);
}

static void choose_bind(stance_work *w) {
  if (!has_bind_pose(w)) return;
  const double own = take_and_score(w, &w->rest);
  take_bind(w, &w->base);
  if (take_and_score(w, &w->base) > own + bind_margin) {
    w->out->origin = STANCE_BIND;
    stance_warn(w->out,
                "the skin's bind pose is nearer to a stance than the nodes' own pose: the T-pose is made "
                "from it");
    return;
  }
  local_pose_rest(w->s, &w->base);
}

/* ---- frames ------------------------------------------------------------------------------------------- */

/* A frame's limbs, on what the output rests with. */
static void take_frame_of_rest(stance_work *w, uint64_t frame) {
  local_pose_frame(w->s, w->motion, frame, &w->base);
  global_pose(w->s, &w->base, NULL, w->turned_q);
  for (uint32_t i = 0; i < w->s->node_count; i++) w->turned_bone[i] = is_bone(w, i);
  take_bones(w, (const double(*)[4])w->turned_q, w->turned_bone, &w->base);
}

/* A frame in place of the rest. The hips and what stands above them stay where they rest: where the actor
 * stood is no stance. */
static void take_frame_as_rest(stance_work *w, uint64_t frame) {
  const int32_t hips = w->node_of_bone[HUMAN_HIPS];
  double inverse[4];
  local_pose_frame(w->s, w->motion, frame, &w->base);
  global_pose(w->s, &w->base, NULL, w->turned_q);
  for (int32_t n = w->s->nodes[hips].parent; n >= 0; n = w->s->nodes[n].parent) {
    memcpy(w->base.t[n], w->s->nodes[n].t, sizeof w->base.t[n]);
    memcpy(w->base.q[n], w->s->nodes[n].q, sizeof w->base.q[n]);
    memcpy(w->base.s[n], w->s->nodes[n].s, sizeof w->base.s[n]);
  }
  memcpy(w->base.t[hips], w->s->nodes[hips].t, sizeof w->base.t[hips]);
  global_pose(w->s, &w->rest, NULL, w->body.q);
  memcpy(w->base.q[hips], w->turned_q[hips], sizeof w->base.q[hips]);
  if (w->s->nodes[hips].parent < 0) return;
  quat_conj(w->body.q[w->s->nodes[hips].parent], inverse);
  quat_mul(inverse, w->turned_q[hips], w->base.q[hips]);
  quat_normalise(w->base.q[hips]);
}

static void take_frame(stance_work *w, uint64_t frame) {
  w->out->origin = STANCE_FRAME;
  w->out->frame = frame;
  if (w->is_bvh && !w->rest_stands)
    take_frame_as_rest(w, frame);
  else
    take_frame_of_rest(w, frame);
}

static sinew_result take_given_frame(stance_work *w, sinew_error *error) {
  const uint64_t frame = (uint64_t)w->options.frame, count = w->motion ? pose_frame_count(w->motion) : 0;
  SINEW_CHECK(frame < count, error, SINEW_ERROR_ARGUMENT,
              "the T-pose is asked from frame %llu of %llu that the movement has",
              (unsigned long long)frame + 1, (unsigned long long)count);
  take_frame(w, frame);
  return SINEW_OK;
}

static void choose_frame(stance_work *w, const char *fault) {
  if (!w->survey.measured) {
    stance_warn(w->out, "the rest is no stance (%s), and no frame is nearer to one", fault);
    return;
  }
  take_frame(w, w->survey.best);
  stance_warn(w->out, "the rest is no stance (%s): frame %llu, the most stance-like one, stands in for it",
              fault, (unsigned long long)w->survey.best + 1);
}

static void keep_rest(stance_work *w) {
  const bool is_frame = w->out->origin == STANCE_FRAME && !w->rest_stands && w->is_bvh;
  const local_pose *rest = is_frame ? &w->base : &w->rest;
  for (uint32_t i = 0; i < w->s->node_count; i++) {
    memcpy(w->out->rest_t[i], rest->t[i], sizeof rest->t[i]);
    memcpy(w->out->rest_q[i], rest->q[i], sizeof rest->q[i]);
    memcpy(w->out->rest_s[i], rest->s[i], sizeof rest->s[i]);
  }
}

sinew_result stance_choose_base(stance_work *w, sinew_error *error) {
  local_pose_rest(w->s, &w->rest);
  if (w->is_bvh && w->motion) motion_look(&w->body, w->motion, &w->base, w->matrix, &w->survey);
  turned_body_take(&w->body, &w->rest, w->matrix);
  const char *fault = stance_fault(&w->body);
  w->rest_stands = !fault;
  body_measure(&w->body, &w->rest_axes);
  local_pose_rest(w->s, &w->base);
  if (w->options.frame >= 0)
    SINEW_TRY(take_given_frame(w, error));
  else if (w->is_bvh && fault)
    choose_frame(w, fault);
  else if (!w->is_bvh)
    choose_bind(w);
  keep_rest(w);
  turned_body_take(&w->body, &w->base, w->matrix);
  SINEW_CHECK(body_measure(&w->body, &w->base_axes), error, SINEW_ERROR_RIG, "the body has no stance: %s",
              fault ? fault : "its bones lie in one place or one line");
  return SINEW_OK;
}
