/* Every system call that touches files, as one table that a test can replace to make any of them fail; and
 * the few helpers over it that retry EINTR and short transfers. */
#ifndef SINEW_BASE_OS_H
#define SINEW_BASE_OS_H

#include "sinew.h"
#include <sys/stat.h>
#include <sys/types.h>

typedef struct os_calls {
  int (*open)(const char *path, int flags, mode_t mode);
  int (*close)(int fd);
  int (*fstat)(int fd, struct stat *status);
  void *(*mmap)(void *at, size_t length, int protection, int flags, int fd, off_t offset);
  int (*munmap)(void *at, size_t length);
  ssize_t (*read)(int fd, void *bytes, size_t count);
  ssize_t (*pread)(int fd, void *bytes, size_t count, off_t offset);
  ssize_t (*pwrite)(int fd, const void *bytes, size_t count, off_t offset);
  int (*ftruncate)(int fd, off_t byte_count);
  int (*fsync)(int fd);
  int (*rename)(const char *from, const char *to);
  int (*unlink)(const char *path);
  int (*openat)(int folder, const char *path, int flags, mode_t mode);
} os_calls;

extern const os_calls os_real;
extern const os_calls *os;          /* &os_real but in a test */
extern uint64_t os_map_above_bytes; /* 64 MiB but in a test */

/* A whole file's bytes, read-only. Regular files above os_map_above_bytes are mapped, all else is read into
 * memory. */
typedef struct os_file {
  const char *bytes;
  size_t byte_count;
  void *mapping; /* NULL: `bytes` is heap memory */
} os_file;

/* Errors: IO with the path and the system's reason; LIMIT when larger than byte_limit. */
sinew_result os_file_open(const char *path, uint64_t byte_limit, os_file *file, sinew_error *error);
/* The same of an open descriptor, which stays open; `file` is empty. */
sinew_result os_file_from_descriptor(int fd, uint64_t byte_limit, os_file *file, sinew_error *error);
void os_file_close(os_file *file);

/* Writes all bytes at `offset`; false with errno set when the system refuses. */
bool os_write_all(int fd, const void *bytes, size_t count, uint64_t offset);
/* Reads exactly count bytes; false with errno set (0 at the end of the file). */
bool os_read_all(int fd, void *bytes, size_t count, uint64_t offset);

#endif
