/* The same work on one thread and on several, each on a CPU of its own. */
#ifndef BENCH_THREADS_H
#define BENCH_THREADS_H

#include "measure/timing.h"
#include "measure/workload.h"

/* Poses a second of one thread and of `threads` together, over planes hot in each one's cache: the best of
 * rounds in turn. False: out of memory, or the system has not so many CPUs for this process. */
bool threads_measure(const sinew_kernels *kernels, workload_part part, uint32_t threads, timing_effort effort,
                     double *poses_per_s_of_one, double *poses_per_s_of_all);

#endif
