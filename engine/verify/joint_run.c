/* Places of nodes over many frames: what verification does for each frame of a file. Keys are read in runs,
 * one call a channel, and go as they lie in the file to the kernel that turns, multiplies and checks them. */
#include "base/error.h"
#include "verify/joint_nodes.h"
#include "verify/key_reader.h"
#include "verify/pose_block.h"

#include <string.h>

enum { NODE_SCRATCH = 96, ALIGNMENT = 64 };

struct verify_run {
  void *memory;
  size_t byte_count;
  const verify_joints *joints;
  uint64_t first; /* of the keys that are loaded */
  uint32_t count;
  float *times;
  unsigned char *keys; /* [row][row_bytes] */
  double *planes;      /* [planes][4][64] */
  double *matrices;    /* [matrices][12][64] */
  double *scratch;
  sinew_node *nodes;
};

/* ---- runs --------------------------------------------------------------------------------------------- */

/* Takes the next part of the run's memory; without memory it only counts. */
static void *take(verify_run *run, size_t *used, size_t count, size_t size) {
  size_t at = *used;
  *used += (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return run->memory ? (char *)run->memory + at : NULL;
}

static size_t lay_out(verify_run *run, const verify_joints *joints) {
  size_t used = 0;
  run->times = take(run, &used, joints->run_frames + SINEW_BLOCK, sizeof *run->times);
  run->keys = take(run, &used, joints->row_count, joints->row_bytes);
  run->planes = take(run, &used, joints->planes_count, 4 * SINEW_BLOCK * sizeof *run->planes);
  run->matrices = take(run, &used, joints->matrices_count, 12 * SINEW_BLOCK * sizeof *run->matrices);
  run->scratch = take(run, &used, joints->node_count, NODE_SCRATCH * sizeof *run->scratch);
  run->nodes = take(run, &used, joints->node_count, sizeof *run->nodes);
  return used;
}

sinew_result verify_run_open(verify_run **run, sinew_error *error) {
  *run = heap_alloc(1, sizeof **run);
  SINEW_CHECK(*run, error, SINEW_ERROR_MEMORY, "out of memory");
  return SINEW_OK;
}

void verify_run_close(verify_run *run) {
  if (!run) return;
  heap_free(run->memory);
  heap_free(run);
}

sinew_result verify_run_begin(verify_run *run, const verify_joints *joints, sinew_error *error) {
  run->joints = joints;
  run->count = 0;
  size_t needed = lay_out(run, joints);
  if (needed > run->byte_count) {
    heap_free(run->memory);
    run->byte_count = 0;
    run->memory = heap_alloc_unset(needed);
    SINEW_CHECK(run->memory, error, SINEW_ERROR_MEMORY, "out of memory for the keys of %u frames",
                joints->run_frames);
    run->byte_count = needed;
    lay_out(run, joints);
  }
  memcpy(run->nodes, joints->nodes, joints->node_count * sizeof *run->nodes);
  return SINEW_OK;
}

static unsigned char *row_of(const verify_run *run, uint32_t channel) {
  return run->keys + (size_t)run->joints->channels[channel].row * run->joints->row_bytes;
}

static sinew_result load(verify_run *run, uint64_t first, uint32_t count, sinew_error *error) {
  const verify_joints *joints = run->joints;
  const verify_file *file = joints->file;
  run->count = 0;
  SINEW_TRY(keys_read_clock(file, first, count, run->times, error));
  for (uint32_t i = 0; i < file->channel_count; i++)
    if (joints->channels[i].row >= 0)
      SINEW_TRY(keys_read_bytes(file, &file->channels[i], first, count, row_of(run, i), error));
  run->first = first;
  run->count = count;
  return SINEW_OK;
}

/* A block's worth of the last frame behind the run, for blocks that reach past it. */
static void repeat_last(const verify_run *run) {
  const verify_joints *joints = run->joints;
  const verify_file *file = joints->file;
  for (uint32_t i = 0; i < file->channel_count; i++) {
    if (joints->channels[i].row < 0) continue;
    size_t key_bytes = file->channels[i].values.key_bytes;
    unsigned char *end = row_of(run, i) + run->count * key_bytes;
    for (uint32_t f = 0; f < SINEW_BLOCK; f++) memcpy(end + f * key_bytes, end - key_bytes, key_bytes);
  }
}

/* ---- blocks ------------------------------------------------------------------------------------------- */

/* Frames at..at+count-1 of the run. */
typedef struct run_part {
  uint32_t at, count;
} run_part;

static double *planes_of(const verify_run *run, uint32_t channel) {
  return run->planes + (size_t)run->joints->channels[channel].planes * 4 * SINEW_BLOCK;
}

static sinew_result decode_channel(const verify_run *run, uint32_t index, run_part part, sinew_error *error) {
  const verify_file *file = run->joints->file;
  const document_channel *channel = &file->channels[index];
  const key_planes planes = {planes_of(run, index), SINEW_BLOCK};
  if (run->joints->channels[index].row < 0)
    SINEW_TRY(keys_sample(file, channel, run->times + part.at, part.count, &planes, error));
  else
    SINEW_TRY(keys_decode(channel, run->first + part.at, part.count,
                          row_of(run, index) + part.at * channel->values.key_bytes, &planes, error));
  for (int c = 0; c < 4; c++) {
    double *plane = planes.values + c * SINEW_BLOCK;
    for (uint32_t f = part.count; f < SINEW_BLOCK; f++) plane[f] = plane[part.count - 1];
  }
  return SINEW_OK;
}

/* Every channel that varies is checked, whoever needs it. */
static sinew_result decode_channels(const verify_run *run, run_part part, bool of_kernel,
                                    sinew_error *error) {
  for (uint32_t i = 0; i < run->joints->file->channel_count; i++) {
    const channel_use *use = &run->joints->channels[i];
    if (!use->is_constant && use->by_kernel == of_kernel) SINEW_TRY(decode_channel(run, i, part, error));
  }
  return SINEW_OK;
}

static void part_at(const verify_run *run, const document_node *node, keys_path path, uint32_t f,
                    double part[4]) {
  int32_t channel = node->channel[path];
  if (joint_varies(run->joints, channel))
    for (int c = 0; c < 4; c++) part[c] = planes_of(run, (uint32_t)channel)[c * SINEW_BLOCK + (int)f];
  else
    memcpy(part, joint_constant(run->joints, node, path), 4 * sizeof *part);
}

static void fill_matrices(const verify_run *run, const document_node *node, double *planes) {
  for (uint32_t f = 0; f < SINEW_BLOCK; f++) {
    double t[4], q[4], s[4], m[3][4];
    part_at(run, node, KEYS_TRANSLATION, f, t);
    part_at(run, node, KEYS_ROTATION, f, q);
    part_at(run, node, KEYS_SCALE, f, s);
    joint_matrix(t, q, s, m);
    for (uint32_t k = 0; k < 12; k++) planes[k * SINEW_BLOCK + f] = m[k / 4][k % 4];
  }
}

/* Points the kernel's nodes to the block's values. */
static void aim_nodes(const verify_run *run, uint32_t at) {
  const verify_joints *joints = run->joints;
  for (uint32_t i = 0; i < joints->node_count; i++) {
    const document_node *node = &joints->file->nodes[joints->source[i]];
    sinew_node *out = &run->nodes[i];
    int32_t turn = node->channel[KEYS_ROTATION], move = node->channel[KEYS_TRANSLATION];
    if (joints->matrices[i] >= 0) {
      double *planes = run->matrices + (size_t)joints->matrices[i] * 12 * SINEW_BLOCK;
      fill_matrices(run, node, planes);
      out->planes = planes;
    } else if (out->kind != SINEW_NODE_MATRIX) {
      out->keys = row_of(run, (uint32_t)turn) + at * joints->file->channels[turn].values.key_bytes;
      if (joint_varies(joints, move)) out->planes = planes_of(run, (uint32_t)move);
    }
  }
}

static sinew_result place_part(const verify_run *run, run_part part, const verify_own *own, double *places,
                               sinew_error *error) {
  const verify_joints *joints = run->joints;
  SINEW_TRY(decode_channels(run, part, false, error));
  aim_nodes(run, part.at);
  sinew_placing in = {run->nodes, joints->node_count, joints->shown, joints->shown_count, NULL, 0};
  if (own) in.model = own->model, in.least = own->least;
  if (joints->kernels->places(&in, run->scratch, own ? own->squares : NULL, places)) return SINEW_OK;
  /* something may be amiss with a rotation: the checks that know how to say what */
  return decode_channels(run, part, true, error);
}

sinew_result verify_places(verify_run *run, uint64_t first, uint32_t count, uint64_t end,
                           const verify_own *own, double *places, sinew_error *error) {
  const verify_file *file = run->joints->file;
  SINEW_TRY(check_frames(file, first, count, error));
  if (file->channel_count == 0) return place_part(run, (run_part){0, count}, own, places, error);
  if (first < run->first || first + count > run->first + run->count) {
    uint64_t most = run->joints->run_frames;
    if (end > file->clock.count) end = file->clock.count;
    if (end < first + count) end = first + count;
    SINEW_TRY(load(run, first, (uint32_t)(end - first < most ? end - first : most), error));
  }
  run_part part = {(uint32_t)(first - run->first), count};
  if (part.at + SINEW_BLOCK > run->count) repeat_last(run);
  return place_part(run, part, own, places, error);
}

const float *verify_run_times(const verify_run *run, uint64_t first) {
  return run->times + (first - run->first);
}
