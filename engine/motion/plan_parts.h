/* Building a plan: what its files share. */
#ifndef SINEW_MOTION_PLAN_PARTS_H
#define SINEW_MOTION_PLAN_PARTS_H

#include "base/error.h"
#include "motion/motion_plan.h"

typedef struct plan_building {
  motion_plan *plan;
  const double (*rest_t)[3]; /* NULL: the skeleton's */
  int32_t *slot_of_node;     /* -1: not followed */
  int32_t *place_of_slot;    /* -1: none */
  int32_t *scale_of_slot;    /* the place of its scale, -1: none */
  arena scratch;
  sinew_error *error;
} plan_building;

/* Both are called once the slots hold their rest. */
sinew_result plan_build_rows(plan_building *b);
sinew_result plan_build_tracks(plan_building *b);

/* Gives the slots with has_place and has_scale (NULL: none) their places, which hold their rest. */
sinew_result plan_build_places(plan_building *b, const bool *has_place, const bool *has_scale);
sinew_result plan_out_of_memory(const plan_building *b);

/* A coordinate of the file in Unity's frame, in metres; of a scale the factor. */
static inline float plan_value(const motion_plan *plan, uint32_t place, int axis, double value) {
  const double own = plan->is_scale[place] ? value : value * plan->unit_m;
  return (float)(axis == 0 ? -own : own);
}

#endif
