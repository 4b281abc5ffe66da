/* A clip's curves made ready for the sampling kernel: each pair of keys becomes one segment of polynomial. */
#ifndef SINEW_CLIP_SEGMENTS_H
#define SINEW_CLIP_SEGMENTS_H

#include "clip/clip.h"
#include "kernels.h"

typedef struct clip_segments {
  arena memory;
  sinew_curve *curves; /* of the wanted planes that the clip has a curve for */
  uint32_t curve_count;
} clip_segments;

/* wanted[plane]: sample this plane if the clip has a curve for it; of a clip of rows there is none. Errors:
 * MEMORY. */
sinew_result clip_segments_build(const sinew_clip *clip, const bool wanted[SINEW_PLANE_COUNT],
                                 clip_segments *out, sinew_error *error);
void clip_segments_release(clip_segments *s);

#endif
