/* The JSON of a model, checked as far as what is added to it depends on it. */
#ifndef SINEW_WRITE_GLB_MODEL_CHECK_H
#define SINEW_WRITE_GLB_MODEL_CHECK_H

#include "write/glb_model.h"
#include "write/glb_model_use.h"

/* bin_byte_count: of the BIN chunk. Fills the use's counts and buffer_bytes, and the model's node_count and
 * warnings. Errors: UNSUPPORTED, SYNTAX, LIMIT, MEMORY. */
sinew_result model_check(const json_t *root, uint64_t bin_byte_count, uint32_t node_limit, glb_model *model,
                         model_use *use, sinew_error *error);

#endif
