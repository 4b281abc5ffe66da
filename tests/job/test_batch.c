/* Batches: the same bytes as one clip at a time, told in order, each failing by itself, stopped without a
 * trace. */
#include "base/os.h"
#include "job/batch_run.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MIXED = 40 };

typedef enum batch_kind { OF_MUSCLES, OF_BONES, OF_BONES_ALONE, OF_A_CHARACTER } batch_kind;

static void setup_kind(batch_run *run, batch_kind kind, uint32_t threads) {
  if (kind == OF_MUSCLES)
    batch_setup(run, threads, MIXED);
  else if (kind == OF_A_CHARACTER)
    batch_setup_character(run, threads, MIXED);
  else
    batch_setup_bones(run, threads, MIXED, kind == OF_BONES);
}

static void expect_mixed(batch_kind kind, uint32_t threads, const uint64_t *expected) {
  batch_run run;
  setup_kind(&run, kind, threads);
  cr_assert_eq(batch_go(&run), SINEW_OK, "%s", run.error.message);
  cr_expect(run.published == MIXED && run.done == MIXED);
  uint64_t frames = 0;
  for (uint64_t i = 0; i < MIXED; i++) {
    cr_expect_eq(batch_hash(&run, i), expected[i], "%u threads, job %llu", threads, (unsigned long long)i);
    cr_expect(run.reports[i].verified && run.reports[i].frame_count > 1);
    frames += run.reports[i].frame_count;
  }
  cr_expect(run.frames_told == frames && run.jobs_told == MIXED, "progress ends with all");
  cr_expect_eq(test_folder_count(run.folder), (size_t)MIXED);
  batch_teardown(&run);
}

static void compare_to_single(batch_kind kind) {
  uint64_t expected[MIXED];
  batch_run run;
  setup_kind(&run, kind, 1);
  for (uint64_t i = 0; i < MIXED; i++) {
    char path[512];
    sinew_bake_options options = {.rate_hz = batch_rate(i)};
    cr_assert_eq(sinew_bake(run.context, sinew_clip_file_clip(run.file, 0), run.rig, &options,
                                batch_path(&run, i, path), NULL, &run.error),
                 SINEW_OK, "%s", run.error.message);
    expected[i] = batch_hash(&run, i);
  }
  batch_teardown(&run);
  for (uint32_t threads = 1; threads <= 8; threads *= 2) expect_mixed(kind, threads, expected);
}

Test(batch, has_the_bytes_of_single_bakes) {
  compare_to_single(OF_MUSCLES);
}
Test(batch, of_bones_has_the_bytes_of_single_bakes) {
  compare_to_single(OF_BONES);
  compare_to_single(OF_BONES_ALONE);
  compare_to_single(OF_A_CHARACTER);
}

Test(batch, of_nothing) {
  batch_run run;
  batch_setup(&run, 2, 0);
  cr_expect_eq(batch_go(&run), SINEW_OK);
  cr_expect_eq(run.done, 0u);
  batch_teardown(&run);
}

static bool every_fifth(uint64_t index) {
  return index % 5 == 1;
}
static bool every_seventh(uint64_t index) {
  return index % 7 == 2;
}

Test(batch, jobs_fail_by_themselves) {
  for (uint32_t threads = 1; threads <= 8; threads *= 8) {
    batch_run run;
    batch_setup(&run, threads, MIXED);
    run.fails = every_fifth;
    run.nowhere = every_seventh;
    cr_assert_eq(batch_go(&run), SINEW_OK, "%s", run.error.message);
    for (uint64_t i = 0; i < MIXED; i++) {
      const sinew_result expected = every_fifth(i)     ? SINEW_ERROR_SYNTAX
                                    : every_seventh(i) ? SINEW_ERROR_IO
                                                       : SINEW_OK;
      cr_expect_eq(run.errors[i].code, expected, "job %llu: %s", (unsigned long long)i,
                   run.errors[i].message);
      cr_expect_eq(batch_hash(&run, i) != 0, expected == SINEW_OK);
    }
    cr_expect_eq(test_folder_count(run.folder), (size_t)run.published);
    batch_teardown(&run);
  }
}

Test(batch, stopped_anywhere_leaves_whole_files_only) {
  for (uint32_t threads = 1; threads <= 8; threads *= 2)
    for (uint64_t frames = 1; frames < 60000; frames = frames * 3 + 1) {
      batch_run run;
      batch_setup(&run, threads, MIXED);
      run.stop_after_frames = frames;
      const sinew_result result = batch_go(&run);
      cr_expect(result == SINEW_ERROR_CANCELLED || (result == SINEW_OK && run.published == MIXED),
                "%d after %llu", result, (unsigned long long)frames);
      cr_expect_eq(run.failed, 0u);
      cr_expect_eq(run.published + run.cancelled, run.done);
      cr_expect_eq(test_folder_count(run.folder), (size_t)run.published, "%u threads, %llu frames", threads,
                   (unsigned long long)frames);
      for (uint64_t i = 0; i < run.done; i++)
        cr_expect_eq(batch_hash(&run, i) != 0, run.errors[i].code == SINEW_OK);
      batch_teardown(&run);
    }
}

Test(batch, more_jobs_than_the_window) {
  batch_run run;
  batch_setup(&run, 2, BATCH_MOST);
  run.no_verify = true;
  cr_assert_eq(batch_go(&run), SINEW_OK, "%s", run.error.message);
  cr_expect_eq(run.published, (uint64_t)BATCH_MOST);
  cr_expect_eq(test_folder_count(run.folder), (size_t)BATCH_MOST);
  batch_teardown(&run);
}

/* ---- a system that refuses -------------------------------------------------------------------------------
 */

static atomic_llong bytes_left;
static ssize_t write_to_full_disk(int fd, const void *bytes, size_t count, off_t offset) {
  if (atomic_fetch_sub(&bytes_left, (long long)count) >= (long long)count)
    return os_real.pwrite(fd, bytes, count, offset);
  errno = ENOSPC;
  return -1;
}
static ssize_t read_from_broken_disk(int fd, void *bytes, size_t count, off_t offset) {
  if (atomic_fetch_sub(&bytes_left, (long long)count) >= (long long)count)
    return os_real.pread(fd, bytes, count, offset);
  errno = EIO;
  return -1;
}
static int refuse_some_renames(const char *from, const char *to) {
  const size_t length = strlen(to);
  if (to[length - 5] != '3') return os_real.rename(from, to);
  errno = EPERM;
  return -1;
}
static int flush_folders_only(int fd) {
  struct stat status;
  if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) return 0;
  errno = EIO;
  return -1;
}

/* Every job either is in place or says why it is not. */
static void expect_refused(uint32_t threads, const os_calls *calls, int reason) {
  batch_run run;
  batch_setup(&run, threads, MIXED);
  os = calls;
  const sinew_result result = batch_go(&run);
  os = &os_real;
  cr_assert_eq(result, SINEW_OK, "%s", run.error.message);
  cr_expect(run.failed > 0 && run.failed + run.published == MIXED);
  for (uint64_t i = 0; i < MIXED; i++) {
    char path[512];
    cr_expect_eq(batch_hash(&run, i) != 0, run.errors[i].code == SINEW_OK, "job %llu", (unsigned long long)i);
    if (run.errors[i].code == SINEW_OK) continue;
    cr_expect_eq(run.errors[i].code, SINEW_ERROR_IO);
    cr_expect(strstr(run.errors[i].message, strerror(reason)), "%s", run.errors[i].message);
    cr_expect_str_eq(run.errors[i].path, batch_path(&run, i, path));
  }
  cr_expect_eq(test_folder_count(run.folder), (size_t)run.published, "something is left");
  batch_teardown(&run);
}

Test(batch, a_full_disk) {
  for (uint32_t threads = 1; threads <= 8; threads *= 2) {
    os_calls calls = os_real;
    calls.pwrite = write_to_full_disk;
    atomic_store(&bytes_left, 3000000);
    expect_refused(threads, &calls, ENOSPC);
  }
}

Test(batch, a_disk_that_cannot_be_read) {
  for (uint32_t threads = 1; threads <= 8; threads *= 2) {
    os_calls calls = os_real;
    calls.pread = read_from_broken_disk;
    atomic_store(&bytes_left, 3000000);
    expect_refused(threads, &calls, EIO);
  }
}

Test(batch, renames_that_are_refused) {
  os_calls calls = os_real;
  calls.rename = refuse_some_renames;
  expect_refused(4, &calls, EPERM);
}

Test(batch, a_disk_that_does_not_flush) {
  os_calls calls = os_real;
  calls.fsync = flush_folders_only;
  expect_refused(4, &calls, EIO);
}
