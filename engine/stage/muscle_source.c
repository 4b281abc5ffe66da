#include "stage/muscle_source.h"
#include "base/error.h"
#include "motion/motion_reach.h"
#include "retarget/skeleton_match.h"
#include "rig/quat.h"
#include "stage/bone_block.h"
#include "stance/figure.h"

#include <math.h>
#include <string.h>

static const double place_differs_share = 1e-3; /* of the body's height */
static const double moves_share = 1e-4;
static const double between_differs_deg = 0.1, between_turns_deg = 0.01;

static const int ends[4] = {HUMAN_LEFT_FOOT, HUMAN_RIGHT_FOOT, HUMAN_LEFT_HAND, HUMAN_RIGHT_HAND};

/* ---- the avatar -----------------------------------------------------------------------------------------
 */

bool muscle_source_is_own(const sinew_clip *clip, const sinew_rig *rig) {
  int32_t nodes[HUMAN_BONE_COUNT];
  return clip->body && skeleton_match(clip->body->skeleton, rig, nodes, NULL) == SKELETON_SAME;
}

/* How a clip's skeleton stands on its avatar. */
typedef struct worn_avatar {
  bone_body body;
  int32_t node_of_bone[HUMAN_BONE_COUNT];
} worn_avatar;

/* Its file's frame: an avatar given apart shares it, but for a BVH's up axis. */
static sinew_result wear_given(const sinew_clip *clip, const sinew_rig *rig, const char *kind,
                               muscle_source *source, worn_avatar *worn, sinew_error *error) {
  const clip_body *body = clip->body;
  sinew_error why;
  const skeleton_likeness likeness = skeleton_match(body->skeleton, rig, worn->node_of_bone, &why);
  if (likeness == SKELETON_OTHER)
    return error_set(error, SINEW_ERROR_RIG, "the clip's skeleton is not its rig's: it %s", why.message);
  worn->body.unit_m = skeleton_match_unit(body->skeleton, rig, worn->node_of_bone, body->unit_m);
  memcpy(worn->body.align_q, rig->align_q, sizeof worn->body.align_q);
  double up[4];
  if (body->stance && stance_up(body->stance, body->skeleton, up))
    quat_mul(rig->align_q, up, worn->body.align_q);
  source->avatar = rig;
  source->avatar_kind = kind;
  return SINEW_OK;
}

static sinew_result wear_figure(const sinew_clip *clip, muscle_source *source, worn_avatar *worn,
                                sinew_error *error) {
  const clip_body *body = clip->body;
  if (!body->figure) return error_set(error, SINEW_ERROR_RIG, "%s", body->why.message);
  SINEW_TRY(figure_rig(body->figure, &source->made, error));
  source->avatar = source->made;
  source->avatar_kind = "figure";
  memcpy(worn->node_of_bone, body->map->node_of_bone, sizeof worn->node_of_bone);
  worn->body.rest_t = (const double(*)[3])body->stance->rest_t;
  worn->body.rest_q = (const double(*)[4])body->stance->rest_q;
  worn->body.rest_s = (const double(*)[3])body->stance->rest_s;
  worn->body.unit_m = body->stance->unit_m;
  quat_mirror(body->stance->align_q, worn->body.align_q);
  return SINEW_OK;
}

static sinew_result choose_avatar(const sinew_clip *clip, const avatar_choice *choice, muscle_source *source,
                                  worn_avatar *worn, sinew_error *error) {
  worn->body = (bone_body){.skeleton = clip->body->skeleton, .node_of_bone = worn->node_of_bone};
  if (choice->clip_rig) return wear_given(clip, choice->clip_rig, "clip rig", source, worn, error);
  if (choice->rig && muscle_source_is_own(clip, choice->rig))
    return wear_given(clip, choice->rig, "rig", source, worn, error);
  return wear_figure(clip, source, worn, error);
}

/* ---- what the two differ in -----------------------------------------------------------------------------
 */

static double angle_deg(const double a[4], const double b[4]) {
  double undo[4], turn[4];
  quat_conj(a, undo);
  quat_mul(undo, b, turn);
  const double s = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
  return 2 * atan2(s, fabs(turn[3])) * 180 / M_PI;
}

static int32_t track_of(const bone_source *bones, int32_t node) {
  for (uint32_t i = 0; i < bones->follow_count; i++)
    if ((int32_t)bones->follow[i] == node) return (int32_t)i;
  return -1;
}

static bool node_moves(const muscle_source *source, const motion *from, int32_t track) {
  const double least_m = moves_share * source->avatar->height_m;
  const double unit_m = source->motion.unit_m * source->bones.follow_scale[track];
  return motion_reach(from, source->bones.follow[track], false) * unit_m > least_m;
}

/* Where a node stands in its parent, scales folded in: the motion's value where that is one, else its rest.
 */
static void place_in_parent(const muscle_source *source, const bone_body *body, int32_t node, double t[3]) {
  const motion_plan *sampled = &source->motion;
  const int32_t track = track_of(&source->bones, node);
  const double *rest = body->rest_t ? body->rest_t[node] : body->skeleton->nodes[node].t;
  for (int c = 0; c < 3; c++) t[c] = rest[c] * body->unit_m * (c == 0 ? -1 : 1);
  for (uint32_t place = 0; place < sampled->place_count; place++)
    if ((int32_t)sampled->place_slot[place] == track && !sampled->is_scale[place] && !sampled->moves[place])
      for (int c = 0; c < 3; c++) t[c] = (double)sampled->fixed_t[place][c];
  for (int c = 0; c < 3; c++) t[c] *= source->bones.follow_scale[track];
}

/* Of a bone that hangs right from its human parent in both. */
static bool place_differs(const muscle_source *source, const worn_avatar *worn, int bone) {
  const sinew_rig *avatar = source->avatar;
  double t[3];
  if (avatar->between_count[bone]) return false;
  place_in_parent(source, &worn->body, worn->node_of_bone[bone], t);
  for (int c = 0; c < 3; c++) t[c] -= avatar->offset[bone][c];
  return sqrt(vec_dot(t, t)) > place_differs_share * avatar->height_m;
}

/* The nodes between a bone and its human parent: whether one turns, and what they are together where none
 * does. */
static bool between_turns(const muscle_source *source, const motion *from, const worn_avatar *worn, int bone,
                          double q[4]) {
  const skeleton *s = worn->body.skeleton;
  const int32_t stop = worn->node_of_bone[source->avatar->parent_bone[bone]];
  bool turns = false;
  memcpy(q, (double[4]){0, 0, 0, 1}, 4 * sizeof *q);
  for (int32_t n = s->nodes[worn->node_of_bone[bone]].parent; n >= 0 && n != stop; n = s->nodes[n].parent) {
    const int32_t track = track_of(&source->bones, n);
    turns = turns || motion_reach(from, (uint32_t)n, true) > between_turns_deg;
    double own[4];
    for (int c = 0; c < 4; c++) own[c] = (double)source->motion.fixed_q[track][c];
    quat_mul(own, q, q);
  }
  return turns;
}

static void compare(muscle_source *source, const motion *from, const worn_avatar *worn) {
  avatar_differences *d = &source->differences;
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    const uint64_t bit = UINT64_C(1) << bone;
    if (source->avatar->node_of_bone[bone] < 0) continue;
    if (source->avatar->custom_limits[bone]) d->custom_ranges |= bit;
    if (bone == HUMAN_HIPS || !worn || worn->node_of_bone[bone] < 0) continue;
    double q[4];
    if (node_moves(source, from, track_of(&source->bones, worn->node_of_bone[bone])))
      d->moves |= bit;
    else if (place_differs(source, worn, bone))
      d->place_differs |= bit;
    if (between_turns(source, from, worn, bone, q))
      d->between_turns |= bit;
    else if (angle_deg(q, source->avatar->between[bone]) > between_differs_deg)
      d->between_differs |= bit;
  }
}

/* ---- building -------------------------------------------------------------------------------------------
 */

static sinew_result set_places(muscle_source *source, sinew_error *error) {
  const motion_plan *sampled = &source->motion;
  source->place_scale = arena_alloc(&source->memory, sampled->place_count, sizeof *source->place_scale);
  SINEW_CHECK(source->place_scale, error, SINEW_ERROR_MEMORY, "out of memory for %u translations",
              sampled->place_count);
  for (uint32_t place = 0; place < sampled->place_count; place++) {
    const uint32_t track = sampled->place_slot[place];
    source->place_scale[place] = (float)source->bones.follow_scale[track];
    if (!sampled->is_scale[place]) bone_source_set_place(&source->bones, track, (uint16_t)(place + 1));
  }
  return SINEW_OK;
}

static sinew_result build_constants(muscle_source *source, inverse_limbs limbs, sinew_error *error) {
  SINEW_TRY(muscle_rig_build(source->avatar, &source->constants, error));
  return inverse_rig_build(source->avatar, &source->constants, limbs, &source->inverse, error);
}

static sinew_result build_of_clip(const bake_plan *plan, const avatar_choice *choice, muscle_source *source,
                                  sinew_error *error) {
  worn_avatar worn;
  SINEW_TRY(choose_avatar(plan->clip, choice, source, &worn, error));
  SINEW_TRY(build_constants(source, choice->limbs, error));
  SINEW_TRY(bone_source_of_clip(&worn.body, source->avatar, &source->constants, &source->bones, error));
  if (choice->offsets)
    offsets_rig_build(source->avatar, &source->constants, source->bones.joint_of_slot, &source->offsets);
  SINEW_TRY(motion_plan_build(plan->kernels, worn.body.skeleton, worn.body.rest_t, worn.body.rest_q,
                              plan->clip->motion, source->bones.follow, source->bones.follow_count,
                              worn.body.unit_m, plan->rate_hz, &source->motion, error));
  SINEW_TRY(set_places(source, error));
  compare(source, plan->clip->motion, &worn);
  return SINEW_OK;
}

sinew_result muscle_source_of_clip(const bake_plan *plan, const avatar_choice *choice, muscle_source *source,
                                   sinew_error *error) {
  *source = (muscle_source){0};
  const sinew_result result = build_of_clip(plan, choice, source, error);
  if (result != SINEW_OK) muscle_source_release(source);
  return result;
}

sinew_result muscle_source_of_delta(const bake_plan *plan, inverse_limbs limbs, muscle_source *source,
                                    sinew_error *error) {
  *source = (muscle_source){.avatar = plan->rig, .avatar_kind = "rig", .of_delta = true};
  sinew_result result = build_constants(source, limbs, error);
  if (result == SINEW_OK)
    result = bone_source_of_delta(&plan->bones.delta, plan->rig, &source->constants, &source->bones, error);
  if (result == SINEW_OK) compare(source, NULL, NULL);
  if (result != SINEW_OK) muscle_source_release(source);
  return result;
}

void muscle_source_release(muscle_source *source) {
  motion_plan_release(&source->motion);
  bone_source_release(&source->bones);
  inverse_rig_release(&source->inverse);
  muscle_rig_release(&source->constants);
  if (source->made) sinew_rig_close(source->made);
  arena_release(&source->memory);
  *source = (muscle_source){0};
}

/* ---- blocks ---------------------------------------------------------------------------------------------
 */

typedef struct source_scratch {
  float *motion;
  float *local;  /* [followed + 2][4][64]; of delta none */
  float *places; /* [places][3][64] */
  float *scaled;
  float *above, *below, *chains; /* [joints][7][64] */
  float *turns;                  /* [bones][4][64] */
  float *identity;               /* [4][64] */
  float *held_local;             /* [bones][4][64] what the muscles hold */
  float *held, *held_body;       /* [joints][7][64] */
  float *com, *frame;            /* [3][64], [4][64] */
  float *ends;                   /* [4][7][64] */
  float *angles;                 /* [64] */
  float *offsets;                /* [offsets][3][64] */
  size_t float_count;
} source_scratch;

static float *take(float *base, size_t *used, size_t planes) {
  float *at = base ? base + *used : NULL;
  *used += planes * SINEW_BLOCK;
  return at;
}

/* base NULL: for the size alone. */
static source_scratch lay_out(const muscle_source *source, float *base) {
  const bone_source *bones = &source->bones;
  const motion_plan *sampled = &source->motion;
  const size_t bone_count = source->constants.bone_count, followed = (size_t)bones->follow_count + 2;
  size_t used = 0;
  source_scratch at;
  at.motion = take(base, &used, source->of_delta ? 0 : motion_scratch_floats(sampled) / SINEW_BLOCK + 1);
  at.local = take(base, &used, source->of_delta ? 0 : followed * 4);
  at.places = take(base, &used, (size_t)sampled->place_count * 3);
  at.scaled = take(base, &used, (size_t)sampled->place_count * 3);
  at.above = take(base, &used, (size_t)bones->above.joint_count * SINEW_MODEL_PLANES);
  at.below = take(base, &used, (size_t)bones->below.joint_count * SINEW_MODEL_PLANES);
  at.chains = take(base, &used, (size_t)bones->chains.joint_count * SINEW_MODEL_PLANES);
  at.turns = take(base, &used, bone_count * 4);
  at.identity = take(base, &used, 4);
  at.held_local = take(base, &used, bone_count * 4);
  at.held = take(base, &used, (size_t)source->constants.fk.joint_count * SINEW_MODEL_PLANES);
  at.held_body = take(base, &used, (size_t)source->constants.fk_body.joint_count * SINEW_MODEL_PLANES);
  at.com = take(base, &used, 3);
  at.frame = take(base, &used, 4);
  at.ends = take(base, &used, (size_t)4 * SINEW_MODEL_PLANES);
  at.angles = take(base, &used, 1);
  at.offsets = take(base, &used, (size_t)source->offsets.count * 3);
  at.float_count = used;
  return at;
}

size_t muscle_source_floats(const muscle_source *source) {
  return lay_out(source, NULL).float_count;
}

const float *muscle_source_offsets(const muscle_source *source, float *scratch) {
  return lay_out(source, scratch).offsets;
}

static void fill(float *quat, const float q[4]) {
  for (uint32_t i = 0; i < 4 * SINEW_BLOCK; i++) quat[i] = q[i / SINEW_BLOCK];
}

void muscle_source_begin(const muscle_source *source, float *scratch, float *planes) {
  static const float identity[4] = {0, 0, 0, 1};
  const source_scratch at = lay_out(source, scratch);
  const bone_source *bones = &source->bones;
  memset(planes, 0, (size_t)SINEW_PLANE_COUNT * SINEW_BLOCK * sizeof *planes);
  fill(at.identity, identity);
  fill(at.turns, identity); /* the hips', which is not read */
  for (uint32_t i = 0; i < bones->turn_count; i++)
    fill(at.turns + (size_t)bones->turns[i].slot * 4 * SINEW_BLOCK, bones->turns[i].fixed);
  if (source->of_delta) return;
  motion_block_begin(&source->motion, at.local, at.places);
  fill(at.local + (size_t)bones->follow_count * 4 * SINEW_BLOCK, bones->align_q);
  fill(at.local + ((size_t)bones->follow_count + 1) * 4 * SINEW_BLOCK, identity);
}

static void gather_turns(const muscle_source *source, const source_scratch *at, const float *local) {
  const size_t quat = (size_t)4 * SINEW_BLOCK;
  for (uint32_t i = 0; i < source->bones.turn_count; i++) {
    const bone_turn *turn = &source->bones.turns[i];
    const float *from = turn->track >= 0 ? local + (size_t)turn->track * quat
                        : turn->joint >= 0
                            ? at->chains + ((size_t)turn->joint * SINEW_MODEL_PLANES + 3) * SINEW_BLOCK
                            : NULL;
    if (from) memcpy(at->turns + turn->slot * quat, from, quat * sizeof *from);
  }
}

static void gather_ends(const muscle_source *source, const source_scratch *at) {
  const size_t joint_floats = (size_t)SINEW_MODEL_PLANES * SINEW_BLOCK;
  for (int i = 0; i < 4; i++) {
    const int32_t joint = source->bones.joint_of_slot[source->constants.slot_of_bone[ends[i]]];
    memcpy(at->ends + (size_t)i * joint_floats, at->below + (size_t)joint * joint_floats,
           joint_floats * sizeof(float));
  }
}

/* Seen from the hips: there the two differ by what muscles cannot hold, and by nothing else. */
static void measure_loss(const muscle_source *source, const sinew_kernels *k, const source_scratch *at,
                         uint64_t first_frame, uint32_t frames, pose_findings *found) {
  const size_t joint_floats = (size_t)SINEW_MODEL_PLANES * SINEW_BLOCK, turn = (size_t)3 * SINEW_BLOCK;
  k->fk(&source->constants.fk, at->held_local, NULL, NULL, at->held);
  for (uint32_t slot = 1; slot < source->constants.bone_count; slot++) {
    const int32_t joint = source->bones.joint_of_slot[slot];
    if (joint < 0 || source->constants.fk.joints[slot].rotation_unused) continue;
    k->apart(at->below + (size_t)joint * joint_floats + turn, 0, at->held + slot * joint_floats + turn, 0, 1,
             at->angles);
    turn_loss_add(&found->loss, source->constants.bone_of_slot[slot], at->angles, first_frame, frames);
  }
}

/* Turns and ends are there: muscles, what they hold, root and goals. */
static void fill_planes(const muscle_source *source, const sinew_kernels *k, const source_scratch *at,
                        const float *hips_t, const float *hips_q, float *planes) {
  const muscle_rig *c = &source->constants;
  k->inverse(&source->inverse.inverse, at->turns, planes);
  k->muscle(&c->muscle, planes, at->held_local);
  k->fk(&c->fk_body, at->held_local, NULL, NULL, at->held_body);
  k->body(&c->body, at->held_body, at->com, at->frame);
  k->root(&c->body, at->com, at->frame, hips_t, hips_q, planes + (size_t)SINEW_PLANE_ROOT_T * SINEW_BLOCK);
  k->goals(&source->inverse.goals, at->ends, at->com, at->frame,
           planes + (size_t)SINEW_PLANE_GOAL * SINEW_BLOCK);
}

static sinew_result load_clip(const muscle_source *source, const sinew_kernels *k, uint64_t block,
                              const source_scratch *at, sinew_error *error) {
  const bone_source *bones = &source->bones;
  motion_block_load(&source->motion, block, at->motion, at->local, at->places);
  SINEW_TRY(bone_check_places(&source->motion, at->places, block, error));
  for (size_t place = 0; place < source->motion.place_count; place++)
    for (size_t i = place * 3 * SINEW_BLOCK; i < (place + 1) * 3 * SINEW_BLOCK; i++)
      at->scaled[i] = at->places[i] * source->place_scale[place];
  k->fk_moved(&bones->above, at->local, at->scaled, at->above);
  k->fk_moved(&bones->below, at->local, at->scaled, at->below);
  k->fk_moved(&bones->chains, at->local, NULL, at->chains);
  gather_turns(source, at, at->local);
  return SINEW_OK;
}

sinew_result muscle_source_block(const muscle_source *source, const sinew_kernels *k, uint64_t block,
                                 uint32_t frames, const pose_block *pose, float *scratch, float *planes,
                                 pose_findings *found, sinew_error *error) {
  const source_scratch at = lay_out(source, scratch);
  const bone_source *bones = &source->bones;
  const float *hips_t, *hips_q;
  if (source->of_delta) {
    k->fk(&bones->below, pose->local, NULL, at.identity, at.below);
    k->fk_moved(&bones->chains, pose->local, NULL, at.chains);
    gather_turns(source, &at, pose->local);
    hips_t = pose->hips_t, hips_q = pose->hips_q;
  } else {
    SINEW_TRY(load_clip(source, k, block, &at, error));
    hips_t = at.above + ((size_t)bones->above.joint_count - 1) * SINEW_MODEL_PLANES * SINEW_BLOCK;
    hips_q = hips_t + (size_t)3 * SINEW_BLOCK;
  }
  gather_ends(source, &at);
  fill_planes(source, k, &at, hips_t, hips_q, planes);
  offsets_block(&source->offsets, at.below, at.offsets);
  if (found) measure_loss(source, k, &at, block * SINEW_BLOCK, frames, found);
  return SINEW_OK;
}
