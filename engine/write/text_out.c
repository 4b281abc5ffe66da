#include "write/text_out.h"
#include "base/checked.h"
#include "base/heap.h"
#include "base/number.h"

#include <string.h>

enum { FIRST_CAPACITY = 16 * 1024 };

static bool grow(text_out *out, size_t most) {
  size_t need, capacity = out->capacity ? out->capacity : FIRST_CAPACITY;
  if (!checked_add(out->byte_count, most, &need)) return false;
  while (capacity < need && checked_mul(capacity, 2, &capacity)) {
  }
  char *grown = capacity < need ? NULL : heap_alloc_unset(capacity);
  if (!grown) return false;
  if (out->byte_count) memcpy(grown, out->bytes, out->byte_count);
  heap_free(out->bytes);
  out->bytes = grown;
  out->capacity = capacity;
  return true;
}

char *text_out_room(text_out *out, size_t most) {
  if (out->failed) return NULL;
  if (!out->bytes || out->capacity - out->byte_count < most) out->failed = !grow(out, most);
  return out->failed ? NULL : out->bytes + out->byte_count;
}

void text_out_bytes(text_out *out, const char *bytes, size_t count) {
  char *at = text_out_room(out, count);
  if (!at) return;
  memcpy(at, bytes, count);
  text_out_end(out, at + count);
}

void text_out_text(text_out *out, const char *text) {
  text_out_bytes(out, text, strlen(text));
}

void text_out_uint(text_out *out, uint64_t value) {
  char text[20];
  size_t at = sizeof text;
  /* a file has hundreds of them, so that printf would take a part of a short clip's time */
  do text[--at] = (char)('0' + value % 10);
  while (value /= 10);
  text_out_bytes(out, text + at, sizeof text - at);
}

void text_out_float(text_out *out, float value) {
  char *at = text_out_room(out, NUMBER_PRINT_BYTES);
  if (at) text_out_end(out, at + number_print_float(at, value));
}

void text_out_double(text_out *out, double value) {
  char *at = text_out_room(out, NUMBER_PRINT_BYTES);
  if (at) text_out_end(out, at + number_print_double(at, value));
}

void text_out_clear(text_out *out) {
  out->byte_count = 0;
  out->failed = false;
}

void text_out_release(text_out *out) {
  heap_free(out->bytes);
  memset(out, 0, sizeof *out);
}
