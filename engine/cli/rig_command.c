#include "commands.h"

#include "console.h"
#include "json_line.h"
#include "rig_report.h"

int rig_command(const arguments *given) {
  const char *path = given->inputs[0];
  const sinew_rig_options wanted = {.unit_scale = given->rig_scale, .read = given->read};
  sinew_rig *rig = NULL;
  sinew_error error;
  if (sinew_rig_open(path, &wanted, &rig, &error) != SINEW_OK) {
    complain_error(&error);
    if (given->json) failure_json(path, NULL, NULL, &error);
    return EXIT_SOME_FAILED;
  }
  if (given->json) {
    json_t *object = json_begin();
    json_put(object, "input", json_of_text(path));
    json_put(object, "ok", json_true());
    rig_report_fill(object, rig);
    json_say(object);
  } else {
    rig_report_say(path, rig, given->rig_scale > 0);
  }
  sinew_rig_close(rig);
  return EXIT_OK;
}
