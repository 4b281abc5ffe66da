#include "write/followed.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The matrices are the same, their sums are rounded elsewhere: 1e-13 of a reach of at most some hundreds. */
static const double tolerance_m = 1e-11;

typedef struct followed {
  verify_joints *joints;
  verify_run *run;
  double *places;
} followed;

static sinew_result follow(const verify_file *file, const sinew_kernels *kernels, const uint32_t *nodes,
                           uint32_t node_count, followed *f, sinew_error *error) {
  sinew_result result = verify_run_open(&f->run, error);
  if (result == SINEW_OK) result = verify_joints_open(file, kernels, nodes, node_count, &f->joints, error);
  return result == SINEW_OK ? verify_run_begin(f->run, f->joints, error) : result;
}

/* ends: the file ends with them, the last frame fills the block. */
static void expect_block(const followed *f, uint32_t node_count, uint32_t count, bool ends,
                         const double *positions, const char *isa) {
  for (uint32_t frame = 0; frame < (ends ? SINEW_BLOCK : count); frame++)
    for (uint32_t i = 0; i < node_count * 3; i++) {
      const uint32_t last = frame < count ? frame : count - 1;
      const double wanted = positions[last * node_count * 3 + i], got = f->places[i * SINEW_BLOCK + frame];
      cr_assert(fabs(got - wanted) <= tolerance_m, "%s: frame %u, value %u: %.17g, wanted %.17g", isa, frame,
                i, got, wanted);
    }
}

static void expect_on(const verify_file *file, const sinew_kernels *kernels, const uint32_t *nodes,
                      uint32_t node_count, uint64_t first, uint32_t count, uint64_t end,
                      const double *positions, sinew_result wanted, const sinew_error *words) {
  followed f = {0};
  sinew_error error = {0};
  f.places = aligned_alloc(64, (size_t)node_count * 3 * SINEW_BLOCK * sizeof *f.places);
  sinew_result result = follow(file, kernels, nodes, node_count, &f, &error);
  for (uint32_t done = 0; done < count && result == SINEW_OK; done += SINEW_BLOCK) {
    uint32_t step = count - done < SINEW_BLOCK ? count - done : SINEW_BLOCK;
    result = verify_places(f.run, first + done, step, end, NULL, f.places, &error);
    if (result == SINEW_OK && wanted == SINEW_OK)
      expect_block(&f, node_count, step, first + done + step == verify_frame_count(file),
                   positions + (size_t)done * node_count * 3, kernels->name);
  }
  cr_assert(result == wanted, "%s: %d, wanted %d: %s", kernels->name, (int)result, (int)wanted,
            error.message);
  if (result != SINEW_OK) cr_assert_str_eq(error.message, words->message, "%s", kernels->name);
  free(f.places);
  verify_run_close(f.run);
  verify_joints_close(f.joints);
}

void followed_expect(const verify_file *file, const uint32_t *nodes, uint32_t node_count, uint64_t first,
                     uint32_t count, uint64_t end, const double *positions, sinew_result result,
                     const sinew_error *error) {
  const sinew_kernels *kernels;
  for (uint32_t i = 0; (kernels = sinew_kernels_available(i)); i++)
    expect_on(file, kernels, nodes, node_count, first, count, end, positions, result, error);
}
