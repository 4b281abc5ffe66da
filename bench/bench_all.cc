// Every kernel and every rival on every instruction set this CPU has, and each format's text, under Google Benchmark: nanoseconds per
// frame of 55 bones as "ns_per_pose", bytes a second where those count.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "dram.h"
#include "hot.h"
#include "written_text.h"

static void run(benchmark::State &state, const bench_case &what) {
  for (auto _ : state) {
    what.run(what.subject);
    benchmark::ClobberMemory();
  }
  const double runs = double(state.iterations());
  if (what.poses > 0)
    state.counters["ns_per_pose"] = benchmark::Counter(
        runs * what.poses * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  if (what.bytes > 0) state.SetBytesProcessed(int64_t(runs * what.bytes));
}

static void add(const bench_case &what) {
  std::string name = what.name;
  if (*what.isa) name = name + "/" + what.isa;
  benchmark::RegisterBenchmark(name.c_str(), run, what);
}

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  dram_field *field = dram_field_open(size_t(256) << 20);
  std::vector<hot_set *> hot_sets;
  std::vector<dram_set *> dram_sets;
  for (uint32_t i = 0; const sinew_kernels *kernels = sinew_kernels_available(i); i++) {
    bench_case what;
    hot_set *hot = hot_set_open(kernels);
    hot_sets.push_back(hot);
    for (int k = 0; hot && k < HOT_CASE_COUNT; k++)
      if (hot_set_case(hot, hot_case(k), &what)) add(what);
    dram_set *dram = field ? dram_set_open(kernels, field) : nullptr;
    dram_sets.push_back(dram);
    for (int k = 0; dram && k < DRAM_CASE_COUNT; k++) {
      dram_set_case(dram, k, &what);
      add(what);
    }
  }
  written_text *text = written_text_open();
  bench_case what;
  for (int k = 0; text && k < WRITTEN_CASE_COUNT; k++) {
    written_text_case(text, written_case(k), &what);
    add(what);
  }
  benchmark::RunSpecifiedBenchmarks();
  written_text_close(text);
  for (hot_set *set : hot_sets) hot_set_close(set);
  for (dram_set *set : dram_sets) dram_set_close(set);
  dram_field_close(field);
  return 0;
}
