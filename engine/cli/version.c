#include "commands.h"

#include "console.h"

#include <stdio.h>
#include <string.h>

void isa_text(const sinew_context *context, const char *asked, char *text, size_t size) {
  const char *chosen = sinew_context_isa(context);
  const char *best = sinew_isa_available(0);
  if (!best || strcmp(chosen, best) == 0)
    snprintf(text, size, "isa %s (best of this CPU)", chosen);
  else
    snprintf(text, size, "isa %s (best of this CPU: %s; lowered by %s)", chosen, best,
             asked ? "--isa" : "SINEW_ISA");
}

int version_command(void) {
  say("sinew %s", sinew_version());
  const sinew_context_options one_thread = {.thread_count = 1};
  sinew_context *context = NULL;
  sinew_error error;
  if (sinew_context_open(&one_thread, &context, &error) != SINEW_OK) {
    complain_error(&error);
    return EXIT_USAGE;
  }
  char text[160];
  isa_text(context, NULL, text, sizeof text);
  say("%s", text);
  say("profile %s", sinew_context_profile(context));
  sinew_context_close(context);
  return EXIT_OK;
}
