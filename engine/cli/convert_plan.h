/* What one run writes: every clip of every readable input with the path of its output, checked as a whole
 * before the first byte is written. */
#ifndef CLI_CONVERT_PLAN_H
#define CLI_CONVERT_PLAN_H

#include "clip_source.h"

typedef struct planned_clip {
  size_t source;
  uint32_t clip;
  char *path;
} planned_clip;

typedef struct convert_plan {
  planned_clip *clips; /* in the order of the inputs */
  size_t count;
  size_t capacity;
  double frame_count; /* over all clips, for the progress line */
} convert_plan;

/* Adds the clips of a source that was read. output: the path of the only clip, or NULL to name it after its
 * input below folder (NULL: the current one). */
void plan_add(convert_plan *plan, const source_list *sources, size_t source, const char *output,
              const char *folder);

/* Two clips that would be written to one path: the earliest second one and its first. */
bool plan_collision(const convert_plan *plan, size_t *first, size_t *second);

/* A clip whose output is one of the files that are read. */
bool plan_overwrites(const convert_plan *plan, const char *const *read_paths, size_t read_count, size_t *clip,
                     size_t *read_path);

void plan_free(convert_plan *plan);

#endif
