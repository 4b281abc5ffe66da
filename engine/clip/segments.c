#include "clip/segments.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

int clip_plane_of_channel(int channel) {
  if (channel >= CLIP_CHANNEL_ROOT && channel < CLIP_CHANNEL_GOAL)
    return SINEW_PLANE_ROOT_T + channel - CLIP_CHANNEL_ROOT;
  if (channel >= CLIP_CHANNEL_GOAL && channel < CLIP_CHANNEL_MUSCLE)
    return SINEW_PLANE_GOAL + channel - CLIP_CHANNEL_GOAL;
  if (channel >= CLIP_CHANNEL_MUSCLE && channel < CLIP_CHANNEL_TDOF)
    return SINEW_PLANE_MUSCLE + channel - CLIP_CHANNEL_MUSCLE;
  return -1;
}

static void hold(sinew_segment *s, double value) {
  s->inv_duration = 0;
  s->kind = SINEW_SEGMENT_CUBIC;
  s->c[0] = (float)value;
  s->c[1] = s->c[2] = s->c[3] = 0;
}

/* The segment from key k to the next. Infinite slopes make steps: a left key's out slope of -infinity jumps
 * to the right value just after the key; every other infinity holds the left value (that an in slope of
 * -infinity alone does so too is assumed). Tangents: cubic Hermite, or a Bezier where either key is weighted
 * on this side, the unweighted side then having weight 1/3. */
static void between_keys(const sinew_clip *clip, uint64_t k, sinew_segment *s) {
  double dt = (double)clip->time_s[k + 1] - (double)clip->time_s[k];
  double v0 = clip->value[k], v1 = clip->value[k + 1];
  double out_slope = clip->out_slope[k], in_slope = clip->in_slope[k + 1];
  double inv = 1 / dt;
  s->start_s = clip->time_s[k];
  if (!(inv < 3e38)) { /* too short for float: no frame ever falls inside */
    hold(s, v0);
    return;
  }
  if (isinf(out_slope) || isinf(in_slope)) {
    hold(s, v0);
    if (isinf(out_slope) && out_slope < 0) {
      s->kind = SINEW_SEGMENT_JUMP;
      s->inv_duration = (float)inv;
      s->c[1] = (float)(v1 - v0);
    }
    return;
  }
  s->inv_duration = (float)inv;
  double m0 = out_slope * dt, m1 = in_slope * dt;
  bool weighted_out = clip->weighted_mode[k] & CLIP_WEIGHT_OUT;
  bool weighted_in = clip->weighted_mode[k + 1] & CLIP_WEIGHT_IN;
  if (!weighted_out && !weighted_in) {
    s->kind = SINEW_SEGMENT_CUBIC;
    s->c[0] = (float)v0;
    s->c[1] = (float)m0;
    s->c[2] = (float)(3 * (v1 - v0) - 2 * m0 - m1);
    s->c[3] = (float)(2 * (v0 - v1) + m0 + m1);
    return;
  }
  double wo = weighted_out ? clip->out_weight[k] : 1.0 / 3;
  double wi = weighted_in ? clip->in_weight[k + 1] : 1.0 / 3;
  double y1 = v0 + wo * m0, y2 = v1 - wi * m1;
  s->kind = SINEW_SEGMENT_BEZIER;
  s->x[0] = (float)wo;
  s->x[1] = (float)(1 - wi);
  s->c[0] = (float)v0;
  s->c[1] = (float)(3 * (y1 - v0));
  s->c[2] = (float)(3 * (v0 - 2 * y1 + y2));
  s->c[3] = (float)(v1 - v0 + 3 * (y1 - y2));
}

static sinew_result build_curve(const sinew_clip *clip, const clip_curve *curve, sinew_curve *out,
                                arena *memory, sinew_error *error) {
  uint64_t segment_count = curve->constant ? 1 : curve->key_count;
  sinew_segment *segments = arena_alloc(memory, segment_count, sizeof *segments);
  SINEW_CHECK(segments, error, SINEW_ERROR_MEMORY, "out of memory for the keys of curve %s",
              curve->attribute);
  uint64_t last = curve->first_key + curve->key_count - 1;
  if (!curve->constant)
    for (uint64_t k = curve->first_key; k < last; k++) between_keys(clip, k, &segments[k - curve->first_key]);
  segments[segment_count - 1].start_s = clip->time_s[last];
  hold(&segments[segment_count - 1], clip->value[last]);
  out->segments = segments;
  out->segment_count = (uint32_t)segment_count;
  out->plane = (uint16_t)clip_plane_of_channel(curve->channel);
  out->before = curve->before_code;
  out->after = curve->after_code;
  return SINEW_OK;
}

sinew_result clip_segments_build(const sinew_clip *clip, const bool wanted[SINEW_PLANE_COUNT],
                                 clip_segments *out, sinew_error *error) {
  memset(out, 0, sizeof *out);
  out->curves = arena_alloc(&out->memory, SINEW_PLANE_COUNT, sizeof *out->curves);
  SINEW_CHECK(out->curves, error, SINEW_ERROR_MEMORY, "out of memory for %d curves", SINEW_PLANE_COUNT);
  for (int channel = 0; channel < CLIP_CHANNEL_COUNT; channel++) {
    int plane = clip_plane_of_channel(channel);
    int32_t index = clip->curve_of_channel[channel];
    if (plane < 0 || index < 0 || !wanted[plane]) continue;
    sinew_result result =
        build_curve(clip, &clip->curves[index], &out->curves[out->curve_count++], &out->memory, error);
    if (result != SINEW_OK) {
      clip_segments_release(out);
      return result;
    }
  }
  return SINEW_OK;
}

void clip_segments_release(clip_segments *s) {
  arena_release(&s->memory);
}
