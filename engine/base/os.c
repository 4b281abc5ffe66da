#include "base/os.h"
#include "base/arena.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* open and openat are variadic: a pointer to them cannot go into the table as it is */
static int real_open(const char *path, int flags, mode_t mode) {
  return open(path, flags, mode);
}

static int real_openat(int folder, const char *path, int flags, mode_t mode) {
  return openat(folder, path, flags, mode);
}

const os_calls os_real = {real_open, close,     fstat, mmap,   munmap, read,       pread,
                          pwrite,    ftruncate, fsync, rename, unlink, real_openat};
const os_calls *os = &os_real;

enum { PIPE_CHUNK = 1 << 16, IO_PIECE = 1 << 30 };

/* A mapped file that somebody cuts short while it is read ends the process. What is not larger than this is
 * read into memory instead, where a cut is an error like any other; a larger one is mapped. */
uint64_t os_map_above_bytes = UINT64_C(64) << 20;

/* No text to be read comes through a pipe in such a size; an endless one must not take the machine's memory.
 */
static const uint64_t stream_limit_bytes = UINT64_C(1) << 30;

static sinew_result stream_failed(char *bytes, sinew_result code, sinew_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static sinew_result stream_failed(char *bytes, sinew_result code, sinew_error *error, const char *format,
                                  ...) {
  char text[128];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  heap_free(bytes);
  return error_set(error, code, "%s", text);
}

/* Makes room for more, or NULL. The old block is gone either way. */
static char *stream_grow(char *bytes, size_t count, size_t capacity) {
  char *grown = heap_alloc_unset(capacity);
  if (grown && !bytes) heap_fill_soon(grown, capacity); /* later ones may stay half empty */
  if (grown && bytes) memcpy(grown, bytes, count);
  heap_free(bytes);
  return grown;
}

/* Reads to the end of whatever fd is. expected: how many bytes it is thought to have. */
static sinew_result read_all(int fd, uint64_t byte_limit, size_t expected, os_file *file,
                             sinew_error *error) {
  size_t capacity = 0, count = 0;
  char *bytes = NULL;
  for (;;) {
    if (count == capacity) {
      size_t next = capacity ? capacity * 2 : expected + 1;
      if (byte_limit < SIZE_MAX && next > byte_limit + 1) next = (size_t)byte_limit + 1;
      bytes = stream_grow(bytes, count, next);
      if (!bytes) return error_set(error, SINEW_ERROR_MEMORY, "out of memory after reading %zu bytes", count);
      capacity = next;
    }
    ssize_t got = os->read(fd, bytes + count, capacity - count);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return stream_failed(bytes, SINEW_ERROR_IO, error, "cannot be read: %s", strerror(errno));
    if (got == 0) break;
    count += (size_t)got;
    if (count > byte_limit)
      return stream_failed(bytes, SINEW_ERROR_LIMIT, error, "is larger than the limit of %llu bytes",
                           (unsigned long long)byte_limit);
  }
  file->bytes = bytes;
  file->byte_count = count;
  file->mapping = NULL;
  return SINEW_OK;
}

static sinew_result map_file(int fd, size_t byte_count, os_file *file, sinew_error *error) {
  void *mapping = os->mmap(NULL, byte_count, PROT_READ, MAP_PRIVATE, fd, 0);
  SINEW_CHECK(mapping != MAP_FAILED, error, SINEW_ERROR_IO, "cannot be mapped: %s", strerror(errno));
  file->bytes = mapping;
  file->byte_count = byte_count;
  file->mapping = mapping;
  return SINEW_OK;
}

sinew_result os_file_from_descriptor(int fd, uint64_t byte_limit, os_file *file, sinew_error *error) {
  struct stat status;
  SINEW_CHECK(os->fstat(fd, &status) == 0, error, SINEW_ERROR_IO, "cannot be examined: %s", strerror(errno));
  SINEW_CHECK(!S_ISDIR(status.st_mode), error, SINEW_ERROR_IO, "is a folder, expected a file");
  /* files of /proc say they are empty */
  if (!S_ISREG(status.st_mode) || status.st_size == 0)
    return read_all(fd, byte_limit < stream_limit_bytes ? byte_limit : stream_limit_bytes, PIPE_CHUNK, file,
                    error);
  SINEW_CHECK((uint64_t)status.st_size <= byte_limit, error, SINEW_ERROR_LIMIT,
              "has %llu bytes, the limit is %llu", (unsigned long long)status.st_size,
              (unsigned long long)byte_limit);
  if ((uint64_t)status.st_size > os_map_above_bytes) return map_file(fd, (size_t)status.st_size, file, error);
  return read_all(fd, byte_limit, (size_t)status.st_size, file, error);
}

sinew_result os_file_open(const char *path, uint64_t byte_limit, os_file *file, sinew_error *error) {
  memset(file, 0, sizeof *file);
  int fd;
  do fd = os->open(path, O_RDONLY | O_CLOEXEC, 0);
  while (fd < 0 && errno == EINTR);
  if (fd < 0)
    return error_in_file(error, error_set(error, SINEW_ERROR_IO, "cannot be opened: %s", strerror(errno)),
                         path);
  sinew_result result = os_file_from_descriptor(fd, byte_limit, file, error);
  os->close(fd);
  return result == SINEW_OK ? result : error_in_file(error, result, path);
}

void os_file_close(os_file *file) {
  if (file->mapping)
    os->munmap(file->mapping, file->byte_count);
  else
    heap_free((void *)file->bytes);
  memset(file, 0, sizeof *file);
}

bool os_write_all(int fd, const void *bytes, size_t count, uint64_t offset) {
  const char *from = bytes;
  while (count) {
    ssize_t done = os->pwrite(fd, from, count < IO_PIECE ? count : IO_PIECE, (off_t)offset);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    if (done == 0) {
      errno = EIO;
      return false;
    }
    from += done;
    offset += (uint64_t)done;
    count -= (size_t)done;
  }
  return true;
}

bool os_read_all(int fd, void *bytes, size_t count, uint64_t offset) {
  char *to = bytes;
  while (count) {
    ssize_t done = os->pread(fd, to, count < IO_PIECE ? count : IO_PIECE, (off_t)offset);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      if (done == 0) errno = 0;
      return false;
    }
    to += done;
    offset += (uint64_t)done;
    count -= (size_t)done;
  }
  return true;
}
