#include "stance/turned_body.h"

#include "rig/quat.h"

#include <string.h>

static const double deg_per_rad = 57.295779513082323;

bool turned_body_alloc(const skeleton *s, const int32_t *node_of_bone, arena *memory, turned_body *body) {
  *body = (turned_body){.s = s,
                        .node_of_bone = node_of_bone,
                        .align = {0, 0, 0, 1},
                        .offset = arena_alloc(memory, s->node_count, sizeof *body->offset),
                        .local = arena_alloc(memory, s->node_count, sizeof *body->local),
                        .q = arena_alloc(memory, s->node_count, sizeof *body->q),
                        .t = arena_alloc(memory, s->node_count, sizeof *body->t)};
  return body->offset && body->local && body->q && body->t;
}

void turned_body_take(turned_body *body, const local_pose *pose, double (*matrix)[3][4]) {
  global_pose(body->s, pose, matrix, body->q);
  for (uint32_t i = 0; i < body->s->node_count; i++) {
    const int32_t above = body->s->nodes[i].parent;
    double way[3], inverse[4];
    for (int k = 0; k < 3; k++) way[k] = matrix[i][k][3] - (above >= 0 ? matrix[above][k][3] : 0);
    if (above >= 0) {
      quat_conj(body->q[above], inverse);
      quat_rotate(inverse, way, way);
    }
    memcpy(body->offset[i], way, sizeof way);
    memcpy(body->local[i], pose->q[i], sizeof body->local[i]);
  }
  turned_body_place(body);
}

void turned_body_place(turned_body *body) {
  for (uint32_t i = 0; i < body->s->node_count; i++) {
    const int32_t above = body->s->nodes[i].parent;
    const double *q = above >= 0 ? body->q[above] : body->align;
    quat_rotate(q, body->offset[i], body->t[i]);
    for (int k = 0; k < 3 && above >= 0; k++) body->t[i][k] += body->t[above][k];
    quat_mul(q, body->local[i], body->q[i]);
    quat_normalise(body->q[i]);
  }
}

void turned_body_set(turned_body *body, int32_t node, const double q[4]) {
  const int32_t above = body->s->nodes[node].parent;
  double inverse[4];
  quat_conj(above >= 0 ? body->q[above] : body->align, inverse);
  quat_mul(inverse, q, body->local[node]);
  quat_normalise(body->local[node]);
  turned_body_place(body);
}

void turned_body_turn(turned_body *body, int32_t node, const double turn[4]) {
  double q[4];
  quat_mul(turn, body->q[node], q);
  turned_body_set(body, node, q);
}

double bone_way(const turned_body *body, int from, int to, double way[3]) {
  way[0] = way[1] = way[2] = 0;
  if (!has_bone(body, from) || !has_bone(body, to)) return 0;
  for (int k = 0; k < 3; k++) way[k] = bone_place(body, to)[k] - bone_place(body, from)[k];
  return vec_normalise(way);
}

void shortest_turn(const double from[3], const double to[3], double turn[4]) {
  double cosine = vec_dot(from, to);
  vec_cross(from, to, turn);
  turn[3] = 1 + cosine;
  if (turn[3] < 1e-9) { /* about whichever axis lies most across */
    int least = fabs(from[0]) < fabs(from[1]) ? 0 : 1;
    if (fabs(from[2]) < fabs(from[least])) least = 2;
    double axis[3] = {0, 0, 0};
    axis[least] = 1;
    vec_cross(from, axis, turn);
    turn[3] = 0;
  }
  quat_normalise(turn);
}

double turn_degrees(const double a[4], const double b[4]) {
  double d[4];
  quat_conj(a, d);
  quat_mul(d, b, d);
  return 2 * atan2(sqrt(vec_dot(d, d)), fabs(d[3])) * deg_per_rad;
}

double way_degrees(const double a[3], const double b[3]) {
  double across[3];
  vec_cross(a, b, across);
  return atan2(sqrt(vec_dot(across, across)), vec_dot(a, b)) * deg_per_rad;
}
