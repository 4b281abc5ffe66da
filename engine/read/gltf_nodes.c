/* Nodes: who hangs below whom, and how each rests. */
#include "base/error.h"
#include "read/gltf_document.h"
#include "rig/quat.h"

#include <math.h>

static const double unit_tolerance = 0.00769; /* the format's validator's */
static const double shear_tolerance = 1e-4;

typedef struct node_list {
  doc_place place;
  uint32_t count;
  int32_t *parent; /* by the file's index, -1: none */
  uint32_t *depth; /* from 1; 0: no place in the skeleton yet */
  int32_t *chain;
  uint32_t bent, sheared, flattened; /* how many, for one warning each */
} node_list;

/* ---- hierarchy ---------------------------------------------------------------------------------------- */

static sinew_result read_children(const gltf_document *d, const node_list *nodes, uint32_t index) {
  const doc_place node = doc_at_index(&nodes->place, index);
  doc_place list;
  uint32_t count, child;
  SINEW_TRY(doc_object(d, &node));
  SINEW_TRY(doc_list(d, &node, "children", UINT32_MAX, &list, &count));
  for (uint32_t i = 0; i < count; i++) {
    const doc_place place = doc_at_index(&list, i);
    SINEW_TRY(doc_own_index(d, &place, nodes->count, "nodes", &child));
    if (nodes->parent[child] >= 0)
      return doc_fail(d, SINEW_ERROR_SYNTAX, &place, "is node %u, which is a child of node %d already", child,
                      nodes->parent[child]);
    if (child == index) return doc_fail(d, SINEW_ERROR_SYNTAX, &place, "is the node itself");
    nodes->parent[child] = (int32_t)index;
  }
  return SINEW_OK;
}

/* Gives a node its place, behind those above it: the file's order wherever that has parents first. */
static sinew_result place_node(const gltf_document *d, node_list *nodes, uint32_t index, uint32_t *placed) {
  uint32_t length = 0;
  for (int32_t at = (int32_t)index; at >= 0 && !nodes->depth[at]; at = nodes->parent[at]) {
    if (length == nodes->count) {
      const doc_place node = doc_at_index(&nodes->place, index);
      return doc_fail(d, SINEW_ERROR_SYNTAX, &node, "hangs in a circle: no root stands above it");
    }
    nodes->chain[length++] = at;
  }
  while (length) {
    const int32_t at = nodes->chain[--length], parent = nodes->parent[at];
    skeleton_node *node = &d->file->skeleton->nodes[*placed];
    nodes->depth[at] = parent < 0 ? 1 : nodes->depth[parent] + 1;
    if (nodes->depth[at] > d->source->limits.depth) {
      const doc_place place = doc_at_index(&nodes->place, (size_t)at);
      return doc_fail(d, SINEW_ERROR_LIMIT, &place, "hangs %u nodes deep, the limit is %u", nodes->depth[at],
                      d->source->limits.depth);
    }
    node->source_index = (uint32_t)at;
    node->parent = parent < 0 ? -1 : (int32_t)d->node_of_source[parent];
    d->node_of_source[at] = (*placed)++;
  }
  return SINEW_OK;
}

/* ---- rest --------------------------------------------------------------------------------------------- */

static sinew_result take_matrix(const gltf_document *d, const doc_place *place, node_list *nodes,
                                const double columns[16], skeleton_node *node) {
  static const double last_row[4] = {0, 0, 0, 1};
  double m[3][4];
  for (int c = 0; c < 4; c++) {
    for (int r = 0; r < 3; r++) m[r][c] = columns[c * 4 + r];
    if (columns[c * 4 + 3] != last_row[c])
      return doc_fail(d, SINEW_ERROR_SYNTAX, place, "its last row is not 0 0 0 1");
  }
  matrix_parts parts;
  matrix_decompose(m, &parts);
  for (int k = 0; k < 3; k++) node->t[k] = parts.t[k], node->s[k] = parts.s[k];
  for (int k = 0; k < 4; k++) node->q[k] = parts.q[k];
  nodes->flattened += parts.flattened;
  if (parts.shear > shear_tolerance && !nodes->sheared++)
    DOC_WARN(d, "%s is sheared by up to %.2g: its rotation and scale are taken without it", place->path,
             parts.shear);
  return SINEW_OK;
}

static sinew_result take_rotation(const gltf_document *d, const doc_place *node_place, node_list *nodes,
                                  skeleton_node *node) {
  bool present;
  SINEW_TRY(doc_numbers(d, node_place, "rotation", 4, node->q, &present));
  if (!present) return SINEW_OK;
  const doc_place place = doc_at_key(node_place, "rotation");
  const double length = quat_normalise(node->q);
  if (length == 0) return doc_fail(d, SINEW_ERROR_SYNTAX, &place, "is 0 0 0 0, which turns nowhere");
  if (fabs(length - 1) > unit_tolerance && !nodes->bent++)
    DOC_WARN(d, "%s has length %.4g: it is made 1", place.path, length);
  return SINEW_OK;
}

static sinew_result read_rest(const gltf_document *d, node_list *nodes, skeleton_node *node) {
  static const char *const parts[] = {"translation", "rotation", "scale"};
  const doc_place place = doc_at_index(&nodes->place, node->source_index);
  const doc_place matrix_place = doc_at_key(&place, "matrix");
  double columns[16];
  bool present;
  node->q[3] = node->s[0] = node->s[1] = node->s[2] = 1;
  SINEW_TRY(doc_name(d, &place, "name", &d->file->skeleton->memory, &node->name));
  SINEW_TRY(doc_numbers(d, &place, "matrix", 16, columns, &present));
  if (present) {
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      if (json_object_get(place.json, parts[i]))
        return doc_fail(d, SINEW_ERROR_SYNTAX, &place, "has a matrix and a %s, expected one or the other",
                        parts[i]);
    return take_matrix(d, &matrix_place, nodes, columns, node);
  }
  SINEW_TRY(doc_numbers(d, &place, "translation", 3, node->t, &present));
  SINEW_TRY(doc_numbers(d, &place, "scale", 3, node->s, &present));
  nodes->flattened += node->s[0] == 0 || node->s[1] == 0 || node->s[2] == 0;
  return take_rotation(d, &place, nodes, node);
}

static sinew_result warn_of_rest(const gltf_document *d, const node_list *nodes) {
  if (nodes->sheared > 1) DOC_WARN(d, "%u nodes in all are sheared", nodes->sheared);
  if (nodes->bent > 1) DOC_WARN(d, "%u rotations of nodes in all have a length that is not 1", nodes->bent);
  if (nodes->flattened)
    DOC_WARN(d, "%u node%s scaled to nothing along an axis", nodes->flattened,
             nodes->flattened == 1 ? " is" : "s are");
  return SINEW_OK;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static sinew_result alloc_nodes(gltf_document *d, node_list *nodes) {
  skeleton *made = d->file->skeleton;
  const uint32_t count = nodes->count;
  SINEW_TRY(doc_items(d, &made->memory, count, sizeof *made->nodes, &made->nodes));
  made->node_count = count;
  SINEW_TRY(doc_items(d, &d->scratch, count, sizeof *nodes->parent, &nodes->parent));
  SINEW_TRY(doc_items(d, &d->scratch, count, sizeof *nodes->depth, &nodes->depth));
  SINEW_TRY(doc_items(d, &d->scratch, count, sizeof *nodes->chain, &nodes->chain));
  SINEW_TRY(doc_items(d, &d->scratch, count, sizeof *d->node_of_source, &d->node_of_source));
  for (uint32_t i = 0; i < count; i++) nodes->parent[i] = -1;
  return SINEW_OK;
}

sinew_result doc_read_nodes(gltf_document *d) {
  node_list nodes = {0};
  SINEW_TRY(doc_list(d, &d->root, "nodes", d->source->limits.nodes, &nodes.place, &nodes.count));
  if (!nodes.count) return doc_fail(d, SINEW_ERROR_UNSUPPORTED, &nodes.place, "there are none: no skeleton");
  SINEW_TRY(alloc_nodes(d, &nodes));
  for (uint32_t i = 0; i < nodes.count; i++) SINEW_TRY(read_children(d, &nodes, i));
  uint32_t placed = 0;
  for (uint32_t i = 0; i < nodes.count; i++) SINEW_TRY(place_node(d, &nodes, i, &placed));
  for (uint32_t i = 0; i < nodes.count; i++) SINEW_TRY(read_rest(d, &nodes, &d->file->skeleton->nodes[i]));
  return warn_of_rest(d, &nodes);
}
