/* An FBX's nodes: who hangs below whom, how each rests, where joints stood when meshes were bound to them. */
#include "read/affine.h"
#include "read/fbx_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double shear_tolerance = 1e-4;
static const double bind_tolerance = 1e-4; /* relative to the largest number of either */

/* ---- names -------------------------------------------------------------------------------------------- */

static int by_name_then_index(const void *a, const void *b) {
  const fbx_part *one = a, *other = b;
  const int order = strcmp(one->node->mName.data, other->node->mName.data);
  return order ? order : (one->index > other->index) - (one->index < other->index);
}

static bool is_named(const fbx_reading *r, const fbx_part *part, const char *name) {
  return part < r->parts + r->part_count && strcmp(part->node->mName.data, name) == 0;
}

fbx_part *fbx_find_part(const fbx_reading *r, const struct aiString *name) {
  uint32_t low = 0, high = r->part_count;
  while (low < high) { /* the first that is not before the name */
    const uint32_t middle = low + (high - low) / 2;
    if (strcmp(r->parts[middle].node->mName.data, name->data) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return is_named(r, r->parts + low, name->data) ? r->parts + low : NULL;
}

bool fbx_name_repeats(const fbx_reading *r, const fbx_part *first) {
  return is_named(r, first + 1, first->node->mName.data);
}

const fbx_part *fbx_part_of(const fbx_reading *r, const struct aiNode *node) {
  const fbx_part *part = fbx_find_part(r, &node->mName);
  while (part->node != node) part++;
  return part;
}

/* ---- hierarchy ---------------------------------------------------------------------------------------- */

static bool is_real(const struct aiNode *node) {
  return fbx_helper(node) == NULL;
}

/* Level by level, in a list that grows. */
static sinew_result count_nodes(fbx_reading *r, size_t *count, size_t *part_count) {
  const struct aiNode **list, **more;
  size_t room = 256, known = 1;
  SINEW_TRY(fbx_items(r, &r->scratch, room, sizeof *list, &list));
  list[0] = r->scene->mRootNode;
  *count = 0;
  for (size_t i = 0; i < known; i++) {
    const size_t children = list[i]->mNumChildren;
    *count += is_real(list[i]);
    SINEW_CHECK(*count <= r->limits->nodes, r->error, SINEW_ERROR_LIMIT, "more than %u nodes, the limit",
                r->limits->nodes);
    SINEW_CHECK(children <= UINT32_MAX / 64 && known <= UINT32_MAX / 64, r->error, SINEW_ERROR_LIMIT,
                "more than %u nodes", UINT32_MAX / 64);
    if (known + children > room) {
      SINEW_TRY(fbx_items(r, &r->scratch, 2 * (known + children), sizeof *more, &more));
      memcpy(more, list, known * sizeof *list);
      list = more, room = 2 * (known + children);
    }
    for (size_t k = 0; k < children; k++) list[known++] = list[i]->mChildren[k];
  }
  *part_count = known;
  return SINEW_OK;
}

typedef struct waiting {
  const struct aiNode *node;
  int32_t parent;
  uint32_t depth; /* of the skeleton's nodes above it */
} waiting;

static sinew_result alloc_nodes(fbx_reading *r, waiting **stack) {
  size_t count = 0, part_count = 0;
  SINEW_TRY(count_nodes(r, &count, &part_count));
  SINEW_TRY(fbx_items(r, &r->scratch, part_count, sizeof **stack, stack));
  SINEW_TRY(fbx_items(r, &r->scratch, part_count, sizeof *r->parts, &r->parts));
  SINEW_TRY(fbx_items(r, &r->scratch, count, sizeof *r->nodes, &r->nodes));
  return fbx_items(r, &r->skeleton->memory, count, sizeof *r->skeleton->nodes, &r->skeleton->nodes);
}

/* A node's whole branch before its next sibling's, without recursion. Helpers stand in front of their node.
 */
static sinew_result list_nodes(fbx_reading *r) {
  const uint32_t depth_limit = r->limits->depth;
  waiting *stack;
  SINEW_TRY(alloc_nodes(r, &stack));
  size_t height = 1;
  uint32_t placed = 0;
  stack[0] = (waiting){r->scene->mRootNode, -1, 0};
  while (height) {
    waiting next = stack[--height];
    r->parts[r->part_count++] = (fbx_part){.node = next.node, .index = placed};
    if (is_real(next.node)) {
      SINEW_CHECK(next.depth < depth_limit, r->error, SINEW_ERROR_LIMIT,
                  "the hierarchy is more than %u nodes deep, the limit", depth_limit);
      r->nodes[placed] = next.node;
      r->skeleton->nodes[placed] = (skeleton_node){.parent = next.parent, .source_index = placed};
      next.parent = (int32_t)placed++;
      next.depth++;
    }
    for (unsigned i = next.node->mNumChildren; i-- > 0;)
      stack[height++] = (waiting){next.node->mChildren[i], next.parent, next.depth};
  }
  r->skeleton->node_count = placed;
  SINEW_CHECK(placed, r->error, SINEW_ERROR_UNSUPPORTED, "there are no nodes: no skeleton");
  while (r->part_count && r->parts[r->part_count - 1].index == placed)
    r->part_count--; /* helpers of nothing */
  qsort(r->parts, r->part_count, sizeof *r->parts, by_name_then_index);
  return SINEW_OK;
}

/* ---- rest --------------------------------------------------------------------------------------------- */

static sinew_result take_rows(const fbx_reading *r, const struct aiMatrix4x4 *matrix, const char *name,
                              double rows[3][4]) {
  fbx_rows(matrix, rows);
  for (int i = 0; i < 12; i++)
    SINEW_CHECK(isfinite(rows[i / 4][i % 4]), r->error, SINEW_ERROR_SYNTAX,
                "node '%s' stands where a number is not finite", fbx_show(name).text);
  return SINEW_OK;
}

/* Of a node and the helpers in front of it. */
static sinew_result chain_rows(const fbx_reading *r, uint32_t index, double rows[3][4]) {
  const struct aiNode *part = r->nodes[index];
  const char *name = part->mName.data;
  double above[3][4], whole[3][4];
  SINEW_TRY(take_rows(r, &part->mTransformation, name, rows));
  for (part = part->mParent; part && !is_real(part); part = part->mParent) {
    SINEW_TRY(take_rows(r, &part->mTransformation, name, above));
    fbx_multiply(above, rows, whole);
    memcpy(rows, whole, sizeof whole);
  }
  return SINEW_OK;
}

sinew_result fbx_read_nodes(fbx_reading *r) {
  SINEW_TRY(list_nodes(r));
  uint32_t sheared = 0, flattened = 0;
  for (uint32_t i = 0; i < r->skeleton->node_count; i++) {
    skeleton_node *node = &r->skeleton->nodes[i];
    matrix_parts parts;
    double rows[3][4];
    SINEW_TRY(fbx_name(r, &r->nodes[i]->mName, &node->name));
    SINEW_TRY(chain_rows(r, i, rows));
    matrix_decompose(rows, &parts);
    memcpy(node->t, parts.t, sizeof node->t);
    memcpy(node->q, parts.q, sizeof node->q);
    memcpy(node->s, parts.s, sizeof node->s);
    sheared += parts.shear > shear_tolerance;
    flattened += parts.flattened;
  }
  if (sheared)
    FBX_WARN(r, "%u node%s sheared: rotation and scale are taken without it", sheared,
             sheared == 1 ? " is" : "s are");
  if (flattened)
    FBX_WARN(r, "%u node%s scaled to nothing along an axis", flattened, flattened == 1 ? " is" : "s are");
  return SINEW_OK;
}

/* ---- bind poses --------------------------------------------------------------------------------------- */

static bool bind_differs(double a[3][4], double b[3][4]) {
  double largest = 0, off = 0;
  for (int i = 0; i < 12; i++) {
    const double one = a[i / 4][i % 4], other = b[i / 4][i % 4];
    largest = fmax(largest, fmax(fabs(one), fabs(other)));
    off = fmax(off, fabs(one - other));
  }
  return off > bind_tolerance * largest;
}

typedef struct bind_counts {
  uint32_t no_node, no_inverse, differing;
} bind_counts;

/* mesh: the global rest of the mesh's node. An offset matrix goes from there to the joint. */
static sinew_result bind_joint(const fbx_reading *r, double mesh[3][4], const struct aiBone *bone,
                               bind_counts *counts) {
  double offset[3][4], inverse[3][4], bind[3][4];
  const fbx_part *part = fbx_find_part(r, &bone->mName);
  if (!part) {
    counts->no_node++;
    return SINEW_OK;
  }
  skeleton_node *node = &r->skeleton->nodes[part->index];
  node->is_joint = true;
  SINEW_TRY(take_rows(r, &bone->mOffsetMatrix, node->name, offset));
  if (!matrix_invert(offset, inverse)) {
    counts->no_inverse++;
    return SINEW_OK;
  }
  fbx_multiply(mesh, inverse, bind);
  if (node->has_bind) {
    counts->differing += bind_differs(node->bind, bind);
    return SINEW_OK;
  }
  node->has_bind = true;
  memcpy(node->bind, bind, sizeof bind);
  return SINEW_OK;
}

static sinew_result bind_mesh(const fbx_reading *r, double mesh[3][4], unsigned index, uint8_t *seen,
                              bind_counts *counts) {
  if (index >= r->scene->mNumMeshes || seen[index]) return SINEW_OK;
  seen[index] = 1;
  const struct aiMesh *skinned = r->scene->mMeshes[index];
  for (unsigned i = 0; i < skinned->mNumBones; i++)
    SINEW_TRY(bind_joint(r, mesh, skinned->mBones[i], counts));
  return SINEW_OK;
}

sinew_result fbx_read_binds(fbx_reading *r) {
  double(*global)[3][4];
  uint8_t *seen; /* a mesh that stands in several places is bound where it stands first */
  bind_counts counts = {0};
  SINEW_TRY(fbx_items(r, &r->scratch, r->skeleton->node_count, sizeof *global, &global));
  SINEW_TRY(fbx_items(r, &r->scratch, r->scene->mNumMeshes, 1, &seen));
  for (uint32_t i = 0; i < r->skeleton->node_count; i++) {
    const int32_t parent = r->skeleton->nodes[i].parent;
    double local[3][4];
    SINEW_TRY(chain_rows(r, i, local));
    if (parent < 0)
      memcpy(global[i], local, sizeof local);
    else
      fbx_multiply(global[parent], local, global[i]);
    for (unsigned m = 0; m < r->nodes[i]->mNumMeshes; m++)
      SINEW_TRY(bind_mesh(r, global[i], r->nodes[i]->mMeshes[m], seen, &counts));
  }
  if (counts.no_node) FBX_WARN(r, "%u joints of skins are no nodes: left out", counts.no_node);
  if (counts.no_inverse)
    FBX_WARN(r, "%u joints are bound by matrices without an inverse: their bind pose is not known",
             counts.no_inverse);
  if (counts.differing)
    FBX_WARN(r, "%u joints are bound otherwise by a later mesh: the first is taken", counts.differing);
  return SINEW_OK;
}
