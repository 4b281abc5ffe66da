/* Composing: local matrices from rest and sampled parts, multiplied down the hierarchy. Work goes in pieces
 * that fit a fixed budget, so that a file of any length is verified in bounded memory. */
#include "base/error.h"
#include "verify/key_reader.h"
#include "verify/pose_block.h"

#include <string.h>

static const size_t value_bytes_budget = 1 << 20;

static sinew_result block_open(const verify_file *file, uint32_t count, pose_block *block,
                               sinew_error *error) {
  size_t frame_bytes = (file->channel_count ? (size_t)file->channel_count : 1) * 4 * sizeof(double);
  size_t groups = value_bytes_budget / (frame_bytes * POSE_LANES),
         asked = ((size_t)count - 1) / POSE_LANES + 1;
  if (groups < 1) groups = 1;
  if (groups > asked) groups = asked;
  size_t capacity = groups * POSE_LANES;
  block->capacity = (uint32_t)capacity;
  block->times = arena_alloc(&block->memory, capacity, sizeof *block->times);
  block->piece = arena_alloc(&block->memory, capacity, 4 * sizeof(float));
  block->values = arena_alloc(&block->memory, capacity, frame_bytes);
  block->world = arena_alloc(&block->memory, file->node_count, sizeof *block->world);
  block->wanted = arena_alloc(&block->memory, file->node_count, sizeof *block->wanted);
  SINEW_CHECK(block->times && block->piece && block->values && block->world && block->wanted, error,
              SINEW_ERROR_MEMORY, "out of memory for a block of %zu frames", capacity);
  return SINEW_OK;
}

/* ---- keys --------------------------------------------------------------------------------------------- */

static sinew_result sample_channel(const verify_file *file, uint32_t index, uint64_t first, uint32_t count,
                                   const pose_block *block, sinew_error *error) {
  const document_channel *channel = &file->channels[index];
  key_planes planes = {block_values(block, index, 0), block->capacity};
  if (!keys_follow_clock(file, channel) || channel->times.count == 1)
    return keys_sample(file, channel, block->times, count, &planes, error);
  SINEW_TRY(keys_read_bytes(file, channel, first, count, block->piece, error));
  return keys_decode(channel, first, count, block->piece, &planes, error);
}

/* Times and values of frames first..first+count-1 of the clock; count is at most the block's capacity. */
static sinew_result block_sample(const verify_file *file, uint64_t first, uint32_t count, pose_block *block,
                                 sinew_error *error) {
  if (file->channel_count == 0) return SINEW_OK;
  SINEW_TRY(keys_read_clock(file, first, count, block->times, error));
  for (uint32_t i = 0; i < file->channel_count; i++)
    SINEW_TRY(sample_channel(file, i, first, count, block, error));
  return SINEW_OK;
}

/* ---- matrices ----------------------------------------------------------------------------------------- */

static void lanes_set(double *lanes, double value) {
  for (int i = 0; i < POSE_LANES; i++) lanes[i] = value;
}

static void lanes_mul(const lane_affine *restrict a, const lane_affine *restrict b,
                      lane_affine *restrict out) {
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++) {
      double *to = out->m[row][column];
      for (int i = 0; i < POSE_LANES; i++)
        to[i] = a->m[row][0][i] * b->m[0][column][i] + a->m[row][1][i] * b->m[1][column][i] +
                a->m[row][2][i] * b->m[2][column][i];
      if (column == 3)
        for (int i = 0; i < POSE_LANES; i++) to[i] += a->m[row][3][i];
    }
}

static void lanes_from_rotation(double q[4][POSE_LANES], lane_affine *out) {
  for (int i = 0; i < POSE_LANES; i++) {
    double x = q[0][i], y = q[1][i], z = q[2][i], w = q[3][i];
    out->m[0][0][i] = 1 - 2 * (y * y + z * z);
    out->m[0][1][i] = 2 * (x * y - z * w);
    out->m[0][2][i] = 2 * (x * z + y * w);
    out->m[1][0][i] = 2 * (x * y + z * w);
    out->m[1][1][i] = 1 - 2 * (x * x + z * z);
    out->m[1][2][i] = 2 * (y * z - x * w);
    out->m[2][0][i] = 2 * (x * z - y * w);
    out->m[2][1][i] = 2 * (y * z + x * w);
    out->m[2][2][i] = 1 - 2 * (x * x + y * y);
  }
}

/* A part of a node's local transform over POSE_LANES frames from `frame` on: its channel's values, or its
 * rest. */
static void lanes_of_part(const document_node *node, keys_path path, const pose_block *block, uint32_t frame,
                          double part[4][POSE_LANES]) {
  int32_t channel = node->channel[path];
  for (uint32_t k = 0; k < 4; k++) {
    if (channel < 0)
      lanes_set(part[k], node->rest[path][k]);
    else
      memcpy(part[k], block_values(block, (uint32_t)channel, k) + frame, sizeof part[k]);
  }
}

/* glTF's T * R * S, or the node's matrix. */
static void lanes_of_node(const document_node *node, const pose_block *block, uint32_t frame,
                          lane_affine *local) {
  if (node->has_matrix) {
    for (int row = 0; row < 3; row++)
      for (int column = 0; column < 4; column++) lanes_set(local->m[row][column], node->matrix[row][column]);
    return;
  }
  double t[4][POSE_LANES], q[4][POSE_LANES], s[4][POSE_LANES];
  lanes_of_part(node, KEYS_TRANSLATION, block, frame, t);
  lanes_of_part(node, KEYS_ROTATION, block, frame, q);
  lanes_of_part(node, KEYS_SCALE, block, frame, s);
  lanes_from_rotation(q, local);
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 3; column++)
      for (int i = 0; i < POSE_LANES; i++) local->m[row][column][i] *= s[column][i];
    memcpy(local->m[row][3], t[row], sizeof t[row]);
  }
}

/* ---- hierarchy ---------------------------------------------------------------------------------------- */

static void compose_lanes(const verify_file *file, const pose_block *block, uint32_t frame) {
  for (uint32_t i = 0; i < file->node_count; i++) {
    uint32_t index = file->order[i];
    const document_node *node = &file->nodes[index];
    if (!block->wanted[index]) continue;
    if (node->parent < 0) {
      lanes_of_node(node, block, frame, &block->world[index]);
    } else {
      lane_affine local;
      lanes_of_node(node, block, frame, &local);
      lanes_mul(&block->world[node->parent], &local, &block->world[index]);
    }
  }
}

sinew_result mark_wanted(const verify_file *file, const uint32_t *nodes, uint32_t node_count,
                                bool *wanted, sinew_error *error) {
  for (uint32_t i = 0; i < node_count; i++) {
    SINEW_CHECK(nodes[i] < file->node_count, error, SINEW_ERROR_VERIFY, "node %u is missing, the file has %u",
                nodes[i], file->node_count);
    SINEW_CHECK(file->nodes[nodes[i]].in_scene, error, SINEW_ERROR_VERIFY, "node %u is not in the scene",
                nodes[i]);
    for (int32_t n = (int32_t)nodes[i]; n >= 0 && !wanted[n]; n = file->nodes[n].parent) wanted[n] = true;
  }
  return SINEW_OK;
}

/* The places of `nodes` at POSE_LANES frames, of which `count` are kept. */
static void store_positions(const pose_block *block, const uint32_t *nodes, uint32_t node_count,
                            uint32_t count, double *positions) {
  for (uint32_t i = 0; i < node_count; i++)
    for (uint32_t lane = 0; lane < count; lane++)
      for (int axis = 0; axis < 3; axis++)
        positions[((size_t)lane * node_count + i) * 3 + (size_t)axis] =
            block->world[nodes[i]].m[axis][3][lane];
}

static sinew_result read_positions(const verify_file *file, const uint32_t *nodes, uint32_t node_count,
                                   uint64_t first, uint32_t count, pose_block *block, double *positions,
                                   sinew_error *error) {
  SINEW_TRY(mark_wanted(file, nodes, node_count, block->wanted, error));
  for (uint32_t done = 0; done < count;) {
    uint32_t step = count - done < block->capacity ? count - done : block->capacity;
    SINEW_TRY(block_sample(file, first + done, step, block, error));
    for (uint32_t frame = 0; frame < step; frame += POSE_LANES) {
      compose_lanes(file, block, frame);
      store_positions(block, nodes, node_count, step - frame < POSE_LANES ? step - frame : POSE_LANES,
                      positions + ((size_t)done + frame) * node_count * 3);
    }
    done += step;
  }
  return SINEW_OK;
}

sinew_result check_frames(const verify_file *file, uint64_t first, uint32_t count,
                                 sinew_error *error) {
  SINEW_CHECK(!file->channel_count || (first < file->clock.count && count <= file->clock.count - first),
              error, SINEW_ERROR_VERIFY, "the file has %llu frames, %llu are asked for",
              (unsigned long long)file->clock.count, (unsigned long long)first + count);
  return SINEW_OK;
}

sinew_result verify_positions(const verify_file *file, const uint32_t *nodes, uint32_t node_count,
                              uint64_t first, uint32_t count, double *positions, sinew_error *error) {
  if (count == 0) return SINEW_OK;
  SINEW_TRY(check_frames(file, first, count, error));
  pose_block block = {0};
  sinew_result result = block_open(file, count, &block, error);
  if (result == SINEW_OK)
    result = read_positions(file, nodes, node_count, first, count, &block, positions, error);
  arena_release(&block.memory);
  return result;
}

static sinew_result read_matrices(const verify_file *file, const uint32_t *nodes, uint32_t node_count,
                                  uint64_t frame, pose_block *block, double (*matrices)[3][4],
                                  sinew_error *error) {
  SINEW_TRY(mark_wanted(file, nodes, node_count, block->wanted, error));
  SINEW_TRY(block_sample(file, frame, 1, block, error));
  compose_lanes(file, block, 0);
  for (uint32_t i = 0; i < node_count; i++)
    for (int row = 0; row < 3; row++)
      for (int column = 0; column < 4; column++)
        matrices[i][row][column] = block->world[nodes[i]].m[row][column][0];
  return SINEW_OK;
}

sinew_result pose_matrices(const verify_file *file, const uint32_t *nodes, uint32_t node_count,
                           uint64_t frame, double (*matrices)[3][4], sinew_error *error) {
  SINEW_TRY(check_frames(file, frame, 1, error));
  pose_block block = {0};
  sinew_result result = block_open(file, 1, &block, error);
  if (result == SINEW_OK) result = read_matrices(file, nodes, node_count, frame, &block, matrices, error);
  arena_release(&block.memory);
  return result;
}
