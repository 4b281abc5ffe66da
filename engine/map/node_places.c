#include "map/node_places.h"
#include "rig/quat.h"

#include <string.h>

enum { POSE_REST, POSE_BIND, POSE_FRAMES };

typedef struct node_local {
  double t[3];
  double q[4];
  double s[3];
} node_local;

bool node_places_open(const skeleton *s, const motion *motions, uint32_t motion_count, arena *memory,
                      node_places *places) {
  uint32_t joints = 0, bound = 0;
  for (uint32_t i = 0; i < s->node_count; i++) joints += s->nodes[i].is_joint, bound += s->nodes[i].has_bind;
  *places = (node_places){.skeleton = s, .motions = motions};
  places->has_bind = bound > 0 && 2 * (uint64_t)bound >= joints;
  places->motion_count = motion_count < NODE_PLACES_FRAMES ? motion_count : NODE_PLACES_FRAMES;
  places->frames_each = places->motion_count ? NODE_PLACES_FRAMES / places->motion_count : 0;
  places->count = POSE_FRAMES + places->motion_count * places->frames_each;
  places->local = arena_alloc(memory, s->node_count, sizeof *places->local);
  places->global = arena_alloc(memory, s->node_count, sizeof *places->global);
  return places->local && places->global;
}

/* ---- local poses -------------------------------------------------------------------------------------- */

static void take_rest(const node_places *p) {
  for (uint32_t i = 0; i < p->skeleton->node_count; i++) {
    const skeleton_node *node = &p->skeleton->nodes[i];
    memcpy(p->local[i].t, node->t, sizeof node->t);
    memcpy(p->local[i].q, node->q, sizeof node->q);
    memcpy(p->local[i].s, node->s, sizeof node->s);
  }
}

static void turn(double q[4], int axis, double degrees) {
  const double half = degrees * (3.14159265358979323846 / 360);
  double about[4] = {0, 0, 0, cos(half)};
  about[axis] = sin(half);
  quat_mul(q, about, q);
}

/* A node's rotations replace its rest rotation, its positions their axes of its rest translation. */
static void take_row(const node_places *p, const motion *m, uint64_t frame) {
  const float *row = m->rows + frame * m->channel_count;
  int64_t turned = -1;
  for (uint32_t c = 0; c < m->channel_count; c++) {
    const motion_channel channel = m->channels[c];
    node_local *local = &p->local[channel.node];
    if (channel.kind <= MOTION_Z_POSITION) {
      local->t[channel.kind - MOTION_X_POSITION] = row[c];
      continue;
    }
    if (channel.kind >= MOTION_X_TURN) {
      local->q[channel.kind - MOTION_X_TURN] = row[c];
      if (channel.kind == MOTION_W_TURN) quat_normalise(local->q);
      continue;
    }
    if (turned != (int64_t)channel.node) memcpy(local->q, (double[4]){0, 0, 0, 1}, sizeof local->q);
    turned = channel.node;
    turn(local->q, channel.kind - MOTION_X_ROTATION, row[c]);
  }
}

static uint32_t key_before(const motion_track *track, double time_s) {
  uint32_t low = 0, high = track->key_count - 1;
  while (low < high) {
    const uint32_t middle = low + (high - low + 1) / 2;
    if (track->time_s[middle] <= time_s)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* The value of the key before; between linear keys a straight mixture. For directions that is near enough. */
static void take_track(const node_places *p, const motion_track *track, double time_s) {
  const uint32_t width = track->path == MOTION_ROTATION ? 4 : 3;
  const uint32_t stride = track->interpolation == MOTION_CUBIC ? 3 * width : width;
  const float *values = track->values + (track->interpolation == MOTION_CUBIC ? width : 0);
  const uint32_t key = key_before(track, time_s);
  const float *from = values + (uint64_t)key * stride;
  double value[4], share = 0, sign = 1, product = 0;
  for (uint32_t k = 0; k < width; k++) value[k] = from[k];
  if (track->interpolation == MOTION_LINEAR && key + 1 < track->key_count && track->time_s[key] < time_s) {
    const float *to = from + stride;
    share = (time_s - track->time_s[key]) / ((double)track->time_s[key + 1] - track->time_s[key]);
    for (uint32_t k = 0; k < width; k++) product += value[k] * to[k];
    if (width == 4 && product < 0) sign = -1;
    for (uint32_t k = 0; k < width; k++) value[k] += share * (sign * to[k] - value[k]);
  }
  node_local *local = &p->local[track->node];
  if (width == 4) quat_normalise(value);
  memcpy(track->path == MOTION_ROTATION ? local->q
         : track->path == MOTION_SCALE  ? local->s
                                        : local->t,
         value, width * sizeof *value);
}

static bool take_frame(const node_places *p, uint32_t index) {
  const motion *m = &p->motions[index / p->frames_each];
  const uint32_t step = index % p->frames_each, last = p->frames_each > 1 ? p->frames_each - 1 : 1;
  if (m->rows) {
    if (m->frame_count == 0 || (step && step >= m->frame_count)) return false;
    const uint64_t most = m->frame_count - 1;
    take_row(p, m, m->frame_count <= p->frames_each ? step : (uint64_t)((double)most * step / last));
    return true;
  }
  if (m->track_count == 0) return false;
  const double time_s = m->start_s + (m->stop_s - m->start_s) * step / last;
  for (uint32_t i = 0; i < m->track_count; i++) take_track(p, &m->tracks[i], time_s);
  return true;
}

/* ---- global ------------------------------------------------------------------------------------------- */

static void local_matrix(const node_local *local, double m[3][4]) {
  for (int column = 0; column < 3; column++) {
    double axis[3] = {0, 0, 0};
    axis[column] = local->s[column];
    quat_rotate(local->q, axis, axis);
    for (int row = 0; row < 3; row++) m[row][column] = axis[row];
  }
  for (int row = 0; row < 3; row++) m[row][3] = local->t[row];
}

static void multiply(const double a[3][4], const double b[3][4], double out[3][4]) {
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++)
      out[row][column] = a[row][0] * b[0][column] + a[row][1] * b[1][column] + a[row][2] * b[2][column] +
                         (column == 3 ? a[row][3] : 0);
}

static void place_all(const node_places *p, bool bind, double (*place)[3]) {
  for (uint32_t i = 0; i < p->skeleton->node_count; i++) {
    const skeleton_node *node = &p->skeleton->nodes[i];
    double local[3][4];
    local_matrix(&p->local[i], local);
    if (bind && node->has_bind)
      memcpy(p->global[i], node->bind, sizeof node->bind);
    else if (node->parent < 0)
      memcpy(p->global[i], local, sizeof local);
    else
      multiply((const double(*)[4])p->global[node->parent], (const double(*)[4])local, p->global[i]);
    for (int k = 0; k < 3; k++) place[i][k] = p->global[i][k][3];
  }
}

bool node_places_at(const node_places *p, uint32_t index, double (*place)[3], bool *frame) {
  *frame = index >= POSE_FRAMES;
  if (index >= p->count || (index == POSE_BIND && !p->has_bind)) return false;
  take_rest(p);
  if (index >= POSE_FRAMES && !take_frame(p, index - POSE_FRAMES)) return false;
  place_all(p, index == POSE_BIND, place);
  return true;
}
