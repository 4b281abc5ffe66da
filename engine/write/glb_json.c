#include "write/glb_json.h"
#include "base/error.h"

enum { COMPONENT_FLOAT = 5126 };

static void write_asset(const glb_plan *plan, json_out *out) {
  json_literal(out, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"sinew " SINEW_VERSION "\",\"extras\":{"
                    "\"sinew\":\"" SINEW_VERSION "\",\"source\":");
  json_string(out, plan->source_name ? plan->source_name : "");
  json_literal(out, ",\"rate\":");
  json_number(out, plan->rate_hz);
  json_literal(out, ",\"profile\":");
  json_string(out, plan->profile ? plan->profile : "");
  json_literal(out, "}}");
}

/* ---- nodes -------------------------------------------------------------------------------------------- */

typedef struct child_lists { /* node_count entries each, -1: none */
  int32_t *first;
  int32_t *next;
} child_lists;

static bool link_children(const sinew_rig *rig, arena *memory, child_lists *lists) {
  lists->first = arena_alloc(memory, rig->node_count, sizeof *lists->first);
  lists->next = arena_alloc(memory, rig->node_count, sizeof *lists->next);
  if (!lists->first || !lists->next) return false;
  for (uint32_t i = 0; i < rig->node_count; i++) lists->first[i] = -1;
  for (uint32_t i = rig->node_count; i-- > 0;) { /* from the end, so that each list ascends */
    int32_t parent = rig->nodes[i].parent;
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

static void write_node(const sinew_rig *rig, const child_lists *lists, uint32_t index, json_out *out) {
  const rig_node *node = &rig->nodes[index];
  json_literal(out, index ? ",{\"name\":" : "{\"name\":");
  json_string(out, node->name ? node->name : "");
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

static void write_nodes(const sinew_rig *rig, const child_lists *lists, json_out *out) {
  json_literal(out, ",\"scene\":0,\"scenes\":[{\"nodes\":[");
  bool any = false;
  for (uint32_t i = 0; i < rig->node_count; i++) {
    if (rig->nodes[i].parent >= 0) continue;
    if (any) json_literal(out, ",");
    json_uint(out, i);
    any = true;
  }
  json_literal(out, "]}],\"nodes\":[");
  for (uint32_t i = 0; i < rig->node_count; i++) write_node(rig, lists, i, out);
  json_literal(out, "]");
}

/* ---- animation: accessors are the times, the single key time, then one per track ---------------------- */

static void write_accessor(json_out *out, uint64_t offset, uint64_t count, const char *type) {
  json_literal(out, "{\"bufferView\":0,\"byteOffset\":");
  json_uint(out, offset);
  json_literal(out, ",\"componentType\":");
  json_uint(out, COMPONENT_FLOAT);
  json_literal(out, ",\"count\":");
  json_uint(out, count);
  json_literal(out, ",\"type\":\"");
  json_literal(out, type);
  json_literal(out, "\"");
}

/* max is the double that equals the stored float32: exact for readers that compare in either. */
static void write_time_accessor(json_out *out, uint64_t offset, uint64_t count, float last_s) {
  const double last = (double)last_s;
  write_accessor(out, offset, count, "SCALAR");
  json_literal(out, ",\"min\":[0],\"max\":");
  json_numbers(out, &last, 1);
  json_literal(out, "}");
}

static void write_accessors(const glb_plan *plan, const glb_layout *layout, json_out *out) {
  json_literal(out, ",\"accessors\":[");
  if (layout->has_times)
    write_time_accessor(out, layout->times_offset, plan->frame_count,
                        glb_frame_time(plan, plan->frame_count - 1));
  if (layout->has_times && layout->has_key_time) json_literal(out, ",");
  if (layout->has_key_time) write_time_accessor(out, layout->key_time_offset, 1, 0);
  for (uint32_t i = 0; i < plan->track_count; i++) {
    const glb_track *track = &plan->tracks[i];
    json_literal(out, ",");
    write_accessor(out, layout->track_offset[i], track->constant ? 1 : plan->frame_count,
                   track->path == GLB_ROTATION ? "VEC4" : "VEC3");
    json_literal(out, "}");
  }
  json_literal(out, "]");
}

static void write_buffer(uint64_t bin_byte_count, json_out *out) {
  json_literal(out, ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":");
  json_uint(out, bin_byte_count);
  json_literal(out, "}],\"buffers\":[{\"byteLength\":");
  json_uint(out, bin_byte_count);
  json_literal(out, "}]");
}

static void write_animation(const glb_plan *plan, const glb_layout *layout, json_out *out) {
  uint32_t key_time_accessor = layout->has_times ? 1 : 0;
  uint32_t track_accessor = (uint32_t)layout->has_times + (uint32_t)layout->has_key_time;
  json_literal(out, ",\"animations\":[{");
  if (plan->clip_name && plan->clip_name[0]) {
    json_literal(out, "\"name\":");
    json_string(out, plan->clip_name);
    json_literal(out, ",");
  }
  json_literal(out, "\"samplers\":[");
  for (uint32_t i = 0; i < plan->track_count; i++) {
    json_literal(out, i ? ",{\"input\":" : "{\"input\":");
    json_uint(out, plan->tracks[i].constant ? key_time_accessor : 0);
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
  bool linked = link_children(plan->rig, &memory, &lists);
  if (linked) {
    write_asset(plan, out);
    write_nodes(plan->rig, &lists, out);
    if (plan->track_count) {
      write_animation(plan, layout, out);
      write_accessors(plan, layout, out);
      write_buffer(bin_byte_count, out);
    }
    json_literal(out, "}");
  }
  arena_release(&memory);
  SINEW_CHECK(linked && !out->failed, error, SINEW_ERROR_MEMORY, "out of memory for the file's JSON");
  return SINEW_OK;
}
