/* An .npz of made-up frames, written piece by piece as a bake writes one. Every value is a small fraction
 * that float32 holds exactly, so that another program can say what must stand where: turn (f, j, k) = ((31 f
 * + 7 j + k) mod 2047 - 1023) / 1024, w >= 0 where three components are asked place (f, j, k) = ((17 f + 5 j
 * + 3 k) mod 4093) / 256 row (f, c) = ((13 f + c) mod 1021) / 64 */
#ifndef TESTS_WRITE_MADE_NPZ_H
#define TESTS_WRITE_MADE_NPZ_H

#include "write/npz_file.h"
#include "write/npz_pack.h"

enum { MADE_NPZ_JOINTS = 7 };

typedef struct made_npz {
  rig_node nodes[MADE_NPZ_JOINTS];
  npz_plan plan;
} made_npz;

/* The made one points into itself: it must stay where it is. */
void made_npz_open(made_npz *made, uint64_t frame_count);
/* Pieces of `blocks` blocks, the later ones first when `backwards`. Publishes under path. */
sinew_result made_npz_write(const made_npz *made, const char *path, uint32_t blocks, bool backwards,
                            sinew_error *error);

#endif
