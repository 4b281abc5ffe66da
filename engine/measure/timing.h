/* Timing of things that run again and again: in turn, so that what disturbs the machine disturbs all of them,
 * each for a slice of time; the least and the median time a run are kept. */
#ifndef SINEW_MEASURE_TIMING_H
#define SINEW_MEASURE_TIMING_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct timed {
  void (*run)(void *subject);
  void *subject;
  double least_s; /* a run */
  double median_s;
} timed;

typedef struct timing_effort {
  uint32_t rounds; /* at least 1 */
  double slice_s;  /* how long each subject runs in a round; at least one run */
} timing_effort;

/* Seconds of a clock that only goes forward. */
double timing_now_s(void);

/* Fills in the times. Each subject runs a few times before. False: out of memory. */
bool timing_run(timed *subjects, size_t count, timing_effort effort);

/* Of `count` values, at least 1, which it sorts. */
double timing_median(double *values, size_t count);

/* The CPUs this thread may use, and a thread kept on the index-th of them; a thread started from a pinned one
 * is pinned as well. False where the system refuses, or there are not so many. */
bool timing_cpus(cpu_set_t *allowed);
bool timing_pin(const cpu_set_t *allowed, uint32_t index);
void timing_unpin(const cpu_set_t *allowed);

#endif
