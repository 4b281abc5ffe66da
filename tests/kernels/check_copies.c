/* Kernels that move values and change none. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

static void fill_with_any_bits(dice *d, float *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint32_t bits = dice_bits(d);
    memcpy(values + i, &bits, sizeof bits);
  }
}

/* The rows end where their memory does, so that a tool that guards memory sees a read past them. */
static bool rows_are_moved(const sinew_kernels *k, dice *d, uint32_t frames, uint32_t columns, size_t stride,
                           bool *intact) {
  const size_t count = (frames - 1) * stride + columns;
  float *rows = malloc(count * sizeof *rows);
  guarded planes = {0};
  bool equal = rows && guarded_open(&planes, (size_t)columns * SINEW_BLOCK);
  if (equal) {
    fill_with_any_bits(d, rows, count);
    k->rows(rows, stride, frames, columns, planes.values);
    *intact = *intact && guarded_intact(&planes);
  }
  for (uint32_t c = 0; c < columns && equal; c++)
    for (uint32_t f = 0; f < SINEW_BLOCK && equal; f++) {
      const uint32_t from = f < frames ? f : frames - 1;
      equal = memcmp(planes.values + c * SINEW_BLOCK + f, rows + from * stride + c, sizeof(float)) == 0;
    }
  guarded_close(&planes);
  free(rows);
  return equal;
}

void check_rows(const sinew_kernels *k, check *c) {
  bool every_width = true, every_count = true, intact = true;
  dice d = {37};
  for (uint32_t columns = 1; columns <= SINEW_PLANE_COUNT; columns++) {
    every_width = every_width && rows_are_moved(k, &d, SINEW_BLOCK, columns, columns, &intact);
    every_width = every_width && rows_are_moved(k, &d, 17, columns, columns + dice_bits(&d) % 40, &intact);
  }
  for (uint32_t frames = 1; frames <= SINEW_BLOCK; frames++)
    for (uint32_t columns = 93; columns <= 96; columns++)
      every_count = every_count && rows_are_moved(k, &d, frames, columns, columns + frames % 3, &intact);
  check_that(c, every_width, "rows: of 1 to %d columns, bit for bit", SINEW_PLANE_COUNT);
  check_that(c, every_count, "rows: 1 to %d frames, the last one repeated", SINEW_BLOCK);
  check_that(c, intact, "rows: writes nothing beside its planes");
}

void check_stream(const sinew_kernels *k, check *c) {
  bool equal = true, intact = true;
  dice d = {41};
  for (size_t count = 0; count <= 400 && equal; count += 16) {
    guarded from = {0}, to = {0};
    equal = guarded_open(&from, count) && guarded_open(&to, count);
    if (equal) {
      fill_with_any_bits(&d, from.values, count);
      k->stream(from.values, count, to.values);
      equal = memcmp(from.values, to.values, count * sizeof(float)) == 0;
      intact = intact && guarded_intact(&from) && guarded_intact(&to);
    }
    guarded_close(&from);
    guarded_close(&to);
  }
  check_that(c, equal, "stream: bit for bit");
  check_that(c, intact, "stream: writes nothing beside its copy");
}
