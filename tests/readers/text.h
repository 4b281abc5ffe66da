/* Texts for the readers' tests: put together, edited by line, and laid against an unmapped page. */
#ifndef TESTS_READERS_TEXT_H
#define TESTS_READERS_TEXT_H

#include <stddef.h>

typedef struct text {
  char *bytes; /* heap; always with a terminating zero that length does not count */
  size_t length;
  size_t capacity;
} text;

void text_add(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_free(text *t);

/* `base` with its lines first..last (from 1) replaced by `lines`, which stands for them as it is. last <
 * first inserts before line first. */
text text_edit(const char *base, int first, int last, const char *lines);
/* Every line end becomes CR LF. */
text text_crlf(const char *base);

/* Bytes that end where a page ends behind which nothing is mapped: one read too far kills the test. */
typedef struct guarded {
  char *bytes;
  size_t length;
  void *pages;
  size_t page_bytes;
} guarded;
guarded guard_bytes(const char *bytes, size_t length);
/* Holds other bytes from now on, no more than it was made for. */
void guard_refill(guarded *g, const char *bytes, size_t length);
void guard_free(guarded *g);

#endif
