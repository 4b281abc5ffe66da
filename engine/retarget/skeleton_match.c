#include "retarget/skeleton_match.h"
#include "base/error.h"
#include "rig/quat.h"

#include <math.h>
#include <string.h>

static const double same_way_cos = 0.94; /* 20 degrees */
static const double same_share = 0.8;    /* of the bones that are compared */
static const double unit_agrees = 0.1;

static int32_t find_node(const skeleton *s, const char *name) {
  int32_t found = -1;
  for (uint32_t i = 0; i < s->node_count; i++) {
    if (strcmp(s->nodes[i].name, name) != 0) continue;
    if (found >= 0) return -1;
    found = (int32_t)i;
  }
  return found;
}

static bool hangs_below(const skeleton *s, int32_t node, int32_t above) {
  for (node = s->nodes[node].parent; node >= 0; node = s->nodes[node].parent)
    if (node == above) return true;
  return false;
}

static sinew_result find_bones(const skeleton *s, const sinew_rig *rig,
                               int32_t node_of_bone[HUMAN_BONE_COUNT], sinew_error *why) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    node_of_bone[bone] = -1;
    if (rig->node_of_bone[bone] < 0) continue;
    const char *name = rig->nodes[rig->node_of_bone[bone]].name;
    node_of_bone[bone] = find_node(s, name);
    char text[128];
    SINEW_CHECK(node_of_bone[bone] >= 0 || !sinew_bone_required((uint32_t)bone), why, SINEW_ERROR_RIG,
                "has not exactly one node '%s', which is the rig's %s",
                error_printable(name, strlen(name), text, sizeof text), sinew_bone_name((uint32_t)bone));
  }
  for (int bone = 1; bone < HUMAN_BONE_COUNT; bone++) {
    if (node_of_bone[bone] < 0) continue;
    const int parent = rig->parent_bone[bone];
    SINEW_CHECK(node_of_bone[parent] >= 0 && hangs_below(s, node_of_bone[bone], node_of_bone[parent]), why,
                SINEW_ERROR_RIG, "has a %s that does not hang from its %s, as the rig's does",
                sinew_bone_name((uint32_t)bone), sinew_bone_name((uint32_t)parent));
  }
  return SINEW_OK;
}

/* A node's place in its parent, in Unity's frame and the file's unit. */
static void place_of(const skeleton *s, int32_t node, double t[3]) {
  vec_mirror(s->nodes[node].t, t);
}

skeleton_likeness skeleton_match(const skeleton *s, const sinew_rig *rig,
                                 int32_t node_of_bone[HUMAN_BONE_COUNT], sinew_error *why) {
  if (find_bones(s, rig, node_of_bone, why) != SINEW_OK) return SKELETON_OTHER;
  uint32_t compared = 0, same = 0;
  for (int bone = 1; bone < HUMAN_BONE_COUNT; bone++) {
    if (node_of_bone[bone] < 0 || !sinew_bone_required((uint32_t)bone)) continue;
    double own[3], t[3];
    place_of(s, node_of_bone[bone], own);
    memcpy(t, rig->nodes[rig->node_of_bone[bone]].t, sizeof t);
    if (vec_normalise(own) == 0 || vec_normalise(t) == 0) continue;
    compared++;
    same += vec_dot(own, t) >= same_way_cos;
  }
  if (same >= same_share * compared) return SKELETON_SAME;
  error_set(why, SINEW_ERROR_RIG, "has the rig's names, but %u of %u bones lead elsewhere in their parents",
            compared - same, compared);
  return SKELETON_NAMESAKE;
}

double skeleton_match_unit(const skeleton *s, const sinew_rig *rig,
                           const int32_t node_of_bone[HUMAN_BONE_COUNT], double unit_m) {
  double own = 0, theirs = 0;
  for (int bone = 1; bone < HUMAN_BONE_COUNT; bone++) {
    if (node_of_bone[bone] < 0) continue;
    const double *a = s->nodes[node_of_bone[bone]].t, *b = rig->nodes[rig->node_of_bone[bone]].t;
    own += sqrt(vec_dot(a, a));
    theirs += sqrt(vec_dot(b, b));
  }
  if (fabs(own * unit_m / theirs - 1) <= unit_agrees) return unit_m;
  return fabs(own * rig->unit_scale / theirs - 1) <= unit_agrees ? rig->unit_scale : unit_m;
}
