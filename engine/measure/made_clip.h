/* A clip to measure on that needs no file: 95 muscles, the root and the goals, each a curve that swings
 * smoothly, as the text that Unity writes. */
#ifndef SINEW_MEASURE_MADE_CLIP_H
#define SINEW_MEASURE_MADE_CLIP_H

#include "base/heap.h"

typedef struct made_clip_shape {
  uint32_t frames;     /* at least 2 */
  uint32_t key_stride; /* a key every so many frames, and one at the last; at least 1 */
  double rate_hz;
} made_clip_shape;

/* What `sinew bench` calls a typical clip: 5 s at 30 frames a second, a key every 3 frames. */
extern const made_clip_shape made_clip_typical;

/* heap memory of *byte_count bytes, which the caller frees; NULL when there is none. */
char *made_clip_text(made_clip_shape shape, size_t *byte_count);

/* The value of plane `plane` (kernels.h) at a time: muscles within -1..1, the root near where it stands in
 * T-pose, its rotation and those of goals not of unit length. */
double made_clip_value(int plane, double time_s);

#endif
