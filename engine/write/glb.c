#include "write/glb.h"
#include "base/checked.h"
#include "base/error.h"
#include "write/glb_json.h"
#include "write/glb_model.h"
#include "write/glb_vrma.h"

#include <math.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "floats go into the file as they lie in memory");

enum {
  HEADER_BYTES = 12,
  CHUNK_HEADER_BYTES = 8,
  MAGIC = 0x46546c67,      /* "glTF" */
  CHUNK_JSON = 0x4e4f534a, /* "JSON" */
  CHUNK_BIN = 0x004e4942,  /* "BIN\0" */
};
static const uint64_t FILE_BYTE_LIMIT = UINT32_MAX; /* the header's length field */

float glb_frame_time(const glb_plan *plan, uint64_t frame) {
  if (frame == 0) return 0;
  if (frame == plan->frame_count - 1) return (float)(plan->stop_s - plan->start_s);
  return (float)((double)frame / plan->rate_hz);
}

uint32_t glb_key_bytes(const glb_plan *plan, uint32_t track) {
  if (plan->tracks[track].path != GLB_ROTATION) return 3 * sizeof(float);
  return 4 * (plan->quantized ? sizeof(int16_t) : sizeof(float));
}

uint64_t glb_key_count(const glb_plan *plan, const glb_layout *layout, uint32_t track) {
  if (!plan->tracks[track].constant) return plan->frame_count;
  return layout->still && track == 0 ? 2 : 1;
}

float glb_key_time(const glb_plan *plan, const glb_layout *layout, uint64_t index) {
  return glb_frame_time(plan, layout->still && index == 1 ? plan->frame_count - 1 : index);
}

/* ---- checks ------------------------------------------------------------------------------------------- */

static sinew_result check_tracks(const glb_plan *plan, arena *memory, sinew_error *error) {
  const uint32_t file_nodes = plan->model ? plan->model->node_count : plan->node_count;
  uint8_t *seen = arena_alloc(memory, file_nodes, 1);
  SINEW_CHECK(seen, error, SINEW_ERROR_MEMORY, "out of memory for %u nodes", file_nodes);
  for (uint32_t i = 0; i < plan->track_count; i++) {
    const glb_track *track = &plan->tracks[i];
    SINEW_CHECK(track->node < plan->node_count, error, SINEW_ERROR_ARGUMENT,
                "track %u moves node %u, the rig has %u", i, track->node, plan->node_count);
    SINEW_CHECK(track->path <= GLB_SCALE, error, SINEW_ERROR_ARGUMENT, "track %u has the unknown path %d", i,
                (int)track->path);
    const uint32_t node = glb_file_node(plan, track->node);
    SINEW_CHECK(node < file_nodes, error, SINEW_ERROR_ARGUMENT, "track %u moves node %u, the model has %u", i,
                node, file_nodes);
    uint8_t bit = (uint8_t)(1u << track->path);
    SINEW_CHECK(!(seen[node] & bit), error, SINEW_ERROR_ARGUMENT, "track %u moves node %u a second time", i,
                node);
    seen[node] |= bit;
  }
  return SINEW_OK;
}

static sinew_result check_plan(const glb_plan *plan, sinew_error *error) {
  SINEW_CHECK(plan->nodes && plan->node_count, error, SINEW_ERROR_ARGUMENT, "the rig has no nodes");
  SINEW_CHECK(plan->tracks || !plan->track_count, error, SINEW_ERROR_ARGUMENT, "the tracks are missing");
  SINEW_CHECK(!plan->mesh || plan->mesh->box_count, error, SINEW_ERROR_ARGUMENT, "the mesh has no boxes");
  SINEW_CHECK(!plan->mesh || !plan->model, error, SINEW_ERROR_ARGUMENT,
              "a model has its own mesh: boxes do not go with it");
  SINEW_CHECK(plan->frame_count >= 1, error, SINEW_ERROR_ARGUMENT, "a clip of no frames has no file");
  SINEW_CHECK(isfinite(plan->rate_hz) && plan->rate_hz > 0, error, SINEW_ERROR_ARGUMENT,
              "the rate is %g Hz, expected more than 0", plan->rate_hz);
  SINEW_CHECK(isfinite(plan->start_s) && isfinite(plan->stop_s) && plan->stop_s >= plan->start_s, error,
              SINEW_ERROR_ARGUMENT, "the clip runs from %g s to %g s", plan->start_s, plan->stop_s);
  if (plan->human_node) SINEW_TRY(glb_vrma_check(plan, error));
  arena scratch = {0};
  sinew_result result = check_tracks(plan, &scratch, error);
  arena_release(&scratch);
  return result;
}

static sinew_result same_times(uint64_t frame, sinew_error *error) {
  return error_set(error, SINEW_ERROR_LIMIT,
                   "frames %llu and %llu would not ascend in time: float32 seconds have no finer step there",
                   (unsigned long long)(frame - 1), (unsigned long long)frame);
}

/* Players need strictly ascending float32 times. Two frames a whole step apart round to different floats when
 * the step is twice the floats' spacing at the end or more; only when it is finer is each pair looked at. The
 * last pair is always looked at, because the last frame stands at the stop time whatever the step. */
static sinew_result check_times(const glb_plan *plan, const glb_layout *layout, sinew_error *error) {
  uint64_t last = plan->frame_count - 1;
  if (layout->time_count < 2) return SINEW_OK;
  float end_s = glb_frame_time(plan, last);
  SINEW_CHECK(isfinite(end_s), error, SINEW_ERROR_LIMIT, "the clip's length of %g s is past float32",
              plan->stop_s - plan->start_s);
  if (layout->still) return end_s > 0 ? SINEW_OK : same_times(last, error);
  double spacing_s = (double)nextafterf(end_s, INFINITY) - (double)end_s;
  uint64_t from = 1 / plan->rate_hz >= 2 * spacing_s ? last : 1;
  for (uint64_t frame = from; frame <= last; frame++)
    if (!(glb_frame_time(plan, frame - 1) < glb_frame_time(plan, frame))) return same_times(frame, error);
  return SINEW_OK;
}

/* ---- places ------------------------------------------------------------------------------------------- */

static bool take(uint64_t count, uint64_t item_bytes, uint64_t *offset, size_t *end) {
  size_t bytes;
  *offset = *end;
  return checked_mul(count, item_bytes, &bytes) && checked_add(*end, bytes, end);
}

/* A clip plays as long as its longest track: where none moves, the first one is given an end, because players
 * divide by that length. */
static void choose_times(const glb_plan *plan, glb_layout *layout) {
  uint32_t constant_count = 0;
  for (uint32_t i = 0; i < plan->track_count; i++) constant_count += plan->tracks[i].constant;
  layout->still = constant_count && constant_count == plan->track_count && plan->frame_count > 1;
  layout->time_count = layout->still ? 2 : constant_count < plan->track_count ? plan->frame_count : 0;
  layout->has_key_time = constant_count > (layout->still ? 1 : 0);
}

/* Offsets from the start of the BIN chunk; false when the sizes pass 64 bits. */
static bool place_data(const glb_plan *plan, glb_layout *layout, size_t *bin_byte_count) {
  size_t end = 0;
  layout->model_byte_count = plan->model ? glb_model_padded(plan->model) : 0;
  if (!take(layout->model_byte_count, 1, &layout->model_offset, &end)) return false;
  if (!take(layout->time_count, sizeof(float), &layout->times_offset, &end)) return false;
  if (!take(layout->has_key_time, sizeof(float), &layout->key_time_offset, &end)) return false;
  for (uint32_t i = 0; i < plan->track_count; i++)
    if (!take(glb_key_count(plan, layout, i), glb_key_bytes(plan, i), &layout->track_offset[i], &end))
      return false;
  layout->animation_byte_count = end - layout->model_byte_count;
  const box_mesh *mesh = plan->mesh;
  if (mesh &&
      !(take(mesh->box_count, sizeof *mesh->inverse_bind, &layout->inverse_bind_offset, &end) &&
        take(mesh->box_count, BOX_VERTICES * sizeof *mesh->vertices, &layout->vertices_offset, &end) &&
        take(mesh->box_count, BOX_INDICES * sizeof *mesh->indices, &layout->indices_offset, &end)))
    return false;
  *bin_byte_count = end;
  return true;
}

static sinew_result too_large(uint64_t byte_count, bool overflow, sinew_error *error) {
  return error_set(error, SINEW_ERROR_LIMIT, "the file would have %s%llu bytes, a GLB holds at most %llu",
                   overflow ? "more than " : "", (unsigned long long)byte_count,
                   (unsigned long long)FILE_BYTE_LIMIT);
}

static char *put_u32(char *at, uint64_t value) {
  uint32_t word = (uint32_t)value;
  memcpy(at, &word, sizeof word);
  return at + sizeof word;
}

static sinew_result assemble_head(glb_layout *layout, const json_out *json, uint64_t bin_byte_count,
                                  sinew_error *error) {
  size_t json_bytes = (json->byte_count + 3) / 4 * 4;
  size_t head_bytes =
      HEADER_BYTES + CHUNK_HEADER_BYTES + json_bytes + (bin_byte_count ? CHUNK_HEADER_BYTES : 0);
  uint64_t file_bytes = head_bytes + bin_byte_count;
  if (file_bytes > FILE_BYTE_LIMIT) return too_large(file_bytes, false, error);
  layout->head = arena_alloc(&layout->memory, head_bytes, 1);
  SINEW_CHECK(layout->head, error, SINEW_ERROR_MEMORY, "out of memory for a head of %zu bytes", head_bytes);
  layout->head_byte_count = head_bytes;
  layout->file_byte_count = file_bytes;
  char *at = put_u32(put_u32(put_u32(layout->head, MAGIC), 2), file_bytes);
  at = put_u32(put_u32(at, json_bytes), CHUNK_JSON);
  memset(at, ' ', json_bytes);
  memcpy(at, json->bytes, json->byte_count);
  if (bin_byte_count) put_u32(put_u32(at + json_bytes, bin_byte_count), CHUNK_BIN);
  return SINEW_OK;
}

static void shift_by_head(const glb_plan *plan, glb_layout *layout) {
  layout->model_offset += layout->head_byte_count;
  layout->times_offset += layout->head_byte_count;
  layout->key_time_offset += layout->head_byte_count;
  layout->inverse_bind_offset += layout->head_byte_count;
  layout->vertices_offset += layout->head_byte_count;
  layout->indices_offset += layout->head_byte_count;
  for (uint32_t i = 0; i < plan->track_count; i++) layout->track_offset[i] += layout->head_byte_count;
}

static sinew_result build(const glb_plan *plan, glb_layout *layout, json_out *json, sinew_error *error) {
  SINEW_TRY(check_plan(plan, error));
  layout->track_offset = arena_alloc(&layout->memory, plan->track_count, sizeof *layout->track_offset);
  SINEW_CHECK(layout->track_offset, error, SINEW_ERROR_MEMORY, "out of memory for %u tracks",
              plan->track_count);
  size_t bin_byte_count;
  choose_times(plan, layout);
  if (!place_data(plan, layout, &bin_byte_count)) return too_large(UINT64_MAX, true, error);
  if (bin_byte_count > FILE_BYTE_LIMIT) return too_large(bin_byte_count, false, error);
  SINEW_TRY(check_times(plan, layout, error));
  SINEW_TRY(glb_json_write(plan, layout, bin_byte_count, json, error));
  SINEW_TRY(assemble_head(layout, json, bin_byte_count, error));
  shift_by_head(plan, layout);
  return SINEW_OK;
}

sinew_result glb_layout_build(const glb_plan *plan, glb_layout *layout, sinew_error *error) {
  memset(layout, 0, sizeof *layout);
  json_out json = {0};
  sinew_result result = build(plan, layout, &json, error);
  json_release(&json);
  if (result != SINEW_OK) glb_layout_release(layout);
  return result;
}

sinew_result glb_write_model(const glb_plan *plan, const glb_layout *layout, outfile *file,
                             sinew_error *error) {
  if (!layout->model_byte_count) return SINEW_OK;
  return outfile_write(file, plan->model->bin, (size_t)layout->model_byte_count, layout->model_offset, error);
}

void glb_layout_release(glb_layout *layout) {
  arena_release(&layout->memory);
  memset(layout, 0, sizeof *layout);
}
