/* A YAML document as a tree, by libyaml: the oracle's side, with nothing of the engine in it. Nodes live
 * until the process ends; a broken document aborts the test. */
#ifndef TESTS_RIG_YAML_TREE_H
#define TESTS_RIG_YAML_TREE_H

#include <stddef.h>

typedef struct yaml_tree yaml_tree;
struct yaml_tree {
  const char *text; /* a scalar's */
  yaml_tree **keys; /* a map's, beside items; NULL in a sequence */
  yaml_tree **items;
  size_t count;
};

yaml_tree *yaml_tree_parse(const char *text, size_t length);
/* A map's value, or NULL. */
yaml_tree *yaml_find(const yaml_tree *map, const char *key);
/* The value along keys separated by '/', which must exist. */
yaml_tree *yaml_at(const yaml_tree *map, const char *path);
double yaml_number(const yaml_tree *scalar);
/* {x:, y:, z:[, w:]} into count doubles. */
void yaml_vector(const yaml_tree *map, double *values, int count);
/* A list of integers, or one hex string of little-endian words; returns how many (at most limit). */
size_t yaml_integers(const yaml_tree *node, int *values, size_t limit);

#endif
