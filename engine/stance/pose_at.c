#include "stance/pose_at.h"

#include "clip/frame_times.h"
#include "motion/motion_rate.h"
#include "rig/quat.h"

#include <string.h>

bool local_pose_alloc(const skeleton *s, arena *memory, local_pose *pose) {
  pose->t = arena_alloc(memory, s->node_count, sizeof *pose->t);
  pose->q = arena_alloc(memory, s->node_count, sizeof *pose->q);
  pose->s = arena_alloc(memory, s->node_count, sizeof *pose->s);
  return pose->t && pose->q && pose->s;
}

void local_pose_rest(const skeleton *s, local_pose *pose) {
  for (uint32_t i = 0; i < s->node_count; i++) {
    memcpy(pose->t[i], s->nodes[i].t, sizeof pose->t[i]);
    memcpy(pose->q[i], s->nodes[i].q, sizeof pose->q[i]);
    memcpy(pose->s[i], s->nodes[i].s, sizeof pose->s[i]);
  }
}

/* ---- rows --------------------------------------------------------------------------------------------- */

void sine_of_degrees(double degrees, double *sine, double *cosine) {
  const double quarter = rint(degrees / 90), x = (degrees - 90 * quarter) * 0.017453292519943295, x2 = x * x;
  /* Taylor's series to x^17 and x^16, from behind */
  static const double of_sine[] = {1.0 / (16 * 17), 1.0 / (14 * 15), 1.0 / (12 * 13), 1.0 / (10 * 11),
                                   1.0 / (8 * 9),   1.0 / (6 * 7),   1.0 / (4 * 5),   1.0 / (2 * 3)},
                      of_cosine[] = {1.0 / (15 * 16), 1.0 / (13 * 14), 1.0 / (11 * 12), 1.0 / (9 * 10),
                                     1.0 / (7 * 8),   1.0 / (5 * 6),   1.0 / (3 * 4),   1.0 / (1 * 2)};
  double s = 1, c = 1;
  for (int n = 0; n < 8; n++) s = 1 - s * x2 * of_sine[n], c = 1 - c * x2 * of_cosine[n];
  s *= x;
  switch ((int)(quarter - 4 * floor(quarter / 4))) {
  case 0:
    *sine = s, *cosine = c;
    return;
  case 1:
    *sine = c, *cosine = -s;
    return;
  case 2:
    *sine = -s, *cosine = -c;
    return;
  default:
    *sine = -c, *cosine = s;
  }
}

static void turn_about(double q[4], int axis, double degrees) {
  double about[4] = {0, 0, 0, 0};
  sine_of_degrees(degrees / 2, &about[axis], &about[3]);
  quat_mul(q, about, q);
}

void local_pose_row(const skeleton *s, const motion *m, uint64_t row, local_pose *pose) {
  const float *values = m->rows + row * m->channel_count;
  int64_t turned = -1; /* the node whose rotations are being gathered */
  local_pose_rest(s, pose);
  for (uint32_t c = 0; c < m->channel_count; c++) {
    const motion_channel channel = m->channels[c];
    const double value = (double)values[c];
    if (channel.kind <= MOTION_Z_POSITION) {
      pose->t[channel.node][channel.kind - MOTION_X_POSITION] = value;
      continue;
    }
    double *q = pose->q[channel.node];
    if (channel.kind >= MOTION_X_TURN) {
      q[channel.kind - MOTION_X_TURN] = value;
      if (channel.kind == MOTION_W_TURN) quat_normalise(q);
      continue;
    }
    if (turned != (int64_t)channel.node) memcpy(q, (double[4]){0, 0, 0, 1}, 4 * sizeof *q);
    turned = channel.node;
    turn_about(q, channel.kind - MOTION_X_ROTATION, value);
    quat_normalise(q);
  }
}

/* ---- tracks ------------------------------------------------------------------------------------------- */

static uint32_t key_before(const motion_track *track, double time_s) {
  uint32_t low = 0, high = track->key_count - 1;
  while (low < high) {
    const uint32_t middle = low + (high - low + 1) / 2;
    if ((double)track->time_s[middle] <= time_s)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

static void slerp(const double a[4], const double b[4], double share, double out[4]) {
  double product = 0, wa = 1 - share, wb = share;
  for (int k = 0; k < 4; k++) product += a[k] * b[k];
  const double sign = product < 0 ? -1 : 1, angle = acos(fmin(fabs(product), 1));
  if (angle > 1e-6) {
    wa = sin((1 - share) * angle) / sin(angle);
    wb = sin(share * angle) / sin(angle);
  }
  for (int k = 0; k < 4; k++) out[k] = wa * a[k] + sign * wb * b[k];
}

/* Between key `i` and the next one, of a cubic spline. */
static void hermite(const motion_track *track, uint32_t i, uint32_t width, double share, double span,
                    double out[4]) {
  const float *a = track->values + (size_t)i * 3 * width, *b = a + 3 * (size_t)width;
  const double x = share, x2 = x * x, x3 = x2 * x;
  for (uint32_t k = 0; k < width; k++)
    out[k] = (2 * x3 - 3 * x2 + 1) * (double)a[width + k] +
             span * (x3 - 2 * x2 + x) * (double)a[2 * width + k] + (-2 * x3 + 3 * x2) * (double)b[width + k] +
             span * (x3 - x2) * (double)b[k];
}

static void track_at(const motion_track *track, double time_s, double out[4]) {
  const uint32_t width = track->path == MOTION_ROTATION ? 4 : 3, i = key_before(track, time_s);
  const bool cubic = track->interpolation == MOTION_CUBIC;
  const float *from = track->values + (size_t)i * (cubic ? 3 * width : width) + (cubic ? width : 0);
  const double begin = (double)track->time_s[i];
  double a[4], b[4];
  for (uint32_t k = 0; k < width; k++) out[k] = a[k] = (double)from[k];
  if (track->interpolation == MOTION_STEP || i + 1 == track->key_count || time_s <= begin) return;
  const double span = (double)track->time_s[i + 1] - begin, share = (time_s - begin) / span;
  if (cubic) {
    hermite(track, i, width, share, span, out);
    return;
  }
  for (uint32_t k = 0; k < width; k++) b[k] = (double)from[width + k];
  if (width == 4)
    slerp(a, b, share, out);
  else
    for (uint32_t k = 0; k < 3; k++) out[k] = a[k] + share * (b[k] - a[k]);
}

void local_pose_time(const skeleton *s, const motion *m, double time_s, local_pose *pose) {
  local_pose_rest(s, pose);
  for (uint32_t i = 0; i < m->track_count; i++) {
    const motion_track *track = &m->tracks[i];
    double value[4];
    track_at(track, time_s, value);
    if (track->path == MOTION_ROTATION) {
      quat_normalise(value);
      memcpy(pose->q[track->node], value, sizeof value);
    } else {
      double(*to)[3] = track->path == MOTION_SCALE ? pose->s : pose->t;
      memcpy(to[track->node], value, sizeof to[track->node]);
    }
  }
}

/* ---- frames ------------------------------------------------------------------------------------------- */

uint64_t pose_frame_count(const motion *m) {
  if (m->rows || !m->track_count) return m->frame_count;
  return frame_times_count(m->start_s, m->stop_s, motion_rate_find(m));
}

void local_pose_frame(const skeleton *s, const motion *m, uint64_t f, local_pose *pose) {
  if (m->rows)
    local_pose_row(s, m, f, pose);
  else
    local_pose_time(s, m, frame_times_at(m->start_s, m->stop_s, motion_rate_find(m), f, pose_frame_count(m)),
                    pose);
}

/* ---- global ------------------------------------------------------------------------------------------- */

static void local_matrix(const local_pose *pose, uint32_t i, double m[3][4]) {
  for (int column = 0; column < 3; column++) {
    double axis[3] = {0, 0, 0};
    axis[column] = pose->s[i][column];
    quat_rotate(pose->q[i], axis, axis);
    for (int row = 0; row < 3; row++) m[row][column] = axis[row];
  }
  for (int row = 0; row < 3; row++) m[row][3] = pose->t[i][row];
}

void global_pose(const skeleton *s, const local_pose *pose, double (*matrix)[3][4], double (*q)[4]) {
  for (uint32_t i = 0; i < s->node_count; i++) {
    const int32_t above = s->nodes[i].parent;
    if (q) {
      memcpy(q[i], pose->q[i], sizeof q[i]);
      if (above >= 0) quat_mul(q[above], q[i], q[i]);
      quat_normalise(q[i]);
    }
    if (!matrix) continue;
    double m[3][4];
    local_matrix(pose, i, m);
    for (int row = 0; row < 3; row++)
      for (int column = 0; column < 4; column++) {
        const double *a = above >= 0 ? matrix[above][row] : NULL;
        matrix[i][row][column] =
            a ? a[0] * m[0][column] + a[1] * m[1][column] + a[2] * m[2][column] + (column == 3 ? a[3] : 0)
              : m[row][column];
      }
  }
}
