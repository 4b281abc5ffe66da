/* The JSON chunk of a clip in a model: the model's own text, changed where the clip stands in it. */
#ifndef SINEW_WRITE_GLB_MODEL_JSON_H
#define SINEW_WRITE_GLB_MODEL_JSON_H

#include "write/glb.h"
#include "write/json_out.h"

/* As glb_json_write, of a plan with a model. False: out of memory. */
bool glb_model_json_write(const glb_plan *plan, const glb_layout *layout, arena *memory, json_out *out);

#endif
