/* A glTF file while its skeleton and its animations are read. Only what these need is looked at: a buffer, a
 * view or an accessor of meshes and images may be anything. Messages begin with the place in the JSON:
 * "animations[2].samplers[0].input: ...". All functions that fail return SYNTAX for a broken rule of the
 * format, and what else they name. */
#ifndef SINEW_READ_GLTF_DOCUMENT_H
#define SINEW_READ_GLTF_DOCUMENT_H

#include "base/arena.h"
#include "base/os.h"
#include "clip/motion.h"
#include "read/affine.h"
#include "read/reader.h"

#include <jansson.h>

/* A member of the file, or where one would stand. */
typedef struct doc_place {
  const json_t *json; /* NULL: it is not there */
  char path[120];     /* "nodes[3].matrix"; "" of the file itself; cut where it is longer */
} doc_place;

typedef struct doc_buffer {
  bool opened;
  os_file file; /* closed with the document; empty where the bytes stand elsewhere */
  const unsigned char *bytes;
  uint64_t byte_count;
} doc_buffer;

/* A run of bytes of a buffer. */
typedef struct doc_view {
  const unsigned char *bytes;
  uint64_t byte_count;
  uint32_t stride; /* 0: elements stand end to end */
} doc_view;

/* What a list of numbers was already found to be, as bits. */
enum { DOC_TIMES = 1, DOC_FINITE = 2, DOC_ROTATIONS = 4, DOC_CUBIC_ROTATIONS = 8 };

typedef struct doc_accessor {
  bool shaped;
  uint64_t count;
  uint32_t component_count;
  uint32_t component_bytes;
  uint32_t component_type; /* 5120..5126 */
  bool normalized;
  const char *type;    /* "VEC3" */
  uint32_t checked;    /* DOC_* */
  const float *values; /* NULL until they are asked for */
} doc_accessor;

typedef struct doc_animation_counts {
  uint64_t tracks;
  uint64_t keys;
} doc_animation_counts;

typedef struct gltf_document {
  const read_source *source;
  const char *folder; /* where other files may stand; NULL: nowhere */
  sinew_error *error;
  motion_file *file;
  arena scratch;
  doc_place root;
  const unsigned char *bin; /* of a GLB */
  uint64_t bin_bytes;
  doc_buffer *buffers;
  uint32_t buffer_count;
  uint64_t buffer_bytes; /* of those opened */
  uint32_t view_count;
  doc_accessor *accessors;
  uint32_t accessor_count;
  uint64_t decoded_bytes;
  uint32_t *node_of_source; /* the skeleton's index of the file's node */
  uint32_t *target_stamp;   /* three a node: the last animation that moves it so, from 1 */
  doc_animation_counts counts;
  uint32_t weights;        /* channels that move morph targets */
  uint32_t bent_rotations; /* keys whose length is not 1 */
  uint32_t missing_bounds; /* inputs without min and max */
  uint32_t wrong_bounds;   /* inputs with others than their keys have */
} gltf_document;

/* ---- gltf_json.c: checked access to members -------------------------------------------------------------
 */

doc_place doc_at_key(const doc_place *object, const char *key);
doc_place doc_at_index(const doc_place *list, size_t index);
/* Sets the error, behind the place's path. Returns code. */
sinew_result doc_fail(const gltf_document *d, sinew_result code, const doc_place *place, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));
/* SYNTAX unless the member is there and an object. */
sinew_result doc_object(const gltf_document *d, const doc_place *place);
/* An optional array; count 0 where it is missing or empty. LIMIT past `limit` items. */
sinew_result doc_list(const gltf_document *d, const doc_place *object, const char *key, uint32_t limit,
                      doc_place *list, uint32_t *count);
/* An optional integer from 0 below `limit`, of which the message says `what` ("nodes"); -1: missing. */
sinew_result doc_index(const gltf_document *d, const doc_place *object, const char *key, uint32_t limit,
                       const char *what, int32_t *index);
/* The same of the member itself, which must be there. */
sinew_result doc_own_index(const gltf_document *d, const doc_place *place, uint32_t limit, const char *what,
                           uint32_t *index);
/* An optional integer that is not negative. */
sinew_result doc_size(const gltf_document *d, const doc_place *object, const char *key, uint64_t missing,
                      uint64_t *value);
/* An optional string, *text NULL where it is missing; of at most limits.name_bytes but for a uri. */
sinew_result doc_string(const gltf_document *d, const doc_place *object, const char *key, const char **text);
/* A copy of an optional name in `memory`, "" where it is missing. */
sinew_result doc_name(const gltf_document *d, const doc_place *object, const char *key, arena *memory,
                      const char **name);
/* An optional array of `count` numbers within 1e12; values are left alone where it is missing. */
sinew_result doc_numbers(const gltf_document *d, const doc_place *object, const char *key, size_t count,
                         double *values, bool *present);
/* Zeroed memory; items is the address of a pointer. Errors: MEMORY. */
sinew_result doc_items(const gltf_document *d, arena *memory, size_t count, size_t size, void *items);
/* Adds to the skeleton's warnings, as skeleton_warn. Errors: MEMORY. */
#define DOC_WARN(d, ...)                                                                                     \
  SINEW_CHECK(skeleton_warn((d)->file->skeleton, __VA_ARGS__), (d)->error, SINEW_ERROR_MEMORY,               \
              "out of memory, or past its limit, for warnings")
/* A name fit for a message. */
typedef struct doc_label {
  char text[72];
} doc_label;
doc_label doc_show(const char *text);

/* ---- gltf_uri.c ------------------------------------------------------------------------------------------
 */

/* Whether the uri holds its data itself. */
bool doc_uri_is_data(const char *uri);
/* The bytes of a data uri, in the document's scratch memory. */
sinew_result doc_uri_data(gltf_document *d, const doc_place *place, const char *uri,
                          const unsigned char **bytes, uint64_t *byte_count);
/* Opens a file at or below the document's folder: no scheme, no absolute path, no '..', no symbolic link.
 * Errors: also IO, LIMIT, MEMORY, UNSUPPORTED (there is no folder). */
sinew_result doc_uri_file(gltf_document *d, const doc_place *place, const char *uri, uint64_t byte_limit,
                          os_file *file);

/* ---- gltf_buffers.c, gltf_accessors.c ------------------------------------------------------------------ */

sinew_result doc_view_open(gltf_document *d, uint32_t index, const doc_place *user, doc_view *view);
/* Type and count, from the JSON alone. */
sinew_result doc_accessor_shape(gltf_document *d, uint32_t index, doc_accessor **accessor);
/* All of its elements as floats, normalised where it says so; the same memory each time. The type must be one
 * without padding: SCALAR, VEC3, VEC4, or MAT4 of floats. */
sinew_result doc_accessor_values(gltf_document *d, uint32_t index, const float **values);
/* "VEC3 of normalised int8", for messages. */
doc_label doc_accessor_text(const doc_accessor *accessor);
enum {
  COMPONENT_INT8 = 5120,
  COMPONENT_UINT8,
  COMPONENT_INT16,
  COMPONENT_UINT16,
  COMPONENT_UINT32 = 5125,
  COMPONENT_FLOAT
};

/* ---- the parts, in this order ----------------------------------------------------------------------------
 */

sinew_result doc_read_nodes(gltf_document *d);   /* gltf_nodes.c: fills node_of_source */
sinew_result doc_read_skins(gltf_document *d);   /* gltf_skins.c */
sinew_result doc_read_human(gltf_document *d);   /* gltf_human.c: kind, name and node_of_bone */
sinew_result doc_read_motions(gltf_document *d); /* gltf_motion.c */

#endif
