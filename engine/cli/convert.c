#include "commands.h"

#include "clip_report.h"
#include "console.h"
#include "convert_plan.h"
#include "json_line.h"
#include "output_name.h"
#include "printable.h"
#include "progress.h"
#include "stop.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct conversion {
  const arguments *given;
  sinew_context *context;
  sinew_rig *rig;
  source_list sources;
  convert_plan plan;
  size_t clips_done; /* converted or failed */
  size_t converted;
  size_t failed;        /* clips, and inputs that cannot be read */
  double frames_before; /* of the clips done */
} conversion;

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

static void tell_failure(conversion *c, const char *input, const planned_clip *clip,
                         const sinew_error *error) {
  c->failed++;
  const sinew_error placed = placed_error(c, input, clip, error);
  complain_error(&placed);
  if (!c->given->json) return;
  const char *name = clip ? c->sources.items[clip->source].names[clip->clip] : NULL;
  failure_json(input, name, clip ? clip->path : NULL, error);
}

static bool output_allowed(const arguments *given) {
  const char *output = given->output;
  if (!output) return true;
  struct stat status;
  if (!output_is_glb(output))
    usage_error(COMMAND_CONVERT, "-o wants a file name that ends in .glb, not '%s'", output);
  else if (given->input_count > 1)
    usage_error(COMMAND_CONVERT, "-o names one file, but there are %zu inputs: use --outdir",
                given->input_count);
  else if (stat(output, &status) == 0 && S_ISDIR(status.st_mode))
    usage_error(COMMAND_CONVERT, "-o wants a file, and '%s' is a folder: use --outdir", output);
  else
    return true;
  return false;
}

static int open_context(conversion *c) {
  const sinew_context_options wanted = {.isa = c->given->isa, .thread_count = c->given->threads};
  sinew_error error;
  const sinew_result result = sinew_context_open(&wanted, &c->context, &error);
  if (result == SINEW_OK) return EXIT_OK;
  c->context = NULL;
  complain_error(&error);
  return result == SINEW_ERROR_ARGUMENT ? EXIT_USAGE : EXIT_SOME_FAILED;
}

static int open_rig(conversion *c) {
  const sinew_rig_options wanted = {.unit_scale = c->given->rig_scale, .read = c->given->read};
  sinew_error error;
  if (sinew_rig_open(c->given->rig, &wanted, &c->rig, &error) != SINEW_OK) {
    c->rig = NULL;
    tell_failure(c, c->given->rig, NULL, &error);
    return EXIT_SOME_FAILED;
  }
  const char *warning;
  for (uint32_t i = 0; (warning = sinew_rig_warning(c->rig, i)); i++) note("%s: %s", c->given->rig, warning);
  return EXIT_OK;
}

/* Reads every input once and plans its outputs. */
static int make_plan(conversion *c) {
  const arguments *given = c->given;
  sources_start(&c->sources, given->inputs, given->input_count, SOURCE_KEEP_BYTES, &given->read);
  for (size_t i = 0; i < c->sources.count; i++) {
    clip_source *source = &c->sources.items[i];
    sinew_error error;
    if (source_read(source, &error) != SINEW_OK) {
      tell_failure(c, source->path, NULL, &error);
      continue;
    }
    if (given->output && source->count != 1)
      return usage_error(COMMAND_CONVERT, "-o names one file, but %s has %u clips: use --outdir",
                         source->path, source->count);
    plan_add(&c->plan, &c->sources, i, given->output, given->outdir, given->fps);
    source_settle(&c->sources, source);
  }
  return EXIT_OK;
}

/* "walk.anim", or "walk.anim (clip 'idle')" when the file has several. */
static const char *described(const conversion *c, size_t planned, char *text, size_t size) {
  const planned_clip *clip = &c->plan.clips[planned];
  const clip_source *source = &c->sources.items[clip->source];
  if (source->count == 1)
    snprintf(text, size, "%s", source->path);
  else
    snprintf(text, size, "%s (clip '%s')", source->path, source->names[clip->clip]);
  return text;
}

static int check_plan(const conversion *c) {
  char first_text[4096], second_text[4096];
  size_t first, second;
  if (plan_collision(&c->plan, &first, &second)) {
    complain("%s and %s would both be written to %s: nothing is written",
             described(c, first, first_text, sizeof first_text),
             described(c, second, second_text, sizeof second_text), c->plan.clips[first].path);
    return EXIT_USAGE;
  }
  const size_t read_count = c->sources.count + 1;
  const char **read_paths = or_die(malloc(read_count * sizeof *read_paths));
  for (size_t i = 0; i < c->sources.count; i++) read_paths[i] = c->sources.items[i].path;
  read_paths[c->sources.count] = c->given->rig;
  size_t clip, read_path;
  const bool overwrites = plan_overwrites(&c->plan, read_paths, read_count, &clip, &read_path);
  if (overwrites)
    complain("%s would be written over the input %s: nothing is written", c->plan.clips[clip].path,
             read_paths[read_path]);
  free(read_paths);
  return overwrites ? EXIT_USAGE : EXIT_OK;
}

static int make_outdir(const conversion *c) {
  const char *folder = c->given->outdir;
  if (!folder || c->plan.count == 0 || make_folders(folder)) return EXIT_OK;
  complain("%s: cannot make the folder: %s", folder, strerror(errno));
  return EXIT_SOME_FAILED;
}

static bool on_progress(void *user, uint64_t frames_done, uint64_t frame_count) {
  (void)frame_count;
  const conversion *c = user;
  progress_show(c->clips_done, c->frames_before + (double)frames_done);
  return !stop_asked();
}

static void bake(conversion *c, const planned_clip *planned) {
  const clip_source *source = &c->sources.items[planned->source];
  const sinew_clip *clip = sinew_clip_file_clip(source->file, planned->clip);
  const char *slash = strrchr(source->path, '/');
  char *source_name = printable(slash ? slash + 1 : source->path);
  const sinew_bake_options wanted = {
      .rate_hz = c->given->fps,
      .quantize = c->given->quantize,
      .mesh = c->given->mesh,
      .no_verify = c->given->no_verify,
      .source_name = source_name,
      .progress = on_progress,
      .user = c,
  };
  sinew_bake_report baked = {0};
  sinew_error error;
  stop_defer(true);
  const sinew_result result =
      sinew_bake_glb(c->context, clip, c->rig, &wanted, planned->path, &baked, &error);
  /* the file is whole or not there: from here a signal may end the program, even while a reader of its output
   * sleeps */
  stop_defer(false);
  if (result == SINEW_OK) {
    c->converted++;
    const clip_report report = {source->path, planned->path, c->context, clip, &baked};
    if (c->given->json)
      clip_report_json(&report);
    else if (!c->given->quiet)
      clip_report_say(&report);
    clip_report_notes(source->path, clip, c->given->verbose);
  } else if (result != SINEW_ERROR_CANCELLED) {
    tell_failure(c, source->path, planned, &error);
  }
  free(source_name);
  if (result == SINEW_ERROR_CANCELLED) return;
  c->clips_done++;
  c->frames_before += (double)sinew_clip_frame_count(clip, c->given->fps);
}

/* The clips of one source stand together in the plan: [first, end). */
static void bake_source(conversion *c, size_t first, size_t end) {
  clip_source *source = &c->sources.items[c->plan.clips[first].source];
  sinew_error error;
  const bool open = source_open(source, &error) == SINEW_OK;
  for (size_t i = first; i < end && !stop_asked() && console_intact(); i++) {
    if (open) {
      bake(c, &c->plan.clips[i]);
    } else {
      tell_failure(c, source->path, &c->plan.clips[i], &error);
      c->clips_done++;
    }
  }
  source_close(source);
}

static int bake_all(conversion *c) {
  if (!c->given->quiet && !c->given->json) progress_start(c->plan.count, c->plan.frame_count);
  for (size_t first = 0, end; first < c->plan.count && !stop_asked() && console_intact(); first = end) {
    for (end = first + 1; end < c->plan.count && c->plan.clips[end].source == c->plan.clips[first].source;)
      end++;
    bake_source(c, first, end);
  }
  const bool stopped = stop_asked() && c->clips_done < c->plan.count;
  if (stopped)
    complain("stopped: %zu of %zu clips are written", c->converted, c->plan.count);
  else if (c->sources.count > 1)
    note("%zu converted, %zu failed", c->converted, c->failed);
  return stopped ? EXIT_STOPPED : c->failed ? EXIT_SOME_FAILED : EXIT_OK;
}

static int run(conversion *c) {
  int code = open_context(c);
  if (code == EXIT_OK && c->given->verbose) {
    char text[160];
    isa_text(c->context, c->given->isa, text, sizeof text);
    note("%s, profile %s, %u threads", text, sinew_context_profile(c->context),
         sinew_context_threads(c->context));
  }
  if (code == EXIT_OK) code = open_rig(c);
  if (code == EXIT_OK) code = make_plan(c);
  if (code == EXIT_OK) code = check_plan(c);
  if (code == EXIT_OK) code = make_outdir(c);
  return code == EXIT_OK ? bake_all(c) : code;
}

int convert_command(const arguments *given) {
  if (!output_allowed(given)) return EXIT_USAGE;
  conversion c = {.given = given};
  const int code = run(&c);
  plan_free(&c.plan);
  sources_free(&c.sources);
  if (c.rig) sinew_rig_close(c.rig);
  if (c.context) sinew_context_close(c.context);
  return code;
}
