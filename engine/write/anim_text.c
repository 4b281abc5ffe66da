#include "write/anim_text.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/number.h"
#include "base/utf8.h"
#include "clip/frame_times.h"
#include "write/unity_scalar.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- times -------------------------------------------------------------------------------------------- */

static const double rate_least_hz = 1e-6, rate_most_hz = 1e6;

static float grid_time(const anim_facts *facts, uint64_t frame) {
  const float editors = (float)((double)frame * (double)(float)(1 / facts->rate_hz));
  const double exact = (double)frame / facts->rate_hz;
  const float nearest = (float)exact;
  if ((double)editors >= exact) return editors;
  return (double)nearest >= exact ? nearest : nextafterf(nearest, INFINITY);
}

float anim_key_time(const anim_facts *facts, uint64_t frame) {
  if (frame == 0) return 0;
  if (frame + 1 < facts->frame_count) return grid_time(facts, frame);
  /* the last frame may stand so close behind its neighbour that float32 rounds them to one time */
  const float before = grid_time(facts, frame - 1), last = (float)facts->length_s;
  return last > before ? last : nextafterf(before, INFINITY);
}

/* ---- checks ------------------------------------------------------------------------------------------- */

static sinew_result check_times(const anim_facts *facts, sinew_error *error) {
  const double rate = facts->rate_hz, length = facts->length_s;
  SINEW_CHECK(rate >= rate_least_hz && rate <= rate_most_hz, error, SINEW_ERROR_ARGUMENT,
              "the rate is %g Hz, expected %g to %g", rate, rate_least_hz, rate_most_hz);
  SINEW_CHECK(facts->frame_count >= 1, error, SINEW_ERROR_ARGUMENT, "there are no frames");
  SINEW_CHECK(length >= 0 && length <= (double)FLT_MAX, error, SINEW_ERROR_ARGUMENT,
              "the length is %g seconds", length);
  if (facts->frame_count < 3) return SINEW_OK;
  const double steps = (double)(facts->frame_count - 2);
  SINEW_CHECK(length * rate > steps - 0.5, error, SINEW_ERROR_ARGUMENT,
              "the length is %g seconds, too short for %llu frames at %g Hz", length,
              (unsigned long long)facts->frame_count, rate);
  /* frames further apart than float32s round to different ones */
  const float last = grid_time(facts, facts->frame_count - 2);
  SINEW_CHECK(isfinite(last) && nextafterf(last, INFINITY) - last <= (float)(1 / rate), error,
              SINEW_ERROR_LIMIT, "%llu frames at %g Hz are more than times in float32 can tell apart",
              (unsigned long long)facts->frame_count, rate);
  return SINEW_OK;
}

static sinew_result check_text(const anim_facts *facts, sinew_error *error) {
  const sinew_clip_settings *s = &facts->settings;
  const double numbers[] = {s->orientation_offset_y_deg, s->level, s->cycle_offset};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    SINEW_CHECK(fabs(numbers[i]) <= (double)FLT_MAX, error, SINEW_ERROR_ARGUMENT,
                "a clip setting is %g, expected a float32", numbers[i]);
  SINEW_CHECK(facts->name, error, SINEW_ERROR_ARGUMENT, "the name is NULL");
  const size_t length = strlen(facts->name);
  for (size_t i = 0, step; i < length; i += step) {
    step = utf8_sequence((const unsigned char *)facts->name + i, length - i);
    SINEW_CHECK(step, error, SINEW_ERROR_ARGUMENT, "byte 0x%02x in the name is no UTF-8",
                (unsigned)(unsigned char)facts->name[i]);
  }
  return SINEW_OK;
}

sinew_result anim_facts_check(const anim_facts *facts, sinew_error *error) {
  SINEW_TRY(check_times(facts, error));
  return check_text(facts, error);
}

/* ---- what curves share -------------------------------------------------------------------------------- */

/* The slope at the middle of the parabola through three keys is the mean of the straight slopes on either
 * side, each weighted with the distance on the other. */
static void set_weights(anim_frame *frame, double before_s, double after_s) {
  const double both_s = before_s + after_s;
  if (before_s > 0 && after_s > 0) {
    frame->before = after_s / (before_s * both_s);
    frame->after = before_s / (after_s * both_s);
  } else {
    frame->before = before_s > 0 ? 1 / before_s : 0;
    frame->after = after_s > 0 ? 1 / after_s : 0;
  }
}

static double frame_time(const anim_facts *facts, uint64_t frame) {
  return frame_times_at(0, facts->length_s, facts->rate_hz, frame, facts->frame_count);
}

static void set_frame(anim_frame *frame, const anim_facts *facts, uint64_t index) {
  char text[NUMBER_PRINT_BYTES];
  const float written = anim_key_time(facts, index);
  const size_t length = number_print_float(text, written);
  memcpy(frame->time, text, sizeof frame->time);
  frame->length = (uint8_t)length;
  const double time = frame_time(facts, index);
  const bool first = index == 0, last = index + 1 == facts->frame_count;
  set_weights(frame, first ? 0 : time - frame_time(facts, index - 1),
              last ? 0 : frame_time(facts, index + 1) - time);
}

bool anim_times_make(anim_times *times, const anim_facts *facts, uint64_t first_frame, uint64_t frame_count) {
  *times = (anim_times){first_frame, frame_count, heap_alloc(frame_count, sizeof *times->frames)};
  for (uint64_t f = 0; times->frames && f < frame_count; f++)
    set_frame(&times->frames[f], facts, first_frame + f);
  return times->frames != NULL;
}

void anim_times_release(anim_times *times) {
  heap_free(times->frames);
  *times = (anim_times){0};
}

/* ---- keys --------------------------------------------------------------------------------------------- */

#define BEFORE_TIME "      - serializedVersion: 3\n        time: "
#define BEFORE_VALUE "\n        value: "
#define BEFORE_IN_SLOPE "\n        inSlope: "
#define BEFORE_OUT_SLOPE "\n        outSlope: "
#define BEHIND_SLOPES                                                                                        \
  "\n        tangentMode: 0\n        weightedMode: 0\n        inWeight: 0.33333334\n        outWeight: "     \
  "0.33333334\n"
enum { MOST_KEY_BYTES = 384, KEYS_AT_ONCE = 64 };
_Static_assert(sizeof BEFORE_TIME BEFORE_VALUE BEFORE_IN_SLOPE BEFORE_OUT_SLOPE BEHIND_SLOPES +
                       4 * NUMBER_PRINT_BYTES <=
                   MOST_KEY_BYTES,
               "a key fits its room");

#define PUT(out, literal) put_bytes(out, literal, sizeof(literal) - 1)
static inline char *put_bytes(char *out, const char *bytes, size_t count) {
  memcpy(out, bytes, count);
  return out + count;
}

static char *put_key(char *out, const char *time, size_t time_length, float value, float slope) {
  out = PUT(out, BEFORE_TIME);
  memcpy(out, time, sizeof((anim_frame *)0)->time);
  out = PUT(out + time_length, BEFORE_VALUE);
  out += number_print_float(out, value);
  out = PUT(out, BEFORE_IN_SLOPE);
  const char *in_slope = out;
  const size_t length = number_print_float(out, slope);
  out = PUT(out + length, BEFORE_OUT_SLOPE);
  out = put_bytes(out, in_slope, length);
  return PUT(out, BEHIND_SLOPES);
}

/* An infinite slope would be a step. */
static inline float finite_slope(double slope) {
  return slope > (double)FLT_MAX ? FLT_MAX : slope < -(double)FLT_MAX ? -FLT_MAX : (float)slope;
}

void anim_text_keys(text_out *out, const anim_times *times, uint64_t first_frame, uint64_t count,
                    const float *values, bool has_before, bool has_after) {
  const anim_frame *frame = times->frames + (first_frame - times->first_frame);
  for (uint64_t begin = 0; begin < count; begin += KEYS_AT_ONCE) {
    const uint64_t end = count - begin < KEYS_AT_ONCE ? count : begin + KEYS_AT_ONCE;
    char *at = text_out_room(out, (end - begin) * MOST_KEY_BYTES);
    if (!at) return;
    for (uint64_t k = begin; k < end; k++) {
      const double value = (double)values[k];
      const double before = k > 0 || has_before ? value - (double)values[(int64_t)k - 1] : 0;
      const double after = k + 1 < count || has_after ? (double)values[k + 1] - value : 0;
      const float slope = finite_slope(frame[k].before * before + frame[k].after * after);
      at = put_key(at, frame[k].time, frame[k].length, values[k], slope);
    }
    text_out_end(out, at);
  }
}

void anim_text_still(text_out *out, const anim_facts *facts, float value) {
  const uint64_t ends[] = {0, facts->frame_count - 1};
  char *at = text_out_room(out, 2 * MOST_KEY_BYTES);
  if (!at) return;
  for (int i = 0; i < 1 + (facts->frame_count > 1); i++) {
    char time[NUMBER_PRINT_BYTES];
    const size_t length = number_print_float(time, anim_key_time(facts, ends[i]));
    at = put_key(at, time, length, value, 0);
  }
  text_out_end(out, at);
}

/* ---- around them -------------------------------------------------------------------------------------- */

void anim_text_head(text_out *out, const anim_facts *facts) {
  text_out_text(out, "%YAML 1.1\n"
                     "%TAG !u! tag:unity3d.com,2011:\n"
                     "--- !u!74 &7400000\n"
                     "AnimationClip:\n"
                     "  m_ObjectHideFlags: 0\n"
                     "  m_CorrespondingSourceObject: {fileID: 0}\n"
                     "  m_PrefabInstance: {fileID: 0}\n"
                     "  m_PrefabAsset: {fileID: 0}\n"
                     "  m_Name: ");
  unity_scalar(out, facts->name);
  text_out_text(out, "\n"
                     "  serializedVersion: 6\n"
                     "  m_Legacy: 0\n"
                     "  m_Compressed: 0\n"
                     "  m_UseHighQualityCurve: 1\n"
                     "  m_RotationCurves: []\n"
                     "  m_CompressedRotationCurves: []\n"
                     "  m_EulerCurves: []\n"
                     "  m_PositionCurves: []\n"
                     "  m_ScaleCurves: []\n"
                     "  m_FloatCurves:\n");
}

void anim_text_curve_begin(text_out *out) {
  text_out_text(out, "  - curve:\n"
                     "      serializedVersion: 2\n"
                     "      m_Curve:\n");
}

void anim_text_curve_end(text_out *out, const char *attribute) {
  text_out_text(out, "      m_PreInfinity: 2\n"
                     "      m_PostInfinity: 2\n"
                     "      m_RotationOrder: 4\n"
                     "    attribute: ");
  unity_scalar(out, attribute);
  text_out_text(out, "\n"
                     "    path: \n"
                     "    classID: 95\n"
                     "    script: {fileID: 0}\n");
}

static void put_float(text_out *out, const char *key, double value) {
  text_out_text(out, key);
  text_out_float(out, (float)value);
  text_out_bytes(out, "\n", 1);
}

static void put_flag(text_out *out, const char *key, bool value) {
  text_out_text(out, key);
  text_out_text(out, value ? "1\n" : "0\n");
}

static void put_settings(text_out *out, const sinew_clip_settings *s, float stop_s) {
  text_out_text(out, "  m_AnimationClipSettings:\n"
                     "    serializedVersion: 2\n"
                     "    m_AdditiveReferencePoseClip: {fileID: 0}\n"
                     "    m_AdditiveReferencePoseTime: 0\n"
                     "    m_StartTime: 0\n");
  put_float(out, "    m_StopTime: ", (double)stop_s);
  put_float(out, "    m_OrientationOffsetY: ", s->orientation_offset_y_deg);
  put_float(out, "    m_Level: ", s->level);
  put_float(out, "    m_CycleOffset: ", s->cycle_offset);
  put_flag(out, "    m_HasAdditiveReferencePose: ", false);
  put_flag(out, "    m_LoopTime: ", s->loop_time);
  put_flag(out, "    m_LoopBlend: ", s->loop_blend);
  put_flag(out, "    m_LoopBlendOrientation: ", s->loop_blend_orientation);
  put_flag(out, "    m_LoopBlendPositionY: ", s->loop_blend_position_y);
  put_flag(out, "    m_LoopBlendPositionXZ: ", s->loop_blend_position_xz);
  put_flag(out, "    m_KeepOriginalOrientation: ", s->keep_original_orientation);
  put_flag(out, "    m_KeepOriginalPositionY: ", s->keep_original_position_y);
  put_flag(out, "    m_KeepOriginalPositionXZ: ", s->keep_original_position_xz);
  put_flag(out, "    m_HeightFromFeet: ", s->height_from_feet);
  put_flag(out, "    m_Mirror: ", s->mirror);
}

void anim_text_tail(text_out *out, const anim_facts *facts) {
  text_out_text(out, "  m_PPtrCurves: []\n");
  put_float(out, "  m_SampleRate: ", facts->rate_hz);
  text_out_text(out, "  m_WrapMode: 0\n"
                     "  m_Bounds:\n"
                     "    m_Center: {x: 0, y: 0, z: 0}\n"
                     "    m_Extent: {x: 0, y: 0, z: 0}\n"
                     "  m_ClipBindingConstant:\n"
                     "    genericBindings: []\n"
                     "    pptrCurveMapping: []\n");
  put_settings(out, &facts->settings, anim_key_time(facts, facts->frame_count - 1));
  text_out_text(out, "  m_EditorCurves: []\n"
                     "  m_EulerEditorCurves: []\n"
                     "  m_HasGenericRootTransform: 0\n"
                     "  m_HasMotionFloatCurves: 0\n"
                     "  m_Events: []\n");
}
