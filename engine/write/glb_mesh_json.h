/* The JSON of a body of boxes: its node, mesh, skin and material, its accessors and views. */
#ifndef SINEW_WRITE_GLB_MESH_JSON_H
#define SINEW_WRITE_GLB_MESH_JSON_H

#include "write/glb.h"
#include "write/json_out.h"

enum { COMPONENT_UBYTE = 5121, COMPONENT_SHORT = 5122, COMPONENT_USHORT = 5123, COMPONENT_FLOAT = 5126 };

typedef struct accessor_text {
  uint32_t view;
  uint64_t offset; /* in the view */
  uint64_t count;
  const char *type;
  int component;
  bool normalized;
} accessor_text;

/* Left open, for bounds: the caller writes the closing brace. */
void glb_json_accessor(json_out *out, const accessor_text *accessor);

/* Each appends to the array or object that is open; the first two begin with a comma. */
void glb_mesh_node(json_out *out);
void glb_mesh_objects(const glb_plan *plan, uint64_t first_accessor, json_out *out);
void glb_mesh_accessors(const glb_plan *plan, uint32_t first_view, json_out *out);
void glb_mesh_views(const glb_plan *plan, const glb_layout *layout, json_out *out);

#endif
