/* An arena: many allocations, one release. Each has a limit in bytes, so that a hostile file cannot take the
 * machine's memory. Its chunks are heap blocks: the thread's allocator makes them (heap.h). Not thread-safe.
 */
#ifndef SINEW_BASE_ARENA_H
#define SINEW_BASE_ARENA_H

#include "base/heap.h"

typedef struct arena_chunk arena_chunk;
typedef struct arena {
  arena_chunk *chunks;
  uint64_t byte_count;
  uint64_t byte_limit; /* 0: none */
} arena;

/* Zeroed memory for count items of `size` bytes, aligned to 64 bytes where the block is 64 bytes or more,
 * else to 16. NULL when out of memory, past the limit, or where count * size overflows. count 0 gives a valid
 * pointer. */
void *arena_alloc(arena *a, size_t count, size_t size);
/* A copy of length bytes with a terminating zero, or NULL. */
char *arena_text(arena *a, const char *text, size_t length);
void arena_release(arena *a);

#endif
