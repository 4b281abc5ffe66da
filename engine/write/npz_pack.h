/* Planes of a block of frames to rows of an .npz: from Unity's frame to glTF's, each frame's joints side by
 * side. The rows are the caller's, of up to 64 frames. */
#ifndef SINEW_WRITE_NPZ_PACK_H
#define SINEW_WRITE_NPZ_PACK_H

#include "kernels.h"
#include "write/npz_layout.h"

/* Every joint's rest in every row: once for each buffer, since nodes without a plane are left alone below.
 * rows: [frames][J][npz_turn_floats], and [frames][J][3]. */
void npz_fill_rotations(const npz_plan *plan, uint32_t frames, float *rows);
void npz_fill_local_positions(const npz_plan *plan, uint32_t frames, float *rows);

/* local: [slot][4][64]. slot_of_node: [J], -1: the rest stays. flips: [slot] the frames to be negated, bit 0
 * the first; NULL: none. Of three components the sign is that of w >= 0, whatever flips says. */
void npz_pack_rotations(const sinew_kernels *k, const npz_plan *plan, const float *local,
                        const int32_t *slot_of_node, const uint64_t *flips, uint32_t frames, float *rows);

/* Places of joints: planes of node i are x, y, z at planes + plane_of_node[i] * 64 floats, one behind the
 * other; -1: left alone. rows: [frames][J][3]. */
void npz_pack_positions(const sinew_kernels *k, const npz_plan *plan, const float *planes,
                        const int32_t *plane_of_node, uint32_t frames, float *rows);

/* One joint's place: planes [3][64] to rows [frames][3]. */
void npz_pack_root(const sinew_kernels *k, const float *planes, uint32_t frames, float *rows);

/* Planes as they are, in any frame: [count][64] to rows [frames][stride], the first count floats of each. */
void npz_pack_planes(const float *planes, uint32_t count, uint32_t frames, float *rows, size_t stride);

#endif
