/* One block of 64 frames in cache and what the kernels make of it: what is timed. */
#ifndef SINEW_MEASURE_WORKLOAD_H
#define SINEW_MEASURE_WORKLOAD_H

#include "clip/segments.h"
#include "measure/made_body.h"
#include "stage/pose_block.h"

typedef enum workload_part {
  WORKLOAD_ROWS,     /* muscles and root as an array of structures -> planes */
  WORKLOAD_SAMPLE,   /* curves -> planes */
  WORKLOAD_CHECK,    /* the largest value of each plane */
  WORKLOAD_MUSCLE,   /* planes -> local rotations in planes */
  WORKLOAD_XYZW,     /* planes -> local rotations -> interleaved in glTF's frame */
  WORKLOAD_FK,       /* local rotations -> positions and rotations of all joints */
  WORKLOAD_MATRICES, /* those -> 3x4 matrices */
  WORKLOAD_FK_BODY,  /* local rotations -> positions of the joints that carry the centre of mass */
  WORKLOAD_BODY,     /* those -> centre of mass, body frame */
  WORKLOAD_HIPS,     /* those and the root -> hips */
  WORKLOAD_SIGNS,
  WORKLOAD_PACK, /* rotations -> interleaved in glTF's frame */
  WORKLOAD_PACK16,
  WORKLOAD_PIPELINE, /* planes -> local rotations -> centre of mass, hips -> all joints */
  WORKLOAD_PART_COUNT
} workload_part;

/* One word. */
const char *workload_part_name(workload_part part);

enum { WORKLOAD_ROW = 102 }; /* floats of a row: the planes from the root to the muscles */

typedef struct workload {
  const sinew_kernels *kernels;
  sinew_rig *rig;
  muscle_rig constants;
  clip_segments segments;
  pose_scratch scratch; /* planes: sampled at the start */
  pose_block pose;
  float *rows; /* [64][WORKLOAD_ROW] */
  float *packed;
  uint64_t flips[HUMAN_BONE_COUNT];
  arena memory;
} workload;

/* On a made body. clip NULL: a made one, with a key a frame. Errors: MEMORY, POSE. */
sinew_result workload_open(const sinew_kernels *kernels, made_body_bones bones, const sinew_clip *clip,
                           workload *w, sinew_error *error);
void workload_close(workload *w);
void workload_run(workload *w, workload_part part);

/* The pipeline on planes that stand elsewhere. */
void workload_pipeline(workload *w, const float *planes);

#endif
