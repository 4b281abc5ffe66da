/* NumPy arrays: each array's rows to their places in a file whose size is known before the first frame. */
#include "base/error.h"
#include "map/map.h"
#include "output/formats.h"
#include "output/node_model.h"
#include "write/npz_file.h"
#include "write/npz_pack.h"

#include <string.h>

enum { FRAMED = NPZ_NAMES - NPZ_LOCAL_ROTATIONS }; /* arrays with a row a frame */

typedef struct npz_output {
  npz_plan plan;
  npz_layout layout;
  node_model model;
  int32_t *plane_of_place; /* [node] of pose.places; -1: it keeps its rest */
  int32_t *plane_of_model; /* [node] of the model */
  size_t offset[FRAMED];   /* in a piece, bytes */
  size_t piece_bytes;      /* with the model's scratch behind */
  size_t scratch_offset;
  uint32_t (*crc)[FRAMED]; /* [piece] */
} npz_output;

static npz_name framed(uint32_t index) {
  return (npz_name)(NPZ_LOCAL_ROTATIONS + index);
}

/* ---- layout ---------------------------------------------------------------------------------------------
 */

/* The hips, or the first node that moves, or the first of all. */
static uint32_t choose_root(const bake_plan *plan) {
  const bake_output *body = &plan->output;
  const clip_body *own = plan->clip->body;
  if (plan->way != BAKE_OWN) return (uint32_t)plan->rig->node_of_bone[HUMAN_HIPS];
  if (own->figure) return (uint32_t)own->map->node_of_bone[HUMAN_HIPS];
  for (uint32_t node = 0; node < body->node_count; node++)
    if (body->place_of_node[node] >= 0) return node;
  return 0;
}

static sinew_result list_planes(const bake_plan *plan, npz_output *own, arena *memory, sinew_error *error) {
  const bake_output *body = &plan->output;
  own->plane_of_place = arena_alloc(memory, body->node_count, sizeof *own->plane_of_place);
  own->plane_of_model = arena_alloc(memory, body->node_count, sizeof *own->plane_of_model);
  SINEW_CHECK(own->plane_of_place && own->plane_of_model, error, SINEW_ERROR_MEMORY,
              "out of memory for %u nodes", body->node_count);
  for (uint32_t node = 0; node < body->node_count; node++) {
    const int32_t place = body->place_of_node[node];
    own->plane_of_place[node] = place < 0 ? -1 : 3 * place;
    own->plane_of_model[node] = (int32_t)node * SINEW_MODEL_PLANES;
    if (place >= 0 && node != own->plan.root_joint) own->plan.has_local_positions = true;
  }
  return SINEW_OK;
}

/* Rows of a piece, an array behind the other, each aligned for the kernels. */
static sinew_result lay_piece_out(output *out, npz_output *own, sinew_error *error) {
  const uint64_t frames = (uint64_t)piece_block_count(out->plan) * SINEW_BLOCK;
  uint64_t used = 0;
  for (uint32_t i = 0; i < FRAMED; i++) {
    own->offset[i] = used;
    if (npz_has(&own->layout, framed(i)))
      used += (frames * own->layout.members[framed(i)].row_bytes + 63) / 64 * 64;
  }
  own->scratch_offset = used;
  own->piece_bytes = used + node_model_floats(&own->model) * sizeof(float);
  own->crc = arena_alloc(&out->memory, piece_count(out->plan), sizeof *own->crc);
  SINEW_CHECK(own->crc, error, SINEW_ERROR_MEMORY, "out of memory for the sums of pieces");
  return SINEW_OK;
}

static sinew_result begin(output *out, sinew_error *error) {
  const bake_plan *plan = out->plan;
  npz_output *own = arena_alloc(&out->memory, 1, sizeof *own);
  SINEW_CHECK(own, error, SINEW_ERROR_MEMORY, "out of memory");
  out->own = own;
  SINEW_TRY(node_model_build(&plan->output, &out->memory, &own->model, error));
  const char *source_name = out->options->source_name;
  own->plan = (npz_plan){.nodes = plan->output.nodes,
                         .node_count = plan->output.node_count,
                         .root_joint = choose_root(plan),
                         .frame_count = plan->frame_count,
                         .rate_hz = plan->rate_hz,
                         .source_name = source_name ? source_name : plan->clip->name,
                         .profile = plan->kernels->profile,
                         .three_components = out->options->npz_xyz,
                         .has_positions = own->model.is_exact,
                         .has_muscles = plan->wants_planes};
  SINEW_TRY(list_planes(plan, own, &out->memory, error));
  SINEW_TRY(npz_layout_build(&own->plan, &own->layout, error));
  out->owed_bytes = own->layout.file_byte_count;
  return lay_piece_out(out, own, error);
}

static sinew_result start(output *out, sinew_error *error) {
  return outfile_extend(out->file, out->owed_bytes, error);
}

/* ---- pieces ------------------------------------------------------------------------------------------- */

static float *rows_of(const npz_output *own, const piece_worker *worker, npz_name name, uint64_t frame) {
  return (float *)(worker->packed + own->offset[name - NPZ_LOCAL_ROTATIONS] +
                   frame * own->layout.members[name].row_bytes);
}

/* The root's translation in its parent; its rest where nothing moves it. */
static void pack_root_local(const npz_output *own, const sinew_kernels *k, const piece_worker *worker,
                            uint32_t frames, float *rows) {
  const int32_t plane = own->plane_of_place[own->plan.root_joint];
  const double *t = own->plan.nodes[own->plan.root_joint].t;
  if (plane >= 0) npz_pack_root(k, worker->pose.places + (size_t)plane * SINEW_BLOCK, frames, rows);
  for (uint32_t f = 0; plane < 0 && f < frames; f++)
    for (int c = 0; c < 3; c++) rows[3 * f + (uint32_t)c] = (float)(c == 0 ? -t[c] : t[c]);
}

static void flip_rows(float *rows, uint32_t stride, uint32_t frames, uint64_t flips) {
  for (uint32_t f = 0; f < frames; f++)
    if (flips >> f & 1) piece_negate(rows + (size_t)f * stride, 4);
}

/* Where quaternion `index` of the planes stands in its array's rows. */
static float *plane_quat_rows(const npz_output *own, const piece_worker *worker, uint32_t index,
                              uint64_t frame, uint32_t *stride) {
  *stride = index == 0 ? 7 : SINEW_GOAL_CHANNEL_COUNT;
  return index == 0 ? rows_of(own, worker, NPZ_ROOT, frame) + 3
                    : rows_of(own, worker, NPZ_GOALS, frame) + (index - 1) * 7 + 3;
}

static void pack_muscles(const output *out, const npz_output *own, piece_worker *worker, uint64_t frame,
                         uint32_t frames) {
  const float *planes = worker->scratch.planes;
  npz_pack_planes(planes + (size_t)SINEW_PLANE_MUSCLE * SINEW_BLOCK, SINEW_MUSCLE_COUNT, frames,
                  rows_of(own, worker, NPZ_MUSCLES, frame), SINEW_MUSCLE_COUNT);
  npz_pack_planes(planes + (size_t)SINEW_PLANE_ROOT_T * SINEW_BLOCK, 7, frames,
                  rows_of(own, worker, NPZ_ROOT, frame), 7);
  npz_pack_planes(planes + (size_t)SINEW_PLANE_GOAL * SINEW_BLOCK, SINEW_GOAL_CHANNEL_COUNT, frames,
                  rows_of(own, worker, NPZ_GOALS, frame), SINEW_GOAL_CHANNEL_COUNT);
  for (uint32_t i = 0; i < PIECE_PLANE_QUATS; i++) {
    uint32_t stride;
    float *rows = plane_quat_rows(own, worker, i, frame, &stride);
    flip_rows(rows, stride, frames, worker->flips[out->plan->output.slot_count + i]);
  }
}

static sinew_result pack_block(void *user, uint64_t piece, uint32_t block, piece_worker *worker,
                               sinew_error *error) {
  (void)error;
  const output *out = user;
  const npz_output *own = out->own;
  const npz_plan *plan = &own->plan;
  const sinew_kernels *k = out->plan->kernels;
  const uint64_t frame = (uint64_t)block * SINEW_BLOCK;
  const uint32_t frames =
      pose_block_frames(out->plan, piece_first_frame(out->plan, piece) / SINEW_BLOCK + block);
  const float *model =
      node_model_block(&own->model, k, &worker->pose, (float *)(worker->packed + own->scratch_offset));
  float *turns = rows_of(own, worker, NPZ_LOCAL_ROTATIONS, frame);
  npz_fill_rotations(plan, frames, turns);
  npz_pack_rotations(k, plan, worker->pose.local, out->plan->output.slot_of_node, worker->flips, frames,
                     turns);
  npz_pack_root(k, model + (size_t)own->plane_of_model[plan->root_joint] * SINEW_BLOCK, frames,
                rows_of(own, worker, NPZ_ROOT_POSITIONS, frame));
  if (npz_has(&own->layout, NPZ_ROOT_LOCAL_POSITIONS))
    pack_root_local(own, k, worker, frames, rows_of(own, worker, NPZ_ROOT_LOCAL_POSITIONS, frame));
  if (plan->has_positions)
    npz_pack_positions(k, plan, model, own->plane_of_model, frames,
                       rows_of(own, worker, NPZ_POSITIONS, frame));
  if (plan->has_local_positions) {
    float *places = rows_of(own, worker, NPZ_LOCAL_POSITIONS, frame);
    npz_fill_local_positions(plan, frames, places);
    npz_pack_positions(k, plan, worker->pose.places, own->plane_of_place, frames, places);
  }
  if (plan->has_muscles) pack_muscles(out, own, worker, frame, frames);
  return SINEW_OK;
}

static sinew_result compute(output *out, uint64_t piece, piece_worker *worker, sinew_error *error) {
  const npz_output *own = out->own;
  SINEW_TRY(piece_worker_fit(worker, own->piece_bytes, error));
  return piece_compute(&out->source, piece, worker, pack_block, out, error);
}

/* A piece as a whole in the half-space of the one before it. */
static void turn_piece(const output *out, const npz_output *own, piece_worker *worker, uint64_t frames) {
  const bake_output *body = &out->plan->output;
  float *turns = rows_of(own, worker, NPZ_LOCAL_ROTATIONS, 0);
  for (uint32_t node = 0; node < body->node_count && !own->plan.three_components; node++) {
    const int32_t slot = body->slot_of_node[node];
    if (slot < 0 || !piece_slot_is_turned(worker, (uint32_t)slot)) continue;
    for (uint64_t f = 0; f < frames; f++) piece_negate(turns + (f * body->node_count + node) * 4, 4);
  }
  for (uint32_t i = 0; own->plan.has_muscles && i < PIECE_PLANE_QUATS; i++) {
    if (!piece_plane_quat_is_turned(out->plan, worker, i)) continue;
    uint32_t stride;
    float *rows = plane_quat_rows(own, worker, i, 0, &stride);
    for (uint64_t f = 0; f < frames; f++) piece_negate(rows + f * stride, 4);
  }
}

static sinew_result write_piece(output *out, uint64_t piece, piece_worker *worker, sinew_error *error) {
  npz_output *own = out->own;
  const uint64_t first = piece_first_frame(out->plan, piece),
                 frames = piece_end_frame(out->plan, piece) - first;
  turn_piece(out, own, worker, frames);
  for (uint32_t i = 0; i < FRAMED; i++) {
    if (!npz_has(&own->layout, framed(i))) continue;
    const void *rows = rows_of(own, worker, framed(i), 0);
    const size_t byte_count = frames * own->layout.members[framed(i)].row_bytes;
    own->crc[piece][i] = npz_sum(rows, byte_count);
    SINEW_TRY(
        outfile_write(out->file, rows, byte_count, npz_row_offset(&own->layout, framed(i), first), error));
  }
  outfile_begin_flush(out->file);
  return SINEW_OK;
}

static sinew_result check(output *out, uint64_t piece, output_worker *worker, check_findings *found,
                          sinew_error *error) {
  (void)found;
  const npz_output *own = out->own;
  const uint64_t first = piece_first_frame(out->plan, piece),
                 frames = piece_end_frame(out->plan, piece) - first;
  for (uint32_t i = 0; i < FRAMED; i++) {
    if (!npz_has(&own->layout, framed(i))) continue;
    SINEW_TRY(output_read_back(out, rows_of(own, &worker->piece, framed(i), 0),
                               frames * own->layout.members[framed(i)].row_bytes,
                               npz_row_offset(&own->layout, framed(i), first), error));
  }
  return SINEW_OK;
}

static sinew_result finish(output *out, sinew_error *error) {
  const npz_output *own = out->own;
  npz_sums sums;
  npz_sums_open(&own->layout, &sums);
  for (uint64_t piece = 0; piece < output_clip_piece_count(out); piece++) {
    const uint64_t frames = piece_end_frame(out->plan, piece) - piece_first_frame(out->plan, piece);
    for (uint32_t i = 0; i < FRAMED; i++)
      if (npz_has(&own->layout, framed(i)))
        npz_sums_join(&sums, framed(i), own->crc[piece][i],
                      frames * own->layout.members[framed(i)].row_bytes);
  }
  return npz_write_rest(&own->layout, &sums, out->file, error);
}

static void release(output *out) {
  npz_output *own = out->own;
  if (own) npz_layout_release(&own->layout);
}

const output_format output_npz = {.name = "npz",
                                  .wants_pose = true,
                                  .planes_if_any = true,
                                  .begin = begin,
                                  .start = start,
                                  .compute = compute,
                                  .write = write_piece,
                                  .check = check,
                                  .finish = finish,
                                  .release = release};
