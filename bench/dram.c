#include "dram.h"
#include "measure/memory_work.h"

#include <stdio.h>

_Static_assert((int)DRAM_CASE_COUNT == (int)MEMORY_PART_COUNT, "one case a part");

struct dram_field {
  memory_field field;
};
typedef struct dram_part {
  memory_work *work;
  memory_part part;
} dram_part;
struct dram_set {
  memory_work work;
  dram_part parts[MEMORY_PART_COUNT];
};

dram_field *dram_field_open(size_t most_bytes) {
  dram_field *field = heap_alloc(1, sizeof *field);
  if (field && memory_field_open(most_bytes, &field->field)) return field;
  fprintf(stderr, "there are no 1.6 times %zu bytes of memory\n", most_bytes);
  heap_free(field);
  return NULL;
}

void dram_field_close(dram_field *field) {
  if (field) memory_field_close(&field->field);
  heap_free(field);
}

dram_set *dram_set_open(const sinew_kernels *kernels, const dram_field *field) {
  dram_set *set = heap_alloc(1, sizeof *set);
  sinew_error error = {0};
  if (set && memory_work_open(kernels, &field->field, &set->work, &error) == SINEW_OK) return set;
  fprintf(stderr, "%s\n", error.message);
  heap_free(set);
  return NULL;
}

void dram_set_close(dram_set *set) {
  if (set) memory_work_close(&set->work);
  heap_free(set);
}

static void run_part(void *subject) {
  const dram_part *part = subject;
  memory_work_run(part->work, part->part);
}

void dram_set_case(dram_set *set, int which, bench_case *out) {
  const memory_part part = (memory_part)which;
  set->parts[which] = (dram_part){&set->work, part};
  *out = (bench_case){.name = memory_part_name(part),
                      .isa = set->work.workload.kernels->name,
                      .run = run_part,
                      .subject = &set->parts[which],
                      .poses = memory_part_poses(part),
                      .bytes = memory_part_bytes(part)};
}
