/* Which way a body stands and faces, measured: the feet below the hips below the head, the left where the
 * left bones are. */
#ifndef SINEW_STANCE_ALIGN_H
#define SINEW_STANCE_ALIGN_H

#include "stance/turned_body.h"

typedef struct body_axes { /* orthonormal, right-handed: left x up = forward */
  double left[3], up[3], forward[3];
} body_axes;

/* Measures a body as it is placed. False where it has no such axes: all in one place or one line. */
bool body_measure(const turned_body *body, body_axes *axes);
/* The nearest axes that are those of the frame, with signs; the degrees in between. */
double axes_snap(const body_axes *measured, body_axes *snapped);
/* The rotation that turns these axes to X, Y and Z. */
void axes_align(const body_axes *axes, double align[4]);
/* Axes for an up axis alone: what stands along Y keeps its facing; what stands along Z faces -Y, as programs
 * with such a frame have it. */
void axes_of_up(const double up[3], body_axes *axes);

/* A lowest foot or toe joint along `up`, of those that are mapped. */
double lowest_foot(const turned_body *body, const double up[3]);

#endif
