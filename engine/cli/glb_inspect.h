/* What `sinew inspect` tells of a GLB. */
#ifndef CLI_GLB_INSPECT_H
#define CLI_GLB_INSPECT_H

#include "json_line.h"
#include "sinew.h"

void glb_inspect_say(const char *path, const sinew_glb *glb, bool verbose);
/* The members from "bytes" on. */
void glb_inspect_fill(json_t *object, const sinew_glb *glb);

#endif
