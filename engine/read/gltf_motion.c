/* Animations: tracks of keys. */
#include "base/error.h"
#include "read/gltf_document.h"

#include <math.h>
#include <string.h>

static const double unit_tolerance = 0.00769; /* the format's validator's */
enum { PATH_COUNT = 3 };
static const char *const path_names[PATH_COUNT] = {"rotation", "translation", "scale"};

/* An animation while it is read. */
typedef struct animation {
  uint32_t index;
  doc_place place, samplers;
  uint32_t sampler_count;
  uint32_t no_node, other_path; /* channels left out */
  doc_place first_other;
} animation;

/* ---- keys --------------------------------------------------------------------------------------------- */

static sinew_result check_times(gltf_document *d, const doc_place *place, const doc_accessor *accessor,
                                const float *time_s) {
  for (uint64_t i = 0; i < accessor->count; i++) {
    if (!isfinite(time_s[i]))
      return doc_fail(d, SINEW_ERROR_SYNTAX, place, "key %llu is at a time that is not finite",
                      (unsigned long long)i);
    if (i == 0 && time_s[i] < 0)
      return doc_fail(d, SINEW_ERROR_SYNTAX, place, "key 0 is at %g s, expected 0 or later",
                      (double)time_s[i]);
    if (i > 0 && time_s[i] <= time_s[i - 1])
      return doc_fail(d, SINEW_ERROR_SYNTAX, place,
                      "key %llu is at %.9g s, not after the one before it at %.9g s", (unsigned long long)i,
                      (double)time_s[i], (double)time_s[i - 1]);
  }
  return SINEW_OK;
}

static void check_bounds(gltf_document *d, uint32_t index, uint64_t count, const float *time_s) {
  const doc_place list = doc_at_key(&d->root, "accessors"), place = doc_at_index(&list, index);
  const json_t *least = json_object_get(place.json, "min"), *most = json_object_get(place.json, "max");
  if (!least || !most) {
    d->missing_bounds++;
    return;
  }
  const json_t *first = json_array_get(least, 0), *last = json_array_get(most, 0);
  if (!json_is_number(first) || !json_is_number(last) || (float)json_number_value(first) != time_s[0] ||
      (float)json_number_value(last) != time_s[count - 1])
    d->wrong_bounds++;
}

static sinew_result open_times(gltf_document *d, const doc_place *sampler, motion_track *track) {
  const doc_place place = doc_at_key(sampler, "input");
  uint32_t index;
  doc_accessor *accessor;
  SINEW_TRY(doc_own_index(d, &place, d->accessor_count, "accessors", &index));
  SINEW_TRY(doc_accessor_shape(d, index, &accessor));
  if (accessor->component_count != 1 || accessor->component_type != COMPONENT_FLOAT)
    return doc_fail(d, SINEW_ERROR_SYNTAX, &place, "accessors[%u] is %s, expected SCALAR of float", index,
                    doc_accessor_text(accessor).text);
  if (accessor->count > d->source->limits.keys || accessor->count > UINT32_MAX / 3)
    return doc_fail(d, SINEW_ERROR_LIMIT, &place, "has %llu keys, the limit is %llu",
                    (unsigned long long)accessor->count, (unsigned long long)d->source->limits.keys);
  SINEW_TRY(doc_accessor_values(d, index, &track->time_s));
  if (!(accessor->checked & DOC_TIMES)) {
    SINEW_TRY(check_times(d, &place, accessor, track->time_s));
    check_bounds(d, index, accessor->count, track->time_s);
    accessor->checked |= DOC_TIMES;
  }
  track->key_count = (uint32_t)accessor->count;
  return SINEW_OK;
}

/* ---- values ------------------------------------------------------------------------------------------- */

static bool fits_path(const doc_accessor *accessor, motion_path path) {
  const bool floats = accessor->component_type == COMPONENT_FLOAT;
  if (path == MOTION_ROTATION) return strcmp(accessor->type, "VEC4") == 0 && (floats || accessor->normalized);
  return strcmp(accessor->type, "VEC3") == 0 && floats;
}

static sinew_result check_finite(gltf_document *d, const doc_place *place, const doc_accessor *accessor,
                                 const float *values) {
  const uint64_t count = accessor->count * accessor->component_count;
  for (uint64_t i = 0; i < count; i++)
    if (!isfinite(values[i]))
      return doc_fail(d, SINEW_ERROR_SYNTAX, place, "element %llu holds a number that is not finite",
                      (unsigned long long)(i / accessor->component_count));
  return SINEW_OK;
}

/* Tangents may have any length. */
static sinew_result check_rotations(gltf_document *d, const doc_place *place, const doc_accessor *accessor,
                                    const float *values, bool cubic) {
  for (uint64_t i = cubic; i < accessor->count; i += cubic ? 3 : 1) {
    const float *q = values + i * 4;
    double square = 0;
    for (int k = 0; k < 4; k++) square += (double)q[k] * (double)q[k];
    if (square == 0)
      return doc_fail(d, SINEW_ERROR_SYNTAX, place, "element %llu is the rotation 0 0 0 0",
                      (unsigned long long)i);
    d->bent_rotations += fabs(sqrt(square) - 1) > unit_tolerance;
  }
  return SINEW_OK;
}

static sinew_result check_values(gltf_document *d, const doc_place *place, doc_accessor *accessor,
                                 const motion_track *track) {
  const bool cubic = track->interpolation == MOTION_CUBIC;
  const uint32_t as = track->path != MOTION_ROTATION ? 0 : cubic ? DOC_CUBIC_ROTATIONS : DOC_ROTATIONS;
  if (!(accessor->checked & DOC_FINITE)) SINEW_TRY(check_finite(d, place, accessor, track->values));
  accessor->checked |= DOC_FINITE;
  if (as && !(accessor->checked & as)) SINEW_TRY(check_rotations(d, place, accessor, track->values, cubic));
  accessor->checked |= as;
  return SINEW_OK;
}

static sinew_result open_values(gltf_document *d, const doc_place *sampler, motion_track *track) {
  const doc_place place = doc_at_key(sampler, "output");
  const uint64_t count = (uint64_t)track->key_count * (track->interpolation == MOTION_CUBIC ? 3 : 1);
  uint32_t index;
  doc_accessor *accessor;
  SINEW_TRY(doc_own_index(d, &place, d->accessor_count, "accessors", &index));
  SINEW_TRY(doc_accessor_shape(d, index, &accessor));
  if (!fits_path(accessor, track->path))
    return doc_fail(d, SINEW_ERROR_SYNTAX, &place, "accessors[%u] is %s, expected %s for a %s", index,
                    doc_accessor_text(accessor).text,
                    track->path == MOTION_ROTATION ? "VEC4 of float or of normalised integers"
                                                   : "VEC3 of float",
                    path_names[track->path]);
  if (accessor->count != count)
    return doc_fail(d, SINEW_ERROR_SYNTAX, &place,
                    "accessors[%u] has %llu elements, expected %llu for %u key%s", index,
                    (unsigned long long)accessor->count, (unsigned long long)count, track->key_count,
                    track->key_count == 1 ? "" : "s");
  SINEW_TRY(doc_accessor_values(d, index, &track->values));
  return check_values(d, &place, accessor, track);
}

static sinew_result read_interpolation(const gltf_document *d, const doc_place *sampler,
                                       motion_interpolation *interpolation) {
  static const char *const names[] = {"STEP", "LINEAR", "CUBICSPLINE"};
  const doc_place place = doc_at_key(sampler, "interpolation");
  const char *name;
  *interpolation = MOTION_LINEAR;
  SINEW_TRY(doc_string(d, sampler, "interpolation", &name));
  if (!name) return SINEW_OK;
  for (int i = 0; i < 3; i++)
    if (strcmp(name, names[i]) == 0) {
      *interpolation = (motion_interpolation)i;
      return SINEW_OK;
    }
  return doc_fail(d, SINEW_ERROR_SYNTAX, &place, "is '%s', expected STEP, LINEAR or CUBICSPLINE",
                  doc_show(name).text);
}

static sinew_result read_sampler(gltf_document *d, const animation *a, uint32_t index, motion_track *track) {
  const doc_place sampler = doc_at_index(&a->samplers, index), input = doc_at_key(&sampler, "input");
  SINEW_TRY(doc_object(d, &sampler));
  SINEW_TRY(read_interpolation(d, &sampler, &track->interpolation));
  SINEW_TRY(open_times(d, &sampler, track));
  if (track->interpolation == MOTION_CUBIC && track->key_count < 2)
    return doc_fail(d, SINEW_ERROR_SYNTAX, &input, "has 1 key, CUBICSPLINE needs 2");
  d->counts.keys += track->key_count;
  if (d->counts.keys > d->source->limits.keys)
    return doc_fail(d, SINEW_ERROR_LIMIT, &input, "is one of tracks with more than %llu keys, the limit",
                    (unsigned long long)d->source->limits.keys);
  return open_values(d, &sampler, track);
}

/* ---- channels ----------------------------------------------------------------------------------------- */

/* *moves false: what the channel moves is no part of a skeleton, or named by an extension. */
static sinew_result read_target(gltf_document *d, animation *a, const doc_place *channel, motion_track *track,
                                bool *moves) {
  const doc_place target = doc_at_key(channel, "target"), path_place = doc_at_key(&target, "path");
  int32_t node, path = 0;
  const char *name;
  *moves = false;
  SINEW_TRY(doc_object(d, &target));
  SINEW_TRY(doc_string(d, &target, "path", &name));
  if (!name) return doc_fail(d, SINEW_ERROR_SYNTAX, &path_place, "is missing");
  SINEW_TRY(doc_index(d, &target, "node", d->file->skeleton->node_count, "nodes", &node));
  while (path < PATH_COUNT && strcmp(name, path_names[path]) != 0) path++;
  if (path == PATH_COUNT) {
    if (strcmp(name, "weights") == 0)
      d->weights++;
    else if (!a->other_path++)
      a->first_other = path_place;
    return SINEW_OK;
  }
  if (node < 0) {
    a->no_node++;
    return SINEW_OK;
  }
  uint32_t *stamp = &d->target_stamp[(size_t)node * PATH_COUNT + (size_t)path];
  if (*stamp == a->index + 1)
    return doc_fail(d, SINEW_ERROR_SYNTAX, &target, "the %s of node %d is moved by a channel before it",
                    path_names[path], node);
  *stamp = a->index + 1;
  track->node = d->node_of_source[node];
  track->path = (motion_path)path;
  *moves = true;
  return SINEW_OK;
}

static sinew_result read_channel(gltf_document *d, animation *a, const doc_place *channel, motion *out,
                                 motion_track *tracks) {
  const doc_place sampler_place = doc_at_key(channel, "sampler");
  motion_track *track = &tracks[out->track_count];
  uint32_t sampler;
  bool moves;
  SINEW_TRY(doc_object(d, channel));
  SINEW_TRY(doc_own_index(d, &sampler_place, a->sampler_count, "samplers here", &sampler));
  SINEW_TRY(read_target(d, a, channel, track, &moves));
  if (!moves) return SINEW_OK;
  SINEW_TRY(read_sampler(d, a, sampler, track));
  const double start_s = (double)track->time_s[0], stop_s = (double)track->time_s[track->key_count - 1];
  if (out->track_count == 0 || start_s < out->start_s) out->start_s = start_s;
  if (out->track_count == 0 || stop_s > out->stop_s) out->stop_s = stop_s;
  d->file->skeleton->nodes[track->node].is_joint = true;
  out->track_count++;
  return SINEW_OK;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static sinew_result warn_of_channels(const gltf_document *d, const animation *a) {
  if (a->no_node)
    DOC_WARN(d, "%s: %u channel%s without a node left out", a->place.path, a->no_node,
             a->no_node == 1 ? "" : "s");
  if (a->other_path)
    DOC_WARN(d, "%s is none of the format's: left out (%u such)", a->first_other.path, a->other_path);
  return SINEW_OK;
}

static sinew_result read_animation(gltf_document *d, animation *a, motion *out) {
  doc_place channels;
  uint32_t count;
  motion_track *tracks;
  SINEW_TRY(doc_object(d, &a->place));
  SINEW_TRY(doc_name(d, &a->place, "name", &d->file->memory, &out->name));
  SINEW_TRY(doc_list(d, &a->place, "samplers", UINT32_MAX, &a->samplers, &a->sampler_count));
  SINEW_TRY(doc_list(d, &a->place, "channels", d->source->limits.curves, &channels, &count));
  if (!count) return doc_fail(d, SINEW_ERROR_SYNTAX, &channels, channels.json ? "is empty" : "is missing");
  d->counts.tracks += count;
  if (d->counts.tracks > d->source->limits.curves)
    return doc_fail(d, SINEW_ERROR_LIMIT, &channels, "has channel %llu of the file, the limit is %u",
                    (unsigned long long)d->counts.tracks, d->source->limits.curves);
  SINEW_TRY(doc_items(d, &d->file->memory, count, sizeof *tracks, &tracks));
  out->tracks = tracks;
  for (uint32_t i = 0; i < count; i++) {
    const doc_place channel = doc_at_index(&channels, i);
    SINEW_TRY(read_channel(d, a, &channel, out, tracks));
  }
  return warn_of_channels(d, a);
}

static sinew_result warn_of_keys(const gltf_document *d) {
  if (d->weights)
    DOC_WARN(d, "%u channel%s of morph targets' weights left out: bones alone are read", d->weights,
             d->weights == 1 ? "" : "s");
  if (d->bent_rotations)
    DOC_WARN(d, "%u key%s of rotations ha%s a length that is not 1", d->bent_rotations,
             d->bent_rotations == 1 ? "" : "s", d->bent_rotations == 1 ? "s" : "ve");
  if (d->missing_bounds)
    DOC_WARN(d, "%u list%s of times without min and max", d->missing_bounds,
             d->missing_bounds == 1 ? "" : "s");
  if (d->wrong_bounds)
    DOC_WARN(d, "%u list%s of times with other min and max than the keys have", d->wrong_bounds,
             d->wrong_bounds == 1 ? "" : "s");
  return SINEW_OK;
}

sinew_result doc_read_motions(gltf_document *d) {
  motion_file *file = d->file;
  doc_place list;
  uint32_t count;
  SINEW_TRY(doc_list(d, &d->root, "animations", d->source->limits.clips, &list, &count));
  SINEW_TRY(doc_items(d, &file->memory, count, sizeof *file->motions, &file->motions));
  SINEW_TRY(doc_items(d, &d->scratch, file->skeleton->node_count, PATH_COUNT * sizeof *d->target_stamp,
                      &d->target_stamp));
  for (uint32_t i = 0; i < count; i++) {
    animation a = {.index = i, .place = doc_at_index(&list, i)};
    SINEW_TRY(read_animation(d, &a, &file->motions[i]));
  }
  file->motion_count = count;
  return warn_of_keys(d);
}
