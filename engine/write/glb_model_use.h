/* What of a model its old animations alone use. */
#ifndef SINEW_WRITE_GLB_MODEL_USE_H
#define SINEW_WRITE_GLB_MODEL_USE_H

#include "base/arena.h"
#include "sinew.h"

#include <jansson.h>

typedef struct model_use {
  uint32_t accessor_count, view_count; /* of the file */
  uint32_t kept_accessors, kept_views;
  uint64_t buffer_bytes, kept_bytes; /* of buffer 0 */
} model_use;

/* accessor_count, view_count and buffer_bytes are set; each view is known to lie in its buffer, each index in
 * an accessor to be one of a view. Errors: MEMORY. */
sinew_result model_use_find(const json_t *root, model_use *use, sinew_error *error);

#endif
