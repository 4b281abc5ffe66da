#include "write/glb_json.h"
#include "base/error.h"
#include "write/glb_animation_json.h"
#include "write/glb_mesh_json.h"
#include "write/glb_model_json.h"
#include "write/glb_vrma.h"

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

static void write_transform(const rig_node *node, json_out *out) {
  double t[3], q[4];
  glb_node_place(node, t, q);
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

/* ---- the whole ---------------------------------------------------------------------------------------- */

/* View 0 is the animation's, where there is one; those of the mesh follow. */
static void write_views(const glb_plan *plan, const glb_layout *layout, uint64_t bin_byte_count,
                        json_out *out) {
  json_literal(out, ",\"accessors\":[");
  if (plan->track_count) glb_animation_accessors(plan, layout, out);
  if (plan->track_count && plan->mesh) json_literal(out, ",");
  if (plan->mesh) glb_mesh_accessors(plan, plan->track_count > 0, out);
  json_literal(out, "],\"bufferViews\":[");
  if (plan->track_count) glb_animation_view(layout, out);
  if (plan->track_count && plan->mesh) json_literal(out, ",");
  if (plan->mesh) glb_mesh_views(plan, layout, out);
  json_literal(out, "],\"buffers\":[{\"byteLength\":");
  json_uint(out, bin_byte_count);
  json_literal(out, "}]");
}

static bool write_own(const glb_plan *plan, const glb_layout *layout, uint64_t bin_byte_count, arena *memory,
                      json_out *out) {
  child_lists lists;
  if (!link_children(plan, memory, &lists)) return false;
  write_asset(plan, out);
  if (plan->human_node) glb_vrma_write(plan, out);
  write_nodes(plan, &lists, out);
  uint64_t animation_accessors =
      (layout->time_count > 0) + (uint64_t)layout->has_key_time + plan->track_count;
  if (plan->mesh) glb_mesh_objects(plan, animation_accessors, out);
  if (plan->track_count) {
    json_literal(out, ",\"animations\":[");
    glb_animation_object(plan, layout, out);
    json_literal(out, "]");
  }
  if (bin_byte_count) write_views(plan, layout, bin_byte_count, out);
  json_literal(out, "}");
  return true;
}

sinew_result glb_json_write(const glb_plan *plan, const glb_layout *layout, uint64_t bin_byte_count,
                            json_out *out, sinew_error *error) {
  arena memory = {0};
  const bool written = plan->model ? glb_model_json_write(plan, layout, &memory, out)
                                   : write_own(plan, layout, bin_byte_count, &memory, out);
  arena_release(&memory);
  SINEW_CHECK(written && !out->failed, error, SINEW_ERROR_MEMORY, "out of memory for the file's JSON");
  return SINEW_OK;
}
