#include "stage/bake_check.h"
#include "stage/bake_progress.h"
#include "base/error.h"
#include "rig/quat.h"
#include "stage/mesh_check.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { CHECK_BLOCKS = 8 };

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
  const sinew_bake_options *options; /* may be NULL */
  const verify_file *file;
  uint32_t thread_count;
  uint32_t nodes[HUMAN_BONE_COUNT]; /* per slot */
  check_scratch *scratch;
} check_state;

static void keep_worst(worst_joint *worst, double distance_m, uint32_t node, uint64_t frame) {
  /* a distance that is no number is the worst of all */
  if (isnan(distance_m)) distance_m = INFINITY;
  /* of equal distances the earliest frame's, whichever worker met it first */
  if (distance_m > worst->distance_m ||
      (distance_m == worst->distance_m && distance_m > 0 && frame < worst->frame))
    *worst = (worst_joint){distance_m, node, frame};
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
static double hips_distance(const bake_plan *plan, const double file[3], const double own[3]) {
  double reach = 0;
  /* the track holds the hips as their parent node sees them: that node's own place counts as well */
  for (int c = 0; c < 3; c++) reach = fmax(reach, fmax(fabs(own[c]), fabs(plan->rig->above_t[c])));
  return beyond(distance_between(file, own), reach * 0x1p-22);
}

/* What stored rotations along a chain leave of a joint farther from the hips than the body is tall: nothing
 * is forgiven within the body. */
static double far_slack(const check_state *state, const double own[3]) {
  double far_m = sqrt(vec_dot(own, own)) - state->plan->rig->height_m;
  return far_m > 0 ? far_m * bake_plan_bounds(state->plan).far_slack : 0;
}

static void compare_frame(const check_state *state, const check_scratch *s, uint32_t f, uint64_t frame,
                          worst_joint *worst) {
  uint32_t slots = state->plan->constants.bone_count;
  const double *file = s->positions + (size_t)f * slots * 3;
  double hips[3];
  for (int c = 0; c < 3; c++) hips[c] = (double)s->pose.hips_t[c * SINEW_BLOCK + f] * (c == 0 ? -1 : 1);
  keep_worst(worst, hips_distance(state->plan, file, hips), state->nodes[0], frame);
  for (uint32_t slot = 1; slot < slots; slot++) {
    const float *model = s->pose_scratch.model + (size_t)slot * SINEW_MODEL_PLANES * SINEW_BLOCK + f;
    double own[3] = {-(double)model[0], model[SINEW_BLOCK], model[2 * SINEW_BLOCK]};
    double relative[3];
    for (int c = 0; c < 3; c++) relative[c] = file[slot * 3 + c] - file[c];
    keep_worst(worst, beyond(distance_between(relative, own), far_slack(state, own)), state->nodes[slot],
               frame);
  }
}

/* A still file has two frames, or one, for all of the clip's. */
static uint64_t file_frame(const check_state *state, uint64_t frame) {
  uint64_t last = verify_frame_count(state->file) - 1;
  return frame < last ? frame : last;
}

static sinew_result check_all_nodes(const check_state *state, const check_scratch *s, uint64_t frame,
                                    arena *memory, worst_joint *worst, sinew_error *error) {
  const sinew_rig *rig = state->plan->rig;
  uint32_t count = rig->node_count, f = (uint32_t)(frame % SINEW_BLOCK);
  node_pose own;
  double(*file)[3] = arena_alloc(memory, count, sizeof *file);
  uint32_t *nodes = arena_alloc(memory, count, sizeof *nodes);
  SINEW_CHECK(node_pose_alloc(rig, memory, &own) && file && nodes, error, SINEW_ERROR_MEMORY,
              "out of memory for %u nodes", count);
  for (uint32_t node = 0; node < count; node++) nodes[node] = node;
  node_pose_at(state->plan, &s->pose, f, &own);
  SINEW_TRY(verify_positions(state->file, nodes, count, file_frame(state, frame), 1, &file[0][0], error));
  const double *hips = own.t[state->nodes[0]], *file_hips = file[state->nodes[0]];
  for (uint32_t node = 0; node < count; node++) {
    int32_t parent = rig->nodes[node].parent;
    if (parent >= 0 && !node_scale_is_uniform(own.s[parent])) continue;
    double a[3], b[3];
    for (int c = 0; c < 3; c++) {
      a[c] = (own.t[node][c] - hips[c]) * (c == 0 ? -1 : 1);
      b[c] = file[node][c] - file_hips[c];
    }
    /* nodes above the hips do not move with them: seen from hips far away they carry the hips' rounding */
    double reach = fabs(hips[0]) + fabs(hips[1]) + fabs(hips[2]);
    keep_worst(worst, beyond(distance_between(a, b), reach * 0x1p-22 + far_slack(state, a)), node, frame);
  }
  return SINEW_OK;
}

/* A still file's second frame stands for all later ones. */
static sinew_result read_positions(const check_state *state, check_scratch *s, uint64_t block,
                                   uint32_t frames, sinew_error *error) {
  uint32_t slots = state->plan->constants.bone_count;
  size_t frame_values = (size_t)slots * 3;
  if (state->plan->constant_count < state->plan->track_count)
    return verify_positions(state->file, state->nodes, slots, block * SINEW_BLOCK, frames, s->positions,
                            error);
  for (uint32_t f = 0; f < frames; f++) {
    uint64_t frame = file_frame(state, block * SINEW_BLOCK + f);
    if (f > 1)
      memcpy(s->positions + f * frame_values, s->positions + frame_values,
             frame_values * sizeof *s->positions);
    else
      SINEW_TRY(verify_positions(state->file, state->nodes, slots, frame, 1, s->positions + f * frame_values,
                                 error));
  }
  return SINEW_OK;
}

typedef struct worst_places {
  worst_joint joint;
  worst_corner corner;
} worst_places;

/* What takes too long for every frame: all nodes, and the mesh. */
static sinew_result check_whole(const check_state *state, const check_scratch *s, uint64_t frame,
                                worst_places *worst, sinew_error *error) {
  arena memory = {0};
  sinew_result result = check_all_nodes(state, s, frame, &memory, &worst->joint, error);
  arena_release(&memory);
  SINEW_TRY(result);
  return mesh_check(state->plan, state->file, &s->pose, (uint32_t)(frame % SINEW_BLOCK),
                    file_frame(state, frame), &worst->corner, error);
}

static sinew_result check_block(const check_state *state, check_scratch *s, uint64_t block,
                                worst_places *worst, sinew_error *error) {
  const bake_plan *plan = state->plan;
  uint32_t frames = pose_block_frames(plan, block);
  SINEW_TRY(pose_block_compute(plan, block, &s->pose_scratch, &s->pose, error));
  plan->kernels->fk(&plan->constants.fk, s->pose.local, NULL, s->pose.hips_q, s->pose_scratch.model);
  SINEW_TRY(read_positions(state, s, block, frames, error));
  for (uint32_t f = 0; f < frames; f++) compare_frame(state, s, f, block * SINEW_BLOCK + f, &worst->joint);
  uint64_t end = plan->frame_count - 1;
  if (block == 0) SINEW_TRY(check_whole(state, s, 0, worst, error));
  if (block == end / SINEW_BLOCK) SINEW_TRY(check_whole(state, s, end, worst, error));
  return SINEW_OK;
}

static void keep_worst_places(worst_places *worst, const worst_places *found) {
  keep_worst(&worst->joint, found->joint.distance_m, found->joint.node, found->joint.frame);
  if (found->corner.distance_m > worst->corner.distance_m) worst->corner = found->corner;
}

/* What the workers found so far: the worst places, and of failures the earliest block's. */
typedef struct findings {
  worst_places worst;
  uint64_t failed_block; /* UINT64_MAX: none */
  sinew_result result;
  sinew_error error;
} findings;

static void note_block(findings *all, uint64_t block, const worst_places *found, sinew_result result,
                       const sinew_error *error) {
#pragma omp critical(bake_check_findings)
  if (result == SINEW_OK) {
    keep_worst_places(&all->worst, found);
  } else if (block < all->failed_block) {
    all->failed_block = block;
    all->result = result;
    all->error = *error;
  }
}

static bool is_past_failure(findings *all, uint64_t block) {
  uint64_t failed;
#pragma omp critical(bake_check_findings)
  failed = all->failed_block;
  return failed <= block;
}

/* From the caller's own thread, once in a while. */
static sinew_result tell_checked(const check_state *state, uint64_t block, sinew_error *error) {
  if (omp_get_thread_num() != 0 || block % CHECK_BLOCKS != 0) return SINEW_OK;
  uint64_t frames = (block + 1) * SINEW_BLOCK, count = state->plan->frame_count;
  return bake_progress(state->options, true, frames < count ? frames : count, count, error);
}

static sinew_result check_blocks(const check_state *state, worst_places *worst, sinew_error *error) {
  const bake_plan *plan = state->plan;
  const sinew_allocator *allocator = heap_current();
  findings all = {.worst = *worst, .failed_block = UINT64_MAX};
#pragma omp parallel for num_threads(state->thread_count)                                                    \
    schedule(monotonic                                                                                       \
             : dynamic, 1) if (plan->block_count > CHECK_BLOCKS)
  for (uint64_t block = 0; block < plan->block_count; block++) {
    if (is_past_failure(&all, block)) continue;
    HEAP_SCOPE(allocator);
    worst_places found = {0};
    sinew_error failure;
    sinew_result result = check_block(state, &state->scratch[omp_get_thread_num()], block, &found, &failure);
    if (result == SINEW_OK) result = tell_checked(state, block, &failure);
    note_block(&all, block, &found, result, &failure);
  }
  *worst = all.worst;
  if (all.failed_block == UINT64_MAX)
    return bake_progress(state->options, true, plan->frame_count, plan->frame_count, error);
  if (error) *error = all.error;
  return all.result;
}

/* The file's clock: the same number of frames at the same times. */
static sinew_result check_clock(const bake_plan *plan, const verify_file *file, sinew_error *error) {
  bool sampled = plan->constant_count < plan->track_count;
  bool has_length = plan->frame_count > 1;
  uint64_t expected = sampled ? plan->frame_count : 1 + (uint64_t)has_length,
           found = verify_frame_count(file);
  SINEW_CHECK(found == expected, error, SINEW_ERROR_VERIFY, "the file has %llu frames, expected %llu",
              (unsigned long long)found, (unsigned long long)expected);
  double end_s;
  SINEW_TRY(verify_frame_time(file, found - 1, &end_s, error));
  /* a single frame stands at the start, whatever the clip's length */
  double own_s = has_length ? plan->clip->stop_s - plan->clip->start_s : 0;
  SINEW_CHECK(fabs(end_s - own_s) <= 1e-6 + own_s * 0x1p-22, error, SINEW_ERROR_VERIFY,
              "the file ends at %g s, expected %g s", end_s, own_s);
  return SINEW_OK;
}

static sinew_result check_with(check_state *state, arena *memory, worst_places *worst, sinew_error *error) {
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

static void node_label(const bake_plan *plan, uint32_t node, char *label, size_t size) {
  const char *name = plan->rig->nodes[node].name;
  error_printable(name, strlen(name), label, size);
}

static sinew_result judge(const bake_plan *plan, const worst_places *worst, double allowed_m,
                          sinew_error *error) {
  char label[128];
  node_label(plan, worst->joint.node, label, sizeof label);
  SINEW_CHECK(
      worst->joint.distance_m <= allowed_m, error, SINEW_ERROR_VERIFY,
      "verification failed: joint %s stands %.3g m from its computed place at frame %llu, at most %.3g m "
      "allowed: not published",
      label, worst->joint.distance_m, (unsigned long long)worst->joint.frame, allowed_m);
  node_label(plan, worst->corner.node, label, sizeof label);
  SINEW_CHECK(
      worst->corner.distance_m <= allowed_m, error, SINEW_ERROR_VERIFY,
      "verification failed: a corner of the box on joint %s stands %.3g m from where the bone puts it, at "
      "most %.3g m allowed: not published",
      label, worst->corner.distance_m, allowed_m);
  return SINEW_OK;
}

sinew_result bake_check(const sinew_context *context, const bake_plan *plan,
                        const sinew_bake_options *options, int fd, sinew_bake_report *report,
                        sinew_error *error) {
  verify_file *file;
  SINEW_TRY(verify_open(fd, &file, error));
  check_state state = {.plan = plan, .options = options, .file = file, .thread_count = context->thread_count};
  arena memory = {0};
  worst_places worst = {.joint = {.node = (uint32_t)plan->rig->node_of_bone[HUMAN_HIPS]}};
  sinew_result result = check_with(&state, &memory, &worst, error);
  arena_release(&memory);
  verify_close(file);
  if (result != SINEW_OK) return result;
  report->worst_joint_m = worst.joint.distance_m;
  report->worst_joint_name = plan->rig->nodes[worst.joint.node].name;
  report->worst_frame = worst.joint.frame;
  report->worst_corner_m = worst.corner.distance_m;
  double allowed_m = bake_plan_bounds(plan).of_height * plan->rig->height_m;
  SINEW_TRY(judge(plan, &worst, allowed_m, error));
  report->allowed_m = allowed_m;
  report->verified = true;
  return SINEW_OK;
}
