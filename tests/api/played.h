/* The sample in a player, and one set of buffers for its poses. */
#ifndef TESTS_API_PLAYED_H
#define TESTS_API_PLAYED_H

#include "sinew.h"
#include "support/bake.h"

enum { PLAYED_BUFFERS = 9 };

typedef struct played {
  sinew_context *context;
  sinew_clip_file *file;
  sinew_rig *rig;
  const sinew_clip *clip;
  sinew_player *player;
  uint32_t bone_count;
  void *scratch;
  size_t scratch_bytes;
} played;

/* The sample clip on the sample rig; isa as in sinew_context_options. */
played played_open(const char *isa, sinew_frame frame);
/* The first clip of one file on the rig of another. */
played played_open_files(const char *isa, sinew_frame frame, const char *clip_path, const char *rig_path);
void played_close(played *p);

/* Buffers for `count` poses: exactly so many values, so that a memory checker sees a step past them; filled
 * with a pattern that no pose has. */
typedef struct pose_arrays {
  sinew_pose_buffers to;
  size_t value_count[PLAYED_BUFFERS];
} pose_arrays;
pose_arrays pose_arrays_make(const played *p, size_t count);
void pose_arrays_free(pose_arrays *a);
/* The i-th buffer, in the order of sinew_pose_buffers. */
float **pose_buffer(sinew_pose_buffers *to, int i);
extern const char *const pose_buffer_name[PLAYED_BUFFERS];
/* How many values of one pose buffer i holds. */
size_t pose_buffer_width(const played *p, int i);

/* Fails the running test unless the two hold the same bits. */
void pose_arrays_expect_equal(const pose_arrays *a, const pose_arrays *b, const char *what);

/* Evaluates; fails the running test on an error. */
void played_evaluate(const played *p, const double *time_s, size_t count, pose_arrays *out);

/* `count` times that wander over the clip and past both of its ends, each from its index alone. */
double *wandering_times(const played *p, size_t count);

#endif
