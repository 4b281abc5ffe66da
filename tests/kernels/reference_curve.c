#include "reference.h"

#include <math.h>
#include <string.h>

static const double same_time = 0x1p-22; /* kernels.h: a key this share of the time later counts as reached */

/* Where t falls among the keys: the index of the last one reached, -1 before the first. */
static int key_at(const ref_curve *curve, double t) {
  int found = -1;
  for (uint32_t i = 0; i < curve->key_count; i++)
    if (curve->keys[i].time_s <= t + fabs(t) * same_time) found = (int)i;
  return found;
}

static double fold_time(double t, double first, double last, sinew_outside rule) {
  const double span = last - first;
  const double turns = floor((t - first) / span);
  const double inside = (t - first) - turns * span;
  if (rule == SINEW_OUTSIDE_PING_PONG && fmod(turns, 2) != 0) return last - inside;
  return first + inside;
}

double ref_bezier(const double x[2], const double y[4], double u) {
  double low = 0, high = 1;
  for (int i = 0; i < 100; i++) {
    double s = (low + high) / 2, r = 1 - s;
    double at = 3 * r * r * s * x[0] + 3 * r * s * s * x[1] + s * s * s;
    if (at <= u)
      low = s;
    else
      high = s;
  }
  double s = low, r = 1 - s;
  return r * r * r * y[0] + 3 * r * r * s * y[1] + 3 * r * s * s * y[2] + s * s * s * y[3];
}

/* Between two keys, unity-anim.md B. u = 0 is the left key's own moment. */
static double between_keys(const ref_key *a, const ref_key *b, double u) {
  const double dt = b->time_s - a->time_s;
  if (a->out_slope == INFINITY || b->in_slope == INFINITY) return a->value;
  if (a->out_slope == -INFINITY) return u > 0 ? b->value : a->value;
  if (a->weighted_out || b->weighted_in) {
    const double out_weight = a->weighted_out ? a->out_weight : 1.0 / 3;
    const double in_weight = b->weighted_in ? b->in_weight : 1.0 / 3;
    const double x[2] = {out_weight, 1 - in_weight};
    const double y[4] = {a->value, a->value + out_weight * a->out_slope * dt,
                         b->value - in_weight * b->in_slope * dt, b->value};
    return ref_bezier(x, y, u);
  }
  const double u2 = u * u, u3 = u2 * u;
  return (2 * u3 - 3 * u2 + 1) * a->value + (u3 - 2 * u2 + u) * dt * a->out_slope +
         (3 * u2 - 2 * u3) * b->value + (u3 - u2) * dt * b->in_slope;
}

double ref_curve_value(const ref_curve *curve, double t) {
  const ref_key *keys = curve->keys;
  const double first = keys[0].time_s, last = keys[curve->key_count - 1].time_s;
  const bool spans = last > first;
  if (t + fabs(t) * same_time < first && curve->before != SINEW_OUTSIDE_CLAMP && spans)
    t = fold_time(t, first, last, curve->before);
  else if (t > last + fabs(last) * same_time && curve->after != SINEW_OUTSIDE_CLAMP && spans)
    t = fold_time(t, first, last, curve->after);
  int i = key_at(curve, t);
  if (i < 0) return keys[0].value;
  if (i == (int)curve->key_count - 1) return keys[i].value;
  double since = t - keys[i].time_s;
  if (fabs(since) <= fabs(t) * same_time && keys[i].out_slope == -INFINITY) since = 0;
  double u = since / (keys[i + 1].time_s - keys[i].time_s);
  return between_keys(&keys[i], &keys[i + 1], fmin(fmax(u, 0), 1));
}

void ref_segments_make(ref_segments *s, uint32_t count) {
  memset(s, 0, sizeof *s);
  for (uint32_t i = count; i < count + SINEW_SEGMENT_PADDING; i++) {
    s->start_s[i] = NAN, s->inv_duration[i] = NAN;
    for (int k = 0; k < 4; k++) s->c[k][i] = NAN;
  }
  s->times = (sinew_key_times){s->start_s, s->inv_duration, count};
  s->curve = (sinew_curve){
      .times = &s->times,
      .c = {s->c[0], s->c[1], s->c[2], s->c[3]},
      .kind = s->kind,
      .x = (const float(*)[2])s->x,
      .before = SINEW_OUTSIDE_CLAMP,
      .after = SINEW_OUTSIDE_CLAMP,
  };
}

static void fold_segment(const ref_key *a, const ref_key *b, uint32_t i, ref_segments *s) {
  const double dt = b->time_s - a->time_s, rise = b->value - a->value;
  s->inv_duration[i] = (float)(1 / dt);
  if (a->out_slope == INFINITY || b->in_slope == INFINITY) return;
  if (a->out_slope == -INFINITY) {
    s->kind[i] = SINEW_SEGMENT_JUMP;
    s->c[1][i] = (float)rise;
    return;
  }
  double first = a->out_slope * dt / 3,
         second = b->in_slope * dt / 3; /* Bezier's inner ordinates, from the ends */
  if (a->weighted_out || b->weighted_in) {
    const double out_weight = a->weighted_out ? a->out_weight : 1.0 / 3;
    const double in_weight = b->weighted_in ? b->in_weight : 1.0 / 3;
    s->kind[i] = SINEW_SEGMENT_BEZIER;
    s->x[i][0] = (float)out_weight, s->x[i][1] = (float)(1 - in_weight);
    first *= 3 * out_weight, second *= 3 * in_weight;
  }
  s->c[1][i] = (float)(3 * first);
  s->c[2][i] = (float)(3 * (rise - second - 2 * first));
  s->c[3][i] = (float)(3 * (first + second) - 2 * rise);
}

void ref_fold_curve(const ref_curve *curve, ref_segments *out) {
  ref_segments_make(out, curve->key_count);
  bool special = false;
  for (uint32_t i = 0; i < curve->key_count; i++) {
    out->start_s[i] = curve->keys[i].time_s;
    out->c[0][i] = (float)curve->keys[i].value;
    if (i + 1 < curve->key_count) fold_segment(&curve->keys[i], &curve->keys[i + 1], i, out);
    special = special || out->kind[i] != SINEW_SEGMENT_CUBIC;
  }
  if (!special) out->curve.kind = NULL, out->curve.x = NULL;
  out->curve.before = (uint8_t)curve->before, out->curve.after = (uint8_t)curve->after;
}
