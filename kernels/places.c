/* Where the nodes of a file's own hierarchy stand, and how far they are from computed joints: in double
 * precision, matrices multiplied down the hierarchy as glTF says. A few frames at a time go through all
 * nodes, so that the matrices of those above stay in the nearest cache. */
#include "isa.h"
#include "simd_double.h"

/* ---- local transforms
 * ---------------------------------------------------------------------------------------- */

typedef struct affine {
  vd m[3][4];
} affine;

/* The sign bit of each lane is set where the square of the length is farther than 0.0019 from 1, or no
 * number. */
SINEW_INLINE vdl stray_of(const vd q[4]) {
  const double limit = 0.0019;
  int64_t limit_bits;
  memcpy(&limit_bits, &limit, sizeof limit_bits);
  vd off = vd_fma(q[3], q[3], vd_fma(q[2], q[2], vd_fma(q[1], q[1], q[0] * q[0]))) - vd_set(1);
  return limit_bits - ((vdl)off & INT64_MAX);
}

SINEW_INLINE void load_rotation(const void *keys, int shorts, int f, vd q[4]) {
  if (!shorts) {
    vd_load_quads((const float *)keys + 4 * f, q);
    return;
  }
  vd_load_short_quads((const int16_t *)keys + 4 * f, q);
  for (int c = 0; c < 4; c++) q[c] = vd_max(q[c] * vd_set(1 / 32767.0), vd_set(-1));
}

/* The rows of 1 + 2 w [v] + 2 [v] [v], v the vector part. */
SINEW_INLINE void rotation_rows(const vd q[4], affine *out) {
  const vd x = q[0], y = q[1], z = q[2], w = q[3], one = vd_set(1);
  const vd x2 = x + x, y2 = y + y, z2 = z + z;
  const vd xy = x * y2, xz = x * z2, yz = y * z2, not_xx = vd_fnma(x2, x, one);
  out->m[0][0] = vd_fnma(z2, z, vd_fnma(y2, y, one));
  out->m[0][1] = vd_fnma(z2, w, xy);
  out->m[0][2] = vd_fma(y2, w, xz);
  out->m[1][0] = vd_fma(z2, w, xy);
  out->m[1][1] = vd_fnma(z2, z, not_xx);
  out->m[1][2] = vd_fnma(x2, w, yz);
  out->m[2][0] = vd_fnma(y2, w, xz);
  out->m[2][1] = vd_fma(x2, w, yz);
  out->m[2][2] = vd_fnma(y2, y, not_xx);
}

SINEW_INLINE void load_column(const sinew_node *node, int f, affine *out) {
  for (int row = 0; row < 3; row++)
    out->m[row][3] =
        node->planes ? vd_load(node->planes + row * SINEW_BLOCK + f) : vd_set(node->local[row][3]);
}

SINEW_INLINE void load_matrix(const sinew_node *node, int f, affine *out) {
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++)
      out->m[row][column] = node->planes ? vd_load(node->planes + (row * 4 + column) * SINEW_BLOCK + f)
                                         : vd_set(node->local[row][column]);
}

/* ---- down the hierarchy
 * -------------------------------------------------------------------------------------- */

SINEW_INLINE vd row_times(const vd row[4], const affine *local, int column) {
  return vd_fma(row[2], local->m[2][column],
                vd_fma(row[1], local->m[1][column], row[0] * local->m[0][column]));
}

/* Rotations of nodes with nothing below are read for their length alone. */
SINEW_INLINE void compose(const double *above, const affine *local, int is_leaf, affine *world) {
  for (int row = 0; row < 3; row++) {
    vd of_above[4];
    for (int column = 0; column < 4; column++)
      of_above[column] = vd_load(above + (row * 4 + column) * SINEW_DOUBLES);
    for (int column = 0; column < 3 && !is_leaf; column++)
      world->m[row][column] = row_times(of_above, local, column);
    world->m[row][3] =
        vd_fma(of_above[2], local->m[2][3],
               vd_fma(of_above[1], local->m[1][3], vd_fma(of_above[0], local->m[0][3], of_above[3])));
  }
}

/* Of nodes with nothing below, the place alone. */
SINEW_INLINE void put(const affine *world, int is_leaf, double *own) {
  for (int row = 0; row < 3; row++)
    for (int column = is_leaf ? 3 : 0; column < 4; column++)
      vd_store(own + (row * 4 + column) * SINEW_DOUBLES, world->m[row][column]);
}

SINEW_INLINE vdl place_node(const sinew_node *node, int shorts, int turned, int is_leaf, int f, double *world,
                            double *own) {
  affine local, composed;
  vdl stray = {0};
  if (turned) {
    vd q[4];
    load_rotation(node->keys, shorts, f, q);
    stray = stray_of(q);
    if (!is_leaf) rotation_rows(q, &local);
    load_column(node, f, &local);
  } else {
    load_matrix(node, f, &local);
  }
  if (node->parent < 0) {
    put(&local, is_leaf, own);
  } else {
    compose(world + (size_t)node->parent * 12 * SINEW_DOUBLES, &local, is_leaf, &composed);
    put(&composed, is_leaf, own);
  }
  return stray;
}

/* All nodes at the frames f.. of as many lanes. */
SINEW_INLINE vdl place_all(const sinew_placing *in, int f, double *scratch) {
  vdl stray = {0};
  for (size_t i = 0; i < in->node_count; i++) {
    const sinew_node *node = &in->nodes[i];
    double *own = scratch + i * 12 * SINEW_DOUBLES;
    if (node->kind == SINEW_NODE_MATRIX)
      place_node(node, 0, 0, 0, f, scratch, own);
    else if (node->kind == SINEW_NODE_TURNED16)
      stray |= place_node(node, 1, 1, node->is_leaf, f, scratch, own);
    else if (node->is_leaf)
      stray |= place_node(node, 0, 1, 1, f, scratch, own);
    else
      stray |= place_node(node, 0, 1, 0, f, scratch, own);
  }
  return stray;
}

/* ---- what is shown
 * ------------------------------------------------------------------------------------------- */

SINEW_INLINE vd place_at(const sinew_placing *in, const double *scratch, size_t i, int axis) {
  return vd_load(scratch + ((size_t)in->shown[i] * 12 + (size_t)axis * 4 + 3) * SINEW_DOUBLES);
}

SINEW_INLINE vd largest_square(const sinew_placing *in, const double *scratch, int f) {
  vd largest = vd_set(0), poison = vd_set(0), origin[3];
  for (int axis = 0; axis < 3; axis++) origin[axis] = place_at(in, scratch, 0, axis);
  for (size_t i = 1; i < in->shown_count; i++) {
    const float *own = in->model + i * SINEW_MODEL_PLANES * SINEW_BLOCK + f;
    vd x = place_at(in, scratch, i, 0) - origin[0] + vd_load_floats(own);
    vd y = place_at(in, scratch, i, 1) - origin[1] - vd_load_floats(own + SINEW_BLOCK);
    vd z = place_at(in, scratch, i, 2) - origin[2] - vd_load_floats(own + 2 * SINEW_BLOCK);
    vd square = vd_fma(z, z, vd_fma(y, y, x * x));
    largest = vd_max(square, largest);
    poison = vd_fma(square, vd_set(0), poison); /* what is no number stays none */
  }
  return largest + poison;
}

int SINEW_KERNEL(places)(const sinew_placing *in, double *scratch, double *squares, double *places) {
  vdl stray = {0};
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_DOUBLES) {
    stray |= place_all(in, f, scratch);
    size_t shown = in->shown_count;
    if (in->model) {
      const vd square = largest_square(in, scratch, f);
      int matters = 0;
      for (int i = 0; i < SINEW_DOUBLES; i++) matters |= !(square[i] < in->least);
      if (!matters) shown = 1;
      vd_store(squares + f, square);
    }
    for (size_t i = 0; i < shown; i++)
      for (int axis = 0; axis < 3; axis++)
        vd_store(places + (i * 3 + (size_t)axis) * SINEW_BLOCK + f, place_at(in, scratch, i, axis));
  }
  int64_t any = 0;
  for (int i = 0; i < SINEW_DOUBLES; i++) any |= stray[i];
  return any >= 0;
}
