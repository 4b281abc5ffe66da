#include "clip/frame_times.h"

#include <math.h>

/* Past this a frame count is no number of frames any more; it stays exact in a double. */
#define MOST_FRAMES 0x1p53

/* The distance to the next float32. */
static double float_step(double value) {
  const float stored = fabsf((float)value);
  return (double)nextafterf(stored, INFINITY) - (double)stored;
}

/* How much of a frame beyond the last whole one is none: each end may be off by half a step of float32. */
static double forgiven_frames(double start_s, double stop_s, double rate_hz) {
  const double rounding = rate_hz * (float_step(stop_s) + float_step(start_s)) / 2;
  return fmin(fmax(1e-3, rounding), 0.5);
}

uint64_t frame_times_count(double start_s, double stop_s, double rate_hz) {
  const double steps = ceil((stop_s - start_s) * rate_hz - forgiven_frames(start_s, stop_s, rate_hz));
  if (steps >= MOST_FRAMES) return (uint64_t)MOST_FRAMES;
  return steps > 0 ? (uint64_t)steps + 1 : 1;
}

double frame_times_at(double start_s, double stop_s, double rate_hz, uint64_t index, uint64_t count) {
  if (index + 1 >= count) return stop_s;
  return start_s + (double)index / rate_hz;
}

/* A frame's time is a quotient and is multiplied here: four roundings of 2^-53 at most lie between it and a
 * whole number of rows. */
void frame_times_row(double time_s, double rate_hz, uint64_t count, uint64_t *row, float *weight) {
  const double at = time_s * rate_hz;
  *weight = 0;
  *row = 0;
  if (!(at > 0)) return;
  *row = count - 1;
  if (at >= (double)*row) return;
  const uint64_t before = (uint64_t)at;
  const double part = at - (double)before, nothing = at * 0x1p-50;
  *row = before;
  if (part <= nothing) return;
  const float w = (float)part;
  if (1 - part <= nothing || w == 1.0F)
    *row = before + 1;
  else
    *weight = w;
}
