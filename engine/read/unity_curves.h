/* A clip's float curves: the lists m_FloatCurves and m_EditorCurves. */
#ifndef SINEW_READ_UNITY_CURVES_H
#define SINEW_READ_UNITY_CURVES_H

#include "read/key_store.h"
#include "read/reader.h"
#include "read/unity_scan.h"

typedef struct curve_reader {
  scan *s;
  const read_source *source;
  arena *memory;
  key_store keys;
  clip_curve *curves; /* of an Animator itself; attributes in `memory` or static */
  uint32_t curve_count;
  uint32_t capacity;
  uint32_t humanoid_count;                      /* curves of humanoid channels */
  uint64_t other_count;                         /* curves of other components, and of Animators below */
  uint64_t line_of_channel[CLIP_CHANNEL_COUNT]; /* 0: not met yet */
} curve_reader;

void unity_open_curves(curve_reader *r, scan *s, const read_source *source, arena *memory);
void unity_close_curves(curve_reader *r);
/* Appends the Animator curves of a list; other curves are counted and dropped, whatever their keys hold.
 * Errors: SYNTAX, LIMIT, MEMORY. */
sinew_result unity_read_curves(curve_reader *r, const scan_field *list);
/* Moves curves and keys into the clip's memory. */
sinew_result unity_take_curves(curve_reader *r, sinew_clip *clip);

#endif
