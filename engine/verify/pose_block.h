/* A run of frames on its way from keys to positions. Frames lie side by side, so that the same arithmetic
 * runs over POSE_LANES of them at once; arithmetic never crosses frames. */
#ifndef SINEW_VERIFY_POSE_BLOCK_H
#define SINEW_VERIFY_POSE_BLOCK_H

#include "verify/glb_document.h"

enum { POSE_LANES = 8 };

typedef struct lane_affine {
  double m[3][4][POSE_LANES];
} lane_affine;

typedef struct pose_block {
  arena memory;
  uint32_t capacity;    /* frames, a multiple of POSE_LANES */
  float *times;         /* of the block's frames */
  unsigned char *piece; /* one channel's keys as they lie in the file */
  double *values;       /* [channel][component, of 4][frame] */
  lane_affine *world;   /* [node], of POSE_LANES frames */
  bool *wanted;         /* [node]: asked for, or above one that is */
} pose_block;

/* A channel's component over the block's frames. */
static inline double *block_values(const pose_block *block, uint32_t channel, uint32_t component) {
  return block->values + ((size_t)channel * 4 + component) * block->capacity;
}

/* Marks nodes and all above them: wanted[node]. Errors: VERIFY (one is missing or not in the scene). */
sinew_result mark_wanted(const verify_file *file, const uint32_t *nodes, uint32_t node_count, bool *wanted,
                         sinew_error *error);
/* Errors: VERIFY (the file is animated and has no such frames). */
sinew_result check_frames(const verify_file *file, uint64_t first, uint32_t count, sinew_error *error);

/* The model matrices of nodes at one frame: matrices[i] of nodes[i]. Errors: VERIFY, IO, MEMORY. */
sinew_result pose_matrices(const verify_file *file, const uint32_t *nodes, uint32_t node_count,
                           uint64_t frame, double (*matrices)[3][4], sinew_error *error);

#endif
