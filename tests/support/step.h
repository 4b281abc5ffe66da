/* How thoroughly what is done to every byte of a file is done: to each, or in slow builds to each
 * so-and-so-many. */
#ifndef TESTS_SUPPORT_STEP_H
#define TESTS_SUPPORT_STEP_H

#include <stddef.h>
#include <stdlib.h>

/* SINEW_TEST_STEP, 1 where it is not set. Odd ones take even and odd places in turn. */
static inline size_t test_step(void) {
  const char *text = getenv("SINEW_TEST_STEP");
  const long step = text ? strtol(text, NULL, 10) : 1;
  return step > 0 ? (size_t)step : 1;
}

#endif
