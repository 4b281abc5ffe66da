#include "stage/bake_checker.h"
#include "base/error.h"
#include "rig/quat.h"

#include <math.h>
#include <string.h>

/* ---- distances ----------------------------------------------------------------------------------------- */

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
static double far_slack(const bake_plan *plan, const double own[3]) {
  double far_m = sqrt(vec_dot(own, own)) - plan->rig->height_m;
  return far_m > 0 ? far_m * bake_plan_bounds(plan).far_slack : 0;
}

static void compare_frame(const bake_checker *checker, const check_worker *worker, uint32_t f, uint64_t frame,
                          worst_joint *worst) {
  const bake_plan *plan = checker->plan;
  uint32_t slots = plan->constants.bone_count;
  const double *file = worker->positions + (size_t)f * slots * 3;
  double hips[3];
  for (int c = 0; c < 3; c++) hips[c] = (double)worker->pose.hips_t[c * SINEW_BLOCK + f] * (c == 0 ? -1 : 1);
  keep_worst(worst, hips_distance(plan, file, hips), checker->nodes[0], frame);
  for (uint32_t slot = 1; slot < slots; slot++) {
    const float *model = worker->scratch.model + (size_t)slot * SINEW_MODEL_PLANES * SINEW_BLOCK + f;
    double own[3] = {-(double)model[0], model[SINEW_BLOCK], model[2 * SINEW_BLOCK]};
    double relative[3];
    for (int c = 0; c < 3; c++) relative[c] = file[slot * 3 + c] - file[c];
    keep_worst(worst, beyond(distance_between(relative, own), far_slack(plan, own)), checker->nodes[slot],
               frame);
  }
}

/* ---- one frame, whole ---------------------------------------------------------------------------------- */

/* A still file has two frames, or one, for all of the clip's. */
static uint64_t file_frame(const bake_checker *checker, uint64_t frame) {
  uint64_t last = verify_frame_count(checker->file) - 1;
  return frame < last ? frame : last;
}

static sinew_result check_all_nodes(const bake_checker *checker, const pose_block *pose, uint64_t frame,
                                    arena *memory, worst_joint *worst, sinew_error *error) {
  const sinew_rig *rig = checker->plan->rig;
  uint32_t count = rig->node_count, f = (uint32_t)(frame % SINEW_BLOCK);
  node_pose own;
  double(*file)[3] = arena_alloc(memory, count, sizeof *file);
  uint32_t *nodes = arena_alloc(memory, count, sizeof *nodes);
  SINEW_CHECK(node_pose_alloc(rig, memory, &own) && file && nodes, error, SINEW_ERROR_MEMORY,
              "out of memory for %u nodes", count);
  for (uint32_t node = 0; node < count; node++) nodes[node] = node;
  node_pose_at(checker->plan, pose, f, &own);
  SINEW_TRY(verify_positions(checker->file, nodes, count, file_frame(checker, frame), 1, &file[0][0], error));
  const double *hips = own.t[checker->nodes[0]], *file_hips = file[checker->nodes[0]];
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
    keep_worst(worst, beyond(distance_between(a, b), reach * 0x1p-22 + far_slack(checker->plan, a)), node,
               frame);
  }
  return SINEW_OK;
}

/* What takes too long for every frame: all nodes, and the mesh. */
static sinew_result check_whole(const bake_checker *checker, const pose_block *pose, uint64_t frame,
                                check_findings *findings, sinew_error *error) {
  arena memory = {0};
  sinew_result result = check_all_nodes(checker, pose, frame, &memory, &findings->joint, error);
  arena_release(&memory);
  SINEW_TRY(result);
  return mesh_check(checker->plan, checker->file, pose, (uint32_t)(frame % SINEW_BLOCK),
                    file_frame(checker, frame), &findings->corner, error);
}

/* ---- pieces -------------------------------------------------------------------------------------------- */

/* A still file's second frame stands for all later ones. */
static sinew_result read_positions(const bake_checker *checker, check_worker *worker, uint64_t block,
                                   uint32_t frames, sinew_error *error) {
  const bake_plan *plan = checker->plan;
  uint32_t slots = plan->constants.bone_count;
  size_t frame_values = (size_t)slots * 3;
  double *positions = worker->positions;
  if (plan->constant_count < plan->track_count)
    return verify_positions(checker->file, checker->nodes, slots, block * SINEW_BLOCK, frames, positions,
                            error);
  for (uint32_t f = 0; f < frames; f++) {
    uint64_t frame = file_frame(checker, block * SINEW_BLOCK + f);
    if (f > 1)
      memcpy(positions + f * frame_values, positions + frame_values, frame_values * sizeof *positions);
    else
      SINEW_TRY(verify_positions(checker->file, checker->nodes, slots, frame, 1, positions + f * frame_values,
                                 error));
  }
  return SINEW_OK;
}

static sinew_result check_block(const bake_checker *checker, uint64_t block, check_worker *worker,
                                check_findings *findings, sinew_error *error) {
  const bake_plan *plan = checker->plan;
  uint32_t frames = pose_block_frames(plan, block);
  SINEW_TRY(pose_block_compute(plan, block, &worker->scratch, &worker->pose, error));
  plan->kernels->fk(&plan->constants.fk, worker->pose.local, NULL, worker->pose.hips_q,
                    worker->scratch.model);
  SINEW_TRY(read_positions(checker, worker, block, frames, error));
  for (uint32_t f = 0; f < frames; f++)
    compare_frame(checker, worker, f, block * SINEW_BLOCK + f, &findings->joint);
  uint64_t end = plan->frame_count - 1;
  if (block == 0) SINEW_TRY(check_whole(checker, &worker->pose, 0, findings, error));
  if (block == end / SINEW_BLOCK) SINEW_TRY(check_whole(checker, &worker->pose, end, findings, error));
  return SINEW_OK;
}

sinew_result check_worker_open(check_worker *worker, sinew_error *error) {
  memset(worker, 0, sizeof *worker);
  worker->positions =
      arena_alloc(&worker->memory, (size_t)SINEW_BLOCK * HUMAN_BONE_COUNT * 3, sizeof *worker->positions);
  if (worker->positions && pose_scratch_alloc(NULL, &worker->memory, &worker->scratch) &&
      pose_block_alloc(NULL, &worker->memory, &worker->pose))
    return SINEW_OK;
  check_worker_close(worker);
  return error_set(error, SINEW_ERROR_MEMORY, "out of memory for verifying");
}

void check_worker_close(check_worker *worker) {
  arena_release(&worker->memory);
  memset(worker, 0, sizeof *worker);
}

uint64_t bake_checker_pieces(const bake_checker *checker) {
  return (checker->plan->block_count + CHECK_PIECE_BLOCKS - 1) / CHECK_PIECE_BLOCKS;
}

sinew_result bake_checker_piece(const bake_checker *checker, uint64_t piece, check_worker *worker,
                                check_findings *findings, sinew_error *error) {
  uint64_t block = piece * CHECK_PIECE_BLOCKS, end = block + CHECK_PIECE_BLOCKS;
  if (end > checker->plan->block_count) end = checker->plan->block_count;
  pose_scratch_begin(checker->plan, &worker->scratch);
  for (; block < end; block++) SINEW_TRY(check_block(checker, block, worker, findings, error));
  return SINEW_OK;
}

void check_findings_merge(check_findings *all, const check_findings *some) {
  keep_worst(&all->joint, some->joint.distance_m, some->joint.node, some->joint.frame);
  if (some->corner.distance_m > all->corner.distance_m) all->corner = some->corner;
}

/* ---- the file as a whole ------------------------------------------------------------------------------- */

/* The same number of frames at the same times. */
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

sinew_result bake_checker_open(const bake_plan *plan, int fd, bake_checker *checker, sinew_error *error) {
  checker->plan = plan;
  SINEW_TRY(verify_open(fd, &checker->file, error));
  for (uint32_t slot = 0; slot < plan->constants.bone_count; slot++)
    checker->nodes[slot] = (uint32_t)plan->rig->node_of_bone[plan->constants.bone_of_slot[slot]];
  sinew_result result = check_clock(plan, checker->file, error);
  if (result != SINEW_OK) bake_checker_close(checker);
  return result;
}

void bake_checker_close(bake_checker *checker) {
  verify_close(checker->file);
  checker->file = NULL;
}

static void node_label(const bake_plan *plan, uint32_t node, char *label, size_t size) {
  const char *name = plan->rig->nodes[node].name;
  error_printable(name, strlen(name), label, size);
}

sinew_result bake_checker_judge(const bake_checker *checker, const check_findings *findings,
                                sinew_bake_report *report, sinew_error *error) {
  const bake_plan *plan = checker->plan;
  worst_joint joint = findings->joint;
  if (joint.distance_m == 0) joint.node = checker->nodes[0];
  report->worst_joint_m = joint.distance_m;
  report->worst_joint_name = plan->rig->nodes[joint.node].name;
  report->worst_frame = joint.frame;
  report->worst_corner_m = findings->corner.distance_m;
  double allowed_m = bake_plan_bounds(plan).of_height * plan->rig->height_m;
  char label[128];
  node_label(plan, joint.node, label, sizeof label);
  SINEW_CHECK(
      joint.distance_m <= allowed_m, error, SINEW_ERROR_VERIFY,
      "verification failed: joint %s stands %.3g m from its computed place at frame %llu, at most %.3g m "
      "allowed: not published",
      label, joint.distance_m, (unsigned long long)joint.frame, allowed_m);
  node_label(plan, findings->corner.node, label, sizeof label);
  SINEW_CHECK(
      findings->corner.distance_m <= allowed_m, error, SINEW_ERROR_VERIFY,
      "verification failed: a corner of the box on joint %s stands %.3g m from where the bone puts it, at "
      "most %.3g m allowed: not published",
      label, findings->corner.distance_m, allowed_m);
  report->allowed_m = allowed_m;
  report->verified = true;
  return SINEW_OK;
}
