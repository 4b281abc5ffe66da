/* Curve sampling: 64 times of one curve into its plane.
 *
 * Where the frames lie among the keys is found once for all curves of the same key times; the rest is the
 * segments' coefficients, picked out of neighbouring ones frame by frame, and a polynomial. Few groups of
 * frames skip so many keys that they must be fetched one by one; the bits are the same. */
#include "block_segments.h"
#include "isa.h"

SINEW_INLINE vf cubic(const vf c[4], vf u) {
  return v_fma(u, v_fma(u, v_fma(u, c[3], c[2]), c[1]), c[0]);
}

static void coefficients(const sinew_curve *curve, const block_segments *b, int f, vf c[4]) {
  const uint32_t base = b->base[f / SINEW_WIDTH];
  if (b->near[f / SINEW_WIDTH]) {
    const vi picks = v_picks(load_places(b, f));
    for (int k = 0; k < 4; k++) c[k] = v_pick(curve->c[k] + base, picks);
    return;
  }
  for (int k = 0; k < 4; k++) {
    float apart[SINEW_WIDTH];
    for (int i = 0; i < SINEW_WIDTH; i++) apart[i] = curve->c[k][b->place[f + i]];
    c[k] = v_load(apart);
  }
}

static void sample_cubic(const sinew_curve *curve, const block_segments *b, const float *u, float *plane) {
  vf c[4];
  if (b->one)
    for (int k = 0; k < 4; k++) c[k] = v_set(curve->c[k][b->first]);
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    if (!b->one) coefficients(curve, b, f, c);
    v_store(plane + f, cubic(c, v_load(u + f)));
  }
}

static void sample_constant(const sinew_curve *curve, float *plane) {
  const vf c[4] = {v_set(curve->c[0][0]), v_set(curve->c[1][0]), v_set(curve->c[2][0]),
                   v_set(curve->c[3][0])};
  const vf value = cubic(c, v_set(0.0f));
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) v_store(plane + f, value);
}

/* ---- segments that are not cubic in time
 * ------------------------------------------------------------------- */

/* Weighted tangents: the largest s of 32 binary digits with x(s) <= u. x is monotone for abscissae within
 * 0..1, so halving finds it whatever the slope, vertical tangents included, in a fixed number of steps; in
 * double, because near a vertical tangent x(s) = u forgives no rounding. All frames step together, which
 * leaves the loop to the vectoriser. */
static void solve_weighted(const sinew_curve *curve, const block_segments *block, uint64_t weighted,
                           float *u) {
  double target[SINEW_BLOCK], a[SINEW_BLOCK], b[SINEW_BLOCK], c[SINEW_BLOCK], s[SINEW_BLOCK];
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double x0 = 0, x1 = 0;
    if (weighted >> f & 1) {
      const uint32_t segment = segment_of_frame(block, f);
      x0 = (double)curve->x[segment][0], x1 = (double)curve->x[segment][1];
    }
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
    if (weighted >> f & 1) u[f] = (float)s[f];
}

/* The key's own moment has the value before the jump, on either side of its rounding. */
static float jump_value(const sinew_curve *curve, const block_segments *b, int f) {
  const uint32_t segment = segment_of_frame(b, f);
  const double t = b->frames->at[f];
  const int jumped =
      b->keys->inv_duration[segment] > 0 && t - b->keys->start_s[segment] > magnitude(t) * SAME_TIME;
  const float value = jumped ? curve->c[0][segment] + curve->c[1][segment] : curve->c[0][segment];
  return value + 0.0f; /* 0 for -0, as a polynomial gives it */
}

static void sample_special(const sinew_curve *curve, const block_segments *b, float *plane) {
  float u[SINEW_BLOCK];
  uint64_t weighted = 0, jumps = 0;
  for (int f = 0; f < SINEW_BLOCK; f++) {
    const uint8_t kind = curve->kind[segment_of_frame(b, f)];
    weighted |= (uint64_t)(kind == SINEW_SEGMENT_BEZIER) << f;
    jumps |= (uint64_t)(kind == SINEW_SEGMENT_JUMP) << f;
  }
  memcpy(u, b->u, sizeof u);
  if (weighted) solve_weighted(curve, b, weighted, u);
  sample_cubic(curve, b, u, plane);
  for (int f = 0; f < SINEW_BLOCK && jumps >> f; f++)
    if (jumps >> f & 1) plane[f] = jump_value(curve, b, f);
}

/* A long clip does not fit the caches, and what one block reads of one curve is too short for the hardware to
 * see where it leads: so the coefficients of a curve some way ahead are asked for, where its key times say
 * which they are. */
enum { CURVES_AHEAD = 3 };
static void fetch(const sinew_curve *ahead, const block_segments *b) {
  if (ahead->times != b->keys || b->frames == &b->folded) return;
  const uint32_t last = segment_of_frame(b, SINEW_BLOCK - 1);
  for (int k = 0; k < 4; k++)
    for (uint32_t i = b->first; i <= last + SINEW_SEGMENT_PADDING; i += 16)
      __builtin_prefetch(ahead->c[k] + i, 0, 2);
}

void SINEW_KERNEL(sample)(const sinew_curve *curves, size_t curve_count, const double *time_s,
                          float *planes) {
  block_times times;
  block_segments found;
  block_times_set(&times, time_s);
  found.keys = NULL;
  for (const sinew_curve *curve = curves; curve < curves + curve_count; curve++) {
    float *plane = planes + (size_t)curve->plane * SINEW_BLOCK;
    if (curve->times->count == 1) {
      sample_constant(curve, plane);
      continue;
    }
    block_segments_find(&found, curve, &times);
    if (curves + curve_count - curve > CURVES_AHEAD) fetch(curve + CURVES_AHEAD, &found);
    if (curve->kind)
      sample_special(curve, &found, plane);
    else
      sample_cubic(curve, &found, found.u, plane);
  }
}
