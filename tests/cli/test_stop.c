/* Signals: a run that is stopped leaves finished files and nothing half written. */
#include "cli_run.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
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

/* So long that a run of it lasts for seconds: a busy machine may keep us from looking for one. */
static void put_long(const char *path) {
  static const char *const names[] = {"long"};
  put_clip(path, names, 1, 200);
}

static void stopped_by(int number) {
  static const char *const names[] = {"short"};
  signal(number, SIG_DFL); /* what runs us may ignore it, and so would the program */
  put_long("long.anim");
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

Test(stop, hang_up) {
  stopped_by(SIGHUP);
}

Test(stop, finished_files_stay) {
  static const char *const names[] = {"short"};
  put_clip("a.anim", names, 1, 1);
  put_long("b.anim");
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

/* What nobody can handle: no file is visible but whole ones. */
Test(stop, killed) {
  static const char *const names[] = {"short"};
  put_clip("a.anim", names, 1, 1);
  put_long("b.anim");
  const pid_t process = cli_start("convert", "a.anim", "b.anim", "--rig", sample_rig(), "--fps", "10000",
                                  "--outdir", "o", NULL);
  for (int i = 0; i < 60000 && !file_exists("o/a.glb"); i++) pause_ms(1);
  cr_assert(until_writing(process, "o"), "the second clip is long enough to be killed in");
  cr_assert_eq(kill(process, SIGKILL), 0);
  cr_expect_eq(end_of(process).code, 128 + SIGKILL);
  cr_expect_eq(files_ending("o", ".glb"), 1u);
  cr_expect_eq(cli("inspect", "o/a.glb", NULL).code, 0);
  /* and the next run is not hindered by what is left */
  const cli_run again =
      cli("convert", "b.anim", "--rig", sample_rig(), "--fps", "100", "--outdir", "o", NULL);
  cr_expect_eq(again.code, 0, "%s", again.err);
}

static void stop_many(int number) {
  static const char *const names[] = {"walk"};
  char path[32];
  for (int i = 0; i < 40; i++) {
    snprintf(path, sizeof path, "c%02d.anim", i);
    put_clip(path, names, 1, 1);
  }
  const pid_t process =
      cli_start("convert", "c00.anim", "c01.anim", "c02.anim", "c03.anim", "c04.anim", "c05.anim", "c06.anim",
                "c07.anim", "c08.anim", "c09.anim", "c10.anim", "c11.anim", "--rig", sample_rig(), "--fps",
                "20000", "-j", "4", "--outdir", "o", NULL);
  for (int i = 0; i < 60000 && !file_exists("o/c02.glb"); i++) pause_ms(1);
  kill(process, number);
  const cli_run run = end_of(process);
  /* one that had ended all its work by then is no failure */
  cr_expect(run.code == 130 || (run.code == 0 && files_ending("o", ".glb") == 12), "exit code %d: %s",
            run.code, run.err);
  cr_expect_eq(files_ending("o", ".tmp"), 0u);
  if (run.code != 130) return;
  char expected[64];
  snprintf(expected, sizeof expected, "stopped: %zu of 12 clips are written\n", files_ending("o", ".glb"));
  cr_expect(strstr(run.err, expected), "%s", run.err);
}

Test(stop, many_interrupted) {
  stop_many(SIGINT);
}

Test(stop, many_terminated) {
  stop_many(SIGTERM);
}

/* The reader of the results sleeps: a stop is heeded all the same. */
Test(stop, a_sleeping_reader) {
  static const char *const names[] = {"walk"};
  int ends[2];
  cr_assert_eq(pipe(ends), 0);
  char path[64], filler[4096];
  put_clip("a.anim", names, 1, 1);
  snprintf(path, sizeof path, "/proc/self/fd/%d", ends[1]);
  cr_assert_eq(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  memset(filler, 'x', sizeof filler);
  while (write(ends[1], filler, sizeof filler) > 0) {
  }
  cr_assert_eq(fcntl(ends[1], F_SETFL, 0), 0);
  const pid_t process = cli_start_to(path, "convert", "a.anim", "--rig", sample_rig(), "--outdir", "o", NULL);
  for (int i = 0; i < 60000 && !file_exists("o/a.glb"); i++) pause_ms(1);
  pause_ms(100);
  cr_assert_eq(kill(process, SIGINT), 0);
  const cli_run run = end_of(process);
  cr_expect_eq(run.code, 130, "exit code %d: %s", run.code, run.err);
  cr_expect(file_exists("o/a.glb"));
  close(ends[0]);
  close(ends[1]);
}
