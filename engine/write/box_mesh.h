/* A body to look at: a box per human bone but eyes and jaw (they lie inside the head's), from the bone to
 * where it ends, as one skinned mesh in the rig's rest pose. Each corner hangs on its box's bone alone.
 * glTF's frame, metres. */
#ifndef SINEW_WRITE_BOX_MESH_H
#define SINEW_WRITE_BOX_MESH_H

#include "rig/rig.h"

enum { BOX_VERTICES = 24, BOX_INDICES = 36 }; /* four corners a side: each side has its own normal */

/* As it lies in the file. */
typedef struct box_vertex {
  float place_m[3];
  float normal[3];
  uint8_t joint[4];  /* the box's, 0, 0, 0 */
  uint8_t weight[4]; /* 255, 0, 0, 0: normalised */
} box_vertex;

typedef struct box_mesh {
  arena memory;
  uint32_t box_count;        /* box i hangs on joint i of the skin and has vertices 24 i .. 24 i + 23 */
  uint32_t *nodes;           /* [box], of the rig */
  float (*inverse_bind)[16]; /* [box], column by column: from the rest pose's model space to the bone's */
  box_vertex *vertices;
  uint16_t *indices; /* counter-clockwise seen from outside */
  float least_m[3], most_m[3];
} box_mesh;

/* Errors: RIG (a bone's scale or place is beyond float32, names it), MEMORY. */
sinew_result box_mesh_build(const sinew_rig *rig, box_mesh *mesh, sinew_error *error);
void box_mesh_release(box_mesh *mesh); /* also of a zeroed one */

#endif
