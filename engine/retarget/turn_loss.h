/* By how much bones are turned otherwise than they should be: of every bone the mean and the largest angle,
 * and the frame at which that stands. */
#ifndef SINEW_RETARGET_TURN_LOSS_H
#define SINEW_RETARGET_TURN_LOSS_H

#include "kernels.h"
#include "rig/human.h"

typedef struct bone_loss {
  uint64_t frame_count; /* 0: nothing is known of this bone */
  uint64_t sum_nrad;    /* of the angles, each to the nearest 1e-9 rad; holds 5e9 frames of half turns */
  uint64_t most_frame;  /* the earliest one with the largest angle */
  float most_rad;
} bone_loss;

/* All 0: nothing yet. Sums are whole numbers, so that of blocks taken in any order and by any threads, each
 * frame once, the result has the same bits. */
typedef struct turn_loss {
  bone_loss bone[HUMAN_BONE_COUNT];
} turn_loss;

/* angles [64], radians from 0 to pi (kernel `apart`), of which the first `frames` count, 0..64; the first one
 * is of first_frame. */
void turn_loss_add(turn_loss *loss, int bone, const float *angles, uint64_t first_frame, uint32_t frames);
/* into += from. */
void turn_loss_merge(turn_loss *into, const turn_loss *from);
/* 0 where nothing is known. */
double turn_loss_mean_rad(const bone_loss *loss);

#endif
