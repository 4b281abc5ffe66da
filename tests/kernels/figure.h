/* A random figure: bones of every combination of axes and twist, its joints, and a block of muscles. Built
 * with
 * + - * / and square roots alone, so that it is the same on every machine. */
#ifndef TESTS_KERNELS_FIGURE_H
#define TESTS_KERNELS_FIGURE_H

#include "check.h"
#include "reference.h"

enum { FIGURE_BONES = 48, FIGURE_LIMBS = 16 };

typedef struct figure {
  ref_bone ref_bones[FIGURE_BONES];
  sinew_muscle_bone bones[FIGURE_BONES];
  sinew_muscle_rig muscle;
  ref_joint ref_joints[FIGURE_BONES];
  sinew_fk_joint joints[FIGURE_BONES];
  sinew_fk_rig fk;
  float weights[FIGURE_BONES];
  double hips_rest[4];
  sinew_body_rig body;
  ref_hips ref_hips;
  double height_m; /* no joint is farther from the root */
} figure;

void figure_make(figure *f, uint64_t seed);
/* planes[SINEW_PLANE_COUNT][64]: muscles within +-reach, goals and root likewise. */
void figure_planes(dice *d, double reach, float *planes);

#endif
