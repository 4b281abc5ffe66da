#include "clip/clip.h"
#include "clip/motion.h"
#include "clip/frame_times.h"

#include <math.h>

/* A tangent that leaves the key's value: an infinite slope holds a value, so between equal ones it goes
 * nowhere. */
static bool leaves(float slope) {
  return slope != 0 && !isinf(slope);
}

static bool is_constant(const sinew_clip *clip, const clip_curve *curve) {
  uint64_t last = curve->first_key + curve->key_count - 1;
  for (uint64_t k = curve->first_key; k < last; k++)
    if (clip->value[k] != clip->value[k + 1] || leaves(clip->out_slope[k]) || leaves(clip->in_slope[k + 1]))
      return false;
  return true;
}

void clip_finish(sinew_clip *clip) {
  for (int channel = 0; channel < CLIP_CHANNEL_COUNT; channel++) clip->curve_of_channel[channel] = -1;
  for (uint32_t i = 0; i < clip->curve_count; i++) {
    clip_curve *curve = &clip->curves[i];
    curve->constant = !clip->rows && is_constant(clip, curve);
    if (curve->channel >= 0) clip->curve_of_channel[curve->channel] = (int32_t)i;
  }
  if (!(clip->stop_s >= clip->start_s)) clip->stop_s = clip->start_s;
}

uint64_t sinew_clip_frame_count(const sinew_clip *clip, double rate_hz) {
  if (!clip) return 0;
  return frame_times_count(clip->start_s, clip->stop_s, rate_hz > 0 ? rate_hz : clip->rate_hz);
}

double clip_frame_time(const sinew_clip *clip, double rate_hz, uint64_t index, uint64_t frame_count) {
  const double rate = rate_hz > 0 ? rate_hz : clip->rate_hz;
  return frame_times_at(clip->start_s, clip->stop_s, rate, index, frame_count);
}

double sinew_clip_frame_time(const sinew_clip *clip, double rate_hz, uint64_t index) {
  if (!clip) return 0;
  uint64_t count = sinew_clip_frame_count(clip, rate_hz);
  return clip_frame_time(clip, rate_hz, index < count ? index : count - 1, count);
}

static void get_bones(const sinew_clip *clip, sinew_clip_info *info) {
  info->kind = SINEW_CLIP_BONES;
  info->node_count = clip->body->skeleton->node_count;
  info->skeleton_kind = clip->body->skeleton->kind;
  info->is_human = clip->body->stance != NULL;
  info->key_count = clip->motion->frame_count * clip->motion->channel_count;
  for (uint32_t i = 0; i < clip->motion->track_count; i++)
    info->key_count += clip->motion->tracks[i].key_count;
}

void sinew_clip_get_info(const sinew_clip *clip, sinew_clip_info *info) {
  if (!info) return;
  *info = (sinew_clip_info){0};
  if (!clip) return;
  *info = (sinew_clip_info){
      .name = clip->name,
      .rate_hz = clip->rate_hz,
      .start_s = clip->start_s,
      .stop_s = clip->stop_s,
      .key_count = clip->rows ? clip->rows->frame_count * clip->curve_count : clip->key_count,
      .curve_count = clip->curve_count,
      .settings = clip->settings,
  };
  if (clip->body) get_bones(clip, info);
  for (uint32_t i = 0; i < clip->curve_count; i++) {
    switch (clip_channel_kind(clip->curves[i].channel)) {
    case SINEW_CURVE_MUSCLE:
      info->muscle_curves++;
      break;
    case SINEW_CURVE_ROOT:
      info->root_curves++;
      break;
    case SINEW_CURVE_GOAL:
      info->goal_curves++;
      break;
    case SINEW_CURVE_TDOF:
      info->tdof_curves++;
      break;
    case SINEW_CURVE_FOREIGN:
      info->foreign_curves++;
      break;
    case SINEW_CURVE_MOTION:
      break;
    }
  }
}

const char *sinew_clip_warning(const sinew_clip *clip, uint32_t index) {
  if (!clip) return NULL;
  if (clip->body) return index < clip->body->warning_count ? clip->body->warnings[index] : NULL;
  return index < clip->warning_count ? clip->warnings[index] : NULL;
}

static void count_key_modes(const sinew_clip *clip, const clip_curve *curve, sinew_curve_info *info) {
  uint64_t last = curve->first_key + curve->key_count - 1;
  for (uint64_t k = curve->first_key; k <= last; k++) {
    info->weighted_keys += (clip->weighted_mode[k] & (CLIP_WEIGHT_IN | CLIP_WEIGHT_OUT)) != 0;
    if (k < last) info->stepped_keys += isinf(clip->out_slope[k]) || isinf(clip->in_slope[k + 1]);
  }
}

/* The first value, and from key to key so many floats. */
static const float *first_value(const sinew_clip *clip, const clip_curve *curve, size_t *step) {
  *step = clip->rows ? clip->rows->stride : 1;
  if (!clip->rows) return clip->value + curve->first_key;
  return clip->rows->values + clip->rows->column_of_plane[clip_plane_of_channel(curve->channel)];
}

static void find_extremes(const sinew_clip *clip, const clip_curve *curve, sinew_curve_info *info) {
  size_t step;
  const float *value = first_value(clip, curve, &step);
  float least = value[0], most = value[0];
  for (uint64_t k = 1; k < curve->key_count; k++) {
    const float v = value[k * step];
    least = v < least || isnan(least) ? v : least;
    most = v > most || isnan(most) ? v : most;
  }
  info->least_key = (double)least;
  info->most_key = (double)most;
}

static bool row_is_constant(const sinew_clip *clip, const clip_curve *curve) {
  bool constant[SINEW_PLANE_COUNT];
  clip_rows_constant(clip->rows, constant);
  return constant[clip_plane_of_channel(curve->channel)];
}

bool sinew_clip_get_curve(const sinew_clip *clip, uint32_t index, sinew_curve_info *info) {
  if (!clip || !info || index >= clip->curve_count) return false;
  const clip_curve *curve = &clip->curves[index];
  *info = (sinew_curve_info){
      .attribute = curve->attribute,
      .kind = clip_channel_kind(curve->channel),
      .key_count = curve->key_count,
      .muscle = -1,
      .constant = clip->rows ? row_is_constant(clip, curve) : curve->constant,
  };
  if (info->kind == SINEW_CURVE_MUSCLE) info->muscle = curve->channel - CLIP_CHANNEL_MUSCLE;
  find_extremes(clip, curve, info);
  if (!clip->rows) count_key_modes(clip, curve, info);
  return true;
}
