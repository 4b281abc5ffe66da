#include "write/glb_json.h"
#include "base/error.h"
#include "write/glb_mesh_json.h"

static void write_asset(const glb_plan *plan, json_out *out) {
  json_literal(out, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"sinew " SINEW_VERSION "\",\"extras\":{"
                    "\"sinew\":\"" SINEW_VERSION "\",\"source\":");
  json_out_string(out, plan->source_name ? plan->source_name : "");
  json_literal(out, ",\"rate\":");
  json_number(out, plan->rate_hz);
  json_literal(out, ",\"profile\":");
  json_out_string(out, plan->profile ? plan->profile : "");
  json_literal(out, "}}");
}

/* ---- nodes -------------------------------------------------------------------------------------------- */

typedef struct child_lists { /* node_count entries each, -1: none */
  int32_t *first;
  int32_t *next;
} child_lists;

static bool link_children(const glb_plan *plan, arena *memory, child_lists *lists) {
  lists->first = arena_alloc(memory, plan->node_count, sizeof *lists->first);
  lists->next = arena_alloc(memory, plan->node_count, sizeof *lists->next);
  if (!lists->first || !lists->next) return false;
  for (uint32_t i = 0; i < plan->node_count; i++) lists->first[i] = -1;
  for (uint32_t i = plan->node_count; i-- > 0;) { /* from the end, so that each list ascends */
    int32_t parent = plan->nodes[i].parent;
    lists->next[i] = parent < 0 ? -1 : lists->first[parent];
    if (parent >= 0) lists->first[parent] = (int32_t)i;
  }
  return true;
}

/* Unity's frame to glTF's: x is mirrored, so rotations about y and z turn the other way. */
static void write_transform(const rig_node *node, json_out *out) {
  const double t[3] = {-node->t[0], node->t[1], node->t[2]};
  const double q[4] = {node->q[0], -node->q[1], -node->q[2], node->q[3]};
  if (t[0] != 0 || t[1] != 0 || t[2] != 0) {
    json_literal(out, ",\"translation\":");
    json_numbers(out, t, 3);
  }
  if (q[0] != 0 || q[1] != 0 || q[2] != 0 || q[3] != 1) {
    json_literal(out, ",\"rotation\":");
    json_numbers(out, q, 4);
  }
  if (node->s[0] != 1 || node->s[1] != 1 || node->s[2] != 1) {
    json_literal(out, ",\"scale\":");
    json_numbers(out, node->s, 3);
  }
}

static void write_node(const glb_plan *plan, const child_lists *lists, uint32_t index, json_out *out) {
  const rig_node *node = &plan->nodes[index];
  json_literal(out, index ? ",{\"name\":" : "{\"name\":");
  json_out_string(out, node->name ? node->name : "");
  write_transform(node, out);
  if (lists->first[index] >= 0) {
    json_literal(out, ",\"children\":[");
    for (int32_t child = lists->first[index]; child >= 0; child = lists->next[child]) {
      if (child != lists->first[index]) json_literal(out, ",");
      json_uint(out, (uint64_t)child);
    }
    json_literal(out, "]");
  }
  json_literal(out, "}");
}

static void write_nodes(const glb_plan *plan, const child_lists *lists, json_out *out) {
  json_literal(out, ",\"scene\":0,\"scenes\":[{\"nodes\":[");
  bool any = false;
  for (uint32_t i = 0; i < plan->node_count; i++) {
    if (plan->nodes[i].parent >= 0) continue;
    if (any) json_literal(out, ",");
    json_uint(out, i);
    any = true;
  }
  if (plan->mesh) { /* the last node: players ignore what is above a skinned mesh, so nothing is */
    json_literal(out, ",");
    json_uint(out, plan->node_count);
  }
  json_literal(out, "]}],\"nodes\":[");
  for (uint32_t i = 0; i < plan->node_count; i++) write_node(plan, lists, i, out);
  if (plan->mesh) glb_mesh_node(out);
  json_literal(out, "]");
}

/* ---- animation: accessors are the times, the single key time, then one per track ---------------------- */

static void write_accessor(json_out *out, uint64_t offset, uint64_t count, const char *type, int component) {
  glb_json_accessor(out, &(accessor_text){.offset = offset,
                                          .count = count,
                                          .type = type,
                                          .component = component,
                                          .normalized = component == COMPONENT_SHORT});
}

/* max is the double that equals the stored float32: exact for readers that compare in either. */
static void write_time_accessor(json_out *out, uint64_t offset, uint64_t count, float last_s) {
  const double last = (double)last_s;
  write_accessor(out, offset, count, "SCALAR", COMPONENT_FLOAT);
  json_literal(out, ",\"min\":[0],\"max\":");
  json_numbers(out, &last, 1);
  json_literal(out, "}");
}

static void write_accessors(const glb_plan *plan, const glb_layout *layout, json_out *out) {
  if (layout->time_count)
    write_time_accessor(out, layout->times_offset, layout->time_count,
                        glb_key_time(plan, layout, layout->time_count - 1));
  if (layout->time_count && layout->has_key_time) json_literal(out, ",");
  if (layout->has_key_time) write_time_accessor(out, layout->key_time_offset, 1, 0);
  for (uint32_t i = 0; i < plan->track_count; i++) {
    bool rotation = plan->tracks[i].path == GLB_ROTATION;
    json_literal(out, ",");
    write_accessor(out, layout->track_offset[i], glb_key_count(plan, layout, i), rotation ? "VEC4" : "VEC3",
                   rotation && plan->quantized ? COMPONENT_SHORT : COMPONENT_FLOAT);
    json_literal(out, "}");
  }
}

/* View 0 is the animation's, where there is one; those of the mesh follow. */
static void write_views(const glb_plan *plan, const glb_layout *layout, uint64_t bin_byte_count,
                        json_out *out) {
  json_literal(out, ",\"accessors\":[");
  if (plan->track_count) write_accessors(plan, layout, out);
  if (plan->track_count && plan->mesh) json_literal(out, ",");
  if (plan->mesh) glb_mesh_accessors(plan, plan->track_count > 0, out);
  json_literal(out, "],\"bufferViews\":[");
  if (plan->track_count) {
    json_literal(out, "{\"buffer\":0,\"byteLength\":");
    json_uint(out, layout->animation_byte_count);
    json_literal(out, plan->mesh ? "}," : "}");
  }
  if (plan->mesh) glb_mesh_views(plan, layout, out);
  json_literal(out, "],\"buffers\":[{\"byteLength\":");
  json_uint(out, bin_byte_count);
  json_literal(out, "}]");
}

static void write_animation(const glb_plan *plan, const glb_layout *layout, json_out *out) {
  uint32_t key_time_accessor = layout->time_count ? 1 : 0;
  uint32_t track_accessor = key_time_accessor + (uint32_t)layout->has_key_time;
  json_literal(out, ",\"animations\":[{");
  if (plan->clip_name && plan->clip_name[0]) {
    json_literal(out, "\"name\":");
    json_out_string(out, plan->clip_name);
    json_literal(out, ",");
  }
  json_literal(out, "\"samplers\":[");
  for (uint32_t i = 0; i < plan->track_count; i++) {
    json_literal(out, i ? ",{\"input\":" : "{\"input\":");
    bool at_start = plan->tracks[i].constant && !(layout->still && i == 0);
    json_uint(out, at_start ? key_time_accessor : 0);
    json_literal(out, ",\"interpolation\":\"LINEAR\",\"output\":");
    json_uint(out, (uint64_t)track_accessor + i);
    json_literal(out, "}");
  }
  json_literal(out, "],\"channels\":[");
  for (uint32_t i = 0; i < plan->track_count; i++) {
    json_literal(out, i ? ",{\"sampler\":" : "{\"sampler\":");
    json_uint(out, i);
    json_literal(out, ",\"target\":{\"node\":");
    json_uint(out, plan->tracks[i].node);
    json_literal(out, plan->tracks[i].path == GLB_ROTATION ? ",\"path\":\"rotation\"}}"
                                                           : ",\"path\":\"translation\"}}");
  }
  json_literal(out, "]}]");
}

sinew_result glb_json_write(const glb_plan *plan, const glb_layout *layout, uint64_t bin_byte_count,
                            json_out *out, sinew_error *error) {
  arena memory = {0};
  child_lists lists;
  bool linked = link_children(plan, &memory, &lists);
  if (linked) {
    write_asset(plan, out);
    write_nodes(plan, &lists, out);
    uint64_t animation_accessors =
        (layout->time_count > 0) + (uint64_t)layout->has_key_time + plan->track_count;
    if (plan->mesh) glb_mesh_objects(plan, animation_accessors, out);
    if (plan->track_count) write_animation(plan, layout, out);
    if (bin_byte_count) write_views(plan, layout, bin_byte_count, out);
    json_literal(out, "}");
  }
  arena_release(&memory);
  SINEW_CHECK(linked && !out->failed, error, SINEW_ERROR_MEMORY, "out of memory for the file's JSON");
  return SINEW_OK;
}
