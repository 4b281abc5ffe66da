#include "clip/segments.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

/* ---- key times ---- */

static bool same_times(const sinew_clip *clip, const clip_curve *curve, const sinew_key_times *times) {
  if (times->count != curve->key_count) return false;
  const float *key_s = clip->time_s + curve->first_key;
  for (uint32_t k = 0; k < times->count; k++)
    if (times->start_s[k] != (double)key_s[k]) return false;
  return true;
}

static sinew_key_times *make_times(const sinew_clip *clip, const clip_curve *curve, arena *memory) {
  const size_t count = (size_t)curve->key_count;
  sinew_key_times *times = arena_alloc(memory, 1, sizeof *times);
  double *start_s = arena_alloc(memory, count + SINEW_SEGMENT_PADDING, sizeof *start_s);
  float *inv_duration = arena_alloc(memory, count + SINEW_SEGMENT_PADDING, sizeof *inv_duration);
  if (!times || !start_s || !inv_duration) return NULL;
  for (size_t k = 0; k < count; k++) start_s[k] = (double)clip->time_s[curve->first_key + k];
  for (size_t k = 0; k + 1 < count; k++) {
    const double inv = 1 / (start_s[k + 1] - start_s[k]);
    inv_duration[k] = inv < 3e38 ? (float)inv : 0; /* too short for float: no frame ever falls inside */
  }
  *times = (sinew_key_times){start_s, inv_duration, (uint32_t)count};
  return times;
}

/* ---- segments ---- */

typedef struct segment_planes {
  const sinew_key_times *times;
  float *c[4];
  uint8_t *kind;
  float (*x)[2];
} segment_planes;

static void set_cubic(const segment_planes *s, uint32_t i, double c0, double c1, double c2, double c3) {
  s->c[0][i] = (float)c0, s->c[1][i] = (float)c1, s->c[2][i] = (float)c2, s->c[3][i] = (float)c3;
}

static bool is_step(const sinew_clip *clip, uint64_t key) {
  return isinf(clip->out_slope[key]) || isinf(clip->in_slope[key + 1]);
}
static bool is_weighted(const sinew_clip *clip, uint64_t key) {
  return (clip->weighted_mode[key] & CLIP_WEIGHT_OUT) || (clip->weighted_mode[key + 1] & CLIP_WEIGHT_IN);
}

/* Bezier where either key is weighted on this side, the unweighted side then having weight 1/3. */
static void set_weighted(const sinew_clip *clip, uint64_t key, const segment_planes *s, uint32_t i, double m0,
                         double m1) {
  const double v0 = (double)clip->value[key], v1 = (double)clip->value[key + 1];
  const bool weighted_out = clip->weighted_mode[key] & CLIP_WEIGHT_OUT;
  const bool weighted_in = clip->weighted_mode[key + 1] & CLIP_WEIGHT_IN;
  const double wo = weighted_out ? (double)clip->out_weight[key] : 1.0 / 3;
  const double wi = weighted_in ? (double)clip->in_weight[key + 1] : 1.0 / 3;
  const double y1 = v0 + wo * m0, y2 = v1 - wi * m1;
  s->kind[i] = SINEW_SEGMENT_BEZIER;
  s->x[i][0] = (float)wo;
  s->x[i][1] = (float)(1 - wi);
  set_cubic(s, i, v0, 3 * (y1 - v0), 3 * (v0 - 2 * y1 + y2), v1 - v0 + 3 * (y1 - y2));
}

/* The segment i from `key` to the next. Infinite slopes make steps: a left key's out slope of -infinity jumps
 * to the right value just after the key; every other infinity holds the left value (that an in slope of
 * -infinity alone does so too is assumed). Tangents: cubic Hermite, unless weighted. */
static void between_keys(const sinew_clip *clip, uint64_t key, const segment_planes *s, uint32_t i) {
  const double dt = s->times->start_s[i + 1] - s->times->start_s[i];
  const double v0 = (double)clip->value[key], v1 = (double)clip->value[key + 1];
  const double out_slope = (double)clip->out_slope[key];
  if (s->times->inv_duration[i] == 0) {
    set_cubic(s, i, v0, 0, 0, 0);
  } else if (is_step(clip, key)) {
    const bool jumps = isinf(out_slope) && out_slope < 0;
    if (jumps) s->kind[i] = SINEW_SEGMENT_JUMP;
    set_cubic(s, i, v0, jumps ? v1 - v0 : 0, 0, 0);
  } else {
    const double m0 = out_slope * dt, m1 = (double)clip->in_slope[key + 1] * dt;
    if (is_weighted(clip, key))
      set_weighted(clip, key, s, i, m0, m1);
    else
      set_cubic(s, i, v0, m0, 3 * (v1 - v0) - 2 * m0 - m1, 2 * (v0 - v1) + m0 + m1);
  }
}

static bool alloc_planes(const sinew_clip *clip, uint64_t first_key, arena *memory, segment_planes *s) {
  const size_t count = s->times->count;
  bool special = false, bezier = false;
  for (size_t i = 0; i + 1 < count; i++) {
    const bool step = is_step(clip, first_key + i), weights = is_weighted(clip, first_key + i);
    special = special || step || weights;
    bezier = bezier || weights;
  }
  bool ok = true;
  for (int k = 0; k < 4; k++) {
    s->c[k] = arena_alloc(memory, count + SINEW_SEGMENT_PADDING, sizeof(float));
    ok = ok && s->c[k];
  }
  if (special) s->kind = arena_alloc(memory, count, sizeof *s->kind);
  if (bezier) s->x = arena_alloc(memory, count, sizeof *s->x);
  return ok && (!special || s->kind) && (!bezier || s->x);
}

/* A curve whose keys are all one value is its last key alone. */
static clip_curve keys_that_matter(const clip_curve *curve) {
  clip_curve keys = *curve;
  if (curve->constant) {
    keys.first_key = curve->first_key + curve->key_count - 1;
    keys.key_count = 1;
  }
  return keys;
}

/* Takes the key times of a curve before it where they are the same. */
static sinew_result build_curve(const sinew_clip *clip, const clip_curve *curve, clip_segments *out,
                                sinew_error *error) {
  const clip_curve keys = keys_that_matter(curve);
  segment_planes s = {0};
  for (uint32_t i = out->curve_count; i-- > 0 && !s.times;)
    if (same_times(clip, &keys, out->curves[i].times)) s.times = out->curves[i].times;
  if (!s.times) s.times = make_times(clip, &keys, &out->memory);
  SINEW_CHECK(s.times && alloc_planes(clip, keys.first_key, &out->memory, &s), error, SINEW_ERROR_MEMORY,
              "out of memory for the keys of curve %s", curve->attribute);
  const uint32_t final = s.times->count - 1;
  for (uint32_t i = 0; i < final; i++) between_keys(clip, keys.first_key + i, &s, i);
  set_cubic(&s, final, (double)clip->value[keys.first_key + final], 0, 0, 0);
  out->curves[out->curve_count++] = (sinew_curve){
      .times = s.times,
      .c = {s.c[0], s.c[1], s.c[2], s.c[3]},
      .kind = s.kind,
      .x = (const float(*)[2])s.x,
      .plane = (uint16_t)clip_plane_of_channel(curve->channel),
      .before = curve->before_code,
      .after = curve->after_code,
  };
  return SINEW_OK;
}

sinew_result clip_segments_build(const sinew_clip *clip, const bool wanted[SINEW_PLANE_COUNT],
                                 clip_segments *out, sinew_error *error) {
  memset(out, 0, sizeof *out);
  out->curves = arena_alloc(&out->memory, SINEW_PLANE_COUNT, sizeof *out->curves);
  SINEW_CHECK(out->curves, error, SINEW_ERROR_MEMORY, "out of memory for %d curves", SINEW_PLANE_COUNT);
  if (clip->rows) return SINEW_OK;
  for (int channel = 0; channel < CLIP_CHANNEL_COUNT; channel++) {
    int plane = clip_plane_of_channel(channel);
    int32_t index = clip->curve_of_channel[channel];
    if (plane < 0 || index < 0 || !wanted[plane]) continue;
    sinew_result result = build_curve(clip, &clip->curves[index], out, error);
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
