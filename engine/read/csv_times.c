#include "read/csv_times.h"
#include "base/number.h"
#include "clip/frame_times.h"

#include <math.h>
#include <string.h>

enum { MOST_DECIMALS = 15, NEAR_ULPS = 4 };

/* Row k of a writer that divides. */
static bool fits_exactly(const csv_times *t, uint64_t rows, double rate_hz) {
  for (uint64_t k = 0; k < rows; k++)
    if (t->time_s[k] != (double)k / rate_hz) return false;
  return true;
}

/* What rounding may have done to a time: to its decimals, or to float32, there perhaps of a product with a
 * rounded step. */
static double rounding_of(const csv_times *t, double time_s) {
  double half = 0.5;
  for (unsigned i = 0; i < t->decimals; i++) half /= 10;
  return half * (1 + 1e-9) + fabs(time_s) * 0x1p-22;
}

/* Never more than a quarter of a step, however few decimals there are. */
static bool is_about(const csv_times *t, uint64_t row, double rate_hz) {
  const double first = t->time_s[0], time = t->time_s[row];
  const double room = (first != 0 ? rounding_of(t, first) : 0) + rounding_of(t, time);
  return fabs(time - first - (double)row / rate_hz) <= fmin(room, 0.25 / rate_hz);
}

static bool fits_about(const csv_times *t, uint64_t rows, double rate_hz) {
  for (uint64_t k = 0; k < rows; k++)
    if (!is_about(t, k, rate_hz)) return false;
  return true;
}

typedef bool fit(const csv_times *t, uint64_t rows, double rate_hz);

/* The rate of the fewest decimals that fits; 0: none. */
static double roundest(const csv_times *t, uint64_t rows, double rate_hz, fit *fits) {
  for (int decimals = 0; decimals <= MOST_DECIMALS; decimals++) {
    char text[NUMBER_PRINT_BYTES];
    double round = 0;
    number_parse_double(text, number_print_fixed(text, rate_hz, decimals), &round);
    if (round > 0 && fits(t, rows, round)) return round;
  }
  return 0;
}

/* Where times have few decimals many rates fit: then one that is common. */
static double common(const csv_times *t, uint64_t rows) {
  static const double rates_hz[] = {30, 60, 24, 25, 120, 50, 90, 100, 48};
  for (size_t i = 0; i < sizeof rates_hz / sizeof *rates_hz; i++)
    if (fits_about(t, rows, rates_hz[i])) return rates_hz[i];
  return 0;
}

/* A rate of many digits is a few units in the last place away from the quotient. */
static double nearest_exact(const csv_times *t, uint64_t rows, double rate_hz) {
  double near = rate_hz, best = 0;
  size_t best_length = NUMBER_PRINT_BYTES;
  for (int i = 0; i < NEAR_ULPS; i++) near = nextafter(near, 0);
  for (int i = -NEAR_ULPS; i <= NEAR_ULPS; i++, near = nextafter(near, (double)INFINITY)) {
    char text[NUMBER_PRINT_BYTES];
    const size_t length = number_print_double(text, near);
    if (length >= best_length || !fits_exactly(t, rows, near)) continue;
    best = near;
    best_length = length;
  }
  return best;
}

static double find_rate(const csv_times *t, uint64_t rows) {
  const double quotient = (double)(rows - 1) / (t->time_s[rows - 1] - t->time_s[0]);
  const double film = round(quotient * 1.001) * 1000 / 1001; /* television's */
  double rate = film > 0 && fits_exactly(t, rows, film) ? film : roundest(t, rows, quotient, fits_exactly);
  if (rate == 0) rate = nearest_exact(t, rows, quotient);
  if (rate == 0) rate = common(t, rows);
  if (rate == 0) rate = roundest(t, rows, quotient, fits_about);
  return rate == 0 && fits_about(t, rows, quotient) ? quotient : rate;
}

/* The first row that does not stand behind its neighbour as the second behind the first. */
static void find_odd(const csv_times *t, csv_rate *found) {
  const double *time_s = t->time_s, step_s = time_s[1] - time_s[0];
  uint64_t row = 2;
  for (; row + 1 < t->row_count; row++) {
    const double room = 2 * (rounding_of(t, time_s[row]) + rounding_of(t, time_s[1]));
    if (fabs(time_s[row] - time_s[row - 1] - step_s) > fmin(room, 0.25 * step_s)) break;
  }
  found->odd_row = row;
  found->expected_s = time_s[row - 1] + step_s;
}

bool csv_times_rate(const csv_times *t, csv_rate *found) {
  const uint64_t last = t->row_count - 1;
  *found = (csv_rate){.last_s = t->time_s[last] - t->time_s[0], .odd_row = last};
  found->rate_hz = find_rate(t, last > 1 ? last : last + 1);
  if (found->rate_hz == 0) {
    find_odd(t, found);
    return false;
  }
  found->expected_s = t->time_s[0] + (double)last / found->rate_hz;
  /* a bake of the clip has a frame for each row: where rounding would make it one more, the last row stands
   * on the grid; a last step so short that it would be one less is none */
  const bool a_frame_a_row = frame_times_count(0, found->last_s, found->rate_hz) == t->row_count;
  if (!is_about(t, last, found->rate_hz)) return a_frame_a_row && t->time_s[last] < found->expected_s;
  if (!a_frame_a_row) found->last_s = (double)last / found->rate_hz;
  return true;
}
