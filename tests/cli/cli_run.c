#include "cli_run.h"

#include "support/data.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENT_MOST = 64 };

static char folder[256];
static char **kept; /* the texts of all runs, until the test ends */
static size_t kept_count;

static char *keep(char *text) {
  kept = realloc(kept, (kept_count + 1) * sizeof *kept);
  return kept[kept_count++] = text;
}

void cli_enter(void) {
  const char *above = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/sinew-cli-XXXXXX", above ? above : "/tmp");
  cr_assert(mkdtemp(folder), "a temporary folder can be made");
  cr_assert_eq(chdir(folder), 0);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
  (void)status;
  (void)type;
  (void)place;
  return remove(path);
}

void cli_leave(void) {
  cr_assert_eq(chdir("/"), 0);
  nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  for (size_t i = 0; i < kept_count; i++) free(kept[i]);
  free(kept);
}

static const char *from_environment(const char *name) {
  const char *value = getenv(name);
  cr_assert(value, "%s is set by the build", name);
  return value;
}

static void to_file(const char *path, int fd, int flags) {
  const int file = open(path, flags, 0666);
  if (file < 0 || dup2(file, fd) < 0) _exit(126);
  if (file != fd) close(file);
}

static pid_t start(const char *stdout_path, char *const *arguments) {
  const char *program = from_environment("SINEW_PROGRAM");
  const pid_t child = fork();
  cr_assert_geq(child, 0);
  if (child > 0) return child;
  to_file("/dev/null", 0, O_RDONLY);
  if (!stdout_path)
    to_file("out.txt", 1, O_WRONLY | O_CREAT | O_TRUNC);
  else if (strcmp(stdout_path, "-") == 0)
    close(1);
  else
    to_file(stdout_path, 1, O_WRONLY);
  to_file("err.txt", 2, O_WRONLY | O_CREAT | O_TRUNC);
  execv(program, arguments);
  _exit(127);
}

static char *whole_text(const char *path) {
  size_t byte_count;
  char *bytes = test_read_file(path, &byte_count);
  if (!bytes) return strdup("");
  bytes = realloc(bytes, byte_count + 1);
  bytes[byte_count] = 0;
  return bytes;
}

cli_run cli_wait(pid_t process) {
  int status;
  struct rusage used;
  cr_assert_eq(wait4(process, &status, 0, &used), process);
  cli_run run = {.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
  run.cpu_s = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
              (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
  run.peak_bytes = (size_t)used.ru_maxrss * 1024;
  run.out = keep(whole_text("out.txt"));
  run.err = keep(whole_text("err.txt"));
  unlink("out.txt");
  unlink("err.txt");
  return run;
}

static void collect(char **arguments, const char *first, va_list list) {
  size_t count = 0;
  arguments[count++] = (char *)"sinew";
  for (const char *word = first; word; word = va_arg(list, const char *)) {
    cr_assert_lt(count, (size_t)ARGUMENT_MOST);
    arguments[count++] = (char *)word;
  }
  arguments[count] = NULL;
}

cli_run cli(const char *first, ...) {
  char *arguments[ARGUMENT_MOST + 1];
  va_list list;
  va_start(list, first);
  collect(arguments, first, list);
  va_end(list);
  return cli_wait(start(NULL, arguments));
}

cli_run cli_to(const char *stdout_path, const char *first, ...) {
  char *arguments[ARGUMENT_MOST + 1];
  va_list list;
  va_start(list, first);
  collect(arguments, first, list);
  va_end(list);
  return cli_wait(start(stdout_path, arguments));
}

pid_t cli_start(const char *first, ...) {
  char *arguments[ARGUMENT_MOST + 1];
  va_list list;
  va_start(list, first);
  collect(arguments, first, list);
  va_end(list);
  return start(NULL, arguments);
}

pid_t cli_start_to(const char *stdout_path, const char *first, ...) {
  char *arguments[ARGUMENT_MOST + 1];
  va_list list;
  va_start(list, first);
  collect(arguments, first, list);
  va_end(list);
  return start(stdout_path, arguments);
}

const char *sample_clip(void) {
  static char path[1024];
  snprintf(path, sizeof path, "%s/scripts/sample/walk.anim", from_environment("SINEW_TEST_SOURCE"));
  return path;
}

const char *sample_rig(void) {
  static char path[1024];
  snprintf(path, sizeof path, "%s/scripts/sample/walker.fbx.meta", from_environment("SINEW_TEST_SOURCE"));
  return path;
}

const char *sample_bones(void) {
  static char path[1024];
  snprintf(path, sizeof path, "%s/scripts/sample/walk.bvh", from_environment("SINEW_TEST_SOURCE"));
  return path;
}

const char *sample_character(void) {
  static char path[1024];
  snprintf(path, sizeof path, "%s/scripts/sample/walker.glb", from_environment("SINEW_TEST_SOURCE"));
  return path;
}

void put_file(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  cr_assert(file, "%s can be written", path);
  fputs(text, file);
  cr_assert_eq(fclose(file), 0);
}

/* The line's number when its key is a time of the clip. */
static const char *time_value(const char *line) {
  static const char *const keys[] = {"time: ", "m_StopTime: "};
  const char *p = line + strspn(line, " ");
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strncmp(p, keys[i], strlen(keys[i])) == 0) return p + strlen(keys[i]);
  return NULL;
}

void put_clip(const char *path, const char *const *names, size_t copies, double stretch) {
  char *text = whole_text(sample_clip());
  cr_assert_gt(strlen(text), 1000u, "the sample clip is there");
  FILE *file = fopen(path, "wb");
  cr_assert(file, "%s can be written", path);
  for (size_t copy = 0; copy < copies; copy++) {
    for (const char *line = text, *end; *line; line = end) {
      const char *newline = strchr(line, '\n');
      end = newline ? newline + 1 : line + strlen(line);
      const char *value = time_value(line);
      if (*line == '%' && copy > 0) continue; /* the directives stand once, at the start */
      if (strncmp(line, "--- !u!74 &", 11) == 0)
        fprintf(file, "--- !u!74 &%zu\n", 7400000 + 2 * copy);
      else if (strncmp(line, "  m_Name: ", 10) == 0)
        fprintf(file, "  m_Name: %s\n", names[copy]);
      else if (value && stretch != 1)
        fprintf(file, "%.*s%.9g\n", (int)(value - line), line, stretch * strtod(value, NULL));
      else
        fwrite(line, 1, (size_t)(end - line), file);
    }
  }
  cr_assert_eq(fclose(file), 0);
  free(text);
}

bool file_exists(const char *path) {
  return access(path, F_OK) == 0;
}

size_t files_ending(const char *path, const char *suffix) {
  DIR *handle = opendir(path);
  if (!handle) return 0;
  size_t count = 0;
  for (struct dirent *entry; (entry = readdir(handle));) {
    const size_t length = strlen(entry->d_name), tail = strlen(suffix);
    if (length >= tail && strcmp(entry->d_name + length - tail, suffix) == 0) count++;
  }
  closedir(handle);
  return count;
}

size_t line_count(const char *text) {
  size_t count = 0;
  for (; *text; text++) count += *text == '\n';
  return count;
}
