#include "support/vrma.h"

#include "base/error.h"
#include "stage/bake_piece.h"
#include "verify/verify.h"

static sinew_result write_tracks(piece_target *target, sinew_error *error) {
  piece_worker worker = {0};
  SINEW_TRY(piece_worker_open(&worker, error));
  sinew_result result = piece_write_times(target, error);
  for (uint64_t piece = 0; piece < piece_count(target->plan) && result == SINEW_OK; piece++) {
    result = piece_compute(target, piece, &worker, error);
    if (result != SINEW_OK) break;
    piece_join(target, &worker);
    result = piece_write(target, piece, &worker, error);
  }
  piece_worker_close(&worker);
  return result;
}

static sinew_result check(const outfile *file, const bake_plan *plan, sinew_error *error) {
  verify_file *back;
  SINEW_TRY(verify_open(file->fd, &back, error));
  const sinew_result result = verify_human(back, plan->rig->node_of_bone, error);
  verify_close(back);
  return result;
}

static sinew_result write_file(piece_target *target, outfile *file, sinew_error *error) {
  const glb_layout *layout = target->layout;
  const float zero = 0;
  SINEW_TRY(outfile_extend(file, layout->file_byte_count, error));
  SINEW_TRY(outfile_write(file, layout->head, layout->head_byte_count, 0, error));
  if (layout->has_key_time)
    SINEW_TRY(outfile_write(file, &zero, sizeof zero, layout->key_time_offset, error));
  SINEW_TRY(write_tracks(target, error));
  return check(file, target->plan, error);
}

sinew_result vrma_write(const bake_plan *plan, const char *path, sinew_error *error) {
  glb_layout layout;
  outfile file;
  arena memory = {0};
  const glb_plan glb = {.nodes = plan->output.nodes,
                        .node_count = plan->output.node_count,
                        .clip_name = plan->clip->name,
                        .source_name = plan->clip->name,
                        .profile = plan->kernels->profile,
                        .rate_hz = plan->rate_hz,
                        .frame_count = plan->frame_count,
                        .start_s = plan->clip->start_s,
                        .stop_s = plan->clip->stop_s,
                        .tracks = plan->output.tracks,
                        .track_count = plan->output.track_count,
                        .human_node = plan->rig->node_of_bone};
  SINEW_TRY(glb_layout_build(&glb, &layout, error));
  piece_target target = {.plan = plan, .glb = &glb, .layout = &layout, .file = &file, .number = 1};
  target.signs = arena_alloc(&memory, sign_chain_count(plan->output.slot_count), sizeof *target.signs);
  sinew_result result = target.signs ? outfile_open(path, &file, error) : SINEW_ERROR_MEMORY;
  if (result == SINEW_OK) {
    result = write_file(&target, &file, error);
    if (result == SINEW_OK) result = outfile_publish(&file, error);
    outfile_discard(&file);
  }
  arena_release(&memory);
  glb_layout_release(&layout);
  return result;
}
