/* Human bones, as a VRM names them. What is wrong with them makes no broken glTF: it is told. */
#include "base/error.h"
#include "inspect/gltf.h"
#include "read/gltf_human.h"

#include <string.h>

static sinew_result take(gltf_reading *reading, const skeleton *made, sinew_error *error) {
  sinew_glb *glb = reading->glb;
  for (uint32_t i = 0; i < made->warning_count; i++)
    SINEW_TRY(gltf_warn(reading, error, "%s", made->warnings[i]));
  if (strcmp(made->kind, "gltf") == 0) return SINEW_OK;
  glb->human_kind = made->kind;
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) glb->node_of_bone[bone] = made->node_of_bone[bone];
  return SINEW_OK;
}

sinew_result gltf_read_human_facts(gltf_reading *reading, sinew_error *error) {
  sinew_read_options limits = read_limits_complete(NULL);
  limits.memory_bytes = reading->scratch.byte_limit;
  skeleton *made = skeleton_new(limits.memory_bytes);
  SINEW_CHECK(made, error, SINEW_ERROR_MEMORY, "out of memory for human bones");
  sinew_error reason = {0};
  sinew_result result = read_gltf_human(reading->root, reading->glb->info.node_count, &limits, made, &reason);
  if (result == SINEW_OK)
    result = take(reading, made, error);
  else if (result == SINEW_ERROR_MEMORY)
    error_set(error, result, "%s", reason.message);
  else
    result = gltf_warn(reading, error, "human bones are not told: %s", reason.message);
  skeleton_close(made);
  return result;
}
