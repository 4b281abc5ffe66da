#include "readers/made_anim.h"
#include "clip/clip.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char made_anim_base[] = "%YAML 1.1\n"
                              "%TAG !u! tag:unity3d.com,2011:\n"
                              "--- !u!74 &7400000\n"
                              "AnimationClip:\n"
                              "  m_ObjectHideFlags: 0\n"
                              "  m_Name: Walk\n"
                              "  serializedVersion: 6\n"
                              "  m_Legacy: 0\n"
                              "  m_RotationCurves: []\n"
                              "  m_FloatCurves:\n" /* 10 */
                              "  - curve:\n"
                              "      serializedVersion: 2\n"
                              "      m_Curve:\n"
                              "      - serializedVersion: 3\n"
                              "        time: 0\n"
                              "        value: 0.25\n"
                              "        inSlope: 1\n"
                              "        outSlope: 1\n"
                              "        tangentMode: 136\n"
                              "        weightedMode: 0\n" /* 20 */
                              "        inWeight: 0.33333334\n"
                              "        outWeight: 0.33333334\n"
                              "      - serializedVersion: 3\n"
                              "        time: 0.5\n"
                              "        value: 0.75\n"
                              "        inSlope: 0\n"
                              "        outSlope: Infinity\n"
                              "        tangentMode: 136\n"
                              "        weightedMode: 3\n"
                              "        inWeight: 0.2\n" /* 30 */
                              "        outWeight: 0.4\n"
                              "      m_PreInfinity: 2\n"
                              "      m_PostInfinity: 2\n"
                              "      m_RotationOrder: 4\n"
                              "    attribute: RootT.y\n"
                              "    path: \n"
                              "    classID: 95\n"
                              "    script: {fileID: 0}\n"
                              "  - curve:\n"
                              "      serializedVersion: 2\n" /* 40 */
                              "      m_Curve:\n"
                              "      - serializedVersion: 2\n"
                              "        time: 0\n"
                              "        value: -0.5\n"
                              "        inSlope: 0\n"
                              "        outSlope: 0\n"
                              "        tangentMode: 0\n"
                              "      m_PreInfinity: 2\n"
                              "      m_PostInfinity: 2\n"
                              "    attribute: Left Arm Down-Up\n" /* 50 */
                              "    path: \n"
                              "    classID: 95\n"
                              "    script: {fileID: 0}\n"
                              "  m_PPtrCurves: []\n"
                              "  m_SampleRate: 30\n"
                              "  m_WrapMode: 0\n"
                              "  m_Bounds:\n"
                              "    m_Center: {x: 0, y: 0, z: 0}\n"
                              "    m_Extent: {x: 0, y: 0, z: 0}\n"
                              "  m_ClipBindingConstant:\n" /* 60 */
                              "    genericBindings: []\n"
                              "    pptrCurveMapping: []\n"
                              "  m_AnimationClipSettings:\n"
                              "    serializedVersion: 2\n"
                              "    m_StartTime: 0\n"
                              "    m_StopTime: 0.5\n"
                              "    m_LoopTime: 1\n"
                              "    m_Mirror: 0\n"
                              "  m_EditorCurves: []\n"
                              "  m_Events: []\n"; /* 70 */

uint64_t made_random(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* ---- random clips -----------------------------------------------------------------------------------------
 */

typedef struct maker {
  text t;
  const made_options *options;
  uint64_t state;
  int unit; /* blanks per level */
} maker;

static bool has(const maker *m, unsigned form) {
  return m->options->form & form;
}
static uint64_t below(maker *m, uint64_t count) {
  return made_random(&m->state) % count;
}

/* A line at a level of indentation, its dash (if any) being part of the text. */
static void line(maker *m, int level, const char *content) {
  if (has(m, MADE_SPREAD) && below(m, 12) == 0) text_add(&m->t, below(m, 2) ? "\n" : "      # a comment\n");
  bool blanks = has(m, MADE_SPREAD) && below(m, 9) == 0;
  text_add(&m->t, "%*s%s%s\n", level * m->unit, "", content, blanks ? "  " : "");
}

static void number(maker *m, char *out, size_t size, double value) {
  float single = (float)value;
  snprintf(out, size, "%.*g", has(m, MADE_OLD_NUMBERS) ? 9 : 8, (double)single);
  char *zero = strstr(out, "0.");
  if (has(m, MADE_OLD_NUMBERS) && zero && (zero == out || zero == out + 1) && out[zero - out + 1] == '.')
    memmove(zero, zero + 1, strlen(zero));
}

static void number_line(maker *m, int level, const char *key, double value) {
  char digits[64], content[128];
  if (isinf(value))
    snprintf(digits, sizeof digits, value > 0 ? "Infinity" : "-Infinity");
  else if (isnan(value))
    snprintf(digits, sizeof digits, "NaN");
  else
    number(m, digits, sizeof digits, value);
  snprintf(content, sizeof content, "%s: %s", key, digits);
  line(m, level, content);
}

static double random_value(maker *m) {
  double value = ((double)(made_random(&m->state) >> 11) * 0x1p-53 - 0.5) * 4;
  switch (below(m, 12)) {
  case 0:
    return 0;
  case 1:
    return -0.0;
  case 2:
    return value * 1e-7;
  case 3:
    return value * 1e-12;
  case 4:
    return value * 1e5;
  default:
    return value;
  }
}

static double random_slope(maker *m) {
  switch (below(m, 20)) {
  case 0:
    return INFINITY;
  case 1:
    return -INFINITY;
  case 2:
    return NAN;
  default:
    return random_value(m) * 10;
  }
}

/* `name: number` inside braces, on a line of its own now and then. */
static void flow_number(maker *m, int level, const char *name, double value) {
  char digits[64];
  number(m, digits, sizeof digits, value);
  if (isinf(value)) snprintf(digits, sizeof digits, value > 0 ? "Infinity" : "-Infinity");
  if (isnan(value)) snprintf(digits, sizeof digits, "NaN");
  text_add(&m->t, "%s: %s,", name, digits);
  if (below(m, 6) == 0)
    text_add(&m->t, "%s\n%*s", below(m, 3) ? "" : " # more", (level + 1) * m->unit + 2, "");
  else
    text_add(&m->t, " ");
}

static void flow_key(maker *m, int level, double time_s) {
  const int mode = below(m, 3) ? 0 : (int)below(m, 4);
  text_add(&m->t, "%*s%-*s{", level * m->unit, "", m->unit, "-");
  flow_number(m, level, below(m, 5) ? "time" : "'time'", time_s);
  if (below(m, 4) == 0) text_add(&m->t, "note: {a: [1, 'two}', \"\"], b: c}, ");
  flow_number(m, level, "value", random_value(m));
  flow_number(m, level, "inSlope", random_slope(m));
  flow_number(m, level, "inWeight", (double)below(m, 1000) / 999);
  flow_number(m, level, "outWeight", (double)below(m, 1000) / 999);
  flow_number(m, level, "outSlope", random_slope(m));
  text_add(&m->t, "weightedMode: %d%s}%s\n", mode, below(m, 2) ? "" : " ", below(m, 5) ? "" : " # a key");
}

static void key(maker *m, int level, double time_s) {
  if (has(m, MADE_BRACES) && below(m, 2)) {
    flow_key(m, level, time_s);
    return;
  }
  int version = m->options->key_version;
  char first[64];
  if (version > 1) {
    snprintf(first, sizeof first, "%-*sserializedVersion: %d", m->unit, "-", version);
    line(m, level, first);
    number_line(m, level + 1, "time", time_s);
  } else {
    char prefix[16];
    snprintf(prefix, sizeof prefix, "%-*stime", m->unit, "-");
    number_line(m, level, prefix, time_s);
  }
  number_line(m, level + 1, "value", random_value(m));
  number_line(m, level + 1, "inSlope", random_slope(m));
  number_line(m, level + 1, "outSlope", random_slope(m));
  if (version > 1) line(m, level + 1, below(m, 4) ? "tangentMode: 136" : "tangentMode: -559038737");
  if (version < 3) return;
  int mode = below(m, 3) ? 0 : (int)below(m, 4);
  char content[32];
  snprintf(content, sizeof content, "weightedMode: %d", mode);
  line(m, level + 1, content);
  number_line(m, level + 1, "inWeight", mode ? (double)below(m, 1000) / 999 : (double)(1.0f / 3));
  number_line(m, level + 1, "outWeight",
              mode          ? (double)below(m, 1000) / 999
              : below(m, 2) ? 0
                            : (double)(1.0f / 3));
}

static void long_path(maker *m, int level) {
  if (!has(m, MADE_FOLDED)) {
    line(m, level, "path: Armature/Hips/Spine/Left Arm");
    return;
  }
  line(m, level, "path: Armature/Hips of the model/Spine and more/Chest/Neck of a very long");
  /* a comment or a line of its own would end the scalar */
  int indent = (level + 1) * m->unit;
  text_add(&m->t, "%*sname/Head that goes on\n%*sfor three lines\n", indent, "", indent, "");
}

static void attribute(maker *m, int level, int channel, bool own) {
  char content[256];
  const char *name = channel >= 0 ? clip_channel_name(channel) : "Extra:Value [1]";
  const char *quote = !has(m, MADE_QUOTED) ? "" : below(m, 2) ? "'" : "\"";
  if (own && channel < 0 && has(m, MADE_QUOTED))
    snprintf(content, sizeof content,
             *quote == '"' ? "attribute: \"Extra\\u00e9 \\\"x\\\": #1\"" : "attribute: 'it''s: #2'");
  else
    snprintf(content, sizeof content, "attribute: %s%s%s", quote, name, quote);
  line(m, level, content);
}

static void script(maker *m, int level) {
  if (!has(m, MADE_WRAPPED)) {
    line(m, level, "script: {fileID: 0}");
    return;
  }
  line(m, level, "script: {fileID: 11500000, guid: 0123456789abcdef0123456789abcdef,");
  line(m, level + 1, "type: 3}");
}

static void curve(maker *m, int channel, bool animator) {
  char first[64];
  bool version = has(m, MADE_DASH_VERSION);
  snprintf(first, sizeof first, "%-*s%s", m->unit, "-", version ? "serializedVersion: 2" : "curve:");
  line(m, 1, first);
  if (version) line(m, 2, "curve:");
  line(m, 3, "serializedVersion: 2");
  int keys = 1 + (int)below(m, (uint64_t)m->options->keys);
  line(m, 3, "m_Curve:");
  for (int k = 0; k < keys; k++) key(m, 3, k * (double)(1.0f / 30));
  line(m, 3, below(m, 4) ? "m_PreInfinity: 2" : "m_PreInfinity: 1");
  line(m, 3, below(m, 4) ? "m_PostInfinity: 2" : "m_PostInfinity: 0");
  line(m, 3, "m_RotationOrder: 4");
  attribute(m, 2, channel, animator);
  if (animator)
    line(m, 2, !has(m, MADE_BRACES) || below(m, 3) ? "path: " : below(m, 2) ? "path: null" : "path: ~");
  else
    long_path(m, 2);
  line(m, 2, animator ? "classID: 95" : below(m, 2) ? "classID: 137" : "classID: 1");
  script(m, 2);
}

static void curve_list(maker *m, const char *name, bool filled) {
  char content[64];
  snprintf(content, sizeof content, filled ? "%s:" : "%s: []", name);
  line(m, 1, content);
  if (!filled) return;
  int channel = (int)below(m, CLIP_CHANNEL_COUNT);
  for (int i = 0; i < m->options->curves; i++) {
    if (has(m, MADE_MIXED) && below(m, 3) == 0) curve(m, channel, false);
    bool foreign = i > 0 && i == m->options->curves / 2;
    curve(m, foreign ? CLIP_CHANNEL_FOREIGN : (channel + i * 7) % CLIP_CHANNEL_COUNT, true);
  }
}

static void clip(maker *m, int index) {
  text_add(&m->t, "--- !u!74 &%d\nAnimationClip:\n", 7400000 + index * 2);
  line(m, 1, "m_ObjectHideFlags: 0");
  char content[64];
  snprintf(content, sizeof content, has(m, MADE_QUOTED) ? "m_Name: '[%d] it''s a: name'" : "m_Name: clip %d",
           index);
  line(m, 1, content);
  line(m, 1, "serializedVersion: 6");
  line(m, 1, "m_RotationCurves:");
  snprintf(content, sizeof content, "%-*spath: a", m->unit, "-");
  line(m, 1, content);
  line(m, 2, "curve: {}");
  bool editor = has(m, MADE_EDITOR_ONLY);
  curve_list(m, "m_FloatCurves", !editor);
  line(m, 1, "m_SampleRate: 30");
  line(m, 1, "m_Bounds:");
  line(m, 2, "m_Center: {x: 0, y: 0, z: 0}");
  line(m, 1, "m_AnimationClipSettings:");
  line(m, 2, "m_StartTime: 0");
  number_line(m, 2, "m_StopTime", (double)m->options->keys * (double)(1.0f / 30));
  line(m, 2, "m_LoopTime: 1");
  curve_list(m, "m_EditorCurves", editor);
  line(m, 1, "m_Events: []");
}

text made_anim(const made_options *options) {
  maker m = {.options = options, .state = options->seed, .unit = options->form & MADE_WIDE ? 4 : 2};
  text_add(&m.t, "%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n");
  for (int i = 0; i < options->documents; i++) {
    if (i % 2)
      text_add(&m.t, "--- !u!114 &%d stripped\nMonoBehaviour:\n  m_Script: {fileID: 0}\n", 11400000 + i);
    clip(&m, i);
  }
  if (!(options->form & MADE_CRLF)) return m.t;
  text crlf = text_crlf(m.t.bytes);
  text_free(&m.t);
  return crlf;
}
