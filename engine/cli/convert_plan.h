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

/* What the clips of one source are called, and which of them are wanted. */
typedef struct plan_naming {
  const char *clip;   /* a name, or a number from 0; NULL: all */
  const char *output; /* the path of the only clip; NULL: named after its input */
  const char *folder; /* below this one; NULL: the current */
  const char *suffix; /* of the format */
} plan_naming;

/* Adds the wanted clips of a source that was read. Returns how many these are. */
uint32_t plan_add(convert_plan *plan, const source_list *sources, size_t source, const plan_naming *naming);

/* Two clips that would be written to one path: the earliest second one and its first. */
bool plan_collision(const convert_plan *plan, size_t *first, size_t *second);

/* A clip whose output is one of the files that are read. */
bool plan_overwrites(const convert_plan *plan, const char *const *read_paths, size_t read_count, size_t *clip,
                     size_t *read_path);

void plan_free(convert_plan *plan);

#endif
