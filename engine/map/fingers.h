/* Which joints of a hand are which finger's bones: the rules of map.h. */
#ifndef SINEW_MAP_FINGERS_H
#define SINEW_MAP_FINGERS_H

#include "map/node_tree.h"

enum { FINGER_KINDS = 5, FINGER_JOINTS = 8 }; /* thumb, index, middle, ring, little */

typedef struct finger {
  int32_t joint[FINGER_JOINTS]; /* from the wrist outwards */
  uint32_t count;
  bool metacarpal; /* a name says that the first is one */
} finger;

/* The place in the chain of the proximal bone. */
uint32_t finger_first(const node_tree *tree, int32_t hand, const finger *chain, bool thumb);
/* Writes up to three bones, the first of which is `proximal`. */
void finger_take(const node_tree *tree, int32_t hand, const finger *chain, bool thumb, int proximal,
                 int32_t *node_of_bone);
/* Of both hands of the map, where they are mapped and their fingers are not. */
void fingers_by_structure(const node_tree *tree, const double (*place)[3], int32_t *node_of_bone);

#endif
