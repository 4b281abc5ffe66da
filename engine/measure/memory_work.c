#include "measure/memory_work.h"

#include <string.h>

enum {
  PIECE_BLOCKS = 64, /* of a run */
  PLANE_FLOATS = SINEW_PLANE_COUNT * SINEW_BLOCK,
  LOCAL_FLOATS = HUMAN_BONE_COUNT * 4 * SINEW_BLOCK
};

static const size_t plane_bytes = PLANE_FLOATS * sizeof(float), local_bytes = LOCAL_FLOATS * sizeof(float);

const char *memory_part_name(memory_part part) {
  static const char *const names[MEMORY_PART_COUNT] = {
      [MEMORY_READ] = "limit_read",
      [MEMORY_STORE] = "limit_store",
      [MEMORY_STORE_PAST_CACHES] = "limit_store_past_caches",
      [MEMORY_TRAFFIC] = "limit_traffic",
      [MEMORY_MUSCLE_READ] = "muscle_from_memory",
      [MEMORY_MUSCLE] = "muscle_memory_to_memory",
      [MEMORY_PIPELINE] = "pipeline_from_memory",
  };
  return names[part];
}
double memory_part_poses(memory_part part) {
  return part < MEMORY_MUSCLE_READ ? 0 : PIECE_BLOCKS * SINEW_BLOCK;
}
double memory_part_bytes(memory_part part) {
  const bool reads_planes = part == MEMORY_MUSCLE_READ || part == MEMORY_PIPELINE;
  return (double)(reads_planes ? plane_bytes : local_bytes) * PIECE_BLOCKS;
}

bool memory_field_open(size_t most_bytes, memory_field *field) {
  const size_t blocks = limit_memory_bytes(most_bytes) / local_bytes / PIECE_BLOCKS * PIECE_BLOCKS;
  *field = (memory_field){.block_count = blocks ? blocks : PIECE_BLOCKS};
  field->planes = limit_memory_map(field->block_count * plane_bytes);
  field->local = limit_memory_map(field->block_count * local_bytes);
  if (field->planes && field->local) return true;
  memory_field_close(field);
  return false;
}

void memory_field_close(memory_field *field) {
  limit_memory_unmap(field->planes, field->block_count * plane_bytes);
  limit_memory_unmap(field->local, field->block_count * local_bytes);
  *field = (memory_field){0};
}

sinew_result memory_work_open(const sinew_kernels *kernels, const memory_field *field, memory_work *work,
                              sinew_error *error) {
  *work = (memory_work){.field = field, .limit = {.loops = sinew_limit_loops_of(kernels->name)}};
  const sinew_result result = workload_open(kernels, MADE_BODY_ALL, NULL, &work->workload, error);
  for (size_t block = 0; result == SINEW_OK && block < field->block_count; block++)
    memcpy(field->planes + block * PLANE_FLOATS, work->workload.scratch.planes, plane_bytes);
  return result;
}

void memory_work_close(memory_work *work) {
  workload_close(&work->workload);
}

static void run_limit(memory_work *work, size_t first, void (*run)(void *)) {
  work->limit.memory = work->field->local + first * LOCAL_FLOATS;
  work->limit.count = (size_t)PIECE_BLOCKS * LOCAL_FLOATS;
  run(&work->limit);
}

/* What the muscle kernel moves, without its work: the muscles' planes read, as many bytes stored as poses
 * have, in turns of a few planes and bones. */
static void run_traffic(memory_work *work, size_t first) {
  enum { TURNS = 5, PLANES = SINEW_MUSCLE_COUNT / TURNS, BONES = HUMAN_BONE_COUNT / TURNS };
  const sinew_limit_loops *loops = work->limit.loops;
  for (size_t i = first; i < first + PIECE_BLOCKS; i++) {
    const float *from = work->field->planes + i * PLANE_FLOATS + SINEW_PLANE_MUSCLE * SINEW_BLOCK;
    float *to = work->field->local + i * LOCAL_FLOATS;
    for (int turn = 0; turn < TURNS; turn++) {
      work->limit.sink[0] = loops->read(from + turn * PLANES * SINEW_BLOCK, PLANES * SINEW_BLOCK);
      loops->store_past_caches(to + turn * BONES * 4 * SINEW_BLOCK, BONES * 4 * SINEW_BLOCK);
    }
  }
}

/* Into the second cache, while the block before is worked on: a plane is too short for the hardware to run
 * ahead. */
static void fetch_muscles(const memory_work *work, size_t block) {
  enum { LINE_FLOATS = 16 };
  const float *planes = work->field->planes + block % work->field->block_count * PLANE_FLOATS;
  for (int i = SINEW_PLANE_MUSCLE * SINEW_BLOCK; i < SINEW_PLANE_GOAL * SINEW_BLOCK; i += LINE_FLOATS)
    __builtin_prefetch(planes + i, 0, 2);
}

static void run_muscle(memory_work *work, size_t first, bool to_memory) {
  workload *w = &work->workload;
  for (size_t i = first; i < first + PIECE_BLOCKS; i++) {
    fetch_muscles(work, i + 1);
    w->kernels->muscle(&w->constants.muscle, work->field->planes + i * PLANE_FLOATS, w->pose.local);
    if (to_memory) w->kernels->stream(w->pose.local, LOCAL_FLOATS, work->field->local + i * LOCAL_FLOATS);
  }
}

void memory_work_run(memory_work *work, memory_part part) {
  const size_t first = work->at[part];
  work->at[part] = (first + PIECE_BLOCKS) % work->field->block_count;
  switch (part) {
  case MEMORY_READ:
    run_limit(work, first, limit_run_read);
    break;
  case MEMORY_STORE:
    run_limit(work, first, limit_run_store);
    break;
  case MEMORY_STORE_PAST_CACHES:
    run_limit(work, first, limit_run_store_past_caches);
    break;
  case MEMORY_TRAFFIC:
    run_traffic(work, first);
    break;
  case MEMORY_MUSCLE_READ:
    run_muscle(work, first, false);
    break;
  case MEMORY_MUSCLE:
    run_muscle(work, first, true);
    break;
  case MEMORY_PIPELINE:
    for (size_t i = first; i < first + PIECE_BLOCKS; i++) {
      fetch_muscles(work, i + 1);
      workload_pipeline(&work->workload, work->field->planes + i * PLANE_FLOATS);
    }
    break;
  case MEMORY_PART_COUNT:
    break;
  }
}
