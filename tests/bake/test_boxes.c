/* The body of boxes: closed, seen from outside, on its bones, within the body; and skinned in place whatever
 * the rig's nodes scale and turn by. */
#include "rig/quat.h"
#include "rig/rig.h"
#include "support/bake.h"
#include "support/data.h"
#include "verify/verify.h"
#include "write/box_mesh.h"
#include "write/box_shape.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef double place[3];

/* Rest places by positions alone: each node's translation turned and scaled by all above it. glTF's frame. */
static place *rest_of(const sinew_rig *rig) {
  place *out = calloc(rig->node_count, sizeof *out);
  for (uint32_t i = 0; i < rig->node_count; i++) {
    double v[3] = {0, 0, 0};
    for (int32_t n = (int32_t)i; n >= 0; n = rig->nodes[n].parent) {
      const rig_node *node = &rig->nodes[n];
      if (n != (int32_t)i) {
        for (int c = 0; c < 3; c++) v[c] *= node->s[c];
        quat_rotate(node->q, v, v);
      }
      for (int c = 0; c < 3; c++) v[c] += node->t[c];
    }
    for (int c = 0; c < 3; c++) out[i][c] = v[c] * (c == 0 ? -1 : 1);
  }
  return out;
}

static void triangle_of(const box_mesh *mesh, uint32_t triangle, double corner[3][3], double normal[3]) {
  for (int k = 0; k < 3; k++) {
    const box_vertex *vertex = &mesh->vertices[mesh->indices[triangle * 3 + (uint32_t)k]];
    for (int c = 0; c < 3; c++) corner[k][c] = (double)vertex->place_m[c];
    for (int c = 0; c < 3; c++) normal[c] = (double)vertex->normal[c];
  }
}

/* Every side's triangles turn counter-clockwise about its normal and face away from the box's middle;
 * together they enclose the volume of length * width * depth, so none is missing or doubled. */
static void expect_closed(const box_mesh *mesh, uint32_t box, const box_shape *shape, const char *name) {
  double volume = 0, middle[3];
  for (int c = 0; c < 3; c++) middle[c] = shape->start_m[c] + shape->axis[c] * shape->length_m / 2;
  for (uint32_t t = 0; t < 12; t++) {
    double corner[3][3], normal[3], u[3], v[3], away[3], turn[3];
    triangle_of(mesh, box * 12 + t, corner, normal);
    for (int c = 0; c < 3; c++) u[c] = corner[1][c] - corner[0][c];
    for (int c = 0; c < 3; c++) v[c] = corner[2][c] - corner[0][c];
    for (int c = 0; c < 3; c++) away[c] = corner[0][c] - middle[c];
    vec_cross(u, v, turn);
    volume += vec_dot(away, turn) / 6;
    cr_expect(vec_dot(turn, normal) > 0 && vec_dot(away, normal) > 0, "%s: triangle %u faces inwards", name,
              t);
    cr_expect(fabs(vec_dot(normal, normal) - 1) < 1e-6, "%s: a normal of length %g", name,
              sqrt(vec_dot(normal, normal)));
    vec_normalise(turn);
    cr_expect(vec_dot(turn, normal) > 0.9999, "%s: triangle %u leans off its normal", name, t);
  }
  double expected = shape->length_m * shape->width_m * shape->depth_m;
  cr_expect(fabs(volume - expected) < 1e-3 * expected, "%s: volume %g, expected %g", name, volume, expected);
}

/* A joint's place times its inverse bind matrix is the origin. */
static void expect_bind(const box_mesh *mesh, uint32_t box, const place at, double scale, const char *name) {
  const float *m = mesh->inverse_bind[box];
  for (int row = 0; row < 3; row++) {
    double sum = (double)m[12 + row];
    for (int column = 0; column < 3; column++) sum += (double)m[column * 4 + row] * at[column];
    cr_expect(fabs(sum) < 1e-5 * scale, "%s: its bind place is off by %g", name, sum);
  }
}

static void expect_body(const sinew_rig *rig, const char *label) {
  box_mesh mesh;
  sinew_error error = {0};
  cr_assert(box_mesh_build(rig, &mesh, &error) == SINEW_OK, "%s: %s", label, error.message);
  place *rest = rest_of(rig);
  uint32_t box = 0;
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    box_shape shape;
    if (!box_shape_of(rig, (rest_places)rest, bone, &shape)) continue;
    char name[256];
    snprintf(name, sizeof name, "%s, %s", label, sinew_bone_name((uint32_t)bone));
    cr_assert(box < mesh.box_count && mesh.nodes[box] == (uint32_t)rig->node_of_bone[bone], "%s", name);
    expect_closed(&mesh, box, &shape, name);
    double most = 0;
    for (int i = 0; i < 12; i++) most = fmax(most, fabs((double)mesh.inverse_bind[box][i]));
    expect_bind(&mesh, box, rest[mesh.nodes[box]], most, name);
    cr_expect(shape.length_m <= 0.6 * rig->height_m && shape.width_m <= 0.3 * rig->height_m, "%s: %g x %g m",
              name, shape.length_m, shape.width_m);
    box++;
  }
  cr_expect(box == mesh.box_count && box >= 15, "%s: %u boxes", label, box);
  double tall_m = (double)mesh.most_m[1] - (double)mesh.least_m[1];
  cr_expect(tall_m > 0.95 * rig->height_m && tall_m < 1.35 * rig->height_m, "%s: %g m of boxes on %g m",
            label, tall_m, rig->height_m);
  free(rest);
  box_mesh_release(&mesh);
}

Test(boxes, the_samples_bodies_are_whole) {
  static const char *const rigs[] = {"walker.fbx.meta", "walker_cut.fbx.meta"};
  for (int i = 0; i < 2; i++) {
    char path[64];
    snprintf(path, sizeof path, "scripts/sample/%s", rigs[i]);
    sinew_rig *rig = test_open_rig(test_source(path));
    expect_body(rig, rigs[i]);
    sinew_rig_close(rig);
  }
}

Test(boxes, real_bodies_are_whole) {
  NEED_DATA();
  static const char *const folders[] = {"humanoid/avatars", "humanoid/metas", "humanoid/truth"};
  size_t read = 0;
  for (int i = 0; i < 3; i++) {
    size_t count;
    char **paths = test_data_list(folders[i], ".fbx.meta", &count);
    for (size_t k = 0; k < count; k++) {
      sinew_rig *rig;
      sinew_error error;
      if (sinew_rig_open(paths[k], NULL, &rig, &error) != SINEW_OK) continue;
      expect_body(rig, strrchr(paths[k], '/') + 1);
      sinew_rig_close(rig);
      read++;
    }
  }
  cr_expect(read >= 14, "%zu rigs", read);
}

/* ---- changed rigs ---------------------------------------------------------------------------------------
 */

/* Nodes' scales, turns and places that skins are prone to get wrong; the pose in metres stays what it is
 * where the change says so. */
static void bake_changed(void (*change)(sinew_rig *rig), bool quantize, sinew_result expected,
                         const char *what) {
  sinew_context *context = test_open_context(NULL, 1);
  sinew_clip_file *file = test_open_clip(test_source("scripts/sample/walk_cut.anim"));
  sinew_rig *rig = test_open_rig(test_source("scripts/sample/walker.fbx.meta"));
  change(rig);
  char *folder = test_folder_make(), path[1024];
  snprintf(path, sizeof path, "%s/changed.glb", folder);
  sinew_bake_options options = {.mesh = SINEW_MESH_BOXES, .quantize = quantize};
  sinew_bake_report report;
  sinew_error error = {0};
  sinew_result result =
      sinew_bake(context, sinew_clip_file_clip(file, 0), rig, &options, path, &report, &error);
  cr_expect(result == expected, "%s: result %d (%s)", what, result, error.message);
  if (result == SINEW_OK)
    cr_expect(report.box_count == 52 && report.worst_corner_m <= report.allowed_m, "%s", what);
  test_folder_remove(folder);
  sinew_rig_close(rig);
  sinew_clip_file_close(file);
  sinew_context_close(context);
}

static void nothing(sinew_rig *rig) {
  (void)rig;
}
static rig_node *end_bone(sinew_rig *rig) {
  return &rig->nodes[rig->node_of_bone[HUMAN_LEFT_THUMB_PROXIMAL + 2]];
}
static void end_bone_is_mirrored(sinew_rig *rig) {
  end_bone(rig)->s[0] = -1;
}
static void end_bone_is_uneven(sinew_rig *rig) {
  end_bone(rig)->s[1] = 3, end_bone(rig)->s[2] = 0.01;
}
static void end_bone_is_tiny(sinew_rig *rig) {
  end_bone(rig)->s[0] = 1e-30;
}
static void end_bone_is_too_tiny(sinew_rig *rig) {
  end_bone(rig)->s[0] = 1e-42;
}
static void end_bone_is_next_to_nothing(sinew_rig *rig) {
  for (int c = 0; c < 3; c++) end_bone(rig)->s[c] = 1e-200;
}

Test(boxes, a_bones_own_scale_does_not_move_its_box) {
  for (int quantize = 0; quantize < 2; quantize++) {
    bake_changed(nothing, quantize, SINEW_OK, "as it is");
    bake_changed(end_bone_is_mirrored, quantize, SINEW_OK, "mirrored");
    bake_changed(end_bone_is_uneven, quantize, SINEW_OK, "uneven");
    bake_changed(end_bone_is_tiny, quantize, SINEW_OK, "tiny");
    bake_changed(end_bone_is_too_tiny, quantize, SINEW_ERROR_RIG, "beyond float32");
    bake_changed(end_bone_is_next_to_nothing, quantize, SINEW_ERROR_RIG, "without an inverse");
  }
}

Test(boxes, an_unknown_mesh_is_refused) {
  sinew_context *context = test_open_context(NULL, 1);
  sinew_clip_file *file = test_open_clip(test_source("scripts/sample/walk_cut.anim"));
  sinew_rig *rig = test_open_rig(test_source("scripts/sample/walker_cut.fbx.meta"));
  sinew_bake_options options = {.mesh = (sinew_mesh)17};
  sinew_error error = {0};
  cr_expect(sinew_bake(context, sinew_clip_file_clip(file, 0), rig, &options, "/nowhere/x.glb", NULL,
                           &error) == SINEW_ERROR_ARGUMENT);
  sinew_rig_close(rig);
  sinew_clip_file_close(file);
  sinew_context_close(context);
}

/* ---- memory ---------------------------------------------------------------------------------------------
 */

static int allocations_left;
static int permit(size_t byte_count) {
  (void)byte_count;
  return allocations_left-- > 0;
}

Test(boxes, running_out_of_memory_is_an_error_at_every_step) {
  sinew_rig *rig = test_open_rig(test_source("scripts/sample/walker.fbx.meta"));
  box_mesh mesh;
  int steps = 0;
  heap_permit = permit;
  for (sinew_result result = SINEW_ERROR_MEMORY; result != SINEW_OK; steps++) {
    sinew_error error = {0};
    allocations_left = steps;
    result = box_mesh_build(rig, &mesh, &error);
    cr_assert(result == SINEW_OK || result == SINEW_ERROR_MEMORY, "%s", error.message);
    cr_assert(steps < 100);
  }
  heap_permit = NULL;
  cr_expect(steps > 2, "%d steps", steps);
  box_mesh_release(&mesh);
  sinew_rig_close(rig);
}
