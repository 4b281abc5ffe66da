#include "cpu.h"
#include "kernels.h"

#include <string.h>

typedef struct isa_entry {
  const sinew_kernels *kernels;
  bool (*runs)(void);
} isa_entry;

#if defined(__x86_64__)
extern const sinew_kernels sinew_kernels_avx512, sinew_kernels_avx2, sinew_kernels_sse4, sinew_kernels_scalar;
#elif defined(__aarch64__)
extern const sinew_kernels sinew_kernels_neon, sinew_kernels_scalar;
#endif

/* Best first. The scalar table is asked for by name alone. */
static const isa_entry isas[] = {
#if defined(__x86_64__)
    {&sinew_kernels_avx512, sinew_cpu_runs_avx512},
    {&sinew_kernels_avx2, sinew_cpu_runs_avx2},
    {&sinew_kernels_sse4, sinew_cpu_runs_sse4},
    {&sinew_kernels_scalar, sinew_cpu_runs_avx2},
#elif defined(__aarch64__)
    {&sinew_kernels_neon, sinew_cpu_runs_neon},
    {&sinew_kernels_scalar, sinew_cpu_runs_neon},
#endif
    {NULL, NULL},
};

const sinew_kernels *sinew_kernels_available(uint32_t index) {
  for (const isa_entry *isa = isas; isa->kernels; isa++)
    if (isa->runs() && index-- == 0) return isa->kernels;
  return NULL;
}

const sinew_kernels *sinew_kernels_select(const char *cap) {
  const isa_entry *isa = isas;
  if (cap)
    while (isa->kernels && strcmp(isa->kernels->name, cap) != 0) isa++;
  while (isa->kernels && !isa->runs()) isa++;
  return isa->kernels;
}

const char *sinew_kernels_cap(uint32_t index) {
  for (const isa_entry *isa = isas; isa->kernels; isa++)
    if (sinew_kernels_select(isa->kernels->name) && index-- == 0) return isa->kernels->name;
  return NULL;
}
