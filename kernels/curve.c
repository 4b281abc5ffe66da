/* Curve sampling: 64 times of one curve into its plane.
 *
 * u = (float)(t - start_s) * inv_duration in 0..1, with the difference taken in double: a sample depends on
 * its time alone, not on its place in a block. Three paths give the same bits: a constant, one segment for
 * the whole block, and segments gathered frame by frame. */
#include "isa.h"
#include "vmath.h"

/* Key times are float32 in the files, frame times are not: this share of the time apart, they are the same
 * moment. */
#define SAME_TIME 0x1p-22

SINEW_INLINE double magnitude(double x) {
  return x < 0 ? -x : x;
}
SINEW_INLINE double reach(double t) {
  return t + magnitude(t) * SAME_TIME;
}

typedef struct block_times {
  double at[SINEW_BLOCK];      /* seconds */
  double reached[SINEW_BLOCK]; /* a key up to here counts as reached */
} block_times;

/* ---- which segment ----------------------------------------------------------------------------------------
 */

/* Where t would stand among evenly spaced keys; most files have those. */
static uint32_t even_guess(const sinew_curve *curve, double t) {
  const uint32_t final = curve->segment_count - 1;
  const double first = curve->segments[0].start_s, span = curve->segments[final].start_s - first;
  const double guess = (t - first) / span * final;
  return guess > 0 && guess < final ? (uint32_t)guess : 0;
}

/* The last segment that has started at t, the first one before that: by halving, after three probes around
 * the guess. */
static uint32_t segment_at(const sinew_curve *curve, double t, double reached) {
  uint32_t low = 0, high = curve->segment_count;
  uint32_t probe = even_guess(curve, t);
  for (int guesses = 3; high - low > 1; guesses--) {
    if (guesses <= 0 || probe <= low || probe >= high) probe = low + (high - low) / 2;
    if (curve->segments[probe].start_s <= reached)
      low = probe++;
    else
      high = probe--;
  }
  return low;
}

/* A time outside first..last as the time inside that has its value. */
static double fold_time(double t, double first, double last, uint8_t code) {
  const double span = last - first;
  if (code == SINEW_OUTSIDE_CLAMP || !(span > 0)) return t;
  double turns = __builtin_floor((t - first) / span);
  double inside = (t - first) - turns * span;
  if (!(inside > 0)) inside = 0; /* also when the quotient was too large to mean anything */
  if (inside > span) inside = span;
  int odd = turns - 2 * __builtin_floor(turns * 0.5) != 0;
  return code == SINEW_OUTSIDE_PING_PONG && odd ? last - inside : first + inside;
}

/* The 64 times within the curve's own range; false where the times may stay as they are. */
static int fold_times(const sinew_curve *curve, const block_times *times, block_times *folded) {
  const double first = curve->segments[0].start_s, last = curve->segments[curve->segment_count - 1].start_s;
  const int folds_before = curve->before != SINEW_OUTSIDE_CLAMP && times->reached[0] < first;
  const int folds_after = curve->after != SINEW_OUTSIDE_CLAMP && times->at[SINEW_BLOCK - 1] > reach(last);
  if (!folds_before && !folds_after) return 0;
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double t = times->at[f];
    if (times->reached[f] < first)
      t = fold_time(t, first, last, curve->before);
    else if (t > reach(last))
      t = fold_time(t, first, last, curve->after);
    folded->at[f] = t;
    folded->reached[f] = reach(t);
  }
  return 1;
}

/* ---- one segment per lane
 * ---------------------------------------------------------------------------------- */

typedef struct lanes { /* what each frame's segment is, as sampled by the cubic alone */
  float c[SINEW_BLOCK][4];
  float since[SINEW_BLOCK];
  float inv_duration[SINEW_BLOCK];
  int any_weighted; /* the rest is set only then */
  uint8_t weighted[SINEW_BLOCK];
  float x[2][SINEW_BLOCK];
} lanes;

SINEW_INLINE vf cubic(const vf c[4], vf u) {
  return v_fma(u, v_fma(u, v_fma(u, c[3], c[2]), c[1]), c[0]);
}
SINEW_INLINE vf progress(vf since, vf inv_duration) {
  return v_clamp01(since * inv_duration);
}

static void set_special(lanes *l, int f, const sinew_segment *s, double t) {
  if (s->kind == SINEW_SEGMENT_BEZIER) {
    if (!l->any_weighted) {
      memset(l->weighted, 0, sizeof l->weighted);
      memset(l->x, 0, sizeof l->x);
      l->any_weighted = 1;
    }
    l->weighted[f] = 1;
    l->x[0][f] = s->x[0];
    l->x[1][f] = s->x[1];
  } else if (s->kind == SINEW_SEGMENT_JUMP) {
    /* The key's own moment has the value before the jump, on either side of its rounding. */
    int jumped = s->inv_duration > 0 && t - s->start_s > magnitude(t) * SAME_TIME;
    const float value[4] = {jumped ? s->c[0] + s->c[1] : s->c[0], 0, 0, 0};
    memcpy(l->c[f], value, sizeof value);
  }
}

SINEW_INLINE void set_lane(lanes *l, int f, const sinew_segment *s, double t) {
  memcpy(l->c[f], s->c, sizeof l->c[f]);
  l->since[f] = (float)(t - s->start_s);
  l->inv_duration[f] = s->inv_duration;
  if (__builtin_expect(s->kind != SINEW_SEGMENT_CUBIC, 0)) set_special(l, f, s, t);
}

/* Weighted tangents: the largest s of 32 binary digits with x(s) <= u. x is monotone for abscissae within
 * 0..1, so halving finds it whatever the slope, vertical tangents included, in a fixed number of steps; in
 * double, because near a vertical tangent x(s) = u forgives no rounding. All frames step together, which
 * leaves the loop to the vectoriser. */
static void solve_weighted(const lanes *l, float *u) {
  double target[SINEW_BLOCK], a[SINEW_BLOCK], b[SINEW_BLOCK], c[SINEW_BLOCK], s[SINEW_BLOCK];
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double x0 = (double)l->x[0][f], x1 = (double)l->x[1][f];
    target[f] = (double)u[f];
    a[f] = 1 + 3 * x0 - 3 * x1, b[f] = 3 * x1 - 6 * x0, c[f] = 3 * x0;
    s[f] = 0;
  }
  for (double step = 0.5; step > 0x1p-33; step *= 0.5)
    for (int f = 0; f < SINEW_BLOCK; f++) {
      double trial = s[f] + step;
      s[f] = ((a[f] * trial + b[f]) * trial + c[f]) * trial <= target[f] ? trial : s[f];
    }
  for (int f = 0; f < SINEW_BLOCK; f++)
    if (l->weighted[f]) u[f] = (float)s[f];
}

static void sample_lanes(const lanes *l, float *plane) {
  float u[SINEW_BLOCK];
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH)
    v_store(u + f, progress(v_load(l->since + f), v_load(l->inv_duration + f)));
  if (l->any_weighted) solve_weighted(l, u);
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    vf c[4];
    v_load_interleaved4(l->c[f], c);
    v_store(plane + f, cubic(c, v_load(u + f)));
  }
}

/* ---- one curve
 * ------------------------------------------------------------------------------------------------ */

static void sample_one_segment(const sinew_segment *s, const double *time_s, float *plane) {
  const vf c[4] = {v_set(s->c[0]), v_set(s->c[1]), v_set(s->c[2]), v_set(s->c[3])};
  if (s->inv_duration == 0) {
    vf value = cubic(c, v_set(0.0f));
    for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) v_store(plane + f, value);
    return;
  }
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    vf since = v_time_since(time_s + f, s->start_s);
    v_store(plane + f, cubic(c, progress(since, v_set(s->inv_duration))));
  }
}

static void sample_folded(const sinew_curve *curve, const block_times *folded, float *plane) {
  lanes l;
  l.any_weighted = 0;
  for (int f = 0; f < SINEW_BLOCK; f++) {
    const uint32_t i = segment_at(curve, folded->at[f], folded->reached[f]);
    set_lane(&l, f, &curve->segments[i], folded->at[f]);
  }
  sample_lanes(&l, plane);
}

static void sample_from(const sinew_curve *curve, uint32_t first_segment, const block_times *times,
                        float *plane) {
  const sinew_segment *s = &curve->segments[first_segment];
  const sinew_segment *const final = &curve->segments[curve->segment_count - 1];
  lanes l;
  l.any_weighted = 0;
  for (int f = 0; f < SINEW_BLOCK; f++) {
    while (s < final && s[1].start_s <= times->reached[f]) s++;
    set_lane(&l, f, s, times->at[f]);
  }
  sample_lanes(&l, plane);
}

static void sample_curve(const sinew_curve *curve, const block_times *times, float *plane) {
  block_times folded;
  if (fold_times(curve, times, &folded)) {
    sample_folded(curve, &folded, plane);
    return;
  }
  const uint32_t i = segment_at(curve, times->at[0], times->reached[0]);
  const sinew_segment *s = &curve->segments[i];
  const int one_segment = i == curve->segment_count - 1 || !(s[1].start_s <= times->reached[SINEW_BLOCK - 1]);
  if (one_segment && s->kind == SINEW_SEGMENT_CUBIC)
    sample_one_segment(s, times->at, plane);
  else
    sample_from(curve, i, times, plane);
}

void SINEW_KERNEL(sample)(const sinew_curve *curves, size_t curve_count, const double *time_s,
                          float *planes) {
  block_times times;
  for (int f = 0; f < SINEW_BLOCK; f++) times.at[f] = time_s[f], times.reached[f] = reach(time_s[f]);
  for (size_t i = 0; i < curve_count; i++)
    sample_curve(&curves[i], &times, planes + (size_t)curves[i].plane * SINEW_BLOCK);
}
