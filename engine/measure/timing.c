#include "measure/timing.h"
#include "base/heap.h"

#include <stdlib.h>
#include <time.h>

double timing_now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double timing_median(double *values, size_t count) {
  qsort(values, count, sizeof *values, by_value);
  return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static double seconds_of(const timed *subject, uint64_t runs) {
  const double begin_s = timing_now_s();
  for (uint64_t i = 0; i < runs; i++) subject->run(subject->subject);
  return timing_now_s() - begin_s;
}

/* The least of a few tries: one that another process interrupts must not make a slice of a single cold run. */
static double undisturbed_seconds_of(const timed *subject, uint64_t runs) {
  enum { TRIES = 4 };
  double least_s = seconds_of(subject, runs);
  for (int i = 1; i < TRIES; i++) {
    const double taken_s = seconds_of(subject, runs);
    if (taken_s < least_s) least_s = taken_s;
  }
  return least_s;
}

/* How many runs fill a slice: doubled until they take a tenth of it. */
static uint64_t runs_of_slice(const timed *subject, double slice_s) {
  uint64_t runs = 1;
  seconds_of(subject, runs); /* faults pages in */
  double taken_s = undisturbed_seconds_of(subject, runs);
  while (taken_s < slice_s / 10 && runs < UINT64_C(1) << 40) {
    runs *= 2;
    taken_s = undisturbed_seconds_of(subject, runs);
  }
  const double wanted = slice_s / taken_s * (double)runs;
  return wanted < 1 ? 1 : (uint64_t)wanted;
}

bool timing_run(timed *subjects, size_t count, timing_effort effort) {
  const size_t rounds = effort.rounds ? effort.rounds : 1;
  uint64_t *runs = heap_alloc(count, sizeof *runs);
  double *taken_s = heap_alloc(count * rounds, sizeof *taken_s);
  const bool ok = runs && taken_s;
  for (size_t i = 0; ok && i < count; i++) runs[i] = runs_of_slice(&subjects[i], effort.slice_s);
  for (size_t round = 0; ok && round < rounds; round++)
    for (size_t i = 0; i < count; i++)
      taken_s[i * rounds + round] = seconds_of(&subjects[i], runs[i]) / (double)runs[i];
  for (size_t i = 0; ok && i < count; i++) {
    subjects[i].median_s = timing_median(taken_s + i * rounds, rounds);
    subjects[i].least_s = taken_s[i * rounds];
  }
  heap_free(taken_s);
  heap_free(runs);
  return ok;
}

bool timing_cpus(cpu_set_t *allowed) {
  CPU_ZERO(allowed);
  return sched_getaffinity(0, sizeof *allowed, allowed) == 0;
}

bool timing_pin(const cpu_set_t *allowed, uint32_t index) {
  for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, allowed) && index-- == 0) {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      return sched_setaffinity(0, sizeof one, &one) == 0;
    }
  return false;
}

void timing_unpin(const cpu_set_t *allowed) {
  sched_setaffinity(0, sizeof *allowed, allowed);
}
