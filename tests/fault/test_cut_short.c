/* Conversions that do not come to their end, in every format: stopped when progress is asked, early, late and
 * in between, on a disk that fills up, and past the size that the system allows a file. Nothing is left of
 * them. */
#include "base/os.h"
#include "fault/whole_run.h"
#include "output/plane_store.h"
#include "support/bake.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Each format by turns, of clips of muscles, of bones by delta, of bones by muscles and of bones alone. */
typedef struct way {
  run_input input;
  sinew_via via;
} way;
static const way ways[] = {{RUN_FILES, SINEW_VIA_DEFAULT},
                           {RUN_DELTA, SINEW_VIA_DEFAULT},
                           {RUN_DELTA, SINEW_VIA_MUSCLE},
                           {RUN_OWN, SINEW_VIA_DEFAULT}};

static void in_every_way(double rate_hz, void (*check)(whole_run *run, uint64_t whole)) {
  plane_store_memory_bytes = 1 << 12;
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
    for (uint32_t format = 0; sinew_format_name(format); format++) {
      whole_run run;
      run_setup(&run, ways[w].input);
      run.options =
          (sinew_bake_options){.format = (sinew_format)format, .via = ways[w].via, .rate_hz = rate_hz};
      cr_assert_eq(run_whole(&run), SINEW_OK, "way %zu, %s: %s", w, sinew_format_name(format),
                   run.error.message);
      check(&run, run_take_output(&run));
      cr_expect_eq(test_folder_count(run.folder), 0u, "way %zu, %s", w, sinew_format_name(format));
      run_teardown(&run);
    }
}

static void expect_nothing(whole_run *run, sinew_result expected, const char *reason) {
  const char *format = sinew_format_name(run->options.format);
  cr_expect_eq(run_whole(run), expected, "%s: %s", format, run->error.message);
  cr_expect(strstr(run->error.message, reason), "%s: '%s' lacks '%s'", format, run->error.message, reason);
  cr_expect_eq(test_folder_count(run->folder), 0u, "%s: something is left", format);
}

/* ---- stops ----------------------------------------------------------------------------------------------
 */

static uint64_t asked, stop_at;

static bool stop_once(void *user, uint64_t done, uint64_t count) {
  (void)user;
  cr_expect_leq(done, count);
  return asked++ != stop_at;
}

static void stop_at_times(whole_run *run, uint64_t whole) {
  run->options.progress = stop_once;
  asked = 0, stop_at = UINT64_MAX;
  cr_assert_eq(run_whole(run), SINEW_OK);
  cr_expect_eq(run_take_output(run), whole);
  const uint64_t times = asked;
  cr_expect_gt(times, 2u);
  for (stop_at = 0; stop_at<times; stop_at += stop_at> 3 && stop_at + 8 < times ? 5 : 1) {
    asked = 0;
    const sinew_result result = run_whole(run);
    /* once the file is published it is too late */
    if (result == SINEW_OK) cr_expect(stop_at == times - 1 && run_take_output(run) == whole);
    if (result != SINEW_OK) cr_expect_eq(result, SINEW_ERROR_CANCELLED, "%s", run->error.message);
    cr_expect_eq(test_folder_count(run->folder), 0u, "stopped at %llu of %llu", (unsigned long long)stop_at,
                 (unsigned long long)times);
  }
}

Test(cut_short, by_a_stop, .timeout = 900) {
  in_every_way(3000, stop_at_times);
}

/* ---- full disks -----------------------------------------------------------------------------------------
 */

static int64_t bytes_left;
static ssize_t write_to_full_disk(int fd, const void *bytes, size_t count, off_t offset) {
  if (!bytes_left) {
    errno = ENOSPC;
    return -1;
  }
  if ((int64_t)count > bytes_left) count = (size_t)bytes_left; /* what goes in is written */
  bytes_left -= (int64_t)count;
  return os_real.pwrite(fd, bytes, count, offset);
}

static void fill_disk(whole_run *run, uint64_t whole) {
  os_calls calls = os_real;
  calls.pwrite = write_to_full_disk;
  os = &calls;
  bytes_left = INT64_MAX;
  cr_assert_eq(run_whole(run), SINEW_OK);
  const int64_t owed = INT64_MAX - bytes_left;
  for (int part = 0; part < 8; part++) {
    bytes_left = part == 7 ? owed - 1 : owed * part / 7;
    os = &calls;
    unlink(run->output_path);
    expect_nothing(run, SINEW_ERROR_IO, strerror(ENOSPC));
  }
  os = &os_real;
  cr_assert_eq(run_whole(run), SINEW_OK);
  cr_expect_eq(run_take_output(run), whole);
}

Test(cut_short, by_a_disk_that_fills_up, .timeout = 900) {
  in_every_way(600, fill_disk);
}

static void limit_size(whole_run *run, uint64_t whole) {
  (void)whole;
  struct rlimit before, limit;
  getrlimit(RLIMIT_FSIZE, &before);
  limit = before;
  limit.rlim_cur = 3000; /* of the output, or of what is put aside before it */
  cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
  expect_nothing(run, SINEW_ERROR_IO, strerror(EFBIG));
  cr_assert_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
}

Test(cut_short, by_the_size_that_a_file_may_have, .timeout = 900) {
  signal(SIGXFSZ, SIG_IGN);
  in_every_way(600, limit_size);
}
