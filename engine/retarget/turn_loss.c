#include "retarget/turn_loss.h"

#include <stdbool.h>

static const double nrad_per_rad = 1e9;

/* The largest angle counts, of several of its size the earliest. */
static void take_most(bone_loss *loss, bool first, float rad, uint64_t frame) {
  if (!first && (rad < loss->most_rad || (rad == loss->most_rad && frame > loss->most_frame))) return;
  loss->most_rad = rad;
  loss->most_frame = frame;
}

void turn_loss_add(turn_loss *loss, int bone, const float *angles, uint64_t first_frame, uint32_t frames) {
  bone_loss *of = &loss->bone[bone];
  for (uint32_t f = 0; f < frames; f++) {
    of->sum_nrad += (uint64_t)((double)angles[f] * nrad_per_rad + 0.5);
    take_most(of, of->frame_count == 0 && f == 0, angles[f], first_frame + f);
  }
  of->frame_count += frames;
}

void turn_loss_merge(turn_loss *into, const turn_loss *from) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    bone_loss *to = &into->bone[bone];
    const bone_loss *more = &from->bone[bone];
    if (more->frame_count == 0) continue;
    take_most(to, to->frame_count == 0, more->most_rad, more->most_frame);
    to->sum_nrad += more->sum_nrad;
    to->frame_count += more->frame_count;
  }
}

double turn_loss_mean_rad(const bone_loss *loss) {
  return loss->frame_count ? (double)loss->sum_nrad / nrad_per_rad / (double)loss->frame_count : 0;
}
