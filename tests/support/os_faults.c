#include "support/os_faults.h"
#include "base/os.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const names[CALL_KIND_COUNT] = {"open",   "close",     "fstat", "mmap",   "read",  "pread",
                                                   "pwrite", "ftruncate", "fsync", "rename", "unlink", "openat"};
static const char letters[] = "ocfMrPptSRuO";

os_faults os_fault;
static bool interrupt_next;

const char *os_call_name(int kind) {
  return kind >= 0 && kind < CALL_KIND_COUNT ? names[kind] : "none";
}

static bool may_be_interrupted(int kind) {
  return kind == CALL_OPEN || kind == CALL_OPENAT || kind == CALL_READ || kind == CALL_PREAD || kind == CALL_PWRITE ||
         kind == CALL_FTRUNCATE || kind == CALL_FSYNC || kind == CALL_RENAME;
}

static bool fails(int kind) {
  os_faults *f = &os_fault;
  if (f->interrupted && may_be_interrupted(kind)) {
    interrupt_next = !interrupt_next;
    if (interrupt_next) {
      errno = EINTR;
      return true;
    }
  }
  if (f->call_count < (int)sizeof f->log - 1) f->log[f->call_count] = letters[kind];
  bool now = f->call_count++ == f->failing_call;
  if (now) f->failed_kind = kind;
  if (!now && !(f->fails_on && kind == f->failed_kind) && kind != f->also_failing) return false;
  errno = f->failing_errno;
  return true;
}

static int faulty_open(const char *path, int flags, mode_t mode) {
  return fails(CALL_OPEN) ? -1 : os_real.open(path, flags, mode);
}
static int faulty_openat(int folder, const char *path, int flags, mode_t mode) {
  return fails(CALL_OPENAT) ? -1 : os_real.openat(folder, path, flags, mode);
}
static int faulty_close(int fd) {
  bool failing = fails(CALL_CLOSE);
  int reason = errno;
  int result = os_real.close(fd); /* a failing close closes as well */
  if (!failing) return result;
  errno = reason;
  return -1;
}
static int faulty_fstat(int fd, struct stat *status) {
  return fails(CALL_FSTAT) ? -1 : os_real.fstat(fd, status);
}
static void *faulty_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  return fails(CALL_MMAP) ? MAP_FAILED : os_real.mmap(at, length, protection, flags, fd, offset);
}
static size_t piece(size_t count) {
  return os_fault.short_transfers && count ? 1 : count;
}
static ssize_t faulty_read(int fd, void *bytes, size_t count) {
  return fails(CALL_READ) ? -1 : os_real.read(fd, bytes, piece(count));
}
static ssize_t faulty_pread(int fd, void *bytes, size_t count, off_t offset) {
  return fails(CALL_PREAD) ? -1 : os_real.pread(fd, bytes, piece(count), offset);
}
static ssize_t faulty_pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  return fails(CALL_PWRITE) ? -1 : os_real.pwrite(fd, bytes, piece(count), offset);
}
static int faulty_ftruncate(int fd, off_t byte_count) {
  return fails(CALL_FTRUNCATE) ? -1 : os_real.ftruncate(fd, byte_count);
}
static int faulty_fsync(int fd) {
  if (fails(CALL_FSYNC)) return -1;
  return os_fault.no_flush ? 0 : os_real.fsync(fd);
}
static int faulty_rename(const char *from, const char *to) {
  return fails(CALL_RENAME) ? -1 : os_real.rename(from, to);
}
static int faulty_unlink(const char *path) {
  return fails(CALL_UNLINK) ? -1 : os_real.unlink(path);
}

void os_faults_use(int call, int reason) {
  static os_calls table;
  table = os_real;
  table.open = faulty_open;
  table.close = faulty_close;
  table.fstat = faulty_fstat;
  table.mmap = faulty_mmap;
  table.read = faulty_read;
  table.pread = faulty_pread;
  table.pwrite = faulty_pwrite;
  table.ftruncate = faulty_ftruncate;
  table.fsync = faulty_fsync;
  table.rename = faulty_rename;
  table.unlink = faulty_unlink;
  table.openat = faulty_openat;
  os_fault =
      (os_faults){.failing_call = call, .failing_errno = reason, .also_failing = -1, .failed_kind = -1};
  interrupt_next = false;
  os = &table;
}

void os_faults_end(void) {
  os = &os_real;
}

int os_lowest_free_descriptor(void) {
  int fd = dup(STDERR_FILENO);
  close(fd);
  return fd;
}
