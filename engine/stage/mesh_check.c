#include "stage/mesh_check.h"
#include "base/error.h"
#include "rig/quat.h"

#include <math.h>

/* A bone's own scale does not change, so between rest and pose the corner moves with the bone as a rigid
 * body. */
static void move_corner(const double from_t[3], const double from_q[4], const double to_t[3],
                        const double to_q[4], const float place_m[3], double out[3]) {
  double inverse[4], v[3];
  for (int c = 0; c < 3; c++) v[c] = (double)place_m[c] * (c == 0 ? -1 : 1) - from_t[c];
  quat_conj(from_q, inverse);
  quat_rotate(inverse, v, v);
  quat_rotate(to_q, v, v);
  for (int c = 0; c < 3; c++) out[c] = (v[c] + to_t[c]) * (c == 0 ? -1 : 1);
}

void mesh_corners(const bake_plan *plan, const node_pose *rest, const node_pose *pose, double (*corners)[3]) {
  const box_mesh *mesh = &plan->mesh;
  for (uint32_t i = 0; i < mesh->box_count * BOX_VERTICES; i++) {
    uint32_t node = mesh->nodes[i / BOX_VERTICES];
    move_corner(rest->t[node], rest->q[node], pose->t[node], pose->q[node], mesh->vertices[i].place_m,
                corners[i]);
  }
}

static double reach(const double v[3]) {
  return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

/* Skins hold places and matrices in float32, seen from the origin: the farther the body rests or stands from
 * it, the coarser. Within the body nothing is forgiven. */
static double rounding_slack(const bake_plan *plan, const float place_m[3], const double hips[3],
                             const double from_hips[3]) {
  const double rest[3] = {(double)place_m[0], (double)place_m[1], (double)place_m[2]};
  double near_m = 3 * plan->output.height_m;
  double far_m = fmax(reach(rest) - near_m, 0) + fmax(reach(hips) - near_m, 0);
  double beyond_m = fmax(sqrt(vec_dot(from_hips, from_hips)) - plan->output.height_m, 0);
  return far_m * 0x1p-20 + beyond_m * bake_plan_bounds(plan).far_slack;
}

static void compare(const bake_plan *plan, const node_pose *pose, const double (*own)[3],
                    const double (*found)[3], const double file_hips[3], worst_corner *worst) {
  const double *hips_t = pose->t[plan->output.joint_node[0]];
  const double hips[3] = {-hips_t[0], hips_t[1], hips_t[2]};
  for (uint32_t i = 0; i < plan->mesh.box_count * BOX_VERTICES; i++) {
    double from_hips[3], off[3];
    for (int c = 0; c < 3; c++) from_hips[c] = own[i][c] - hips[c];
    for (int c = 0; c < 3; c++) off[c] = found[i][c] - file_hips[c] - from_hips[c];
    double slack_m = rounding_slack(plan, plan->mesh.vertices[i].place_m, hips, from_hips);
    double distance_m = sqrt(vec_dot(off, off)) - slack_m;
    if (isnan(distance_m)) distance_m = INFINITY;
    if (distance_m > worst->distance_m)
      *worst = (worst_corner){distance_m, plan->mesh.nodes[i / BOX_VERTICES]};
  }
}

static sinew_result check(const bake_plan *plan, const verify_file *file, const pose_block *block, uint32_t f,
                          uint64_t file_frame, arena *memory, worst_corner *worst, sinew_error *error) {
  uint32_t count = plan->mesh.box_count * BOX_VERTICES, hips = plan->output.joint_node[0];
  uint32_t found_count = verify_vertex_count(file);
  SINEW_CHECK(found_count == count, error, SINEW_ERROR_VERIFY, "the file's mesh has %u corners, expected %u",
              found_count, count);
  if (count == 0) return SINEW_OK;
  node_pose rest, pose;
  double(*own)[3] = arena_alloc(memory, count, sizeof *own);
  double(*found)[3] = arena_alloc(memory, count, sizeof *found);
  double file_hips[3];
  SINEW_CHECK(own && found && node_pose_alloc(&plan->output, memory, &rest) &&
                  node_pose_alloc(&plan->output, memory, &pose),
              error, SINEW_ERROR_MEMORY, "out of memory for %u corners", count);
  node_pose_rest(&plan->output, &rest);
  node_pose_at(&plan->output, block, f, &pose);
  mesh_corners(plan, &rest, &pose, own);
  SINEW_TRY(verify_vertices(file, file_frame, found, error));
  SINEW_TRY(verify_positions(file, &hips, 1, file_frame, 1, file_hips, error));
  compare(plan, &pose, (const double(*)[3])own, (const double(*)[3])found, file_hips, worst);
  return SINEW_OK;
}

sinew_result mesh_check(const bake_plan *plan, const verify_file *file, const pose_block *block, uint32_t f,
                        uint64_t file_frame, worst_corner *worst, sinew_error *error) {
  arena memory = {0};
  sinew_result result = check(plan, file, block, f, file_frame, &memory, worst, error);
  arena_release(&memory);
  return result;
}
