/* A rig whose compiled form stood in a file: what follows from its nodes is derived again, by the same code
 * that rig_compile runs and so to the same bits. */
#include "rig/compile.h"

#include "base/error.h"

#include <string.h>

static sinew_result check_nodes(const sinew_rig *rig, sinew_error *error) {
  SINEW_CHECK(rig->node_count > 0, error, SINEW_ERROR_RIG, "the rig has no nodes");
  for (uint32_t i = 0; i < rig->node_count; i++)
    SINEW_CHECK(rig->nodes[i].parent >= -1 && rig->nodes[i].parent < (int64_t)i, error, SINEW_ERROR_RIG,
                "node %u has parent %d, expected a node before it", i, rig->nodes[i].parent);
  return SINEW_OK;
}

/* The compiler leaves one factor in each node above a human bone. */
static sinew_result check_scales(const sinew_rig *rig, sinew_error *error) {
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    if (rig->node_of_bone[b] < 0) continue;
    for (int32_t n = rig->nodes[rig->node_of_bone[b]].parent; n >= 0; n = rig->nodes[n].parent) {
      const double *s = rig->nodes[n].s;
      SINEW_CHECK(s[0] > 0 && s[1] == s[0] && s[2] == s[0], error, SINEW_ERROR_RIG,
                  "node \"%s\" above human bone %s has scale %g, %g, %g: expected one factor above 0",
                  rig_node_label(rig, n).text, human_bones[b].name, s[0], s[1], s[2]);
    }
  }
  return SINEW_OK;
}

static sinew_result derive(sinew_rig *rig, arena *scratch, sinew_error *error) {
  rig_pose pose;
  uint32_t bad;
  SINEW_TRY(rig_pose_alloc(rig, scratch, &pose, error));
  SINEW_CHECK(rig_pose_compute(rig, &pose, &bad), error, SINEW_ERROR_RIG,
              "node \"%s\" lies or scales beyond what can be computed with",
              rig_node_label(rig, (int32_t)bad).text);
  double rest_q[HUMAN_BONE_COUNT][4];
  memcpy(rest_q, rig->rest_q, sizeof rest_q);
  rig_build_skeleton(rig, &pose);
  memcpy(rig->rest_q, rest_q, sizeof rest_q);
  SINEW_CHECK(rig->above_scale >= 1e-9, error, SINEW_ERROR_RIG,
              "the nodes above the hips scale by %g: too small", rig->above_scale);
  return SINEW_OK;
}

sinew_result rig_restore(sinew_rig *rig, sinew_error *error) {
  SINEW_TRY(check_nodes(rig, error));
  SINEW_TRY(rig_check_hierarchy(rig, error));
  SINEW_TRY(check_scales(rig, error));
  arena scratch = {0};
  sinew_result result = derive(rig, &scratch, error);
  arena_release(&scratch);
  SINEW_TRY(result);
  SINEW_CHECK(rig->height_m >= 1e-9, error, SINEW_ERROR_RIG,
              "the body measures %g m from foot to head: too small to compute with", rig->height_m);
  SINEW_CHECK(rig->human_scale_m > 1e-3 * rig->height_m, error, SINEW_ERROR_RIG,
              "the human scale is %g m for a body %g m high", rig->human_scale_m, rig->height_m);
  rig_set_shares(rig);
  return rig_set_hash(rig, error);
}
