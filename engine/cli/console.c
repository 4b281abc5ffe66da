#include "console.h"

#include "args.h"
#include "printable.h"
#include "progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool quiet;
static int stdout_errno; /* of the first write that failed */

void console_start(void) {
  for (int fd = 0; fd <= 2; fd++) {
    if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
    /* the lowest free number is fd; read-only, so that a write to it is refused */
    if (open("/dev/null", O_RDONLY) != fd) _exit(EXIT_SOME_FAILED);
  }
}

void console_quiet(void) {
  quiet = true;
}

static void stdout_result(bool written) {
  if (!written && !stdout_errno) stdout_errno = errno ? errno : EIO;
}

void say_text(const char *text) {
  if (stdout_errno) return;
  progress_clear();
  errno = 0;
  stdout_result(fputs(text, stdout) >= 0 && fflush(stdout) == 0);
}

static char *line_of(const char *format, va_list list) {
  char *raw = NULL;
  if (vasprintf(&raw, format, list) < 0) raw = NULL;
  or_die(raw);
  char *line = printable(raw);
  free(raw);
  return line;
}

void say(const char *format, ...) {
  va_list list;
  va_start(list, format);
  char *line = line_of(format, list);
  va_end(list);
  const size_t length = strlen(line);
  line = or_die(realloc(line, length + 2));
  memcpy(line + length, "\n", 2);
  say_text(line);
  free(line);
}

static void tell(const char *prefix, const char *format, va_list list) {
  char *line = line_of(format, list);
  progress_clear();
  fprintf(stderr, "%s%s\n", prefix, line);
  free(line);
}

void complain(const char *format, ...) {
  va_list list;
  va_start(list, format);
  tell("sinew: ", format, list);
  va_end(list);
}

void complain_error(const sinew_error *error) {
  char text[sizeof error->message + sizeof error->path + 64];
  complain("%s", sinew_error_text(error, text, sizeof text));
}

void note(const char *format, ...) {
  if (quiet) return;
  va_list list;
  va_start(list, format);
  tell("", format, list);
  va_end(list);
}

bool console_intact(void) {
  return stdout_errno == 0;
}

int console_finish(int code) {
  progress_clear();
  errno = 0;
  stdout_result(fclose(stdout) == 0);
  if (!stdout_errno) return code;
  complain("cannot write to standard output: %s", strerror(stdout_errno));
  return EXIT_SOME_FAILED;
}

void *or_die(void *pointer) {
  if (pointer) return pointer;
  fputs("sinew: out of memory\n", stderr);
  exit(EXIT_SOME_FAILED);
}
