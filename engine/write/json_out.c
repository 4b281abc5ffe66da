#include "write/json_out.h"
#include "base/arena.h"
#include "base/checked.h"
#include "base/number.h"
#include "base/utf8.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CAPACITY = 16 * 1024 };

static void append(json_out *out, const char *bytes, size_t count) {
  if (out->failed) return;
  size_t need;
  if (!checked_add(out->byte_count, count, &need)) {
    out->failed = true;
    return;
  }
  if (need > out->capacity) {
    size_t capacity = out->capacity ? out->capacity : FIRST_CAPACITY;
    while (capacity < need && checked_mul(capacity, 2, &capacity)) {
    }
    char *grown = capacity < need ? NULL : heap_grow(out->bytes, out->byte_count, capacity, 1);
    if (!grown) {
      out->failed = true;
      return;
    }
    out->bytes = grown;
    out->capacity = capacity;
  }
  memcpy(out->bytes + out->byte_count, bytes, count);
  out->byte_count = need;
}

void json_literal(json_out *out, const char *text) {
  append(out, text, strlen(text));
}

void json_bytes(json_out *out, const char *bytes, size_t count) {
  append(out, bytes, count);
}

static void append_escaped(json_out *out, unsigned char byte) {
  char text[8];
  int length = byte == '"' || byte == '\\' ? snprintf(text, sizeof text, "\\%c", byte)
                                           : snprintf(text, sizeof text, "\\u%04x", byte);
  append(out, text, (size_t)length);
}

void json_out_string(json_out *out, const char *text) {
  const unsigned char *p = (const unsigned char *)text;
  size_t left = strlen(text);
  append(out, "\"", 1);
  while (left) {
    size_t n = utf8_sequence(p, left);
    if (n == 0)
      append(out, "\xef\xbf\xbd", 3);
    else if (n == 1 && (p[0] < 0x20 || p[0] == '"' || p[0] == '\\' || p[0] == 0x7f))
      append_escaped(out, p[0]);
    else
      append(out, (const char *)p, n);
    size_t step = n ? n : 1;
    p += step;
    left -= step;
  }
  append(out, "\"", 1);
}

void json_uint(json_out *out, uint64_t value) {
  char text[20];
  size_t at = sizeof text;
  /* a file has hundreds of them, so that printf would take a part of a short clip's time */
  do text[--at] = (char)('0' + value % 10);
  while (value /= 10);
  append(out, text + at, sizeof text - at);
}

void json_number(json_out *out, double value) {
  assert(isfinite(value));
  char text[40];
  append(out, text, number_print_double(text, value == 0 ? 0 : value));
}

void json_numbers(json_out *out, const double *values, size_t count) {
  json_literal(out, "[");
  for (size_t i = 0; i < count; i++) {
    if (i) json_literal(out, ",");
    json_number(out, values[i]);
  }
  json_literal(out, "]");
}

void json_release(json_out *out) {
  heap_free(out->bytes);
  memset(out, 0, sizeof *out);
}
