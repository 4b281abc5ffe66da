/* Nodes, the scenes that show them, skins and images. */
#include "base/error.h"
#include "inspect/gltf.h"
#include "verify/json_field.h"

#include <string.h>

/* ---- hierarchy ---------------------------------------------------------------------------------------- */

static sinew_result index_of(const json_t *object, const char *key, const char *kind, uint64_t owner,
                             uint32_t limit, int32_t *index, sinew_error *error) {
  const json_place place = {object, kind, (size_t)owner};
  uint64_t value;
  *index = -1;
  if (!json_object_get(object, key)) return SINEW_OK;
  SINEW_TRY(field_index(place, key, limit, &value, error));
  *index = (int32_t)value;
  return SINEW_OK;
}

/* A member of a list of nodes. */
static sinew_result node_at(const gltf_reading *reading, const json_t *list, uint32_t position,
                            const char *kind, uint32_t owner, uint32_t *node, sinew_error *error) {
  const json_t *item = json_array_get(list, position);
  *node = 0;
  SINEW_CHECK(json_is_integer(item) && json_integer_value(item) >= 0 &&
                  json_integer_value(item) < (json_int_t)reading->glb->info.node_count,
              error, SINEW_ERROR_VERIFY, "%s %u names a node that does not exist", kind, owner);
  *node = (uint32_t)json_integer_value(item);
  return SINEW_OK;
}

static const json_t *children_of(const gltf_reading *reading, uint32_t node) {
  return json_object_get(json_array_get(json_object_get(reading->root, "nodes"), node), "children");
}

static sinew_result read_node(gltf_reading *reading, uint32_t index, uint32_t mesh_count, uint32_t skin_count,
                              sinew_error *error) {
  sinew_glb_node *node = &reading->glb->nodes[index];
  json_place place;
  const char *name;
  uint32_t child_count;
  SINEW_TRY(field_element(reading->root, "nodes", "node", index, &place, error));
  SINEW_TRY(field_text(place, "name", &name, error));
  SINEW_TRY(gltf_text(reading, name, &node->name, error));
  SINEW_TRY(index_of(place.object, "mesh", "node", index, mesh_count, &node->mesh, error));
  SINEW_TRY(index_of(place.object, "skin", "node", index, skin_count, &node->skin, error));
  SINEW_TRY(gltf_list_size(place.object, "children", &child_count, error));
  for (uint32_t i = 0; i < child_count; i++) {
    uint32_t child;
    SINEW_TRY(node_at(reading, children_of(reading, index), i, "node", index, &child, error));
    sinew_glb_node *below = &reading->glb->nodes[child];
    SINEW_CHECK(below->parent < 0, error, SINEW_ERROR_VERIFY, "node %u is a child of node %d and of node %u",
                child, below->parent, index);
    below->parent = (int32_t)index;
  }
  return SINEW_OK;
}

/* Breadth first from the roots. With one parent per node, what is not reached hangs in a circle. */
static sinew_result measure_depth(gltf_reading *reading, uint32_t *order, sinew_error *error) {
  sinew_glb *glb = reading->glb;
  uint32_t reached = 0;
  for (uint32_t i = 0; i < glb->info.node_count; i++)
    if (glb->nodes[i].parent < 0) order[reached++] = i;
  glb->info.root_count = reached;
  for (uint32_t at = 0; at < reached; at++) {
    const uint32_t depth = glb->nodes[order[at]].depth;
    const json_t *children = children_of(reading, order[at]);
    if (depth + 1 > glb->info.depth) glb->info.depth = depth + 1;
    for (size_t i = 0; i < json_array_size(children); i++) {
      order[reached] = (uint32_t)json_integer_value(json_array_get(children, i));
      glb->nodes[order[reached++]].depth = depth + 1;
    }
  }
  SINEW_CHECK(reached == glb->info.node_count, error, SINEW_ERROR_VERIFY, "%u nodes hang in a circle",
              glb->info.node_count - reached);
  return SINEW_OK;
}

static sinew_result read_scene(gltf_reading *reading, uint32_t index, sinew_error *error) {
  json_place scene;
  uint32_t count;
  SINEW_TRY(field_element(reading->root, "scenes", "scene", index, &scene, error));
  SINEW_TRY(gltf_list_size(scene.object, "nodes", &count, error));
  for (uint32_t i = 0; i < count; i++) {
    uint32_t node;
    SINEW_TRY(node_at(reading, json_object_get(scene.object, "nodes"), i, "scene", index, &node, error));
    SINEW_CHECK(reading->glb->nodes[node].parent < 0, error, SINEW_ERROR_VERIFY,
                "scene %u shows node %u, which is no root", index, node);
  }
  return SINEW_OK;
}

sinew_result gltf_read_nodes(gltf_reading *reading, sinew_error *error) {
  sinew_glb *glb = reading->glb;
  uint32_t mesh_count, skin_count, scene_count, *order;
  int32_t scene;
  SINEW_TRY(gltf_list_size(reading->root, "nodes", &glb->info.node_count, error));
  SINEW_TRY(gltf_list_size(reading->root, "meshes", &mesh_count, error));
  SINEW_TRY(gltf_list_size(reading->root, "skins", &skin_count, error));
  SINEW_TRY(gltf_list_size(reading->root, "scenes", &scene_count, error));
  SINEW_TRY(index_of(reading->root, "scene", "file", 0, scene_count, &scene, error));
  SINEW_TRY(gltf_items(&glb->memory, glb->info.node_count, sizeof *glb->nodes, &glb->nodes, error));
  SINEW_TRY(gltf_items(&reading->scratch, glb->info.node_count, sizeof *order, &order, error));
  for (uint32_t i = 0; i < glb->info.node_count; i++) glb->nodes[i].parent = -1;
  for (uint32_t i = 0; i < glb->info.node_count; i++)
    SINEW_TRY(read_node(reading, i, mesh_count, skin_count, error));
  SINEW_TRY(measure_depth(reading, order, error));
  for (uint32_t i = 0; i < scene_count; i++) SINEW_TRY(read_scene(reading, i, error));
  return SINEW_OK;
}

/* ---- skins -------------------------------------------------------------------------------------------- */

static sinew_result check_bind_matrices(gltf_reading *reading, json_place place, uint32_t joint_count,
                                        sinew_error *error) {
  int32_t index;
  SINEW_TRY(index_of(place.object, "inverseBindMatrices", "skin", place.index, reading->accessor_count,
                     &index, error));
  if (index < 0) return SINEW_OK;
  gltf_accessor *accessor = &reading->accessors[index];
  SINEW_CHECK(accessor->component_count == 16 && accessor->component_type == 5126, error, SINEW_ERROR_VERIFY,
              "skin %zu: inverseBindMatrices are no MAT4 of floats", place.index);
  SINEW_CHECK(accessor->count >= joint_count, error, SINEW_ERROR_VERIFY,
              "skin %zu: %llu matrices for %u joints", place.index, (unsigned long long)accessor->count,
              joint_count);
  accessor->use |= GLTF_USE_SKIN;
  return SINEW_OK;
}

static sinew_result read_skin(gltf_reading *reading, uint32_t index, uint32_t *last_skin,
                              sinew_error *error) {
  sinew_glb_skin *skin = &reading->glb->skins[index];
  json_place place;
  const char *name;
  int32_t skeleton;
  SINEW_TRY(field_element(reading->root, "skins", "skin", index, &place, error));
  SINEW_TRY(field_text(place, "name", &name, error));
  SINEW_TRY(gltf_text(reading, name, &skin->name, error));
  SINEW_TRY(gltf_list_size(place.object, "joints", &skin->joint_count, error));
  SINEW_CHECK(skin->joint_count, error, SINEW_ERROR_VERIFY, "skin %u has no joints", index);
  for (uint32_t i = 0; i < skin->joint_count; i++) {
    uint32_t node;
    SINEW_TRY(node_at(reading, json_object_get(place.object, "joints"), i, "skin", index, &node, error));
    SINEW_CHECK(last_skin[node] != index + 1, error, SINEW_ERROR_VERIFY, "skin %u has node %u twice", index,
                node);
    last_skin[node] = index + 1;
  }
  SINEW_TRY(
      index_of(place.object, "skeleton", "skin", index, reading->glb->info.node_count, &skeleton, error));
  return check_bind_matrices(reading, place, skin->joint_count, error);
}

sinew_result gltf_read_skins(gltf_reading *reading, sinew_error *error) {
  sinew_glb *glb = reading->glb;
  uint32_t *last_skin;
  SINEW_TRY(gltf_list_size(reading->root, "skins", &glb->info.skin_count, error));
  SINEW_TRY(gltf_items(&glb->memory, glb->info.skin_count, sizeof *glb->skins, &glb->skins, error));
  SINEW_TRY(gltf_items(&reading->scratch, glb->info.node_count, sizeof *last_skin, &last_skin, error));
  for (uint32_t i = 0; i < glb->info.skin_count; i++) SINEW_TRY(read_skin(reading, i, last_skin, error));
  return SINEW_OK;
}

/* ---- images ------------------------------------------------------------------------------------------- */

sinew_result gltf_read_images(gltf_reading *reading, sinew_error *error) {
  uint32_t count;
  SINEW_TRY(gltf_list_size(reading->root, "images", &count, error));
  for (uint32_t i = 0; i < count; i++) {
    json_place place;
    int32_t view;
    SINEW_TRY(field_element(reading->root, "images", "image", i, &place, error));
    SINEW_TRY(index_of(place.object, "bufferView", "image", i, reading->view_count, &view, error));
    if (view >= 0) reading->view_use[view] |= GLTF_USE_IMAGE;
  }
  return SINEW_OK;
}
