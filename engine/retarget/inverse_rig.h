/* From a compiled rig to the constants of the kernels that turn bones into muscles (inverse, goals), computed
 * in double and rounded.
 *
 * A bone that the rig lacks gives no muscle, nor does an axis whose limits are both 0. What the rig's limits
 * are is what a muscle of 1 means. The root needs no constants of its own: the held pose is the muscle rig's
 * (kernels muscle, fk over fk_body, body), the kernel `root` reads the muscle rig's body. */
#ifndef SINEW_RETARGET_INVERSE_RIG_H
#define SINEW_RETARGET_INVERSE_RIG_H

#include "kernels.h"
#include "retarget/muscle_rig.h"

typedef enum inverse_limbs {
  INVERSE_EDITOR, /* as the reference editor bends arms and legs: ends land to 1e-3 of the limb */
  INVERSE_EXACT   /* hands and feet land to rounding */
} inverse_limbs;

typedef struct inverse_rig {
  arena memory;
  sinew_inverse_rig inverse; /* slots are those of the muscle rig it was built with */
  sinew_goal_rig goals;
} inverse_rig;

/* On an error, MEMORY, `out` is empty. Neither the rig nor the muscle rig is kept. */
sinew_result inverse_rig_build(const sinew_rig *rig, const muscle_rig *muscles, inverse_limbs limbs,
                               inverse_rig *out, sinew_error *error);
void inverse_rig_release(inverse_rig *r);

#endif
