/* Muscles beyond their range: counted frame by frame as the rule says, held back, and the same in whatever
 * pieces. */
#include "retarget/muscle_limits.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLANES = SINEW_PLANE_COUNT * SINEW_BLOCK, BLOCKS = 5, LAST = 23 };

static uint32_t bits(uint32_t *state) {
  return *state = *state * 1664525u + 1013904223u;
}

static float some_value(uint32_t *state) {
  static const float awkward[] = {0,           -0.0f,     1,          -1,         1.0000005f,
                                  -1.0000005f, 1.000001f, -1.000001f, 1.0000012f, -1.0000012f,
                                  1e-40f,      1000,      -1000,      0.99999994f};
  const uint32_t kind = bits(state) >> 28;
  if (kind < sizeof awkward / sizeof *awkward) return awkward[kind];
  return (float)((int32_t)bits(state) * 0x1p-31 * 1.2);
}

/* Five blocks, the last of 23 frames, which repeats its last one. */
static float *make_clip(uint32_t seed) {
  float *planes = malloc(BLOCKS * PLANES * sizeof(float));
  uint32_t state = seed;
  cr_assert_not_null(planes);
  for (int i = 0; i < BLOCKS * PLANES; i++) planes[i] = some_value(&state);
  for (int plane = 0; plane < SINEW_PLANE_COUNT; plane++)
    for (int f = LAST; f < SINEW_BLOCK; f++) {
      float *last = planes + (BLOCKS - 1) * PLANES + plane * SINEW_BLOCK;
      last[f] = last[LAST - 1];
    }
  return planes;
}
static uint32_t frames_of(int block) {
  return block == BLOCKS - 1 ? LAST : SINEW_BLOCK;
}

/* As the rule says. */
static limit_findings count(const float *clip) {
  limit_findings all = {0};
  for (int block = 0; block < BLOCKS; block++)
    for (uint32_t f = 0; f < frames_of(block); f++) {
      bool any = false;
      for (int muscle = 0; muscle < SINEW_MUSCLE_COUNT; muscle++) {
        const float value = clip[block * PLANES + (SINEW_PLANE_MUSCLE + muscle) * SINEW_BLOCK + (int)f];
        const bool beyond = fabsf(value) > 1 + 1e-6f;
        all.frames_beyond[muscle] += beyond;
        all.largest[muscle] = fmaxf(all.largest[muscle], fabsf(value));
        any = any || beyond;
      }
      all.any_beyond += any;
    }
  return all;
}

Test(muscle_limits, frames_are_counted_as_the_rule_says) {
  float *clip = make_clip(1), *before = make_clip(1);
  const limit_findings want = count(clip);
  limit_findings got = {0};
  for (int block = 0; block < BLOCKS; block++)
    limits_apply(clip + block * PLANES, frames_of(block), false, &got);
  cr_expect_eq(memcmp(&got, &want, sizeof got), 0);
  cr_expect_eq(memcmp(clip, before, BLOCKS * PLANES * sizeof(float)), 0, "nothing is changed");
  free(clip), free(before);
}

Test(muscle_limits, pieces_in_any_order_make_one) {
  static const int orders[][BLOCKS] = {{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {2, 4, 0, 3, 1}};
  float *clip = make_clip(2);
  const limit_findings want = count(clip);
  for (int order = 0; order < 3; order++) {
    limit_findings all = {0};
    for (int i = 0; i < BLOCKS; i++) {
      limit_findings piece = {0};
      const int block = orders[order][i];
      limits_apply(clip + block * PLANES, frames_of(block), false, &piece);
      limit_findings_merge(i % 2 ? &piece : &all, i % 2 ? &all : &piece);
      if (i % 2) all = piece;
    }
    cr_expect_eq(memcmp(&all, &want, sizeof all), 0, "order %d", order);
  }
  free(clip);
}

Test(muscle_limits, clamped_values_are_the_nearest_and_counted_as_they_were) {
  float *clip = make_clip(3), *before = make_clip(3);
  const limit_findings want = count(clip);
  limit_findings got = {0};
  for (int block = 0; block < BLOCKS; block++) {
    limits_apply(clip + block * PLANES, frames_of(block), true, block % 2 ? &got : NULL);
    if (block % 2 == 0) limits_apply(before + block * PLANES, frames_of(block), false, &got);
  }
  cr_expect_eq(memcmp(&got, &want, sizeof got), 0);
  for (int i = 0; i < BLOCKS * PLANES; i++) {
    const int plane = i % PLANES / SINEW_BLOCK;
    const bool muscle = plane >= SINEW_PLANE_MUSCLE && plane < SINEW_PLANE_GOAL;
    const float held = muscle && fabsf(before[i]) > 1 ? copysignf(1, before[i]) : before[i];
    cr_assert_eq(memcmp(&clip[i], &held, sizeof held), 0, "plane %d: %g of %g", plane, (double)clip[i],
                 (double)before[i]);
  }
  limit_findings after = count(clip);
  cr_expect_eq(after.any_beyond, 0);
  free(clip), free(before);
}
