#include "readers/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static void grow(text *t, size_t more) {
  if (t->length + more + 1 <= t->capacity) return;
  t->capacity = (t->length + more + 1) * 2;
  t->bytes = realloc(t->bytes, t->capacity);
  if (!t->bytes) abort();
}

static void add_bytes(text *t, const char *bytes, size_t count) {
  grow(t, count);
  memcpy(t->bytes + t->length, bytes, count);
  t->length += count;
  t->bytes[t->length] = 0;
}

void text_add(text *t, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  grow(t, (size_t)length);
  vsnprintf(t->bytes + t->length, (size_t)length + 1, format, again);
  t->length += (size_t)length;
  va_end(again);
  va_end(arguments);
}

void text_free(text *t) {
  free(t->bytes);
  *t = (text){0};
}

static const char *line_at(const char *base, int line) {
  for (int i = 1; i < line; i++) {
    const char *feed = strchr(base, '\n');
    if (!feed) return base + strlen(base);
    base = feed + 1;
  }
  return base;
}

text text_edit(const char *base, int first, int last, const char *lines) {
  text t = {0};
  const char *from = line_at(base, first), *to = last < first ? from : line_at(base, last + 1);
  add_bytes(&t, base, (size_t)(from - base));
  add_bytes(&t, lines, strlen(lines));
  add_bytes(&t, to, strlen(to));
  return t;
}

text text_crlf(const char *base) {
  text t = {0};
  for (; *base; base++) {
    if (*base == '\n') add_bytes(&t, "\r", 1);
    add_bytes(&t, base, 1);
  }
  return t;
}

guarded guard_bytes(const char *bytes, size_t length) {
  guarded g = {0};
  size_t used = (length + PAGE - 1) / PAGE * PAGE;
  if (used == 0) used = PAGE;
  g.page_bytes = used + PAGE;
  g.pages = mmap(NULL, g.page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (g.pages == MAP_FAILED || mprotect((char *)g.pages + used, PAGE, PROT_NONE) != 0) abort();
  guard_refill(&g, bytes, length);
  return g;
}

void guard_refill(guarded *g, const char *bytes, size_t length) {
  g->bytes = (char *)g->pages + g->page_bytes - PAGE - length;
  g->length = length;
  memcpy(g->bytes, bytes, length);
}

void guard_free(guarded *g) {
  munmap(g->pages, g->page_bytes);
}
