/* What a context holds: the kernels chosen once, how many workers to use, and where memory comes from. */
#ifndef SINEW_STAGE_CONTEXT_H
#define SINEW_STAGE_CONTEXT_H

#include "kernels.h"
#include "sinew.h"

struct sinew_context {
  const sinew_kernels *kernels;
  uint32_t thread_count;
  sinew_allocator allocator; /* a public function that is given the context opens a HEAP_SCOPE with it */
};

#endif
