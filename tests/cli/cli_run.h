/* Runs the built program in a folder of its own and holds what came of it. */
#ifndef TESTS_CLI_RUN_H
#define TESTS_CLI_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct cli_run {
  int code;        /* the exit code; 128 + number when a signal ended it */
  const char *out; /* until the test ends */
  const char *err;
  double cpu_s;      /* processor time it took */
  size_t peak_bytes; /* most memory it held, or this process held when it began */
} cli_run;

/* Makes an empty temporary folder and goes there; cli_leave removes it and all inside. Used as a suite's init
 * and fini. */
void cli_enter(void);
void cli_leave(void);

/* Runs `sinew` with the arguments up to a NULL. */
cli_run cli(const char *first, ...) __attribute__((sentinel));
/* The same with stdout on a file or device that exists; "-": closed. out is then empty. */
cli_run cli_to(const char *stdout_path, const char *first, ...) __attribute__((sentinel));

/* Starts `sinew` and returns; stdout and stderr go to the files out.txt and err.txt. */
pid_t cli_start(const char *first, ...) __attribute__((sentinel));
/* The same with stdout on what exists under a path. */
pid_t cli_start_to(const char *stdout_path, const char *first, ...) __attribute__((sentinel));
/* Waits for it. */
cli_run cli_wait(pid_t process);

/* The sample of the source tree: a clip of muscles and its rig, the same as a clip of bones and as a character. */
const char *sample_clip(void);
const char *sample_rig(void);
const char *sample_bones(void);
const char *sample_character(void);

/* Writes a file in the current folder. */
void put_file(const char *path, const char *text);

/* The sample clip under another name, `copies` times in one file, its times stretched by a factor. names: one
 * per copy. */
void put_clip(const char *path, const char *const *names, size_t copies, double stretch);

bool file_exists(const char *path);
/* The number of entries in a folder whose names end with suffix; 0 when there is no folder. */
size_t files_ending(const char *folder, const char *suffix);

size_t line_count(const char *text);

#endif
