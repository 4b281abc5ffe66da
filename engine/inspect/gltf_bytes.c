/* What of the BIN chunk each part of a file reads. Accessors may share and interleave their bytes, so runs
 * are joined before they are counted. */
#include "base/error.h"
#include "inspect/gltf.h"

#include <stdlib.h>

typedef struct byte_run {
  uint64_t begin, end;
} byte_run;

typedef struct run_list {
  byte_run *runs; /* room for all that can be added */
  size_t count;
} run_list;

static void add_run(run_list *list, uint64_t begin, uint64_t byte_count) {
  list->runs[list->count++] = (byte_run){begin, begin + byte_count};
}

enum { RUNS_PER_ACCESSOR = 3 };

static void add_accessor(run_list *list, const gltf_accessor *accessor) {
  const gltf_sparse *sparse = &accessor->sparse;
  if (accessor->here)
    add_run(list, accessor->offset, (accessor->count - 1) * accessor->stride + accessor->element_bytes);
  if (!sparse->count || !sparse->here) return;
  add_run(list, sparse->index_offset, sparse->count * sparse->index_bytes);
  add_run(list, sparse->value_offset, sparse->count * accessor->element_bytes);
}

static int by_begin(const void *a, const void *b) {
  const byte_run *x = a, *y = b;
  return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Empties the list. */
static uint64_t covered_bytes(run_list *list) {
  uint64_t bytes = 0, end = 0;
  qsort(list->runs, list->count, sizeof *list->runs, by_begin);
  for (size_t i = 0; i < list->count; i++) {
    const byte_run run = list->runs[i];
    const uint64_t from = run.begin > end ? run.begin : end;
    if (run.end <= from) continue;
    bytes += run.end - from;
    end = run.end;
  }
  list->count = 0;
  return bytes;
}

static uint64_t bytes_of_use(const gltf_reading *reading, run_list *list, uint32_t uses) {
  for (uint32_t i = 0; i < reading->accessor_count; i++)
    if (reading->accessors[i].use & uses) add_accessor(list, &reading->accessors[i]);
  for (uint32_t i = 0; i < reading->view_count; i++)
    if ((reading->view_use[i] & uses) && reading->views[i].here)
      add_run(list, reading->views[i].offset, reading->views[i].byte_count);
  return covered_bytes(list);
}

static void add_once(gltf_reading *reading, run_list *list, uint32_t accessor) {
  if (reading->accessors[accessor].stamp == reading->stamp) return;
  reading->accessors[accessor].stamp = reading->stamp;
  add_accessor(list, &reading->accessors[accessor]);
}

sinew_result gltf_count_bytes(gltf_reading *reading, sinew_error *error) {
  sinew_glb_info *info = &reading->glb->info;
  run_list list = {NULL, 0};
  const size_t room = (size_t)reading->accessor_count * RUNS_PER_ACCESSOR + reading->view_count;
  SINEW_TRY(gltf_items(&reading->scratch, room, sizeof *list.runs, &list.runs, error));
  info->animation_bytes = bytes_of_use(reading, &list, GLTF_USE_ANIMATION);
  info->mesh_bytes = bytes_of_use(reading, &list, GLTF_USE_MESH);
  info->skin_bytes = bytes_of_use(reading, &list, GLTF_USE_SKIN);
  info->image_bytes = bytes_of_use(reading, &list, GLTF_USE_IMAGE);
  info->other_bytes = reading->bin_bytes - bytes_of_use(reading, &list, GLTF_USE_ALL);
  for (uint32_t i = 0; i < info->animation_count; i++) {
    gltf_animation *animation = &reading->glb->animations[i];
    reading->stamp++;
    for (uint32_t channel = 0; channel < animation->info.channel_count; channel++) {
      add_once(reading, &list, animation->channels[channel].input);
      add_once(reading, &list, animation->channels[channel].output);
    }
    animation->info.byte_count = covered_bytes(&list);
  }
  return SINEW_OK;
}
