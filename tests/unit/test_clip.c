/* Channels by name, and what clip_finish and the queries make of curves. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "clip/clip.h"
#include "rig/human.h"

Test(clip, channel_names) {
  for (int c = 0; c < CLIP_CHANNEL_COUNT; c++) {
    const char *name = clip_channel_name(c);
    char longer[64];
    size_t length = strlen(name);
    cr_expect_eq(clip_channel_find(name, length), c, "%s", name);
    cr_expect_eq(clip_channel_find(name, length - 1), CLIP_CHANNEL_FOREIGN, "%s less a byte", name);
    memcpy(longer, name, length);
    longer[length] = 'x';
    cr_expect_eq(clip_channel_find(longer, length + 1), CLIP_CHANNEL_FOREIGN, "%s and a byte", name);
  }
  cr_expect_eq(clip_channel_find("", 0), CLIP_CHANNEL_FOREIGN);
  cr_expect_eq(clip_channel_find("zzz", 3), CLIP_CHANNEL_FOREIGN);
  cr_expect_eq(clip_channel_find("roott.x", 7), CLIP_CHANNEL_FOREIGN);
  cr_expect_null(clip_channel_name(-1));
  cr_expect_null(clip_channel_name(CLIP_CHANNEL_COUNT));
}

Test(clip, channel_groups) {
  cr_expect_str_eq(clip_channel_name(CLIP_CHANNEL_MOTION), "MotionT.x");
  cr_expect_str_eq(clip_channel_name(CLIP_CHANNEL_ROOT), "RootT.x");
  cr_expect_str_eq(clip_channel_name(CLIP_CHANNEL_ROOT + 6), "RootQ.w");
  cr_expect_str_eq(clip_channel_name(CLIP_CHANNEL_GOAL), "LeftFootT.x");
  cr_expect_str_eq(clip_channel_name(CLIP_CHANNEL_TDOF), "SpineTDOF.x");
  for (int m = 0; m < SINEW_MUSCLE_COUNT; m++)
    cr_expect_str_eq(clip_channel_name(CLIP_CHANNEL_MUSCLE + m), human_muscles[m].attribute);
  int counts[SINEW_CURVE_FOREIGN + 1] = {0};
  for (int c = -1; c <= CLIP_CHANNEL_COUNT; c++) counts[clip_channel_kind(c)]++;
  cr_expect_eq(counts[SINEW_CURVE_MOTION], 7);
  cr_expect_eq(counts[SINEW_CURVE_ROOT], 7);
  cr_expect_eq(counts[SINEW_CURVE_GOAL], 28);
  cr_expect_eq(counts[SINEW_CURVE_MUSCLE], 95);
  cr_expect_eq(counts[SINEW_CURVE_TDOF], 63);
  cr_expect_eq(counts[SINEW_CURVE_FOREIGN], 2);
}

/* A clip of one curve with two keys. */
static bool constant(float value0, float out0, float in1, float value1) {
  float time_s[2] = {0, 1}, value[2] = {value0, value1}, in[2] = {9, in1}, out[2] = {out0, 9};
  clip_curve curve = {.channel = 42, .key_count = 2};
  sinew_clip clip = {.curves = &curve,
                     .curve_count = 1,
                     .key_count = 2,
                     .time_s = time_s,
                     .value = value,
                     .in_slope = in,
                     .out_slope = out};
  clip_finish(&clip);
  cr_expect_eq(clip.curve_of_channel[42], 0);
  cr_expect_eq(clip.curve_of_channel[43], -1);
  return curve.constant;
}

Test(clip, constant_curves) {
  cr_expect(constant(1, 0, 0, 1));
  cr_expect(constant(0.0f, 0, 0, -0.0f), "zero is zero");
  cr_expect(constant(1, INFINITY, -INFINITY, 1), "held at an equal value");
  cr_expect_not(constant(1, 0, 0, 2));
  cr_expect_not(constant(1, 0.5f, 0, 1));
  cr_expect_not(constant(1, 0, -0.5f, 1));
}

Test(clip, frames) {
  sinew_clip clip = {.rate_hz = 30, .start_s = 0, .stop_s = 1};
  cr_expect_eq(sinew_clip_frame_count(&clip, 0), 31);
  cr_expect_eq(sinew_clip_frame_count(&clip, 60), 61);
  clip.stop_s = (double)1.1500001f;
  cr_expect_eq(sinew_clip_frame_count(&clip, 60), 70, "float noise makes no frame");
  clip.stop_s = 1.01;
  cr_expect_eq(sinew_clip_frame_count(&clip, 30), 32, "a part of a step makes one");
  cr_expect_eq(clip_frame_time(&clip, 30, 31, 32), 1.01);
  cr_expect_eq(clip_frame_time(&clip, 30, 30, 32), 1.0);
  clip.start_s = clip.stop_s = 2;
  cr_expect_eq(sinew_clip_frame_count(&clip, 0), 1);
  cr_expect_eq(clip_frame_time(&clip, 0, 0, 1), 2.0);
  clip.stop_s = 1e300;
  cr_expect_eq(sinew_clip_frame_count(&clip, 1e9), UINT64_C(1) << 53);
}

/* A file's stop time is the nearest float32 to a whole number of frames: never one frame more than that, up
 * to where float32 has no time for each frame. */
Test(clip, whole_frames_of_any_length) {
  static const double rates[] = {23.976, 24, 25, 30, 50, 59.94, 60, 90, 120, 240, 1000};
  for (size_t r = 0; r < sizeof rates / sizeof *rates; r++)
    for (uint64_t frames = 1; frames < 1500000; frames += 1 + frames / 97) {
      const double length_s = (double)frames / rates[r];
      if (rates[r] * length_s * 0x1p-23 > 0.5) break;
      const sinew_clip clip = {.rate_hz = rates[r], .stop_s = (double)(float)length_s};
      cr_expect_eq(sinew_clip_frame_count(&clip, 0), frames + 1, "%llu frames at %g fps: %llu",
                   (unsigned long long)frames, rates[r],
                   (unsigned long long)sinew_clip_frame_count(&clip, 0));
    }
}
