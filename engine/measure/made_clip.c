#include "measure/made_clip.h"
#include "base/number.h"
#include "clip/segments.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

const made_clip_shape made_clip_typical = {.frames = 151, .key_stride = 3, .rate_hz = 30};

/* ---- values -------------------------------------------------------------------------------------------- */

/* Each plane has a swing of its own: 0.3 to 1.3 Hz. */
static double pace(int plane) {
  return 2 * 3.14159265358979 * (0.3 + 0.01 * (plane * 37 % 101));
}
static double phase(int plane) {
  return 0.1 * (plane * 53 % 63);
}

static bool is_real_part(int plane) { /* of a rotation */
  return plane == SINEW_PLANE_ROOT_Q + 3 ||
         (plane >= SINEW_PLANE_GOAL && (plane - SINEW_PLANE_GOAL) % 7 == 6);
}
static double middle(int plane) {
  return plane == SINEW_PLANE_ROOT_T + 1 || is_real_part(plane) ? 1 : 0;
}
static double reach(int plane) {
  return plane >= SINEW_PLANE_MUSCLE && plane < SINEW_PLANE_GOAL ? 0.8 : 0.1;
}

double made_clip_value(int plane, double time_s) {
  return middle(plane) + reach(plane) * sin(pace(plane) * time_s + phase(plane));
}
static double made_clip_slope(int plane, double time_s) {
  return reach(plane) * pace(plane) * cos(pace(plane) * time_s + phase(plane));
}

/* ---- text ---------------------------------------------------------------------------------------------- */

typedef struct text_out {
  char *bytes;
  size_t count;
  size_t room;
  bool ok;
} text_out;

static void put(text_out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(text_out *out, const char *format, ...) {
  enum { MOST_AT_ONCE = 1024 };
  if (out->ok && out->room - out->count < MOST_AT_ONCE) {
    const size_t room = out->room * 2;
    char *grown = heap_grow(out->bytes, out->room, room, 1);
    out->ok = grown != NULL;
    if (grown) out->bytes = grown, out->room = room;
  }
  if (!out->ok) return;
  va_list list;
  va_start(list, format);
  out->count += (size_t)vsnprintf(out->bytes + out->count, MOST_AT_ONCE, format, list);
  va_end(list);
}

static void put_number(text_out *out, const char *name, double value) {
  char digits[40];
  number_print_float(digits, (float)value);
  put(out, "%s: %s\n", name, digits);
}

static void put_key(text_out *out, int plane, double time_s) {
  put(out, "      - serializedVersion: 3\n");
  put_number(out, "        time", time_s);
  put_number(out, "        value", made_clip_value(plane, time_s));
  put_number(out, "        inSlope", made_clip_slope(plane, time_s));
  put_number(out, "        outSlope", made_clip_slope(plane, time_s));
  put(out, "        tangentMode: 0\n        weightedMode: 0\n        inWeight: 0.33333334\n"
           "        outWeight: 0.33333334\n");
}

static void put_curve(text_out *out, made_clip_shape shape, int channel) {
  const int plane = clip_plane_of_channel(channel);
  put(out, "  - serializedVersion: 2\n    curve:\n      serializedVersion: 2\n      m_Curve:\n");
  for (uint32_t f = 0; f < shape.frames - 1; f += shape.key_stride) put_key(out, plane, f / shape.rate_hz);
  put_key(out, plane, (shape.frames - 1) / shape.rate_hz);
  put(out,
      "      m_PreInfinity: 2\n      m_PostInfinity: 2\n      m_RotationOrder: 4\n    attribute: %s\n"
      "    path: \n    classID: 95\n    script: {fileID: 0}\n    flags: 0\n",
      clip_channel_name(channel));
}

char *made_clip_text(made_clip_shape shape, size_t *byte_count) {
  text_out out = {.room = 1 << 16, .ok = true};
  out.bytes = heap_alloc(out.room, 1);
  out.ok = out.bytes != NULL;
  put(&out,
      "%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: made\n"
      "  serializedVersion: 7\n  m_FloatCurves:\n");
  for (int channel = 0; channel < CLIP_CHANNEL_COUNT; channel++)
    if (clip_plane_of_channel(channel) >= 0) put_curve(&out, shape, channel);
  put_number(&out, "  m_SampleRate", shape.rate_hz);
  put(&out, "  m_AnimationClipSettings:\n    serializedVersion: 2\n    m_StartTime: 0\n");
  put_number(&out, "    m_StopTime", (shape.frames - 1) / shape.rate_hz);
  put(&out, "    m_LoopTime: 0\n  m_Events: []\n");
  *byte_count = out.count;
  if (out.ok) return out.bytes;
  heap_free(out.bytes);
  return NULL;
}
