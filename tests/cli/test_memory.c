/* Memory does not grow with a clip's length: ten times the frames take what a tenth of them takes. */
#include "cli_run.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

TestSuite(memory, .init = cli_enter, .fini = cli_leave);

/* The most a running process has held since it became this program; 0 once it has ended. */
static unsigned long peak_kilobytes(pid_t process) {
  char path[64], line[256];
  unsigned long peak = 0;
  snprintf(path, sizeof path, "/proc/%d/status", (int)process);
  FILE *status = fopen(path, "r");
  if (!status) return 0;
  while (fgets(line, sizeof line, status)) sscanf(line, "VmHWM: %lu", &peak);
  fclose(status);
  return peak;
}

typedef struct kind {
  const char *format, *clip, *rig; /* the clip's rig, if the format has use for one */
  const char *verify;              /* NULL or an option */
} kind;

static unsigned long peak_of(const char *rate, const kind *of) {
  const struct timespec tick = {0, 500000};
  unsigned long most = 0;
  char path[32];
  snprintf(path, sizeof path, "a.%s", of->format);
  const pid_t process = cli_start("convert", of->clip, "--fps", rate, "-j", "2", "-q", "-o", path,
                                  of->rig ? "--rig" : NULL, of->rig, of->verify, NULL);
  for (;;) {
    const unsigned long peak = peak_kilobytes(process);
    siginfo_t info = {0};
    if (peak > most) most = peak;
    if (waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == process)
      break;
    nanosleep(&tick, NULL);
  }
  const cli_run run = cli_wait(process);
  cr_assert_eq(run.code, 0, "%s", run.err);
  return most;
}

enum { RUNS = 3 };
/* Two workers, each with a piece of the format that needs most: 64 blocks of BVH text or of NumPy's rows. */
static const unsigned long most_kilobytes = 40960;

/* What the system's allocator happens to keep differs from run to run, and a busy machine keeps us from
 * looking just before a run ends: what is seen of one may be too little, never too much. So the most of the
 * short runs is the measure. */
static void expect_bounded(const kind *of) {
  if (SANITIZED) cr_skip_test("a sanitizer's own memory is in the way: skipped");
  unsigned long tenth = 0, whole = ULONG_MAX;
  for (int i = 0; i < RUNS; i++) {
    const unsigned long of_tenth = peak_of("93740", of), of_whole = peak_of("937400", of);
    cr_assert(of_tenth > 0 && of_whole > 0);
    if (of_tenth > tenth) tenth = of_tenth;
    if (of_whole < whole) whole = of_whole;
  }
  cr_expect_leq(whole, tenth * 105 / 100, "%s: 100,000 frames: %lu kB, 1,000,000 frames: %lu kB", of->format,
                tenth, whole);
  cr_expect_leq(whole, most_kilobytes, "%s: %lu kB", of->format, whole);
}

Test(memory, of_a_verified_clip) {
  expect_bounded(&(kind){"glb", sample_clip(), sample_rig(), NULL});
}

Test(memory, of_an_unverified_clip) {
  expect_bounded(&(kind){"glb", sample_clip(), sample_rig(), "--no-verify"});
}

/* Files of a GB and more. Of Unity's text the sample's cut, which has few curves: 1.7 GB. */
Test(memory, of_every_format, .timeout = 1800) {
  if (!getenv("SINEW_TEST_LONG")) cr_skip_test("SINEW_TEST_LONG is not set: skipped");
  char cut[1024];
  snprintf(cut, sizeof cut, "%s/scripts/sample/walk_cut.anim", getenv("SINEW_TEST_SOURCE"));
  expect_bounded(&(kind){"vrma", sample_clip(), sample_rig(), NULL});
  expect_bounded(&(kind){"bvh", sample_clip(), sample_rig(), NULL});
  expect_bounded(&(kind){"npz", sample_clip(), sample_rig(), NULL});
  expect_bounded(&(kind){"csv", sample_clip(), NULL, NULL});
  expect_bounded(&(kind){"anim", cut, NULL, NULL});
}
