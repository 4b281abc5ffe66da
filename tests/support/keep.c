#include "support/keep.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

static arena kept;

void *test_keep(size_t count, size_t size) {
  void *memory = arena_alloc(&kept, count, size);
  if (!memory) abort();
  return memory;
}

char *test_keep_text(const char *text) {
  size_t bytes = strlen(text) + 1;
  return memcpy(test_keep(bytes, 1), text, bytes);
}

void test_keep_release(void) {
  arena_release(&kept);
}
