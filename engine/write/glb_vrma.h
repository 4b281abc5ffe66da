/* A GLB as a VRM animation: what the extension VRMC_vrm_animation 1.0 adds, and what players want of the file
 * beyond what the specification says. */
#ifndef SINEW_WRITE_GLB_VRMA_H
#define SINEW_WRITE_GLB_VRMA_H

#include "write/glb.h"
#include "write/json_out.h"

/* Whether a plan with human_node can be such a file: the required bones are there, none has what it hangs
 * from missing, eyes are not among them; human bones turn, the hips may move, nothing else does; the hips
 * rest above 0, which players divide by. Errors: RIG, ARGUMENT. */
sinew_result glb_vrma_check(const glb_plan *plan, sinew_error *error);

/* extensionsUsed and extensions, with a comma in front. */
void glb_vrma_write(const glb_plan *plan, json_out *out);

#endif
