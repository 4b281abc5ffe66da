/* The rows of a clip that lies in memory as an array: every channel at every frame of one rate, a row a
 * frame. Between rows values are interpolated linearly, before the first and behind the last they stay. */
#ifndef SINEW_CLIP_ROWS_H
#define SINEW_CLIP_ROWS_H

#include "base/heap.h"
#include "kernels.h"

#include <stdatomic.h>

/* Neighbouring columns that have a plane each. */
typedef struct row_run {
  size_t column; /* the first */
  uint32_t count;
  uint32_t first; /* its planes: plane[first .. first + count - 1] */
  bool in_order;  /* the planes are neighbours as the columns are */
} row_run;

enum { ROWS_SEARCH_NONE, ROWS_SEARCH_TAKEN, ROWS_SEARCH_DONE };

/* Shared by the clip and the players made of it: the last one to release it frees it, and `copy` with it. */
typedef struct clip_rows {
  const float *values; /* row f at values + f * stride; behind the columns of the last there may be nothing */
  size_t stride;
  uint64_t frame_count; /* 1 .. ROWS_MOST_FRAMES */
  double rate_hz;
  double last_s; /* the last row's time: (frame_count - 1) / rate_hz, or nearer behind the row before it */
  float *copy;   /* where `values` are the clip's own */
  row_run runs[SINEW_PLANE_COUNT];
  uint32_t run_count;
  uint16_t plane[SINEW_PLANE_COUNT]; /* of the used columns, in their order */
  uint32_t plane_count;
  size_t column_of_plane[SINEW_PLANE_COUNT]; /* ROWS_NO_COLUMN: none */
  atomic_uint owner_count;
  atomic_int searched; /* ROWS_SEARCH_: whether `constant` is filled in yet */
  bool constant[SINEW_PLANE_COUNT];
} clip_rows;

#define ROWS_NO_COLUMN SIZE_MAX
#define ROWS_MOST_FRAMES (UINT64_C(1) << 40) /* frame numbers stay exact where times are multiplied */

/* Fills in runs and planes from plane_of_column[column_count] (-1: not used); no plane stands twice. */
void clip_rows_arrange(clip_rows *rows, const int16_t *plane_of_column, size_t column_count);

clip_rows *clip_rows_retain(clip_rows *rows);
void clip_rows_release(clip_rows *rows); /* NULL is fine */

/* The planes whose column has the same bits in every row. The first call passes over the rows and keeps the
 * answer; calls at the same moment on other threads may each do so. */
void clip_rows_constant(clip_rows *rows, bool constant[SINEW_PLANE_COUNT]);

/* Scratch of the two below, in floats, aligned to 64 bytes. */
enum { ROWS_SCRATCH = 2 * SINEW_PLANE_COUNT * SINEW_BLOCK };

/* Rows first .. first + frames - 1, 1 to 64, to their planes; the last one fills the lanes behind it. Bits
 * are moved, not changed. Planes without a column stay as they are, here and below. */
void clip_rows_load(const clip_rows *rows, const sinew_kernels *k, uint64_t first, uint32_t frames,
                    float *scratch, float *planes);

/* The clip at 64 times in seconds, finite and in any order. A time within 2^-50 of a row's, as a share, is
 * the row's and gives its bits. Between rows a and b: a + w (b - a), rounded after each operation, w in
 * float; a quaternion that has all four columns goes to whichever of b and -b is nearer. */
void clip_rows_sample(const clip_rows *rows, const sinew_kernels *k, const double *time_s, float *scratch,
                      float *planes);

#endif
