#include "motion/plain_motion.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- matrices ----------------------------------------------------------------------------------------- */

static void multiply(double a[3][3], double b[3][3], double out[3][3]) {
  double c[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
  memcpy(out, c, sizeof c);
}

static void transpose_times(double a[3][3], double b[3][3], double out[3][3]) {
  double t[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) t[i][j] = a[j][i];
  multiply(t, b, out);
}

static void about(int axis, double degrees, double out[3][3]) {
  const double a = fmod(degrees, 360) * (M_PI / 180), c = cos(a), s = sin(a);
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  memset(out, 0, 9 * sizeof(double));
  out[axis][axis] = 1, out[u][u] = out[v][v] = c, out[u][v] = -s, out[v][u] = s;
}

static void of_quat(const double *q, double out[3][3]) {
  const double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double x = q[0] / n, y = q[1] / n, z = q[2] / n, w = q[3] / n;
  const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                          {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                          {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
  memcpy(out, r, sizeof r);
}

/* a turned by a share of the way to b, about the axis that leads there. */
static void on_the_way(double a[3][3], double b[3][3], double share, double out[3][3], bool *doubtful) {
  double d[3][3], turn[3][3];
  transpose_times(a, b, d);
  double axis[3] = {d[2][1] - d[1][2], d[0][2] - d[2][0], d[1][0] - d[0][1]};
  const double sine = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]) / 2;
  const double angle = atan2(sine, (d[0][0] + d[1][1] + d[2][2] - 1) / 2);
  *doubtful = angle > M_PI - 1e-3;
  memcpy(out, a, 9 * sizeof(double));
  if (sine < 1e-12) return;
  const double half = angle * share / 2;
  double q[4] = {0, 0, 0, cos(half)};
  for (int i = 0; i < 3; i++) q[i] = axis[i] / (2 * sine) * sin(half);
  of_quat(q, turn);
  multiply(a, turn, out);
}

/* ---- rows --------------------------------------------------------------------------------------------- */

static plain_pose at_rest(const skeleton *s, uint32_t node) {
  plain_pose pose = {0};
  of_quat(s->nodes[node].q, pose.r);
  memcpy(pose.t, s->nodes[node].t, sizeof pose.t);
  return pose;
}

plain_pose plain_at_row(const skeleton *s, const motion *m, uint32_t node, uint64_t row) {
  plain_pose pose = at_rest(s, node);
  double turned[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  bool turns = false;
  for (uint32_t c = 0; c < m->channel_count; c++) {
    if (m->channels[c].node != node) continue;
    const double value = (double)m->rows[row * m->channel_count + c];
    const int kind = m->channels[c].kind;
    if (kind <= MOTION_Z_POSITION) {
      pose.t[kind] = value;
      pose.moved = true;
      continue;
    }
    double one[3][3];
    about(kind - MOTION_X_ROTATION, value, one);
    multiply(turned, one, turned);
    turns = true;
  }
  if (turns) memcpy(pose.r, turned, sizeof turned);
  return pose;
}

static plain_pose between_rows(const skeleton *s, const motion *m, uint32_t node, double time_s) {
  const double at = time_s * m->rate_hz, last = (double)(m->frame_count - 1);
  const double before = fmin(fmax(floor(at), 0), last), share = fmin(fmax(at - before, 0), 1);
  plain_pose pose = plain_at_row(s, m, node, (uint64_t)before);
  if (before == last || share < 1e-9) return pose;
  plain_pose next = plain_at_row(s, m, node, (uint64_t)before + 1);
  if (share > 1 - 1e-9) return next;
  on_the_way(pose.r, next.r, share, pose.r, &pose.doubtful);
  for (int i = 0; i < 3; i++) pose.t[i] += share * (next.t[i] - pose.t[i]);
  return pose;
}

/* ---- tracks ------------------------------------------------------------------------------------------- */

/* The value in `out`; of a LINEAR rotation the one before, the one after and the share. */
static double sample_track(const motion_track *track, double time_s, double out[4], double after[4]) {
  const size_t width = track->path == MOTION_ROTATION ? 4 : 3;
  const bool cubic = track->interpolation == MOTION_CUBIC;
  const size_t stride = cubic ? 3 * width : width, value = cubic ? width : 0;
  uint32_t k = 0;
  while (k + 1 < track->key_count && (double)track->time_s[k + 1] <= time_s * (1 + 0x1p-22)) k++;
  const float *a = track->values + k * stride + value, *b = a + stride;
  for (size_t i = 0; i < width; i++) out[i] = (double)a[i];
  const double since = time_s - (double)track->time_s[k];
  if (k + 1 == track->key_count || track->interpolation == MOTION_STEP || since <= time_s * 0x1p-23) return 0;
  const double length = (double)track->time_s[k + 1] - (double)track->time_s[k], u = fmin(since / length, 1);
  for (size_t i = 0; i < width; i++) after[i] = (double)b[i];
  if (track->interpolation == MOTION_LINEAR) return u;
  for (size_t i = 0; i < width; i++) { /* the format's appendix, as it stands there */
    const double p0 = out[i], p1 = after[i], m0 = length * (double)a[width + i],
                 m1 = length * (double)*(b + i - width);
    out[i] = (2 * u * u * u - 3 * u * u + 1) * p0 + (u * u * u - 2 * u * u + u) * m0 +
             (-2 * u * u * u + 3 * u * u) * p1 + (u * u * u - u * u) * m1;
  }
  return 0;
}

static plain_pose at_keys(const skeleton *s, const motion *m, uint32_t node, double time_s) {
  plain_pose pose = at_rest(s, node);
  for (uint32_t i = 0; i < m->track_count; i++) {
    const motion_track *track = &m->tracks[i];
    double value[4] = {0}, after[4];
    if (track->node != node || track->path == MOTION_SCALE) continue;
    const double share = sample_track(track, time_s, value, after);
    if (track->path == MOTION_TRANSLATION) {
      for (int k = 0; k < 3; k++) pose.t[k] = value[k] + (share > 0 ? share * (after[k] - value[k]) : 0);
      pose.moved = true;
      continue;
    }
    of_quat(value, pose.r);
    if (share > 0) {
      double next[3][3];
      of_quat(after, next);
      on_the_way(pose.r, next, share, pose.r, &pose.doubtful);
    }
  }
  return pose;
}

plain_pose plain_at(const skeleton *s, const motion *m, uint32_t node, double time_s) {
  if (!m) return at_rest(s, node);
  if (m->channel_count && m->frame_count) return between_rows(s, m, node, time_s);
  return at_keys(s, m, node, time_s);
}

/* ---- the engine's -------------------------------------------------------------------------------------- */

double plain_turn_apart(const plain_pose *pose, const float *local, uint32_t slot, uint32_t lane) {
  const float *at = local + (size_t)slot * 4 * SINEW_BLOCK + lane;
  const double q[4] = {(double)at[0], -(double)at[SINEW_BLOCK], -(double)at[2 * SINEW_BLOCK],
                       (double)at[3 * SINEW_BLOCK]};
  const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  double r[3][3], apart = fabs(length - 1);
  of_quat(q, r);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double off = fabs(r[i][j] - pose->r[i][j]);
      if (!(off <= apart)) apart = off;
    }
  return apart;
}

static float *planes_of(size_t count) {
  float *planes = aligned_alloc(64, (count ? count : 1) * SINEW_BLOCK * sizeof(float));
  cr_assert(planes);
  for (size_t i = 0; i < count * SINEW_BLOCK; i++) planes[i] = NAN;
  return planes;
}

sampled sampled_open(const sinew_kernels *k, const skeleton *s, const motion *m, double unit_m,
                     double rate_hz) {
  sampled made = {.nodes = malloc((s->node_count + 1) * sizeof *made.nodes)};
  sinew_error error = {0};
  for (uint32_t i = 0; i < s->node_count; i++) made.nodes[i] = i;
  cr_assert_eq(
      motion_plan_build(k, s, NULL, NULL, m, made.nodes, s->node_count, unit_m, rate_hz, &made.plan, &error),
      SINEW_OK, "%s", error.message);
  const size_t floats = motion_scratch_floats(&made.plan);
  cr_assert_eq(floats % 16, 0);
  made.scratch = planes_of((floats + SINEW_BLOCK - 1) / SINEW_BLOCK);
  made.local = planes_of((size_t)made.plan.node_count * 4);
  made.places = planes_of((size_t)made.plan.place_count * 3);
  motion_block_begin(&made.plan, made.local, made.places);
  return made;
}

void sampled_close(sampled *s) {
  motion_plan_release(&s->plan);
  free(s->nodes), free(s->scratch), free(s->local), free(s->places);
}

void sampled_load(sampled *s, uint64_t block) {
  motion_block_load(&s->plan, block, s->scratch, s->local, s->places);
}

void sampled_place(const sampled *s, uint32_t slot, uint32_t lane, double t[3]) {
  for (uint32_t p = 0; p < s->plan.place_count; p++)
    if (s->plan.place_slot[p] == slot && !s->plan.is_scale[p]) {
      for (size_t i = 0; i < 3; i++) t[i] = (double)s->places[(p * 3 + i) * SINEW_BLOCK + lane];
      return;
    }
  const double *rest = s->plan.skeleton->nodes[s->plan.nodes[slot]].t;
  for (int i = 0; i < 3; i++) t[i] = (i == 0 ? -1 : 1) * s->plan.unit_m * rest[i];
}
