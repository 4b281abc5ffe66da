/* The sample clip on the sample rig, ready for the kernels: what the benchmarks run on. */
#ifndef BENCH_SAMPLE_PLAN_H
#define BENCH_SAMPLE_PLAN_H

#include "kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sample_plan sample_plan;

/* One kernel over one block of 64 frames, hot in cache. */
typedef enum sample_kernel {
  SAMPLE_CURVES,
  SAMPLE_MUSCLE,
  SAMPLE_FK,
  SAMPLE_BODY_AND_HIPS,
  SAMPLE_SIGNS,
  SAMPLE_PACK,
  SAMPLE_WHOLE_POSE, /* all that a bake computes for a block */
  SAMPLE_KERNEL_COUNT
} sample_kernel;

const char *sample_kernel_name(sample_kernel kernel);

/* NULL, with a line on stderr, when the sample cannot be read. */
sample_plan *sample_plan_open(const sinew_kernels *kernels, const char *folder);
void sample_plan_close(sample_plan *plan);
void sample_plan_run(sample_plan *plan, sample_kernel kernel);

#ifdef __cplusplus
}
#endif
#endif
