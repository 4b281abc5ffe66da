/* The muscle kernel and the whole pipeline from memory to memory: more data than any cache holds; and the
 * limits of memory. */
#ifndef SINEW_MEASURE_MEMORY_WORK_H
#define SINEW_MEASURE_MEMORY_WORK_H

#include "measure/limit_field.h"
#include "measure/workload.h"

typedef enum memory_part {
  MEMORY_READ, /* the limits */
  MEMORY_STORE,
  MEMORY_STORE_PAST_CACHES,
  MEMORY_TRAFFIC, /* what MEMORY_MUSCLE reads and stores, without its work */
  MEMORY_MUSCLE_READ, /* planes from memory -> local rotations that stay in cache */
  MEMORY_MUSCLE,      /* planes from memory -> local rotations to memory, past the caches */
  MEMORY_PIPELINE, /* planes from memory -> local rotations -> centre of mass, hips -> all joints, in cache */
  MEMORY_PART_COUNT
} memory_part;

/* One word. */
const char *memory_part_name(memory_part part);
/* A run's poses, 0 for a limit; and the bytes it is judged by: read or written to memory. */
double memory_part_poses(memory_part part);
double memory_part_bytes(memory_part part);

/* Planes of many blocks, and room for as many poses: what several works share in turn. */
typedef struct memory_field {
  size_t block_count;
  float *planes;
  float *local;
} memory_field;

/* At most so many bytes of poses, and 0.6 times as many of planes. False: not so much memory. */
bool memory_field_open(size_t most_bytes, memory_field *field);
void memory_field_close(memory_field *field);

typedef struct memory_work {
  const memory_field *field;
  workload workload;
  limit_field limit;
  size_t at[MEMORY_PART_COUNT]; /* the block each part goes on from */
} memory_work;

/* Fills the field's planes. Errors: MEMORY. */
sinew_result memory_work_open(const sinew_kernels *kernels, const memory_field *field, memory_work *work,
                              sinew_error *error);
void memory_work_close(memory_work *work);
/* The next blocks of the field, round and round. */
void memory_work_run(memory_work *work, memory_part part);

#endif
