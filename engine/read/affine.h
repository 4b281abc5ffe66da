/* Affine maps of files, as the rows of a matrix: their parts, their inverses. */
#ifndef SINEW_READ_AFFINE_H
#define SINEW_READ_AFFINE_H

#include <stdbool.h>

typedef struct matrix_parts {
  double t[3], q[4], s[3];
  double shear;   /* the largest cosine between two of its axes: 0 where they stand at right angles */
  bool flattened; /* an axis has no length */
} matrix_parts;
void matrix_decompose(double m[3][4], matrix_parts *parts);
/* false where there is no inverse to compute with. */
bool matrix_invert(double m[3][4], double inverse[3][4]);

#endif
