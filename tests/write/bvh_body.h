/* Bodies that move at random, as BVH text and by the plainest arithmetic. */
#ifndef TESTS_WRITE_BVH_BODY_H
#define TESTS_WRITE_BVH_BODY_H

#include "rig/rig.h"
#include "write/bvh_plan.h"

typedef struct bvh_body {
  bvh_source source;
  double (*q)[SINEW_BLOCK][4]; /* [node] local, of each frame */
  double (*t)[SINEW_BLOCK][3];
  float *local; /* [slot][4][64] */
  float *places;
} bvh_body;

/* Every human bone of the rig turns, the hips move, and so does each node whose number is a multiple of
 * `moving` (0: none). Memory lives until the process ends. */
void bvh_body_of_rig(const sinew_rig *rig, bool tpose, uint32_t moving, unsigned seed, bvh_body *body);
/* Where the node stands at a frame, in the file's frame, times `unit`. */
void bvh_body_place(const bvh_body *body, uint32_t node, uint32_t frame, double unit, double place[3]);
/* The whole file of `frames` frames. */
void bvh_body_write(const bvh_body *body, const bvh_plan *plan, uint32_t frames, text_out *out);

#endif
