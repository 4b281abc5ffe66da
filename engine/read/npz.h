/* Inside the reader of .npz files: the arrays it takes (write/npz_layout.h lists what we write), and what its
 * parts share. */
#ifndef SINEW_READ_NPZ_H
#define SINEW_READ_NPZ_H

#include "read/motion_reader.h"
#include "read/npy_array.h"
#include "read/zip_archive.h"

typedef enum npz_array {
  ARRAY_JOINT_NAMES,
  ARRAY_PARENTS,
  ARRAY_REST_POSITIONS,
  ARRAY_REST_ROTATIONS,
  ARRAY_LOCAL_ROTATIONS,
  ARRAY_ROOT_POSITIONS,
  ARRAY_FPS,
  ARRAY_REST_SCALES, /* from here on what may be missing */
  ARRAY_ROOT_JOINT,
  ARRAY_ROOT_LOCAL_POSITIONS,
  ARRAY_LOCAL_POSITIONS,
  ARRAY_COUNT
} npz_array;

typedef struct npz_reading {
  const read_source *source;
  motion_file *file;
  skeleton *skeleton;
  sinew_error *error;
  arena scratch; /* the directory, and what is inflated */
  zip_archive archive;
  npy_array arrays[ARRAY_COUNT];
  bool has[ARRAY_COUNT];
  uint32_t joint_count;
  uint64_t frame_count;
  uint32_t root_joint;
} npz_reading;

const char *npz_array_name(npz_array array);
sinew_result npz_out_of_memory(const npz_reading *r);

/* Keeps a sentence. MEMORY where there is no room for it. */
#define NPZ_WARN(r, ...)                                                                                     \
  do {                                                                                                       \
    if (!skeleton_warn((r)->skeleton, __VA_ARGS__)) return npz_out_of_memory(r);                             \
  } while (0)

/* How far a rotation's length may be from 1 without a word: as the readers of glTF have it. */
static const double npz_length_tolerance = 0.00769;

/* Both once all arrays are open and of their shapes. */
sinew_result npz_read_skeleton(npz_reading *r);
sinew_result npz_read_rows(npz_reading *r);

#endif
