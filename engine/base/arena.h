/* An arena: many allocations, one release. Each has a limit in bytes, so that a hostile file cannot take the
 * machine's memory. Not thread-safe. */
#ifndef SINEW_BASE_ARENA_H
#define SINEW_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct arena_chunk arena_chunk;
typedef struct arena {
  arena_chunk *chunks;
  uint64_t byte_count;
  uint64_t byte_limit; /* 0: none */
} arena;

/* Zeroed memory for count items of `size` bytes, aligned to 64 bytes where the block is 64 bytes or more,
 * else to
 * 16. NULL when out of memory, past the limit, or where count * size overflows. count 0 gives a valid
 * pointer. */
void *arena_alloc(arena *a, size_t count, size_t size);
/* A copy of length bytes with a terminating zero, or NULL. */
char *arena_text(arena *a, const char *text, size_t length);
void arena_release(arena *a);

/* Plain heap memory, aligned to 64 bytes, zeroed; the one door to the allocator for what is no arena's. */
void *heap_alloc(size_t count, size_t size);
/* Grows to count items and keeps the first old_count; the new part is zeroed. NULL leaves the old block
 * alone. */
void *heap_grow(void *block, size_t old_count, size_t count, size_t size);
void heap_free(void *block);

/* For tests: when set, called before each allocation; returning 0 makes that allocation fail. */
extern int (*heap_permit)(size_t byte_count);

#endif
