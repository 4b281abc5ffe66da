#include "base/os.h"
#include "base/arena.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* open is variadic: a pointer to it cannot go into the table as it is */
static int real_open(const char *path, int flags, mode_t mode) {
  return open(path, flags, mode);
}

const os_calls os_real = {real_open, close, fstat, mmap, munmap, read, pread, pwrite, fsync, rename, unlink};
const os_calls *os = &os_real;

enum { PIPE_CHUNK = 1 << 16, IO_PIECE = 1 << 30 };

static sinew_result read_stream(int fd, uint64_t byte_limit, os_file *file, sinew_error *error) {
  size_t capacity = 0, count = 0;
  char *bytes = NULL;
  for (;;) {
    if (count == capacity) {
      size_t next = capacity ? capacity * 2 : PIPE_CHUNK;
      char *grown = heap_grow(bytes, count, next, 1);
      if (!grown) {
        heap_free(bytes);
        return error_set(error, SINEW_ERROR_MEMORY, "out of memory after reading %zu bytes", count);
      }
      bytes = grown;
      capacity = next;
    }
    ssize_t got = os->read(fd, bytes + count, capacity - count);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      int reason = errno;
      heap_free(bytes);
      return error_set(error, SINEW_ERROR_IO, "cannot be read: %s", strerror(reason));
    }
    if (got == 0) break;
    count += (size_t)got;
    if (count > byte_limit) {
      heap_free(bytes);
      return error_set(error, SINEW_ERROR_LIMIT, "is larger than the limit of %llu bytes",
                       (unsigned long long)byte_limit);
    }
  }
  file->bytes = bytes;
  file->byte_count = count;
  file->mapping = NULL;
  return SINEW_OK;
}

static sinew_result open_descriptor(int fd, uint64_t byte_limit, os_file *file, sinew_error *error) {
  struct stat status;
  SINEW_CHECK(os->fstat(fd, &status) == 0, error, SINEW_ERROR_IO, "cannot be examined: %s", strerror(errno));
  SINEW_CHECK(!S_ISDIR(status.st_mode), error, SINEW_ERROR_IO, "is a folder, expected a file");
  if (!S_ISREG(status.st_mode)) return read_stream(fd, byte_limit, file, error);
  SINEW_CHECK((uint64_t)status.st_size <= byte_limit, error, SINEW_ERROR_LIMIT,
              "has %llu bytes, the limit is %llu", (unsigned long long)status.st_size,
              (unsigned long long)byte_limit);
  /* files of /proc say they are empty, and an empty mapping is an error */
  if (status.st_size == 0) return read_stream(fd, byte_limit, file, error);
  void *mapping = os->mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  SINEW_CHECK(mapping != MAP_FAILED, error, SINEW_ERROR_IO, "cannot be mapped: %s", strerror(errno));
  file->bytes = mapping;
  file->byte_count = (size_t)status.st_size;
  file->mapping = mapping;
  return SINEW_OK;
}

sinew_result os_file_open(const char *path, uint64_t byte_limit, os_file *file, sinew_error *error) {
  memset(file, 0, sizeof *file);
  int fd;
  do fd = os->open(path, O_RDONLY | O_CLOEXEC, 0);
  while (fd < 0 && errno == EINTR);
  if (fd < 0)
    return error_in_file(error, error_set(error, SINEW_ERROR_IO, "cannot be opened: %s", strerror(errno)),
                         path);
  sinew_result result = open_descriptor(fd, byte_limit, file, error);
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
