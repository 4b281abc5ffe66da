/* A clip as NumPy arrays: an .npz, which is a ZIP archive of .npy members, stored as they are and each
 * aligned to 64 bytes. Every size is known before the first frame is computed, so that pieces of frames go to
 * their places in any order (npz_file.h writes what stands around them).
 *
 * Everything in the file is in glTF's frame (right-handed, +Y up, +Z forward) and in metres; rotations are x,
 * y, z, w; arrays are little endian in C order. T: frames, J: nodes in the plan's order, parents first.
 *
 *   joint_names          <U [J]
 *   parents              int32 [J]       -1: a root
 *   rest_positions       float32 [J,3]   local
 *   rest_rotations       float32 [J,4]   local
 *   rest_scales          float32 [J,3]   local; only where one is not 1
 *   root_joint           int32           the joint whose place root_positions is
 *   fps                  float64
 *   source sinew_version profile   <U    where the clip came from, and what wrote it
 *   local_rotations      float32 [T,J,4] or, with w = sqrt(1 - x^2 - y^2 - z^2) >= 0 left out, [T,J,3]
 *   root_positions       float32 [T,3]   in model space
 *   root_local_positions float32 [T,3]   in the root joint's parent; only where it has one
 *   positions            float32 [T,J,3] in model space
 *   local_positions      float32 [T,J,3] only where joints other than the root move in their parents
 *   muscle_names         <U [95]         the next four only of a clip with muscles
 *   muscles              float32 [T,95]
 *   root                 float32 [T,7]   RootT, RootQ (x, y, z, w) in Unity's frame, as a clip holds them
 *   goals                float32 [T,28]  left foot, right foot, left hand, right hand: T, Q of each, likewise
 */
#ifndef SINEW_WRITE_NPZ_LAYOUT_H
#define SINEW_WRITE_NPZ_LAYOUT_H

#include "base/arena.h"
#include "rig/rig.h"
#include "sinew.h"

typedef enum npz_name {
  NPZ_JOINT_NAMES,
  NPZ_PARENTS,
  NPZ_REST_POSITIONS,
  NPZ_REST_ROTATIONS,
  NPZ_REST_SCALES,
  NPZ_ROOT_JOINT,
  NPZ_FPS,
  NPZ_SOURCE,
  NPZ_SINEW_VERSION,
  NPZ_PROFILE,
  NPZ_MUSCLE_NAMES,
  NPZ_LOCAL_ROTATIONS, /* from here on: of frames */
  NPZ_ROOT_POSITIONS,
  NPZ_ROOT_LOCAL_POSITIONS,
  NPZ_POSITIONS,
  NPZ_LOCAL_POSITIONS,
  NPZ_MUSCLES,
  NPZ_ROOT,
  NPZ_GOALS,
  NPZ_NAMES
} npz_name;

typedef struct npz_plan {
  const rig_node *nodes; /* in Unity's frame, metres, parents first */
  uint32_t node_count;
  uint32_t root_joint;  /* the hips, or a skeleton's root */
  uint64_t frame_count; /* >= 1 */
  double rate_hz;
  const char *source_name; /* UTF-8; NULL: "" */
  const char *profile;     /* "fma" or "nofma" */
  bool three_components;   /* rotations as x, y, z with w >= 0 */
  bool has_positions;      /* in model space */
  bool has_local_positions;
  bool has_muscles; /* and root and goals */
} npz_plan;

typedef struct npz_member {
  const char *file_name; /* with .npy; NULL: not in this file */
  uint64_t head_offset;  /* of the local header; npy_header follows it, then the data */
  uint64_t data_offset;  /* a multiple of 64 */
  uint64_t row_bytes;    /* of one frame; of what has no frames: all */
  uint64_t data_byte_count;
  const void *data;            /* NULL: rows of frames, which come as they are computed */
  const unsigned char *header; /* the array's */
  uint32_t header_byte_count;
} npz_member;

typedef struct npz_layout {
  arena memory;
  npz_member members[NPZ_NAMES];
  uint32_t member_count; /* of this file */
  uint64_t directory_offset;
  uint64_t directory_byte_count; /* with the records behind it */
  uint64_t file_byte_count;
} npz_layout;

/* Errors: ARGUMENT (no nodes, no frames, no such root), LIMIT (past 2^62 bytes), MEMORY; the layout is empty
 * then. */
sinew_result npz_layout_build(const npz_plan *plan, npz_layout *layout, sinew_error *error);
void npz_layout_release(npz_layout *layout);

static inline bool npz_has(const npz_layout *layout, npz_name name) {
  return layout->members[name].file_name != NULL;
}
/* Where a frame's row stands in the file. */
static inline uint64_t npz_row_offset(const npz_layout *layout, npz_name name, uint64_t frame) {
  return layout->members[name].data_offset + frame * layout->members[name].row_bytes;
}
static inline uint32_t npz_turn_floats(const npz_plan *plan) {
  return plan->three_components ? 3 : 4;
}

#endif
