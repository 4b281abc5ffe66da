/* Signals: a run that is stopped leaves finished files and nothing half written. */
#include "cli_run.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

TestSuite(stop, .init = cli_enter, .fini = cli_leave);

static void pause_ms(long ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

/* Waits until the process has begun to write; false when it ended before. */
static bool until_writing(pid_t process, const char *folder) {
  for (int i = 0; i < 60000; i++) {
    if (files_ending(folder, ".tmp") > 0) return true;
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == process)
      return false;
    pause_ms(1);
  }
  return false;
}

/* Waits for the end of a process that has been told to; kills it when it does not obey. */
static cli_run end_of(pid_t process) {
  siginfo_t info = {0};
  for (int i = 0; i < 20000; i++) {
    if (waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == process)
      break;
    pause_ms(1);
  }
  if (info.si_pid != process) kill(process, SIGKILL);
  return cli_wait(process);
}

static void stopped_by(int number) {
  static const char *const names[] = {"long"};
  put_clip("long.anim", names, 1, 60);
  put_clip("never.anim", names, 1, 1);
  const pid_t process = cli_start("convert", "long.anim", "never.anim", "--rig", sample_rig(), "--fps",
                                  "10000", "-j", "1", "--outdir", "o", NULL);
  cr_assert(until_writing(process, "o"), "the run is long enough to be stopped");
  cr_assert_eq(kill(process, number), 0);
  const cli_run run = end_of(process);
  cr_expect_eq(run.code, 130, "exit code %d: %s", run.code, run.err);
  cr_expect(strstr(run.err, "sinew: stopped: 0 of 2 clips are written\n"), "%s", run.err);
  cr_expect_eq(files_ending("o", ".tmp"), 0u);
  cr_expect_eq(files_ending("o", ".glb"), 0u);
}

Test(stop, interrupt) {
  stopped_by(SIGINT);
}

Test(stop, terminate) {
  stopped_by(SIGTERM);
}

Test(stop, finished_files_stay) {
  static const char *const names[] = {"short", "long"};
  put_clip("a.anim", names, 1, 1);
  put_clip("b.anim", names + 1, 1, 60);
  const pid_t process = cli_start("convert", "a.anim", "b.anim", "--rig", sample_rig(), "--fps", "10000",
                                  "--outdir", "o", NULL);
  for (int i = 0; i < 60000 && !file_exists("o/a.glb"); i++) pause_ms(1);
  cr_assert(until_writing(process, "o"), "the second clip is long enough to be stopped");
  cr_assert_eq(kill(process, SIGINT), 0);
  const cli_run run = end_of(process);
  cr_expect_eq(run.code, 130, "exit code %d: %s", run.code, run.err);
  cr_expect(file_exists("o/a.glb"));
  cr_expect_not(file_exists("o/b.glb"));
  cr_expect_eq(files_ending("o", ".tmp"), 0u);
}

/* A named pipe without a writer never delivers: reading is not writing, so a signal ends it at once. */
Test(stop, while_reading) {
  cr_assert_eq(mkfifo("pipe.anim", 0666), 0);
  const pid_t process = cli_start("convert", "pipe.anim", "--rig", sample_rig(), NULL);
  pause_ms(200);
  cr_assert_eq(kill(process, SIGINT), 0);
  const cli_run run = end_of(process);
  cr_expect_eq(run.code, 130, "exit code %d", run.code);
}
