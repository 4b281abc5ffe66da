#include "write/glb_vrma.h"

#include "base/error.h"
#include "rig/compile.h"
#include "rig/normalised.h"
#include "rig/quat.h"

/* Metres: less is no height that anything can be divided by. */
static const double least_hips_m = 1e-3;

static bool is_eye(int bone) {
  return bone == HUMAN_LEFT_EYE || bone == HUMAN_RIGHT_EYE;
}

static int bone_at(const glb_plan *plan, uint32_t node) {
  for (int b = 0; b < HUMAN_BONE_COUNT; b++)
    if (plan->human_node[b] == (int32_t)node) return b;
  return -1;
}

static sinew_result check_bones(const glb_plan *plan, sinew_error *error) {
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    const int32_t node = plan->human_node[b];
    const char *name = human_bones[b].name;
    SINEW_CHECK(node >= 0 || !human_bones[b].required, error, SINEW_ERROR_RIG,
                "a VRM animation needs the human bone %s, which the rig has not", name);
    if (node < 0) continue;
    SINEW_CHECK((uint32_t)node < plan->node_count, error, SINEW_ERROR_ARGUMENT,
                "human bone %s is node %d of %u", name, node, plan->node_count);
    SINEW_CHECK(bone_at(plan, (uint32_t)node) == b, error, SINEW_ERROR_ARGUMENT,
                "node %d is two human bones, one of them %s", node, name);
    SINEW_CHECK(!is_eye(b), error, SINEW_ERROR_ARGUMENT, "a VRM animation has no bones for eyes");
    SINEW_CHECK(!rig_is_orphan(plan->human_node, b), error, SINEW_ERROR_RIG,
                "a VRM animation has no %s without the bone before it", name);
  }
  return SINEW_OK;
}

static sinew_result check_tracks(const glb_plan *plan, sinew_error *error) {
  for (uint32_t i = 0; i < plan->track_count; i++) {
    const glb_track *track = &plan->tracks[i];
    const int bone = bone_at(plan, track->node);
    SINEW_CHECK(bone >= 0, error, SINEW_ERROR_ARGUMENT, "track %u of a VRM animation moves no human bone", i);
    SINEW_CHECK(track->path == GLB_ROTATION || (track->path == GLB_TRANSLATION && bone == HUMAN_HIPS), error,
                SINEW_ERROR_ARGUMENT, "track %u: in a VRM animation bones turn, and the hips alone move", i);
  }
  return SINEW_OK;
}

static sinew_result check_hips(const glb_plan *plan, sinew_error *error) {
  double at[3] = {0, 0, 0};
  for (int32_t n = plan->human_node[HUMAN_HIPS]; n >= 0; n = plan->nodes[n].parent) {
    const rig_node *node = &plan->nodes[n];
    if (n != plan->human_node[HUMAN_HIPS]) {
      for (int k = 0; k < 3; k++) at[k] *= node->s[k];
      quat_rotate(node->q, at, at);
    }
    for (int k = 0; k < 3; k++) at[k] += node->t[k];
  }
  SINEW_CHECK(
      at[1] >= least_hips_m, error, SINEW_ERROR_RIG,
      "the hips rest at a height of %g m: players of a VRM animation divide by it, so it has to be above 0",
      at[1]);
  return SINEW_OK;
}

sinew_result glb_vrma_check(const glb_plan *plan, sinew_error *error) {
  SINEW_CHECK(!plan->mesh && !plan->model, error, SINEW_ERROR_ARGUMENT,
              "a VRM animation holds bones and no body: neither boxes nor a character go with it");
  SINEW_TRY(check_bones(plan, error));
  SINEW_TRY(check_tracks(plan, error));
  return check_hips(plan, error);
}

void glb_vrma_write(const glb_plan *plan, json_out *out) {
  json_literal(out, ",\"extensionsUsed\":[\"VRMC_vrm_animation\"],\"extensions\":{\"VRMC_vrm_animation\":{"
                    "\"specVersion\":\"1.0\",\"humanoid\":{\"humanBones\":{");
  bool any = false;
  for (int i = 0; i < HUMAN_BONE_COUNT; i++) {
    const int bone = human_order[i];
    if (plan->human_node[bone] < 0) continue;
    char name[RIG_VRM_NAME_BYTES];
    rig_vrm_name(bone, name);
    if (any) json_literal(out, ",");
    json_out_string(out, name);
    json_literal(out, ":{\"node\":");
    json_uint(out, (uint64_t)plan->human_node[bone]);
    json_literal(out, "}");
    any = true;
  }
  json_literal(out, "}}}}");
}
