#include "commands.h"

#include "console.h"
#include "json_line.h"
#include "rig_report.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* A rig file that replaced its source would leave only itself. */
static bool is_same_file(const char *a, const char *b) {
  struct stat left, right;
  return stat(a, &left) == 0 && stat(b, &right) == 0 && left.st_dev == right.st_dev &&
         left.st_ino == right.st_ino;
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
    return;
  }
  json_t *object = json_begin();
  json_put(object, "input", json_of_text(path));
  json_put(object, "output", json_of_text(given->output));
  json_put(object, "ok", json_true());
  rig_report_fill(object, rig);
  json_say(object);
}

int rig_command(const arguments *given) {
  const char *path = given->inputs[0], *output = given->output;
  if (output && !ends_in_json(output))
    return usage_error(COMMAND_RIG, "-o '%s': a rig file's name ends in .json", output);
  if (output && is_same_file(path, output))
    return usage_error(COMMAND_RIG, "-o '%s' would replace the input", output);
  const sinew_rig_options wanted = {.unit_scale = given->rig_scale, .read = given->read};
  sinew_rig *rig = NULL;
  sinew_error error;
  if (sinew_rig_open(path, &wanted, &rig, &error) != SINEW_OK) return failed(given, NULL, &error);
  int code = EXIT_OK;
  if (output && sinew_rig_save(rig, output, &error) != SINEW_OK)
    code = failed(given, output, &error);
  else
    report(given, rig);
  sinew_rig_close(rig);
  return code;
}
