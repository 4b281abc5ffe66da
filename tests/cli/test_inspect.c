/* `sinew inspect` as a user runs it: lines and objects, several files, files that are none of its kinds,
 * names that would play tricks on a terminal. */
#include "cli_run.h"
#include "inspect/made_clip.h"
#include "inspect/made_glb.h"
#include "support/data.h"
#include "support/keep.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *kept_objects;

static void enter(void) {
  cli_enter();
  kept_objects = json_array();
}

static void leave(void) {
  json_decref(kept_objects);
  cli_leave();
}

TestSuite(inspect, .init = enter, .fini = leave);

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- helpers ------------------------------------------------------------------------------------------ */

/* Line `index` of the output as an object that lives until the test ends. */
static const json_t *object_at(cli_run run, size_t index) {
  const char *line = run.out;
  for (size_t i = 0; i < index && line; i++) line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
  cr_assert(line && *line, "line %zu of: %s", index, run.out);
  json_error_t reason;
  json_t *object = json_loadb(line, strcspn(line, "\n"), JSON_REJECT_DUPLICATES, &reason);
  cr_assert(object, "%s: %s", reason.text, line);
  json_array_append_new(kept_objects, object);
  return object;
}

static double number(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  cr_assert(json_is_number(value), "%s is no number", key);
  return json_number_value(value);
}

static const char *text(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  return json_is_string(value) ? json_string_value(value) : "(no string)";
}

static void expect_line(cli_run run, const char *line) {
  cr_expect(strstr(run.out, line), "'%s' expected in:\n%s", line, run.out);
}

static void put_bytes(const char *path, const void *bytes, size_t count) {
  FILE *file = fopen(path, "wb");
  cr_assert(file && fwrite(bytes, 1, count, file) == count && fclose(file) == 0);
}

static void put_glb(const char *path, made_glb glb) {
  put_bytes(path, glb.bytes, glb.byte_count);
}

/* ---- clips -------------------------------------------------------------------------------------------- */

Test(inspect, the_sample_clip_in_lines) {
  const cli_run run = cli("inspect", sample_clip(), NULL);
  cr_expect_eq(run.code, 0);
  cr_expect_str_eq(run.err, "");
  expect_line(run, ": 1 humanoid clip, ");
  expect_line(run, "\nclip walk\n");
  expect_line(run, "  frames          33 at 30 per second\n");
  expect_line(
      run, "  curves          130: 95 muscles, 7 root, 28 goals, 0 motion, 0 TDoF, 0 foreign; 40 constant\n");
  expect_line(run, "  missing         nothing\n");
  expect_line(run, "sampled over 33 frames at 30 per second\n");
  cr_expect_null(strstr(run.out, "least key"), "no table unless -v");
  const cli_run more = cli("inspect", "-v", sample_clip(), NULL);
  cr_expect_eq(line_count(more.out), line_count(run.out) + 1 + 130);
  expect_line(more, "\n    LeftHand.Index.1 Stretched      muscle");
  /* no line ends in blanks */
  cr_expect_null(strstr(more.out, " \n"));
}

/* What the program says of the sample is what the library measures. */
Test(inspect, the_sample_clip_as_an_object) {
  const json_t *object = object_at(cli("inspect", "--json", "--fps", "120", sample_clip(), NULL), 0);
  cr_expect_str_eq(text(object, "sinew"), sinew_version());
  cr_expect_str_eq(text(object, "holds"), "clip");
  cr_expect_str_eq(text(object, "input"), sample_clip());
  cr_expect(number(object, "inspect") == 1 && json_is_true(json_object_get(object, "ok")));
  size_t byte_count;
  free(test_read_file(sample_clip(), &byte_count));
  cr_expect_eq(number(object, "bytes"), (double)byte_count);
  const json_t *clip = json_array_get(json_object_get(object, "clips"), 0);
  const json_t *sampled = json_object_get(clip, "sampled"), *muscles = json_object_get(sampled, "muscles");

  sinew_context *context;
  sinew_clip_file *file;
  sinew_clip_ranges ranges;
  sinew_clip_info info;
  cr_assert_eq(sinew_context_open(NULL, &context, NULL), SINEW_OK);
  cr_assert_eq(sinew_clip_file_open(sample_clip(), NULL, &file, NULL), SINEW_OK);
  const sinew_clip *opened = sinew_clip_file_clip(file, 0);
  cr_assert_eq(sinew_clip_measure(context, opened, 120, &ranges, NULL), SINEW_OK);
  sinew_clip_get_info(opened, &info);
  cr_expect(number(clip, "frames") == 33 && number(clip, "fps") == 30 &&
            number(clip, "keys") == (double)info.key_count);
  cr_expect(fabs(number(clip, "durationS") - (info.stop_s - info.start_s)) < 1e-9);
  cr_expect(number(sampled, "fps") == 120 && number(sampled, "frames") == 129);
  cr_expect_eq(number(sampled, "framesBeyond"), (double)ranges.frames_beyond);
  cr_assert_eq(json_array_size(muscles), (size_t)SINEW_MUSCLE_COUNT);
  for (uint32_t i = 0; i < SINEW_MUSCLE_COUNT; i++) {
    const json_t *row = json_array_get(muscles, i);
    cr_expect_str_eq(text(row, "muscle"), sinew_muscle_name(i));
    cr_expect(fabs(number(row, "least") - ranges.muscles[i].least) < 1e-12 &&
              fabs(number(row, "most") - ranges.muscles[i].most) < 1e-12);
    cr_expect_eq(number(row, "framesBeyond"), (double)ranges.muscles[i].frames_beyond);
  }
  cr_expect_eq(number(json_object_get(clip, "rootQ"), "keys"), (double)ranges.root_key_count);
  cr_expect_eq(json_array_size(json_object_get(clip, "table")), (size_t)info.curve_count);
  cr_expect(json_is_null(json_object_get(clip, "notSampled")));
  sinew_clip_file_close(file);
  sinew_context_close(context);
}

static void put_made_clip(const char *path, const char *name, double stop_s) {
  static const made_key high[] = {
      {0, 1.5, 0, 0, 0, 0, 0}, {1, 0.5, 0, INFINITY, 2, 0, 0.5}, {2, 1, INFINITY, 0, 0, 0, 0}};
  static const made_key still[] = {{0, 0.5, 0, 0, 0, 0, 0}};
  const made_curve curves[] = {{"Left Eye Down-Up", high, COUNT(high)},
                               {"Left Eye In-Out", still, 1},
                               {"LeftHand.Thumb.Spread", still, 1},
                               {"RootT.x", still, 1},
                               {"LeftFootT.x", still, 1},
                               {"SpineTDOF.x", still, 1},
                               {"tail", still, 1}};
  char *clip = made_clip(name, 10, stop_s, curves, COUNT(curves));
  put_file(path, clip);
  free(clip);
}

Test(inspect, what_a_clip_lacks_and_where_it_goes_too_far) {
  put_made_clip("eyes.anim", "eyes", 2);
  cli_run run = cli("inspect", "eyes.anim", NULL);
  cr_expect_eq(run.code, 0);
  expect_line(run,
              "  curves          7: 3 muscles, 1 root, 1 goals, 0 motion, 1 TDoF, 1 foreign; 6 constant\n");
  expect_line(run, "  keys            9, of which 1 stepped and 1 weighted\n");
  expect_line(run,
              "  missing         no spine (3), no chest (3), no upper chest (3), no neck (3), no head (3), "
              "no right eye (2), "
              "no jaw (2), no legs (16), no arms (18), 19 of 20 left finger muscles, no right fingers (20), "
              "6 of 7 root curves, 27 of 28 goal curves\n");
  /* a cubic from 1.5 with slope 0 to 0.5 with slope 0: above 1 in the frames 0 to 4 of 10 a second; at 0.5 s
   * it is 1 */
  expect_line(run, "  beyond +-1      1 muscle, in 5 of 21 frames\n");
  expect_line(run, "    Left Eye Down-Up               as far as 1.5, 5 frames\n");
  expect_line(run, "  TDoF            SpineTDOF.x\n");
  expect_line(run, "  foreign         tail\n");
  cr_expect_null(strstr(run.out, "root rotation"));
  const json_t *clip =
      json_array_get(json_object_get(object_at(cli("inspect", "--json", "eyes.anim", NULL), 0), "clips"), 0);
  const json_t *missing = json_object_get(clip, "missing");
  cr_expect_eq(json_array_size(json_object_get(missing, "muscles")), 92u);
  cr_expect(number(missing, "root") == 6 && number(missing, "goals") == 27);
  cr_expect(json_is_null(json_object_get(clip, "rootQ")));
}

Test(inspect, a_clip_too_long_to_sample_is_told_all_the_same) {
  put_made_clip("long.anim", "long", 1e9);
  const cli_run run = cli("inspect", "long.anim", NULL);
  cr_expect_eq(run.code, 0);
  expect_line(run, "  muscles         not sampled: ");
  const json_t *clip =
      json_array_get(json_object_get(object_at(cli("inspect", "--json", "long.anim", NULL), 0), "clips"), 0);
  cr_expect(json_is_null(json_object_get(clip, "sampled")) && strstr(text(clip, "notSampled"), "limit"));
}

Test(inspect, every_clip_of_a_file) {
  static const char *const names[] = {"idle", "run"};
  put_clip("two.anim", names, 2, 1);
  const cli_run run = cli("inspect", "two.anim", NULL);
  expect_line(run, "two.anim: 2 humanoid clips, ");
  expect_line(run, "\nclip idle\n");
  expect_line(run, "\nclip run\n");
  const json_t *clips = json_object_get(object_at(cli("inspect", "--json", "two.anim", NULL), 0), "clips");
  cr_assert_eq(json_array_size(clips), 2u);
  cr_expect_str_eq(text(json_array_get(clips, 1), "name"), "run");
}

/* ---- rigs --------------------------------------------------------------------------------------------- */

Test(inspect, a_rig_is_told_as_sinew_rig_tells_it) {
  cr_expect_str_eq(cli("inspect", sample_rig(), NULL).out, cli("rig", sample_rig(), NULL).out);
  const json_t *ours = object_at(cli("inspect", "--json", sample_rig(), NULL), 0);
  const json_t *theirs = object_at(cli("rig", "--json", sample_rig(), NULL), 0);
  cr_expect_str_eq(text(ours, "holds"), "rig");
  size_t compared = 0;
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)theirs, key, value) {
    if (strcmp(key, "output") == 0 || strcmp(key, "mapOut") == 0) continue;
    cr_expect(json_equal(value, json_object_get(ours, key)), "%s", key);
    compared++;
  }
  cr_expect_geq(compared, 20u);
  cr_expect_str_eq(cli("inspect", "--rig-scale", "0.5", sample_rig(), NULL).out,
                   cli("rig", "--rig-scale", "0.5", sample_rig(), NULL).out);
}

/* ---- GLBs --------------------------------------------------------------------------------------------- */

Test(inspect, what_convert_wrote) {
  const json_t *written = object_at(
      cli("convert", "--json", "--fps", "60", sample_clip(), "--rig", sample_rig(), "-o", "walk.glb", NULL),
      0);
  const json_t *object = object_at(cli("inspect", "--json", "walk.glb", NULL), 0);
  const json_t *bytes = json_object_get(object, "bytes"), *by = json_object_get(object, "written");
  const json_t *animation = json_array_get(json_object_get(object, "animations"), 0);
  cr_expect_str_eq(text(object, "holds"), "glb");
  cr_expect_eq(number(bytes, "file"), number(written, "bytes"));
  cr_expect_eq(number(bytes, "animations") + number(bytes, "other"), number(bytes, "bin"));
  cr_expect_str_eq(text(by, "sinew"), sinew_version());
  cr_expect_str_eq(text(by, "source"), "walk.anim");
  cr_expect_str_eq(text(by, "profile"), text(written, "profile"));
  cr_expect_eq(number(by, "rate"), 60.0);
  cr_expect_str_eq(text(animation, "name"), "walk");
  cr_expect_eq(number(animation, "channels"),
               number(written, "sampledTracks") + number(written, "constantTracks"));
  cr_expect_geq(number(animation, "constantTracks"), number(written, "constantTracks"));
  cr_expect(fabs(number(animation, "durationS") - 32.0 / 30) < 1e-6);
  cr_expect_eq(number(json_object_get(animation, "paths"), "translation"), 1.0);
  cr_expect_eq(json_array_size(json_object_get(object, "warnings")), 0u);
  double most = 0;
  size_t i;
  json_t *track;
  json_array_foreach(json_object_get(animation, "tracks"), i, track) most = fmax(most, number(track, "keys"));
  cr_expect_eq(most, number(written, "frames"));
  const cli_run run = cli("inspect", "walk.glb", NULL);
  expect_line(run, "  written by      sinew 0.1.0, from walk.anim, 60 frames per second, profile ");
  expect_line(run, "\nanimation walk\n");
  expect_line(run, "\nwarnings          none\n");
}

Test(inspect, a_rig_file_and_a_file_of_integers_and_boxes) {
  cr_assert_eq(cli("rig", sample_rig(), "-o", "rig.json", NULL).code, 0);
  cr_expect_str_eq(text(object_at(cli("inspect", "--json", "rig.json", NULL), 0), "holds"), "rig");
  cr_assert_eq(cli("convert", "-q", "--quantize", "--mesh", "boxes", sample_clip(), "--rig", "rig.json", "-o",
                   "q.glb", NULL)
                   .code,
               0);
  const json_t *object = object_at(cli("inspect", "--json", "q.glb", NULL), 0);
  const json_t *animation = json_array_get(json_object_get(object, "animations"), 0);
  const json_t *numbers = json_object_get(animation, "numbers"), *bytes = json_object_get(object, "bytes");
  cr_expect(number(numbers, "float32") == 1 && number(numbers, "int16 normalized") == 55);
  cr_expect_eq(json_array_size(json_object_get(object, "skins")), 1u);
  cr_expect(number(object, "triangles") > 0 && number(bytes, "meshes") > 0 && number(bytes, "skins") > 0);
  cr_expect_eq(number(bytes, "animations") + number(bytes, "meshes") + number(bytes, "skins") +
                   number(bytes, "other"),
               number(bytes, "bin"));
  cr_expect_eq(json_array_size(json_object_get(object, "warnings")), 0u);
}

Test(inspect, a_made_glb_in_lines) {
  put_glb("made.glb", made_but(NULL, NULL));
  const cli_run run = cli("inspect", "-v", "made.glb", NULL);
  expect_line(run, "  written by      by hand\n");
  expect_line(run, "  of BIN          animations 84, meshes 78, skins 64, images 0, other 2\n");
  expect_line(run, "  nodes           3, 2 roots, 2 deep\n");
  expect_line(run, "  skins           1, joints: 1\n");
  expect_line(run, "  meshes          1, 3 vertices, 1 triangles\n");
  expect_line(run, "  tracks          3: 1 sampled, 2 constant\n");
  expect_line(run, "  paths           1 rotation, 1 translation, 1 weights\n");
  expect_line(run, "  keys            7, 3 in the longest track\n");
  expect_line(run, "  interpolation   2 LINEAR, 1 STEP\n");
  expect_line(run, "  numbers         3 float32\n");
  expect_line(run, "at depth 1, below a\n");
  expect_line(run, "3 vertices, 1 triangles, 1 primitive, 1 morph target\n");
  cr_expect_null(strstr(run.out, " \n"));
}

/* ---- names that play tricks --------------------------------------------------------------------------- */

/* No byte that moves a cursor or changes a colour. */
static void expect_plain(const char *out) {
  for (const unsigned char *p = (const unsigned char *)out; *p; p++) {
    cr_assert(*p >= 0x20 || *p == '\n', "byte %02x in: %s", *p, out);
    cr_assert(*p != 0x7f && !(p[0] == 0xc2 && p[1] < 0xa0), "a control character in: %s", out);
  }
}

static const char two_joints[] = "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 90 0\n"
                                 "  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                                 "  JOINT Sp\x1b\xc3\xa4ne 1\n  {\n    OFFSET 0 12.5 0\n    CHANNELS 2 Yrotation Xrotation\n"
                                 "    End Site\n    {\n      OFFSET 0 5 -1\n    }\n  }\n}\nMOTION\nFrames: 3\nFrame Time: 0.008333\n"
                                 "0 90 0 1 2 3 4 5\n0 91 0 1 2 3 4 5\n";

static void put_two_joints(const char *path) {
  char bytes[sizeof two_joints];
  memcpy(bytes, two_joints, sizeof bytes);
  *strchr(bytes, '\x1b') = '\t'; /* a control character in a name, but one that is white space */
  put_bytes(path, bytes, sizeof bytes - 1);
}

Test(inspect, a_bvh_in_lines) {
  put_two_joints("a.bvh");
  const cli_run run = cli("inspect", "a.bvh", NULL);
  cr_expect(run.code == 0 && !*run.err, "%s", run.err);
  expect_line(run, "a.bvh: BVH, ");
  expect_line(run, "  joints          2 and 1 End Site, 1 root, 3 deep\n");
  expect_line(run, "  channels        8: 6 on 1, 2 on 1 joints\n");
  expect_line(run, "  rotations       ZXY on 1, YX on 1\n");
  expect_line(run, "  frames          2 at 120 per second\n");
  expect_line(run, "  time            0.00833333 s long\n");
  expect_line(run, "  rest            0 x 17.5 x 1 units (x, y, z), every rotation 0\n");
  expect_line(run, "warnings\n  Frames states 3, but 2 rows follow: so many are read\n");
  cr_expect_null(strstr(run.out, "nodes"), "none unless -v");
  const cli_run more = cli("inspect", "-v", "a.bvh", NULL);
  cr_expect_eq(line_count(more.out), line_count(run.out) + 1 + 3);
  expect_line(more, "       1  Sp?\xc3\xa4ne 1");
  expect_line(more, "below 0      offset 0 12.5 0, Yrotation Xrotation\n");
  expect_line(more, "       2  (End Site)");
}

Test(inspect, a_bvh_as_an_object) {
  put_two_joints("a.bvh");
  put_bytes("b.bvh", "HIERARCHY ROOT a { OFFSET 0 1 0 }", 33);
  const cli_run run = cli("inspect", "--json", "a.bvh", "b.bvh", NULL);
  const json_t *object = object_at(run, 0), *bare = object_at(run, 1);
  cr_expect_str_eq(text(object, "holds"), "bvh");
  cr_expect(number(object, "joints") == 2 && number(object, "endSites") == 1 && number(object, "roots") == 1);
  cr_expect(number(object, "depth") == 3 && number(object, "channels") == 8 && number(object, "frames") == 2);
  cr_expect(number(object, "fps") == 120 && fabs(number(object, "durationS") - 1 / 120.0) < 1e-12);
  cr_expect_eq(number(object, "bytes"), (double)(sizeof two_joints - 1));
  cr_expect_eq(number(json_object_get(object, "rotationOrders"), "YX"), 1);
  cr_expect_eq(number(json_object_get(object, "jointsWithChannels"), "6"), 1);
  cr_expect_eq(json_array_size(json_object_get(object, "warnings")), 1u);
  const json_t *spine = json_array_get(json_object_get(object, "nodes"), 1);
  cr_expect_str_eq(text(spine, "name"), "Sp\t\xc3\xa4ne 1");
  cr_expect_str_eq(text(spine, "channels"), "Yrotation Xrotation");
  cr_expect(number(spine, "parent") == 0 && json_is_false(json_object_get(spine, "endSite")));
  cr_expect_eq(json_number_value(json_array_get(json_object_get(spine, "offset"), 1)), 12.5);
  cr_expect(json_is_true(json_object_get(object, "motion")) && json_is_false(json_object_get(bare, "motion")));
  cr_expect(json_is_null(json_object_get(bare, "fps")) && number(bare, "frames") == 0);
}

Test(inspect, names_cannot_drive_the_terminal) {
  char *json = made_json_but("'name':'a'", "'name':'\\u001b[2J\\u009b1m\\n\\u0007'");
  char *again = test_keep(strlen(json) + 300, 1), *at = strstr(json, "'name':'turn'");
  snprintf(again, strlen(json) + 300, "%.*s'name':'\\u001b]0;x\\u0007'%s", (int)(at - json), json, at + 13);
  unsigned char bin[MADE_BIN_BYTES];
  made_bin(bin);
  put_glb("trick.glb", made_from(again, bin, sizeof bin));
  cli_run run = cli("inspect", "-v", "trick.glb", NULL);
  cr_expect_eq(run.code, 0);
  expect_plain(run.out);
  run = cli("inspect", "--json", "trick.glb", NULL);
  expect_plain(run.out);
  const json_t *nodes = json_object_get(object_at(run, 0), "nodes");
  cr_expect_str_eq(text(json_array_get(nodes, 0), "name"), "\x1b[2J?1m\n\a");
  put_made_clip("trick.anim", "\"\\e[31m\\x07\"", 2);
  expect_plain(cli("inspect", "-v", "trick.anim", NULL).out);
  put_file("\x1b[7m.glb", "glTF");
  run = cli("inspect", "\x1b[7m.glb", NULL);
  cr_expect_eq(run.code, 1);
  expect_plain(run.err);
}

Test(inspect, long_names_do_not_fill_the_screen) {
  char name[3000] = "'name':'";
  memset(name + 8, 'x', 2900);
  strcat(name, "'");
  put_glb("long.glb", made_but("'name':'b'", name));
  const cli_run run = cli("inspect", "-v", "long.glb", NULL);
  cr_expect_lt(strlen(run.out), 4000u);
  const json_t *nodes = json_object_get(object_at(cli("inspect", "--json", "long.glb", NULL), 0), "nodes");
  cr_expect_eq(strlen(text(json_array_get(nodes, 1), "name")), 2900u);
}

/* ---- several files, and those that are none ----------------------------------------------------------- */

Test(inspect, each_file_in_turn_and_the_others_despite_one) {
  put_glb("made.glb", made_but(NULL, NULL));
  put_glb("broken.glb", made_but("'count':3,'type':'VEC4'", "'count':5,'type':'VEC4'"));
  put_file("notes.txt", "hello\n");
  const cli_run run = cli("inspect", "--json", sample_clip(), "broken.glb", "none.glb", "notes.txt",
                          "made.glb", sample_rig(), NULL);
  cr_expect_eq(run.code, 1);
  cr_assert_eq(line_count(run.out), 6u);
  static const bool ok[] = {true, false, false, false, true, true};
  static const char *const codes[] = {NULL, "syntax", "io", "unsupported", NULL, NULL};
  for (size_t i = 0; i < 6; i++) {
    const json_t *object = object_at(run, i);
    cr_expect_eq(json_is_true(json_object_get(object, "ok")), ok[i], "%zu", i);
    cr_expect_eq(number(object, "inspect"), 1.0);
    if (codes[i]) cr_expect_str_eq(text(json_object_get(object, "error"), "code"), codes[i]);
  }
  cr_expect_eq(line_count(run.err), 3u, "%s", run.err);
  cr_expect(strstr(run.err, "sinew: broken.glb: accessor 1 does not fit into its bufferView\n"), "%s",
            run.err);
  cr_expect(strstr(run.err, "sinew: notes.txt: looks like text; expected a clip"), "%s", run.err);
  const cli_run lines = cli("inspect", "made.glb", "broken.glb", sample_rig(), NULL);
  cr_expect_eq(lines.code, 1);
  expect_line(lines, "\nwarnings          none\n\n"); /* a line between two files */
}

Test(inspect, quiet_tells_errors_alone) {
  put_glb("made.glb", made_but(NULL, NULL));
  cli_run run = cli("inspect", "-q", "made.glb", sample_clip(), sample_rig(), NULL);
  cr_expect(run.code == 0 && *run.out == 0 && *run.err == 0, "%s%s", run.out, run.err);
  run = cli("inspect", "-q", "made.glb", "none.glb", NULL);
  cr_expect(run.code == 1 && *run.out == 0 && line_count(run.err) == 1, "%s%s", run.out, run.err);
  run = cli("inspect", "-q", "--json", "made.glb", NULL);
  cr_expect(run.code == 0 && line_count(run.out) == 1);
}

Test(inspect, other_kinds_are_named) {
  static const struct {
    const char *path, *bytes, *what;
  } files[] = {
      {"a.npy", "\x93NUMPY", "looks like a NumPy array"},
      {"a.png", "\x89PNG\r\n", "looks like a PNG image"},
      {"a.fbx", "Kaydara FBX Binary  ", "looks like a binary FBX model"},
      {"a.gltf", "{\"asset\":{\"version\":\"2.0\"}}", "looks like a glTF with its JSON outside a GLB"},
      {"empty", "", "looks like an empty file"},
      {"a.glb", "GLB?", "is no GLB: it does not begin with 'glTF'"}};
  for (size_t i = 0; i < COUNT(files); i++) {
    put_file(files[i].path, files[i].bytes);
    const cli_run run = cli("inspect", files[i].path, NULL);
    cr_expect_eq(run.code, 1);
    cr_expect_str_eq(run.out, "");
    cr_expect(line_count(run.err) == 1 && strstr(run.err, files[i].what), "%s: %s", files[i].path, run.err);
  }
  const cli_run null = cli("inspect", "/dev/null", NULL);
  cr_expect(null.code == 1 && strstr(null.err, "looks like an empty file"), "%s", null.err);
}

/* ---- the command line, and what refuses --------------------------------------------------------------- */

Test(inspect, usage_and_streams) {
  cli_run run = cli("inspect", NULL);
  cr_expect(run.code == 2 && strstr(run.err, "inspect wants FILE..."), "%s", run.err);
  run = cli("inspect", "--rig", "x", "a.anim", NULL);
  cr_expect(run.code == 2 && strstr(run.err, "unknown option '--rig'"), "%s", run.err);
  setenv("SINEW_ISA", "sse9", 1);
  run = cli("inspect", sample_clip(), NULL);
  cr_expect(run.code == 2 && line_count(run.err) == 1, "%s", run.err);
  unsetenv("SINEW_ISA");
  run = cli_to("/dev/full", "inspect", sample_clip(), sample_rig(), NULL);
  cr_expect(run.code == 1 && strstr(run.err, "cannot write to standard output"), "%s", run.err);
  cr_expect_eq(line_count(run.err), 1u);
}

Test(inspect, limits_are_kept) {
  put_glb("made.glb", made_but(NULL, NULL));
  const cli_run run =
      cli("inspect", "--max-file-bytes", "100", "made.glb", sample_clip(), sample_rig(), NULL);
  cr_expect_eq(run.code, 1);
  cr_expect_eq(line_count(run.err), 3u, "%s", run.err);
  cr_expect_eq(cli("inspect", "--max-memory-bytes", "1000", "made.glb", NULL).code, 1);
  cr_expect_eq(cli("inspect", "--max-curves", "3", sample_clip(), NULL).code, 1);
  cr_expect_eq(cli("inspect", "--max-nodes", "3", sample_rig(), NULL).code, 1);
}

/* Every member's name, but for those of tables that the file itself fills, stands in the help. */
static void expect_documented(const json_t *value, const char *help) {
  const char *key;
  json_t *member;
  size_t i;
  if (json_is_array(value)) json_array_foreach((json_t *)value, i, member) expect_documented(member, help);
  if (!json_is_object(value)) return;
  json_object_foreach((json_t *)value, key, member) {
    char quoted[128];
    snprintf(quoted, sizeof quoted, "\"%s\"", key);
    cr_expect(strstr(help, quoted), "%s is not in the help", quoted);
    static const char *const open_tables[] = {"paths",    "interpolations",     "numbers",
                                              "settings", "jointsWithChannels", "rotationOrders"};
    bool open = false;
    for (size_t t = 0; t < COUNT(open_tables); t++) open = open || strcmp(key, open_tables[t]) == 0;
    if (!open) expect_documented(member, help);
  }
}

Test(inspect, human_bones_of_a_vrm) {
  put_glb("hero.vrm", made_but("'scene':0", "'extensions':{'VRM':{'humanoid':{'humanBones':[{'bone':'hips','node':2},"
                                            "{'bone':'spine','node':1}]}}},'scene':0"));
  const cli_run run = cli("inspect", "hero.vrm", NULL);
  expect_line(run, "  human bones     2 of 55, by VRM 0.x\n");
  expect_line(run, "  missing bones   LeftUpperLeg, RightUpperLeg, LeftLowerLeg, RightLowerLeg and 9 more\n");
  const json_t *human = json_object_get(object_at(cli("inspect", "--json", "hero.vrm", NULL), 0), "human");
  cr_expect_str_eq(json_string_value(json_object_get(human, "kind")), "vrm0");
  cr_expect_eq(json_integer_value(json_object_get(json_object_get(human, "bones"), "Spine")), 1);
  cr_expect_eq(json_array_size(json_object_get(human, "missing")), 13);
  put_glb("made.glb", made_but(NULL, NULL));
  cr_expect(json_is_null(json_object_get(object_at(cli("inspect", "--json", "made.glb", NULL), 0), "human")));
  cr_expect_not(strstr(cli("inspect", "made.glb", NULL).out, "human bones"));
}

Test(inspect, the_help_names_every_member) {
  const char *help = cli("help", "inspect", NULL).out;
  put_glb("made.glb", made_but("'scene':0", "'extensionsUsed':['X'],'scene':0"));
  put_glb("human.glb", made_but("'scene':0", "'extensions':{'VRM':{'humanoid':{'humanBones':[]}}},'scene':0"));
  put_made_clip("eyes.anim", "eyes", 2);
  expect_documented(object_at(cli("inspect", "--json", "human.glb", NULL), 0), help);
  expect_documented(object_at(cli("inspect", "--json", "made.glb", NULL), 0), help);
  expect_documented(object_at(cli("inspect", "--json", "eyes.anim", NULL), 0), help);
  expect_documented(object_at(cli("inspect", "--json", sample_clip(), NULL), 0), help);
  put_two_joints("two.bvh");
  expect_documented(object_at(cli("inspect", "--json", "two.bvh", NULL), 0), help);
  const char *rig_help = cli("help", "rig", NULL).out;
  const json_t *rig = object_at(cli("inspect", "--json", sample_rig(), NULL), 0);
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)rig, key, value) {
    char quoted[128];
    snprintf(quoted, sizeof quoted, "\"%s\"", key);
    cr_expect(strstr(help, quoted) || strstr(rig_help, quoted), "%s", quoted);
  }
}
