#include "base/arena.h"
#include "base/checked.h"

#include <string.h>

enum { CHUNK_BYTES = 64 * 1024, ALIGN = 64 };

struct arena_chunk {
  arena_chunk *next;
  size_t used; /* from the start of this struct */
  size_t size;
};

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
