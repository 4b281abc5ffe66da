#include "stage/piece.h"
#include "base/error.h"

#include <string.h>

enum {
  KEY_BYTES = 4 * sizeof(float),
  MANY_TRACKS = 256 /* a piece of more is short: workers hold one whole */
};

/* Large pieces only where there are many for each worker. */
uint32_t piece_block_count(const bake_plan *plan) {
  const bool large = plan->block_count >= 16 * PIECE_BLOCKS && plan->output.track_count <= MANY_TRACKS;
  return large ? PIECE_BLOCKS : PIECE_BLOCKS / 4;
}

size_t piece_chain_count(const bake_plan *plan) {
  return sign_chain_count(plan->output.slot_count) + 1;
}

/* ---- a worker's room ------------------------------------------------------------------------------------
 */

static bool make_room(piece_worker *worker, pose_room room) {
  const size_t chains = sign_chain_count(room.slots) + 1, quats = room.slots + PIECE_PLANE_QUATS;
  worker->room = room;
  worker->flips = arena_alloc(&worker->memory, quats, sizeof *worker->flips);
  worker->signs = arena_alloc(&worker->memory, chains, sizeof *worker->signs);
  worker->turned = arena_alloc(&worker->memory, chains, sizeof *worker->turned);
  worker->plane_quats =
      arena_alloc(&worker->memory, (size_t)PIECE_PLANE_QUATS * 4 * SINEW_BLOCK, sizeof *worker->plane_quats);
  return worker->flips && worker->signs && worker->turned && worker->plane_quats &&
         pose_scratch_alloc(room, &worker->memory, &worker->scratch) &&
         pose_block_alloc(room, &worker->memory, &worker->pose);
}

static sinew_result no_room(sinew_error *error) {
  return error_set(error, SINEW_ERROR_MEMORY, "out of memory for the poses of a worker");
}

/* Not zeroed: a short clip touches little of it. */
sinew_result piece_worker_fit(piece_worker *worker, size_t byte_count, sinew_error *error) {
  if (byte_count <= worker->packed_bytes) return SINEW_OK;
  heap_free(worker->packed);
  worker->packed = heap_alloc_unset(byte_count);
  worker->packed_bytes = worker->packed ? byte_count : 0;
  return worker->packed ? SINEW_OK : no_room(error);
}

sinew_result piece_worker_open(piece_worker *worker, sinew_error *error) {
  memset(worker, 0, sizeof *worker);
  const size_t tracks = HUMAN_BONE_COUNT + 1, piece_bytes = (size_t)PIECE_BLOCKS * SINEW_BLOCK * KEY_BYTES;
  if (piece_worker_fit(worker, tracks * piece_bytes, error) == SINEW_OK &&
      make_room(worker, pose_room_most()))
    return SINEW_OK;
  piece_worker_close(worker);
  return no_room(error);
}

void piece_worker_close(piece_worker *worker) {
  heap_free(worker->packed);
  text_out_release(&worker->text);
  arena_release(&worker->memory);
  memset(worker, 0, sizeof *worker);
}

static bool fit(piece_worker *worker, const bake_plan *plan) {
  const pose_room needed = pose_room_of(plan);
  if (pose_room_holds(worker->room, needed)) return true;
  arena_release(&worker->memory);
  worker->room = (pose_room){0};
  return make_room(worker, needed);
}

/* What does not vary is in place where the worker's last piece was of the same source. */
static sinew_result begin(const piece_source *source, piece_worker *worker, sinew_error *error) {
  if (worker->begun == source->number) return SINEW_OK;
  worker->begun = 0;
  if (!fit(worker, source->plan)) return no_room(error);
  pose_begin(source->plan, &worker->scratch, &worker->pose);
  worker->begun = source->number;
  return SINEW_OK;
}

/* ---- pieces ------------------------------------------------------------------------------------------- */

uint64_t piece_count(const bake_plan *plan) {
  return (plan->block_count + piece_block_count(plan) - 1) / piece_block_count(plan);
}

uint64_t piece_first_frame(const bake_plan *plan, uint64_t piece) {
  return piece * piece_block_count(plan) * SINEW_BLOCK;
}

uint64_t piece_end_frame(const bake_plan *plan, uint64_t piece) {
  const uint64_t end = piece_first_frame(plan, piece + 1);
  return end < plan->frame_count ? end : plan->frame_count;
}

/* Which frames of the block are to be negated, a chain of signs for each 64 slots. */
static void chain_slots(const bake_plan *plan, uint64_t block, piece_worker *worker) {
  const uint32_t slots = plan->output.slot_count, frames = pose_block_frames(plan, block);
  plan->kernels->signs(worker->pose.local, slots, worker->flips);
  for (uint32_t first = 0; first < slots; first += SIGN_TRACKS) {
    const uint32_t count = slots - first < SIGN_TRACKS ? slots - first : SIGN_TRACKS;
    sign_chain_next(plan->kernels, &worker->signs[first / SIGN_TRACKS],
                    worker->pose.local + (size_t)first * 4 * SINEW_BLOCK, (size_t)4 * SINEW_BLOCK, count,
                    frames, worker->flips + first);
  }
}

static void chain_planes(const bake_plan *plan, uint64_t block, piece_worker *worker) {
  const size_t quat_floats = (size_t)4 * SINEW_BLOCK;
  uint64_t *flips = worker->flips + plan->output.slot_count;
  for (int i = 0; i < PIECE_PLANE_QUATS; i++)
    memcpy(worker->plane_quats + (size_t)i * quat_floats,
           worker->scratch.planes + (size_t)piece_plane_quat[i] * SINEW_BLOCK, quat_floats * sizeof(float));
  plan->kernels->signs(worker->plane_quats, PIECE_PLANE_QUATS, flips);
  sign_chain_next(plan->kernels, &worker->signs[sign_chain_count(plan->output.slot_count)],
                  worker->plane_quats, quat_floats, PIECE_PLANE_QUATS, pose_block_frames(plan, block), flips);
}

sinew_result piece_compute(const piece_source *source, uint64_t piece, piece_worker *worker,
                           piece_pack_fn pack, void *user, sinew_error *error) {
  const bake_plan *plan = source->plan;
  SINEW_TRY(begin(source, worker, error));
  memset(worker->signs, 0, piece_chain_count(plan) * sizeof *worker->signs);
  worker->found = (pose_findings){0};
  worker->scratch.found = &worker->found;
  const uint64_t first = piece_first_frame(plan, piece) / SINEW_BLOCK;
  for (uint64_t block = first; block * SINEW_BLOCK < piece_end_frame(plan, piece); block++) {
    SINEW_TRY(pose_block_compute(plan, block, &worker->scratch, &worker->pose, error));
    if (plan->output.slot_count) chain_slots(plan, block, worker);
    if (plan->wants_planes) chain_planes(plan, block, worker);
    SINEW_TRY(pack(user, piece, (uint32_t)(block - first), worker, error));
  }
  return SINEW_OK;
}

/* Where the reference editor's quaternions lie, of a body that stands: RootQ, feet, hands. What is made of
 * bones begins on that side, so that its curves are the editor's and not their negatives. */
static const float usual_side[PIECE_PLANE_QUATS][4] = {
    {0, 0, 0, 1}, {-1, 1, -1, 1}, {-1, 1, -1, 1}, {0, 0, 1, -1}, {0, 0, -1, 1}};

static uint64_t off_usual_side(const sign_chain *chain) {
  uint64_t off = 0;
  for (int i = 0; i < PIECE_PLANE_QUATS; i++) {
    float dot = 0;
    for (int c = 0; c < 4; c++) dot += usual_side[i][c] * chain->first[c][i];
    if (dot < 0) off |= UINT64_C(1) << i;
  }
  return off;
}

void piece_join(piece_source *source, piece_worker *worker) {
  const bake_plan *plan = source->plan;
  const size_t planes = piece_chain_count(plan) - 1;
  const bool made = plan->planes_from == PLANES_OF_BONES || plan->planes_from == PLANES_OF_POSE;
  const uint64_t first_turned =
      made && plan->wants_planes && !source->signs[planes].begun ? off_usual_side(&worker->signs[planes]) : 0;
  for (size_t i = 0; i < piece_chain_count(plan); i++)
    worker->turned[i] = sign_chain_join(plan->kernels, &source->signs[i], &worker->signs[i]);
  worker->turned[planes] ^= first_turned;
  source->signs[planes].flipped ^= first_turned;
  pose_findings_merge(&source->found, &worker->found);
}

bool piece_slot_is_turned(const piece_worker *worker, uint32_t slot) {
  return worker->turned[slot / SIGN_TRACKS] >> slot % SIGN_TRACKS & 1;
}

bool piece_plane_quat_is_turned(const bake_plan *plan, const piece_worker *worker, uint32_t index) {
  return worker->turned[sign_chain_count(plan->output.slot_count)] >> index & 1;
}

/* The kernels wrote them as another type. */
typedef uint32_t __attribute__((may_alias)) float_bits;

void piece_negate(void *floats, size_t count) {
  float_bits *bits = floats;
  for (size_t i = 0; i < count; i++) bits[i] ^= UINT32_C(1) << 31;
}
