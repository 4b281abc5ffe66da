#include "motion/block_parts.h"
#include "clip/frame_times.h"

#include <string.h>

size_t motion_scratch_floats(const motion_plan *plan) {
  return plan->rows.columns_count ? block_rows_scratch(plan) : block_tracks_scratch(plan);
}

static void fill(float *plane, float value) {
  for (int f = 0; f < SINEW_BLOCK; f++) plane[f] = value;
}

void motion_block_begin(const motion_plan *plan, float *local, float *places) {
  for (size_t slot = 0; slot < plan->node_count; slot++)
    for (size_t i = 0; i < 4; i++) fill(block_plane(local, slot * 4 + i), plan->fixed_q[slot][i]);
  for (size_t place = 0; place < plan->place_count; place++)
    for (size_t axis = 0; axis < 3; axis++)
      fill(block_plane(places, place * 3 + axis), plan->fixed_t[place][axis]);
}

/* The times of the block's frames; the last fills what is left. */
static void set_times(const motion_plan *plan, uint64_t first, uint32_t frames, double time_s[SINEW_BLOCK]) {
  const motion *m = plan->motion;
  for (uint32_t f = 0; f < SINEW_BLOCK; f++)
    time_s[f] = f < frames
                    ? frame_times_at(m->start_s, m->stop_s, plan->rate_hz, first + f, plan->frame_count)
                    : time_s[f - 1];
}

void motion_block_at(const motion_plan *plan, const double *time_s, float *scratch, float *local,
                     float *places) {
  const block_out out = {scratch, local, places};
  if (plan->rows.columns_count)
    block_load_rows(plan, time_s, &out);
  else if (plan->tracks.times_count)
    block_load_tracks(plan, time_s, &out);
}

void motion_block_load(const motion_plan *plan, uint64_t block, float *scratch, float *local, float *places) {
  const uint64_t first = block * SINEW_BLOCK, left = plan->frame_count - first;
  const uint32_t frames = left < SINEW_BLOCK ? (uint32_t)left : SINEW_BLOCK;
  double time_s[SINEW_BLOCK];
  if (!plan->rows.columns_count && !plan->tracks.times_count) return;
  if (plan->rows.own_rate) {
    block_load_own_rows(plan, first, frames, &(block_out){scratch, local, places});
    return;
  }
  set_times(plan, first, frames, time_s);
  motion_block_at(plan, time_s, scratch, local, places);
}
