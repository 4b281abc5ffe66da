/* A compiled rig as the double-precision reference of bones to muscles reads it: bones by the muscle rig's
 * slots. */
#ifndef TESTS_SUPPORT_INVERSE_BODY_H
#define TESTS_SUPPORT_INVERSE_BODY_H

#include "kernels/reference_inverse.h"
#include "retarget/muscle_rig.h"

typedef struct inverse_body {
  ref_inverse_bone bones[HUMAN_BONE_COUNT];
  ref_inverse_body body; /* points to them: not to be copied */
} inverse_body;

void inverse_body_of(const sinew_rig *rig, const muscle_rig *muscles, bool exact, inverse_body *out);

#endif
