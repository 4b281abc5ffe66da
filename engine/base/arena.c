#include "base/arena.h"
#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 64 * 1024, ALIGN = 64 };

int (*heap_permit)(size_t byte_count);

struct arena_chunk {
  arena_chunk *next;
  size_t used; /* from the start of this struct */
  size_t size;
};

void *heap_alloc(size_t count, size_t size) {
  size_t bytes;
  if (!checked_mul(count, size, &bytes) || !checked_add(bytes, ALIGN - 1, &bytes)) return NULL;
  bytes = bytes / ALIGN * ALIGN;
  if (bytes == 0) bytes = ALIGN;
  if (heap_permit && !heap_permit(bytes)) return NULL;
  void *block = aligned_alloc(ALIGN, bytes);
  if (block) memset(block, 0, bytes);
  return block;
}

void *heap_grow(void *block, size_t old_count, size_t count, size_t size) {
  void *grown = heap_alloc(count, size);
  if (!grown) return NULL;
  if (block) memcpy(grown, block, old_count * size);
  heap_free(block);
  return grown;
}

void heap_free(void *block) {
  free(block);
}

void *arena_alloc(arena *a, size_t count, size_t size) {
  size_t bytes;
  if (!checked_mul(count, size, &bytes) || !checked_add(bytes, 0, &bytes)) return NULL;
  size_t align = bytes >= ALIGN ? ALIGN : 16;
  arena_chunk *c = a->chunks;
  size_t start = c ? (c->used + align - 1) / align * align : 0;
  size_t end;
  if (!c || !checked_add(start, bytes, &end) || end > c->size) {
    size_t need;
    if (!checked_add(bytes, ALIGN, &need)) return NULL;
    if (need < CHUNK_BYTES) need = CHUNK_BYTES;
    if (a->byte_limit && (a->byte_count > a->byte_limit || need > a->byte_limit - a->byte_count)) return NULL;
    c = heap_alloc(need, 1);
    if (!c) return NULL;
    c->next = a->chunks;
    c->size = need;
    a->chunks = c;
    a->byte_count += need;
    start = ALIGN;
    end = start + bytes;
  }
  c->used = end;
  return (char *)c + start;
}

char *arena_text(arena *a, const char *text, size_t length) {
  size_t bytes;
  if (!checked_add(length, 1, &bytes)) return NULL;
  char *copy = arena_alloc(a, bytes, 1);
  if (copy && length) memcpy(copy, text, length);
  return copy;
}

void arena_release(arena *a) {
  while (a->chunks) {
    arena_chunk *next = a->chunks->next;
    heap_free(a->chunks);
    a->chunks = next;
  }
  a->byte_count = 0;
}
