/* `sinew convert`, `rig` and `selftest` on the sample clip and rig: files, messages, JSON, exit codes. */
#include "cli_run.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(convert, .init = cli_enter, .fini = cli_leave);

static bool is_glb(const char *path) {
  char head[5] = "";
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  const size_t count = fread(head, 1, 4, file);
  fclose(file);
  return count == 4 && strcmp(head, "glTF") == 0;
}

static const char *const walk_name[] = {"walk"};

Test(convert, one_clip_beside) {
  const cli_run run = cli("convert", sample_clip(), "--rig", sample_rig(), NULL);
  cr_expect_eq(run.code, 0, "%s", run.err);
  cr_expect(is_glb("walk.glb"));
  cr_expect_eq(files_ending(".", ".tmp"), 0u);
  cr_expect_eq(line_count(run.out), 2u, "%s", run.out);
  unsigned frames = 0, tracks = 0, sampled = 0, constant = 0;
  double rate = 0;
  cr_expect_eq(sscanf(run.out, "walk.glb: %u frames at %lg fps, %u tracks (%u sampled, %u constant),", &frames,
                      &rate, &tracks, &sampled, &constant),
               5, "%s", run.out);
  cr_expect_eq(frames, 33u);
  cr_expect_eq(rate, 30);
  cr_expect_gt(sampled, 20u);
  cr_expect_eq(tracks, sampled + constant);
  cr_expect(strstr(run.out, "\nverified: worst joint "), "%s", run.out);
  cr_expect_null(strstr(run.err, "converted"), "a summary is for several inputs: %s", run.err);
}

Test(convert, output_file_and_rate) {
  const cli_run run = cli("convert", "--fps", "60", "--no-verify", "-o", "W.GLB", "--rig", sample_rig(), "-j",
                          "1", "--", sample_clip(), NULL);
  cr_expect_eq(run.code, 0, "%s", run.err);
  cr_expect(is_glb("W.GLB"));
  cr_expect_eq(strncmp(run.out, "W.GLB: 65 frames at 60 fps, ", 28), 0, "%s", run.out);
  cr_expect(strstr(run.out, "\nnot verified\n"), "%s", run.out);
}

Test(convert, output_folder_is_made) {
  put_clip("a.anim", walk_name, 1, 1);
  put_clip("b.anim", walk_name, 1, 1);
  const cli_run run = cli("convert", "a.anim", "--rig", sample_rig(), "b.anim", "--outdir", "x/y", NULL);
  cr_expect_eq(run.code, 0, "%s", run.err);
  cr_expect(is_glb("x/y/a.glb"));
  cr_expect(is_glb("x/y/b.glb"));
  cr_expect(strstr(run.err, "2 converted, 0 failed\n"), "%s", run.err);
}

Test(convert, same_bytes_for_any_thread_count) {
  cr_expect_eq(
      cli("convert", sample_clip(), "--rig", sample_rig(), "--fps", "1000", "-o", "1.glb", "-j", "1", NULL)
          .code,
      0);
  cr_expect_eq(
      cli("convert", sample_clip(), "--rig", sample_rig(), "--fps", "1000", "-o", "7.glb", "-j", "7", NULL)
          .code,
      0);
  cr_expect_eq(system("cmp -s 1.glb 7.glb"), 0);
}

Test(convert, several_clips_in_a_file) {
  const char *names[] = {"idle", "'jump|run?'", "\"..\""};
  put_clip("pack.anim", names, 3, 1);
  const cli_run run = cli("convert", "pack.anim", "--rig", sample_rig(), NULL);
  cr_expect_eq(run.code, 0, "%s", run.err);
  cr_expect(is_glb("pack_idle.glb"));
  cr_expect(is_glb("pack_jump_run_.glb"));
  cr_expect(is_glb("pack__..glb"));
  cr_expect_eq(line_count(run.out), 6u, "%s", run.out);
}

Test(convert, one_output_name_for_several_clips) {
  const char *names[] = {"idle", "run"};
  put_clip("pack.anim", names, 2, 1);
  const cli_run run = cli("convert", "pack.anim", "--rig", sample_rig(), "-o", "x.glb", NULL);
  cr_expect_eq(run.code, 2);
  cr_expect(strstr(run.err, "pack.anim has 2 clips"), "%s", run.err);
  cr_expect_eq(files_ending(".", ".glb"), 0u);
}

Test(convert, bad_inputs_do_not_stop_the_others) {
  put_clip("good.anim", walk_name, 1, 1);
  put_file("bad.anim", "this is no clip\n");
  const cli_run run =
      cli("convert", "bad.anim", "missing\n.anim", "good.anim", "--rig", sample_rig(), "--outdir", "o", NULL);
  cr_expect_eq(run.code, 1);
  cr_expect(is_glb("o/good.glb"));
  cr_expect_eq(files_ending("o", ".glb"), 1u);
  size_t complaints = 0;
  for (const char *p = run.err; (p = strstr(p, "sinew: ")); p++) complaints++;
  cr_expect_eq(complaints, 2u, "%s", run.err);
  cr_expect(strstr(run.err, "sinew: bad.anim"), "%s", run.err);
  cr_expect(strstr(run.err, "sinew: missing?.anim: "), "%s", run.err);
  cr_expect(strstr(run.err, "1 converted, 2 failed\n"), "%s", run.err);
}

Test(convert, only_bad_inputs_make_no_folder) {
  const cli_run run = cli("convert", "missing.anim", "--rig", sample_rig(), "--outdir", "o", "-q", NULL);
  cr_expect_eq(run.code, 1);
  cr_expect_eq(line_count(run.err), 1u, "%s", run.err);
  cr_expect_not(file_exists("o"));
}

Test(convert, bad_rig) {
  put_file("r.meta", "nothing: here\n");
  const char *const rigs[] = {"r.meta", "missing.meta"};
  for (int i = 0; i < 2; i++) {
    cli_run run = cli("convert", sample_clip(), "--rig", rigs[i], NULL);
    cr_expect_eq(run.code, 1);
    cr_expect_eq(line_count(run.err), 1u, "%s", run.err);
    cr_expect(strstr(run.err, rigs[i]), "%s", run.err);
    run = cli("rig", rigs[i], NULL);
    cr_expect_eq(run.code, 1);
    cr_expect_str_eq(run.out, "");
    cr_expect_eq(line_count(run.err), 1u, "%s", run.err);
  }
  cr_expect_eq(files_ending(".", ".glb"), 0u);
}

Test(convert, names_from_files_cannot_steer_a_terminal) {
  const char *names[] = {"\"red\\e[31m\"", "del\x7f \xc2\x9b"
                                           "2J"};
  put_clip("pack.anim", names, 2, 1);
  const cli_run run = cli("convert", "pack.anim", "--rig", sample_rig(), "-v", NULL);
  cr_expect_eq(run.code, 0, "%s", run.err);
  cr_expect(strstr(run.err, "red?[31m: "), "%s", run.err);
  cr_expect(strstr(run.err, "del? ?2J: "), "%s", run.err);
  cr_expect(is_glb("pack_red_[31m.glb"));
  cr_expect(is_glb("pack_del_ _2J.glb"));
}

static void nothing_written(cli_run run, const char *first, const char *second, const char *path) {
  cr_expect_eq(run.code, 2, "%s", run.err);
  cr_expect_str_eq(run.out, "");
  cr_expect(strstr(run.err, first), "'%s' expected in: %s", first, run.err);
  cr_expect(strstr(run.err, second), "'%s' expected in: %s", second, run.err);
  cr_expect(strstr(run.err, path), "'%s' expected in: %s", path, run.err);
  cr_expect_eq(line_count(run.err), 1u, "%s", run.err);
}

Test(convert, outputs_that_collide) {
  const char *twins[] = {"idle", "run", "idle"}, *alike[] = {"a:b", "a*b"};
  cr_assert_eq(mkdir("one", 0777) + mkdir("two", 0777), 0);
  put_clip("one/w.anim", walk_name, 1, 1);
  put_clip("two/w.txt", walk_name, 1, 1);
  put_clip("twins.anim", twins, 3, 1);
  put_clip("alike.anim", alike, 2, 1);
  const char *rig = sample_rig();
  nothing_written(cli("convert", "-q", "one/w.anim", "two/w.txt", "--rig", rig, "--outdir", "o", NULL),
                  "one/w.anim and ", " two/w.txt ", "o/w.glb");
  nothing_written(cli("convert", "-q", "one/w.anim", "one/w.anim", "--rig", rig, NULL), "one/w.anim and ",
                  "one/w.anim ", " w.glb");
  nothing_written(cli("convert", "-q", "twins.anim", "--rig", rig, NULL), "twins.anim (clip 'idle') and ",
                  "twins.anim (clip 'idle') would", "twins_idle.glb");
  nothing_written(cli("convert", "-q", "alike.anim", "--rig", rig, NULL), "(clip 'a:b')", "(clip 'a*b')",
                  "alike_a_b.glb");
  cr_expect_not(file_exists("o"));
  cr_expect_eq(files_ending(".", ".glb"), 0u);
}

Test(convert, inputs_are_safe) {
  put_clip("w.glb", walk_name, 1, 1);
  struct stat before, after;
  cr_assert_eq(stat("w.glb", &before), 0);
  nothing_written(cli("convert", "-q", "w.glb", "--rig", sample_rig(), NULL), "w.glb would",
                  "the input w.glb", "w.glb");
  nothing_written(cli("convert", "-q", "w.glb", "--rig", sample_rig(), "-o", "./w.glb", NULL),
                  "./w.glb would", "the input w.glb", "w.glb");
  cr_assert_eq(stat("w.glb", &after), 0);
  cr_expect_eq(before.st_ino, after.st_ino);
  cr_expect_eq(before.st_size, after.st_size);
}

Test(convert, output_that_cannot_be_written) {
  put_file("file", "");
  cli_run run = cli("convert", sample_clip(), "--rig", sample_rig(), "-q", "-o", "none/walk.glb", NULL);
  cr_expect_eq(run.code, 1);
  cr_expect_eq(line_count(run.err), 1u, "%s", run.err);
  run = cli("convert", sample_clip(), "--rig", sample_rig(), "-q", "--outdir", "file/below", NULL);
  cr_expect_eq(run.code, 1);
  cr_expect(strstr(run.err, "file/below: cannot make the folder: Not a directory"), "%s", run.err);
  cr_expect_eq(mkdir("walk.glb", 0777), 0);
  run = cli("convert", sample_clip(), "--rig", sample_rig(), "-q", NULL);
  cr_expect_eq(run.code, 1);
  cr_expect_eq(line_count(run.err), 1u, "%s", run.err);
  cr_expect_eq(files_ending(".", ".tmp"), 0u);
}

Test(convert, quiet_and_verbose) {
  cli_run run = cli("convert", sample_clip(), "--rig", sample_rig(), "-q", NULL);
  cr_expect_eq(run.code, 0);
  cr_expect_str_eq(run.out, "");
  cr_expect_str_eq(run.err, "");
  run = cli("convert", sample_clip(), "--rig", sample_rig(), "-v", "--isa", "sse4", NULL);
  cr_expect_eq(run.code, 0);
  cr_expect(strstr(run.err, "isa sse4"), "%s", run.err);
  cr_expect(strstr(run.err, ", profile nofma, "), "%s", run.err);
  cr_expect(strstr(run.err, "(95 muscles, 7 root, 28 goals, 0 TDoF, 0 foreign)"), "%s", run.err);
  cr_expect(strstr(run.err, "reported, not applied: "), "%s", run.err);
  cr_expect(strstr(run.err, "loop time yes"), "%s", run.err);
}

Test(convert, stdout_that_refuses) {
  const cli_run run =
      cli_to("/dev/full", "convert", sample_clip(), "--rig", sample_rig(), "-o", "w.glb", NULL);
  cr_expect_eq(run.code, 1);
  cr_expect(strstr(run.err, "sinew: cannot write to standard output: No space left on device\n"), "%s",
            run.err);
  cr_expect(is_glb("w.glb"), "the file itself is finished");
  const cli_run closed = cli_to("-", "convert", sample_clip(), "--rig", sample_rig(), "-o", "w.glb", NULL);
  cr_expect_eq(closed.code, 1);
  cr_expect(is_glb("w.glb"), "no report went into the output");
}

/* The objects of JSON lines; each line must be one. */
static size_t json_lines(const char *text, json_t **objects, size_t most) {
  size_t count = 0;
  for (const char *end; *text && count < most; text = end + 1) {
    end = strchr(text, '\n');
    cr_assert(end, "the last line ends with a newline");
    json_error_t error;
    objects[count] = json_loadb(text, (size_t)(end - text), JSON_REJECT_DUPLICATES, &error);
    cr_assert(objects[count], "%s in: %s", error.text, text);
    cr_expect_str_eq(json_string_value(json_object_get(objects[count], "sinew")), "0.1.0");
    count++;
  }
  return count;
}

static void json_free(json_t **objects, size_t count) {
  for (size_t i = 0; i < count; i++) json_decref(objects[i]);
}

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "(none)";
}

Test(convert, json_for_each_input) {
  put_clip("good.anim", walk_name, 1, 1);
  put_file("bad.anim", "this is no clip\n");
  const cli_run run =
      cli("convert", "--json", "bad.anim", "gone\xff\n.anim", "good.anim", "--rig", sample_rig(), NULL);
  cr_expect_eq(run.code, 1);
  json_t *objects[4];
  cr_assert_eq(json_lines(run.out, objects, 4), 3u, "%s", run.out);
  cr_expect_str_eq(text_of(objects[0], "input"), "bad.anim");
  cr_expect(json_is_false(json_object_get(objects[0], "ok")));
  const json_t *error = json_object_get(objects[0], "error");
  static const char *const keys[] = {"code", "message", "line", "column", "byte"};
  for (int i = 0; i < 5; i++) cr_expect(json_object_get(error, keys[i]), "%s", keys[i]);
  cr_expect_str_eq(text_of(objects[1], "input"), "gone?\n.anim");
  cr_expect_str_eq(text_of(json_object_get(objects[1], "error"), "code"), "io");
  const json_t *good = objects[2];
  cr_expect(json_is_true(json_object_get(good, "ok")));
  cr_expect_str_eq(text_of(good, "output"), "good.glb");
  cr_expect_str_eq(text_of(good, "clip"), "walk");
  cr_expect_eq(json_integer_value(json_object_get(good, "frames")), 33);
  cr_expect_eq(json_number_value(json_object_get(good, "fps")), 30);
  struct stat status;
  cr_assert_eq(stat("good.glb", &status), 0);
  cr_expect_eq(json_integer_value(json_object_get(good, "bytes")), status.st_size);
  cr_expect(json_is_true(json_object_get(good, "verified")));
  cr_expect_lt(json_number_value(json_object_get(good, "worstJointM")), 1e-5 * 1.8);
  cr_expect(json_is_array(json_object_get(good, "tdofCurves")));
  cr_expect(json_is_array(json_object_get(good, "foreignCurves")));
  cr_expect(json_is_true(json_object_get(json_object_get(good, "settings"), "loopTime")));
  const cli_run help = cli("help", "convert", NULL);
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)good, key, value) {
    char member[64];
    snprintf(member, sizeof member, "\"%s\":", key);
    cr_expect(strstr(help.out, member), "the help states %s", member);
  }
  json_free(objects, 3);
}

static json_t *converted(const char *path, const char *first, const char *second) {
  const cli_run run =
      second ? cli("convert", "--json", "-o", path, first, second, sample_clip(), "--rig", sample_rig(), NULL)
             : cli("convert", "--json", "-o", path, first, sample_clip(), "--rig", sample_rig(), NULL);
  cr_assert_eq(run.code, 0, "%s", run.err);
  json_t *object;
  cr_assert_eq(json_lines(run.out, &object, 1), 1u, "%s", run.out);
  return object;
}

static double number_of(const json_t *object, const char *key) {
  return json_number_value(json_object_get(object, key));
}

Test(convert, quantized_and_boxes) {
  json_t *plain = converted("plain.glb", "--mesh=none", NULL);
  json_t *quantized = converted("quantized.glb", "--quantize", NULL);
  json_t *boxes = converted("boxes.glb", "--mesh", "boxes");
  cr_expect(json_is_false(json_object_get(plain, "quantized")));
  cr_expect_eq(number_of(plain, "boxes"), 0);
  cr_expect(json_is_null(json_object_get(plain, "worstCornerM")));
  cr_expect(json_is_true(json_object_get(quantized, "quantized")));
  cr_expect_float_eq(number_of(quantized, "allowedM") / number_of(plain, "allowedM"), 50, 1e-9);
  cr_expect_gt(number_of(quantized, "worstJointM"), number_of(plain, "worstJointM"));
  cr_expect_leq(number_of(quantized, "worstJointM"), number_of(quantized, "allowedM"));
  cr_expect_lt(number_of(quantized, "bytes"), number_of(plain, "bytes"));
  cr_expect_eq(number_of(boxes, "boxes"), 52);
  cr_expect_gt(number_of(boxes, "bytes"), number_of(plain, "bytes"));
  cr_expect_gt(number_of(boxes, "worstCornerM"), 0);
  cr_expect_leq(number_of(boxes, "worstCornerM"), number_of(boxes, "allowedM"));
  json_free(&plain, 1);
  json_free(&quantized, 1);
  json_free(&boxes, 1);
  const cli_run both =
      cli("convert", "--quantize", "--mesh", "boxes", sample_clip(), "--rig", sample_rig(), NULL);
  cr_expect(strstr(both.out, "\nquantized: ") && strstr(both.out, "\nmesh: 52 boxes\n"), "%s", both.out);
  cr_expect(strstr(both.out, ", worst corner "), "%s", both.out);
}

Test(convert, an_unknown_mesh_is_usage) {
  const cli_run run = cli("convert", "--mesh", "box", sample_clip(), "--rig", sample_rig(), NULL);
  cr_expect_eq(run.code, 2);
  cr_expect(strstr(run.err, "--mesh wants keep, boxes or none, not 'box'"), "%s", run.err);
}

Test(convert, json_without_verification) {
  const cli_run run = cli("convert", "--json", "--no-verify", sample_clip(), "--rig", sample_rig(), NULL);
  json_t *objects[2];
  cr_assert_eq(json_lines(run.out, objects, 2), 1u, "%s", run.out);
  cr_expect(json_is_false(json_object_get(objects[0], "verified")));
  cr_expect(json_is_null(json_object_get(objects[0], "worstJointM")));
  cr_expect(json_is_null(json_object_get(objects[0], "worstJoint")));
  json_free(objects, 1);
}

Test(convert, rig_report) {
  const cli_run run = cli("rig", sample_rig(), NULL);
  cr_expect_eq(run.code, 0, "%s", run.err);
  cr_expect_str_eq(run.err, "");
  static const char *const words[] = {"of which 55 are human bones",
                                      "Hips                    -> rig:Hips\n",
                                      "height",
                                      "human scale",
                                      "missing         none\n",
                                      "twist kept",
                                      "stretch"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    cr_expect(strstr(run.out, words[i]), "%s", words[i]);
  cr_expect(strstr(run.out, "1 node below Hips"), "%s", run.out);
}

Test(convert, rig_json) {
  const cli_run run = cli("rig", "--json", sample_rig(), "--rig-scale", "0.5", NULL);
  cr_expect_eq(run.code, 0, "%s", run.err);
  json_t *objects[2];
  cr_assert_eq(json_lines(run.out, objects, 2), 1u, "%s", run.out);
  cr_expect_eq(json_array_size(json_object_get(objects[0], "bones")), 55u);
  cr_expect_eq(json_number_value(json_object_get(objects[0], "unitScale")), 0.5);
  cr_expect(json_is_false(json_object_get(objects[0], "unitInferred")));
  const json_t *hips = json_array_get(json_object_get(objects[0], "bones"), 0);
  cr_expect_str_eq(text_of(hips, "bone"), "Hips");
  cr_expect_str_eq(text_of(hips, "node"), "rig:Hips");
  cr_expect(json_is_null(json_object_get(hips, "parent")));
  const cli_run help = cli("help", "rig", NULL);
  const char *key;
  json_t *value;
  json_object_foreach(objects[0], key, value) {
    char member[64];
    snprintf(member, sizeof member, "\"%s\"", key);
    cr_expect(strstr(help.out, member), "the help states %s", member);
  }
  json_free(objects, 1);
}

/* A rig file stands in for its source everywhere: one hash, the same bytes. */
Test(convert, rig_to_a_file_and_back) {
  cli_run run = cli("rig", sample_rig(), "-o", "walker.json", NULL);
  cr_expect_eq(run.code, 0, "%s", run.err);
  cr_expect(strstr(run.out, "written         walker.json\n"), "%s", run.out);
  cr_expect(strstr(run.out, "kind          fbx-meta\n"), "%s", run.out);
  run = cli("rig", "--json", sample_rig(), "-o", "again.json", NULL);
  json_t *source[2], *file[2];
  cr_assert_eq(json_lines(run.out, source, 2), 1u, "%s", run.out);
  cr_expect_str_eq(text_of(source[0], "output"), "again.json");
  run = cli("rig", "--json", "walker.json", NULL);
  cr_assert_eq(json_lines(run.out, file, 2), 1u, "%s", run.out);
  cr_expect_str_eq(text_of(source[0], "hash"), text_of(file[0], "hash"));
  cr_expect_str_eq(text_of(file[0], "kind"), "rig-file");
  cr_expect(json_is_null(json_object_get(file[0], "output")));
  static const char *const members[] = {"name",    "bones",       "missing",  "warnings",
                                        "heightM", "humanScaleM", "unitScale"};
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    cr_expect(json_equal(json_object_get(source[0], members[i]), json_object_get(file[0], members[i])), "%s",
              members[i]);
  const json_t *spine = json_array_get(json_object_get(file[0], "bones"), 7);
  cr_expect_eq(json_array_size(json_object_get(spine, "between")),
               (size_t)json_integer_value(json_object_get(spine, "betweenNodes")));
  cr_expect_gt(json_number_value(json_object_get(spine, "mass")), 0);
  json_free(source, 1);
  json_free(file, 1);
  cr_expect_eq(cli("convert", sample_clip(), "--rig", sample_rig(), "-o", "1.glb", NULL).code, 0);
  cr_expect_eq(cli("convert", sample_clip(), "--rig", "walker.json", "-o", "2.glb", NULL).code, 0);
  cr_expect_eq(system("cmp -s 1.glb 2.glb"), 0);
  cr_expect_eq(system("cmp -s walker.json again.json"), 0);
}

Test(convert, rig_to_no_file) {
  cr_expect_eq(cli("rig", sample_rig(), "-o", "walker.json", "--json", NULL).code, 0);
  cli_run run = cli("rig", "walker.json", "-o", "./walker.json", NULL);
  cr_expect_eq(run.code, 2);
  cr_expect(strstr(run.err, "-o './walker.json' would replace an input"), "%s", run.err);
  run = cli("rig", "walker.json", "-o", "walker.meta", NULL);
  cr_expect_eq(run.code, 2);
  cr_expect(strstr(run.err, "ends in .json"), "%s", run.err);
  run = cli("rig", "walker.json", "-o", "none/rig.json", "--json", NULL);
  cr_expect_eq(run.code, 1);
  json_t *objects[2];
  cr_assert_eq(json_lines(run.out, objects, 2), 1u, "%s", run.out);
  cr_expect_str_eq(text_of(objects[0], "output"), "none/rig.json");
  cr_expect_str_eq(text_of(json_object_get(objects[0], "error"), "code"), "io");
  json_free(objects, 1);
  run = cli("rig", "walker.json", "--rig-scale", "0.01", NULL);
  cr_expect_eq(run.code, 1);
  cr_expect(strstr(run.err, "a rig file is in metres"), "%s", run.err);
  cr_expect_eq(files_ending(".", ".json"), 1u);
}

Test(convert, selftest) {
  const cli_run brief = cli("selftest", NULL);
  cr_expect_eq(brief.code, 0, "%s", brief.out);
  cr_expect_eq(line_count(brief.out), 1u, "%s", brief.out);
  unsigned passed = 0, failed = 1;
  cr_expect_eq(sscanf(brief.out, "%u passed, %u failed", &passed, &failed), 2);
  cr_expect_gt(passed, 0u);
  cr_expect_eq(failed, 0u);
  const cli_run all = cli("selftest", "-v", NULL);
  cr_expect_eq(line_count(all.out), passed + 1u, "a line per check and the last one");
}
