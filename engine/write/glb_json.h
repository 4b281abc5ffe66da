/* The JSON chunk of a baked clip. */
#ifndef SINEW_WRITE_GLB_JSON_H
#define SINEW_WRITE_GLB_JSON_H

#include "write/glb.h"
#include "write/json_out.h"

/* A node's rest in glTF's frame: x is mirrored, so rotations about y and z turn the other way. */
static inline void glb_node_place(const rig_node *node, double t[3], double q[4]) {
  for (int i = 0; i < 3; i++) t[i] = i == 0 ? -node->t[i] : node->t[i];
  for (int i = 0; i < 4; i++) q[i] = i == 1 || i == 2 ? -node->q[i] : node->q[i];
}

/* The layout's offsets count from the start of the BIN chunk here. Nothing in the text changes from run to
 * run. Errors: MEMORY. */
sinew_result glb_json_write(const glb_plan *plan, const glb_layout *layout, uint64_t bin_byte_count,
                            json_out *out, sinew_error *error);

#endif
