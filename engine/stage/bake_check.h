/* The finished file against freshly computed poses, before anybody can see it. */
#ifndef SINEW_STAGE_BAKE_CHECK_H
#define SINEW_STAGE_BAKE_CHECK_H

#include "stage/context.h"
#include "stage/bake_plan.h"

/* Reads the file behind fd back and compares the joints of every human bone at every frame, and every other
 * node and each corner of the boxes at the first and the last frame. Fills the report's verified, worst_*,
 * allowed_m. Errors: VERIFY (names joint, frame, distance), IO, MEMORY, CANCELLED. */
sinew_result bake_check(const sinew_context *context, const bake_plan *plan,
                        const sinew_bake_options *options, int fd, sinew_bake_report *report,
                        sinew_error *error);

#endif
