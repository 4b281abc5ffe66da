/* What sinew_clip_measure and the curves' facts say, against values worked out here. */
#include "inspect/made_clip.h"
#include "support/bake.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static sinew_clip_file *open_made(double rate_hz, double stop_s, const made_curve *curves, size_t count) {
  char *text = made_clip("made", rate_hz, stop_s, curves, count);
  sinew_clip_file *file;
  sinew_error error;
  const sinew_result result =
      sinew_clip_file_open_memory(text, strlen(text), "made.anim", NULL, &file, &error);
  free(text);
  cr_assert(result == SINEW_OK, "line %u: %s", error.line, error.message);
  return file;
}

static void measure(const sinew_clip_file *file, double rate_hz, sinew_clip_ranges *ranges) {
  sinew_context *context = test_open_context(NULL, 1);
  sinew_error error;
  cr_assert(sinew_clip_measure(context, sinew_clip_file_clip(file, 0), rate_hz, ranges, &error) == SINEW_OK,
            "%s", error.message);
  sinew_context_close(context);
}

static int muscle_of(const char *name) {
  for (uint32_t i = 0; i < SINEW_MUSCLE_COUNT; i++)
    if (strcmp(sinew_muscle_name(i), name) == 0) return (int)i;
  cr_assert_fail("no muscle %s", name);
  return -1;
}

/* ---- sampled ranges ----------------------------------------------------------------------------------- */

/* A cubic from a to b over 1 s with the slopes m0, m1. */
static double hermite(double a, double b, double m0, double m1, double u) {
  const double u2 = u * u, u3 = u2 * u;
  return (2 * u3 - 3 * u2 + 1) * a + (u3 - 2 * u2 + u) * m0 + (3 * u2 - 2 * u3) * b + (u3 - u2) * m1;
}

/* Keys within -1..1, but the curve between them is not. */
Test(ranges, a_curve_that_swings_past_its_keys) {
  static const made_key swing[] = {{0, 0, 0, 9, 0, 0, 0}, {1, 0.5, 1, 0, 0, 0, 0}};
  static const made_key still[] = {{0, -0.75, 0, 0, 0, 0, 0}};
  const made_curve curves[] = {{"Jaw Close", swing, COUNT(swing)}, {"Head Nod Down-Up", still, COUNT(still)}};
  sinew_clip_file *file = open_made(200, 1, curves, COUNT(curves)); /* 201 frames: four blocks */
  sinew_clip_ranges ranges;
  measure(file, 0, &ranges);
  double least = 0, most = 0;
  uint64_t beyond = 0;
  for (int i = 0; i <= 200; i++) {
    const double value = hermite(0, 0.5, 9, 1, i / 200.0);
    least = fmin(least, value);
    most = fmax(most, value);
    beyond += fabs(value) > 1 + 1e-6;
  }
  const sinew_muscle_range *jaw = &ranges.muscles[muscle_of("Jaw Close")];
  const sinew_muscle_range *head = &ranges.muscles[muscle_of("Head Nod Down-Up")];
  cr_expect(most > 1 && beyond > 10);
  cr_expect(jaw->present && fabs(jaw->least - least) < 1e-6 && fabs(jaw->most - most) < 1e-6, "%.9g to %.9g",
            jaw->least, jaw->most);
  cr_expect_eq(jaw->frames_beyond, beyond);
  cr_expect(head->present && head->least == -0.75 && head->most == -0.75 && head->frames_beyond == 0);
  cr_expect(ranges.frame_count == 201 && ranges.rate_hz == 200 && ranges.frames_beyond == beyond);
  const sinew_muscle_range *absent = &ranges.muscles[muscle_of("Jaw Left-Right")];
  cr_expect(!absent->present && absent->least == 0 && absent->most == 0);
  /* at one frame a second only the keys are seen */
  measure(file, 1, &ranges);
  cr_expect(ranges.frame_count == 2 && ranges.muscles[muscle_of("Jaw Close")].most == 0.5 &&
            ranges.frames_beyond == 0);
  sinew_clip_file_close(file);
}

/* Frames count once however many muscles lie beyond in them. */
Test(ranges, frames_beyond_count_once) {
  static const made_key high[] = {{0, 2, 0, 0, 0, 0, 0}};
  static const made_key step[] = {{0, 0, 0, INFINITY, 0, 0, 0}, {1, -3, INFINITY, 0, 0, 0, 0}};
  static const made_key edge[] = {{0, 1, 0, 0, 0, 0, 0}, {1, -1, 0, 0, 0, 0, 0}};
  made_curve curves[] = {{"Jaw Close", high, COUNT(high)},
                         {"Jaw Left-Right", step, COUNT(step)},
                         {"Left Eye In-Out", edge, COUNT(edge)}};
  sinew_clip_file *file = open_made(10, 1, curves, 3);
  sinew_clip_ranges ranges;
  measure(file, 0, &ranges);
  cr_expect_eq(ranges.muscles[muscle_of("Jaw Close")].frames_beyond, 11u);
  cr_expect_eq(ranges.muscles[muscle_of("Jaw Left-Right")].frames_beyond,
               1u); /* holds 0 until its last key */
  cr_expect_eq(ranges.muscles[muscle_of("Jaw Left-Right")].least, -3.0);
  cr_expect_eq(ranges.muscles[muscle_of("Left Eye In-Out")].frames_beyond, 0u);
  cr_expect_eq(ranges.frames_beyond, 11u);
  sinew_clip_file_close(file);
  file = open_made(10, 1, curves + 1, 2);
  measure(file, 0, &ranges);
  cr_expect_eq(ranges.frames_beyond, 1u);
  sinew_clip_file_close(file);
}

Test(ranges, values_that_are_not_finite_are_counted_apart) {
  static const made_key wild[] = {{0, 0.5, 0, 3e38, 0, 0, 0}, {10, 0.25, 3e38, 0, 0, 0, 0}};
  const made_curve curves[] = {{"Jaw Close", wild, COUNT(wild)}};
  sinew_clip_file *file = open_made(10, 10, curves, 1);
  sinew_clip_ranges ranges;
  measure(file, 0, &ranges);
  const sinew_muscle_range *jaw = &ranges.muscles[muscle_of("Jaw Close")];
  cr_expect(jaw->frames_not_finite >= 90 && jaw->frames_not_finite <= 100, "%d", (int)jaw->frames_not_finite);
  cr_expect(isfinite(jaw->least) && isfinite(jaw->most) && jaw->least <= 0.25 && jaw->most >= 0.25);
  sinew_clip_file_close(file);
}

/* ---- the root's rotation ------------------------------------------------------------------------------ */

Test(ranges, root_rotation_is_measured_at_every_key) {
  static const made_key zero[] = {{0, 0, 0, 0, 0, 0, 0}};
  static const made_key y[] = {{0, 0.6, 0, 0, 0, 0, 0}, {1, 0.6, 0, 0, 0, 0, 0}, {2, 0.6, 0, 0, 0, 0, 0}};
  static const made_key w[] = {{0, 0.8, 0, 0, 0, 0, 0}, {1, 0.79, 0, 0, 0, 0, 0}, {1.5, 0.8, 0, 0, 0, 0, 0}};
  const made_curve curves[] = {
      {"RootQ.x", zero, 1}, {"RootQ.y", y, 3}, {"RootQ.z", zero, 1}, {"RootQ.w", w, 3}};
  sinew_clip_file *file = open_made(30, 2, curves, 4);
  sinew_clip_ranges ranges;
  measure(file, 0, &ranges);
  cr_expect_eq(ranges.root_key_count, 4u); /* 0, 1, 1.5, 2 */
  cr_expect(fabs(ranges.root_unit_off - (1 - sqrt(0.36 + 0.79 * 0.79))) < 1e-7, "%.9g", ranges.root_unit_off);
  cr_expect_eq(ranges.root_unit_off_at_s, 1.0);
  sinew_clip_file_close(file);
  file = open_made(30, 2, curves, 3);
  measure(file, 0, &ranges);
  cr_expect(ranges.root_key_count == 0 && ranges.root_unit_off == 0);
  sinew_clip_file_close(file);
}

/* More keys than a block holds, the worst in the second block. */
Test(ranges, root_keys_of_several_blocks) {
  static const made_key zero[] = {{0, 0, 0, 0, 0, 0, 0}};
  made_key w[150];
  for (int i = 0; i < 150; i++) w[i] = (made_key){i * 0.125, i == 100 ? 1.25 : 1, 0, 0, 0, 0, 0};
  const made_curve curves[] = {
      {"RootQ.x", zero, 1}, {"RootQ.y", zero, 1}, {"RootQ.z", zero, 1}, {"RootQ.w", w, 150}};
  sinew_clip_file *file = open_made(1, 18, curves, 4);
  sinew_clip_ranges ranges;
  measure(file, 0, &ranges);
  cr_expect(ranges.root_key_count == 150 && ranges.root_unit_off == 0.25 &&
            ranges.root_unit_off_at_s == 12.5);
  sinew_clip_file_close(file);
}

/* ---- curves ------------------------------------------------------------------------------------------- */

Test(ranges, curves_tell_their_keys) {
  static const made_key mixed[] = {{0, 0, 0, 1, 2, 0, 0.5},      {1, 1, 1, INFINITY, 0, 0, 0},
                                   {2, 0, 0, 0, 1, 0.25, 0},     {3, 1, 0, -INFINITY, 0, 0, 0},
                                   {4, 1, INFINITY, 0, 0, 0, 0}, {5, 1, INFINITY, INFINITY, 3, 0.5, 0.5}};
  static const made_key still[] = {{0, 0.5, 0, 0, 0, 0, 0}, {1, 0.5, 0, 0, 0, 0, 0}};
  const made_curve curves[] = {{"Spine Front-Back", mixed, COUNT(mixed)},
                               {"RightHand.Little.3 Stretched", still, COUNT(still)},
                               {"RootT.x", still, COUNT(still)},
                               {"tail", still, COUNT(still)}};
  sinew_clip_file *file = open_made(30, 5, curves, 4);
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  sinew_curve_info curve;
  cr_assert(sinew_clip_get_curve(clip, 0, &curve));
  /* from the keys at 1, 3 and 4 s (the next one's in-slope) the curve steps; the last key has no next */
  cr_expect(curve.stepped_keys == 3 && curve.weighted_keys == 3 && !curve.constant && curve.muscle == 0,
            "%d stepped, %d weighted", (int)curve.stepped_keys, (int)curve.weighted_keys);
  cr_assert(sinew_clip_get_curve(clip, 1, &curve));
  cr_expect(curve.stepped_keys == 0 && curve.weighted_keys == 0 && curve.constant && curve.muscle == 94);
  for (uint32_t i = 2; i < 4; i++) {
    cr_assert(sinew_clip_get_curve(clip, i, &curve));
    cr_expect_eq(curve.muscle, -1);
  }
  sinew_clip_file_close(file);
}

/* ---- errors ------------------------------------------------------------------------------------------- */

Test(ranges, rates_and_lengths_are_checked) {
  static const made_key still[] = {{0, 0.5, 0, 0, 0, 0, 0}};
  const made_curve curves[] = {{"Jaw Close", still, 1}};
  sinew_clip_file *file = open_made(30, 1e9, curves, 1);
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  sinew_context *context = test_open_context(NULL, 1);
  sinew_clip_ranges ranges;
  sinew_error error;
  cr_expect_eq(sinew_clip_measure(context, clip, 0, &ranges, &error), SINEW_ERROR_LIMIT);
  cr_expect_eq(sinew_clip_measure(context, clip, -1, &ranges, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_eq(sinew_clip_measure(context, clip, NAN, &ranges, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_eq(sinew_clip_measure(context, clip, 1e7, &ranges, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_eq(sinew_clip_measure(NULL, clip, 0, &ranges, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_eq(sinew_clip_measure(context, NULL, 0, &ranges, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_eq(sinew_clip_measure(context, clip, 0, NULL, &error), SINEW_ERROR_ARGUMENT);
  sinew_context_close(context);
  sinew_clip_file_close(file);
}

Test(ranges, every_instruction_set_of_a_profile_says_the_same) {
  sinew_clip_file *file = test_open_clip(test_source("scripts/sample/walk.anim"));
  sinew_clip_ranges first, ranges;
  char profile[16] = "";
  const char *isa;
  for (uint32_t i = 0; (isa = sinew_isa_available(i)); i++) {
    sinew_context *context = test_open_context(isa, 1);
    cr_assert_eq(sinew_clip_measure(context, sinew_clip_file_clip(file, 0), 61, &ranges, NULL), SINEW_OK);
    if (i == 0) {
      first = ranges;
      strcpy(profile, sinew_context_profile(context));
    }
    if (strcmp(profile, sinew_context_profile(context)) == 0)
      cr_expect_eq(memcmp(&first, &ranges, sizeof ranges), 0, "%s", isa);
    sinew_context_close(context);
  }
  sinew_clip_file_close(file);
}
