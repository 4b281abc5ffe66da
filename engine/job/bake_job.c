#include "job/bake_job.h"
#include "base/error.h"
#include "stance/figure.h"

#include <string.h>

sinew_result job_worker_open(job_worker *worker, sinew_error *error) {
  memset(worker, 0, sizeof *worker);
  SINEW_TRY(piece_worker_open(&worker->piece, error));
  const sinew_result result = check_worker_open(&worker->check, error);
  if (result != SINEW_OK) piece_worker_close(&worker->piece);
  return result;
}

void job_worker_close(job_worker *worker) {
  check_worker_close(&worker->check);
  piece_worker_close(&worker->piece);
}

/* The file that the output's nodes came from, where there is one to keep: its nodes stay as they are there.
 */
static void keep_model(bake_plan *plan) {
  const sinew_rig *rig = plan->rig;
  plan->model = rig ? rig->model : plan->clip->body ? plan->clip->body->model : NULL;
  if (plan->model && rig) plan->output.unevenness = rig->unevenness;
}

/* On the nodes as they are written. */
static sinew_result build_own_boxes(bake_plan *plan, sinew_error *error) {
  const clip_body *body = plan->clip->body;
  sinew_rig *rig;
  SINEW_CHECK(body->figure, error, SINEW_ERROR_RIG, "boxes are for human bones: %s", body->why.message);
  SINEW_TRY(figure_rig(body->figure, &rig, error));
  for (uint32_t i = 0; i < rig->node_count; i++) rig->nodes[i] = plan->output.nodes[i];
  const sinew_result result = box_mesh_build(rig, &plan->mesh, error);
  sinew_rig_close(rig);
  return result;
}

static sinew_result choose_mesh(sinew_mesh mesh, bake_plan *plan, sinew_error *error) {
  switch (mesh) {
  case SINEW_MESH_NONE:
    return SINEW_OK;
  case SINEW_MESH_DEFAULT:
    keep_model(plan);
    return SINEW_OK;
  case SINEW_MESH_KEEP:
    keep_model(plan);
    SINEW_CHECK(plan->model, error, SINEW_ERROR_UNSUPPORTED,
                "there is no character to keep: the nodes come from no GLB or VRM that holds all its data, or "
                "their unit or hierarchy is another than their file's");
    return SINEW_OK;
  case SINEW_MESH_BOXES:
    return plan->rig ? box_mesh_build(plan->rig, &plan->mesh, error) : build_own_boxes(plan, error);
  }
  return error_set(error, SINEW_ERROR_ARGUMENT, "mesh is %d, which is none that is known", (int)mesh);
}

static sinew_result apply_options(const sinew_bake_options *options, bake_plan *plan, sinew_error *error) {
  plan->quantized = options->quantize;
  return choose_mesh(options->mesh, plan, error);
}

static void report_plan(bake_job *job) {
  const bake_plan *plan = &job->plan;
  sinew_bake_report *report = &job->report;
  report->frame_count = plan->frame_count;
  report->rate_hz = plan->rate_hz;
  report->sampled_tracks = plan->output.track_count - plan->output.constant_count;
  report->constant_tracks = plan->output.constant_count;
  static const char *const ways[] = {[BAKE_MUSCLE] = "muscle", [BAKE_DELTA] = "delta", [BAKE_OWN] = "own"};
  report->way = ways[plan->way];
  report->hips_ratio = plan->way == BAKE_DELTA ? plan->bones.delta.ratio : 1;
  report->dropped_moves = plan->bones.dropped_moves;
  report->dropped_scales = plan->way == BAKE_DELTA ? plan->bones.motion.scaled_count : 0;
  report->quantized = plan->quantized;
  report->box_count = plan->mesh.box_count;
  report->mesh_kept = plan->model != NULL;
  report->byte_count = job->layout.file_byte_count;
}

static sinew_result write_mesh(bake_job *job, sinew_error *error) {
  const box_mesh *mesh = job->glb.mesh;
  const glb_layout *layout = &job->layout;
  if (!mesh) return SINEW_OK;
  SINEW_TRY(outfile_write(&job->file, mesh->inverse_bind, mesh->box_count * sizeof *mesh->inverse_bind,
                          layout->inverse_bind_offset, error));
  SINEW_TRY(outfile_write(&job->file, mesh->vertices, mesh->box_count * BOX_VERTICES * sizeof *mesh->vertices,
                          layout->vertices_offset, error));
  return outfile_write(&job->file, mesh->indices, mesh->box_count * BOX_INDICES * sizeof *mesh->indices,
                       layout->indices_offset, error);
}

/* All that stands in the file beside the tracks. It gets its size at once: it is read back while it is
 * written. */
static sinew_result write_frame(bake_job *job, sinew_error *error) {
  const glb_layout *layout = &job->layout;
  SINEW_TRY(outfile_extend(&job->file, layout->file_byte_count, error));
  SINEW_TRY(outfile_write(&job->file, layout->head, layout->head_byte_count, 0, error));
  float zero = 0;
  if (layout->has_key_time)
    SINEW_TRY(outfile_write(&job->file, &zero, sizeof zero, layout->key_time_offset, error));
  SINEW_TRY(glb_write_model(&job->glb, layout, &job->file, error));
  SINEW_TRY(piece_write_times(&job->target, error));
  return write_mesh(job, error);
}

static sinew_result plan_file(bake_job *job, sinew_error *error) {
  const bake_plan *plan = &job->plan;
  const char *source_name = job->given.options.source_name;
  job->glb = (glb_plan){
      .nodes = plan->output.nodes,
      .node_count = plan->output.node_count,
      .clip_name = plan->clip->name,
      .source_name = source_name ? source_name : plan->clip->name,
      .profile = plan->kernels->profile,
      .rate_hz = plan->rate_hz,
      .frame_count = plan->frame_count,
      .start_s = plan->clip->start_s,
      .stop_s = plan->clip->stop_s,
      .tracks = plan->output.tracks,
      .track_count = plan->output.track_count,
      .quantized = plan->quantized,
      .mesh = plan->mesh.box_count ? &plan->mesh : NULL,
      .model = plan->model,
      .file_node = plan->output.file_node,
  };
  job->target = (piece_target){
      .plan = plan, .glb = &job->glb, .layout = &job->layout, .file = &job->file, .number = job->number};
  const size_t chains = sign_chain_count(plan->output.slot_count);
  job->target.signs = arena_alloc(&job->plan.memory, chains, sizeof *job->target.signs);
  SINEW_CHECK(job->target.signs, error, SINEW_ERROR_MEMORY, "out of memory for the signs of %u rotations",
              plan->output.slot_count);
  return SINEW_OK;
}

sinew_result bake_job_begin(const sinew_context *context, bake_job *job, sinew_error *error) {
  const sinew_bake_job *given = &job->given;
  job->file.fd = -1;
  SINEW_CHECK(given->clip && given->path, error, SINEW_ERROR_ARGUMENT, "clip and path must not be NULL");
  const bake_choice choice = {
      .rate_hz = given->options.rate_hz, .via = given->options.via, .in_place = given->options.in_place};
  SINEW_TRY(bake_plan_build(context->kernels, given->clip, given->rig, &choice, &job->plan, error));
  job->planned = true;
  SINEW_TRY(apply_options(&given->options, &job->plan, error));
  report_plan(job);
  SINEW_TRY(plan_file(job, error));
  SINEW_TRY(glb_layout_build(&job->glb, &job->layout, error));
  report_plan(job);
  SINEW_TRY(outfile_open(given->path, &job->file, error));
  return write_frame(job, error);
}

/* What verification says is about the file that was to be. */
static sinew_result checked(const bake_job *job, sinew_result result, sinew_error *error) {
  if (result == SINEW_ERROR_IO || result == SINEW_ERROR_VERIFY)
    return error_in_file(error, result, job->given.path);
  return result;
}

sinew_result bake_job_begin_check(bake_job *job, sinew_error *error) {
  return checked(job, bake_checker_open(&job->plan, job->file.fd, &job->checker, error), error);
}

sinew_result bake_job_check(const bake_job *job, uint64_t piece, job_worker *worker, check_findings *found,
                            sinew_error *error) {
  const uint64_t end = piece_end_frame(&job->plan, piece);
  for (uint64_t first = piece_first_frame(&job->plan, piece); first < end; first += CHECK_PIECE_FRAMES)
    SINEW_TRY(checked(
        job, bake_checker_piece(&job->checker, first / CHECK_PIECE_FRAMES, &worker->check, found, error),
        error));
  return SINEW_OK;
}

/* Pieces are read back as soon as they are written. That none of this program's later writes went over one
 * already checked is known when the sizes of all writes add up to the file's: each key had to be written once
 * to be found right, so none was twice. */
static sinew_result judge_size(const bake_job *job, sinew_error *error) {
  const uint64_t written = atomic_load(&job->file.byte_count), owed = job->layout.file_byte_count;
  SINEW_CHECK(written == owed, error, SINEW_ERROR_VERIFY,
              "verification failed: %llu bytes were written to a file of %llu: not published",
              (unsigned long long)written, (unsigned long long)owed);
  return SINEW_OK;
}

sinew_result bake_job_judge(bake_job *job, sinew_error *error) {
  sinew_result result = judge_size(job, error);
  if (result == SINEW_OK) result = bake_checker_judge(&job->checker, &job->findings, &job->report, error);
  return checked(job, result, error);
}

void bake_job_release(bake_job *job) {
  if (job->checker.file) bake_checker_close(&job->checker);
  if (!job->planned) return;
  glb_layout_release(&job->layout);
  bake_plan_release(&job->plan);
  job->planned = false;
}

void bake_job_end(bake_job *job) {
  bake_job_release(job);
  outfile_discard(&job->file);
}
