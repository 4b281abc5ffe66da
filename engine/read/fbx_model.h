/* Inside the FBX reader: the scene that assimp makes of a file, and what becomes of it. */
#ifndef SINEW_READ_FBX_MODEL_H
#define SINEW_READ_FBX_MODEL_H

#include "base/error.h"
#include "read/motion_reader.h"

#include <assimp/scene.h>

typedef struct fbx_reading {
  const struct aiScene *scene;
  const sinew_read_options *limits;
  motion_file *file;
  skeleton *skeleton;
  sinew_error *error;
  arena scratch;
  const struct aiNode **nodes; /* one a node of the skeleton, in its order */
  uint32_t *by_name;           /* the skeleton's nodes by name, those of one name by index */
} fbx_reading;

/* Hierarchy and rest; fills nodes and by_name. */
sinew_result fbx_read_nodes(fbx_reading *r);
/* Joints of skins and where they stood when meshes were bound to them. */
sinew_result fbx_read_binds(fbx_reading *r);
sinew_result fbx_read_motions(fbx_reading *r);

/* The first node of that name, -1: none. Animations and skins of assimp know nodes by name alone. */
int32_t fbx_find_node(const fbx_reading *r, const struct aiString *name);
bool fbx_name_repeats(const fbx_reading *r, const struct aiString *name);
/* Zeroed memory; items is the address of a pointer. Errors: MEMORY. */
sinew_result fbx_items(const fbx_reading *r, arena *memory, size_t count, size_t size, void *items);
/* A copy in the skeleton's memory. Errors: LIMIT, MEMORY. */
sinew_result fbx_name(const fbx_reading *r, const struct aiString *name, const char **kept);
/* The rows of an affine map. */
void fbx_rows(const struct aiMatrix4x4 *from, double rows[3][4]);

#define FBX_WARN(r, ...)                                                                                     \
  SINEW_CHECK(skeleton_warn((r)->skeleton, __VA_ARGS__), (r)->error, SINEW_ERROR_MEMORY,                     \
              "out of memory, or past its limit, for warnings")

/* A name fit for a message. */
typedef struct fbx_label {
  char text[72];
} fbx_label;
fbx_label fbx_show(const char *name);

#endif
