/* One run of `sinew convert`: what was asked for, what is read and written, what became of it. */
#ifndef CLI_CONVERSION_H
#define CLI_CONVERSION_H

#include "args.h"
#include "convert_plan.h"

typedef struct conversion {
  const arguments *given;
  sinew_read_options read; /* of the clips */
  sinew_context *context;
  sinew_rig *rig;
  sinew_rig *clip_rig; /* the avatar of the clips' own skeleton */
  sinew_format format;
  source_list sources;
  convert_plan plan;
  size_t converted;
  size_t failed; /* clips, and inputs that cannot be read */
} conversion;

/* One line on stderr, and one on stdout with --json. clip: NULL where the input as a whole failed. */
void tell_failure(conversion *c, const char *input, const planned_clip *clip, const sinew_error *error);

/* Bakes the plan and tells of each clip in the plan's order. Returns the exit code. */
int bake_all(conversion *c);

#endif
