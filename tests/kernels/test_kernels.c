/* One test per kernel and instruction set; those that this CPU cannot run skip themselves. */
#include "kernels/check.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const sinew_kernels *table(const char *isa) {
  const sinew_kernels *k;
  for (uint32_t i = 0; (k = sinew_kernels_available(i)); i++)
    if (strcmp(k->name, isa) == 0) return k;
  return NULL;
}

static void print_failure(void *user, const char *text) {
  (void)user;
  if (strncmp(text, "ok ", 3) != 0) fprintf(stderr, "%s\n", text);
}

static void run(const char *isa, void (*kernel_check)(const sinew_kernels *, check *)) {
  const sinew_kernels *k = table(isa);
  if (!k) {
    cr_skip_test("this CPU has no %s: skipped", isa);
    return;
  }
  check c = {.line = print_failure, .isa = isa};
  kernel_check(k, &c);
  cr_assert_gt(c.passed + c.failed, 0);
  cr_assert_eq(c.failed, 0, "%u of %u checks failed", c.failed, c.passed + c.failed);
}

#if defined(__aarch64__)
#define KERNEL_TESTS(name)                                                                                   \
  Test(neon, name) {                                                                                         \
    run("neon", check_##name);                                                                               \
  }                                                                                                          \
  Test(scalar, name) {                                                                                       \
    run("scalar", check_##name);                                                                             \
  }
#else
#define KERNEL_TESTS(name)                                                                                   \
  Test(avx512, name) {                                                                                       \
    run("avx512", check_##name);                                                                             \
  }                                                                                                          \
  Test(avx2, name) {                                                                                         \
    run("avx2", check_##name);                                                                               \
  }                                                                                                          \
  Test(sse4, name) {                                                                                         \
    run("sse4", check_##name);                                                                               \
  }                                                                                                          \
  Test(scalar, name) {                                                                                       \
    run("scalar", check_##name);                                                                             \
  }
#endif

KERNEL_TESTS(sample)
KERNEL_TESTS(muscle)
KERNEL_TESTS(normalise)
KERNEL_TESTS(apart)
KERNEL_TESTS(euler)
KERNEL_TESTS(angles)
KERNEL_TESTS(fk)
KERNEL_TESTS(fk_moved)
KERNEL_TESTS(slerp)
KERNEL_TESTS(hermite)
KERNEL_TESTS(matrices)
KERNEL_TESTS(body)
KERNEL_TESTS(hips)
KERNEL_TESTS(delta)
KERNEL_TESTS(inverse)
KERNEL_TESTS(goals)
KERNEL_TESTS(signs)
KERNEL_TESTS(pack)
KERNEL_TESTS(absmax)
KERNEL_TESTS(rows)
KERNEL_TESTS(stream)
KERNEL_TESTS(places)
KERNEL_TESTS(distances)
KERNEL_TESTS(bits)
