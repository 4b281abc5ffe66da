#include "write/outfile.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
  BASE_BYTES_KEPT = 192, /* of the target's name in the temporary's, which must stay below NAME_MAX */
  PATH_MAX_BYTES = 1 << 16,
  NAME_ATTEMPTS = 1000, /* leftovers of an earlier process with our pid may hold names */
};

static sinew_result refused(const char *path, const char *what, int reason, sinew_error *error) {
  return error_in_file(error, error_set(error, SINEW_ERROR_IO, "%s: %s", what, strerror(reason)), path);
}

static int open_again(const char *path, int flags, mode_t mode) {
  int fd;
  do fd = os->open(path, flags, mode);
  while (fd < 0 && errno == EINTR);
  return fd;
}

static int fsync_again(int fd) {
  int result;
  do result = os->fsync(fd);
  while (result < 0 && errno == EINTR);
  return result;
}

/* The first byte of the last component. */
static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Renaming onto a device, a pipe or a link would replace it instead of writing through it, so nothing but a
 * regular file is replaced. */
static sinew_result check_target(const char *path, sinew_error *error) {
  int fd = open_again(path, O_PATH | O_NOFOLLOW | O_CLOEXEC, 0);
  if (fd < 0) return errno == ENOENT ? SINEW_OK : refused(path, "cannot be written", errno, error);
  struct stat status;
  int result = os->fstat(fd, &status);
  int reason = errno;
  os->close(fd);
  if (result < 0) return refused(path, "cannot be examined", reason, error);
  const char *kind = S_ISREG(status.st_mode)   ? NULL
                     : S_ISDIR(status.st_mode) ? "is a folder, expected a file to write"
                     : S_ISLNK(status.st_mode) ? "is a symbolic link: name the file that is to be written"
                                               : "is not a regular file, and only such a file is replaced";
  if (kind) return error_in_file(error, error_set(error, SINEW_ERROR_IO, "%s", kind), path);
  return SINEW_OK;
}

static uint32_t next_number(void) {
  static atomic_uint number;
  return atomic_fetch_add(&number, 1);
}

static size_t kept_base_bytes(const char *base) {
  size_t length = strlen(base);
  if (length <= BASE_BYTES_KEPT) return length;
  length = BASE_BYTES_KEPT;
  while (length && ((unsigned char)base[length] & 0xc0) == 0x80) length--; /* not inside a character */
  return length;
}

static sinew_result create_temporary(outfile *file, sinew_error *error) {
  const char *base = base_of(file->path);
  int folder_bytes = (int)(base - file->path), base_bytes = (int)kept_base_bytes(base);
  size_t size = (size_t)folder_bytes + (size_t)base_bytes + sizeof "..4294967295.4294967295.tmp" + 1;
  file->temporary = heap_alloc(size, 1);
  SINEW_CHECK(file->temporary, error, SINEW_ERROR_MEMORY, "out of memory for the name of a temporary file");
  for (int attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
    snprintf(file->temporary, size, "%.*s.%.*s.%u.%u.tmp", folder_bytes, file->path, base_bytes, base,
             (unsigned)getpid(), next_number());
    file->fd = open_again(file->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file->fd >= 0) return SINEW_OK;
    if (errno != EEXIST) break;
  }
  return refused(file->path, "no temporary file can be made beside it", errno, error);
}

static void forget(outfile *file) {
  heap_free(file->path);
  heap_free(file->temporary);
  memset(file, 0, sizeof *file);
  file->fd = -1;
}

sinew_result outfile_open(const char *path, outfile *file, sinew_error *error) {
  memset(file, 0, sizeof *file);
  file->fd = -1;
  SINEW_CHECK(path && path[0], error, SINEW_ERROR_ARGUMENT, "the output's path is empty");
  SINEW_CHECK(strcmp(path, "-") != 0, error, SINEW_ERROR_ARGUMENT,
              "the output must be a file, not standard output");
  size_t length = strlen(path);
  SINEW_CHECK(length < PATH_MAX_BYTES, error, SINEW_ERROR_IO, "the output's path has %zu bytes: %s", length,
              strerror(ENAMETOOLONG));
  if (path[length - 1] == '/')
    return error_in_file(error, error_set(error, SINEW_ERROR_IO, "names a folder, expected a file to write"),
                         path);
  SINEW_TRY(check_target(path, error));
  file->path = heap_alloc(length + 1, 1);
  SINEW_CHECK(file->path, error, SINEW_ERROR_MEMORY, "out of memory for the output's path");
  memcpy(file->path, path, length);
  sinew_result result = create_temporary(file, error);
  if (result != SINEW_OK) forget(file);
  return result;
}

sinew_result outfile_open_nameless(const char *path, outfile *file, sinew_error *error) {
  SINEW_TRY(outfile_open(path, file, error));
  if (os->unlink(file->temporary) == 0) {
    file->temporary[0] = 0;
    return SINEW_OK;
  }
  const sinew_result result = refused(path, "a file to put values aside cannot be taken back", errno, error);
  outfile_discard(file);
  return result;
}

sinew_result outfile_extend(outfile *file, uint64_t byte_count, sinew_error *error) {
  int result;
  do result = os->ftruncate(file->fd, (off_t)byte_count);
  while (result < 0 && errno == EINTR);
  return result == 0 ? SINEW_OK : refused(file->path, "cannot be written", errno, error);
}

sinew_result outfile_write(outfile *file, const void *bytes, size_t count, uint64_t offset,
                           sinew_error *error) {
  atomic_fetch_add(&file->byte_count, count);
  if (os_write_all(file->fd, bytes, count, offset)) return SINEW_OK;
  return refused(file->path, "cannot be written", errno, error);
}

/* Where that cannot be done nothing is lost: the flush before publishing does it. */
void outfile_begin_flush(const outfile *file) {
  sync_file_range(file->fd, 0, 0, SYNC_FILE_RANGE_WRITE);
}

/* ---- publishing --------------------------------------------------------------------------------------- */

/* Opened before the rename, so that what can fail has failed by then. -1 with EACCES: a folder that may be
 * written but not read cannot be flushed. */
static sinew_result open_folder(const outfile *file, int *fd, sinew_error *error) {
  size_t length = (size_t)(base_of(file->path) - file->path);
  char *folder = heap_alloc(length + 2, 1);
  SINEW_CHECK(folder, error, SINEW_ERROR_MEMORY, "out of memory for the output folder's path");
  memcpy(folder, length ? file->path : ".", length ? length : 1);
  *fd = open_again(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  int reason = errno;
  heap_free(folder);
  if (*fd < 0 && reason != EACCES) return refused(file->path, "its folder cannot be opened", reason, error);
  return SINEW_OK;
}

static bool same_folder(const outfile *a, const outfile *b) {
  size_t length = (size_t)(base_of(a->path) - a->path);
  return length == (size_t)(base_of(b->path) - b->path) && memcmp(a->path, b->path, length) == 0;
}

static sinew_result rename_flushed(outfile *file, sinew_error *error) {
  int fd = file->fd;
  file->fd = -1;
  /* some file systems report a full disk only here; after EINTR the descriptor is closed all the same on
   * Linux */
  if (os->close(fd) < 0 && errno != EINTR) return refused(file->path, "cannot be closed", errno, error);
  int result;
  do result = os->rename(file->temporary, file->path);
  while (result < 0 && errno == EINTR);
  if (result < 0) return refused(file->path, "cannot be put in its place", errno, error);
  return SINEW_OK;
}

static void flush_folder(int folder_fd, outfile_publication *const *group, size_t count) {
  /* EINVAL: a file system that does not flush folders */
  if (folder_fd < 0 || fsync_again(folder_fd) == 0 || errno == EINVAL) return;
  int reason = errno;
  for (size_t i = 0; i < count; i++)
    group[i]->result =
        refused(group[i]->file->path, "is whole and in place, but its folder cannot be flushed", reason,
                &group[i]->error);
}

/* Files of one folder. All are flushed before the first is renamed: where a journal commits once for many,
 * the first wait does for all. */
static void publish_group(outfile_publication *const *group, size_t count) {
  int folder_fd = -1;
  outfile_publication *first = group[0];
  first->result = open_folder(first->file, &folder_fd, &first->error);
  for (size_t i = 1; i < count; i++) {
    group[i]->result = first->result;
    if (first->result == SINEW_OK) continue;
    group[i]->error = first->error;
    group[i]->error.path[0] = 0;
    error_in_file(&group[i]->error, first->result, group[i]->file->path);
  }
  for (size_t i = 0; i < count; i++)
    if (group[i]->result == SINEW_OK && fsync_again(group[i]->file->fd) < 0)
      group[i]->result =
          refused(group[i]->file->path, "cannot be flushed to its disk", errno, &group[i]->error);
  outfile_publication *renamed[OUTFILE_GROUP];
  size_t renamed_count = 0;
  for (size_t i = 0; i < count; i++) {
    if (group[i]->result == SINEW_OK) group[i]->result = rename_flushed(group[i]->file, &group[i]->error);
    if (group[i]->result == SINEW_OK)
      renamed[renamed_count++] = group[i];
    else
      outfile_discard(group[i]->file);
  }
  if (renamed_count) flush_folder(folder_fd, renamed, renamed_count);
  if (folder_fd >= 0) os->close(folder_fd);
  for (size_t i = 0; i < renamed_count; i++) forget(renamed[i]->file);
}

void outfile_publish_all(outfile_publication *publications, size_t count) {
  bool done[OUTFILE_GROUP] = {false};
  for (size_t first = 0; first < count; first++) {
    if (done[first]) continue;
    outfile_publication *group[OUTFILE_GROUP];
    size_t members = 0;
    for (size_t i = first; i < count; i++) {
      if (done[i] || !same_folder(publications[first].file, publications[i].file)) continue;
      done[i] = true;
      group[members++] = &publications[i];
    }
    publish_group(group, members);
  }
}

sinew_result outfile_publish(outfile *file, sinew_error *error) {
  outfile_publication one = {.file = file};
  outfile_publish_all(&one, 1);
  if (one.result != SINEW_OK && error) *error = one.error;
  return one.result;
}

void outfile_discard(outfile *file) {
  if (!file->temporary) return;
  if (file->fd >= 0) os->close(file->fd);
  if (file->temporary[0]) os->unlink(file->temporary);
  forget(file);
}
