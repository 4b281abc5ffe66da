/* Checks of one kernel of one instruction set, run by the tests and by the installed program's self-test:
 * plain functions that report to a struct check. */
#ifndef TESTS_KERNELS_CHECK_H
#define TESTS_KERNELS_CHECK_H

#include "kernels.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct check {
  void (*line)(void *user, const char *text); /* may be NULL */
  void *user;
  const char *isa;
  uint32_t passed, failed;
} check;

/* Counts one result and reports it: "ok avx2 fk: ...". */
void check_that(check *c, bool ok, const char *format, ...) __attribute__((format(printf, 3, 4)));

void check_sample(const sinew_kernels *k, check *c);
void check_muscle(const sinew_kernels *k, check *c);
void check_normalise(const sinew_kernels *k, check *c);
void check_apart(const sinew_kernels *k, check *c);
void check_euler(const sinew_kernels *k, check *c);
void check_angles(const sinew_kernels *k, check *c);
void check_fk(const sinew_kernels *k, check *c);
void check_fk_moved(const sinew_kernels *k, check *c);
void check_slerp(const sinew_kernels *k, check *c);
void check_hermite(const sinew_kernels *k, check *c);
void check_matrices(const sinew_kernels *k, check *c);
void check_body(const sinew_kernels *k, check *c);
void check_hips(const sinew_kernels *k, check *c);
void check_delta(const sinew_kernels *k, check *c);
void check_inverse(const sinew_kernels *k, check *c);
void check_goals(const sinew_kernels *k, check *c);
void check_signs(const sinew_kernels *k, check *c);
void check_pack(const sinew_kernels *k, check *c);
void check_absmax(const sinew_kernels *k, check *c);
void check_rows(const sinew_kernels *k, check *c);
void check_stream(const sinew_kernels *k, check *c);
void check_places(const sinew_kernels *k, check *c);
void check_distances(const sinew_kernels *k, check *c);
/* The bits of every kernel: equal to the scalar table's where k is of its profile, and to golden.h. */
void check_bits(const sinew_kernels *k, check *c);

typedef struct check_entry {
  const char *name;
  void (*run)(const sinew_kernels *k, check *c);
} check_entry;
extern const check_entry check_entries[];
extern const uint32_t check_entry_count;

/* ---- deterministic random numbers ---- */

typedef struct dice {
  uint64_t state;
} dice;
uint32_t dice_bits(dice *d);
/* low <= x < high, of 24 bits: the same on every machine. */
double dice_between(dice *d, double low, double high);
void dice_quat(dice *d, double q[4]);

/* ---- buffers with a written margin on both sides ---- */

typedef struct guarded {
  float *values; /* aligned to 64 bytes, filled with a quiet NaN */
  size_t count;
  void *memory;
} guarded;
/* false when there is no memory. */
bool guarded_open(guarded *g, size_t count);
/* Whether nothing was written beside the values. */
bool guarded_intact(const guarded *g);
void guarded_close(guarded *g);

#endif
