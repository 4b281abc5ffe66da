/* GLBs in memory, for tests of the code that reads them. */
#ifndef TESTS_WRITE_MEMORY_GLB_H
#define TESTS_WRITE_MEMORY_GLB_H

#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static inline void memory_put(int fd, const void *bytes, size_t count) {
  cr_assert(write(fd, bytes, count) == (int64_t)count);
}

/* bin_bytes is a multiple of 4; 0: no BIN chunk. The caller closes the descriptor. */
static inline int glb_of(const char *json, const void *bin, size_t bin_bytes) {
  int fd = memfd_create("glb", MFD_CLOEXEC);
  cr_assert(fd >= 0);
  uint32_t length = (uint32_t)strlen(json), padded = (length + 3) / 4 * 4;
  uint32_t bin_head[2] = {(uint32_t)bin_bytes, 0x004e4942};
  uint32_t head[5] = {0x46546c67, 2, 20 + padded + (bin_bytes ? 8 + bin_head[0] : 0), padded, 0x4e4f534a};
  memory_put(fd, head, sizeof head);
  memory_put(fd, json, length);
  memory_put(fd, "   ", padded - length);
  if (bin_bytes) memory_put(fd, bin_head, sizeof bin_head);
  if (bin_bytes) memory_put(fd, bin, bin_bytes);
  return fd;
}

#endif
