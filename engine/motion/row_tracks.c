#include "motion/row_tracks.h"
#include "base/error.h"
#include "motion/motion_block.h"

#include <string.h>

enum { STATES_ROTATION = 1, STATES_PLACE = 2 };

typedef struct row_tracks {
  motion_plan plan;
  float *scratch, *local, *places; /* of a block */
  uint8_t *states;                 /* [node_count] */
  float *time_s;                   /* of all rows */
  arena *memory;                   /* of what is made */
  arena working;
  sinew_error *error;
} row_tracks;

static sinew_result out_of_memory(const row_tracks *r) {
  return error_set(r->error, SINEW_ERROR_MEMORY, "out of memory for the keys of %llu rows",
                   (unsigned long long)r->plan.frame_count);
}

static sinew_result set_times(row_tracks *r, const motion *m) {
  r->time_s = arena_alloc(r->memory, m->frame_count, sizeof *r->time_s);
  if (!r->time_s) return out_of_memory(r);
  for (uint64_t row = 0; row < m->frame_count; row++) {
    r->time_s[row] = (float)((double)row / m->rate_hz);
    SINEW_CHECK(row == 0 || r->time_s[row] > r->time_s[row - 1], r->error, SINEW_ERROR_LIMIT,
                "row %llu at %g rows a second is no float after the row before", (unsigned long long)row,
                m->rate_hz);
  }
  return SINEW_OK;
}

/* ---- tracks ------------------------------------------------------------------------------------------- */

static sinew_result add_track(row_tracks *r, motion_track *track, uint32_t node, motion_path path,
                              bool changes) {
  const uint32_t key_count = changes ? (uint32_t)r->plan.frame_count : 1;
  float *values = arena_alloc(r->memory, key_count, (path == MOTION_ROTATION ? 4 : 3) * sizeof *values);
  if (!values) return out_of_memory(r);
  *track = (motion_track){node, path, MOTION_LINEAR, key_count, r->time_s, values};
  return SINEW_OK;
}

/* Rotations in the order of the nodes, then places. */
static sinew_result add_tracks(row_tracks *r, motion_track *tracks, uint32_t *count) {
  const motion_plan *plan = &r->plan;
  *count = 0;
  for (uint32_t slot = 0; slot < plan->node_count; slot++)
    if (r->states[slot] & STATES_ROTATION)
      SINEW_TRY(add_track(r, &tracks[(*count)++], slot, MOTION_ROTATION, plan->turns[slot]));
  for (uint32_t place = 0; place < plan->place_count; place++)
    SINEW_TRY(
        add_track(r, &tracks[(*count)++], plan->place_slot[place], MOTION_TRANSLATION, plan->moves[place]));
  return SINEW_OK;
}

/* ---- keys --------------------------------------------------------------------------------------------- */

/* Back to the file's frame. */
static void put_keys(const float *planes, motion_path path, uint32_t count, float *keys) {
  const size_t width = path == MOTION_ROTATION ? 4 : 3;
  for (size_t f = 0; f < count; f++)
    for (size_t i = 0; i < width; i++) {
      const bool mirrored = path == MOTION_ROTATION ? i == 1 || i == 2 : i == 0;
      const float value = planes[i * SINEW_BLOCK + f];
      keys[f * width + i] = mirrored ? -value : value;
    }
}

static void fill_block(row_tracks *r, const motion_track *tracks, uint32_t track_count, uint64_t block) {
  const uint64_t first = block * SINEW_BLOCK;
  uint32_t place = 0;
  motion_block_load(&r->plan, block, r->scratch, r->local, r->places);
  for (const motion_track *track = tracks; track < tracks + track_count; track++) {
    const bool turns = track->path == MOTION_ROTATION;
    const float *planes = turns ? r->local + (size_t)track->node * 4 * SINEW_BLOCK
                                : r->places + (size_t)place++ * 3 * SINEW_BLOCK;
    if (first >= track->key_count) continue;
    const uint64_t left = track->key_count - first;
    put_keys(planes, track->path, left < SINEW_BLOCK ? (uint32_t)left : SINEW_BLOCK,
             (float *)track->values + first * (turns ? 4 : 3));
  }
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static sinew_result open_plan(row_tracks *r, const sinew_kernels *k, const skeleton *s, const motion *m) {
  uint32_t *nodes = arena_alloc(&r->working, s->node_count, sizeof *nodes);
  r->states = arena_alloc(&r->working, s->node_count, sizeof *r->states);
  if (!nodes || !r->states) return out_of_memory(r);
  for (uint32_t i = 0; i < s->node_count; i++) nodes[i] = i;
  for (uint32_t c = 0; c < m->channel_count; c++)
    r->states[m->channels[c].node] |=
        m->channels[c].kind >= MOTION_X_ROTATION ? STATES_ROTATION : STATES_PLACE;
  SINEW_TRY(motion_plan_build(k, s, NULL, NULL, m, nodes, s->node_count, 1, 0, &r->plan, r->error));
  r->scratch = arena_alloc(&r->working, motion_scratch_floats(&r->plan), sizeof(float));
  r->local = arena_alloc(&r->working, s->node_count, 4 * SINEW_BLOCK * sizeof(float));
  r->places = arena_alloc(&r->working, r->plan.place_count, 3 * SINEW_BLOCK * sizeof(float));
  if (!r->scratch || !r->local || !r->places) return out_of_memory(r);
  motion_block_begin(&r->plan, r->local, r->places);
  return SINEW_OK;
}

static sinew_result make(row_tracks *r, const sinew_kernels *k, const skeleton *s, motion *m) {
  SINEW_CHECK(m->frame_count <= UINT32_MAX / 3, r->error, SINEW_ERROR_LIMIT, "%llu rows, the limit is %u",
              (unsigned long long)m->frame_count, UINT32_MAX / 3);
  SINEW_TRY(open_plan(r, k, s, m));
  SINEW_TRY(set_times(r, m));
  uint32_t count;
  motion_track *tracks = arena_alloc(r->memory, m->channel_count, sizeof *tracks);
  if (!tracks) return out_of_memory(r);
  SINEW_TRY(add_tracks(r, tracks, &count));
  for (uint64_t block = 0; block * SINEW_BLOCK < m->frame_count; block++) fill_block(r, tracks, count, block);
  m->tracks = tracks;
  m->track_count = count;
  m->frame_count = 0;
  m->channel_count = 0;
  m->channels = NULL;
  m->rows = NULL;
  return SINEW_OK;
}

sinew_result row_tracks_make(const sinew_kernels *k, const skeleton *s, motion *m, arena *memory,
                             sinew_error *error) {
  row_tracks r = {.memory = memory, .error = error};
  const sinew_result result = make(&r, k, s, m);
  motion_plan_release(&r.plan);
  arena_release(&r.working);
  return result;
}
