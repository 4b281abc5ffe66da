#include "base/error.h"
#include "measure/memory_work.h"
#include "measure/timing.h"
#include "stage/context.h"

static const timing_effort effort = {.rounds = 20, .slice_s = 4e-3};
static const size_t most_bytes = (size_t)256 << 20;

typedef struct part_run {
  memory_work *work;
  memory_part part;
} part_run;

static void run_part(void *subject) {
  const part_run *run = subject;
  memory_work_run(run->work, run->part);
}

static sinew_result time_memory(memory_work *work, sinew_memory_speed *speed, sinew_error *error) {
  part_run runs[MEMORY_PART_COUNT];
  timed parts[MEMORY_PART_COUNT];
  double rate[MEMORY_PART_COUNT];
  for (int i = 0; i < MEMORY_PART_COUNT; i++) {
    runs[i] = (part_run){work, (memory_part)i};
    parts[i] = (timed){.run = run_part, .subject = &runs[i]};
  }
  SINEW_CHECK(timing_run(parts, MEMORY_PART_COUNT, effort), error, SINEW_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < MEMORY_PART_COUNT; i++) rate[i] = memory_part_bytes((memory_part)i) / parts[i].least_s;
  speed->isa = work->workload.kernels->name;
  speed->read_gb_per_s = rate[MEMORY_READ] * 1e-9;
  speed->store_gb_per_s = rate[MEMORY_STORE] * 1e-9;
  speed->stream_gb_per_s = rate[MEMORY_STORE_PAST_CACHES] * 1e-9;
  speed->muscles_ns = parts[MEMORY_MUSCLE].least_s / memory_part_poses(MEMORY_MUSCLE) * 1e9;
  speed->muscles_share = rate[MEMORY_MUSCLE] / rate[MEMORY_STORE_PAST_CACHES];
  return SINEW_OK;
}

sinew_result sinew_measure_memory(const sinew_context *context, sinew_memory_speed *speed,
                                  sinew_error *error) {
  SINEW_CHECK(context && speed, error, SINEW_ERROR_ARGUMENT, "context and speed must not be NULL");
  *speed = (sinew_memory_speed){0};
  HEAP_SCOPE(&context->allocator);
  memory_field field;
  memory_work *work = heap_alloc(1, sizeof *work);
  SINEW_CHECK(work, error, SINEW_ERROR_MEMORY, "out of memory");
  if (!memory_field_open(most_bytes, &field)) {
    heap_free(work);
    return error_set(error, SINEW_ERROR_MEMORY, "there is no memory larger than the caches to measure in");
  }
  sinew_result result = memory_work_open(context->kernels, &field, work, error);
  if (result == SINEW_OK) result = time_memory(work, speed, error);
  memory_work_close(work);
  memory_field_close(&field);
  heap_free(work);
  return result;
}
