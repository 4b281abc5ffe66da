/* A skeleton's nodes as a tree with lengths, as the search for human bones walks it. */
#ifndef SINEW_MAP_NODE_TREE_H
#define SINEW_MAP_NODE_TREE_H

#include "map/node_places.h"

typedef struct node_tree {
  const skeleton *skeleton;
  uint32_t count;
  int32_t *first_child, *next_sibling; /* -1: none; children in the order of their index */
  uint32_t *depth;
  bool *bone;       /* may be a human bone: moves a skin, or something below it does. Of a file without skins
                       every node, of a BVH every joint */
  uint32_t *weight; /* such nodes in the subtree, itself among them */
  double *length;   /* to the parent, 0 of a root */
  double *reach;    /* the longest way down, ends included */
  double (*place)[3]; /* the pose that lengths are taken from: the rest, or the first frame where the rest is
                         a point */
  double size;        /* the longest reach; 0: every node is in one place */
  double near;        /* nodes nearer than this coincide */
} node_tree;

/* False when out of memory. */
bool node_tree_open(const node_places *places, arena *memory, node_tree *tree);
/* Whether `above` is above node, and not node itself. */
bool node_is_above(const node_tree *tree, int32_t above, int32_t node);
/* The deepest node at or above both, -1: none. */
int32_t node_common(const node_tree *tree, int32_t a, int32_t b);
/* The child that leads on: of those that may be bones the one with most below it, by length and by number.
 * -1: none. */
int32_t node_main_child(const node_tree *tree, int32_t node);
/* The end of the longest way down. */
int32_t node_far_end(const node_tree *tree, int32_t node);
double node_distance(const double a[3], const double b[3]);

#endif
