/* Random bodies for bones to muscles, and turns of their bones. Built with + - * / and square roots alone, so
 * that they are the same on every machine. */
#ifndef TESTS_KERNELS_MADE_INVERSE_H
#define TESTS_KERNELS_MADE_INVERSE_H

#include "check.h"
#include "reference_inverse.h"

enum { INVERSE_BONES = 23 };

typedef struct made_inverse {
  ref_inverse_bone ref[INVERSE_BONES];
  ref_inverse_body body;
  sinew_inverse_bone bones[INVERSE_BONES];
  sinew_inverse_rig rig;
} made_inverse;

/* Limbs bend about axes up to some 30 degrees away from their bones' own; some axes have no muscle, some
 * bones nodes in between. Arms hang from a shoulder or from the hips. */
void made_inverse_make(dice *d, bool exact, made_inverse *m);
/* turns [INVERSE_BONES][4][64]: twist and swing have tangents of half angles up to `reach`; those about a
 * hinge that do not belong there up to a tenth of it. INFINITY: any rotation. */
void made_inverse_turns(dice *d, const made_inverse *m, double reach, float *turns);

#endif
