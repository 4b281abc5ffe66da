/* An FBX's animations: tracks of keys. assimp has worked out curves and orders of angles at the times of the
 * keys; between these a rotation turns evenly. */
#include "read/fbx_model.h"

#include <assimp/version.h>
#include <math.h>
#include <string.h>

static const double same_tolerance = 1e-6; /* of a key and the rest, relative to the larger or 1 */

/* An animation while it is read. */
typedef struct animation {
  const struct aiAnimation *from;
  const char *name;
  motion *out;
  motion_track *tracks;
  uint32_t *stamp;                   /* three a node: the last animation that moves it so, from 1 */
  uint32_t number;                   /* from 1 */
  uint64_t *track_count, *key_count; /* of the file */
  uint32_t no_node, doubled, merged, unsure, post_rotations;
  const char *first_unsure;
} animation;

/* One kind of keys of a channel. */
typedef struct key_list {
  motion_path path;
  uint32_t count;
  const struct aiVectorKey *vectors; /* of a rotation NULL */
  const struct aiQuatKey *turns;
} key_list;

static double tick_of(const key_list *keys, uint32_t k) {
  return keys->turns ? keys->turns[k].mTime : keys->vectors[k].mTime;
}

static void value_of(const key_list *keys, uint32_t k, float value[4]) {
  if (keys->turns) {
    const struct aiQuaternion *q = &keys->turns[k].mValue;
    value[0] = (float)q->x, value[1] = (float)q->y, value[2] = (float)q->z, value[3] = (float)q->w;
  } else {
    const struct aiVector3D *v = &keys->vectors[k].mValue;
    value[0] = (float)v->x, value[1] = (float)v->y, value[2] = (float)v->z, value[3] = 0;
  }
}

/* ---- keys --------------------------------------------------------------------------------------------- */

static sinew_result check_value(const fbx_reading *r, const animation *a, const skeleton_node *node,
                                const key_list *keys, uint32_t k, const float value[4]) {
  double square = 0;
  for (int i = 0; i < 4; i++) square += (double)value[i] * (double)value[i];
  SINEW_CHECK(isfinite(square), r->error, SINEW_ERROR_SYNTAX,
              "animation '%s', node '%s': key %u holds a number that is not finite or too large",
              fbx_show(a->name).text, fbx_show(node->name).text, k);
  SINEW_CHECK(!keys->turns || square > 0, r->error, SINEW_ERROR_SYNTAX,
              "animation '%s', node '%s': key %u is the rotation 0 0 0 0", fbx_show(a->name).text,
              fbx_show(node->name).text, k);
  return SINEW_OK;
}

static bool key_is_rest(const skeleton_node *node, const key_list *keys, uint32_t k) {
  float value[4];
  double rest[4] = {0}, off[2] = {0};
  value_of(keys, k, value);
  const double *from = keys->turns ? node->q : keys->path == MOTION_SCALE ? node->s : node->t;
  for (int i = 0; i < (keys->turns ? 4 : 3); i++) rest[i] = from[i];
  for (int i = 0; i < 4; i++) {
    const double allowed = same_tolerance * fmax(1, fabs(rest[i]));
    off[0] = fmax(off[0], fabs((double)value[i] - rest[i]) / allowed);
    off[1] = fmax(off[1], fabs((double)value[i] + rest[i]) / allowed);
    if (isnan(value[i])) return false;
  }
  return off[0] <= 1 || (keys->turns && off[1] <= 1);
}

/* assimp gives keys of every kind to a node that moves in one: those that only say what the rest does. */
static bool is_rest(const skeleton_node *node, const key_list *keys) {
  for (uint32_t k = 0; k < keys->count; k++)
    if (!key_is_rest(node, keys, k)) return false;
  return true;
}

/* Keys that fall on one time in single precision are one: the last. */
static sinew_result copy_keys(const fbx_reading *r, animation *a, const key_list *keys, motion_track *track) {
  const skeleton_node *node = &r->skeleton->nodes[track->node];
  const uint32_t width = keys->turns ? 4 : 3;
  float *time_s, *values, value[4];
  SINEW_TRY(fbx_items(r, &r->file->memory, keys->count, sizeof *time_s, &time_s));
  SINEW_TRY(fbx_items(r, &r->file->memory, keys->count, width * sizeof *values, &values));
  uint32_t count = 0;
  for (uint32_t k = 0; k < keys->count; k++) {
    const double at_s = tick_of(keys, k) / a->from->mTicksPerSecond;
    SINEW_CHECK(fabs(at_s) < 1e9, r->error, SINEW_ERROR_SYNTAX,
                "animation '%s', node '%s': key %u is at no time", fbx_show(a->name).text,
                fbx_show(node->name).text, k);
    value_of(keys, k, value);
    SINEW_TRY(check_value(r, a, node, keys, k, value));
    const float time = (float)at_s;
    SINEW_CHECK(count == 0 || time >= time_s[count - 1], r->error, SINEW_ERROR_SYNTAX,
                "animation '%s', node '%s': key %u is before the one before it", fbx_show(a->name).text,
                fbx_show(node->name).text, k);
    if (count && time == time_s[count - 1]) {
      a->merged++;
      count--;
    }
    time_s[count] = time;
    for (uint32_t i = 0; i < width; i++) values[(size_t)count * width + i] = value[i];
    count++;
  }
  track->key_count = count;
  track->time_s = time_s;
  track->values = values;
  return SINEW_OK;
}

static sinew_result count_keys(const fbx_reading *r, const animation *a, const key_list *keys) {
  *a->track_count += 1;
  *a->key_count += keys->count;
  SINEW_CHECK(*a->track_count <= r->limits->curves, r->error, SINEW_ERROR_LIMIT,
              "more than %u tracks, the limit", r->limits->curves);
  SINEW_CHECK(*a->key_count <= r->limits->keys && keys->count <= UINT32_MAX / 3, r->error, SINEW_ERROR_LIMIT,
              "more than %llu keys, the limit", (unsigned long long)r->limits->keys);
  return SINEW_OK;
}

/* ---- tracks ------------------------------------------------------------------------------------------- */

static sinew_result read_keys(const fbx_reading *r, animation *a, uint32_t index, const key_list *keys) {
  skeleton_node *node = &r->skeleton->nodes[index];
  if (is_rest(node, keys)) return SINEW_OK;
  SINEW_TRY(count_keys(r, a, keys));
  motion_track *track = &a->tracks[a->out->track_count];
  *track = (motion_track){.node = index, .path = keys->path, .interpolation = MOTION_LINEAR};
  SINEW_TRY(copy_keys(r, a, keys, track));
  const double start_s = (double)track->time_s[0], stop_s = (double)track->time_s[track->key_count - 1];
  if (a->out->track_count == 0 || start_s < a->out->start_s) a->out->start_s = start_s;
  if (a->out->track_count == 0 || stop_s > a->out->stop_s) a->out->stop_s = stop_s;
  node->is_joint = true;
  a->out->track_count++;
  return SINEW_OK;
}

static sinew_result read_moves(const fbx_reading *r, animation *a, uint32_t index,
                               const struct aiNodeAnim *moves) {
  const key_list lists[3] = {
      {.path = MOTION_ROTATION, .count = moves->mNumRotationKeys, .turns = moves->mRotationKeys},
      {.path = MOTION_TRANSLATION, .count = moves->mNumPositionKeys, .vectors = moves->mPositionKeys},
      {.path = MOTION_SCALE, .count = moves->mNumScalingKeys, .vectors = moves->mScalingKeys}};
  for (int i = 0; i < 3; i++) SINEW_TRY(read_keys(r, a, index, &lists[i]));
  return SINEW_OK;
}

/* Gives each part of a node what moves it. */
static void place_channel(fbx_reading *r, animation *a, const struct aiNodeAnim *channel) {
  fbx_part *part = fbx_find_part(r, &channel->mNodeName);
  if (!part) {
    a->no_node++;
    return;
  }
  if (fbx_name_repeats(r, part) && !a->unsure++) a->first_unsure = r->skeleton->nodes[part->index].name;
  if (part->moves)
    a->doubled++;
  else
    part->moves = channel;
}

static sinew_result list_chain(fbx_reading *r, uint32_t index, fbx_chain *chain) {
  const struct aiNode *last = r->nodes[index], *node = last;
  *chain = (fbx_chain){.index = index};
  for (; node && (node == last || fbx_helper(node)); node = node->mParent) chain->part_count++;
  SINEW_TRY(fbx_items(r, &r->scratch, chain->part_count, sizeof *chain->parts, &chain->parts));
  node = last;
  for (uint32_t i = chain->part_count; i-- > 0; node = node->mParent) chain->parts[i] = fbx_part_of(r, node);
  return SINEW_OK;
}

/* Where a node moves itself, and no helper does, assimp has folded the whole chain into its keys. */
static sinew_result read_node(fbx_reading *r, animation *a, uint32_t index) {
  fbx_chain chain;
  SINEW_TRY(list_chain(r, index, &chain));
  const fbx_part *own = chain.parts[chain.part_count - 1], *post = NULL;
  bool helped = false;
  for (uint32_t i = 0; i + 1 < chain.part_count; i++) {
    helped = helped || chain.parts[i]->moves;
    if (strcmp(fbx_helper(chain.parts[i]->node), "PostRotation") == 0) post = chain.parts[i];
  }
  if (!own->moves && !helped) return SINEW_OK;
  struct aiNodeAnim made = {0};
  if (helped) {
    SINEW_TRY(fbx_fold(r, &chain, &made));
  } else if (post) {
    a->post_rotations++;
    SINEW_TRY(fbx_mend(r, &chain, post, &made));
  } else {
    made = *own->moves;
  }
  return read_moves(r, a, index, &made);
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static sinew_result warn_of(const fbx_reading *r, const animation *a) {
  const fbx_label name = fbx_show(a->name);
  if (a->no_node) FBX_WARN(r, "animation '%s' moves %u nodes that are not there", name.text, a->no_node);
  if (a->doubled)
    FBX_WARN(r, "animation '%s' moves %u nodes twice: the first is taken", name.text, a->doubled);
  if (a->post_rotations && (aiGetVersionMajor() != 5 || aiGetVersionMinor() != 2))
    FBX_WARN(r,
             "animation '%s' moves %u nodes with a PostRotation, taken as assimp 5.2 has it, not this %u.%u",
             name.text, a->post_rotations, aiGetVersionMajor(), aiGetVersionMinor());
  if (a->unsure)
    FBX_WARN(
        r,
        "animation '%s' moves %u node%s by a name that others have too, the first '%s': it may be another's",
        name.text, a->unsure, a->unsure == 1 ? "" : "s", fbx_show(a->first_unsure).text);
  if (a->merged)
    FBX_WARN(r, "animation '%s' has %u keys at the time of another: the last is taken", name.text, a->merged);
  return SINEW_OK;
}

/* What is before time 0 is not played where something comes behind it: it leads in to the take. */
static void set_span(motion *out) {
  if (out->start_s < 0 && out->stop_s > 0) out->start_s = 0;
}

static sinew_result read_animation(fbx_reading *r, animation *a) {
  const double rate = a->from->mTicksPerSecond;
  SINEW_TRY(fbx_name(r, &a->from->mName, &a->name));
  a->out->name = a->name;
  SINEW_CHECK(isfinite(rate) && fabs(rate) > 1e-6, r->error, SINEW_ERROR_SYNTAX,
              "animation '%s' does not say how long its ticks are", fbx_show(a->name).text);
  a->out->rate_hz = rate > 1 && rate <= 1000 ? rate : 0; /* 1: no rate is stated */
  SINEW_CHECK(a->from->mNumChannels <= r->limits->curves, r->error, SINEW_ERROR_LIMIT,
              "animation '%s' has %u channels, the limit is %u", fbx_show(a->name).text,
              a->from->mNumChannels, r->limits->curves);
  SINEW_TRY(fbx_items(r, &r->file->memory, a->from->mNumChannels, 3 * sizeof *a->tracks, &a->tracks));
  a->out->tracks = a->tracks;
  for (uint32_t i = 0; i < r->part_count; i++) r->parts[i].moves = NULL;
  for (unsigned i = 0; i < a->from->mNumChannels; i++) place_channel(r, a, a->from->mChannels[i]);
  for (uint32_t i = 0; i < r->skeleton->node_count; i++) SINEW_TRY(read_node(r, a, i));
  set_span(a->out);
  return warn_of(r, a);
}

sinew_result fbx_read_motions(fbx_reading *r) {
  motion_file *file = r->file;
  const unsigned count = r->scene->mNumAnimations;
  uint64_t track_count = 0, key_count = 0;
  SINEW_CHECK(count <= r->limits->clips, r->error, SINEW_ERROR_LIMIT, "%u animations, the limit is %u", count,
              r->limits->clips);
  SINEW_TRY(fbx_items(r, &file->memory, count, sizeof *file->motions, &file->motions));
  for (unsigned i = 0; i < count; i++) {
    animation a = {.from = r->scene->mAnimations[i],
                   .out = &file->motions[i],
                   .track_count = &track_count,
                   .key_count = &key_count};
    SINEW_TRY(read_animation(r, &a));
  }
  file->motion_count = count;
  return SINEW_OK;
}
