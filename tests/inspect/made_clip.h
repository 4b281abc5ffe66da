/* A clip's text from keys. */
#ifndef TESTS_INSPECT_MADE_CLIP_H
#define TESTS_INSPECT_MADE_CLIP_H

#include <stddef.h>

typedef struct made_key {
  double time_s, value, in_slope, out_slope;
  int weighted_mode;
  double in_weight, out_weight;
} made_key;

typedef struct made_curve {
  const char *attribute;
  const made_key *keys;
  size_t key_count;
} made_curve;

/* The text of a file of one clip from 0 to stop_s; the caller frees. */
char *made_clip(const char *name, double rate_hz, double stop_s, const made_curve *curves,
                size_t curve_count);

#endif
