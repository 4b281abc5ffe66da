/* The public ways into the queue: one clip, or many. */
#include "base/error.h"
#include "job/queue.h"
#include "stage/bake_checker.h"

#include <string.h>

sinew_result sinew_bake_batch(const sinew_context *context, const sinew_batch *batch, sinew_error *error) {
  SINEW_CHECK(context && batch && batch->open, error, SINEW_ERROR_ARGUMENT,
              "context, batch and its open must not be NULL");
  HEAP_SCOPE(&context->allocator);
  return batch->job_count ? job_queue_run(context, batch, UINT32_MAX, error) : SINEW_OK;
}

/* A batch of one. */
typedef struct single_bake {
  const sinew_bake_job *job;
  uint64_t frame_count;
  uint64_t frames_done;
  bool told;
  sinew_result result;
  sinew_bake_report *report; /* may be NULL */
  sinew_error *error;        /* may be NULL */
} single_bake;

static sinew_result single_open(void *user, uint64_t index, sinew_bake_job *job, sinew_error *error) {
  (void)index;
  (void)error;
  *job = *((single_bake *)user)->job;
  return SINEW_OK;
}

static void single_done(void *user, uint64_t index, const sinew_bake_job *job,
                        const sinew_bake_report *report, const sinew_error *error) {
  (void)index;
  (void)job;
  single_bake *single = user;
  single->told = true;
  single->result = error ? error->code : SINEW_OK;
  if (single->report) *single->report = *report;
  if (error && single->error) *single->error = *error;
}

/* Not asked any more once the job is done: nothing is left to be stopped. */
static bool single_progress(void *user, uint64_t jobs_done, uint64_t frames_done) {
  single_bake *single = user;
  if (jobs_done) return true;
  const sinew_bake_options *options = &single->job->options;
  single->frames_done = frames_done;
  return options->progress(options->user, frames_done, single->frame_count);
}

/* No more workers than a clip has pieces to check, which are the smaller ones. */
static uint32_t useful_workers(uint64_t frame_count) {
  const uint64_t pieces = (frame_count + CHECK_PIECE_FRAMES - 1) / CHECK_PIECE_FRAMES;
  return pieces < 1 ? 1 : pieces < UINT32_MAX ? (uint32_t)pieces : UINT32_MAX;
}

sinew_result sinew_bake(const sinew_context *context, const sinew_clip *clip, const sinew_rig *rig,
                        const sinew_bake_options *options, const char *path, sinew_bake_report *report,
                        sinew_error *error) {
  SINEW_CHECK(context && clip && path, error, SINEW_ERROR_ARGUMENT,
              "context, clip and path must not be NULL");
  HEAP_SCOPE(&context->allocator);
  if (report) memset(report, 0, sizeof *report);
  sinew_bake_job job = {.clip = clip, .rig = rig, .path = path};
  if (options) job.options = *options;
  single_bake single = {.job = &job,
                        .frame_count = sinew_clip_frame_count(clip, job.options.rate_hz),
                        .report = report,
                        .error = error};
  const sinew_batch batch = {.job_count = 1,
                             .open = single_open,
                             .done = single_done,
                             .progress = job.options.progress ? single_progress : NULL,
                             .user = &single};
  const sinew_result result = job_queue_run(context, &batch, useful_workers(single.frame_count), error);
  if (single.told && single.result != SINEW_ERROR_CANCELLED) return single.result;
  if (result != SINEW_ERROR_CANCELLED) return result;
  return error_set(error, result, "stopped after %llu of %llu frames", (unsigned long long)single.frames_done,
                   (unsigned long long)single.frame_count);
}
