#include "measure/limit_field.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TURNS = 4096 };

void limit_run_arithmetic(void *field) {
  limit_field *f = field;
  f->loops->arithmetic(TURNS, f->sink);
}
double limit_arithmetic_operations(const limit_field *field) {
  return (double)TURNS * field->loops->operations_per_turn;
}
void limit_run_read(void *field) {
  limit_field *f = field;
  f->sink[0] = f->loops->read(f->memory, f->count);
}
void limit_run_store(void *field) {
  limit_field *f = field;
  f->loops->store(f->memory, f->count);
}
void limit_run_store_past_caches(void *field) {
  limit_field *f = field;
  f->loops->store_past_caches(f->memory, f->count);
}

size_t limit_memory_bytes(size_t most) {
  const long l3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
  const size_t least = (size_t)128 << 20;
  size_t bytes = l3 > 0 ? 2 * (size_t)l3 : 0;
  if (bytes < least) bytes = least;
  return bytes < most ? bytes : most;
}

float *limit_memory_map(size_t byte_count) {
  void *memory = mmap(NULL, byte_count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  madvise(memory, byte_count, MADV_HUGEPAGE);
  memset(memory, 0, byte_count);
  return memory;
}

void limit_memory_unmap(float *memory, size_t byte_count) {
  if (memory) munmap(memory, byte_count);
}
