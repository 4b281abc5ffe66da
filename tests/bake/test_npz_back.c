/* What is written as arrays and read back is the same clip, bit for bit: on its own skeleton at its own rate,
 * and at times between the frames what slerp makes of them. */
#include "support/bake.h"
#include "support/data.h"
#include "stage/pose_block.h"
#include "write/npz_file.h"
#include "write/npz_pack.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct posed {
  bake_plan plan;
  arena memory;
  pose_scratch scratch;
  pose_block pose;
} posed;

static void posed_open(const sinew_clip *clip, double rate_hz, posed *p) {
  sinew_error error = {0};
  const bake_choice choice = {.rate_hz = rate_hz};
  memset(p, 0, sizeof *p);
  cr_assert(bake_plan_build(sinew_kernels_select(NULL), clip, NULL, &choice, &p->plan, &error) == SINEW_OK,
            "%s", error.message);
  cr_assert(pose_open(&p->plan, &p->memory, &p->scratch, &p->pose));
}

static void posed_close(posed *p) {
  arena_release(&p->memory);
  bake_plan_release(&p->plan);
}

static void compute(posed *p, uint64_t block) {
  sinew_error error = {0};
  cr_assert(pose_block_compute(&p->plan, block, &p->scratch, &p->pose, &error) == SINEW_OK, "%s",
            error.message);
}

/* ---- writing ------------------------------------------------------------------------------------------ */

typedef struct writing {
  npz_plan plan;
  npz_layout layout;
  npz_sums sums;
  outfile file;
  int32_t *slots, *places; /* of nodes */
  float *rows;
} writing;

static void put(writing *w, npz_name name, uint64_t frame, uint32_t frames) {
  const size_t bytes = frames * w->layout.members[name].row_bytes;
  cr_assert(outfile_write(&w->file, w->rows, bytes, npz_row_offset(&w->layout, name, frame), NULL) ==
            SINEW_OK);
  npz_sums_join(&w->sums, name, npz_sum(w->rows, bytes), bytes);
}

/* A joint's translation in its parent; its rest where nothing moves it. */
static void pack_root(const posed *p, writing *w, uint32_t frames) {
  const int32_t place = w->places[w->plan.root_joint];
  const rig_node *node = &p->plan.output.nodes[w->plan.root_joint];
  if (place >= 0)
    npz_pack_root(p->plan.kernels, p->pose.places + (size_t)place * SINEW_BLOCK, frames, w->rows);
  for (uint32_t f = 0; place < 0 && f < frames; f++) {
    w->rows[3 * f] = (float)-node->t[0];
    for (int k = 1; k < 3; k++) w->rows[3 * f + k] = (float)node->t[k];
  }
}

static void put_block(posed *p, writing *w, uint64_t block) {
  const uint32_t frames = pose_block_frames(&p->plan, block);
  const uint64_t first = block * SINEW_BLOCK;
  const sinew_kernels *k = p->plan.kernels;
  compute(p, block);
  npz_fill_rotations(&w->plan, frames, w->rows);
  npz_pack_rotations(k, &w->plan, p->pose.local, w->slots, NULL, frames, w->rows);
  put(w, NPZ_LOCAL_ROTATIONS, first, frames);
  pack_root(p, w, frames);
  put(w, NPZ_ROOT_POSITIONS, first, frames);
  if (npz_has(&w->layout, NPZ_ROOT_LOCAL_POSITIONS)) put(w, NPZ_ROOT_LOCAL_POSITIONS, first, frames);
  if (!npz_has(&w->layout, NPZ_LOCAL_POSITIONS)) return;
  npz_fill_local_positions(&w->plan, frames, w->rows);
  npz_pack_positions(k, &w->plan, p->pose.places, w->places, frames, w->rows);
  put(w, NPZ_LOCAL_POSITIONS, first, frames);
}

/* The first node that moves in its parent is the root. */
static void find_places(const posed *p, writing *w) {
  const bake_output *output = &p->plan.output;
  uint32_t moved = 0;
  w->slots = calloc(output->node_count, sizeof *w->slots);
  w->places = calloc(output->node_count, sizeof *w->places);
  w->rows = calloc((size_t)output->node_count * SINEW_BLOCK * 4, sizeof *w->rows);
  cr_assert(w->slots && w->places && w->rows);
  for (uint32_t i = 0; i < output->node_count; i++) {
    const int32_t place = output->place_of_node[i];
    w->slots[i] = output->slot_of_node[i];
    w->places[i] = place < 0 ? -1 : place * 3;
    if (place >= 0 && !moved++) w->plan.root_joint = i;
  }
  w->plan.has_local_positions = moved > 1;
}

static void write_npz(posed *p, bool three, const char *path) {
  writing w = {.plan = {.nodes = p->plan.output.nodes,
                        .node_count = p->plan.output.node_count,
                        .frame_count = p->plan.frame_count,
                        .rate_hz = p->plan.rate_hz,
                        .three_components = three}};
  find_places(p, &w);
  cr_assert(npz_layout_build(&w.plan, &w.layout, NULL) == SINEW_OK);
  cr_assert(outfile_open(path, &w.file, NULL) == SINEW_OK);
  npz_sums_open(&w.layout, &w.sums);
  for (uint64_t block = 0; block < p->plan.block_count; block++) put_block(p, &w, block);
  cr_assert(npz_write_rest(&w.layout, &w.sums, &w.file, NULL) == SINEW_OK);
  cr_assert(outfile_publish(&w.file, NULL) == SINEW_OK);
  npz_layout_release(&w.layout);
  free(w.slots), free(w.places), free(w.rows);
}

/* ---- comparing ---------------------------------------------------------------------------------------- */

typedef struct difference {
  uint64_t turns, places; /* values of other bits */
  float most;
  bool turned_up; /* roots of the first are turned behind the blending */
} difference;

static void compare_values(const float *a, const float *b, uint32_t frames, float sign, uint64_t *other,
                           float *most) {
  for (uint32_t f = 0; f < frames; f++) {
    const float value = sign * b[f];
    *other += memcmp(&a[f], &value, sizeof value) != 0 && (a[f] != 0 || value != 0);
    *most = fmaxf(*most, fabsf(a[f] - value));
  }
}

static void compare_turns(const float *a, const float *b, uint32_t frames, bool three, difference *d) {
  if (!three) {
    for (size_t k = 0; k < 4; k++)
      compare_values(a + k * SINEW_BLOCK, b + k * SINEW_BLOCK, frames, 1, &d->turns, &d->most);
    return;
  }
  for (size_t f = 0; f < frames; f++) /* of either sign */
    for (size_t k = 0; k < 4; k++)
      compare_values(a + k * SINEW_BLOCK + f, b + k * SINEW_BLOCK + f, 1, a[3 * SINEW_BLOCK + f] < 0 ? -1 : 1,
                     &d->turns, &d->most);
}

/* A node's rotations; its rest where it has no slot. */
static const float *turns_of(const posed *p, uint32_t node, float rest[4 * SINEW_BLOCK]) {
  const int32_t slot = p->plan.output.slot_of_node[node];
  if (slot >= 0) return p->pose.local + (size_t)slot * 4 * SINEW_BLOCK;
  for (size_t i = 0; i < (size_t)4 * SINEW_BLOCK; i++)
    rest[i] = (float)p->plan.output.nodes[node].q[i / SINEW_BLOCK];
  return rest;
}

static difference compare(posed *a, posed *b, bool three) {
  difference d = {0};
  const bake_output *from = &a->plan.output, *to = &b->plan.output;
  cr_assert(a->plan.frame_count == b->plan.frame_count && from->node_count == to->node_count);
  for (uint64_t block = 0; block < a->plan.block_count; block++) {
    const uint32_t frames = pose_block_frames(&a->plan, block);
    compute(a, block);
    compute(b, block);
    for (uint32_t i = 0; i < from->node_count; i++) {
      float rest_a[4 * SINEW_BLOCK], rest_b[4 * SINEW_BLOCK];
      compare_turns(turns_of(a, i, rest_a), turns_of(b, i, rest_b), frames, three, &d);
      if (from->place_of_node[i] < 0) continue;
      cr_assert(to->place_of_node[i] >= 0);
      for (size_t k = 0; k < 3; k++)
        compare_values(a->pose.places + ((size_t)from->place_of_node[i] * 3 + k) * SINEW_BLOCK,
                       b->pose.places + ((size_t)to->place_of_node[i] * 3 + k) * SINEW_BLOCK, frames, 1,
                       &d.places, &d.most);
    }
  }
  return d;
}

static difference compare_at(const sinew_clip *clip, const sinew_clip *back, double rate_hz, bool three) {
  posed a, b;
  posed_open(clip, rate_hz, &a);
  posed_open(back, rate_hz, &b);
  difference d = compare(&a, &b, three);
  d.turned_up = a.plan.bones.turned_up;
  posed_close(&a);
  posed_close(&b);
  return d;
}

/* Between rows a turn is what the same rows make it, whichever file they came from. Places are blended in the
 * file's own unit, and rounded once. */
static void expect_same_between(const sinew_clip *clip, const sinew_clip *back, const char *what) {
  static const double shares[] = {0.37, 1.7, 2};
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
    const difference d = compare_at(clip, back, clip->rate_hz * shares[i], false);
    cr_expect((d.turns == 0 || d.turned_up) && d.most <= 1e-5F, "%s: %llu turns, and places by %g m, at %g of its rate", what,
              (unsigned long long)d.turns, (double)d.most, shares[i]);
  }
}

static void go_back(const sinew_clip *clip, bool three, const char *folder, const char *what) {
  char path[512];
  sinew_error error = {0};
  sinew_clip_file *file;
  sinew_clip_info info;
  posed a;
  snprintf(path, sizeof path, "%s/back.npz", folder);
  posed_open(clip, 0, &a);
  for (uint32_t i = 0; i < a.plan.output.node_count; i++)
    if (a.plan.output.scale_of_node[i] >= 0) { /* arrays hold no scale that moves */
      posed_close(&a);
      return;
    }
  write_npz(&a, three, path);
  cr_assert(sinew_clip_file_open(path, NULL, &file, &error) == SINEW_OK, "%s: %s", what, error.message);
  sinew_clip_get_info(sinew_clip_file_clip(file, 0), &info);
  cr_expect_str_eq(info.skeleton_kind, "npz");
  posed_close(&a);
  const difference same = compare_at(clip, sinew_clip_file_clip(file, 0), 0, three);
  cr_expect_eq(same.places, 0, "%s: %llu values of places", what, (unsigned long long)same.places);
  if (three) /* w is worked out: where it is near 0 much of it is what the others' rounding leaves */
    cr_expect_lt(same.most, 5e-4F, "%s: %g", what, (double)same.most);
  else
    cr_expect_eq(same.turns, 0, "%s: %llu values of turns, by up to %g", what, (unsigned long long)same.turns,
                 (double)same.most);
  if (clip->motion->rows && !three) expect_same_between(clip, sinew_clip_file_clip(file, 0), what);
  sinew_clip_file_close(file);
  unlink(path);
}

/* ---- tests -------------------------------------------------------------------------------------------- */

static uint32_t go_back_all(char **paths, size_t count) {
  char *folder = test_folder_make();
  uint32_t gone = 0;
  for (size_t i = 0; i < count; i++) {
    sinew_clip_file *file;
    sinew_error error;
    if (sinew_clip_file_open(paths[i], NULL, &file, &error) != SINEW_OK) continue;
    for (uint32_t k = 0; k < sinew_clip_file_count(file); k++, gone++)
      go_back(sinew_clip_file_clip(file, k), gone % 4 == 3, folder, strrchr(paths[i], '/') + 1);
    sinew_clip_file_close(file);
  }
  test_folder_remove(folder);
  return gone;
}

Test(npz_back, the_sample) {
  sinew_clip_file *file = test_open_clip(test_source("scripts/sample/walk.bvh"));
  char *folder = test_folder_make();
  go_back(sinew_clip_file_clip(file, 0), false, folder, "walk.bvh");
  go_back(sinew_clip_file_clip(file, 0), true, folder, "walk.bvh, three");
  test_folder_remove(folder);
  sinew_clip_file_close(file);
}

Test(npz_back, files_of_bones, .timeout = 300) {
  NEED_DATA();
  size_t count;
  char **paths = test_data_list("bvh", ".bvh", &count);
  cr_expect_geq(go_back_all(paths, count), 20u);
  paths = test_data_list("rigs", ".glb", &count);
  cr_expect_geq(go_back_all(paths, count), 3u);
}
