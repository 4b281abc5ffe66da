/* What VRM says of human bones, to those who hold a glTF's JSON already. */
#ifndef SINEW_READ_GLTF_HUMAN_H
#define SINEW_READ_GLTF_HUMAN_H

#include "read/reader.h"
#include "skeleton/skeleton.h"

#include <jansson.h>

/* Fills kind, name, node_of_bone and warnings of `made`, which is empty; nodes are numbered as in the file.
 * kind is "gltf" where no extension speaks of human bones. Errors: SYNTAX, LIMIT, MEMORY. */
sinew_result read_gltf_human(const json_t *root, uint32_t node_count, const sinew_read_options *limits,
                             skeleton *made, sinew_error *error);

#endif
