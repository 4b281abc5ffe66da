#include "rig/compile.h"

#include "base/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rig_warn(sinew_rig *rig, const char *format, ...) {
  if (rig->warning_count >= RIG_WARNING_LIMIT) return;
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  bool last = rig->warning_count == RIG_WARNING_LIMIT - 1;
  const char *kept =
      last ? "there are more warnings than can be kept" : arena_text(&rig->memory, text, strlen(text));
  rig->warnings[rig->warning_count++] = kept ? kept : "a warning that found no memory";
}

enum { MOST_NODES = 32767 }; /* joints number their parents in 16 bits */

static sinew_result copy_nodes(sinew_rig *rig, const rig_description *description, sinew_error *error) {
  SINEW_CHECK(description->node_count <= MOST_NODES, error, SINEW_ERROR_LIMIT,
              "the rig has %u nodes, at most %d can be written", description->node_count, MOST_NODES);
  const char *name = description->name ? description->name : "";
  rig->name = arena_text(&rig->memory, name, strlen(name));
  rig->nodes = arena_alloc(&rig->memory, description->node_count, sizeof *rig->nodes);
  SINEW_CHECK(rig->name && rig->nodes, error, SINEW_ERROR_MEMORY, "out of memory");
  rig->node_count = description->node_count;
  for (uint32_t i = 0; i < rig->node_count; i++) {
    rig_node *node = &rig->nodes[i];
    *node = description->nodes[i];
    SINEW_CHECK(node->parent >= -1 && node->parent < (int64_t)i, error, SINEW_ERROR_RIG,
                "node %u has parent %d, expected a node before it", i, node->parent);
    node->name = arena_text(&rig->memory, node->name, strlen(node->name));
    SINEW_CHECK(node->name, error, SINEW_ERROR_MEMORY, "out of memory");
  }
  memcpy(rig->node_of_bone, description->node_of_bone, sizeof rig->node_of_bone);
  memcpy(rig->align_q, description->align_q, sizeof rig->align_q);
  if (!rig_is_aligned(rig)) memcpy(rig->align_q, (double[4]){0, 0, 0, 1}, sizeof rig->align_q);
  if (!description->source_node) return SINEW_OK;
  rig->source_node = arena_alloc(&rig->memory, rig->node_count, sizeof *rig->source_node);
  SINEW_CHECK(rig->source_node, error, SINEW_ERROR_MEMORY, "out of memory");
  memcpy(rig->source_node, description->source_node, rig->node_count * sizeof *rig->source_node);
  return SINEW_OK;
}

void rig_set_shares(sinew_rig *rig) {
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) rig->share[b] = 1;
  for (int side = 0; side < 2; side++) {
    rig->share[HUMAN_LEFT_UPPER_ARM + side] = rig->arm_twist;
    rig->share[HUMAN_LEFT_LOWER_ARM + side] = rig->fore_arm_twist;
    rig->share[HUMAN_LEFT_UPPER_LEG + side] = rig->upper_leg_twist;
    rig->share[HUMAN_LEFT_LOWER_LEG + side] = rig->leg_twist;
  }
}

static void copy_settings(sinew_rig *rig, const rig_description *description) {
  rig->kind = description->kind;
  rig->arm_twist = description->arm_twist;
  rig->fore_arm_twist = description->fore_arm_twist;
  rig->upper_leg_twist = description->upper_leg_twist;
  rig->leg_twist = description->leg_twist;
  rig->arm_stretch = description->arm_stretch;
  rig->leg_stretch = description->leg_stretch;
  rig->feet_spacing = description->feet_spacing;
  rig->has_translation_dof = description->has_translation_dof;
  rig_set_shares(rig);
  for (uint32_t i = 0; i < description->warning_count; i++) rig_warn(rig, "%s", description->warnings[i]);
}

sinew_result rig_pose_alloc(const sinew_rig *rig, arena *scratch, rig_pose *pose, sinew_error *error) {
  *pose = (rig_pose){arena_alloc(scratch, rig->node_count, sizeof *pose->t),
                     arena_alloc(scratch, rig->node_count, sizeof *pose->q),
                     arena_alloc(scratch, rig->node_count, sizeof *pose->scale)};
  SINEW_CHECK(pose->t && pose->q && pose->scale, error, SINEW_ERROR_MEMORY, "out of memory");
  return SINEW_OK;
}

static sinew_result compute_pose(const sinew_rig *rig, rig_pose *pose, sinew_error *error) {
  uint32_t bad;
  SINEW_CHECK(rig_pose_compute(rig, pose, &bad), error, SINEW_ERROR_RIG,
              "node \"%s\" lies or scales beyond what can be computed with",
              rig_node_label(rig, (int32_t)bad).text);
  return SINEW_OK;
}

/* Chooses the unit and brings every node's translation to metres; the pose on return is in metres. */
static sinew_result apply_unit(sinew_rig *rig, double unit_scale, rig_pose *pose, sinew_error *error) {
  double height = rig_chain_height(rig, pose);
  SINEW_CHECK(height > 0, error, SINEW_ERROR_RIG,
              "in the T-pose the head is not above the feet: the body has to stand along +Y");
  rig->unit_scale = unit_scale;
  if (unit_scale == 0) {
    rig->unit_scale = rig_infer_unit(height);
    rig->unit_inferred = !(height >= 0.5 && height <= 3);
    if (rig->unit_inferred)
      rig_warn(rig, "lowest foot to head measures %g in the file's unit: taken as %g m per unit, %g m",
               height, rig->unit_scale, height * rig->unit_scale);
  }
  rig->height_m = height * rig->unit_scale;
  for (uint32_t i = 0; i < rig->node_count; i++)
    for (int k = 0; k < 3; k++) rig->nodes[i].t[k] *= rig->unit_scale;
  SINEW_TRY(compute_pose(rig, pose, error));
  SINEW_CHECK(rig->height_m >= 1e-9, error, SINEW_ERROR_RIG,
              "the body measures %g m from foot to head: too small to compute with", rig->height_m);
  return SINEW_OK;
}

static sinew_result compile_axes(sinew_rig *rig, const rig_description *description, const rig_pose *pose,
                                 double (*rest_q)[4], sinew_error *error) {
  rig_build_skeleton(rig, pose);
  SINEW_CHECK(rig->above_scale >= 1e-9, error, SINEW_ERROR_RIG,
              "the nodes above the hips scale by %g: too small", rig->above_scale);
  if (description->compiled) return rig_take_compiled(rig, description->compiled, pose, rest_q, error);
  rig_build_axes(rig, pose, description->limit);
  return rig_build_body(rig, pose, error);
}

static sinew_result compile_in(sinew_rig *rig, const rig_description *description, double unit_scale,
                               arena *scratch, sinew_error *error) {
  SINEW_TRY(copy_nodes(rig, description, error));
  copy_settings(rig, description);
  SINEW_TRY(rig_check_hierarchy(rig, error));
  const double *given_t = description->tpose_hips_t;
  double tpose_hips_t[3] = {0}, rest_hips_t[3];
  if (given_t) memcpy(tpose_hips_t, given_t, sizeof tpose_hips_t);
  SINEW_TRY(rig_fold_scales(rig, given_t ? tpose_hips_t : NULL, scratch, error));
  double(*rest_q)[4] = arena_alloc(scratch, rig->node_count, sizeof *rest_q);
  SINEW_CHECK(rest_q, error, SINEW_ERROR_MEMORY, "out of memory");
  const bool apart = !description->compiled && (description->tpose_q || given_t);
  if (apart) rig_enter_tpose(rig, description->tpose_q, given_t ? tpose_hips_t : NULL, rest_q, rest_hips_t);
  rig_pose pose;
  SINEW_TRY(rig_pose_alloc(rig, scratch, &pose, error));
  SINEW_TRY(compute_pose(rig, &pose, error));
  if (description->compiled) {
    rig_take_human_pose(rig, description->compiled, &pose, rest_q);
    SINEW_TRY(compute_pose(rig, &pose, error));
  }
  SINEW_TRY(apply_unit(rig, unit_scale, &pose, error));
  SINEW_TRY(compile_axes(rig, description, &pose, rest_q, error));
  if (apart) rig_leave_tpose(rig, (const double(*)[4])rest_q, rest_hips_t);
  return rig_set_hash(rig, error);
}

sinew_result rig_compile(const rig_description *description, double unit_scale, sinew_rig **rig,
                         sinew_error *error) {
  *rig = NULL;
  SINEW_CHECK(unit_scale >= 0 && unit_scale <= 1e9, error, SINEW_ERROR_ARGUMENT,
              "unit_scale is %g: expected metres per unit above 0 and at most 1e9, or 0 to infer it",
              unit_scale);
  sinew_rig *made = heap_alloc(1, sizeof *made);
  SINEW_CHECK(made, error, SINEW_ERROR_MEMORY, "out of memory");
  arena scratch = {0};
  sinew_result result = compile_in(made, description, unit_scale, &scratch, error);
  arena_release(&scratch);
  if (result != SINEW_OK) {
    sinew_rig_close(made);
    return result;
  }
  *rig = made;
  return SINEW_OK;
}
