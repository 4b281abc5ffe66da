#include "write/glb_mesh_json.h"

#include <stddef.h>

enum { TARGET_VERTICES = 34962, TARGET_INDICES = 34963 };
enum { VIEW_MATRICES, VIEW_VERTICES, VIEW_INDICES };

void glb_json_accessor(json_out *out, const accessor_text *accessor) {
  json_literal(out, "{\"bufferView\":");
  json_uint(out, accessor->view);
  json_literal(out, ",\"byteOffset\":");
  json_uint(out, accessor->offset);
  json_literal(out, ",\"componentType\":");
  json_uint(out, (uint64_t)accessor->component);
  if (accessor->normalized) json_literal(out, ",\"normalized\":true");
  json_literal(out, ",\"count\":");
  json_uint(out, accessor->count);
  json_literal(out, ",\"type\":\"");
  json_literal(out, accessor->type);
  json_literal(out, "\"");
}

void glb_mesh_node(json_out *out) {
  json_literal(out, ",{\"name\":\"sinew boxes\",\"mesh\":0,\"skin\":0}");
}

static void put(json_out *out, const char *key, uint64_t value) {
  json_literal(out, key);
  json_uint(out, value);
}

void glb_mesh_objects(const glb_plan *plan, uint64_t first_accessor, json_out *out) {
  put(out, ",\"meshes\":[{\"name\":\"sinew boxes\",\"primitives\":[{\"attributes\":{\"POSITION\":",
      first_accessor + 1);
  put(out, ",\"NORMAL\":", first_accessor + 2);
  put(out, ",\"JOINTS_0\":", first_accessor + 3);
  put(out, ",\"WEIGHTS_0\":", first_accessor + 4);
  put(out, "},\"indices\":", first_accessor + 5);
  /* not metallic: a metal without surroundings to mirror is black */
  json_literal(out, ",\"material\":0}]}],\"materials\":[{\"pbrMetallicRoughness\":"
                    "{\"baseColorFactor\":[0.8,0.8,0.8,1],\"metallicFactor\":0}}]");
  put(out, ",\"skins\":[{\"inverseBindMatrices\":", first_accessor);
  json_literal(out, ",\"joints\":[");
  for (uint32_t i = 0; i < plan->mesh->box_count; i++) put(out, i ? "," : "", plan->mesh->nodes[i]);
  json_literal(out, "]}]");
}

static void write_bounds(const box_mesh *mesh, json_out *out) {
  double least[3], most[3]; /* the doubles that equal the stored float32 */
  for (int c = 0; c < 3; c++) least[c] = (double)mesh->least_m[c], most[c] = (double)mesh->most_m[c];
  json_literal(out, ",\"min\":");
  json_numbers(out, least, 3);
  json_literal(out, ",\"max\":");
  json_numbers(out, most, 3);
}

void glb_mesh_accessors(const glb_plan *plan, uint32_t first_view, json_out *out) {
  uint64_t boxes = plan->mesh->box_count, vertices = boxes * BOX_VERTICES;
  uint32_t view = first_view + VIEW_VERTICES;
  const accessor_text list[] = {
      {first_view + VIEW_MATRICES, 0, boxes, "MAT4", COMPONENT_FLOAT, false},
      {view, offsetof(box_vertex, place_m), vertices, "VEC3", COMPONENT_FLOAT, false},
      {view, offsetof(box_vertex, normal), vertices, "VEC3", COMPONENT_FLOAT, false},
      {view, offsetof(box_vertex, joint), vertices, "VEC4", COMPONENT_UBYTE, false},
      {view, offsetof(box_vertex, weight), vertices, "VEC4", COMPONENT_UBYTE, true},
      {first_view + VIEW_INDICES, 0, boxes * BOX_INDICES, "SCALAR", COMPONENT_USHORT, false},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    if (i) json_literal(out, ",");
    glb_json_accessor(out, &list[i]);
    if (i == 1) write_bounds(plan->mesh, out); /* the format asks for a POSITION's bounds */
    json_literal(out, "}");
  }
}

void glb_mesh_views(const glb_plan *plan, const glb_layout *layout, json_out *out) {
  const box_mesh *mesh = plan->mesh;
  put(out, "{\"buffer\":0,\"byteOffset\":", layout->inverse_bind_offset);
  put(out, ",\"byteLength\":", mesh->box_count * sizeof *mesh->inverse_bind);
  put(out, "},{\"buffer\":0,\"byteOffset\":", layout->vertices_offset);
  put(out, ",\"byteLength\":", mesh->box_count * BOX_VERTICES * sizeof *mesh->vertices);
  put(out, ",\"byteStride\":", sizeof *mesh->vertices);
  put(out, ",\"target\":", TARGET_VERTICES);
  put(out, "},{\"buffer\":0,\"byteOffset\":", layout->indices_offset);
  put(out, ",\"byteLength\":", mesh->box_count * BOX_INDICES * sizeof *mesh->indices);
  put(out, ",\"target\":", TARGET_INDICES);
  json_literal(out, "}");
}
