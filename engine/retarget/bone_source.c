#include "retarget/bone_source.h"
#include "base/error.h"
#include "rig/quat.h"

#include <string.h>

enum { MOST_JOINTS = 32767 }; /* they number their parents in 16 bits */

static sinew_result out_of_memory(sinew_error *error) {
  return error_set(error, SINEW_ERROR_MEMORY, "out of memory for a clip's bones");
}

static void set_floats(float *to, const double *from, int count) {
  for (int c = 0; c < count; c++) to[c] = (float)from[c];
}

/* What a bone that does not move has. */
static void set_resting(const sinew_rig *avatar, int bone, bone_turn *turn) {
  double q[4];
  quat_mul(avatar->between[bone], avatar->nodes[avatar->node_of_bone[bone]].q, q);
  quat_normalise(q);
  set_floats(turn->fixed, q, 4);
}

/* ---- a clip's skeleton ----------------------------------------------------------------------------------
 */

typedef struct source_work {
  const bone_body *body;
  const sinew_rig *avatar;
  const muscle_rig *muscles;
  bone_source *out;
  arena scratch;
  int32_t *track_of_node; /* -1: not followed */
  double *scale;          /* [node] of the nodes above it */
  sinew_error *error;
} source_work;

static int32_t parent_of(const source_work *w, int32_t node) {
  return w->body->skeleton->nodes[node].parent;
}

static double scale_of(const source_work *w, uint32_t node) {
  const double *s = w->body->rest_s ? w->body->rest_s[node] : w->body->skeleton->nodes[node].s;
  return (s[0] + s[1] + s[2]) / 3;
}

static sinew_result follow_bones(source_work *w) {
  const uint32_t count = w->body->skeleton->node_count;
  bone_source *out = w->out;
  w->track_of_node = arena_alloc(&w->scratch, count, sizeof *w->track_of_node);
  w->scale = arena_alloc(&w->scratch, count, sizeof *w->scale);
  if (!w->track_of_node || !w->scale) return out_of_memory(w->error);
  for (uint32_t i = 0; i < count; i++) w->track_of_node[i] = -1;
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    for (int32_t n = w->body->node_of_bone[bone]; n >= 0 && w->track_of_node[n] < 0; n = parent_of(w, n))
      w->track_of_node[n] = 0;
  for (uint32_t i = 0; i < count; i++) out->follow_count += w->track_of_node[i] >= 0;
  SINEW_CHECK(out->follow_count < MOST_JOINTS, w->error, SINEW_ERROR_LIMIT,
              "human bones hang from %u nodes, at most %d can be followed", out->follow_count, MOST_JOINTS);
  out->follow = arena_alloc(&out->memory, out->follow_count, sizeof *out->follow);
  out->follow_scale = arena_alloc(&out->memory, out->follow_count, sizeof *out->follow_scale);
  if (!out->follow || !out->follow_scale) return out_of_memory(w->error);
  uint32_t track = 0;
  for (uint32_t i = 0; i < count; i++) {
    const int32_t parent = parent_of(w, (int32_t)i);
    w->scale[i] = parent < 0 ? 1 : w->scale[parent] * scale_of(w, (uint32_t)parent);
    if (w->track_of_node[i] < 0) continue;
    w->track_of_node[i] = (int32_t)track;
    out->follow[track] = i;
    out->follow_scale[track++] = w->scale[i];
  }
  return SINEW_OK;
}

static sinew_fk_joint joint_of(const source_work *w, uint32_t node, int32_t parent) {
  const bone_body *body = w->body;
  const double *t = body->rest_t ? body->rest_t[node] : body->skeleton->nodes[node].t;
  sinew_fk_joint joint = {.parent = (int16_t)parent, .slot = (uint16_t)w->track_of_node[node]};
  for (int c = 0; c < 3; c++)
    joint.offset[c] = (float)(t[c] * body->unit_m * w->scale[node] * (c == 0 ? -1 : 1));
  return joint;
}

static bool is_on_way(const source_work *w, uint32_t node) {
  for (int32_t n = w->body->node_of_bone[HUMAN_HIPS]; n >= 0; n = parent_of(w, n))
    if ((uint32_t)n == node) return true;
  return false;
}

/* Root space's frame, then the nodes down to the hips. */
static sinew_result set_above(source_work *w) {
  bone_source *out = w->out;
  sinew_fk_joint *joints = arena_alloc(&out->memory, (size_t)out->follow_count + 1, sizeof *joints);
  if (!joints) return out_of_memory(w->error);
  set_floats(out->align_q, w->body->align_q, 4);
  joints[0] = (sinew_fk_joint){.parent = -1, .slot = (uint16_t)out->follow_count};
  uint32_t count = 1;
  for (uint32_t i = 0; i < out->follow_count; i++)
    if (is_on_way(w, out->follow[i])) {
      joints[count] = joint_of(w, out->follow[i], (int32_t)count - 1);
      count++;
    }
  out->above = (sinew_fk_rig){count, joints};
  return SINEW_OK;
}

static sinew_result set_below(source_work *w, int32_t *joint_of_node) {
  bone_source *out = w->out;
  const uint32_t hips = (uint32_t)w->body->node_of_bone[HUMAN_HIPS];
  sinew_fk_joint *joints = arena_alloc(&out->memory, out->follow_count, sizeof *joints);
  if (!joints) return out_of_memory(w->error);
  for (uint32_t i = 0; i < w->body->skeleton->node_count; i++) joint_of_node[i] = -1;
  joints[0] = (sinew_fk_joint){.parent = -1, .slot = (uint16_t)(out->follow_count + 1)};
  joint_of_node[hips] = 0;
  uint32_t count = 1;
  for (uint32_t i = 0; i < out->follow_count; i++) {
    const uint32_t node = out->follow[i];
    const int32_t parent = parent_of(w, (int32_t)node);
    if (node == hips || parent < 0 || joint_of_node[parent] < 0) continue;
    joints[count] = joint_of(w, node, joint_of_node[parent]);
    joint_of_node[node] = (int32_t)count++;
  }
  out->below = (sinew_fk_rig){count, joints};
  return SINEW_OK;
}

/* The nearest human bone above that the skeleton has too: what a turn is counted from. */
static int32_t node_above(const source_work *w, int bone) {
  const int parent = w->avatar->parent_bone[bone];
  return parent < 0 ? -1 : w->body->node_of_bone[parent];
}

/* Nodes from below `stop` down to `node`, as a chain of its own. Returns its last joint. */
static int32_t add_chain(source_work *w, sinew_fk_joint *joints, uint32_t *count, int32_t node,
                         int32_t stop) {
  const int32_t parent = parent_of(w, node);
  const int32_t above = parent == stop || parent < 0 ? -1 : add_chain(w, joints, count, parent, stop);
  joints[*count] = (sinew_fk_joint){.parent = (int16_t)above, .slot = (uint16_t)w->track_of_node[node]};
  return (int32_t)(*count)++;
}

static uint32_t chain_length(const source_work *w, int32_t node, int32_t stop) {
  uint32_t length = 0;
  for (; node >= 0 && node != stop; node = parent_of(w, node)) length++;
  return length;
}

static sinew_result set_turns(source_work *w, const int32_t *joint_of_node) {
  bone_source *out = w->out;
  const muscle_rig *muscles = w->muscles;
  uint32_t room = 0;
  for (uint32_t slot = 1; slot < muscles->bone_count; slot++) {
    const int bone = muscles->bone_of_slot[slot];
    const int32_t node = w->body->node_of_bone[bone];
    if (node >= 0) room += chain_length(w, node, node_above(w, bone));
  }
  sinew_fk_joint *joints = arena_alloc(&out->memory, room, sizeof *joints);
  out->turns = arena_alloc(&out->memory, muscles->bone_count, sizeof *out->turns);
  if (!joints || !out->turns) return out_of_memory(w->error);
  uint32_t count = 0;
  out->joint_of_slot[0] = 0;
  for (uint32_t slot = 1; slot < muscles->bone_count; slot++) {
    const int bone = muscles->bone_of_slot[slot];
    const int32_t node = w->body->node_of_bone[bone], stop = node_above(w, bone);
    bone_turn *turn = &out->turns[out->turn_count++];
    *turn = (bone_turn){.slot = (uint8_t)slot, .track = -1, .joint = -1};
    out->joint_of_slot[slot] = node < 0 ? -1 : joint_of_node[node];
    if (node < 0)
      set_resting(w->avatar, bone, turn);
    else if (chain_length(w, node, stop) == 1)
      turn->track = w->track_of_node[node];
    else
      turn->joint = add_chain(w, joints, &count, node, stop);
  }
  out->chains = (sinew_fk_rig){count, joints};
  return SINEW_OK;
}

static sinew_result build_of_clip(source_work *w) {
  SINEW_TRY(follow_bones(w));
  int32_t *joint_of_node = arena_alloc(&w->scratch, w->body->skeleton->node_count, sizeof *joint_of_node);
  if (!joint_of_node) return out_of_memory(w->error);
  SINEW_TRY(set_above(w));
  SINEW_TRY(set_below(w, joint_of_node));
  return set_turns(w, joint_of_node);
}

sinew_result bone_source_of_clip(const bone_body *body, const sinew_rig *avatar, const muscle_rig *muscles,
                                 bone_source *out, sinew_error *error) {
  *out = (bone_source){0};
  source_work w = {.body = body, .avatar = avatar, .muscles = muscles, .out = out, .error = error};
  const sinew_result result = build_of_clip(&w);
  arena_release(&w.scratch);
  if (result != SINEW_OK) bone_source_release(out);
  return result;
}

void bone_source_set_place(bone_source *source, uint32_t track, uint16_t place) {
  const sinew_fk_rig *rigs[] = {&source->above, &source->below};
  for (int i = 0; i < 2; i++) {
    sinew_fk_joint *joints = (sinew_fk_joint *)rigs[i]->joints;
    for (uint32_t j = 1; j < rigs[i]->joint_count; j++)
      if (joints[j].slot == track) joints[j].place = place;
  }
}

/* ---- what delta gives -----------------------------------------------------------------------------------
 */

static int32_t slot_of_node(const delta_rig *delta, int32_t node) {
  for (uint32_t slot = 0; slot < delta->slot_count; slot++)
    if (delta->slot_node[slot] == (uint32_t)node) return (int32_t)slot;
  return -1;
}

static int32_t add_slots(const delta_rig *delta, sinew_fk_joint *joints, uint32_t *count, int32_t slot,
                         int32_t stop) {
  const sinew_fk_joint *own = &delta->fk.joints[slot];
  const int32_t above = own->parent == stop ? -1 : add_slots(delta, joints, count, own->parent, stop);
  joints[*count] = *own;
  joints[*count].parent = (int16_t)above;
  return (int32_t)(*count)++;
}

sinew_result bone_source_of_delta(const delta_rig *delta, const sinew_rig *avatar, const muscle_rig *muscles,
                                  bone_source *out, sinew_error *error) {
  *out = (bone_source){.below = delta->fk};
  /* no slot stands in two chains */
  sinew_fk_joint *joints = arena_alloc(&out->memory, delta->slot_count, sizeof *joints);
  out->turns = arena_alloc(&out->memory, muscles->bone_count, sizeof *out->turns);
  if (!joints || !out->turns) {
    bone_source_release(out);
    return out_of_memory(error);
  }
  uint32_t count = 0;
  for (uint32_t slot = 1; slot < muscles->bone_count; slot++) {
    const int bone = muscles->bone_of_slot[slot];
    const int32_t own = slot_of_node(delta, avatar->node_of_bone[bone]),
                  above = slot_of_node(delta, avatar->node_of_bone[avatar->parent_bone[bone]]);
    bone_turn *turn = &out->turns[out->turn_count++];
    *turn = (bone_turn){.slot = (uint8_t)slot, .track = -1, .joint = -1};
    out->joint_of_slot[slot] = own;
    const sinew_fk_joint *joint = &delta->fk.joints[own];
    if (joint->parent == above && !joint->has_between)
      turn->track = own;
    else
      turn->joint = add_slots(delta, joints, &count, own, above);
  }
  out->chains = (sinew_fk_rig){count, joints};
  return SINEW_OK;
}

void bone_source_release(bone_source *source) {
  arena_release(&source->memory);
  *source = (bone_source){0};
}
