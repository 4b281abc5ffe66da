/* Which parts of a body a clip leaves alone. */
#ifndef CLI_CLIP_PARTS_H
#define CLI_CLIP_PARTS_H

#include "json_line.h"
#include "sinew.h"

enum { CLIP_ROOT_CURVES = 7, CLIP_GOAL_CURVES = 28, CLIP_PARTS_BYTES = 1024 };

typedef struct clip_parts {
  bool muscle[SINEW_MUSCLE_COUNT];
  uint32_t of_kind[SINEW_CURVE_FOREIGN + 1]; /* curves, by kind */
} clip_parts;

void clip_parts_find(const sinew_clip *clip, clip_parts *parts);
/* "no eyes (4), no left fingers (20), 1 of 9 right arm muscles, no goals (28)", or "nothing"; returns text.
 */
const char *clip_parts_missing(const clip_parts *parts, char text[CLIP_PARTS_BYTES]);
/* {"muscles":[names],"root":0,"goals":28}: the muscles that are missing, the numbers of curves that are. */
json_t *clip_parts_json(const clip_parts *parts);

#endif
