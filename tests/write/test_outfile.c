/* A file appears whole or not at all, whichever system call fails. */
#include "write/outfile.h"
#include "write/synthetic.h"
#include "support/data.h"
#include "support/os_faults.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- helpers ------------------------------------------------------------------------------------------ */

static const char text[] = "first part, second part";

static sinew_result write_text(const char *path, sinew_error *error) {
  outfile file;
  sinew_result result = outfile_open(path, &file, error);
  if (result != SINEW_OK) return result;
  result = outfile_write(&file, text + 10, sizeof text - 10, 10, error);
  if (result == SINEW_OK) result = outfile_write(&file, text, 10, 0, error);
  if (result == SINEW_OK) return outfile_publish(&file, error);
  outfile_discard(&file);
  return result;
}

static bool holds(const char *path, const char *expected, size_t expected_count) {
  size_t count;
  char *bytes = test_read_file(path, &count);
  bool same = bytes && count == expected_count && memcmp(bytes, expected, count) == 0;
  free(bytes);
  return same;
}

static int entry_count(const char *folder) {
  int count = -2; /* . and .. */
  DIR *handle = opendir(folder);
  cr_assert(handle);
  while (readdir(handle)) count++;
  closedir(handle);
  return count;
}

static void expect_refusal(const char *path, sinew_result code, const char *part) {
  sinew_error error = {0};
  outfile file;
  cr_expect(outfile_open(path, &file, &error) == code, "%s", path);
  char line[1200];
  sinew_error_text(&error, line, sizeof line);
  cr_expect(strstr(line, part), "%s: \"%s\" lacks \"%s\"", path, line, part);
  outfile_discard(&file); /* does nothing */
}

/* ---- tests -------------------------------------------------------------------------------------------- */

Test(outfile, appears_whole_and_only_when_published) {
  const char *folder = scratch_folder();
  char path[600];
  snprintf(path, sizeof path, "%s/out.glb", folder);
  sinew_error error = {0};
  outfile file;
  cr_assert(outfile_open(path, &file, &error) == SINEW_OK);
  cr_assert(outfile_write(&file, text, sizeof text, 0, &error) == SINEW_OK);
  cr_expect(access(path, F_OK) != 0);
  cr_expect(entry_count(folder) == 1);
  char expected[64], back[sizeof text];
  snprintf(expected, sizeof expected, "/.out.glb.%d.", (int)getpid());
  cr_expect(strstr(file.temporary, expected), "%s", file.temporary);
  cr_expect(pread(file.fd, back, sizeof back, 0) == (int64_t)sizeof back, "cannot be read back");
  cr_expect(memcmp(back, text, sizeof back) == 0);
  cr_assert(outfile_publish(&file, &error) == SINEW_OK);
  outfile_discard(&file);
  cr_expect(holds(path, text, sizeof text));
  cr_expect(entry_count(folder) == 1);
  scratch_remove(folder);
}

Test(outfile, discard_leaves_nothing) {
  const char *folder = scratch_folder();
  char path[600];
  snprintf(path, sizeof path, "%s/out.glb", folder);
  outfile file;
  cr_assert(outfile_open(path, &file, NULL) == SINEW_OK);
  cr_assert(outfile_write(&file, text, sizeof text, 0, NULL) == SINEW_OK);
  outfile_discard(&file);
  outfile_discard(&file);
  outfile zeroed = {0}; /* its descriptor is standard input's number */
  bool had_input = fcntl(STDIN_FILENO, F_GETFD) >= 0;
  outfile_discard(&zeroed);
  cr_expect((fcntl(STDIN_FILENO, F_GETFD) >= 0) == had_input);
  cr_expect(entry_count(folder) == 0);
  scratch_remove(folder);
}

Test(outfile, mode_follows_the_umask) {
  const char *folder = scratch_folder();
  char path[600];
  snprintf(path, sizeof path, "%s/out.glb", folder);
  mode_t before = umask(027);
  sinew_error error = {0};
  cr_assert(write_text(path, &error) == SINEW_OK);
  umask(before);
  struct stat status;
  cr_assert(stat(path, &status) == 0);
  cr_expect((int)(status.st_mode & 0777) == 0640);
  scratch_remove(folder);
}

/* Fails each call in turn, until a run needs fewer calls than that. */
static void walk_faults(int reason, bool replaces) {
  const char *folder = scratch_folder();
  static const char old[] = "the old output";
  char path[600];
  snprintf(path, sizeof path, "%s/out.glb", folder);
  int kinds_seen = 0;
  for (int call = 0;; call++) {
    unlink(path);
    if (replaces) {
      FILE *file = fopen(path, "wb");
      fwrite(old, 1, sizeof old, file);
      fclose(file);
    }
    sinew_error error = {0};
    int free_before = os_lowest_free_descriptor();
    os_faults_use(call, reason);
    sinew_result result = write_text(path, &error);
    os_faults_end();
    cr_expect(os_lowest_free_descriptor() == free_before, "call %d: a descriptor stays open", call);
    int files = entry_count(folder);
    if (os_fault.failed_kind < 0) {
      cr_expect(result == SINEW_OK);
      cr_expect(holds(path, text, sizeof text));
      break;
    }
    kinds_seen |= 1 << os_fault.failed_kind;
    const char *kind = os_call_name(os_fault.failed_kind);
    bool after_rename = strstr(error.message, "in place") != NULL;
    if (result == SINEW_OK || after_rename) { /* a close that has nothing to lose; the folder's flush */
      cr_expect(os_fault.failed_kind == (after_rename ? CALL_FSYNC : CALL_CLOSE),
                "call %d, %s: went unnoticed", call, kind);
      cr_expect(holds(path, text, sizeof text), "call %d, %s: not whole", call, kind);
      cr_expect(files == 1);
    } else {
      cr_expect(files == (replaces ? 1 : 0), "call %d, %s: files left", call, kind);
      cr_expect(!replaces || holds(path, old, sizeof old), "call %d, %s: the old file is gone", call, kind);
    }
    if (result == SINEW_OK) continue;
    cr_expect(result == SINEW_ERROR_IO, "call %d, %s", call, kind);
    cr_expect(strstr(error.message, strerror(reason)), "call %d, %s: \"%s\"", call, kind, error.message);
    cr_expect_str_eq(error.path, path, "call %d, %s", call, kind);
  }
  int needed = 1 << CALL_OPEN | 1 << CALL_CLOSE | 1 << CALL_PWRITE | 1 << CALL_FSYNC | 1 << CALL_RENAME;
  cr_expect((kinds_seen & needed) == needed);
  scratch_remove(folder);
}

Test(outfile, every_failing_call_leaves_nothing) {
  static const int reasons[] = {ENOSPC, EIO, EDQUOT, EMFILE};
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
    walk_faults(reasons[i], false);
    walk_faults(reasons[i], true);
  }
}

/* A rename that reaches the disk before the bytes do would put an empty file in the place of a good one. */
Test(outfile, bytes_are_flushed_before_the_rename_and_the_folder_after) {
  const char *folder = scratch_folder();
  char path[600];
  snprintf(path, sizeof path, "%s/out.glb", folder);
  sinew_error error = {0};
  os_faults_use(-1, 0);
  cr_expect(write_text(path, &error) == SINEW_OK, "%s", error.message);
  os_faults_end();
  cr_expect_str_eq(os_fault.log, "ooppoScRSc"); /* target, temporary, two writes, folder, flush, ... */
  scratch_remove(folder);
}

Test(outfile, interruptions_and_short_writes_change_nothing) {
  const char *folder = scratch_folder();
  char path[600];
  snprintf(path, sizeof path, "%s/out.glb", folder);
  for (int way = 1; way <= 3; way++) {
    sinew_error error = {0};
    os_faults_use(-1, 0);
    os_fault.interrupted = way & 1;
    os_fault.short_transfers = way & 2;
    cr_expect(write_text(path, &error) == SINEW_OK, "%s", error.message);
    os_faults_end();
    cr_expect(way < 2 || os_fault.call_count > (int)sizeof text);
    cr_expect(holds(path, text, sizeof text), "way %d", way);
    cr_expect(entry_count(folder) == 1);
  }
  scratch_remove(folder);
}

Test(outfile, a_folder_that_cannot_be_opened_for_reading_is_not_flushed) {
  const char *folder = scratch_folder();
  char path[600];
  snprintf(path, sizeof path, "%s/out.glb", folder);
  sinew_error error = {0};
  outfile file;
  cr_assert(outfile_open(path, &file, &error) == SINEW_OK);
  os_faults_use(0, EACCES); /* publish opens the folder first */
  cr_expect(outfile_publish(&file, &error) == SINEW_OK);
  os_faults_end();
  cr_expect(os_fault.failed_kind == CALL_OPEN);
  cr_expect(entry_count(folder) == 1);
  scratch_remove(folder);
}

Test(outfile, a_taken_temporary_name_is_passed_over) {
  const char *folder = scratch_folder();
  char path[600];
  snprintf(path, sizeof path, "%s/out.glb", folder);
  outfile first;
  cr_assert(outfile_open(path, &first, NULL) == SINEW_OK);
  unsigned number;
  const char *tail = strstr(first.temporary, ".glb.") + 5;
  cr_assert(sscanf(strchr(tail, '.') + 1, "%u", &number) == 1);
  char taken[700];
  snprintf(taken, sizeof taken, "%s/.out.glb.%d.%u.tmp", folder, (int)getpid(), number + 1);
  FILE *leftover = fopen(taken, "wb");
  cr_assert(leftover);
  fclose(leftover);
  sinew_error error = {0};
  cr_expect(write_text(path, &error) == SINEW_OK, "%s", error.message);
  cr_expect(access(taken, F_OK) == 0);
  outfile_discard(&first);
  cr_expect(entry_count(folder) == 2);
  scratch_remove(folder);
}

Test(outfile, targets_that_are_no_file_to_replace_are_refused_at_once) {
  const char *folder = scratch_folder();
  char path[1024];
  expect_refusal("", SINEW_ERROR_ARGUMENT, "empty");
  expect_refusal("-", SINEW_ERROR_ARGUMENT, "standard output");
  expect_refusal(folder, SINEW_ERROR_IO, "is a folder");
  expect_refusal(".", SINEW_ERROR_IO, "is a folder");
  expect_refusal("/dev/null", SINEW_ERROR_IO, "not a regular file");
  snprintf(path, sizeof path, "%s/", folder);
  expect_refusal(path, SINEW_ERROR_IO, "names a folder");
  snprintf(path, sizeof path, "%s/none/out.glb", folder);
  expect_refusal(path, SINEW_ERROR_IO, strerror(ENOENT));
  snprintf(path, sizeof path, "%s/link.glb", folder);
  cr_assert(symlink("out.glb", path) == 0);
  expect_refusal(path, SINEW_ERROR_IO, "symbolic link");
  snprintf(path, sizeof path, "%s/%0300d.glb", folder, 0);
  expect_refusal(path, SINEW_ERROR_IO, strerror(ENAMETOOLONG));
  snprintf(path, sizeof path, "%s/pipe", folder);
  cr_assert(mkfifo(path, 0600) == 0);
  expect_refusal(path, SINEW_ERROR_IO, "not a regular file");
  cr_expect(entry_count(folder) == 2);
  scratch_remove(folder);
}

Test(outfile, a_target_that_became_a_folder_is_left_alone) {
  const char *folder = scratch_folder();
  char path[600];
  snprintf(path, sizeof path, "%s/out.glb", folder);
  sinew_error error = {0};
  outfile file;
  cr_assert(outfile_open(path, &file, &error) == SINEW_OK);
  cr_assert(mkdir(path, 0700) == 0);
  cr_expect(outfile_publish(&file, &error) == SINEW_ERROR_IO);
  cr_expect(strstr(error.message, strerror(EISDIR)), "%s", error.message);
  cr_expect(entry_count(folder) == 1);
  scratch_remove(folder);
}

Test(outfile, the_longest_names_have_room_for_the_temporary) {
  const char *folder = scratch_folder();
  char path[1024];
  int used = snprintf(path, sizeof path, "%s/", folder);
  for (int i = 0; i < 85; i++) memcpy(path + used + i * 3, "\xe2\x82\xac", 4); /* 255 bytes in all */
  sinew_error error = {0};
  cr_expect(write_text(path, &error) == SINEW_OK, "%s", error.message);
  cr_expect(holds(path, text, sizeof text));
  cr_expect(entry_count(folder) == 1);
  scratch_remove(folder);
}

Test(outfile, a_bare_name_is_in_the_current_folder) {
  const char *folder = scratch_folder();
  cr_assert(chdir(folder) == 0);
  sinew_error error = {0};
  cr_expect(write_text("out.glb", &error) == SINEW_OK, "%s", error.message);
  cr_expect(holds("out.glb", text, sizeof text));
  cr_expect(entry_count(".") == 1);
  cr_assert(chdir("/") == 0);
  scratch_remove(folder);
}
