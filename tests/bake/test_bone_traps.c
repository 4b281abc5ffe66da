/* What other tools fell into with files of bones, from the file to what is written. */
#include "inspect/made_glb.h"
#include "motion/made_biped.h"
#include "read/motion_reader.h"
#include "stance/pose_at.h"
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 40 };

typedef struct trap_run {
  sinew_context *context;
  char *folder;
  char path[600];
  sinew_bake_report report;
  sinew_error error;
} trap_run;

static trap_run run_begin(void) {
  trap_run run = {.context = test_open_context(NULL, 1), .folder = test_folder_make()};
  snprintf(run.path, sizeof run.path, "%s/out.glb", run.folder);
  return run;
}
static void run_end(trap_run *run) {
  sinew_context_close(run->context);
  test_folder_remove(run->folder);
}

/* Replaces the first `from` behind `mark`, or every one where mark is NULL. Frees the text. */
static char *text_but(char *text, const char *mark, const char *from, const char *to) {
  char *made;
  size_t byte_count;
  FILE *out = open_memstream(&made, &byte_count);
  const char *at = text, *found = mark ? strstr(text, mark) : text;
  cr_assert(out && found && strstr(found, from), "no '%s'", from);
  for (found = strstr(found, from); found; found = mark ? NULL : strstr(at, from)) {
    fprintf(out, "%.*s%s", (int)(found - at), at, to);
    at = found + strlen(from);
  }
  fputs(at, out);
  fclose(out);
  free(text);
  return made;
}

static sinew_clip_file *open_text(const char *text, const char *label) {
  sinew_clip_file *file;
  sinew_error error = {0};
  cr_assert_eq(sinew_clip_file_open_memory(text, strlen(text), label, NULL, &file, &error), SINEW_OK, "%s",
               error.message);
  return file;
}

static sinew_result bake_text(trap_run *run, const char *text, const sinew_rig *rig, double rate_hz) {
  const sinew_bake_options options = {.rate_hz = rate_hz};
  sinew_clip_file *file = open_text(text, "made.bvh");
  const sinew_result result = sinew_bake(run->context, sinew_clip_file_clip(file, 0), rig, &options,
                                             run->path, &run->report, &run->error);
  sinew_clip_file_close(file);
  return result;
}

static motion_file *bake_and_read(trap_run *run, const char *text, double rate_hz) {
  motion_file *file;
  cr_assert_eq(bake_text(run, text, NULL, rate_hz), SINEW_OK, "%s", run->error.message);
  cr_expect(run->report.verified);
  cr_assert_eq(read_motion_file(run->path, NULL, &file, &run->error), SINEW_OK, "%s", run->error.message);
  cr_assert_eq(file->motion_count, 1u);
  return file;
}

static void place_at(const motion_file *file, double time_s, arena *memory, double (**matrix)[3][4]) {
  local_pose pose;
  *matrix = arena_alloc(memory, file->skeleton->node_count, sizeof **matrix);
  cr_assert(*matrix && local_pose_alloc(file->skeleton, memory, &pose));
  local_pose_time(file->skeleton, &file->motions[0], time_s, &pose);
  global_pose(file->skeleton, &pose, *matrix, NULL);
}

/* Two nodes share a name, tracks bound by name: wrong node moves. */
Test(bone_traps, names_bind_nothing) {
  trap_run run = run_begin();
  char *own = biped_text("Hero", " ", FRAMES), *same = strdup(own), *name;
  while ((name = strstr(same, "JOINT Hero"))) {
    const size_t length = strcspn(name, "\n");
    char *rest = strdup(name + length);
    memcpy(name, "JOINT x.y:\xc3\xa9", 12);
    memcpy(name + 12, rest, strlen(rest) + 1);
    free(rest);
  }
  motion_file *a = bake_and_read(&run, own, 0), *b = bake_and_read(&run, same, 0);
  cr_assert_eq(a->skeleton->node_count, b->skeleton->node_count);
  for (int f = 0; f < FRAMES; f++) {
    arena memory = {0};
    double(*p)[3][4], (*q)[3][4];
    place_at(a, f * 0.0333333, &memory, &p), place_at(b, f * 0.0333333, &memory, &q);
    for (uint32_t i = 0; i < a->skeleton->node_count; i++)
      for (int k = 0; k < 12; k++)
        cr_expect_float_eq(p[i][k / 4][k % 4], q[i][k / 4][k % 4], 1e-5, "node %u, frame %d", i, f);
    arena_release(&memory);
  }
  motion_file_close(a), motion_file_close(b);
  free(own), free(same);
  run_end(&run);
}

/* A clip that is no whole number of sample steps: the last frames lost on resampling. */
Test(bone_traps, the_last_frame_stays) {
  trap_run run = run_begin();
  char *text = biped_text("Hero", " ", FRAMES);
  motion_file *whole = bake_and_read(&run, text, 0);
  const double stop_s = whole->motions[0].stop_s;
  cr_expect_float_eq(stop_s, (FRAMES - 1) / 30.0, 1e-5);
  static const double rates[] = {7, 29.97, 31, 1000.0 / 3};
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
    motion_file *sampled = bake_and_read(&run, text, rates[i]);
    cr_expect_float_eq(sampled->motions[0].stop_s, stop_s, 1e-6);
    arena memory = {0};
    double(*p)[3][4], (*q)[3][4];
    place_at(whole, stop_s, &memory, &p), place_at(sampled, stop_s, &memory, &q);
    for (uint32_t n = 0; n < whole->skeleton->node_count; n++)
      for (int k = 0; k < 12; k++) cr_expect_float_eq(p[n][k / 4][k % 4], q[n][k / 4][k % 4], 1e-5);
    arena_release(&memory);
    motion_file_close(sampled);
  }
  motion_file_close(whole);
  free(text);
  run_end(&run);
}

/* OFFSET 0 0 0 where a direction is needed; and hips that rest at zero, whose height is then divided by. */
Test(bone_traps, bones_of_no_length) {
  static const struct {
    const char *mark, *from, *to;
  } changes[] = {{"ROOT", "OFFSET 0 100 0", "OFFSET 0 0 0"},
                 {"Spine1\n", "OFFSET 0 12 0", "OFFSET 0 0 0"},
                 {"Spine\n", "OFFSET 0 10 -1", "OFFSET 0 0 0"},
                 {"Head\n", "OFFSET 0 1 0", "OFFSET 0 0 0"},
                 {"L Clavicle\n", "OFFSET 3 -2 0", "OFFSET 0 0 0"}};
  trap_run run = run_begin();
  char *sound = biped_text("Hero", " ", FRAMES);
  sinew_rig *rig;
  cr_assert_eq(sinew_rig_open_memory(sound, strlen(sound), "rig.bvh", NULL, &rig, &run.error), SINEW_OK, "%s",
               run.error.message);
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    char *text = text_but(strdup(sound), changes[i].mark, changes[i].from, changes[i].to);
    for (int on_rig = 0; on_rig < 2; on_rig++) {
      cr_expect_eq(bake_text(&run, text, on_rig ? rig : NULL, 0), SINEW_OK, "%s: %s", changes[i].mark,
                   run.error.message);
      cr_expect(run.report.verified && run.report.hips_ratio > 0.9 && run.report.hips_ratio < 1.1, "%s: %g",
                changes[i].mark, run.report.hips_ratio);
    }
    sinew_rig *odd;
    cr_expect_eq(sinew_rig_open_memory(text, strlen(text), "odd.bvh", NULL, &odd, &run.error), SINEW_OK, "%s",
                 run.error.message);
    if (odd)
      cr_expect_eq(bake_text(&run, sound, odd, 0), SINEW_OK, "%s: %s", changes[i].mark, run.error.message);
    sinew_rig_close(odd);
    free(text);
  }
  sinew_rig_close(rig);
  free(sound);
  run_end(&run);
}

/* A VRMA whose Spine is no ancestor of other bones of the trunk. */
Test(bone_traps, a_spine_beside_the_chest) {
  static const struct {
    const char *bone;
    int parent;
    double t[3];
  } bones[] = {{"hips", -1, {0, 1, 0}},
               {"spine", 0, {0, 0.1, 0}},
               {"chest", 0, {0, 0.25, 0}},
               {"head", 2, {0, 0.4, 0}},
               {"leftUpperArm", 2, {0.2, 0.2, 0}},
               {"leftLowerArm", 4, {0.3, 0, 0}},
               {"leftHand", 5, {0.25, 0, 0}},
               {"rightUpperArm", 2, {-0.2, 0.2, 0}},
               {"rightLowerArm", 7, {-0.3, 0, 0}},
               {"rightHand", 8, {-0.25, 0, 0}},
               {"leftUpperLeg", 0, {0.1, -0.1, 0}},
               {"leftLowerLeg", 10, {0, -0.4, 0}},
               {"leftFoot", 11, {0, -0.4, 0}},
               {"rightUpperLeg", 0, {-0.1, -0.1, 0}},
               {"rightLowerLeg", 13, {0, -0.4, 0}},
               {"rightFoot", 14, {0, -0.4, 0}}};
  enum { BONES = sizeof bones / sizeof *bones };
  char *json, *humans;
  size_t json_bytes, human_bytes;
  FILE *out = open_memstream(&json, &json_bytes), *human = open_memstream(&humans, &human_bytes);
  fputs("{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRMC_vrm_animation\"],\"nodes\":[", out);
  for (int i = 0; i < BONES; i++) {
    fprintf(out, "%s{\"name\":\"%s\",\"translation\":[%g,%g,%g]", i ? "," : "", bones[i].bone, bones[i].t[0],
            bones[i].t[1], bones[i].t[2]);
    int children = 0;
    for (int k = 0; k < BONES; k++)
      if (bones[k].parent == i) fprintf(out, children++ ? ",%d" : ",\"children\":[%d", k);
    fputs(children ? "]}" : "}", out);
    fprintf(human, "%s\"%s\":{\"node\":%d}", i ? "," : "", bones[i].bone, i);
  }
  fclose(human);
  fprintf(out,
          "],\"scenes\":[{\"nodes\":[0]}],\"scene\":0,\"buffers\":[{\"byteLength\":40}],\"bufferViews\":[{"
          "\"buffer\":0,"
          "\"byteLength\":40}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":"
          "\"SCALAR\","
          "\"min\":[0],\"max\":[1]},{\"bufferView\":0,\"byteOffset\":8,\"componentType\":5126,\"count\":2,"
          "\"type\":"
          "\"VEC4\"}],\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{\"sampler\":"
          "0,\"target\":"
          "{\"node\":1,\"path\":\"rotation\"}}]}],\"extensions\":{\"VRMC_vrm_animation\":{\"specVersion\":"
          "\"1.0\","
          "\"humanoid\":{\"humanBones\":{%s}}}}}",
          humans);
  fclose(out);
  static const float bin[10] = {0, 1, 0, 0, 0, 1, 0.6F, 0, 0, 0.8F};
  const made_glb glb = made_from(json, bin, sizeof bin);
  trap_run run = run_begin();
  sinew_clip_file *file;
  sinew_rig *rig = NULL;
  cr_assert_eq(sinew_clip_file_open_memory(glb.bytes, glb.byte_count, "made.vrma", NULL, &file, &run.error),
               SINEW_OK, "%s", run.error.message);
  cr_expect_eq(sinew_bake(run.context, sinew_clip_file_clip(file, 0), NULL, NULL, run.path, &run.report,
                              &run.error),
               SINEW_OK, "%s", run.error.message);
  cr_expect(run.report.verified && run.report.sampled_tracks == 1);
  const sinew_result result =
      sinew_rig_open_memory(glb.bytes, glb.byte_count, "made.vrma", NULL, &rig, &run.error);
  cr_expect(result == SINEW_OK || (result == SINEW_ERROR_RIG && strlen(run.error.message) > 20), "%s",
            run.error.message);
  if (rig)
    cr_expect_eq(sinew_bake(run.context, sinew_clip_file_clip(file, 0), rig, NULL, run.path, &run.report,
                                &run.error),
                 SINEW_OK, "%s", run.error.message);
  sinew_rig_close(rig);
  sinew_clip_file_close(file);
  free(json), free(humans);
  run_end(&run);
}

/* A turn that goes on past 180 degrees goes the same way round, at every rate that shows it. */
Test(bone_traps, a_whole_turn) {
  char *text;
  size_t byte_count;
  FILE *out = open_memstream(&text, &byte_count);
  fputs("HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 1 "
        "0 0\n}\n}\n"
        "MOTION\nFrames: 145\nFrame Time: 0.01\n",
        out);
  for (int f = 0; f < 145; f++) fprintf(out, "%d 0 0\n", f * 10 - 720);
  fclose(out);
  trap_run run = run_begin();
  static const double rates[] = {100, 50, 33, 240};
  for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
    motion_file *file = bake_and_read(&run, text, rates[r]);
    for (int i = 0; i <= 288; i++) {
      arena memory = {0};
      double(*matrix)[3][4];
      place_at(file, i * 0.005, &memory, &matrix);
      const double angle = (i * 5 - 720) * 0.017453292519943295;
      const double chord = rates[r] < 100 ? 2e-3 : 1e-5; /* the format's slerp is a turn at even speed */
      cr_expect(fabs(matrix[1][0][3] - cos(angle)) < chord && fabs(matrix[1][1][3] - sin(angle)) < chord,
                "%g fps, %g s", rates[r], i * 0.005);
      arena_release(&memory);
    }
    motion_file_close(file);
  }
  free(text);
  run_end(&run);
}
