#include "played.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

const char *const pose_buffer_name[PLAYED_BUFFERS] = {"muscles", "root",         "goals",
                                                      "local_q", "hips_local_m", "hips_model_m",
                                                      "model_m", "model_q",      "model_matrices"};

played played_open(const char *isa, sinew_frame frame) {
  return played_open_files(isa, frame, test_source("scripts/sample/walk.anim"),
                           test_source("scripts/sample/walker.fbx.meta"));
}

played played_open_files(const char *isa, sinew_frame frame, const char *clip_path, const char *rig_path) {
  played p = {.context = test_open_context(isa, 1),
              .file = test_open_clip(clip_path),
              .rig = test_open_rig(rig_path)};
  p.clip = sinew_clip_file_clip(p.file, 0);
  sinew_player_options options = {.frame = frame};
  sinew_error error;
  cr_assert(sinew_player_open(p.context, p.clip, p.rig, &options, &p.player, &error) == SINEW_OK, "%s",
            error.message);
  p.bone_count = sinew_player_bone_count(p.player);
  p.scratch_bytes = sinew_player_scratch_bytes(p.player);
  p.scratch = malloc(p.scratch_bytes);
  cr_assert(p.scratch);
  return p;
}

void played_close(played *p) {
  free(p->scratch);
  sinew_player_close(p->player);
  sinew_rig_close(p->rig);
  sinew_clip_file_close(p->file);
  sinew_context_close(p->context);
}

float **pose_buffer(sinew_pose_buffers *to, int i) {
  float **all[PLAYED_BUFFERS] = {&to->muscles, &to->root,         &to->goals,
                                 &to->local_q, &to->hips_local_m, &to->hips_model_m,
                                 &to->model_m, &to->model_q,      &to->model_matrices};
  return all[i];
}

size_t pose_buffer_width(const played *p, int i) {
  const size_t widths[PLAYED_BUFFERS] = {
      95, 7, 28, p->bone_count * 4u, 3, 3, p->bone_count * 3u, p->bone_count * 4u, p->bone_count * 12u};
  return widths[i];
}

pose_arrays pose_arrays_make(const played *p, size_t count) {
  pose_arrays a = {{0}, {0}};
  for (int i = 0; i < PLAYED_BUFFERS; i++) {
    a.value_count[i] = count * pose_buffer_width(p, i);
    float *values = malloc(a.value_count[i] ? a.value_count[i] * sizeof *values : 1);
    cr_assert(values);
    memset(values, 0xa5, a.value_count[i] * sizeof *values);
    *pose_buffer(&a.to, i) = values;
  }
  return a;
}

void pose_arrays_free(pose_arrays *a) {
  for (int i = 0; i < PLAYED_BUFFERS; i++) free(*pose_buffer(&a->to, i));
}

void pose_arrays_expect_equal(const pose_arrays *a, const pose_arrays *b, const char *what) {
  sinew_pose_buffers left = a->to, right = b->to;
  for (int i = 0; i < PLAYED_BUFFERS; i++) {
    cr_assert(a->value_count[i] == b->value_count[i]);
    cr_expect(memcmp(*pose_buffer(&left, i), *pose_buffer(&right, i), a->value_count[i] * sizeof(float)) == 0,
              "%s: %s differ", what, pose_buffer_name[i]);
  }
}

void played_evaluate(const played *p, const double *time_s, size_t count, pose_arrays *out) {
  sinew_error error;
  cr_assert(sinew_player_evaluate(p->player, p->scratch, p->scratch_bytes, time_s, count, &out->to, &error) ==
                SINEW_OK,
            "%s", error.message);
}

double *wandering_times(const played *p, size_t count) {
  sinew_clip_info info;
  sinew_clip_get_info(p->clip, &info);
  double *time_s = malloc((count ? count : 1) * sizeof *time_s);
  cr_assert(time_s);
  for (size_t i = 0; i < count; i++) {
    uint64_t mixed = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    double share = (double)(mixed >> 11) / 0x1p53; /* 0..1 */
    time_s[i] = info.start_s + (info.stop_s - info.start_s) * (1.5 * share - 0.25);
  }
  return time_s;
}
