/* Bytes as a BVH: a refusal says why; a hierarchy stands in order and its rows hold numbers; what moves is posed. */
#include "pose_oracle.h"
#include "read/motion_reader.h"

#include <math.h>
#include <string.h>

static const sinew_read_options options = {.memory_bytes = 64 << 20};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

static void check_nodes(const sinew_bvh *bvh, const sinew_bvh_info *info) {
  uint32_t joints = 0, channels = 0, depth = 0;
  sinew_bvh_node node, parent;
  for (uint32_t i = 0; sinew_bvh_get_node(bvh, i, &node); i++) {
    oracle_expect(node.parent >= -1 && node.parent < (int32_t)i, "parents stand before children");
    oracle_expect(node.parent < 0 ? node.depth == 0
                                  : sinew_bvh_get_node(bvh, (uint32_t)node.parent, &parent) &&
                                        node.depth == parent.depth + 1,
                  "a node is one deeper than its parent");
    oracle_expect(node.channel_count <= 6 && node.first_channel + node.channel_count <= info->channel_count,
                  "a node's channels are columns of a row");
    for (int axis = 0; axis < 3; axis++) oracle_expect(fabs(node.offset[axis]) <= 1e9, "offsets are near");
    joints += !node.end_site;
    channels += node.channel_count;
    if (node.depth + 1 > depth) depth = node.depth + 1;
  }
  oracle_expect(info->node_count >= 1 && joints == info->joint_count && depth == info->depth,
                "joints are counted");
  oracle_expect(channels == info->channel_count, "channels are counted");
  for (int axis = 0; axis < 3; axis++)
    oracle_expect(info->rest_size[axis] >= 0 && info->rest_size[axis] <= 1e13, "the rest has a size");
}

static void check_rows(const sinew_bvh *bvh, const sinew_bvh_info *info) {
  for (uint64_t f = 0; f < info->frame_count; f++) {
    const float *row = sinew_bvh_row(bvh, f);
    oracle_expect(row, "every frame has a row");
    for (uint32_t c = 0; c < info->channel_count; c++) oracle_expect(isfinite(row[c]), "values are finite");
  }
  oracle_expect(!sinew_bvh_row(bvh, info->frame_count), "no row stands past the last");
  oracle_expect(!info->has_motion || (info->rate_hz > 0 && isfinite(info->duration_s)), "frames have a rate");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count) {
  sinew_bvh *bvh;
  sinew_error error = {0};
  const sinew_result result = sinew_bvh_open_memory(bytes, byte_count, "fuzz.bvh", &options, &bvh, &error);
  if (result != SINEW_OK) {
    oracle_refusal(result, &error, byte_count);
    return 0;
  }
  sinew_bvh_info info;
  sinew_bvh_get_info(bvh, &info);
  check_nodes(bvh, &info);
  check_rows(bvh, &info);
  for (uint32_t i = 0; i < info.warning_count; i++)
    oracle_expect(sinew_bvh_warning(bvh, i) && sinew_bvh_warning(bvh, i)[0], "warnings have words");
  sinew_bvh_close(bvh);
  motion_file *file;
  oracle_expect(read_motion_memory(bytes, byte_count, "fuzz.bvh", &options, &file, &error) == SINEW_OK,
                "what opens as a BVH is read as movement");
  oracle_map(file);
  motion_file_close(file);
  oracle_bones(bytes, byte_count, "fuzz.bvh");
  return 0;
}
