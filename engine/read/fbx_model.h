/* Inside the FBX reader: the scene that assimp makes of a file, and what becomes of it. */
#ifndef SINEW_READ_FBX_MODEL_H
#define SINEW_READ_FBX_MODEL_H

#include "base/error.h"
#include "read/motion_reader.h"

#include <assimp/scene.h>

/* A node of assimp's scene. One model of the file may be a chain of them, a helper for each of its pivots,
 * turns and moves, and the node of its own name at the end: for the skeleton it is one node. */
typedef struct fbx_part {
  const struct aiNode *node;
  uint32_t index;                 /* of the skeleton's node that it is part of */
  const struct aiNodeAnim *moves; /* in the animation that is being read, or NULL */
} fbx_part;

typedef struct fbx_reading {
  const struct aiScene *scene;
  const sinew_read_options *limits;
  motion_file *file;
  skeleton *skeleton;
  sinew_error *error;
  arena scratch;
  const struct aiNode **nodes; /* one a node of the skeleton, in its order: the end of its chain */
  fbx_part *parts;             /* all of the scene's, by name, those of one name in the skeleton's order */
  uint32_t part_count;
} fbx_reading;

/* Hierarchy and rest; fills nodes and parts. */
sinew_result fbx_read_nodes(fbx_reading *r);
/* Joints of skins and where they stood when meshes were bound to them. */
sinew_result fbx_read_binds(fbx_reading *r);
sinew_result fbx_read_motions(fbx_reading *r);

/* The first part of that name, NULL: none. Animations and skins of assimp know nodes by name alone. */
fbx_part *fbx_find_part(const fbx_reading *r, const struct aiString *name);
bool fbx_name_repeats(const fbx_reading *r, const fbx_part *first);
/* The part that this node is. */
const fbx_part *fbx_part_of(const fbx_reading *r, const struct aiNode *node);
/* Whether it is a helper, and in what place of the chain: "Rotation", "PostRotation", ... NULL: it is none.
 */
const char *fbx_helper(const struct aiNode *node);
/* Zeroed memory; items is the address of a pointer. Errors: MEMORY. */
sinew_result fbx_items(const fbx_reading *r, arena *memory, size_t count, size_t size, void *items);
/* A copy in the skeleton's memory. Errors: LIMIT, MEMORY. */
sinew_result fbx_name(const fbx_reading *r, const struct aiString *name, const char **kept);
/* The rows of an affine map; out may be neither a nor b. */
void fbx_rows(const struct aiMatrix4x4 *from, double rows[3][4]);
void fbx_multiply(double a[3][4], double b[3][4], double out[3][4]);
/* A skeleton's node in an animation: its helpers from the top down, itself at the end. */
typedef struct fbx_chain {
  uint32_t index;
  uint32_t part_count;
  const fbx_part **parts;
} fbx_chain;
/* fbx_fold.c: the keys of the whole chain, in scratch memory. Errors: SYNTAX, LIMIT, MEMORY. */
sinew_result fbx_fold(fbx_reading *r, const fbx_chain *chain, struct aiNodeAnim *out);
/* The keys of a node that assimp has folded itself, with the PostRotation the right way round. */
sinew_result fbx_mend(fbx_reading *r, const fbx_chain *chain, const fbx_part *post, struct aiNodeAnim *out);

#define FBX_WARN(r, ...)                                                                                     \
  SINEW_CHECK(skeleton_warn((r)->skeleton, __VA_ARGS__), (r)->error, SINEW_ERROR_MEMORY,                     \
              "out of memory, or past its limit, for warnings")

/* A name fit for a message. */
typedef struct fbx_label {
  char text[72];
} fbx_label;
fbx_label fbx_show(const char *name);

#endif
