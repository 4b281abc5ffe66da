/* The JSON of a clip: its accessors, their view, the animation. */
#ifndef SINEW_WRITE_GLB_ANIMATION_JSON_H
#define SINEW_WRITE_GLB_ANIMATION_JSON_H

#include "write/glb.h"
#include "write/json_out.h"

/* Each appends to the array that is open, without a comma before it. The plan has tracks. Indices count from
 * those that a model keeps. */
void glb_animation_accessors(const glb_plan *plan, const glb_layout *layout, json_out *out);
void glb_animation_view(const glb_layout *layout, json_out *out);
void glb_animation_object(const glb_plan *plan, const glb_layout *layout, json_out *out);

#endif
