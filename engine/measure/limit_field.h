/* A CPU's limits as things that can be timed beside the kernels. */
#ifndef SINEW_MEASURE_LIMIT_FIELD_H
#define SINEW_MEASURE_LIMIT_FIELD_H

#include "limit_loops.h"

typedef struct limit_field {
  const sinew_limit_loops *loops;
  float *memory; /* the caller's; only the loops over memory need it */
  size_t count;  /* floats, a multiple of 64 */
  float sink[SINEW_BLOCK];
} limit_field;

/* Each takes a limit_field. Arithmetic does so many operations a run, the others count floats. */
void limit_run_arithmetic(void *field);
double limit_arithmetic_operations(const limit_field *field);
void limit_run_read(void *field);
void limit_run_store(void *field);
void limit_run_store_past_caches(void *field);

/* Bytes that no cache of this machine holds: twice its largest, within 128 MiB and `most`. */
size_t limit_memory_bytes(size_t most);
/* That much, or NULL; in large pages where the system gives them, every page touched. */
float *limit_memory_map(size_t byte_count);
void limit_memory_unmap(float *memory, size_t byte_count);

#endif
