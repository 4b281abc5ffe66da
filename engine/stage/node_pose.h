/* Every node of an output by plain double arithmetic over its own hierarchy: what finished
 * files are held against. Unity's frame, metres. */
#ifndef SINEW_STAGE_NODE_POSE_H
#define SINEW_STAGE_NODE_POSE_H

#include "stage/pose_block.h"

typedef struct node_pose { /* per node */
  double (*t)[3];
  double (*q)[4];
  double (*s)[3]; /* the product of the scales from the root down, axis by axis */
} node_pose;

bool node_pose_alloc(const bake_output *output, arena *memory, node_pose *pose);
void node_pose_rest(const bake_output *output, node_pose *out);
/* Frame f of the block; nodes without a slot or a place keep their rest. */
void node_pose_at(const bake_output *output, const pose_block *block, uint32_t f, node_pose *out);

/* true where one factor scales all axes, so that position and rotation alone place what hangs below. */
bool node_scale_is_uniform(const double s[3]);

#endif
