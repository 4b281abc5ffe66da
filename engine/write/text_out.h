/* Text that grows as it is written. Out of memory is remembered: later calls do nothing, and one check at the
 * end is enough. A zeroed struct is an empty text; it belongs to one thread at a time. */
#ifndef SINEW_WRITE_TEXT_OUT_H
#define SINEW_WRITE_TEXT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct text_out {
  char *bytes; /* without a terminating zero */
  size_t byte_count;
  size_t capacity;
  bool failed;
} text_out;

/* Room for `most` bytes behind the text, to be written from there on and then told to text_out_end; NULL when
 * failed. */
char *text_out_room(text_out *out, size_t most);
static inline void text_out_end(text_out *out, const char *end) {
  out->byte_count = (size_t)(end - out->bytes);
}

void text_out_bytes(text_out *out, const char *bytes, size_t count);
void text_out_text(text_out *out, const char *text);
void text_out_uint(text_out *out, uint64_t value);
/* As number_print_float and number_print_double. */
void text_out_float(text_out *out, float value);
void text_out_double(text_out *out, double value);

/* Empty again and not failed; its memory is kept. */
void text_out_clear(text_out *out);
void text_out_release(text_out *out);

#endif
