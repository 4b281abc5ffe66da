/* A piece of a clip, up to 16 blocks of frames, from curves to its places in the file. What a piece holds
 * depends on nothing but the clip: not on the worker, nor on which other pieces are done. */
#ifndef SINEW_STAGE_BAKE_PIECE_H
#define SINEW_STAGE_BAKE_PIECE_H

#include "stage/pose_block.h"
#include "stage/sign_chain.h"
#include "write/outfile.h"

/* 16 blocks: a rotation track's part of a piece is 16 KiB, enough for few system calls and little enough to
 * stay in cache between computing and writing. */
enum { PIECE_BLOCKS = 16, PIECE_FRAMES = PIECE_BLOCKS * SINEW_BLOCK };

/* What one worker owns: room for a piece of any rig. */
typedef struct piece_worker {
  pose_scratch scratch;
  pose_block poses[PIECE_BLOCKS];
  uint64_t (*flips)[HUMAN_BONE_COUNT]; /* per block of the piece: the frames of each slot to negate */
  unsigned char *packed;               /* one track's keys of a piece */
  uint64_t begun;                      /* the target whose constant values the scratch holds; 0: none */
} piece_worker;

/* Where pieces go. */
typedef struct piece_target {
  const bake_plan *plan;
  const glb_plan *glb;
  const glb_layout *layout;
  outfile *file;
  uint64_t number;                    /* not 0, another for each target that shares a worker */
  sign_chain signs[HUMAN_BONE_COUNT]; /* carried from piece to piece, in order */
} piece_target;

/* Allocates from `memory`; false when it is exhausted. */
bool piece_worker_alloc(arena *memory, piece_worker *worker);

uint64_t piece_count(const bake_plan *plan);
/* frames of the pieces 0..piece, no more than the clip has */
uint64_t piece_end_frame(const bake_plan *plan, uint64_t piece);

/* The three steps of a piece, by one worker. Different pieces are computed and written side by side, joined
 * one after the other in their order. Errors: POSE. */
sinew_result piece_compute(const piece_target *target, uint64_t piece, piece_worker *worker,
                           sinew_error *error);
void piece_join(piece_target *target, uint64_t piece, piece_worker *worker);
/* Errors: IO. */
sinew_result piece_write(const piece_target *target, uint64_t piece, piece_worker *worker,
                         sinew_error *error);

#endif
