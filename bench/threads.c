#include "threads.h"

#include <omp.h>

typedef struct crew {
  workload *workloads;
  uint32_t opened;
  workload_part part;
  cpu_set_t cpus;
} crew;

static bool crew_open(crew *c, const sinew_kernels *kernels, uint32_t threads) {
  c->workloads = heap_alloc(threads, sizeof *c->workloads);
  while (c->workloads && c->opened < threads &&
         workload_open(kernels, MADE_BODY_ALL, NULL, &c->workloads[c->opened], NULL) == SINEW_OK)
    c->opened++;
  return timing_cpus(&c->cpus) && CPU_COUNT(&c->cpus) >= (int)threads && c->opened == threads;
}

static void crew_close(crew *c) {
  for (uint32_t i = 0; i < c->opened; i++) workload_close(&c->workloads[i]);
  heap_free(c->workloads);
}

/* Seconds until `threads` threads have each worked on so many blocks. */
static double crew_work_s(const crew *c, uint32_t threads, uint64_t blocks) {
  double begin_s = 0, end_s = 0;
#pragma omp parallel num_threads((int)threads)
  {
    const uint32_t i = (uint32_t)omp_get_thread_num();
    timing_pin(&c->cpus, i);
    workload_run(&c->workloads[i], c->part);
#pragma omp barrier
#pragma omp master
    begin_s = timing_now_s();
    for (uint64_t block = 0; block < blocks; block++) workload_run(&c->workloads[i], c->part);
#pragma omp barrier
#pragma omp master
    end_s = timing_now_s();
    timing_unpin(&c->cpus);
  }
  return end_s - begin_s;
}

static double largest(const double *values, size_t count) {
  double most = values[0];
  for (size_t i = 1; i < count; i++)
    if (values[i] > most) most = values[i];
  return most;
}

bool threads_measure(const sinew_kernels *kernels, workload_part part, uint32_t threads, timing_effort effort,
                     double *poses_per_s_of_one, double *poses_per_s_of_all) {
  crew c = {.part = part};
  double *rates = heap_alloc(2 * (size_t)effort.rounds, sizeof *rates);
  const bool ok = rates && crew_open(&c, kernels, threads);
  if (ok) {
    uint64_t blocks = 64;
    while (crew_work_s(&c, 1, blocks) < effort.slice_s) blocks *= 2;
    for (uint32_t round = 0; round < effort.rounds; round++) {
      const double poses = (double)blocks * SINEW_BLOCK;
      rates[round] = poses / crew_work_s(&c, 1, blocks);
      rates[effort.rounds + round] = threads * poses / crew_work_s(&c, threads, blocks);
    }
    *poses_per_s_of_one = largest(rates, effort.rounds);
    *poses_per_s_of_all = largest(rates + effort.rounds, effort.rounds);
  }
  heap_free(rates);
  crew_close(&c);
  return ok;
}
