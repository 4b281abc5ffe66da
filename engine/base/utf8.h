/* Well-formed UTF-8, as the Unicode standard's table 3-7 has it: no overlong forms, no surrogates, nothing
 * past U+10FFFF. */
#ifndef SINEW_BASE_UTF8_H
#define SINEW_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Length of the sequence at p, 0 when none stands there. available is at least 1. */
static inline size_t utf8_sequence(const unsigned char *p, size_t available) {
  unsigned lead = p[0];
  if (lead < 0x80) return 1;
  size_t need = lead >= 0xc2 && lead < 0xe0   ? 2
                : lead >= 0xe0 && lead < 0xf0 ? 3
                : lead >= 0xf0 && lead < 0xf5 ? 4
                                              : 0;
  if (need == 0 || need > available) return 0;
  for (size_t i = 1; i < need; i++)
    if ((p[i] & 0xc0) != 0x80) return 0;
  if ((lead == 0xe0 && p[1] < 0xa0) || (lead == 0xed && p[1] >= 0xa0)) return 0;
  if ((lead == 0xf0 && p[1] < 0x90) || (lead == 0xf4 && p[1] >= 0x90)) return 0;
  return need;
}

typedef struct arena arena;
/* A copy in `memory` with a terminating zero, in which each malformed byte has become U+FFFD; *malformed tells
 * whether there was one. NULL when out of memory. */
char *utf8_keep(arena *memory, const char *text, size_t length, bool *malformed);

#endif
