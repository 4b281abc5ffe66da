#include "base/heap.h"
#include "base/checked.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int (*heap_permit)(size_t byte_count);

static void *libc_alloc(void *user, size_t byte_count, size_t alignment) {
  (void)user;
  return aligned_alloc(alignment, byte_count);
}

static void libc_free(void *user, void *block, size_t byte_count) {
  (void)user;
  (void)byte_count;
  free(block);
}

const sinew_allocator heap_libc = {libc_alloc, libc_free, NULL};

static _Thread_local const sinew_allocator *current = &heap_libc;

/* A copy, not a pointer: the caller's struct may be gone by the time a handle is closed. */
typedef struct heap_header {
  sinew_allocator allocator;
  size_t byte_count; /* header included, as the allocator was asked */
} heap_header;
_Static_assert(sizeof(heap_header) <= HEAP_ALIGNMENT, "the header stands in front of the block");

heap_scope heap_scope_enter(const sinew_allocator *allocator) {
  heap_scope scope = {current};
  current = allocator ? allocator : &heap_libc;
  return scope;
}

void heap_scope_leave(heap_scope *scope) {
  current = scope->before;
}

const sinew_allocator *heap_current(void) {
  return current;
}

sinew_result heap_check_allocator(const sinew_allocator *allocator, sinew_error *error) {
  SINEW_CHECK(!allocator || (allocator->alloc && allocator->free), error, SINEW_ERROR_ARGUMENT,
              "the allocator has no %s function", allocator && allocator->alloc ? "free" : "alloc");
  return SINEW_OK;
}

/* Pages that come one by one, each on its first touch, cost more than what is done with them. */
static const size_t least_filled_at_once = 128 * 1024;

/* A block the kernels could not load from is given back: it is as good as none. */
static void *ask(size_t byte_count) {
  char *block = current->alloc(current->user, byte_count, HEAP_ALIGNMENT);
  if (!block || (uintptr_t)block % HEAP_ALIGNMENT == 0) return block;
  current->free(current->user, block, byte_count);
  return NULL;
}

void *heap_alloc_unset(size_t byte_count) {
  size_t bytes, whole;
  if (!checked_add(byte_count, HEAP_ALIGNMENT - 1, &bytes)) return NULL;
  bytes = bytes / HEAP_ALIGNMENT * HEAP_ALIGNMENT;
  if (bytes == 0) bytes = HEAP_ALIGNMENT;
  if (!checked_add(bytes, HEAP_ALIGNMENT, &whole)) return NULL;
  if (heap_permit && !heap_permit(bytes)) return NULL;
  char *start = ask(whole);
  if (!start) return NULL;
  memset(start, 0, HEAP_ALIGNMENT);
  *(heap_header *)(void *)start = (heap_header){*current, whole};
  return start + HEAP_ALIGNMENT;
}

static const heap_header *header_of(const void *block) {
  return (const void *)((const char *)block - HEAP_ALIGNMENT);
}

/* A wish: where the system does not know it, pages come as they always did. */
void heap_fill_soon(void *block, size_t byte_count) {
#ifdef MADV_POPULATE_WRITE
  if (byte_count < least_filled_at_once) return;
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), before = (page - (uintptr_t)block % page) % page;
  if (byte_count - before < page) return;
  (void)madvise((char *)block + before, (byte_count - before) / page * page, MADV_POPULATE_WRITE);
#else
  (void)block, (void)byte_count;
#endif
}

void *heap_alloc(size_t count, size_t size) {
  size_t bytes;
  if (!checked_mul(count, size, &bytes)) return NULL;
  void *block = heap_alloc_unset(bytes);
  if (block) heap_fill_soon(block, bytes);
  if (block) memset(block, 0, header_of(block)->byte_count - HEAP_ALIGNMENT);
  return block;
}

void *heap_grow(void *block, size_t old_count, size_t count, size_t size) {
  void *grown = heap_alloc(count, size);
  if (!grown) return NULL;
  if (block) memcpy(grown, block, old_count * size);
  heap_free(block);
  return grown;
}

const sinew_allocator *heap_owner(const void *block) {
  return &header_of(block)->allocator;
}

void heap_free(void *block) {
  if (!block) return;
  const heap_header header = *header_of(block);
  header.allocator.free(header.allocator.user, (char *)block - HEAP_ALIGNMENT, header.byte_count);
}
