#include "write/json_out.h"
#include "base/utf8.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void json_literal(json_out *out, const char *text) {
  text_out_bytes(out, text, strlen(text));
}

void json_bytes(json_out *out, const char *bytes, size_t count) {
  text_out_bytes(out, bytes, count);
}

static void append_escaped(json_out *out, unsigned char byte) {
  char text[8];
  int length = byte == '"' || byte == '\\' ? snprintf(text, sizeof text, "\\%c", byte)
                                           : snprintf(text, sizeof text, "\\u%04x", byte);
  text_out_bytes(out, text, (size_t)length);
}

void json_out_string(json_out *out, const char *text) {
  const unsigned char *p = (const unsigned char *)text;
  size_t left = strlen(text);
  text_out_bytes(out, "\"", 1);
  while (left) {
    size_t n = utf8_sequence(p, left);
    if (n == 0)
      text_out_bytes(out, "\xef\xbf\xbd", 3);
    else if (n == 1 && (p[0] < 0x20 || p[0] == '"' || p[0] == '\\' || p[0] == 0x7f))
      append_escaped(out, p[0]);
    else
      text_out_bytes(out, (const char *)p, n);
    size_t step = n ? n : 1;
    p += step;
    left -= step;
  }
  text_out_bytes(out, "\"", 1);
}

void json_uint(json_out *out, uint64_t value) {
  text_out_uint(out, value);
}

void json_number(json_out *out, double value) {
  assert(isfinite(value));
  text_out_double(out, value == 0 ? 0 : value);
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
  text_out_release(out);
}
