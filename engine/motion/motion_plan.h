/* Which nodes are followed and how a motion moves them: the constants of sampling. Read-only once built;
 * threads share it. Everything that comes out is in Unity's frame: x mirrored. */
#ifndef SINEW_MOTION_MOTION_PLAN_H
#define SINEW_MOTION_MOTION_PLAN_H

#include "clip/motion.h"
#include "kernels.h"

/* ---- rows ---- */

/* Neighbouring columns that are loaded together into planes of their own. */
typedef struct plan_columns {
  uint32_t column, count;
  uint32_t plane; /* of the first */
} plan_columns;

/* A coordinate that changes. */
typedef struct plan_coordinate {
  uint32_t place;
  uint8_t axis;
  uint32_t plane;
} plan_coordinate;

/* A rotation that changes and stands in the rows as it is. */
typedef struct plan_quaternion {
  uint32_t slot;
  uint32_t plane; /* of x */
} plan_quaternion;

typedef struct plan_rows {
  bool own_rate; /* frame f is row f */
  uint32_t columns_count;
  plan_columns *columns;
  uint32_t widest; /* most columns of one */
  uint32_t plane_count;
  uint32_t joint_count; /* slots that turn by angles */
  sinew_euler_joint *joints;
  sinew_euler_joint *batched; /* the same, slots counted from 0 within each MOTION_BATCH joints */
  uint32_t quaternion_count;
  plan_quaternion *quaternions;
  uint32_t coordinate_count;
  plan_coordinate *coordinates;
} plan_rows;

enum { MOTION_BATCH = 16 };

/* ---- tracks ---- */

/* A track that changes. `to`: a slot (MOTION_ROTATION) or a place (MOTION_TRANSLATION). */
typedef struct plan_track {
  motion_path path;
  motion_interpolation interpolation;
  const float *values;
  uint32_t to;
} plan_track;

/* Tracks whose keys are at the same times: the frames' places among them are looked for once. */
typedef struct plan_times {
  const float *time_s;
  uint32_t key_count; /* at least 2 */
  uint32_t first_track, track_count;
} plan_times;

typedef struct plan_tracks {
  uint32_t times_count;
  plan_times *times;
  uint32_t track_count;
  plan_track *tracks;
} plan_tracks;

/* ---- the plan ---- */

typedef struct motion_plan {
  arena memory;
  const skeleton *skeleton;
  const motion *motion; /* NULL: the rest alone */
  const sinew_kernels *kernels;
  double rate_hz;
  uint64_t frame_count; /* at least 1; the last frame is at the motion's stop */
  double unit_m;        /* translations come out in metres: the file's value times this */
  uint32_t node_count;
  const uint32_t *nodes; /* the followed ones, of the skeleton; slot i is nodes[i] */
  bool *turns;           /* [node_count] the rotation changes in the motion */
  uint32_t place_count;
  uint32_t *place_slot; /* [place_count] slots whose translation the motion states, ascending; behind them
                           those whose scale it moves */
  bool *is_scale;       /* [place_count] the latter: a factor an axis, that of x negated as in a mirrored
                           translation */
  bool *moves;          /* [place_count] it changes */
  uint32_t scaled_count;
  uint32_t *scaled_nodes; /* nodes of the skeleton, followed or not, that a scale track takes away from their
                             rest */
  float (*fixed_q)[4];    /* [node_count] what a slot that does not turn has */
  float (*fixed_t)[3];    /* [place_count] what a coordinate that does not change has */
  plan_rows rows;
  plan_tracks tracks;
} motion_plan;

/* rest_t, rest_q: [skeleton->node_count], local, in the file's frame, of what the motion does not state;
 * NULL: the skeleton's own. nodes: each once. rate_hz: 0: the motion's own, or motion_rate_find's. m NULL or
 * without rows and tracks: one frame at rest. All but `nodes` is borrowed and outlives the plan; after an
 * error it holds nothing. Errors: ARGUMENT (a rate below 0 or no number, a node that is none), LIMIT (more
 * than 65,535 nodes), POSE (a rotation's spline of absurd size), MEMORY. */
sinew_result motion_plan_build(const sinew_kernels *kernels, const skeleton *s, const double (*rest_t)[3],
                               const double (*rest_q)[4], const motion *m, const uint32_t *nodes,
                               uint32_t node_count, double unit_m, double rate_hz, motion_plan *plan,
                               sinew_error *error);
void motion_plan_release(motion_plan *plan);

#endif
