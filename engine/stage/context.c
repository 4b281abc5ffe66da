#include "stage/context.h"
#include "stage/cpus.h"
#include "stage/workers.h"
#include "base/arena.h"
#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREAD_LIMIT = 1024 };

const char *sinew_version(void) {
  return SINEW_VERSION;
}

static sinew_result choose_kernels(const char *isa, const sinew_kernels **kernels, sinew_error *error) {
  const char *cap = isa;
  if (!cap) cap = getenv("SINEW_ISA");
  if (cap && !*cap) cap = NULL;
  *kernels = sinew_kernels_select(cap);
  if (*kernels) return SINEW_OK;
  SINEW_CHECK(cap, error, SINEW_ERROR_ARGUMENT,
              "this CPU has none of the instruction sets sse4.1, avx2, avx512");
  char name[32], expected[64];
  error_printable(cap, strlen(cap), name, sizeof name);
  return error_set(error, SINEW_ERROR_ARGUMENT,
                   "%s '%s' is no instruction set this machine knows; expected %s", isa ? "isa" : "SINEW_ISA",
                   name, sinew_isa_names(expected, sizeof expected));
}

sinew_result sinew_context_open(const sinew_context_options *options, sinew_context **context,
                                sinew_error *error) {
  SINEW_CHECK(context, error, SINEW_ERROR_ARGUMENT, "context is NULL");
  *context = NULL;
  uint32_t threads = options ? options->thread_count : 0;
  SINEW_CHECK(threads <= THREAD_LIMIT, error, SINEW_ERROR_ARGUMENT, "%u threads, expected at most %d",
              threads, THREAD_LIMIT);
  const sinew_allocator *allocator = options && options->allocator ? options->allocator : &heap_libc;
  SINEW_TRY(heap_check_allocator(allocator, error));
  HEAP_SCOPE(allocator);
  const sinew_kernels *kernels;
  SINEW_TRY(choose_kernels(options ? options->isa : NULL, &kernels, error));
  sinew_context *made = heap_alloc(1, sizeof *made);
  SINEW_CHECK(made, error, SINEW_ERROR_MEMORY, "out of memory");
  made->kernels = kernels;
  made->allocator = *allocator;
  made->thread_count = workers_startable(threads ? threads : cpus_usable());
  *context = made;
  return SINEW_OK;
}

void sinew_context_close(sinew_context *context) {
  heap_free(context);
}
const char *sinew_context_isa(const sinew_context *context) {
  return context ? context->kernels->name : NULL;
}
const char *sinew_context_profile(const sinew_context *context) {
  return context ? context->kernels->profile : NULL;
}
uint32_t sinew_context_threads(const sinew_context *context) {
  return context ? context->thread_count : 0;
}

const char *sinew_isa_available(uint32_t index) {
  const sinew_kernels *kernels = sinew_kernels_available(index);
  return kernels ? kernels->name : NULL;
}
const char *sinew_isa_names(char *buffer, size_t size) {
  size_t used = 0;
  if (!buffer || size == 0) return "";
  buffer[0] = 0;
  const char *name;
  for (uint32_t i = 0; (name = sinew_kernels_cap(i)) && used < size; i++) {
    const char *link = i == 0 ? "" : sinew_kernels_cap(i + 1) ? ", " : " or ";
    used += (size_t)snprintf(buffer + used, size - used, "%s%s", link, name);
  }
  return buffer;
}
