/* Between two keys of a file: rotations along the shortest way, values along a cubic. At the keys themselves
 * their bits. */
#include "isa.h"
#include "vturn.h"

/* ---- rotations ---- */

typedef enum key_length {
  LENGTH_NEAR, /* the square of no key's length is farther than NEAR_SQUARE from 1 */
  LENGTH_ANY   /* the same bits where both may be used */
} key_length;
#define NEAR_SQUARE 0x1p-5f

/* 1 / sqrt(1 + e) up to e^4: what is left of NEAR_SQUARE is 7e-9. A root and a division for each key would be
 * most of the loop's time. */
SINEW_INLINE vquat unit_key(const float *key, key_length length, vf *farthest) {
  const vquat q = vquat_load(key);
  const vf e = vquat_dot(q, q) - v_set(1.0f);
  vf scale = v_fma(e, v_set(35.0f / 128), v_set(-5.0f / 16));
  scale = v_fma(e, scale, v_set(3.0f / 8));
  scale = v_fma(e, scale, v_set(-1.0f / 2));
  const vquat unit = vquat_scale(q, v_fma(e, scale, v_set(1.0f)));
  if (length == LENGTH_ANY)
    return vquat_select((vf)v_abs_bits(e) <= v_set(NEAR_SQUARE), unit, vquat_normalise(q));
  *farthest = v_max_abs(e, *farthest);
  return unit;
}

/* false: a key is not of `length`, and what is written is of no use. */
SINEW_INLINE int slerp_track(const float *restrict a, const float *restrict b, const float *restrict share,
                             float *restrict out, key_length length) {
  vf farthest = v_set(0.0f);
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    const vquat from = unit_key(a + f, length, &farthest), to = unit_key(b + f, length, &farthest);
    vquat_store(out + f, vquat_slerp(from, to, v_load(share + f)));
  }
  return length == LENGTH_ANY || v_signs((vf)(farthest > v_set(NEAR_SQUARE))) == 0;
}

void SINEW_KERNEL(slerp)(const float *a, const float *b, const float *share, size_t count, float *out) {
  for (size_t i = 0; i < count; i++) {
    const size_t track = i * 4 * SINEW_BLOCK, shares = i * SINEW_BLOCK;
    if (!slerp_track(a + track, b + track, share + shares, out + track, LENGTH_NEAR))
      slerp_track(a + track, b + track, share + shares, out + track, LENGTH_ANY);
  }
}

/* ---- cubics ---- */

/* What each of p0, p1, m0, m1 weighs at u; for all planes. */
typedef struct hermite_weights {
  _Alignas(64) float p0[SINEW_BLOCK], p1[SINEW_BLOCK], m0[SINEW_BLOCK], m1[SINEW_BLOCK];
} hermite_weights;

static void weigh(const float *at, hermite_weights *w) {
  const vf one = v_set(1.0f);
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    const vf u = v_load(at + f), left = one - u;
    const vf u2 = u * u, left2 = left * left;
    v_store(w->p0 + f, left2 * v_fma(v_set(2.0f), u, one));
    v_store(w->p1 + f, u2 * v_fma(v_set(2.0f), left, one));
    v_store(w->m0 + f, u * left2);
    v_store(w->m1 + f, v_neg(u2 * left));
  }
}

void SINEW_KERNEL(hermite)(const float *p0, const float *m0, const float *p1, const float *m1, const float *u,
                           size_t count, float *out) {
  hermite_weights w;
  weigh(u, &w);
  for (size_t at = 0; at < count * SINEW_BLOCK; at += SINEW_BLOCK)
    for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
      const vf first = v_load(p0 + at + f), second = v_load(p1 + at + f), here = v_load(u + f);
      const vf tangents =
          v_fma(v_load(w.m0 + f), v_load(m0 + at + f), v_load(w.m1 + f) * v_load(m1 + at + f));
      vf value = v_fma(v_load(w.p0 + f), first, v_fma(v_load(w.p1 + f), second, tangents));
      value = v_select(here == v_set(0.0f), first, value);
      v_store(out + at + f, v_select(here == v_set(1.0f), second, value));
    }
}
