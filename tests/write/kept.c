#include "write/kept.h"
#include "read/gltf_document.h"
#include "support/data.h"
#include "write/outfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_text kept_text(const char *glb) {
  uint32_t byte_count;
  memcpy(&byte_count, glb + 12, sizeof byte_count);
  return (json_text){glb + 20, byte_count};
}

/* ---- the plan's nodes --------------------------------------------------------------------------------- */

static void numbers(const json_t *list, size_t count, double *values) {
  for (size_t i = 0; i < count && json_array_size(list) == count; i++)
    values[i] = json_number_value(json_array_get(list, i));
}

/* To Unity's frame: what the writer undoes. */
static rig_node node_of(const json_t *json) {
  matrix_parts parts = {.q = {0, 0, 0, 1}, .s = {1, 1, 1}};
  double columns[16], m[3][4];
  const json_t *matrix = json_object_get(json, "matrix");
  if (matrix) {
    numbers(matrix, 16, columns);
    for (int i = 0; i < 12; i++) m[i / 4][i % 4] = columns[i % 4 * 4 + i / 4];
    matrix_decompose(m, &parts);
  } else {
    numbers(json_object_get(json, "translation"), 3, parts.t);
    numbers(json_object_get(json, "rotation"), 4, parts.q);
    numbers(json_object_get(json, "scale"), 3, parts.s);
  }
  return (rig_node){.parent = -1,
                    .t = {-parts.t[0], parts.t[1], parts.t[2]},
                    .q = {parts.q[0], -parts.q[1], -parts.q[2], parts.q[3]},
                    .s = {parts.s[0], parts.s[1], parts.s[2]}};
}

/* Nodes with a matrix first, then those without a mesh: joints, mostly. */
static bool is_moved(const json_t *json, bool with_matrix) {
  if (with_matrix) return json_object_get(json, "matrix") != NULL;
  return !json_object_get(json, "matrix") && !json_object_get(json, "mesh") &&
         !json_object_get(json, "camera");
}

static void choose_tracks(kept_clip *clip, const json_t *nodes) {
  uint32_t count = 0;
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < clip->plan.node_count; i++) {
      const uint32_t node = clip->plan.node_count - 1 - i; /* in the file's order */
      if (!is_moved(json_array_get(nodes, clip->file_node[node]), pass == 0)) continue;
      for (int path = 0; path < 2 && count < KEPT_TRACKS; path++, count++)
        clip->tracks[count] = (glb_track){node, path ? GLB_ROTATION : GLB_TRANSLATION, count % 10 == 4};
    }
  clip->plan.track_count = count;
}

static bool build(kept_clip *clip) {
  const json_text text = kept_text(clip->source);
  clip->root = json_loadb(text.bytes, text.byte_count, JSON_REJECT_DUPLICATES, NULL);
  const json_t *nodes = json_object_get(clip->root, "nodes");
  const uint32_t count = (uint32_t)json_array_size(nodes);
  clip->nodes = calloc(count, sizeof *clip->nodes);
  clip->file_node = calloc(count, sizeof *clip->file_node);
  if (!clip->root || !count || !clip->nodes || !clip->file_node) return false;
  for (uint32_t i = 0; i < count; i++) clip->file_node[i] = count - 1 - i;
  for (uint32_t i = 0; i < count; i++) clip->nodes[i] = node_of(json_array_get(nodes, clip->file_node[i]));
  clip->plan = (glb_plan){.nodes = clip->nodes,
                          .node_count = count,
                          .clip_name = "made up",
                          .source_name = "made_up.bvh",
                          .profile = "fma",
                          .rate_hz = 30,
                          .frame_count = KEPT_FRAMES,
                          .stop_s = (KEPT_FRAMES - 1) / 30.0,
                          .tracks = clip->tracks,
                          .model = clip->model,
                          .file_node = clip->file_node};
  choose_tracks(clip, nodes);
  return true;
}

bool kept_open(const char *path, kept_clip *clip, sinew_error *error) {
  memset(clip, 0, sizeof *clip);
  clip->source = test_read_file(path, &clip->source_bytes);
  if (!clip->source) return false;
  return glb_model_open(clip->source, clip->source_bytes, NULL, &clip->model, error) == SINEW_OK &&
         build(clip);
}

void kept_close(kept_clip *clip) {
  glb_model_close(clip->model);
  json_decref(clip->root);
  free(clip->nodes);
  free(clip->file_node);
  free(clip->source);
}

/* ---- writing ------------------------------------------------------------------------------------------ */

static size_t key_of(const kept_clip *clip, uint32_t track, uint64_t key, double swing, float stored[4]) {
  const glb_track *t = &clip->tracks[track];
  const rig_node *node = &clip->nodes[t->node];
  const bool rotation = t->path == GLB_ROTATION;
  const double *rest = rotation ? node->q : node->t;
  const size_t count = rotation ? 4 : 3;
  double value[4], square = 0;
  for (size_t i = 0; i < count; i++) {
    value[i] = rest[i] + (rotation ? swing : swing * 0.1) * sin((double)key * 0.1 + (double)(track + i));
    square += value[i] * value[i];
  }
  static const double sign[2][4] = {{-1, 1, 1, 1}, {1, -1, -1, 1}};
  for (size_t i = 0; i < count; i++)
    stored[i] = (float)(sign[rotation][i] * value[i] / (rotation ? sqrt(square) : 1));
  return count * sizeof *stored;
}

static bool write_all(const kept_clip *clip, double swing, const glb_layout *layout, outfile *file,
                      sinew_error *error) {
  const glb_plan *plan = &clip->plan;
  const float zero = 0;
  if (outfile_write(file, layout->head, layout->head_byte_count, 0, error) != SINEW_OK) return false;
  if (glb_write_model(plan, layout, file, error) != SINEW_OK) return false;
  if (layout->has_key_time &&
      outfile_write(file, &zero, sizeof zero, layout->key_time_offset, error) != SINEW_OK)
    return false;
  for (uint64_t i = 0; i < layout->time_count; i++) {
    const float time_s = glb_key_time(plan, layout, i);
    if (outfile_write(file, &time_s, sizeof time_s, layout->times_offset + i * sizeof time_s, error) !=
        SINEW_OK)
      return false;
  }
  for (uint32_t track = 0; track < plan->track_count; track++)
    for (uint64_t key = 0; key < glb_key_count(plan, layout, track); key++) {
      float stored[4];
      const size_t bytes = key_of(clip, track, key, swing, stored);
      if (outfile_write(file, stored, bytes, layout->track_offset[track] + key * bytes, error) != SINEW_OK)
        return false;
    }
  return atomic_load(&file->byte_count) == layout->file_byte_count;
}

bool kept_write(const kept_clip *clip, double swing, const char *path, glb_layout *layout,
                sinew_error *error) {
  if (glb_layout_build(&clip->plan, layout, error) != SINEW_OK) return false;
  outfile file;
  if (outfile_open(path, &file, error) != SINEW_OK) return false;
  if (write_all(clip, swing, layout, &file, error)) return outfile_publish(&file, error) == SINEW_OK;
  outfile_discard(&file);
  return false;
}
