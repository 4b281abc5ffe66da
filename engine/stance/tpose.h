/* Turning limbs to where a T-pose has them. */
#ifndef SINEW_STANCE_TPOSE_H
#define SINEW_STANCE_TPOSE_H

#include "stance/turned_body.h"

/* Turns a body that stands upright and faces +Z in the body frame: stance.h says how far. */
void tpose_turn(turned_body *body);
/* Turns the whole body about the vertical so that it faces +Z, its limbs as they are. */
void tpose_face(turned_body *body);

#endif
