/* A GLB's bytes to a model with a clip in it: what comes out is a GLB of the size that was told, its JSON is sound, and
 * what is kept of the lists and the buffer is what was read. */
#include "base/heap.h"
#include "pose_oracle.h"
#include "write/glb.h"
#include "write/glb_model.h"

#include <jansson.h>
#include <stdint.h>
#include <string.h>

static const sinew_read_options options = {.memory_bytes = 64 << 20, .nodes = 256};

/* Key 0 of every second node's rotation, every third's translation. */
static uint32_t list_tracks(uint32_t node_count, glb_track *tracks) {
  uint32_t count = 0;
  for (uint32_t node = 0; node < node_count; node++) {
    if (node % 2 == 0) tracks[count++] = (glb_track){node, GLB_ROTATION, node % 4 == 0};
    if (node % 3 == 0) tracks[count++] = (glb_track){node, GLB_TRANSLATION, node % 9 == 0};
  }
  return count;
}

static void check_head(const glb_plan *plan, const glb_layout *layout) {
  uint32_t words[5];
  memcpy(words, layout->head, sizeof words);
  oracle_expect(words[2] == layout->file_byte_count && words[3] % 4 == 0, "the header tells the sizes");
  json_t *root = json_loadb(layout->head + 20, words[3], JSON_REJECT_DUPLICATES, NULL);
  oracle_expect(root, "the JSON is sound");
  const size_t own = plan->track_count ? plan->track_count + (layout->time_count > 0) + layout->has_key_time : 0;
  oracle_expect(json_array_size(json_object_get(root, "nodes")) == plan->model->node_count, "nodes stay");
  oracle_expect(json_array_size(json_object_get(root, "accessors")) == plan->model->accessors.kept_count + own,
                "accessors are those kept and the clip's");
  oracle_expect(json_array_size(json_object_get(root, "bufferViews")) ==
                    plan->model->views.kept_count + (plan->track_count > 0),
                "views are those kept and the clip's");
  const json_int_t bytes =
      json_integer_value(json_object_get(json_array_get(json_object_get(root, "buffers"), 0), "byteLength"));
  const uint64_t chunk = layout->file_byte_count - layout->head_byte_count;
  oracle_expect((uint64_t)bytes <= chunk && chunk - (uint64_t)bytes < 4, "buffer 0 fills the BIN chunk");
  oracle_expect(plan->track_count || !json_object_get(root, "animations"), "no animation without a clip");
  json_decref(root);
}

static void write_clip(const glb_model *model, bool moves) {
  static rig_node nodes[256];
  static glb_track tracks[512];
  sinew_error error = {0};
  glb_layout layout;
  for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) nodes[i] = (rig_node){"", -1, {0}, {0, 0, 0, 1}, {1, 1, 1}};
  const glb_plan plan = {.nodes = nodes,
                         .node_count = model->node_count,
                         .rate_hz = 30,
                         .frame_count = 3,
                         .stop_s = 2 / 30.0,
                         .tracks = tracks,
                         .track_count = moves ? list_tracks(model->node_count, tracks) : 0,
                         .model = model};
  oracle_expect(glb_layout_build(&plan, &layout, &error) == SINEW_OK, "what was opened can be written");
  check_head(&plan, &layout);
  glb_layout_release(&layout);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count) {
  sinew_error error = {0};
  glb_model *model;
  const sinew_result result = glb_model_open(bytes, byte_count, &options, &model, &error);
  if (result != SINEW_OK) {
    oracle_refusal(result, &error, byte_count);
    return 0;
  }
  write_clip(model, true);
  write_clip(model, false);
  glb_model_close(model);
  return 0;
}
