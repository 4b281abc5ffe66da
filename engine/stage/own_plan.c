/* A clip of bones on the skeleton it came with: nodes, rest and tracks as its file has them, in metres and
 * with y up. */
#include "base/error.h"
#include "rig/quat.h"
#include "stage/bone_block.h"

#include <math.h>
#include <string.h>

enum { MOST_NODES = 32767 }; /* joints number their parents in 16 bits */

typedef struct own_work {
  bake_plan *plan;
  const clip_body *body;
  rig_node *nodes;
  double unit_m;
  double up[4]; /* file to output, Unity's frame */
  sinew_error *error;
} own_work;

static sinew_result out_of_memory(const own_work *w) {
  return error_set(w->error, SINEW_ERROR_MEMORY, "out of memory for a skeleton of %u nodes",
                   w->body->skeleton->node_count);
}

/* ---- nodes ----------------------------------------------------------------------------------------------
 */

static void find_up(own_work *w) {
  const stance *posture = w->body->stance;
  memcpy(w->up, (double[4]){0, 0, 0, 1}, sizeof w->up);
  if (!posture || !stance_up(posture, w->body->skeleton, w->up)) return;
  w->plan->bones.turned_up = true;
  for (int c = 0; c < 4; c++) w->plan->bones.up[c] = (float)w->up[c];
}

static void set_node(const own_work *w, uint32_t index, rig_node *out) {
  const skeleton_node *node = &w->body->skeleton->nodes[index];
  const stance *posture = w->body->stance;
  const double *t = posture ? posture->rest_t[index] : node->t,
               *q = posture ? posture->rest_q[index] : node->q;
  *out = (rig_node){.name = node->name, .parent = node->parent};
  for (int c = 0; c < 3; c++) out->t[c] = t[c] * w->unit_m * (c == 0 ? -1 : 1);
  quat_mirror(q, out->q);
  memcpy(out->s, node->s, sizeof out->s);
  if (node->parent >= 0) return;
  quat_rotate(w->up, out->t, out->t);
  quat_mul(w->up, out->q, out->q);
}

static sinew_result list_nodes(own_work *w) {
  bake_plan *plan = w->plan;
  const skeleton *s = w->body->skeleton;
  SINEW_CHECK(s->node_count <= MOST_NODES, w->error, SINEW_ERROR_LIMIT,
              "the skeleton has %u nodes, at most %d can be written", s->node_count, MOST_NODES);
  w->nodes = arena_alloc(&plan->memory, s->node_count, sizeof *w->nodes);
  if (!w->nodes) return out_of_memory(w);
  for (uint32_t i = 0; i < s->node_count; i++) set_node(w, i, &w->nodes[i]);
  uint32_t *file_node = arena_alloc(&plan->memory, s->node_count, sizeof *file_node);
  if (!file_node) return out_of_memory(w);
  for (uint32_t i = 0; i < s->node_count; i++) file_node[i] = s->nodes[i].source_index;
  plan->output.file_node = file_node;
  plan->output.nodes = w->nodes;
  plan->output.node_count = s->node_count;
  return SINEW_OK;
}

/* ---- movement -------------------------------------------------------------------------------------------
 */

static sinew_result follow_all(own_work *w, double rate_hz) {
  bake_plan *plan = w->plan;
  const skeleton *s = w->body->skeleton;
  const stance *posture = w->body->stance;
  uint32_t *all = arena_alloc(&plan->memory, s->node_count, sizeof *all);
  if (!all) return out_of_memory(w);
  for (uint32_t i = 0; i < s->node_count; i++) all[i] = i;
  return motion_plan_build(plan->kernels, s, posture ? (const double(*)[3])posture->rest_t : NULL,
                           posture ? (const double(*)[4])posture->rest_q : NULL, plan->clip->motion, all,
                           s->node_count, w->unit_m, rate_hz, &plan->bones.motion, w->error);
}

static sinew_result list_roots(own_work *w) {
  bone_plan *bones = &w->plan->bones;
  const bake_output *output = &w->plan->output;
  for (uint32_t i = 0; i < output->node_count; i++) bones->root_count += output->nodes[i].parent < 0;
  bones->roots = arena_alloc(&w->plan->memory, bones->root_count, sizeof *bones->roots);
  if (!bones->roots) return out_of_memory(w);
  uint32_t count = 0;
  for (uint32_t i = 0; i < output->node_count; i++) {
    if (output->nodes[i].parent >= 0) continue;
    bone_root *root = &bones->roots[count++];
    *root = (bone_root){i, -1};
    for (uint32_t p = 0; p < bones->motion.place_count; p++)
      if (bones->motion.place_slot[p] == i && !bones->motion.is_scale[p]) root->place = (int32_t)p;
  }
  return SINEW_OK;
}

static bool is_root(const own_work *w, uint32_t node) {
  return w->nodes[node].parent < 0;
}

/* What never leaves the rest needs no track. Roots that are turned have the motion's value turned. */
static bool rotation_rests(const own_work *w, uint32_t slot) {
  const motion_plan *sampled = &w->plan->bones.motion;
  if (sampled->turns[slot]) return false;
  if (is_root(w, slot) && w->plan->bones.turned_up) return false;
  for (int c = 0; c < 4; c++)
    if (sampled->fixed_q[slot][c] != (float)w->nodes[slot].q[c]) return false;
  return true;
}
static bool place_rests(const own_work *w, uint32_t place) {
  const motion_plan *sampled = &w->plan->bones.motion;
  const uint32_t slot = sampled->place_slot[place];
  if (sampled->moves[place] || sampled->is_scale[place]) return false;
  if (is_root(w, slot) && w->plan->bones.turned_up) return false;
  for (int c = 0; c < 3; c++)
    if (sampled->fixed_t[place][c] != (float)w->nodes[slot].t[c]) return false;
  return true;
}

/* Translations, scales, then rotations. A file in which all rests still says how long it lasts: by its first
 * root. */
static sinew_result list_tracks(own_work *w) {
  bake_output *output = &w->plan->output;
  const motion_plan *sampled = &w->plan->bones.motion;
  output->slot_count = output->node_count;
  output->place_count = sampled->place_count;
  SINEW_TRY(bake_output_open(output, &w->plan->memory, w->error));
  for (uint32_t place = 0; place < sampled->place_count; place++)
    if (!place_rests(w, place))
      (sampled->is_scale[place] ? bake_output_scale : bake_output_move)(output, sampled->place_slot[place],
                                                                        place, !sampled->moves[place]);
  for (uint32_t slot = 0; slot < output->slot_count; slot++)
    if (!rotation_rests(w, slot)) bake_output_turn(output, slot, slot, !sampled->turns[slot]);
  if (output->track_count == 0) bake_output_turn(output, 0, 0, true);
  return SINEW_OK;
}

/* ---- what is verified -----------------------------------------------------------------------------------
 */

static const double most_uneven = 0.01;

/* How far apart the factors of a scale are, as a share. */
static double unevenness_of(const double s[3]) {
  const double off = fmax(fabs(s[1] - s[0]), fabs(s[2] - s[0])) / fabs(s[0]);
  return off <= 1e-6 ? 0 : off;
}

typedef struct joint_place {
  double scale;   /* of a node and all above it */
  double reach_m; /* the sum of the lengths down to it */
} joint_place;

/* The first root is joint 0, the origin; where the others stand is computed behind the places (bone_block.c).
 */
static void set_joint(const own_work *w, uint32_t node, int32_t parent, double scale, uint32_t root,
                      const uint16_t *place_of, sinew_fk_joint *joint) {
  const rig_node *from = &w->plan->output.nodes[node];
  *joint = (sinew_fk_joint){.parent = (int16_t)parent, .slot = (uint16_t)node};
  if (parent < 0) {
    if (root > 0) joint->place = (uint16_t)(w->plan->output.place_count + root);
    return;
  }
  for (int c = 0; c < 3; c++) joint->offset[c] = (float)(from->t[c] * scale);
  joint->place = place_of[node];
}

static sinew_result scale_places(const own_work *w, const joint_place *places, uint16_t *place_of) {
  bone_plan *bones = &w->plan->bones;
  bones->place_scale = arena_alloc(&w->plan->memory, bones->motion.place_count, sizeof *bones->place_scale);
  if (!bones->place_scale) return out_of_memory(w);
  for (uint32_t place = 0; place < bones->motion.place_count; place++) {
    const uint32_t node = bones->motion.place_slot[place];
    const int32_t parent = w->nodes[node].parent;
    bones->place_scale[place] = parent < 0 ? 1 : (float)places[parent].scale;
    if (!bones->motion.is_scale[place]) place_of[node] = (uint16_t)(place + 1);
  }
  return SINEW_OK;
}

static void set_scales(const own_work *w, joint_place *places) {
  for (uint32_t i = 0; i < w->plan->output.node_count; i++) {
    const int32_t parent = w->nodes[i].parent;
    places[i].scale = w->nodes[i].s[0] * (parent < 0 ? 1 : places[parent].scale);
  }
}

/* Whether what hangs below a node stands where turns put it. */
static bool carries_joints(const own_work *w, uint32_t node) {
  return w->plan->output.scale_of_node[node] < 0 &&
         unevenness_of(w->plan->output.nodes[node].s) <= most_uneven;
}

/* Every node but those below a node that is scaled over time, or otherwise along one axis than along another,
 * beyond what files round: those are written, and their places are no product of turns. */
static sinew_result list_joints(own_work *w) {
  bake_output *output = &w->plan->output;
  arena *memory = &w->plan->memory;
  sinew_fk_joint *joints = arena_alloc(memory, output->node_count, sizeof *joints);
  output->joint_node = arena_alloc(memory, output->node_count, sizeof *output->joint_node);
  joint_place *places = arena_alloc(memory, output->node_count, sizeof *places);
  int32_t *joint_of = arena_alloc(memory, output->node_count, sizeof *joint_of);
  uint16_t *place_of = arena_alloc(memory, output->node_count, sizeof *place_of);
  if (!joints || !output->joint_node || !places || !joint_of || !place_of) return out_of_memory(w);
  set_scales(w, places);
  SINEW_TRY(scale_places(w, places, place_of));
  uint32_t count = 0, roots = 0;
  double longest_m = 0;
  for (uint32_t i = 0; i < output->node_count; i++) {
    const rig_node *node = &output->nodes[i];
    joint_of[i] = -1;
    if (node->parent >= 0 && (joint_of[node->parent] < 0 || !carries_joints(w, (uint32_t)node->parent)))
      continue;
    if (node->parent >= 0)
      output->unevenness = fmax(output->unevenness, unevenness_of(output->nodes[node->parent].s));
    const int32_t parent = node->parent < 0 ? -1 : joint_of[node->parent];
    const double scale = node->parent < 0 ? 1 : places[node->parent].scale;
    const double length = parent < 0 ? 0 : sqrt(vec_dot(node->t, node->t)) * fabs(scale);
    set_joint(w, i, parent, scale, parent < 0 ? roots++ : 0, place_of, &joints[count]);
    places[i].reach_m = parent < 0 ? 0 : places[node->parent].reach_m + length;
    longest_m = fmax(longest_m, places[i].reach_m);
    output->joint_node[count] = i;
    joint_of[i] = (int32_t)count++;
  }
  output->fk = (sinew_fk_rig){count, joints};
  /* a little more than the longest way down, so that no joint is farther than that */
  output->height_m = longest_m > 0 ? longest_m * 1.01 : 1;
  return SINEW_OK;
}

sinew_result own_plan_build(bake_plan *plan, sinew_error *error) {
  const clip_body *body = plan->clip->body;
  own_work w = {.plan = plan, .body = body, .unit_m = body->unit_m, .error = error};
  find_up(&w);
  SINEW_TRY(list_nodes(&w));
  SINEW_TRY(follow_all(&w, plan->rate_hz));
  SINEW_TRY(list_roots(&w));
  SINEW_TRY(list_tracks(&w));
  SINEW_TRY(list_joints(&w));
  plan->bones.scratch_floats = bone_scratch_floats(plan);
  return SINEW_OK;
}
