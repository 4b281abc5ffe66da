/* The program `sinew`: a thin shell over sinew.h. */
#include "commands.h"
#include "console.h"
#include "stop.h"

static int dispatch(const arguments *given) {
  if (given->version) return version_command();
  if (given->help) return help_command(given);
  switch (given->command) {
  case COMMAND_CONVERT:
    return convert_command(given);
  case COMMAND_RIG:
    return rig_command(given);
  case COMMAND_INSPECT:
    return inspect_command(given);
  case COMMAND_SELFTEST:
    return selftest_command(given);
  case COMMAND_BENCH:
    return bench_command(given);
  case COMMAND_HELP:
    return help_command(given);
  case COMMAND_COUNT:
    break;
  }
  return help_short();
}

int main(int argc, char **argv) {
  console_start();
  stop_watch();
  arguments given;
  if (!arguments_parse(argc, argv, &given)) return EXIT_USAGE;
  if (given.quiet) console_quiet();
  return console_finish(dispatch(&given));
}
