/* A table of system calls whose n-th call fails, or which interrupt and cut short every call. One thread
 * only. */
#ifndef TESTS_SUPPORT_OS_FAULTS_H
#define TESTS_SUPPORT_OS_FAULTS_H

#include <stdbool.h>

typedef enum os_call_kind {
  CALL_OPEN,
  CALL_CLOSE,
  CALL_FSTAT,
  CALL_MMAP,
  CALL_READ,
  CALL_PREAD,
  CALL_PWRITE,
  CALL_FTRUNCATE,
  CALL_FSYNC,
  CALL_RENAME,
  CALL_UNLINK,
  CALL_OPENAT,
  CALL_KIND_COUNT
} os_call_kind;

const char *os_call_name(int kind);

typedef struct os_faults {
  int failing_call;     /* counting from 0; -1: none */
  int failing_errno;    /* what it answers */
  bool fails_on;        /* later calls of its kind fail as well */
  int also_failing;     /* a kind whose every call fails, -1: none */
  bool interrupted;     /* each call that may be interrupted answers EINTR first */
  bool short_transfers; /* one byte at a time */
  bool no_flush;        /* fsync does nothing */
  int call_count;       /* so far */
  int failed_kind;      /* of the failing call, -1 while it has not come */
  char log[4096]; /* a letter per call: open, close, fstat, Mmap, read, Pread, pwrite, ftruncate (t), fSync,
                     Rename, unlink, Openat */
} os_faults;
extern os_faults os_fault;

/* Takes the place of the real calls, with the call `call` failing by `reason`; other fields may be set after
 * it. */
void os_faults_use(int call, int reason);
void os_faults_end(void);

/* The number that the next descriptor gets: the same before and after, when none stays open. */
int os_lowest_free_descriptor(void);

#endif
