#include "stage/pose_block.h"
#include "base/error.h"
#include "retarget/mirror.h"
#include "stage/bone_block.h"
#include "stage/turn_planes.h"

#include <math.h>
#include <string.h>

/* Past these a value is no pose but a damaged file; within them every kernel stays finite. */
static const float muscle_limit = 1000;
static const float root_limit = 1e6f;

pose_room pose_room_most(void) {
  return (pose_room){.slots = HUMAN_BONE_COUNT, .places = 1, .joints = HUMAN_BONE_COUNT};
}

static bool has_source(const bake_plan *plan) {
  return plan->planes_from == PLANES_OF_BONES || plan->planes_from == PLANES_OF_POSE;
}

pose_room pose_room_of(const bake_plan *plan) {
  const bake_output *output = &plan->output;
  return (pose_room){.slots = output->slot_count,
                     .places = output->place_count,
                     .joints = output->fk.joint_count,
                     .bones = plan->bones.scratch_floats,
                     .muscles = has_source(plan) ? muscle_source_floats(&plan->muscles) : 0};
}

bool pose_room_holds(pose_room room, pose_room needed) {
  return room.slots >= needed.slots && room.places >= needed.places && room.joints >= needed.joints &&
         room.bones >= needed.bones && room.muscles >= needed.muscles;
}

bool pose_scratch_alloc(pose_room room, arena *memory, pose_scratch *scratch) {
  size_t model_floats = room.joints * SINEW_MODEL_PLANES * SINEW_BLOCK;
  if (model_floats < ROWS_SCRATCH) model_floats = ROWS_SCRATCH;
  scratch->planes = arena_alloc(memory, (size_t)SINEW_PLANE_COUNT * SINEW_BLOCK, sizeof(float));
  scratch->sampled = arena_alloc(memory, (size_t)SINEW_PLANE_COUNT * SINEW_BLOCK, sizeof(float));
  scratch->muscles = arena_alloc(memory, room.muscles, sizeof(float));
  scratch->model = arena_alloc(memory, model_floats, sizeof(float));
  scratch->body = arena_alloc(memory, (size_t)7 * SINEW_BLOCK, sizeof(float));
  scratch->bones = arena_alloc(memory, room.bones, sizeof(float));
  return scratch->planes && scratch->sampled && scratch->muscles && scratch->model && scratch->body &&
         scratch->bones;
}

bool pose_block_alloc(pose_room room, arena *memory, pose_block *pose) {
  pose->local = arena_alloc(memory, room.slots * 4 * SINEW_BLOCK, sizeof(float));
  pose->places = arena_alloc(memory, room.places * 3 * SINEW_BLOCK, sizeof(float));
  pose->hips_t = arena_alloc(memory, (size_t)3 * SINEW_BLOCK, sizeof(float));
  pose->hips_q = arena_alloc(memory, (size_t)4 * SINEW_BLOCK, sizeof(float));
  return pose->local && pose->places && pose->hips_t && pose->hips_q;
}

static void fill_planes(const bake_plan *plan, float *planes) {
  for (int plane = 0; plane < SINEW_PLANE_COUNT; plane++)
    for (int f = 0; f < SINEW_BLOCK; f++) planes[plane * SINEW_BLOCK + f] = plan->fill[plane];
}

void pose_begin(const bake_plan *plan, pose_scratch *scratch, pose_block *pose) {
  scratch->found = NULL;
  if (plan->way == BAKE_DELTA || plan->way == BAKE_OWN) bone_block_begin(plan, scratch, pose);
  if (plan->planes_from == PLANES_NONE) return;
  if (plan->planes_from == PLANES_OF_CLIP) fill_planes(plan, scratch->sampled);
  fill_planes(plan, scratch->planes);
  if (has_source(plan)) muscle_source_begin(&plan->muscles, scratch->muscles, scratch->sampled);
}

bool pose_open(const bake_plan *plan, arena *memory, pose_scratch *scratch, pose_block *pose) {
  const pose_room room = pose_room_of(plan);
  if (!pose_scratch_alloc(room, memory, scratch) || !pose_block_alloc(room, memory, pose)) return false;
  pose_begin(plan, scratch, pose);
  return true;
}

uint32_t pose_block_frames(const bake_plan *plan, uint64_t block) {
  uint64_t left = plan->frame_count - block * SINEW_BLOCK;
  return left < SINEW_BLOCK ? (uint32_t)left : SINEW_BLOCK;
}

static bool plane_is_sound(int plane, uint32_t bits) {
  float limit = plane < SINEW_PLANE_MUSCLE ? root_limit : muscle_limit;
  uint32_t limit_bits;
  memcpy(&limit_bits, &limit, sizeof limit_bits);
  return bits <= limit_bits;
}

static sinew_result name_bad_value(uint64_t first_frame, const float *planes, int plane, sinew_error *error) {
  const char *attribute = "?";
  for (int channel = 0; channel < CLIP_CHANNEL_COUNT; channel++)
    if (clip_plane_of_channel(channel) == plane) attribute = clip_channel_name(channel);
  float limit = plane < SINEW_PLANE_MUSCLE ? root_limit : muscle_limit;
  uint32_t f = 0;
  while (f + 1 < SINEW_BLOCK && fabsf(planes[plane * SINEW_BLOCK + f]) <= limit) f++;
  const float value = planes[plane * SINEW_BLOCK + f];
  const unsigned long long frame = first_frame + f;
  if (!isfinite(value)) /* which infinity or NaN an overflow leaves depends on the instruction set */
    return error_set(error, SINEW_ERROR_POSE, "%s is not a finite number at frame %llu", attribute, frame);
  return error_set(error, SINEW_ERROR_POSE, "%s is %g at frame %llu, expected a value within +-%g", attribute,
                   (double)value, frame, (double)limit);
}

sinew_result pose_check_wanted(const sinew_kernels *kernels, const float *planes,
                               const bool wanted[SINEW_PLANE_COUNT], uint64_t first_frame,
                               sinew_error *error) {
  uint32_t bits[SINEW_PLANE_COUNT];
  kernels->absmax(planes, SINEW_PLANE_COUNT, bits);
  for (int plane = 0; plane < SINEW_PLANE_COUNT; plane++)
    if ((!wanted || wanted[plane]) && !plane_is_sound(plane, bits[plane]))
      return name_bad_value(first_frame, planes, plane, error);
  return SINEW_OK;
}

sinew_result pose_check_planes(const sinew_kernels *kernels, const float *planes, uint64_t first_frame,
                               sinew_error *error) {
  return pose_check_wanted(kernels, planes, NULL, first_frame, error);
}

void pose_from_planes(const sinew_kernels *k, const muscle_rig *c, pose_scratch *scratch, pose_block *pose) {
  /* the hips' slot holds the identity here: body and centre of mass are taken in the hips' own frame */
  k->muscle(&c->muscle, scratch->planes, pose->local);
  k->fk(&c->fk_body, pose->local, NULL, NULL, scratch->model);
  float *com = scratch->body, *frame = scratch->body + 3 * SINEW_BLOCK;
  k->body(&c->body, scratch->model, com, frame);
  k->hips(&c->body, scratch->planes, com, frame, pose->hips_t, pose->hips_q, pose->places, pose->local);
}

/* A block's frames into the sampled planes. */
static void load_block(const bake_plan *plan, uint64_t block, pose_scratch *scratch) {
  const sinew_kernels *k = plan->kernels;
  const clip_rows *rows = plan->clip->rows;
  uint32_t frames = pose_block_frames(plan, block);
  if (rows && plan->rate_hz == rows->rate_hz) {
    clip_rows_load(rows, k, block * SINEW_BLOCK, frames, scratch->model, scratch->sampled);
    return;
  }
  for (uint32_t f = 0; f < SINEW_BLOCK; f++) {
    uint64_t frame = block * SINEW_BLOCK + (f < frames ? f : frames - 1);
    scratch->time_s[f] = clip_frame_time(plan->clip, plan->rate_hz, frame, plan->frame_count);
  }
  if (rows)
    clip_rows_sample(rows, k, scratch->time_s, scratch->model, scratch->sampled);
  else
    k->sample(plan->segments.curves, plan->segments.curve_count, scratch->time_s, scratch->sampled);
}

/* The root that stands for a missing one stays where it is. */
static void mirror_block(const bake_plan *plan, const pose_scratch *scratch) {
  mirror_planes(scratch->sampled, scratch->planes);
  for (int plane = SINEW_PLANE_ROOT_T; plane < SINEW_PLANE_MUSCLE; plane++)
    if (plan->planes_from == PLANES_OF_CLIP && !plan->curved[plane])
      for (int f = 0; f < SINEW_BLOCK; f++) scratch->planes[plane * SINEW_BLOCK + f] = plan->fill[plane];
}

/* From what was sampled, or made of bones, to what moves a rig and is written. */
static void finish_planes(const bake_plan *plan, uint64_t block, const pose_scratch *scratch) {
  if (plan->mirror)
    mirror_block(plan, scratch);
  else
    memcpy(scratch->planes, scratch->sampled,
           (size_t)SINEW_PLANE_COUNT * SINEW_BLOCK * sizeof *scratch->planes);
  if (plan->clamp || scratch->found)
    limits_apply(scratch->planes, pose_block_frames(plan, block), plan->clamp,
                 scratch->found ? &scratch->found->limits : NULL);
}

static sinew_result make_planes(const bake_plan *plan, uint64_t block, const pose_scratch *scratch,
                                const pose_block *pose, sinew_error *error) {
  SINEW_TRY(muscle_source_block(&plan->muscles, plan->kernels, block, pose_block_frames(plan, block), pose,
                                scratch->muscles, scratch->sampled, scratch->found, error));
  finish_planes(plan, block, scratch);
  return SINEW_OK;
}

sinew_result pose_block_compute(const bake_plan *plan, uint64_t block, pose_scratch *scratch,
                                pose_block *pose, sinew_error *error) {
  const sinew_kernels *k = plan->kernels;
  if (plan->planes_from == PLANES_OF_BONES) SINEW_TRY(make_planes(plan, block, scratch, NULL, error));
  if (plan->planes_from == PLANES_OF_CLIP) {
    load_block(plan, block, scratch);
    SINEW_TRY(pose_check_wanted(k, scratch->sampled, plan->wanted, block * SINEW_BLOCK, error));
    finish_planes(plan, block, scratch);
  }
  if (plan->way == BAKE_MUSCLE) pose_from_planes(k, &plan->constants, scratch, pose);
  if (plan->way == BAKE_DELTA || plan->way == BAKE_OWN)
    SINEW_TRY(bone_block_compute(plan, block, scratch, pose, error));
  if (plan->planes_from == PLANES_OF_POSE) return make_planes(plan, block, scratch, pose, error);
  return SINEW_OK;
}

void pose_place_joints(const bake_plan *plan, const pose_scratch *scratch, pose_block *pose, float *model) {
  const bake_output *output = &plan->output;
  if (output->is_turned) {
    turn_place(output->to_file_q, pose->hips_t);
    turn_rotation(output->to_file_q, pose->hips_q);
  }
  if (plan->way == BAKE_OWN)
    bone_place_joints(plan, scratch, pose, model);
  else
    plan->kernels->fk(&output->fk, pose->local, NULL, pose->hips_q, model);
}
