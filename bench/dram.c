#include "dram.h"
#include "measure/limit_field.h"
#include "measure/workload.h"

#include <stdio.h>
#include <string.h>

enum {
  PIECE_BLOCKS = 64, /* of a run: the next ones each time, round and round the field */
  PLANE_FLOATS = SINEW_PLANE_COUNT * SINEW_BLOCK,
  LOCAL_FLOATS = HUMAN_BONE_COUNT * 4 * SINEW_BLOCK
};

struct dram_field {
  size_t block_count; /* a multiple of PIECE_BLOCKS */
  float *planes;
  float *local;
};

struct dram_set {
  dram_field *field;
  workload workload;
  size_t at[DRAM_CASE_COUNT]; /* the block each case goes on from */
  limit_field limit;
};

dram_field *dram_field_open(size_t most_bytes) {
  dram_field *field = heap_alloc(1, sizeof *field);
  if (!field) return NULL;
  const size_t bytes = limit_memory_bytes(most_bytes);
  field->block_count = bytes / (LOCAL_FLOATS * sizeof(float)) / PIECE_BLOCKS * PIECE_BLOCKS;
  if (field->block_count == 0) field->block_count = PIECE_BLOCKS;
  field->planes = limit_memory_map(field->block_count * PLANE_FLOATS * sizeof(float));
  field->local = limit_memory_map(field->block_count * LOCAL_FLOATS * sizeof(float));
  if (field->planes && field->local) return field;
  dram_field_close(field);
  return NULL;
}

void dram_field_close(dram_field *field) {
  if (!field) return;
  limit_memory_unmap(field->planes, field->block_count * PLANE_FLOATS * sizeof(float));
  limit_memory_unmap(field->local, field->block_count * LOCAL_FLOATS * sizeof(float));
  heap_free(field);
}

dram_set *dram_set_open(const sinew_kernels *kernels, dram_field *field) {
  dram_set *set = heap_alloc(1, sizeof *set);
  if (!set) return NULL;
  set->field = field;
  set->limit.loops = sinew_limit_loops_of(kernels->name);
  sinew_error error = {0};
  if (workload_open(kernels, MADE_BODY_ALL, NULL, &set->workload, &error) != SINEW_OK) {
    fprintf(stderr, "%s\n", error.message);
    heap_free(set);
    return NULL;
  }
  for (size_t block = 0; block < field->block_count; block++)
    memcpy(field->planes + block * PLANE_FLOATS, set->workload.scratch.planes, PLANE_FLOATS * sizeof(float));
  return set;
}

void dram_set_close(dram_set *set) {
  if (!set) return;
  workload_close(&set->workload);
  heap_free(set);
}

/* ---- what is run
 * --------------------------------------------------------------------------------------------- */

static size_t next_piece(dram_set *set, dram_case which) {
  const size_t at = set->at[which];
  set->at[which] = (at + PIECE_BLOCKS) % set->field->block_count;
  return at;
}

static void over_local(dram_set *set, dram_case which, void (*run)(void *)) {
  set->limit.memory = set->field->local + next_piece(set, which) * LOCAL_FLOATS;
  set->limit.count = (size_t)PIECE_BLOCKS * LOCAL_FLOATS;
  run(&set->limit);
}
static void run_read(void *subject) {
  over_local(subject, DRAM_READ, limit_run_read);
}
static void run_store(void *subject) {
  over_local(subject, DRAM_STORE, limit_run_store);
}
static void run_store_past_caches(void *subject) {
  over_local(subject, DRAM_STORE_PAST_CACHES, limit_run_store_past_caches);
}

static void run_muscle_read(void *subject) {
  dram_set *set = subject;
  workload *w = &set->workload;
  const size_t first = next_piece(set, DRAM_MUSCLE_READ);
  for (size_t i = first; i < first + PIECE_BLOCKS; i++)
    w->kernels->muscle(&w->constants.muscle, set->field->planes + i * PLANE_FLOATS, w->pose.local);
}
static void run_muscle(void *subject) {
  dram_set *set = subject;
  workload *w = &set->workload;
  const size_t first = next_piece(set, DRAM_MUSCLE);
  for (size_t i = first; i < first + PIECE_BLOCKS; i++) {
    w->kernels->muscle(&w->constants.muscle, set->field->planes + i * PLANE_FLOATS, w->pose.local);
    w->kernels->stream(w->pose.local, LOCAL_FLOATS, set->field->local + i * LOCAL_FLOATS);
  }
}
static void run_pipeline(void *subject) {
  dram_set *set = subject;
  const size_t first = next_piece(set, DRAM_PIPELINE);
  for (size_t i = first; i < first + PIECE_BLOCKS; i++)
    workload_pipeline(&set->workload, set->field->planes + i * PLANE_FLOATS);
}

void dram_set_case(dram_set *set, dram_case which, bench_case *out) {
  static const struct {
    const char *name;
    void (*run)(void *);
    double blocks;
    double bytes;
  } rows[DRAM_CASE_COUNT] = {
      [DRAM_READ] = {"limit_read", run_read, 0, LOCAL_FLOATS * sizeof(float)},
      [DRAM_STORE] = {"limit_store", run_store, 0, LOCAL_FLOATS * sizeof(float)},
      [DRAM_STORE_PAST_CACHES] = {"limit_store_past_caches", run_store_past_caches, 0,
                                  LOCAL_FLOATS * sizeof(float)},
      [DRAM_MUSCLE_READ] = {"muscle_from_memory", run_muscle_read, 1, PLANE_FLOATS * sizeof(float)},
      [DRAM_MUSCLE] = {"muscle_memory_to_memory", run_muscle, 1, LOCAL_FLOATS * sizeof(float)},
      [DRAM_PIPELINE] = {"pipeline_from_memory", run_pipeline, 1, PLANE_FLOATS * sizeof(float)},
  };
  *out = (bench_case){.name = rows[which].name,
                      .isa = set->workload.kernels->name,
                      .run = rows[which].run,
                      .subject = set,
                      .poses = rows[which].blocks * PIECE_BLOCKS * SINEW_BLOCK,
                      .bytes = rows[which].bytes * PIECE_BLOCKS};
}
