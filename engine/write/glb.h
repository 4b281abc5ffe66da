/* Writing a baked clip as a GLB whose sizes are known before the first frame is computed: header and JSON
 * first, then each track's pieces to their places as they come. A mesh's or a model's bytes are whole from
 * the start. */
#ifndef SINEW_WRITE_GLB_H
#define SINEW_WRITE_GLB_H

#include "base/arena.h"
#include "rig/rig.h"
#include "sinew.h"
#include "write/box_mesh.h"
#include "write/outfile.h"

typedef struct glb_model glb_model; /* glb_model.h */

typedef enum glb_path { GLB_ROTATION, GLB_TRANSLATION, GLB_SCALE } glb_path;

typedef struct glb_track {
  uint32_t node; /* of the plan's */
  glb_path path;
  bool constant; /* one key */
} glb_track;

typedef struct glb_plan {
  const rig_node *nodes; /* in Unity's frame */
  uint32_t node_count;
  const char *clip_name;
  const char *source_name; /* extras.source */
  const char *profile;     /* "fma" or "nofma" */
  double rate_hz;
  uint64_t frame_count; /* >= 1 */
  double start_s;       /* clip time of frame 0; the file's times start at 0 */
  double stop_s;
  const glb_track *tracks;
  uint32_t track_count;
  bool quantized;       /* rotations as normalised int16 instead of float */
  const box_mesh *mesh; /* NULL: none */
  /* The file whose body the output has (glb_model.h), instead of nodes and mesh of our own: only tracks are
   * added to it. Of a node that moves and has a matrix there, the plan's rest takes the matrix' place. */
  const glb_model *model;    /* NULL: none */
  const uint32_t *file_node; /* [node_count] the model's node of a plan's; NULL: they are the same */
  const int32_t *human_node; /* [HUMAN_BONE_COUNT] the file is a VRM animation of these nodes (glb_vrma.h),
                                -1: the bone is missing; NULL: it is none */
} glb_plan;

typedef struct glb_layout {
  arena memory;
  char *head; /* 12-byte header, JSON chunk, BIN chunk header */
  size_t head_byte_count;
  uint64_t *track_offset;        /* per track: the file's byte at which its first key stands */
  uint64_t times_offset;         /* time_count floats; unused when that is 0 */
  uint64_t time_count;           /* frame_count; 2 in a still file; 0 when no track has more than one key */
  uint64_t key_time_offset;      /* the single 0 of constant tracks; unused when there is none */
  uint64_t animation_byte_count; /* times and keys; the mesh comes after them */
  uint64_t model_offset;         /* what a model keeps of its buffer, padded; times and keys come after it */
  uint64_t model_byte_count;     /* 0 without a model */
  uint64_t inverse_bind_offset;  /* the next three are unused without a mesh */
  uint64_t vertices_offset;
  uint64_t indices_offset;
  uint64_t file_byte_count;
  bool has_key_time;
  bool still; /* no track moves, and the clip has a length: track 0 holds its value at 0 and at the end */
} glb_layout;

/* Errors: LIMIT (the file would pass 4 GiB - 1: the message has the number), MEMORY, ARGUMENT. */
sinew_result glb_layout_build(const glb_plan *plan, glb_layout *layout, sinew_error *error);
void glb_layout_release(glb_layout *layout);

/* A track's keys: each as 3 or 4 floats, or 4 int16 (every start is a multiple of 4), one per frame unless
 * the track is constant. */
uint32_t glb_key_bytes(const glb_plan *plan, uint32_t track);
uint64_t glb_key_count(const glb_plan *plan, const glb_layout *layout, uint32_t track);

/* The stored time of index 0..time_count-1. */
float glb_key_time(const glb_plan *plan, const glb_layout *layout, uint64_t index);

/* The file's time of a frame as it is stored: float32, from 0, strictly ascending (LIMIT from layout_build
 * otherwise). */
float glb_frame_time(const glb_plan *plan, uint64_t frame);

/* Writes what the file has of the model, nothing without one. Errors: IO. */
sinew_result glb_write_model(const glb_plan *plan, const glb_layout *layout, outfile *file,
                             sinew_error *error);

static inline uint32_t glb_file_node(const glb_plan *plan, uint32_t node) {
  return plan->model && plan->file_node ? plan->file_node[node] : node;
}

#endif
