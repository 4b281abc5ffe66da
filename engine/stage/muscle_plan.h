/* The part of a plan that is a clip of muscles on a rig. */
#ifndef SINEW_STAGE_MUSCLE_PLAN_H
#define SINEW_STAGE_MUSCLE_PLAN_H

#include "stage/bake_plan.h"

/* Fills in what follows from the plan's clip and rig. Errors: MEMORY. */
sinew_result muscle_plan_build(bake_plan *plan, sinew_error *error);

#endif
