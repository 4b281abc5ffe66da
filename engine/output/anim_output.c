/* Unity's AnimationClip text: a curve a channel. A curve is whole before the next begins, so the clip's
 * values are put aside first. */
#include "base/error.h"
#include "output/formats.h"
#include "output/muscle_columns.h"
#include "output/text_output.h"
#include "write/anim_text.h"

#include <string.h>

/* A piece of text: so many keys of one curve, or of several short ones. */
enum { PIECE_KEYS = 8192 };

typedef struct anim_output {
  anim_facts facts;
  muscle_columns columns;
  uint64_t spans;  /* pieces of a curve; 1: piece i holds curves from i * curves on */
  uint32_t curves; /* of a piece */
} anim_output;

/* What the editor gives a clip that nobody has set anything of. */
static sinew_clip_settings settings_of(const sinew_clip *clip) {
  if (!clip->body) return clip->settings;
  return (sinew_clip_settings){.keep_original_position_y = true};
}

static sinew_result begin(output *out, sinew_error *error) {
  const bake_plan *plan = out->plan;
  anim_output *own = arena_alloc(&out->memory, 1, sizeof *own);
  SINEW_CHECK(own, error, SINEW_ERROR_MEMORY, "out of memory");
  own->columns.store.spool.fd = -1;
  out->own = own;
  own->facts = (anim_facts){.name = plan->clip->name,
                            .rate_hz = plan->rate_hz,
                            /* as it is written and read again: slopes at the end follow from it */
                            .length_s = (double)(float)(plan->clip->stop_s - plan->clip->start_s),
                            .frame_count = plan->frame_count,
                            .settings = settings_of(plan->clip)};
  SINEW_TRY(anim_facts_check(&own->facts, error));
  SINEW_TRY(muscle_columns_list(plan, &own->columns, error));
  own->spans = (plan->frame_count + PIECE_KEYS - 1) / PIECE_KEYS;
  own->curves = own->spans > 1 ? 1 : (uint32_t)(PIECE_KEYS / plan->frame_count);
  return SINEW_OK;
}

static sinew_result start(output *out, sinew_error *error) {
  anim_output *own = out->own;
  SINEW_TRY(muscle_columns_open(out, &own->columns, error));
  text_out text = {0};
  anim_text_head(&text, &own->facts);
  const sinew_result result = text_output_append(out, &text, error);
  text_out_release(&text);
  return result;
}

static uint64_t late_piece_count(const output *out) {
  const anim_output *own = out->own;
  if (own->spans > 1) return own->columns.count * own->spans;
  return (own->columns.count + own->curves - 1) / own->curves;
}

/* ---- text -----------------------------------------------------------------------------------------------
 */

/* Keys of frames first..end-1 of a column, with a frame more on both sides where there is one. */
static sinew_result add_keys(const anim_output *own, uint32_t column, const anim_times *times, float *values,
                             text_out *text, sinew_error *error) {
  const uint64_t first = times->first_frame, end = first + times->frame_count;
  const bool before = first > 0, after = end < own->facts.frame_count;
  if (muscle_columns_is_still(&own->columns, column)) {
    if (before) return SINEW_OK;
    SINEW_TRY(plane_store_read(&own->columns.store, column, 0, values, 1, error));
    anim_text_still(text, &own->facts, values[0]);
    return SINEW_OK;
  }
  SINEW_TRY(plane_store_read(&own->columns.store, column, first - before, values,
                             times->frame_count + before + after, error));
  anim_text_keys(text, times, first, times->frame_count, values + before, before, after);
  return SINEW_OK;
}

static sinew_result add_curves(const anim_output *own, uint32_t first, uint32_t end, const anim_times *times,
                               piece_worker *worker, sinew_error *error) {
  for (uint32_t column = first; column < end; column++) {
    if (muscle_columns_is_left_out(&own->columns, column)) continue;
    if (times->first_frame == 0) anim_text_curve_begin(&worker->text);
    SINEW_TRY(add_keys(own, column, times, (float *)worker->packed, &worker->text, error));
    if (times->first_frame + times->frame_count == own->facts.frame_count)
      anim_text_curve_end(&worker->text, own->columns.name[column]);
  }
  SINEW_CHECK(!worker->text.failed, error, SINEW_ERROR_MEMORY, "out of memory for the text of keys");
  return SINEW_OK;
}

static sinew_result compute_text(const anim_output *own, uint64_t late, piece_worker *worker,
                                 sinew_error *error) {
  const uint32_t column = own->spans > 1 ? (uint32_t)(late / own->spans) : (uint32_t)late * own->curves;
  const uint64_t first = own->spans > 1 ? late % own->spans * PIECE_KEYS : 0;
  const uint64_t left = own->facts.frame_count - first, count = left < PIECE_KEYS ? left : PIECE_KEYS;
  const uint32_t rest = own->columns.count - column, curves = rest < own->curves ? rest : own->curves;
  SINEW_TRY(piece_worker_fit(worker, (PIECE_KEYS + 2) * sizeof(float), error));
  text_out_clear(&worker->text);
  anim_times times = {0};
  SINEW_CHECK(anim_times_make(&times, &own->facts, first, count), error, SINEW_ERROR_MEMORY,
              "out of memory for the times of keys");
  const sinew_result result = add_curves(own, column, column + curves, &times, worker, error);
  anim_times_release(&times);
  return result;
}

/* ---- the steps of a piece -------------------------------------------------------------------------------
 */

static bool is_late(const output *out, uint64_t piece) {
  return piece >= output_clip_piece_count(out);
}

static sinew_result compute(output *out, uint64_t piece, piece_worker *worker, sinew_error *error) {
  anim_output *own = out->own;
  if (!is_late(out, piece)) return muscle_columns_compute(out, &own->columns, piece, worker, error);
  return compute_text(own, piece - output_clip_piece_count(out), worker, error);
}

static void join(output *out, uint64_t piece, piece_worker *worker) {
  if (is_late(out, piece)) text_output_join(out, worker);
}

static sinew_result write_piece(output *out, uint64_t piece, piece_worker *worker, sinew_error *error) {
  anim_output *own = out->own;
  if (!is_late(out, piece)) return muscle_columns_write(out, &own->columns, piece, worker, error);
  return text_output_write(out, worker, error);
}

static sinew_result check(output *out, uint64_t piece, output_worker *worker, check_findings *found,
                          sinew_error *error) {
  (void)found;
  return is_late(out, piece) ? text_output_check(out, &worker->piece, error) : SINEW_OK;
}

static sinew_result finish(output *out, sinew_error *error) {
  anim_output *own = out->own;
  text_out text = {0};
  anim_text_tail(&text, &own->facts);
  const sinew_result result = text_output_append(out, &text, error);
  text_out_release(&text);
  out->owed_bytes = out->end;
  return result;
}

static void release(output *out) {
  anim_output *own = out->own;
  if (own) muscle_columns_close(&own->columns);
}

const output_format output_anim = {.name = "anim",
                                   .wants_planes = true,
                                   .may_have_tdof = true,
                                   .begin = begin,
                                   .start = start,
                                   .late_piece_count = late_piece_count,
                                   .compute = compute,
                                   .join = join,
                                   .write = write_piece,
                                   .check = check,
                                   .finish = finish,
                                   .release = release};
