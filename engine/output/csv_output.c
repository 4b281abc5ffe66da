/* CSV of muscles: a line a frame. Which sign a quaternion has is known once the frames before it are, so the
 * clip's values are put aside first. */
#include "base/error.h"
#include "output/formats.h"
#include "output/muscle_columns.h"
#include "output/text_output.h"
#include "write/csv_text.h"

enum { PIECE_ROWS = 512 };

typedef struct csv_output {
  csv_facts facts;
  muscle_columns columns;
} csv_output;

static sinew_result begin(output *out, sinew_error *error) {
  const bake_plan *plan = out->plan;
  csv_output *own = arena_alloc(&out->memory, 1, sizeof *own);
  SINEW_CHECK(own, error, SINEW_ERROR_MEMORY, "out of memory");
  own->columns.store.spool.fd = -1;
  out->own = own;
  own->facts = (csv_facts){.rate_hz = plan->rate_hz,
                           .length_s = plan->clip->stop_s - plan->clip->start_s,
                           .frame_count = plan->frame_count};
  return muscle_columns_list(plan, &own->columns, error);
}

static sinew_result start(output *out, sinew_error *error) {
  csv_output *own = out->own;
  SINEW_TRY(muscle_columns_open(out, &own->columns, error));
  text_out text = {0};
  csv_text_head(&text, own->columns.name, own->columns.count);
  const sinew_result result = text_output_append(out, &text, error);
  text_out_release(&text);
  return result;
}

static uint64_t late_piece_count(const output *out) {
  return (out->plan->frame_count + PIECE_ROWS - 1) / PIECE_ROWS;
}

static sinew_result compute_text(const csv_output *own, uint64_t late, piece_worker *worker,
                                 sinew_error *error) {
  const uint64_t first = late * PIECE_ROWS, left = own->facts.frame_count - first;
  const uint32_t rows = left < PIECE_ROWS ? (uint32_t)left : PIECE_ROWS;
  const float *columns[MUSCLE_COLUMNS];
  SINEW_TRY(piece_worker_fit(worker, (size_t)own->columns.count * PIECE_ROWS * sizeof(float), error));
  for (uint32_t column = 0; column < own->columns.count; column++) {
    float *values = (float *)worker->packed + (size_t)column * PIECE_ROWS;
    SINEW_TRY(plane_store_read(&own->columns.store, column, first, values, rows, error));
    columns[column] = values;
  }
  text_out_clear(&worker->text);
  csv_text_rows(&worker->text, &own->facts, first, rows, columns, own->columns.count);
  SINEW_CHECK(!worker->text.failed, error, SINEW_ERROR_MEMORY, "out of memory for the lines of frames");
  return SINEW_OK;
}

static bool is_late(const output *out, uint64_t piece) {
  return piece >= output_clip_piece_count(out);
}

static sinew_result compute(output *out, uint64_t piece, piece_worker *worker, sinew_error *error) {
  csv_output *own = out->own;
  if (!is_late(out, piece)) return muscle_columns_compute(out, &own->columns, piece, worker, error);
  return compute_text(own, piece - output_clip_piece_count(out), worker, error);
}

static void join(output *out, uint64_t piece, piece_worker *worker) {
  if (is_late(out, piece)) text_output_join(out, worker);
}

static sinew_result write_piece(output *out, uint64_t piece, piece_worker *worker, sinew_error *error) {
  csv_output *own = out->own;
  if (!is_late(out, piece)) return muscle_columns_write(out, &own->columns, piece, worker, error);
  return text_output_write(out, worker, error);
}

static sinew_result check(output *out, uint64_t piece, output_worker *worker, check_findings *found,
                          sinew_error *error) {
  (void)found;
  return is_late(out, piece) ? text_output_check(out, &worker->piece, error) : SINEW_OK;
}

static sinew_result finish(output *out, sinew_error *error) {
  (void)error;
  out->owed_bytes = out->end;
  return SINEW_OK;
}

static void release(output *out) {
  csv_output *own = out->own;
  if (own) muscle_columns_close(&own->columns);
}

const output_format output_csv = {.name = "csv",
                                  .wants_planes = true,
                                  .begin = begin,
                                  .start = start,
                                  .late_piece_count = late_piece_count,
                                  .compute = compute,
                                  .join = join,
                                  .write = write_piece,
                                  .check = check,
                                  .finish = finish,
                                  .release = release};
