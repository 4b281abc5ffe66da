/* The least arithmetic that the kernels' formulas need on a rig: the floor under their times. What counts is what goes
 * to a CPU's multiply-add ports: multiplications, fused multiply-adds, comparisons, one each; not loads and stores, not
 * plain additions and changes of sign bits, for which CPUs have ports of their own, not the division and the square
 * root, which have a unit of their own. */
#ifndef SINEW_MEASURE_OPERATIONS_H
#define SINEW_MEASURE_OPERATIONS_H

#include "kernels.h"

/* Float operations a frame. */
double operations_of_muscle(const sinew_muscle_rig *rig);
double operations_of_fk(const sinew_fk_rig *rig);

#endif
