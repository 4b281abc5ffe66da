/* The one door to memory. Every block remembers the allocator that made it, and how many bytes it asked for,
 * in a header in front of it: it is freed by that allocator whoever frees it, so a handle needs no allocator
 * of its own and no function below the public ones passes one on.
 *
 * Which allocator makes a block is the thread's: each public function that allocates opens a HEAP_SCOPE with
 * the one its caller gave. OpenMP workers are other threads: a parallel body that allocates opens the same
 * scope again. */
#ifndef SINEW_BASE_HEAP_H
#define SINEW_BASE_HEAP_H

#include "sinew.h"

enum { HEAP_ALIGNMENT = 64 }; /* a plane of the kernels begins on it, and the header in front takes as much */

/* The C library's: what a caller gets who names none. */
extern const sinew_allocator heap_libc;

/* Zeroed memory aligned to 64 bytes. NULL when out of memory or where count * size overflows. count 0 gives a
 * valid pointer. */
void *heap_alloc(size_t count, size_t size);
/* The same but for its content, which is whatever was there: for what is filled at once, such as a file's
 * bytes. */
void *heap_alloc_unset(size_t byte_count);
/* All of a large block is about to be written: has the system get its pages at once. */
void heap_fill_soon(void *block, size_t byte_count);
/* Grows to count items and keeps the first old_count; the new part is zeroed. NULL leaves the old block
 * alone. */
void *heap_grow(void *block, size_t old_count, size_t count, size_t size);
void heap_free(void *block);
/* The allocator of a block of heap_alloc, for as long as the block lives: what a function given a handle and
 * no context allocates with. */
const sinew_allocator *heap_owner(const void *block);

/* Errors: ARGUMENT where a function is missing. NULL is none, and right. */
sinew_result heap_check_allocator(const sinew_allocator *allocator, sinew_error *error);

typedef struct heap_scope {
  const sinew_allocator *before;
} heap_scope;
/* NULL: the C library's. The struct lives until the scope ends; blocks keep what they need of it. */
heap_scope heap_scope_enter(const sinew_allocator *allocator);
void heap_scope_leave(heap_scope *scope);
/* The one this thread allocates with now: for the scopes of its workers. */
const sinew_allocator *heap_current(void);
/* Until the end of the block it stands in, this thread allocates with `allocator`. Each has a name of its
 * own, so that one may stand inside another. */
#define HEAP_SCOPE(allocator) HEAP_SCOPE_NAMED(allocator, __COUNTER__)
#define HEAP_SCOPE_NAMED(allocator, number) HEAP_SCOPE_DECLARE(allocator, number)
#define HEAP_SCOPE_DECLARE(allocator, number)                                                                \
  __attribute__((cleanup(heap_scope_leave), unused)) heap_scope heap_scope_##number =                        \
      heap_scope_enter(allocator)

/* For tests: when set, called before each allocation with the bytes that the block holds; returning 0 makes
 * that allocation fail. */
extern int (*heap_permit)(size_t byte_count);

#endif
