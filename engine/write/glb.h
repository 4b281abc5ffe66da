/* Writing a baked clip as a GLB whose sizes are known before the first frame is computed: header and JSON
 * first, then each track's pieces to their places as they come. */
#ifndef SINEW_WRITE_GLB_H
#define SINEW_WRITE_GLB_H

#include "base/arena.h"
#include "rig/rig.h"
#include "sinew.h"

typedef enum glb_path { GLB_ROTATION, GLB_TRANSLATION } glb_path;

typedef struct glb_track {
  uint32_t node; /* of the rig */
  glb_path path;
  bool constant; /* one key */
} glb_track;

typedef struct glb_plan {
  const sinew_rig *rig;
  const char *clip_name;
  const char *source_name; /* extras.source */
  const char *profile;     /* "fma" or "nofma" */
  double rate_hz;
  uint64_t frame_count; /* >= 1 */
  double start_s;       /* clip time of frame 0; the file's times start at 0 */
  double stop_s;
  const glb_track *tracks;
  uint32_t track_count;
} glb_plan;

typedef struct glb_layout {
  arena memory;
  char *head; /* 12-byte header, JSON chunk, BIN chunk header */
  size_t head_byte_count;
  uint64_t *track_offset;   /* per track: the file's byte at which its first key stands */
  uint64_t times_offset;    /* frame_count floats; unused when no track is sampled */
  uint64_t key_time_offset; /* the single 0 of constant tracks; unused when there is none */
  uint64_t file_byte_count;
  bool has_times, has_key_time;
} glb_layout;

/* Errors: LIMIT (the file would pass 4 GiB - 1: the message has the number), MEMORY, ARGUMENT. */
sinew_result glb_layout_build(const glb_plan *plan, glb_layout *layout, sinew_error *error);
void glb_layout_release(glb_layout *layout);

/* The file's time of a frame as it is stored: float32, from 0, strictly ascending (LIMIT from layout_build
 * otherwise). */
float glb_frame_time(const glb_plan *plan, uint64_t frame);

#endif
