/* Our own rig file: JSON, one object, every member of it known and, but for the optional ones, present. Its
 * numbers are taken to the last bit; what they say is checked as if the compiler had yet to make it. */
#include "base/error.h"
#include "base/json_text.h"
#include "read/reader.h"
#include "rig/rig.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  RIG_JSON_VERSION = 1,
  NODE_TEXT_BYTES = 1024, /* what a node takes besides its name, generously */
  BASE_TEXT_BYTES = 1 << 20,
  WARNING_BYTES = 2047,
};

static const double unit_tolerance = 1e-6, mass_tolerance = 1e-6;

typedef struct json_reader {
  const read_source *source;
  sinew_rig *rig;
  sinew_error *error;
} json_reader;

/* An object of the file, named for messages: "nodes[3]". */
typedef struct json_place {
  const json_t *object;
  char name[32];
} json_place;

typedef enum json_rule_kind {
  RULE_NUMBERS,
  RULE_ROTATION,
  RULE_FLAG,
  RULE_INTEGER,
  RULE_TEXT,
  RULE_OTHER
} json_rule_kind;

/* A member: its place in the struct that the object fills. RULE_OTHER is read by code of its own. */
typedef struct json_rule {
  const char *key;
  json_rule_kind kind;
  size_t target;
  size_t count; /* of RULE_NUMBERS; 1: the number itself, no list */
  double least, most;
  bool optional; /* where it is missing its target stays as it is */
} json_rule;

static sinew_result wrong(const json_reader *r, const json_place *place, const char *key, const char *what) {
  return error_set(r->error, SINEW_ERROR_SYNTAX, "%s%s%s %s", place->name, *place->name ? "." : "", key,
                   what);
}

/* ---- members ----------------------------------------------------------------------------------------- */

static sinew_result read_number(const json_reader *r, const json_place *place, const json_rule *rule,
                                const json_t *member, double *value) {
  char what[96];
  *value = json_number_value(member);
  if (json_is_number(member) && *value >= rule->least && *value <= rule->most) return SINEW_OK;
  if (json_is_number(member))
    snprintf(what, sizeof what, "is %g, expected %g to %g", *value, rule->least, rule->most);
  return wrong(r, place, rule->key, json_is_number(member) ? what : "is no number");
}

static sinew_result read_numbers(const json_reader *r, const json_place *place, const json_rule *rule,
                                 const json_t *member, double *values) {
  char what[64];
  if (rule->count == 1) return read_number(r, place, rule, member, values);
  if (!json_is_array(member) || json_array_size(member) != rule->count) {
    snprintf(what, sizeof what, "is no list of %zu numbers", rule->count);
    return wrong(r, place, rule->key, what);
  }
  for (size_t i = 0; i < rule->count; i++)
    SINEW_TRY(read_number(r, place, rule, json_array_get(member, i), &values[i]));
  return SINEW_OK;
}

/* Not made a unit quaternion here, so that it stays what it was. */
static sinew_result read_rotation(const json_reader *r, const json_place *place, const json_rule *rule,
                                  const json_t *member, double *q) {
  json_rule four = {rule->key, RULE_NUMBERS, 0, 4, -2, 2, false};
  char what[64];
  SINEW_TRY(read_numbers(r, place, &four, member, q));
  double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (fabs(norm - 1) <= unit_tolerance) return SINEW_OK;
  snprintf(what, sizeof what, "has length %.9g, expected 1", norm);
  return wrong(r, place, rule->key, what);
}

static sinew_result read_integer(const json_reader *r, const json_place *place, const json_rule *rule,
                                 const json_t *member, int32_t *value) {
  char what[96];
  json_int_t number = json_integer_value(member);
  if (!json_is_integer(member)) return wrong(r, place, rule->key, "is no whole number");
  if ((double)number < rule->least || (double)number > rule->most) {
    snprintf(what, sizeof what, "is %lld, expected %.0f to %.0f", (long long)number, rule->least, rule->most);
    return wrong(r, place, rule->key, what);
  }
  *value = (int32_t)number;
  return SINEW_OK;
}

static sinew_result read_text(const json_reader *r, const json_place *place, const json_rule *rule,
                              const json_t *member, const char **text) {
  size_t length = json_string_length(member);
  if (!json_is_string(member)) return wrong(r, place, rule->key, "is no text");
  SINEW_CHECK(length <= r->source->limits.name_bytes, r->error, SINEW_ERROR_LIMIT,
              "%s%s%s has %zu bytes, the limit is %u", place->name, *place->name ? "." : "", rule->key,
              length, r->source->limits.name_bytes);
  *text = arena_text(&r->rig->memory, json_string_value(member), length);
  SINEW_CHECK(*text, r->error, SINEW_ERROR_MEMORY, "no memory for a text of %zu bytes", length);
  return SINEW_OK;
}

static sinew_result read_member(const json_reader *r, const json_place *place, const json_rule *rule,
                                void *target) {
  const json_t *member = json_object_get(place->object, rule->key);
  if (!member && rule->optional) return SINEW_OK;
  if (!member) return wrong(r, place, rule->key, "is missing");
  switch (rule->kind) {
  case RULE_NUMBERS:
    return read_numbers(r, place, rule, member, target);
  case RULE_ROTATION:
    return read_rotation(r, place, rule, member, target);
  case RULE_FLAG:
    if (!json_is_boolean(member)) return wrong(r, place, rule->key, "is neither true nor false");
    *(bool *)target = json_is_true(member);
    return SINEW_OK;
  case RULE_INTEGER:
    return read_integer(r, place, rule, member, target);
  case RULE_TEXT:
    return read_text(r, place, rule, member, target);
  case RULE_OTHER:
    break;
  }
  return SINEW_OK;
}

/* Every member by its rule, and no other: one that is misspelt, or of a later version, may matter. */
static sinew_result read_object(const json_reader *r, const json_place *place, const json_rule *rules,
                                void *target) {
  if (!json_is_object(place->object)) return wrong(r, place, "", "is no object");
  const char *key;
  json_t *member;
  json_object_foreach((json_t *)place->object, key, member) {
    bool known = false;
    for (const json_rule *rule = rules; rule->key; rule++) known |= strcmp(rule->key, key) == 0;
    char shown[64];
    error_printable(key, strlen(key), shown, sizeof shown);
    SINEW_CHECK(known, r->error, SINEW_ERROR_SYNTAX, "%s%s'%s' is no member of a rig file of version %d",
                place->name, *place->name ? ": " : "", shown, RIG_JSON_VERSION);
  }
  for (const json_rule *rule = rules; rule->key; rule++)
    SINEW_TRY(read_member(r, place, rule, (char *)target + rule->target));
  return SINEW_OK;
}

static json_place item_of(const json_t *list, const char *name, size_t index) {
  json_place place = {.object = json_array_get(list, index)};
  snprintf(place.name, sizeof place.name, "%s[%zu]", name, index);
  return place;
}

/* ---- nodes ------------------------------------------------------------------------------------------- */

typedef struct json_node {
  rig_node node;
  int32_t source;
} json_node;

#define AT(member) offsetof(json_node, member)
static const json_rule node_rules[] = {{"name", RULE_TEXT, AT(node.name), 0, 0, 0, false},
                                       {"parent", RULE_INTEGER, AT(node.parent), 0, -1, INT32_MAX, false},
                                       {"t", RULE_NUMBERS, AT(node.t), 3, -1e12, 1e12, false},
                                       {"q", RULE_ROTATION, AT(node.q), 0, 0, 0, false},
                                       {"s", RULE_NUMBERS, AT(node.s), 3, -1e12, 1e12, false},
                                       {"source", RULE_INTEGER, AT(source), 0, 0, INT32_MAX, true},
                                       {0}};
#undef AT

/* All nodes have one or none has. */
static sinew_result read_source_node(const json_reader *r, const json_place *place, uint32_t index,
                                     int32_t source) {
  sinew_rig *rig = r->rig;
  if (index == 0 && source >= 0) {
    rig->source_node = arena_alloc(&rig->memory, rig->node_count, sizeof *rig->source_node);
    SINEW_CHECK(rig->source_node, r->error, SINEW_ERROR_MEMORY, "out of memory for %u nodes",
                rig->node_count);
  }
  if ((source >= 0) != (rig->source_node != NULL))
    return wrong(r, place, "source", "stands in some nodes and not in all");
  if (source >= 0) rig->source_node[index] = (uint32_t)source;
  return SINEW_OK;
}

static sinew_result read_node(const json_reader *r, const json_place *place, uint32_t index,
                              uint32_t *depth) {
  rig_node *node = &r->rig->nodes[index];
  json_node read = {.source = -1};
  SINEW_TRY(read_object(r, place, node_rules, &read));
  *node = read.node;
  SINEW_TRY(read_source_node(r, place, index, read.source));
  if (node->parent >= (int64_t)index) return wrong(r, place, "parent", "is no node before it");
  for (int k = 0; k < 3; k++)
    if (node->s[k] == 0) return wrong(r, place, "s", "has a zero");
  depth[index] = node->parent < 0 ? 1 : depth[node->parent] + 1;
  SINEW_CHECK(depth[index] <= r->source->limits.depth, r->error, SINEW_ERROR_LIMIT,
              "%s is more than %u nodes deep, the limit", place->name, r->source->limits.depth);
  return SINEW_OK;
}

static sinew_result read_nodes(const json_reader *r, const json_place *root) {
  const json_t *list = json_object_get(root->object, "nodes");
  size_t count = json_array_size(list);
  if (!json_is_array(list) || count == 0) return wrong(r, root, "nodes", "is no list of nodes");
  SINEW_CHECK(count <= r->source->limits.nodes, r->error, SINEW_ERROR_LIMIT, "%zu nodes, the limit is %u",
              count, r->source->limits.nodes);
  r->rig->node_count = (uint32_t)count;
  r->rig->nodes = arena_alloc(&r->rig->memory, count, sizeof *r->rig->nodes);
  uint32_t *depth = heap_alloc(count, sizeof *depth);
  sinew_result result = SINEW_OK;
  if (!r->rig->nodes || !depth)
    result = error_set(r->error, SINEW_ERROR_MEMORY, "out of memory for %zu nodes", count);
  for (size_t i = 0; i < count && result == SINEW_OK; i++) {
    json_place place = item_of(list, "nodes", i);
    result = read_node(r, &place, (uint32_t)i, depth);
  }
  heap_free(depth);
  return result;
}

/* ---- bones ------------------------------------------------------------------------------------------- */

typedef struct json_bone {
  const char *name;
  int32_t node;
  double rest_q[4];
  rig_axes axes;
  bool custom_limits;
  double mass;
} json_bone;

#define HALF_TURN 3.1415936 /* pi and what float32 adds to it */
#define AT(member) offsetof(json_bone, member)
static const json_rule bone_rules[] = {{"bone", RULE_TEXT, AT(name), 0, 0, 0, false},
                                       {"node", RULE_INTEGER, AT(node), 0, 0, INT32_MAX, false},
                                       {"restQ", RULE_ROTATION, AT(rest_q), 0, 0, 0, false},
                                       {"preQ", RULE_ROTATION, AT(axes.pre), 0, 0, 0, false},
                                       {"postQ", RULE_ROTATION, AT(axes.post), 0, 0, 0, false},
                                       {"sgn", RULE_NUMBERS, AT(axes.sgn), 3, -1, 1, false},
                                       {"minRad", RULE_NUMBERS, AT(axes.min_rad), 3, -HALF_TURN, 0, false},
                                       {"maxRad", RULE_NUMBERS, AT(axes.max_rad), 3, 0, HALF_TURN, false},
                                       {"length", RULE_NUMBERS, AT(axes.length), 1, -1e12, 1e12, false},
                                       {"customLimits", RULE_FLAG, AT(custom_limits), 0, 0, 0, false},
                                       {"mass", RULE_NUMBERS, AT(mass), 1, 0, 1, false},
                                       {0}};
#undef AT
#undef HALF_TURN

static int bone_named(const char *name) {
  int b = HUMAN_BONE_COUNT - 1;
  while (b >= 0 && strcmp(human_bones[b].name, name) != 0) b--;
  return b;
}

static sinew_result check_axes(const json_reader *r, const json_place *place, int bone,
                               const rig_axes *axes) {
  for (int axis = 0; axis < 3; axis++) {
    if (fabs(axes->sgn[axis]) != 1) return wrong(r, place, "sgn", "has a number that is neither 1 nor -1");
    bool moves = human_bones[bone].muscle[axis] >= 0;
    if (!moves && (axes->min_rad[axis] != 0 || axes->max_rad[axis] != 0))
      return wrong(r, place, "minRad or maxRad", "limits an axis that has no muscle");
  }
  return SINEW_OK;
}

static sinew_result read_bone(const json_reader *r, const json_place *place) {
  json_bone read = {0};
  char what[96];
  sinew_rig *rig = r->rig;
  SINEW_TRY(read_object(r, place, bone_rules, &read));
  int bone = bone_named(read.name);
  if (bone < 0) return wrong(r, place, "bone", "is no human bone's name");
  if (rig->node_of_bone[bone] >= 0) return wrong(r, place, "bone", "stands twice in the list");
  if ((uint32_t)read.node >= rig->node_count) {
    snprintf(what, sizeof what, "is %d, expected one of %u nodes", read.node, rig->node_count);
    return wrong(r, place, "node", what);
  }
  SINEW_TRY(check_axes(r, place, bone, &read.axes));
  rig->node_of_bone[bone] = read.node;
  memcpy(rig->rest_q[bone], read.rest_q, sizeof read.rest_q);
  rig->axes[bone] = read.axes;
  rig->custom_limits[bone] = read.custom_limits;
  rig->mass[bone] = read.mass;
  return SINEW_OK;
}

static sinew_result read_bones(const json_reader *r, const json_place *root) {
  const json_t *list = json_object_get(root->object, "bones");
  double mass = 0;
  if (!json_is_array(list)) return wrong(r, root, "bones", "is no list of bones");
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) r->rig->node_of_bone[b] = -1;
  for (size_t i = 0; i < json_array_size(list); i++) {
    json_place place = item_of(list, "bones", i);
    SINEW_TRY(read_bone(r, &place));
  }
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) mass += r->rig->mass[b];
  SINEW_CHECK(fabs(mass - 1) <= mass_tolerance, r->error, SINEW_ERROR_SYNTAX,
              "the masses of the bones add up to %.9g, expected 1", mass);
  return SINEW_OK;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

static sinew_result read_warnings(const json_reader *r, const json_place *root) {
  const json_t *list = json_object_get(root->object, "warnings");
  size_t count = json_array_size(list);
  if (!json_is_array(list) || count > RIG_WARNING_LIMIT)
    return wrong(r, root, "warnings", "is no list of at most 64 texts");
  for (size_t i = 0; i < count; i++) {
    const json_t *item = json_array_get(list, i);
    if (!json_is_string(item) || json_string_length(item) > WARNING_BYTES)
      return wrong(r, root, "warnings", "holds something that is no text of at most 2047 bytes");
    const char *kept = arena_text(&r->rig->memory, json_string_value(item), json_string_length(item));
    SINEW_CHECK(kept, r->error, SINEW_ERROR_MEMORY, "no memory for a warning");
    r->rig->warnings[r->rig->warning_count++] = kept;
  }
  return SINEW_OK;
}

#define AT(member) offsetof(sinew_rig, member)
static const json_rule rig_rules[] = {{"sinewRig", RULE_OTHER, 0, 0, 0, 0, false},
                                      {"name", RULE_TEXT, AT(name), 0, 0, 0, false},
                                      {"unitScale", RULE_NUMBERS, AT(unit_scale), 1, 1e-12, 1e9, false},
                                      {"unitInferred", RULE_FLAG, AT(unit_inferred), 0, 0, 0, false},
                                      {"height", RULE_NUMBERS, AT(height_m), 1, 1e-9, 1e12, false},
                                      {"humanScale", RULE_NUMBERS, AT(human_scale_m), 1, 1e-12, 1e12, false},
                                      {"rootT", RULE_NUMBERS, AT(root_t), 3, -1e12, 1e12, false},
                                      {"rootQ", RULE_ROTATION, AT(root_q), 0, 0, 0, false},
                                      {"hipsRestQ", RULE_ROTATION, AT(hips_rest_q), 0, 0, 0, false},
                                      {"armTwist", RULE_NUMBERS, AT(arm_twist), 1, 0, 1, false},
                                      {"foreArmTwist", RULE_NUMBERS, AT(fore_arm_twist), 1, 0, 1, false},
                                      {"upperLegTwist", RULE_NUMBERS, AT(upper_leg_twist), 1, 0, 1, false},
                                      {"legTwist", RULE_NUMBERS, AT(leg_twist), 1, 0, 1, false},
                                      {"armStretch", RULE_NUMBERS, AT(arm_stretch), 1, 0, 1, false},
                                      {"legStretch", RULE_NUMBERS, AT(leg_stretch), 1, 0, 1, false},
                                      {"feetSpacing", RULE_NUMBERS, AT(feet_spacing), 1, 0, 1, false},
                                      {"translationDof", RULE_FLAG, AT(has_translation_dof), 0, 0, 0, false},
                                      {"alignQ", RULE_ROTATION, AT(align_q), 0, 0, 0, true},
                                      {"nodes", RULE_OTHER, 0, 0, 0, 0, false},
                                      {"bones", RULE_OTHER, 0, 0, 0, 0, false},
                                      {"warnings", RULE_OTHER, 0, 0, 0, 0, false},
                                      {0}};
#undef AT

static sinew_result check_version(const json_reader *r, const json_t *root) {
  const json_t *version = json_object_get(root, "sinewRig");
  SINEW_CHECK(version, r->error, SINEW_ERROR_UNSUPPORTED, "JSON without 'sinewRig': no rig file of sinew's");
  SINEW_CHECK(json_is_integer(version), r->error, SINEW_ERROR_SYNTAX, "sinewRig is no whole number");
  SINEW_CHECK(json_integer_value(version) == RIG_JSON_VERSION, r->error, SINEW_ERROR_UNSUPPORTED,
              "a rig file of version %lld, expected %d", (long long)json_integer_value(version),
              RIG_JSON_VERSION);
  return SINEW_OK;
}

static sinew_result read_root(const json_reader *r, const json_t *object) {
  json_place root = {.object = object};
  SINEW_TRY(check_version(r, object));
  memcpy(r->rig->align_q, (double[4]){0, 0, 0, 1}, sizeof r->rig->align_q);
  SINEW_TRY(read_object(r, &root, rig_rules, r->rig));
  SINEW_TRY(read_nodes(r, &root));
  SINEW_TRY(read_bones(r, &root));
  SINEW_TRY(read_warnings(r, &root));
  r->rig->kind = "rig-file";
  return rig_restore(r->rig, r->error);
}

/* ---- the file ---------------------------------------------------------------------------------------- */

bool is_json(const read_source *source) {
  size_t at = source->byte_count >= 3 && memcmp(source->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  while (at < source->byte_count && source->bytes[at] && strchr(" \t\r\n", source->bytes[at])) at++;
  return at < source->byte_count && source->bytes[at] == '{';
}

/* jansson's tree takes many times its text: what it may come to is bounded before it is built. */
static sinew_result check_size(const read_source *source, sinew_error *error) {
  const sinew_read_options *limits = &source->limits;
  uint64_t most = ((uint64_t)limits->name_bytes * 6 + NODE_TEXT_BYTES) * limits->nodes + BASE_TEXT_BYTES;
  SINEW_CHECK(source->byte_count <= most, error, SINEW_ERROR_LIMIT,
              "the file has %zu bytes, a rig of at most %u nodes %llu at most", source->byte_count,
              limits->nodes, (unsigned long long)most);
  uint64_t need = json_text_need(source->bytes, source->byte_count);
  SINEW_CHECK(need <= limits->memory_bytes, error, SINEW_ERROR_MEMORY,
              "the text may take %llu bytes of memory, the limit is %llu", (unsigned long long)need,
              (unsigned long long)limits->memory_bytes);
  return SINEW_OK;
}

static sinew_result parse(const read_source *source, json_t **root, sinew_error *error) {
  json_error_t reason;
  size_t mark = source->byte_count >= 3 && memcmp(source->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  bool out_of_memory;
  *root = json_text_parse(source->bytes + mark, source->byte_count - mark, &reason, &out_of_memory);
  if (*root) return SINEW_OK;
  if (out_of_memory)
    return error_set(error, SINEW_ERROR_MEMORY, "out of memory for %zu bytes of JSON", source->byte_count);
  char text[sizeof reason.text];
  error_printable(reason.text, strlen(reason.text), text, sizeof text);
  return error_set_at(error, SINEW_ERROR_SYNTAX, (uint64_t)(reason.position > 0 ? reason.position : 0) + mark,
                      reason.line > 0 ? (uint32_t)reason.line : 0,
                      reason.column > 0 ? (uint32_t)reason.column : 0, "no sound JSON: %s", text);
}

sinew_result read_rig_json(const read_source *source, sinew_rig **rig, sinew_error *error) {
  json_t *root;
  *rig = NULL;
  SINEW_TRY(check_size(source, error));
  SINEW_TRY(parse(source, &root, error));
  sinew_rig *made = heap_alloc(1, sizeof *made);
  sinew_result result = SINEW_OK;
  if (made) {
    made->memory.byte_limit = source->limits.memory_bytes;
    json_reader r = {source, made, error};
    result = read_root(&r, root);
  } else {
    result = error_set(error, SINEW_ERROR_MEMORY, "out of memory");
  }
  json_decref(root);
  if (result == SINEW_OK)
    *rig = made;
  else
    sinew_rig_close(made);
  return result;
}
