/* Skins: which nodes are joints, and where they stood when the mesh was bound to them. */
#include "base/error.h"
#include "read/gltf_document.h"

#include <math.h>

static const double bind_tolerance = 1e-4; /* relative to the largest number of either */

typedef struct skin_counts {
  uint32_t no_inverse; /* matrices */
  uint32_t differing;  /* joints that two skins bind differently */
  uint32_t bent_rows;  /* matrices whose last row is not 0 0 0 1 */
  doc_place first_no_inverse, first_differing, first_bent_row;
} skin_counts;

static void count_one(uint32_t *count, doc_place *first, const doc_place *list, size_t index) {
  if (!(*count)++) *first = doc_at_index(list, index);
}

static bool bind_differs(double a[3][4], double b[3][4]) {
  double largest = 0, off = 0;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) {
      largest = fmax(largest, fmax(fabs(a[r][c]), fabs(b[r][c])));
      off = fmax(off, fabs(a[r][c] - b[r][c]));
    }
  return off > bind_tolerance * largest;
}

/* ---- inverse bind matrices ---------------------------------------------------------------------------- */

static sinew_result bind_joint(gltf_document *d, const doc_place *matrices, size_t index,
                               const float *columns, skeleton_node *node, skin_counts *counts) {
  double inverse_bind[3][4], bind[3][4];
  for (int i = 0; i < 16; i++)
    if (!isfinite(columns[i])) {
      const doc_place place = doc_at_index(matrices, index);
      return doc_fail(d, SINEW_ERROR_SYNTAX, &place, "holds a number that is not finite");
    }
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) inverse_bind[r][c] = (double)columns[c * 4 + r];
  if (columns[3] != 0 || columns[7] != 0 || columns[11] != 0 || columns[15] != 1)
    count_one(&counts->bent_rows, &counts->first_bent_row, matrices, index);
  if (!matrix_invert(inverse_bind, bind)) {
    count_one(&counts->no_inverse, &counts->first_no_inverse, matrices, index);
    return SINEW_OK;
  }
  if (node->has_bind) {
    if (bind_differs(node->bind, bind))
      count_one(&counts->differing, &counts->first_differing, matrices, index);
    return SINEW_OK;
  }
  node->has_bind = true;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) node->bind[r][c] = bind[r][c];
  return SINEW_OK;
}

/* *matrices NULL: the skin has none. */
static sinew_result open_matrices(gltf_document *d, const doc_place *skin, uint32_t joint_count,
                                  const float **matrices) {
  const doc_place place = doc_at_key(skin, "inverseBindMatrices");
  int32_t index;
  doc_accessor *accessor;
  *matrices = NULL;
  SINEW_TRY(doc_index(d, skin, "inverseBindMatrices", d->accessor_count, "accessors", &index));
  if (index < 0) return SINEW_OK;
  SINEW_TRY(doc_accessor_shape(d, (uint32_t)index, &accessor));
  if (accessor->component_count != 16 || accessor->component_type != COMPONENT_FLOAT)
    return doc_fail(d, SINEW_ERROR_SYNTAX, &place, "accessors[%d] is %s, expected MAT4 of float", index,
                    doc_accessor_text(accessor).text);
  if (accessor->count < joint_count)
    return doc_fail(d, SINEW_ERROR_SYNTAX, &place, "accessors[%d] has %llu matrices, the skin %u joints",
                    index, (unsigned long long)accessor->count, joint_count);
  return doc_accessor_values(d, (uint32_t)index, matrices);
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static sinew_result read_skin(gltf_document *d, const doc_place *skin, uint32_t stamp, uint32_t *last_skin,
                              skin_counts *counts) {
  skeleton *made = d->file->skeleton;
  const doc_place matrices = doc_at_key(skin, "inverseBindMatrices");
  doc_place joints;
  uint32_t count, joint;
  const float *columns;
  int32_t root;
  SINEW_TRY(doc_object(d, skin));
  SINEW_TRY(doc_list(d, skin, "joints", UINT32_MAX, &joints, &count));
  if (!count) return doc_fail(d, SINEW_ERROR_SYNTAX, &joints, joints.json ? "is empty" : "is missing");
  SINEW_TRY(doc_index(d, skin, "skeleton", made->node_count, "nodes", &root));
  SINEW_TRY(open_matrices(d, skin, count, &columns));
  for (uint32_t i = 0; i < count; i++) {
    const doc_place place = doc_at_index(&joints, i);
    SINEW_TRY(doc_own_index(d, &place, made->node_count, "nodes", &joint));
    skeleton_node *node = &made->nodes[d->node_of_source[joint]];
    if (last_skin[joint] == stamp)
      return doc_fail(d, SINEW_ERROR_SYNTAX, &place, "is node %u, which is a joint of this skin already",
                      joint);
    last_skin[joint] = stamp;
    node->is_joint = true;
    if (columns) SINEW_TRY(bind_joint(d, &matrices, i, columns + (size_t)i * 16, node, counts));
  }
  return SINEW_OK;
}

sinew_result doc_read_skins(gltf_document *d) {
  doc_place list;
  uint32_t count, *last_skin;
  skin_counts counts = {0};
  SINEW_TRY(doc_list(d, &d->root, "skins", d->source->limits.curves, &list, &count));
  SINEW_TRY(doc_items(d, &d->scratch, d->file->skeleton->node_count, sizeof *last_skin, &last_skin));
  for (uint32_t i = 0; i < count; i++) {
    const doc_place skin = doc_at_index(&list, i);
    SINEW_TRY(read_skin(d, &skin, i + 1, last_skin, &counts));
  }
  if (counts.no_inverse)
    DOC_WARN(d, "%s has no inverse: the joint's bind pose is not known (%u such)",
             counts.first_no_inverse.path, counts.no_inverse);
  if (counts.bent_rows)
    DOC_WARN(d, "%s has another last row than 0 0 0 1, which is passed over (%u such)",
             counts.first_bent_row.path, counts.bent_rows);
  if (counts.differing)
    DOC_WARN(d, "%s binds its joint otherwise than a skin before it: the first is taken (%u such)",
             counts.first_differing.path, counts.differing);
  return SINEW_OK;
}
