/* Movement of a skeleton as a file holds it: tracks of keys (glTF) or rows of channels (BVH, arrays). */
#ifndef SINEW_CLIP_MOTION_H
#define SINEW_CLIP_MOTION_H

#include "base/arena.h"
#include "skeleton/skeleton.h"

typedef enum motion_path { MOTION_ROTATION, MOTION_TRANSLATION, MOTION_SCALE } motion_path;
typedef enum motion_interpolation { MOTION_STEP, MOTION_LINEAR, MOTION_CUBIC } motion_interpolation;

/* Keys of one property of one node. All values are finite, times strictly ascending. */
typedef struct motion_track {
  uint32_t node;
  motion_path path;
  motion_interpolation interpolation;
  uint32_t key_count; /* at least 1 */
  const float *time_s;
  const float *values; /* 4 (rotation: x, y, z, w) or 3 a key; CUBIC: in-tangent, value, out-tangent */
} motion_track;

typedef enum motion_channel_kind {
  MOTION_X_POSITION,
  MOTION_Y_POSITION,
  MOTION_Z_POSITION,
  MOTION_X_ROTATION,
  MOTION_Y_ROTATION,
  MOTION_Z_ROTATION,
  MOTION_X_TURN, /* a unit quaternion's four components: all of them, in this order */
  MOTION_Y_TURN,
  MOTION_Z_TURN,
  MOTION_W_TURN
} motion_channel_kind;

/* A column of the rows. A node's channels stand one behind the other in the order written, which is the order
 * of its rotations; its position channels stand in place of its rest translation. A node with a quaternion
 * has no angles. */
typedef struct motion_channel {
  uint32_t node;
  uint8_t kind; /* motion_channel_kind */
} motion_channel;

/* Either tracks or rows. */
typedef struct motion {
  const char *name; /* "" where the file states none */
  double rate_hz;   /* 0: not stated */
  double start_s;   /* finite, start_s <= stop_s */
  double stop_s;
  uint32_t track_count;
  const motion_track *tracks;
  uint64_t frame_count; /* of the rows; BVH: 0 is a file of the rest pose alone */
  uint32_t channel_count;
  const motion_channel *channels;
  const float *rows; /* [frame_count][channel_count] in the file's unit and degrees, finite; frame f at f /
                        rate_hz. Quaternions: |q|^2 within 1e-4 of 1 */
} motion;

typedef struct motion_file {
  arena memory;
  skeleton *skeleton;    /* closed with the file; who takes it leaves NULL */
  uint32_t motion_count; /* 0: a skeleton alone */
  motion *motions;
  uint32_t channel_count; /* a BVH's, with or without movement; in the skeleton's memory */
  const motion_channel *channels;
} motion_file;

void motion_file_close(motion_file *file);

#endif
