#include "motion/motion_reach.h"

#include <math.h>

/* A quaternion's component that changes by a little turns by twice as much. */
static const double quat_deg = 2 * 180 / 3.14159265358979323846;

/* A comparison: of loops with fmax gcc 12 for ARM makes an error of its own. */
static double larger(double a, double b) {
  return b > a ? b : a;
}

static double turn_deg(const float *a, const float *b) {
  double dot = 0, aa = 0, bb = 0;
  for (int c = 0; c < 4; c++) {
    dot += (double)a[c] * (double)b[c];
    aa += (double)a[c] * (double)a[c];
    bb += (double)b[c] * (double)b[c];
  }
  const double cosine = fmin(1, fabs(dot) / sqrt(aa * bb));
  return aa > 0 && bb > 0 ? 2 * acos(cosine) * 180 / M_PI : 0;
}

static double track_reach(const motion_track *track, bool turns) {
  const uint32_t width = turns ? 4 : 3, stride = track->interpolation == MOTION_CUBIC ? 3 * width : width;
  const float *values = track->values + (track->interpolation == MOTION_CUBIC ? width : 0);
  double most = 0;
  for (uint32_t key = 1; key < track->key_count; key++) {
    const float *own = values + (size_t)key * stride;
    if (turns) most = larger(most, turn_deg(values, own));
    for (uint32_t c = 0; c < width && !turns; c++)
      most = larger(most, fabs((double)own[c] - (double)values[c]));
  }
  return most;
}

static double column_reach(const motion *m, uint32_t column) {
  double least = INFINITY, most = -INFINITY;
  for (uint64_t frame = 0; frame < m->frame_count; frame++) {
    const double value = (double)m->rows[frame * m->channel_count + column];
    least = value < least ? value : least;
    most = larger(most, value);
  }
  return most > least ? most - least : 0;
}

double motion_reach(const motion *m, uint32_t node, bool turns) {
  double most = 0;
  for (uint32_t i = 0; m && i < m->track_count; i++)
    if (m->tracks[i].node == node && m->tracks[i].path == (turns ? MOTION_ROTATION : MOTION_TRANSLATION))
      most = larger(most, track_reach(&m->tracks[i], turns));
  for (uint32_t i = 0; m && i < m->channel_count; i++)
    if (m->channels[i].node == node && (m->channels[i].kind >= MOTION_X_ROTATION) == turns)
      most = larger(most, column_reach(m, i) * (m->channels[i].kind > MOTION_Z_ROTATION ? quat_deg : 1));
  return most;
}
