#include "commands.h"

#include "console.h"
#include "conversion.h"
#include "format_choice.h"
#include "name_list.h"
#include "output_name.h"
#include "rig_report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool output_allowed(const arguments *given) {
  const char *output = given->output;
  if (!output) return true;
  struct stat status;
  if (given->input_count > 1)
    usage_error(COMMAND_CONVERT, "-o names one file, but there are %zu inputs: use --outdir",
                given->input_count);
  else if (stat(output, &status) == 0 && S_ISDIR(status.st_mode))
    usage_error(COMMAND_CONVERT, "-o wants a file, and '%s' is a folder: use --outdir", output);
  else
    return true;
  return false;
}

/* Options that would do nothing are mistakes. */
static bool options_fit(const arguments *given) {
  if (given->rig) return true;
  if (given->rig_map)
    usage_error(COMMAND_CONVERT, "--rig-map corrects the bones of --rig RIG, and there is none");
  else if (given->rig_scale > 0)
    usage_error(COMMAND_CONVERT, "--rig-scale is the unit of --rig RIG, and there is none");
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
  if (!c->given->rig) return EXIT_OK;
  const sinew_figure_options figure = {.map_path = c->given->rig_map, .fix_biped = c->given->fix_biped};
  sinew_rig_options wanted = {.unit_scale = c->given->rig_scale, .read = c->given->read};
  wanted.read.figure = &figure;
  sinew_error error;
  if (sinew_rig_open(c->given->rig, &wanted, &c->rig, &error) != SINEW_OK) {
    c->rig = NULL;
    tell_failure(c, c->given->rig, NULL, &error);
    return EXIT_SOME_FAILED;
  }
  if (c->given->rig_map && rig_states_bones(c->rig))
    return usage_error(COMMAND_CONVERT,
                       "%s says itself which node is which bone: --rig-map is for those that are found",
                       c->given->rig);
  const char *warning;
  for (uint32_t i = 0; (warning = sinew_rig_warning(c->rig, i)); i++) note("%s: %s", c->given->rig, warning);
  return EXIT_OK;
}

static int open_clip_rig(conversion *c) {
  if (!c->given->clip_rig) return EXIT_OK;
  const sinew_figure_options figure = {.fix_biped = c->given->fix_biped};
  sinew_rig_options wanted = {.read = c->given->read};
  wanted.read.figure = &figure;
  sinew_error error;
  if (sinew_rig_open(c->given->clip_rig, &wanted, &c->clip_rig, &error) != SINEW_OK) {
    c->clip_rig = NULL;
    tell_failure(c, c->given->clip_rig, NULL, &error);
    return EXIT_SOME_FAILED;
  }
  const char *warning;
  for (uint32_t i = 0; (warning = sinew_rig_warning(c->clip_rig, i)); i++)
    note("%s: %s", c->given->clip_rig, warning);
  return EXIT_OK;
}

static void tell_no_such_clip(conversion *c, const clip_source *source) {
  sinew_error error = {.code = SINEW_ERROR_ARGUMENT};
  name_list names = {0};
  for (uint32_t i = 0; i < source->count; i++) name_list_add(&names, source->names[i]);
  snprintf(error.path, sizeof error.path, "%s", source->path);
  snprintf(error.message, sizeof error.message, "has no clip '%s', but: %.*s", c->given->clip, 200,
           name_list_text(&names));
  tell_failure(c, source->path, NULL, &error);
}

static int plan_source(conversion *c, size_t index) {
  const arguments *given = c->given;
  const clip_source *source = &c->sources.items[index];
  if (source->has_muscles && !given->rig && format_holds_bones(c->format))
    return usage_error(COMMAND_CONVERT, "%s is a clip of muscles, which wants --rig RIG", source->path);
  if (source->has_bones && !format_fits_bones(given, c->format, source->path)) return EXIT_USAGE;
  const plan_naming naming = {.clip = given->clip,
                              .output = given->output,
                              .folder = given->outdir,
                              .suffix = sinew_format_name(c->format)};
  const uint32_t count = plan_add(&c->plan, &c->sources, index, &naming);
  if (count == 0)
    tell_no_such_clip(c, source);
  else if (given->output && count != 1)
    return usage_error(COMMAND_CONVERT, "-o names one file, but %s has %u clips: use --outdir or --clip",
                       source->path, source->count);
  return EXIT_OK;
}

/* The first option that says something of clips of bones alone; OPTION_COUNT: there is none. */
static option_id option_of_bones(const arguments *given) {
  if (given->map) return OPTION_MAP;
  if (given->tpose_frame) return OPTION_TPOSE_FRAME;
  if (given->unit_scale > 0) return OPTION_UNIT_SCALE;
  if (given->clip_rig) return OPTION_CLIP_RIG;
  if (given->tdof) return OPTION_TDOF;
  return given->limb_given ? OPTION_LIMB : OPTION_COUNT;
}

static int bones_wanted(const conversion *c) {
  const option_id id = option_of_bones(c->given);
  if (id == OPTION_COUNT) return EXIT_OK;
  for (size_t i = 0; i < c->sources.count; i++)
    if (c->sources.items[i].error || c->sources.items[i].has_bones) return EXIT_OK;
  return usage_error(COMMAND_CONVERT, "--%s is for clips of bones, and there are none", options[id].name);
}

/* Reads every input once and plans its outputs. */
static int make_plan(conversion *c) {
  const arguments *given = c->given;
  sources_start(&c->sources, given->inputs, given->input_count, source_keep_bytes, given->fps, &c->read);
  sources_read(&c->sources, sinew_context_threads(c->context));
  for (size_t i = 0; i < c->sources.count; i++) {
    const clip_source *source = &c->sources.items[i];
    if (source->error)
      tell_failure(c, source->path, NULL, source->error);
    else if (plan_source(c, i) != EXIT_OK)
      return EXIT_USAGE;
  }
  return bones_wanted(c);
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
  const char *const others[] = {c->given->rig, c->given->clip_rig, c->given->map, c->given->rig_map};
  enum { OTHERS = sizeof others / sizeof *others };
  size_t read_count = 0;
  const char **read_paths = or_die(malloc((c->sources.count + OTHERS) * sizeof *read_paths));
  for (size_t i = 0; i < c->sources.count; i++) read_paths[read_count++] = c->sources.items[i].path;
  for (size_t i = 0; i < OTHERS; i++)
    if (others[i]) read_paths[read_count++] = others[i];
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

static int run(conversion *c) {
  int code = open_context(c);
  if (code == EXIT_OK && c->given->verbose) {
    char text[160];
    isa_text(c->context, c->given->isa, text, sizeof text);
    note("%s, profile %s, %u threads", text, sinew_context_profile(c->context),
         sinew_context_threads(c->context));
  }
  if (code == EXIT_OK) code = open_rig(c);
  if (code == EXIT_OK) code = open_clip_rig(c);
  if (code == EXIT_OK) code = make_plan(c);
  if (code == EXIT_OK) code = check_plan(c);
  if (code == EXIT_OK) code = make_outdir(c);
  return code == EXIT_OK ? bake_all(c) : code;
}

int convert_command(const arguments *given) {
  sinew_format format;
  if (!format_choose(given, &format) || !output_allowed(given) || !options_fit(given) ||
      !format_options_fit(given, format))
    return EXIT_USAGE;
  const sinew_figure_options figure = {.map_path = given->map,
                                       .tpose_frame = given->tpose_frame,
                                       .unit_scale = given->unit_scale,
                                       .fix_biped = given->fix_biped};
  conversion c = {.given = given, .read = given->read, .format = format};
  c.read.figure = &figure;
  const int code = run(&c);
  plan_free(&c.plan);
  sources_free(&c.sources);
  if (c.rig) sinew_rig_close(c.rig);
  if (c.clip_rig) sinew_rig_close(c.clip_rig);
  if (c.context) sinew_context_close(c.context);
  return code;
}
