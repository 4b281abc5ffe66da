/* A GLB on its way from bytes to the facts that sinew.h tells of it. Shares nothing with write/. What a file
 * must not do is refused where it is read; what is only odd becomes a warning. Functions that fail return
 * VERIFY for a broken rule of the format, as verify/json_field.h does; the door to the outside calls it
 * SYNTAX. */
#ifndef SINEW_INSPECT_GLTF_H
#define SINEW_INSPECT_GLTF_H

#include "base/arena.h"
#include "rig/human.h"
#include "sinew.h"

#include <jansson.h>

/* A run of bytes of the BIN chunk. */
typedef struct gltf_view {
  uint64_t offset;
  uint64_t byte_count;
  uint32_t stride; /* 0: elements stand end to end */
  bool here;       /* false: the data lie outside the file */
} gltf_view;

/* What reads an accessor's or a view's bytes, as bits. */
enum { GLTF_USE_ANIMATION = 1, GLTF_USE_MESH = 2, GLTF_USE_SKIN = 4, GLTF_USE_IMAGE = 8, GLTF_USE_ALL = 15 };

typedef struct gltf_sparse {
  uint64_t count; /* 0: not sparse */
  uint64_t index_offset;
  uint64_t value_offset;
  uint32_t index_bytes; /* 1, 2 or 4 */
  bool here;
} gltf_sparse;

/* What one pass over an accessor's elements finds. */
typedef struct gltf_key_facts {
  bool known;
  bool constant;
  uint32_t per_key; /* what the pass was told */
  bool cubic;
  bool rotation;
} gltf_key_facts;

typedef struct gltf_accessor {
  uint64_t offset; /* in the BIN chunk */
  uint64_t count;
  uint32_t stride;
  uint32_t element_bytes;
  uint32_t component_count;
  uint32_t component_bytes;
  uint32_t component_type; /* as in the file: 5120..5126 */
  uint32_t use;            /* GLTF_USE_* */
  uint32_t stamp;          /* the last list that took it, from 1 */
  bool normalized;
  bool here;  /* the elements lie in the BIN chunk */
  bool zeros; /* there are none: all are zero but for the sparse ones */
  bool times_known;
  double start_s, stop_s; /* when times_known */
  gltf_sparse sparse;
  gltf_key_facts facts;
} gltf_accessor;

typedef struct gltf_channel {
  sinew_glb_channel info;
  uint32_t input, output; /* accessors */
} gltf_channel;

typedef struct gltf_animation {
  sinew_glb_animation info;
  gltf_channel *channels;
} gltf_animation;

enum { GLTF_WARNING_LIMIT = 64 };

struct sinew_glb {
  arena memory;
  sinew_glb_info info;
  sinew_glb_node *nodes;
  sinew_glb_skin *skins;
  sinew_glb_mesh *meshes;
  gltf_animation *animations;
  sinew_glb_extension *extensions;
  const char *human_kind; /* a literal; NULL: the file says nothing of human bones */
  int32_t node_of_bone[HUMAN_BONE_COUNT];
  const char *warnings[GLTF_WARNING_LIMIT + 1]; /* the last says how many more there are */
  uint64_t warnings_left_out;
};

/* While a file is read. */
typedef struct gltf_reading {
  sinew_glb *glb;
  arena scratch; /* gone when the file is read */
  const json_t *root;
  const unsigned char *bin;
  uint64_t bin_bytes;
  gltf_view *views;
  uint32_t view_count;
  uint32_t *view_use; /* GLTF_USE_IMAGE or 0 */
  gltf_accessor *accessors;
  uint32_t accessor_count;
  uint64_t scan_budget; /* bytes of keys that may still be looked at */
  uint32_t stamp;       /* the last one given out */
} gltf_reading;

/* In this order; each relies on those before. */
sinew_result gltf_read_asset(gltf_reading *reading, sinew_error *error);
sinew_result gltf_read_views(gltf_reading *reading, sinew_error *error);
sinew_result gltf_read_accessors(gltf_reading *reading, sinew_error *error);
sinew_result gltf_read_nodes(gltf_reading *reading, sinew_error *error);
sinew_result gltf_read_meshes(gltf_reading *reading, sinew_error *error);
sinew_result gltf_read_skins(gltf_reading *reading, sinew_error *error);
sinew_result gltf_read_images(gltf_reading *reading, sinew_error *error);
sinew_result gltf_read_animations(gltf_reading *reading, sinew_error *error);
sinew_result gltf_read_human_facts(gltf_reading *reading, sinew_error *error);
/* Fills the byte counts of info and of the animations. */
sinew_result gltf_count_bytes(gltf_reading *reading, sinew_error *error);

/* Number of items of the array root[key]; 0 when it is not there. VERIFY when it is no array, empty or has
 * 2^31 items or more. */
sinew_result gltf_list_size(const json_t *object, const char *key, uint32_t *count, sinew_error *error);
/* Zeroed memory for `count` items; items is the address of a pointer. Errors: MEMORY. */
sinew_result gltf_items(arena *memory, size_t count, size_t size, void *items, sinew_error *error);
/* A copy that lives as long as the handle, NULL for NULL. Errors: MEMORY. */
sinew_result gltf_text(gltf_reading *reading, const char *text, const char **copy, sinew_error *error);
/* Adds a sentence; past GLTF_WARNING_LIMIT they are only counted. Errors: MEMORY. */
sinew_result gltf_warn(gltf_reading *reading, sinew_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- keys --------------------------------------------------------------------------------------------- */

/* Whether an accessor's elements can be read; those of buffers outside the file cannot. */
bool gltf_readable(const gltf_accessor *accessor);
/* A readable accessor's element as numbers, the first 4 of them. */
void gltf_element(const gltf_reading *reading, const gltf_accessor *accessor, uint64_t index,
                  double value[4]);
/* The first and the last time, the stated bounds when they cannot be read; warns once of times that are no
 * clock. Errors: VERIFY, LIMIT, MEMORY. */
sinew_result gltf_check_times(gltf_reading *reading, uint32_t accessor, double *start_s, double *stop_s,
                              sinew_error *error);
/* Whether the keys stand still; warns once of values that are no pose. per_key: elements of one key, of each
 * of its three parts when cubic. Errors: VERIFY, LIMIT, MEMORY. */
sinew_result gltf_check_values(gltf_reading *reading, uint32_t accessor, uint32_t per_key, bool cubic,
                               bool rotation, bool *constant, sinew_error *error);

#endif
