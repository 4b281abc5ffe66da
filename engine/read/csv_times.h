/* Which rate the times of rows stand for. */
#ifndef SINEW_READ_CSV_TIMES_H
#define SINEW_READ_CSV_TIMES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct csv_times {
  const double *time_s; /* [row_count], at least 2, ascending */
  uint64_t row_count;
  unsigned decimals; /* the most that a time has behind its point */
} csv_times;

typedef struct csv_rate {
  double rate_hz;
  double last_s; /* of the last row, from the first on */
  /* where the rows come at no one rate: */
  uint64_t odd_row;
  double expected_s;
} csv_rate;

/* False where the rows come at no one rate. */
bool csv_times_rate(const csv_times *times, csv_rate *found);

#endif
