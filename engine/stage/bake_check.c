#include "stage/bake_check.h"
#include "base/error.h"
#include "rig/quat.h"
#include "stage/pose_block.h"
#include "verify/verify.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { CHECK_BLOCKS = 8 };

/* 1e-5 of the body: far above what float32 rounding leaves (about 1e-6), far below any wrong axis. */
static const double tolerance_of_height = 1e-5;

typedef struct worst_joint {
  double distance_m;
  uint32_t node;
  uint64_t frame;
} worst_joint;

/* What one worker uses. */
typedef struct check_scratch {
  pose_scratch pose_scratch;
  pose_block pose;
  double *positions; /* [64][slots][3] of the file, glTF's frame */
} check_scratch;

typedef struct check_state {
  const bake_plan *plan;
  const verify_file *file;
  uint32_t thread_count;
  const sinew_allocator *allocator; /* of the workers */
  uint32_t nodes[HUMAN_BONE_COUNT]; /* per slot */
  check_scratch *scratch;
} check_state;

static void keep_worst(worst_joint *worst, double distance_m, uint32_t node, uint64_t frame) {
  /* a distance that is no number is the worst of all */
  if (isnan(distance_m)) distance_m = INFINITY;
  if (distance_m > worst->distance_m) *worst = (worst_joint){distance_m, node, frame};
}

static double distance_between(const double a[3], const double b[3]) {
  double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return sqrt(vec_dot(d, d));
}

static double beyond(double distance_m, double slack_m) {
  double excess = distance_m - slack_m;
  return excess > 0 || isnan(excess) ? excess : 0;
}

/* Joints are compared relative to the hips, and the hips by themselves less the rounding step of a float32
 * that far from the origin: a body a kilometre away is as right as one at the origin. */
static double hips_distance(const double file[3], const double own[3]) {
  double reach = fmax(fabs(own[0]), fmax(fabs(own[1]), fabs(own[2])));
  return beyond(distance_between(file, own), reach * 0x1p-22);
}

/* What float32 rotations along a chain leave of a joint farther from the hips than the body is tall: nothing
 * is forgiven within the body. */
static double far_slack(const check_state *state, const double own[3]) {
  double far_m = sqrt(vec_dot(own, own)) - state->plan->rig->height_m;
  return far_m > 0 ? far_m * 4e-6 : 0;
}

static void compare_frame(const check_state *state, const check_scratch *s, uint32_t f, uint64_t frame,
                          worst_joint *worst) {
  uint32_t slots = state->plan->constants.bone_count;
  const double *file = s->positions + (size_t)f * slots * 3;
  double hips[3];
  for (int c = 0; c < 3; c++) hips[c] = (double)s->pose.hips_t[c * SINEW_BLOCK + f] * (c == 0 ? -1 : 1);
  keep_worst(worst, hips_distance(file, hips), state->nodes[0], frame);
  for (uint32_t slot = 1; slot < slots; slot++) {
    const float *model = s->pose_scratch.model + (size_t)slot * SINEW_MODEL_PLANES * SINEW_BLOCK + f;
    double own[3] = {-(double)model[0], model[SINEW_BLOCK], model[2 * SINEW_BLOCK]};
    double relative[3];
    for (int c = 0; c < 3; c++) relative[c] = file[slot * 3 + c] - file[c];
    keep_worst(worst, beyond(distance_between(relative, own), far_slack(state, own)), state->nodes[slot],
               frame);
  }
}

/* Every node's position in root space by plain double arithmetic over the rig's own hierarchy, glTF's frame.
 */
static void own_node_positions(const bake_plan *plan, const pose_block *pose, uint32_t f,
                               double (*position)[3], double (*rotation)[4], double (*scale)[3]) {
  const sinew_rig *rig = plan->rig;
  for (uint32_t node = 0; node < rig->node_count; node++) {
    const rig_node *n = &rig->nodes[node];
    double t[3] = {n->t[0], n->t[1], n->t[2]}, q[4] = {n->q[0], n->q[1], n->q[2], n->q[3]};
    for (uint32_t slot = 0; slot < plan->constants.bone_count; slot++) {
      if ((uint32_t)rig->node_of_bone[plan->constants.bone_of_slot[slot]] != node) continue;
      for (int c = 0; c < 4; c++) q[c] = pose->local[(slot * 4 + (uint32_t)c) * SINEW_BLOCK + f];
      for (int c = 0; c < 3 && slot == 0; c++) t[c] = pose->node_t[c * SINEW_BLOCK + f];
    }
    if (n->parent < 0) {
      memcpy(position[node], t, sizeof t);
      memcpy(rotation[node], q, sizeof q);
      memcpy(scale[node], n->s, sizeof n->s);
      continue;
    }
    double moved[3];
    for (int c = 0; c < 3; c++) moved[c] = t[c] * scale[n->parent][c];
    quat_rotate(rotation[n->parent], moved, moved);
    for (int c = 0; c < 3; c++) position[node][c] = position[n->parent][c] + moved[c];
    quat_mul(rotation[n->parent], q, rotation[node]);
    for (int c = 0; c < 3; c++) scale[node][c] = scale[n->parent][c] * n->s[c];
  }
}

/* true where the product of the scales above a node is uniform, so that position and rotation alone place it.
 */
static bool scale_is_uniform(const double s[3]) {
  return fabs(s[1] - s[0]) <= 1e-6 * fabs(s[0]) && fabs(s[2] - s[0]) <= 1e-6 * fabs(s[0]);
}

static sinew_result check_all_nodes(const check_state *state, const check_scratch *s, uint64_t frame,
                                    arena *memory, worst_joint *worst, sinew_error *error) {
  const sinew_rig *rig = state->plan->rig;
  uint32_t count = rig->node_count, f = (uint32_t)(frame % SINEW_BLOCK);
  double(*own)[3] = arena_alloc(memory, count, sizeof *own);
  double(*rotation)[4] = arena_alloc(memory, count, sizeof *rotation);
  double(*scale)[3] = arena_alloc(memory, count, sizeof *scale);
  double(*file)[3] = arena_alloc(memory, count, sizeof *file);
  uint32_t *nodes = arena_alloc(memory, count, sizeof *nodes);
  SINEW_CHECK(own && rotation && scale && file && nodes, error, SINEW_ERROR_MEMORY,
              "out of memory for %u nodes", count);
  for (uint32_t node = 0; node < count; node++) nodes[node] = node;
  own_node_positions(state->plan, &s->pose, f, own, rotation, scale);
  uint64_t file_frame = frame < verify_frame_count(state->file) ? frame : 0;
  SINEW_TRY(verify_positions(state->file, nodes, count, file_frame, 1, &file[0][0], error));
  const double *hips = own[state->nodes[0]], *file_hips = file[state->nodes[0]];
  for (uint32_t node = 0; node < count; node++) {
    int32_t parent = rig->nodes[node].parent;
    if (parent >= 0 && !scale_is_uniform(scale[parent])) continue;
    double a[3], b[3];
    for (int c = 0; c < 3; c++) {
      a[c] = (own[node][c] - hips[c]) * (c == 0 ? -1 : 1);
      b[c] = file[node][c] - file_hips[c];
    }
    /* nodes above the hips do not move with them: seen from hips far away they carry the hips' rounding */
    double reach = fabs(hips[0]) + fabs(hips[1]) + fabs(hips[2]);
    keep_worst(worst, beyond(distance_between(a, b), reach * 0x1p-22 + far_slack(state, a)), node, frame);
  }
  return SINEW_OK;
}

/* A file of constant tracks alone has one frame, which stands for all. */
static sinew_result read_positions(const check_state *state, check_scratch *s, uint64_t block,
                                   uint32_t frames, sinew_error *error) {
  uint32_t slots = state->plan->constants.bone_count;
  size_t frame_values = (size_t)slots * 3;
  if (state->plan->constant_count < state->plan->track_count)
    return verify_positions(state->file, state->nodes, slots, block * SINEW_BLOCK, frames, s->positions,
                            error);
  SINEW_TRY(verify_positions(state->file, state->nodes, slots, 0, 1, s->positions, error));
  for (uint32_t f = 1; f < frames; f++)
    memcpy(s->positions + f * frame_values, s->positions, frame_values * sizeof *s->positions);
  return SINEW_OK;
}

static sinew_result check_block(const check_state *state, check_scratch *s, uint64_t block,
                                worst_joint *worst, sinew_error *error) {
  const bake_plan *plan = state->plan;
  uint32_t frames = pose_block_frames(plan, block);
  SINEW_TRY(pose_block_compute(plan, block, &s->pose_scratch, &s->pose, error));
  plan->kernels->fk(&plan->constants.fk, s->pose.local, NULL, s->pose.hips_q, s->pose_scratch.model);
  SINEW_TRY(read_positions(state, s, block, frames, error));
  for (uint32_t f = 0; f < frames; f++) compare_frame(state, s, f, block * SINEW_BLOCK + f, worst);
  uint64_t end = plan->frame_count - 1;
  if (block > 0 && block != end / SINEW_BLOCK) return SINEW_OK;
  arena memory = {0};
  sinew_result result = SINEW_OK;
  if (block == 0) result = check_all_nodes(state, s, 0, &memory, worst, error);
  if (result == SINEW_OK && block == end / SINEW_BLOCK)
    result = check_all_nodes(state, s, end, &memory, worst, error);
  arena_release(&memory);
  return result;
}

static sinew_result check_blocks(const check_state *state, worst_joint *worst, sinew_error *error) {
  const bake_plan *plan = state->plan;
  for (uint64_t first = 0; first < plan->block_count; first += CHECK_BLOCKS) {
    uint64_t left = plan->block_count - first;
    uint32_t count = left < CHECK_BLOCKS ? (uint32_t)left : CHECK_BLOCKS;
    worst_joint found[CHECK_BLOCKS] = {{0}};
    sinew_result results[CHECK_BLOCKS];
    sinew_error errors[CHECK_BLOCKS];
#pragma omp parallel for num_threads(state->thread_count) schedule(dynamic, 1) if (count > 1)
    for (uint32_t i = 0; i < count; i++) {
      HEAP_SCOPE(state->allocator);
      results[i] =
          check_block(state, &state->scratch[omp_get_thread_num()], first + i, &found[i], &errors[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
      if (results[i] != SINEW_OK) {
        if (error) *error = errors[i];
        return results[i];
      }
      keep_worst(worst, found[i].distance_m, found[i].node, found[i].frame);
    }
  }
  return SINEW_OK;
}

/* The file's clock: the same number of frames at the same times. */
static sinew_result check_clock(const bake_plan *plan, const verify_file *file, sinew_error *error) {
  bool sampled = plan->constant_count < plan->track_count;
  uint64_t expected = sampled ? plan->frame_count : 1, found = verify_frame_count(file);
  SINEW_CHECK(found == expected, error, SINEW_ERROR_VERIFY, "the file has %llu frames, expected %llu",
              (unsigned long long)found, (unsigned long long)expected);
  double end_s = verify_frame_time(file, found - 1);
  double own_s = sampled ? plan->clip->stop_s - plan->clip->start_s : 0;
  SINEW_CHECK(fabs(end_s - own_s) <= 1e-6 + own_s * 0x1p-22, error, SINEW_ERROR_VERIFY,
              "the file ends at %g s, expected %g s", end_s, own_s);
  return SINEW_OK;
}

static sinew_result check_with(check_state *state, arena *memory, worst_joint *worst, sinew_error *error) {
  const bake_plan *plan = state->plan;
  uint32_t slots = plan->constants.bone_count;
  for (uint32_t slot = 0; slot < slots; slot++)
    state->nodes[slot] = (uint32_t)plan->rig->node_of_bone[plan->constants.bone_of_slot[slot]];
  state->scratch = arena_alloc(memory, state->thread_count, sizeof *state->scratch);
  bool ok = state->scratch != NULL;
  for (uint32_t i = 0; ok && i < state->thread_count; i++) {
    check_scratch *s = &state->scratch[i];
    ok = pose_scratch_alloc(plan, memory, &s->pose_scratch) && pose_block_alloc(plan, memory, &s->pose);
    s->positions = arena_alloc(memory, (size_t)SINEW_BLOCK * slots * 3, sizeof *s->positions);
    ok = ok && s->positions;
  }
  SINEW_CHECK(ok, error, SINEW_ERROR_MEMORY, "out of memory for verifying");
  SINEW_TRY(check_clock(plan, state->file, error));
  return check_blocks(state, worst, error);
}

sinew_result bake_check(const sinew_context *context, const bake_plan *plan, int fd,
                        sinew_bake_report *report, sinew_error *error) {
  verify_file *file;
  SINEW_TRY(verify_open(fd, &file, error));
  check_state state = {
      .plan = plan, .file = file, .thread_count = context->thread_count, .allocator = &context->allocator};
  arena memory = {0};
  worst_joint worst = {0, (uint32_t)plan->rig->node_of_bone[HUMAN_HIPS], 0};
  sinew_result result = check_with(&state, &memory, &worst, error);
  arena_release(&memory);
  verify_close(file);
  if (result != SINEW_OK) return result;
  report->worst_joint_m = worst.distance_m;
  report->worst_joint_name = plan->rig->nodes[worst.node].name;
  report->worst_frame = worst.frame;
  char name[128];
  error_printable(report->worst_joint_name, strlen(report->worst_joint_name), name, sizeof name);
  double limit_m = tolerance_of_height * plan->rig->height_m;
  SINEW_CHECK(
      worst.distance_m <= limit_m, error, SINEW_ERROR_VERIFY,
      "verification failed: joint %s stands %.3g m from its computed place at frame %llu, at most %.3g m "
      "allowed: not published",
      name, worst.distance_m, (unsigned long long)worst.frame, limit_m);
  report->verified = true;
  return SINEW_OK;
}
