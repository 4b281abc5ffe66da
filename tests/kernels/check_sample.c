/* Sampling against Hermite's and Bezier's formulas.
 *
 * Tolerances, as shares of the range the curve's values and control points span. float32 rounds u by 6e-8 and
 * each of the four coefficients by 6e-8 of up to six ranges: 2e-6. Where tangents are vertical the value
 * follows u without bound, so those curves are compared at the float32 u that the contract states. */
#include "check.h"
#include "reference.h"

#include <math.h>
#include <string.h>

enum { KEYS = 40, CURVES = 200 };

/* ---- random curves ---- */

typedef enum curve_style { STYLE_PLAIN, STYLE_STEPS, STYLE_WEIGHTED, STYLE_COUNT } curve_style;

static void random_key(dice *d, curve_style style, ref_key *key) {
  key->value = (double)(float)dice_between(d, -2, 2);
  key->in_slope = (double)(float)dice_between(d, -8, 8);
  key->out_slope = (double)(float)dice_between(d, -8, 8);
  key->in_weight = key->out_weight = 1.0 / 3;
  key->weighted_in = key->weighted_out = false;
  if (style == STYLE_STEPS && dice_bits(d) % 3 == 0) key->out_slope = dice_bits(d) & 1 ? INFINITY : -INFINITY;
  if (style == STYLE_WEIGHTED) {
    key->weighted_in = dice_bits(d) & 1, key->weighted_out = dice_bits(d) & 1;
    key->in_weight = (double)(float)dice_between(d, 0.05, 0.7);
    key->out_weight = (double)(float)dice_between(d, 0.05, 0.7);
  }
}

static uint32_t random_keys(dice *d, curve_style style, uint32_t most, ref_key *keys) {
  const uint32_t count = 1 + dice_bits(d) % most;
  double t = dice_between(d, -1, 1);
  for (uint32_t i = 0; i < count; i++) {
    random_key(d, style, &keys[i]);
    keys[i].time_s = (double)(float)t; /* key times are float32 in files */
    t += dice_bits(d) & 1 ? 1.0 / 30 : dice_between(d, 0.02, 0.5);
  }
  return count;
}

static double curve_range(const ref_curve *curve) {
  double low = INFINITY, high = -INFINITY;
  for (uint32_t i = 0; i < curve->key_count; i++) {
    const ref_key *key = &curve->keys[i];
    const double before = i ? key->time_s - key[-1].time_s : 0;
    const double after = i + 1 < curve->key_count ? key[1].time_s - key->time_s : 0;
    const double at[3] = {key->value, isinf(key->in_slope) ? key->value : key->value - key->in_slope * before,
                          isinf(key->out_slope) ? key->value : key->value + key->out_slope * after};
    for (int p = 0; p < 3; p++) low = fmin(low, at[p]), high = fmax(high, at[p]);
  }
  return fmax(high - low, fabs(high));
}

/* ---- the checks ---- */

/* Times over the curve and beyond both ends; exactly at keys; up to a key that the last frame alone reaches;
 * or uneven ones, some of them equal. */
static void random_times(dice *d, const ref_curve *curve, double times[SINEW_BLOCK]) {
  const ref_key *keys = curve->keys;
  const uint32_t count = curve->key_count, last = count - 1, end = dice_bits(d) % count;
  const double before = dice_between(d, -2, 2), step = dice_between(d, 0.001, 0.2);
  const uint32_t kind = dice_bits(d) % 4;
  double uneven = keys[0].time_s - before;
  for (uint32_t f = 0; f < SINEW_BLOCK; f++) {
    if (kind == 0)
      times[f] = keys[0].time_s - before + f * step;
    else if (kind == 1)
      times[f] = f < count ? keys[f].time_s : keys[last].time_s + (f - last) * 0.013;
    else if (kind == 2)
      times[f] = keys[end].time_s - (SINEW_BLOCK - 1 - f) * 0.0003;
    else
      times[f] = uneven += dice_bits(d) % 4 * dice_between(d, 0, step);
  }
}

/* Within the rounding of a fold's seam or of a step the two sides may decide differently; such frames are
 * left out. */
static bool undecided(const ref_curve *curve, double t) {
  const double nudge = fmax(fabs(t), 1) * 1e-6;
  const double a = ref_curve_value(curve, t - nudge), b = ref_curve_value(curve, t + nudge);
  return fabs(a - b) > 1e-3; /* a seam or a step lies here */
}

static double sample_error(const sinew_kernels *k, dice *d, curve_style style, bool *intact) {
  static const sinew_outside rules[3] = {SINEW_OUTSIDE_PING_PONG, SINEW_OUTSIDE_REPEAT, SINEW_OUTSIDE_CLAMP};
  ref_key keys[KEYS];
  ref_segments segments;
  double times[SINEW_BLOCK], worst = 0;
  const uint32_t count = random_keys(d, style, KEYS, keys), rule = dice_bits(d) % 9;
  const ref_curve want = {keys, count, rules[rule % 3], rules[rule / 3]};
  const double range = curve_range(&want);
  guarded plane;
  ref_fold_curve(&want, &segments);
  random_times(d, &want, times);
  if (!guarded_open(&plane, SINEW_BLOCK)) return INFINITY;
  k->sample(&segments.curve, 1, times, plane.values);
  for (int f = 0; f < SINEW_BLOCK; f++) {
    if (undecided(&want, times[f])) continue;
    const double off = fabs((double)plane.values[f] - ref_curve_value(&want, times[f])) / range;
    worst = off == off ? fmax(worst, off) : INFINITY;
  }
  *intact = *intact && guarded_intact(&plane);
  guarded_close(&plane);
  return worst;
}

/* Abscissae up to (1, 0), whose tangent is vertical in the middle, and (0, 0), (1, 1), vertical at an end. */
static double vertical_error(const sinew_kernels *k) {
  static const float inner[][2] = {{1, 0}, {0, 0}, {1, 1}, {0, 1}, {1, 0.01f}, {0.999f, 0}, {0.5f, 0.5f}};
  const float c[4] = {-1, 3, 3, -4.5f}; /* ordinates -1, 0, 2, 0.5 */
  const double y[4] = {-1, 0, 2, 0.5};
  double worst = 0, times[SINEW_BLOCK];
  _Alignas(64) float plane[SINEW_BLOCK];
  for (size_t i = 0; i < sizeof inner / sizeof inner[0]; i++) {
    ref_segments segments;
    ref_segments_make(&segments, 2);
    segments.start_s[0] = 1, segments.start_s[1] = 1.5;
    segments.inv_duration[0] = 2;
    segments.kind[0] = SINEW_SEGMENT_BEZIER;
    for (int q = 0; q < 4; q++) segments.c[q][0] = c[q];
    memcpy(segments.x[0], inner[i], sizeof inner[i]);
    segments.c[0][1] = 0.5f;
    for (int f = 0; f < SINEW_BLOCK; f++)
      times[f] = i & 1 ? 1 + f / 128.0 : 1.25 + (f < 32 ? -1 : 1) * 0.25 * pow(0.6, f < 32 ? f : 63 - f);
    for (int f = 1; f < SINEW_BLOCK; f++) times[f] = fmax(times[f], times[f - 1]);
    k->sample(&segments.curve, 1, times, plane);
    for (int f = 0; f < SINEW_BLOCK; f++) {
      const float u = (float)(times[f] - 1) * 2;
      const double x[2] = {(double)inner[i][0], (double)inner[i][1]};
      const double off = fabs((double)plane[f] - ref_bezier(x, y, (double)u)) / 3;
      worst = off == off ? fmax(worst, off) : INFINITY;
    }
  }
  return worst;
}

/* Whether each time gives the bits that it gives alone: a block of nothing else. */
static bool as_alone(const sinew_kernels *k, const sinew_curve *curve, const double times[SINEW_BLOCK]) {
  _Alignas(64) float plane[SINEW_BLOCK], alone[SINEW_BLOCK];
  double same[SINEW_BLOCK];
  k->sample(curve, 1, times, plane);
  for (int f = 0; f < SINEW_BLOCK; f++) {
    for (int g = 0; g < SINEW_BLOCK; g++) same[g] = times[f];
    k->sample(curve, 1, same, alone);
    for (int g = 0; g < SINEW_BLOCK; g++)
      if (memcmp(&alone[g], &plane[f], sizeof(float)) != 0) return false;
  }
  return true;
}

/* The same times in other places of other blocks give the same bits: whether a block lies in one segment or
 * in several, and is folded or not, is a matter of speed. */
static bool place_is_free(const sinew_kernels *k, dice *d) {
  static const sinew_outside rules[3] = {SINEW_OUTSIDE_PING_PONG, SINEW_OUTSIDE_REPEAT, SINEW_OUTSIDE_CLAMP};
  for (int i = 0; i < 60; i++) {
    ref_key keys[KEYS];
    ref_segments segments;
    double times[SINEW_BLOCK];
    const ref_curve want = {keys, random_keys(d, (curve_style)(i % STYLE_COUNT), KEYS, keys), rules[i % 3],
                            rules[i / 3 % 3]};
    ref_fold_curve(&want, &segments);
    random_times(d, &want, times);
    if (!as_alone(k, &segments.curve, times)) return false;
  }
  return true;
}

/* Frames that skip keys, a few or so many that a block passes hundreds of them. */
static bool keys_are_skipped(const sinew_kernels *k, dice *d) {
  static const double skips[] = {0.3, 1, 1.7, 4, 5, 9};
  for (size_t i = 0; i < sizeof skips / sizeof skips[0]; i++) {
    ref_key keys[REF_SEGMENTS];
    ref_segments segments;
    double times[SINEW_BLOCK];
    for (int n = 0; n < REF_SEGMENTS; n++) {
      random_key(d, (curve_style)(i % STYLE_COUNT), &keys[n]);
      keys[n].time_s = (double)(float)(n / 30.0);
    }
    const ref_curve want = {keys, REF_SEGMENTS, SINEW_OUTSIDE_CLAMP, SINEW_OUTSIDE_CLAMP};
    ref_fold_curve(&want, &segments);
    for (int f = 0; f < SINEW_BLOCK; f++) times[f] = (1.5 + f * skips[i]) / 30;
    if (!as_alone(k, &segments.curve, times)) return false;
  }
  return true;
}

/* Curves that share their key times, whatever stands between them, give what each gives alone. */
static bool times_are_shared(const sinew_kernels *k, dice *d) {
  enum { SHARING = 6 };
  _Alignas(64) float planes[SHARING * SINEW_BLOCK], alone[SINEW_BLOCK];
  ref_key keys[SHARING][KEYS];
  ref_segments segments[SHARING];
  sinew_curve curves[SHARING];
  double times[SINEW_BLOCK];
  for (int i = 0; i < 60; i++) {
    const curve_style style = (curve_style)(i % STYLE_COUNT);
    ref_curve want = {keys[0], random_keys(d, style, KEYS, keys[0]), SINEW_OUTSIDE_CLAMP,
                      SINEW_OUTSIDE_CLAMP};
    random_times(d, &want, times);
    for (int s = 0; s < SHARING; s++) {
      for (uint32_t n = 0; n < want.key_count && s > 0; n++) {
        random_key(d, style, &keys[s][n]);
        keys[s][n].time_s = keys[0][n].time_s;
      }
      want.keys = keys[s];
      want.before = (sinew_outside)(dice_bits(d) % 3), want.after = (sinew_outside)(dice_bits(d) % 3);
      ref_fold_curve(&want, &segments[s]);
      curves[s] = segments[s].curve;
      curves[s].plane = (uint16_t)s;
      if (s != 3) curves[s].times = &segments[0].times;
    }
    k->sample(curves, SHARING, times, planes);
    for (int s = 0; s < SHARING; s++) {
      k->sample(&segments[s].curve, 1, times, alone);
      if (memcmp(alone, planes + s * SINEW_BLOCK, sizeof alone) != 0) return false;
    }
  }
  return true;
}

/* 30 Hz keys at ten minutes: each rounds to float32, up to 3e-5 s before or after its frame, and is reached
 * all the same; a jump that starts there has not begun. */
static bool keys_are_reached(const sinew_kernels *k, sinew_segment_kind kind) {
  enum { COUNT = 2 * SINEW_BLOCK };
  ref_segments segments;
  double times[SINEW_BLOCK];
  _Alignas(64) float plane[SINEW_BLOCK];
  ref_segments_make(&segments, COUNT);
  for (int i = 0; i < COUNT; i++) {
    segments.start_s[i] = (double)(float)(600 + i / 30.0);
    segments.c[0][i] = (float)i;
    segments.c[1][i] = kind == SINEW_SEGMENT_JUMP ? 1000 : 0;
    segments.inv_duration[i] = 30;
    segments.kind[i] = (uint8_t)kind;
  }
  for (int f = 0; f < SINEW_BLOCK; f++) times[f] = 600 + (f + 17) / 30.0;
  k->sample(&segments.curve, 1, times, plane);
  for (int f = 0; f < SINEW_BLOCK; f++)
    if (plane[f] != (float)(f + 17)) return false;
  return true;
}

/* Numbers no reader lets through: nothing is promised but that it returns and stays in its plane. */
static bool garbage_returns(const sinew_kernels *k, dice *d) {
  static const double bad[] = {NAN, INFINITY, -INFINITY, 0, 1e300, -1e300, 5e-324};
  ref_segments segments;
  double times[SINEW_BLOCK];
  guarded plane;
  if (!guarded_open(&plane, SINEW_BLOCK)) return false;
  for (int i = 0; i < 300; i++) {
    ref_segments_make(&segments, 1 + dice_bits(d) % 8);
    for (uint32_t n = 0; n < segments.times.count; n++) {
      segments.start_s[n] = bad[dice_bits(d) % 7];
      segments.inv_duration[n] = (float)bad[dice_bits(d) % 7];
      segments.kind[n] = (uint8_t)(dice_bits(d) % 3);
      for (int c = 0; c < 4; c++) segments.c[c][n] = (float)bad[dice_bits(d) % 7];
      for (int c = 0; c < 2; c++) segments.x[n][c] = (float)bad[dice_bits(d) % 7];
    }
    for (int f = 0; f < SINEW_BLOCK; f++) times[f] = bad[dice_bits(d) % 7];
    segments.curve.before = (uint8_t)(i % 3), segments.curve.after = (uint8_t)(i / 3 % 3);
    k->sample(&segments.curve, 1, times, plane.values);
  }
  const bool intact = guarded_intact(&plane);
  guarded_close(&plane);
  return intact;
}

void check_sample(const sinew_kernels *k, check *c) {
  static const char *const names[STYLE_COUNT] = {"cubic", "steps and jumps", "weighted tangents"};
  dice d = {5};
  bool intact = true;
  for (int style = 0; style < STYLE_COUNT; style++) {
    double worst = 0;
    for (int i = 0; i < CURVES; i++) worst = fmax(worst, sample_error(k, &d, (curve_style)style, &intact));
    check_that(c, worst <= 2e-6, "sample: %s: off by %.1e of 2e-6 of the range", names[style], worst);
  }
  const double vertical = vertical_error(k);
  check_that(c, vertical <= 1e-6, "sample: vertical tangents: off by %.1e of 1e-6 of the range", vertical);
  check_that(c, place_is_free(k, &d), "sample: a time gives the same bits anywhere in a block");
  check_that(c, keys_are_skipped(k, &d), "sample: likewise where frames skip keys");
  check_that(c, times_are_shared(k, &d), "sample: likewise where curves share key times");
  check_that(c, keys_are_reached(k, SINEW_SEGMENT_CUBIC), "sample: float32 key times count as reached");
  check_that(c, keys_are_reached(k, SINEW_SEGMENT_JUMP),
             "sample: a jump has not begun at its float32 key time");
  check_that(c, garbage_returns(k, &d) && intact,
             "sample: returns from garbage, writes nothing beside its plane");
}
