/* Compiled with the baseline's flags, as everything is that runs before a table is chosen. */
#include "cpu.h"

#if defined(__x86_64__)

bool sinew_cpu_runs_avx512(void) {
  return sinew_cpu_runs_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}
bool sinew_cpu_runs_avx2(void) {
  return sinew_cpu_runs_sse4() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
bool sinew_cpu_runs_sse4(void) {
  return __builtin_cpu_supports("sse4.1");
}

#elif defined(__aarch64__)

bool sinew_cpu_runs_neon(void) {
  return true;
}

#endif
