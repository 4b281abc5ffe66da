/* Bytes as a model's .meta, through the reader, the rig compiler and the kernels' constants to joint positions of the
 * sample's walk. */
#include "pose_oracle.h"

#include <math.h>
#include <stdlib.h>

static const sinew_rig_options options = {.read = {.memory_bytes = 64 << 20}};
static sinew_clip_file *walk;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  size_t byte_count;
  char *bytes = oracle_source_file("scripts/sample/walk_cut.anim", &byte_count);
  oracle_expect(sinew_clip_file_open_memory(bytes, byte_count, NULL, NULL, &walk, NULL) == SINEW_OK,
                "the sample's clip opens");
  free(bytes);
  return 0;
}

static void list_rig(const sinew_rig *rig) {
  sinew_rig_info info;
  sinew_rig_get_info(rig, &info);
  oracle_expect(info.name && info.node_count && info.human_bone_count, "a rig has bones");
  oracle_expect(info.height_m > 0 && isfinite(info.height_m) && isfinite(info.human_scale_m), "a rig has a height");
  sinew_rig_bone bone;
  for (uint32_t i = 0; i < SINEW_HUMAN_BONE_COUNT; i++) {
    oracle_expect(sinew_rig_get_bone(rig, i, &bone), "every bone can be asked for");
    oracle_expect(bone.node_name ? bone.node < info.node_count : !sinew_bone_required(i), "required bones are there");
    for (int axis = 0; axis < 3; axis++) oracle_expect(bone.min_deg[axis] <= bone.max_deg[axis], "limits are in order");
  }
  for (uint32_t i = 0; i < info.warning_count; i++)
    oracle_expect(sinew_rig_warning(rig, i) && sinew_rig_warning(rig, i)[0], "warnings have words");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count) {
  sinew_rig *rig;
  sinew_error error = {0};
  sinew_result result = sinew_rig_open_memory(bytes, byte_count, "fuzz.fbx.meta", &options, &rig, &error);
  if (result != SINEW_OK) {
    oracle_refusal(result, &error, byte_count);
    return 0;
  }
  list_rig(rig);
  oracle_poses(sinew_clip_file_clip(walk, 0), rig, 0);
  sinew_rig_close(rig);
  return 0;
}
