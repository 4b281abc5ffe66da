/* A clip on a rig to a GLB: blocks of 64 frames are computed by the workers, a batch at a time; between two
 * batches the signs of neighbouring blocks' quaternions are joined in order. What a batch holds does not
 * depend on the number of workers, nor do the bytes. */
#include "base/error.h"
#include "stage/bake_check.h"
#include "stage/bake_progress.h"
#include "stage/context.h"
#include "stage/pose_block.h"
#include "stage/sign_chain.h"
#include "write/outfile.h"

#include <omp.h>
#include <string.h>

enum { BATCH_BLOCKS = 32, BATCH_FRAMES = BATCH_BLOCKS * SINEW_BLOCK, KEY_BYTES = 4 * sizeof(float) };

typedef struct bake_state {
  const bake_plan *plan;
  const glb_plan *glb;
  const glb_layout *layout;
  outfile *file;
  uint32_t thread_count;
  pose_scratch *scratch; /* per worker */
  pose_block poses[BATCH_BLOCKS];
  uint64_t (*flips)[HUMAN_BONE_COUNT]; /* per block of the batch: the frames of each slot to negate */
  sign_chain signs[HUMAN_BONE_COUNT];
  unsigned char *packed; /* per track: room for BATCH_FRAMES keys of KEY_BYTES */
} bake_state;

static void *state_alloc(arena *memory, size_t count, size_t size, bool *ok) {
  void *block = arena_alloc(memory, count, size);
  if (!block) *ok = false;
  return block;
}

static sinew_result state_build(bake_state *state, arena *memory, sinew_error *error) {
  bool ok = true;
  state->scratch = state_alloc(memory, state->thread_count, sizeof *state->scratch, &ok);
  state->flips = state_alloc(memory, BATCH_BLOCKS, sizeof *state->flips, &ok);
  uint64_t blocks = state->plan->block_count < BATCH_BLOCKS ? state->plan->block_count : BATCH_BLOCKS;
  state->packed =
      state_alloc(memory, (size_t)state->plan->track_count * blocks * SINEW_BLOCK, KEY_BYTES, &ok);
  for (uint32_t i = 0; ok && i < state->thread_count; i++)
    ok = pose_scratch_alloc(state->plan, memory, &state->scratch[i]);
  for (uint64_t i = 0; ok && i < blocks; i++) ok = pose_block_alloc(state->plan, memory, &state->poses[i]);
  return ok ? SINEW_OK
            : error_set(error, SINEW_ERROR_MEMORY, "out of memory for the poses of %llu blocks",
                        (unsigned long long)blocks);
}

/* The error of the earliest block is the one reported, whichever worker met its own first. */
static sinew_result compute_batch(bake_state *state, uint64_t first_block, uint32_t count,
                                  sinew_error *error) {
  sinew_error errors[BATCH_BLOCKS];
  sinew_result results[BATCH_BLOCKS];
#pragma omp parallel for num_threads(state->thread_count) schedule(dynamic, 1) if (count > 1)
  for (uint32_t i = 0; i < count; i++) {
    pose_scratch *scratch = &state->scratch[omp_get_thread_num()];
    results[i] = pose_block_compute(state->plan, first_block + i, scratch, &state->poses[i], &errors[i]);
    if (results[i] == SINEW_OK)
      state->plan->kernels->signs(state->poses[i].local, state->plan->constants.bone_count, state->flips[i]);
  }
  for (uint32_t i = 0; i < count; i++)
    if (results[i] != SINEW_OK) {
      if (error) *error = errors[i];
      return results[i];
    }
  return SINEW_OK;
}

static void join_signs(bake_state *state, uint64_t first_block, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t slot = 0; slot < state->plan->constants.bone_count; slot++)
      state->flips[i][slot] = sign_chain_next(
          state->plan->kernels, &state->signs[slot], state->poses[i].local + (size_t)slot * 4 * SINEW_BLOCK,
          state->flips[i][slot], pose_block_frames(state->plan, first_block + i));
}

static void pack_track(const bake_state *state, uint32_t track, uint32_t block_in_batch, void *out) {
  const pose_block *pose = &state->poses[block_in_batch];
  const sinew_kernels *k = state->plan->kernels;
  if (track == 0) {
    k->pack_vec3(pose->node_t, out);
    return;
  }
  uint32_t slot = track - 1;
  const float *quat = pose->local + (size_t)slot * 4 * SINEW_BLOCK;
  uint64_t flips = state->flips[block_in_batch][slot];
  if (state->plan->quantized)
    k->pack_quat16(quat, flips, out);
  else
    k->pack_quat(quat, flips, out);
}

static sinew_result write_batch(bake_state *state, uint64_t first_block, uint32_t count, sinew_error *error) {
  const bake_plan *plan = state->plan;
  uint64_t first_frame = first_block * SINEW_BLOCK;
  uint64_t frames = plan->frame_count - first_frame;
  if (frames > (uint64_t)count * SINEW_BLOCK) frames = (uint64_t)count * SINEW_BLOCK;
  size_t track_bytes = (size_t)count * SINEW_BLOCK * KEY_BYTES;
#pragma omp parallel for num_threads(state->thread_count) schedule(static) if (count > 1)
  for (uint32_t track = 0; track < plan->track_count; track++) {
    if (plan->tracks[track].constant && first_block > 0) continue;
    unsigned char *out = state->packed + track * track_bytes;
    uint32_t blocks = plan->tracks[track].constant ? 1 : count;
    for (uint32_t i = 0; i < blocks; i++)
      pack_track(state, track, i, out + (size_t)i * SINEW_BLOCK * glb_key_bytes(state->glb, track));
  }
  for (uint32_t track = 0; track < plan->track_count; track++) {
    bool constant = plan->tracks[track].constant;
    if (constant && first_block > 0) continue;
    size_t key_bytes = glb_key_bytes(state->glb, track);
    /* a still file's second key is the second frame's value, which equals the first */
    uint64_t keys = constant ? glb_key_count(state->glb, state->layout, track) : frames;
    SINEW_TRY(outfile_write(state->file, state->packed + track * track_bytes, keys * key_bytes,
                            state->layout->track_offset[track] + (constant ? 0 : first_frame * key_bytes),
                            error));
  }
  return SINEW_OK;
}

static sinew_result write_times(const glb_plan *plan, const glb_layout *layout, outfile *file,
                                sinew_error *error) {
  if (layout->has_key_time) {
    float zero = 0;
    SINEW_TRY(outfile_write(file, &zero, sizeof zero, layout->key_time_offset, error));
  }
  float times[BATCH_FRAMES];
  for (uint64_t first = 0; first < layout->time_count; first += BATCH_FRAMES) {
    uint64_t left = layout->time_count - first, count = left < BATCH_FRAMES ? left : BATCH_FRAMES;
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

static sinew_result write_poses(bake_state *state, const sinew_bake_options *options, sinew_error *error) {
  const bake_plan *plan = state->plan;
  for (uint64_t block = 0; block < plan->block_count; block += BATCH_BLOCKS) {
    uint64_t left = plan->block_count - block;
    uint32_t count = left < BATCH_BLOCKS ? (uint32_t)left : BATCH_BLOCKS;
    SINEW_TRY(compute_batch(state, block, count, error));
    join_signs(state, block, count);
    SINEW_TRY(write_batch(state, block, count, error));
    uint64_t done = (block + count) * SINEW_BLOCK;
    SINEW_TRY(bake_progress(options, false, done < plan->frame_count ? done : plan->frame_count,
                            plan->frame_count, error));
  }
  return SINEW_OK;
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
                      .file = file,
                      .thread_count = job->context->thread_count};
  arena memory = {0};
  sinew_result result = state_build(&state, &memory, error);
  if (result == SINEW_OK) result = outfile_write(file, layout->head, layout->head_byte_count, 0, error);
  if (result == SINEW_OK) result = write_times(glb, layout, file, error);
  if (result == SINEW_OK) result = write_mesh(glb->mesh, layout, file, error);
  if (result == SINEW_OK) result = write_poses(&state, job->options, error);
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
