/* Where a bone's box begins and ends in the rest pose, and how wide and deep it is. */
#ifndef SINEW_WRITE_BOX_SHAPE_H
#define SINEW_WRITE_BOX_SHAPE_H

#include "rig/rig.h"

typedef struct box_shape {
  double start_m[3];
  double axis[3]; /* unit vectors, right-handed: axis along the bone, width, depth */
  double width_axis[3];
  double depth_axis[3];
  double length_m; /* above 0, as width and depth */
  double width_m;
  double depth_m;
} box_shape;

/* Where each node is in the rest pose, glTF's frame, metres. */
typedef const double (*rest_places)[3];

/* false where the bone is absent or carries no box. */
bool box_shape_of(const sinew_rig *rig, rest_places places, int bone, box_shape *shape);

#endif
