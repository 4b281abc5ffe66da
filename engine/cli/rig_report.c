#include "rig_report.h"

#include "console.h"
#include "name_list.h"

#include <stdio.h>
#include <string.h>

bool rig_states_bones(const sinew_rig *rig) {
  static const char *const kinds[] = {"fbx-meta", "avatar", "rig-file"};
  sinew_rig_info info;
  sinew_rig_get_info(rig, &info);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (info.kind && strcmp(info.kind, kinds[i]) == 0) return true;
  return false;
}

static const char *unit_reason(const sinew_rig_info *info, bool given) {
  if (info->kind && strcmp(info->kind, "rig-file") == 0)
    return "of the file the rig came from; here all is in metres";
  if (given) return "as given by --rig-scale";
  return info->unit_inferred ? "inferred from the body's height" : "the body's height fits metres";
}

static void say_summary(const char *path, const sinew_rig_info *info, bool unit_given) {
  const bool named = info->name && *info->name;
  say("%s: rig%s%s", path, named ? " " : "", named ? info->name : "");
  say("  kind          %s", info->kind ? info->kind : "unknown");
  say("  hash          %s", info->hash);
  say("  nodes         %u, of which %u are human bones", info->node_count, info->human_bone_count);
  say("  unit          %g m (%s)", info->unit_scale, unit_reason(info, unit_given));
  say("  height        %.4g m, lowest foot or toe to head in T-pose", info->height_m);
  say("  human scale   %.6g m, height of the centre of mass in T-pose", info->human_scale_m);
  say("  twist kept    upper arm %g, lower arm %g, upper leg %g, lower leg %g", info->arm_twist,
      info->fore_arm_twist, info->upper_leg_twist, info->leg_twist);
  say("  stretch       arm %g, leg %g", info->arm_stretch, info->leg_stretch);
  say("  feet spacing  %g", info->feet_spacing);
  say("  translation   %s",
      info->has_translation_dof ? "the rig has translation degrees of freedom" : "none");
}

/* Goes up from a bone's node; false once the human bone above is reached. What lies above the hips stands
 * between nothing. */
static bool next_between(const sinew_rig *rig, const sinew_rig_bone *bone, uint32_t index,
                         sinew_rig_node *node) {
  if (bone->parent_bone < 0 || index >= bone->between_nodes) return false;
  if (index == 0) sinew_rig_get_node(rig, bone->node, node);
  return sinew_rig_get_node(rig, (uint32_t)node->parent, node);
}

enum { REASON_BYTES = 256 };

/* " (its name; turned 12.3 degrees to the T-pose)": why the node is the bone and how far it was turned; ""
 * when there is nothing to tell. Returns text. */
static const char *reason_of(const sinew_rig_bone *bone, char text[REASON_BYTES]) {
  const bool turned = bone->stance_turn_deg >= 0.05;
  const char *reason = bone->reason ? bone->reason : "";
  char turn[64] = "";
  if (strncmp(reason, "named ", 6) == 0) reason = "its name"; /* which stands before it */
  if (turned)
    snprintf(turn, sizeof turn, "%sturned %.1f degrees to the T-pose", *reason ? "; " : "",
             bone->stance_turn_deg);
  text[0] = 0;
  if (*reason || turned) snprintf(text, REASON_BYTES, " (%s%s)", reason, turn);
  return text;
}

static void say_bone(const sinew_rig *rig, uint32_t index, const sinew_rig_bone *bone) {
  char reason[REASON_BYTES];
  reason_of(bone, reason);
  if (!bone->between_nodes || bone->parent_bone < 0) {
    say("  %-24s-> %s%s", sinew_bone_name(index), bone->node_name, reason);
    return;
  }
  name_list between = {0};
  sinew_rig_node node;
  for (uint32_t i = 0; next_between(rig, bone, i, &node); i++) name_list_add(&between, node.name);
  say("  %-24s-> %s, %u node%s below %s: %s%s", sinew_bone_name(index), bone->node_name, bone->between_nodes,
      bone->between_nodes == 1 ? "" : "s", sinew_bone_name((uint32_t)bone->parent_bone),
      name_list_text(&between), reason);
}

static void say_mapped(const sinew_rig *rig) {
  say("bones");
  sinew_rig_bone bone;
  for (uint32_t i = 0; i < SINEW_HUMAN_BONE_COUNT; i++)
    if (sinew_rig_get_bone(rig, i, &bone) && bone.node_name) say_bone(rig, i, &bone);
}

/* The first finger bone of each hand; a hand's fifteen follow one another. */
static uint32_t fingers_begin(bool right) {
  uint32_t bone = 0;
  while (strcmp(sinew_bone_name(bone), right ? "RightThumbProximal" : "LeftThumbProximal") != 0) bone++;
  return bone;
}

static bool lacks_bones(const sinew_rig *rig, uint32_t first, uint32_t count) {
  sinew_rig_bone bone;
  for (uint32_t i = first; i < first + count; i++)
    if (sinew_rig_get_bone(rig, i, &bone) && bone.node_name) return false;
  return true;
}

static void say_missing(const sinew_rig *rig) {
  enum { FINGER_BONES = 15 };
  char text[SINEW_HUMAN_BONE_COUNT * 32] = "";
  size_t length = 0;
  for (uint32_t i = 0; i < SINEW_HUMAN_BONE_COUNT; i++) {
    if (!lacks_bones(rig, i, 1)) continue;
    const bool left = i == fingers_begin(false) && lacks_bones(rig, i, FINGER_BONES);
    const bool right = i == fingers_begin(true) && lacks_bones(rig, i, FINGER_BONES);
    const char *what = left ? "all left fingers" : right ? "all right fingers" : sinew_bone_name(i);
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", length ? ", " : "", what);
    if (left || right) i += FINGER_BONES - 1;
  }
  /* a rig that lacks a required bone does not open */
  say("missing         %s%s", length ? text : "none", length ? " (all optional)" : "");
}

static const char axis_names[3] = {'x', 'y', 'z'};

static void say_custom_limits(const sinew_rig *rig) {
  bool any = false;
  sinew_rig_bone bone;
  for (uint32_t i = 0; i < SINEW_HUMAN_BONE_COUNT; i++) {
    if (!sinew_rig_get_bone(rig, i, &bone) || !bone.node_name || !bone.custom_limits) continue;
    char text[160] = "";
    size_t length = 0;
    for (int axis = 0; axis < 3; axis++) {
      if (bone.min_deg[axis] == 0 && bone.max_deg[axis] == 0) continue;
      length += (size_t)snprintf(text + length, sizeof text - length, "%s%c %g to %g", length ? ", " : "",
                                 axis_names[axis], bone.min_deg[axis], bone.max_deg[axis]);
    }
    if (!any) say("custom limits, degrees");
    any = true;
    say("  %-24s%s", sinew_bone_name(i), text);
  }
  if (!any) say("custom limits   none");
}

static void say_warnings(const sinew_rig *rig) {
  const char *warning = sinew_rig_warning(rig, 0);
  say(warning ? "warnings" : "warnings        none");
  for (uint32_t i = 0; (warning = sinew_rig_warning(rig, i)); i++) say("  %s", warning);
}

void rig_report_say(const char *path, const sinew_rig *rig, bool unit_given) {
  sinew_rig_info info;
  sinew_rig_get_info(rig, &info);
  say_summary(path, &info, unit_given);
  say_mapped(rig);
  say_missing(rig);
  say_custom_limits(rig);
  say_warnings(rig);
}

static json_t *bones_json(const sinew_rig *rig, json_t *missing) {
  json_t *bones = or_die(json_array());
  sinew_rig_bone bone;
  for (uint32_t i = 0; i < SINEW_HUMAN_BONE_COUNT; i++) {
    if (!sinew_rig_get_bone(rig, i, &bone) || !bone.node_name) {
      json_add(missing, json_of_text(sinew_bone_name(i)));
      continue;
    }
    json_t *object = or_die(json_object());
    json_put(object, "bone", json_of_text(sinew_bone_name(i)));
    json_put(object, "node", json_of_text(bone.node_name));
    json_put(object, "parent",
             bone.parent_bone >= 0 ? json_of_text(sinew_bone_name((uint32_t)bone.parent_bone)) : json_null());
    json_put(object, "betweenNodes", or_die(json_integer(bone.between_nodes)));
    json_t *between = or_die(json_array());
    sinew_rig_node node;
    for (uint32_t k = 0; next_between(rig, &bone, k, &node); k++) json_add(between, json_of_text(node.name));
    json_put(object, "between", between);
    json_put(object, "minDeg", json_of_triple(bone.min_deg));
    json_put(object, "maxDeg", json_of_triple(bone.max_deg));
    json_put(object, "customLimits", json_boolean(bone.custom_limits));
    json_put(object, "mass", json_of_number(bone.mass));
    json_put(object, "reason", json_of_text(bone.reason));
    json_put(object, "turnDeg", json_of_number(bone.stance_turn_deg));
    json_add(bones, object);
  }
  return bones;
}

void rig_report_fill(json_t *object, const sinew_rig *rig) {
  sinew_rig_info found;
  sinew_rig_get_info(rig, &found);
  const sinew_rig_info *info = &found;
  json_put(object, "name", json_of_text(info->name));
  json_put(object, "kind", json_of_text(info->kind));
  json_put(object, "hash", json_of_text(info->hash));
  json_put(object, "nodes", or_die(json_integer(info->node_count)));
  json_put(object, "humanBones", or_die(json_integer(info->human_bone_count)));
  json_put(object, "unitScale", json_of_number(info->unit_scale));
  json_put(object, "unitInferred", json_boolean(info->unit_inferred));
  json_put(object, "heightM", json_of_number(info->height_m));
  json_put(object, "humanScaleM", json_of_number(info->human_scale_m));
  json_put(object, "armTwist", json_of_number(info->arm_twist));
  json_put(object, "foreArmTwist", json_of_number(info->fore_arm_twist));
  json_put(object, "upperLegTwist", json_of_number(info->upper_leg_twist));
  json_put(object, "legTwist", json_of_number(info->leg_twist));
  json_put(object, "armStretch", json_of_number(info->arm_stretch));
  json_put(object, "legStretch", json_of_number(info->leg_stretch));
  json_put(object, "feetSpacing", json_of_number(info->feet_spacing));
  json_put(object, "translationDof", json_boolean(info->has_translation_dof));
  json_t *missing = or_die(json_array());
  json_put(object, "bones", bones_json(rig, missing));
  json_put(object, "missing", missing);
  json_t *warnings = or_die(json_array());
  const char *warning;
  for (uint32_t i = 0; (warning = sinew_rig_warning(rig, i)); i++) json_add(warnings, json_of_text(warning));
  json_put(object, "warnings", warnings);
}
