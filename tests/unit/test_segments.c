/* What curves of keys become for the sampling kernel. */
#include "clip/segments.h"
#include "base/heap.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { CURVES = 5, KEYS = 4 };

typedef struct made_clip {
  sinew_clip clip;
  clip_curve curves[CURVES];
  float time_s[CURVES * KEYS], value[CURVES * KEYS], in_slope[CURVES * KEYS], out_slope[CURVES * KEYS];
  float in_weight[CURVES * KEYS], out_weight[CURVES * KEYS];
  uint8_t weighted_mode[CURVES * KEYS];
} made_clip;

/* Muscles 0..4 with the same four key times and smooth tangents. */
static void make_clip(made_clip *m) {
  memset(m, 0, sizeof *m);
  for (int c = 0; c < CLIP_CHANNEL_COUNT; c++) m->clip.curve_of_channel[c] = -1;
  for (int i = 0; i < CURVES; i++) {
    m->curves[i] =
        (clip_curve){"muscle", (int16_t)(CLIP_CHANNEL_MUSCLE + i), 2, 2, false, (uint64_t)i * KEYS, KEYS};
    m->clip.curve_of_channel[CLIP_CHANNEL_MUSCLE + i] = i;
    for (int k = i * KEYS; k < (i + 1) * KEYS; k++) {
      m->time_s[k] = (float)(k % KEYS) * 0.4f;
      m->value[k] = (float)(k * k % 7) - 3;
      m->in_slope[k] = m->out_slope[k] = (float)(k % 5) - 2;
      m->in_weight[k] = 0.2f, m->out_weight[k] = 0.6f;
    }
  }
  m->clip.curves = m->curves, m->clip.curve_count = CURVES, m->clip.key_count = CURVES * KEYS;
  m->clip.time_s = m->time_s, m->clip.value = m->value;
  m->clip.in_slope = m->in_slope, m->clip.out_slope = m->out_slope;
  m->clip.in_weight = m->in_weight, m->clip.out_weight = m->out_weight;
  m->clip.weighted_mode = m->weighted_mode;
}

static sinew_result build(const made_clip *m, clip_segments *out) {
  bool wanted[SINEW_PLANE_COUNT];
  sinew_error error;
  memset(wanted, 1, sizeof wanted);
  return clip_segments_build(&m->clip, wanted, out, &error);
}

Test(segments, equal_key_times_are_shared) {
  made_clip m;
  clip_segments s;
  make_clip(&m);
  m.time_s[2 * KEYS + 3] = 1.3f;    /* curve 2: its last key elsewhere */
  m.curves[3].key_count = KEYS - 1; /* curve 3: one key less */
  cr_assert_eq(build(&m, &s), SINEW_OK);
  cr_assert_eq(s.curve_count, CURVES);
  cr_expect_eq(s.curves[1].times, s.curves[0].times);
  cr_expect_neq(s.curves[2].times, s.curves[0].times);
  cr_expect_neq(s.curves[3].times, s.curves[0].times);
  cr_expect_eq(s.curves[3].times->count, KEYS - 1);
  cr_expect_eq(s.curves[4].times, s.curves[0].times, "over two others");
  for (int k = 0; k < KEYS; k++) cr_expect_eq(s.curves[0].times->start_s[k], (double)m.time_s[k]);
  cr_expect_eq(s.curves[0].times->inv_duration[0], (float)(1 / (double)m.time_s[1]));
  cr_expect_eq(s.curves[0].times->inv_duration[KEYS - 1], 0);
  clip_segments_release(&s);
}

Test(segments, a_constant_curve_is_its_last_key) {
  made_clip m;
  clip_segments s;
  make_clip(&m);
  m.curves[1].constant = m.curves[2].constant = true;
  cr_assert_eq(build(&m, &s), SINEW_OK);
  cr_expect_eq(s.curves[1].times->count, 1);
  cr_expect_eq(s.curves[2].times, s.curves[1].times);
  cr_expect_eq(s.curves[1].c[0][0], m.value[2 * KEYS - 1]);
  clip_segments_release(&s);
}

Test(segments, cubics_meet_their_keys) {
  made_clip m;
  clip_segments s;
  make_clip(&m);
  cr_assert_eq(build(&m, &s), SINEW_OK);
  for (int i = 0; i < CURVES; i++) {
    const sinew_curve *curve = &s.curves[i];
    cr_expect_null(curve->kind, "all cubic");
    for (int k = 0; k + 1 < KEYS; k++) {
      const double c[4] = {curve->c[0][k], curve->c[1][k], curve->c[2][k], curve->c[3][k]};
      const double duration_s = curve->times->start_s[k + 1] - curve->times->start_s[k];
      const float *slope = &m.in_slope[i * KEYS + k], *value = &m.value[i * KEYS + k];
      cr_expect_eq(c[0], value[0]);
      cr_expect_float_eq(c[0] + c[1] + c[2] + c[3], value[1], 2e-6);
      cr_expect_float_eq(c[1] / duration_s, slope[0], 2e-6);
      cr_expect_float_eq((c[1] + 2 * c[2] + 3 * c[3]) / duration_s, slope[1], 2e-5);
    }
  }
  clip_segments_release(&s);
}

Test(segments, kinds_of_keys) {
  made_clip m;
  clip_segments s;
  make_clip(&m);
  m.out_slope[1] = -INFINITY;       /* curve 0: jumps */
  m.out_slope[KEYS] = INFINITY;     /* curve 1: holds */
  m.in_slope[KEYS + 2] = -INFINITY; /* and again */
  m.weighted_mode[2 * KEYS] = CLIP_WEIGHT_OUT;
  cr_assert_eq(build(&m, &s), SINEW_OK);
  cr_expect_eq(s.curves[0].kind[0], SINEW_SEGMENT_CUBIC);
  cr_expect_eq(s.curves[0].kind[1], SINEW_SEGMENT_JUMP);
  cr_expect_eq(s.curves[0].c[0][1] + s.curves[0].c[1][1], m.value[2]);
  cr_expect_null(s.curves[0].x);
  for (int k = 0; k < 2; k++) {
    cr_expect_eq(s.curves[1].kind[k], SINEW_SEGMENT_CUBIC);
    cr_expect_eq(s.curves[1].c[0][k], m.value[KEYS + k]);
    for (int p = 1; p < 4; p++) cr_expect_eq(s.curves[1].c[p][k], 0);
  }
  cr_expect_eq(s.curves[2].kind[0], SINEW_SEGMENT_BEZIER);
  cr_expect_eq(s.curves[2].x[0][0], 0.6f);
  cr_expect_eq(s.curves[2].x[0][1], (float)(1 - 1.0 / 3));
  cr_expect_eq(s.curves[2].kind[1], SINEW_SEGMENT_CUBIC);
  cr_expect_eq(s.curves[3].times, s.curves[0].times, "kinds do not matter to times");
  clip_segments_release(&s);
}

Test(segments, keys_too_near_each_other_hold) {
  made_clip m;
  clip_segments s;
  make_clip(&m);
  m.time_s[1] = 1e-45f;
  cr_assert_eq(build(&m, &s), SINEW_OK);
  cr_expect_eq(s.curves[0].times->inv_duration[0], 0);
  cr_expect_eq(s.curves[0].c[1][0], 0);
  clip_segments_release(&s);
}

static int left;
static int permit(size_t byte_count) {
  (void)byte_count;
  return left-- > 0;
}
Test(segments, each_allocation_may_fail) {
  made_clip m;
  clip_segments s;
  make_clip(&m);
  m.weighted_mode[0] = CLIP_WEIGHT_OUT;
  heap_permit = permit;
  int failures = 0;
  for (sinew_result result = SINEW_ERROR_MEMORY; result != SINEW_OK; failures++) {
    left = failures;
    result = build(&m, &s);
    cr_assert(result == SINEW_OK || result == SINEW_ERROR_MEMORY);
  }
  heap_permit = NULL;
  cr_expect_gt(failures, 1);
  clip_segments_release(&s);
}
