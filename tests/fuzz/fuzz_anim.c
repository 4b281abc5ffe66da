/* Bytes as a clip file, through the reader and every kernel of a bake to joint positions, on the sample's rig. */
#include "pose_oracle.h"

#include <stdlib.h>

static const sinew_read_options limits = {.memory_bytes = 64 << 20};
static sinew_rig *rig;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  size_t byte_count;
  char *bytes = oracle_source_file("scripts/sample/walker.fbx.meta", &byte_count);
  oracle_expect(sinew_rig_open_memory(bytes, byte_count, NULL, NULL, &rig, NULL) == SINEW_OK, "the sample's rig opens");
  free(bytes);
  return 0;
}

/* Curves that move nothing are read as well. */
static void list_curves(const sinew_clip *clip) {
  sinew_clip_info info;
  sinew_clip_get_info(clip, &info);
  sinew_curve_info curve;
  uint32_t count = 0;
  while (sinew_clip_get_curve(clip, count, &curve)) {
    oracle_expect(curve.attribute && curve.key_count && curve.least_key <= curve.most_key, "a curve has keys");
    count++;
  }
  oracle_expect(info.name && info.curve_count == count, "a clip knows its curves");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count) {
  sinew_clip_file *file;
  sinew_error error = {0};
  sinew_result result = sinew_clip_file_open_memory(bytes, byte_count, "fuzz.anim", &limits, &file, &error);
  if (result != SINEW_OK) {
    oracle_refusal(result, &error, byte_count);
    return 0;
  }
  uint32_t count = sinew_clip_file_count(file);
  oracle_expect(count > 0, "a file that opens has a clip");
  for (uint32_t i = 0; i < count; i++) list_curves(sinew_clip_file_clip(file, i));
  for (uint32_t i = 0; i < count && i < 4; i++) oracle_poses(sinew_clip_file_clip(file, i), rig, 0);
  oracle_files(sinew_clip_file_clip(file, 0), rig, byte_count);
  sinew_clip_file_close(file);
  return 0;
}
