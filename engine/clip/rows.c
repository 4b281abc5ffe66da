#include "clip/rows.h"
#include "clip/frame_times.h"

#include <string.h>

/* ---- life --------------------------------------------------------------------------------------------- */

void clip_rows_arrange(clip_rows *rows, const int16_t *plane_of_column, size_t column_count) {
  for (int plane = 0; plane < SINEW_PLANE_COUNT; plane++) rows->column_of_plane[plane] = ROWS_NO_COLUMN;
  row_run *run = NULL;
  for (size_t column = 0; column < column_count; column++) {
    const int16_t plane = plane_of_column[column];
    if (plane < 0) {
      run = NULL;
      continue;
    }
    if (!run) {
      run = &rows->runs[rows->run_count++];
      *run = (row_run){column, 0, rows->plane_count, true};
    }
    if (run->count && plane != rows->plane[rows->plane_count - 1] + 1) run->in_order = false;
    rows->plane[rows->plane_count++] = (uint16_t)plane;
    rows->column_of_plane[plane] = column;
    run->count++;
  }
}

clip_rows *clip_rows_retain(clip_rows *rows) {
  atomic_fetch_add_explicit(&rows->owner_count, 1, memory_order_relaxed);
  return rows;
}

void clip_rows_release(clip_rows *rows) {
  if (!rows || atomic_fetch_sub_explicit(&rows->owner_count, 1, memory_order_acq_rel) > 1) return;
  heap_free(rows->copy);
  heap_free(rows);
}

/* ---- rows to planes ----------------------------------------------------------------------------------- */

static float *plane_at(float *planes, uint32_t plane) {
  return planes + (size_t)plane * SINEW_BLOCK;
}

/* The columns of one run, from rows that begin at `from`. apart: room for the run's planes where they do not
 * come in order. */
static void run_to_planes(const clip_rows *rows, const sinew_kernels *k, const row_run *run,
                          const float *from, size_t stride, uint32_t frames, float *apart, float *planes) {
  const uint16_t *plane = rows->plane + run->first;
  if (run->in_order) {
    k->rows(from, stride, frames, run->count, plane_at(planes, plane[0]));
    return;
  }
  k->rows(from, stride, frames, run->count, apart);
  for (uint32_t i = 0; i < run->count; i++)
    memcpy(plane_at(planes, plane[i]), plane_at(apart, i), SINEW_BLOCK * sizeof(float));
}

void clip_rows_load(const clip_rows *rows, const sinew_kernels *k, uint64_t first, uint32_t frames,
                    float *scratch, float *planes) {
  const float *row = rows->values + first * rows->stride;
  for (const row_run *run = rows->runs; run < rows->runs + rows->run_count; run++)
    run_to_planes(rows, k, run, row + run->column, rows->stride, frames, scratch, planes);
}

/* ---- any time ----------------------------------------------------------------------------------------- */

/* Where 64 times lie among the rows: at a row where its weight is 0, else on the way to the next one. */
typedef struct row_places {
  uint64_t row[SINEW_BLOCK];
  float weight[SINEW_BLOCK];
} row_places;

/* Behind the row before the last a step may be shorter than the others. */
static void find_row(const clip_rows *rows, double time_s, uint64_t *row, float *weight) {
  const uint64_t last = rows->frame_count - 1;
  const double before_s = last ? (double)(last - 1) / rows->rate_hz : 0;
  if (last == 0 || time_s <= before_s || rows->last_s == (double)last / rows->rate_hz) {
    frame_times_row(time_s, rows->rate_hz, rows->frame_count, row, weight);
    return;
  }
  const float w = (float)((time_s - before_s) / (rows->last_s - before_s));
  *row = w < 1 ? last - 1 : last;
  *weight = w < 1 ? w : 0;
}

/* The number of rows where the times are those of successive ones, the last for all times that are left; else
 * 0. */
static uint32_t successive_rows(const row_places *places) {
  uint32_t count = 1;
  while (count < SINEW_BLOCK && places->row[count] == places->row[count - 1] + 1) count++;
  for (uint32_t f = 0; f < SINEW_BLOCK; f++)
    if (places->weight[f] != 0 || (f >= count && places->row[f] != places->row[count - 1])) return 0;
  return count;
}

static void blend(const float *a, const float *b, float weight, uint32_t count, float *out) {
  for (uint32_t c = 0; c < count; c++) out[c] = a[c] + weight * (b[c] - a[c]);
}

/* The run's columns at the 64 places, as rows without gaps. */
static void blend_run(const clip_rows *rows, const row_run *run, const row_places *places, float *out) {
  for (uint32_t f = 0; f < SINEW_BLOCK; f++, out += run->count) {
    const float *row = rows->values + places->row[f] * rows->stride + run->column;
    if (places->weight[f] == 0)
      memcpy(out, row, run->count * sizeof *out);
    else
      blend(row, row + rows->stride, places->weight[f], run->count, out);
  }
}

/* q and -q turn alike, and arrays often change from one to the other: straight from one to the other lies no
 * rotation. */
static void blend_quat(const clip_rows *rows, const row_places *places, uint32_t plane, float *planes) {
  const size_t *column = rows->column_of_plane + plane;
  for (int i = 0; i < 4; i++)
    if (column[i] == ROWS_NO_COLUMN) return;
  for (uint32_t f = 0; f < SINEW_BLOCK; f++) {
    if (places->weight[f] == 0) continue;
    const float *a = rows->values + places->row[f] * rows->stride, *b = a + rows->stride;
    float dot = 0;
    for (int i = 0; i < 4; i++) dot += a[column[i]] * b[column[i]];
    for (uint32_t i = 0; i < 4 && dot < 0; i++)
      plane_at(planes, plane + i)[f] = a[column[i]] + places->weight[f] * (-b[column[i]] - a[column[i]]);
  }
}

void clip_rows_sample(const clip_rows *rows, const sinew_kernels *k, const double *time_s, float *scratch,
                      float *planes) {
  row_places places;
  for (int f = 0; f < SINEW_BLOCK; f++) find_row(rows, time_s[f], &places.row[f], &places.weight[f]);
  const uint32_t successive = successive_rows(&places);
  if (successive) {
    clip_rows_load(rows, k, places.row[0], successive, scratch, planes);
    return;
  }
  float *blended = scratch, *apart = scratch + (size_t)SINEW_PLANE_COUNT * SINEW_BLOCK;
  for (const row_run *run = rows->runs; run < rows->runs + rows->run_count; run++) {
    blend_run(rows, run, &places, blended);
    run_to_planes(rows, k, run, blended, run->count, SINEW_BLOCK, apart, planes);
  }
  blend_quat(rows, &places, SINEW_PLANE_ROOT_Q, planes);
  for (uint32_t goal = 0; goal < SINEW_GOAL_CHANNEL_COUNT / 7; goal++)
    blend_quat(rows, &places, SINEW_PLANE_GOAL + 7 * goal + 3, planes);
}
