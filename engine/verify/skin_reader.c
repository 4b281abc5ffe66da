/* The skinned mesh: one node of the scene that shows one mesh of triangles by one skin. Reads what places the
 * corners, and skins them as the format says: the sum over the joints of weight * joint's matrix * inverse
 * bind matrix. */
#include "base/error.h"
#include "verify/accessor.h"
#include "verify/pose_block.h"

#include <math.h>
#include <string.h>

/* ---- the node ----------------------------------------------------------------------------------------- */

typedef struct skin_places {
  json_place skin, attributes, primitive;
} skin_places;

/* The only node with a mesh, or node_count. */
static sinew_result find_node(const verify_file *file, const json_t *root, uint32_t *found,
                              sinew_error *error) {
  const json_t *nodes = json_object_get(root, "nodes");
  *found = file->node_count;
  for (uint32_t i = 0; i < file->node_count; i++) {
    const json_t *node = json_array_get(nodes, i);
    bool has_mesh = json_object_get(node, "mesh") != NULL;
    SINEW_CHECK(has_mesh == (json_object_get(node, "skin") != NULL), error, SINEW_ERROR_VERIFY,
                "node %u has a mesh or a skin, expected both or none", i);
    if (!has_mesh) continue;
    SINEW_CHECK(*found == file->node_count, error, SINEW_ERROR_VERIFY,
                "nodes %u and %u both show a mesh, expected one", *found, i);
    SINEW_CHECK(file->nodes[i].in_scene && file->nodes[i].parent < 0, error, SINEW_ERROR_VERIFY,
                "node %u shows a skinned mesh and is no root of the scene", i);
    *found = i;
  }
  return SINEW_OK;
}

static sinew_result find_places(const json_t *root, uint32_t node_index, skin_places *places,
                                sinew_error *error) {
  json_place node, mesh;
  uint64_t index, mode;
  SINEW_TRY(field_element(root, "nodes", "node", node_index, &node, error));
  SINEW_TRY(field_index(node, "skin", UINT32_MAX, &index, error));
  SINEW_TRY(field_element(root, "skins", "skin", index, &places->skin, error));
  SINEW_TRY(field_index(node, "mesh", UINT32_MAX, &index, error));
  SINEW_TRY(field_element(root, "meshes", "mesh", index, &mesh, error));
  SINEW_CHECK(json_array_size(json_object_get(mesh.object, "primitives")) == 1, error, SINEW_ERROR_VERIFY,
              "mesh %zu has not one primitive", mesh.index);
  SINEW_TRY(field_element(mesh.object, "primitives", "primitive", 0, &places->primitive, error));
  SINEW_TRY(field_size(places->primitive, "mode", 4, &mode, error));
  SINEW_CHECK(mode == 4, error, SINEW_ERROR_VERIFY, "primitive 0: mode is %llu, expected triangles",
              (unsigned long long)mode);
  return field_object(places->primitive, "attributes", &places->attributes, error);
}

/* ---- joints ------------------------------------------------------------------------------------------- */

static sinew_result read_joints(verify_file *file, json_place skin, sinew_error *error) {
  const json_t *list = json_object_get(skin.object, "joints");
  size_t count = json_array_size(list);
  SINEW_CHECK(count > 0 && count <= file->node_count, error, SINEW_ERROR_VERIFY,
              "skin %zu: joints is no list of nodes", skin.index);
  file->skin.joint_count = (uint32_t)count;
  file->skin.joints = arena_alloc(&file->memory, count, sizeof *file->skin.joints);
  SINEW_CHECK(file->skin.joints, error, SINEW_ERROR_MEMORY, "out of memory for %zu joints", count);
  for (size_t i = 0; i < count; i++) {
    const json_t *joint = json_array_get(list, i);
    SINEW_CHECK(json_is_integer(joint) && json_integer_value(joint) >= 0 &&
                    json_integer_value(joint) < (json_int_t)file->node_count,
                error, SINEW_ERROR_VERIFY, "skin %zu: joint %zu does not exist", skin.index, i);
    file->skin.joints[i] = (uint32_t)json_integer_value(joint);
  }
  return SINEW_OK;
}

static sinew_result read_inverse_binds(verify_file *file, const json_t *root, json_place skin,
                                       sinew_error *error) {
  uint64_t index;
  document_accessor matrices;
  SINEW_TRY(field_index(skin, "inverseBindMatrices", UINT32_MAX, &index, error));
  SINEW_TRY(accessor_read(file, root, index, USE_MATRICES, &matrices, error));
  SINEW_TRY(accessor_expect(&matrices, 16, COMPONENT_FLOAT, false, error));
  SINEW_CHECK(matrices.count == file->skin.joint_count, error, SINEW_ERROR_VERIFY,
              "accessor %zu has %llu matrices for %u joints", matrices.place.index,
              (unsigned long long)matrices.count, file->skin.joint_count);
  file->skin.inverse_bind = arena_alloc(&file->memory, matrices.count, sizeof *file->skin.inverse_bind);
  SINEW_CHECK(file->skin.inverse_bind, error, SINEW_ERROR_MEMORY, "out of memory for %u joints",
              file->skin.joint_count);
  const unsigned char *bytes;
  SINEW_TRY(accessor_load(file, &matrices, &file->memory, &bytes, error));
  for (uint32_t joint = 0; joint < file->skin.joint_count; joint++) {
    float m[16]; /* column by column */
    memcpy(m, bytes + joint * sizeof m, sizeof m);
    for (int i = 0; i < 16; i++) {
      bool right = i % 4 == 3 ? m[i] == (i == 15 ? 1 : 0) : isfinite(m[i]);
      SINEW_CHECK(right, error, SINEW_ERROR_VERIFY, "accessor %zu: matrix %u is none of a joint",
                  matrices.place.index, joint);
      if (i % 4 != 3) file->skin.inverse_bind[joint][i % 4][i / 4] = (double)m[i];
    }
  }
  return SINEW_OK;
}

/* ---- corners ------------------------------------------------------------------------------------------ */

static sinew_result attribute(const verify_file *file, const json_t *root, json_place attributes,
                              const char *name, uint32_t component_count, int component, bool normalized,
                              document_accessor *accessor, sinew_error *error) {
  uint64_t index;
  SINEW_TRY(field_index(attributes, name, UINT32_MAX, &index, error));
  SINEW_TRY(accessor_read(file, root, index, USE_VERTICES, accessor, error));
  return accessor_expect(accessor, component_count, component, normalized, error);
}

enum { PLACE, JOINTS, WEIGHTS, ATTRIBUTE_COUNT };

typedef struct corner_data { /* per attribute */
  document_accessor accessor[ATTRIBUTE_COUNT];
  const unsigned char *bytes[ATTRIBUTE_COUNT];
} corner_data;

static const unsigned char *corner_bytes(const corner_data *data, int attribute, uint32_t vertex) {
  return data->bytes[attribute] + (size_t)vertex * data->accessor[attribute].stride_bytes;
}

static sinew_result decode_corner(const document_skin *skin, const corner_data *data, uint32_t vertex,
                                  sinew_error *error) {
  const unsigned char *weights = corner_bytes(data, WEIGHTS, vertex);
  float *place = skin->places[vertex];
  memcpy(place, corner_bytes(data, PLACE, vertex), sizeof *skin->places);
  memcpy(skin->vertex_joints[vertex], corner_bytes(data, JOINTS, vertex), sizeof *skin->vertex_joints);
  uint32_t sum = 0;
  for (int i = 0; i < 4; i++) {
    SINEW_CHECK(skin->vertex_joints[vertex][i] < skin->joint_count, error, SINEW_ERROR_VERIFY,
                "corner %u hangs on joint %u, the skin has %u", vertex, skin->vertex_joints[vertex][i],
                skin->joint_count);
    skin->weights[vertex][i] = weights[i] / 255.0;
    sum += weights[i];
  }
  SINEW_CHECK(sum == 255, error, SINEW_ERROR_VERIFY, "corner %u: its weights do not sum to 1", vertex);
  SINEW_CHECK(isfinite(place[0]) && isfinite(place[1]) && isfinite(place[2]), error, SINEW_ERROR_VERIFY,
              "corner %u stands at a number that is not finite", vertex);
  return SINEW_OK;
}

static sinew_result read_corners(verify_file *file, const json_t *root, json_place attributes,
                                 sinew_error *error) {
  document_skin *skin = &file->skin;
  corner_data data;
  document_accessor *a = data.accessor;
  SINEW_TRY(attribute(file, root, attributes, "POSITION", 3, COMPONENT_FLOAT, false, &a[PLACE], error));
  SINEW_TRY(attribute(file, root, attributes, "JOINTS_0", 4, COMPONENT_UBYTE, false, &a[JOINTS], error));
  SINEW_TRY(attribute(file, root, attributes, "WEIGHTS_0", 4, COMPONENT_UBYTE, true, &a[WEIGHTS], error));
  uint64_t count = a[PLACE].count;
  SINEW_CHECK(count == a[JOINTS].count && count == a[WEIGHTS].count && count <= UINT32_MAX, error,
              SINEW_ERROR_VERIFY, "the mesh has %llu places, %llu joints and %llu weights",
              (unsigned long long)count, (unsigned long long)a[JOINTS].count,
              (unsigned long long)a[WEIGHTS].count);
  for (int i = 0; i < ATTRIBUTE_COUNT; i++)
    SINEW_TRY(accessor_load(file, &a[i], &file->memory, &data.bytes[i], error));
  skin->places = arena_alloc(&file->memory, count, sizeof *skin->places);
  skin->vertex_joints = arena_alloc(&file->memory, count, sizeof *skin->vertex_joints);
  skin->weights = arena_alloc(&file->memory, count, sizeof *skin->weights);
  SINEW_CHECK(skin->places && skin->vertex_joints && skin->weights, error, SINEW_ERROR_MEMORY,
              "out of memory for %llu corners", (unsigned long long)count);
  skin->vertex_count = (uint32_t)count;
  for (uint32_t i = 0; i < skin->vertex_count; i++) SINEW_TRY(decode_corner(skin, &data, i, error));
  return SINEW_OK;
}

static sinew_result check_indices(verify_file *file, const json_t *root, json_place primitive,
                                  sinew_error *error) {
  uint64_t index;
  document_accessor indices;
  SINEW_TRY(field_index(primitive, "indices", UINT32_MAX, &index, error));
  SINEW_TRY(accessor_read(file, root, index, USE_INDICES, &indices, error));
  SINEW_TRY(accessor_expect(&indices, 1, COMPONENT_USHORT, false, error));
  SINEW_CHECK(indices.count % 3 == 0, error, SINEW_ERROR_VERIFY,
              "accessor %zu: %llu indices are no triangles", indices.place.index,
              (unsigned long long)indices.count);
  const unsigned char *bytes;
  SINEW_TRY(accessor_load(file, &indices, &file->memory, &bytes, error));
  for (uint64_t i = 0; i < indices.count; i++) {
    uint16_t corner;
    memcpy(&corner, bytes + i * sizeof corner, sizeof corner);
    SINEW_CHECK(corner < file->skin.vertex_count, error, SINEW_ERROR_VERIFY,
                "index %llu is corner %u, the mesh has %u", (unsigned long long)i, corner,
                file->skin.vertex_count);
  }
  return SINEW_OK;
}

sinew_result document_read_skin(verify_file *file, const json_t *root, sinew_error *error) {
  uint32_t node;
  skin_places places;
  SINEW_TRY(find_node(file, root, &node, error));
  if (node == file->node_count) return SINEW_OK;
  SINEW_TRY(find_places(root, node, &places, error));
  SINEW_TRY(read_joints(file, places.skin, error));
  SINEW_TRY(read_inverse_binds(file, root, places.skin, error));
  SINEW_TRY(read_corners(file, root, places.attributes, error));
  return check_indices(file, root, places.primitive, error);
}

/* ---- skinning ----------------------------------------------------------------------------------------- */

static void multiply(double a[3][4], double b[3][4], double out[3][4]) {
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++)
      out[row][column] = a[row][0] * b[0][column] + a[row][1] * b[1][column] + a[row][2] * b[2][column] +
                         (column == 3 ? a[row][3] : 0);
}

static void skin_corner(const document_skin *skin, double (*matrices)[3][4], uint32_t vertex, double out[3]) {
  const float *place = skin->places[vertex];
  memset(out, 0, 3 * sizeof *out);
  for (int i = 0; i < 4; i++) {
    double weight = skin->weights[vertex][i], (*m)[4] = matrices[skin->vertex_joints[vertex][i]];
    if (weight == 0) continue;
    for (int row = 0; row < 3; row++)
      out[row] += weight * (m[row][0] * (double)place[0] + m[row][1] * (double)place[1] +
                            m[row][2] * (double)place[2] + m[row][3]);
  }
}

uint32_t verify_vertex_count(const verify_file *file) {
  return file->skin.vertex_count;
}

static sinew_result skin_all(const verify_file *file, uint64_t frame, arena *memory, double (*positions)[3],
                             sinew_error *error) {
  const document_skin *skin = &file->skin;
  double(*joints)[3][4] = arena_alloc(memory, skin->joint_count, sizeof *joints);
  double(*matrices)[3][4] = arena_alloc(memory, skin->joint_count, sizeof *matrices);
  SINEW_CHECK(joints && matrices, error, SINEW_ERROR_MEMORY, "out of memory for %u joints",
              skin->joint_count);
  SINEW_TRY(pose_matrices(file, skin->joints, skin->joint_count, frame, joints, error));
  for (uint32_t i = 0; i < skin->joint_count; i++) multiply(joints[i], skin->inverse_bind[i], matrices[i]);
  for (uint32_t i = 0; i < skin->vertex_count; i++) skin_corner(skin, matrices, i, positions[i]);
  return SINEW_OK;
}

sinew_result verify_vertices(const verify_file *file, uint64_t frame, double (*positions)[3],
                             sinew_error *error) {
  if (file->skin.vertex_count == 0) return SINEW_OK;
  arena memory = {0};
  sinew_result result = skin_all(file, frame, &memory, positions, error);
  arena_release(&memory);
  return result;
}
