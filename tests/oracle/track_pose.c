#include "oracle/track_pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where a time lies among keys: share of the way from `from` to the next; at an end there is no next. */
typedef struct key_place {
  uint32_t from;
  double share, length_s;
} key_place;

static key_place find_key(const motion_track *track, double time_s) {
  const uint32_t last = track->key_count - 1;
  if (time_s <= (double)track->time_s[0]) return (key_place){0, 0, 0};
  if (time_s >= (double)track->time_s[last]) return (key_place){last, 0, 0};
  uint32_t k = 0;
  while ((double)track->time_s[k + 1] <= time_s) k++;
  const double start_s = (double)track->time_s[k], length_s = (double)track->time_s[k + 1] - start_s;
  return (key_place){k, (time_s - start_s) / length_s, length_s};
}

static void slerp(const double a[4], const double b[4], double share, double out[4]) {
  double dot = 0;
  for (int i = 0; i < 4; i++) dot += a[i] * b[i];
  const double sign = dot < 0 ? -1 : 1, angle_rad = acos(fmin(1, fabs(dot)));
  double from = 1 - share, to = share;
  if (angle_rad > 1e-9)
    from = sin(from * angle_rad) / sin(angle_rad), to = sin(to * angle_rad) / sin(angle_rad);
  for (int i = 0; i < 4; i++) out[i] = from * a[i] + sign * to * b[i];
}

static void normalise(double q[4]) {
  const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; i++) q[i] /= length;
}

static void sample(const motion_track *track, double time_s, double out[4]) {
  const key_place at = find_key(track, time_s);
  const int width = track->path == MOTION_ROTATION ? 4 : 3;
  const bool cubic = track->interpolation == MOTION_CUBIC;
  const float *key = track->values + (size_t)at.from * (size_t)width * (cubic ? 3 : 1);
  double a[4] = {0}, b[4] = {0};
  for (int i = 0; i < width; i++) out[i] = a[i] = (double)key[cubic ? width + i : i];
  if (at.length_s > 0 && cubic) {
    const double s = at.share, s2 = s * s, s3 = s2 * s;
    for (int i = 0; i < width; i++) {
      const double leaves = (double)key[2 * width + i], arrives = (double)key[3 * width + i];
      out[i] = (2 * s3 - 3 * s2 + 1) * a[i] + at.length_s * (s3 - 2 * s2 + s) * leaves +
               (3 * s2 - 2 * s3) * (double)key[4 * width + i] + at.length_s * (s3 - s2) * arrives;
    }
  } else if (at.length_s > 0 && track->interpolation == MOTION_LINEAR) {
    for (int i = 0; i < width; i++) b[i] = (double)key[width + i];
    if (width == 4)
      normalise(a), normalise(b), slerp(a, b, at.share, out);
    else
      for (int i = 0; i < 3; i++) out[i] = a[i] + at.share * (b[i] - a[i]);
  }
  if (width == 4) normalise(out);
}

static void local_of(const double t[3], const double q[4], const double s[3], double m[3][4]) {
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  const double turn[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                             {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                             {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) m[r][c] = turn[r][c] * s[c];
    m[r][3] = t[r];
  }
}

void track_places(const skeleton *s, const motion *moves, double time_s, double (*places)[3]) {
  double(*q)[4] = calloc(s->node_count, sizeof *q), (*t)[4] = calloc(s->node_count, sizeof *t),
  (*scale)[4] = calloc(s->node_count, sizeof *scale), (*global)[3][4] = calloc(s->node_count, sizeof *global);
  for (uint32_t i = 0; i < s->node_count; i++) {
    memcpy(q[i], s->nodes[i].q, sizeof q[i]);
    memcpy(t[i], s->nodes[i].t, 3 * sizeof(double));
    memcpy(scale[i], s->nodes[i].s, 3 * sizeof(double));
  }
  for (uint32_t i = 0; moves && i < moves->track_count; i++) {
    const motion_track *track = &moves->tracks[i];
    double(*to)[4] = track->path == MOTION_ROTATION ? q : track->path == MOTION_SCALE ? scale : t;
    sample(track, time_s, to[track->node]);
  }
  for (uint32_t i = 0; i < s->node_count; i++) {
    const int32_t parent = s->nodes[i].parent;
    double local[3][4];
    local_of(t[i], q[i], scale[i], local);
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 4; c++) {
        global[i][r][c] = parent < 0 ? local[r][c] : c == 3 ? global[parent][r][3] : 0;
        for (int k = 0; parent >= 0 && k < 3; k++) global[i][r][c] += global[parent][r][k] * local[k][c];
      }
    for (int r = 0; r < 3; r++) places[i][r] = global[i][r][3];
  }
  free(q), free(t), free(scale), free(global);
}
