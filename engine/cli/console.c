#include "console.h"

#include "args.h"
#include "printable.h"
#include "progress.h"
#include "stop.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool quiet;
static int stdout_errno; /* of the first write that failed */
static bool cut_short;   /* a stop was asked for while a reader slept */

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

enum { WAIT_MS = 100 };

/* Until fd takes PIPE_BUF bytes without a wait, or a stop is asked for: nobody shall have to kill a program
 * whose reader sleeps. */
static bool wait_for_reader(int fd) {
  struct pollfd wanted = {.fd = fd, .events = POLLOUT};
  for (;;) {
    const int ready = poll(&wanted, 1, stop_asked() ? 0 : WAIT_MS);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true; /* writing will tell what is wrong */
    if (stop_asked()) return false;
  }
}

/* True also where a stop cut the text short. */
static bool write_text(int fd, const char *text, size_t length) {
  while (length) {
    if (!wait_for_reader(fd)) {
      cut_short = true;
      return true;
    }
    const ssize_t written = write(fd, text, length < PIPE_BUF ? length : PIPE_BUF);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text += written;
    length -= (size_t)written;
  }
  return true;
}

void say_text(const char *text) {
  if (stdout_errno) return;
  progress_clear();
  errno = 0;
  stdout_result(write_text(STDOUT_FILENO, text, strlen(text)));
}

static char *line_of(const char *format, va_list list) {
  char *raw = NULL;
  if (vasprintf(&raw, format, list) < 0) raw = NULL;
  or_die(raw);
  char *line = printable(raw);
  free(raw);
  return line;
}

static char *ended(const char *prefix, char *line) {
  char *text = NULL;
  if (asprintf(&text, "%s%s\n", prefix, line) < 0) text = NULL;
  free(line);
  return or_die(text);
}

void say(const char *format, ...) {
  va_list list;
  va_start(list, format);
  char *text = ended("", line_of(format, list));
  va_end(list);
  say_text(text);
  free(text);
}

static void tell(const char *prefix, const char *format, va_list list) {
  char *text = ended(prefix, line_of(format, list));
  progress_clear();
  write_text(STDERR_FILENO, text, strlen(text));
  free(text);
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

bool console_cut_short(void) {
  return cut_short;
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
