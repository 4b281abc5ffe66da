#include "commands.h"

#include "console.h"

#include <string.h>

static void on_line(void *user, const char *text) {
  const arguments *given = user;
  const bool failed = strncmp(text, "FAIL ", 5) == 0;
  if (failed || given->verbose) say("%s", text);
}

int selftest_command(const arguments *given) {
  uint32_t passed = 0, failed = 0;
  arguments copy = *given;
  sinew_selftest(on_line, &copy, &passed, &failed);
  say("%u passed, %u failed", passed, failed);
  return failed ? EXIT_SOME_FAILED : EXIT_OK;
}
