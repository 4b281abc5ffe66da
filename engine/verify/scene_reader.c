/* Nodes: rest transforms, and a hierarchy in which each node has one parent and is reached once. */
#include "base/error.h"
#include "verify/glb_document.h"
#include "verify/json_field.h"

#include <math.h>
#include <string.h>

/* ---- one node ----------------------------------------------------------------------------------------- */

static sinew_result read_matrix(json_place place, document_node *node, sinew_error *error) {
  double m[16]; /* column by column */
  SINEW_TRY(field_numbers(place, "matrix", 16, m, &node->has_matrix, error));
  if (!node->has_matrix) return SINEW_OK;
  SINEW_CHECK(m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 1, error, SINEW_ERROR_VERIFY,
              "node %zu: the matrix' last row is not 0 0 0 1", place.index);
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++) node->matrix[row][column] = m[column * 4 + row];
  return SINEW_OK;
}

/* False where it turns nowhere. */
static bool make_unit(double q[4]) {
  const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > 0) || !isfinite(length)) return false;
  for (int i = 0; i < 4; i++) q[i] /= length;
  return true;
}

static sinew_result read_parts(const verify_file *file, json_place place, document_node *node,
                               sinew_error *error) {
  node->rest[KEYS_ROTATION][3] = 1;
  for (int i = 0; i < 3; i++) node->rest[KEYS_SCALE][i] = 1;
  bool has_t, has_q, has_s;
  SINEW_TRY(field_numbers(place, "translation", 3, node->rest[KEYS_TRANSLATION], &has_t, error));
  SINEW_TRY(field_numbers(place, "rotation", 4, node->rest[KEYS_ROTATION], &has_q, error));
  SINEW_TRY(field_numbers(place, "scale", 3, node->rest[KEYS_SCALE], &has_s, error));
  SINEW_CHECK(!node->has_matrix || !(has_t || has_q || has_s), error, SINEW_ERROR_VERIFY,
              "node %zu has a matrix and parts as well", place.index);
  double *rotation = node->rest[KEYS_ROTATION];
  SINEW_CHECK(file->is_model ? make_unit(rotation) : rotation_is_unit(rotation), error, SINEW_ERROR_VERIFY,
              "node %zu: the rotation is not of unit length", place.index);
  return SINEW_OK;
}

static sinew_result read_node(verify_file *file, const json_t *root, uint32_t index, sinew_error *error) {
  json_place place;
  document_node *node = &file->nodes[index];
  SINEW_TRY(field_element(root, "nodes", "node", index, &place, error));
  const char *name;
  SINEW_TRY(field_text(place, "name", &name, error));
  node->name = arena_text(&file->memory, name ? name : "", name ? strlen(name) : 0);
  SINEW_CHECK(node->name, error, SINEW_ERROR_MEMORY, "out of memory for the nodes' names");
  for (int path = 0; path < KEYS_PATH_COUNT; path++) node->channel[path] = -1;
  SINEW_TRY(read_matrix(place, node, error));
  return read_parts(file, place, node, error);
}

/* ---- hierarchy ---------------------------------------------------------------------------------------- */

static sinew_result node_at(const verify_file *file, const json_t *list, size_t position, uint32_t *node,
                            sinew_error *error) {
  const json_t *item = json_array_get(list, position);
  *node = 0;
  SINEW_CHECK(json_is_integer(item) && json_integer_value(item) >= 0 &&
                  json_integer_value(item) < (json_int_t)file->node_count,
              error, SINEW_ERROR_VERIFY, "a list of nodes names one that does not exist");
  *node = (uint32_t)json_integer_value(item);
  return SINEW_OK;
}

static sinew_result read_children(verify_file *file, const json_t *root, uint32_t index, sinew_error *error) {
  const json_t *children = json_object_get(json_array_get(json_object_get(root, "nodes"), index), "children");
  SINEW_CHECK(!children || json_is_array(children), error, SINEW_ERROR_VERIFY,
              "node %u: children is no array", index);
  for (size_t i = 0; i < json_array_size(children); i++) {
    uint32_t child;
    SINEW_TRY(node_at(file, children, i, &child, error));
    SINEW_CHECK(file->nodes[child].parent < 0, error, SINEW_ERROR_VERIFY,
                "node %u is a child of node %d and of node %u", child, file->nodes[child].parent, index);
    file->nodes[child].parent = (int32_t)index;
  }
  return SINEW_OK;
}

/* Breadth first from the roots. With one parent per node, what is not reached hangs in a circle. */
static sinew_result order_nodes(verify_file *file, const json_t *root, sinew_error *error) {
  uint32_t reached = 0;
  for (uint32_t i = 0; i < file->node_count; i++)
    if (file->nodes[i].parent < 0) file->order[reached++] = i;
  for (uint32_t at = 0; at < reached; at++) {
    const json_t *children =
        json_object_get(json_array_get(json_object_get(root, "nodes"), file->order[at]), "children");
    for (size_t i = 0; i < json_array_size(children); i++)
      file->order[reached++] = (uint32_t)json_integer_value(json_array_get(children, i));
  }
  SINEW_CHECK(reached == file->node_count, error, SINEW_ERROR_VERIFY, "%u nodes hang in a circle",
              file->node_count - reached);
  return SINEW_OK;
}

/* What a player shows: the nodes below the default scene's. A model may leave the choice to its player. */
static sinew_result read_scene(verify_file *file, const json_t *root, sinew_error *error) {
  json_place top = {root, "file", 0}, scene;
  uint64_t index;
  for (uint32_t i = 0; i < file->node_count; i++) file->nodes[i].in_scene = file->is_model;
  if (file->is_model) return SINEW_OK;
  SINEW_TRY(field_size(top, "scene", 0, &index, error));
  SINEW_TRY(field_element(root, "scenes", "scene", index, &scene, error));
  const json_t *list = json_object_get(scene.object, "nodes");
  SINEW_CHECK(json_is_array(list), error, SINEW_ERROR_VERIFY, "scene %zu: nodes is no array", scene.index);
  for (size_t i = 0; i < json_array_size(list); i++) {
    uint32_t node;
    SINEW_TRY(node_at(file, list, i, &node, error));
    SINEW_CHECK(file->nodes[node].parent < 0, error, SINEW_ERROR_VERIFY,
                "scene %zu shows node %u, which is no root", scene.index, node);
    file->nodes[node].in_scene = true;
  }
  for (uint32_t i = 0; i < file->node_count; i++) {
    document_node *node = &file->nodes[file->order[i]];
    if (node->parent >= 0) node->in_scene = file->nodes[node->parent].in_scene;
  }
  return SINEW_OK;
}

sinew_result document_read_nodes(verify_file *file, const json_t *root, sinew_error *error) {
  const json_t *list = json_object_get(root, "nodes");
  SINEW_CHECK(json_is_array(list) && json_array_size(list) > 0 && json_array_size(list) < INT32_MAX, error,
              SINEW_ERROR_VERIFY, "there are no nodes");
  file->node_count = (uint32_t)json_array_size(list);
  file->nodes = arena_alloc(&file->memory, file->node_count, sizeof *file->nodes);
  file->order = arena_alloc(&file->memory, file->node_count, sizeof *file->order);
  SINEW_CHECK(file->nodes && file->order, error, SINEW_ERROR_MEMORY, "out of memory for %u nodes",
              file->node_count);
  for (uint32_t i = 0; i < file->node_count; i++) file->nodes[i].parent = -1;
  for (uint32_t i = 0; i < file->node_count; i++) SINEW_TRY(read_node(file, root, i, error));
  for (uint32_t i = 0; i < file->node_count; i++) SINEW_TRY(read_children(file, root, i, error));
  SINEW_TRY(order_nodes(file, root, error));
  return read_scene(file, root, error);
}
