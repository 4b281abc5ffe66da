/* The file of a skeleton as the body of what is written (write/glb_model.h). */
#ifndef SINEW_READ_KEPT_MODEL_H
#define SINEW_READ_KEPT_MODEL_H

#include "read/reader.h"
#include "skeleton/skeleton.h"
#include "write/glb_model.h"

/* s: the skeleton read from these bytes. *model is NULL where the bytes are no GLB, or where that GLB cannot be
 * kept: then `why` says so, a sentence that lives as long as `memory`. Otherwise the caller closes it. Errors: LIMIT, MEMORY. */
sinew_result kept_model_open(const read_source *source, const skeleton *s, arena *memory, glb_model **model,
                             const char **why, sinew_error *error);

#endif
