#include "stage/bake_piece.h"
#include "base/error.h"

#include <string.h>

enum {
  KEY_BYTES = 4 * sizeof(float),
  MANY_TRACKS = 256 /* a piece of more is short: workers hold one whole */
};

/* Large pieces only where there are many for each worker. */
static uint32_t blocks_a_piece(const bake_plan *plan) {
  const bool large = plan->block_count >= 16 * PIECE_BLOCKS && plan->output.track_count <= MANY_TRACKS;
  return large ? PIECE_BLOCKS : PIECE_BLOCKS / 4;
}

static size_t track_bytes(const bake_plan *plan) {
  return (size_t)blocks_a_piece(plan) * SINEW_BLOCK * KEY_BYTES;
}

/* ---- a worker's room ------------------------------------------------------------------------------------
 */

static bool make_room(piece_worker *worker, pose_room room) {
  const size_t chains = sign_chain_count(room.slots);
  worker->room = room;
  worker->flips = arena_alloc(&worker->memory, room.slots, sizeof *worker->flips);
  worker->signs = arena_alloc(&worker->memory, chains, sizeof *worker->signs);
  worker->turned = arena_alloc(&worker->memory, chains, sizeof *worker->turned);
  return worker->flips && worker->signs && worker->turned &&
         pose_scratch_alloc(room, &worker->memory, &worker->scratch) &&
         pose_block_alloc(room, &worker->memory, &worker->pose);
}

/* Not zeroed: a short clip touches little of it. */
static bool make_packed(piece_worker *worker, size_t byte_count) {
  heap_free(worker->packed);
  worker->packed = heap_alloc_unset(byte_count);
  worker->packed_bytes = worker->packed ? byte_count : 0;
  return worker->packed;
}

static sinew_result no_room(sinew_error *error) {
  return error_set(error, SINEW_ERROR_MEMORY, "out of memory for the poses of a worker");
}

sinew_result piece_worker_open(piece_worker *worker, sinew_error *error) {
  memset(worker, 0, sizeof *worker);
  const size_t tracks = HUMAN_BONE_COUNT + 1, piece_bytes = (size_t)PIECE_BLOCKS * SINEW_BLOCK * KEY_BYTES;
  if (make_packed(worker, tracks * piece_bytes) && make_room(worker, pose_room_most())) return SINEW_OK;
  piece_worker_close(worker);
  return no_room(error);
}

void piece_worker_close(piece_worker *worker) {
  heap_free(worker->packed);
  arena_release(&worker->memory);
  memset(worker, 0, sizeof *worker);
}

static bool fit(piece_worker *worker, const bake_plan *plan) {
  const pose_room needed = pose_room_of(plan);
  const size_t packed_bytes = plan->output.track_count * track_bytes(plan);
  if (packed_bytes > worker->packed_bytes && !make_packed(worker, packed_bytes)) return false;
  if (pose_room_holds(worker->room, needed)) return true;
  arena_release(&worker->memory);
  worker->room = (pose_room){0};
  return make_room(worker, needed);
}

/* What does not vary is in place where the worker's last piece was of the same target. */
static sinew_result begin(const piece_target *target, piece_worker *worker, sinew_error *error) {
  if (worker->begun == target->number) return SINEW_OK;
  worker->begun = 0;
  if (!fit(worker, target->plan)) return no_room(error);
  pose_begin(target->plan, &worker->scratch, &worker->pose);
  worker->begun = target->number;
  return SINEW_OK;
}

/* ---- pieces ------------------------------------------------------------------------------------------- */

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

static unsigned char *packed_track(const piece_target *target, const piece_worker *worker, uint32_t track) {
  return worker->packed + track * track_bytes(target->plan);
}

/* A block of the piece to the tracks' keys, negated so that each frame lies in the half-space of the one
 * before it, from the piece's first frame on. */
static void pack_block(const piece_target *target, uint64_t piece, uint32_t block, piece_worker *worker) {
  const bake_plan *plan = target->plan;
  const bake_output *output = &plan->output;
  const sinew_kernels *k = plan->kernels;
  for (uint32_t track = 0; track < output->track_count; track++) {
    if (output->tracks[track].constant && (piece || block)) continue;
    void *out =
        packed_track(target, worker, track) + (size_t)block * SINEW_BLOCK * glb_key_bytes(target->glb, track);
    const size_t plane = output->planes[track];
    const float *quat = worker->pose.local + plane * 4 * SINEW_BLOCK;
    if (output->tracks[track].path != GLB_ROTATION)
      k->pack_vec3(worker->pose.places + plane * 3 * SINEW_BLOCK, out);
    else if (plan->quantized)
      k->pack_quat16(quat, worker->flips[plane], out);
    else
      k->pack_quat(quat, worker->flips[plane], out);
  }
}

/* Which frames of the block are to be negated, a chain of signs for each 64 slots. */
static void chain_signs(const bake_plan *plan, uint64_t block, piece_worker *worker) {
  const uint32_t slots = plan->output.slot_count, frames = pose_block_frames(plan, block);
  plan->kernels->signs(worker->pose.local, slots, worker->flips);
  for (uint32_t first = 0; first < slots; first += SIGN_TRACKS) {
    const uint32_t count = slots - first < SIGN_TRACKS ? slots - first : SIGN_TRACKS;
    sign_chain_next(plan->kernels, &worker->signs[first / SIGN_TRACKS],
                    worker->pose.local + (size_t)first * 4 * SINEW_BLOCK, (size_t)4 * SINEW_BLOCK, count,
                    frames, worker->flips + first);
  }
}

sinew_result piece_compute(const piece_target *target, uint64_t piece, piece_worker *worker,
                           sinew_error *error) {
  const bake_plan *plan = target->plan;
  SINEW_TRY(begin(target, worker, error));
  memset(worker->signs, 0, sign_chain_count(plan->output.slot_count) * sizeof *worker->signs);
  const uint64_t first = piece_first_frame(plan, piece) / SINEW_BLOCK;
  for (uint64_t block = first; block * SINEW_BLOCK < piece_end_frame(plan, piece); block++) {
    SINEW_TRY(pose_block_compute(plan, block, &worker->scratch, &worker->pose, error));
    chain_signs(plan, block, worker);
    pack_block(target, piece, (uint32_t)(block - first), worker);
  }
  return SINEW_OK;
}

void piece_join(piece_target *target, piece_worker *worker) {
  for (size_t i = 0; i < sign_chain_count(target->plan->output.slot_count); i++)
    worker->turned[i] = sign_chain_join(target->plan->kernels, &target->signs[i], &worker->signs[i]);
}

static bool is_turned(const bake_output *output, const piece_worker *worker, uint32_t track) {
  const uint32_t slot = output->planes[track];
  return output->tracks[track].path == GLB_ROTATION &&
         worker->turned[slot / SIGN_TRACKS] >> slot % SIGN_TRACKS & 1;
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
  const bool constant = plan->output.tracks[track].constant;
  if (constant && piece > 0) return SINEW_OK;
  const uint64_t first_frame = constant ? 0 : piece_first_frame(plan, piece);
  const size_t key_bytes = glb_key_bytes(target->glb, track);
  /* a still file's second key is the second frame's value, which equals the first */
  const uint64_t keys = constant ? glb_key_count(target->glb, target->layout, track)
                                 : piece_end_frame(plan, piece) - first_frame;
  unsigned char *packed = packed_track(target, worker, track);
  if (is_turned(&plan->output, worker, track)) negate_keys(target, packed, keys * key_bytes);
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
  for (uint32_t track = 0; track < target->plan->output.track_count; track++)
    SINEW_TRY(write_track(target, piece, track, worker, error));
  outfile_begin_flush(target->file);
  return SINEW_OK;
}
