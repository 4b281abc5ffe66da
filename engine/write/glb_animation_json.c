#include "write/glb_animation_json.h"
#include "write/glb_mesh_json.h"
#include "write/glb_model.h"

/* ---- accessors: the times, the single key time, then one per track ------------------------------------ */

static uint32_t own_view(const glb_plan *plan) {
  return plan->model ? plan->model->views.kept_count : 0;
}

/* The view begins behind a model's bytes. */
static void write_accessor(const glb_plan *plan, const glb_layout *layout, uint64_t offset, uint64_t count,
                           const char *type, int component, json_out *out) {
  glb_json_accessor(out, &(accessor_text){.view = own_view(plan),
                                          .offset = offset - layout->model_byte_count,
                                          .count = count,
                                          .type = type,
                                          .component = component,
                                          .normalized = component == COMPONENT_SHORT});
}

/* max is the double that equals the stored float32: exact for readers that compare in either. */
static void write_time_accessor(const glb_plan *plan, const glb_layout *layout, uint64_t offset,
                                uint64_t count, float last_s, json_out *out) {
  const double last = (double)last_s;
  write_accessor(plan, layout, offset, count, "SCALAR", COMPONENT_FLOAT, out);
  json_literal(out, ",\"min\":[0],\"max\":");
  json_numbers(out, &last, 1);
  json_literal(out, "}");
}

void glb_animation_accessors(const glb_plan *plan, const glb_layout *layout, json_out *out) {
  if (layout->time_count)
    write_time_accessor(plan, layout, layout->times_offset, layout->time_count,
                        glb_key_time(plan, layout, layout->time_count - 1), out);
  if (layout->time_count && layout->has_key_time) json_literal(out, ",");
  if (layout->has_key_time) write_time_accessor(plan, layout, layout->key_time_offset, 1, 0, out);
  for (uint32_t i = 0; i < plan->track_count; i++) {
    bool rotation = plan->tracks[i].path == GLB_ROTATION;
    json_literal(out, ",");
    write_accessor(plan, layout, layout->track_offset[i], glb_key_count(plan, layout, i),
                   rotation ? "VEC4" : "VEC3",
                   rotation && plan->quantized ? COMPONENT_SHORT : COMPONENT_FLOAT, out);
    json_literal(out, "}");
  }
}

void glb_animation_view(const glb_layout *layout, json_out *out) {
  json_literal(out, "{\"buffer\":0,");
  if (layout->model_byte_count) {
    json_literal(out, "\"byteOffset\":");
    json_uint(out, layout->model_byte_count);
    json_literal(out, ",");
  }
  json_literal(out, "\"byteLength\":");
  json_uint(out, layout->animation_byte_count);
  json_literal(out, "}");
}

/* ---- the animation ------------------------------------------------------------------------------------ */

static void write_path(json_out *out, glb_path path) {
  if (path == GLB_ROTATION)
    json_literal(out, ",\"path\":\"rotation\"}}");
  else if (path == GLB_TRANSLATION)
    json_literal(out, ",\"path\":\"translation\"}}");
  else
    json_literal(out, ",\"path\":\"scale\"}}");
}

void glb_animation_object(const glb_plan *plan, const glb_layout *layout, json_out *out) {
  const uint32_t time_accessor = plan->model ? plan->model->accessors.kept_count : 0;
  const uint32_t key_time_accessor = time_accessor + (layout->time_count ? 1 : 0);
  const uint32_t track_accessor = key_time_accessor + (uint32_t)layout->has_key_time;
  json_literal(out, "{");
  if (plan->clip_name && plan->clip_name[0]) {
    json_literal(out, "\"name\":");
    json_out_string(out, plan->clip_name);
    json_literal(out, ",");
  }
  json_literal(out, "\"samplers\":[");
  for (uint32_t i = 0; i < plan->track_count; i++) {
    json_literal(out, i ? ",{\"input\":" : "{\"input\":");
    bool at_start = plan->tracks[i].constant && !(layout->still && i == 0);
    json_uint(out, at_start ? key_time_accessor : time_accessor);
    json_literal(out, ",\"interpolation\":\"LINEAR\",\"output\":");
    json_uint(out, (uint64_t)track_accessor + i);
    json_literal(out, "}");
  }
  json_literal(out, "],\"channels\":[");
  for (uint32_t i = 0; i < plan->track_count; i++) {
    json_literal(out, i ? ",{\"sampler\":" : "{\"sampler\":");
    json_uint(out, i);
    json_literal(out, ",\"target\":{\"node\":");
    json_uint(out, glb_file_node(plan, plan->tracks[i].node));
    write_path(out, plan->tracks[i].path);
  }
  json_literal(out, "]}");
}
