/* The first animation: channels, samplers and the accessors behind them. */
#include "base/error.h"
#include "verify/accessor.h"

#include <math.h>
#include <string.h>

static const char *const path_name[KEYS_PATH_COUNT] = {"translation", "rotation", "scale"};
static const uint32_t path_components[KEYS_PATH_COUNT] = {3, 4, 3};

/* ---- keys --------------------------------------------------------------------------------------------- */

static document_keys keys_of(const document_accessor *accessor) {
  return (document_keys){.offset = accessor->offset,
                         .count = accessor->count,
                         .accessor = (uint32_t)accessor->place.index,
                         .component_count = accessor->component_count,
                         .key_bytes = accessor->stride_bytes,
                         .shorts = accessor->component == COMPONENT_SHORT};
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
  document_accessor times;
  SINEW_TRY(accessor_read(file, root, index, USE_ANIMATION, &times, error));
  SINEW_CHECK(times.component_count == 1, error, SINEW_ERROR_VERIFY, "accessor %zu: times are no SCALAR",
              times.place.index);
  SINEW_TRY(accessor_expect(&times, 1, COMPONENT_FLOAT, false, error));
  *keys = keys_of(&times);
  SINEW_TRY(check_bound(file, times.place, "min", keys->offset, error));
  return check_bound(file, times.place, "max", keys->offset + (keys->count - 1) * sizeof(float), error);
}

/* Rotations may be normalised int16, everything else is float. */
static sinew_result read_values(const verify_file *file, const json_t *root, uint64_t index,
                                document_channel *channel, sinew_error *error) {
  document_accessor values;
  SINEW_TRY(accessor_read(file, root, index, USE_ANIMATION, &values, error));
  uint32_t components = path_components[channel->path];
  SINEW_CHECK(values.component_count == components, error, SINEW_ERROR_VERIFY,
              "accessor %zu: the type does not suit a %s", values.place.index, path_name[channel->path]);
  bool shorts = channel->path == KEYS_ROTATION && values.component == COMPONENT_SHORT;
  SINEW_TRY(accessor_expect(&values, components, shorts ? COMPONENT_SHORT : COMPONENT_FLOAT, shorts, error));
  channel->values = keys_of(&values);
  return SINEW_OK;
}

/* ---- channels ----------------------------------------------------------------------------------------- */

static sinew_result read_sampler(const verify_file *file, const json_t *root, const json_t *animation,
                                 uint64_t index, document_channel *channel, sinew_error *error) {
  json_place sampler;
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
  SINEW_TRY(read_values(file, root, output, channel, error));
  SINEW_CHECK(channel->values.count == channel->times.count, error, SINEW_ERROR_VERIFY,
              "sampler %zu has %llu times for %llu values", sampler.index,
              (unsigned long long)channel->times.count, (unsigned long long)channel->values.count);
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
