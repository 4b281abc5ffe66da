#include "base/beneath.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>

enum { FOLDER_FLAGS = O_PATH | O_DIRECTORY | O_CLOEXEC, FILE_FLAGS = O_RDONLY | O_NONBLOCK | O_CLOEXEC };

static int open_part(int folder, const char *name, int flags) {
  int fd;
  do fd = os->openat(folder, name, flags | O_NOFOLLOW, 0);
  while (fd < 0 && errno == EINTR);
  return fd;
}

/* Whether `name` is a link is not what the system always answers: a folder that is one is "not a folder". */
static bool is_link(int folder, const char *name) {
  const int fd = open_part(folder, name, O_PATH | O_CLOEXEC);
  struct stat status;
  if (fd < 0) return false;
  const bool link = os->fstat(fd, &status) == 0 && S_ISLNK(status.st_mode);
  os->close(fd);
  return link;
}

static sinew_result part_failed(int folder, const char *name, int reason, sinew_error *error) {
  if ((reason == ELOOP || reason == ENOTDIR) && is_link(folder, name))
    return error_set(error, SINEW_ERROR_IO, "is a symbolic link, or leads through one");
  return error_set(error, SINEW_ERROR_IO, "cannot be opened: %s", strerror(reason));
}

/* The next part of a path, which is taken off it; "" at its end. Empty parts and '.' stand for nothing. */
static const char *next_part(char **path) {
  for (;;) {
    char *part = *path;
    if (!*part) return part;
    char *slash = strchr(part, '/');
    *path = slash ? slash + 1 : part + strlen(part);
    if (slash) *slash = 0;
    if (*part && strcmp(part, ".") != 0) return part;
  }
}

static sinew_result read_regular(int fd, uint64_t byte_limit, os_file *file, sinew_error *error) {
  struct stat status;
  SINEW_CHECK(os->fstat(fd, &status) == 0, error, SINEW_ERROR_IO, "cannot be examined: %s", strerror(errno));
  SINEW_CHECK(S_ISREG(status.st_mode), error, SINEW_ERROR_IO, "is no regular file");
  return os_file_from_descriptor(fd, byte_limit, file, error);
}

/* Closes the folder. */
static sinew_result walk(int folder, char *path, uint64_t byte_limit, os_file *file, sinew_error *error) {
  const char *name = next_part(&path);
  sinew_result result = SINEW_OK;
  int fd = -1;
  if (!*name) result = error_set(error, SINEW_ERROR_IO, "names no file");
  while (result == SINEW_OK && *name) {
    const char *below = next_part(&path);
    if (strcmp(name, "..") == 0) {
      result = error_set(error, SINEW_ERROR_IO, "leads out of the folder");
      break;
    }
    fd = open_part(folder, name, *below ? FOLDER_FLAGS : FILE_FLAGS);
    if (fd < 0) {
      result = part_failed(folder, name, errno, error);
      break;
    }
    os->close(folder);
    folder = fd;
    name = below;
  }
  if (result == SINEW_OK) result = read_regular(folder, byte_limit, file, error);
  os->close(folder);
  return result;
}

sinew_result os_file_open_beneath(const char *folder, const char *relative, uint64_t byte_limit,
                                  os_file *file, sinew_error *error) {
  char path[PATH_MAX];
  const size_t length = strlen(relative);
  memset(file, 0, sizeof *file);
  SINEW_CHECK(*relative != '/', error, SINEW_ERROR_IO, "is an absolute path");
  SINEW_CHECK(length < sizeof path, error, SINEW_ERROR_IO, "has %zu bytes, the limit is %zu", length,
              sizeof path - 1);
  memcpy(path, relative, length + 1);
  int fd;
  do fd = os->open(*folder ? folder : ".", FOLDER_FLAGS, 0);
  while (fd < 0 && errno == EINTR);
  SINEW_CHECK(fd >= 0, error, SINEW_ERROR_IO, "its folder cannot be opened: %s", strerror(errno));
  return walk(fd, path, byte_limit, file, error);
}
