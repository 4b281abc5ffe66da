/* A body whose bones are turned: every scale folded into lengths, so that each node lies where the file's
 * whole matrices put it and rotations alone move it. */
#ifndef SINEW_STANCE_TURNED_BODY_H
#define SINEW_STANCE_TURNED_BODY_H

#include "stance/pose_at.h"

typedef struct turned_body {
  const skeleton *s;
  const int32_t *node_of_bone; /* without bones that the rig compiler takes off the map */
  double align[4];             /* of the roots: body = align * file */
  double (*offset)[3];         /* in the rotation of the parent */
  double (*local)[4];
  double (*q)[4]; /* in the body frame, by turned_body_place */
  double (*t)[3];
} turned_body;

/* False when out of memory. */
bool turned_body_alloc(const skeleton *s, const int32_t *node_of_bone, arena *memory, turned_body *body);
/* Takes a pose over, in the file's frame. matrix: scratch, of all nodes. */
void turned_body_take(turned_body *body, const local_pose *pose, double (*matrix)[3][4]);
void turned_body_place(turned_body *body);
/* Turns a node and all below it: its rotation in the body frame becomes turn * what it is. Places all. */
void turned_body_turn(turned_body *body, int32_t node, const double turn[4]);
/* The same to a rotation in the body frame. */
void turned_body_set(turned_body *body, int32_t node, const double q[4]);

static inline const double *bone_place(const turned_body *body, int bone) {
  return body->t[body->node_of_bone[bone]];
}
static inline bool has_bone(const turned_body *body, int bone) {
  return body->node_of_bone[bone] >= 0;
}

/* from one bone to another as a unit vector; its length. 0 and a zero vector where a bone is missing. */
double bone_way(const turned_body *body, int from, int to, double way[3]);

/* The shortest turn from one unit vector to another; of opposite ones about an axis across `from`. */
void shortest_turn(const double from[3], const double to[3], double turn[4]);
/* Between two rotations, degrees; for what is told. */
double turn_degrees(const double a[4], const double b[4]);
/* Between unit vectors, degrees. */
double way_degrees(const double a[3], const double b[3]);

#endif
