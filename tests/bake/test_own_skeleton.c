/* Clips of bones on their own skeletons: what is written, read back by the reader of glTF and posed by plain double
 * arithmetic, stands where the source's own file puts it, in metres and with y up. */
#include "base/error.h"
#include "clip/motion.h"
#include "read/motion_reader.h"
#include "rig/quat.h"
#include "stage/bake_plan.h"
#include "stance/pose_at.h"
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef double place[3];

static place *places_at(const skeleton *s, const motion *m, double time_s, uint64_t frame, arena *memory) {
  local_pose pose;
  double(*matrix)[3][4] = arena_alloc(memory, s->node_count, sizeof *matrix);
  place *places = arena_alloc(memory, s->node_count, sizeof *places);
  cr_assert(matrix && places && local_pose_alloc(s, memory, &pose));
  if (m->frame_count)
    local_pose_row(s, m, frame, &pose);
  else if (m->track_count)
    local_pose_time(s, m, time_s, &pose);
  else
    local_pose_rest(s, &pose);
  global_pose(s, &pose, matrix, NULL);
  for (uint32_t i = 0; i < s->node_count; i++)
    for (int c = 0; c < 3; c++) places[i][c] = matrix[i][c][3];
  return places;
}

/* The file's place as the output has it. */
static void turn_up(const bake_plan *plan, double unit_m, const place from, place to) {
  const float *up = plan->bones.up;
  const double q[4] = {(double)up[0], -(double)up[1], -(double)up[2], (double)up[3]};
  for (int c = 0; c < 3; c++) to[c] = from[c] * unit_m;
  if (plan->bones.turned_up) quat_rotate(q, to, to);
}

static bool has_scales(const motion *m) {
  for (uint32_t i = 0; i < m->track_count; i++)
    if (m->tracks[i].path == MOTION_SCALE) return true;
  return false;
}

static void compare_frame(const bake_plan *plan, const motion_file *made, uint64_t frame, const char *what) {
  arena memory = {0};
  const sinew_clip *clip = plan->clip;
  const skeleton *s = clip->body->skeleton;
  const double time_s = clip_frame_time(clip, plan->rate_hz, frame, plan->frame_count);
  place *wanted = places_at(s, clip->motion, time_s, frame, &memory);
  place *found = places_at(made->skeleton, &made->motions[0], time_s - clip->start_s, 0, &memory);
  double worst = 0, reach = 0;
  for (uint32_t i = 0; i < s->node_count; i++) {
    place own, off;
    turn_up(plan, clip->body->unit_m, wanted[i], own);
    for (int c = 0; c < 3; c++) off[c] = found[i][c] - own[c];
    worst = fmax(worst, sqrt(vec_dot(off, off)));
    reach = fmax(reach, sqrt(vec_dot(own, own)));
  }
  /* float32 along a chain, and far from the origin its step */
  double allowed = 2e-6 * plan->output.height_m + reach * 0x1p-21;
  if (has_scales(clip->motion)) allowed += 1e-4 * plan->output.height_m; /* a scale so near its rest is left there */
  cr_expect(worst <= allowed, "%s: frame %llu: %.3g m off, %.3g allowed", what, (unsigned long long)frame, worst,
            allowed);
  arena_release(&memory);
}

static void compare_clip(const sinew_context *context, const sinew_clip *clip, const char *folder, const char *what) {
  char path[512];
  sinew_error error = {0};
  sinew_bake_report report;
  const sinew_bake_options options = {.mesh = SINEW_MESH_NONE};
  snprintf(path, sizeof path, "%s/own.glb", folder);
  cr_assert(sinew_bake(context, clip, NULL, &options, path, &report, &error) == SINEW_OK, "%s: %s", what,
            error.message);
  cr_expect(report.verified && strcmp(report.way, "own") == 0);
  motion_file *made;
  bake_plan plan;
  cr_assert(read_motion_file(path, NULL, &made, &error) == SINEW_OK, "%s: %s", what, error.message);
  cr_assert(bake_plan_build(sinew_kernels_select(NULL), clip, NULL, NULL, &plan, &error) == SINEW_OK);
  cr_expect_eq(report.dropped_scales, 0);
  cr_assert(made->skeleton->node_count == clip->body->skeleton->node_count && made->motion_count == 1, "%s", what);
  const uint64_t last = plan.frame_count - 1;
  for (uint64_t i = 0; i <= 12; i++) compare_frame(&plan, made, last * i / 12, what);
  bake_plan_release(&plan);
  motion_file_close(made);
  unlink(path);
}

static void compare_folder(const char *folder, const char *suffix, uint32_t least) {
  NEED_DATA();
  size_t count;
  uint32_t compared = 0;
  char **paths = test_data_list(folder, suffix, &count), *out = test_folder_make();
  sinew_context *context = test_open_context(NULL, 1);
  for (size_t i = 0; i < count; i++) {
    sinew_clip_file *file;
    sinew_error error;
    if (sinew_clip_file_open(paths[i], NULL, &file, &error) != SINEW_OK) continue;
    for (uint32_t k = 0; k < sinew_clip_file_count(file); k++, compared++)
      compare_clip(context, sinew_clip_file_clip(file, k), out, strrchr(paths[i], '/') + 1);
    sinew_clip_file_close(file);
  }
  cr_expect(compared >= least, "%u clips", compared);
  sinew_context_close(context);
  test_folder_remove(out);
}

Test(own_skeleton, bvh) {
  compare_folder("bvh", ".bvh", 28);
}
Test(own_skeleton, bvh_of_every_edge) {
  compare_folder("bvh-edge", ".bvh", 25);
}
Test(own_skeleton, glb) {
  compare_folder("rigs", ".glb", 30);
}
Test(own_skeleton, vrma) {
  compare_folder("rigs", ".vrma", 2);
}
