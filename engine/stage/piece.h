/* A piece of a clip, up to 64 blocks of frames, computed by one worker. What a piece holds depends on nothing
 * but the clip: not on the worker, nor on which other pieces are done. */
#ifndef SINEW_STAGE_PIECE_H
#define SINEW_STAGE_PIECE_H

#include "stage/pose_block.h"
#include "stage/sign_chain.h"
#include "write/text_out.h"

/* 64 blocks: a rotation track's part of a piece is 64 KiB. Below that writing costs more, above it nothing is
 * gained. */
enum { PIECE_BLOCKS = 64 };

/* RootQ and the goals' four, among the planes of muscles. */
enum { PIECE_PLANE_QUATS = 5 };
static const uint16_t piece_plane_quat[PIECE_PLANE_QUATS] = {SINEW_PLANE_ROOT_Q, SINEW_PLANE_GOAL + 3,
                                                             SINEW_PLANE_GOAL + 10, SINEW_PLANE_GOAL + 17,
                                                             SINEW_PLANE_GOAL + 24};

/* What one worker owns: room for a piece of any clip of muscles; it grows for other plans that need more. */
typedef struct piece_worker {
  arena memory;
  pose_room room;
  pose_scratch scratch; /* its planes: what is written of muscles */
  pose_block pose;
  float *plane_quats;    /* [PIECE_PLANE_QUATS][4][64] copies of those */
  uint64_t *flips;       /* [slot], then PIECE_PLANE_QUATS */
  sign_chain *signs;     /* of the piece by itself; piece_chain_count */
  uint64_t *turned;      /* [piece_chain_count] quaternions in which the piece as a whole is negated */
  pose_findings found;   /* of the piece */
  unsigned char *packed; /* what goes to the file, as the format lays it out */
  size_t packed_bytes;
  text_out text;        /* of formats that are text */
  uint64_t text_offset; /* where it goes in the file */
  uint64_t begun;       /* the source whose constant values the scratch holds; 0: none */
} piece_worker;

/* Where pieces come from. */
typedef struct piece_source {
  const bake_plan *plan;
  uint64_t number;     /* not 0, another for each source that shares a worker */
  sign_chain *signs;   /* carried from piece to piece, in order; zeroed, piece_chain_count of them */
  pose_findings found; /* of all pieces joined */
} piece_source;

/* A zeroed worker is closed. Errors: MEMORY. */
sinew_result piece_worker_open(piece_worker *worker, sinew_error *error);
void piece_worker_close(piece_worker *worker);
/* At least so many bytes of `packed`, not zeroed. Errors: MEMORY. */
sinew_result piece_worker_fit(piece_worker *worker, size_t byte_count, sinew_error *error);

/* Chains of signs: of the slots, 64 each, then one of the planes. */
size_t piece_chain_count(const bake_plan *plan);

uint32_t piece_block_count(const bake_plan *plan); /* of every piece but the last */
uint64_t piece_count(const bake_plan *plan);
/* Pieces hold frames first..end-1. */
uint64_t piece_first_frame(const bake_plan *plan, uint64_t piece);
uint64_t piece_end_frame(const bake_plan *plan, uint64_t piece);

/* A block's pose to `packed`; block: within the piece. Errors end the piece. */
typedef sinew_result (*piece_pack_fn)(void *user, uint64_t piece, uint32_t block, piece_worker *worker,
                                      sinew_error *error);

/* Computes a piece, block by block, on one worker; different pieces side by side. flips are such that each
 * frame lies in the half-space of the one before it, from the piece's first frame on. Errors: POSE, MEMORY,
 * those of pack. */
sinew_result piece_compute(const piece_source *source, uint64_t piece, piece_worker *worker,
                           piece_pack_fn pack, void *user, sinew_error *error);
/* One after the other, in their order: sets worker->turned. */
void piece_join(piece_source *source, piece_worker *worker);

/* Whether the piece is to be negated in a slot's rotation, or in quaternion `index` of the planes. */
bool piece_slot_is_turned(const piece_worker *worker, uint32_t slot);
bool piece_plane_quat_is_turned(const bake_plan *plan, const piece_worker *worker, uint32_t index);

/* The same floats with the other sign. */
void piece_negate(void *floats, size_t count);

#endif
