/* Tracks of keys: which of them change, and which share their times. */
#include "motion/plan_parts.h"
#include "rig/quat.h"

#include <math.h>
#include <string.h>

static const double scale_tolerance = 1e-4; /* as a share: what rounding leaves of a scale at rest */
static const double unit_tolerance = 0.5;   /* lengths this near 1 are made unit as they are sampled */
static const double tangent_limit = 1e9;    /* past it a spline of rotations leaves the range of float */
enum { TIMES_COMPARED = 8 };

static uint32_t width_of(motion_path path) {
  return path == MOTION_ROTATION ? 4 : 3;
}

/* Key k's value. */
static const float *key_value(const motion_track *track, uint32_t k) {
  const uint32_t width = width_of(track->path);
  if (track->interpolation == MOTION_CUBIC) return track->values + ((size_t)k * 3 + 1) * width;
  return track->values + (size_t)k * width;
}

static bool same(const float *a, const float *b, uint32_t width) {
  for (uint32_t i = 0; i < width; i++)
    if (a[i] != b[i]) return false;
  return true;
}

/* No key differs from the first and no tangent that matters leaves it. */
static bool is_still(const motion_track *track) {
  static const float none[4] = {0};
  const uint32_t width = width_of(track->path);
  const bool cubic = track->interpolation == MOTION_CUBIC;
  for (uint32_t k = 1; k < track->key_count; k++) {
    const float *before = key_value(track, k - 1), *value = key_value(track, k);
    if (!same(before, value, width)) return false;
    if (cubic && (!same(before + width, none, width) || !same(value - width, none, width))) return false;
  }
  return true;
}

/* ---- rotations ---------------------------------------------------------------------------------------- */

static double length_of(const float *q) {
  double square = 0;
  for (int i = 0; i < 4; i++) square += (double)q[i] * (double)q[i];
  return sqrt(square);
}

static void unit_rotation(const float *key, double q[4]) {
  for (int i = 0; i < 4; i++) q[i] = (double)key[i];
  quat_normalise(q);
}

/* Keys of another length than 1: rotations whose length float cannot square. */
static sinew_result make_unit(plan_building *b, const motion_track *track, plan_track *out) {
  bool wild = false;
  for (uint32_t k = 0; k < track->key_count && !wild; k++)
    wild = fabs(length_of(track->values + (size_t)k * 4) - 1) > unit_tolerance;
  if (!wild) return SINEW_OK;
  float *values = arena_alloc(&b->plan->memory, track->key_count, 4 * sizeof *values);
  if (!values) return plan_out_of_memory(b);
  for (size_t k = 0; k < track->key_count; k++) {
    double q[4];
    unit_rotation(track->values + k * 4, q);
    for (int i = 0; i < 4; i++) values[k * 4 + (size_t)i] = (float)q[i];
  }
  out->values = values;
  return SINEW_OK;
}

static sinew_result check_spline(const plan_building *b, const motion_track *track) {
  const double length_s = (double)track->time_s[track->key_count - 1] - (double)track->time_s[0];
  const double limit = tangent_limit / fmax(length_s, 1);
  for (size_t i = 0; i < (size_t)track->key_count * 12; i++)
    SINEW_CHECK(fabs((double)track->values[i]) <= limit, b->error, SINEW_ERROR_POSE,
                "the rotation of node %u has a spline with the number %g, expected one within +-%g",
                track->node, (double)track->values[i], limit);
  return SINEW_OK;
}

static void fix_rotation(motion_plan *plan, const motion_track *track, uint32_t slot) {
  double q[4];
  unit_rotation(key_value(track, 0), q);
  float *fixed = plan->fixed_q[slot];
  fixed[0] = (float)q[0], fixed[1] = (float)-q[1], fixed[2] = (float)-q[2], fixed[3] = (float)q[3];
}

/* ---- times -------------------------------------------------------------------------------------------- */

static bool same_times(const plan_times *times, const motion_track *track) {
  if (times->key_count != track->key_count) return false;
  return times->time_s == track->time_s ||
         memcmp(times->time_s, track->time_s, track->key_count * sizeof *track->time_s) == 0;
}

/* The index of the track's times among those listed so far; files with more than a few of their own are rare,
 * and lose only time. */
static uint32_t times_of(plan_tracks *tracks, const motion_track *track) {
  const uint32_t count = tracks->times_count;
  for (uint32_t i = count; i-- > 0 && i + TIMES_COMPARED >= count;)
    if (same_times(&tracks->times[i], track)) return i;
  tracks->times[count] = (plan_times){.time_s = track->time_s, .key_count = track->key_count};
  return tracks->times_count++;
}

/* A track that changes, and its times. */
typedef struct listed_track {
  plan_track track;
  uint32_t times;
} listed_track;

/* In the order of their times; else as in the file. */
static sinew_result sort_tracks(plan_building *b, const listed_track *listed, uint32_t count) {
  plan_tracks *tracks = &b->plan->tracks;
  tracks->tracks = arena_alloc(&b->plan->memory, count, sizeof *tracks->tracks);
  if (!tracks->tracks) return plan_out_of_memory(b);
  tracks->track_count = count;
  uint32_t first = 0;
  for (uint32_t i = 0; i < tracks->times_count; i++) {
    tracks->times[i].first_track = first;
    first += tracks->times[i].track_count;
    tracks->times[i].track_count = 0;
  }
  for (uint32_t i = 0; i < count; i++) {
    plan_times *times = &tracks->times[listed[i].times];
    tracks->tracks[times->first_track + times->track_count++] = listed[i].track;
  }
  return SINEW_OK;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

/* *changes false: it is fixed. */
static sinew_result open_track(plan_building *b, const motion_track *track, uint32_t slot, plan_track *out,
                               bool *changes) {
  motion_plan *plan = b->plan;
  *changes = !is_still(track);
  *out = (plan_track){track->path, track->interpolation, track->values, slot};
  if (track->path == MOTION_ROTATION) {
    if (!*changes) {
      fix_rotation(plan, track, slot);
      return SINEW_OK;
    }
    plan->turns[slot] = true;
    return track->interpolation == MOTION_CUBIC ? check_spline(b, track) : make_unit(b, track, out);
  }
  const bool scales = track->path == MOTION_SCALE;
  out->to = (uint32_t)(scales ? b->scale_of_slot : b->place_of_slot)[slot];
  if (*changes) plan->moves[out->to] = true;
  for (int axis = 0; axis < 3; axis++)
    plan->fixed_t[out->to][axis] = plan_value(plan, out->to, axis, (double)key_value(track, 0)[axis]);
  return SINEW_OK;
}

static bool leaves_scale(const motion_track *track, const skeleton_node *node) {
  for (uint32_t k = 0; k < track->key_count; k++)
    for (int i = 0; i < 3; i++)
      if (fabs((double)key_value(track, k)[i] - node->s[i]) > scale_tolerance * fabs(node->s[i])) return true;
  return track->interpolation == MOTION_CUBIC && !is_still(track);
}

static sinew_result list_scaled(plan_building *b, bool *has_scale) {
  motion_plan *plan = b->plan;
  const motion *m = plan->motion;
  uint32_t count = 0;
  for (uint32_t i = 0; m && i < m->track_count; i++) count += m->tracks[i].path == MOTION_SCALE;
  plan->scaled_nodes = arena_alloc(&plan->memory, count, sizeof *plan->scaled_nodes);
  if (!plan->scaled_nodes) return plan_out_of_memory(b);
  for (uint32_t i = 0; count && i < m->track_count; i++) {
    const motion_track *track = &m->tracks[i];
    if (track->path != MOTION_SCALE || !leaves_scale(track, &plan->skeleton->nodes[track->node])) continue;
    plan->scaled_nodes[plan->scaled_count++] = track->node;
    if (b->slot_of_node[track->node] >= 0) has_scale[b->slot_of_node[track->node]] = true;
  }
  return SINEW_OK;
}

static sinew_result list_tracks(plan_building *b, listed_track *listed) {
  const motion *m = b->plan->motion;
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->track_count; i++) {
    const motion_track *track = &m->tracks[i];
    const int32_t slot = b->slot_of_node[track->node];
    bool changes;
    if (slot < 0 || (track->path == MOTION_SCALE && b->scale_of_slot[slot] < 0)) continue;
    SINEW_TRY(open_track(b, track, (uint32_t)slot, &listed[count].track, &changes));
    if (!changes) continue;
    listed[count].times = times_of(&b->plan->tracks, track);
    b->plan->tracks.times[listed[count++].times].track_count++;
  }
  return sort_tracks(b, listed, count);
}

sinew_result plan_build_tracks(plan_building *b) {
  motion_plan *plan = b->plan;
  const motion *m = plan->motion;
  const uint32_t count = m ? m->track_count : 0;
  bool *has_place = arena_alloc(&b->scratch, plan->node_count, sizeof *has_place);
  bool *has_scale = arena_alloc(&b->scratch, plan->node_count, sizeof *has_scale);
  listed_track *listed = arena_alloc(&b->scratch, count, sizeof *listed);
  plan->tracks.times = arena_alloc(&plan->memory, count, sizeof *plan->tracks.times);
  if (!has_place || !has_scale || !listed || !plan->tracks.times) return plan_out_of_memory(b);
  for (uint32_t i = 0; i < count; i++) {
    const int32_t slot = b->slot_of_node[m->tracks[i].node];
    if (slot >= 0 && m->tracks[i].path == MOTION_TRANSLATION) has_place[slot] = true;
  }
  SINEW_TRY(list_scaled(b, has_scale));
  SINEW_TRY(plan_build_places(b, has_place, has_scale));
  return m ? list_tracks(b, listed) : SINEW_OK;
}
