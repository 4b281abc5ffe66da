#include "write/rig_json.h"
#include "base/error.h"
#include "write/outfile.h"

#include <math.h>
#include <stddef.h>

enum { RIG_JSON_VERSION = 1 };

/* Unlike a GLB's, a rig's numbers keep the sign of their zeros: a sign may reach a bake's bytes. A point
 * makes a JSON reader take it for no integer. */
static void put_number(json_out *out, double value) {
  if (value == 0 && signbit(value))
    json_literal(out, "-0.0");
  else
    json_number(out, value);
}

static void put_numbers(json_out *out, const char *key, const double *values, size_t count) {
  json_literal(out, key);
  for (size_t i = 0; i < count; i++) {
    json_literal(out, i ? "," : "[");
    put_number(out, values[i]);
  }
  json_literal(out, "]");
}

static void put_member(json_out *out, const char *key, double value) {
  json_literal(out, key);
  put_number(out, value);
}

static void put_flag(json_out *out, const char *key, bool value) {
  json_literal(out, key);
  json_literal(out, value ? "true" : "false");
}

static void put_body(const sinew_rig *rig, json_out *out) {
  put_member(out, ",\n\"unitScale\":", rig->unit_scale);
  put_flag(out, ",\"unitInferred\":", rig->unit_inferred);
  put_member(out, ",\n\"height\":", rig->height_m);
  put_member(out, ",\"humanScale\":", rig->human_scale_m);
  put_numbers(out, ",\n\"rootT\":", rig->root_t, 3);
  put_numbers(out, ",\"rootQ\":", rig->root_q, 4);
  put_numbers(out, ",\"hipsRestQ\":", rig->hips_rest_q, 4);
  put_member(out, ",\n\"armTwist\":", rig->arm_twist);
  put_member(out, ",\"foreArmTwist\":", rig->fore_arm_twist);
  put_member(out, ",\"upperLegTwist\":", rig->upper_leg_twist);
  put_member(out, ",\"legTwist\":", rig->leg_twist);
  put_member(out, ",\n\"armStretch\":", rig->arm_stretch);
  put_member(out, ",\"legStretch\":", rig->leg_stretch);
  put_member(out, ",\"feetSpacing\":", rig->feet_spacing);
  put_flag(out, ",\"translationDof\":", rig->has_translation_dof);
  if (rig_is_aligned(rig)) put_numbers(out, ",\n\"alignQ\":", rig->align_q, 4);
}

static void put_node(const sinew_rig *rig, uint32_t index, json_out *out) {
  const rig_node *node = &rig->nodes[index];
  json_literal(out, "{\"name\":");
  json_out_string(out, node->name);
  put_member(out, ",\"parent\":", node->parent);
  put_numbers(out, ",\"t\":", node->t, 3);
  put_numbers(out, ",\"q\":", node->q, 4);
  put_numbers(out, ",\"s\":", node->s, 3);
  if (rig->source_node) put_member(out, ",\"source\":", rig->source_node[index]);
  json_literal(out, "}");
}

static void put_bone(const sinew_rig *rig, int bone, json_out *out) {
  const rig_axes *axes = &rig->axes[bone];
  json_literal(out, "{\"bone\":");
  json_out_string(out, human_bones[bone].name);
  put_member(out, ",\"node\":", rig->node_of_bone[bone]);
  put_numbers(out, ",\"restQ\":", rig->rest_q[bone], 4);
  put_numbers(out, ",\"preQ\":", axes->pre, 4);
  put_numbers(out, ",\"postQ\":", axes->post, 4);
  put_numbers(out, ",\"sgn\":", axes->sgn, 3);
  put_numbers(out, ",\"minRad\":", axes->min_rad, 3);
  put_numbers(out, ",\"maxRad\":", axes->max_rad, 3);
  put_member(out, ",\"length\":", axes->length);
  put_flag(out, ",\"customLimits\":", rig->custom_limits[bone]);
  put_member(out, ",\"mass\":", rig->mass[bone]);
  json_literal(out, "}");
}

void rig_json_write(const sinew_rig *rig, json_out *out) {
  json_literal(out, "{\"sinewRig\":");
  json_uint(out, RIG_JSON_VERSION);
  json_literal(out, ",\n\"name\":");
  json_out_string(out, rig->name);
  put_body(rig, out);
  json_literal(out, ",\n\"nodes\":[");
  for (uint32_t i = 0; i < rig->node_count; i++) {
    json_literal(out, i ? ",\n" : "\n");
    put_node(rig, i, out);
  }
  json_literal(out, "],\n\"bones\":[");
  const char *separator = "\n";
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    if (rig->node_of_bone[b] < 0) continue;
    json_literal(out, separator);
    put_bone(rig, b, out);
    separator = ",\n";
  }
  json_literal(out, "],\n\"warnings\":[");
  for (uint32_t i = 0; i < rig->warning_count; i++) {
    json_literal(out, i ? ",\n" : "\n");
    json_out_string(out, rig->warnings[i]);
  }
  json_literal(out, "]}\n");
}

static sinew_result write_file(const json_out *text, const char *path, sinew_error *error) {
  outfile file;
  SINEW_TRY(outfile_open(path, &file, error));
  sinew_result result = outfile_write(&file, text->bytes, text->byte_count, 0, error);
  if (result == SINEW_OK) return outfile_publish(&file, error);
  outfile_discard(&file);
  return result;
}

sinew_result sinew_rig_save(const sinew_rig *rig, const char *path, sinew_error *error) {
  SINEW_CHECK(rig && path, error, SINEW_ERROR_ARGUMENT, "rig and path must not be NULL");
  HEAP_SCOPE(heap_owner(rig));
  json_out text = {0};
  rig_json_write(rig, &text);
  sinew_result result = text.failed ? error_set(error, SINEW_ERROR_MEMORY, "out of memory for the rig's text")
                                    : write_file(&text, path, error);
  json_release(&text);
  return result;
}
