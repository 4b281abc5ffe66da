/* Animations: every channel with its sampler, its keys and whether they stand still. */
#include "base/error.h"
#include "inspect/gltf.h"
#include "verify/json_field.h"

#include <math.h>
#include <string.h>

enum { PATH_TRANSLATION, PATH_ROTATION, PATH_SCALE, PATH_WEIGHTS, PATH_COUNT };
static const char *const path_names[PATH_COUNT] = {"translation", "rotation", "scale", "weights"};
static const char *const ways[] = {"LINEAR", "STEP", "CUBICSPLINE"};

typedef struct sampler {
  uint32_t input, output;
  const char *interpolation;
  bool cubic;
} sampler;

/* ---- samplers ----------------------------------------------------------------------------------------- */

static sinew_result read_sampler(gltf_reading *reading, json_place animation, uint32_t index, sampler *out,
                                 sinew_error *error) {
  json_place place;
  uint64_t input, output;
  const char *way;
  SINEW_TRY(field_element(animation.object, "samplers", "sampler", index, &place, error));
  SINEW_TRY(field_text(place, "interpolation", &way, error));
  out->interpolation = way ? NULL : ways[0];
  for (size_t i = 0; way && i < sizeof ways / sizeof *ways; i++)
    if (strcmp(way, ways[i]) == 0) out->interpolation = ways[i];
  SINEW_CHECK(out->interpolation, error, SINEW_ERROR_VERIFY,
              "animation %zu, sampler %u: interpolation is none of the three", animation.index, index);
  out->cubic = out->interpolation == ways[2];
  SINEW_TRY(field_index(place, "input", reading->accessor_count, &input, error));
  SINEW_TRY(field_index(place, "output", reading->accessor_count, &output, error));
  out->input = (uint32_t)input;
  out->output = (uint32_t)output;
  gltf_accessor *times = &reading->accessors[input];
  SINEW_CHECK(times->component_count == 1 && times->component_type == 5126, error, SINEW_ERROR_VERIFY,
              "accessor %u: times are no SCALAR of floats", out->input);
  SINEW_CHECK(!out->cubic || times->count >= 2, error, SINEW_ERROR_VERIFY,
              "animation %zu, sampler %u: CUBICSPLINE wants 2 keys or more", animation.index, index);
  times->use |= GLTF_USE_ANIMATION;
  reading->accessors[output].use |= GLTF_USE_ANIMATION;
  return SINEW_OK;
}

/* ---- channels ----------------------------------------------------------------------------------------- */

typedef struct channel_reading {
  json_place animation;
  sinew_glb_channel *out;
  uint32_t index;
  int path;       /* PATH_COUNT: none that the format itself has */
  uint32_t *seen; /* [node][path]: the last animation that moves it, from 1 */
} channel_reading;

static sinew_result read_target(gltf_reading *reading, json_place place, channel_reading *channel,
                                sinew_error *error) {
  json_place target;
  const char *path;
  uint64_t node;
  SINEW_TRY(field_object(place, "target", &target, error));
  SINEW_TRY(field_text(target, "path", &path, error));
  SINEW_CHECK(path, error, SINEW_ERROR_VERIFY, "channel %u: path is missing", channel->index);
  channel->path = 0;
  while (channel->path < PATH_COUNT && strcmp(path, path_names[channel->path]) != 0) channel->path++;
  if (channel->path < PATH_COUNT)
    channel->out->path = path_names[channel->path];
  else
    SINEW_TRY(gltf_text(reading, path, &channel->out->path, error));
  channel->out->node = -1;
  if (!json_object_get(target.object, "node")) return SINEW_OK;
  SINEW_TRY(field_index(target, "node", reading->glb->info.node_count, &node, error));
  channel->out->node = (int32_t)node;
  channel->out->node_name = reading->glb->nodes[node].name;
  if (channel->path == PATH_COUNT) return SINEW_OK;
  uint32_t *seen = &channel->seen[node * PATH_COUNT + (uint32_t)channel->path];
  SINEW_CHECK(*seen != channel->animation.index + 1, error, SINEW_ERROR_VERIFY,
              "animation %zu has two channels for the %s of node %llu", channel->animation.index,
              channel->out->path, (unsigned long long)node);
  *seen = (uint32_t)channel->animation.index + 1;
  return SINEW_OK;
}

static sinew_result check_type(const gltf_accessor *values, const channel_reading *channel, uint32_t accessor,
                               sinew_error *error) {
  static const uint32_t components[PATH_COUNT] = {3, 4, 3, 1};
  if (channel->path == PATH_COUNT) return SINEW_OK;
  const bool integers = channel->path == PATH_ROTATION || channel->path == PATH_WEIGHTS;
  SINEW_CHECK(values->component_count == components[channel->path] &&
                  (values->component_type == 5126 || (integers && values->normalized)),
              error, SINEW_ERROR_VERIFY, "accessor %u: the type does not suit a %s", accessor,
              channel->out->path);
  return SINEW_OK;
}

/* The number of elements of one key: of a weights channel that of the mesh's morph targets. */
static sinew_result find_per_key(const gltf_reading *reading, const channel_reading *channel,
                                 const sampler *from, uint32_t *per_key, sinew_error *error) {
  const uint64_t values = reading->accessors[from->output].count;
  const uint64_t times = reading->accessors[from->input].count * (from->cubic ? 3 : 1);
  const bool single = channel->path < PATH_WEIGHTS;
  const bool even = values % times == 0 && values >= times && values / times < UINT32_MAX;
  SINEW_CHECK(single ? values == times : even, error, SINEW_ERROR_VERIFY,
              "animation %zu, channel %u: %llu values for %llu times (%s)", channel->animation.index,
              channel->index, (unsigned long long)values,
              (unsigned long long)reading->accessors[from->input].count, from->interpolation);
  *per_key = (uint32_t)(values / times);
  if (channel->path != PATH_WEIGHTS || channel->out->node < 0) return SINEW_OK;
  const int32_t mesh = reading->glb->nodes[channel->out->node].mesh;
  const uint32_t targets = mesh < 0 ? 0 : reading->glb->meshes[mesh].morph_target_count;
  SINEW_CHECK(*per_key == targets, error, SINEW_ERROR_VERIFY,
              "animation %zu, channel %u: %u weights a key for %u morph targets", channel->animation.index,
              channel->index, *per_key, targets);
  return SINEW_OK;
}

static const char *component_name(uint32_t type) {
  static const char *const names[] = {"int8", "uint8", "int16", "uint16", NULL, "uint32", "float32"};
  return names[type - 5120];
}

static sinew_result read_channel(gltf_reading *reading, channel_reading *channel, const sampler *samplers,
                                 uint32_t sampler_count, const sampler **used, sinew_error *error) {
  sinew_glb_channel *out = channel->out;
  json_place place;
  uint64_t index;
  uint32_t per_key = 1;
  SINEW_TRY(field_element(channel->animation.object, "channels", "channel", channel->index, &place, error));
  SINEW_TRY(field_index(place, "sampler", sampler_count, &index, error));
  const sampler *from = *used = &samplers[index];
  const gltf_accessor *values = &reading->accessors[from->output];
  SINEW_TRY(read_target(reading, place, channel, error));
  SINEW_TRY(check_type(values, channel, from->output, error));
  SINEW_TRY(find_per_key(reading, channel, from, &per_key, error));
  out->component = component_name(values->component_type);
  out->normalized = values->normalized;
  out->interpolation = from->interpolation;
  out->key_count = reading->accessors[from->input].count;
  SINEW_TRY(gltf_check_times(reading, from->input, &out->start_s, &out->stop_s, error));
  return gltf_check_values(reading, from->output, per_key, from->cubic, channel->path == PATH_ROTATION,
                           &out->constant, error);
}

/* ---- one animation ------------------------------------------------------------------------------------ */

static void add_channel(sinew_glb_animation *info, const sinew_glb_channel *channel, bool first) {
  info->key_count += channel->key_count;
  info->constant_tracks += channel->constant;
  /* NaN times have been warned of; they move no end */
  info->start_s = first ? channel->start_s : fmin(info->start_s, channel->start_s);
  info->stop_s = first ? channel->stop_s : fmax(info->stop_s, channel->stop_s);
}

static sinew_result read_animation(gltf_reading *reading, uint32_t index, uint32_t *seen,
                                   sinew_error *error) {
  gltf_animation *out = &reading->glb->animations[index];
  json_place place;
  const char *name;
  uint32_t sampler_count;
  sampler *samplers;
  SINEW_TRY(field_element(reading->root, "animations", "animation", index, &place, error));
  SINEW_TRY(field_text(place, "name", &name, error));
  SINEW_TRY(gltf_text(reading, name, &out->info.name, error));
  SINEW_TRY(gltf_list_size(place.object, "samplers", &sampler_count, error));
  SINEW_TRY(gltf_list_size(place.object, "channels", &out->info.channel_count, error));
  SINEW_CHECK(out->info.channel_count, error, SINEW_ERROR_VERIFY, "animation %u has no channels", index);
  SINEW_TRY(gltf_items(&reading->scratch, sampler_count, sizeof *samplers, &samplers, error));
  SINEW_TRY(gltf_items(&reading->glb->memory, out->info.channel_count, sizeof *out->channels, &out->channels,
                       error));
  for (uint32_t i = 0; i < sampler_count; i++)
    SINEW_TRY(read_sampler(reading, place, i, &samplers[i], error));
  for (uint32_t i = 0; i < out->info.channel_count; i++) {
    gltf_channel *to = &out->channels[i];
    channel_reading channel = {place, &to->info, i, PATH_COUNT, seen};
    const sampler *from;
    SINEW_TRY(read_channel(reading, &channel, samplers, sampler_count, &from, error));
    to->input = from->input;
    to->output = from->output;
    add_channel(&out->info, &to->info, i == 0);
  }
  return SINEW_OK;
}

sinew_result gltf_read_animations(gltf_reading *reading, sinew_error *error) {
  sinew_glb *glb = reading->glb;
  uint32_t *seen;
  SINEW_TRY(gltf_list_size(reading->root, "animations", &glb->info.animation_count, error));
  SINEW_TRY(
      gltf_items(&glb->memory, glb->info.animation_count, sizeof *glb->animations, &glb->animations, error));
  SINEW_TRY(
      gltf_items(&reading->scratch, (size_t)glb->info.node_count * PATH_COUNT, sizeof *seen, &seen, error));
  for (uint32_t i = 0; i < glb->info.animation_count; i++) SINEW_TRY(read_animation(reading, i, seen, error));
  return SINEW_OK;
}
