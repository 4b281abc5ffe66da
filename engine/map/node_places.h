/* Where the nodes of a skeleton stand: at rest, in the bind pose, in frames spread over its movement. Double
 * precision, the file's own frame and unit. What is taken from here are directions and signs, no result is
 * written from it. */
#ifndef SINEW_MAP_NODE_PLACES_H
#define SINEW_MAP_NODE_PLACES_H

#include "clip/motion.h"

enum { NODE_PLACES_FRAMES = 48 }; /* at most, over all motions */

typedef struct node_places {
  const skeleton *skeleton;
  const motion *motions;
  uint32_t motion_count;    /* of those that frames are taken from */
  uint32_t frames_each;     /* at most, of a motion */
  uint32_t count;           /* poses: 0 the rest, 1 the bind pose (where has_bind), then frames */
  bool has_bind;            /* half of the joints or more have one */
  struct node_local *local; /* scratch */
  double (*global)[3][4];   /* scratch */
} node_places;

/* False when out of memory. */
bool node_places_open(const skeleton *s, const motion *motions, uint32_t motion_count, arena *memory,
                      node_places *places);
/* Where every node stands in pose `index`; false where there is no such pose (no bind pose, a motion with
 * fewer frames). *frame: whether it is a frame of a movement. */
bool node_places_at(const node_places *places, uint32_t index, double (*place)[3], bool *frame);

#endif
