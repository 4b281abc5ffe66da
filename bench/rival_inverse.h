/* Bones to muscles by the rule word for word: every angle for itself, rotations made of angles again, one
 * frame after the other, double precision and the C library's functions; built with -O3 -march=native. */
#ifndef BENCH_RIVAL_INVERSE_H
#define BENCH_RIVAL_INVERSE_H

#include "kernels/reference_inverse.h"

/* turns [frames][body->bone_count][4] -> planes [frames][SINEW_PLANE_COUNT]: the muscles' are written. */
void rival_inverse(const ref_inverse_body *body, const double (*turns)[4], size_t frames, double *planes);

#endif
