/* One function per command: it does the work and returns the exit code. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "args.h"
#include "sinew.h"

int convert_command(const arguments *given);
int rig_command(const arguments *given);
int inspect_command(const arguments *given);
int selftest_command(const arguments *given);
int bench_command(const arguments *given);
/* `sinew help`, `sinew help COMMAND`, and --help of a command. */
int help_command(const arguments *given);
/* The usage in a few lines, on stderr. */
int help_short(void);
int version_command(void);

/* "isa avx2 (best of this CPU: avx512; lowered by --isa)": what a context runs and why. asked: the value of
 * --isa. */
void isa_text(const sinew_context *context, const char *asked, char *text, size_t size);

#endif
