/* The muscle kernel with SLEEF's vector functions (3.5 units in the last place, the fast ones) in place of
 * tangents without trigonometry; else as the engine does it: planes, one loop per kind of bone. Compiled once
 * per instruction set. */
#ifndef BENCH_RIVAL_SLEEF_H
#define BENCH_RIVAL_SLEEF_H

#include "rival_rig.h"

typedef struct rival_sleef {
  const char *isa;
  /* planes [SINEW_PLANE_COUNT][64] -> local [bones][4][64].
   * matrices: pre, post and the received twist folded into constant matrices, as the engine folds them.
   * products: the formula's quaternion products one after the other. */
  void (*matrices)(const sinew_muscle_rig *rig, const float *planes, float *local);
  void (*products)(const rival_rig *rig, const float *planes, float *local);
} rival_sleef;

/* NULL where there is none of the name. */
const rival_sleef *rival_sleef_of(const char *isa);

#endif
