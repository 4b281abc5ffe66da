#include "conversion.h"

#include "clip_report.h"
#include "console.h"
#include "json_line.h"
#include "printable.h"
#include "progress.h"
#include "stop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is no fault of a file that was read or written is the clip's. */
static sinew_error placed_error(const conversion *c, const char *input, const planned_clip *clip,
                                const sinew_error *error) {
  sinew_error placed = *error;
  if (placed.path[0]) return placed;
  if (clip && c->sources.items[clip->source].count > 1)
    snprintf(placed.path, sizeof placed.path, "%s (clip '%s')", input,
             c->sources.items[clip->source].names[clip->clip]);
  else
    snprintf(placed.path, sizeof placed.path, "%s", input);
  return placed;
}

void tell_failure(conversion *c, const char *input, const planned_clip *clip, const sinew_error *error) {
  c->failed++;
  const sinew_error placed = placed_error(c, input, clip, error);
  complain_error(&placed);
  if (!c->given->json) return;
  const char *name = clip ? c->sources.items[clip->source].names[clip->clip] : NULL;
  failure_json(input, name, clip ? clip->path : NULL, error);
}

/* The clips of one source stand together in the plan. */
static bool is_last_of_source(const convert_plan *plan, uint64_t index) {
  return index + 1 == plan->count || plan->clips[index + 1].source != plan->clips[index].source;
}

static bool is_bones(const sinew_clip *clip) {
  sinew_clip_info info;
  sinew_clip_get_info(clip, &info);
  return info.kind == SINEW_CLIP_BONES;
}

/* On a worker thread. */
static sinew_result open_clip(void *user, uint64_t index, sinew_bake_job *job, sinew_error *error) {
  conversion *c = user;
  const planned_clip *planned = &c->plan.clips[index];
  clip_source *source = &c->sources.items[planned->source];
  const sinew_result result = source_enter(source, error);
  if (result != SINEW_OK) return result;
  const char *slash = strrchr(source->path, '/');
  const bool clamps = c->given->limits == LIMITS_CLAMP;
  job->clip = sinew_clip_file_clip(source->file, planned->clip);
  job->rig = c->rig;
  job->path = planned->path;
  job->options = (sinew_bake_options){.format = c->format,
                                      .rate_hz = c->given->fps,
                                      .quantize = c->given->quantize,
                                      .mesh = c->given->mesh,
                                      .via = c->given->via,
                                      .in_place = c->given->in_place,
                                      .no_verify = c->given->no_verify,
                                      .clip_rig = is_bones(job->clip) ? c->clip_rig : NULL,
                                      .limb = c->given->limb,
                                      .mirror = c->given->mirror,
                                      .limits = clamps ? SINEW_LIMITS_CLAMP : SINEW_LIMITS_OFF,
                                      .bvh_order = c->given->order,
                                      .bvh_metres = c->given->metres,
                                      .bvh_rest = c->given->rest_pose,
                                      .tdof = c->given->tdof && is_bones(job->clip),
                                      .npz_xyz = c->given->xyz,
                                      .source_name = printable(slash ? slash + 1 : source->path)};
  return SINEW_OK;
}

static void tell_converted(conversion *c, clip_source *source, const sinew_bake_job *job,
                           const sinew_bake_report *baked) {
  const char *input = source->path;
  c->converted++;
  const clip_report report = {input, job->path, c->context, job->clip, baked, c->given->limits != LIMITS_OFF};
  if (c->given->json)
    clip_report_json(&report);
  else if (!c->given->quiet)
    clip_report_say(&report);
  clip_report_notes(input, job->clip, !source->told, c->given->verbose);
  source->told = true;
}

static void clip_done(void *user, uint64_t index, const sinew_bake_job *job, const sinew_bake_report *baked,
                      const sinew_error *error) {
  conversion *c = user;
  const planned_clip *planned = &c->plan.clips[index];
  clip_source *source = &c->sources.items[planned->source];
  if (!error)
    tell_converted(c, source, job, baked);
  else if (error->code != SINEW_ERROR_CANCELLED)
    tell_failure(c, source->path, planned, error);
  free((char *)job->options.source_name);
  if (job->clip) source_leave(source, is_last_of_source(&c->plan, index));
}

static bool on_progress(void *user, uint64_t clips_done, uint64_t frames_done) {
  (void)user;
  progress_show(clips_done, (double)frames_done);
  return !stop_asked() && console_intact();
}

int bake_all(conversion *c) {
  if (!c->given->quiet && !c->given->json) progress_start(c->plan.count, c->plan.frame_count);
  const sinew_batch batch = {
      .job_count = c->plan.count, .open = open_clip, .done = clip_done, .progress = on_progress, .user = c};
  sinew_error error;
  stop_defer(true);
  const sinew_result result = sinew_bake_batch(c->context, &batch, &error);
  stop_defer(false);
  const bool stopped = stop_asked() && (result == SINEW_ERROR_CANCELLED || console_cut_short());
  if (stopped)
    complain("stopped: %zu of %zu clips are written", c->converted, c->plan.count);
  else if (result != SINEW_OK && result != SINEW_ERROR_CANCELLED)
    complain_error(&error);
  else if (c->sources.count > 1)
    note("%zu converted, %zu failed", c->converted, c->failed);
  return stopped ? EXIT_STOPPED : c->failed || result != SINEW_OK ? EXIT_SOME_FAILED : EXIT_OK;
}
