/* The human bones by structure alone: no name is looked at. */
#ifndef SINEW_MAP_STRUCTURE_H
#define SINEW_MAP_STRUCTURE_H

#include "map/map.h"
#include "map/sides.h"

typedef struct structure_map {
  bool found;
  bool four_legged; /* limbs were found, but no pose stands upright on two of them */
  int32_t node_of_bone[HUMAN_BONE_COUNT];
  body_sides sides;
} structure_map;

/* What all of the search shares. */
typedef struct map_search {
  const skeleton *skeleton;
  arena *memory; /* lives as long as the search */
  node_places places;
  node_tree tree;
  double (*place)[3]; /* scratch: a pose */
} map_search;

/* False when out of memory. */
bool structure_find(map_search *search, structure_map *found);
/* Trunk bones of `count` joints from the hips to the arms, by the rule of map.h. */
void trunk_by_rule(const int32_t *joints, uint32_t count, int32_t *node_of_bone);
int human_other_side(int left_bone); /* the right bone of a left one */

#endif
