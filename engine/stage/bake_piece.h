/* A piece of a clip, up to 64 blocks of frames, from curves to its places in the file. What a piece holds
 * depends on nothing but the clip: not on the worker, nor on which other pieces are done. */
#ifndef SINEW_STAGE_BAKE_PIECE_H
#define SINEW_STAGE_BAKE_PIECE_H

#include "stage/pose_block.h"
#include "stage/sign_chain.h"
#include "write/outfile.h"

/* 64 blocks: a rotation track's part of a piece is 64 KiB. Below that writing costs more, above it nothing is
 * gained. */
enum { PIECE_BLOCKS = 64 };

/* What one worker owns: room for a piece of any clip of muscles; it grows for other plans that need more. */
typedef struct piece_worker {
  arena memory;
  pose_room room;
  pose_scratch scratch;
  pose_block pose;
  uint64_t *flips;       /* [slot] */
  sign_chain *signs;     /* of the piece by itself; one for each 64 slots */
  uint64_t *turned;      /* slots in which the piece as a whole is negated */
  unsigned char *packed; /* [track][frame of the piece]: its keys as they go to the file */
  size_t packed_bytes;
  uint64_t begun; /* the target whose constant values the scratch holds; 0: none */
} piece_worker;

/* Where pieces go. */
typedef struct piece_target {
  const bake_plan *plan;
  const glb_plan *glb;
  const glb_layout *layout;
  outfile *file;
  uint64_t number;   /* not 0, another for each target that shares a worker */
  sign_chain *signs; /* carried from piece to piece, in order; zeroed, sign_chain_count of them */
} piece_target;

/* A zeroed worker is closed. Errors: MEMORY. */
sinew_result piece_worker_open(piece_worker *worker, sinew_error *error);
void piece_worker_close(piece_worker *worker);

uint64_t piece_count(const bake_plan *plan);
/* Pieces hold frames first..end-1. */
uint64_t piece_first_frame(const bake_plan *plan, uint64_t piece);
uint64_t piece_end_frame(const bake_plan *plan, uint64_t piece);

/* The three steps of a piece, by one worker. Different pieces are computed and written side by side, joined
 * one after the other in their order. Errors: POSE, MEMORY. */
sinew_result piece_compute(const piece_target *target, uint64_t piece, piece_worker *worker,
                           sinew_error *error);
void piece_join(piece_target *target, piece_worker *worker);
/* What stands in the file beside the tracks: their times. Errors: IO. */
sinew_result piece_write_times(const piece_target *target, sinew_error *error);
/* Errors: IO. */
sinew_result piece_write(const piece_target *target, uint64_t piece, piece_worker *worker,
                         sinew_error *error);

#endif
