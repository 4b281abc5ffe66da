/* A character's own GLB or VRM as the body of what is written. Its nodes, meshes, skins, materials, images,
 * scenes, extensions and extras go into the output as they stand, byte for byte, whether anything here knows
 * them or not; its animations make place for the clip.
 *
 * What is changed in its JSON: `animations`; `accessors` and `bufferViews`, to which the clip's are added;
 * the length of buffer 0; asset.generator and asset.extras.sinew; the matrix of a node that the clip moves,
 * in whose place translation, rotation and scale stand. No index of anything else changes, so that an
 * extension of any kind stays right: accessors and views of the old animations leave only where they stand at
 * the end of their lists, and bytes only where they stand at the end of the buffer. Where extras, or an
 * extension that may name such things, hold a whole number, the accessor and the view of that index stay too,
 * whatever the number means; one that names an old animation by its index is not seen. */
#ifndef SINEW_WRITE_GLB_MODEL_H
#define SINEW_WRITE_GLB_MODEL_H

#include "base/arena.h"
#include "sinew.h"
#include "write/json_splice.h"

enum { GLB_MODEL_WARNINGS = 8 };

/* A list to which the clip's items are added. */
typedef struct model_list {
  bool there;
  json_span cut;       /* the items that leave, with a comma before them; empty: the end of the last item */
  uint32_t kept_count; /* items that stay, so that the clip's begin behind them */
} model_list;

/* Read-only once opened: the files of many clips share it. */
typedef struct glb_model {
  arena memory;
  json_text text;
  json_span root;
  model_list accessors, views;
  uint32_t node_count;
  bool *has_matrix;         /* [node_count]; NULL: no node has one */
  const char *generator;    /* what wrote the model; NULL: unknown */
  bool has_buffer;          /* buffer 0 is described */
  bool empty;               /* nothing of buffer 0 stays and there is no other */
  const unsigned char *bin; /* what stays of it, padded with zeros to a multiple of 4 */
  uint64_t byte_count;      /* without the padding */
  uint32_t cut_animations, cut_accessors, cut_views;
  uint64_t cut_bytes;
  const char *warnings[GLB_MODEL_WARNINGS]; /* what the caller should tell */
  uint32_t warning_count;
} glb_model;

/* Opens a model; its bytes are copied. limits: memory_bytes and nodes count; NULL: the defaults. The caller
 * closes it. Errors: UNSUPPORTED (no GLB of version 2, data in other files), SYNTAX (what stands in it would
 * be broken in the output too), LIMIT, MEMORY. */
sinew_result glb_model_open(const void *glb, size_t byte_count, const sinew_read_options *limits,
                            glb_model **model, sinew_error *error);
void glb_model_close(glb_model *model);

static inline uint64_t glb_model_padded(const glb_model *model) {
  return (model->byte_count + 3) / 4 * 4;
}

#endif
