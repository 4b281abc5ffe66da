/* What the frames of a clip reach, sampled by the kernels as a bake samples them. */
#include "base/error.h"
#include "clip/segments.h"
#include "stage/context.h"

#include <math.h>
#include <string.h>

static const uint64_t frame_limit = UINT64_C(1) << 28; /* a bake's own */
static const double rate_limit_hz = 1e6;
static const float beyond = 1 + 1e-6F;

enum { ROOT_Q_CURVES = 4, MUSCLE_PLANES_END = SINEW_PLANE_MUSCLE + SINEW_MUSCLE_COUNT };

typedef struct measure_state {
  const sinew_kernels *kernels;
  const sinew_clip *clip;
  clip_segments segments;
  float *planes;
  float *row_scratch; /* where the clip has rows */
  double time_s[SINEW_BLOCK];
  sinew_clip_ranges *out;
} measure_state;

static void sample(measure_state *state, uint32_t curve_count) {
  if (state->clip->rows)
    clip_rows_sample(state->clip->rows, state->kernels, state->time_s, state->row_scratch, state->planes);
  else
    state->kernels->sample(state->segments.curves, curve_count, state->time_s, state->planes);
}

/* ---- muscles over all frames -------------------------------------------------------------------------- */

/* Adds `frames` values of one muscle; marks in `outside` the frames in which it lies beyond. */
static void add_values(const float *values, uint32_t frames, sinew_muscle_range *range, bool *outside) {
  for (uint32_t f = 0; f < frames; f++) {
    if (!isfinite(values[f])) {
      range->frames_not_finite++;
      continue;
    }
    range->least = fmin(range->least, (double)values[f]);
    range->most = fmax(range->most, (double)values[f]);
    if (fabsf(values[f]) > beyond) {
      range->frames_beyond++;
      outside[f] = true;
    }
  }
}

static void measure_block(measure_state *state, uint64_t first) {
  sinew_clip_ranges *out = state->out;
  const uint64_t left = out->frame_count - first;
  const uint32_t frames = left < SINEW_BLOCK ? (uint32_t)left : SINEW_BLOCK;
  for (uint32_t f = 0; f < SINEW_BLOCK; f++)
    state->time_s[f] =
        clip_frame_time(state->clip, out->rate_hz, first + (f < frames ? f : frames - 1), out->frame_count);
  sample(state, state->segments.curve_count);
  bool outside[SINEW_BLOCK] = {false};
  for (int muscle = 0; muscle < SINEW_MUSCLE_COUNT; muscle++)
    if (out->muscles[muscle].present)
      add_values(state->planes + (size_t)(SINEW_PLANE_MUSCLE + muscle) * SINEW_BLOCK, frames,
                 &out->muscles[muscle], outside);
  for (uint32_t f = 0; f < frames; f++) out->frames_beyond += outside[f];
}

static void measure_muscles(measure_state *state) {
  sinew_clip_ranges *out = state->out;
  for (int muscle = 0; muscle < SINEW_MUSCLE_COUNT; muscle++) {
    out->muscles[muscle].present = state->clip->curve_of_channel[CLIP_CHANNEL_MUSCLE + muscle] >= 0;
    out->muscles[muscle].least = INFINITY;
    out->muscles[muscle].most = -INFINITY;
  }
  for (uint64_t first = 0; first < out->frame_count; first += SINEW_BLOCK) measure_block(state, first);
  for (int muscle = 0; muscle < SINEW_MUSCLE_COUNT; muscle++) {
    sinew_muscle_range *range = &out->muscles[muscle];
    if (range->least > range->most) range->least = range->most = 0; /* no finite value */
  }
}

/* ---- the root's rotation at its keys ------------------------------------------------------------------ */

typedef struct root_q {
  const clip_rows *rows; /* each is a key; else: */
  uint64_t row;
  const float *time_s[ROOT_Q_CURVES];
  uint64_t left[ROOT_Q_CURVES]; /* keys not yet passed */
} root_q;

static bool root_q_find(const sinew_clip *clip, root_q *root) {
  *root = (root_q){.rows = clip->rows};
  for (int i = 0; i < ROOT_Q_CURVES; i++) {
    const int32_t index = clip->curve_of_channel[CLIP_CHANNEL_ROOT + 3 + i];
    if (index < 0) return false;
    if (clip->rows) continue;
    root->time_s[i] = clip->time_s + clip->curves[index].first_key;
    root->left[i] = clip->curves[index].key_count;
  }
  return true;
}

/* The next time at which any of the four has a key; false at the end. */
static bool root_q_next(root_q *root, double *time_s) {
  if (root->rows) {
    *time_s = (double)root->row / root->rows->rate_hz;
    return root->row++ < root->rows->frame_count;
  }
  float next = INFINITY;
  for (int i = 0; i < ROOT_Q_CURVES; i++)
    if (root->left[i] && *root->time_s[i] < next) next = *root->time_s[i];
  if (isinf(next)) return false;
  for (int i = 0; i < ROOT_Q_CURVES; i++) {
    if (!root->left[i] || *root->time_s[i] != next) continue;
    root->time_s[i]++;
    root->left[i]--;
  }
  *time_s = (double)next;
  return true;
}

static void measure_unit(measure_state *state, uint32_t count) {
  sinew_clip_ranges *out = state->out;
  const float *q = state->planes + (size_t)SINEW_PLANE_ROOT_Q * SINEW_BLOCK;
  for (uint32_t f = count; f < SINEW_BLOCK; f++) state->time_s[f] = state->time_s[count - 1];
  sample(state, ROOT_Q_CURVES); /* they come first: curves stand in the order of their channels */
  for (uint32_t f = 0; f < count; f++) {
    double square = 0;
    for (int i = 0; i < ROOT_Q_CURVES; i++) {
      const double c = q[i * SINEW_BLOCK + (int)f];
      square += c * c;
    }
    const double off = fabs(sqrt(square) - 1);
    /* a NaN stays: nothing is larger */
    if (off > out->root_unit_off || (!isfinite(off) && !isnan(out->root_unit_off))) {
      out->root_unit_off = isfinite(off) ? off : NAN;
      out->root_unit_off_at_s = state->time_s[f];
    }
  }
  out->root_key_count += count;
}

static void measure_root(measure_state *state) {
  root_q root;
  if (!root_q_find(state->clip, &root)) return;
  uint32_t count = 0;
  while (root_q_next(&root, &state->time_s[count]))
    if (++count == SINEW_BLOCK) {
      measure_unit(state, count);
      count = 0;
    }
  if (count) measure_unit(state, count);
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static sinew_result measure(measure_state *state, arena *memory, sinew_error *error) {
  bool wanted[SINEW_PLANE_COUNT] = {false};
  for (int plane = SINEW_PLANE_ROOT_Q; plane < MUSCLE_PLANES_END; plane++) wanted[plane] = true;
  state->planes = arena_alloc(memory, (size_t)SINEW_PLANE_COUNT * SINEW_BLOCK, sizeof(float));
  state->row_scratch = arena_alloc(memory, state->clip->rows ? ROWS_SCRATCH : 0, sizeof(float));
  SINEW_CHECK(state->planes && state->row_scratch, error, SINEW_ERROR_MEMORY,
              "out of memory for a block of samples");
  SINEW_TRY(clip_segments_build(state->clip, wanted, &state->segments, error));
  measure_muscles(state);
  measure_root(state);
  clip_segments_release(&state->segments);
  return SINEW_OK;
}

sinew_result sinew_clip_measure(const sinew_context *context, const sinew_clip *clip, double rate_hz,
                                sinew_clip_ranges *ranges, sinew_error *error) {
  SINEW_CHECK(context && clip && ranges, error, SINEW_ERROR_ARGUMENT,
              "context, clip and ranges must not be NULL");
  SINEW_CHECK(!clip->body, error, SINEW_ERROR_UNSUPPORTED, "a clip of bones, expected one of muscles");
  memset(ranges, 0, sizeof *ranges);
  HEAP_SCOPE(&context->allocator);
  const double rate = rate_hz == 0 ? clip->rate_hz : rate_hz;
  SINEW_CHECK(rate > 0 && rate <= rate_limit_hz, error, SINEW_ERROR_ARGUMENT,
              "the rate is %g frames per second, expected more than 0 and at most %g", rate, rate_limit_hz);
  SINEW_CHECK((clip->stop_s - clip->start_s) * rate < (double)frame_limit - 1, error, SINEW_ERROR_LIMIT,
              "%g seconds at %g frames per second are more than the limit of %llu frames",
              clip->stop_s - clip->start_s, rate, (unsigned long long)frame_limit);
  ranges->rate_hz = rate;
  ranges->frame_count = sinew_clip_frame_count(clip, rate);
  arena memory = {0};
  measure_state state = {.kernels = context->kernels, .clip = clip, .out = ranges};
  const sinew_result result = measure(&state, &memory, error);
  arena_release(&memory);
  return result;
}
