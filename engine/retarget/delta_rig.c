#include "retarget/delta_rig.h"

#include "base/error.h"
#include "retarget/body_chains.h"
#include "rig/quat.h"

#include <math.h>
#include <string.h>

typedef struct delta_work {
  const delta_source *from;
  const sinew_rig *rig;
  delta_rig *out;
  arena scratch;
  sinew_error *error;
  /* the source in T-pose: body frame, mirrored to Unity's, metres */
  double (*source_t)[3], (*source_q)[4], *source_scale;
  int32_t *source_parent;
  int32_t *joint_of_node;
  body_chains source_chains;
  /* the target in T-pose: its root space */
  double (*target_t)[3], (*target_q)[4], *target_scale;
  int32_t *target_parent;
  int32_t *slot_of_node;
  body_chains target_chains;
} delta_work;

static sinew_result out_of_memory(const delta_work *w) {
  return error_set(w->error, SINEW_ERROR_MEMORY, "out of memory for retargeting");
}

static void *take(delta_work *w, size_t count, size_t size) {
  return arena_alloc(&w->scratch, count, size);
}

/* ---- bodies in T-pose -----------------------------------------------------------------------------------
 */

/* Scales are one factor for all axes as far as a body goes; of another the mean is taken. */
static double scale_of(const double s[3]) {
  return (s[0] + s[1] + s[2]) / 3;
}

typedef struct tree_pose {
  const int32_t *parent;
  double (*t)[3], (*q)[4], *scale; /* scale: the product above a node and its own */
} tree_pose;

static void hang(const tree_pose *pose, uint32_t node, const double t[3], const double q[4], double scale,
                 const double root_q[4]) {
  const int32_t parent = pose->parent[node];
  const double *above_q = parent >= 0 ? pose->q[parent] : root_q;
  const double above_scale = parent >= 0 ? pose->scale[parent] : 1;
  double moved[3] = {t[0] * above_scale, t[1] * above_scale, t[2] * above_scale};
  quat_rotate(above_q, moved, moved);
  for (int c = 0; c < 3; c++) pose->t[node][c] = moved[c] + (parent >= 0 ? pose->t[parent][c] : 0);
  quat_mul(above_q, q, pose->q[node]);
  quat_normalise(pose->q[node]);
  pose->scale[node] = above_scale * scale;
}

static sinew_result pose_source(delta_work *w) {
  const skeleton *s = w->from->skeleton;
  const stance *posture = w->from->stance;
  w->source_t = take(w, s->node_count, sizeof *w->source_t);
  w->source_q = take(w, s->node_count, sizeof *w->source_q);
  w->source_scale = take(w, s->node_count, sizeof *w->source_scale);
  w->source_parent = take(w, s->node_count, sizeof *w->source_parent);
  if (!w->source_t || !w->source_q || !w->source_scale || !w->source_parent) return out_of_memory(w);
  double align[4];
  quat_mirror(posture->align_q, align);
  const tree_pose pose = {w->source_parent, w->source_t, w->source_q, w->source_scale};
  for (uint32_t i = 0; i < s->node_count; i++) {
    const double *t = posture->rest_t[i], *tpose = posture->tpose_q[i];
    const double moved[3] = {-t[0] * posture->unit_m, t[1] * posture->unit_m, t[2] * posture->unit_m};
    double q[4];
    quat_mirror(tpose, q);
    w->source_parent[i] = s->nodes[i].parent;
    hang(&pose, i, moved, q, scale_of(posture->rest_s[i]), align);
  }
  return SINEW_OK;
}

static int bone_of(const sinew_rig *rig, uint32_t node) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    if (rig->node_of_bone[bone] == (int32_t)node) return bone;
  return -1;
}

static sinew_result pose_target(delta_work *w) {
  const sinew_rig *rig = w->rig;
  w->target_t = take(w, rig->node_count, sizeof *w->target_t);
  w->target_q = take(w, rig->node_count, sizeof *w->target_q);
  w->target_scale = take(w, rig->node_count, sizeof *w->target_scale);
  w->target_parent = take(w, rig->node_count, sizeof *w->target_parent);
  w->slot_of_node = take(w, rig->node_count, sizeof *w->slot_of_node);
  if (!w->target_t || !w->target_q || !w->target_scale || !w->target_parent || !w->slot_of_node)
    return out_of_memory(w);
  const tree_pose pose = {w->target_parent, w->target_t, w->target_q, w->target_scale};
  for (uint32_t i = 0; i < rig->node_count; i++) {
    const int bone = bone_of(rig, i);
    const double *q = bone >= 0 ? rig->rest_q[bone] : rig->nodes[i].q;
    w->target_parent[i] = rig->nodes[i].parent;
    w->slot_of_node[i] = -1;
    hang(&pose, i, rig->nodes[i].t, q, scale_of(rig->nodes[i].s), rig->align_q);
  }
  return SINEW_OK;
}

static double lowest_sole(double (*t)[3], const int32_t *node_of_bone) {
  static const int soles[] = {HUMAN_LEFT_FOOT, HUMAN_RIGHT_FOOT, HUMAN_LEFT_TOES, HUMAN_RIGHT_TOES};
  double lowest = INFINITY;
  for (size_t i = 0; i < sizeof soles / sizeof soles[0]; i++)
    if (node_of_bone[soles[i]] >= 0) lowest = fmin(lowest, t[node_of_bone[soles[i]]][1]);
  return lowest;
}

/* Hips to the lowest foot or toe. */
static double reach_of(double (*t)[3], const int32_t *node_of_bone) {
  return t[node_of_bone[HUMAN_HIPS]][1] - lowest_sole(t, node_of_bone);
}

/* What the rig's nodes rest on, by the rule of a stance's ground: 0 where it is near. */
static sinew_result find_ground(delta_work *w, double reach, double *ground) {
  const sinew_rig *rig = w->rig;
  double(*t)[3] = take(w, rig->node_count, sizeof *t), (*q)[4] = take(w, rig->node_count, sizeof *q);
  double *scale = take(w, rig->node_count, sizeof *scale);
  if (!t || !q || !scale) return out_of_memory(w);
  const tree_pose pose = {w->target_parent, t, q, scale};
  for (uint32_t i = 0; i < rig->node_count; i++)
    hang(&pose, i, rig->nodes[i].t, rig->nodes[i].q, scale_of(rig->nodes[i].s), rig->align_q);
  const double lowest = lowest_sole(t, rig->node_of_bone);
  *ground = fabs(lowest) <= stance_ground_share * reach ? 0 : lowest;
  return SINEW_OK;
}

static sinew_result find_chains(delta_work *w) {
  const skeleton *s = w->from->skeleton;
  const body_tree source = {s->node_count, w->source_parent, (const double(*)[3])w->source_t,
                            w->from->node_of_bone};
  const body_tree target = {w->rig->node_count, w->target_parent, (const double(*)[3])w->target_t,
                            w->rig->node_of_bone};
  return body_chains_find(&source, &w->source_chains) && body_chains_find(&target, &w->target_chains)
             ? SINEW_OK
             : out_of_memory(w);
}

/* ---- the source's joints ---------------------------------------------------------------------------------
 */

enum { MOST_JOINTS = 32767 }; /* they number their parents in 16 bits */

/* Everything that a bone or a station hangs from. */
static void mark_above(delta_work *w, int32_t node) {
  for (; node >= 0 && w->joint_of_node[node] < 0; node = w->source_parent[node]) w->joint_of_node[node] = 0;
}

static sinew_result choose_followed(delta_work *w) {
  const skeleton *s = w->from->skeleton;
  delta_rig *out = w->out;
  w->joint_of_node = take(w, s->node_count, sizeof *w->joint_of_node);
  if (!w->joint_of_node) return out_of_memory(w);
  for (uint32_t i = 0; i < s->node_count; i++) w->joint_of_node[i] = -1;
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) mark_above(w, w->from->node_of_bone[bone]);
  for (int chain = 0; chain < CHAIN_COUNT; chain++)
    for (uint32_t i = 0; i < w->source_chains.chain[chain].station_count; i++)
      mark_above(w, (int32_t)w->source_chains.chain[chain].stations[i].node);
  for (uint32_t i = 0; i < s->node_count; i++) out->follow_count += w->joint_of_node[i] >= 0;
  SINEW_CHECK(out->follow_count < MOST_JOINTS, w->error, SINEW_ERROR_LIMIT,
              "%u nodes are to be followed, at most %d can be", out->follow_count, MOST_JOINTS - 1);
  out->follow = arena_alloc(&out->memory, out->follow_count, sizeof *out->follow);
  out->follow_scale = arena_alloc(&out->memory, out->follow_count, sizeof *out->follow_scale);
  out->joints = arena_alloc(&out->memory, (size_t)out->follow_count + 1, sizeof *out->joints);
  if (!out->follow || !out->follow_scale || !out->joints) return out_of_memory(w);
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->node_count; i++) {
    if (w->joint_of_node[i] < 0) continue;
    out->follow[count++] = i;
    w->joint_of_node[i] = (int32_t)count;
  }
  return SINEW_OK;
}

static void set_source_joints(delta_work *w) {
  const stance *posture = w->from->stance;
  delta_rig *out = w->out;
  double align[4];
  quat_mirror(posture->align_q, align);
  for (int c = 0; c < 4; c++) out->align_q[c] = (float)align[c];
  out->joints[0] = (sinew_fk_joint){.parent = -1, .slot = (uint16_t)out->follow_count};
  for (uint32_t i = 0; i < out->follow_count; i++) {
    const uint32_t node = out->follow[i];
    const int32_t parent = w->source_parent[node];
    const double scale = parent >= 0 ? w->source_scale[parent] : 1;
    sinew_fk_joint *joint = &out->joints[i + 1];
    out->follow_scale[i] = scale;
    *joint = (sinew_fk_joint){.parent = (int16_t)(parent >= 0 ? w->joint_of_node[parent] : 0),
                              .slot = (uint16_t)i};
    for (int c = 0; c < 3; c++)
      joint->offset[c] = (float)(posture->rest_t[node][c] * posture->unit_m * scale * (c == 0 ? -1 : 1));
  }
  out->source = (sinew_fk_rig){out->follow_count + 1, out->joints};
}

/* ---- the target's slots ----------------------------------------------------------------------------------
 */

/* A slot on its way: what of the source it follows. */
typedef struct followed {
  int32_t node[2]; /* -1: nothing */
  double share;
} followed;

/* A place on a chain of the source where its turn is known. */
typedef struct chain_knot {
  int32_t node;
  double share;
} chain_knot;

static followed between_knots(chain_knot before, chain_knot behind, double share) {
  if (share >= behind.share - 1e-9) return (followed){{behind.node, behind.node}, 0};
  if (share <= before.share + 1e-9) return (followed){{before.node, before.node}, 0};
  return (followed){{before.node, behind.node}, (share - before.share) / (behind.share - before.share)};
}

/* The node whose turn is that of a station: of the last one to turn, the end of the chain, so that what turns
 * behind it is not lost. */
static int32_t turn_of(const body_chain *chain, uint32_t station, bool to_its_end) {
  const bool is_end = to_its_end && chain->to < 0 && station + 1 == chain->turning;
  return (int32_t)chain->stations[is_end ? chain->station_count - 1 : station].node;
}

/* By shares alone. */
static followed find_share(const body_chain *source, double share, bool to_its_end) {
  chain_knot before = {source->from, 0};
  for (uint32_t i = 0; i < source->turning; i++) {
    const chain_knot own = {turn_of(source, i, to_its_end), source->stations[i].share};
    if (share <= own.share + 1e-9) return between_knots(before, own, share);
    before = own;
  }
  if (source->to < 0) return (followed){{before.node, before.node}, 0};
  return between_knots(before, (chain_knot){source->to, 1}, share);
}

static const chain_station *station_of_bone(const body_chain *chain, int bone) {
  for (uint32_t i = 0; i < chain->turning; i++)
    if (chain->stations[i].bone == bone) return &chain->stations[i];
  return NULL;
}

/* Both have the same bones: those stand for each other, and a station between two of them follows what is
 * between the two. */
static followed find_between_bones(const body_chain *source, const body_chain *target, uint32_t station) {
  chain_knot before = {source->from, 0}, behind = {source->to, 1};
  double own_before = 0, own_behind = 1;
  for (uint32_t i = 0; i < target->turning; i++) {
    const chain_station *own = &target->stations[i];
    const chain_station *other = own->bone < 0 ? NULL : station_of_bone(source, own->bone);
    if (!other) continue;
    const chain_knot knot = {(int32_t)other->node, other->share};
    if (i == station) return (followed){{knot.node, knot.node}, 0};
    if (i < station) before = knot, own_before = own->share;
    if (i > station) {
      behind = knot, own_behind = own->share;
      break;
    }
  }
  const double way = (target->stations[station].share - own_before) / (own_behind - own_before);
  if (behind.node < 0) return find_share(source, target->stations[station].share, false);
  return find_share(source, before.share + way * (behind.share - before.share), false);
}

static bool has_chain(const body_chain *chain) {
  return chain->station_count > 0 || chain->to > 0;
}

/* Where a node of the target is a station: the chain's number, or -1. */
static int find_station(const delta_work *w, uint32_t node, uint32_t *station) {
  for (int chain = 0; chain < CHAIN_COUNT; chain++)
    for (uint32_t i = 0; i < w->target_chains.chain[chain].turning; i++)
      if (w->target_chains.chain[chain].stations[i].node == node) {
        *station = i;
        return chain;
      }
  return -1;
}

static followed follow_node(const delta_work *w, uint32_t node) {
  const int bone = bone_of(w->rig, node);
  const int32_t *bones = w->from->node_of_bone;
  if (bone == HUMAN_HIPS || bone == HUMAN_HEAD) return (followed){{bones[bone], bones[bone]}, 0};
  uint32_t station;
  const int number = find_station(w, node, &station);
  if (number < 0) return (followed){{-1, -1}, 0};
  const body_chain *source = &w->source_chains.chain[number], *target = &w->target_chains.chain[number];
  if (!has_chain(source)) return (followed){{-1, -1}, 0};
  const bool is_limb = number != CHAIN_TRUNK && number != CHAIN_NECK;
  if (!is_limb && chain_has_bones_of(source, target)) return find_between_bones(source, target, station);
  return find_share(source, target->stations[station].share, source->station_count != target->station_count);
}

/* The node's place and the turn of what stands between, as the slot above sees them. */
static void walk_between(const delta_work *w, uint32_t node, int32_t stop, double between[4],
                         double offset[3]) {
  const sinew_rig *rig = w->rig;
  double q[4] = {0, 0, 0, 1}, v[3];
  memcpy(v, rig->nodes[node].t, sizeof v);
  for (int32_t n = rig->nodes[node].parent; n >= 0 && n != stop; n = rig->nodes[n].parent) {
    const double scale = scale_of(rig->nodes[n].s);
    for (int c = 0; c < 3; c++) v[c] *= scale;
    quat_rotate(rig->nodes[n].q, v, v);
    for (int c = 0; c < 3; c++) v[c] += rig->nodes[n].t[c];
    quat_mul(rig->nodes[n].q, q, q);
  }
  quat_normalise(q);
  for (int c = 0; c < 3; c++) offset[c] = v[c] * (stop >= 0 ? w->target_scale[stop] : 1);
  memcpy(between, q, sizeof q);
}

static void set_floats(float *to, const double *from, int count) {
  for (int c = 0; c < count; c++) to[c] = (float)from[c];
}

static void set_slot(const delta_work *w, uint32_t slot, sinew_delta_slot *out, sinew_fk_joint *joint) {
  const uint32_t node = w->out->slot_node[slot];
  int32_t above = w->target_parent[node];
  while (above >= 0 && w->slot_of_node[above] < 0) above = w->target_parent[above];
  double between[4], offset[3];
  walk_between(w, node, above, between, offset);
  const bool is_hips = slot == 0;
  const followed way = follow_node(w, node);
  *out =
      (sinew_delta_slot){.parent = (int16_t)(is_hips ? -1 : w->slot_of_node[above]),
                         .share = (float)way.share,
                         .has_between = !is_hips && (between[0] != 0 || between[1] != 0 || between[2] != 0)};
  for (int side = 0; side < 2; side++) {
    double undo[4] = {0, 0, 0, 1};
    out->joint[side] = (int16_t)(way.node[side] < 0 ? -1 : w->joint_of_node[way.node[side]]);
    if (way.node[side] >= 0) quat_conj(w->source_q[way.node[side]], undo);
    set_floats(out->undo[side], undo, 4);
  }
  set_floats(out->stance, w->target_q[node], 4);
  set_floats(out->between, is_hips ? (const double[4]){0, 0, 0, 1} : between, 4);
  set_floats(out->rest, w->rig->nodes[node].q, 4);
  *joint = (sinew_fk_joint){.parent = out->parent, .slot = (uint16_t)slot, .has_between = out->has_between};
  memcpy(joint->between, out->between, sizeof joint->between);
  if (!is_hips) set_floats(joint->offset, offset, 3);
}

static sinew_result choose_slots(delta_work *w) {
  const sinew_rig *rig = w->rig;
  delta_rig *out = w->out;
  uint32_t station;
  out->slot_node = arena_alloc(&out->memory, rig->node_count, sizeof *out->slot_node);
  if (!out->slot_node) return out_of_memory(w);
  for (uint32_t node = 0; node < rig->node_count; node++) {
    if (bone_of(rig, node) < 0 && find_station(w, node, &station) < 0) continue;
    w->slot_of_node[node] = (int32_t)out->slot_count;
    out->slot_node[out->slot_count++] = node;
  }
  return SINEW_OK;
}

static sinew_result set_slots(delta_work *w) {
  delta_rig *out = w->out;
  sinew_delta_slot *slots = arena_alloc(&out->memory, out->slot_count, sizeof *slots);
  sinew_fk_joint *joints = arena_alloc(&out->memory, out->slot_count, sizeof *joints);
  if (!slots || !joints) return out_of_memory(w);
  for (uint32_t slot = 0; slot < out->slot_count; slot++) set_slot(w, slot, &slots[slot], &joints[slot]);
  out->delta.slot_count = out->slot_count;
  out->delta.slots = slots;
  out->fk = (sinew_fk_rig){out->slot_count, joints};
  return SINEW_OK;
}

/* The hips go as far as the legs are long: over the ground, and along it. */
static sinew_result set_hips(delta_work *w, bool in_place) {
  const sinew_rig *rig = w->rig;
  delta_rig *out = w->out;
  sinew_delta_rig *delta = &out->delta;
  const double source = reach_of(w->source_t, w->from->node_of_bone),
               target = reach_of(w->target_t, rig->node_of_bone);
  SINEW_CHECK(
      source > 0 && target > 0, w->error, SINEW_ERROR_RIG,
      "in T-pose the hips stand %g m above the feet of the clip's body, %g m above the rig's: expected "
      "more than 0",
      source, target);
  double ground = 0;
  SINEW_TRY(find_ground(w, target, &ground));
  out->ratio = target / source;
  delta->hips_joint = (uint16_t)w->joint_of_node[w->from->node_of_bone[HUMAN_HIPS]];
  delta->ratio = (float)out->ratio;
  delta->in_place = in_place;
  delta->source_origin[1] = (float)w->from->stance->ground_m;
  delta->target_origin[1] = (float)ground;
  set_floats(delta->above_q, rig->above_q, 4);
  set_floats(delta->above_t, rig->above_t, 3);
  delta->inv_above_scale = (float)(1 / rig->above_scale);
  delta->has_above = rig->above_scale != 1 || rig->above_q[0] != 0 || rig->above_q[1] != 0 ||
                     rig->above_q[2] != 0 || rig->above_t[0] != 0 || rig->above_t[1] != 0 ||
                     rig->above_t[2] != 0;
  return SINEW_OK;
}

static sinew_result build(delta_work *w, bool in_place) {
  SINEW_TRY(pose_source(w));
  SINEW_TRY(pose_target(w));
  SINEW_TRY(find_chains(w));
  SINEW_TRY(choose_followed(w));
  set_source_joints(w);
  SINEW_TRY(choose_slots(w));
  SINEW_TRY(set_slots(w));
  return set_hips(w, in_place);
}

sinew_result delta_rig_build(const delta_source *source, const sinew_rig *target, bool in_place,
                             delta_rig *out, sinew_error *error) {
  *out = (delta_rig){0};
  delta_work w = {.from = source, .rig = target, .out = out, .error = error};
  const sinew_result result = build(&w, in_place);
  body_chains_release(&w.source_chains);
  body_chains_release(&w.target_chains);
  arena_release(&w.scratch);
  if (result != SINEW_OK) delta_rig_release(out);
  return result;
}

void delta_rig_release(delta_rig *d) {
  arena_release(&d->memory);
  *d = (delta_rig){0};
}
