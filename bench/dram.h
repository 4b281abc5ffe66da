/* One instruction set's kernels from memory to memory: more data than any cache holds, and the limits of
 * memory. */
#ifndef BENCH_DRAM_H
#define BENCH_DRAM_H

#include "bench_case.h"
#include "kernels.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dram_case {
  DRAM_READ, /* the limits */
  DRAM_STORE,
  DRAM_STORE_PAST_CACHES,
  DRAM_MUSCLE_READ, /* planes from memory -> local rotations that stay in cache */
  DRAM_MUSCLE,      /* planes from memory -> local rotations to memory, past the caches */
  DRAM_PIPELINE, /* planes from memory -> local rotations -> centre of mass, hips -> all joints, in cache */
  DRAM_CASE_COUNT
} dram_case;

/* The memory that all sets share: planes of many blocks, and room for as many poses. NULL: not so much
 * memory. */
typedef struct dram_field dram_field;
dram_field *dram_field_open(size_t most_bytes);
void dram_field_close(dram_field *field);

typedef struct dram_set dram_set;
/* NULL, with a line on stderr, where it cannot be made. */
dram_set *dram_set_open(const sinew_kernels *kernels, dram_field *field);
void dram_set_close(dram_set *set);
void dram_set_case(dram_set *set, dram_case which, bench_case *out);

#ifdef __cplusplus
}
#endif
#endif
