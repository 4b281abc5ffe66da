/* Between two keys of a file: rotations along the shortest way, values along a cubic. At the keys themselves
 * their bits. */
#include "isa.h"
#include "vturn.h"

void SINEW_KERNEL(slerp)(const float *a, const float *b, const float *share, size_t count, float *out) {
  for (size_t i = 0; i < count; i++) {
    for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
      const vquat from = vquat_normalise(vquat_load(a + f)), to = vquat_normalise(vquat_load(b + f));
      vquat_store(out + f, vquat_slerp(from, to, v_load(share + f)));
    }
    a += 4 * SINEW_BLOCK, b += 4 * SINEW_BLOCK, out += 4 * SINEW_BLOCK, share += SINEW_BLOCK;
  }
}

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
