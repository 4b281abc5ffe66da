/* Loading a block: what its files share. */
#ifndef SINEW_MOTION_BLOCK_PARTS_H
#define SINEW_MOTION_BLOCK_PARTS_H

#include "motion/motion_block.h"

typedef struct block_out {
  float *scratch, *local, *places;
} block_out;

size_t block_rows_scratch(const motion_plan *plan);
size_t block_tracks_scratch(const motion_plan *plan);
/* The rows themselves: 1..64 of them. */
void block_load_own_rows(const motion_plan *plan, uint64_t first_row, uint32_t frames, const block_out *out);
void block_load_rows(const motion_plan *plan, const double *time_s, const block_out *out);
void block_load_tracks(const motion_plan *plan, const double *time_s, const block_out *out);

static inline float *block_plane(float *planes, size_t plane) {
  return planes + plane * SINEW_BLOCK;
}

#endif
