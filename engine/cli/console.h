/* What the program says. Results go to stdout, messages to stderr, every line through the printable filter,
 * and none into the progress line. */
#ifndef CLI_CONSOLE_H
#define CLI_CONSOLE_H

#include "sinew.h"

/* Opens whatever of the three standard streams is closed, so that no file the program writes gets their
 * numbers; a closed stdout then fails like a full one. */
void console_start(void);

/* From now on note() is silent. */
void console_quiet(void);

/* One line of results. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The program's own text, as it stands, newlines and all. */
void say_text(const char *text);

/* "sinew: ..." on stderr. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void complain_error(const sinew_error *error);

/* One line on stderr that can be silenced. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* False once stdout has refused something: the rest of the work cannot be reported. */
bool console_intact(void);
/* Whether something was left unsaid because a stop was asked for while its reader slept. */
bool console_cut_short(void);

/* The exit code: `code`, or EXIT_SOME_FAILED with a message when stdout has refused something. */
int console_finish(int code);

/* The pointer, unless it is NULL: then the program ends with a message. For small allocations of the program
 * itself. */
void *or_die(void *pointer);

#endif
