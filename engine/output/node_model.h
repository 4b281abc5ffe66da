/* Where every node of an output stands in model space, frame by frame: of its turns and places, scales above
 * folded in. */
#ifndef SINEW_OUTPUT_NODE_MODEL_H
#define SINEW_OUTPUT_NODE_MODEL_H

#include "stage/pose_block.h"

typedef struct node_model {
  const bake_output *output;
  sinew_fk_rig fk;    /* joint i is node i */
  float *place_scale; /* [place_count] of the nodes above */
  bool is_exact; /* no scale changes over time, or is another along one axis than along another, above a node
                  */
} node_model;

/* In `memory`. Errors: MEMORY. */
sinew_result node_model_build(const bake_output *output, arena *memory, node_model *model,
                              sinew_error *error);

/* Scratch of one thread, in floats: tracks, places and the model; aligned to 64 bytes. */
size_t node_model_floats(const node_model *model);
/* Returns model [node][7][64], which is in the scratch. */
const float *node_model_block(const node_model *model, const sinew_kernels *k, const pose_block *pose,
                              float *scratch);

#endif
