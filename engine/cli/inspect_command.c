#include "commands.h"

#include "bvh_inspect.h"
#include "clip_inspect.h"
#include "console.h"
#include "glb_inspect.h"
#include "json_line.h"
#include "rig_report.h"

/* Of the objects that --json prints: raised when a member changes its meaning or goes. */
enum { INSPECT_VERSION = 1 };

typedef struct inspect_run {
  const arguments *given;
  sinew_context *context; /* opened for the first clip */
  size_t failed;
  bool said; /* something stands above */
} inspect_run;

static json_t *begin_object(const char *path, bool ok) {
  json_t *object = json_begin();
  json_put(object, "inspect", json_of_count(INSPECT_VERSION));
  json_put(object, "input", json_of_text(path));
  json_put(object, "ok", json_boolean(ok));
  return object;
}

static void tell_failure(inspect_run *run, const char *path, const sinew_error *error) {
  run->failed++;
  complain_error(error);
  if (!run->given->json) return;
  json_t *object = begin_object(path, false);
  json_put(object, "error", json_of_error(error));
  json_say(object);
}

static void tell_json(const char *path, const sinew_inspection *found, const clip_inspection *clips) {
  json_t *object = begin_object(path, true);
  if (clips->file) {
    json_put(object, "holds", json_of_text("clip"));
    clip_inspect_fill(object, clips);
  } else if (sinew_inspection_rig(found)) {
    json_put(object, "holds", json_of_text("rig"));
    json_put(object, "bytes", json_of_count(sinew_inspection_byte_count(found)));
    rig_report_fill(object, sinew_inspection_rig(found));
  } else if (sinew_inspection_bvh(found)) {
    json_put(object, "holds", json_of_text("bvh"));
    bvh_inspect_fill(object, sinew_inspection_bvh(found));
  } else {
    json_put(object, "holds", json_of_text("glb"));
    glb_inspect_fill(object, sinew_inspection_glb(found));
  }
  json_say(object);
}

static void tell_lines(inspect_run *run, const char *path, const sinew_inspection *found,
                       const clip_inspection *clips) {
  if (run->said) say_text("\n");
  run->said = true;
  if (clips->file)
    clip_inspect_say(clips);
  else if (sinew_inspection_rig(found))
    rig_report_say(path, sinew_inspection_rig(found), run->given->rig_scale > 0);
  else if (sinew_inspection_bvh(found))
    bvh_inspect_say(path, sinew_inspection_bvh(found), run->given->verbose);
  else
    glb_inspect_say(path, sinew_inspection_glb(found), run->given->verbose);
}

/* EXIT_OK, or the code to end with. */
static int need_context(inspect_run *run) {
  if (run->context) return EXIT_OK;
  const sinew_context_options one_thread = {.thread_count = 1};
  sinew_error error;
  if (sinew_context_open(&one_thread, &run->context, &error) == SINEW_OK) return EXIT_OK;
  run->context = NULL;
  complain_error(&error);
  return error.code == SINEW_ERROR_ARGUMENT ? EXIT_USAGE : EXIT_SOME_FAILED;
}

static int inspect_file(inspect_run *run, const char *path) {
  const sinew_rig_options wanted = {.unit_scale = run->given->rig_scale, .read = run->given->read};
  sinew_inspection *found = NULL;
  sinew_error error;
  if (sinew_inspect(path, &wanted, &found, &error) != SINEW_OK) {
    tell_failure(run, path, &error);
    return EXIT_OK;
  }
  const int code = sinew_inspection_clips(found) ? need_context(run) : EXIT_OK;
  const clip_inspection clips = {
      .path = path,
      .context = run->context,
      .file = sinew_inspection_clips(found),
      .byte_count = sinew_inspection_byte_count(found),
      .rate_hz = run->given->fps,
      .verbose = run->given->verbose,
  };
  if (code == EXIT_OK && run->given->json)
    tell_json(path, found, &clips);
  else if (code == EXIT_OK && !run->given->quiet)
    tell_lines(run, path, found, &clips);
  sinew_inspection_close(found);
  return code;
}

int inspect_command(const arguments *given) {
  inspect_run run = {.given = given};
  int code = EXIT_OK;
  for (size_t i = 0; i < given->input_count && code == EXIT_OK && console_intact(); i++)
    code = inspect_file(&run, given->inputs[i]);
  if (run.context) sinew_context_close(run.context);
  if (code != EXIT_OK) return code;
  return run.failed ? EXIT_SOME_FAILED : EXIT_OK;
}
