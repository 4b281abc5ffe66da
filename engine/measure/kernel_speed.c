#include "base/error.h"
#include "measure/limit_field.h"
#include "measure/operations.h"
#include "measure/timing.h"
#include "measure/workload.h"
#include "stage/context.h"

/* About a third of a second. */
static const timing_effort effort = {.rounds = 240, .slice_s = 2.5e-4};

typedef struct part_run {
  workload *work;
  workload_part part;
} part_run;

static void run_part(void *subject) {
  const part_run *run = subject;
  workload_run(run->work, run->part);
}

enum { LIMIT, MUSCLES, JOINTS, POSE, STEP_COUNT };

static sinew_result time_kernels(workload *work, sinew_kernel_speed *speed, sinew_error *error) {
  limit_field limit = {.loops = sinew_limit_loops_of(work->kernels->name)};
  part_run runs[STEP_COUNT] = {[MUSCLES] = {work, WORKLOAD_MUSCLE},
                               [JOINTS] = {work, WORKLOAD_FK},
                               [POSE] = {work, WORKLOAD_PIPELINE}};
  timed steps[STEP_COUNT] = {[LIMIT] = {.run = limit_run_arithmetic, .subject = &limit}};
  for (int i = MUSCLES; i < STEP_COUNT; i++) steps[i] = (timed){.run = run_part, .subject = &runs[i]};
  SINEW_CHECK(timing_run(steps, STEP_COUNT, effort), error, SINEW_ERROR_MEMORY, "out of memory");
  const double rate = limit_arithmetic_operations(&limit) / steps[LIMIT].least_s;
  const double poses = SINEW_BLOCK;
  speed->isa = work->kernels->name;
  speed->muscles_ns = steps[MUSCLES].least_s / poses * 1e9;
  speed->joints_ns = steps[JOINTS].least_s / poses * 1e9;
  speed->pose_ns = steps[POSE].least_s / poses * 1e9;
  speed->arithmetic_gops = rate * 1e-9;
  speed->muscles_share =
      operations_of_muscle(&work->constants.muscle) / rate / (steps[MUSCLES].least_s / poses);
  speed->joints_share = operations_of_fk(&work->constants.fk) / rate / (steps[JOINTS].least_s / poses);
  return SINEW_OK;
}

sinew_result sinew_measure_kernels(const sinew_context *context, uint32_t index, sinew_kernel_speed *speed,
                                   sinew_error *error) {
  SINEW_CHECK(context && speed, error, SINEW_ERROR_ARGUMENT, "context and speed must not be NULL");
  *speed = (sinew_kernel_speed){0};
  const sinew_kernels *kernels = sinew_kernels_available(index);
  SINEW_CHECK(kernels, error, SINEW_ERROR_ARGUMENT, "there is no instruction set %u here", index);
  HEAP_SCOPE(&context->allocator);
  workload *work = heap_alloc(1, sizeof *work);
  SINEW_CHECK(work, error, SINEW_ERROR_MEMORY, "out of memory");
  sinew_result result = workload_open(kernels, MADE_BODY_ALL, NULL, work, error);
  if (result == SINEW_OK) result = time_kernels(work, speed, error);
  workload_close(work);
  heap_free(work);
  return result;
}
