#include "commands.h"

#include "console.h"
#include "json_line.h"
#include "rig_report.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* A rig file that replaced its source would leave only itself. */
static bool is_same_file(const char *a, const char *b) {
  struct stat left, right;
  return stat(a, &left) == 0 && stat(b, &right) == 0 && left.st_dev == right.st_dev &&
         left.st_ino == right.st_ino;
}

/* Two names of one place, whether something stands there or not. */
static bool is_same_place(const char *a, const char *b) {
  if (strcmp(a, b) == 0 || is_same_file(a, b)) return true;
  char *left = or_die(strdup(a)), *right = or_die(strdup(b));
  const char *left_name = strrchr(a, '/'), *right_name = strrchr(b, '/');
  const bool named_alike = strcmp(left_name ? left_name + 1 : a, right_name ? right_name + 1 : b) == 0;
  const bool same = named_alike && is_same_file(dirname(left), dirname(right));
  free(left);
  free(right);
  return same;
}

static bool ends_in_json(const char *path) {
  const char *base = strrchr(path, '/');
  base = base ? base + 1 : path;
  const size_t length = strlen(base), tail = strlen(".json");
  return length > tail && strcasecmp(base + length - tail, ".json") == 0;
}

static int failed(const arguments *given, const char *output, const sinew_error *error) {
  complain_error(error);
  if (given->json) failure_json(given->inputs[0], NULL, output, error);
  return EXIT_SOME_FAILED;
}

static void report(const arguments *given, const sinew_rig *rig) {
  const char *path = given->inputs[0];
  if (!given->json) {
    rig_report_say(path, rig, given->rig_scale > 0);
    if (given->output) say("written         %s", given->output);
    if (given->map_out) say("map written     %s", given->map_out);
    return;
  }
  json_t *object = json_begin();
  json_put(object, "input", json_of_text(path));
  json_put(object, "output", json_of_text(given->output));
  json_put(object, "mapOut", json_of_text(given->map_out));
  json_put(object, "ok", json_true());
  rig_report_fill(object, rig);
  json_say(object);
}

static int check_outputs(const arguments *given) {
  const char *const outputs[] = {given->output, given->map_out}, *const names[] = {"-o", "--map-out"};
  for (int i = 0; i < 2; i++) {
    if (!outputs[i]) continue;
    if (!ends_in_json(outputs[i]))
      return usage_error(COMMAND_RIG, "%s '%s': its name ends in .json", names[i], outputs[i]);
    if (is_same_file(given->inputs[0], outputs[i]) || (given->map && is_same_file(given->map, outputs[i])))
      return usage_error(COMMAND_RIG, "%s '%s' would replace an input", names[i], outputs[i]);
  }
  if (given->output && given->map_out && is_same_place(given->output, given->map_out))
    return usage_error(COMMAND_RIG, "-o and --map-out name one file");
  return EXIT_OK;
}

/* Whichever is wanted; the first that fails ends it. */
static int write_outputs(const arguments *given, const sinew_rig *rig) {
  sinew_error error;
  if (given->output && sinew_rig_save(rig, given->output, &error) != SINEW_OK)
    return failed(given, given->output, &error);
  if (given->map_out && sinew_rig_save_map(rig, given->map_out, &error) != SINEW_OK)
    return failed(given, given->map_out, &error);
  return EXIT_OK;
}

int rig_command(const arguments *given) {
  int code = check_outputs(given);
  if (code != EXIT_OK) return code;
  const sinew_figure_options figure = {
      .map_path = given->map, .tpose_frame = given->tpose_frame, .fix_biped = given->fix_biped};
  sinew_rig_options wanted = {.unit_scale = given->rig_scale, .read = given->read};
  wanted.read.figure = &figure;
  sinew_rig *rig = NULL;
  sinew_error error;
  if (sinew_rig_open(given->inputs[0], &wanted, &rig, &error) != SINEW_OK) return failed(given, NULL, &error);
  if (rig_states_bones(rig) && (given->map || given->tpose_frame)) {
    const char *option = given->map ? "map" : "tpose-frame";
    code = usage_error(
        COMMAND_RIG,
        "%s says itself which node is which bone and how its T-pose is: --%s is for those that are found",
        given->inputs[0], option);
  }
  if (code == EXIT_OK) code = write_outputs(given, rig);
  if (code == EXIT_OK) report(given, rig);
  sinew_rig_close(rig);
  return code;
}
