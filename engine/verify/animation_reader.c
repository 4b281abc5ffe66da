/* The first animation: channels, samplers and the accessors behind them, each checked against the BIN chunk.
 */
#include "base/checked.h"
#include "base/error.h"
#include "verify/glb_document.h"
#include "verify/json_field.h"

#include <math.h>
#include <string.h>

enum { COMPONENT_FLOAT = 5126 };

static const char *const path_name[KEYS_PATH_COUNT] = {"translation", "rotation", "scale"};
static const uint32_t path_components[KEYS_PATH_COUNT] = {3, 4, 3};

/* ---- accessors ---------------------------------------------------------------------------------------- */

static sinew_result read_view(const verify_file *file, const json_t *root, uint64_t index, uint64_t *offset,
                              uint64_t *byte_count, sinew_error *error) {
  json_place view, buffer;
  SINEW_TRY(field_element(root, "bufferViews", "bufferView", index, &view, error));
  SINEW_TRY(field_absent(view, "byteStride", "must not stand on animation data", error));
  SINEW_TRY(field_absent(view, "target", "must not stand on animation data", error));
  uint64_t buffer_index, buffer_bytes;
  SINEW_TRY(field_index(view, "buffer", 1, &buffer_index, error));
  SINEW_TRY(field_element(root, "buffers", "buffer", 0, &buffer, error));
  SINEW_TRY(field_absent(buffer, "uri", "must not stand on a GLB's own buffer", error));
  SINEW_TRY(field_index(buffer, "byteLength", UINT64_MAX, &buffer_bytes, error));
  SINEW_CHECK(buffer_bytes <= file->bin_byte_count, error, SINEW_ERROR_VERIFY,
              "buffer 0 has %llu bytes, the BIN chunk only %llu", (unsigned long long)buffer_bytes,
              (unsigned long long)file->bin_byte_count);
  SINEW_CHECK(file->bin_byte_count - buffer_bytes < 4, error, SINEW_ERROR_VERIFY,
              "the BIN chunk has %llu bytes, buffer 0 only %llu", (unsigned long long)file->bin_byte_count,
              (unsigned long long)buffer_bytes);
  SINEW_TRY(field_size(view, "byteOffset", 0, offset, error));
  SINEW_TRY(field_index(view, "byteLength", UINT64_MAX, byte_count, error));
  SINEW_CHECK(*offset <= buffer_bytes && *byte_count <= buffer_bytes - *offset, error, SINEW_ERROR_VERIFY,
              "bufferView %zu does not fit into its buffer", view.index);
  return SINEW_OK;
}

static sinew_result read_component_count(json_place place, uint32_t *count, sinew_error *error) {
  const char *type;
  SINEW_TRY(field_text(place, "type", &type, error));
  *count = !type                     ? 0
           : !strcmp(type, "SCALAR") ? 1
           : !strcmp(type, "VEC3")   ? 3
           : !strcmp(type, "VEC4")   ? 4
                                     : 0;
  SINEW_CHECK(*count, error, SINEW_ERROR_VERIFY, "accessor %zu: type is none that an animation uses",
              place.index);
  uint64_t component;
  SINEW_TRY(field_index(place, "componentType", UINT64_MAX, &component, error));
  SINEW_CHECK(component == COMPONENT_FLOAT, error, SINEW_ERROR_VERIFY,
              "accessor %zu: componentType is %llu, expected %d", place.index, (unsigned long long)component,
              COMPONENT_FLOAT);
  SINEW_CHECK(!json_is_true(json_object_get(place.object, "normalized")), error, SINEW_ERROR_VERIFY,
              "accessor %zu: floats cannot be normalized", place.index);
  return SINEW_OK;
}

static sinew_result read_accessor(const verify_file *file, const json_t *root, uint64_t index,
                                  document_keys *keys, json_place *place, sinew_error *error) {
  SINEW_TRY(field_element(root, "accessors", "accessor", index, place, error));
  SINEW_TRY(field_absent(*place, "sparse", "is not expected on animation data", error));
  SINEW_TRY(read_component_count(*place, &keys->component_count, error));
  uint64_t view, offset, view_offset, view_bytes;
  SINEW_TRY(field_index(*place, "count", UINT64_MAX, &keys->count, error));
  SINEW_CHECK(keys->count, error, SINEW_ERROR_VERIFY, "accessor %zu: count is 0", place->index);
  SINEW_TRY(field_index(*place, "bufferView", UINT64_MAX, &view, error));
  SINEW_TRY(field_size(*place, "byteOffset", 0, &offset, error));
  SINEW_TRY(read_view(file, root, view, &view_offset, &view_bytes, error));
  SINEW_CHECK(offset % sizeof(float) == 0 && view_offset % sizeof(float) == 0, error, SINEW_ERROR_VERIFY,
              "accessor %zu starts between two floats", place->index);
  size_t bytes;
  bool fits = checked_mul(keys->count, keys->component_count * sizeof(float), &bytes) &&
              offset <= view_bytes && bytes <= view_bytes - offset;
  SINEW_CHECK(fits, error, SINEW_ERROR_VERIFY, "accessor %zu does not fit into its bufferView", place->index);
  keys->accessor = (uint32_t)place->index;
  keys->offset = file->bin_offset + view_offset + offset;
  return SINEW_OK;
}

static sinew_result check_bound(const verify_file *file, json_place place, const char *key, uint64_t offset,
                                sinew_error *error) {
  double stated;
  bool present;
  float stored;
  SINEW_TRY(field_numbers(place, key, 1, &stated, &present, error));
  SINEW_CHECK(present, error, SINEW_ERROR_VERIFY, "accessor %zu: %s is missing on times", place.index, key);
  SINEW_TRY(document_read_bytes(file, &stored, sizeof stored, offset, error));
  SINEW_CHECK(isfinite(stored) && stored >= 0 && stored == (float)stated, error, SINEW_ERROR_VERIFY,
              "accessor %zu: %s is %.9g, the stored time %.9g", place.index, key, stated, (double)stored);
  return SINEW_OK;
}

/* Times ascend from 0 or later, so the bounds are the first and the last. That they ascend is checked where
 * they are read. */
static sinew_result read_times(const verify_file *file, const json_t *root, uint64_t index,
                               document_keys *keys, sinew_error *error) {
  json_place place;
  SINEW_TRY(read_accessor(file, root, index, keys, &place, error));
  SINEW_CHECK(keys->component_count == 1, error, SINEW_ERROR_VERIFY, "accessor %zu: times are no SCALAR",
              place.index);
  SINEW_TRY(check_bound(file, place, "min", keys->offset, error));
  return check_bound(file, place, "max", keys->offset + (keys->count - 1) * sizeof(float), error);
}

/* ---- channels ----------------------------------------------------------------------------------------- */

static sinew_result read_sampler(const verify_file *file, const json_t *root, const json_t *animation,
                                 uint64_t index, document_channel *channel, sinew_error *error) {
  json_place sampler, values;
  uint64_t input, output;
  const char *way;
  SINEW_TRY(field_element(animation, "samplers", "sampler", index, &sampler, error));
  SINEW_TRY(field_text(sampler, "interpolation", &way, error));
  channel->step = way && strcmp(way, "STEP") == 0;
  SINEW_CHECK(!way || channel->step || strcmp(way, "LINEAR") == 0, error, SINEW_ERROR_VERIFY,
              "sampler %zu: interpolation is neither LINEAR nor STEP", sampler.index);
  SINEW_TRY(field_index(sampler, "input", UINT32_MAX, &input, error));
  SINEW_TRY(field_index(sampler, "output", UINT32_MAX, &output, error));
  SINEW_TRY(read_times(file, root, input, &channel->times, error));
  SINEW_TRY(read_accessor(file, root, output, &channel->values, &values, error));
  SINEW_CHECK(channel->values.count == channel->times.count, error, SINEW_ERROR_VERIFY,
              "sampler %zu has %llu times for %llu values", sampler.index,
              (unsigned long long)channel->times.count, (unsigned long long)channel->values.count);
  SINEW_CHECK(channel->values.component_count == path_components[channel->path], error, SINEW_ERROR_VERIFY,
              "accessor %zu: the type does not suit a %s", values.index, path_name[channel->path]);
  return SINEW_OK;
}

static sinew_result read_target(const verify_file *file, json_place place, document_channel *channel,
                                sinew_error *error) {
  json_place target;
  uint64_t node;
  const char *path;
  SINEW_TRY(field_object(place, "target", &target, error));
  SINEW_TRY(field_index(target, "node", file->node_count, &node, error));
  SINEW_TRY(field_text(target, "path", &path, error));
  channel->node = (uint32_t)node;
  for (channel->path = 0; channel->path < KEYS_PATH_COUNT; channel->path++)
    if (path && strcmp(path, path_name[channel->path]) == 0) return SINEW_OK;
  return error_set(error, SINEW_ERROR_VERIFY, "channel %zu: path is none that moves a joint", place.index);
}

static sinew_result read_channel(verify_file *file, const json_t *root, const json_t *animation,
                                 uint32_t index, sinew_error *error) {
  document_channel *channel = &file->channels[index];
  json_place place;
  uint64_t sampler;
  SINEW_TRY(field_element(animation, "channels", "channel", index, &place, error));
  SINEW_TRY(read_target(file, place, channel, error));
  document_node *node = &file->nodes[channel->node];
  SINEW_CHECK(!node->has_matrix, error, SINEW_ERROR_VERIFY, "channel %u moves node %u, which has a matrix",
              index, channel->node);
  SINEW_CHECK(node->channel[channel->path] < 0, error, SINEW_ERROR_VERIFY,
              "channels %d and %u both set the %s of node %u", node->channel[channel->path], index,
              path_name[channel->path], channel->node);
  node->channel[channel->path] = (int32_t)index;
  SINEW_TRY(field_index(place, "sampler", UINT64_MAX, &sampler, error));
  SINEW_TRY(read_sampler(file, root, animation, sampler, channel, error));
  if (channel->times.count > file->clock.count) file->clock = channel->times;
  return SINEW_OK;
}

sinew_result document_read_animation(verify_file *file, const json_t *root, sinew_error *error) {
  if (!json_object_get(root, "animations")) return SINEW_OK;
  json_place animation;
  SINEW_TRY(field_element(root, "animations", "animation", 0, &animation, error));
  const json_t *channels = json_object_get(animation.object, "channels");
  SINEW_CHECK(json_is_array(channels) && json_array_size(channels) > 0 &&
                  json_array_size(channels) < INT32_MAX,
              error, SINEW_ERROR_VERIFY, "animation 0 has no channels");
  file->channel_count = (uint32_t)json_array_size(channels);
  file->channels = arena_alloc(&file->memory, file->channel_count, sizeof *file->channels);
  SINEW_CHECK(file->channels, error, SINEW_ERROR_MEMORY, "out of memory for %u channels",
              file->channel_count);
  for (uint32_t i = 0; i < file->channel_count; i++)
    SINEW_TRY(read_channel(file, root, animation.object, i, error));
  return SINEW_OK;
}
