#include "rival_sleef.h"

#include <string.h>

#if defined(__x86_64__)
extern const rival_sleef rival_sleef_avx512, rival_sleef_avx2, rival_sleef_sse4;
static const rival_sleef *const rivals[] = {&rival_sleef_avx512, &rival_sleef_avx2, &rival_sleef_sse4};
#else
extern const rival_sleef rival_sleef_neon;
static const rival_sleef *const rivals[] = {&rival_sleef_neon};
#endif

const rival_sleef *rival_sleef_of(const char *isa) {
  for (size_t i = 0; i < sizeof rivals / sizeof *rivals; i++)
    if (strcmp(rivals[i]->isa, isa) == 0) return rivals[i];
  return NULL;
}
