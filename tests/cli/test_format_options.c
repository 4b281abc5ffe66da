/* `sinew convert` to other formats and by muscles: options and refusals, names of outputs, what is told. */
#include "cli/glb_text.h"
#include "cli_run.h"
#include "sinew.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(format_options, .init = cli_enter, .fini = cli_leave);

enum { FORMAT_END = SINEW_FORMAT_CSV + 1 };

static bool holds_bones(uint32_t format) {
  return format != SINEW_FORMAT_ANIM && format != SINEW_FORMAT_CSV;
}

/* Exit code 2, nothing on stdout, one line on stderr that holds the words. */
static void refused(const cli_run run, const char *words) {
  cr_expect_eq(run.code, 2, "exit code %d: %s%s", run.code, run.out, run.err);
  cr_expect_str_eq(run.out, "");
  cr_expect_eq(line_count(run.err), 1u, "%s", run.err);
  cr_expect(strstr(run.err, words), "'%s' expected in: %s", words, run.err);
}

static void done(const cli_run run) {
  cr_expect_eq(run.code, 0, "%s", run.err);
}

static json_t *object_of(const cli_run run) {
  cr_assert_eq(run.code, 0, "%s", run.err);
  json_t *object = json_loads(run.out, JSON_REJECT_DUPLICATES, NULL);
  cr_assert(object, "one JSON object expected: %s%s", run.out, run.err);
  return object;
}

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "(none)";
}

static bool same_files(const char *a, const char *b) {
  size_t a_bytes, b_bytes;
  char *left = test_read_file(a, &a_bytes), *right = test_read_file(b, &b_bytes);
  cr_assert(left && right, "%s and %s are there", a, b);
  const bool same = a_bytes == b_bytes && memcmp(left, right, a_bytes) == 0;
  free(left);
  free(right);
  return same;
}

/* ---- the format and the names of outputs -----------------------------------------------------------------
 */

Test(format_options, format_by_suffix_or_name) {
  for (uint32_t i = 0; i < FORMAT_END; i++) {
    const char *name = sinew_format_name(i);

    char path[32], folder[32], words[64];
    snprintf(path, sizeof path, "x.%s", name);
    snprintf(folder, sizeof folder, "d.%s/walk.%s", name, name);
    json_t *object = object_of(cli("convert", "--json", sample_bones(), "-o", path, NULL));
    cr_expect_str_eq(text_of(object, "format"), name);
    cr_expect_str_eq(text_of(object, "output"), path);
    cr_expect(json_is_true(json_object_get(object, "verified")), "%s", name);
    json_decref(object);
    snprintf(words, sizeof words, "d.%s", name);
    done(cli("convert", "-q", sample_bones(), "--to", name, "--outdir", words, NULL));
    cr_expect(file_exists(folder), "%s", folder);
    cr_expect(same_files(path, folder), "%s", name);
    done(cli("convert", "-q", sample_bones(), "--to", name, "-o", "other.name", NULL));
    cr_expect(same_files(path, "other.name"), "%s", name);
  }
  cr_expect_eq(files_ending(".", ".tmp"), 0u);
}

Test(format_options, format_without_a_word_is_glb) {
  json_t *object = object_of(cli("convert", "--json", sample_bones(), NULL));
  cr_expect_str_eq(text_of(object, "format"), "glb");
  cr_expect_str_eq(text_of(object, "output"), "walk.glb");
  json_decref(object);
}

Test(format_options, formats_refused) {
  refused(cli("convert", "none.bvh", "--to", "fbx", NULL), "--to wants glb");
  refused(cli("convert", "none.bvh", "--to", "GLB", NULL), ", not 'GLB'");
  refused(cli("convert", "none.bvh", "--to", "", NULL), "--to wants glb");
  refused(cli("convert", "none.bvh", "-o", "walk.fbx", NULL), "ends in .glb");
  for (uint32_t i = 1; i < FORMAT_END; i++) {
    const char *name = sinew_format_name(i);
    char path[32], words[64];

    snprintf(path, sizeof path, "walk.%s", name);
    snprintf(words, sizeof words, "--to says glb, and -o 'walk.%s': one of them is wrong", name);
    refused(cli("convert", "none.bvh", "--to", "glb", "-o", path, NULL), words);
  }
  cr_expect_eq(files_ending(".", ".tmp"), 0u);
}

Test(format_options, inputs_are_safe_in_any_format) {
  for (uint32_t i = 0; i < FORMAT_END; i++) {
    const char *name = sinew_format_name(i);
    char path[32];

    snprintf(path, sizeof path, "walk.%s", name);
    done(cli("convert", "-q", sample_clip(), "--rig", sample_rig(), "--to", name, NULL));
    refused(cli("convert", "-q", path, "--rig", sample_rig(), "--to", name, NULL),
            "would be written over the input");
  }
}

/* ---- rigs ------------------------------------------------------------------------------------------------
 */

Test(format_options, muscles_want_a_rig_where_bones_turn) {
  for (uint32_t i = 0; i < FORMAT_END; i++) {
    const char *name = sinew_format_name(i);

    const cli_run run = cli("convert", "-q", sample_clip(), "--to", name, "--outdir", "o", NULL);
    if (holds_bones(i))
      refused(run, "walk.anim is a clip of muscles, which wants --rig RIG");
    else
      done(run);
    done(cli("convert", "-q", sample_clip(), "--to", name, "--rig", sample_rig(), "--outdir", "p", NULL));
  }
}

Test(format_options, an_avatar_of_the_clip) {
  json_t *found =
      object_of(cli("convert", "--json", sample_bones(), "--via", "muscle", "-o", "found.glb", NULL));
  cr_expect_str_eq(text_of(json_object_get(found, "muscles"), "avatar"), "figure");
  cr_expect_str_eq(text_of(found, "way"), "muscle");
  json_t *given = object_of(cli("convert", "--json", sample_bones(), "--via", "muscle", "--clip-rig",
                                sample_bones(), "-o", "given.glb", NULL));
  cr_expect_str_eq(text_of(json_object_get(given, "muscles"), "avatar"), "clip rig");
  json_t *rig = object_of(cli("convert", "--json", sample_bones(), "--via", "muscle", "--rig", sample_bones(),
                              "-o", "rig.glb", NULL));
  cr_expect_str_eq(text_of(json_object_get(rig, "muscles"), "avatar"), "rig");
  json_decref(found);
  json_decref(given);
  json_decref(rig);
  const cli_run other = cli("convert", "-q", sample_bones(), "--via", "muscle", "--clip-rig",
                            sample_character(), "-o", "x.glb", NULL);
  cr_expect_eq(other.code, 1);
  cr_expect(strstr(other.err, "the clip's skeleton is not its rig's"), "%s", other.err);
  const cli_run none =
      cli("convert", "-q", sample_bones(), "--via", "muscle", "--clip-rig", "none.meta", "-o", "x.glb", NULL);
  cr_expect_eq(none.code, 1);
  cr_expect(strstr(none.err, "none.meta"), "%s", none.err);
  cr_expect_not(file_exists("x.glb"));
}

/* What is odd about it is told as of a rig. */
Test(format_options, warnings_of_the_avatar) {
  const cli_run run = cli("convert", sample_bones(), "--via", "muscle", "--clip-rig", sample_bones(), NULL);
  done(run);
  size_t told = 0;
  for (const char *p = run.err; (p = strstr(p, "measures 149.8 in the file's unit")); p++) told++;
  cr_expect_eq(told, 2u, "of the clip and of the avatar: %s", run.err);
}

Test(format_options, the_avatar_is_safe) {
  done(cli("convert", "-q", sample_bones(), "-o", "walk.bvh", NULL));
  refused(
      cli("convert", "-q", sample_bones(), "--clip-rig", "walk.bvh", "--via", "muscle", "--to", "bvh", NULL),
      "walk.bvh would be written over the input walk.bvh: nothing is written");
}

/* A clip of muscles beside one of bones has no skeleton that it could be of. */
Test(format_options, an_avatar_is_for_clips_of_bones_alone) {
  done(cli("convert", "-q", sample_bones(), "--clip-rig", sample_bones(), "--via", "muscle", "--rig",
           sample_rig(), "--outdir", "o", NULL));
  put_clip("m.anim", (const char *const[]){"m"}, 1, 1);
  done(cli("convert", "-q", "m.anim", sample_bones(), "--clip-rig", sample_bones(), "--via", "muscle",
           "--rig", sample_rig(), "--outdir", "p", NULL));
  cr_expect(same_files("o/walk.glb", "p/walk.glb"));
  refused(cli("convert", "-q", "m.anim", "--clip-rig", sample_bones(), "--via", "muscle", "--rig",
              sample_rig(), NULL),
          "--clip-rig is for clips of bones, and there are none");
}

/* ---- options that would do nothing -----------------------------------------------------------------------
 */

Test(format_options, options_of_single_formats) {
  static const struct {
    const char *option;
    const char *value;
    sinew_format format;
  } cases[] = {{"--quantize", NULL, SINEW_FORMAT_GLB},    {"--mesh", "none", SINEW_FORMAT_GLB},
               {"--order", "xyz", SINEW_FORMAT_BVH},      {"--unit", "m", SINEW_FORMAT_BVH},
               {"--unit", "cm", SINEW_FORMAT_BVH},        {"--rest", "t", SINEW_FORMAT_BVH},
               {"--rest", "own", SINEW_FORMAT_BVH},       {"--rotations", "xyz", SINEW_FORMAT_NPZ},
               {"--rotations", "xyzw", SINEW_FORMAT_NPZ}, {"--tdof", NULL, SINEW_FORMAT_ANIM}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (uint32_t i = 0; i < FORMAT_END; i++) {
      const char *name = sinew_format_name(i), *value = cases[k].value;

      const cli_run run =
          value ? cli("convert", "-q", sample_bones(), "--to", name, cases[k].option, value, "--outdir", "o",
                      NULL)
                : cli("convert", "-q", sample_bones(), "--to", name, cases[k].option, "--outdir", "o", NULL);
      char words[64];
      snprintf(words, sizeof words, "%s is for ", cases[k].option);
      if (i == (uint32_t)cases[k].format)
        done(run);
      else
        refused(run, words);
    }
}

Test(format_options, translations_are_those_of_bones) {
  refused(cli("convert", "-q", sample_bones(), "--to", "anim", "--tdof", "--mirror", NULL),
          "--tdof and --mirror do not go together");
  refused(cli("convert", "-q", sample_clip(), "--to", "anim", "--tdof", NULL),
          "--tdof is for clips of bones, and there are none");
  put_clip("m.anim", (const char *const[]){"m"}, 1, 1);
  done(cli("convert", "-q", "m.anim", sample_bones(), "--to", "anim", "--tdof", "--outdir", "o", NULL));
}

Test(format_options, words_are_read_strictly) {
  static const char *const cases[][3] = {{"--limb", "closed", "--limb wants editor or exact, not 'closed'"},
                                         {"--limits", "on", "--limits wants off, warn or clamp, not 'on'"},
                                         {"--unit", "mm", "--unit wants cm or m, not 'mm'"},
                                         {"--rest", "T", "--rest wants own or t, not 'T'"},
                                         {"--rotations", "wxyz", "--rotations wants xyzw or xyz, not 'wxyz'"},
                                         {"--order", "XYX", "--order wants XYZ, XZY, YXZ, YZX, ZXY or ZYX"},
                                         {"--order", "", "--order wants XYZ, XZY, YXZ, YZX, ZXY or ZYX"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    refused(cli("convert", "none.bvh", cases[i][0], cases[i][1], NULL), cases[i][2]);
}

Test(format_options, how_muscles_are_found_where_none_are) {
  static const char *const words = "says how muscles are found from bones, and none are";
  refused(cli("convert", sample_bones(), "--limb", "exact", NULL), words);
  refused(cli("convert", sample_bones(), "--limb", "editor", "--via", "delta", "--rig", sample_rig(), NULL),
          words);
  refused(cli("convert", sample_bones(), "--clip-rig", sample_bones(), NULL), words);
  refused(
      cli("convert", "-q", sample_clip(), "--limb", "exact", "--via", "muscle", "--rig", sample_rig(), NULL),
      "--limb is for clips of bones, and there are none");
}

Test(format_options, what_is_done_to_muscles_wants_them) {
  static const char *const cases[][3] = {{"--mirror", "--fps=30", "--mirror is done to muscles"},
                                         {"--limits", "clamp", "--limits clamp is done to muscles"},
                                         {"--limits", "warn", "--limits warn is done to muscles"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    refused(cli("convert", "-q", sample_bones(), cases[i][0], cases[i][1], NULL), cases[i][2]);
    refused(cli("convert", "-q", sample_bones(), cases[i][0], cases[i][1], "--rig", sample_character(), NULL),
            "it wants --via muscle");
    done(cli("convert", "-q", sample_bones(), cases[i][0], cases[i][1], "--via", "muscle", NULL));
    done(cli("convert", "-q", sample_clip(), cases[i][0], cases[i][1], "--rig", sample_rig(), NULL));
  }
  done(cli("convert", "-q", sample_bones(), "--limits", "off", NULL));
}

/* ---- what is told ----------------------------------------------------------------------------------------
 */

Test(format_options, losses_are_told) {
  const cli_run run = cli("convert", sample_bones(), "--via", "muscle", "--rig", sample_character(), NULL);
  done(run);
  double mean_deg = 0, most_deg = 0;
  char bone[64] = "";
  unsigned frame = 0;
  const char *line = strstr(run.out, "\nmuscles: ");
  cr_assert(line, "%s", run.out);
  cr_expect_eq(
      sscanf(line,
             "\nmuscles: of an avatar made of the body found in the file; they hold the bones to %lg "
             "degrees on average, %lg at worst (%63[A-Za-z], frame %u)",
             &mean_deg, &most_deg, bone, &frame),
      4, "%s", line);
  cr_expect(mean_deg > 0 && mean_deg < most_deg && most_deg < 1 && frame < 33, "%s", line);
  json_t *object = object_of(cli("convert", "--json", sample_bones(), "--via", "muscle", "--rig",
                                 sample_character(), "-o", "j.glb", NULL));
  const json_t *lost = json_object_get(json_object_get(object, "muscles"), "lost");
  const json_t *worst = json_object_get(lost, bone);
  cr_assert(worst, "%s", bone);
  cr_expect_float_eq(json_number_value(json_object_get(worst, "mostDeg")), most_deg, 0.06 * most_deg);
  cr_expect_eq(json_integer_value(json_object_get(worst, "frame")), (json_int_t)frame);
  cr_expect_leq(json_number_value(json_object_get(worst, "meanDeg")),
                json_number_value(json_object_get(worst, "mostDeg")));
  json_decref(object);
}

Test(format_options, json_of_muscles) {
  json_t *bones = object_of(cli("convert", "--json", sample_bones(), "-o", "a.glb", NULL));
  json_t *clip =
      object_of(cli("convert", "--json", sample_clip(), "--rig", sample_rig(), "-o", "b.glb", NULL));
  json_t *both = object_of(
      cli("convert", "--json", sample_bones(), "--rig", sample_rig(), "--via=muscle", "-o", "c.glb", NULL));
  cr_expect(json_is_null(json_object_get(bones, "muscles")));
  cr_expect(json_is_null(json_object_get(clip, "muscles")));
  const json_t *muscles = json_object_get(both, "muscles");
  static const char *const lists[] = {"placeDiffers", "betweenDiffers", "betweenTurns", "moves",
                                      "customRanges"};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    cr_expect(json_is_array(json_object_get(muscles, lists[i])), "%s", lists[i]);
  cr_expect(json_is_object(json_object_get(muscles, "lost")));
  const cli_run help = cli("help", "convert", NULL);
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)muscles, key, value) {
    char member[64];
    snprintf(member, sizeof member, "\"%s\":", key);
    cr_expect(strstr(help.out, member), "the help states %s", member);
  }
  json_decref(bones);
  json_decref(clip);
  json_decref(both);
}

/* The skeleton of the sample with a hip bone of its own: a node moved in the avatar, and its child's ranges.
 */
Test(format_options, differences_from_the_avatar_are_told) {
  put_file("map.json", "{\"sinew_map\": 1, \"ranges\": {\"Left Arm Down-Up\": [-30, 40]}}");
  const cli_run run =
      cli("convert", sample_bones(), "--map", "map.json", "--via", "muscle", "-o", "w.glb", NULL);
  done(run);
  cr_expect(strstr(run.out, "\nranges: 1 bone has muscle ranges of the avatar's own: LeftUpperArm\n"), "%s",
            run.out);
  json_t *object = object_of(
      cli("convert", "--json", sample_bones(), "--map", "map.json", "--via", "muscle", "-o", "w.glb", NULL));
  const json_t *ranges = json_object_get(json_object_get(object, "muscles"), "customRanges");
  cr_expect_eq(json_array_size(ranges), 1u);
  cr_expect_str_eq(json_string_value(json_array_get(ranges, 0)), "LeftUpperArm");
  json_decref(object);
}

Test(format_options, limits_are_told_and_kept) {
  put_file("map.json", "{\"sinew_map\": 1, \"ranges\": {\"Left Arm Down-Up\": [-30, 40], \"Right Arm "
                       "Down-Up\": [-10, 40]}}");
  static const char *const ways[] = {"off", "warn", "clamp"};
  for (int i = 0; i < 3; i++) {
    const cli_run run =
        cli("convert", sample_bones(), "--map", "map.json", "--via=muscle", "--limits", ways[i], "-o",
            i == 0   ? "off.glb"
            : i == 1 ? "warn.glb"
                     : "clamp.glb",
            NULL);
    done(run);
    const char *line = strstr(run.out, "\nlimits: ");
    cr_expect_eq(line != NULL, i > 0, "%s", run.out);
    if (!line) continue;
    const char *right = strstr(line, "Right Arm Down-Up ("), *left = strstr(line, "Left Arm Down-Up (");
    cr_expect(right && left && right < left, "worst first: %s", line);
    cr_expect_eq(strstr(line, ", held to it: ") != NULL, i == 2, "%s", line);
  }
  cr_expect(same_files("off.glb", "warn.glb"));
  cr_expect_not(same_files("off.glb", "clamp.glb"));
  json_t *object = object_of(cli("convert", "--json", sample_bones(), "--map", "map.json", "--via=muscle",
                                 "--limits", "clamp", "-o", "j.glb", NULL));
  const json_t *limits = json_object_get(object, "limits");
  cr_expect(json_is_true(json_object_get(limits, "clamped")));
  const json_t *arm = json_object_get(json_object_get(limits, "muscles"), "Right Arm Down-Up");
  cr_expect_gt(json_number_value(json_object_get(arm, "most")), 1);
  cr_expect_gt(json_integer_value(json_object_get(arm, "framesBeyond")), 0);
  json_decref(object);
}

Test(format_options, limits_that_none_leaves) {
  const cli_run run = cli("convert", sample_bones(), "--via", "muscle", "--limits", "warn", NULL);
  done(run);
  cr_expect(strstr(run.out, "\nlimits: no muscle leaves -1..1\n"), "%s", run.out);
  const cli_run one = cli("convert", sample_clip(), "--rig", sample_rig(), "--limits", "warn", NULL);
  done(one);
  cr_expect(strstr(one.out, "\nlimits: 1 muscle leaves -1..1: Jaw Close (1.03, 33 frames)\n"), "%s", one.out);
  cr_expect_eq(line_count(one.out), 3u, "%s", one.out);
}

/* A GLB whose hips are scaled by what was their way. */
static void put_scaled(const char *path) {
  done(cli("convert", "-q", sample_bones(), "-o", "plain.glb", NULL));
  glb_text glb = glb_text_read("plain.glb");
  json_t *animation = json_array_get(json_object_get(glb.json, "animations"), 0), *channel;
  size_t index;
  json_array_foreach(json_object_get(animation, "channels"), index, channel) {
    json_t *target = json_object_get(channel, "target");
    if (strcmp(json_string_value(json_object_get(target, "path")), "translation") == 0)
      json_object_set_new(target, "path", json_string("scale"));
  }
  glb_text_write(&glb, path);
  glb_text_free(&glb);
}

Test(format_options, scales_that_a_format_has_not_are_told) {
  static const char words[] = "\nscale: 1 node is scaled over time: not carried over\n";
  put_scaled("scaled.glb");
  cr_expect_null(strstr(cli("convert", "scaled.glb", "-o", "kept.glb", NULL).out, words));
  static const char *const formats[] = {"bvh", "npz"};
  for (int i = 0; i < 2; i++) {
    const cli_run run = cli("convert", "scaled.glb", "--to", formats[i], NULL);
    done(run);
    cr_expect(strstr(run.out, words), "%s", run.out);
  }
}

/* A mesh is a GLB's; muscles alone have no tracks. */
Test(format_options, what_is_told_is_what_is_written) {
  for (uint32_t i = 0; i < FORMAT_END; i++) {
    const cli_run run =
        cli("convert", sample_bones(), "--rig", sample_character(), "--to", sinew_format_name(i), NULL);
    done(run);
    cr_expect_eq(strstr(run.out, "\nmesh: ") != NULL, i == SINEW_FORMAT_GLB, "%s", run.out);
    cr_expect_eq(strstr(run.out, " tracks (") != NULL, holds_bones(i), "%s", run.out);
    const bool measured = i == SINEW_FORMAT_GLB || i == SINEW_FORMAT_VRMA;
    cr_expect_eq(strstr(run.out, "\nverified: worst joint ") != NULL, measured, "%s", run.out);
    cr_expect_eq(strstr(run.out, "\nverified: read back, byte for byte\n") != NULL, !measured, "%s", run.out);
    json_t *object = object_of(cli("convert", "--json", sample_bones(), "--rig", sample_character(), "--to",
                                   sinew_format_name(i), NULL));
    static const char *const members[] = {"worstJointM", "worstJoint", "worstFrame", "allowedM"};
    for (size_t k = 0; k < 4; k++)
      cr_expect_eq(json_is_null(json_object_get(object, members[k])), !measured, "%s", members[k]);
    cr_expect(json_is_true(json_object_get(object, "verified")));
    json_decref(object);
    cr_expect(strstr(cli("convert", sample_bones(), "--no-verify", "--to", sinew_format_name(i), NULL).out,
                     "\nnot verified\n"));
  }
}

Test(format_options, help_tells_of_formats) {
  const cli_run run = cli("help", "formats", NULL);
  cr_expect_eq(run.code, 0);
  for (uint32_t i = 0; i < FORMAT_END; i++) {
    char words[32];

    snprintf(words, sizeof words, "  .%s ", sinew_format_name(i));
    cr_expect(strstr(run.out, words), "%s", words);
  }
  cr_expect(strstr(cli("--help", NULL).out, "help formats"));
  cr_expect(strstr(cli("help", "help", NULL).out, "help formats"));
}
