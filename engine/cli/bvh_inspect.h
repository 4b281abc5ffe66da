/* What `sinew inspect` tells of a BVH. */
#ifndef CLI_BVH_INSPECT_H
#define CLI_BVH_INSPECT_H

#include "json_line.h"
#include "sinew.h"

void bvh_inspect_say(const char *path, const sinew_bvh *bvh, bool verbose);
/* The members from "bytes" on. */
void bvh_inspect_fill(json_t *object, const sinew_bvh *bvh);

#endif
