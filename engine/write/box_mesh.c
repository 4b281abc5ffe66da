#include "write/box_mesh.h"
#include "base/error.h"
#include "rig/quat.h"
#include "write/box_shape.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(box_vertex) == 32, "a vertex lies in the file without padding");
_Static_assert(HUMAN_BONE_COUNT *BOX_VERTICES <= UINT16_MAX, "16-bit indices reach every vertex");

/* ---- rest matrices ------------------------------------------------------------------------------------ */

typedef struct affine {
  double m[3][4];
} affine;

/* T * R * S of a node's rest, Unity's frame to glTF's by mirroring x. */
static affine affine_of_node(const rig_node *node) {
  const double q[4] = {node->q[0], -node->q[1], -node->q[2], node->q[3]};
  affine out;
  for (int column = 0; column < 3; column++) {
    double axis[3] = {column == 0, column == 1, column == 2};
    quat_rotate(q, axis, axis);
    for (int row = 0; row < 3; row++) out.m[row][column] = axis[row] * node->s[column];
  }
  for (int row = 0; row < 3; row++) out.m[row][3] = row == 0 ? -node->t[row] : node->t[row];
  return out;
}

static affine affine_mul(const affine *a, const affine *b) {
  affine out;
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++)
      out.m[row][column] = a->m[row][0] * b->m[0][column] + a->m[row][1] * b->m[1][column] +
                           a->m[row][2] * b->m[2][column] + (column == 3 ? a->m[row][3] : 0);
  return out;
}

/* By cofactors; not finite where a has no inverse. */
static affine affine_invert(const affine *a) {
  affine out;
  double determinant = 0;
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) {
      int r1 = (column + 1) % 3, r2 = (column + 2) % 3, c1 = (row + 1) % 3, c2 = (row + 2) % 3;
      out.m[row][column] = a->m[r1][c1] * a->m[r2][c2] - a->m[r1][c2] * a->m[r2][c1];
    }
  for (int k = 0; k < 3; k++) determinant += a->m[0][k] * out.m[k][0];
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) out.m[row][column] /= determinant;
  for (int row = 0; row < 3; row++)
    out.m[row][3] = -(out.m[row][0] * a->m[0][3] + out.m[row][1] * a->m[1][3] + out.m[row][2] * a->m[2][3]);
  return out;
}

static bool rest_matrices(const sinew_rig *rig, arena *scratch, affine **rest, double (**places)[3]) {
  affine *m = *rest = arena_alloc(scratch, rig->node_count, sizeof *m);
  double(*place)[3] = *places = arena_alloc(scratch, rig->node_count, sizeof *place);
  if (!m || !place) return false;
  for (uint32_t i = 0; i < rig->node_count; i++) {
    affine local = affine_of_node(&rig->nodes[i]);
    m[i] = rig->nodes[i].parent < 0 ? local : affine_mul(&m[rig->nodes[i].parent], &local);
    for (int row = 0; row < 3; row++) place[i][row] = m[i].m[row][3];
  }
  return true;
}

/* ---- one box ------------------------------------------------------------------------------------------ */

/* Sides in the order -axis, +axis, -width, ... Seen from outside a side's corners go round counter-clockwise,
 * because its two axes' cross product is its normal. */
static void put_side(const box_shape *shape, int axis, double sign, uint8_t joint, box_vertex *out) {
  const double *axes[3] = {shape->axis, shape->width_axis, shape->depth_axis};
  const double half[3] = {shape->length_m / 2, shape->width_m / 2, shape->depth_m / 2};
  static const double round[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const double *u = axes[(axis + 1) % 3], *v = axes[(axis + 2) % 3];
  for (int corner = 0; corner < 4; corner++) {
    const double *way = round[sign > 0 ? corner : 3 - corner];
    box_vertex *vertex = &out[corner];
    for (int c = 0; c < 3; c++) {
      double centre = shape->start_m[c] + half[0] * shape->axis[c];
      double place = centre + sign * half[axis] * axes[axis][c] + way[0] * half[(axis + 1) % 3] * u[c] +
                     way[1] * half[(axis + 2) % 3] * v[c];
      vertex->place_m[c] = (float)place;
      vertex->normal[c] = (float)(sign * axes[axis][c]);
    }
    memset(vertex->joint, 0, sizeof vertex->joint);
    memset(vertex->weight, 0, sizeof vertex->weight);
    vertex->joint[0] = joint;
    vertex->weight[0] = 255;
  }
}

static void put_box(box_mesh *mesh, const box_shape *shape, const affine *rest, uint32_t box) {
  affine inverse = affine_invert(rest);
  for (int i = 0; i < 16; i++)
    mesh->inverse_bind[box][i] = i % 4 == 3 ? (float)(i == 15) : (float)inverse.m[i % 4][i / 4];
  for (int side = 0; side < 6; side++) {
    uint32_t first = box * BOX_VERTICES + (uint32_t)side * 4;
    put_side(shape, side / 2, side % 2 ? 1 : -1, (uint8_t)box, &mesh->vertices[first]);
    static const uint16_t two_triangles[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 6; i++)
      mesh->indices[box * BOX_INDICES + (uint32_t)(side * 6 + i)] = (uint16_t)(first + two_triangles[i]);
  }
}

static sinew_result check_box(const sinew_rig *rig, const box_mesh *mesh, uint32_t box, sinew_error *error) {
  bool finite = true;
  for (int i = 0; i < 16; i++) finite = finite && isfinite(mesh->inverse_bind[box][i]);
  for (int v = 0; v < BOX_VERTICES; v++)
    for (int c = 0; c < 3; c++)
      finite = finite && isfinite(mesh->vertices[box * BOX_VERTICES + v].place_m[c]);
  if (finite) return SINEW_OK;
  const char *name = rig->nodes[mesh->nodes[box]].name;
  char text[128];
  error_printable(name, strlen(name), text, sizeof text);
  return error_set(error, SINEW_ERROR_RIG,
                   "node \"%s\" lies or scales beyond what a float32 skin can hold: it cannot carry a box",
                   text);
}

/* ---- the mesh ----------------------------------------------------------------------------------------- */

static void find_bounds(box_mesh *mesh) {
  for (int c = 0; c < 3; c++) mesh->least_m[c] = mesh->most_m[c] = mesh->vertices[0].place_m[c];
  for (uint32_t i = 1; i < mesh->box_count * BOX_VERTICES; i++)
    for (int c = 0; c < 3; c++) {
      float value = mesh->vertices[i].place_m[c];
      if (value < mesh->least_m[c]) mesh->least_m[c] = value;
      if (value > mesh->most_m[c]) mesh->most_m[c] = value;
    }
}

static sinew_result build(const sinew_rig *rig, box_mesh *mesh, arena *scratch, sinew_error *error) {
  affine *rest;
  double(*places)[3];
  bool ok = rest_matrices(rig, scratch, &rest, &places);
  mesh->nodes = arena_alloc(&mesh->memory, HUMAN_BONE_COUNT, sizeof *mesh->nodes);
  mesh->inverse_bind = arena_alloc(&mesh->memory, HUMAN_BONE_COUNT, sizeof *mesh->inverse_bind);
  mesh->vertices =
      arena_alloc(&mesh->memory, (size_t)HUMAN_BONE_COUNT * BOX_VERTICES, sizeof *mesh->vertices);
  mesh->indices = arena_alloc(&mesh->memory, (size_t)HUMAN_BONE_COUNT * BOX_INDICES, sizeof *mesh->indices);
  SINEW_CHECK(ok && mesh->nodes && mesh->inverse_bind && mesh->vertices && mesh->indices, error,
              SINEW_ERROR_MEMORY, "out of memory for the boxes of %u nodes", rig->node_count);
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    box_shape shape;
    if (!box_shape_of(rig, (rest_places)places, bone, &shape)) continue;
    uint32_t box = mesh->box_count, node = (uint32_t)rig->node_of_bone[bone];
    mesh->nodes[box] = node;
    put_box(mesh, &shape, &rest[node], box);
    SINEW_TRY(check_box(rig, mesh, box, error));
    mesh->box_count++;
  }
  find_bounds(mesh);
  return SINEW_OK;
}

sinew_result box_mesh_build(const sinew_rig *rig, box_mesh *mesh, sinew_error *error) {
  memset(mesh, 0, sizeof *mesh);
  arena scratch = {0};
  sinew_result result = build(rig, mesh, &scratch, error);
  arena_release(&scratch);
  if (result != SINEW_OK) box_mesh_release(mesh);
  return result;
}

void box_mesh_release(box_mesh *mesh) {
  arena_release(&mesh->memory);
  memset(mesh, 0, sizeof *mesh);
}
