/* The numbers of a BVH's rows: digits eight at a time where the number is plain, number_parse_float for all
 * others. */
#ifndef SINEW_READ_BVH_NUMBER_H
#define SINEW_READ_BVH_NUMBER_H

#include "base/number.h"

#include <string.h>

enum {
  BVH_NUMBER_AHEAD =
      56, /* bytes that the quick way may look at: a sign, 8 + 8, a point, 4 x 8, and some to spare */
  BVH_MOST_FRACTION = 22 /* a double holds ten to that exactly */
};

static inline uint64_t bvh_load_8(const char *p) {
  uint64_t bytes;
  memcpy(&bytes, p, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  bytes = __builtin_bswap64(bytes);
#endif
  return bytes;
}

/* How many digits the eight bytes begin with. */
static inline unsigned bvh_digit_count(uint64_t bytes) {
  const uint64_t digits = bytes ^ UINT64_C(0x3030303030303030); /* 0..9 where there is one */
  const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f), past_nine = UINT64_C(0x7676767676767676);
  const uint64_t others = (((digits & low) + past_nine) | digits) & ~low;
  return others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
}

/* The number that the first `count` of the eight bytes, 1 to 8 digits, stand for: pairs, then fours, then
 * all. */
static inline uint64_t bvh_digits_value(uint64_t bytes, unsigned count) {
  uint64_t x = (bytes ^ UINT64_C(0x3030303030303030)) << (64 - 8 * count);
  x = x * 10 + (x >> 8);
  const uint64_t pair = UINT64_C(0x000000ff000000ff);
  return ((x & pair) * UINT64_C(0x000f424000000064) + ((x >> 16 & pair) * UINT64_C(0x0000271000000001))) >>
         32;
}

/* digits * 10^-fraction_count rounded once to a float; false where two roundings might differ from one. The
 * double is off by less than two units in its last place (the integer's rounding, the division's), so that
 * its own rounding to a float is the decimal's unless it lies that near to half way between two floats. */
static inline bool bvh_to_float(uint64_t digits, unsigned fraction_count, float *value) {
  static const double powers_of_ten[BVH_MOST_FRACTION + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const double wide = (double)digits / powers_of_ten[fraction_count];
  const uint64_t below_float = (UINT64_C(1) << 29) - 1, half_way = UINT64_C(1) << 28, spare = 4;
  uint64_t bits;
  memcpy(&bits, &wide, sizeof bits);
  *value = (float)wide;
  return (bits & below_float) - (half_way - spare) > 2 * spare;
}

/* [-]digits[.digits] with at most 8 digits before the point; NULL where the number is of another form. At
 * least BVH_NUMBER_AHEAD bytes may be read. */
static inline const char *bvh_quick_number(const char *p, float *value) {
  const bool negative = *p == '-';
  p += negative;
  uint64_t bytes = bvh_load_8(p);
  unsigned count = bvh_digit_count(bytes), fraction_count = 0;
  if (count == 0) return NULL;
  uint64_t digits = bvh_digits_value(bytes, count);
  p += count;
  if (*p == '.') {
    static const uint64_t shift[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    p++;
    do {
      bytes = bvh_load_8(p);
      count = bvh_digit_count(bytes);
      if (count == 0) break;
      fraction_count += count;
      if (fraction_count > BVH_MOST_FRACTION) return NULL;
      if (__builtin_mul_overflow(digits, shift[count], &digits) ||
          __builtin_add_overflow(digits, bvh_digits_value(bytes, count), &digits))
        return NULL;
      p += count;
    } while (count == 8);
  }
  if ((unsigned char)(*p - '0') < 10 || (*p | 0x20) == 'e') return NULL;
  if (!bvh_to_float(digits, fraction_count, value)) return NULL;
  if (negative) *value = -*value;
  return p;
}

/* The nearest float32 to the number at p, which is before end: the byte behind it, or NULL when none stands
 * there. */
static inline const char *bvh_number(const char *p, const char *end, float *value) {
  if (end - p >= BVH_NUMBER_AHEAD) {
    const char *behind = bvh_quick_number(p, value);
    if (behind) return behind;
  }
  const size_t used = number_parse_float(p, (size_t)(end - p), value);
  return used ? p + used : NULL;
}

#endif
