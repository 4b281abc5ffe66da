#include "base/error.h"
#include "rig/quat.h"
#include "stance/figure.h"

#include <string.h>

/* What a model's file does not state. */
const double figure_usual_twist = 0.5;
static const double usual_stretch = 0.05;

typedef struct description_parts {
  rig_node *nodes;
  double (*tpose_q)[4];
  double tpose_hips_t[3];
  uint32_t *source_node;
} description_parts;

static sinew_result describe_nodes(const figure *f, arena *memory, description_parts *parts,
                                   sinew_error *error) {
  const skeleton *s = f->file->skeleton;
  parts->nodes = arena_alloc(memory, s->node_count, sizeof *parts->nodes);
  parts->tpose_q = arena_alloc(memory, s->node_count, sizeof *parts->tpose_q);
  parts->source_node = arena_alloc(memory, s->node_count, sizeof *parts->source_node);
  SINEW_CHECK(parts->nodes && parts->tpose_q && parts->source_node, error, SINEW_ERROR_MEMORY,
              "out of memory for %u nodes", s->node_count);
  for (uint32_t i = 0; i < s->node_count; i++) {
    rig_node *node = &parts->nodes[i];
    *node = (rig_node){.name = s->nodes[i].name, .parent = s->nodes[i].parent};
    vec_mirror(f->stance.rest_t[i], node->t);
    quat_mirror(f->stance.rest_q[i], node->q);
    memcpy(node->s, f->stance.rest_s[i], sizeof node->s);
    quat_mirror(f->stance.tpose_q[i], parts->tpose_q[i]);
    parts->source_node[i] = s->nodes[i].source_index;
  }
  vec_mirror(f->stance.tpose_hips_t, parts->tpose_hips_t);
  return SINEW_OK;
}

/* A file whose up axis is not y is written with y up: its roots are turned, and the body faces as it did. */
static void turn_up(const figure *f, description_parts *parts, double align[4]) {
  const skeleton *s = f->file->skeleton;
  double up[4], inverse[4];
  if (!stance_up(&f->stance, s, up)) return;
  for (uint32_t i = 0; i < s->node_count; i++) {
    rig_node *node = &parts->nodes[i];
    if (node->parent >= 0) continue;
    quat_rotate(up, node->t, node->t);
    quat_mul(up, node->q, node->q);
    quat_mul(up, parts->tpose_q[i], parts->tpose_q[i]);
    if ((int32_t)i == f->map.node_of_bone[HUMAN_HIPS])
      quat_rotate(up, parts->tpose_hips_t, parts->tpose_hips_t);
  }
  quat_conj(up, inverse);
  quat_mul(align, inverse, align);
  quat_normalise(align);
}

static void add_warnings(rig_description *d, const char *const *warnings, uint32_t count) {
  for (uint32_t i = 0; i < count && d->warning_count < RIG_WARNING_LIMIT; i++)
    d->warnings[d->warning_count++] = warnings[i];
}

/* ---- ranges of muscles ----------------------------------------------------------------------------------
 */

/* A bone's axes that are not said keep their defaults. */
static void set_limits(const map_ranges *ranges, rig_limit limit[HUMAN_BONE_COUNT]) {
  for (int muscle = 0; muscle < SINEW_MUSCLE_COUNT; muscle++) {
    const human_muscle_entry *entry = &human_muscles[muscle];
    const bool said = ranges->has_range[muscle];
    const double least = said ? ranges->min_deg[muscle] : entry->min_deg;
    const double most = said ? ranges->max_deg[muscle] : entry->max_deg;
    limit[entry->bone].min_deg[entry->axis] = least;
    limit[entry->bone].max_deg[entry->axis] = most;
    limit[entry->bone].modified |= least != entry->min_deg || most != entry->max_deg;
  }
}

static void set_ranges(const map_ranges *ranges, rig_description *d) {
  double *const shares[MAP_TWIST_COUNT] = {&d->arm_twist, &d->fore_arm_twist, &d->upper_leg_twist,
                                           &d->leg_twist};
  set_limits(ranges, d->limit);
  for (int twist = 0; twist < MAP_TWIST_COUNT; twist++)
    if (ranges->has_twist[twist]) *shares[twist] = ranges->twist[twist];
}

/* A range of a bone that is not there is a mistake, or the map of another rig. */
static void tell_idle_ranges(const map_ranges *ranges, sinew_rig *rig) {
  for (int muscle = 0; muscle < SINEW_MUSCLE_COUNT; muscle++) {
    const human_muscle_entry *entry = &human_muscles[muscle];
    if (ranges->has_range[muscle] && rig->node_of_bone[entry->bone] < 0)
      rig_warn(rig, "the map's ranges.%s moves nothing: there is no %s", entry->attribute,
               human_bones[entry->bone].name);
  }
}

/* ---- the rig ------------------------------------------------------------------------------------------ */

/* What is told of each bone, and does not matter to a bake. */
static sinew_result tell(const figure *f, sinew_rig *rig, sinew_error *error) {
  rig->unit_inferred = f->stance.unit_inferred;
  tell_idle_ranges(&f->ranges, rig);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    const char *reason = f->map.reason[b];
    if (rig->node_of_bone[b] < 0) continue;
    rig->stance_turn_deg[b] = f->stance.turn_deg[b];
    if (!reason) continue;
    rig->reason[b] = arena_text(&rig->memory, reason, strlen(reason));
    SINEW_CHECK(rig->reason[b], error, SINEW_ERROR_MEMORY, "out of memory");
  }
  return SINEW_OK;
}

static sinew_result compile(const figure *f, arena *memory, sinew_rig **rig, sinew_error *error) {
  const skeleton *s = f->file->skeleton;
  description_parts parts;
  SINEW_TRY(describe_nodes(f, memory, &parts, error));
  rig_description d = {.name = s->name,
                       .kind = s->kind,
                       .nodes = parts.nodes,
                       .node_count = s->node_count,
                       .arm_twist = figure_usual_twist,
                       .fore_arm_twist = figure_usual_twist,
                       .upper_leg_twist = figure_usual_twist,
                       .leg_twist = figure_usual_twist,
                       .arm_stretch = usual_stretch,
                       .leg_stretch = usual_stretch,
                       .tpose_q = (const double(*)[4])parts.tpose_q,
                       .tpose_hips_t = parts.tpose_hips_t,
                       .source_node = parts.source_node};
  memcpy(d.node_of_bone, f->map.node_of_bone, sizeof d.node_of_bone);
  quat_mirror(f->stance.align_q, d.align_q);
  turn_up(f, &parts, d.align_q);
  set_ranges(&f->ranges, &d);
  add_warnings(&d, s->warnings, s->warning_count);
  add_warnings(&d, f->map.warnings, f->map.warning_count);
  add_warnings(&d, f->stance.warnings, f->stance.warning_count);
  SINEW_TRY(rig_compile(&d, f->stance.unit_m, rig, error));
  const sinew_result result = tell(f, *rig, error);
  if (result == SINEW_OK) return SINEW_OK;
  sinew_rig_close(*rig);
  *rig = NULL;
  return result;
}

sinew_result figure_rig(const figure *f, sinew_rig **rig, sinew_error *error) {
  arena memory = {0};
  *rig = NULL;
  const sinew_result result = compile(f, &memory, rig, error);
  arena_release(&memory);
  return result;
}
