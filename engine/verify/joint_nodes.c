/* What does not change from frame to frame is found out once: constant channels, each node's kind, who needs
 * whose keys. Nodes that are scaled over time, or turned by times of their own, take the plain road: a matrix
 * for each frame. */
#include "verify/joint_nodes.h"
#include "base/error.h"
#include "verify/key_reader.h"
#include "verify/pose_block.h"

#include <string.h>

/* A run of a rotation is 16 KiB: few calls, and all channels' runs stay in the second cache. */
enum { RUN_FRAMES = 1024, KEY_BYTES = 4 * sizeof(float) };
static const size_t run_bytes_budget = 4 << 20;

/* ---- what each channel is for ------------------------------------------------------------------------- */

const double *joint_constant(const verify_joints *joints, const document_node *node, keys_path path) {
  int32_t channel = node->channel[path];
  return channel < 0 ? node->rest[path] : joints->channels[channel].constant;
}

static sinew_result read_constants(verify_joints *joints, sinew_error *error) {
  const verify_file *file = joints->file;
  for (uint32_t i = 0; i < file->channel_count; i++) {
    channel_use *use = &joints->channels[i];
    use->is_constant = file->channels[i].times.count == 1;
    use->row = -1;
    if (use->is_constant)
      SINEW_TRY(key_read(file, &file->channels[i], 0, use->constant, error));
    else if (keys_follow_clock(file, &file->channels[i]))
      use->row = (int32_t)joints->row_count++;
  }
  return SINEW_OK;
}

static void want_planes(verify_joints *joints, int32_t channel) {
  if (joint_varies(joints, channel)) joints->channels[channel].planes = joints->planes_count++;
}

/* ---- what each node is -------------------------------------------------------------------------------- */

void joint_matrix(const double t[3], const double q[4], const double s[3], double m[3][4]) {
  double x = q[0], y = q[1], z = q[2], w = q[3];
  double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                       {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                       {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 3; column++) m[row][column] = rows[row][column] * s[column];
    m[row][3] = t[row];
  }
}

/* Turned by keys at the clock's times, unscaled: the kernel's own kind. */
static bool is_turned(const verify_joints *joints, const document_node *node) {
  int32_t turn = node->channel[KEYS_ROTATION];
  if (!joint_varies(joints, turn) || joints->channels[turn].row < 0 ||
      joint_varies(joints, node->channel[KEYS_SCALE]))
    return false;
  const double *s = joint_constant(joints, node, KEYS_SCALE);
  return s[0] == 1 && s[1] == 1 && s[2] == 1;
}

static void classify(verify_joints *joints, uint32_t index) {
  const document_node *node = &joints->file->nodes[joints->source[index]];
  const int32_t *channel = node->channel;
  sinew_node *out = &joints->nodes[index];
  joints->matrices[index] = -1;
  out->kind = SINEW_NODE_MATRIX;
  if (node->has_matrix) {
    memcpy(out->local, node->matrix, sizeof out->local);
    return;
  }
  joint_matrix(joint_constant(joints, node, KEYS_TRANSLATION), joint_constant(joints, node, KEYS_ROTATION),
               joint_constant(joints, node, KEYS_SCALE), out->local);
  if (is_turned(joints, node)) {
    out->kind = joints->file->channels[channel[KEYS_ROTATION]].values.shorts ? SINEW_NODE_TURNED16
                                                                             : SINEW_NODE_TURNED;
    joints->channels[channel[KEYS_ROTATION]].by_kernel = true;
    want_planes(joints, channel[KEYS_TRANSLATION]);
    return;
  }
  bool moves = false;
  for (int path = 0; path < KEYS_PATH_COUNT; path++) {
    want_planes(joints, channel[path]);
    moves = moves || joint_varies(joints, channel[path]);
  }
  if (moves) joints->matrices[index] = (int32_t)joints->matrices_count++;
}

/* The nodes asked for and those above them, parents first. */
static sinew_result list_nodes(verify_joints *joints, const uint32_t *nodes, uint32_t node_count,
                               sinew_error *error) {
  const verify_file *file = joints->file;
  bool *wanted = arena_alloc(&joints->memory, file->node_count, sizeof *wanted);
  int32_t *index_of = arena_alloc(&joints->memory, file->node_count, sizeof *index_of);
  SINEW_CHECK(wanted && index_of, error, SINEW_ERROR_MEMORY, "out of memory for %u nodes", file->node_count);
  SINEW_TRY(mark_wanted(file, nodes, node_count, wanted, error));
  for (uint32_t i = 0; i < file->node_count; i++) {
    uint32_t node = file->order[i];
    if (!wanted[node]) continue;
    uint32_t index = joints->node_count++;
    int32_t parent = file->nodes[node].parent;
    joints->source[index] = node;
    index_of[node] = (int32_t)index;
    joints->nodes[index] = (sinew_node){.parent = parent < 0 ? -1 : index_of[parent], .is_leaf = 1};
    if (parent >= 0) joints->nodes[index_of[parent]].is_leaf = 0;
    classify(joints, index);
  }
  for (uint32_t i = 0; i < node_count; i++) joints->shown[i] = (uint32_t)index_of[nodes[i]];
  return SINEW_OK;
}

static sinew_result joints_build(verify_joints *joints, const uint32_t *nodes, uint32_t node_count,
                                 sinew_error *error) {
  const verify_file *file = joints->file;
  joints->channels = arena_alloc(&joints->memory, file->channel_count, sizeof *joints->channels);
  joints->nodes = arena_alloc(&joints->memory, file->node_count, sizeof *joints->nodes);
  joints->source = arena_alloc(&joints->memory, file->node_count, sizeof *joints->source);
  joints->shown = arena_alloc(&joints->memory, node_count, sizeof *joints->shown);
  joints->shown_count = node_count;
  joints->matrices = arena_alloc(&joints->memory, file->node_count, sizeof *joints->matrices);
  SINEW_CHECK(joints->channels && joints->nodes && joints->source && joints->matrices && joints->shown, error,
              SINEW_ERROR_MEMORY, "out of memory for %u nodes", file->node_count);
  joints->planes_count = 1;
  SINEW_TRY(read_constants(joints, error));
  SINEW_TRY(list_nodes(joints, nodes, node_count, error));
  size_t frames = run_bytes_budget / KEY_BYTES / (joints->row_count ? joints->row_count : 1);
  frames = frames / SINEW_BLOCK * SINEW_BLOCK;
  joints->run_frames = (uint32_t)(frames < SINEW_BLOCK  ? SINEW_BLOCK
                                  : frames > RUN_FRAMES ? RUN_FRAMES
                                                        : frames);
  /* rows a power of two apart would share few places of the caches */
  joints->row_bytes = (joints->run_frames + SINEW_BLOCK) * KEY_BYTES + 128;
  return SINEW_OK;
}

sinew_result verify_joints_open(const verify_file *file, const sinew_kernels *kernels, const uint32_t *nodes,
                                uint32_t node_count, verify_joints **joints, sinew_error *error) {
  *joints = NULL;
  verify_joints *opened = heap_alloc(1, sizeof *opened);
  SINEW_CHECK(opened, error, SINEW_ERROR_MEMORY, "out of memory");
  opened->file = file;
  opened->kernels = kernels;
  sinew_result result = joints_build(opened, nodes, node_count, error);
  if (result == SINEW_OK)
    *joints = opened;
  else
    verify_joints_close(opened);
  return result;
}

void verify_joints_close(verify_joints *joints) {
  if (!joints) return;
  arena_release(&joints->memory);
  heap_free(joints);
}
