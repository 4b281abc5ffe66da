#include "job/bake_job.h"
#include "base/error.h"
#include "rig/normalised.h"
#include "stance/figure.h"

#include <string.h>

static const double degrees = 180 / 3.14159265358979323846;

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
    SINEW_CHECK(
        plan->model, error, SINEW_ERROR_UNSUPPORTED,
        "there is no character to keep: the nodes come from no GLB or VRM that holds all its data, or "
        "their unit or hierarchy is another than their file's");
    return SINEW_OK;
  case SINEW_MESH_BOXES:
    return plan->rig ? box_mesh_build(plan->rig, &plan->mesh, error) : build_own_boxes(plan, error);
  }
  return error_set(error, SINEW_ERROR_ARGUMENT, "mesh is %d, which is none that is known", (int)mesh);
}

static sinew_result apply_options(const sinew_bake_options *options, bake_plan *plan, sinew_error *error) {
  if (options->format != SINEW_FORMAT_GLB) return SINEW_OK; /* both are a GLB's */
  plan->quantized = options->quantize;
  return choose_mesh(options->mesh, plan, error);
}

/* What is scaled over time and is not so in the file. */
static uint32_t dropped_scales(const bake_plan *plan, sinew_format format) {
  if (plan->way == BAKE_DELTA) return plan->bones.motion.scaled_count;
  uint32_t count = 0;
  if (plan->way == BAKE_OWN && format != SINEW_FORMAT_GLB)
    for (uint32_t node = 0; node < plan->output.node_count; node++)
      count += plan->output.scale_of_node[node] >= 0;
  return count;
}

static void report_plan(bake_job *job) {
  const bake_plan *plan = &job->plan;
  sinew_bake_report *report = &job->report;
  report->format = job->out.format ? job->out.format->name : NULL;
  report->frame_count = plan->frame_count;
  report->rate_hz = plan->rate_hz;
  if (job->out.format && job->out.format->wants_pose) { /* muscles alone are no tracks of nodes */
    report->sampled_tracks = plan->output.track_count - plan->output.constant_count;
    report->constant_tracks = plan->output.constant_count;
  }
  static const char *const ways[] = {
      [BAKE_MUSCLE] = "muscle", [BAKE_DELTA] = "delta", [BAKE_OWN] = "own", [BAKE_NONE] = "none"};
  report->way = ways[plan->way];
  report->hips_ratio = plan->way == BAKE_DELTA ? plan->bones.delta.ratio : 1;
  report->dropped_moves = plan->bones.dropped_moves;
  report->dropped_scales = dropped_scales(plan, job->given.options.format);
  report->quantized = plan->quantized;
  report->box_count = plan->mesh.box_count;
  report->mesh_kept = plan->model != NULL;
  report->byte_count = job->out.owed_bytes;
}

/* The given rig made plain, or the clip's own figure. */
static sinew_result make_plain(bake_job *job, sinew_error *error) {
  static const rig_normalise_options options = {.without_eyes = true};
  const clip_body *body = job->given.clip->body;
  if (job->given.rig) return rig_normalise(job->given.rig, &options, &job->plain, error);
  if (!body) return SINEW_OK; /* a clip of muscles wants a rig: told by the plan */
  if (!body->figure) return error_set(error, SINEW_ERROR_RIG, "%s", body->why.message);
  sinew_rig *own;
  SINEW_TRY(figure_rig(body->figure, &own, error));
  const sinew_result result = rig_normalise(own, &options, &job->plain, error);
  sinew_rig_close(own);
  return result;
}

static sinew_result make_plan(const sinew_context *context, bake_job *job, const output_format *format,
                              sinew_error *error) {
  const sinew_bake_options *options = &job->given.options;
  SINEW_CHECK(options->limb == SINEW_LIMB_EDITOR || options->limb == SINEW_LIMB_EXACT, error,
              SINEW_ERROR_ARGUMENT, "limb is %d, which is none that is known", (int)options->limb);
  SINEW_CHECK(options->limits == SINEW_LIMITS_OFF || options->limits == SINEW_LIMITS_CLAMP, error,
              SINEW_ERROR_ARGUMENT, "limits is %d, which is none that is known", (int)options->limits);
  SINEW_CHECK(!options->tdof || format->may_have_tdof, error, SINEW_ERROR_ARGUMENT,
              "translation degrees of freedom are for files of Unity, not for %s", format->name);
  const bake_choice choice = {.rate_hz = options->rate_hz,
                              .via = options->via,
                              .in_place = options->in_place,
                              .no_pose = !format->wants_pose,
                              .planes = format->wants_planes,
                              .planes_if_any = format->planes_if_any,
                              .clip_rig = options->clip_rig,
                              .asked_rig = job->given.rig,
                              .limbs = options->limb == SINEW_LIMB_EXACT ? INVERSE_EXACT : INVERSE_EDITOR,
                              .mirror = options->mirror,
                              .clamp = options->limits == SINEW_LIMITS_CLAMP,
                              .tdof = options->tdof};
  if (format->wants_normalised) SINEW_TRY(make_plain(job, error));
  const sinew_rig *rig = job->plain ? job->plain : job->given.rig;
  return bake_plan_build(context->kernels, job->given.clip, rig, &choice, &job->plan, error);
}

sinew_result bake_job_begin(const sinew_context *context, bake_job *job, sinew_error *error) {
  const sinew_bake_job *given = &job->given;
  job->file.fd = -1;
  SINEW_CHECK(given->clip && given->path, error, SINEW_ERROR_ARGUMENT, "clip and path must not be NULL");
  const output_format *format = output_format_find(given->options.format);
  SINEW_CHECK(format, error, SINEW_ERROR_ARGUMENT, "format is %d, which is none that is known",
              (int)given->options.format);
  SINEW_TRY(make_plan(context, job, format, error));
  job->planned = true;
  SINEW_TRY(apply_options(&given->options, &job->plan, error));
  report_plan(job);
  SINEW_TRY(output_begin(format, &given->options, &job->plan, &job->file, job->number, &job->out, error));
  report_plan(job);
  SINEW_TRY(outfile_open(given->path, &job->file, error));
  return format->start(&job->out, error);
}

/* What verification says is about the file that was to be. */
static sinew_result checked(const bake_job *job, sinew_result result, sinew_error *error) {
  if (result == SINEW_ERROR_IO || result == SINEW_ERROR_VERIFY)
    return error_in_file(error, result, job->given.path);
  return result;
}

sinew_result bake_job_begin_check(bake_job *job, sinew_error *error) {
  const output_format *format = job->out.format;
  return format->begin_check ? checked(job, format->begin_check(&job->out, error), error) : SINEW_OK;
}

sinew_result bake_job_check(bake_job *job, uint64_t piece, output_worker *worker, check_findings *found,
                            sinew_error *error) {
  return checked(job, job->out.format->check(&job->out, piece, worker, found, error), error);
}

/* Pieces are read back as soon as they are written. That none of this program's later writes went over one
 * already checked is known when the sizes of all writes add up to the file's: each key had to be written once
 * to be found right, so none was twice. */
static sinew_result judge_size(const bake_job *job, sinew_error *error) {
  const uint64_t written = atomic_load(&job->file.byte_count), owed = job->out.owed_bytes;
  SINEW_CHECK(written == owed, error, SINEW_ERROR_VERIFY,
              "verification failed: %llu bytes were written to a file of %llu: not published",
              (unsigned long long)written, (unsigned long long)owed);
  return SINEW_OK;
}

/* Names of a rig that goes with the job are told as the bones' own, which stay. */
static void keep_name(bake_job *job) {
  const sinew_rig *own = job->plain ? job->plain : job->plan.made_rig;
  const char *name = job->report.worst_joint_name;
  if (!own || !name) return;
  job->report.worst_joint_name = "";
  for (uint32_t bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    if (own->node_of_bone[bone] >= 0 && own->nodes[own->node_of_bone[bone]].name == name)
      job->report.worst_joint_name = sinew_bone_name(bone);
}

static sinew_result judge(bake_job *job, sinew_error *error) {
  SINEW_TRY(judge_size(job, error));
  const output_format *format = job->out.format;
  if (format->judge) {
    const sinew_result result = format->judge(&job->out, &job->findings, &job->report, error);
    keep_name(job);
    SINEW_TRY(result);
  }
  job->report.verified = true;
  return SINEW_OK;
}

static void report_loss(const turn_loss *loss, sinew_muscle_report *report) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    report->mean_lost_deg[bone] = turn_loss_mean_rad(&loss->bone[bone]) * degrees;
    report->most_lost_deg[bone] = (double)loss->bone[bone].most_rad * degrees;
    report->most_lost_frame[bone] = loss->bone[bone].most_frame;
  }
}

static void report_found(bake_job *job) {
  const bake_plan *plan = &job->plan;
  const pose_findings *found = &job->out.source.found;
  sinew_bake_report *report = &job->report;
  if (plan->planes_from == PLANES_NONE) return;
  for (int muscle = 0; muscle < SINEW_MUSCLE_COUNT; muscle++) {
    report->limits.frames_beyond[muscle] = found->limits.frames_beyond[muscle];
    if (found->limits.frames_beyond[muscle])
      report->limits.most[muscle] = (double)found->limits.largest[muscle];
  }
  report->limits.clamped = plan->clamp;
  if (plan->planes_from == PLANES_OF_CLIP) return;
  const avatar_differences *d = &plan->muscles.differences;
  report->muscles = (sinew_muscle_report){.from_bones = true,
                                          .avatar = plan->muscles.avatar_kind,
                                          .place_differs = d->place_differs,
                                          .moves = d->moves,
                                          .between_turns = d->between_turns,
                                          .between_differs = d->between_differs,
                                          .custom_ranges = d->custom_ranges};
  report_loss(&found->loss, &report->muscles);
}

sinew_result bake_job_finish(bake_job *job, sinew_error *error) {
  const output_format *format = job->out.format;
  report_found(job);
  if (format->finish) SINEW_TRY(format->finish(&job->out, error));
  job->report.byte_count = job->out.owed_bytes;
  return job->given.options.no_verify ? SINEW_OK : checked(job, judge(job, error), error);
}

void bake_job_release(bake_job *job) {
  if (job->planned) {
    output_release(&job->out);
    bake_plan_release(&job->plan);
  }
  job->planned = false;
  if (job->plain) sinew_rig_close(job->plain);
  job->plain = NULL;
}

void bake_job_end(bake_job *job) {
  bake_job_release(job);
  outfile_discard(&job->file);
}
