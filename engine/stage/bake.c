/* A clip on a rig to a GLB, streamed: workers take pieces of up to 16 blocks of 64 frames in order. Each
 * computes its piece, waits its turn to join the quaternions' signs with the piece before, then packs and
 * writes its piece to its places, while others compute theirs. Memory is a piece a worker, whatever the
 * clip's length; what a piece holds does not depend on the number of workers, nor do the bytes. */
#include "base/error.h"
#include "stage/bake_check.h"
#include "stage/bake_progress.h"
#include "stage/context.h"
#include "stage/pose_block.h"
#include "stage/sign_chain.h"
#include "write/outfile.h"

#include <omp.h>
#include <string.h>

/* 16 blocks: a rotation track's part of a piece is 16 KiB, enough for few system calls and little enough to
 * stay in cache between computing and writing. */
enum { PIECE_BLOCKS = 16, PIECE_FRAMES = PIECE_BLOCKS * SINEW_BLOCK, KEY_BYTES = 4 * sizeof(float) };

/* What one worker owns. */
typedef struct bake_worker {
  pose_scratch scratch;
  pose_block poses[PIECE_BLOCKS];
  uint64_t (*flips)[HUMAN_BONE_COUNT]; /* per block of the piece: the frames of each slot to negate */
  unsigned char *packed;               /* one track's keys of a piece */
} bake_worker;

typedef struct bake_state {
  const bake_plan *plan;
  const glb_plan *glb;
  const glb_layout *layout;
  const sinew_bake_options *options;
  outfile *file;
  uint32_t thread_count;
  bake_worker *workers;
  sign_chain signs[HUMAN_BONE_COUNT]; /* carried from piece to piece, in order */
  /* the earliest piece that failed; pieces behind it are not begun */
  uint64_t failed_piece;
  sinew_result result;
  sinew_error error;
} bake_state;

static bool worker_alloc(const bake_state *state, arena *memory, bake_worker *worker) {
  uint64_t blocks = state->plan->block_count < PIECE_BLOCKS ? state->plan->block_count : PIECE_BLOCKS;
  worker->flips = arena_alloc(memory, PIECE_BLOCKS, sizeof *worker->flips);
  worker->packed = arena_alloc(memory, (size_t)PIECE_FRAMES, KEY_BYTES);
  bool ok = worker->flips && worker->packed && pose_scratch_alloc(state->plan, memory, &worker->scratch);
  for (uint64_t i = 0; ok && i < blocks; i++) ok = pose_block_alloc(state->plan, memory, &worker->poses[i]);
  return ok;
}

static uint64_t piece_count(const bake_plan *plan) {
  return (plan->block_count + PIECE_BLOCKS - 1) / PIECE_BLOCKS;
}

static sinew_result state_build(bake_state *state, arena *memory, sinew_error *error) {
  uint64_t pieces = piece_count(state->plan);
  if (state->thread_count > pieces) state->thread_count = (uint32_t)pieces;
  state->failed_piece = UINT64_MAX;
  state->workers = arena_alloc(memory, state->thread_count, sizeof *state->workers);
  bool ok = state->workers != NULL;
  for (uint32_t i = 0; ok && i < state->thread_count; i++)
    ok = worker_alloc(state, memory, &state->workers[i]);
  return ok ? SINEW_OK
            : error_set(error, SINEW_ERROR_MEMORY, "out of memory for the poses of %u workers",
                        state->thread_count);
}

static uint32_t piece_blocks(const bake_plan *plan, uint64_t piece) {
  uint64_t left = plan->block_count - piece * PIECE_BLOCKS;
  return left < PIECE_BLOCKS ? (uint32_t)left : PIECE_BLOCKS;
}

static sinew_result compute_piece(const bake_plan *plan, uint64_t piece, bake_worker *worker,
                                  sinew_error *error) {
  for (uint32_t i = 0; i < piece_blocks(plan, piece); i++) {
    SINEW_TRY(pose_block_compute(plan, piece * PIECE_BLOCKS + i, &worker->scratch, &worker->poses[i], error));
    plan->kernels->signs(worker->poses[i].local, plan->constants.bone_count, worker->flips[i]);
  }
  return SINEW_OK;
}

/* In the pieces' order. */
static void join_signs(bake_state *state, uint64_t piece, bake_worker *worker) {
  const bake_plan *plan = state->plan;
  for (uint32_t i = 0; i < piece_blocks(plan, piece); i++)
    for (uint32_t slot = 0; slot < plan->constants.bone_count; slot++)
      worker->flips[i][slot] = sign_chain_next(
          plan->kernels, &state->signs[slot], worker->poses[i].local + (size_t)slot * 4 * SINEW_BLOCK,
          worker->flips[i][slot], pose_block_frames(plan, piece * PIECE_BLOCKS + i));
}

static void pack_block(const bake_plan *plan, const bake_worker *worker, uint32_t track, uint32_t i,
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

static sinew_result write_piece(const bake_state *state, uint64_t piece, bake_worker *worker,
                                sinew_error *error) {
  const bake_plan *plan = state->plan;
  uint64_t first_frame = piece * PIECE_FRAMES, frames = plan->frame_count - first_frame;
  if (frames > PIECE_FRAMES) frames = PIECE_FRAMES;
  for (uint32_t track = 0; track < plan->track_count; track++) {
    bool constant = plan->tracks[track].constant;
    if (constant && piece > 0) continue;
    size_t key_bytes = glb_key_bytes(state->glb, track);
    uint32_t blocks = constant ? 1 : piece_blocks(plan, piece);
    for (uint32_t i = 0; i < blocks; i++)
      pack_block(plan, worker, track, i, worker->packed + (size_t)i * SINEW_BLOCK * key_bytes);
    /* a still file's second key is the second frame's value, which equals the first */
    uint64_t keys = constant ? glb_key_count(state->glb, state->layout, track) : frames;
    SINEW_TRY(outfile_write(state->file, worker->packed, keys * key_bytes,
                            state->layout->track_offset[track] + (constant ? 0 : first_frame * key_bytes),
                            error));
  }
  return SINEW_OK;
}

/* Of several workers' failures the earliest piece's is told. */
static void note_failure(bake_state *state, uint64_t piece, sinew_result result, const sinew_error *error) {
#pragma omp critical(bake_failure)
  if (piece < state->failed_piece) {
    state->failed_piece = piece;
    state->result = result;
    state->error = *error;
  }
}

static bool has_failed_before(bake_state *state, uint64_t piece) {
  uint64_t failed;
#pragma omp critical(bake_failure)
  failed = state->failed_piece;
  return failed <= piece;
}

/* The caller's progress is told from the caller's own thread. */
static void tell_progress(bake_state *state, uint64_t piece) {
  if (omp_get_thread_num() != 0) return;
  uint64_t frames = (piece + 1) * PIECE_FRAMES, count = state->plan->frame_count;
  sinew_error error;
  sinew_result result = bake_progress(state->options, false, frames < count ? frames : count, count, &error);
  if (result != SINEW_OK) note_failure(state, piece, result, &error);
}

static sinew_result write_poses(bake_state *state, sinew_error *error) {
  uint64_t pieces = piece_count(state->plan);
#pragma omp parallel for ordered num_threads(state->thread_count) schedule(monotonic                         \
                                                                           : dynamic, 1) if (pieces > 1)
  for (uint64_t piece = 0; piece < pieces; piece++) {
    bake_worker *worker = &state->workers[omp_get_thread_num()];
    sinew_error failure;
    sinew_result result = SINEW_OK;
    bool skip = has_failed_before(state, piece);
    if (!skip) result = compute_piece(state->plan, piece, worker, &failure);
#pragma omp ordered
    if (!skip && result == SINEW_OK) join_signs(state, piece, worker);
    if (!skip && result == SINEW_OK) result = write_piece(state, piece, worker, &failure);
    if (result != SINEW_OK) note_failure(state, piece, result, &failure);
    if (!skip) tell_progress(state, piece);
  }
  if (state->failed_piece == UINT64_MAX)
    return bake_progress(state->options, false, state->plan->frame_count, state->plan->frame_count, error);
  if (error) *error = state->error;
  return state->result;
}

static sinew_result write_times(const glb_plan *plan, const glb_layout *layout, outfile *file,
                                sinew_error *error) {
  if (layout->has_key_time) {
    float zero = 0;
    SINEW_TRY(outfile_write(file, &zero, sizeof zero, layout->key_time_offset, error));
  }
  float times[PIECE_FRAMES];
  for (uint64_t first = 0; first < layout->time_count; first += PIECE_FRAMES) {
    uint64_t left = layout->time_count - first, count = left < PIECE_FRAMES ? left : PIECE_FRAMES;
    for (uint64_t i = 0; i < count; i++) times[i] = glb_key_time(plan, layout, first + i);
    SINEW_TRY(outfile_write(file, times, count * sizeof *times, layout->times_offset + first * sizeof *times,
                            error));
  }
  return SINEW_OK;
}

static sinew_result write_mesh(const box_mesh *mesh, const glb_layout *layout, outfile *file,
                               sinew_error *error) {
  if (!mesh) return SINEW_OK;
  SINEW_TRY(outfile_write(file, mesh->inverse_bind, mesh->box_count * sizeof *mesh->inverse_bind,
                          layout->inverse_bind_offset, error));
  SINEW_TRY(outfile_write(file, mesh->vertices, mesh->box_count * BOX_VERTICES * sizeof *mesh->vertices,
                          layout->vertices_offset, error));
  return outfile_write(file, mesh->indices, mesh->box_count * BOX_INDICES * sizeof *mesh->indices,
                       layout->indices_offset, error);
}

typedef struct bake_job {
  const sinew_context *context;
  const bake_plan *plan;
  const sinew_bake_options *options;
  const char *path;
  sinew_bake_report *report;
} bake_job;

static sinew_result bake_to_file(const bake_job *job, const glb_plan *glb, const glb_layout *layout,
                                 outfile *file, sinew_error *error) {
  bake_state state = {.plan = job->plan,
                      .glb = glb,
                      .layout = layout,
                      .options = job->options,
                      .file = file,
                      .thread_count = job->context->thread_count};
  arena memory = {0};
  sinew_result result = state_build(&state, &memory, error);
  if (result == SINEW_OK) result = outfile_write(file, layout->head, layout->head_byte_count, 0, error);
  if (result == SINEW_OK) result = write_times(glb, layout, file, error);
  if (result == SINEW_OK) result = write_mesh(glb->mesh, layout, file, error);
  if (result == SINEW_OK) result = write_poses(&state, error);
  arena_release(&memory);
  if (result != SINEW_OK) return result;
  if (!job->options || !job->options->no_verify)
    result = bake_check(job->context, job->plan, job->options, file->fd, job->report, error);
  if (result == SINEW_ERROR_IO || result == SINEW_ERROR_VERIFY)
    return error_in_file(error, result, job->path);
  return result == SINEW_OK ? outfile_publish(file, error) : result;
}

static sinew_result bake_planned(const bake_job *job, sinew_error *error) {
  const bake_plan *plan = job->plan;
  const sinew_bake_options *options = job->options;
  glb_plan glb = {
      .rig = plan->rig,
      .clip_name = plan->clip->name,
      .source_name = options && options->source_name ? options->source_name : plan->clip->name,
      .profile = plan->kernels->profile,
      .rate_hz = plan->rate_hz,
      .frame_count = plan->frame_count,
      .start_s = plan->clip->start_s,
      .stop_s = plan->clip->stop_s,
      .tracks = plan->tracks,
      .track_count = plan->track_count,
      .quantized = plan->quantized,
      .mesh = plan->mesh.box_count ? &plan->mesh : NULL,
  };
  glb_layout layout;
  SINEW_TRY(glb_layout_build(&glb, &layout, error));
  job->report->byte_count = layout.file_byte_count;
  outfile file = {.fd = -1};
  sinew_result result = outfile_open(job->path, &file, error);
  if (result == SINEW_OK) {
    result = bake_to_file(job, &glb, &layout, &file, error);
    if (result != SINEW_OK) outfile_discard(&file);
  }
  glb_layout_release(&layout);
  return result;
}

static sinew_result apply_options(const sinew_bake_options *options, bake_plan *plan, sinew_error *error) {
  if (!options) return SINEW_OK;
  SINEW_CHECK(options->mesh == SINEW_MESH_NONE || options->mesh == SINEW_MESH_BOXES, error,
              SINEW_ERROR_ARGUMENT, "mesh is %d, which is none that is known", (int)options->mesh);
  plan->quantized = options->quantize;
  return options->mesh == SINEW_MESH_BOXES ? box_mesh_build(plan->rig, &plan->mesh, error) : SINEW_OK;
}

sinew_result sinew_bake_glb(const sinew_context *context, const sinew_clip *clip, const sinew_rig *rig,
                            const sinew_bake_options *options, const char *path, sinew_bake_report *report,
                            sinew_error *error) {
  SINEW_CHECK(context && clip && rig && path, error, SINEW_ERROR_ARGUMENT,
              "context, clip, rig and path must not be NULL");
  HEAP_SCOPE(&context->allocator);
  sinew_bake_report unused;
  if (!report) report = &unused;
  memset(report, 0, sizeof *report);
  bake_plan *plan = heap_alloc(1, sizeof *plan);
  SINEW_CHECK(plan, error, SINEW_ERROR_MEMORY, "out of memory");
  sinew_result result =
      bake_plan_build(context->kernels, clip, rig, options ? options->rate_hz : 0, plan, error);
  if (result == SINEW_OK) {
    report->frame_count = plan->frame_count;
    report->rate_hz = plan->rate_hz;
    report->sampled_tracks = plan->track_count - plan->constant_count;
    report->constant_tracks = plan->constant_count;
    bake_job job = {context, plan, options, path, report};
    result = apply_options(options, plan, error);
    report->quantized = plan->quantized;
    report->box_count = plan->mesh.box_count;
    if (result == SINEW_OK) result = bake_planned(&job, error);
    bake_plan_release(plan);
  }
  heap_free(plan);
  return result;
}
