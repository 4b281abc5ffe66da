#include "rig/compile.h"

#include "base/error.h"
#include "rig/quat.h"

#include <math.h>

/* Three factors this close to each other count as one: file formats print seven digits. */
static const double uniform_tolerance = 1e-6;
/* Beyond this neither a float nor a product of a few holds a body. */
static const double range_limit = 1e12;

/* How far the largest factor exceeds the smallest, relative to it. */
static double unevenness(const double s[3]) {
  double least = fmin(s[0], fmin(s[1], s[2])), most = fmax(s[0], fmax(s[1], s[2]));
  return (most - least) / most;
}

static bool *nodes_above_bones(const sinew_rig *rig, arena *scratch) {
  bool *above = arena_alloc(scratch, rig->node_count, sizeof *above);
  for (int b = 0; above && b < HUMAN_BONE_COUNT; b++) {
    if (rig->node_of_bone[b] < 0) continue;
    for (int32_t n = rig->nodes[rig->node_of_bone[b]].parent; n >= 0 && !above[n]; n = rig->nodes[n].parent)
      above[n] = true;
  }
  return above;
}

/* What the description's world matrix has over the output's, in the node's own axes:
 * described = output * bend. The identity where `bent` is false. */
typedef struct scale_bend {
  double m[3][3];
  bool bent;
} scale_bend;

/* conj(R) M R: a parent's bend in the axes of a child. */
static void turn_bend(const double q[4], const double m[3][3], double turned[3][3]) {
  double inverse[4];
  quat_conj(q, inverse);
  for (int axis = 0; axis < 3; axis++) {
    double e[3] = {axis == 0, axis == 1, axis == 2}, v[3], bent[3];
    quat_rotate(q, e, v);
    for (int row = 0; row < 3; row++) bent[row] = vec_dot(m[row], v);
    quat_rotate(inverse, bent, v);
    for (int row = 0; row < 3; row++) turned[row][axis] = v[row];
  }
}

/* The one factor that stays in the node; 1 where its axes differ, and all of the scale goes down. */
static double factor_left(const double s[3]) {
  if (s[0] == s[1] && s[1] == s[2] && s[0] > 0) return s[0];
  bool even = fmin(s[0], fmin(s[1], s[2])) > 0 && unevenness(s) <= uniform_tolerance;
  return even ? (s[0] + s[1] + s[2]) / 3 : 1;
}

static void bend_point(const scale_bend *bend, double v[3]) {
  const double from[3] = {v[0], v[1], v[2]};
  for (int row = 0; row < 3; row++) v[row] = vec_dot(bend->m[row], from);
}

/* Moves the node to where the description's matrices have it. A node that others hang from keeps one factor
 * and hands the rest down; an end keeps its scale, each axis as long as it was, without the shear that a
 * node cannot hold. */
static void fold_node(rig_node *node, const scale_bend *above, bool is_end, scale_bend *bend) {
  const double own[3] = {node->s[0], node->s[1], node->s[2]};
  double m[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (above) {
    bend_point(above, node->t);
    turn_bend(node->q, above->m, m);
    for (int axis = 0; axis < 3; axis++)
      node->s[axis] *= sqrt(m[0][axis] * m[0][axis] + m[1][axis] * m[1][axis] + m[2][axis] * m[2][axis]);
  }
  if (is_end) return;
  const double factor = factor_left(node->s);
  for (int row = 0; row < 3; row++) {
    node->s[row] = factor;
    for (int axis = 0; axis < 3; axis++) {
      bend->m[row][axis] = m[row][axis] * own[axis] / factor;
      bend->bent |= bend->m[row][axis] != (row == axis);
    }
  }
}

static bool *nodes_with_children(const sinew_rig *rig, arena *scratch) {
  bool *parents = arena_alloc(scratch, rig->node_count, sizeof *parents);
  for (uint32_t i = 0; parents && i < rig->node_count; i++)
    if (rig->nodes[i].parent >= 0) parents[rig->nodes[i].parent] = true;
  return parents;
}

/* A scale that differs by axis cannot stay above a bone: a bone that turns below it would shear, which no
 * rotation is. Nodes that are neither above a bone nor below a folded scale stay as they are. */
sinew_result rig_fold_scales(sinew_rig *rig, double *tpose_hips_t, arena *scratch, sinew_error *error) {
  const bool *above = nodes_above_bones(rig, scratch), *parents = nodes_with_children(rig, scratch);
  scale_bend *bends = arena_alloc(scratch, rig->node_count, sizeof *bends);
  SINEW_CHECK(above && parents && bends, error, SINEW_ERROR_MEMORY, "out of memory");
  uint32_t count = 0;
  double most = 0;
  for (uint32_t i = 0; i < rig->node_count; i++) {
    rig_node *node = &rig->nodes[i];
    if (above[i]) {
      SINEW_CHECK(node->s[0] > 0 && node->s[1] > 0 && node->s[2] > 0, error, SINEW_ERROR_RIG,
                  "node \"%s\" above a human bone has scale %g, %g, %g: expected more than 0",
                  rig_node_label(rig, (int32_t)i).text, node->s[0], node->s[1], node->s[2]);
      count += unevenness(node->s) > uniform_tolerance;
      most = fmax(most, unevenness(node->s));
    }
    const scale_bend *from = node->parent >= 0 && bends[node->parent].bent ? &bends[node->parent] : NULL;
    if (from && tpose_hips_t && i == (uint32_t)rig->node_of_bone[HUMAN_HIPS]) bend_point(from, tpose_hips_t);
    if (from || above[i]) fold_node(node, from, !parents[i], &bends[i]);
  }
  rig->unevenness = count > 0 ? most : 0;
  if (count > 0)
    rig_warn(rig,
             "%u node%s above human bones scale%s the axes differently, by up to %.2g%%: folded into what "
             "hangs below; joints keep their T-pose places",
             count, count == 1 ? "" : "s", count == 1 ? "s" : "", 100 * most);
  return SINEW_OK;
}

static bool in_range(const double *v, int count) {
  for (int k = 0; k < count; k++)
    if (!(fabs(v[k]) <= range_limit)) return false;
  return true;
}

bool rig_pose_compute(const sinew_rig *rig, rig_pose *pose, uint32_t *bad) {
  for (uint32_t i = 0; i < rig->node_count; i++) {
    const rig_node *node = &rig->nodes[i];
    double *t = pose->t[i], *q = pose->q[i];
    int32_t p = node->parent;
    for (int k = 0; k < 3; k++) t[k] = node->t[k];
    for (int k = 0; k < 4; k++) q[k] = node->q[k];
    if (p < 0 && rig_is_aligned(rig)) {
      quat_rotate(rig->align_q, t, t);
      quat_mul(rig->align_q, q, q);
      quat_normalise(q);
    }
    pose->scale[i] = node->s[0];
    *bad = i;
    if (!in_range(t, 3) || !in_range(node->s, 3)) return false;
    if (p >= 0) {
      double above = rig->nodes[p].parent >= 0 ? pose->scale[rig->nodes[p].parent] : 1;
      for (int k = 0; k < 3; k++) t[k] *= rig->nodes[p].s[k] * above;
      quat_rotate(pose->q[p], t, t);
      for (int k = 0; k < 3; k++) t[k] += pose->t[p][k];
      quat_mul(pose->q[p], q, q);
      quat_normalise(q);
      pose->scale[i] *= pose->scale[p];
    }
    if (!in_range(t, 3) || !in_range(&pose->scale[i], 1)) return false;
  }
  return true;
}
