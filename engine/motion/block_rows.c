/* A block of rows. */
#include "clip/frame_times.h"
#include "motion/block_parts.h"

#include <string.h>

/* Planes of the rows before and after each frame, rotations before and after, and gathered rows. */
size_t block_rows_scratch(const motion_plan *plan) {
  const size_t planes = plan->rows.plane_count;
  return (2 * planes + plan->rows.widest + (size_t)2 * 4 * MOTION_BATCH) * SINEW_BLOCK;
}

/* ---- at the rows' own rate ---------------------------------------------------------------------------- */

static void move_to_rows(const motion_plan *plan, const float *planes, float *places) {
  const plan_rows *rows = &plan->rows;
  for (const plan_coordinate *c = rows->coordinates; c < rows->coordinates + rows->coordinate_count; c++) {
    const float *from = planes + (size_t)c->plane * SINEW_BLOCK;
    float *to = block_plane(places, (size_t)c->place * 3 + c->axis);
    const double unit = c->axis == 0 ? -plan->unit_m : plan->unit_m;
    for (int f = 0; f < SINEW_BLOCK; f++) to[f] = (float)((double)from[f] * unit);
  }
}

/* A turn as it stands in a row, x mirrored. */
static void mirror_turn(const float *from, float *to) {
  for (size_t f = 0; f < SINEW_BLOCK; f++) {
    to[f] = from[f];
    to[SINEW_BLOCK + f] = -from[SINEW_BLOCK + f];
    to[2 * SINEW_BLOCK + f] = -from[2 * SINEW_BLOCK + f];
    to[3 * SINEW_BLOCK + f] = from[3 * SINEW_BLOCK + f];
  }
}

static void turn_as_rows(const motion_plan *plan, float *planes, float *local) {
  const plan_rows *rows = &plan->rows;
  for (const plan_quaternion *q = rows->quaternions; q < rows->quaternions + rows->quaternion_count; q++)
    mirror_turn(block_plane(planes, q->plane), block_plane(local, (size_t)q->slot * 4));
}

void block_load_own_rows(const motion_plan *plan, uint64_t first_row, uint32_t frames, const block_out *out) {
  const plan_rows *rows = &plan->rows;
  const size_t stride = plan->motion->channel_count;
  const float *row = plan->motion->rows + first_row * stride;
  for (const plan_columns *run = rows->columns; run < rows->columns + rows->columns_count; run++)
    plan->kernels->rows(row + run->column, stride, frames, run->count, block_plane(out->scratch, run->plane));
  plan->kernels->euler(rows->joints, rows->joint_count, out->scratch, out->local);
  turn_as_rows(plan, out->scratch, out->local);
  move_to_rows(plan, out->scratch, out->places);
}

/* ---- at any time -------------------------------------------------------------------------------------- */

/* Which rows lie before and after each frame; equal where the weight is 0. */
typedef struct row_places {
  uint64_t before[SINEW_BLOCK], after[SINEW_BLOCK];
  float weight[SINEW_BLOCK];
  bool between; /* any weight is not 0 */
} row_places;

static void find_rows(const motion_plan *plan, const double *time_s, row_places *found) {
  found->between = false;
  for (int f = 0; f < SINEW_BLOCK; f++) {
    frame_times_row(time_s[f], plan->motion->rate_hz, plan->motion->frame_count, &found->before[f],
                    &found->weight[f]);
    const bool between = found->weight[f] != 0;
    found->after[f] = found->before[f] + between;
    found->between = found->between || between;
  }
}

static void gather(const motion_plan *plan, const uint64_t row[SINEW_BLOCK], float *gathered, float *planes) {
  const plan_rows *rows = &plan->rows;
  for (const plan_columns *run = rows->columns; run < rows->columns + rows->columns_count; run++) {
    for (size_t f = 0; f < SINEW_BLOCK; f++)
      memcpy(gathered + f * run->count,
             plan->motion->rows + row[f] * plan->motion->channel_count + run->column,
             run->count * sizeof *gathered);
    plan->kernels->rows(gathered, run->count, SINEW_BLOCK, run->count, block_plane(planes, run->plane));
  }
}

/* At a row its own bits: the kernel makes them unit once more. */
static void keep_rows(const float *row, const float *weight, float *to) {
  for (size_t f = 0; f < SINEW_BLOCK; f++)
    if (weight[f] == 0)
      for (size_t i = 0; i < 4; i++) to[i * SINEW_BLOCK + f] = row[i * SINEW_BLOCK + f];
}

/* Rotations are blended, never their angles: those of neighbouring rows may differ by whole turns. */
static void turn_between(const motion_plan *plan, const block_out *out, const float *weight,
                         const float *before, const float *after, float *batch) {
  const plan_rows *rows = &plan->rows;
  float *a = batch, *b = batch + (size_t)MOTION_BATCH * 4 * SINEW_BLOCK;
  for (uint32_t first = 0; first < rows->joint_count; first += MOTION_BATCH) {
    const uint32_t left = rows->joint_count - first, count = left < MOTION_BATCH ? left : MOTION_BATCH;
    plan->kernels->euler(rows->batched + first, count, before, a);
    plan->kernels->euler(rows->batched + first, count, after, b);
    for (uint32_t i = 0; i < count; i++) {
      const size_t at = (size_t)i * 4;
      float *to = block_plane(out->local, (size_t)rows->joints[first + i].slot * 4);
      plan->kernels->slerp(block_plane(a, at), block_plane(b, at), weight, 1, to);
      keep_rows(block_plane(a, at), weight, to);
    }
  }
}

static void turn_quaternions_between(const motion_plan *plan, const block_out *out, const float *weight,
                                     float *before, float *after, float *batch) {
  const plan_rows *rows = &plan->rows;
  float *a = batch, *b = batch + (size_t)4 * SINEW_BLOCK;
  for (const plan_quaternion *q = rows->quaternions; q < rows->quaternions + rows->quaternion_count; q++) {
    float *to = block_plane(out->local, (size_t)q->slot * 4);
    mirror_turn(block_plane(before, q->plane), a);
    mirror_turn(block_plane(after, q->plane), b);
    plan->kernels->slerp(a, b, weight, 1, to);
    keep_rows(a, weight, to);
  }
}

static void move_between(const motion_plan *plan, const float *weight, const float *before,
                         const float *after, float *places) {
  const plan_rows *rows = &plan->rows;
  for (const plan_coordinate *c = rows->coordinates; c < rows->coordinates + rows->coordinate_count; c++) {
    const size_t plane = (size_t)c->plane * SINEW_BLOCK;
    float *to = block_plane(places, (size_t)c->place * 3 + c->axis);
    const double unit = c->axis == 0 ? -plan->unit_m : plan->unit_m;
    for (int f = 0; f < SINEW_BLOCK; f++) {
      const double a = (double)before[plane + f], b = (double)after[plane + f];
      to[f] = (float)((a + (double)weight[f] * (b - a)) * unit);
    }
  }
}

void block_load_rows(const motion_plan *plan, const double *time_s, const block_out *out) {
  const plan_rows *rows = &plan->rows;
  float *before = out->scratch, *after = block_plane(before, rows->plane_count);
  float *batch = block_plane(after, rows->plane_count);
  float *gathered = block_plane(batch, (size_t)2 * 4 * MOTION_BATCH);
  row_places found;
  find_rows(plan, time_s, &found);
  gather(plan, found.before, gathered, before);
  if (!found.between) {
    plan->kernels->euler(rows->joints, rows->joint_count, before, out->local);
    turn_as_rows(plan, before, out->local);
    move_to_rows(plan, before, out->places);
    return;
  }
  gather(plan, found.after, gathered, after);
  turn_between(plan, out, found.weight, before, after, batch);
  turn_quaternions_between(plan, out, found.weight, before, after, batch);
  move_between(plan, found.weight, before, after, out->places);
}
