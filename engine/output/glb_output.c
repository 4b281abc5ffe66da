/* GLB: each track's pieces to their places in a file whose size is known before the first frame. */
#include "base/error.h"
#include "output/formats.h"
#include "output/glb_output.h"
#include "verify/verify.h"

#include <string.h>

/* ---- what stands in the file beside the tracks ----------------------------------------------------------
 */

static sinew_result write_mesh(const output *out, const glb_output *own, sinew_error *error) {
  const box_mesh *mesh = own->glb.mesh;
  const glb_layout *layout = &own->layout;
  if (!mesh) return SINEW_OK;
  SINEW_TRY(outfile_write(out->file, mesh->inverse_bind, mesh->box_count * sizeof *mesh->inverse_bind,
                          layout->inverse_bind_offset, error));
  SINEW_TRY(outfile_write(out->file, mesh->vertices, mesh->box_count * BOX_VERTICES * sizeof *mesh->vertices,
                          layout->vertices_offset, error));
  return outfile_write(out->file, mesh->indices, mesh->box_count * BOX_INDICES * sizeof *mesh->indices,
                       layout->indices_offset, error);
}

static sinew_result write_times(const output *out, const glb_output *own, sinew_error *error) {
  enum { TIMES_AT_ONCE = 4096 };
  float times[TIMES_AT_ONCE];
  const uint64_t end = own->layout.time_count;
  for (uint64_t first = 0; first < end; first += TIMES_AT_ONCE) {
    const uint64_t count = end - first < TIMES_AT_ONCE ? end - first : TIMES_AT_ONCE;
    for (uint64_t i = 0; i < count; i++) times[i] = glb_key_time(&own->glb, &own->layout, first + i);
    SINEW_TRY(outfile_write(out->file, times, count * sizeof *times,
                            own->layout.times_offset + first * sizeof *times, error));
  }
  return SINEW_OK;
}

/* The file gets its size at once: it is read back while it is written. */
static sinew_result write_frame(const output *out, const glb_output *own, sinew_error *error) {
  const glb_layout *layout = &own->layout;
  SINEW_TRY(outfile_extend(out->file, layout->file_byte_count, error));
  SINEW_TRY(outfile_write(out->file, layout->head, layout->head_byte_count, 0, error));
  float zero = 0;
  if (layout->has_key_time)
    SINEW_TRY(outfile_write(out->file, &zero, sizeof zero, layout->key_time_offset, error));
  SINEW_TRY(glb_write_model(&own->glb, layout, out->file, error));
  SINEW_TRY(write_times(out, own, error));
  return write_mesh(out, own, error);
}

static sinew_result lay_out(output *out, const int32_t *human_node, sinew_error *error) {
  const bake_plan *plan = out->plan;
  const char *source_name = out->options->source_name;
  glb_output *own = arena_alloc(&out->memory, 1, sizeof *own);
  SINEW_CHECK(own, error, SINEW_ERROR_MEMORY, "out of memory");
  out->own = own;
  own->glb = (glb_plan){
      .nodes = plan->output.nodes,
      .node_count = plan->output.node_count,
      .clip_name = plan->clip->name,
      .source_name = source_name ? source_name : plan->clip->name,
      .profile = plan->kernels->profile,
      .rate_hz = plan->rate_hz,
      .frame_count = plan->frame_count,
      .start_s = plan->clip->start_s,
      .stop_s = plan->clip->stop_s,
      .tracks = plan->output.tracks,
      .track_count = plan->output.track_count,
      .quantized = plan->quantized,
      .mesh = plan->mesh.box_count ? &plan->mesh : NULL,
      .model = plan->model,
      .file_node = plan->output.file_node,
      .human_node = human_node,
  };
  SINEW_TRY(glb_layout_build(&own->glb, &own->layout, error));
  out->owed_bytes = own->layout.file_byte_count;
  return SINEW_OK;
}

static sinew_result begin(output *out, sinew_error *error) {
  return lay_out(out, NULL, error);
}

/* The plan's rig is a normalised one. */
static sinew_result begin_vrma(output *out, sinew_error *error) {
  return lay_out(out, out->plan->rig->node_of_bone, error);
}

static sinew_result start(output *out, sinew_error *error) {
  return write_frame(out, out->own, error);
}

/* ---- pieces ------------------------------------------------------------------------------------------- */

static size_t track_bytes(const bake_plan *plan) {
  return (size_t)piece_block_count(plan) * SINEW_BLOCK * 4 * sizeof(float);
}

static unsigned char *packed_track(const output *out, const piece_worker *worker, uint32_t track) {
  return worker->packed + track * track_bytes(out->plan);
}

static sinew_result pack_block(void *user, uint64_t piece, uint32_t block, piece_worker *worker,
                               sinew_error *error) {
  (void)error;
  const output *out = user;
  const glb_output *own = out->own;
  const bake_plan *plan = out->plan;
  const bake_output *body = &plan->output;
  const sinew_kernels *k = plan->kernels;
  for (uint32_t track = 0; track < body->track_count; track++) {
    if (body->tracks[track].constant && (piece || block)) continue;
    void *keys =
        packed_track(out, worker, track) + (size_t)block * SINEW_BLOCK * glb_key_bytes(&own->glb, track);
    const size_t plane = body->planes[track];
    const float *quat = worker->pose.local + plane * 4 * SINEW_BLOCK;
    if (body->tracks[track].path != GLB_ROTATION)
      k->pack_vec3(worker->pose.places + plane * 3 * SINEW_BLOCK, keys);
    else if (plan->quantized)
      k->pack_quat16(quat, worker->flips[plane], keys);
    else
      k->pack_quat(quat, worker->flips[plane], keys);
  }
  return SINEW_OK;
}

static sinew_result compute(output *out, uint64_t piece, piece_worker *worker, sinew_error *error) {
  SINEW_TRY(piece_worker_fit(worker, out->plan->output.track_count * track_bytes(out->plan), error));
  return piece_compute(&out->source, piece, worker, pack_block, out, error);
}

/* The kernels wrote them as another type. */
typedef int16_t __attribute__((may_alias)) short_bits;

static void negate_keys(const output *out, unsigned char *packed, size_t byte_count) {
  if (!out->plan->quantized) {
    piece_negate(packed, byte_count / sizeof(float));
    return;
  }
  short_bits *values = (short_bits *)packed;
  for (size_t i = 0; i < byte_count / sizeof *values; i++) values[i] = (short_bits)-values[i];
}

static sinew_result write_track(const output *out, uint64_t piece, uint32_t track, piece_worker *worker,
                                sinew_error *error) {
  const glb_output *own = out->own;
  const bake_output *body = &out->plan->output;
  const bool constant = body->tracks[track].constant;
  if (constant && piece > 0) return SINEW_OK;
  const uint64_t first_frame = constant ? 0 : piece_first_frame(out->plan, piece);
  const size_t key_bytes = glb_key_bytes(&own->glb, track);
  /* a still file's second key is the second frame's value, which equals the first */
  const uint64_t keys = constant ? glb_key_count(&own->glb, &own->layout, track)
                                 : piece_end_frame(out->plan, piece) - first_frame;
  unsigned char *packed = packed_track(out, worker, track);
  if (body->tracks[track].path == GLB_ROTATION && piece_slot_is_turned(worker, body->planes[track]))
    negate_keys(out, packed, keys * key_bytes);
  return outfile_write(out->file, packed, keys * key_bytes,
                       own->layout.track_offset[track] + first_frame * key_bytes, error);
}

static sinew_result write_piece(output *out, uint64_t piece, piece_worker *worker, sinew_error *error) {
  for (uint32_t track = 0; track < out->plan->output.track_count; track++)
    SINEW_TRY(write_track(out, piece, track, worker, error));
  outfile_begin_flush(out->file);
  return SINEW_OK;
}

/* ---- verification ---------------------------------------------------------------------------------------
 */

static sinew_result begin_check(output *out, sinew_error *error) {
  glb_output *own = out->own;
  return bake_checker_open(out->plan, out->file->fd, &own->checker, error);
}

static sinew_result begin_vrma_check(output *out, sinew_error *error) {
  const glb_output *own = out->own;
  SINEW_TRY(begin_check(out, error));
  return verify_human(own->checker.file, own->glb.human_node, error);
}

static sinew_result check(output *out, uint64_t piece, output_worker *worker, check_findings *found,
                          sinew_error *error) {
  const glb_output *own = out->own;
  const uint64_t end = piece_end_frame(out->plan, piece);
  for (uint64_t first = piece_first_frame(out->plan, piece); first < end; first += CHECK_PIECE_FRAMES)
    SINEW_TRY(bake_checker_piece(&own->checker, first / CHECK_PIECE_FRAMES, &worker->check, found, error));
  return SINEW_OK;
}

static sinew_result judge(output *out, const check_findings *found, sinew_bake_report *report,
                          sinew_error *error) {
  const glb_output *own = out->own;
  return bake_checker_judge(&own->checker, found, report, error);
}

static void release(output *out) {
  glb_output *own = out->own;
  if (!own) return;
  if (own->checker.file) bake_checker_close(&own->checker);
  glb_layout_release(&own->layout);
}

const output_format output_glb = {.name = "glb",
                                  .wants_pose = true,
                                  .begin = begin,
                                  .start = start,
                                  .compute = compute,
                                  .write = write_piece,
                                  .begin_check = begin_check,
                                  .check = check,
                                  .judge = judge,
                                  .release = release};

/* The same, of a body that any VRM model can wear. */
const output_format output_vrma = {.name = "vrma",
                                   .wants_pose = true,
                                   .wants_normalised = true,
                                   .begin = begin_vrma,
                                   .start = start,
                                   .compute = compute,
                                   .write = write_piece,
                                   .begin_check = begin_vrma_check,
                                   .check = check,
                                   .judge = judge,
                                   .release = release};
