#include "stage/bake_check.h"
#include "stage/bake_checker.h"
#include "stage/bake_progress.h"
#include "base/error.h"

#include <omp.h>
#include <string.h>

/* What the workers found so far: the worst places, and of failures the earliest piece's. */
typedef struct check_state {
  const sinew_bake_options *options; /* may be NULL */
  bake_checker checker;
  check_worker *workers;
  uint32_t worker_count;
  check_findings findings;
  uint64_t failed_piece; /* UINT64_MAX: none */
  sinew_result result;
  sinew_error error;
} check_state;

static void note_piece(check_state *state, uint64_t piece, const check_findings *found, sinew_result result,
                       const sinew_error *error) {
#pragma omp critical(bake_check_findings)
  if (result == SINEW_OK) {
    check_findings_merge(&state->findings, found);
  } else if (piece < state->failed_piece) {
    state->failed_piece = piece;
    state->result = result;
    state->error = *error;
  }
}

static bool is_past_failure(check_state *state, uint64_t piece) {
  uint64_t failed;
#pragma omp critical(bake_check_findings)
  failed = state->failed_piece;
  return failed <= piece;
}

/* From the caller's own thread. */
static sinew_result tell_checked(const check_state *state, uint64_t piece, sinew_error *error) {
  if (omp_get_thread_num() != 0) return SINEW_OK;
  uint64_t frames = (piece + 1) * CHECK_PIECE_FRAMES, count = state->checker.plan->frame_count;
  return bake_progress(state->options, true, frames < count ? frames : count, count, error);
}

static sinew_result check_pieces(check_state *state, sinew_error *error) {
  const sinew_allocator *allocator = heap_current();
  uint64_t pieces = bake_checker_pieces(&state->checker), frames = state->checker.plan->frame_count;
#pragma omp parallel for num_threads(state->worker_count) schedule(monotonic : dynamic, 1) if (pieces > 1)
  for (uint64_t piece = 0; piece < pieces; piece++) {
    if (is_past_failure(state, piece)) continue;
    HEAP_SCOPE(allocator);
    check_findings found = {0};
    sinew_error failure;
    sinew_result result =
        bake_checker_piece(&state->checker, piece, &state->workers[omp_get_thread_num()], &found, &failure);
    if (result == SINEW_OK) result = tell_checked(state, piece, &failure);
    note_piece(state, piece, &found, result, &failure);
  }
  if (state->failed_piece == UINT64_MAX) return bake_progress(state->options, true, frames, frames, error);
  if (error) *error = state->error;
  return state->result;
}

static sinew_result open_workers(check_state *state, uint32_t count, sinew_error *error) {
  uint64_t pieces = bake_checker_pieces(&state->checker);
  if (count > pieces) count = (uint32_t)pieces;
  state->workers = heap_alloc(count, sizeof *state->workers);
  SINEW_CHECK(state->workers, error, SINEW_ERROR_MEMORY, "out of memory for verifying");
  for (state->worker_count = 0; state->worker_count < count; state->worker_count++)
    SINEW_TRY(check_worker_open(&state->workers[state->worker_count], error));
  return SINEW_OK;
}

sinew_result bake_check(const sinew_context *context, const bake_plan *plan,
                        const sinew_bake_options *options, int fd, sinew_bake_report *report,
                        sinew_error *error) {
  check_state state = {.options = options, .failed_piece = UINT64_MAX};
  SINEW_TRY(bake_checker_open(plan, fd, &state.checker, error));
  sinew_result result = open_workers(&state, context->thread_count, error);
  if (result == SINEW_OK) result = check_pieces(&state, error);
  if (result == SINEW_OK) result = bake_checker_judge(&state.checker, &state.findings, report, error);
  for (uint32_t i = 0; i < state.worker_count; i++) check_worker_close(&state.workers[i]);
  heap_free(state.workers);
  bake_checker_close(&state.checker);
  return result;
}
