/* A clip on a rig as a VRM animation, and what it shows: vrma_dump CLIP RIG VIA RATE COUNT FILE.vrma
 * RIG `-`: the figure of a clip of bones; VIA: default, muscle or delta; RATE 0: the clip's own.
 * Bakes the file and prints JSON: the times of COUNT frames spread over the clip; each bone's normalised
 * rotation there, x y z w, by its VRM name; where the hips are; how high they rest; where the bones of the
 * rig itself stand by the same clip, facing +Z. glTF's frame, metres. */
#include "base/error.h"
#include "rig/normalised.h"
#include "stage/pose_block.h"
#include "stance/figure.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, const sinew_error *error) {
  char line[1200];
  fprintf(stderr, "%s: %s\n", what, sinew_error_text(error, line, sizeof line));
  exit(1);
}

static double lane(const float *planes, size_t plane, uint32_t f) {
  return (double)planes[plane * SINEW_BLOCK + f];
}

/* Rotations of the plain rig's bones; those that nothing turns rest as they are. */
static json_t *rotations(const bake_plan *plan, const pose_block *block, uint32_t f) {
  json_t *bones = json_object();
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    const int32_t node = plan->rig->node_of_bone[bone];
    if (node < 0) continue;
    char name[RIG_VRM_NAME_BYTES];
    double q[4];
    const int32_t slot = plan->output.slot_of_node[node];
    for (size_t c = 0; c < 4; c++)
      q[c] = slot < 0 ? plan->output.nodes[node].q[c] : lane(block->local, (size_t)slot * 4 + c, f);
    rig_vrm_name(bone, name);
    json_object_set_new(bones, name, json_pack("[f,f,f,f]", q[0], -q[1], -q[2], q[3]));
  }
  return bones;
}

static json_t *hips_place(const bake_plan *plan, const pose_block *block, uint32_t f) {
  const size_t place = (size_t)plan->output.place_of_node[plan->rig->node_of_bone[HUMAN_HIPS]] * 3;
  return json_pack("[f,f,f]", -lane(block->places, place, f), lane(block->places, place + 1, f),
                   lane(block->places, place + 2, f));
}

/* Joints of the bones on the rig itself, by the same clip, in root space. */
static json_t *joints(const bake_plan *plan, const float *model, uint32_t f) {
  json_t *bones = json_object();
  for (uint32_t joint = 0; joint < plan->output.fk.joint_count; joint++)
    for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
      if (plan->rig->node_of_bone[bone] != (int32_t)plan->output.joint_node[joint]) continue;
      char name[RIG_VRM_NAME_BYTES];
      const float *m = model + (size_t)joint * SINEW_MODEL_PLANES * SINEW_BLOCK;
      rig_vrm_name(bone, name);
      json_object_set_new(bones, name, json_pack("[f,f,f]", -lane(m, 0, f), lane(m, 1, f), lane(m, 2, f)));
    }
  return bones;
}

static json_t *dump_joints(const bake_plan *plan, uint32_t count, sinew_error *error) {
  arena memory = {0};
  pose_scratch scratch;
  pose_block block;
  if (!pose_open(plan, &memory, &scratch, &block)) exit(1);
  json_t *places = json_array();
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t frame = count > 1 ? (plan->frame_count - 1) * i / (count - 1) : 0;
    if (pose_block_compute(plan, frame / SINEW_BLOCK, &scratch, &block, error) != SINEW_OK)
      fail("pose", error);
    plan->kernels->fk(&plan->output.fk, block.local, block.hips_t, block.hips_q, scratch.model);
    json_array_append_new(places, joints(plan, scratch.model, (uint32_t)(frame % SINEW_BLOCK)));
  }
  arena_release(&memory);
  return places;
}

static json_t *dump(const bake_plan *plan, uint32_t count, sinew_error *error) {
  arena memory = {0};
  pose_scratch scratch;
  pose_block block;
  if (!pose_open(plan, &memory, &scratch, &block)) exit(1);
  const glb_plan glb = {.rate_hz = plan->rate_hz,
                        .frame_count = plan->frame_count,
                        .start_s = plan->clip->start_s,
                        .stop_s = plan->clip->stop_s};
  json_t *times = json_array(), *bones = json_array(), *hips = json_array();
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t frame = count > 1 ? (plan->frame_count - 1) * i / (count - 1) : 0;
    const uint32_t f = (uint32_t)(frame % SINEW_BLOCK);
    if (pose_block_compute(plan, frame / SINEW_BLOCK, &scratch, &block, error) != SINEW_OK)
      fail("pose", error);
    json_array_append_new(times, json_real((double)glb_frame_time(&glb, frame)));
    json_array_append_new(bones, rotations(plan, &block, f));
    json_array_append_new(hips, hips_place(plan, &block, f));
  }
  arena_release(&memory);
  return json_pack("{s:f,s:o,s:o,s:o}", "hipsRestM", plan->rig->offset[HUMAN_HIPS][1], "timesS", times,
                   "bones", bones, "hips", hips);
}

/* What a clip is baked on, as the engine bakes VRM animations: nothing here comes from the file. */
typedef struct source {
  sinew_clip_file *file;
  const sinew_clip *clip;
  sinew_rig *given; /* NULL: the clip's own skeleton */
  sinew_rig *own;   /* of the figure */
  sinew_rig *plain;
  sinew_via via;
  double rate_hz;
} source;

static sinew_via via_of(const char *name) {
  if (strcmp(name, "muscle") == 0) return SINEW_VIA_MUSCLE;
  return strcmp(name, "delta") == 0 ? SINEW_VIA_DELTA : SINEW_VIA_DEFAULT;
}

static void open_source(char **arguments, source *from, sinew_error *error) {
  const rig_normalise_options options = {.without_eyes = true};
  *from = (source){.via = via_of(arguments[3]), .rate_hz = strtod(arguments[4], NULL)};
  if (sinew_clip_file_open(arguments[1], NULL, &from->file, error) != SINEW_OK) fail("clip", error);
  from->clip = sinew_clip_file_clip(from->file, 0);
  if (strcmp(arguments[2], "-") == 0) {
    if (figure_rig(from->clip->body->figure, &from->own, error) != SINEW_OK) fail("figure", error);
  } else if (sinew_rig_open(arguments[2], NULL, &from->given, error) != SINEW_OK) {
    fail("rig", error);
  }
  if (rig_normalise(from->given ? from->given : from->own, &options, &from->plain, error) != SINEW_OK)
    fail("plain rig", error);
}

static void close_source(source *from) {
  sinew_rig_close(from->plain);
  sinew_rig_close(from->own);
  sinew_rig_close(from->given);
  sinew_clip_file_close(from->file);
}

static void bake(const source *from, const char *path, sinew_error *error) {
  sinew_context *context;
  const sinew_bake_options options = {
      .format = SINEW_FORMAT_VRMA, .via = from->via, .rate_hz = from->rate_hz};
  if (sinew_context_open(NULL, &context, error) != SINEW_OK) fail("context", error);
  if (sinew_bake(context, from->clip, from->given, &options, path, NULL, error) != SINEW_OK)
    fail(path, error);
  sinew_context_close(context);
}

static bake_plan *plan_of(const source *from, const sinew_rig *rig, sinew_error *error) {
  bake_plan *plan = calloc(1, sizeof *plan);
  const bake_choice choice = {.rate_hz = from->rate_hz, .via = from->via, .asked_rig = from->given};
  if (!plan || bake_plan_build(sinew_kernels_select(NULL), from->clip, rig, &choice, plan, error) != SINEW_OK)
    fail("plan", error);
  return plan;
}

int main(int argument_count, char **arguments) {
  if (argument_count != 7) {
    fprintf(stderr, "usage: %s CLIP RIG VIA RATE COUNT FILE\n", arguments[0]);
    return 2;
  }
  sinew_error error = {0};
  source from;
  const uint32_t count = (uint32_t)strtoul(arguments[5], NULL, 10);
  open_source(arguments, &from, &error);
  bake(&from, arguments[6], &error);
  const sinew_rig *rig = from.given ? from.given : from.own;
  bake_plan *plan = plan_of(&from, from.plain, &error), *own = plan_of(&from, rig, &error);
  json_t *root = dump(plan, count, &error);
  json_object_set_new(root, "places", dump_joints(own, count, &error));
  json_object_set_new(root, "heightM", json_real(rig->height_m));
  json_dumpf(root, stdout, JSON_COMPACT);
  json_decref(root);
  bake_plan_release(plan), bake_plan_release(own);
  free(plan), free(own);
  close_source(&from);
  return 0;
}
