#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- parsing ---------------------------------------------------------------------------------------------
 * Clinger's way: a decimal of at most 19 digits whose digits fit 53 bits, times a power of ten that a double
 * holds exactly, takes one correctly rounded operation. A float taken from that double is rounded twice,
 * which differs from one rounding only where the double lies exactly half way between two floats. Everything
 * else goes to the C library, in a form that no locale can change: digits, 'e', exponent, and no decimal
 * point. */

enum {
  FAST_DIGITS = 19, /* always fit 64 bits */
  KEPT_DIGITS =
      800, /* a double's half-way points have at most 767; what follows matters only as zero or not */
  EXPONENT_CLAMP = 99999, /* far past any float, for up to KEPT_DIGITS digits */
  MAX_POWER = 22
};
#define MAX_MANTISSA (UINT64_C(1) << 53)
#define EXPLICIT_CLAMP (INT64_C(1) << 40) /* more than a text can shift the point by */

static const double powers_of_ten[MAX_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

typedef struct decimal {
  const char *digits; /* the first digit or the point */
  const char *digits_end;
  size_t used;
  uint64_t mantissa; /* wraps when there are more than FAST_DIGITS digits */
  size_t digit_count;
  int64_t explicit_exponent;
  int64_t fraction_count; /* digits after the point */
  bool negative;
} decimal;

static inline bool is_digit(char c) {
  return (unsigned char)(c - '0') < 10;
}

static inline int64_t scan_exponent(const char *p, const char *end, const char **after) {
  const char *at = p + 1;
  bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) at++;
  if (at == end || !is_digit(*at)) return 0; /* "1e" is the number 1 and a letter */
  int64_t value = 0;
  for (; at < end && is_digit(*at); at++)
    if (value < EXPLICIT_CLAMP) value = value * 10 + (*at - '0');
  *after = at;
  return negative ? -value : value;
}

static inline bool scan_decimal(const char *text, size_t length, decimal *d) {
  const char *end = text + length, *p = text;
  d->negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) p++;
  d->digits = p;
  uint64_t mantissa = 0;
  for (; p < end && is_digit(*p); p++) mantissa = mantissa * 10 + (uint64_t)(*p - '0');
  d->digit_count = (size_t)(p - d->digits);
  d->fraction_count = 0;
  if (p < end && *p == '.') {
    const char *first = ++p;
    for (; p < end && is_digit(*p); p++) mantissa = mantissa * 10 + (uint64_t)(*p - '0');
    d->fraction_count = p - first;
    d->digit_count += (size_t)d->fraction_count;
  }
  if (d->digit_count == 0) return false;
  d->digits_end = p;
  d->mantissa = mantissa;
  d->explicit_exponent = 0;
  const char *after = p;
  if (p < end && (*p == 'e' || *p == 'E')) d->explicit_exponent = scan_exponent(p, end, &after);
  d->used = (size_t)(after - text);
  return true;
}

/* Infinity and NaN as Unity and YAML spell them. */
static size_t scan_word(const char *text, size_t length, double *value) {
  static const struct {
    const char *word;
    double value;
  } words[] = {{"Infinity", INFINITY}, {"NaN", NAN},  {".inf", INFINITY}, {".Inf", INFINITY},
               {".INF", INFINITY},     {".nan", NAN}, {".NaN", NAN},      {".NAN", NAN}};
  size_t sign = length > 0 && (text[0] == '-' || text[0] == '+');
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    size_t count = strlen(words[i].word);
    if (length - sign >= count && memcmp(text + sign, words[i].word, count) == 0) {
      *value = sign && text[0] == '-' ? -words[i].value : words[i].value;
      return sign + count;
    }
  }
  return 0;
}

/* The decimal as digits without a point, and an exponent: at most KEPT_DIGITS digits, then a 1 where anything
 * but zeros was left out. Returns false for zero. */
static bool plain_form(const decimal *d, char *buffer, size_t size) {
  int64_t exponent = d->explicit_exponent;
  size_t count = 0;
  bool past_point = false, rest = false;
  for (const char *p = d->digits; p < d->digits_end; p++) {
    if (*p == '.') {
      past_point = true;
      continue;
    }
    exponent -= past_point;
    if (count == 0 && *p == '0') continue;
    if (count < KEPT_DIGITS) {
      buffer[count++] = *p;
    } else {
      exponent++;
      rest |= *p != '0';
    }
  }
  if (count == 0) return false;
  if (rest) {
    buffer[count++] = '1';
    exponent--;
  }
  if (exponent > EXPONENT_CLAMP) exponent = EXPONENT_CLAMP;
  if (exponent < -EXPONENT_CLAMP) exponent = -EXPONENT_CLAMP;
  snprintf(buffer + count, size - count, "e%d", (int)exponent);
  return true;
}

static float slow_float(const decimal *d) {
  char buffer[KEPT_DIGITS + 16];
  if (!plain_form(d, buffer, sizeof buffer)) return 0;
  int kept = errno;
  float value = strtof(buffer, NULL);
  errno = kept;
  return value;
}

static double slow_double(const decimal *d) {
  char buffer[KEPT_DIGITS + 16];
  if (!plain_form(d, buffer, sizeof buffer)) return 0;
  int kept = errno;
  double value = strtod(buffer, NULL);
  errno = kept;
  return value;
}

/* The decimal as a correctly rounded double by one exact operation; false where that cannot be. */
static inline bool fast_double(const decimal *d, double *value) {
  int64_t exponent = d->explicit_exponent - d->fraction_count;
  if (d->digit_count > FAST_DIGITS || d->mantissa > MAX_MANTISSA || exponent < -MAX_POWER ||
      exponent > MAX_POWER)
    return false;
  double digits = (double)d->mantissa;
  *value = exponent < 0 ? digits / powers_of_ten[-exponent] : digits * powers_of_ten[exponent];
  return true;
}

/* A double that a decimal was rounded to, where rounding it once more gives the decimal's nearest float. */
static inline bool rounds_once(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint64_t below_float = (UINT64_C(1) << 29) - 1, half_way = UINT64_C(1) << 28;
  return (bits & below_float) != half_way && (value >= 0x1p-126 || value == 0);
}

size_t number_parse_float(const char *text, size_t length, float *value) {
  decimal d;
  if (!scan_decimal(text, length, &d)) {
    double word;
    size_t used = scan_word(text, length, &word);
    if (used) *value = (float)word;
    return used;
  }
  double wide;
  float magnitude = fast_double(&d, &wide) && rounds_once(wide) ? (float)wide : slow_float(&d);
  *value = d.negative ? -magnitude : magnitude;
  return d.used;
}

size_t number_parse_double(const char *text, size_t length, double *value) {
  decimal d;
  if (!scan_decimal(text, length, &d)) return scan_word(text, length, value);
  double magnitude;
  if (!fast_double(&d, &magnitude)) magnitude = slow_double(&d);
  *value = d.negative ? -magnitude : magnitude;
  return d.used;
}

size_t number_parse_int(const char *text, size_t length, int64_t *value) {
  size_t at = length > 0 && (text[0] == '-' || text[0] == '+');
  bool negative = at && text[0] == '-';
  size_t first = at;
  int64_t sum = 0; /* kept negative: the least int64 has no positive twin */
  for (; at < length && is_digit(text[at]); at++)
    if (__builtin_mul_overflow(sum, 10, &sum) || __builtin_sub_overflow(sum, text[at] - '0', &sum)) return 0;
  if (at == first || (!negative && sum == INT64_MIN)) return 0;
  *value = negative ? sum : -sum;
  return at;
}
