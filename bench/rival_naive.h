/* The muscle kernel as a user would write it: one frame after the other, one bone after the other, the C
 * library's functions, arrays of structures; built with -O3 -march=native. */
#ifndef BENCH_RIVAL_NAIVE_H
#define BENCH_RIVAL_NAIVE_H

#include "rival_rig.h"

/* muscles [frames][95] -> local [frames][bones]. */
void rival_naive(const rival_rig *rig, const float *muscles, size_t frames, rival_quat *local);

#endif
