#include "map/node_tree.h"

#include <math.h>
#include <string.h>

static const double coincident = 1e-4; /* of the size: nearer joints are one */

static bool allocate(uint32_t count, arena *memory, node_tree *tree) {
  tree->first_child = arena_alloc(memory, count, sizeof *tree->first_child);
  tree->next_sibling = arena_alloc(memory, count, sizeof *tree->next_sibling);
  tree->depth = arena_alloc(memory, count, sizeof *tree->depth);
  tree->bone = arena_alloc(memory, count, sizeof *tree->bone);
  tree->weight = arena_alloc(memory, count, sizeof *tree->weight);
  tree->length = arena_alloc(memory, count, sizeof *tree->length);
  tree->reach = arena_alloc(memory, count, sizeof *tree->reach);
  tree->place = arena_alloc(memory, count, sizeof *tree->place);
  return tree->first_child && tree->next_sibling && tree->depth && tree->bone && tree->weight &&
         tree->length && tree->reach && tree->place;
}

static void link_nodes(node_tree *tree) {
  const skeleton_node *nodes = tree->skeleton->nodes;
  for (uint32_t i = 0; i < tree->count; i++) tree->first_child[i] = tree->next_sibling[i] = -1;
  for (int64_t i = (int64_t)tree->count - 1; i >= 0; i--) {
    const int32_t parent = nodes[i].parent;
    if (parent < 0) continue;
    tree->next_sibling[i] = tree->first_child[parent];
    tree->first_child[parent] = (int32_t)i;
  }
  for (uint32_t i = 0; i < tree->count; i++)
    tree->depth[i] = nodes[i].parent < 0 ? 0 : tree->depth[nodes[i].parent] + 1;
}

static void mark_bones(node_tree *tree) {
  const skeleton_node *nodes = tree->skeleton->nodes;
  bool skinned = strcmp(tree->skeleton->kind, "bvh") == 0;
  for (uint32_t i = 0; i < tree->count; i++) skinned |= nodes[i].has_bind;
  for (int64_t i = (int64_t)tree->count - 1; i >= 0; i--) {
    tree->bone[i] = tree->bone[i] || !skinned || nodes[i].is_joint;
    tree->weight[i] += tree->bone[i];
    if (nodes[i].parent < 0) continue;
    tree->bone[nodes[i].parent] |= tree->bone[i];
    tree->weight[nodes[i].parent] += tree->weight[i];
  }
}

static void measure(node_tree *tree) {
  const skeleton_node *nodes = tree->skeleton->nodes;
  tree->size = 0;
  for (int64_t i = (int64_t)tree->count - 1; i >= 0; i--) {
    const int32_t parent = nodes[i].parent;
    tree->length[i] = parent < 0 ? 0 : node_distance(tree->place[i], tree->place[parent]);
    if (parent >= 0 && tree->reach[i] + tree->length[i] > tree->reach[parent])
      tree->reach[parent] = tree->reach[i] + tree->length[i];
    if (tree->reach[i] > tree->size) tree->size = tree->reach[i];
  }
  tree->near = tree->size * coincident;
}

bool node_tree_open(const node_places *places, arena *memory, node_tree *tree) {
  bool frame;
  *tree = (node_tree){.skeleton = places->skeleton, .count = places->skeleton->node_count};
  if (!allocate(tree->count, memory, tree)) return false;
  link_nodes(tree);
  mark_bones(tree);
  for (uint32_t pose = 0; pose < places->count && !(tree->size > 0); pose++)
    if (node_places_at(places, pose, tree->place, &frame)) measure(tree);
  return true;
}

bool node_is_above(const node_tree *tree, int32_t above, int32_t node) {
  for (int32_t n = tree->skeleton->nodes[node].parent; n >= above; n = tree->skeleton->nodes[n].parent)
    if (n == above) return above >= 0;
  return false;
}

int32_t node_common(const node_tree *tree, int32_t a, int32_t b) {
  while (a != b && a >= 0 && b >= 0) {
    if (a > b)
      a = tree->skeleton->nodes[a].parent;
    else
      b = tree->skeleton->nodes[b].parent;
  }
  return a == b ? a : -1;
}

int32_t node_main_child(const node_tree *tree, int32_t node) {
  int32_t best = -1;
  double most = -1;
  for (int32_t c = tree->first_child[node]; c >= 0; c = tree->next_sibling[c]) {
    const double below = (tree->length[c] + tree->reach[c]) * (1.0 + tree->weight[c]);
    if (!tree->bone[c] || !(below > most)) continue;
    best = c;
    most = below;
  }
  return best;
}

int32_t node_far_end(const node_tree *tree, int32_t node) {
  for (;;) {
    int32_t far = -1;
    for (int32_t c = tree->first_child[node]; c >= 0; c = tree->next_sibling[c])
      if (far < 0 || tree->length[c] + tree->reach[c] > tree->length[far] + tree->reach[far]) far = c;
    if (far < 0) return node;
    node = far;
  }
}

double node_distance(const double a[3], const double b[3]) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return sqrt(x * x + y * y + z * z);
}
