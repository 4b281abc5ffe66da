#include "rig/normalised.h"

#include "base/error.h"
#include "rig/compile.h"
#include "rig/quat.h"

#include <stdio.h>
#include <string.h>

/* ---- names -------------------------------------------------------------------------------------------- */

static bool is_thumb(int bone) {
  return (bone >= HUMAN_LEFT_THUMB_PROXIMAL && bone < HUMAN_LEFT_THUMB_PROXIMAL + 3) ||
         (bone >= HUMAN_RIGHT_THUMB_PROXIMAL && bone < HUMAN_RIGHT_THUMB_PROXIMAL + 3);
}

/* Of a thumb's three bones the first two are called otherwise there. */
void rig_vrm_name(int bone, char name[RIG_VRM_NAME_BYTES]) {
  static const char *const thumb[3] = {"Metacarpal", "Proximal", "Distal"};
  if (is_thumb(bone))
    snprintf(name, RIG_VRM_NAME_BYTES, "%sThumb%s", bone < HUMAN_RIGHT_THUMB_PROXIMAL ? "left" : "right",
             thumb[(bone - HUMAN_LEFT_THUMB_PROXIMAL) % 3]);
  else
    snprintf(name, RIG_VRM_NAME_BYTES, "%s", human_bones[bone].name);
  if (name[0] >= 'A' && name[0] <= 'Z') name[0] = (char)(name[0] - 'A' + 'a');
}

/* ---- the T-pose --------------------------------------------------------------------------------------- */

typedef struct stance_of_bones { /* in root space */
  double t[HUMAN_BONE_COUNT][3];
  double q[HUMAN_BONE_COUNT][4];
  uint8_t order[HUMAN_BONE_COUNT]; /* present bones, each after the one it hangs from */
  uint32_t count;
} stance_of_bones;

static void list_bones(const sinew_rig *rig, stance_of_bones *s) {
  bool listed[HUMAN_BONE_COUNT] = {false};
  for (uint32_t before = UINT32_MAX; before != s->count;) {
    before = s->count;
    for (int i = 0; i < HUMAN_BONE_COUNT; i++) {
      const int bone = human_order[i], above = rig->parent_bone[bone];
      if (rig->node_of_bone[bone] < 0 || listed[bone] || (above >= 0 && !listed[above])) continue;
      listed[bone] = true;
      s->order[s->count++] = (uint8_t)bone;
    }
  }
}

/* The hips are where the centre of mass wants them: as a bake has it. */
static void stand(const sinew_rig *rig, stance_of_bones *s) {
  double weight[HUMAN_BONE_COUNT], com[3] = {0, 0, 0};
  rig_com_weights(rig, weight);
  for (uint32_t i = 0; i < s->count; i++) {
    const int bone = s->order[i], above = rig->parent_bone[bone];
    if (above < 0) {
      memcpy(s->q[bone], rig->hips_rest_q, sizeof s->q[bone]);
      continue;
    }
    quat_rotate(s->q[above], rig->offset[bone], s->t[bone]);
    for (int k = 0; k < 3; k++) s->t[bone][k] += s->t[above][k];
    quat_mul(s->q[above], rig->between[bone], s->q[bone]);
    quat_mul(s->q[bone], rig->rest_q[bone], s->q[bone]);
    quat_normalise(s->q[bone]);
    for (int k = 0; k < 3; k++) com[k] += weight[bone] * s->t[bone][k];
  }
  for (uint32_t i = 0; i < s->count; i++)
    for (int k = 0; k < 3; k++) s->t[s->order[i]][k] += rig->root_t[k] - com[k];
}

/* ---- the rig ------------------------------------------------------------------------------------------ */

/* local = pre * inner * conj(post) of the rig becomes above * between * local * conj(own), both turns in
 * T-pose. */
static void turn_axes(const sinew_rig *rig, const stance_of_bones *s, int bone, rig_axes *axes) {
  const int above = rig->parent_bone[bone];
  *axes = rig->axes[bone];
  if (above >= 0) quat_mul(rig->between[bone], axes->pre, axes->pre);
  quat_mul(above >= 0 ? s->q[above] : rig->above_q, axes->pre, axes->pre);
  quat_normalise(axes->pre);
  quat_mul(s->q[bone], axes->post, axes->post);
  quat_normalise(axes->post);
}

static bool add_node(sinew_rig *made, const char *name, int32_t parent, const double t[3]) {
  char *kept = arena_text(&made->memory, name, strlen(name));
  made->nodes[made->node_count++] =
      (rig_node){.name = kept, .parent = parent, .t = {t[0], t[1], t[2]}, .q = {0, 0, 0, 1}, .s = {1, 1, 1}};
  return kept;
}

static bool add_bone(const sinew_rig *rig, const stance_of_bones *s, int bone, sinew_rig *made) {
  int above = rig->parent_bone[bone];
  while (above >= 0 && made->node_of_bone[above] < 0) above = rig->parent_bone[above];
  double t[3];
  for (int k = 0; k < 3; k++) t[k] = s->t[bone][k] - (above >= 0 ? s->t[above][k] : 0);
  char name[RIG_VRM_NAME_BYTES];
  rig_vrm_name(bone, name);
  made->node_of_bone[bone] = (int32_t)made->node_count;
  made->rest_q[bone][3] = 1;
  made->mass[bone] = rig->mass[bone];
  made->custom_limits[bone] = rig->custom_limits[bone];
  turn_axes(rig, s, bone, &made->axes[bone]);
  return add_node(made, name, above >= 0 ? made->node_of_bone[above] : 0, t);
}

static void copy_body(const sinew_rig *rig, sinew_rig *made) {
  made->kind = rig->kind;
  made->align_q[3] = made->hips_rest_q[3] = 1;
  made->unit_scale = 1;
  made->height_m = rig->height_m;
  made->human_scale_m = rig->human_scale_m;
  memcpy(made->root_t, rig->root_t, sizeof made->root_t);
  memcpy(made->root_q, rig->root_q, sizeof made->root_q);
  made->arm_twist = rig->arm_twist, made->fore_arm_twist = rig->fore_arm_twist;
  made->upper_leg_twist = rig->upper_leg_twist, made->leg_twist = rig->leg_twist;
  made->arm_stretch = rig->arm_stretch, made->leg_stretch = rig->leg_stretch;
  made->feet_spacing = rig->feet_spacing;
  made->has_translation_dof = rig->has_translation_dof;
}

static sinew_result make(const sinew_rig *rig, bool without_eyes, sinew_rig *made, sinew_error *error) {
  stance_of_bones s = {.count = 0};
  list_bones(rig, &s);
  stand(rig, &s);
  copy_body(rig, made);
  made->name = arena_text(&made->memory, rig->name, strlen(rig->name));
  made->nodes = arena_alloc(&made->memory, s.count + 1, sizeof *made->nodes);
  SINEW_CHECK(made->name && made->nodes, error, SINEW_ERROR_MEMORY, "out of memory");
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) made->node_of_bone[b] = -1;
  bool kept = add_node(made, "Root", -1, (const double[3]){0, 0, 0});
  for (uint32_t i = 0; i < s.count; i++) {
    const bool eye = s.order[i] == HUMAN_LEFT_EYE || s.order[i] == HUMAN_RIGHT_EYE;
    if (!eye || !without_eyes) kept = add_bone(rig, &s, s.order[i], made) && kept;
  }
  SINEW_CHECK(kept, error, SINEW_ERROR_MEMORY, "out of memory");
  return rig_restore(made, error);
}

sinew_result rig_normalise(const sinew_rig *rig, const rig_normalise_options *options, sinew_rig **normalised,
                           sinew_error *error) {
  *normalised = NULL;
  sinew_rig *made = heap_alloc(1, sizeof *made);
  SINEW_CHECK(made, error, SINEW_ERROR_MEMORY, "out of memory");
  const sinew_result result = make(rig, options && options->without_eyes, made, error);
  if (result != SINEW_OK) {
    sinew_rig_close(made);
    return result;
  }
  *normalised = made;
  return SINEW_OK;
}
