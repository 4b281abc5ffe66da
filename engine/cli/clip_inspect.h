/* What `sinew inspect` tells of a file's clips. */
#ifndef CLI_CLIP_INSPECT_H
#define CLI_CLIP_INSPECT_H

#include "json_line.h"
#include "sinew.h"

typedef struct clip_inspection {
  const char *path;
  const sinew_context *context;
  const sinew_clip_file *file;
  uint64_t byte_count;
  double rate_hz; /* 0: each clip's own */
  bool verbose;
} clip_inspection;

void clip_inspect_say(const clip_inspection *inspection);
/* The members from "bytes" on. */
void clip_inspect_fill(json_t *object, const clip_inspection *inspection);

#endif
