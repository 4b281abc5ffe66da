#include "read/kept_model.h"
#include "base/error.h"
#include "read/motion_reader.h"

#include <string.h>

static bool is_glb(const read_source *source) {
  return source->byte_count >= 4 && memcmp(source->bytes, "glTF", 4) == 0;
}

sinew_result kept_model_open(const read_source *source, const skeleton *s, arena *memory, glb_model **model,
                             const char **why, sinew_error *error) {
  *model = NULL;
  *why = NULL;
  if (!is_glb(source)) {
    if (is_gltf(source)) *why = "it is a glTF outside a GLB";
    return SINEW_OK;
  }
  if (s->regrouped) {
    *why = "its nodes hang from others than in its file";
    return SINEW_OK;
  }
  sinew_error reason;
  const sinew_result result =
      glb_model_open(source->bytes, source->byte_count, &source->limits, model, &reason);
  if (result == SINEW_OK) return SINEW_OK;
  *model = NULL;
  if (result == SINEW_ERROR_MEMORY || result == SINEW_ERROR_LIMIT) {
    if (error) *error = reason;
    return result;
  }
  *why = arena_text(memory, reason.message, strlen(reason.message));
  SINEW_CHECK(*why, error, SINEW_ERROR_MEMORY, "out of memory for a warning");
  return SINEW_OK;
}
