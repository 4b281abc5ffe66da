/* A block of tracks. The keys on either side of each frame are brought into planes, then all frames go
 * together. */
#include "motion/block_parts.h"

#include <math.h>
#include <string.h>

/* A key so much later than a frame, as a share of the time, is reached; one so much earlier is met. */
static const double reached_early = 0x1p-22, met_late = 0x1p-23;

enum { MOST_WIDTH = 12 /* of a key: a spline's rotation */, ROTATION_PLANES = 4 };

/* Gathered keys, planes of the keys before and after, and a spline's result. */
size_t block_tracks_scratch(const motion_plan *plan) {
  return plan->tracks.times_count ? (size_t)(3 * MOST_WIDTH + ROTATION_PLANES) * SINEW_BLOCK : 0;
}

/* ---- places among the keys ---------------------------------------------------------------------------- */

typedef struct key_places {
  uint32_t before[SINEW_BLOCK], after[SINEW_BLOCK]; /* keys, equal where the progress is 0 */
  double progress[SINEW_BLOCK], length_s[SINEW_BLOCK];
  float weight[SINEW_BLOCK]; /* the progress */
  bool between;              /* any is not 0 */
} key_places;

/* The last key not after `reach`; the first where all are. */
static uint32_t last_reached(const plan_times *times, double reach) {
  uint32_t low = 0, high = times->key_count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if ((double)times->time_s[middle] <= reach)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void place_frame(const plan_times *times, double time_s, uint32_t key, key_places *found, int f) {
  const double start_s = (double)times->time_s[key], since = time_s - start_s;
  found->before[f] = found->after[f] = key;
  found->progress[f] = found->length_s[f] = 0;
  if (key + 1 == times->key_count || !(since > fabs(time_s) * met_late)) return;
  const double length_s = (double)times->time_s[key + 1] - start_s, progress = since / length_s;
  found->after[f] = key + 1;
  found->length_s[f] = length_s;
  found->progress[f] = progress < 1 ? progress : 1;
}

static void find_keys(const plan_times *times, const double *time_s, key_places *found) {
  uint32_t key = 0;
  found->between = false;
  for (int f = 0; f < SINEW_BLOCK; f++) {
    const double reach = time_s[f] + fabs(time_s[f]) * reached_early;
    if (f == 0 || time_s[f] < time_s[f - 1]) key = last_reached(times, reach);
    while (key + 1 < times->key_count && (double)times->time_s[key + 1] <= reach) key++;
    place_frame(times, time_s[f], key, found, f);
    found->weight[f] = (float)found->progress[f];
    found->between = found->between || found->progress[f] > 0;
  }
}

/* ---- keys to planes ----------------------------------------------------------------------------------- */

static bool are_successive(const uint32_t key[SINEW_BLOCK]) {
  for (uint32_t f = 1; f < SINEW_BLOCK; f++)
    if (key[f] != key[0] + f) return false;
  return true;
}

static void load_keys(const sinew_kernels *k, const float *values, uint32_t width,
                      const uint32_t key[SINEW_BLOCK], float *gathered, float *planes) {
  if (are_successive(key)) {
    k->rows(values + (size_t)key[0] * width, width, SINEW_BLOCK, width, planes);
    return;
  }
  for (size_t f = 0; f < SINEW_BLOCK; f++)
    memcpy(gathered + f * width, values + (size_t)key[f] * width, width * sizeof *gathered);
  k->rows(gathered, width, SINEW_BLOCK, width, planes);
}

/* A track's keys in planes. A spline's hold in-tangent, value and out-tangent, `width` planes each. */
typedef struct track_keys {
  uint32_t width;
  float *before, *after, *spline;
} track_keys;

static track_keys load_track(const motion_plan *plan, const plan_track *track, const key_places *found,
                             float *scratch) {
  const bool cubic = track->interpolation == MOTION_CUBIC;
  track_keys keys = {.width = track->path == MOTION_ROTATION ? 4 : 3};
  const uint32_t width = keys.width * (cubic ? 3 : 1);
  keys.before = block_plane(scratch, MOST_WIDTH);
  keys.after = block_plane(keys.before, MOST_WIDTH);
  keys.spline = block_plane(keys.after, MOST_WIDTH);
  load_keys(plan->kernels, track->values, width, found->before, scratch, keys.before);
  if (found->between && track->interpolation != MOTION_STEP)
    load_keys(plan->kernels, track->values, width, found->after, scratch, keys.after);
  return keys;
}

static float *value_planes(const track_keys *keys, float *planes) {
  return block_plane(planes, keys->width);
}

/* Tangents are a second's; the kernel takes them over the way between the keys. */
static void stretch(float *tangents, uint32_t width, const double *length_s) {
  for (uint32_t i = 0; i < width; i++)
    for (int f = 0; f < SINEW_BLOCK; f++)
      tangents[i * SINEW_BLOCK + f] = (float)((double)tangents[i * SINEW_BLOCK + f] * length_s[f]);
}

/* The spline's values; at a key the key's. */
static const float *bend(const sinew_kernels *k, const track_keys *keys, const key_places *found) {
  const float *value = value_planes(keys, keys->before);
  if (!found->between) return value;
  float *leaving = block_plane(keys->before, (size_t)2 * keys->width), *arriving = keys->after;
  stretch(leaving, keys->width, found->length_s);
  stretch(arriving, keys->width, found->length_s);
  k->hermite(value, leaving, value_planes(keys, keys->after), arriving, found->weight, keys->width,
             keys->spline);
  return keys->spline;
}

/* ---- what they move ----------------------------------------------------------------------------------- */

static void mirror(float *quat) {
  for (int f = 0; f < 2 * SINEW_BLOCK; f++) quat[SINEW_BLOCK + f] = -quat[SINEW_BLOCK + f];
}

static void turn(const motion_plan *plan, const plan_track *track, const key_places *found, float *scratch,
                 float *local) {
  const sinew_kernels *k = plan->kernels;
  const track_keys keys = load_track(plan, track, found, scratch);
  float *to = block_plane(local, (size_t)track->to * 4);
  const float *value = track->interpolation == MOTION_CUBIC ? bend(k, &keys, found) : keys.before;
  if (track->interpolation == MOTION_LINEAR && found->between) {
    k->slerp(keys.before, keys.after, found->weight, 1, to);
  } else {
    memcpy(to, value, 4 * SINEW_BLOCK * sizeof *to);
    k->normalise(to, 1);
  }
  mirror(to);
}

static void move(const motion_plan *plan, const plan_track *track, const key_places *found, float *scratch,
                 float *places) {
  const track_keys keys = load_track(plan, track, found, scratch);
  const bool straight = track->interpolation == MOTION_LINEAR && found->between;
  const float *value = track->interpolation == MOTION_CUBIC ? bend(plan->kernels, &keys, found) : keys.before;
  for (size_t axis = 0; axis < 3; axis++) {
    const float *from = value + axis * SINEW_BLOCK, *next = keys.after + axis * SINEW_BLOCK;
    float *to = block_plane(places, (size_t)track->to * 3 + axis);
    const double own = plan->is_scale[track->to] ? 1 : plan->unit_m, unit = axis == 0 ? -own : own;
    for (int f = 0; f < SINEW_BLOCK; f++) {
      double v = (double)from[f];
      if (straight) v += found->progress[f] * ((double)next[f] - v);
      to[f] = (float)(v * unit);
    }
  }
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

void block_load_tracks(const motion_plan *plan, const double *time_s, const block_out *out) {
  const plan_tracks *tracks = &plan->tracks;
  key_places found;
  for (const plan_times *times = tracks->times; times < tracks->times + tracks->times_count; times++) {
    find_keys(times, time_s, &found);
    const plan_track *track = tracks->tracks + times->first_track;
    for (const plan_track *end = track + times->track_count; track < end; track++) {
      if (track->path == MOTION_ROTATION)
        turn(plan, track, &found, out->scratch, out->local);
      else
        move(plan, track, &found, out->scratch, out->places);
    }
  }
}
