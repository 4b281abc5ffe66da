#include "printable.h"

#include "console.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t utf8_sequence(const char *text) {
  const unsigned char *p = (const unsigned char *)text;
  if (p[0] == 0) return 0;
  if (p[0] < 0x80) return 1;
  const size_t length = p[0] >= 0xc2 && p[0] < 0xe0   ? 2
                        : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
                        : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                                      : 0;
  /* the terminating zero is no continuation byte, so this stays inside the string */
  for (size_t i = 1; i < length; i++)
    if ((p[i] & 0xc0) != 0x80) return 0;
  const bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
  const bool surrogate = p[0] == 0xed && p[1] >= 0xa0;
  const bool beyond = p[0] == 0xf4 && p[1] >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

bool utf8_is_control(const char *sequence, size_t length) {
  const unsigned char *p = (const unsigned char *)sequence;
  return (length == 1 && (p[0] < 0x20 || p[0] == 0x7f)) || (length == 2 && p[0] == 0xc2 && p[1] < 0xa0);
}

static char *clean(const char *text, bool keep_c0) {
  char *copy = or_die(malloc(strlen(text) + 1));
  char *out = copy;
  while (*text) {
    const size_t length = utf8_sequence(text);
    const bool kept = length && (!utf8_is_control(text, length) || (keep_c0 && length == 1 && *text < 0x20));
    if (kept) {
      memcpy(out, text, length);
      out += length;
    } else {
      *out++ = '?';
    }
    text += length ? length : 1;
  }
  *out = 0;
  return copy;
}

char *printable(const char *text) {
  return clean(text, false);
}

char *json_safe(const char *text) {
  return clean(text, true);
}

char *grouped_digits(unsigned long long value, char *buffer) {
  char digits[24];
  const int count = snprintf(digits, sizeof digits, "%llu", value);
  char *out = buffer;
  for (int i = 0; i < count; i++) {
    if (i && (count - i) % 3 == 0) *out++ = ',';
    *out++ = digits[i];
  }
  *out = 0;
  return buffer;
}
