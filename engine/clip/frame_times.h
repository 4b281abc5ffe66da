/* How many frames a length of time has at a rate, when each is, and where a time lies among rows. */
#ifndef SINEW_CLIP_FRAME_TIMES_H
#define SINEW_CLIP_FRAME_TIMES_H

#include <stdint.h>

/* ceil((stop - start) * rate - e) + 1, at least 1, where e is what rounding leaves of a length of whole
 * frames: files hold their times as float32. At most 2^53. */
uint64_t frame_times_count(double start_s, double stop_s, double rate_hz);

/* Frame `index` of `count`: start + index / rate, the last at the stop time. */
double frame_times_at(double start_s, double stop_s, double rate_hz, uint64_t index, uint64_t count);

/* Where a time lies among `count` rows, row r at r / rate_hz: at *row where *weight is 0, else on the way to
 * the next one. Before the first and after the last it is theirs. A time within 2^-50 of a row's, as a share,
 * is the row's. */
void frame_times_row(double time_s, double rate_hz, uint64_t count, uint64_t *row, float *weight);

#endif
