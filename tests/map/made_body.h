/* Skeletons made from lists of names: each joint at a place of a standing body, or at one of its own. */
#ifndef TESTS_MAP_MADE_BODY_H
#define TESTS_MAP_MADE_BODY_H

#include "map/map.h"

/* '#' in name, parent and bone stands for the side: such a row makes two joints. */
typedef struct made_joint {
  const char *name;
  const char *parent; /* NULL: a root */
  const char *place;  /* of made_places, or "+x y z", metres from the parent */
  const char *bone;   /* what it must be mapped to; NULL: to nothing */
} made_joint;

typedef struct made_side {
  const char *left, *right;
} made_side;

/* joints end with a NULL name. Everything lives until the process ends. The body stands Y up, faces +Z, has
 * its left at +X; rests are without rotation. */
skeleton *made_body(const made_joint *joints, made_side side, const char *kind);
/* The nodes that the rows expect, by bone. */
void made_expect(const made_joint *joints, made_side side, const skeleton *s, int32_t *node_of_bone);
/* Maps it and compares every bone; label for messages. The map is the caller's. */
human_map made_check(const made_joint *joints, made_side side, const skeleton *s, const char *label);

#endif
