#include "read/reader.h"

sinew_read_options read_limits_complete(const sinew_read_options *limits) {
  static const sinew_read_options defaults = {
      .file_bytes = UINT64_C(4) << 30,
      .memory_bytes = UINT64_C(8) << 30,
      .curves = 65536,
      .keys = UINT64_C(1) << 28,
      .clips = 4096,
      .nodes = 4096,
      .depth = 256,
      .name_bytes = 4096,
  };
  if (!limits) return defaults;
  sinew_read_options complete = *limits;
  if (!complete.file_bytes) complete.file_bytes = defaults.file_bytes;
  if (!complete.memory_bytes) complete.memory_bytes = defaults.memory_bytes;
  if (!complete.curves) complete.curves = defaults.curves;
  if (!complete.keys) complete.keys = defaults.keys;
  if (!complete.clips) complete.clips = defaults.clips;
  if (!complete.nodes) complete.nodes = defaults.nodes;
  if (!complete.depth) complete.depth = defaults.depth;
  if (!complete.name_bytes) complete.name_bytes = defaults.name_bytes;
  return complete;
}
