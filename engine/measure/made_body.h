/* A body to measure on that needs no file: the 55 bones of an adult in T-pose, 1.7 m tall, with default
 * limits. */
#ifndef SINEW_MEASURE_MADE_BODY_H
#define SINEW_MEASURE_MADE_BODY_H

#include "rig/rig.h"

typedef enum made_body_bones {
  MADE_BODY_ALL,  /* 55 */
  MADE_BODY_LIMBS /* 22: no fingers, eyes or jaw, as the body models of research have them */
} made_body_bones;

/* The caller closes the rig. Errors: MEMORY. */
sinew_result made_body(made_body_bones bones, sinew_rig **rig, sinew_error *error);

#endif
