/* A glTF's bytes to a skeleton and its movement, which keep what motion.h promises, and on to poses. */
#include "base/heap.h"
#include "pose_oracle.h"
#include "read/motion_reader.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const sinew_read_options options = {.memory_bytes = 64 << 20, .nodes = 256, .keys = 1 << 16, .curves = 256};

static void check_nodes(const skeleton *made) {
  oracle_expect(made->node_count >= 1 && made->node_count <= options.nodes, "nodes within their limit");
  for (uint32_t i = 0; i < made->node_count; i++) {
    const skeleton_node *node = &made->nodes[i];
    double square = 0;
    for (int k = 0; k < 4; k++) square += node->q[k] * node->q[k];
    oracle_expect(fabs(square - 1) < 1e-9, "rests are rotations");
    oracle_expect(node->parent >= -1 && node->parent < (int32_t)i, "parents stand before children");
    oracle_expect(node->source_index < made->node_count && strlen(node->name) <= 4096, "a node is one of the file's");
    for (int k = 0; k < 3; k++) oracle_expect(isfinite(node->t[k]) && isfinite(node->s[k]), "rests are finite");
    for (int k = 0; k < 12; k++) oracle_expect(isfinite(node->bind[k / 4][k % 4]), "bind poses are finite");
  }
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    oracle_expect(made->node_of_bone[bone] >= -1 && made->node_of_bone[bone] < (int32_t)made->node_count,
                  "a bone is a node or none");
}

static void check_track(const motion_track *track, uint32_t node_count) {
  const uint64_t width = track->path == MOTION_ROTATION ? 4 : 3;
  const uint64_t count = width * track->key_count * (track->interpolation == MOTION_CUBIC ? 3 : 1);
  oracle_expect(track->node < node_count && track->key_count >= 1, "a track has a node and a key");
  for (uint32_t k = 0; k < track->key_count; k++)
    oracle_expect(isfinite(track->time_s[k]) && (k == 0 || track->time_s[k] > track->time_s[k - 1]), "times ascend");
  for (uint64_t i = 0; i < count; i++) oracle_expect(isfinite(track->values[i]), "values are finite");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count) {
  const read_source source = {(const char *)bytes, byte_count, read_limits_complete(&options)};
  sinew_error error = {0};
  motion_file *file = heap_alloc(1, sizeof *file);
  oracle_expect(file, "memory for a handle");
  file->memory.byte_limit = options.memory_bytes;
  const sinew_result result = read_gltf(&source, NULL, file, &error);
  if (result != SINEW_OK) {
    oracle_refusal(result, &error, byte_count);
    motion_file_close(file);
    return 0;
  }
  check_nodes(file->skeleton);
  for (uint32_t m = 0; m < file->motion_count; m++) {
    const motion *one = &file->motions[m];
    oracle_expect(isfinite(one->start_s) && isfinite(one->stop_s) && one->start_s <= one->stop_s, "a motion has a span");
    for (uint32_t i = 0; i < one->track_count; i++) check_track(&one->tracks[i], file->skeleton->node_count);
  }
  oracle_map(file);
  motion_file_close(file);
  oracle_bones(bytes, byte_count, "fuzz.glb");
  return 0;
}
