#include "option_value.h"

#include <errno.h>
#include <stdlib.h>

static const char *digits(const char *p) {
  while (*p >= '0' && *p <= '9') p++;
  return p;
}

/* digits [. digits] [e [+-] digits], with a digit on at least one side of the point */
static bool is_decimal(const char *text) {
  const char *p = digits(text);
  bool any = p > text;
  if (*p == '.') {
    const char *fraction = p + 1;
    p = digits(fraction);
    any = any || p > fraction;
  }
  if (!any) return false;
  if (*p == 'e' || *p == 'E') {
    p++;
    if (*p == '+' || *p == '-') p++;
    const char *exponent = p;
    p = digits(exponent);
    if (p == exponent) return false;
  }
  return *p == 0;
}

bool value_real(const char *text, double most, double *value) {
  if (!is_decimal(text)) return false;
  /* the program never calls setlocale, so strtod reads the "C" locale's numbers */
  const double parsed = strtod(text, NULL);
  if (!(parsed > 0 && parsed <= most)) return false;
  *value = parsed;
  return true;
}

bool value_count(const char *text, uint32_t least, uint32_t most, uint32_t *value) {
  const char *end = digits(text);
  if (end == text || *end || end - text > 9) return false;
  const uint32_t parsed = (uint32_t)strtoul(text, NULL, 10);
  if (parsed < least || parsed > most) return false;
  *value = parsed;
  return true;
}

bool value_limit(const char *text, uint64_t most, uint64_t *value) {
  const char *end = digits(text);
  if (end == text || *end) return false;
  errno = 0;
  const unsigned long long parsed = strtoull(text, NULL, 10);
  if (errno || parsed < 1 || parsed > most) return false;
  *value = parsed;
  return true;
}
