/* Accessors: what the JSON says about an array of numbers, checked against the BIN chunk. */
#ifndef SINEW_VERIFY_ACCESSOR_H
#define SINEW_VERIFY_ACCESSOR_H

#include "verify/glb_document.h"
#include "verify/json_field.h"

typedef enum accessor_use {                /* what its bufferView must say */
                            USE_ANIMATION, /* no stride, no target */
                            USE_MATRICES,  /* the same */
                            USE_VERTICES,  /* target 34962; a stride is allowed */
                            USE_INDICES    /* target 34963 */
} accessor_use;

enum { COMPONENT_UBYTE = 5121, COMPONENT_SHORT = 5122, COMPONENT_USHORT = 5123, COMPONENT_FLOAT = 5126 };

typedef struct document_accessor {
  json_place place;
  uint64_t offset; /* in the file */
  uint64_t count;
  uint32_t stride_bytes;
  uint32_t component_count;
  int component; /* COMPONENT_* */
  bool normalized;
} document_accessor;

/* Reads accessor `index` and proves that it lies within its bufferView, that within the buffer, that within
 * the BIN chunk. Components other than the four above are refused, and so are sparse ones and normalized
 * floats. Errors: VERIFY. */
sinew_result accessor_read(const verify_file *file, const json_t *root, uint64_t index, accessor_use use,
                           document_accessor *accessor, sinew_error *error);
/* VERIFY unless the accessor holds these. */
sinew_result accessor_expect(const document_accessor *accessor, uint32_t component_count, int component,
                             bool normalized, sinew_error *error);
/* The bytes from the first item to the last, in `memory`. Errors: VERIFY, IO, MEMORY. */
sinew_result accessor_load(const verify_file *file, const document_accessor *accessor, arena *memory,
                           const unsigned char **bytes, sinew_error *error);

#endif
