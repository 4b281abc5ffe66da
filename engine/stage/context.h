/* What a context holds: the kernels chosen once, and how many workers to use. */
#ifndef SINEW_STAGE_CONTEXT_H
#define SINEW_STAGE_CONTEXT_H

#include "kernels.h"
#include "sinew.h"

struct sinew_context {
  const sinew_kernels *kernels;
  uint32_t thread_count;
};

#endif
