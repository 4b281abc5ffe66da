/* The human bones by the nodes' names. */
#ifndef SINEW_MAP_NAMES_H
#define SINEW_MAP_NAMES_H

#include "map/hierarchy_check.h"
#include "map/name_words.h"
#include "map/structure.h"

typedef struct names_map {
  const char *scheme; /* that maps the most; NULL: none maps any */
  int32_t node_of_bone[HUMAN_BONE_COUNT];
  uint32_t required;  /* how many of those are mapped */
  bool hips_inferred; /* named hips do not have the legs below them: what has both is taken */
  map_fault fault;    /* the first of a required bone that the hierarchy does not bear out; node -1: none */
  const name_words *words; /* of every node */
} names_map;

/* What the hierarchy bears out. False when out of memory. */
bool names_find(map_search *search, names_map *found);

#endif
