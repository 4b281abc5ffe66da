#include "oracle/bvh_pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct turn {
  double m[3][3];
} turn;

static const turn no_turn = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static turn about(int axis, double degrees) {
  const double angle_rad = degrees * M_PI / 180, c = cos(angle_rad), s = sin(angle_rad);
  const int next = (axis + 1) % 3, last = (axis + 2) % 3;
  turn t = no_turn;
  t.m[next][next] = t.m[last][last] = c;
  t.m[next][last] = -s;
  t.m[last][next] = s;
  return t;
}

static turn after(const turn *a, const turn *b) {
  turn t = {0};
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++) t.m[r][c] += a->m[r][k] * b->m[k][c];
  return t;
}

void bvh_places(const motion_file *file, uint64_t frame, double (*places)[3]) {
  const skeleton *s = file->skeleton;
  const motion *m = file->motions;
  const float *row = m->rows + frame * m->channel_count;
  turn *local = malloc(s->node_count * sizeof *local), *global = malloc(s->node_count * sizeof *global);
  double(*offset)[3] = malloc(s->node_count * sizeof *offset);
  for (uint32_t i = 0; i < s->node_count; i++) {
    local[i] = no_turn;
    memcpy(offset[i], s->nodes[i].t, sizeof offset[i]);
  }
  for (uint32_t c = 0; c < m->channel_count; c++) {
    const motion_channel *channel = &m->channels[c];
    if (channel->kind <= MOTION_Z_POSITION) {
      offset[channel->node][channel->kind] = (double)row[c];
      continue;
    }
    const turn next = about(channel->kind - MOTION_X_ROTATION, (double)row[c]);
    local[channel->node] = after(&local[channel->node], &next);
  }
  for (uint32_t i = 0; i < s->node_count; i++) {
    const int32_t parent = s->nodes[i].parent;
    global[i] = parent < 0 ? local[i] : after(&global[parent], &local[i]);
    for (int r = 0; r < 3; r++) {
      places[i][r] = parent < 0 ? offset[i][r] : places[parent][r];
      for (int k = 0; parent >= 0 && k < 3; k++) places[i][r] += global[parent].m[r][k] * offset[i][k];
    }
  }
  free(local);
  free(global);
  free(offset);
}

double bvh_reach(const skeleton *s) {
  double *along = calloc(s->node_count, sizeof *along), most = 0;
  for (uint32_t i = 0; i < s->node_count; i++) {
    const double *t = s->nodes[i].t;
    if (s->nodes[i].parent < 0) continue;
    along[i] = along[s->nodes[i].parent] + sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    most = fmax(most, along[i]);
  }
  free(along);
  return most;
}
