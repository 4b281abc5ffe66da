#include "sample_plan.h"
#include "stage/pose_block.h"

#include <stdio.h>

struct sample_plan {
  sinew_clip_file *file;
  sinew_rig *rig;
  bake_plan plan;
  arena memory;
  pose_scratch scratch;
  pose_block pose;
  float *packed;
};

const char *sample_kernel_name(sample_kernel kernel) {
  static const char *const names[SAMPLE_KERNEL_COUNT] = {"sample", "muscle", "fk",        "body_hips",
                                                         "signs",  "pack",   "whole_pose"};
  return names[kernel];
}

static bool open_inputs(sample_plan *p, const sinew_kernels *kernels, const char *folder,
                        sinew_error *error) {
  char path[1024];
  snprintf(path, sizeof path, "%s/walk.anim", folder);
  if (sinew_clip_file_open(path, NULL, &p->file, error) != SINEW_OK) return false;
  snprintf(path, sizeof path, "%s/walker.fbx.meta", folder);
  if (sinew_rig_open(path, NULL, &p->rig, error) != SINEW_OK) return false;
  return bake_plan_build(kernels, sinew_clip_file_clip(p->file, 0), p->rig, 120, &p->plan, error) == SINEW_OK;
}

sample_plan *sample_plan_open(const sinew_kernels *kernels, const char *folder) {
  sample_plan *p = heap_alloc(1, sizeof *p);
  sinew_error error = {0};
  bool ok = p && open_inputs(p, kernels, folder, &error);
  ok = ok && pose_scratch_alloc(&p->plan, &p->memory, &p->scratch) &&
       pose_block_alloc(&p->plan, &p->memory, &p->pose);
  if (ok) {
    p->packed =
        arena_alloc(&p->memory, (size_t)p->plan.constants.bone_count * 4 * SINEW_BLOCK, sizeof(float));
    ok = p->packed && pose_block_compute(&p->plan, 0, &p->scratch, &p->pose, &error) == SINEW_OK;
  }
  if (ok) return p;
  char text[1024];
  fprintf(stderr, "%s\n", sinew_error_text(&error, text, sizeof text));
  return NULL;
}

void sample_plan_close(sample_plan *p) {
  arena_release(&p->memory);
  bake_plan_release(&p->plan);
  sinew_rig_close(p->rig);
  sinew_clip_file_close(p->file);
  heap_free(p);
}

void sample_plan_run(sample_plan *p, sample_kernel kernel) {
  const sinew_kernels *k = p->plan.kernels;
  const muscle_rig *c = &p->plan.constants;
  float *com = p->scratch.body, *frame = com + 3 * SINEW_BLOCK;
  uint64_t flips[HUMAN_BONE_COUNT];
  switch (kernel) {
  case SAMPLE_CURVES:
    k->sample(p->plan.segments.curves, p->plan.segments.curve_count, p->scratch.time_s, p->scratch.planes);
    break;
  case SAMPLE_MUSCLE:
    k->muscle(&c->muscle, p->scratch.planes, p->pose.local);
    break;
  case SAMPLE_FK:
    k->fk(&c->fk, p->pose.local, p->pose.hips_t, p->pose.hips_q, p->scratch.model);
    break;
  case SAMPLE_BODY_AND_HIPS:
    k->body(&c->body, p->scratch.model, com, frame);
    k->hips(&c->body, p->scratch.planes, com, frame, p->pose.hips_t, p->pose.hips_q, p->pose.node_t,
            p->pose.local);
    break;
  case SAMPLE_SIGNS:
    k->signs(p->pose.local, c->bone_count, flips);
    break;
  case SAMPLE_PACK:
    for (uint32_t slot = 0; slot < c->bone_count; slot++)
      k->pack_quat(p->pose.local + (size_t)slot * 4 * SINEW_BLOCK, 0,
                   p->packed + (size_t)slot * 4 * SINEW_BLOCK);
    break;
  default:
    pose_block_compute(&p->plan, 0, &p->scratch, &p->pose, NULL);
    break;
  }
}
