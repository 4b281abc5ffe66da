/* The only place that multiplies or adds sizes that come from outside. */
#ifndef SINEW_BASE_CHECKED_H
#define SINEW_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool checked_mul(size_t a, size_t b, size_t *result) {
  return !__builtin_mul_overflow(a, b, result);
}
static inline bool checked_add(size_t a, size_t b, size_t *result) {
  return !__builtin_add_overflow(a, b, result);
}

#endif
