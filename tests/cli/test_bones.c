/* `sinew convert` and `rig` with clips of bones, found skeletons and kept characters: what is written, said
 * and refused. */
#include "cli/glb_text.h"
#include "cli_run.h"
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(bones, .init = cli_enter, .fini = cli_leave);

/* ---- what the tests look at ---------------------------------------------------------------------------- */

static json_t *object_of(const cli_run run) {
  json_t *object = json_loads(run.out, JSON_REJECT_DUPLICATES, NULL);
  cr_assert(object, "one JSON object expected: %s%s", run.out, run.err);
  return object;
}

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "(none)";
}

static double number_of(const json_t *object, const char *key) {
  return json_number_value(json_object_get(object, key));
}

static bool is_true(const json_t *object, const char *key) {
  return json_is_true(json_object_get(object, key));
}

/* One line on stderr with these words, nothing on stdout, no new GLB. */
static void expect_refused(const cli_run run, int code, const char *words) {
  cr_expect_eq(run.code, code, "%d, expected %d: %s", run.code, code, run.err);
  cr_expect(strstr(run.err, words), "'%s' expected in: %s", words, run.err);
  cr_expect_eq(strncmp(run.err, "sinew: ", 7), 0, "%s", run.err);
  cr_expect_eq(line_count(run.err), 1u, "%s", run.err);
  cr_expect_str_eq(run.out, "");
}

static void expect_same_files(const char *a, const char *b, bool same) {
  size_t a_bytes, b_bytes;
  char *left = test_read_file(a, &a_bytes), *right = test_read_file(b, &b_bytes);
  cr_assert(left && right, "%s and %s are there", a, b);
  cr_expect_eq(a_bytes == b_bytes && memcmp(left, right, a_bytes) == 0, same, "%s and %s", a, b);
  free(left);
  free(right);
}

/* A copy of a file in the test's folder. */
static void put_copy(const char *from, const char *to) {
  size_t byte_count;
  char *bytes = test_read_file(from, &byte_count);
  FILE *file = fopen(to, "wb");
  cr_assert(bytes && file);
  cr_assert_eq(fwrite(bytes, 1, byte_count, file), byte_count);
  cr_assert_eq(fclose(file), 0);
  free(bytes);
}

/* The sample's walk on the character under several names in one file. */
static void put_clips(const char *path, const char *const *names, size_t count) {
  cr_assert_eq(cli("convert", "-q", sample_bones(), "--rig", sample_character(), "-o", "one.glb", NULL).code,
               0);
  glb_text glb = glb_text_read("one.glb");
  json_t *animations = json_object_get(glb.json, "animations");
  for (size_t i = 0; i < count; i++) {
    json_t *animation = i ? json_deep_copy(json_array_get(animations, 0)) : json_array_get(animations, 0);
    json_object_set_new(animation, "name", json_string(names[i]));
    if (i) json_array_append_new(animations, animation);
  }
  glb_text_write(&glb, path);
  glb_text_free(&glb);
  unlink("one.glb");
}

/* ---- ways ---------------------------------------------------------------------------------------------- */

Test(bones, on_their_own_skeleton) {
  const cli_run run = cli("convert", sample_bones(), NULL);
  cr_expect_eq(run.code, 0, "%s", run.err);
  cr_expect_eq(strncmp(run.out, "walk.glb: 33 frames at 30 fps, 53 tracks (", 42), 0, "%s", run.out);
  cr_expect(strstr(run.out, "\non its own skeleton\nverified: worst joint "), "%s", run.out);
  cr_expect(strstr(run.err, "taken as 0.01 m per unit"), "%s", run.err);
  glb_text glb = glb_text_read("walk.glb");
  size_t index, count;
  const json_t *hips = glb_text_node(&glb, "Hips", &index);
  cr_expect_float_eq(json_number_value(json_array_get(json_object_get(hips, "translation"), 1)), 0.935, 1e-6);
  cr_expect(glb_text_track(&glb, index, "translation", &count) && count == 3 * 33);
  cr_expect_null(json_object_get(glb.json, "meshes"));
  glb_text_free(&glb);
}

Test(bones, on_a_character_that_keeps_its_mesh) {
  const cli_run run = cli("convert", sample_bones(), "--rig", sample_character(), NULL);
  cr_expect_eq(run.code, 0, "%s", run.err);
  cr_expect(strstr(run.out,
                   "\nbones to bones by delta, the hips' way times 1\nmesh: the character's own\nverified: "),
            "%s", run.out);
  glb_text glb = glb_text_read("walk.glb"), rig = glb_text_read(sample_character());
  static const char *const members[] = {"nodes", "meshes", "materials", "skins", "scenes"};
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    cr_expect(json_equal(json_object_get(glb.json, members[i]), json_object_get(rig.json, members[i])), "%s",
              members[i]);
  cr_expect_geq(glb.bin_bytes, rig.bin_bytes);
  cr_expect_eq(memcmp(glb.bin, rig.bin, rig.bin_bytes), 0, "the character's bytes stand first");
  glb_text_free(&glb);
  glb_text_free(&rig);
}

Test(bones, json_of_each_way) {
  static const char *const members[] = {"way",          "hipsRatio",     "meshKept",
                                        "droppedMoves", "droppedScales", "warnings"};
  json_t *delta = object_of(cli("convert", "--json", sample_bones(), "--rig", sample_character(), NULL));
  json_t *own = object_of(cli("convert", "--json", sample_bones(), "-o", "own.glb", NULL));
  json_t *muscle =
      object_of(cli("convert", "--json", sample_clip(), "--rig", sample_character(), "-o", "m.glb", NULL));
  json_t *plain =
      object_of(cli("convert", "--json", sample_clip(), "--rig", sample_rig(), "-o", "p.glb", NULL));
  cr_expect_str_eq(text_of(delta, "way"), "delta");
  cr_expect_str_eq(text_of(own, "way"), "own");
  cr_expect_str_eq(text_of(muscle, "way"), "muscle");
  cr_expect(is_true(delta, "meshKept") && is_true(muscle, "meshKept"));
  cr_expect(!is_true(own, "meshKept") && !is_true(plain, "meshKept"));
  cr_expect_float_eq(number_of(delta, "hipsRatio"), 1, 0.01);
  cr_expect_eq(number_of(own, "hipsRatio"), 1);
  cr_expect(is_true(delta, "verified") && is_true(own, "verified") && is_true(muscle, "verified"));
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) cr_expect(json_object_get(delta, members[i]));
  json_decref(delta);
  json_decref(own);
  json_decref(muscle);
  json_decref(plain);
}

Test(bones, same_bytes_for_any_thread_count) {
  const char *const threads[] = {"1", "3"};
  for (int i = 0; i < 2; i++) {
    char own[16], delta[16];
    snprintf(own, sizeof own, "own%d.glb", i);
    snprintf(delta, sizeof delta, "delta%d.glb", i);
    cr_expect_eq(
        cli("convert", "-q", sample_bones(), "--fps", "2400", "-j", threads[i], "-o", own, NULL).code, 0);
    cr_expect_eq(cli("convert", "-q", sample_bones(), "--fps", "2400", "-j", threads[i], "-o", delta, "--rig",
                     sample_character(), NULL)
                     .code,
                 0);
  }
  expect_same_files("own0.glb", "own1.glb", true);
  expect_same_files("delta0.glb", "delta1.glb", true);
  expect_same_files("own0.glb", "delta0.glb", false);
}

Test(bones, muscles_want_a_rig) {
  expect_refused(cli("convert", sample_clip(), NULL), 2,
                 "walk.anim is a clip of muscles, which wants --rig RIG");
  expect_refused(cli("convert", "-q", sample_bones(), sample_clip(), "--outdir", "o", NULL), 2,
                 "walk.anim is a clip of muscles, which wants --rig RIG");
  cr_expect(!file_exists("walk.glb") && !file_exists("o"));
}

Test(bones, via_says_what_the_clip_is) {
  expect_refused(cli("convert", sample_clip(), "--via", "delta", "--rig", sample_character(), NULL), 1,
                 "walk.anim: a clip of muscles turns no bones");
  expect_refused(cli("convert", sample_clip(), "--via", "magic", "--rig", sample_character(), NULL), 2,
                 "--via wants muscle or delta, not 'magic'");
  cr_expect_eq(files_ending(".", ".glb") + files_ending(".", ".tmp"), 0u);
  cr_expect_eq(cli("convert", "-q", sample_bones(), "--via", "delta", "--rig", sample_character(), NULL).code,
               0);
  cr_expect_eq(cli("convert", "-q", sample_bones(), "--rig", sample_character(), "-o", "w.glb", NULL).code,
               0);
  expect_same_files("walk.glb", "w.glb", true);
  cr_expect_eq(
      cli("convert", "-q", sample_clip(), "--via", "muscle", "--rig", sample_rig(), "-o", "m.glb", NULL).code,
      0);
}

/* ---- places -------------------------------------------------------------------------------------------- */

/* How far each coordinate of the hips' places reaches. */
static void spread_of(const char *path, double spread[3]) {
  glb_text glb = glb_text_read(path);
  size_t index, count;
  glb_text_node(&glb, "Hips", &index);
  const float *places = glb_text_track(&glb, index, "translation", &count);
  cr_assert(places && count == 99u);
  for (int c = 0; c < 3; c++) {
    float least = places[c], most = places[c];
    for (size_t i = (size_t)c; i < count; i += 3) {
      least = fminf(least, places[i]);
      most = fmaxf(most, places[i]);
    }
    spread[c] = (double)most - (double)least;
  }
  glb_text_free(&glb);
}

Test(bones, in_place_keeps_the_height) {
  double going[3], staying[3];
  put_copy(sample_bones(), "rig.bvh"); /* its hips are the root: nothing stands between them and the ground */
  cr_expect_eq(cli("convert", "-q", sample_bones(), "--rig", "rig.bvh", "-o", "go.glb", NULL).code, 0);
  cr_expect_eq(
      cli("convert", "-q", sample_bones(), "--rig", "rig.bvh", "--in-place", "-o", "stay.glb", NULL).code, 0);
  spread_of("go.glb", going);
  spread_of("stay.glb", staying);
  cr_expect(going[0] > 0.01 && going[1] > 0.01 && going[2] > 1);
  cr_expect(staying[0] == 0 && staying[2] == 0, "%g, %g", staying[0], staying[2]);
  cr_expect_float_eq(staying[1], going[1], 1e-6);
  expect_refused(cli("convert", sample_bones(), "--in-place", NULL), 1,
                 "in place is for clips of bones on a rig");
  expect_refused(cli("convert", sample_clip(), "--in-place", "--rig", sample_rig(), NULL), 1,
                 "in place is for clips of bones on a rig");
}

Test(bones, a_unit_that_is_given) {
  const cli_run run = cli("convert", sample_bones(), "--unit-scale", "0.02", "-o", "big.glb", NULL);
  cr_expect_eq(run.code, 0);
  cr_expect_str_eq(run.err, "", "nothing is inferred");
  glb_text glb = glb_text_read("big.glb");
  size_t index;
  const json_t *hips = glb_text_node(&glb, "Hips", &index);
  cr_expect_float_eq(json_number_value(json_array_get(json_object_get(hips, "translation"), 1)), 1.87, 1e-6);
  glb_text_free(&glb);
  json_t *object = object_of(
      cli("convert", "--json", sample_bones(), "--unit-scale", "0.02", "--rig", sample_character(), NULL));
  cr_expect_float_eq(number_of(object, "hipsRatio"), 0.5, 1e-3);
  json_decref(object);
  expect_refused(cli("convert", sample_bones(), "--unit-scale", "0", NULL), 2,
                 "--unit-scale wants a number above 0 and at most 1e9, not '0'");
  expect_refused(cli("convert", sample_clip(), "--rig", sample_rig(), "--unit-scale", "1", NULL), 2,
                 "--unit-scale is for clips of bones, and there are none");
}

Test(bones, a_frame_that_is_the_tpose) {
  cr_expect_eq(
      cli("convert", "-q", sample_bones(), "--rig", sample_character(), "-o", "found.glb", NULL).code, 0);
  cr_expect_eq(cli("convert", "-q", sample_bones(), "--rig", sample_character(), "--tpose-frame", "9", "-o",
                   "given.glb", NULL)
                   .code,
               0);
  expect_same_files("found.glb", "given.glb", false);
  expect_refused(cli("convert", sample_bones(), "--rig", sample_character(), "--tpose-frame", "34", NULL), 1,
                 "walk.bvh: the T-pose is asked from frame 34 of 33 that the movement has");
  expect_refused(cli("rig", sample_bones(), "--tpose-frame", "34", NULL), 1,
                 "walk.bvh: the T-pose is asked from frame 34 of 33 that the movement has");
  expect_refused(cli("convert", sample_bones(), "--tpose-frame", "0", NULL), 2,
                 "--tpose-frame wants a whole number from 1");
  expect_refused(cli("convert", sample_clip(), "--rig", sample_rig(), "--tpose-frame", "1", NULL), 2,
                 "--tpose-frame is for clips of bones, and there are none");
}

/* ---- clips of a file ----------------------------------------------------------------------------------- */

static const char *const names[] = {"walk", "stroll", "0", "run/fast"};

Test(bones, a_clip_by_name_or_number) {
  put_clips("pack.glb", names, 4);
  cli_run run =
      cli("convert", "-q", "pack.glb", "--rig", sample_character(), "--clip", "stroll", "-o", "s.glb", NULL);
  cr_expect_eq(run.code, 0, "%s", run.err);
  run = cli("convert", "pack.glb", "--rig", sample_character(), "--clip", "1", NULL);
  cr_expect_eq(run.code, 0, "%s", run.err);
  cr_expect_eq(strncmp(run.out, "pack_stroll.glb: ", 17), 0, "%s", run.out);
  expect_same_files("s.glb", "pack_stroll.glb", true);
  run = cli("convert", "pack.glb", "--rig", sample_character(), "--clip", "0", NULL);
  cr_expect_eq(strncmp(run.out, "pack_0.glb: ", 12), 0, "a name counts before a number: %s", run.out);
  cr_expect_eq(files_ending(".", ".glb"), 4u);
}

Test(bones, all_clips_and_none) {
  put_clips("pack.glb", names, 4);
  const char *const all[] = {"--json", "--clip=all"};
  for (int i = 0; i < 2; i++) {
    const cli_run run =
        cli("convert", "--json", "pack.glb", "--rig", sample_character(), "--outdir", "o", all[i], NULL);
    cr_expect_eq(run.code, 0, "%s", run.err);
    cr_expect_eq(line_count(run.out), 4u);
    cr_expect_eq(files_ending("o", ".glb"), 4u);
  }
  cr_expect(file_exists("o/pack_run_fast.glb"));
  expect_refused(cli("convert", "pack.glb", "--rig", sample_character(), "--clip", "jump", NULL), 1,
                 "pack.glb: has no clip 'jump', but: walk, stroll, 0, run/fast");
  expect_refused(cli("convert", "pack.glb", "--rig", sample_character(), "--clip", "4", NULL), 1,
                 "pack.glb: has no clip '4', but: walk, stroll, 0, run/fast");
  expect_refused(cli("convert", "pack.glb", "--rig", sample_character(), "-o", "x.glb", NULL), 2,
                 "-o names one file, but pack.glb has 4 clips: use --outdir or --clip");
  cr_expect_eq(files_ending(".", ".glb"), 1u);
}

/* The character of a clip's own file plays it when there is no rig. */
Test(bones, a_file_that_is_clip_and_character) {
  put_clips("pack.glb", names, 1);
  const cli_run run = cli("convert", "pack.glb", "-o", "again.glb", NULL);
  cr_expect_eq(run.code, 0, "%s", run.err);
  cr_expect(strstr(run.out, "\non its own skeleton\nmesh: the character's own\n"), "%s", run.out);
  expect_refused(cli("convert", sample_character(), NULL), 1, "a skeleton without movement, expected a clip");
}

Test(bones, clips_of_several_kinds) {
  put_clips("pack.glb", names, 2);
  put_file("bad.bvh", "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 0 zero\n}\n");
  const cli_run run =
      cli("convert", "--json", sample_clip(), "bad.bvh", "pack.glb", "--rig", sample_character(), NULL);
  cr_expect_eq(run.code, 1);
  cr_expect_eq(line_count(run.out), 4u, "%s", run.out);
  cr_expect(strstr(run.err, "sinew: bad.bvh:4:"), "%s", run.err);
  cr_expect(strstr(run.err, "3 converted, 1 failed\n"), "%s", run.err);
  json_t *failed = json_loads(run.out, JSON_DISABLE_EOF_CHECK, NULL);
  cr_assert(failed);
  cr_expect_str_eq(text_of(failed, "input"), "bad.bvh");
  const json_t *error = json_object_get(failed, "error");
  cr_expect_str_eq(text_of(error, "code"), "syntax");
  cr_expect_eq(number_of(error, "line"), 4);
  json_decref(failed);
  cr_expect(file_exists("walk.glb") && file_exists("pack_walk.glb") && file_exists("pack_stroll.glb"));
  expect_refused(cli("convert", "-q", sample_clip(), sample_bones(), "--rig", sample_character(), NULL), 2,
                 "would both be written to walk.glb: nothing is written");
}

Test(bones, a_clip_that_fails_as_json) {
  const cli_run run = cli("convert", "--json", sample_bones(), "--in-place", "-o", "x.glb", NULL);
  cr_expect_eq(run.code, 1);
  json_t *object = object_of(run);
  cr_expect(json_is_false(json_object_get(object, "ok")));
  cr_expect_str_eq(text_of(object, "clip"), "walk");
  cr_expect_str_eq(text_of(object, "output"), "x.glb");
  cr_expect_str_eq(text_of(json_object_get(object, "error"), "code"), "argument");
  json_decref(object);
  cr_expect(!file_exists("x.glb"));
}

/* What is odd about a body is said once, not once a clip. */
Test(bones, notes_once_a_file) {
  const char *const two[] = {"a", "b"};
  put_clips("pack.glb", two, 2);
  glb_text glb = glb_text_read("pack.glb");
  size_t index;
  json_object_set_new(glb_text_node(&glb, "Walker", &index), "rotation",
                      json_pack("[f,f,f,f]", 0.0, 0.0, 0.28, 0.96));
  glb_text_write(&glb, "pack.glb");
  glb_text_free(&glb);
  const cli_run run = cli("convert", "pack.glb", "--rig", sample_rig(), NULL);
  cr_expect_eq(run.code, 0, "%s", run.err);
  cr_expect_eq(line_count(run.err), 1u, "%s", run.err);
  cr_expect(strstr(run.err, "pack.glb: the body stands "), "%s", run.err);
  cr_expect_eq(line_count(run.out), 6u, "%s", run.out);
  const cli_run quiet = cli("convert", "-q", sample_bones(), "--rig", sample_character(), NULL);
  cr_expect_str_eq(quiet.err, "");
  cr_expect_str_eq(quiet.out, "");
  const cli_run verbose = cli("convert", "-v", sample_bones(), "--rig", sample_character(), NULL);
  cr_expect(strstr(verbose.err, "walk: a clip of bones (bvh, 65 nodes, a human body), "), "%s", verbose.err);
}

/* ---- meshes -------------------------------------------------------------------------------------------- */

Test(bones, what_is_kept_and_what_cannot_be) {
  static const char none[] =
      "there is no character to keep: the nodes come from no GLB or VRM that holds all its data";
  json_t *object = object_of(cli("convert", "--json", sample_bones(), "--rig", sample_character(), "--mesh",
                                 "none", "-o", "none.glb", NULL));
  cr_expect(!is_true(object, "meshKept"));
  json_decref(object);
  glb_text glb = glb_text_read("none.glb");
  cr_expect_null(json_object_get(glb.json, "meshes"));
  glb_text_free(&glb);
  object = object_of(cli("convert", "--json", sample_bones(), "--rig", sample_character(), "--mesh", "boxes",
                         "-o", "boxes.glb", NULL));
  cr_expect_eq(number_of(object, "boxes"), 52);
  cr_expect(!is_true(object, "meshKept"));
  json_decref(object);
  cr_expect_eq(cli("convert", "-q", sample_bones(), "--rig", sample_character(), "--mesh", "keep", "-o",
                   "keep.glb", NULL)
                   .code,
               0);
  cr_expect_eq(
      cli("convert", "-q", sample_bones(), "--rig", sample_character(), "-o", "default.glb", NULL).code, 0);
  expect_same_files("keep.glb", "default.glb", true);
  expect_refused(cli("convert", sample_bones(), "--mesh", "keep", NULL), 1, none);
  expect_refused(cli("convert", sample_bones(), "--mesh", "keep", "--rig", sample_rig(), NULL), 1, none);
  object = object_of(cli("convert", "--json", sample_bones(), "--mesh", "boxes", "-o", "own.glb", NULL));
  cr_expect_eq(number_of(object, "boxes"), 52);
  cr_expect_leq(number_of(object, "worstCornerM"), number_of(object, "allowedM"));
  json_decref(object);
  cr_expect_eq(cli("rig", sample_character(), "-o", "rig.json", NULL).code, 0);
  expect_refused(cli("convert", sample_bones(), "--mesh", "keep", "--rig", "rig.json", NULL), 1, none);
  cr_expect_eq(cli("convert", "-q", sample_bones(), "--rig", "rig.json", "-o", "file.glb", NULL).code, 0);
  expect_same_files("file.glb", "none.glb", true);
}

/* ---- maps ---------------------------------------------------------------------------------------------- */

static void edit_map(const char *from, const char *to, const char *bone, json_t *value) {
  json_t *map = json_load_file(from, 0, NULL);
  cr_assert(map && json_integer_value(json_object_get(map, "sinew_map")) == 1);
  json_object_set_new(json_object_get(map, "bones"), bone, value);
  cr_assert_eq(json_dump_file(map, to, JSON_INDENT(2)), 0);
  json_decref(map);
}

static json_t *bone_named(const json_t *rig, const char *name) {
  size_t i;
  json_t *bone;
  json_array_foreach(json_object_get(rig, "bones"), i,
                     bone) if (strcmp(text_of(bone, "bone"), name) == 0) return bone;
  return NULL;
}

Test(bones, a_map_written_edited_and_given) {
  json_t *first = object_of(cli("rig", "--json", sample_character(), "--map-out", "map.json", NULL));
  cr_expect_str_eq(text_of(first, "mapOut"), "map.json");
  cr_expect_str_eq(text_of(bone_named(first, "LeftHand"), "reason"), "named \"Hand.L\"");
  json_t *same = object_of(
      cli("rig", "--json", sample_character(), "--map", "map.json", "--map-out", "again.json", NULL));
  expect_same_files("map.json", "again.json", true);
  cr_expect_str_eq(text_of(bone_named(same, "LeftHand"), "reason"), "the given map says so");
  edit_map("map.json", "edited.json", "UpperChest", json_null());
  json_t *edited = object_of(cli("rig", "--json", sample_character(), "--map", "edited.json", NULL));
  cr_expect(bone_named(first, "UpperChest") && !bone_named(edited, "UpperChest"));
  cr_expect_eq(number_of(edited, "humanBones"), number_of(first, "humanBones") - 1);
  cr_expect(strcmp(text_of(edited, "hash"), text_of(first, "hash")) != 0);
  json_decref(first);
  json_decref(same);
  json_decref(edited);
  cr_expect_eq(
      cli("convert", "-q", sample_bones(), "--rig", sample_character(), "-o", "found.glb", NULL).code, 0);
  cr_expect_eq(cli("convert", "-q", sample_bones(), "--rig", sample_character(), "--rig-map", "map.json",
                   "-o", "given.glb", NULL)
                   .code,
               0);
  cr_expect_eq(cli("convert", "-q", sample_bones(), "--rig", sample_character(), "--rig-map", "edited.json",
                   "-o", "edited.glb", NULL)
                   .code,
               0);
  expect_same_files("found.glb", "given.glb", true);
  expect_same_files("found.glb", "edited.glb", false);
}

Test(bones, a_map_of_ranges) {
  put_file("map.json",
           "{\"sinew_map\":1,\"ranges\":{\"Left Arm Down-Up\":[-30,45.5]},\"twist\":{\"arm\":0.25}}");
  json_t *rig =
      object_of(cli("rig", "--json", sample_character(), "--map", "map.json", "--map-out", "all.json", NULL));
  const json_t *arm = bone_named(rig, "LeftUpperArm");
  cr_expect(json_is_true(json_object_get(arm, "customLimits")));
  cr_expect_float_eq(json_number_value(json_array_get(json_object_get(arm, "maxDeg"), 2)), 45.5, 1e-12);
  cr_expect_str_eq(text_of(arm, "reason"), "named \"Upper Arm.L\"");
  json_t *all = json_load_file("all.json", 0, NULL);
  cr_assert(all && json_is_object(json_object_get(all, "bones")));
  cr_expect_eq(json_object_size(json_object_get(all, "ranges")), 1u);
  cr_expect_eq(json_number_value(json_object_get(json_object_get(all, "twist"), "arm")), 0.25);
  json_decref(all);
  json_decref(rig);
}

Test(bones, a_map_of_the_clips) {
  cr_expect_eq(cli("rig", sample_bones(), "--map-out", "map.json", NULL).code, 0);
  edit_map("map.json", "edited.json", "LeftLowerArm", json_pack("{s:i}", "node", 4096));
  expect_refused(cli("convert", sample_bones(), "--rig", sample_character(), "--map", "edited.json", NULL), 1,
                 "walk.bvh: the map's bones.LeftLowerArm: there is no node 4096");
  edit_map("map.json", "edited.json", "LeftToes", json_null());
  cr_expect_eq(
      cli("convert", "-q", sample_bones(), "--rig", sample_character(), "-o", "found.glb", NULL).code, 0);
  cr_expect_eq(cli("convert", "-q", sample_bones(), "--rig", sample_character(), "--map", "map.json", "-o",
                   "given.glb", NULL)
                   .code,
               0);
  cr_expect_eq(cli("convert", "-q", sample_bones(), "--rig", sample_character(), "--map", "edited.json", "-o",
                   "edited.glb", NULL)
                   .code,
               0);
  expect_same_files("found.glb", "given.glb", true);
  expect_same_files("found.glb", "edited.glb", false);
}

Test(bones, maps_that_cannot_be_used) {
  static const struct {
    const char *text, *message;
  } bad[] = {
      {"{\"sinew_map\":1,\"bones\":{\"LeftHand\":\"nobody\"}}",
       ": the map's bones.LeftHand: no node is named \"nobody\""},
      {"{\"sinew_map\":1,\"bones\":{\"LeftHend\":\"Hand\"}}", "map.json: bones.LeftHend is no human bone"},
      {"{\"sinew_map\":1,\"bones\":{\"Hips\":7}}", "map.json: bones.Hips is no name"},
      {"{\"sinew_map\":1,\"bones\":{\"Hips\":\"\"}}", "map.json: bones.Hips is an empty name"},
      {"{\"sinew_map\":1}", "map.json: bones is missing or no object"},
      {"{\"sinew_map\":2,\"bones\":{}}", "map.json: a map file of version 2"},
      {"{\"sinew_map\":1,\"bones\":{\"Hips\":null}}", ": no human map: the hips are missing"},
      {"{\"sinew_map\":1,\"ranges\":{\"Left Wing\":[-1,1]}}", "map.json: ranges.Left Wing is no muscle"},
      {"{\"sinew_map\":1,\"ranges\":{\"Jaw Close\":[1,-1]}}",
       "map.json: ranges.Jaw Close is 1 to -1 degrees"},
      {"{\"sinew_map\":1,\"twist\":{\"arm\":2}}", "map.json: twist.arm is 2, expected"},
      {"hello", "map.json:1:"},
      {"", "map.json"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    put_file("map.json", bad[i].text);
    expect_refused(cli("rig", sample_character(), "--map", "map.json", NULL), 1, bad[i].message);
    expect_refused(cli("convert", sample_bones(), "--map", "map.json", "--rig", sample_character(), NULL), 1,
                   bad[i].message);
    expect_refused(cli("convert", sample_bones(), "--rig-map", "map.json", "--rig", sample_character(), NULL),
                   1, bad[i].message);
  }
  expect_refused(cli("rig", sample_character(), "--map", "gone.json", NULL), 1,
                 "gone.json: cannot be opened: ");
  cr_expect_eq(test_folder_count("."), 1u, "the map alone is there");
}

Test(bones, maps_where_they_would_do_nothing) {
  put_file("map.json", "{\"sinew_map\":1,\"bones\":{}}");
  expect_refused(cli("convert", sample_bones(), "--rig-map", "map.json", NULL), 2,
                 "--rig-map corrects the bones of --rig");
  expect_refused(cli("convert", sample_bones(), "--rig-scale", "1", NULL), 2,
                 "--rig-scale is the unit of --rig");
  expect_refused(cli("convert", sample_bones(), "--rig-map", "map.json", "--rig", sample_rig(), NULL), 2,
                 "walker.fbx.meta says itself which node is which bone");
  expect_refused(cli("convert", sample_clip(), "--map", "map.json", "--rig", sample_rig(), NULL), 2,
                 "--map is for clips of bones, and there are none");
  expect_refused(cli("rig", sample_rig(), "--map", "map.json", NULL), 2, "--map is for those that are found");
  expect_refused(cli("rig", sample_rig(), "--tpose-frame", "1", NULL), 2,
                 "--tpose-frame is for those that are found");
}

Test(bones, outputs_are_never_inputs) {
  put_copy(sample_character(), "walk.glb");
  put_copy(sample_bones(), "walk.bvh");
  expect_refused(cli("convert", "-q", "walk.bvh", "--rig", "walk.glb", NULL), 2,
                 "walk.glb would be written over the input walk.glb");
  put_file("map.glb", "{\"sinew_map\":1,\"bones\":{}}");
  expect_refused(
      cli("convert", "-q", "walk.bvh", "--rig", "walk.glb", "--rig-map", "map.glb", "-o", "map.glb", NULL), 2,
      "map.glb would be written over the input map.glb");
  expect_refused(cli("convert", "-q", "walk.bvh", "--map", "map.glb", "-o", "./map.glb", NULL), 2,
                 "./map.glb would be written over the input map.glb");
  cr_assert_eq(rename("map.glb", "map.json"), 0);
  expect_refused(cli("rig", "walk.glb", "--map", "map.json", "--map-out", "./map.json", NULL), 2,
                 "--map-out './map.json' would replace an input");
  expect_refused(cli("rig", "walk.glb", "--map", "map.json", "-o", "map.json", NULL), 2,
                 "-o 'map.json' would replace an input");
  expect_refused(cli("rig", "walk.glb", "--map-out", "walk.glb", NULL), 2, "its name ends in .json");
  expect_refused(cli("rig", "walk.glb", "-o", "new.json", "--map-out", "./new.json", NULL), 2,
                 "-o and --map-out name one file");
  cr_expect(!file_exists("new.json"));
  expect_same_files("walk.glb", sample_character(), true);
  expect_same_files("walk.bvh", sample_bones(), true);
}

/* ---- rigs ---------------------------------------------------------------------------------------------- */

Test(bones, a_found_rig_in_lines) {
  const cli_run run = cli("rig", sample_character(), NULL);
  cr_expect_eq(run.code, 0);
  cr_expect(strstr(run.out, "walker.glb: rig\n  kind          gltf\n"), "no name, no space: %s", run.out);
  cr_expect(
      strstr(run.out,
             "  LeftUpperArm            -> Upper Arm.L (its name; turned 42.5 degrees to the T-pose)\n"),
      "%s", run.out);
  cr_expect(
      strstr(run.out,
             "-> Lower Arm.L, 1 node below LeftUpperArm: Upper Arm Twist.L (its name; turned 13.5 degrees"),
      "%s", run.out);
  cr_expect(strstr(run.out, "\nmissing         none\n"));
  const cli_run bvh = cli("rig", sample_bones(), NULL);
  cr_expect(strstr(bvh.out, "  kind          bvh\n") &&
            strstr(bvh.out, "(inferred from the body's height)\n"));
  cr_expect(strstr(bvh.out, "\nmissing         LeftEye, RightEye, Jaw (all optional)\n"), "%s", bvh.out);
  const cli_run given = cli("rig", sample_bones(), "--rig-scale", "0.01", NULL);
  cr_expect(strstr(given.out, "0.01 m (as given by --rig-scale)"), "%s", given.out);
  json_t *object = object_of(cli("rig", "--json", sample_character(), NULL));
  cr_expect_float_eq(number_of(bone_named(object, "LeftUpperArm"), "turnDeg"), 42.5, 0.1);
  cr_expect_eq(number_of(bone_named(object, "Head"), "turnDeg"), 0);
  json_decref(object);
}

Test(bones, fingers_that_are_missing_are_one_word) {
  put_file("map.json",
           "{\"sinew_map\":1,\"bones\":{\"RightRingProximal\":null,\"RightRingIntermediate\":null,"
           "\"RightRingDistal\":null}}");
  const cli_run some = cli("rig", sample_character(), "--map", "map.json", NULL);
  cr_expect(
      strstr(some.out,
             "\nmissing         RightRingProximal, RightRingIntermediate, RightRingDistal (all optional)\n"),
      "%s", some.out);
  char *text = NULL;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  static const char *const fingers[] = {"Thumb", "Index", "Middle", "Ring", "Little"}, *const joints[] = {
                                                                                           "Proximal",
                                                                                           "Intermediate",
                                                                                           "Distal"};
  fprintf(file, "{\"sinew_map\":1,\"bones\":{\"Jaw\":null");
  for (int i = 0; i < 15; i++) fprintf(file, ",\"Left%s%s\":null", fingers[i / 3], joints[i % 3]);
  fprintf(file, "}}");
  fclose(file);
  put_file("map.json", text);
  free(text);
  const cli_run all = cli("rig", sample_character(), "--map", "map.json", NULL);
  cr_expect(strstr(all.out, "\nmissing         Jaw, all left fingers (all optional)\n"), "%s%s", all.out,
            all.err);
}

Test(bones, no_body_is_no_rig) {
  put_file("arm.bvh", "HIERARCHY\nROOT Arm\n{\n  OFFSET 0 0 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n"
                      "  JOINT Hand\n  {\n    OFFSET 0 30 0\n    CHANNELS 3 Zrotation Xrotation Yrotation\n"
                      "    End Site\n    {\n      OFFSET 0 10 0\n    }\n  }\n}\n"
                      "MOTION\nFrames: 2\nFrame Time: 0.04\n0 0 0 0 0 0\n10 0 0 20 0 0\n");
  expect_refused(cli("rig", "arm.bvh", NULL), 1, "arm.bvh: no human map: ");
  expect_refused(cli("convert", "arm.bvh", "--rig", sample_character(), NULL), 1, "arm.bvh: no human map: ");
  expect_refused(cli("convert", "-q", sample_bones(), "--rig", "arm.bvh", NULL), 1,
                 "arm.bvh: no human map: ");
  const cli_run run = cli("convert", "arm.bvh", NULL);
  cr_expect_eq(run.code, 0, "a skeleton of any kind moves by itself: %s", run.err);
  expect_refused(cli("convert", "arm.bvh", "--mesh", "boxes", "-o", "b.glb", NULL), 1,
                 "arm.bvh: boxes are for human bones: no human map: ");
  expect_refused(cli("rig", sample_clip(), NULL), 1, "an animation clip, expected a rig: ");
}

Test(bones, a_biped_is_fixed_where_it_is_one) {
  cr_expect_eq(cli("convert", "-q", sample_bones(), "-o", "as.glb", NULL).code, 0);
  cr_expect_eq(cli("convert", "-q", sample_bones(), "--fix-biped", "-o", "fixed.glb", NULL).code, 0);
  expect_same_files("as.glb", "fixed.glb", true);
}

Test(bones, help_of_rigs) {
  const cli_run run = cli("help", "rigs", NULL);
  cr_expect_eq(run.code, 0);
  static const char *const words[] = {".fbx.meta",    ".vrm",        ".glb",          ".bvh",
                                      "--map-out",    "--rig-map",   "--tpose-frame", "--in-place",
                                      "--unit-scale", "--fix-biped", "--mesh none",   "T-pose"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    cr_expect(strstr(run.out, words[i]), "%s", words[i]);
  expect_refused(cli("help", "rig-s", NULL), 2, "unknown command 'rig-s'");
}
