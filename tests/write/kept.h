/* A made-up clip on a real character's own file: some of its nodes turn and move, the rest of the file is
 * kept. */
#ifndef TESTS_WRITE_KEPT_H
#define TESTS_WRITE_KEPT_H

#include "write/glb.h"
#include "write/glb_model.h"

#include <jansson.h>

enum { KEPT_FRAMES = 100, KEPT_TRACKS = 24 };

typedef struct kept_clip {
  char *source; /* the file's bytes */
  size_t source_bytes;
  json_t *root; /* its JSON */
  glb_model *model;
  rig_node *nodes;     /* as the file rests, in Unity's frame, in another order than the file's */
  uint32_t *file_node; /* of each */
  glb_track tracks[KEPT_TRACKS];
  glb_plan plan;
} kept_clip;

/* False with the error filled where the file is refused. The clip points into itself: it must stay where it
 * is. */
bool kept_open(const char *path, kept_clip *clip, sinew_error *error);
void kept_close(kept_clip *clip);

/* Writes the clip under path: `swing` 0: each key is the rest. The caller releases the layout. */
bool kept_write(const kept_clip *clip, double swing, const char *path, glb_layout *layout,
                sinew_error *error);

/* The JSON chunk of a GLB's bytes. */
json_text kept_text(const char *glb);

#endif
