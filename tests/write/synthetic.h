/* A made-up rig with the awkward parts of real ones (a scaled and turned root, nodes in between, a scale
 * undone further down), poses for it computed in double in Unity's frame by matrices, and a writer that fills
 * a layout with them. */
#ifndef TESTS_WRITE_SYNTHETIC_H
#define TESTS_WRITE_SYNTHETIC_H

#include "rig/rig.h"
#include "write/glb.h"

enum { SYNTHETIC_NODES = 16, SYNTHETIC_TRACKS = 11 };

typedef struct synthetic_clip {
  rig_node nodes[SYNTHETIC_NODES];
  glb_track tracks[SYNTHETIC_TRACKS];
  glb_plan plan;
  double height_m;
} synthetic_clip;

/* Frames at 30 per second. The clip points into itself: it must stay where it is. */
void synthetic_open(synthetic_clip *clip, uint64_t frame_count);
/* A track's value at a frame in Unity's frame: rotation x y z w, or translation x y z. */
void synthetic_value(const synthetic_clip *clip, uint32_t track, uint64_t frame, double value[4]);
/* Where the nodes are at a frame, metres, glTF's frame. */
void synthetic_positions(const synthetic_clip *clip, uint64_t frame, double position[SYNTHETIC_NODES][3]);

/* Builds the layout of `plan` (usually clip->plan) and writes the clip's times and keys to its places,
 * published under path. False with the error filled when a step fails. The caller releases the layout. */
bool synthetic_write(const synthetic_clip *clip, const glb_plan *plan, const char *path, glb_layout *layout,
                     sinew_error *error);

/* A new empty folder that lives until the process ends; static storage. */
const char *scratch_folder(void);
void scratch_remove(const char *folder);

#endif
