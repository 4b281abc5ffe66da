#include "kernels.h"
#include "limit_loops.h"

#include <stdbool.h>
#include <string.h>

#if defined(__x86_64__)
extern const sinew_limit_loops sinew_limit_loops_avx512, sinew_limit_loops_avx2, sinew_limit_loops_sse4,
    sinew_limit_loops_scalar;
#elif defined(__aarch64__)
extern const sinew_limit_loops sinew_limit_loops_neon, sinew_limit_loops_scalar;
#endif

static const sinew_limit_loops *const loops[] = {
#if defined(__x86_64__)
    &sinew_limit_loops_avx512,
    &sinew_limit_loops_avx2,
    &sinew_limit_loops_sse4,
    &sinew_limit_loops_scalar,
#elif defined(__aarch64__)
    &sinew_limit_loops_neon,
    &sinew_limit_loops_scalar,
#endif
};

static bool runs(const char *isa) {
  for (uint32_t i = 0; sinew_kernels_available(i); i++)
    if (strcmp(sinew_kernels_available(i)->name, isa) == 0) return true;
  return false;
}

const sinew_limit_loops *sinew_limit_loops_of(const char *isa) {
  for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
    if (strcmp(loops[i]->name, isa) == 0) return runs(isa) ? loops[i] : NULL;
  return NULL;
}
