#include "rig/compile.h"

#include "base/error.h"
#include "rig/quat.h"

#include <string.h>

rig_label rig_node_label(const sinew_rig *rig, int32_t node) {
  rig_label label = {"?"};
  if (node >= 0) {
    const char *name = rig->nodes[node].name;
    error_printable(name, strlen(name), label.text, sizeof label.text);
  }
  return label;
}

bool rig_is_above(const sinew_rig *rig, int32_t above, int32_t node) {
  for (int32_t n = rig->nodes[node].parent; n >= above; n = rig->nodes[n].parent)
    if (n == above) return true;
  return false;
}

int rig_table_parent(const sinew_rig *rig, int bone) {
  int parent = human_bones[bone].parent;
  while (parent >= 0 && rig->node_of_bone[parent] < 0) parent = human_bones[parent].parent;
  return parent;
}

static int bone_at(const sinew_rig *rig, int32_t node) {
  for (int b = 0; b < HUMAN_BONE_COUNT; b++)
    if (rig->node_of_bone[b] == node) return b;
  return -1;
}

int rig_nearest_bone_above(const sinew_rig *rig, int bone) {
  for (int32_t n = rig->nodes[rig->node_of_bone[bone]].parent; n >= 0; n = rig->nodes[n].parent) {
    int b = bone_at(rig, n);
    if (b >= 0) return b;
  }
  return -1;
}

static sinew_result check_map(const sinew_rig *rig, sinew_error *error) {
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    int32_t node = rig->node_of_bone[b];
    SINEW_CHECK(node >= 0 || !human_bones[b].required, error, SINEW_ERROR_RIG,
                "required human bone %s is not mapped to any node", human_bones[b].name);
    SINEW_CHECK(node < (int64_t)rig->node_count, error, SINEW_ERROR_RIG,
                "human bone %s is mapped to node %d of %u", human_bones[b].name, node, rig->node_count);
    for (int other = 0; node >= 0 && other < b; other++)
      SINEW_CHECK(rig->node_of_bone[other] != node, error, SINEW_ERROR_RIG,
                  "node \"%s\" is mapped to two human bones, %s and %s", rig_node_label(rig, node).text,
                  human_bones[other].name, human_bones[b].name);
  }
  return SINEW_OK;
}

static bool is_finger(int bone) {
  return bone >= HUMAN_LEFT_THUMB_PROXIMAL && bone < HUMAN_UPPER_CHEST;
}

/* Bones that have no meaning without the one before them. */
static bool needs_table_parent(int bone) {
  return bone == HUMAN_UPPER_CHEST || (is_finger(bone) && is_finger(human_bones[bone].parent));
}

bool rig_is_orphan(const int32_t node_of_bone[HUMAN_BONE_COUNT], int bone) {
  return node_of_bone[bone] >= 0 && needs_table_parent(bone) && node_of_bone[human_bones[bone].parent] < 0;
}

static void drop_orphans(sinew_rig *rig) {
  for (int i = 0; i < HUMAN_BONE_COUNT; i++) {
    int bone = human_order[i], parent = human_bones[bone].parent;
    if (!rig_is_orphan(rig->node_of_bone, bone)) continue;
    rig_warn(rig,
             "human bone %s is mapped (node \"%s\") but %s is not: %s is left out, its node does not move",
             human_bones[bone].name, rig_node_label(rig, rig->node_of_bone[bone]).text,
             human_bones[parent].name, human_bones[bone].name);
    rig->node_of_bone[bone] = -1;
  }
}

/* The bone that has to lie above. Shoulders, and arms without them, may hang from any bone of the trunk:
 * exporters put clavicles under the neck, the chest or the spine. */
static int wanted_above(const sinew_rig *rig, int bone) {
  bool arm_root = bone == HUMAN_LEFT_SHOULDER || bone == HUMAN_RIGHT_SHOULDER ||
                  (bone == HUMAN_LEFT_UPPER_ARM && rig->node_of_bone[HUMAN_LEFT_SHOULDER] < 0) ||
                  (bone == HUMAN_RIGHT_UPPER_ARM && rig->node_of_bone[HUMAN_RIGHT_SHOULDER] < 0);
  return arm_root ? HUMAN_SPINE : rig_table_parent(rig, bone);
}

/* Limb bones hand their twist to the next one, so no other human bone may stand between; fingers likewise
 * keep to their own chain. */
static bool nearest_must_match(int bone) {
  return (bone >= HUMAN_LEFT_LOWER_LEG && bone <= HUMAN_RIGHT_FOOT) ||
         (bone >= HUMAN_LEFT_LOWER_ARM && bone <= HUMAN_RIGHT_TOES) || is_finger(bone);
}

static sinew_result check_chain(const sinew_rig *rig, int bone, sinew_error *error) {
  int wanted = wanted_above(rig, bone);
  int32_t node = rig->node_of_bone[bone];
  SINEW_CHECK(rig_is_above(rig, rig->node_of_bone[wanted], node), error, SINEW_ERROR_RIG,
              "human bone %s (node \"%s\") does not lie below %s (node \"%s\")", human_bones[bone].name,
              rig_node_label(rig, node).text, human_bones[wanted].name,
              rig_node_label(rig, rig->node_of_bone[wanted]).text);
  int nearest = rig_nearest_bone_above(rig, bone);
  SINEW_CHECK(nearest == wanted || !nearest_must_match(bone), error, SINEW_ERROR_RIG,
              "human bone %s (node \"%s\") hangs from %s (node \"%s\"), expected %s", human_bones[bone].name,
              rig_node_label(rig, node).text, human_bones[nearest].name,
              rig_node_label(rig, rig->node_of_bone[nearest]).text, human_bones[wanted].name);
  return SINEW_OK;
}

sinew_result rig_check_hierarchy(sinew_rig *rig, sinew_error *error) {
  SINEW_TRY(check_map(rig, error));
  drop_orphans(rig);
  for (int i = 1; i < HUMAN_BONE_COUNT; i++)
    if (rig->node_of_bone[human_order[i]] >= 0) SINEW_TRY(check_chain(rig, human_order[i], error));
  return SINEW_OK;
}

/* Walks from a bone's parent node up to the human bone above (or past the root): the rotation of the nodes in
 * between and the bone's place in the frame of what is above, before that bone's own scale. */
static void walk_between(sinew_rig *rig, int bone, int32_t stop) {
  const rig_node *node = &rig->nodes[rig->node_of_bone[bone]];
  double q[4] = {0, 0, 0, 1}, v[3] = {node->t[0], node->t[1], node->t[2]};
  uint16_t count = 0;
  for (int32_t n = node->parent; n >= 0 && n != stop; n = rig->nodes[n].parent) {
    const rig_node *between = &rig->nodes[n];
    for (int k = 0; k < 3; k++) v[k] *= between->s[k];
    quat_rotate(between->q, v, v);
    for (int k = 0; k < 3; k++) v[k] += between->t[k];
    quat_mul(between->q, q, q);
    if (count < UINT16_MAX) count++;
  }
  if (stop < 0 && rig_is_aligned(rig)) {
    quat_rotate(rig->align_q, v, v);
    quat_mul(rig->align_q, q, q);
  }
  quat_normalise(q);
  rig->between_count[bone] = count;
  memcpy(rig->between[bone], q, sizeof q);
  memcpy(rig->offset[bone], v, sizeof v);
}

void rig_enter_tpose(sinew_rig *rig, const double (*tpose_q)[4], const double *tpose_hips_t,
                     double (*rest_q)[4], double rest_hips_t[3]) {
  rig_node *hips = &rig->nodes[rig->node_of_bone[HUMAN_HIPS]];
  for (uint32_t i = 0; i < rig->node_count; i++) memcpy(rest_q[i], rig->nodes[i].q, sizeof rest_q[i]);
  memcpy(rest_hips_t, hips->t, sizeof hips->t);
  for (int b = 0; tpose_q && b < HUMAN_BONE_COUNT; b++) {
    int32_t node = rig->node_of_bone[b];
    if (node >= 0) memcpy(rig->nodes[node].q, tpose_q[node], sizeof rig->nodes[node].q);
  }
  if (tpose_hips_t) memcpy(hips->t, tpose_hips_t, sizeof hips->t);
}

void rig_leave_tpose(sinew_rig *rig, const double (*rest_q)[4], const double rest_hips_t[3]) {
  int32_t hips = rig->node_of_bone[HUMAN_HIPS];
  for (uint32_t i = 0; i < rig->node_count; i++) memcpy(rig->nodes[i].q, rest_q[i], sizeof rest_q[i]);
  for (int k = 0; k < 3; k++) rig->nodes[hips].t[k] = rest_hips_t[k] * rig->unit_scale;
  walk_between(rig, HUMAN_HIPS, -1);
}

void rig_build_skeleton(sinew_rig *rig, const rig_pose *pose) {
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    rig->parent_bone[b] = -1;
    if (rig->node_of_bone[b] < 0) continue;
    int above = rig_nearest_bone_above(rig, b);
    rig->parent_bone[b] = (int8_t)above;
    int32_t stop = above >= 0 ? rig->node_of_bone[above] : -1;
    walk_between(rig, b, stop);
    double scale = stop >= 0 ? pose->scale[stop] : 1;
    for (int k = 0; k < 3; k++) rig->offset[b][k] *= scale;
    memcpy(rig->rest_q[b], rig->nodes[rig->node_of_bone[b]].q, sizeof rig->rest_q[b]);
  }
  int32_t above = rig->nodes[rig->node_of_bone[HUMAN_HIPS]].parent;
  rig->above_scale = above >= 0 ? pose->scale[above] : 1;
  for (int k = 0; k < 3; k++) rig->above_t[k] = above >= 0 ? pose->t[above][k] : 0;
  memcpy(rig->above_q, rig->between[HUMAN_HIPS], sizeof rig->above_q);
}
