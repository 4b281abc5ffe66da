#include "segment_match.h"
#include "map/map.h"
#include "stage/pose_block.h"
#include "stance/pose_at.h"

#include "rig/quat.h"

#include <criterion/criterion.h>
#include <string.h>

enum { BLOCKS = 3, FRAME_STEP = 9 };

/* ---- the clip, plainly -------------------------------------------------------------------------------- */

typedef struct plain_body {
  double (*place)[3]; /* per node, body frame, file's unit */
  double (*turn)[4];
} plain_body;

static plain_body plain_body_at(const sinew_clip *clip, double time_s, uint64_t frame, arena *memory) {
  const skeleton *s = clip->body->skeleton;
  const motion *m = clip->motion;
  local_pose pose;
  plain_body body = {arena_alloc(memory, s->node_count, sizeof *body.place),
                     arena_alloc(memory, s->node_count, sizeof *body.turn)};
  double(*matrix)[3][4] = arena_alloc(memory, s->node_count, sizeof *matrix);
  cr_assert(local_pose_alloc(s, memory, &pose) && body.place && body.turn && matrix);
  if (m->frame_count)
    local_pose_row(s, m, frame < m->frame_count ? frame : m->frame_count - 1, &pose);
  else if (m->track_count)
    local_pose_time(s, m, time_s, &pose);
  else
    local_pose_rest(s, &pose);
  global_pose(s, &pose, matrix, body.turn);
  const double *align = clip->body->stance->align_q;
  for (uint32_t i = 0; i < s->node_count; i++) {
    const double at[3] = {matrix[i][0][3], matrix[i][1][3], matrix[i][2][3]};
    quat_rotate(align, at, body.place[i]);
    quat_mul(align, body.turn[i], body.turn[i]);
  }
  return body;
}

static bool unit_direction(const double from[3], const double to[3], double out[3]) {
  for (int c = 0; c < 3; c++) out[c] = to[c] - from[c];
  return vec_normalise(out) > 0;
}

/* ---- the rig, as baked -------------------------------------------------------------------------------- */

static void joint_place(const float *model, int joint, uint32_t f, double out[3]) {
  const float *at = model + (size_t)joint * SINEW_MODEL_PLANES * SINEW_BLOCK + f;
  for (int c = 0; c < 3; c++) out[c] = (double)at[c * SINEW_BLOCK] * (c == 0 ? -1 : 1);
}
static void joint_turn(const float *model, int joint, uint32_t f, double out[4]) {
  const float *at = model + (size_t)joint * SINEW_MODEL_PLANES * SINEW_BLOCK + 3 * SINEW_BLOCK + f;
  for (int c = 0; c < 4; c++) out[c] = (double)at[c * SINEW_BLOCK] * (c == 1 || c == 2 ? -1 : 1);
}

static int joint_of_bone(const bake_plan *plan, int bone) {
  for (uint32_t j = 0; j < plan->output.fk.joint_count; j++)
    if (plan->rig->node_of_bone[bone] == (int32_t)plan->output.joint_node[j]) return (int)j;
  return -1;
}

typedef struct baked_block {
  arena memory;
  pose_scratch scratch;
  pose_block pose;
} baked_block;

static void bake_block(const bake_plan *plan, uint64_t block, baked_block *b) {
  sinew_error error = {0};
  cr_assert(pose_block_compute(plan, block, &b->scratch, &b->pose, &error) == SINEW_OK, "%s", error.message);
  /* in root space, whichever way the file faces */
  plan->kernels->fk(&plan->output.fk, b->pose.local, NULL, b->pose.hips_q, b->scratch.model);
}

/* ---- both ------------------------------------------------------------------------------------------------ */

typedef struct tally {
  double sum[2]; /* arms, legs */
  uint32_t count[2];
  double worst;
} tally;

static void add_segment(const bake_plan *plan, const float *model, uint32_t f, const plain_body *body, int bone,
                        tally *t) {
  const int32_t *source = plan->clip->body->map->node_of_bone;
  double a[3], b[3], own[3], wanted[3];
  joint_place(model, joint_of_bone(plan, bone), f, a);
  joint_place(model, joint_of_bone(plan, bone + 2), f, b); /* left and right alternate */
  if (!unit_direction(a, b, own)) return;
  if (!unit_direction(body->place[source[bone]], body->place[source[bone + 2]], wanted)) return;
  const int leg = bone < HUMAN_LEFT_UPPER_ARM;
  const double cosine = vec_dot(own, wanted);
  t->sum[leg] += cosine;
  t->count[leg]++;
  if (cosine < t->worst) t->worst = cosine;
}

static void each_frame(const bake_plan *plan,
                       void (*look)(const bake_plan *plan, const float *model, uint32_t f, double time_s,
                                    uint64_t frame, void *user),
                       void *user) {
  baked_block b = {0};
  cr_assert(pose_open(plan, &b.memory, &b.scratch, &b.pose));
  const uint64_t step = plan->block_count > BLOCKS ? plan->block_count / BLOCKS : 1;
  for (uint64_t block = 0; block < plan->block_count; block += step) {
    bake_block(plan, block, &b);
    for (uint32_t f = 0; f < pose_block_frames(plan, block); f += FRAME_STEP) {
      const uint64_t frame = block * SINEW_BLOCK + f;
      look(plan, b.scratch.model, f, clip_frame_time(plan->clip, plan->rate_hz, frame, plan->frame_count), frame,
           user);
    }
  }
  arena_release(&b.memory);
}

static void match_frame(const bake_plan *plan, const float *model, uint32_t f, double time_s, uint64_t frame,
                        void *user) {
  static const int bones[] = {HUMAN_LEFT_UPPER_ARM, HUMAN_RIGHT_UPPER_ARM, HUMAN_LEFT_LOWER_ARM,
                              HUMAN_RIGHT_LOWER_ARM, HUMAN_LEFT_UPPER_LEG, HUMAN_RIGHT_UPPER_LEG,
                              HUMAN_LEFT_LOWER_LEG,  HUMAN_RIGHT_LOWER_LEG};
  arena memory = {0};
  const plain_body body = plain_body_at(plan->clip, time_s, frame, &memory);
  for (size_t i = 0; i < sizeof bones / sizeof bones[0]; i++)
    add_segment(plan, model, f, &body, bones[i], user);
  arena_release(&memory);
}

segment_match segment_match_find(const bake_plan *plan) {
  tally t = {.worst = 1};
  each_frame(plan, match_frame, &t);
  cr_assert(t.count[0] && t.count[1]);
  return (segment_match){t.sum[0] / t.count[0], t.sum[1] / t.count[1], t.worst};
}

typedef struct turn_search {
  const sinew_clip *wanted;
  double miss_deg;
  int bone;
} turn_search;

static double angle_between_deg(const double a[4], const double b[4]) {
  double inverse[4], d[4];
  quat_conj(a, inverse);
  quat_mul(inverse, b, d);
  return 2 * atan2(sqrt(vec_dot(d, d)), fabs(d[3])) * 180 / M_PI;
}

static void compare_turns(const bake_plan *plan, const float *model, uint32_t f, double time_s, uint64_t frame,
                          void *user) {
  turn_search *search = user;
  arena memory = {0};
  const double wanted_s = time_s - plan->clip->start_s + search->wanted->start_s;
  const plain_body body = plain_body_at(search->wanted, wanted_s, frame, &memory);
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    const int joint = joint_of_bone(plan, bone);
    if (joint < 0) continue;
    double own[4];
    joint_turn(model, joint, f, own);
    const double miss = angle_between_deg(own, body.turn[search->wanted->body->map->node_of_bone[bone]]);
    if (miss > search->miss_deg) search->miss_deg = miss, search->bone = bone;
  }
  arena_release(&memory);
}

double rotation_miss_deg(const bake_plan *plan, const sinew_clip *wanted, int *bone) {
  turn_search search = {wanted, 0, 0};
  each_frame(plan, compare_turns, &search);
  *bone = search.bone;
  return search.miss_deg;
}
