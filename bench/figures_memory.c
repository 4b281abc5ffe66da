/* The figures of kernels from and to memory. */
#include "dram.h"
#include "figures.h"
#include "hot.h"
#include "measure/memory_work.h"
#include "measure/timing.h"

#include <stdio.h>

/* The parts of the pipeline: the muscles read from memory as the pipeline reads them, what follows hot in
 * cache. */
static const hot_case hot_parts[] = {HOT_FK_BODY, HOT_BODY, HOT_HIPS, HOT_FK};
enum { HOT_PARTS = sizeof hot_parts / sizeof *hot_parts, ALL = DRAM_CASE_COUNT + HOT_PARTS };

static void put_ratios(figure_list *list, const char *isa, const bench_case *cases, const double *s) {
  const double none = (double)NAN;
  for (int i = 0; i < DRAM_CASE_COUNT; i++)
    if (cases[i].poses > 0)
      figures_put(list, cases[i].name, isa, s[i] / cases[i].poses * 1e9, "ns/pose", none);
    else
      figures_put(list, cases[i].name, isa, cases[i].bytes / s[i] * 1e-9, "GB/s", none);
  const double limit = cases[MEMORY_STORE_PAST_CACHES].bytes / s[MEMORY_STORE_PAST_CACHES];
  const double reached = cases[MEMORY_MUSCLE].bytes / s[MEMORY_MUSCLE];
  figures_put(list, "muscle_memory_share", isa, reached * 1e-9, "GB/s", reached / limit);
  figures_put(list, "muscle_memory_of_traffic", isa, none, "", s[MEMORY_TRAFFIC] / s[MEMORY_MUSCLE]);
  double parts_s = s[MEMORY_MUSCLE_READ] / cases[MEMORY_MUSCLE_READ].poses;
  for (int i = DRAM_CASE_COUNT; i < ALL; i++) parts_s += s[i] / cases[i].poses;
  figures_put(list, "pipeline_over_parts", isa, parts_s * 1e9, "ns/pose",
              s[MEMORY_PIPELINE] / cases[MEMORY_PIPELINE].poses / parts_s);
}

static bool put_sets(figure_list *list, dram_set *memory, hot_set *hot, const char *isa, bool quick) {
  const timing_effort effort = {.rounds = quick ? 9 : 41, .slice_s = 4e-3};
  bench_case cases[ALL];
  timed subjects[ALL];
  double least_s[ALL];
  for (int i = 0; i < DRAM_CASE_COUNT; i++) dram_set_case(memory, i, &cases[i]);
  for (int i = 0; i < HOT_PARTS; i++) hot_set_case(hot, hot_parts[i], &cases[DRAM_CASE_COUNT + i]);
  for (int i = 0; i < ALL; i++) subjects[i] = (timed){.run = cases[i].run, .subject = cases[i].subject};
  if (!timing_run(subjects, ALL, effort)) return false;
  for (int i = 0; i < ALL; i++) least_s[i] = subjects[i].least_s;
  put_ratios(list, isa, cases, least_s);
  return true;
}

bool figures_of_memory(figure_list *list, bool quick) {
  cpu_set_t cpus;
  dram_field *field = dram_field_open(quick ? (size_t)256 << 20 : (size_t)1 << 30);
  if (!field) return false;
  bool ok = timing_cpus(&cpus) && timing_pin(&cpus, 0);
  for (uint32_t i = 0; ok && sinew_kernels_available(i); i++) {
    const sinew_kernels *kernels = sinew_kernels_available(i);
    if (kernels->width == 1) continue; /* the reference is not meant to reach memory's limit */
    dram_set *memory = dram_set_open(kernels, field);
    hot_set *hot = hot_set_open(kernels);
    ok = memory && hot && put_sets(list, memory, hot, kernels->name, quick);
    hot_set_close(hot);
    dram_set_close(memory);
  }
  timing_unpin(&cpus);
  dram_field_close(field);
  return ok;
}
