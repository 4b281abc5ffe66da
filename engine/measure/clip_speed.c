#include "base/error.h"
#include "measure/made_body.h"
#include "measure/made_clip.h"
#include "measure/timing.h"
#include "stage/context.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { JOBS_A_THREAD = 8, FOLDER_SIZE = 512, PATH_SIZE = FOLDER_SIZE + 32 };

typedef struct clip_job {
  sinew_clip_file *file;
  char path[PATH_SIZE];
} clip_job;

typedef struct clip_run {
  const sinew_context *context;
  char folder[FOLDER_SIZE];
  const char *text;
  size_t byte_count;
  sinew_rig *rig;
  clip_job *jobs;
  uint32_t job_count;
  sinew_clip_speed *speed;
  sinew_progress_fn progress;
  void *user;
  sinew_error *error;
  sinew_result result; /* of the first job that failed */
} clip_run;

/* ---- a batch
 * ------------------------------------------------------------------------------------------------ */

static sinew_result open_job(void *user, uint64_t index, sinew_bake_job *job, sinew_error *error) {
  const clip_run *run = user;
  clip_job *mine = &run->jobs[index];
  mine->file = NULL;
  snprintf(mine->path, sizeof mine->path, "%s/%u.glb", run->folder, (unsigned)index);
  job->rig = run->rig;
  job->path = mine->path;
  const sinew_read_options read = {.allocator = &run->context->allocator};
  SINEW_TRY(sinew_clip_file_open_memory(run->text, run->byte_count, "made", &read, &mine->file, error));
  job->clip = sinew_clip_file_clip(mine->file, 0);
  return SINEW_OK;
}

static void end_job(void *user, uint64_t index, const sinew_bake_job *job, const sinew_bake_report *report,
                    const sinew_error *error) {
  (void)job;
  clip_run *run = user;
  sinew_clip_file_close(run->jobs[index].file);
  if (!error) {
    run->speed->clips++;
    run->speed->frames = report->frame_count;
    run->speed->glb_bytes = report->byte_count;
  } else if (run->result == SINEW_OK) {
    run->result = error->code;
    if (run->error) *run->error = *error;
  }
}

static bool batch_goes_on(void *user, uint64_t jobs_done, uint64_t frames_done) {
  (void)frames_done;
  const clip_run *run = user;
  return !run->progress || run->progress(run->user, jobs_done, run->job_count);
}

static sinew_result run_batch(clip_run *run, sinew_error *error) {
  for (uint32_t i = 0; i < run->job_count; i++) unlink(run->jobs[i].path);
  const sinew_batch batch = {
      .job_count = run->job_count, .open = open_job, .done = end_job, .progress = batch_goes_on, .user = run};
  const double begin_s = timing_now_s();
  const sinew_result result = sinew_bake_batch(run->context, &batch, error);
  run->speed->seconds += timing_now_s() - begin_s;
  return result == SINEW_OK ? run->result : result;
}

/* ---- what batches need
 * ---------------------------------------------------------------------------------------- */

static sinew_result make_folder(const char *parent, clip_run *run, sinew_error *error) {
  const int length = snprintf(run->folder, sizeof run->folder, "%s/sinew-bench-XXXXXX", parent);
  SINEW_CHECK(length > 0 && (size_t)length < sizeof run->folder, error, SINEW_ERROR_ARGUMENT,
              "the folder's path is longer than %d bytes", FOLDER_SIZE - 22);
  if (mkdtemp(run->folder)) return SINEW_OK;
  error_set(error, SINEW_ERROR_IO, "cannot make a folder in it: %s", strerror(errno));
  return error_in_file(error, SINEW_ERROR_IO, parent);
}

static void remove_folder(const clip_run *run) {
  for (uint32_t i = 0; i < run->job_count; i++)
    if (*run->jobs[i].path) unlink(run->jobs[i].path);
  rmdir(run->folder);
}

static sinew_result run_batches(clip_run *run, double seconds, sinew_error *error) {
  sinew_result result;
  do result = run_batch(run, error);
  while (result == SINEW_OK && run->speed->seconds < seconds);
  return result;
}

static sinew_result run_in_folder(const char *folder, clip_run *run, double seconds, sinew_error *error) {
  SINEW_TRY(make_folder(folder, run, error));
  const sinew_result result = run_batches(run, seconds, error);
  remove_folder(run);
  return result;
}

sinew_result sinew_measure_clips(const sinew_context *context, const char *folder, double seconds,
                                 sinew_progress_fn progress, void *user, sinew_clip_speed *speed,
                                 sinew_error *error) {
  SINEW_CHECK(context && folder && speed, error, SINEW_ERROR_ARGUMENT,
              "context, folder and speed must not be NULL");
  *speed = (sinew_clip_speed){0};
  SINEW_CHECK(seconds >= 0 && isfinite(seconds), error, SINEW_ERROR_ARGUMENT,
              "seconds is %g, expected a number from 0 on", seconds);
  HEAP_SCOPE(&context->allocator);
  clip_run run = {.context = context, .speed = speed, .progress = progress, .user = user, .error = error};
  run.job_count = JOBS_A_THREAD * context->thread_count;
  run.jobs = heap_alloc(run.job_count, sizeof *run.jobs);
  char *text = made_clip_text(made_clip_typical, &run.byte_count);
  run.text = text;
  sinew_result result = SINEW_OK;
  if (!run.jobs || !text)
    result = error_set(error, SINEW_ERROR_MEMORY, "out of memory for %u clips", run.job_count);
  if (result == SINEW_OK) result = made_body(MADE_BODY_ALL, &run.rig, error);
  if (result == SINEW_OK) {
    speed->threads = context->thread_count;
    speed->text_bytes = run.byte_count;
    result = run_in_folder(folder, &run, seconds, error);
  }
  sinew_rig_close(run.rig);
  heap_free(text);
  heap_free(run.jobs);
  return result;
}
