#include "stage/bake_checker.h"
#include "base/error.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

/* ---- one frame, whole ---------------------------------------------------------------------------------- */

/* A still file has two frames, or one, for all of the clip's. */
static uint64_t file_frame(const bake_checker *checker, uint64_t frame) {
  uint64_t last = verify_frame_count(checker->file) - 1;
  return frame < last ? frame : last;
}

static sinew_result check_all_nodes(const bake_checker *checker, const pose_block *pose, uint64_t frame,
                                    arena *memory, worst_joint *worst, sinew_error *error) {
  const bake_output *output = &checker->plan->output;
  uint32_t count = output->node_count, f = (uint32_t)(frame % SINEW_BLOCK);
  node_pose own;
  double(*file)[3] = arena_alloc(memory, count, sizeof *file);
  uint32_t *nodes = arena_alloc(memory, count, sizeof *nodes);
  SINEW_CHECK(node_pose_alloc(output, memory, &own) && file && nodes, error, SINEW_ERROR_MEMORY,
              "out of memory for %u nodes", count);
  for (uint32_t node = 0; node < count; node++) nodes[node] = bake_file_node(checker->plan, node);
  node_pose_at(output, pose, f, &own);
  SINEW_TRY(verify_positions(checker->file, nodes, count, file_frame(checker, frame), 1, &file[0][0], error));
  const double *hips = own.t[output->joint_node[0]], *file_hips = file[output->joint_node[0]];
  for (uint32_t node = 0; node < count; node++) {
    int32_t parent = output->nodes[node].parent;
    if (parent >= 0 && !node_scale_is_uniform(own.s[parent])) continue;
    double a[3], b[3];
    for (int c = 0; c < 3; c++) {
      a[c] = (own.t[node][c] - hips[c]) * (c == 0 ? -1 : 1);
      b[c] = file[node][c] - file_hips[c];
    }
    /* nodes above the hips do not move with them: seen from hips far away they carry the hips' rounding */
    double reach = fabs(hips[0]) + fabs(hips[1]) + fabs(hips[2]);
    worst_joint_keep(worst, joint_distance(checker->plan, b, a, reach * 0x1p-22), node, frame);
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
  if (checker->plan->model) return SINEW_OK; /* its mesh is not ours */
  return mesh_check(checker->plan, checker->file, pose, (uint32_t)(frame % SINEW_BLOCK),
                    file_frame(checker, frame), &findings->corner, error);
}

/* ---- pieces -------------------------------------------------------------------------------------------- */

/* What a stored time may be off: float32 from 0. */
static bool time_is_right(double stored_s, double own_s) {
  return fabs(stored_s - own_s) <= 1e-6 + own_s * 0x1p-22;
}

/* A still file's two are known from its clock. */
static sinew_result check_times(const bake_checker *checker, const check_worker *worker, uint64_t first,
                                uint32_t frames, sinew_error *error) {
  const bake_plan *plan = checker->plan;
  if (plan->output.constant_count == plan->output.track_count) return SINEW_OK;
  const float *times = verify_run_times(worker->run, first);
  for (uint32_t f = 0; f < frames; f++) {
    const double time_s = clip_frame_time(plan->clip, plan->rate_hz, first + f, plan->frame_count);
    const double own_s = plan->frame_count > 1 ? time_s - plan->clip->start_s : 0;
    SINEW_CHECK(time_is_right((double)times[f], own_s), error, SINEW_ERROR_VERIFY,
                "verification failed: frame %llu stands at %.9g s, expected %.9g s: not published",
                (unsigned long long)(first + f), (double)times[f], own_s);
  }
  return SINEW_OK;
}

static sinew_result check_block(const bake_checker *checker, uint64_t block, uint64_t end_frame,
                                check_worker *worker, check_findings *findings, sinew_error *error) {
  const bake_plan *plan = checker->plan;
  uint64_t first = block * SINEW_BLOCK, last = plan->frame_count - 1;
  uint32_t frames = pose_block_frames(plan, block);
  SINEW_TRY(pose_block_compute(plan, block, &worker->scratch, &worker->pose, error));
  pose_place_joints(plan, &worker->scratch, &worker->pose, worker->scratch.model);
  /* a still file's last frame stands for all later ones */
  uint64_t found = file_frame(checker, first), found_last = file_frame(checker, first + frames - 1);
  _Alignas(64) double squares[SINEW_BLOCK];
  verify_own own = {worker->scratch.model, joint_least_square(&findings->joint), squares};
  SINEW_TRY(verify_places(worker->run, found, (uint32_t)(found_last - found + 1), end_frame, &own,
                          worker->places, error));
  SINEW_TRY(check_times(checker, worker, first, frames, error));
  joint_compare_block(&checker->joints, squares, worker->places, own.model, &worker->pose, frames, first,
                      &findings->joint);
  if (block == 0) SINEW_TRY(check_whole(checker, &worker->pose, 0, findings, error));
  if (block == last / SINEW_BLOCK) SINEW_TRY(check_whole(checker, &worker->pose, last, findings, error));
  return SINEW_OK;
}

static bool make_room(check_worker *worker, pose_room room) {
  worker->room = room;
  worker->places = arena_alloc(&worker->memory, room.joints * 3 * SINEW_BLOCK, sizeof *worker->places);
  return worker->places && pose_scratch_alloc(room, &worker->memory, &worker->scratch) &&
         pose_block_alloc(room, &worker->memory, &worker->pose);
}

static sinew_result no_room(sinew_error *error) {
  return error_set(error, SINEW_ERROR_MEMORY, "out of memory for verifying");
}

sinew_result check_worker_open(check_worker *worker, sinew_error *error) {
  memset(worker, 0, sizeof *worker);
  if (make_room(worker, pose_room_most()) && verify_run_open(&worker->run, error) == SINEW_OK)
    return SINEW_OK;
  check_worker_close(worker);
  return no_room(error);
}

static sinew_result fit(check_worker *worker, const bake_plan *plan, sinew_error *error) {
  const pose_room needed = pose_room_of(plan);
  if (pose_room_holds(worker->room, needed)) return SINEW_OK;
  arena_release(&worker->memory);
  worker->room = (pose_room){0};
  return make_room(worker, needed) ? SINEW_OK : no_room(error);
}

void check_worker_close(check_worker *worker) {
  verify_run_close(worker->run);
  arena_release(&worker->memory);
  memset(worker, 0, sizeof *worker);
}

sinew_result bake_checker_piece(const bake_checker *checker, uint64_t piece, check_worker *worker,
                                check_findings *findings, sinew_error *error) {
  uint64_t block = piece * CHECK_PIECE_BLOCKS, end = block + CHECK_PIECE_BLOCKS;
  if (end > checker->plan->block_count) end = checker->plan->block_count;
  SINEW_TRY(fit(worker, checker->plan, error));
  pose_begin(checker->plan, &worker->scratch, &worker->pose);
  SINEW_TRY(verify_run_begin(worker->run, checker->places, error));
  for (; block < end; block++)
    SINEW_TRY(check_block(checker, block, end * SINEW_BLOCK, worker, findings, error));
  return SINEW_OK;
}

void check_findings_merge(check_findings *all, const check_findings *some) {
  worst_joint_keep(&all->joint, some->joint.distance_m, some->joint.node, some->joint.frame);
  if (some->corner.distance_m > all->corner.distance_m) all->corner = some->corner;
}

/* ---- the file as a whole ------------------------------------------------------------------------------- */

/* The same number of frames at the same times. */
static sinew_result check_clock(const bake_plan *plan, const verify_file *file, sinew_error *error) {
  bool sampled = plan->output.constant_count < plan->output.track_count;
  bool has_length = plan->frame_count > 1;
  uint64_t expected = sampled ? plan->frame_count : 1 + (uint64_t)has_length,
           found = verify_frame_count(file);
  SINEW_CHECK(found == expected, error, SINEW_ERROR_VERIFY, "the file has %llu frames, expected %llu",
              (unsigned long long)found, (unsigned long long)expected);
  double end_s;
  SINEW_TRY(verify_frame_time(file, found - 1, &end_s, error));
  /* a single frame stands at the start, whatever the clip's length */
  double own_s = has_length ? plan->clip->stop_s - plan->clip->start_s : 0;
  SINEW_CHECK(time_is_right(end_s, own_s), error, SINEW_ERROR_VERIFY, "the file ends at %g s, expected %g s",
              end_s, own_s);
  return SINEW_OK;
}

static bool is_utf8(const char *text) {
  size_t left = strlen(text), step;
  for (; left; text += step, left -= step)
    if ((step = utf8_sequence((const unsigned char *)text, left)) == 0) return false;
  return true;
}

/* Players find bones by their nodes' names. One that is no UTF-8 cannot be stored as it is. */
static sinew_result check_names(const bake_plan *plan, const verify_file *file, sinew_error *error) {
  const bake_output *output = &plan->output;
  SINEW_CHECK(verify_node_count(file) >= output->node_count, error, SINEW_ERROR_VERIFY,
              "the file has %u nodes, expected the rig's %u", verify_node_count(file), output->node_count);
  for (uint32_t node = 0; node < output->node_count; node++) {
    const char *own = output->nodes[node].name ? output->nodes[node].name : "";
    const char *found = verify_node_name(file, bake_file_node(plan, node));
    SINEW_CHECK(!is_utf8(own) || strcmp(own, found ? found : "") == 0, error, SINEW_ERROR_VERIFY,
                "verification failed: node %u has another name than the rig's: not published", node);
  }
  return SINEW_OK;
}

/* The numbers that the joints' nodes have in the file. */
static sinew_result open_joints(bake_checker *checker, sinew_error *error) {
  const bake_plan *plan = checker->plan;
  const uint32_t count = plan->output.fk.joint_count;
  uint32_t *nodes = heap_alloc(count, sizeof *nodes);
  SINEW_CHECK(nodes, error, SINEW_ERROR_MEMORY, "out of memory for %u joints", count);
  for (uint32_t i = 0; i < count; i++) nodes[i] = bake_file_node(plan, plan->output.joint_node[i]);
  const sinew_result result =
      verify_joints_open(checker->file, plan->kernels, nodes, count, &checker->places, error);
  heap_free(nodes);
  return result;
}

sinew_result bake_checker_open(const bake_plan *plan, int fd, bake_checker *checker, sinew_error *error) {
  *checker = (bake_checker){.plan = plan};
  SINEW_TRY(joint_compare_build(plan, &checker->joints, error));
  SINEW_TRY(plan->model ? verify_open_model(fd, &checker->file, error)
                        : verify_open(fd, &checker->file, error));
  sinew_result result = check_clock(plan, checker->file, error);
  if (result == SINEW_OK) result = check_names(plan, checker->file, error);
  if (result == SINEW_OK) result = open_joints(checker, error);
  if (result != SINEW_OK) bake_checker_close(checker);
  return result;
}

void bake_checker_close(bake_checker *checker) {
  verify_joints_close(checker->places);
  verify_close(checker->file);
  checker->places = NULL;
  checker->file = NULL;
}

static void node_label(const bake_plan *plan, uint32_t node, char *label, size_t size) {
  const char *name = plan->output.nodes[node].name;
  error_printable(name, strlen(name), label, size);
}

sinew_result bake_checker_judge(const bake_checker *checker, const check_findings *findings,
                                sinew_bake_report *report, sinew_error *error) {
  const bake_plan *plan = checker->plan;
  worst_joint joint = findings->joint;
  if (joint.distance_m == 0) joint.node = plan->output.joint_node[0];
  report->worst_joint_m = joint.distance_m;
  report->worst_joint_name = plan->output.nodes[joint.node].name;
  report->worst_frame = joint.frame;
  report->worst_corner_m = findings->corner.distance_m;
  double allowed_m = bake_plan_bounds(plan).of_height * plan->output.height_m;
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
