#include "stage/bake_piece.h"
#include "base/error.h"

enum { KEY_BYTES = 4 * sizeof(float) };

bool piece_worker_alloc(arena *memory, piece_worker *worker) {
  worker->begun = 0;
  worker->flips = arena_alloc(memory, PIECE_BLOCKS, sizeof *worker->flips);
  worker->packed = arena_alloc(memory, (size_t)PIECE_FRAMES, KEY_BYTES);
  bool ok = worker->flips && worker->packed && pose_scratch_alloc(NULL, memory, &worker->scratch);
  for (int i = 0; ok && i < PIECE_BLOCKS; i++) ok = pose_block_alloc(NULL, memory, &worker->poses[i]);
  return ok;
}

uint64_t piece_count(const bake_plan *plan) {
  return (plan->block_count + PIECE_BLOCKS - 1) / PIECE_BLOCKS;
}

uint64_t piece_end_frame(const bake_plan *plan, uint64_t piece) {
  uint64_t end = (piece + 1) * PIECE_FRAMES;
  return end < plan->frame_count ? end : plan->frame_count;
}

static uint32_t piece_blocks(const bake_plan *plan, uint64_t piece) {
  uint64_t left = plan->block_count - piece * PIECE_BLOCKS;
  return left < PIECE_BLOCKS ? (uint32_t)left : PIECE_BLOCKS;
}

sinew_result piece_compute(const piece_target *target, uint64_t piece, piece_worker *worker,
                           sinew_error *error) {
  const bake_plan *plan = target->plan;
  if (worker->begun != target->number) pose_scratch_begin(plan, &worker->scratch);
  worker->begun = target->number;
  for (uint32_t i = 0; i < piece_blocks(plan, piece); i++) {
    SINEW_TRY(pose_block_compute(plan, piece * PIECE_BLOCKS + i, &worker->scratch, &worker->poses[i], error));
    plan->kernels->signs(worker->poses[i].local, plan->constants.bone_count, worker->flips[i]);
  }
  return SINEW_OK;
}

void piece_join(piece_target *target, uint64_t piece, piece_worker *worker) {
  const bake_plan *plan = target->plan;
  for (uint32_t i = 0; i < piece_blocks(plan, piece); i++)
    for (uint32_t slot = 0; slot < plan->constants.bone_count; slot++)
      worker->flips[i][slot] = sign_chain_next(
          plan->kernels, &target->signs[slot], worker->poses[i].local + (size_t)slot * 4 * SINEW_BLOCK,
          worker->flips[i][slot], pose_block_frames(plan, piece * PIECE_BLOCKS + i));
}

static void pack_block(const bake_plan *plan, const piece_worker *worker, uint32_t track, uint32_t i,
                       void *out) {
  const pose_block *pose = &worker->poses[i];
  const sinew_kernels *k = plan->kernels;
  if (track == 0) {
    k->pack_vec3(pose->node_t, out);
    return;
  }
  uint32_t slot = track - 1;
  const float *quat = pose->local + (size_t)slot * 4 * SINEW_BLOCK;
  if (plan->quantized)
    k->pack_quat16(quat, worker->flips[i][slot], out);
  else
    k->pack_quat(quat, worker->flips[i][slot], out);
}

static sinew_result write_track(const piece_target *target, uint64_t piece, uint32_t track,
                                piece_worker *worker, sinew_error *error) {
  const bake_plan *plan = target->plan;
  bool constant = plan->tracks[track].constant;
  if (constant && piece > 0) return SINEW_OK;
  uint64_t first_frame = piece * PIECE_FRAMES;
  size_t key_bytes = glb_key_bytes(target->glb, track);
  uint32_t blocks = constant ? 1 : piece_blocks(plan, piece);
  for (uint32_t i = 0; i < blocks; i++)
    pack_block(plan, worker, track, i, worker->packed + (size_t)i * SINEW_BLOCK * key_bytes);
  /* a still file's second key is the second frame's value, which equals the first */
  uint64_t keys = constant ? glb_key_count(target->glb, target->layout, track)
                           : piece_end_frame(plan, piece) - first_frame;
  return outfile_write(target->file, worker->packed, keys * key_bytes,
                       target->layout->track_offset[track] + (constant ? 0 : first_frame * key_bytes), error);
}

/* The piece's share of the times; a still file's two lie in its first piece. */
static sinew_result write_times(const piece_target *target, uint64_t piece, piece_worker *worker,
                                sinew_error *error) {
  uint64_t first = piece * PIECE_FRAMES, end = first + PIECE_FRAMES;
  if (end > target->layout->time_count) end = target->layout->time_count;
  if (first >= end) return SINEW_OK;
  float *times = (float *)worker->packed;
  for (uint64_t i = first; i < end; i++) times[i - first] = glb_key_time(target->glb, target->layout, i);
  return outfile_write(target->file, times, (end - first) * sizeof *times,
                       target->layout->times_offset + first * sizeof *times, error);
}

sinew_result piece_write(const piece_target *target, uint64_t piece, piece_worker *worker,
                         sinew_error *error) {
  SINEW_TRY(write_times(target, piece, worker, error));
  for (uint32_t track = 0; track < target->plan->track_count; track++)
    SINEW_TRY(write_track(target, piece, track, worker, error));
  return SINEW_OK;
}
