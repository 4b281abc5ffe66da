#include "fault/whole_run.h"
#include "motion/made_biped.h"
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The files of a run, read once: what reads them must not be counted among what fails. */
typedef struct sample {
  char path[1100];
  char *bytes;
  size_t byte_count;
} sample;
static sample clip, rig;

static void load(sample *s, const char *path) {
  free(s->bytes);
  snprintf(s->path, sizeof s->path, "%s", path);
  s->bytes = test_read_file(path, &s->byte_count);
  cr_assert(s->bytes, "%s", path);
}

static bool is_of_bones(const whole_run *run) {
  return run->input == RUN_DELTA || run->input == RUN_FIXED || run->input == RUN_OWN;
}

/* The small sample with a skin of boxes, and a body of other bones that moves. */
static void make_bones(whole_run *run) {
  char path[1100];
  const sinew_bake_options boxes = {.mesh = SINEW_MESH_BOXES};
  sinew_context *context = test_open_context(NULL, 1);
  sinew_clip_file *walk = test_open_clip(clip.path);
  sinew_rig *walker = test_open_rig(rig.path);
  run->made_folder = test_folder_make();
  snprintf(path, sizeof path, "%s/walker.glb", run->made_folder);
  cr_assert_eq(sinew_bake(context, sinew_clip_file_clip(walk, 0), walker, &boxes, path, NULL, &run->error),
               SINEW_OK, "%s", run->error.message);
  sinew_rig_close(walker);
  sinew_clip_file_close(walk);
  sinew_context_close(context);
  load(&rig, path);
  if (run->input == RUN_OWN) {
    load(&clip, path);
    return;
  }
  char *text = biped_text("Bip001", " ", 70);
  snprintf(path, sizeof path, "%s/biped.bvh", run->made_folder);
  FILE *out = fopen(path, "w");
  cr_assert(out && fputs(text, out) >= 0 && fclose(out) == 0);
  free(text);
  load(&clip, path);
}

void run_setup(whole_run *run, run_input input) {
  *run = (whole_run){.input = input, .folder = test_folder_make()};
  snprintf(run->output_path, sizeof run->output_path, "%s/out.glb", run->folder);
  load(&clip, test_source("scripts/sample/walk_cut.anim"));
  load(&rig, test_source("scripts/sample/walker_cut.fbx.meta"));
  if (is_of_bones(run)) make_bones(run);
}

void run_teardown(whole_run *run) {
  test_folder_remove(run->folder);
  if (run->made_folder) test_folder_remove(run->made_folder);
  free(clip.bytes);
  free(rig.bytes);
  clip.bytes = rig.bytes = NULL;
}

/* A pipe that holds the sample and has no writer left, and its name as a file. Returns the end to close. */
static int fill_pipe(const sample *s, char path[64]) {
  int ends[2];
  cr_assert_eq(pipe(ends), 0);
  cr_assert_lt(s->byte_count, 65536u, "a pipe holds that much without a reader");
  cr_assert_eq(write(ends[1], s->bytes, s->byte_count), (ssize_t)s->byte_count);
  close(ends[1]);
  snprintf(path, 64, "/proc/self/fd/%d", ends[0]);
  return ends[0];
}

static const char *input_path(const whole_run *run, const sample *s, const char *pipe_path) {
  return run->input == RUN_PIPES ? pipe_path : s->path;
}

const char *run_path_of(const whole_run *run, run_step step) {
  return step == RUN_RIG    ? input_path(run, &rig, run->rig_path)
         : step == RUN_CLIP ? input_path(run, &clip, run->clip_path)
                            : run->output_path;
}

static sinew_result open_rig(whole_run *run, sinew_rig **opened) {
  const sinew_rig_options options = {.read = {.allocator = run->allocator}};
  const char *path = run_path_of(run, RUN_RIG);
  if (run->input == RUN_MEMORY || run->input == RUN_ROWS)
    return sinew_rig_open_memory(rig.bytes, rig.byte_count, path, &options, opened, &run->error);
  return sinew_rig_open(path, &options, opened, &run->error);
}

/* 70 rows of three columns, one of which is not read. */
static sinew_result open_rows(const whole_run *run, sinew_clip_file **opened, sinew_error *error) {
  enum { FRAMES = 70 };
  static float values[FRAMES][3];
  static const char *const columns[3] = {"Left Arm Down-Up", NULL, "RootT.y"};
  const sinew_read_options options = {.allocator = run->allocator};
  for (int f = 0; f < FRAMES; f++) values[f][0] = 0.01F * (float)f, values[f][2] = 1;
  const sinew_row_clip rows = {.name = "rows",
                               .rate_hz = 30,
                               .frame_count = FRAMES,
                               .values = values[0],
                               .column_count = 3,
                               .columns = columns,
                               .copy = true};
  return sinew_clip_from_rows(&rows, &options, opened, error);
}

static sinew_result open_clip(whole_run *run, sinew_clip_file **opened) {
  const sinew_figure_options figure = {.fix_biped = run->input == RUN_FIXED};
  const sinew_read_options options = {.allocator = run->allocator, .figure = &figure};
  if (run->input == RUN_ROWS) return open_rows(run, opened, &run->error);
  const char *path = run_path_of(run, RUN_CLIP);
  if (run->input == RUN_MEMORY)
    return sinew_clip_file_open_memory(clip.bytes, clip.byte_count, path, &options, opened, &run->error);
  return sinew_clip_file_open(path, &options, opened, &run->error);
}

static sinew_result run_steps(whole_run *run, sinew_context **context, sinew_rig **opened_rig,
                              sinew_clip_file **opened_clip) {
  const sinew_context_options options = {.thread_count = 1, .allocator = run->allocator};
  run->step = RUN_CONTEXT;
  sinew_result result = sinew_context_open(&options, context, &run->error);
  if (result != SINEW_OK) return result;
  run->step = RUN_RIG;
  result = run->input == RUN_OWN ? SINEW_OK : open_rig(run, opened_rig);
  if (result != SINEW_OK) return result;
  run->step = RUN_CLIP;
  result = open_clip(run, opened_clip);
  if (result != SINEW_OK) return result;
  run->step = RUN_BAKE;
  result = sinew_bake(*context, sinew_clip_file_clip(*opened_clip, 0), *opened_rig, &run->options,
                          run->output_path, NULL, &run->error);
  if (result == SINEW_OK) run->step = RUN_STEP_COUNT;
  return result;
}

sinew_result run_whole(whole_run *run) {
  sinew_context *context = NULL;
  sinew_rig *opened_rig = NULL;
  sinew_clip_file *opened_clip = NULL;
  int ends[2] = {-1, -1};
  if (run->input == RUN_PIPES) {
    ends[0] = fill_pipe(&clip, run->clip_path);
    ends[1] = fill_pipe(&rig, run->rig_path);
  }
  run->error = (sinew_error){0};
  sinew_result result = run_steps(run, &context, &opened_rig, &opened_clip);
  cr_expect(opened_clip || run->step <= RUN_CLIP, "a step that failed leaves no handle");
  sinew_clip_file_close(opened_clip);
  sinew_rig_close(opened_rig);
  sinew_context_close(context);
  for (int i = 0; i < 2; i++)
    if (ends[i] >= 0) close(ends[i]);
  return result;
}

uint64_t run_take_output(const whole_run *run) {
  size_t byte_count;
  char *bytes = test_read_file(run->output_path, &byte_count);
  if (!bytes) return 0;
  uint64_t hash = test_hash(bytes, byte_count);
  free(bytes);
  unlink(run->output_path);
  return hash;
}
