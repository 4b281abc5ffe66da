/* The container of a binary glTF: a header and chunks. */
#ifndef SINEW_READ_GLB_SPLIT_H
#define SINEW_READ_GLB_SPLIT_H

#include "sinew.h"

#include <stddef.h>

typedef struct glb_parts {
  const char *json;
  size_t json_bytes;
  const unsigned char *bin; /* NULL: there is none */
  uint64_t bin_bytes;
} glb_parts;

/* Splits the bytes into chunks. Errors: UNSUPPORTED (no GLB of version 2), SYNTAX. */
sinew_result glb_split(const void *bytes, size_t byte_count, glb_parts *parts, sinew_error *error);

#endif
