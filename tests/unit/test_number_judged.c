/* Printed numbers against the C++ library's: the same digits and the same exponent, or the same text. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "shortest_judge.h"

static uint64_t state = 5;

static uint64_t random64(void) {
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* ---- shortest ----------------------------------------------------------------------------------------- */

typedef struct digits {
  char text[32];
  int count;
  int exponent; /* of the first digit */
  bool negative;
} digits;

static digits digits_of(const char *text, size_t length) {
  digits d = {.negative = text[0] == '-'};
  int before_point = 0, zeros = 0;
  bool past_point = false;
  size_t i = d.negative;
  for (; i < length && text[i] != 'e'; i++) {
    past_point = past_point || text[i] == '.';
    if (text[i] == '.') continue;
    before_point += !past_point;
    if (d.count == 0 && text[i] == '0')
      zeros++;
    else
      d.text[d.count++] = text[i];
  }
  d.exponent = before_point - 1 - zeros + (i < length ? atoi(text + i + 1) : 0);
  while (d.count > 1 && d.text[d.count - 1] == '0') d.text[--d.count] = 0;
  if (d.count == 0) d.exponent = 0;
  return d;
}

static bool same_number(const char *a, size_t a_length, const char *b, size_t b_length) {
  const digits x = digits_of(a, a_length), y = digits_of(b, b_length);
  return x.negative == y.negative && x.count == y.count && x.exponent == y.exponent &&
         memcmp(x.text, y.text, (size_t)x.count) == 0;
}

static void check_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  if (!isfinite(value)) return;
  char own[NUMBER_PRINT_BYTES], judged[JUDGE_BYTES];
  const size_t length = number_print_float(own, value), judged_length = judge_float(judged, value);
  float again = NAN;
  const bool reads_back = number_parse_float(own, length, &again) == length && memcmp(&again, &value, 4) == 0;
  if (reads_back && same_number(own, length, judged, judged_length)) return;
  cr_assert_fail("%s, expected %.*s", own, (int)judged_length, judged);
}

static void check_double(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  if (!isfinite(value)) return;
  char own[NUMBER_PRINT_BYTES], judged[JUDGE_BYTES];
  const size_t length = number_print_double(own, value), judged_length = judge_double(judged, value);
  cr_assert(same_number(own, length, judged, judged_length), "%s, expected %.*s", own, (int)judged_length,
            judged);
}

/* Every float in the long run, else one in some thousands. */
Test(number_judged, floats) {
  const uint64_t step = getenv("SINEW_TEST_LONG") ? 1 : 1021;
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += step) check_float((uint32_t)bits);
}

Test(number_judged, floats_near_powers_of_two) {
  for (uint32_t exponent = 0; exponent < 255; exponent++)
    for (uint32_t near = 0; near < 200; near++) {
      check_float((exponent << 23) + near);
      check_float((exponent << 23) - near);
    }
}

Test(number_judged, doubles) {
  for (int i = 0; i < 4000000; i++) check_double(random64());
  for (uint64_t exponent = 0; exponent < 2047; exponent++)
    for (uint64_t near = 0; near < 20; near++) {
      check_double((exponent << 52) + near);
      check_double((exponent << 52) - near);
    }
}

/* Times of frames, and numbers of few digits. */
Test(number_judged, doubles_as_used) {
  for (int i = 0; i < 300000; i++) {
    const double values[] = {i / 30.0, i / 29.97, i / 1000.0, i * 1e-7, i * 1e15, i / 7e9};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
      uint64_t bits;
      memcpy(&bits, &values[k], sizeof bits);
      check_double(bits);
    }
  }
}

/* ---- a number of decimals ----------------------------------------------------------------------------- */

static void check_fixed(double value, int decimals) {
  char own[NUMBER_PRINT_BYTES], judged[JUDGE_BYTES];
  const size_t length = number_print_fixed(own, value, decimals);
  const size_t judged_length = judge_fixed(judged, value, decimals);
  const bool nothing = strspn(judged, "-0.") == judged_length;
  const char *expected = nothing && judged[0] == '-' ? judged + 1 : judged;
  cr_assert_str_eq(own, expected, "%.17g with %d decimals", value, decimals);
  cr_assert_eq(length, strlen(own));
}

Test(number_judged, fixed) {
  for (int i = 0; i < 1000000; i++) {
    const double unit = (double)(random64() >> 11) * 0x1p-52 - 1, wide = ldexp(unit, (int)(random64() % 64));
    const int decimals = (int)(random64() % (NUMBER_MOST_DECIMALS + 1));
    check_fixed(unit, decimals);
    check_fixed(wide, decimals);
    check_fixed((double)(float)unit, decimals);
    check_fixed(ldexp(unit, -(int)(random64() % 200)), decimals);
  }
}

Test(number_judged, fixed_ties) {
  for (int decimals = 0; decimals <= NUMBER_MOST_DECIMALS; decimals++)
    for (int i = -5000; i <= 5000; i++) check_fixed(i * 0x1p-6, decimals);
}

Test(number_judged, fixed_edges) {
  const double values[] = {
      0,   -0.0, DBL_MIN, -DBL_MIN, 0x1p-1074,          0x1.fffffffffffffp62, -0x1.fffffffffffffp62,
      0.5, 1.5,  2.5,     -0.5,     0.9999999999999999, 9.9999999999999982,   999999.9999999999};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    for (int decimals = 0; decimals <= NUMBER_MOST_DECIMALS; decimals++) check_fixed(values[i], decimals);
}
