/* 3ds Max Bipeds from a file to what is written: told of, and with the option set right with every node where
 * it was; files of others stay what they are, byte for byte. */
#include "motion/made_biped.h"
#include "read/motion_reader.h"
#include "rig/quat.h"
#include "stage/pose_block.h"
#include "stance/pose_at.h"
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 90 };

typedef struct biped_run {
  sinew_context *context;
  char *folder;
  char path[4][600];
} biped_run;

static const char *in_folder(biped_run *run, int which, const char *name) {
  snprintf(run->path[which], sizeof run->path[which], "%s/%s", run->folder, name);
  return run->path[which];
}

static void setup(biped_run *run) {
  *run = (biped_run){.context = test_open_context(NULL, 1), .folder = test_folder_make()};
}
static void teardown(biped_run *run) {
  sinew_context_close(run->context);
  test_folder_remove(run->folder);
}

static void write_text(const char *path, char *text) {
  FILE *out = fopen(path, "w");
  cr_assert(out && fputs(text, out) >= 0 && fclose(out) == 0);
  free(text);
}

static void write_bvh(const char *path, const char *prefix) {
  write_text(path, biped_text(prefix, " ", FRAMES));
}

/* As Max makes them: the pelvis stands in the root and keeps to it. */
static void write_still_pelvis(const char *path) {
  char *text = biped_text("Bip001", " ", FRAMES), *made;
  size_t byte_count;
  FILE *out = open_memstream(&made, &byte_count);
  char *offset = strchr(strstr(strstr(text, "Pelvis"), "OFFSET"), '1');
  *offset = '0';
  char *row = strchr(strstr(text, "Frame Time"), '\n') + 1;
  fwrite(text, 1, (size_t)(row - text), out);
  for (; *row; row = strchr(row, '\n') + 1)
    for (int column = 0; *row != '\n'; column++) {
      const size_t length = strcspn(row, " \n");
      if (column >= 6 && column < 9)
        fputs("0 ", out);
      else
        fprintf(out, "%.*s ", (int)length, row);
      row += length + (row[length] == ' ');
      if (*row == '\n') fputc('\n', out);
    }
  fclose(out);
  free(text);
  write_text(path, made);
}

static sinew_clip_file *open_clips(const char *path, bool fix) {
  const sinew_figure_options figure = {.fix_biped = fix};
  const sinew_read_options options = {.figure = &figure};
  sinew_clip_file *file;
  sinew_error error = {0};
  cr_assert_eq(sinew_clip_file_open(path, &options, &file, &error), SINEW_OK, "%s", error.message);
  return file;
}

static sinew_rig *open_rig(const char *path, bool fix) {
  const sinew_figure_options figure = {.fix_biped = fix};
  const sinew_rig_options options = {.read = {.figure = &figure}};
  sinew_rig *rig;
  sinew_error error = {0};
  cr_assert_eq(sinew_rig_open(path, &options, &rig, &error), SINEW_OK, "%s", error.message);
  return rig;
}

static void bake(const biped_run *run, const char *from, bool fix, const sinew_rig *rig, const char *to) {
  sinew_clip_file *file = open_clips(from, fix);
  sinew_bake_report report;
  sinew_error error = {0};
  cr_assert_eq(sinew_bake(run->context, sinew_clip_file_clip(file, 0), rig, NULL, to, &report, &error),
               SINEW_OK, "%s", error.message);
  cr_expect(report.verified);
  sinew_clip_file_close(file);
}

/* ---- in the world
 * ------------------------------------------------------------------------------------------- */

typedef struct world {
  motion_file *file;
  arena memory;
  local_pose pose;
  double (*matrix)[3][4];
} world;

static world world_open(const char *path) {
  world w = {0};
  sinew_error error = {0};
  cr_assert_eq(read_motion_file(path, NULL, &w.file, &error), SINEW_OK, "%s", error.message);
  const skeleton *s = w.file->skeleton;
  w.matrix = arena_alloc(&w.memory, s->node_count, sizeof *w.matrix);
  cr_assert(w.matrix && local_pose_alloc(s, &w.memory, &w.pose) && w.file->motion_count == 1);
  return w;
}
static void world_close(world *w) {
  arena_release(&w->memory);
  motion_file_close(w->file);
}
static void world_move(world *w, double time_s) {
  local_pose_time(w->file->skeleton, &w->file->motions[0], time_s, &w->pose);
  global_pose(w->file->skeleton, &w->pose, w->matrix, NULL);
}

static const skeleton_node *parent_of(const world *w, const char *part) {
  const skeleton *s = w->file->skeleton;
  const int32_t parent = s->nodes[biped_node(s, "Bip001", part)].parent;
  return parent < 0 ? NULL : &s->nodes[parent];
}

/* Nodes by name: the largest distance of a place, and of an axis a centimetre long. End Sites have no name of
 * their own and stay out. */
static double world_apart(const world *a, const world *b) {
  const skeleton *s = a->file->skeleton, *t = b->file->skeleton;
  double most = 0;
  uint32_t compared = 0;
  for (uint32_t i = 0; i < s->node_count; i++)
    for (uint32_t k = 0; k < t->node_count; k++) {
      if (strncmp(s->nodes[i].name, "Bip001", 6) != 0 || strcmp(s->nodes[i].name, t->nodes[k].name) != 0)
        continue;
      compared++;
      for (int c = 0; c < 4; c++)
        for (int r = 0; r < 3; r++)
          most = fmax(most, fabs(a->matrix[i][r][c] - b->matrix[k][r][c]) * (c == 3 ? 1 : 0.01));
    }
  cr_assert_geq(compared, 28u);
  return most;
}

/* Times of two frames of `from` and some in between. */
static void expect_kept(const char *from, const char *fixed) {
  world before = world_open(from), after = world_open(fixed);
  cr_expect_str_eq(parent_of(&before, "L Thigh")->name, "Bip001 Spine");
  cr_expect_str_eq(parent_of(&after, "L Thigh")->name, "Bip001");
  cr_expect_str_eq(parent_of(&after, "R Thigh")->name, "Bip001");
  cr_expect_str_eq(parent_of(&after, "Spine")->name, "Bip001");
  cr_expect_str_eq(parent_of(&after, "L Clavicle")->name, "Bip001 Spine2");
  cr_expect_str_eq(parent_of(&after, "Prop1")->name, "Bip001 R Hand");
  cr_expect_str_eq(parent_of(&after, "RUpArmTwist")->name, "Bip001 R UpperArm");
  double most = 0;
  for (int f = 0; f < FRAMES; f++) {
    const double time_s = f * 0.0333333;
    world_move(&before, time_s), world_move(&after, time_s);
    most = fmax(most, world_apart(&before, &after));
  }
  cr_expect(most < 1e-5, "nodes are %g m off", most);
  world_close(&before), world_close(&after);
}

Test(bipeds, bvh_keeps_the_world) {
  biped_run run;
  setup(&run);
  const char *bvh = in_folder(&run, 0, "b.bvh"), *odd = in_folder(&run, 1, "odd.glb"),
             *right = in_folder(&run, 2, "b.glb");
  write_bvh(bvh, "Bip001");
  bake(&run, bvh, false, NULL, odd);
  bake(&run, bvh, true, NULL, right);
  expect_kept(odd, right);
  teardown(&run);
}

Test(bipeds, glb_keeps_the_world) {
  biped_run run;
  setup(&run);
  const char *bvh = in_folder(&run, 0, "b.bvh"), *odd = in_folder(&run, 1, "odd.glb"),
             *right = in_folder(&run, 2, "b.glb");
  write_bvh(bvh, "Bip001");
  bake(&run, bvh, false, NULL, odd);
  bake(&run, odd, true, NULL, right);
  expect_kept(odd, right);
  teardown(&run);
}

/* ---- on others
 * ---------------------------------------------------------------------------------------------- */

static void write_walker(const biped_run *run, const char *path) {
  sinew_clip_file *clip = test_open_clip(test_source("scripts/sample/walk_cut.anim"));
  sinew_rig *rig = test_open_rig(test_source("scripts/sample/walker_cut.fbx.meta"));
  const sinew_bake_options options = {.mesh = SINEW_MESH_BOXES};
  sinew_error error = {0};
  cr_assert_eq(sinew_bake(run->context, sinew_clip_file_clip(clip, 0), rig, &options, path, NULL, &error),
               SINEW_OK, "%s", error.message);
  sinew_rig_close(rig);
  sinew_clip_file_close(clip);
}

typedef struct poser {
  sinew_clip_file *file;
  bake_plan plan;
  arena memory;
  pose_scratch scratch;
  pose_block pose;
} poser;

static void poser_open(poser *p, const char *path, bool fix, const sinew_rig *rig) {
  sinew_error error = {0};
  *p = (poser){.file = open_clips(path, fix)};
  cr_assert_eq(bake_plan_build(sinew_kernels_select(NULL), sinew_clip_file_clip(p->file, 0), rig, NULL,
                               &p->plan, &error),
               SINEW_OK, "%s", error.message);
  cr_assert(pose_open(&p->plan, &p->memory, &p->scratch, &p->pose));
}
static void poser_close(poser *p) {
  arena_release(&p->memory);
  bake_plan_release(&p->plan);
  sinew_clip_file_close(p->file);
}

static double degrees_apart(const poser *a, const poser *b) {
  double most = 0;
  for (uint32_t slot = 0; slot < a->plan.output.slot_count; slot++)
    for (int f = 0; f < SINEW_BLOCK; f++) {
      double p[4], q[4], turn[4];
      for (int c = 0; c < 4; c++) {
        p[c] = (double)a->pose.local[(slot * 4 + (uint32_t)c) * SINEW_BLOCK + (uint32_t)f] * (c < 3 ? -1 : 1);
        q[c] = (double)b->pose.local[(slot * 4 + (uint32_t)c) * SINEW_BLOCK + (uint32_t)f];
      }
      quat_mul(p, q, turn);
      most = fmax(most, 2 * asin(fmin(1, sqrt(vec_dot(turn, turn)))) * 57.295779513082323);
    }
  return most;
}

Test(bipeds, move_others_alike) {
  biped_run run;
  setup(&run);
  const char *bvh = in_folder(&run, 0, "b.bvh"), *walker = in_folder(&run, 1, "walker.glb");
  write_still_pelvis(bvh);
  write_walker(&run, walker);
  sinew_rig *rig = open_rig(walker, false);
  poser odd, right;
  poser_open(&odd, bvh, false, rig), poser_open(&right, bvh, true, rig);
  cr_assert_eq(odd.plan.output.slot_count, right.plan.output.slot_count);
  for (uint64_t block = 0; block < odd.plan.block_count; block++) {
    cr_assert_eq(pose_block_compute(&odd.plan, block, &odd.scratch, &odd.pose, NULL), SINEW_OK);
    cr_assert_eq(pose_block_compute(&right.plan, block, &right.scratch, &right.pose, NULL), SINEW_OK);
    cr_expect(degrees_apart(&odd, &right) <= 1e-4, "%g degrees", degrees_apart(&odd, &right));
    for (int i = 0; i < 3 * SINEW_BLOCK; i++)
      cr_expect_float_eq(odd.pose.hips_t[i], right.pose.hips_t[i], 1e-5);
  }
  poser_close(&odd), poser_close(&right);
  sinew_rig_close(rig);
  teardown(&run);
}

/* And others move them: what the hips are has not changed with the hierarchy. */
Test(bipeds, are_moved) {
  biped_run run;
  setup(&run);
  const char *bvh = in_folder(&run, 0, "b.bvh"), *walker = in_folder(&run, 1, "walker.glb");
  write_bvh(bvh, "Bip001");
  write_walker(&run, walker);
  for (int fix = 0; fix < 2; fix++) {
    sinew_rig *rig = open_rig(bvh, fix);
    bake(&run, walker, false, rig, in_folder(&run, 2, "moved.glb"));
    sinew_rig_close(rig);
  }
  teardown(&run);
}

/* ---- who is told, and who is none
 * --------------------------------------------------------------------------- */

static bool clip_told(const sinew_clip_file *file) {
  const char *words;
  for (uint32_t i = 0; (words = sinew_clip_warning(sinew_clip_file_clip(file, 0), i)); i++)
    if (strstr(words, "a 3ds Max Biped")) return true;
  return false;
}
static bool rig_told(const sinew_rig *rig) {
  const char *words;
  for (uint32_t i = 0; (words = sinew_rig_warning(rig, i)); i++)
    if (strstr(words, "a 3ds Max Biped")) return true;
  return false;
}

Test(bipeds, are_told_of) {
  biped_run run;
  setup(&run);
  static const char *const prefixes[] = {"Bip001", "Hero"};
  for (int i = 0; i < 2; i++)
    for (int fix = 0; fix < 2; fix++) {
      const char *bvh = in_folder(&run, 0, "b.bvh");
      write_bvh(bvh, prefixes[i]);
      sinew_clip_file *file = open_clips(bvh, fix);
      sinew_rig *rig = open_rig(bvh, fix);
      cr_expect_eq(clip_told(file), i == 0 && !fix, "%s", prefixes[i]);
      cr_expect_eq(rig_told(rig), i == 0 && !fix, "%s", prefixes[i]);
      sinew_rig_close(rig);
      sinew_clip_file_close(file);
    }
  teardown(&run);
}

static uint64_t hash_of(const char *path) {
  size_t byte_count;
  char *bytes = test_read_file(path, &byte_count);
  cr_assert(bytes);
  const uint64_t hash = test_hash(bytes, byte_count);
  free(bytes);
  return hash;
}

/* The walker has a skin, which is kept; "Hero" has a Biped's hierarchy under other names. */
Test(bipeds, others_stay_as_they_are) {
  biped_run run;
  setup(&run);
  const char *bvh = in_folder(&run, 0, "b.bvh"), *walker = in_folder(&run, 1, "walker.glb");
  write_bvh(bvh, "Hero");
  write_walker(&run, walker);
  uint64_t hashes[2][4];
  for (int fix = 0; fix < 2; fix++) {
    const char *out = in_folder(&run, 2, "out.glb");
    sinew_rig *rigs[2] = {open_rig(walker, fix), open_rig(bvh, fix)};
    const char *const paths[2] = {bvh, walker};
    for (int i = 0; i < 4; i++) {
      bake(&run, paths[i % 2], fix, i < 2 ? NULL : rigs[i % 2], out);
      hashes[fix][i] = hash_of(out);
    }
    sinew_rig_close(rigs[0]), sinew_rig_close(rigs[1]);
  }
  for (int i = 0; i < 4; i++) cr_expect_eq(hashes[0][i], hashes[1][i], "file %d", i);
  teardown(&run);
}
