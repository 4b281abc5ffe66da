/* A human's hierarchy: what does not keep to it is no map. */
#ifndef SINEW_MAP_HIERARCHY_CHECK_H
#define SINEW_MAP_HIERARCHY_CHECK_H

#include "map/node_tree.h"
#include "rig/human.h"

typedef struct map_fault {
  int bone; /* left out */
  int32_t node;
  int against; /* the bone that it is not below, or whose node it has */
} map_fault;

enum { MAP_FAULTS = HUMAN_BONE_COUNT };

/* Leaves out what contradicts, and tells: returns the number of faults. An optional bone yields to a required
 * one, else the lower to the upper. */
uint32_t map_leave_out_faults(const node_tree *tree, int32_t *node_of_bone, map_fault faults[MAP_FAULTS]);
uint32_t map_required_count(const int32_t *node_of_bone);

#endif
