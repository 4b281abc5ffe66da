/* Which segment of a curve each frame of a block lies in, and how far: what curves of the same key times have
 * in common. Compiled into curve.c alone. */
#ifndef SINEW_BLOCK_SEGMENTS_H
#define SINEW_BLOCK_SEGMENTS_H

#include "kernels.h"
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
  _Alignas(64) double at[SINEW_BLOCK]; /* seconds */
  double reached[SINEW_BLOCK];         /* a key up to here counts as reached */
  double frames_per_s;
  int even_count; /* of leading frames that lie 1 / frames_per_s apart, but for EVEN_ERROR of it */
} block_times;

/* Far above the rounding of frame times, far below the slack that SAME_TIME gives keys at frames. */
#define EVEN_ERROR 1e-9

static void block_times_set(block_times *t, const double *time_s) {
  for (int f = 0; f < SINEW_BLOCK; f++) t->at[f] = time_s[f], t->reached[f] = reach(time_s[f]);
  const double step = t->reached[1] - t->reached[0];
  t->frames_per_s = step > 0 ? 1 / step : 0;
  for (t->even_count = 1; t->even_count < SINEW_BLOCK; t->even_count++) {
    const double place = (t->reached[t->even_count] - t->reached[0]) * t->frames_per_s;
    if (!(magnitude(place - t->even_count) < EVEN_ERROR)) break;
  }
}

enum { GROUPS = SINEW_BLOCK / SINEW_WIDTH }; /* of as many frames as there are lanes */

typedef struct block_segments {
  const sinew_key_times *keys; /* what the rest was found for; NULL: nothing yet */
  uint8_t before, after;
  uint8_t one; /* every frame lies in segment `first`; the fields per group are not set */
  uint32_t first;
  uint8_t near[GROUPS];  /* the group's segments are at most SINEW_WIDTH neighbours, from `base` */
  uint32_t base[GROUPS]; /* 0 where they are not */
  _Alignas(64) uint32_t place[SINEW_BLOCK]; /* of the frame's segment after base */
  _Alignas(64) float u[SINEW_BLOCK];        /* from the segment's start, 0, to the next, 1 */
  const block_times *frames;                /* `folded`, where the curve repeats outside its keys */
  block_times folded;
} block_segments;

SINEW_INLINE uint32_t segment_of_frame(const block_segments *b, int f) {
  return b->one ? b->first : b->base[f / SINEW_WIDTH] + b->place[f];
}

/* ---- searching ---- */

/* Where t would stand among evenly spaced keys; most files have those. */
static uint32_t even_guess(const sinew_key_times *keys, double t) {
  const uint32_t final = keys->count - 1;
  const double first = keys->start_s[0], span = keys->start_s[final] - first;
  const double guess = (t - first) / span * final;
  return guess > 0 && guess < final ? (uint32_t)guess : 0;
}

/* The last segment that has started at t, the first one before that: by halving, after three probes around
 * the guess. */
static uint32_t segment_at(const sinew_key_times *keys, double t, double reached) {
  uint32_t low = 0, high = keys->count;
  uint32_t probe = even_guess(keys, t);
  for (int guesses = 3; high - low > 1; guesses--) {
    if (guesses <= 0 || probe <= low || probe >= high) probe = low + (high - low) / 2;
    if (keys->start_s[probe] <= reached)
      low = probe++;
    else
      high = probe--;
  }
  return low;
}

/* The first frame that reaches start_s, which the last one does. */
static uint8_t frame_reaching(const block_times *t, double start_s) {
  int low = 0, high = SINEW_BLOCK - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (t->reached[middle] < start_s)
      low = middle + 1;
    else
      high = middle;
  }
  return (uint8_t)low;
}

/* As many doubles as a vector holds. */
enum { DOUBLES = SINEW_WIDTH == 1 ? 1 : SINEW_WIDTH / 2 };
typedef double vd __attribute__((vector_size(8 * DOUBLES)));
typedef int64_t vl __attribute__((vector_size(8 * DOUBLES)));

/* Which of the segments start_s[0..most) frame f is the first to reach: marks, bit f of frame f; where more
 * than one may begin at a frame, begin[f] (else NULL), how many. By where they lie among even frames, a
 * vector at a time: from the segments' side, so that none waits for the one before. Returns how many the last
 * frame reaches; -1 where one lies so near a frame, or among frames so uneven, that only comparing tells. */
SINEW_INLINE int find_begins(const block_times *t, const double *start_s, int most, uint64_t *marks,
                             uint8_t *begin) {
  vl lane;
  for (int k = 0; k < DOUBLES; k++) lane[k] = k;
  const double end = t->reached[SINEW_BLOCK - 1], integer = 0x1.8p52; /* its last place is 1 */
  vl doubt = lane ^ lane, count = doubt, marked = doubt;
  for (int i = 0; i < most && start_s[i] <= end; i += DOUBLES) {
    vd start;
    memcpy(&start, start_s + i, sizeof start);
    const vl reached = (start <= end) & (lane < most - i);
    const vd place = (start - t->reached[0]) * t->frames_per_s;
    const vd sum = place + 0.5 + integer, after = sum - integer, rest = after - place; /* to the next frame */
    const vl sure =
        (rest > 2 * EVEN_ERROR) & (rest < 1 - 2 * EVEN_ERROR) & (place > 0) & (after < t->even_count);
    const vl frame = (vl)sum & (SINEW_BLOCK - 1);
    doubt |= reached & ~sure;
    count -= reached;
    marked |= (reached & 1) << frame;
    if (begin)
      for (int k = 0; k < DOUBLES; k++)
        begin[frame[k] | (~reached[k] & SINEW_BLOCK)]++; /* past it: for nobody */
  }
  int64_t sum = 0, doubtful = 0;
  *marks = 0;
  for (int k = 0; k < DOUBLES; k++) sum += count[k], doubtful |= doubt[k], *marks |= (uint64_t)marked[k];
  return doubtful ? -1 : (int)sum;
}

/* The same by comparing. */
static int count_begins_slowly(const block_times *t, const double *start_s, int most,
                               uint8_t begin[SINEW_BLOCK]) {
  int i = 0;
  memset(begin, 0, SINEW_BLOCK);
  for (; i < most && start_s[i] <= t->reached[SINEW_BLOCK - 1]; i++) begin[frame_reaching(t, start_s[i])]++;
  return i;
}

/* sums[f] = bytes[0] + .. + bytes[f] */
static void add_up(const uint8_t bytes[SINEW_BLOCK], uint8_t sums[SINEW_BLOCK]) {
  typedef uint8_t v16 __attribute__((vector_size(16)));
  const v16 zero = {0};
  v16 before = zero;
  for (int f = 0; f < SINEW_BLOCK; f += 16) {
    v16 s;
    memcpy(&s, bytes + f, sizeof s);
    s += __builtin_shufflevector(zero, s, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
    s += __builtin_shufflevector(zero, s, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
    s += __builtin_shufflevector(zero, s, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27);
    s += __builtin_shufflevector(zero, s, 0, 0, 0, 0, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23);
    s += before;
    memcpy(sums + f, &s, sizeof s);
    before = __builtin_shufflevector(s, s, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15);
  }
}

/* sums[f] = how many of the bits 0..f are set */
static void add_up_bits(uint64_t bits, uint8_t sums[SINEW_BLOCK]) {
  typedef uint64_t v2 __attribute__((vector_size(16)));
  const uint64_t ones = 0x0101010101010101u;
  uint64_t before = 0;
  for (int f = 0; f < SINEW_BLOCK; f += 16) {
    v2 both;
    for (int half = 0; half < 2; half++) {
      const uint64_t apart =
          ((bits >> (f + 8 * half) & 0xff) * ones) & 0x8040201008040201u; /* a bit a byte */
      const uint64_t set = (apart + 0x7f7f7f7f7f7f7f7fu) >> 7 & ones;
      const uint64_t eight = set * ones + before * ones; /* byte k: the sum of bytes 0..k */
      before = eight >> 56;
      both[half] = eight;
    }
    memcpy(sums + f, &both, sizeof both);
  }
}

/* Whether every frame lies in the segment after that of the frame before: keys at the rate of the frames. */
static int one_segment_a_frame(const sinew_key_times *keys, uint32_t first, const block_times *t) {
  if (keys->count - first <= SINEW_BLOCK) return 0;
  const double *start_s = keys->start_s + first;
  int others = 0;
  for (int f = 0; f < SINEW_BLOCK && !others; f += 8)
    for (int i = f; i < f + 8; i++)
      others |= !(start_s[i] <= t->reached[i]) | !(t->reached[i] < start_s[i + 1]);
  return !others;
}

/* passed[f]: how many segments after `first` have started by frame f; 0: more than a byte counts. */
static int count_passed(const sinew_key_times *keys, uint32_t first, const block_times *t,
                        uint8_t passed[SINEW_BLOCK]) {
  if (one_segment_a_frame(keys, first, t)) {
    for (int f = 0; f < SINEW_BLOCK; f++) passed[f] = (uint8_t)f;
    return 1;
  }
  const double *start_s = keys->start_s + first + 1;
  const uint32_t left = keys->count - 1 - first;
  const int most = left < UINT8_MAX ? (int)left : UINT8_MAX;
  uint64_t marks;
  int count = find_begins(t, start_s, most < SINEW_BLOCK ? most : SINEW_BLOCK, &marks, NULL);
  if (count == __builtin_popcountll(marks)) {
    add_up_bits(marks, passed);
    return 1;
  }
  uint8_t begin[2 * SINEW_BLOCK] = {0};
  if (count >= 0) count = find_begins(t, start_s, most, &marks, begin);
  if (count < 0) count = count_begins_slowly(t, start_s, most, begin);
  if (count == UINT8_MAX) return 0;
  add_up(begin, passed);
  return 1;
}

/* ---- outside the keys ---- */

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

/* The 64 times within the curve's own range; 0 where the times may stay as they are. */
static int fold_times(const sinew_curve *curve, const block_times *times, block_times *folded) {
  const double first = curve->times->start_s[0], last = curve->times->start_s[curve->times->count - 1];
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

/* ---- all frames ---- */

/* out[lane] = bytes[lane] + shift */
SINEW_INLINE void v_store_bytes(uint32_t *out, const uint8_t *bytes, uint32_t shift) {
  const vi wide = v_load_bytes(bytes) + v_seti((int32_t)shift);
  memcpy(out, &wide, sizeof wide);
}

static void search_each(block_segments *b) {
  for (int g = 0; g < GROUPS; g++) b->base[g] = 0, b->near[g] = 0;
  for (int f = 0; f < SINEW_BLOCK; f++)
    b->place[f] = segment_at(b->keys, b->frames->at[f], b->frames->reached[f]);
}

/* Frames in ascending order lie in segments in ascending order. */
static void search_ascending(block_segments *b) {
  uint8_t passed[SINEW_BLOCK];
  if (!count_passed(b->keys, b->first, b->frames, passed)) {
    search_each(b);
    return;
  }
  for (int g = 0; g < GROUPS; g++) {
    const uint8_t *p = passed + g * SINEW_WIDTH;
    b->near[g] = p[SINEW_WIDTH - 1] - p[0] < SINEW_WIDTH;
    b->base[g] = b->near[g] ? b->first + p[0] : 0;
    v_store_bytes(b->place + g * SINEW_WIDTH, p, b->first - b->base[g]);
  }
}

SINEW_INLINE vi load_places(const block_segments *b, int f) {
  vi places;
  memcpy(&places, b->place + f, sizeof places);
  return places;
}

/* The difference of times is taken in double, so that a sample depends on its time alone, not on its place in
 * a block. */
static void set_progress(block_segments *b) {
  const sinew_key_times *keys = b->keys;
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    const double *at = b->frames->at + f;
    const uint32_t base = b->one ? b->first : b->base[f / SINEW_WIDTH];
    vf since, inv_duration;
    if (b->one) {
      since = v_time_since(at, keys->start_s[base]);
      inv_duration = v_set(keys->inv_duration[base]);
    } else if (b->near[f / SINEW_WIDTH]) {
      since = v_time_since_each(at, keys->start_s + base, b->place + f);
      inv_duration = v_pick(keys->inv_duration + base, v_picks(load_places(b, f)));
    } else {
      float apart[2][SINEW_WIDTH];
      for (int i = 0; i < SINEW_WIDTH; i++) {
        const uint32_t segment = b->place[f + i];
        apart[0][i] = (float)(at[i] - keys->start_s[segment]);
        apart[1][i] = keys->inv_duration[segment];
      }
      since = v_load(apart[0]), inv_duration = v_load(apart[1]);
    }
    v_store(b->u + f, v_clamp01(since * inv_duration));
  }
}

/* Nothing to do where the curve before had the same key times. */
static void block_segments_find(block_segments *b, const sinew_curve *curve, const block_times *times) {
  const sinew_key_times *keys = curve->times;
  if (b->keys == keys && b->before == curve->before && b->after == curve->after) return;
  b->keys = keys, b->before = curve->before, b->after = curve->after;
  if (fold_times(curve, times, &b->folded)) {
    b->frames = &b->folded;
    b->one = 0;
    search_each(b);
  } else {
    b->frames = times;
    b->first = segment_at(keys, times->at[0], times->reached[0]);
    b->one = b->first == keys->count - 1 || !(keys->start_s[b->first + 1] <= times->reached[SINEW_BLOCK - 1]);
    if (!b->one) search_ascending(b);
  }
  set_progress(b);
}

#endif
