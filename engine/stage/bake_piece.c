#include "stage/bake_piece.h"
#include "base/error.h"

#include <string.h>

enum { KEY_BYTES = 4 * sizeof(float), TRACK_BYTES = PIECE_FRAMES * KEY_BYTES };

sinew_result piece_worker_open(piece_worker *worker, sinew_error *error) {
  memset(worker, 0, sizeof *worker);
  /* not zeroed: a short clip touches little of it */
  worker->packed = heap_alloc_unset((size_t)(HUMAN_BONE_COUNT + 1) * TRACK_BYTES);
  if (worker->packed && pose_scratch_alloc(NULL, &worker->memory, &worker->scratch) &&
      pose_block_alloc(NULL, &worker->memory, &worker->pose))
    return SINEW_OK;
  piece_worker_close(worker);
  return error_set(error, SINEW_ERROR_MEMORY, "out of memory for the poses of a worker");
}

void piece_worker_close(piece_worker *worker) {
  heap_free(worker->packed);
  arena_release(&worker->memory);
  memset(worker, 0, sizeof *worker);
}

/* Large pieces only where there are many for each worker. */
static uint32_t blocks_a_piece(const bake_plan *plan) {
  return plan->block_count < 16 * PIECE_BLOCKS ? PIECE_BLOCKS / 4 : PIECE_BLOCKS;
}

uint64_t piece_count(const bake_plan *plan) {
  return (plan->block_count + blocks_a_piece(plan) - 1) / blocks_a_piece(plan);
}

uint64_t piece_first_frame(const bake_plan *plan, uint64_t piece) {
  return piece * blocks_a_piece(plan) * SINEW_BLOCK;
}

uint64_t piece_end_frame(const bake_plan *plan, uint64_t piece) {
  const uint64_t end = piece_first_frame(plan, piece + 1);
  return end < plan->frame_count ? end : plan->frame_count;
}

static unsigned char *packed_track(const piece_worker *worker, uint32_t track) {
  return worker->packed + (size_t)track * TRACK_BYTES;
}

/* A block of the piece to the tracks' keys, negated so that each frame lies in the half-space of the one
 * before it, from the piece's first frame on. */
static void pack_block(const piece_target *target, uint64_t piece, uint32_t block, const uint64_t *flips,
                       piece_worker *worker) {
  const bake_plan *plan = target->plan;
  const sinew_kernels *k = plan->kernels;
  for (uint32_t track = 0; track < plan->track_count; track++) {
    if (plan->tracks[track].constant && (piece || block)) continue;
    void *out = packed_track(worker, track) + (size_t)block * SINEW_BLOCK * glb_key_bytes(target->glb, track);
    if (track == 0) {
      k->pack_vec3(worker->pose.node_t, out);
      continue;
    }
    const float *quat = worker->pose.local + (size_t)(track - 1) * 4 * SINEW_BLOCK;
    if (plan->quantized)
      k->pack_quat16(quat, flips[track - 1], out);
    else
      k->pack_quat(quat, flips[track - 1], out);
  }
}

sinew_result piece_compute(const piece_target *target, uint64_t piece, piece_worker *worker,
                           sinew_error *error) {
  const bake_plan *plan = target->plan;
  const uint32_t slots = plan->constants.bone_count;
  if (worker->begun != target->number) pose_scratch_begin(plan, &worker->scratch);
  worker->begun = target->number;
  worker->signs = (sign_chain){0};
  const uint64_t first = piece_first_frame(plan, piece) / SINEW_BLOCK;
  for (uint64_t block = first; block * SINEW_BLOCK < piece_end_frame(plan, piece); block++) {
    uint64_t flips[HUMAN_BONE_COUNT];
    SINEW_TRY(pose_block_compute(plan, block, &worker->scratch, &worker->pose, error));
    plan->kernels->signs(worker->pose.local, slots, flips);
    sign_chain_next(plan->kernels, &worker->signs, worker->pose.local, (size_t)4 * SINEW_BLOCK, slots,
                    pose_block_frames(plan, block), flips);
    pack_block(target, piece, (uint32_t)(block - first), flips, worker);
  }
  return SINEW_OK;
}

void piece_join(piece_target *target, piece_worker *worker) {
  worker->turned = sign_chain_join(target->plan->kernels, &target->signs, &worker->signs);
}

/* The kernels wrote them as other types. */
typedef int16_t __attribute__((may_alias)) short_bits;
typedef uint32_t __attribute__((may_alias)) float_bits;

/* The same keys with the other sign. */
static void negate_keys(const piece_target *target, unsigned char *packed, size_t byte_count) {
  if (target->plan->quantized) {
    short_bits *values = (short_bits *)packed;
    for (size_t i = 0; i < byte_count / sizeof *values; i++) values[i] = (short_bits)-values[i];
  } else {
    float_bits *bits = (float_bits *)packed;
    for (size_t i = 0; i < byte_count / sizeof *bits; i++) bits[i] ^= UINT32_C(1) << 31;
  }
}

static sinew_result write_track(const piece_target *target, uint64_t piece, uint32_t track,
                                piece_worker *worker, sinew_error *error) {
  const bake_plan *plan = target->plan;
  const bool constant = plan->tracks[track].constant;
  if (constant && piece > 0) return SINEW_OK;
  const uint64_t first_frame = constant ? 0 : piece_first_frame(plan, piece);
  const size_t key_bytes = glb_key_bytes(target->glb, track);
  /* a still file's second key is the second frame's value, which equals the first */
  const uint64_t keys = constant ? glb_key_count(target->glb, target->layout, track)
                                 : piece_end_frame(plan, piece) - first_frame;
  unsigned char *packed = packed_track(worker, track);
  if (track > 0 && worker->turned >> (track - 1) & 1) negate_keys(target, packed, keys * key_bytes);
  return outfile_write(target->file, packed, keys * key_bytes,
                       target->layout->track_offset[track] + first_frame * key_bytes, error);
}

sinew_result piece_write_times(const piece_target *target, sinew_error *error) {
  enum { TIMES_AT_ONCE = 4096 };
  float times[TIMES_AT_ONCE];
  const uint64_t end = target->layout->time_count;
  for (uint64_t first = 0; first < end; first += TIMES_AT_ONCE) {
    const uint64_t count = end - first < TIMES_AT_ONCE ? end - first : TIMES_AT_ONCE;
    for (uint64_t i = 0; i < count; i++) times[i] = glb_key_time(target->glb, target->layout, first + i);
    SINEW_TRY(outfile_write(target->file, times, count * sizeof *times,
                            target->layout->times_offset + first * sizeof *times, error));
  }
  return SINEW_OK;
}

sinew_result piece_write(const piece_target *target, uint64_t piece, piece_worker *worker,
                         sinew_error *error) {
  for (uint32_t track = 0; track < target->plan->track_count; track++)
    SINEW_TRY(write_track(target, piece, track, worker, error));
  outfile_begin_flush(target->file);
  return SINEW_OK;
}
