/* One small broken clip per rule, with what must be said and where; and small sound ones in unusual forms. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clip/clip.h"
#include "readers/made_anim.h"

/* ---- rules ------------------------------------------------------------------------------------------------
 */

typedef struct rule {
  int first, last; /* lines of made_anim_base that `lines` replaces; last < first: put before first */
  const char *lines;
  sinew_result code;
  uint32_t line;
  const char *message; /* a part of it */
} rule;

#define SYNTAX SINEW_ERROR_SYNTAX
#define UNSUPPORTED SINEW_ERROR_UNSUPPORTED
enum { END = 999 };

static const rule rules[] = {
    /* keys */
    {15, 15, "        time: x\n", SYNTAX, 15, "time is 'x', expected a number"},
    {15, 15, "        time:\n", SYNTAX, 15, "time is 'nothing', expected a number"},
    {15, 15, "        time: 1 2\n", SYNTAX, 15, "time is '1 2', expected a number"},
    {15, 15, "        time: 1,5\n", SYNTAX, 15, "time is '1,5', expected a number"},
    {15, 15, "        time: NaN\n", SYNTAX, 15, "time is not a finite number (key 0)"},
    {15, 15, "        time: -Infinity\n", SYNTAX, 15, "time is not a finite number (key 0)"},
    {15, 15, "        time: 1e39\n", SYNTAX, 15, "time is not a finite number (key 0)"},
    {15, 15, "", SYNTAX, 14, "key 0 has no time"},
    {16, 16, "", SYNTAX, 14, "key 0 has no value"},
    {17, 17, "", SYNTAX, 14, "key 0 has no inSlope"},
    {18, 18, "", SYNTAX, 14, "key 0 has no outSlope"},
    {16, 16, "        value: Infinity\n", SYNTAX, 16, "value is not a finite number (key 0)"},
    {25, 25, "        value: NaN\n", SYNTAX, 25, "value is not a finite number (key 1)"},
    {16, 16, "        value: {x: 0, y: 0, z: 0}\n", SYNTAX, 16,
     "value is '{x: 0, y: 0, z: 0}', expected a number"},
    {17, 17, "        inSlope: fast\n", SYNTAX, 17, "inSlope is 'fast', expected a number"},
    {16, 16, "        value: 1\n        value: 2\n", SYNTAX, 17, "value stands twice in a key"},
    {24, 24, "        time: 0\n", SYNTAX, 24, "time of key 1 is 0, expected more than the key before it, 0"},
    {24, 24, "        time: -1\n", SYNTAX, 24, "time of key 1 is -1, expected more"},
    {24, 24, "        time: 1e-50\n", SYNTAX, 24, "time of key 1 is 0, expected more"},
    {29, 29, "        weightedMode: 4\n", SYNTAX, 29, "weightedMode is 4, expected 0 to 3"},
    {29, 29, "        weightedMode: 0.5\n", SYNTAX, 29, "weightedMode is '0.5', expected a whole number"},
    {30, 30, "        inWeight: 1.5\n", SYNTAX, 30, "inWeight is 1.5, expected 0 to 1"},
    {31, 31, "        outWeight: -0.1\n", SYNTAX, 31, "outWeight is -0.1, expected 0 to 1"},
    {31, 31, "        outWeight: NaN\n", SYNTAX, 31, "outWeight is"},
    {14, 22, "      -\n", SYNTAX, 15, "key 0 is empty"},
    {14, 14, "      - - serializedVersion: 3\n", SYNTAX, 14, "a list item, expected 'key: value'"},
    {16, 16, "          value: 0.25\n", SYNTAX, 16, "a line indented by 10, expected 8 at most"},
    {16, 16, "\t value: 0.25\n", SYNTAX, 16, "a tab in the indentation"},
    {16, 16, "        value 0.25\n", SYNTAX, 16, "found 'value 0.25', expected 'key: value'"},
    {16, 16, "       value: 0.25\n", SYNTAX, 14, "key 0 has no value"},
    /* curves */
    {13, 31, "      m_Curve: 5\n", SYNTAX, 13, "m_Curve is '5', expected its contents on the lines below"},
    {13, 31, "      m_Curve:\n        time: 0\n", SYNTAX, 14, "m_Curve is no list"},
    {13, 31, "      m_Curve: [{time: 0}]\n", SYNTAX, 13, "expected its contents on the lines below"},
    {13, 31, "", SYNTAX, 11, "curve has no m_Curve"},
    {12, 34, "", SYNTAX, 11, "curve is empty"},
    {13, 13, "      m_Curve: []\n      m_Curve:\n", SYNTAX, 14, "m_Curve stands twice in a curve"},
    {32, 32, "      m_PreInfinity: often\n", SYNTAX, 32, "m_PreInfinity is 'often', expected a whole number"},
    {35, 35, "", SYNTAX, 11, "a curve without attribute"},
    {37, 37, "", SYNTAX, 11, "a curve without classID"},
    {37, 37, "    classID: Animator\n", SYNTAX, 37, "classID is 'Animator', expected a whole number"},
    {35, 35, "    attribute: a\n    attribute: b\n", SYNTAX, 36, "attribute stands twice"},
    {38, 38, "    curve: {}\n", SYNTAX, 38, "curve stands twice in an entry"},
    {50, 50, "    attribute: RootT.y\n", SYNTAX, 50, "a second curve for 'RootT.y'"},
    {35, 35, "    attribute: &name RootT.y\n", SYNTAX, 35, "expected a plain or quoted text"},
    {35, 35, "    attribute: a: b\n", SYNTAX, 35, "expected a text without a bare ': '"},
    {35, 35, "    attribute: 'a' b\n", SYNTAX, 35, "found 'b' behind a quoted text"},
    {35, 35, "    attribute: \"a\\qb\"\n", SYNTAX, 35, "is no escape of a quoted text"},
    {35, 35, "    attribute: \"a\\ud800b\"\n", SYNTAX, 35, "is no escape of a quoted text"},
    {35, 35, "    attribute: \"a\\0b\"\n", SYNTAX, 35, "a zero byte in"},
    {35, 35, "    attribute: a\xff\n", SYNTAX, 35, "byte 0xff in 'a?' is no UTF-8"},
    {35, 35, "    attribute: a\xe3\x81\n", SYNTAX, 35, "byte 0xe3"},
    {35, END, "    attribute: 'a\n  b\n", SYNTAX, 35, "this quoted text has no end"},
    {35, 36, "    attribute: 'a\n--- !u!74 &2\n", SYNTAX, 35, "this quoted text has no end in its document"},
    {39, 53, "  -\n", SYNTAX, 40, "an empty entry in the list of curves"},
    {10, 53, "  m_FloatCurves:\n    curve: 1\n", SYNTAX, 11, "m_FloatCurves is no list"},
    {39, 39, "   - curve:\n", SYNTAX, 39, "a line indented by 3, expected 2 at most"},
    {54, 54, "   m_PPtrCurves: []\n", SYNTAX, 54, "a line indented by 3, expected 2 at most"},
    /* the clip */
    {55, 55, "", SYNTAX, 69, "the clip has no m_SampleRate: the file is cut short"},
    {55, 55, "  m_SampleRate: 0\n", SYNTAX, 55, "m_SampleRate is 0, expected more than 0"},
    {55, 55, "  m_SampleRate: -30\n", SYNTAX, 55, "m_SampleRate is -30, expected more than 0"},
    {55, 55, "  m_SampleRate: NaN\n", SYNTAX, 55, "m_SampleRate is not a finite number"},
    {55, 55, "  m_SampleRate: 1e39\n", SYNTAX, 55, "m_SampleRate is not a finite number"},
    {55, 55, "  m_SampleRate: 30\n  m_SampleRate: 60\n", SYNTAX, 56, "m_SampleRate stands twice in a clip"},
    {54, 54, "  m_FloatCurves: []\n", SYNTAX, 54, "m_FloatCurves stands twice in a clip"},
    {6, 6, "", SYNTAX, 69, "the clip has no m_Name"},
    {8, 8, "  m_Legacy: no\n", SYNTAX, 8, "m_Legacy is 'no', expected 0 or 1"},
    {66, 66, "    m_StopTime: -1\n", SYNTAX, 66, "m_StopTime is -1, before m_StartTime, 0"},
    {65, 65, "    m_StartTime: 1\n", SYNTAX, 66, "m_StopTime is 0.5, before m_StartTime, 1"},
    {66, 66, "    m_StopTime: Infinity\n", SYNTAX, 66, "m_StopTime is not a finite number"},
    {67, 67, "    m_LoopTime: maybe\n", SYNTAX, 67, "m_LoopTime is 'maybe', expected 0 or 1"},
    {63, 68, "  m_AnimationClipSettings:\n  - a: 1\n", SYNTAX, 64, "a list, expected the settings"},
    {4, 4, "Animation:\n", SYNTAX, 3, "a document of class 74 without 'AnimationClip:'"},
    {4, END, "", SYNTAX, 3, "a document of class 74 without 'AnimationClip:': the file is cut short"},
    {54, 54, "other: 1\n", SYNTAX, 54, "found 'other: 1' behind the clip, expected '---'"},
    /* cut files */
    {16, END, "", SYNTAX, 15, "the file is cut short: it ends inside a key"},
    {16, END, "        val", SYNTAX, 16, "the file is cut short: it ends in the middle of this line"},
    {16, END, "        value:", SYNTAX, 16, "the file is cut short: it ends in the middle of this line"},
    {16, END, "        value: 0.2", SYNTAX, 16, "the file may be cut short"},
    {19, END, "", SYNTAX, 18, "the file is cut short: it ends inside a curve, which has no attribute yet"},
    {32, END, "", SYNTAX, 31, "the file is cut short: it ends inside a curve, which has no attribute yet"},
    {36, END, "", SYNTAX, 35, "the file is cut short: it ends inside a curve, which has no classID yet"},
    {39, END, "", SYNTAX, 38, "the clip has no m_SampleRate: the file is cut short"},
    {55, END, "  m_SampleRate: 3", SYNTAX, 55, "the file may be cut short"},
    {57, END, "", SYNTAX, 56, "the file is cut short: it ends behind m_WrapMode"},
    {61, END, "", SYNTAX, 60, "the file is cut short: it ends behind m_ClipBindingConstant"},
    {66, END, "", SYNTAX, 63,
     "the file is cut short: it ends inside m_AnimationClipSettings, before m_StopTime"},
    {66, END, "    m_StopTime: 0.", SYNTAX, 66, "the file may be cut short"},
    /* other kinds */
    {10, 53, "  m_FloatCurves: []\n", UNSUPPORTED, 3, "clip 'Walk' is not humanoid: it has no curves"},
    {9, 53, "  m_RotationCurves:\n  - curve: {}\n    path: a\n", UNSUPPORTED, 3, "it is a generic clip"},
    {8, 53, "  m_Legacy: 1\n", UNSUPPORTED, 3, "it is a legacy clip (m_Legacy: 1)"},
    {3, 3, "--- !u!114 &1\n", UNSUPPORTED, 1, "no animation clip inside (1 documents, none of class 74)"},
    {3, 3, "--- !u!74 &1 stripped\n", UNSUPPORTED, 1, "no animation clip inside"},
    {1, 3, "", SYNTAX, 1, "not a Unity text file: it has no '--- !u!' document line"},
    {3, 3, "---\n", SYNTAX, 1, "not a Unity text file"},
    {1, END, "", SYNTAX, 1, "the file is empty"},
    {1, END, " \n\n\t\n", SYNTAX, 1, "the file is empty"},
    {1, END, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", UNSUPPORTED, 1,
     "a Git LFS pointer"},
    {1, END, "UnityFS", UNSUPPORTED, 1, "an asset bundle"},
    {1, END, "\xff\xfe%", UNSUPPORTED, 1, "text in UTF-16, expected UTF-8"},
};

static sinew_result open_text(const text *t, const sinew_read_options *limits, sinew_clip_file **file,
                              sinew_error *error) {
  guarded g = guard_bytes(t->bytes, t->length);
  sinew_result result = sinew_clip_file_open_memory(g.bytes, g.length, "made.anim", limits, file, error);
  guard_free(&g);
  return result;
}

Test(anim_rules, each_says_what_and_where) {
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    const rule *r = &rules[i];
    text t = text_edit(made_anim_base, r->first, r->last, r->lines);
    sinew_clip_file *file = (sinew_clip_file *)1;
    sinew_error error = {0};
    sinew_result result = open_text(&t, NULL, &file, &error);
    cr_expect_eq(result, r->code, "rule %zu (%s): code %d, \"%s\"", i, r->message, result, error.message);
    cr_expect_null(file, "rule %zu", i);
    cr_expect_eq(error.code, result);
    cr_expect_not_null(strstr(error.message, r->message), "rule %zu: \"%s\" lacks \"%s\"", i, error.message,
                       r->message);
    cr_expect(error.has_place, "rule %zu (%s)", i, r->message);
    cr_expect_eq(error.line, r->line, "rule %zu: line %u of \"%s\"", i, error.line, error.message);
    cr_expect_str_eq(error.path, "made.anim");
    cr_expect_leq(error.byte, t.length, "rule %zu", i);
    text_free(&t);
  }
}

/* The column is of the value, the byte counts from the file's start. */
Test(anim_rules, place) {
  text t = text_edit(made_anim_base, 16, 16, "        value: abc\n");
  sinew_clip_file *file;
  sinew_error error;
  char line[400];
  cr_assert_eq(open_text(&t, NULL, &file, &error), SYNTAX);
  cr_expect_eq(error.column, 16);
  cr_expect_eq(error.byte, (uint64_t)(strstr(t.bytes, "abc") - t.bytes));
  cr_expect_str_eq(sinew_error_text(&error, line, sizeof line),
                   "made.anim:16:16: value is 'abc', expected a number");
  text_free(&t);
}

static void refuse_bytes(const char *bytes, size_t length, sinew_result code, const char *part) {
  text t = {(char *)bytes, length, length};
  sinew_clip_file *file;
  sinew_error error;
  cr_expect_eq(open_text(&t, NULL, &file, &error), code, "%s", part);
  cr_expect_not_null(strstr(error.message, part), "\"%s\" lacks \"%s\"", error.message, part);
}

Test(anim_rules, binary_files) {
  static const char asset[] = "\0\0\1\x20\0\0\x3a\0\0\0\0\x11\0\0\0\x80\0\0\0\0"
                              "2019.4.31f1\0\x13\0\0\0";
  static const char other[] = "Kaydara FBX Binary  \0\x1a\0";
  refuse_bytes(asset, sizeof asset - 1, UNSUPPORTED,
               "a binary-serialised asset of editor 2019.4.31f1; expected text");
  refuse_bytes(other, sizeof other - 1, UNSUPPORTED, "a binary file (a zero byte at 20)");
}

/* ---- limits -----------------------------------------------------------------------------------------------
 */

static void expect_limit(sinew_read_options limits, sinew_result code, uint32_t line, const char *part) {
  text t =
      text_edit(made_anim_base, 71, 70, "--- !u!74 &2\nAnimationClip:\n  m_Name: b\n  m_SampleRate: 1\n");
  sinew_clip_file *file = NULL;
  sinew_error error = {0};
  cr_expect_eq(open_text(&t, &limits, &file, &error), code, "%s: \"%s\"", part, error.message);
  if (code != SINEW_OK) {
    cr_expect_not_null(strstr(error.message, part), "\"%s\" lacks \"%s\"", error.message, part);
    cr_expect_eq(error.line, line, "%s: line %u", part, error.line);
  }
  sinew_clip_file_close(file);
  text_free(&t);
}

Test(anim_rules, limits) {
  size_t bytes =
      strlen(made_anim_base) + strlen("--- !u!74 &2\nAnimationClip:\n  m_Name: b\n  m_SampleRate: 1\n");
  expect_limit((sinew_read_options){.keys = 3}, SINEW_OK, 0, "");
  expect_limit((sinew_read_options){.keys = 2}, SINEW_ERROR_LIMIT, 42,
               "more than 2 keys in a clip, the limit");
  expect_limit((sinew_read_options){.curves = 2}, SINEW_OK, 0, "");
  expect_limit((sinew_read_options){.curves = 1}, SINEW_ERROR_LIMIT, 50,
               "more than 1 curves in a clip, the limit");
  expect_limit((sinew_read_options){.clips = 2}, SINEW_OK, 0, "");
  expect_limit((sinew_read_options){.clips = 1}, SINEW_ERROR_LIMIT, 71,
               "more than 1 clips in a file, the limit");
  expect_limit((sinew_read_options){.name_bytes = 16}, SINEW_OK, 0, "");
  expect_limit((sinew_read_options){.name_bytes = 15}, SINEW_ERROR_LIMIT, 50,
               "a text of 16 bytes, the limit is 15");
  expect_limit((sinew_read_options){.file_bytes = bytes}, SINEW_OK, 0, "");
  expect_limit((sinew_read_options){.file_bytes = bytes - 1}, SINEW_ERROR_LIMIT, 0, "the limit is");
  expect_limit((sinew_read_options){.memory_bytes = 1000}, SINEW_ERROR_MEMORY, 0, "memory");
}

Test(anim_rules, limits_of_long_texts) {
  text t =
      text_edit(made_anim_base, 35, 35, "    attribute: \"a\\tlong\\tname\\tof\\tmore\\tthan\\tenough\"\n");
  sinew_clip_file *file;
  sinew_error error;
  cr_expect_eq(open_text(&t, &(sinew_read_options){.name_bytes = 20}, &file, &error), SINEW_ERROR_LIMIT);
  cr_expect_not_null(strstr(error.message, "a text of more than 20 bytes"), "%s", error.message);
  text_free(&t);
}

/* ---- unusual but sound ------------------------------------------------------------------------------------
 */

static sinew_clip_file *open_edit(const char *base, int first, int last, const char *lines) {
  text t = text_edit(base, first, last, lines);
  sinew_clip_file *file = NULL;
  sinew_error error = {0};
  sinew_result result = open_text(&t, NULL, &file, &error);
  cr_assert_eq(result, SINEW_OK, "line %d: %s (line %u)", first, error.message, error.line);
  text_free(&t);
  return file;
}

/* The base clip, whatever its form. */
static void expect_base(sinew_clip_file *file) {
  cr_assert_eq(sinew_clip_file_count(file), 1);
  const sinew_clip *c = sinew_clip_file_clip(file, 0);
  cr_expect_str_eq(c->name, "Walk");
  cr_expect_eq(c->rate_hz, 30);
  cr_expect_eq(c->start_s, 0);
  cr_expect_eq(c->stop_s, 0.5);
  cr_expect(c->settings.loop_time && !c->settings.mirror);
  cr_assert_eq(c->curve_count, 2);
  cr_assert_eq(c->key_count, 3);
  cr_expect_eq(c->curves[0].channel, CLIP_CHANNEL_ROOT + 1);
  cr_expect_eq(c->curves[0].key_count, 2);
  cr_expect_not(c->curves[0].constant);
  cr_expect(c->curves[1].constant);
  cr_expect_eq(c->time_s[1], 0.5f);
  cr_expect_eq(c->value[1], 0.75f);
  cr_expect(isinf(c->out_slope[1]));
  cr_expect_eq(c->weighted_mode[1], CLIP_WEIGHT_IN | CLIP_WEIGHT_OUT);
  cr_expect_eq(c->in_weight[1], 0.2f);
  cr_expect_eq(c->out_weight[1], 0.4f);
  cr_expect_eq(c->in_weight[0], 1.0f / 3);
  cr_expect_eq(c->value[2], -0.5f);
  cr_expect_eq(c->curve_of_channel[CLIP_CHANNEL_ROOT + 1], 0);
  sinew_clip_file_close(file);
}

Test(anim_forms, same_clip) {
  static const rule forms[] = {
      {71, 70, "", 0, 0, "as it is"},
      {1, 1, "\xef\xbb\xbf%YAML 1.1\n", 0, 0, "byte order mark"},
      {1, 2, "", 0, 0, "no directives"},
      {1, 1, "# made by hand\n\n%YAML 1.1\n", 0, 0, "comment first"},
      {70, 70, "  m_Events: []", 0, 0, "no line end at the end"},
      {55, 55, "  m_SampleRate: 30 # Hz\n\n   \n\t\n  # more\n", 0, 0, "comments and empty lines"},
      {6, 6, "  m_Name: 'Walk'\n", 0, 0, "single quotes"},
      {6, 6, "  m_Name: \"W\\x61\\u006c\\U0000006b\"\n", 0, 0, "double quotes"},
      {6, 6, "  m_Name: \"Wa\\\n    lk\"\n", 0, 0, "an escaped line break"},
      {6, 6, "  m_Name:\n    Walk\n", 0, 0, "name on the next line"},
      {6, 6, "  'm_Name': Walk\n", 0, 0, "a quoted key"},
      {6, 6, "  m_Name: Walk # not the name\n", 0, 0, "comment behind the name"},
      {38, 38, "    script: {fileID: 115, guid: 0123,\n      type: 3}\n", 0, 0, "a flow map over lines"},
      {32, 34, "", 0, 0, "no infinities"},
      {32, 32, "      m_PreInfinity: 7\n", 0, 0, "an unknown infinity"},
      {54, 54, "  m_MuscleClip:\n    m_Clip:\n      m_SampleRate: 99\n    m_Deep:\n    - - - - x\n", 0, 0,
       "unknown blocks"},
      {54, 54, "  m_New: |\n    m_SampleRate: 1\n     anything: 'goes\n", 0, 0, "a block text"},
      {23, 23, "      -\n        serializedVersion: 3\n", 0, 0, "a dash alone on its line"},
      {19, 19, "        tangentMode: -559038737\n", 0, 0, "tangent garbage"},
      {22, 22, "        outWeight: 77\n", 0, 0, "a weight that is not used"},
      {22, 22, "        outWeight: 0\n        later: {a: 1}\n", 0, 0, "an unknown part of a key"},
      {46, 46, "        outSlope: NaN\n", 0, 0, "a slope that is no number"},
      {36, 36, "    path: ''\n", 0, 0, "a quoted empty path"},
      {39, 39, "  - serializedVersion: 2\n    curve:\n", 0, 0, "the newer first line"},
      {3, 3, "--- !u!114 &1\nMonoBehaviour:\n  a: [1\n--- !u!74 &2 stripped\n--- !u!74 &7400000\n", 0, 0,
       "other documents"},
      {71, 70, "--- !u!114 &1\nMonoBehaviour:\n  {{{ : :\n", 0, 0, "a document behind"},
      {71, 70, "...\n", 0, 0, "an end mark"},
      {39, 39,
       "  - curve:\n      m_Curve: []\n    attribute: Jaw Close\n    path: \n    classID: 95\n  - curve:\n",
       0, 0, "no keys"},
      {39, 39,
       "  - curve:\n      m_Curve:\n      - time: bad\n        x: y\n    attribute: blendShape.A\n    path: "
       "Face\n"
       "    classID: 137\n  - curve:\n",
       0, 0, "faults in a curve of another component"},
      {39, 39,
       "  - curve:\n      m_Curve:\n      - time: 0\n        value: 1\n        inSlope: 0\n        outSlope: "
       "0\n"
       "    attribute: RootT.y\n    path: Other\n    classID: 95\n  - curve:\n",
       0, 0, "an Animator below"},
      {69, 69, "  m_EditorCurves:\n  - broken\n  - curve: {{\n", 0, 0, "editor curves are not looked at"},
  };
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
    if (forms[i].message)
      expect_base(open_edit(made_anim_base, forms[i].first, forms[i].last, forms[i].lines));
}

Test(anim_forms, line_ends) {
  text t = text_crlf(made_anim_base);
  expect_base(open_edit(t.bytes, 1, 0, ""));
  text_free(&t);
}

/* Top-level fields may stand in any order. */
Test(anim_forms, any_order) {
  const char *curves = strstr(made_anim_base, "  m_FloatCurves:");
  const char *behind = strstr(made_anim_base, "  m_PPtrCurves:");
  text t = {0};
  text_add(&t, "%.*s%s", (int)(curves - made_anim_base), made_anim_base, behind);
  text_add(&t, "%.*s", (int)(behind - curves), curves);
  expect_base(open_edit(t.bytes, 1, 0, ""));
  text_free(&t);
}

Test(anim_forms, editor_curves_instead) {
  text moved = {0};
  const char *curves = strstr(made_anim_base, "  - curve:"),
             *behind = strstr(made_anim_base, "  m_PPtrCurves:");
  const char *editor = strstr(made_anim_base, " []\n  m_Events");
  text_add(&moved, "%.*s", (int)(curves - made_anim_base), made_anim_base);
  text_add(&moved, "%.*s\n%.*s%s", (int)(editor - behind), behind, (int)(behind - curves), curves,
           "  m_Events: []\n");
  expect_base(open_edit(moved.bytes, 1, 0, ""));
  /* and first in the file, before the empty list */
  text first = {0};
  text_add(&first, "--- !u!74 &1\nAnimationClip:\n  m_EditorCurves:\n%.*s  m_FloatCurves: []\n",
           (int)(behind - curves), curves);
  text_add(&first, "  m_Name: Walk\n%s", strstr(made_anim_base, "  m_SampleRate:"));
  char *again = strstr(first.bytes, "  m_EditorCurves: []");
  memcpy(again, "  m_EditorCurvez: []", 20);
  expect_base(open_edit(first.bytes, 1, 0, ""));
  /* cut behind them */
  *strstr(moved.bytes, "  m_Events") = 0;
  text cut = text_edit(moved.bytes, 1, 0, "");
  sinew_clip_file *file;
  sinew_error error;
  cr_expect_eq(open_text(&cut, NULL, &file, &error), SYNTAX);
  cr_expect_not_null(strstr(error.message, "it ends behind m_EditorCurves"), "%s", error.message);
  text_free(&cut);
  text_free(&first);
  text_free(&moved);
}

Test(anim_forms, without_settings) {
  sinew_clip_file *file = open_edit(made_anim_base, 63, 68, "");
  const sinew_clip *c = sinew_clip_file_clip(file, 0);
  cr_expect_eq(c->start_s, 0);
  cr_expect_eq(c->stop_s, 0.5, "the last key's time");
  sinew_clip_file_close(file);
}

Test(anim_forms, names) {
  static const struct {
    const char *lines, *name;
  } cases[] = {
      {"  m_Name: \n", "clip"},
      {"  m_Name:\n", "clip"},
      {"  m_Name: \"\"\n", "clip"},
      {"  m_Name: a:b #c\n", "a:b"},
      {"  m_Name: a#b\n", "a#b"},
      {"  m_Name: one\n    two\n\n      three\n", "one two\nthree"},
      {"  m_Name: 'it''s\n    a # name'\n", "it's a # name"},
      {"  m_Name: \"\\u6b69\\u304f \\ud83d\\udeb6 \\U0001F6B6\"\n", "\u6b69\u304f \U0001F6B6 \U0001F6B6"},
      {"  m_Name: \"a\\\"b\\\\c\\/d\\te\"\n", "a\"b\\c/d\te"},
      {"  m_Name: \u6b69\u304f\n", "\u6b69\u304f"},
      {"  m_Name: \"a  \n    b\"\n", "a b"},
      {"  m_Name: \"a \\\n     b\"\n", "a b"},
      {"  m_Name: '[EMOTE 1] x'\n", "[EMOTE 1] x"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    sinew_clip_file *file = open_edit(made_anim_base, 6, 6, cases[i].lines);
    cr_expect_str_eq(sinew_clip_file_clip(file, 0)->name, cases[i].name);
    sinew_clip_file_close(file);
  }
}

Test(anim_forms, what_is_kept) {
  static const char more[] =
      "  - curve:\n      m_Curve:\n      - time: -2\n        value: 3\n        inSlope: 0\n"
      "        outSlope: -Infinity\n      m_PreInfinity: 1\n      m_PostInfinity: 0\n"
      "    attribute: %s\n    path: \n    classID: 95\n";
  text lines = {0};
  static const char *const names[] = {"SpineTDOF.x", "MotionT.x", "LeftFootQ.w", "Contact.Heel"};
  for (int i = 0; i < 4; i++) text_add(&lines, more, names[i]);
  sinew_clip_file *file = open_edit(made_anim_base, 54, 53, lines.bytes);
  const sinew_clip *c = sinew_clip_file_clip(file, 0);
  sinew_clip_info info;
  sinew_clip_get_info(c, &info);
  cr_expect_eq(info.curve_count, 6);
  cr_expect_eq(info.muscle_curves, 1);
  cr_expect_eq(info.root_curves, 1);
  cr_expect_eq(info.goal_curves, 1);
  cr_expect_eq(info.tdof_curves, 1);
  cr_expect_eq(info.foreign_curves, 1);
  cr_expect_eq(info.key_count, 7);
  sinew_curve_info curve;
  cr_assert(sinew_clip_get_curve(c, 5, &curve));
  cr_expect_str_eq(curve.attribute, "Contact.Heel");
  cr_expect_eq(curve.kind, SINEW_CURVE_FOREIGN);
  cr_expect_eq(curve.least_key, 3);
  cr_expect_not(sinew_clip_get_curve(c, 6, &curve));
  cr_expect_eq(c->curves[5].before_code, 1);
  cr_expect_eq(c->curves[5].after_code, 0);
  cr_expect_eq(c->time_s[6], -2.0f);
  sinew_clip_file_close(file);
  text_free(&lines);
}

Test(anim_forms, clips_of_other_kinds_beside_a_humanoid) {
  static const char others[] =
      "--- !u!74 &1\nAnimationClip:\n  m_Name: generic\n  m_PositionCurves:\n  - path: a\n"
      "  m_SampleRate: 30\n--- !u!74 &2\nAnimationClip:\n  m_Name: none\n  m_SampleRate: 60\n";
  expect_base(open_edit(made_anim_base, 3, 2, others));
}

Test(anim_forms, arguments) {
  sinew_clip_file *file;
  sinew_error error;
  cr_expect_eq(sinew_clip_file_open_memory("x", 1, NULL, NULL, NULL, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_eq(sinew_clip_file_open_memory(NULL, 1, NULL, NULL, &file, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_eq(sinew_clip_file_open_memory(NULL, 0, NULL, NULL, &file, &error), SYNTAX);
  cr_expect_eq(sinew_clip_file_open_memory("x", 1, NULL, NULL, &file, NULL), SYNTAX);
  cr_expect_eq(sinew_clip_file_open(NULL, NULL, &file, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_eq(sinew_clip_file_open("/no/such/file", NULL, &file, &error), SINEW_ERROR_IO);
  cr_expect_str_eq(error.path, "/no/such/file");
  sinew_clip_file_close(NULL);
}
