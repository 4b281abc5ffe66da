#include "rig/rig.h"
#include "write/glb_model.h"

#include <string.h>

static const double deg_per_rad = 57.295779513082323;

void sinew_rig_close(sinew_rig *rig) {
  if (!rig) return;
  glb_model_close(rig->model);
  arena memory = rig->memory;
  arena_release(&memory);
  heap_free(rig);
}

void sinew_rig_get_info(const sinew_rig *rig, sinew_rig_info *info) {
  if (!info) return;
  *info = (sinew_rig_info){0};
  if (!rig) return;
  *info = (sinew_rig_info){
      .name = rig->name,
      .kind = rig->kind,
      .hash = rig->hash,
      .node_count = rig->node_count,
      .unit_scale = rig->unit_scale,
      .unit_inferred = rig->unit_inferred,
      .height_m = rig->height_m,
      .human_scale_m = rig->human_scale_m,
      .arm_twist = rig->arm_twist,
      .fore_arm_twist = rig->fore_arm_twist,
      .upper_leg_twist = rig->upper_leg_twist,
      .leg_twist = rig->leg_twist,
      .arm_stretch = rig->arm_stretch,
      .leg_stretch = rig->leg_stretch,
      .feet_spacing = rig->feet_spacing,
      .has_translation_dof = rig->has_translation_dof,
      .warning_count = rig->warning_count,
  };
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) info->human_bone_count += rig->node_of_bone[b] >= 0;
}

const char *sinew_bone_name(uint32_t bone) {
  return bone < HUMAN_BONE_COUNT ? human_bones[bone].name : NULL;
}

bool sinew_bone_required(uint32_t bone) {
  return bone < HUMAN_BONE_COUNT && human_bones[bone].required;
}

const char *sinew_muscle_name(uint32_t muscle) {
  return muscle < SINEW_MUSCLE_COUNT ? human_muscles[muscle].attribute : NULL;
}

bool sinew_rig_get_bone(const sinew_rig *rig, uint32_t bone, sinew_rig_bone *info) {
  if (!info) return false;
  *info = (sinew_rig_bone){.parent_bone = -1};
  if (!rig || bone >= HUMAN_BONE_COUNT) return false;
  int32_t node = rig->node_of_bone[bone];
  if (node < 0) return true;
  info->node_name = rig->nodes[node].name;
  info->node = (uint32_t)node;
  info->parent_bone = rig->parent_bone[bone];
  info->between_nodes = rig->between_count[bone];
  info->custom_limits = rig->custom_limits[bone];
  info->mass = rig->mass[bone];
  info->reason = rig->reason[bone];
  info->stance_turn_deg = rig->stance_turn_deg[bone];
  for (int axis = 0; axis < 3; axis++) {
    info->min_deg[axis] = rig->axes[bone].min_rad[axis] * deg_per_rad;
    info->max_deg[axis] = rig->axes[bone].max_rad[axis] * deg_per_rad;
  }
  return true;
}

bool sinew_rig_get_node(const sinew_rig *rig, uint32_t index, sinew_rig_node *node) {
  if (!node) return false;
  *node = (sinew_rig_node){.parent = -1};
  if (!rig || index >= rig->node_count) return false;
  const rig_node *from = &rig->nodes[index];
  node->name = from->name;
  node->parent = from->parent;
  memcpy(node->translation_m, from->t, sizeof node->translation_m);
  memcpy(node->rotation, from->q, sizeof node->rotation);
  memcpy(node->scale, from->s, sizeof node->scale);
  return true;
}

const char *sinew_rig_warning(const sinew_rig *rig, uint32_t index) {
  return rig && index < rig->warning_count ? rig->warnings[index] : NULL;
}
