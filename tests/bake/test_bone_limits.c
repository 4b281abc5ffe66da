/* Clips of bones at their limits: they bake and verify, or a sentence refuses them; the same bytes whatever
 * computes them. */
#include "kernels.h"
#include "motion/made_biped.h"
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files
 * -------------------------------------------------------------------------------------------------- */

typedef struct made_text {
  char *text;
  size_t byte_count;
  FILE *out;
} made_text;

static void text_begin(made_text *t) {
  t->out = open_memstream(&t->text, &t->byte_count);
  cr_assert(t->out);
}

/* `joints` joints below each other in columns of `depth` from the root on, an End Site below each column. */
static made_text made_columns(uint32_t joints, uint32_t depth, uint32_t channels, uint32_t frames,
                              double step) {
  static const char *const names[6] = {"Xposition", "Yposition", "Zposition",
                                       "Zrotation", "Xrotation", "Yrotation"};
  made_text t;
  text_begin(&t);
  fputs("HIERARCHY\nROOT r\n{\nOFFSET 0 1 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
        "Yrotation\n",
        t.out);
  for (uint32_t i = 1; i < joints; i++) {
    fprintf(t.out, "JOINT j%u\n{\nOFFSET %g %g %g\nCHANNELS %u", i, step * (i % 3), step, step * (i % 2),
            channels);
    for (uint32_t c = 6 - channels; c < 6; c++) fprintf(t.out, " %s", names[c]);
    fputc('\n', t.out);
    if ((i - 1) % depth != depth - 1 && i != joints - 1) continue;
    fputs("End Site\n{\nOFFSET 0 1 0\n}\n", t.out);
    for (uint32_t k = 0; k <= (i - 1) % depth; k++) fputs("}\n", t.out);
  }
  fprintf(t.out, "}\nMOTION\nFrames: %u\nFrame Time: 0.008333\n", frames);
  for (uint32_t f = 0; f < frames; f++) {
    fprintf(t.out, "%u %g 0 %u 0 0", f % 100, 0.01 * (f % 13), f % 360);
    for (uint32_t i = 0; i < (joints - 1) * channels; i++)
      fprintf(t.out, " %u", i % channels + 3 < channels ? 1 : (f * 3 + i * 7) % 90);
    fputc('\n', t.out);
  }
  fclose(t.out);
  return t;
}

static made_text made_body(uint32_t frames) {
  made_text t = {.text = biped_text("Hero", " ", frames)};
  t.byte_count = strlen(t.text);
  return t;
}

/* The root's place is the first three columns of a row: moved far away. */
static made_text made_far(uint32_t frames, const char *x) {
  made_text near = made_body(frames), t;
  text_begin(&t);
  char *rows = strstr(near.text, "Frame Time: ");
  rows = strchr(rows, '\n') + 1;
  fwrite(near.text, 1, (size_t)(rows - near.text), t.out);
  for (char *row = rows; *row; row = strchr(row, '\n') + 1) {
    const char *rest = strchr(row, ' ');
    fprintf(t.out, "%s%.*s", x, (int)(strchr(row, '\n') + 1 - rest), rest);
  }
  fclose(t.out);
  free(near.text);
  return t;
}

/* ---- bakes
 * -------------------------------------------------------------------------------------------------- */

typedef struct bone_run {
  sinew_context *context;
  char *folder;
  char path[600];
  sinew_clip_file *file;
  sinew_rig *rig; /* of the same file; NULL: it is no body's */
  sinew_bake_report report;
  sinew_error error;
} bone_run;

static bone_run run_begin(uint32_t threads) {
  bone_run run = {.context = test_open_context(NULL, threads), .folder = test_folder_make()};
  snprintf(run.path, sizeof run.path, "%s/out.glb", run.folder);
  return run;
}

static void run_drop(bone_run *run) {
  sinew_clip_file_close(run->file);
  sinew_rig_close(run->rig);
  run->file = NULL, run->rig = NULL;
}
static void run_end(bone_run *run) {
  run_drop(run);
  sinew_context_close(run->context);
  test_folder_remove(run->folder);
}

static void expect_sentence(const sinew_error *error, sinew_result result) {
  cr_expect_eq(error->code, result);
  cr_expect(strlen(error->message) > 10 && !strchr(error->message, '\n'), "'%s'", error->message);
}

/* Takes the text. */
static sinew_result run_open(bone_run *run, made_text t, double unit_scale, uint32_t nodes) {
  const sinew_figure_options figure = {.unit_scale = unit_scale};
  const sinew_read_options options = {.figure = &figure, .nodes = nodes};
  const sinew_rig_options rig_options = {.read = options};
  run_drop(run);
  run->error = (sinew_error){0};
  const sinew_result result =
      sinew_clip_file_open_memory(t.text, t.byte_count, "made.bvh", &options, &run->file, &run->error);
  if (result != SINEW_OK) expect_sentence(&run->error, result);
  sinew_rig_open_memory(t.text, t.byte_count, "made.bvh", &rig_options, &run->rig, NULL);
  free(t.text);
  return result;
}

static sinew_result run_bake(bone_run *run, bool on_rig, const sinew_bake_options *options) {
  cr_assert(run->file && (!on_rig || run->rig));
  run->error = (sinew_error){0};
  const sinew_result result =
      sinew_bake(run->context, sinew_clip_file_clip(run->file, 0), on_rig ? run->rig : NULL, options,
                     run->path, &run->report, &run->error);
  if (result == SINEW_OK)
    cr_expect(run->report.verified && run->report.worst_joint_m <= run->report.allowed_m);
  else
    expect_sentence(&run->error, result);
  return result;
}

static void expect_bakes(bone_run *run, const char *what) {
  for (int quantized = 0; quantized < 2; quantized++)
    for (int on_rig = 0; on_rig <= (run->rig != NULL); on_rig++) {
      const sinew_bake_options options = {.quantize = quantized};
      cr_expect_eq(run_bake(run, on_rig, &options), SINEW_OK, "%s%s%s: %s", what, on_rig ? ", on itself" : "",
                   quantized ? ", quantised" : "", run->error.message);
    }
}

static void expect_opens(bone_run *run, made_text t, double unit_scale, const char *what) {
  cr_assert_eq(run_open(run, t, unit_scale, 0), SINEW_OK, "%s: %s", what, run->error.message);
}

Test(bone_limits, few_frames) {
  bone_run run = run_begin(1);
  for (uint32_t frames = 0; frames < 4; frames++) {
    expect_opens(&run, made_body(frames), 0, "few frames");
    cr_assert(run.rig);
    expect_bakes(&run, "few frames");
    cr_expect_eq(run.report.frame_count, frames ? frames : 1);
  }
  run_end(&run);
}

Test(bone_limits, deep) {
  bone_run run = run_begin(1);
  expect_opens(&run, made_columns(255, 254, 3, 70, 0.5), 1, "a chain of 256 nodes with its End Site");
  expect_bakes(&run, "a deep chain");
  cr_expect_eq(run_open(&run, made_columns(258, 257, 3, 2, 0.5), 1, 0), SINEW_ERROR_LIMIT);
  run_end(&run);
}

Test(bone_limits, many) {
  bone_run run = run_begin(1);
  expect_opens(&run, made_columns(4021, 55, 3, 130, 0.25), 1, "4,095 nodes");
  expect_bakes(&run, "thousands of nodes");
  cr_expect_eq(run_open(&run, made_columns(4090, 55, 3, 2, 0.25), 1, 0), SINEW_ERROR_LIMIT);
  cr_expect(strstr(run.error.message, "4096"), "%s", run.error.message);
  run_end(&run);
}

/* 65,536 channels are a file's most; of a skeleton of more than 32,767 nodes none can be written. */
Test(bone_limits, wide) {
  bone_run run = run_begin(1);
  cr_assert_eq(run_open(&run, made_columns(10922, 50, 6, 3, 0.01), 1, 40000), SINEW_OK, "%s",
               run.error.message);
  expect_bakes(&run, "65,532 channels");
  cr_expect_eq(run_open(&run, made_columns(10924, 50, 6, 3, 0.01), 1, 40000), SINEW_ERROR_LIMIT);
  cr_expect(strstr(run.error.message, "65536 channels"), "%s", run.error.message);
  run_end(&run);
}

Test(bone_limits, more_than_can_be_written) {
  bone_run run = run_begin(1);
  cr_assert_eq(run_open(&run, made_columns(32760, 100, 1, 1, 0.01), 1, 65535), SINEW_OK, "%s",
               run.error.message);
  cr_expect_eq(run_bake(&run, false, NULL), SINEW_ERROR_LIMIT);
  run_end(&run);
}

/* A body of a millimetre, of a kilometre, and one a hundred kilometres from where the world begins. */
Test(bone_limits, tiny_giant_and_far) {
  bone_run run = run_begin(1);
  expect_opens(&run, made_body(70), 0.001 / 180, "tiny");
  cr_assert(run.rig);
  expect_bakes(&run, "tiny");
  expect_opens(&run, made_body(70), 1000.0 / 180, "giant");
  cr_assert(run.rig);
  expect_bakes(&run, "giant");
  expect_opens(&run, made_far(70, "10000000"), 0.01, "far");
  cr_assert(run.rig);
  expect_bakes(&run, "far");
  expect_opens(&run, made_far(70, "1000000000"), 0.01, "out of this world");
  for (int on_rig = 0; on_rig < 2; on_rig++) cr_expect_eq(run_bake(&run, on_rig, NULL), SINEW_ERROR_POSE);
  run_end(&run);
}

/* What is for muscles says so. */
Test(bone_limits, are_no_muscles) {
  bone_run run = run_begin(1);
  expect_opens(&run, made_body(3), 0, "a body");
  sinew_player *player = NULL;
  const sinew_clip *clip = sinew_clip_file_clip(run.file, 0);
  cr_expect_eq(sinew_player_open(run.context, clip, run.rig, NULL, &player, &run.error), SINEW_ERROR_UNSUPPORTED);
  cr_expect_null(player);
  expect_sentence(&run.error, SINEW_ERROR_UNSUPPORTED);
  sinew_clip_ranges ranges;
  cr_expect_eq(sinew_clip_measure(run.context, clip, 0, &ranges, &run.error), SINEW_ERROR_UNSUPPORTED);
  expect_sentence(&run.error, SINEW_ERROR_UNSUPPORTED);
  run_end(&run);
}

/* ---- the same bytes
 * ----------------------------------------------------------------------------------------- */

static uint64_t hash_of(const bone_run *run) {
  size_t byte_count;
  char *bytes = test_read_file(run->path, &byte_count);
  cr_assert(bytes);
  const uint64_t hash = test_hash(bytes, byte_count);
  free(bytes);
  return hash;
}

typedef struct made_bake {
  made_text (*make)(void);
  bool on_rig;
  sinew_bake_options options;
} made_bake;

static uint64_t hash_with(const made_bake *made, const char *isa, uint32_t threads) {
  bone_run run = run_begin(1);
  sinew_context_close(run.context);
  run.context = test_open_context(isa, threads);
  expect_opens(&run, made->make(), 0, "the same");
  cr_assert_eq(run_bake(&run, made->on_rig, &made->options), SINEW_OK, "%s", run.error.message);
  const uint64_t hash = hash_of(&run);
  run_end(&run);
  return hash;
}

static void expect_same(const made_bake *made) {
  const uint64_t hash = hash_with(made, NULL, 1);
  cr_expect_eq(hash_with(made, NULL, 2), hash, "two workers");
  cr_expect_eq(hash_with(made, NULL, 8), hash, "eight workers");
  const sinew_kernels *best = sinew_kernels_select(NULL), *other;
  for (uint32_t i = 0; (other = sinew_kernels_available(i)); i++)
    if (strcmp(other->profile, best->profile) == 0)
      cr_expect_eq(hash_with(made, other->name, 1 + i % 2), hash, "%s", other->name);
}

/* More than 65,536 frames: 17 pieces that workers take as they come. */
static made_text make_long(void) {
  return made_columns(4, 2, 3, 66000, 10);
}
static made_text make_body(void) {
  return made_body(500);
}

Test(bone_limits, same_bytes_of_a_long_clip, .timeout = 120) {
  expect_same(&(made_bake){.make = make_long});
  expect_same(&(made_bake){.make = make_long, .options = {.rate_hz = 131.5, .quantize = true}});
}
Test(bone_limits, same_bytes_of_a_body, .timeout = 120) {
  expect_same(&(made_bake){.make = make_body, .options = {.rate_hz = 500}});
  expect_same(&(made_bake){.make = make_body, .on_rig = true});
  expect_same(&(made_bake){.make = make_body, .on_rig = true, .options = {.rate_hz = 4200}});
  expect_same(&(made_bake){.make = make_body,
                           .on_rig = true,
                           .options = {.quantize = true, .in_place = true, .mesh = SINEW_MESH_BOXES}});
}
