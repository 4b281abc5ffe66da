/* Sampling and composing. Keys are read in pieces that fit a fixed budget, so that a file of any length is
 * verified in bounded memory. */
#include "base/error.h"
#include "verify/glb_document.h"

#include <math.h>
#include <string.h>

static const size_t value_bytes_budget = 1 << 20;

typedef struct pose_block {
  arena memory;
  uint32_t capacity; /* frames */
  float *times;      /* of the block's frames */
  float *piece;      /* one channel's keys as they lie in the file */
  double *values;    /* [channel][frame][4] */
  affine *world;     /* [node], of one frame */
  bool *wanted;      /* [node]: asked for, or above one that is */
} pose_block;

static sinew_result block_open(const verify_file *file, uint32_t count, pose_block *block,
                               sinew_error *error) {
  size_t frame_bytes = (file->channel_count ? (size_t)file->channel_count : 1) * 4 * sizeof(double);
  size_t capacity = value_bytes_budget / frame_bytes;
  if (capacity < 1) capacity = 1;
  if (capacity > count) capacity = count;
  block->capacity = (uint32_t)capacity;
  block->times = arena_alloc(&block->memory, capacity, sizeof *block->times);
  block->piece = arena_alloc(&block->memory, capacity, 4 * sizeof *block->piece);
  block->values = arena_alloc(&block->memory, capacity, frame_bytes);
  block->world = arena_alloc(&block->memory, file->node_count, sizeof *block->world);
  block->wanted = arena_alloc(&block->memory, file->node_count, sizeof *block->wanted);
  SINEW_CHECK(block->times && block->piece && block->values && block->world && block->wanted, error,
              SINEW_ERROR_MEMORY, "out of memory for a block of %zu frames", capacity);
  return SINEW_OK;
}

/* ---- keys --------------------------------------------------------------------------------------------- */

static sinew_result check_value(const document_channel *channel, uint64_t key, const float *value,
                                double out[4], sinew_error *error) {
  for (uint32_t i = 0; i < channel->values.component_count; i++) {
    SINEW_CHECK(isfinite(value[i]), error, SINEW_ERROR_VERIFY,
                "accessor %u: key %llu holds a number that is not finite", channel->values.accessor,
                (unsigned long long)key);
    out[i] = (double)value[i];
  }
  SINEW_CHECK(channel->path != KEYS_ROTATION || rotation_is_unit(out), error, SINEW_ERROR_VERIFY,
              "accessor %u: key %llu is a rotation that is not of unit length", channel->values.accessor,
              (unsigned long long)key);
  return SINEW_OK;
}

static sinew_result read_value(const verify_file *file, const document_channel *channel, uint64_t key,
                               double out[4], sinew_error *error) {
  float value[4];
  size_t bytes = channel->values.component_count * sizeof(float);
  SINEW_TRY(document_read_bytes(file, value, bytes, channel->values.offset + key * bytes, error));
  return check_value(channel, key, value, out, error);
}

static sinew_result read_time(const verify_file *file, const document_keys *times, uint64_t key,
                              double *time_s, sinew_error *error) {
  float stored;
  SINEW_TRY(document_read_bytes(file, &stored, sizeof stored, times->offset + key * sizeof stored, error));
  SINEW_CHECK(isfinite(stored), error, SINEW_ERROR_VERIFY, "accessor %u: time %llu is not finite",
              times->accessor, (unsigned long long)key);
  *time_s = (double)stored;
  return SINEW_OK;
}

static sinew_result not_ascending(const document_keys *times, uint64_t key, sinew_error *error) {
  return error_set(error, SINEW_ERROR_VERIFY, "accessor %u: time %llu does not come after the one before",
                   times->accessor, (unsigned long long)key);
}

/* The block's times, each above the one before, the last of the block before included. */
static sinew_result read_clock(const verify_file *file, uint64_t first, uint32_t count, pose_block *block,
                               sinew_error *error) {
  const document_keys *clock = &file->clock;
  double before = -1;
  if (first) SINEW_TRY(read_time(file, clock, first - 1, &before, error));
  SINEW_TRY(document_read_bytes(file, block->times, count * sizeof *block->times,
                                clock->offset + first * sizeof *block->times, error));
  for (uint32_t i = 0; i < count; i++) {
    if (!(isfinite(block->times[i]) && (double)block->times[i] > before))
      return not_ascending(clock, first + i, error);
    before = (double)block->times[i];
  }
  return SINEW_OK;
}

/* ---- sampling -------------------------------------------------------------------------------------------
 */

static void interpolate_line(const double *a, const double *b, double share, int count, double *out) {
  for (int i = 0; i < count; i++) out[i] = a[i] + (b[i] - a[i]) * share;
}

static void interpolate_rotation(const double a[4], const double b[4], double share, double out[4]) {
  double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  double sign = dot < 0 ? -1 : 1;
  double angle = acos(fmin(dot * sign, 1)), sine = sin(angle);
  double from = sine > 1e-9 ? sin((1 - share) * angle) / sine : 1 - share;
  double to = sine > 1e-9 ? sin(share * angle) / sine : share;
  for (int i = 0; i < 4; i++) out[i] = a[i] * from + b[i] * to * sign;
}

/* The last key at or before time_s, which lies after the first key's time and before the last's. */
static sinew_result find_key(const verify_file *file, const document_keys *times, double time_s,
                             uint64_t *key, sinew_error *error) {
  uint64_t low = 0, high = times->count - 1;
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    double middle_s;
    SINEW_TRY(read_time(file, times, middle, &middle_s, error));
    if (middle_s <= time_s)
      low = middle;
    else
      high = middle;
  }
  *key = low;
  return SINEW_OK;
}

/* A channel with times of its own, one frame at a time. */
static sinew_result sample_between(const verify_file *file, const document_channel *channel, double time_s,
                                   double out[4], sinew_error *error) {
  const document_keys *times = &channel->times;
  double first_s, last_s, from_s, to_s, from[4], to[4];
  SINEW_TRY(read_time(file, times, 0, &first_s, error));
  SINEW_TRY(read_time(file, times, times->count - 1, &last_s, error));
  if (time_s <= first_s) return read_value(file, channel, 0, out, error);
  if (time_s >= last_s) return read_value(file, channel, times->count - 1, out, error);
  uint64_t key;
  SINEW_TRY(find_key(file, times, time_s, &key, error));
  SINEW_TRY(read_time(file, times, key, &from_s, error));
  SINEW_TRY(read_time(file, times, key + 1, &to_s, error));
  if (!(from_s < to_s)) return not_ascending(times, key + 1, error);
  SINEW_TRY(read_value(file, channel, key, from, error));
  SINEW_TRY(read_value(file, channel, key + 1, to, error));
  double share = channel->step ? 0 : (time_s - from_s) / (to_s - from_s);
  if (channel->path == KEYS_ROTATION)
    interpolate_rotation(from, to, share, out);
  else
    interpolate_line(from, to, share, 3, out);
  return SINEW_OK;
}

/* At its own key times a channel needs no interpolation. */
static sinew_result sample_keys(const verify_file *file, const document_channel *channel, uint64_t first,
                                uint32_t count, float *piece, double *values, sinew_error *error) {
  uint32_t components = channel->values.component_count;
  size_t key_bytes = components * sizeof(float);
  SINEW_TRY(
      document_read_bytes(file, piece, count * key_bytes, channel->values.offset + first * key_bytes, error));
  for (uint32_t i = 0; i < count; i++)
    SINEW_TRY(check_value(channel, first + i, piece + (size_t)i * components, values + (size_t)i * 4, error));
  return SINEW_OK;
}

static sinew_result sample_channel(const verify_file *file, const document_channel *channel, uint64_t first,
                                   uint32_t count, const pose_block *block, double *values,
                                   sinew_error *error) {
  const document_keys *times = &channel->times;
  if (times->count == 1) {
    SINEW_TRY(read_value(file, channel, 0, values, error));
    for (uint32_t i = 1; i < count; i++) memcpy(values + (size_t)i * 4, values, 4 * sizeof *values);
    return SINEW_OK;
  }
  if (times->offset == file->clock.offset && times->count == file->clock.count)
    return sample_keys(file, channel, first, count, block->piece, values, error);
  for (uint32_t i = 0; i < count; i++)
    SINEW_TRY(sample_between(file, channel, (double)block->times[i], values + (size_t)i * 4, error));
  return SINEW_OK;
}

static sinew_result sample_block(const verify_file *file, uint64_t first, uint32_t count, pose_block *block,
                                 sinew_error *error) {
  if (file->channel_count == 0) return SINEW_OK;
  SINEW_TRY(read_clock(file, first, count, block, error));
  for (uint32_t c = 0; c < file->channel_count; c++)
    SINEW_TRY(sample_channel(file, &file->channels[c], first, count, block,
                             block->values + (size_t)c * block->capacity * 4, error));
  return SINEW_OK;
}

/* ---- composing ------------------------------------------------------------------------------------------
 */

static void affine_mul(const affine *a, const affine *b, affine *out) {
  for (int row = 0; row < 3; row++) {
    const double *r = a->m[row];
    for (int column = 0; column < 4; column++)
      out->m[row][column] = r[0] * b->m[0][column] + r[1] * b->m[1][column] + r[2] * b->m[2][column];
    out->m[row][3] += r[3];
  }
}

static void local_matrix(const document_node *node, const pose_block *block, uint32_t frame, affine *local) {
  const double *part[KEYS_PATH_COUNT];
  for (int path = 0; path < KEYS_PATH_COUNT; path++) {
    int32_t channel = node->channel[path];
    part[path] =
        channel < 0 ? node->rest[path] : block->values + ((size_t)channel * block->capacity + frame) * 4;
  }
  affine_from_parts(part[KEYS_TRANSLATION], part[KEYS_ROTATION], part[KEYS_SCALE], local);
}

static bool node_moves(const document_node *node) {
  return node->channel[KEYS_TRANSLATION] >= 0 || node->channel[KEYS_ROTATION] >= 0 ||
         node->channel[KEYS_SCALE] >= 0;
}

static void compose_frame(const verify_file *file, const pose_block *block, uint32_t frame) {
  for (uint32_t i = 0; i < file->node_count; i++) {
    uint32_t index = file->order[i];
    const document_node *node = &file->nodes[index];
    if (!block->wanted[index]) continue;
    affine moved;
    const affine *local = &node->rest_local;
    if (node_moves(node)) {
      local_matrix(node, block, frame, &moved);
      local = &moved;
    }
    if (node->parent < 0)
      block->world[index] = *local;
    else
      affine_mul(&block->world[node->parent], local, &block->world[index]);
  }
}

static sinew_result mark_wanted(const verify_file *file, const uint32_t *nodes, uint32_t node_count,
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

static sinew_result read_positions(const verify_file *file, const uint32_t *nodes, uint32_t node_count,
                                   uint64_t first, uint32_t count, pose_block *block, double *positions,
                                   sinew_error *error) {
  SINEW_TRY(mark_wanted(file, nodes, node_count, block->wanted, error));
  for (uint32_t done = 0; done < count;) {
    uint32_t step = count - done < block->capacity ? count - done : block->capacity;
    SINEW_TRY(sample_block(file, first + done, step, block, error));
    for (uint32_t frame = 0; frame < step; frame++) {
      compose_frame(file, block, frame);
      for (uint32_t i = 0; i < node_count; i++)
        for (int axis = 0; axis < 3; axis++) *positions++ = block->world[nodes[i]].m[axis][3];
    }
    done += step;
  }
  return SINEW_OK;
}

sinew_result verify_positions(const verify_file *file, const uint32_t *nodes, uint32_t node_count,
                              uint64_t first, uint32_t count, double *positions, sinew_error *error) {
  if (count == 0) return SINEW_OK;
  SINEW_CHECK(!file->channel_count || (first < file->clock.count && count <= file->clock.count - first),
              error, SINEW_ERROR_VERIFY, "the file has %llu frames, %llu are asked for",
              (unsigned long long)file->clock.count, (unsigned long long)first + count);
  pose_block block = {0};
  sinew_result result = block_open(file, count, &block, error);
  if (result == SINEW_OK)
    result = read_positions(file, nodes, node_count, first, count, &block, positions, error);
  arena_release(&block.memory);
  return result;
}
