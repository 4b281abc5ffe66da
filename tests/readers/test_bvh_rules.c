/* What a BVH may look like, rule by rule: what is read of it and what is told. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "read/motion_reader.h"
#include "readers/made_bvh.h"
#include "readers/text.h"

static motion_file *read_text(const char *bytes, size_t length) {
  motion_file *file;
  sinew_error error = {0};
  char line[1024];
  guarded g = guard_bytes(bytes, length);
  const sinew_result result = read_motion_memory(g.bytes, g.length, "made.bvh", NULL, &file, &error);
  guard_free(&g);
  cr_assert(result == SINEW_OK, "%s in: %s", sinew_error_text(&error, line, sizeof line), bytes);
  return file;
}

static motion_file *read_and_free(text t) {
  motion_file *file = read_text(t.bytes, t.length);
  text_free(&t);
  return file;
}

static bool warns(const motion_file *file, const char *words) {
  for (uint32_t i = 0; i < file->skeleton->warning_count; i++)
    if (strstr(file->skeleton->warnings[i], words)) return true;
  return false;
}

/* The only warning, or none. */
static void expect_warning(const motion_file *file, const char *words) {
  cr_expect_eq(file->skeleton->warning_count, words ? 1u : 0u, "%u warnings, the first: %s",
               file->skeleton->warning_count,
               file->skeleton->warning_count ? file->skeleton->warnings[0] : "");
  if (words) cr_expect(warns(file, words), "'%s' lacks '%s'", file->skeleton->warnings[0], words);
}

static void expect_base_rows(const motion_file *file) {
  static const float rows[27] = {0,    90,     0,      1.5f, -2.25f, 3, 0, 10.125f, -4,
                                 0.5f, 90.25f, 0,      2,    -2.5f,  3, 0, 11,      -4.5f,
                                 1,    90.5f,  0.125f, 2.5f, -2.75f, 3, 0, 12,      -5};
  cr_assert_eq(file->motion_count, 1u);
  const motion *m = file->motions;
  cr_assert(m->frame_count == 3 && m->channel_count == 9, "%llu frames of %u",
            (unsigned long long)m->frame_count, m->channel_count);
  cr_expect(memcmp(m->rows, rows, sizeof rows) == 0);
  cr_expect_eq(m->rate_hz, 30);
  cr_expect(m->start_s == 0 && m->stop_s == 2 / 30.0);
}

/* The base's skeleton, its names but one apart. */
static void expect_base_nodes(const motion_file *file, const char *chest) {
  const skeleton *s = file->skeleton;
  cr_assert_eq(s->node_count, 3u);
  cr_expect_str_eq(s->kind, "bvh");
  cr_expect_str_eq(s->nodes[1].name, chest);
  cr_expect(s->nodes[0].is_joint && s->nodes[1].is_joint && !s->nodes[2].is_joint);
  cr_expect(s->unit_m == 0 && s->node_of_bone[0] == -1 && s->node_of_bone[HUMAN_BONE_COUNT - 1] == -1);
  for (uint32_t i = 0; i < 3; i++) {
    const skeleton_node *node = &s->nodes[i];
    cr_expect(node->parent == (int32_t)i - 1 && node->source_index == i && !node->has_bind);
    cr_expect(node->q[0] == 0 && node->q[3] == 1 && node->s[0] == 1 && node->s[1] == 1 && node->s[2] == 1);
  }
  cr_expect(s->nodes[0].t[1] == 90 && s->nodes[1].t[1] == 12.5 && s->nodes[1].t[2] == 0.25 &&
            s->nodes[2].t[1] == 20);
}

/* `base` with each `from` replaced. */
static text with(const char *base, const char *from, const char *to) {
  text t = {0};
  for (const char *at; (at = strstr(base, from)); base = at + strlen(from)) {
    text_add(&t, "%.*s%s", (int)(at - base), base, to);
  }
  text_add(&t, "%s", base);
  return t;
}

static void expect_same(text t, const char *warning) {
  motion_file *file = read_and_free(t);
  expect_base_nodes(file, "Chest");
  expect_base_rows(file);
  expect_warning(file, warning);
  motion_file_close(file);
}

/* ---- layout ------------------------------------------------------------------------------------------- */

Test(bvh_rules, the_base) {
  expect_same(with(made_bvh_base, "\r", ""), NULL);
}

Test(bvh_rules, white_space_and_line_ends) {
  expect_same(text_crlf(made_bvh_base), NULL);
  expect_same(with(made_bvh_base, "\n", "\r"), NULL);
  expect_same(with(made_bvh_base, "}\n", "}\r\n"), NULL);
  expect_same(with(made_bvh_base, "\n", " \t \n"), NULL);
  expect_same(with(made_bvh_base, "\n", "\n\n"), NULL);
  expect_same(with(made_bvh_base, " ", "\t"), NULL);
  expect_same(with(made_bvh_base, " ", "   "), NULL);
  expect_same(with(made_bvh_base, "HIERARCHY", "\xef\xbb\xbfHIERARCHY"), NULL);
  expect_same(with(made_bvh_base, "HIERARCHY", "\n\n HIERARCHY"), NULL);
  expect_same(with(made_bvh_base, "-5\n", "-5"), NULL);
}

Test(bvh_rules, any_layout) {
  expect_same(with(made_bvh_base, "\n{", " {"), NULL);
  expect_same(with(made_bvh_base, "\n  {", "{"), NULL);
  text head = with(made_bvh_base, "MOTION", "\x01");
  char *rows = strchr(head.bytes, 1), *p;
  for (p = head.bytes; p < rows; p++) /* all of the hierarchy in a line */
    if (*p == '\n') *p = ' ';
  expect_same(with(head.bytes, "\x01", "MOTION"), NULL);
  text_free(&head);
  expect_same(with(made_bvh_base, "JOINT Chest", "JOINT\n\n Chest"), NULL);
  expect_same(with(made_bvh_base, "OFFSET 0 12.5", "OFFSET\n0\n12.5"), NULL);
  expect_same(with(made_bvh_base, "CHANNELS 3 Zrotation", "CHANNELS\n3\nZrotation"), NULL);
  expect_same(with(made_bvh_base, "}\n  }\n}\n", "}}}"), NULL);
}

Test(bvh_rules, keywords_in_any_case) {
  text t = with(made_bvh_base, "\r", "");
  for (char *p = t.bytes; *p; p++)
    if (*p >= 'A' && *p <= 'Z' && strncmp(p, "Hips", 4) != 0 && strncmp(p, "Chest", 5) != 0)
      *p = (char)(*p + 32);
  expect_same(t, NULL);
  expect_same(with(made_bvh_base, "rotation", "ROTATION"), NULL);
  expect_same(with(made_bvh_base, "Xposition", "xPosition"), NULL);
}

/* ---- names -------------------------------------------------------------------------------------------- */

static void expect_name(const char *written, const char *name, const char *warning) {
  motion_file *file = read_and_free(with(made_bvh_base, "Chest", written));
  expect_base_nodes(file, name);
  expect_base_rows(file);
  expect_warning(file, warning);
  motion_file_close(file);
}

Test(bvh_rules, names) {
  expect_name("mixamorig:Spine", "mixamorig:Spine", NULL);
  expect_name("Bip01 L Thigh", "Bip01 L Thigh", NULL);
  expect_name("  a.b \t ", "a.b", NULL);
  expect_name("\xe4\xb8\x8a\xe5\x8d\x8a\xe8\xba\xab", "\xe4\xb8\x8a\xe5\x8d\x8a\xe8\xba\xab", NULL);
  expect_name("Hips", "Hips", NULL); /* as its parent */
  expect_name("JOINT", "JOINT", NULL);
  expect_name("OFFSET 1 2 3", "OFFSET 1 2 3", NULL);
  expect_name("", "", "line 6: this joint has no name");
  expect_name("a\xff\x62\xc3", "a\xef\xbf\xbd\x62\xef\xbf\xbd", "line 6: this name is not UTF-8");
}

Test(bvh_rules, end_sites) {
  static const char *const ends[] = {"End Site\t", "end site", "END  SITE", "EndSite", "End_Site", "End"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    expect_same(with(made_bvh_base, "End Site", ends[i]), NULL);
  motion_file *file = read_and_free(with(made_bvh_base, "End Site", "End Site top of it"));
  cr_expect_str_eq(file->skeleton->nodes[2].name, "top of it");
  cr_expect_not(file->skeleton->nodes[2].is_joint);
  motion_file_close(file);
  file = read_and_free(text_edit(made_bvh_base, 10, 13, ""));
  cr_expect_eq(file->skeleton->node_count, 2u);
  expect_base_rows(file);
  expect_warning(file, NULL);
  motion_file_close(file);
}

/* ---- joints and channels ------------------------------------------------------------------------------ */

static motion_file *with_channels(const char *line, const char *rows) {
  text t = text_edit(made_bvh_base, 9, 9, line), whole = {0};
  text_add(&whole, "%.*s%s", (int)(strstr(t.bytes, "Frame Time") - t.bytes), t.bytes, "Frame Time: 0.04\n");
  text_add(&whole, "%s", rows);
  text_free(&t);
  return read_and_free(whole);
}

static void expect_channels(const char *line, const char *rows, const uint8_t *kinds, uint32_t count,
                            const char *warning) {
  motion_file *file = with_channels(line, rows);
  cr_assert_eq(file->channel_count, 6 + count);
  cr_assert_eq(file->motions->channel_count, 6 + count);
  for (uint32_t c = 0; c < count; c++) {
    cr_expect_eq(file->channels[6 + c].node, 1u);
    cr_expect_eq(file->channels[6 + c].kind, kinds[c], "channel %u", c);
    cr_expect_eq(file->motions->rows[6 + c], 7.5f + (float)c);
  }
  cr_expect(file->motions->frame_count == 1 && file->motions->rate_hz == 25);
  cr_expect(warns(file, "Frames states 3, but 1 row follows"));
  cr_expect_eq(file->skeleton->warning_count, warning ? 2u : 1u);
  if (warning) cr_expect(warns(file, warning));
  motion_file_close(file);
}

Test(bvh_rules, none_to_six_channels_in_any_order) {
  enum { XP = MOTION_X_POSITION, YP, ZP, XR, YR, ZR };
  expect_channels("CHANNELS 0\n", "1 2 3 4 5 6\n", NULL, 0, NULL);
  expect_channels("", "1 2 3 4 5 6\n", NULL, 0, "line 13: this joint states no CHANNELS");
  expect_channels("CHANNELS 1 Yrotation\n", "1 2 3 4 5 6 7.5\n", (uint8_t[]){YR}, 1, NULL);
  expect_channels("CHANNELS 2 Zrotation Xposition\n", "1 2 3 4 5 6 7.5 8.5\n", (uint8_t[]){ZR, XP}, 2, NULL);
  expect_channels("CHANNELS 6 Zrotation Yrotation Xrotation Zposition Xposition Yposition\n",
                  "1 2 3 4 5 6 7.5 8.5 9.5 10.5 11.5 12.5\n", (uint8_t[]){ZR, YR, XR, ZP, XP, YP}, 6, NULL);
  expect_channels("CHANNELS 3 Zrotation Xrotation Zrotation\n", "1 2 3 4 5 6 7.5 8.5 9.5\n",
                  (uint8_t[]){ZR, XR, ZR}, 3, NULL);
}

Test(bvh_rules, several_roots) {
  text t = text_edit(made_bvh_base, 16, 15, "ROOT Prop {\n OFFSET 1 2 3\n CHANNELS 1 Xposition\n}\n");
  text rows = {0};
  text_add(&rows, "%.*s%s", (int)(strstr(t.bytes, "0 90 0 1.5") - t.bytes), t.bytes, "");
  for (int f = 0; f < 3; f++) text_add(&rows, "0 90 0 1.5 -2.25 3 0 10.125 -4 %d\n", f);
  text_free(&t);
  motion_file *file = read_and_free(rows);
  cr_assert(file->skeleton->node_count == 4 && file->channel_count == 10 && file->motions->frame_count == 3);
  cr_expect(file->skeleton->nodes[3].parent == -1 && file->skeleton->nodes[3].t[2] == 3);
  cr_expect(file->channels[9].node == 3 && file->channels[9].kind == MOTION_X_POSITION);
  cr_expect_eq(file->motions->rows[29], 2.0f);
  expect_warning(file, NULL);
  motion_file_close(file);
}

Test(bvh_rules, offsets) {
  motion_file *file = read_and_free(with(made_bvh_base, "OFFSET 0 12.5 0.25", "OFFSET 1.5-2e-3+.25"));
  const double *t = file->skeleton->nodes[1].t;
  cr_expect(t[0] == 1.5 && t[1] == -2e-3 && t[2] == 0.25);
  expect_warning(file, NULL);
  motion_file_close(file);
  file = read_and_free(text_edit(made_bvh_base, 8, 8, ""));
  cr_expect(file->skeleton->nodes[1].t[1] == 0);
  expect_warning(file, "this block ends without an OFFSET");
  motion_file_close(file);
  text t1 = with(made_bvh_base, "OFFSET 0 12.5 0.25", "OFFSET 0 0 0");
  file = read_and_free(with(t1.bytes, "OFFSET 0 20 0", "OFFSET 0 0 0"));
  expect_base_rows(file);
  expect_warning(file, "every OFFSET below the root is 0");
  motion_file_close(file);
  text_free(&t1);
  file = read_and_free(with(made_bvh_base,
                            "    OFFSET 0 12.5 0.25\n    CHANNELS 3 Zrotation Xrotation Yrotation\n",
                            "    CHANNELS 3 Zrotation Xrotation Yrotation\n    OFFSET 0 12.5 0.25\n"));
  expect_base_nodes(file, "Chest");
  expect_base_rows(file);
  motion_file_close(file);
}

/* ---- the head of the motion --------------------------------------------------------------------------- */

Test(bvh_rules, the_head_in_other_words) {
  static const char *const counts[] = {"Frames:3",   "Frames:\t3",  "frames : 3", "FRAMES 3",
                                       "Frames:  3", "Frames: 3.0", "Frames: +3", "\nFrames: 3\n"};
  static const char *const times[] = {"Frame Time:0.0333333",    "Frame Time:\t.0333333",
                                      "FrameTime: 0.0333333",    "frame time: 0.0333333",
                                      "Frame  Time : 0.0333333", "FRAME_TIME: 0.0333333"};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    expect_same(with(made_bvh_base, "Frames: 3", counts[i]), NULL);
  for (size_t i = 0; i < sizeof times / sizeof *times; i++)
    expect_same(with(made_bvh_base, "Frame Time: 0.0333333", times[i]), NULL);
  expect_same(with(made_bvh_base, "Frames: 3\nFrame Time: 0.0333333\n", "Frame Time: 0.0333333\nFrames: 3\n"),
              NULL);
  expect_same(with(made_bvh_base, "Frames: 3\n", ""), NULL);
  expect_same(with(made_bvh_base, "Frame Time: 0.0333333\n", ""),
              "no Frame Time is stated: 30 frames a second");
  expect_same(with(made_bvh_base, "Frames: 3\nFrame Time: 0.0333333\n", ""), "no Frame Time is stated");
}

Test(bvh_rules, rates) {
  static const struct {
    const char *written;
    double rate_hz;
    const char *warning;
  } rates[] = {
      {"0.0333333", 30, NULL},
      {"0.033333", 30, NULL},
      {".0333", 30, NULL},
      {"0.03333333333333333", 30, NULL},
      {"0.0083333", 120, NULL},
      {"0.008333", 120, NULL},
      {".0083333", 120, NULL},
      {"0.016667", 60, NULL},
      {"0.0166667", 60, NULL},
      {"0.04", 25, NULL},
      {"0.041667", 24, NULL},
      {"0.025000", 40, NULL},
      {"0.010000", 100, NULL},
      {"0.01", 100, NULL},
      {"0.03", 1 / 0.03, NULL},
      {"0.0333667", 30 / 1.001, NULL},
      {"0.041708", 24 / 1.001, NULL},
      {"1.00000000", 1, NULL},
      {"1", 1, NULL},
      {"0.5", 2, NULL},
      {"1.5", 1 / 1.5, NULL},
      {"4e-2", 25, NULL},
      {"3.33333e-2", 1 / 3.33333e-2, NULL},
      {"30", 30, "taken as frames per second"},
      {"120.0", 120, "taken as frames per second"},
      {"0.000001", 1e6, NULL},
  };
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
    motion_file *file = read_and_free(with(made_bvh_base, "0.0333333", rates[i].written));
    cr_expect(fabs(file->motions->rate_hz - rates[i].rate_hz) <= 1e-12 * rates[i].rate_hz, "%s gives %.17g",
              rates[i].written, file->motions->rate_hz);
    cr_expect_eq(file->motions->stop_s, 2 / file->motions->rate_hz);
    expect_warning(file, rates[i].warning);
    motion_file_close(file);
  }
}

/* ---- rows --------------------------------------------------------------------------------------------- */

Test(bvh_rules, more_or_fewer_rows_than_stated) {
  expect_same(with(made_bvh_base, "Frames: 3", "Frames: 10"), "Frames states 10, but 3 rows follow");
  expect_same(with(made_bvh_base, "Frames: 3", "Frames: 1000000000000000"), "but 3 rows follow");
  expect_same(with(made_bvh_base, "Frames: 3", "Frames: 0"),
              "Frames states 0, but 3 rows follow: they are read");
  expect_same(with(made_bvh_base, "12 -5\n", "12 -5\n1 2 3 4 5 6 7 8 9\n"),
              "the lines go on: 1 more is left out");
  expect_same(with(made_bvh_base, "12 -5\n", "12 -5\n\x1a"), "the lines go on: 1 more is left out");
  expect_same(with(made_bvh_base, "12 -5\n", "12 -5\nx\ny\n\n"), "the lines go on: 2 more are left out");
}

static void expect_cut(const char *tail, const char *first, const char *second) {
  text t = with(made_bvh_base, "Frames: 3", "Frames: 5");
  motion_file *file = read_and_free(with(t.bytes, "12 -5\n", tail));
  cr_expect(file->skeleton->warning_count == 2 && warns(file, first) && warns(file, second));
  motion_file_close(file);
  text_free(&t);
}

Test(bvh_rules, rest_alone) {
  motion_file *file = read_and_free(text_edit(made_bvh_base, 16, 21, ""));
  cr_expect(file->motion_count == 0 && file->channel_count == 9);
  expect_base_nodes(file, "Chest");
  expect_warning(file, NULL);
  motion_file_close(file);
  text t = with(made_bvh_base, "Frames: 3", "Frames: 0");
  file = read_and_free(text_edit(t.bytes, 19, 21, ""));
  cr_expect(file->motion_count == 1 && file->motions->frame_count == 0 && file->motions->stop_s == 0);
  expect_warning(file, NULL);
  motion_file_close(file);
  text_free(&t);
  file = read_and_free(text_edit(made_bvh_base, 19, 21, ""));
  cr_expect(file->motion_count == 1 && file->motions->frame_count == 0);
  expect_warning(file, "Frames states 3, but 0 rows follow");
  motion_file_close(file);
  static const char still[] =
      "HIERARCHY ROOT a { OFFSET 0 1 0 JOINT b { OFFSET 1 0 0 CHANNELS 0 } CHANNELS 0 } MOTION\n"
      "Frames: 2\nFrame Time: 1\n\n\n";
  file = read_text(still, sizeof still - 1);
  cr_expect(file->motions->frame_count == 0 && file->channel_count == 0);
  expect_warning(file, "no joint has channels");
  motion_file_close(file);
}

Test(bvh_rules, rows_in_other_lines) {
  static const char words[] = "frames and lines differ";
  expect_same(with(made_bvh_base, "1.5 -2.25", "1.5\n-2.25"), words);
  text t = with(made_bvh_base, "\r", "");
  for (char *p = strstr(t.bytes, "0 90 0"); *p; p++)
    if (*p == '\n') *p = ' ';
  expect_same(t, words);
  expect_same(with(made_bvh_base, "0.0333333\n", "0.0333333 "), NULL);
  expect_cut("12 -5\n1 2 3 4 5", "ends in the middle of a row: its 5 values", "but 3 rows follow");
  expect_cut("12 -5\n1 2 3 4 5 6 7 8 9\n1", "ends in the middle of a row: its 1 values", "but 4 rows follow");
}

Test(bvh_rules, numbers_that_touch) {
  expect_same(with(made_bvh_base, "1.5 -2.25 3", "1.5-2.25+3"), NULL);
  expect_same(with(made_bvh_base, " -", "-"), NULL);
}

/* ---- limits ------------------------------------------------------------------------------------------- */

static void expect_limit(sinew_read_options limits, sinew_result code, const char *words) {
  motion_file *file;
  sinew_error error = {0};
  cr_expect_eq(read_motion_memory(made_bvh_base, sizeof made_bvh_base - 1, NULL, &limits, &file, &error),
               code);
  cr_expect(words == NULL || strstr(error.message, words), "%s", error.message);
  cr_expect_eq(file == NULL, code != SINEW_OK);
  motion_file_close(file);
}

Test(bvh_rules, limits) {
  expect_limit((sinew_read_options){.depth = 3,
                                    .nodes = 3,
                                    .curves = 9,
                                    .keys = 27,
                                    .name_bytes = 5,
                                    .file_bytes = sizeof made_bvh_base - 1,
                                    .memory_bytes = 300000},
               SINEW_OK, NULL);
  expect_limit((sinew_read_options){.depth = 2}, SINEW_ERROR_LIMIT, "more than 2 joints deep, the limit");
  expect_limit((sinew_read_options){.nodes = 2}, SINEW_ERROR_LIMIT, "more than 2 joints, the limit");
  expect_limit((sinew_read_options){.curves = 8}, SINEW_ERROR_LIMIT, "more than 8 channels, the limit");
  expect_limit((sinew_read_options){.keys = 26}, SINEW_ERROR_LIMIT, "more than 26 values, the limit");
  expect_limit((sinew_read_options){.keys = 8}, SINEW_ERROR_LIMIT, "more than 8 values, the limit");
  expect_limit((sinew_read_options){.name_bytes = 4}, SINEW_ERROR_LIMIT, "a name of 5 bytes, the limit is 4");
  expect_limit((sinew_read_options){.file_bytes = sizeof made_bvh_base - 2}, SINEW_ERROR_LIMIT,
               "the limit is");
  expect_limit((sinew_read_options){.memory_bytes = 1000}, SINEW_ERROR_MEMORY,
               "past the limit of 1000 bytes");
  expect_limit((sinew_read_options){.memory_bytes = 70000}, SINEW_ERROR_MEMORY,
               "past the limit of 70000 bytes");
}

/* Rows take what the text has room for, whatever `Frames:` claims. */
Test(bvh_rules, a_claim_takes_no_memory) {
  text t = with(made_bvh_base, "Frames: 3", "Frames: 9007199254740992");
  const sinew_read_options limits = {.memory_bytes = 300000};
  motion_file *file;
  cr_expect_eq(read_motion_memory(t.bytes, t.length, NULL, &limits, &file, NULL), SINEW_OK);
  cr_expect_eq(file->motions->frame_count, 3u);
  motion_file_close(file);
  text_free(&t);
}

Test(bvh_rules, calls) {
  motion_file *file = (motion_file *)1;
  sinew_error error = {0};
  cr_expect_eq(read_motion_memory(NULL, 1, NULL, NULL, &file, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_null(file);
  cr_expect_eq(read_motion_memory("x", 1, NULL, NULL, NULL, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_eq(read_motion_memory("x", 1, NULL, NULL, &file, &error), SINEW_ERROR_UNSUPPORTED);
  cr_expect_eq(read_motion_file("/nowhere/a.bvh", NULL, &file, &error), SINEW_ERROR_IO);
  cr_expect_eq(read_motion_file(NULL, NULL, &file, &error), SINEW_ERROR_ARGUMENT);
  motion_file_close(NULL);
}

/* ---- what callers see --------------------------------------------------------------------------------- */

Test(bvh_rules, the_public_handle) {
  sinew_bvh *bvh;
  sinew_error error = {0};
  sinew_bvh_info info;
  sinew_bvh_node node;
  cr_assert_eq(sinew_bvh_open_memory(made_bvh_base, sizeof made_bvh_base - 1, NULL, NULL, &bvh, &error),
               SINEW_OK);
  sinew_bvh_get_info(bvh, &info);
  cr_expect(info.byte_count == sizeof made_bvh_base - 1 && info.node_count == 3 && info.joint_count == 2);
  cr_expect(info.root_count == 1 && info.depth == 3 && info.channel_count == 9 && info.warning_count == 0);
  cr_expect(info.has_motion && info.frame_count == 3 && info.rate_hz == 30 && info.duration_s == 2 / 30.0);
  cr_expect(info.rest_size[0] == 0 && info.rest_size[1] == 32.5 && info.rest_size[2] == 0.25);
  cr_assert(sinew_bvh_get_node(bvh, 1, &node));
  cr_expect_str_eq(node.name, "Chest");
  cr_expect(node.parent == 0 && node.depth == 1 && !node.end_site && node.offset[1] == 12.5);
  cr_expect(node.first_channel == 6 && node.channel_count == 3 && node.channels[0] == SINEW_BVH_Z_ROTATION &&
            node.channels[1] == SINEW_BVH_X_ROTATION && node.channels[2] == SINEW_BVH_Y_ROTATION);
  cr_assert(sinew_bvh_get_node(bvh, 2, &node));
  cr_expect(node.end_site && node.channel_count == 0 && node.name[0] == 0 && node.depth == 2);
  cr_expect_not(sinew_bvh_get_node(bvh, 3, &node));
  cr_assert(sinew_bvh_row(bvh, 2) && !sinew_bvh_row(bvh, 3));
  cr_expect(sinew_bvh_row(bvh, 1) == sinew_bvh_row(bvh, 0) + 9 && sinew_bvh_row(bvh, 2)[8] == -5);
  cr_expect_null(sinew_bvh_warning(bvh, 0));
  sinew_bvh_close(bvh);
}
