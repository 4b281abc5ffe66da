#include "motion/motion_rate.h"

#include <math.h>

static const double assumed_hz = 30, least_hz = 10, most_hz = 1000;
static const double nearly_all = 0.9, most = 0.5; /* of the keys */
static const double near_frame = 0.02;            /* of a frame: keys this near one fall on it */
static const double same_time = 0x1p-23;          /* of the time: what two roundings to float32 move it by */
enum { MOST_PARTS = 4, STEPS_TRIED = 8 };

/* Tracks often share one list of times. */
static bool same_list(const motion *m, uint32_t track) {
  return track > 0 && m->tracks[track].time_s == m->tracks[track - 1].time_s &&
         m->tracks[track].key_count == m->tracks[track - 1].key_count;
}

/* The track with the shortest step, which is stored; NULL: no track has two keys. */
static const motion_track *find_shortest(const motion *m, double *step_s) {
  const motion_track *shortest = NULL;
  for (uint32_t i = 0; i < m->track_count; i++) {
    const motion_track *track = &m->tracks[i];
    if (same_list(m, i)) continue;
    for (uint32_t k = 1; k < track->key_count; k++) {
      const double step = (double)track->time_s[k] - (double)track->time_s[k - 1];
      if (shortest && step >= *step_s) continue;
      *step_s = step;
      shortest = track;
    }
  }
  return shortest;
}

/* Each key that lies on a multiple of the step tells it more exactly than those before. */
static double exact_step(const motion_track *track, double step_s) {
  const double first = (double)track->time_s[0];
  double best = 0;
  for (uint32_t k = 1; k < track->key_count; k++) {
    const double since = (double)track->time_s[k] - first, steps = round(since / step_s);
    if (steps <= best || fabs(since / step_s - steps) > 0.1) continue;
    best = steps;
    step_s = since / steps;
  }
  return step_s;
}

/* A share of them. */
static bool hits_keys(const motion *m, double rate_hz, double share) {
  uint64_t hits = 0, keys = 0;
  for (uint32_t i = 0; i < m->track_count; i++) {
    const motion_track *track = &m->tracks[i];
    if (same_list(m, i)) continue;
    for (uint32_t k = 0; k < track->key_count; k++) {
      const double time_s = (double)track->time_s[k], frame = (time_s - m->start_s) * rate_hz;
      hits += fabs(frame - round(frame)) <= near_frame + time_s * same_time * rate_hz;
    }
    keys += track->key_count;
  }
  return (double)hits >= share * (double)keys;
}

/* 0: no rate of these falls on the keys. */
static double rate_near(const motion *m, double rate_hz, double share) {
  const double whole = round(rate_hz), film = round(rate_hz * 1.001) / 1.001;
  if (fabs(rate_hz - whole) <= 1e-3 * whole && hits_keys(m, whole, share)) return whole;
  if (fabs(rate_hz - film) <= 1e-4 * film && hits_keys(m, film, share)) return film;
  return hits_keys(m, rate_hz, share) ? rate_hz : 0;
}

/* Steps made exact, each told apart from those before. */
typedef struct tried_steps {
  double share; /* of the keys that a rate must meet */
  double step_s[1 + STEPS_TRIED];
  uint32_t count;
} tried_steps;

/* The rate of a step, or of a part of it; 0: none, or the step was tried before. */
static double rate_of_step(const motion *m, const motion_track *track, double step_s, tried_steps *tried) {
  step_s = exact_step(track, step_s);
  for (uint32_t i = 0; i < tried->count; i++)
    if (fabs(tried->step_s[i] - step_s) <= 1e-4 * step_s) return 0;
  tried->step_s[tried->count++] = step_s;
  for (int parts = 1; parts <= MOST_PARTS && parts / step_s < most_hz * 1.001; parts++) {
    const double found = rate_near(m, parts / step_s, tried->share);
    if (found > 0) return found;
  }
  return 0;
}

/* The lowest rate that meets so large a share of the keys; 0: none. */
static double lowest_rate(const motion *m, const motion_track *track, double shortest_s, double share) {
  tried_steps tried = {.share = share};
  double lowest = rate_of_step(m, track, shortest_s, &tried);
  for (uint32_t i = 0; i < STEPS_TRIED; i++) {
    const uint32_t k = (uint32_t)((uint64_t)(track->key_count - 1) * i / STEPS_TRIED);
    const double between_s = (double)track->time_s[k + 1] - (double)track->time_s[k];
    const double found = rate_of_step(m, track, between_s, &tried);
    if (found > 0 && (lowest == 0 || found < lowest)) lowest = found;
  }
  return lowest;
}

double motion_rate_find(const motion *m) {
  if (!m) return assumed_hz;
  if (m->rate_hz > 0) return m->rate_hz;
  double shortest_s = 0;
  const motion_track *track = find_shortest(m, &shortest_s);
  if (!track) return assumed_hz;
  double rate_hz = lowest_rate(m, track, shortest_s, nearly_all);
  if (rate_hz == 0) rate_hz = lowest_rate(m, track, shortest_s, most);
  return rate_hz >= least_hz && rate_hz <= most_hz ? rate_hz : assumed_hz;
}
