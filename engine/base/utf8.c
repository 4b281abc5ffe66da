#include "base/utf8.h"
#include "base/arena.h"

#include <string.h>

char *utf8_keep(arena *memory, const char *text, size_t length, bool *malformed) {
  const unsigned char *p = (const unsigned char *)text, *end = p + length;
  size_t bad = 0;
  for (const unsigned char *q = p; q < end;) {
    const size_t step = utf8_sequence(q, (size_t)(end - q));
    bad += step == 0;
    q += step ? step : 1;
  }
  *malformed = bad > 0;
  if (bad == 0) return arena_text(memory, text, length);
  char *kept = arena_alloc(memory, length + 2 * bad + 1, 1), *out = kept;
  while (kept && p < end) {
    const size_t step = utf8_sequence(p, (size_t)(end - p));
    memcpy(out, step ? (const char *)p : "\xef\xbf\xbd", step ? step : 3);
    out += step ? step : 3;
    p += step ? step : 1;
  }
  return kept;
}
