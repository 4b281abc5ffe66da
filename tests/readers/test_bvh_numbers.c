/* Every value of a row is the float32 nearest to its decimal: against the C library, which rounds the decimal
 * once. */
#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/bvh_number.h"
#include "read/motion_reader.h"
#include "readers/text.h"

static uint64_t seed = 0x9e3779b97f4a7c15;
static uint64_t next_random(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed * UINT64_C(0x2545f4914f6cdd1d);
}

static bool same_bits(float a, float b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

/* Near the end of the bytes, and far from it. */
static void expect_number(const char *number) {
  char line[256];
  float value = -1, near_end = -1;
  const float wanted = strtof(number, NULL);
  const int length = snprintf(line, sizeof line,
                              "%s 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25", number);
  cr_assert(bvh_number(line, line + length, &value) == line + strlen(number), "%s", number);
  cr_assert(bvh_number(number, number + strlen(number), &near_end) == number + strlen(number), "%s", number);
  cr_assert(same_bits(value, wanted) && same_bits(near_end, wanted), "%s is %.9g and %.9g, not %.9g", number,
            (double)value, (double)near_end, (double)wanted);
}

Test(bvh_numbers, forms) {
  static const char *const numbers[] = {"0",
                                        "-0",
                                        "0.0",
                                        "-0.0",
                                        "1",
                                        "-1",
                                        "+1",
                                        "+1.5",
                                        "00012.50",
                                        "1.",
                                        "-1.",
                                        ".5",
                                        "-.5",
                                        "12345678",
                                        "123456789",
                                        "1234567.1234567",
                                        "12345678.12345678",
                                        "123456789.123456789",
                                        "0.00000001",
                                        "0.12345678",
                                        "0.123456789",
                                        "0.1234567812345678",
                                        "0.12345678123456781",
                                        "0.123456781234567812345678",
                                        "0.0000000000000000000001",
                                        "0.00000000000000000000001",
                                        "0.000000000000000000000000000000000000000000001",
                                        "-103.6654985504939",
                                        "-0.0013166771968826652",
                                        "1e-40",
                                        "1.5e-45",
                                        "-1e-46",
                                        "3e-40",
                                        "1E5",
                                        "1e+5",
                                        "2.30099286e-05",
                                        "1e38",
                                        "16777217",
                                        "16777219",
                                        "16777217.0000000000000000",
                                        "16777217.00000001",
                                        "0.1",
                                        "0.3",
                                        "99999999.99999999",
                                        "18446744073709551616",
                                        "1.8446744073709551616",
                                        "33554433.999999999999999",
                                        "8388608.5",
                                        "8388609.5",
                                        "8388608.50000000000000001",
                                        "8388609.49999999999999999",
                                        "1.00000005960464477539",
                                        "1.00000005960464477540",
                                        "1.00000005960464477538",
                                        "1.000000059604644775390625",
                                        "1.000000059604644775390624999999999999",
                                        "1.000000059604644775390625000000000001",
                                        "0.000000000000000000000000000000000000000000000000000001e60"};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) expect_number(numbers[i]);
}

/* As exporters write them: any number of digits before and behind the point. */
Test(bvh_numbers, any_digits) {
  for (int n = 0; n < 200000; n++) {
    char number[64];
    const uint64_t bits = next_random();
    const int whole = (int)(bits & 7) % 6 + 1, fraction = (int)(bits >> 3 & 31) % 20;
    int length = 0;
    if (bits >> 8 & 1) number[length++] = '-';
    for (int i = 0; i < whole; i++) number[length++] = (char)('0' + next_random() % 10);
    if (fraction) number[length++] = '.';
    for (int i = 0; i < fraction; i++) number[length++] = (char)('0' + next_random() % 10);
    number[length] = 0;
    expect_number(number);
  }
}

/* Decimals at and beside half way between two floats: where a second rounding would show. */
Test(bvh_numbers, half_ways) {
  for (int n = 0; n < 40000; n++) {
    const uint32_t bits = (uint32_t)(0x3a000000 + next_random() % 0x10000000);
    float low, high;
    char number[80];
    const uint32_t above = bits + 1;
    memcpy(&low, &bits, sizeof low);
    memcpy(&high, &above, sizeof high);
    const double half = ((double)low + (double)high) / 2;
    static const int digits[] = {8, 12, 16, 18, 20, 22, 30};
    snprintf(number, sizeof number, "%.*f", digits[n % 7], half);
    expect_number(number);
  }
}

/* Whole rows, by whichever way they are read, against strtod's double within half a float's step. */
Test(bvh_numbers, rows_beside_double_precision) {
  enum { CHANNELS = 6, FRAMES = 3000 };
  text t = {0};
  text_add(&t,
           "HIERARCHY ROOT a { OFFSET 0 1 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
           "Yrotation }\n"
           "MOTION\nFrames: %d\nFrame Time: 0.01\n",
           FRAMES);
  double *wanted = malloc(sizeof *wanted * CHANNELS * FRAMES);
  for (int i = 0; i < CHANNELS * FRAMES; i++) {
    char number[64];
    const double value = ((double)(next_random() >> 11) * 0x1p-53 - 0.5) * 720;
    snprintf(number, sizeof number, i % 5 ? "%.*f" : "%.*e", i % 18, value);
    wanted[i] = strtod(number, NULL);
    text_add(&t, "%s%s", number, i % CHANNELS == CHANNELS - 1 ? "\n" : i % 7 ? " " : "\t ");
  }
  motion_file *file;
  sinew_error error = {0};
  cr_assert_eq(read_motion_memory(t.bytes, t.length, NULL, NULL, &file, &error), SINEW_OK, "%s",
               error.message);
  cr_assert_eq(file->motions->frame_count, (uint64_t)FRAMES);
  for (int i = 0; i < CHANNELS * FRAMES; i++) {
    const double off = fabs((double)file->motions->rows[i] - wanted[i]);
    cr_assert(off <= fabs(wanted[i]) * 0x1.000002p-24, "value %d is %.9g, not %.17g", i,
              (double)file->motions->rows[i], wanted[i]);
  }
  motion_file_close(file);
  free(wanted);
  text_free(&t);
}

/* A caller whose locale has a decimal comma, where the system knows one. */
Test(bvh_numbers, locale) {
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ru_RU.UTF-8"};
  const char *set = NULL;
  for (size_t i = 0; !set && i < sizeof names / sizeof *names; i++) set = setlocale(LC_ALL, names[i]);
  if (!set) cr_skip_test("no locale with a decimal comma on this system: skipped");
  static const char bvh[] =
      "HIERARCHY ROOT a { OFFSET 0.5 1 0 CHANNELS 1 Xrotation } MOTION Frames: 2 Frame Time: 0.04\n"
      "1.25\n-0.123456781234567812345678\n";
  motion_file *file;
  cr_assert_eq(read_motion_memory(bvh, sizeof bvh - 1, NULL, NULL, &file, NULL), SINEW_OK);
  cr_expect(file->motions->rows[0] == 1.25f && file->motions->rows[1] == -0.123456781234567812345678f);
  cr_expect(file->motions->rate_hz == 25 && file->skeleton->nodes[0].t[0] == 0.5);
  motion_file_close(file);
  setlocale(LC_ALL, "C");
}
