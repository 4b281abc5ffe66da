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

/* S * R = R * (conj(R) S R): the child's own scale takes the diagonal of the bracket, which is all of it
 * where the child's axes lie along its parent's, and the nearest scale without shear elsewhere. */
static void push_scale(const double s[3], rig_node *child) {
  for (int axis = 0; axis < 3; axis++) {
    double e[3] = {axis == 0, axis == 1, axis == 2}, r[3];
    quat_rotate(child->q, e, r);
    child->s[axis] *= r[0] * r[0] * s[0] + r[1] * r[1] * s[1] + r[2] * r[2] * s[2];
  }
  for (int k = 0; k < 3; k++) child->t[k] *= s[k];
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

/* Leaves one factor for all axes in the node and returns true when its scale has to go down to its children.
 */
static bool make_even(rig_node *node, double given[3]) {
  double mean = (node->s[0] + node->s[1] + node->s[2]) / 3;
  bool folds = unevenness(node->s) > uniform_tolerance;
  for (int k = 0; k < 3; k++) {
    given[k] = node->s[k];
    node->s[k] = folds ? 1 : mean;
  }
  return folds;
}

sinew_result rig_fold_scales(sinew_rig *rig, arena *scratch, sinew_error *error) {
  const bool *above = nodes_above_bones(rig, scratch);
  bool *folded = arena_alloc(scratch, rig->node_count, sizeof *folded);
  double(*given)[3] =
      arena_alloc(scratch, rig->node_count, sizeof *given); /* what a folded node hands down */
  SINEW_CHECK(above && folded && given, error, SINEW_ERROR_MEMORY, "out of memory");
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
    if (node->parent >= 0 && folded[node->parent]) push_scale(given[node->parent], node);
    folded[i] = above[i] && make_even(node, given[i]);
  }
  if (count > 0)
    rig_warn(rig,
             "%u node%s above human bones scale%s the axes differently, by up to %.2g%%: folded into what "
             "hangs below",
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
