/* VRM animations: what they hold as another reader has it, and what is refused. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "read/motion_reader.h"
#include "rig/normalised.h"
#include "stage/bake_plan.h"
#include "support/bake.h"
#include "verify/verify.h"

typedef struct vrma_run {
  sinew_clip_file *clip;
  sinew_rig *rig, *plain;
  bake_plan plan;
  char *folder;
  char path[512];
  sinew_error error;
} vrma_run;

static void open_run(vrma_run *run) {
  memset(run, 0, sizeof *run);
  const rig_normalise_options options = {.without_eyes = true};
  run->clip = test_open_clip(test_source("scripts/sample/walk.anim"));
  run->rig = test_open_rig(test_source("scripts/sample/walker.fbx.meta"));
  cr_assert_eq(rig_normalise(run->rig, &options, &run->plain, &run->error), SINEW_OK);
  cr_assert_eq(bake_plan_build(sinew_kernels_available(0), sinew_clip_file_clip(run->clip, 0), run->plain,
                               NULL, &run->plan, &run->error),
               SINEW_OK, "%s", run->error.message);
  run->folder = test_folder_make();
  snprintf(run->path, sizeof run->path, "%s/walk.vrma", run->folder);
}

/* A file of the run's clip on its rig. */
static void bake(vrma_run *run) {
  sinew_context *context = test_open_context(NULL, 1);
  const sinew_bake_options options = {.format = SINEW_FORMAT_VRMA};
  cr_assert_eq(sinew_bake(context, sinew_clip_file_clip(run->clip, 0), run->rig, &options, run->path, NULL,
                          &run->error),
               SINEW_OK, "%s", run->error.message);
  sinew_context_close(context);
}

static void close_run(vrma_run *run) {
  bake_plan_release(&run->plan);
  sinew_rig_close(run->plain);
  sinew_rig_close(run->rig);
  sinew_clip_file_close(run->clip);
  test_folder_remove(run->folder);
}

Test(vrma, is_read_as_what_was_written) {
  vrma_run run;
  open_run(&run);
  bake(&run);
  motion_file *file;
  cr_assert_eq(read_motion_file(run.path, NULL, &file, &run.error), SINEW_OK, "%s", run.error.message);
  const skeleton *s = file->skeleton;
  cr_assert_eq(s->node_count, run.plain->node_count);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    const bool eye = b == HUMAN_LEFT_EYE || b == HUMAN_RIGHT_EYE;
    cr_expect_eq(s->node_of_bone[b] < 0, eye || run.rig->node_of_bone[b] < 0, "%s", human_bones[b].name);
    if (s->node_of_bone[b] < 0) continue;
    char name[RIG_VRM_NAME_BYTES];
    rig_vrm_name(b, name);
    cr_expect_str_eq(s->nodes[s->node_of_bone[b]].name, name);
  }
  for (uint32_t i = 0; i < file->motions->track_count; i++) {
    const motion_track *track = &file->motions->tracks[i];
    const bool hips = (int32_t)track->node == s->node_of_bone[HUMAN_HIPS];
    cr_expect(track->path == MOTION_ROTATION || (track->path == MOTION_TRANSLATION && hips));
    cr_expect_eq(track->interpolation, MOTION_LINEAR);
  }
  motion_file_close(file);
  close_run(&run);
}

static glb_plan plan_of(const vrma_run *run, const int32_t *human_node) {
  return (glb_plan){.nodes = run->plan.output.nodes,
                    .node_count = run->plan.output.node_count,
                    .profile = "fma",
                    .rate_hz = run->plan.rate_hz,
                    .frame_count = run->plan.frame_count,
                    .stop_s = 1,
                    .tracks = run->plan.output.tracks,
                    .track_count = run->plan.output.track_count,
                    .human_node = human_node};
}

static void refuse(const glb_plan *plan, sinew_result code, const char *words) {
  glb_layout layout;
  sinew_error error = {0};
  cr_expect_eq(glb_layout_build(plan, &layout, &error), code, "%s", words);
  cr_expect(strstr(error.message, words), "'%s', wanted '%s'", error.message, words);
}

Test(vrma, refusals) {
  vrma_run run;
  open_run(&run);
  int32_t node[HUMAN_BONE_COUNT];
  glb_plan plan = plan_of(&run, node);
#define FRESH() memcpy(node, run.plain->node_of_bone, sizeof node)
  FRESH(), node[HUMAN_HEAD] = -1;
  refuse(&plan, SINEW_ERROR_RIG, "needs the human bone Head");
  FRESH(), node[HUMAN_CHEST] = -1;
  refuse(&plan, SINEW_ERROR_RIG, "no UpperChest without the bone before it");
  FRESH(), node[HUMAN_LEFT_EYE] = 0;
  refuse(&plan, SINEW_ERROR_ARGUMENT, "no bones for eyes");
  FRESH(), node[HUMAN_JAW] = node[HUMAN_HEAD];
  refuse(&plan, SINEW_ERROR_ARGUMENT, "is two human bones");
  FRESH(), node[HUMAN_JAW] = 1000;
  refuse(&plan, SINEW_ERROR_ARGUMENT, "is node 1000 of");
  FRESH(), node[HUMAN_LEFT_TOES] = -1;
  refuse(&plan, SINEW_ERROR_ARGUMENT, "moves no human bone");

  FRESH();
  glb_track *track = &run.plan.output.tracks[run.plan.output.track_count - 1];
  const glb_path path = track->path;
  track->path = GLB_SCALE;
  refuse(&plan, SINEW_ERROR_ARGUMENT, "bones turn, and the hips alone move");
  track->path = GLB_TRANSLATION;
  refuse(&plan, SINEW_ERROR_ARGUMENT, "bones turn, and the hips alone move");
  track->path = path;

  rig_node *hips = &run.plain->nodes[node[HUMAN_HIPS]];
  const double height_m = hips->t[1];
  hips->t[1] = 0;
  refuse(&plan, SINEW_ERROR_RIG, "rest at a height of 0 m");
  hips->t[1] = height_m;
  const box_mesh mesh = {.box_count = 1};
  plan.mesh = &mesh;
  refuse(&plan, SINEW_ERROR_ARGUMENT, "neither boxes nor a character");
  close_run(&run);
}

Test(vrma, its_map_is_verified) {
  vrma_run run;
  open_run(&run);
  bake(&run);
  FILE *file = fopen(run.path, "rb");
  verify_file *back;
  cr_assert_eq(verify_open(fileno(file), &back, &run.error), SINEW_OK, "%s", run.error.message);
  int32_t node[HUMAN_BONE_COUNT];
  FRESH();
  cr_expect_eq(verify_human(back, node, &run.error), SINEW_OK, "%s", run.error.message);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    FRESH(), node[b] = node[b] < 0 ? 1 : -1;
    cr_expect_eq(verify_human(back, node, &run.error), SINEW_ERROR_VERIFY, "bone %d", b);
  }
  verify_close(back);
  fclose(file);
  close_run(&run);
}
