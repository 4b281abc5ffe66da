/* The part of a plan that is muscles: on a rig, or by themselves. */
#ifndef SINEW_STAGE_MUSCLE_PLAN_H
#define SINEW_STAGE_MUSCLE_PLAN_H

#include "stage/bake_plan.h"

/* Fills in what follows from the plan's clip, its source of muscles and, where there is one, its rig. Errors:
 * MEMORY. */
sinew_result muscle_plan_build(bake_plan *plan, sinew_error *error);

/* Which planes are written, once all that they come from is known. */
void muscle_plan_list_present(bake_plan *plan);

#endif
