/* The figures of kernels over data that is hot in cache, and of threads. */
#include "figures.h"
#include "hot.h"
#include "measure/timing.h"
#include "threads.h"

#include <stdio.h>

static const timing_effort full = {.rounds = 41, .slice_s = 1e-3},
                           short_one = {.rounds = 11, .slice_s = 5e-4};

/* Times of all cases of a set, in turn; NAN for those it has not. */
static bool time_cases(hot_set *set, bench_case cases[HOT_CASE_COUNT], double least_s[HOT_CASE_COUNT],
                       bool quick) {
  timed subjects[HOT_CASE_COUNT];
  size_t place[HOT_CASE_COUNT], count = 0;
  for (int i = 0; i < HOT_CASE_COUNT; i++) {
    const bool there = hot_set_case(set, (hot_case)i, &cases[i]);
    place[i] = there ? count : SIZE_MAX;
    if (there) subjects[count++] = (timed){.run = cases[i].run, .subject = cases[i].subject};
  }
  if (!timing_run(subjects, count, quick ? short_one : full)) return false;
  for (int i = 0; i < HOT_CASE_COUNT; i++)
    least_s[i] = place[i] == SIZE_MAX ? (double)NAN : subjects[place[i]].least_s;
  return true;
}

static void put_ratios(figure_list *list, const hot_set *set, const char *isa, const double *s) {
  const double none = (double)NAN, poses = SINEW_BLOCK;
  const double operations_per_s = hot_set_arithmetic_operations(set) / s[HOT_ARITHMETIC];
  const double muscle_floor_s = hot_set_muscle_operations(set) * poses / operations_per_s;
  const double fk_floor_s = hot_set_fk_operations(set) * poses / operations_per_s;
  figures_put(list, "limit_arithmetic", isa, operations_per_s * 1e-9, "Gop/s", none);
  figures_put(list, "muscle_floor_share", isa, muscle_floor_s / poses * 1e9, "ns/pose",
              muscle_floor_s / s[HOT_MUSCLE]);
  figures_put(list, "fk_floor_share", isa, fk_floor_s / poses * 1e9, "ns/pose", fk_floor_s / s[HOT_FK]);
  figures_put(list, "fk_store_share", isa,
              hot_set_stored_bytes(HOT_STORE_JOINTS) / s[HOT_STORE_JOINTS] * 1e-9, "GB/s",
              s[HOT_STORE_JOINTS] / s[HOT_FK]);
  figures_put(list, "xyzw_store_share", isa, hot_set_stored_bytes(HOT_STORE_XYZW) / s[HOT_STORE_XYZW] * 1e-9,
              "GB/s", s[HOT_STORE_XYZW] / s[HOT_XYZW]);
  if (!isnan(s[HOT_SLEEF])) {
    figures_put(list, "muscle_over_sleef", isa, none, "", s[HOT_SLEEF] / s[HOT_MUSCLE]);
    figures_put(list, "muscle_over_sleef_products", isa, none, "", s[HOT_SLEEF_PRODUCTS] / s[HOT_MUSCLE]);
  }
  figures_put(list, "muscle_over_naive", isa, none, "", s[HOT_NAIVE] / s[HOT_MUSCLE]);
  figures_put(list, "inverse_over_naive", isa, none, "", s[HOT_INVERSE_NAIVE] / s[HOT_INVERSE]);
  figures_put(list, "inverse_over_stated", isa, none, "", s[HOT_INVERSE_STATED] / s[HOT_INVERSE]);
  figures_put(list, "xyzw_over_planar", isa, none, "", s[HOT_XYZW] / s[HOT_MUSCLE]);
  figures_put(list, "bones_22_over_55", isa, none, "", s[HOT_MUSCLE_22] / s[HOT_MUSCLE]);
  figures_put(list, "fk_over_muscle", isa, none, "", s[HOT_FK] / s[HOT_MUSCLE]);
  const double sampled = isnan(s[HOT_SAMPLE_REAL]) ? s[HOT_SAMPLE_WALK] : s[HOT_SAMPLE_REAL];
  figures_put(list, "sample_over_muscle", isa, none, "",
              (isnan(sampled) ? s[HOT_SAMPLE] : sampled) / s[HOT_MUSCLE]);
}

static bool put_set(figure_list *list, const sinew_kernels *kernels, bool quick) {
  hot_set *set = hot_set_open(kernels);
  if (!set) return false;
  bench_case cases[HOT_CASE_COUNT];
  double least_s[HOT_CASE_COUNT];
  const bool ok = time_cases(set, cases, least_s, quick);
  for (int i = 0; ok && i < HOT_CASE_COUNT; i++)
    if (cases[i].poses > 0 && !isnan(least_s[i]))
      figures_put(list, cases[i].name, kernels->name, least_s[i] / cases[i].poses * 1e9, "ns/pose",
                  (double)NAN);
  if (ok) put_ratios(list, set, kernels->name, least_s);
  hot_set_close(set);
  return ok;
}

bool figures_of_kernels(figure_list *list, bool quick) {
  cpu_set_t cpus;
  bool ok = timing_cpus(&cpus) && timing_pin(&cpus, 0);
  for (uint32_t i = 0; ok && sinew_kernels_available(i); i++)
    ok = put_set(list, sinew_kernels_available(i), quick);
  timing_unpin(&cpus);
  return ok;
}

bool figures_of_threads(figure_list *list, bool quick) {
  const timing_effort effort = {.rounds = quick ? 7 : 21, .slice_s = 0.02};
  cpu_set_t cpus;
  if (!timing_cpus(&cpus)) return false;
  if (CPU_COUNT(&cpus) < 2) {
    fputs("one CPU only: no figures of two threads\n", stderr);
    return true;
  }
  for (uint32_t i = 0; sinew_kernels_available(i); i++) {
    const sinew_kernels *kernels = sinew_kernels_available(i);
    if (kernels->width == 1) continue;
    double one, both;
    if (!threads_measure(kernels, WORKLOAD_PIPELINE, 2, effort, &one, &both)) return false;
    figures_put(list, "two_threads_over_one", kernels->name, both, "poses/s", both / one);
  }
  return true;
}
