#include "job/batch_run.h"
#include "motion/made_biped.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void batch_setup(batch_run *run, uint32_t threads, uint64_t count) {
  memset(run, 0, sizeof *run);
  cr_assert_leq(count, (uint64_t)BATCH_MOST);
  run->context = test_open_context(NULL, threads);
  run->file = test_open_clip(test_source("scripts/sample/walk.anim"));
  run->rig = test_open_rig(test_source("scripts/sample/walker.fbx.meta"));
  run->folder = test_folder_make();
  run->count = count;
}

/* The sample with a skin of boxes, as a file that is removed once it is read. */
static void open_character(batch_run *run, sinew_clip_file **clips, sinew_rig **rig) {
  char path[512];
  const sinew_bake_options boxes = {.mesh = SINEW_MESH_BOXES};
  snprintf(path, sizeof path, "%s/character.glb", run->folder);
  cr_assert_eq(sinew_bake(run->context, sinew_clip_file_clip(run->file, 0), run->rig, &boxes, path, NULL,
                              &run->error),
               SINEW_OK, "%s", run->error.message);
  *clips = test_open_clip(path);
  *rig = test_open_rig(path);
  unlink(path);
}

void batch_setup_character(batch_run *run, uint32_t threads, uint64_t count) {
  sinew_clip_file *clips;
  sinew_rig *rig;
  batch_setup(run, threads, count);
  open_character(run, &clips, &rig);
  sinew_rig_close(rig);
  sinew_rig_close(run->rig);
  sinew_clip_file_close(run->file);
  run->file = clips;
  run->rig = NULL;
}

void batch_setup_bones(batch_run *run, uint32_t threads, uint64_t count, bool on_character) {
  batch_setup_character(run, threads, count);
  sinew_clip_file *clips;
  char *text = biped_text("Hero", " ", 120);
  if (on_character) {
    batch_run muscles;
    batch_setup(&muscles, 1, 0);
    open_character(&muscles, &clips, &run->rig);
    sinew_clip_file_close(clips);
    batch_teardown(&muscles);
  }
  sinew_clip_file_close(run->file);
  cr_assert_eq(sinew_clip_file_open_memory(text, strlen(text), "hero.bvh", NULL, &run->file, &run->error),
               SINEW_OK, "%s", run->error.message);
  free(text);
}

void batch_teardown(batch_run *run) {
  sinew_rig_close(run->rig);
  sinew_clip_file_close(run->file);
  sinew_context_close(run->context);
  test_folder_remove(run->folder);
}

double batch_rate(uint64_t index) {
  return index % 16 == 3 ? 4000 + (double)index : 20 + (double)index;
}

const char *batch_path(const batch_run *run, uint64_t index, char path[512]) {
  const char *folder = run->nowhere && run->nowhere(index) ? "/nowhere" : run->folder;
  snprintf(path, 512, "%s/%03llu.glb", folder, (unsigned long long)index);
  return path;
}

static sinew_format format_of(const batch_run *run, uint64_t index) {
  uint32_t count = 0;
  while (sinew_format_name(count)) count++;
  return run->every_format ? (sinew_format)(index % count) : SINEW_FORMAT_GLB;
}

static sinew_result open_job(void *user, uint64_t index, sinew_bake_job *job, sinew_error *error) {
  batch_run *run = user;
  atomic_fetch_add(&run->opened, 1);
  if (run->fails && run->fails(index)) {
    *error = (sinew_error){.code = SINEW_ERROR_SYNTAX};
    snprintf(error->message, sizeof error->message, "job %llu is broken", (unsigned long long)index);
    return error->code;
  }
  char path[512];
  job->clip = sinew_clip_file_clip(run->file, 0);
  job->rig = run->rig;
  job->path = strdup(batch_path(run, index, path));
  job->options = (sinew_bake_options){.format = format_of(run, index),
                                        .rate_hz = batch_rate(index),
                                        .via = run->via,
                                        .no_verify = run->no_verify};
  return SINEW_OK;
}

static void job_done(void *user, uint64_t index, const sinew_bake_job *job, const sinew_bake_report *report,
                     const sinew_error *error) {
  batch_run *run = user;
  cr_expect(pthread_equal(pthread_self(), run->caller));
  cr_expect_eq(index, run->done, "told %llu, expected %llu", (unsigned long long)index,
               (unsigned long long)run->done);
  run->done++;
  run->reports[index] = *report;
  if (error) run->errors[index] = *error;
  if (!error)
    run->published++;
  else if (error->code == SINEW_ERROR_CANCELLED)
    run->cancelled++;
  else
    run->failed++;
  free((char *)job->path);
}

static bool on_progress(void *user, uint64_t jobs_done, uint64_t frames_done) {
  batch_run *run = user;
  cr_expect(pthread_equal(pthread_self(), run->caller));
  cr_expect(jobs_done >= run->jobs_told && jobs_done == run->done);
  cr_expect(frames_done >= run->frames_told);
  run->jobs_told = jobs_done;
  run->frames_told = frames_done;
  return !run->stop_after_frames || frames_done < run->stop_after_frames;
}

sinew_result batch_go(batch_run *run) {
  const sinew_batch batch = {
      .job_count = run->count, .open = open_job, .done = job_done, .progress = on_progress, .user = run};
  atomic_store(&run->opened, 0);
  run->done = run->published = run->cancelled = run->failed = run->frames_told = run->jobs_told = 0;
  run->caller = pthread_self();
  const sinew_result result = sinew_bake_batch(run->context, &batch, &run->error);
  cr_expect_eq(run->done, atomic_load(&run->opened), "every job that was begun is told");
  return result;
}

uint64_t batch_hash(const batch_run *run, uint64_t index) {
  char path[512];
  size_t byte_count;
  char *bytes = test_read_file(batch_path(run, index, path), &byte_count);
  if (!bytes) return 0;
  const uint64_t hash = test_hash(bytes, byte_count);
  free(bytes);
  return hash;
}
