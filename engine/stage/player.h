/* A player: a rig's constants, and a clip's curves made ready, to compute poses into a caller's memory again
 * and again. Read-only once opened. It holds copies, and its share of a clip's rows: neither the clip nor the
 * rig is looked at later. */
#ifndef SINEW_STAGE_PLAYER_H
#define SINEW_STAGE_PLAYER_H

#include "clip/segments.h"
#include "retarget/muscle_rig.h"
#include "stage/pose_block.h"
#include "stage/sign_chain.h"

struct sinew_player {
  const sinew_kernels *kernels;
  sinew_frame frame;
  bool has_clip;
  clip_rows *rows; /* NULL: the clip has curves */
  muscle_rig constants;
  clip_segments pose_curves;     /* of the wanted planes */
  clip_segments other_curves;    /* muscles of bones the rig lacks, goals: sampled where they are asked for */
  float fill[SINEW_PLANE_COUNT]; /* what a plane without a curve holds */
  bool wanted[SINEW_PLANE_COUNT]; /* what the rig's pose depends on */
};

/* What one call works in; the caller's scratch, from its first multiple of 64 bytes on. */
typedef struct player_scratch {
  _Alignas(64) float planes[SINEW_PLANE_COUNT][SINEW_BLOCK];
  float local[HUMAN_BONE_COUNT][4][SINEW_BLOCK];
  float model[HUMAN_BONE_COUNT][SINEW_MODEL_PLANES][SINEW_BLOCK];
  float body[7][SINEW_BLOCK];
  float node_t[3][SINEW_BLOCK];
  float hips_t[3][SINEW_BLOCK];
  float hips_q[4][SINEW_BLOCK];
  float packed[12 * SINEW_BLOCK]; /* one track of a block on its way out */
  double time_s[SINEW_BLOCK];
  uint64_t flips[HUMAN_BONE_COUNT];
  sign_chain local_signs;
  sign_chain model_signs;
} player_scratch;

/* Frames first .. first + frames - 1 of a call, computed in `s`, to the buffers that are wanted. */
void player_write(const sinew_player *player, player_scratch *s, const sinew_pose_buffers *out, size_t first,
                  uint32_t frames);

static inline bool player_wants_model(const sinew_pose_buffers *out) {
  return out->model_m || out->model_q || out->model_matrices;
}

#endif
