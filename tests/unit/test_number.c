/* Numbers as text, against the C library's. */
#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

static uint64_t state;

static uint64_t random64(void) {
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}
static unsigned below(unsigned count) {
  return (unsigned)(random64() % count);
}

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static double double_of(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static bool same_float(float a, float b) {
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}
static bool same_double(double a, double b) {
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* ---- parsing: random texts of many shapes
 * ------------------------------------------------------------------ */

static size_t digits(char *out, unsigned count) {
  for (unsigned i = 0; i < count; i++) out[i] = (char)('0' + below(10));
  return count;
}

/* As writers of clips print: 1 to 9 digits behind a point. */
static void shape_usual(char *out) {
  size_t n = 0;
  if (below(2)) out[n++] = '-';
  if (below(8)) n += digits(out + n, 1 + below(2));
  out[n++] = '.';
  n += digits(out + n, 1 + below(12));
  out[n] = 0;
}

static void shape_any(char *out) {
  size_t n = 0;
  if (below(2)) out[n++] = below(4) ? '-' : '+';
  unsigned before = below(25), after = below(30);
  if (before + after == 0) before = 1;
  n += digits(out + n, before);
  if (after || below(2)) out[n++] = '.';
  n += digits(out + n, after);
  if (below(2)) n += (size_t)sprintf(out + n, "%c%s%u", below(2) ? 'e' : 'E', below(2) ? "-" : "", below(60));
  out[n] = 0;
}

static void shape_printed_float(char *out) {
  float value;
  do value = float_of((uint32_t)random64());
  while (!isfinite(value));
  sprintf(out, "%.*g", 5 + (int)below(8), (double)value);
}

static void shape_printed_double(char *out) {
  double value;
  do value = double_of(random64());
  while (!isfinite(value));
  sprintf(out, "%.*g", 12 + (int)below(8), value);
}

/* Half way between two floats, exactly or all but: where a second rounding would show. */
static void shape_half_way(char *out) {
  uint32_t bits = (uint32_t)random64() & 0x7fffffff;
  float low = float_of(bits), high = float_of(bits + 1);
  if (!isfinite(high)) {
    strcpy(out, "3.4028235677973366e38");
    return;
  }
  size_t n = (size_t)sprintf(out, "%.*e", 120, ((double)low + (double)high) / 2);
  if (below(3) == 0) return;
  char *e = strchr(out, 'e'), exponent[16];
  strcpy(exponent, e);
  n = (size_t)(e - out);
  n += digits(out + n, below(40));
  strcpy(out + n, below(2) ? "1" : "0");
  strcat(out, exponent);
}

static void shape_tiny_and_huge(char *out) {
  size_t n = digits(out, 1 + below(20));
  sprintf(out + n, "e%d", below(2) ? -(int)below(400) : (int)below(330));
}

static void (*const shapes[])(char *) = {shape_usual,          shape_usual,    shape_any,
                                         shape_printed_float,  shape_half_way, shape_tiny_and_huge,
                                         shape_printed_double, shape_any};

/* The long form of the tests goes through ten million. */
static int text_count(void) {
  return getenv("SINEW_TEST_LONG") ? 10000000 : 1200000;
}

Test(number, parses_as_the_c_library) {
  char text[512];
  state = 1;
  for (int i = 0, count = text_count(); i < count; i++) {
    shapes[i % (int)(sizeof shapes / sizeof shapes[0])](text);
    size_t length = strlen(text);
    float single = -1;
    double wide = -1;
    char *end;
    float expected = strtof(text, &end);
    cr_assert_eq(number_parse_float(text, length, &single), (size_t)(end - text), "%s", text);
    cr_assert(same_float(single, expected), "%s is %a, expected %a", text, (double)single, (double)expected);
    double expected_wide = strtod(text, &end);
    cr_assert_eq(number_parse_double(text, length, &wide), (size_t)(end - text), "%s", text);
    cr_assert(same_double(wide, expected_wide), "%s is %a, expected %a", text, wide, expected_wide);
  }
}

/* A digit that decides, far behind what any number type can hold. */
Test(number, very_long_texts) {
  enum { LENGTH = 40000 };
  char *text = malloc(LENGTH + 64);
  const char *const half_way[] = {"1.000000059604644775390625", "16777217", "0.5000000298023223876953125"};
  for (size_t i = 0; i < sizeof half_way / sizeof half_way[0]; i++) {
    size_t n = (size_t)sprintf(text, "%s%s", half_way[i], strchr(half_way[i], '.') ? "" : ".");
    memset(text + n, '0', LENGTH - n);
    for (int last = 0; last < 2; last++) {
      text[LENGTH - 1] = (char)('0' + last);
      text[LENGTH] = 0;
      float single;
      cr_assert_eq(number_parse_float(text, LENGTH, &single), LENGTH);
      cr_expect(same_float(single, strtof(text, NULL)), "%s... and %d", half_way[i], last);
    }
  }
  float value;
  memset(text, '0', LENGTH);
  strcpy(text + LENGTH, "1e-5");
  cr_expect_eq(number_parse_float(text, LENGTH + 4, &value), LENGTH + 4);
  cr_expect_eq(value, 1e-5f);
  memset(text, '0', LENGTH);
  text[0] = '.';
  strcpy(text + LENGTH, "25e40001");
  cr_expect_eq(number_parse_float(text, LENGTH + 8, &value), LENGTH + 8);
  cr_expect_eq(value, 25.0f);
  memset(text, '9', LENGTH);
  cr_expect_eq(number_parse_float(text, LENGTH, &value), LENGTH);
  cr_expect(isinf(value) && value > 0);
  strcpy(text + LENGTH, "e-39999");
  cr_expect_eq(number_parse_float(text, LENGTH + 7, &value), LENGTH + 7);
  cr_expect_eq(value, 10.0f);
  free(text);
}

Test(number, forms) {
  static const struct {
    const char *text;
    size_t used;
    double value;
  } cases[] = {{"0", 1, 0},
               {"-0", 2, -0.0},
               {".5", 2, 0.5},
               {"-.5", 3, -0.5},
               {"5.", 2, 5},
               {"+2", 2, 2},
               {"1e3", 3, 1000},
               {"1E+3", 4, 1000},
               {"1e-05", 5, 1e-5},
               {"1e", 1, 1},
               {"1e+", 1, 1},
               {"1ex", 1, 1},
               {"12abc", 2, 12},
               {"1.2.3", 3, 1.2},
               {"1,5", 1, 1},
               {"0x10", 1, 0},
               {"1e99999999999999999999", 22, INFINITY},
               {"1e-99999999999999999999", 23, 0},
               {"0e99999999999999999999", 22, 0},
               {"Infinity", 8, INFINITY},
               {"-Infinity", 9, -INFINITY},
               {".inf", 4, INFINITY},
               {"-.Inf", 5, -INFINITY},
               {"NaN", 3, NAN},
               {".nan", 4, NAN},
               {"", 0, 0},
               {"-", 0, 0},
               {".", 0, 0},
               {"-.", 0, 0},
               {"e5", 0, 0},
               {" 1", 0, 0},
               {"Infinit", 0, 0},
               {"inf", 0, 0},
               {"nan", 0, 0},
               {"--1", 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    float single = 0;
    double wide = 0;
    size_t length = strlen(cases[i].text);
    char *exact = malloc(length ? length : 1); /* no byte behind it */
    memcpy(exact, cases[i].text, length);
    cr_expect_eq(number_parse_float(exact, length, &single), cases[i].used, "'%s'", cases[i].text);
    cr_expect(same_float(single, (float)cases[i].value), "'%s' is %g", cases[i].text, (double)single);
    cr_expect_eq(number_parse_double(exact, length, &wide), cases[i].used, "'%s'", cases[i].text);
    cr_expect(same_double(wide, cases[i].value), "'%s' is %g", cases[i].text, wide);
    free(exact);
  }
}

Test(number, whole_numbers) {
  static const struct {
    const char *text;
    size_t used;
    int64_t value;
  } cases[] = {{"0", 1, 0},
               {"-559038737", 10, -559038737},
               {"+7", 2, 7},
               {"9223372036854775807", 19, INT64_MAX},
               {"-9223372036854775808", 20, INT64_MIN},
               {"9223372036854775808", 0, -1},
               {"-9223372036854775809", 0, -1},
               {"99999999999999999999999", 0, -1},
               {"12x", 2, 12},
               {"", 0, -1},
               {"-", 0, -1},
               {"x", 0, -1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    int64_t value = -1;
    cr_expect_eq(number_parse_int(cases[i].text, strlen(cases[i].text), &value), cases[i].used, "%s",
                 cases[i].text);
    cr_expect_eq(value, cases[i].value, "%s", cases[i].text);
  }
}

/* ---- printing ---------------------------------------------------------------------------------------------
 */

static int digit_count(const char *text) {
  int count = 0, zeros = 0;
  for (; *text && *text != 'e'; text++) {
    if (*text < '0' || *text > '9' || (count == 0 && *text == '0')) continue;
    count++;
    zeros = *text == '0' ? zeros + 1 : 0;
  }
  return count - zeros;
}

static void check_form(const char *text, double value) {
  const char *e = strchr(text, 'e'), *point = strchr(text, '.');
  double magnitude = fabs(value);
  bool exponent = magnitude != 0 && (magnitude < 1e-9 || magnitude >= 1e21);
  cr_assert_eq(e != NULL, exponent, "%s", text);
  const char *last = e ? e - 1 : text + strlen(text) - 1;
  cr_assert(!point || (*last != '0' && *last != '.'), "%s", text);
  cr_assert(!point || point > text, "%s", text);
}

static void check_float(float value) {
  char text[40], tried[40];
  size_t length = number_print_float(text, value);
  cr_assert_eq(length, strlen(text));
  cr_assert(length < sizeof text);
  cr_assert(same_float(strtof(text, NULL), value), "%s for %.9g", text, (double)value);
  check_form(text, (double)value);
  int count = digit_count(text);
  if (count < 2) return;
  sprintf(tried, "%.*e", count - 2, (double)value);
  cr_assert_neq(strtof(tried, NULL), value, "%s is shorter than %s", tried, text);
}

static void check_double(double value) {
  char text[40], tried[40];
  size_t length = number_print_double(text, value);
  cr_assert_eq(length, strlen(text));
  cr_assert(length < sizeof text);
  cr_assert(same_double(strtod(text, NULL), value), "%s for %.17g", text, value);
  check_form(text, value);
  int count = digit_count(text);
  if (count < 2) return;
  sprintf(tried, "%.*e", count - 2, value);
  cr_assert_neq(strtod(tried, NULL), value, "%s is shorter than %s", tried, text);
}

Test(number, prints_what_reads_back) {
  state = 7;
  for (int i = 0; i < 60000; i++) {
    float single = float_of((uint32_t)random64());
    double wide = double_of(random64());
    if (isfinite(single)) check_float(single);
    if (isfinite(wide)) check_double(wide);
    check_float((float)((int)below(2000001) - 1000000) / (float)(1 + below(1000)));
    check_double((double)((int)below(2000001) - 1000000) / 1000.0);
  }
  for (int exponent = -149; exponent <= 127; exponent++) check_float(ldexpf(1, exponent));
  for (int exponent = -1074; exponent <= 1023; exponent++) check_double(ldexp(1, exponent));
}

/* Above a power of two there is twice the room: no shorter decimal may be missed there. */
Test(number, shortest_at_powers_of_two) {
  for (int exponent = -126; exponent <= 127; exponent++) {
    float value = ldexpf(1, exponent);
    char text[40], tried[40];
    number_print_float(text, value);
    int count = digit_count(text);
    if (count < 2) continue;
    sprintf(tried, "%.*e", count - 2, (double)value);
    double unit = pow(10, atoi(strchr(tried, 'e') + 1) - (count - 2));
    for (int step = -2; step <= 2; step++) {
      char near[40];
      sprintf(near, "%.*e", count - 2, strtod(tried, NULL) + step * unit);
      cr_assert_neq(strtof(near, NULL), value, "%s is shorter than %s", near, text);
    }
  }
}

Test(number, printed_forms) {
  static const struct {
    double value;
    const char *text;
  } cases[] = {{0, "0"},
               {-0.0, "-0"},
               {1, "1"},
               {-1.5, "-1.5"},
               {0.1, "0.1"},
               {100, "100"},
               {1e20, "100000000000000000000"},
               {1e21, "1e+21"},
               {1e-9, "0.000000001"},
               {9.5e-10, "9.5e-10"},
               {1.0 / 3, "0.3333333333333333"},
               {9007199254740993.0, "9007199254740992"},
               {5e-324, "5e-324"},
               {-1.7976931348623157e308, "-1.7976931348623157e+308"}};
  char text[40];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    number_print_double(text, cases[i].value);
    cr_expect_str_eq(text, cases[i].text);
  }
  number_print_float(text, 0.1f);
  cr_expect_str_eq(text, "0.1");
  number_print_float(text, 1.0f / 3);
  cr_expect_str_eq(text, "0.33333334");
  number_print_float(text, 0x1p-44f);
  cr_expect_str_eq(text, "5.684342e-14");
}

Test(number, printed_words) {
  char text[NUMBER_PRINT_BYTES];
  number_print_float(text, -INFINITY);
  cr_expect_str_eq(text, "-Infinity");
  number_print_double(text, INFINITY);
  cr_expect_str_eq(text, "Infinity");
  number_print_float(text, NAN);
  cr_expect_str_eq(text, "NaN");
  number_print_float(text, -0.0F);
  cr_expect_str_eq(text, "-0");
}

/* Ties go to the even digit; what becomes nothing has no sign; past 2^63 there are no decimals. */
Test(number, printed_decimals) {
  static const struct {
    double value;
    int decimals;
    const char *text;
  } cases[] = {{0, 3, "0.000"},
               {-0.0, 2, "0.00"},
               {-0.0004, 3, "0.000"},
               {-0.0006, 3, "-0.001"},
               {0.125, 2, "0.12"},
               {0.375, 2, "0.38"},
               {0.5, 0, "0"},
               {1.5, 0, "2"},
               {-2.5, 0, "-2"},
               {1.0 / 3, 6, "0.333333"},
               {9.9999999, 6, "10.000000"},
               {123456, 1, "123456.0"},
               {0x1p63, 6, "9223372036854776000"},
               {1e300, 6, "1e+300"},
               {-INFINITY, 6, "-Infinity"}};
  char text[NUMBER_PRINT_BYTES];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    cr_expect_eq(number_print_fixed(text, cases[i].value, cases[i].decimals), strlen(cases[i].text));
    cr_expect_str_eq(text, cases[i].text);
  }
}

/* A decimal comma in the environment changes nothing. Where no such locale is installed this tests the "C"
 * one. */
Test(number, decimal_comma) {
  static const char *const locales[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "fr_FR"};
  for (size_t i = 0; i < sizeof locales / sizeof locales[0]; i++)
    if (setlocale(LC_ALL, locales[i])) break;
  float single;
  double wide;
  char text[40];
  cr_expect_eq(number_parse_float("0.123456789012345678901234", 26, &single), 26);
  cr_expect_eq(single, 0.123456789012345678901234f);
  cr_expect_eq(number_parse_double("0.70710678118654757", 19, &wide), 19);
  cr_expect_eq(wide, 0.70710678118654757);
  number_print_double(text, 0.70710678118654757);
  cr_expect_str_eq(text, "0.7071067811865476");
  number_print_float(text, 1.5e-12f);
  cr_expect_str_eq(text, "1.5e-12");
}
