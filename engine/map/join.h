/* Names and structure joined: what both find, and which wins where they differ. */
#ifndef SINEW_MAP_JOIN_H
#define SINEW_MAP_JOIN_H

#include "map/names.h"

typedef struct map_making {
  map_search search;
  names_map names;
  structure_map structure;
  body_sides sides; /* of the map, where it is whole */
  bool has_sides;
  human_map *map;
  sinew_error *error;
} map_making;

/* Fills the map as far as names and structure go; it need not be whole then. Errors: MEMORY. */
sinew_result map_join(map_making *m);
/* A whole map's body stands on two legs, or it is refused: RIG. */
sinew_result map_check_upright(map_making *m);

/* Of these the other parts of the making are made. */
bool map_is_whole(const int32_t *node_of_bone);
void map_take(human_map *map, const int32_t *node_of_bone, int bone, map_source source);
/* Leaves out what contradicts the hierarchy and says so. False when out of memory. */
bool map_drop_faults(map_making *m);
const char *map_node_label(const map_making *m, int32_t node, char text[96]);
sinew_result map_no_memory(const map_making *m);

#endif
