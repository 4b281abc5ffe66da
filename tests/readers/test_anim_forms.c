/* Small sound clips in unusual forms. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clip/clip.h"
#include "readers/made_anim.h"

#define SYNTAX SINEW_ERROR_SYNTAX

static sinew_result open_text(const text *t, sinew_clip_file **file, sinew_error *error) {
  guarded g = guard_bytes(t->bytes, t->length);
  sinew_result result = sinew_clip_file_open_memory(g.bytes, g.length, "made.anim", NULL, file, error);
  guard_free(&g);
  return result;
}

/* The column is of the value, the byte counts from the file's start. */
Test(anim_forms, place_of_an_error) {
  text t = text_edit(made_anim_base, 16, 16, "        value: abc\n");
  sinew_clip_file *file;
  sinew_error error;
  char line[400];
  cr_assert_eq(open_text(&t, &file, &error), SYNTAX);
  cr_expect_eq(error.column, 16);
  cr_expect_eq(error.byte, (uint64_t)(strstr(t.bytes, "abc") - t.bytes));
  cr_expect_str_eq(sinew_error_text(&error, line, sizeof line),
                   "made.anim:16:16: value is 'abc', expected a number");
  text_free(&t);
}

/* ---- unusual but sound ------------------------------------------------------------------------------------
 */

typedef struct form {
  int first, last; /* lines of the base that `lines` replaces; last < first: put before first */
  const char *lines;
  const char *what;
} form;

static sinew_clip_file *open_edit(const char *base, int first, int last, const char *lines) {
  text t = text_edit(base, first, last, lines);
  sinew_clip_file *file = NULL;
  sinew_error error = {0};
  sinew_result result = open_text(&t, &file, &error);
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
  static const form forms[] = {
      {71, 70, "", "as it is"},
      {1, 1, "\xef\xbb\xbf%YAML 1.1\n", "byte order mark"},
      {1, 2, "", "no directives"},
      {1, 1, "# made by hand\n\n%YAML 1.1\n", "comment first"},
      {70, 70, "  m_Events: []", "no line end at the end"},
      {55, 55, "  m_SampleRate: 30 # Hz\n\n   \n\t\n  # more\n", "comments and empty lines"},
      {6, 6, "  m_Name: 'Walk'\n", "single quotes"},
      {6, 6, "  m_Name: \"W\\x61\\u006c\\U0000006b\"\n", "double quotes"},
      {6, 6, "  m_Name: \"Wa\\\n    lk\"\n", "an escaped line break"},
      {6, 6, "  m_Name:\n    Walk\n", "name on the next line"},
      {6, 6, "  'm_Name': Walk\n", "a quoted key"},
      {6, 6, "  m_Name: Walk # not the name\n", "comment behind the name"},
      {38, 38, "    script: {fileID: 115, guid: 0123,\n      type: 3}\n", "a flow map over lines"},
      {32, 34, "", "no infinities"},
      {32, 32, "      m_PreInfinity: 7\n", "an unknown infinity"},
      {54, 54, "  m_MuscleClip:\n    m_Clip:\n      m_SampleRate: 99\n    m_Deep:\n    - - - - x\n",
       "unknown blocks"},
      {54, 54, "  m_New: |\n    m_SampleRate: 1\n     anything: 'goes\n", "a block text"},
      {23, 23, "      -\n        serializedVersion: 3\n", "a dash alone on its line"},
      {19, 19, "        tangentMode: -559038737\n", "tangent garbage"},
      {22, 22, "        outWeight: 77\n", "a weight that is not used"},
      {22, 22, "        outWeight: 0\n        later: {a: 1}\n", "an unknown part of a key"},
      {46, 46, "        outSlope: NaN\n", "a slope that is no number"},
      {36, 36, "    path: ''\n", "a quoted empty path"},
      {36, 36, "    path: null\n", "a null path"},
      {36, 36, "    path: ~ # none\n", "a null path by its sign"},
      {36, 36, "    path:\n      NULL\n", "a null path on the next line"},
      {39, 39,
       "  - curve:\n      m_Curve:\n      - {time: 0, value: 1, inSlope: 0, outSlope: 0}\n"
       "    attribute: RootT.y\n    path: 'null'\n    classID: 95\n"
       "  - curve:\n      m_Curve:\n      - {time: bad\n    attribute: RootT.y\n    path: nulls\n    "
       "classID: 95\n"
       "  - curve:\n",
       "Animators below whose names look like nulls"},
      {14, 22,
       "      - {serializedVersion: 3, time: 0, value: 0.25, inSlope: 1, outSlope: 1, tangentMode: 136,\n"
       "        weightedMode: 0, inWeight: 0.33333334, outWeight: 0.33333334}\n",
       "a key in braces"},
      {23, 31,
       "      -   { outWeight: 0.4 , 'inWeight' :0.2, other: [{a: b}, '}'], weightedMode: 3,outSlope: "
       "Infinity #\n"
       "# a comment\n\n  , inSlope: 0, value\n: 0.75, \"time\":\n0.5, } # a key\n",
       "a key in braces of another hand"},
      {42, 47, "      -\n        {time: 0, value: -0.5, inSlope: 0, outSlope: 0}\n", "braces below the dash"},
      {39, 39, "  - serializedVersion: 2\n    curve:\n", "the newer first line"},
      {3, 3, "--- !u!114 &1\nMonoBehaviour:\n  a: [1\n--- !u!74 &2 stripped\n--- !u!74 &7400000\n",
       "other documents"},
      {71, 70, "--- !u!114 &1\nMonoBehaviour:\n  {{{ : :\n", "a document behind"},
      {71, 70, "...\n", "an end mark"},
      {3, 3, "--- &7400000 !u!74\n", "the anchor before the tag"},
      {3, 3, "---   &7400000\t!u!74   # a clip\n", "blanks and a comment behind the mark"},
      {3, 3, "--- !<tag:unity3d.com,2011:74> &7400000\n", "the whole tag"},
      {3, 3, "--- &7400000 !<tag:unity3d.com,2011:74>\n", "the whole tag behind the anchor"},
      {3, 3, "--- !u!74\n", "no anchor"},
      {3, 3,
       "--- &1 !<tag:unity3d.com,2011:74> stripped\n--- &2 !u!74 stripped\n--- !u!7x &3\nx: 1\n"
       "--- !<tag:unity3d.com,2011:7> &4\nx: 1\n--- &!u!74\nx: 1\n--- &7400000 !u!74\n",
       "other documents in both forms"},
      {6, 6, "  m_Name : Walk\n", "a blank before a colon"},
      {55, 55, "  m_SampleRate \t :  30\n", "blanks before a colon"},
      {65, 68, "    m_StartTime : 0\n    m_StopTime : 0.5\n    m_LoopTime\t: 1\n    m_Mirror : 0\n",
       "blanks before the settings' colons"},
      {24, 25, "        time : 0.5\n        value : 0.75\n", "blanks before the colons of a key"},
      {35, 35, "    attribute : RootT.y\n", "a blank before an attribute's colon"},
      {6, 6, "  'm_Name'  : Walk\n", "a blank behind a quoted key"},
      {39, 39,
       "  - curve:\n      m_Curve: []\n    attribute: Jaw Close\n    path: \n    classID: 95\n  - curve:\n",
       "no keys"},
      {39, 39,
       "  - curve:\n      m_Curve:\n      - time: bad\n        x: y\n    attribute: blendShape.A\n    path: "
       "Face\n"
       "    classID: 137\n  - curve:\n",
       "faults in a curve of another component"},
      {39, 39,
       "  - curve:\n      m_Curve:\n      - time: 0\n        value: 1\n        inSlope: 0\n        outSlope: "
       "0\n"
       "    attribute: RootT.y\n    path: Other\n    classID: 95\n  - curve:\n",
       "an Animator below"},
      {69, 69, "  m_EditorCurves:\n  - broken\n  - curve: {{\n", "editor curves are not looked at"},
  };
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
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
  cr_expect_eq(open_text(&cut, &file, &error), SYNTAX);
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
      {"  m_Name: \"a\n\n    b\n \n\n    c\"\n", "a\nb\n\nc"},
      {"  m_Name: \"a\\\n\n    b\"\n", "a\nb"},
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
