// Every kernel on every instruction set this CPU has, over one block of 64 frames that is hot in cache:
// nanoseconds per frame of 55 bones, as "ns_per_pose".
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "sample_plan.h"

static void run(benchmark::State &state, const sinew_kernels *kernels, sample_kernel kernel) {
  const char *folder = std::getenv("SINEW_SAMPLE");
  sample_plan *plan = sample_plan_open(kernels, folder ? folder : "scripts/sample");
  if (!plan) {
    state.SkipWithError("no sample: run from the project's folder or set SINEW_SAMPLE");
    return;
  }
  for (auto _ : state) {
    sample_plan_run(plan, kernel);
    benchmark::ClobberMemory();
  }
  state.counters["ns_per_pose"] = benchmark::Counter(double(state.iterations()) * SINEW_BLOCK * 1e-9,
                                                     benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  sample_plan_close(plan);
}

int main(int argc, char **argv) {
  for (uint32_t i = 0; const sinew_kernels *kernels = sinew_kernels_available(i); i++)
    for (int kernel = 0; kernel < SAMPLE_KERNEL_COUNT; kernel++) {
      std::string name = std::string(sample_kernel_name(sample_kernel(kernel))) + "/" + kernels->name;
      benchmark::RegisterBenchmark(name.c_str(), run, kernels, sample_kernel(kernel));
    }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
