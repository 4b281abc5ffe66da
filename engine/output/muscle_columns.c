#include "output/muscle_columns.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

static void add(muscle_columns *columns, uint32_t plane, int channel) {
  columns->plane[columns->count] = (uint16_t)plane;
  columns->name[columns->count] = clip_channel_name(channel);
  columns->least_bits[columns->count] = UINT32_MAX;
  columns->most_bits[columns->count] = 0;
  columns->largest[columns->count++] = 0;
}

sinew_result muscle_columns_list(const bake_plan *plan, muscle_columns *columns, sinew_error *error) {
  for (int channel = 0; channel < CLIP_CHANNEL_COUNT; channel++) {
    const int plane = clip_plane_of_channel(channel);
    if (plane >= 0 && plan->present[plane]) add(columns, (uint32_t)plane, channel);
  }
  const offsets_rig *offsets = &plan->muscles.offsets;
  for (uint32_t i = 0; i < 3 * offsets->count; i++)
    add(columns, SINEW_PLANE_COUNT + i, offsets->bones[i / 3].channel + (int)(i % 3));
  SINEW_CHECK(columns->count, error, SINEW_ERROR_ARGUMENT, "the clip has no curve of a muscle, root or goal");
  return SINEW_OK;
}

sinew_result muscle_columns_open(const output *out, muscle_columns *columns, sinew_error *error) {
  return plane_store_open(out->file->path, columns->count, out->plan->frame_count, &columns->store, error);
}

void muscle_columns_close(muscle_columns *columns) {
  plane_store_close(&columns->store);
}

/* ---- pieces ------------------------------------------------------------------------------------------- */

static size_t column_floats(const bake_plan *plan) {
  return (size_t)piece_block_count(plan) * SINEW_BLOCK;
}

typedef struct packing {
  const bake_plan *plan;
  const muscle_columns *columns;
} packing;

/* Which of the planes' quaternions a plane is part of; -1: none. */
static int quat_of_plane(uint32_t plane) {
  for (int i = 0; i < PIECE_PLANE_QUATS; i++)
    if (plane >= piece_plane_quat[i] && plane < piece_plane_quat[i] + 4u) return i;
  return -1;
}

static sinew_result pack_block(void *user, uint64_t piece, uint32_t block, piece_worker *worker,
                               sinew_error *error) {
  (void)piece;
  (void)error;
  const packing *p = user;
  const float *offsets = muscle_source_offsets(&p->plan->muscles, worker->scratch.muscles);
  for (uint32_t column = 0; column < p->columns->count; column++) {
    const uint32_t plane = p->columns->plane[column];
    float *to = (float *)worker->packed + column * column_floats(p->plan) + (size_t)block * SINEW_BLOCK;
    const float *from = plane < SINEW_PLANE_COUNT
                            ? worker->scratch.planes + (size_t)plane * SINEW_BLOCK
                            : offsets + (size_t)(plane - SINEW_PLANE_COUNT) * SINEW_BLOCK;
    const int quat = quat_of_plane(plane);
    const uint64_t flips = quat < 0 ? 0 : worker->flips[p->plan->output.slot_count + (uint32_t)quat];
    /* a sum with 0 is never -0, whose sign a curve loses when it is read */
    for (int f = 0; f < SINEW_BLOCK; f++) to[f] = (flips >> f & 1 ? -from[f] : from[f]) + 0.0f;
  }
  return SINEW_OK;
}

sinew_result muscle_columns_compute(output *out, const muscle_columns *columns, uint64_t piece,
                                    piece_worker *worker, sinew_error *error) {
  packing p = {out->plan, columns};
  SINEW_TRY(piece_worker_fit(worker, columns->count * column_floats(out->plan) * sizeof(float), error));
  return piece_compute(&out->source, piece, worker, pack_block, &p, error);
}

static void note_range(muscle_columns *columns, uint32_t column, const float *values, uint64_t count) {
  uint32_t least = columns->least_bits[column], most = columns->most_bits[column];
  float largest = columns->largest[column];
  for (uint64_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    least = bits < least ? bits : least;
    most = bits > most ? bits : most;
    largest = fmaxf(largest, fabsf(values[i]));
  }
  columns->least_bits[column] = least;
  columns->most_bits[column] = most;
  columns->largest[column] = largest;
}

sinew_result muscle_columns_write(output *out, muscle_columns *columns, uint64_t piece, piece_worker *worker,
                                  sinew_error *error) {
  const bake_plan *plan = out->plan;
  const uint64_t first = piece_first_frame(plan, piece), count = piece_end_frame(plan, piece) - first;
  for (uint32_t column = 0; column < columns->count; column++) {
    float *values = (float *)worker->packed + column * column_floats(plan);
    const int quat = quat_of_plane(columns->plane[column]);
    if (quat >= 0 && piece_plane_quat_is_turned(plan, worker, (uint32_t)quat)) piece_negate(values, count);
    note_range(columns, column, values, count);
    SINEW_TRY(plane_store_write(&columns->store, column, first, values, count, error));
  }
  return SINEW_OK;
}

bool muscle_columns_is_still(const muscle_columns *columns, uint32_t column) {
  return columns->least_bits[column] == columns->most_bits[column];
}

bool muscle_columns_is_left_out(const muscle_columns *columns, uint32_t column) {
  return columns->plane[column] >= SINEW_PLANE_COUNT && columns->largest[column] < OFFSETS_LEAST;
}
