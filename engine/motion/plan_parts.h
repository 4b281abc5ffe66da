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
  arena scratch;
  sinew_error *error;
} plan_building;

/* Both are called once the slots hold their rest. */
sinew_result plan_build_rows(plan_building *b);
sinew_result plan_build_tracks(plan_building *b);

/* Gives the slots with has_place their places, which hold their rest. */
sinew_result plan_build_places(plan_building *b, const bool *has_place);
sinew_result plan_out_of_memory(const plan_building *b);

/* A coordinate of the file in Unity's frame, in metres. */
static inline float plan_coordinate_m(const motion_plan *plan, int axis, double value) {
  const double metres = value * plan->unit_m;
  return (float)(axis == 0 ? -metres : metres);
}

#endif
