/* Shortest decimals by Schubfach (R. Giulietti, "The Schubfach way to render doubles", 2020): between the two
 * half-way points around a number there are, at the largest power of ten that is at most as long as that
 * interval, one to ten multiples of it; at ten times that power there is at most one. Three products with a
 * table's power of ten, rounded to odd so that comparisons stay right, find them. */
#include "base/number.h"
#include "base/powers_of_ten.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128; /* the one width that ISO C lacks */

enum { FIXED_FROM = -9, FIXED_BELOW = 21 };

typedef struct decimal {
  uint64_t digits; /* at most 17 of them */
  int exponent;    /* of the last digit */
} decimal;

/* ---- the shortest decimal ----------------------------------------------------------------------------- */

/* floor(log10(2^q)), and of 3/4 2^q */
static inline int log10_of_power_of_two(int q, bool three_quarters) {
  return (q * 1262611 - (three_quarters ? 524031 : 0)) >> 22;
}
static inline int log2_of_power_of_ten(int e) {
  return (e * 1741647) >> 19;
}

/* Four times a number and its two half-way points, in units of 10^exponent. */
typedef struct place {
  uint64_t lower, value, upper;
  int exponent;
} place;

/* An even number's half-way points read back as it, an odd one's do not. */
static inline decimal choose(const place *p, bool even) {
  const uint64_t lower = p->lower + !even, upper = p->upper - !even, s = p->value / 4;
  if (s >= 10) {
    const uint64_t tens = s / 10;
    const bool below = lower <= 40 * tens, above = 40 * tens + 40 <= upper;
    if (below != above) return (decimal){tens + above, p->exponent + 1};
  }
  const bool below = lower <= 4 * s, above = 4 * s + 4 <= upper;
  if (below != above) return (decimal){s + above, p->exponent};
  const uint64_t middle = 4 * s + 2;
  const bool up = p->value > middle || (p->value == middle && (s & 1));
  return (decimal){s + up, p->exponent};
}

/* floor(power * c / 2^64), the last bit set where that is not exact */
static inline uint64_t times_float(uint64_t power, uint32_t c) {
  const uint128 product = (uint128)power * c;
  return (uint64_t)(product >> 64) | ((uint32_t)(product >> 32) > 1);
}

static inline uint64_t times_double(uint64_t high, uint64_t low, uint64_t c) {
  const uint128 product = (uint128)high * c + (uint64_t)(((uint128)low * c) >> 64);
  return (uint64_t)(product >> 64) | ((uint64_t)product > 1);
}

/* c * 2^q > 0. closer: c is the least of its exponent, so that the number below is only half as far. */
static inline decimal shortest_float(uint32_t c, int q, bool closer) {
  const int k = log10_of_power_of_two(q, closer), shift = q + log2_of_power_of_ten(-k) + 1;
  const uint64_t power = powers_of_ten[-k - FIRST_POWER].high + (powers_of_ten[-k - FIRST_POWER].low != 0);
  const place p = {times_float(power, (4 * c - 2 + closer) << shift), times_float(power, (4 * c) << shift),
                   times_float(power, (4 * c + 2) << shift), k};
  return choose(&p, c % 2 == 0);
}

static inline decimal shortest_double(uint64_t c, int q, bool closer) {
  const int k = log10_of_power_of_two(q, closer), shift = q + log2_of_power_of_ten(-k) + 1;
  const uint64_t high = powers_of_ten[-k - FIRST_POWER].high, low = powers_of_ten[-k - FIRST_POWER].low;
  const place p = {times_double(high, low, (4 * c - 2 + closer) << shift),
                   times_double(high, low, (4 * c) << shift), times_double(high, low, (4 * c + 2) << shift),
                   k};
  return choose(&p, c % 2 == 0);
}

/* A whole number below 2^bits, bits being the significand's, is its own shortest decimal. */
static inline bool is_whole(uint64_t c, int q, int bits) {
  return q <= 0 && -q < bits && (c & ((UINT64_C(1) << -q) - 1)) == 0;
}

/* ---- digits ------------------------------------------------------------------------------------------- */

static const uint64_t ten_to[] = {UINT64_C(1),
                                  UINT64_C(10),
                                  UINT64_C(100),
                                  UINT64_C(1000),
                                  UINT64_C(10000),
                                  UINT64_C(100000),
                                  UINT64_C(1000000),
                                  UINT64_C(10000000),
                                  UINT64_C(100000000),
                                  UINT64_C(1000000000),
                                  UINT64_C(10000000000),
                                  UINT64_C(100000000000),
                                  UINT64_C(1000000000000),
                                  UINT64_C(10000000000000),
                                  UINT64_C(100000000000000),
                                  UINT64_C(1000000000000000),
                                  UINT64_C(10000000000000000),
                                  UINT64_C(100000000000000000),
                                  UINT64_C(1000000000000000000),
                                  UINT64_C(10000000000000000000)};

static inline int count_digits(uint64_t value) {
  const int log2 = 63 - __builtin_clzll(value | 1), guess = ((log2 + 1) * 1233) >> 12;
  return guess + (value >= ten_to[guess]) + (value == 0);
}

/* Exactly count digits, leading zeros among them. */
static inline char *put_digits(char *out, uint64_t value, int count) {
  static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                              "25262728293031323334353637383940414243444546474849"
                              "50515253545556575859606162636465666768697071727374"
                              "75767778798081828384858687888990919293949596979899";
  char *end = out + count, *at = end;
  while (value > UINT32_MAX && at - out >= 2) {
    memcpy(at -= 2, pairs + 2 * (value % 100), 2);
    value /= 100;
  }
  uint32_t rest = (uint32_t)value;
  while (at - out >= 2) {
    memcpy(at -= 2, pairs + 2 * (rest % 100), 2);
    rest /= 100;
  }
  if (at > out) *out = (char)('0' + rest % 10);
  return end;
}

/* The point behind the digit of 10^0; zeros fill the gap on either side. */
static inline char *put_fixed(char *out, const decimal *d, int count, int first) {
  if (first < 0) {
    memcpy(out, "0.00000000", 10);
    return put_digits(out + 1 - first, d->digits, count);
  }
  if (d->exponent >= 0) {
    out = put_digits(out, d->digits, count);
    for (int i = 0; i < d->exponent; i++) *out++ = '0';
    return out;
  }
  char *end = put_digits(out + 1, d->digits, count);
  for (int i = 0; i <= first; i++) out[i] = out[i + 1];
  out[first + 1] = '.';
  return end;
}

static char *put_scientific(char *out, const decimal *d, int count, int first) {
  char *end = put_digits(out + 1, d->digits, count);
  out[0] = out[1];
  if (count > 1)
    out[1] = '.';
  else
    end--;
  *end++ = 'e';
  *end++ = first < 0 ? '-' : '+';
  const uint64_t magnitude = (uint64_t)(first < 0 ? -first : first);
  return put_digits(end, magnitude, magnitude < 100 ? 2 : 3);
}

static inline char *put_decimal(char *out, decimal d) {
  while (d.digits % 10 == 0) {
    d.digits /= 10;
    d.exponent++;
  }
  const int count = count_digits(d.digits), first = d.exponent + count - 1;
  return first >= FIXED_FROM && first < FIXED_BELOW ? put_fixed(out, &d, count, first)
                                                    : put_scientific(out, &d, count, first);
}

/* ---- numbers ------------------------------------------------------------------------------------------ */

static size_t put_word(char *buffer, bool negative, bool nan) {
  const char *word = nan ? "NaN" : negative ? "-Infinity" : "Infinity";
  const size_t length = strlen(word);
  memcpy(buffer, word, length + 1);
  return length;
}

enum { FLOAT_BITS = 24, FLOAT_BIAS = 150, DOUBLE_BITS = 53, DOUBLE_BIAS = 1075 };

size_t number_print_float(char *buffer, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint32_t fraction = bits & 0x7fffff;
  const int exponent = (int)(bits >> 23 & 0xff);
  const bool negative = bits >> 31;
  if (exponent == 0xff) return put_word(buffer, negative, fraction != 0);
  *buffer = '-';
  char *out = buffer + negative;
  const uint32_t c = exponent ? fraction | 0x800000 : fraction;
  const int q = (exponent ? exponent : 1) - FLOAT_BIAS;
  if (c == 0)
    *out++ = '0';
  else if (is_whole(c, q, FLOAT_BITS))
    out = put_decimal(out, (decimal){c >> -q, 0});
  else
    out = put_decimal(out, shortest_float(c, q, fraction == 0 && exponent > 1));
  *out = 0;
  return (size_t)(out - buffer);
}

/* value = +- c * 2^q */
typedef struct parts {
  uint64_t c;
  int q;
  bool negative, finite, closer;
} parts;

static parts take_apart(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
  const int exponent = (int)(bits >> 52 & 0x7ff);
  return (parts){.c = exponent ? fraction | UINT64_C(1) << 52 : fraction,
                 .q = (exponent ? exponent : 1) - DOUBLE_BIAS,
                 .negative = bits >> 63,
                 .finite = exponent != 0x7ff,
                 .closer = fraction == 0 && exponent > 1};
}

size_t number_print_double(char *buffer, double value) {
  const parts p = take_apart(value);
  if (!p.finite) return put_word(buffer, p.negative, isnan(value));
  *buffer = '-';
  char *out = buffer + p.negative;
  if (p.c == 0)
    *out++ = '0';
  else if (is_whole(p.c, p.q, DOUBLE_BITS))
    out = put_decimal(out, (decimal){p.c >> -p.q, 0});
  else
    out = put_decimal(out, shortest_double(p.c, p.q, p.closer));
  *out = 0;
  return (size_t)(out - buffer);
}

/* ---- a number of decimals ----------------------------------------------------------------------------- */

/* c / 2^shift, which is below 2^63, as whole + part / 10^decimals, rounded. */
static void round_parts(uint64_t c, int shift, int decimals, uint64_t *whole, uint64_t *part) {
  enum { NOTHING_LEFT = 111 }; /* 2^53 * 10^17 is below 2^110: half of 2^111 and more */
  *whole = shift < 64 ? c >> shift : 0;
  *part = 0;
  if (shift == 0 || shift >= NOTHING_LEFT) return;
  const uint64_t fraction = shift < 64 ? c & ((UINT64_C(1) << shift) - 1) : c;
  const uint128 scaled = (uint128)fraction * ten_to[decimals], half = (uint128)1 << (shift - 1);
  const uint128 rest = scaled & (2 * half - 1);
  *part = (uint64_t)(scaled >> shift);
  const bool odd = (decimals ? *part : *whole) & 1;
  *part += rest > half || (rest == half && odd);
  if (*part < ten_to[decimals]) return;
  *part -= ten_to[decimals];
  ++*whole;
}

size_t number_print_fixed(char *buffer, double value, int decimals) {
  const parts p = take_apart(value);
  if (p.q > 63 - DOUBLE_BITS) return number_print_double(buffer, value);
  uint64_t whole, part;
  round_parts(p.q > 0 ? p.c << p.q : p.c, p.q > 0 ? 0 : -p.q, decimals, &whole, &part);
  *buffer = '-';
  char *out = buffer + (p.negative && (whole || part));
  out = put_digits(out, whole, count_digits(whole));
  if (decimals) {
    *out++ = '.';
    out = put_digits(out, part, decimals);
  }
  *out = 0;
  return (size_t)(out - buffer);
}
