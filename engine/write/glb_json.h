/* The JSON chunk of a baked clip. */
#ifndef SINEW_WRITE_GLB_JSON_H
#define SINEW_WRITE_GLB_JSON_H

#include "write/glb.h"
#include "write/json_out.h"

/* The layout's offsets count from the start of the BIN chunk here. Nothing in the text changes from run to
 * run. Errors: MEMORY. */
sinew_result glb_json_write(const glb_plan *plan, const glb_layout *layout, uint64_t bin_byte_count,
                            json_out *out, sinew_error *error);

#endif
