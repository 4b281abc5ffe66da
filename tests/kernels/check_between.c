/* What lies between two keys, against the textbook's formulas in double precision. A quaternion between two
 * rounds a dozen times on its way, and half the angle of its turn is off by 1.5e-8 before that: 3e-7 in all.
 */
#include "check.h"
#include "reference.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { TRACKS = 24, TRACK = 4 * SINEW_BLOCK, VALUES = 9 };

/* ---- slerp ---- */

typedef struct slerp_run {
  guarded a, b, share, out, unit_a, unit_b, again;
  double off, length;
  bool ends, keeps_sign, apart;
  bool is_odd[TRACKS * SINEW_BLOCK]; /* far from unit */
} slerp_run;

static bool slerp_open(slerp_run *r) {
  memset(r, 0, sizeof *r);
  r->ends = r->keeps_sign = r->apart = true;
  return guarded_open(&r->a, TRACKS * TRACK) && guarded_open(&r->b, TRACKS * TRACK) &&
         guarded_open(&r->share, TRACKS * SINEW_BLOCK) && guarded_open(&r->out, TRACKS * TRACK) &&
         guarded_open(&r->unit_a, TRACKS * TRACK) && guarded_open(&r->unit_b, TRACKS * TRACK) &&
         guarded_open(&r->again, TRACKS * TRACK);
}
static bool slerp_intact(const slerp_run *r) {
  return guarded_intact(&r->a) && guarded_intact(&r->b) && guarded_intact(&r->share) &&
         guarded_intact(&r->out);
}
static void slerp_close(slerp_run *r) {
  guarded *all[] = {&r->a, &r->b, &r->share, &r->out, &r->unit_a, &r->unit_b, &r->again};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) guarded_close(all[i]);
}

static void put(float *tracks, int i, const double q[4], double length) {
  for (int c = 0; c < 4; c++)
    tracks[i / SINEW_BLOCK * TRACK + c * SINEW_BLOCK + i % SINEW_BLOCK] = (float)(q[c] * length);
}
static void get(const float *tracks, int i, double q[4]) {
  for (int c = 0; c < 4; c++)
    q[c] = (double)tracks[i / SINEW_BLOCK * TRACK + c * SINEW_BLOCK + i % SINEW_BLOCK];
}

/* Far apart, near, nearer than float32 tells, the same, opposite, nearly at right angles; of lengths as files
 * have them. */
static void make_pair(dice *d, int i, slerp_run *r) {
  static const double near[] = {0.3, 1e-2, 1e-4, 1e-7}, odd[] = {0.5, 1.02, 0.98, 1e-15, 1e-3, 3, 1e4, 1e25};
  double a[4], b[4];
  const uint32_t kind = dice_bits(d) % 8;
  const double uneven = dice_bits(d) % 2 ? 0.01 : 0;
  dice_quat(d, a);
  dice_quat(d, b);
  for (int c = 0; c < 4 && kind < 4; c++) b[c] = a[c] + dice_between(d, -1, 1) * near[kind];
  for (int c = 0; c < 4 && kind == 4; c++) b[c] = a[c];
  for (int c = 0; c < 4 && kind == 5; c++) b[c] = (c % 2 ? -a[c - 1] : a[c + 1]) + 1e-4 * a[c];
  ref_quat_normalise(b);
  for (int c = 0; c < 4 && dice_bits(d) % 2; c++) b[c] = -b[c];
  r->is_odd[i] = i / SINEW_BLOCK % 3 == 0 && dice_bits(d) % 16 == 0;
  put(r->a.values, i, a, r->is_odd[i] ? odd[dice_bits(d) % 8] : 1 + dice_between(d, -uneven, uneven));
  put(r->b.values, i, b, r->is_odd[i] ? odd[dice_bits(d) % 8] : 1 + dice_between(d, -uneven, uneven));
  r->share.values[i] = dice_bits(d) % 4 == 0 ? (float)(dice_bits(d) % 5) / 4 : (float)dice_between(d, 0, 1);
}

/* At the keys: what normalise gives, the nearer sign of b. */
static bool is_end(const slerp_run *r, int i, const double got[4]) {
  double a[4], b[4], away = 0;
  get(r->unit_a.values, i, a);
  get(r->unit_b.values, i, b);
  const double *key = r->share.values[i] == 0 ? a : b;
  for (int c = 0; c < 4; c++) away += a[c] * b[c];
  const double sign = key == b && away < 0 ? -1 : 1;
  bool same = true;
  for (int c = 0; c < 4; c++) same = same && fabs(got[c] - sign * key[c]) <= 1.2e-7;
  return same;
}

static void slerp_compare(slerp_run *r) {
  for (int i = 0; i < TRACKS * SINEW_BLOCK; i++) {
    double a[4], b[4], want[4], got[4], square = 0, length = 0;
    get(r->a.values, i, a);
    get(r->b.values, i, b);
    get(r->out.values, i, got);
    ref_slerp(a, b, (double)r->share.values[i], want);
    for (int c = 0; c < 4; c++) length += got[c] * got[c];
    for (int c = 0; c < 4; c++) square += (got[c] - want[c]) * (got[c] - want[c]);
    const double off = sqrt(square);
    r->off = off == off ? fmax(r->off, off) : INFINITY;
    r->length = fmax(r->length, fabs(sqrt(length) - 1));
    if (r->share.values[i] == 0 || r->share.values[i] == 1) r->ends = r->ends && is_end(r, i, got);
  }
}

/* The frames beside keys of odd lengths are what they are without those. */
static void slerp_without_odd(const sinew_kernels *k, slerp_run *r) {
  static const double none[4] = {0, 0, 0, 1};
  for (int i = 0; i < TRACKS * SINEW_BLOCK; i++)
    if (r->is_odd[i]) put(r->a.values, i, none, 1), put(r->b.values, i, none, 1);
  k->slerp(r->a.values, r->b.values, r->share.values, TRACKS, r->again.values);
  for (int i = 0; i < TRACKS * TRACK; i++)
    if (!r->is_odd[i / TRACK * SINEW_BLOCK + i % SINEW_BLOCK])
      r->apart = r->apart && memcmp(&r->again.values[i], &r->out.values[i], sizeof(float)) == 0;
}

/* A dot product of exactly 0, of either sign, leads to b and not to -b; a key without length is the identity.
 */
static void slerp_at_right_angles(const sinew_kernels *k, slerp_run *r) {
  for (int i = 0; i < TRACKS * SINEW_BLOCK; i++) {
    const int from = i % 4, to = (from + 1 + i / 4 % 3) % 4;
    double a[4] = {0}, b[4] = {0};
    a[from] = i % 8 < 4 ? 1 : -1, b[to] = i % 16 < 8 ? 1 : -1;
    put(r->a.values, i, a, 1);
    put(r->b.values, i, b, 1);
    r->share.values[i] = (float)(i % 5) / 4;
  }
  for (int c = 0; c < 4; c++) r->a.values[c * SINEW_BLOCK] = r->b.values[c * SINEW_BLOCK] = 0;
  k->slerp(r->a.values, r->b.values, r->share.values, TRACKS, r->out.values);
  for (int i = 0; i < TRACKS * SINEW_BLOCK; i++) {
    double a[4], b[4], got[4];
    get(r->a.values, i, a);
    get(r->b.values, i, b);
    get(r->out.values, i, got);
    const double angle = (double)r->share.values[i] * M_PI / 2;
    for (int c = 0; c < 4; c++) {
      const double want = i == 0 ? (c == 3 ? 1 : 0) : cos(angle) * a[c] + sin(angle) * b[c];
      r->keeps_sign = r->keeps_sign && fabs(got[c] - want) <= 3e-7;
    }
  }
}

void check_slerp(const sinew_kernels *k, check *c) {
  slerp_run r;
  const bool memory = slerp_open(&r);
  dice d = {47};
  for (int round = 0; round < 20 && memory; round++) {
    for (int i = 0; i < TRACKS * SINEW_BLOCK; i++) make_pair(&d, i, &r);
    memcpy(r.unit_a.values, r.a.values, TRACKS * TRACK * sizeof(float));
    memcpy(r.unit_b.values, r.b.values, TRACKS * TRACK * sizeof(float));
    k->normalise(r.unit_a.values, TRACKS);
    k->normalise(r.unit_b.values, TRACKS);
    k->slerp(r.a.values, r.b.values, r.share.values, TRACKS, r.out.values);
    slerp_compare(&r);
    slerp_without_odd(k, &r);
  }
  if (memory) slerp_at_right_angles(k, &r);
  check_that(c, memory && r.off <= 3e-7, "slerp: off by %.1e of 3e-7", r.off);
  check_that(c, memory && r.length <= 2e-7, "slerp: length off by %.1e of 2e-7", r.length);
  check_that(c, memory && r.ends, "slerp: shares of 0 and 1 give the normalised keys");
  check_that(c, memory && r.apart, "slerp: frames do not depend on each other's lengths");
  check_that(c, memory && r.keeps_sign, "slerp: at right angles leads to b");
  check_that(c, memory && slerp_intact(&r), "slerp: writes nothing beside its tracks");
  slerp_close(&r);
}

/* ---- hermite ---- */

typedef struct hermite_run {
  guarded p0, m0, p1, m1, u, out;
  double off;
  bool ends;
} hermite_run;

static bool hermite_open(hermite_run *r) {
  memset(r, 0, sizeof *r);
  r->ends = true;
  return guarded_open(&r->p0, VALUES * SINEW_BLOCK) && guarded_open(&r->m0, VALUES * SINEW_BLOCK) &&
         guarded_open(&r->p1, VALUES * SINEW_BLOCK) && guarded_open(&r->m1, VALUES * SINEW_BLOCK) &&
         guarded_open(&r->u, SINEW_BLOCK) && guarded_open(&r->out, VALUES * SINEW_BLOCK);
}
static bool hermite_intact(const hermite_run *r) {
  return guarded_intact(&r->p0) && guarded_intact(&r->m0) && guarded_intact(&r->p1) &&
         guarded_intact(&r->m1) && guarded_intact(&r->u) && guarded_intact(&r->out);
}
static void hermite_close(hermite_run *r) {
  guarded *all[] = {&r->p0, &r->m0, &r->p1, &r->m1, &r->u, &r->out};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) guarded_close(all[i]);
}

/* Off by a share of the largest of the four that are mixed. */
static void hermite_compare(hermite_run *r) {
  for (int i = 0; i < VALUES * SINEW_BLOCK; i++) {
    const float u = r->u.values[i % SINEW_BLOCK];
    const double p0 = (double)r->p0.values[i], p1 = (double)r->p1.values[i];
    const double m0 = (double)r->m0.values[i], m1 = (double)r->m1.values[i];
    const double largest = fmax(fmax(fabs(p0), fabs(p1)), fmax(fabs(m0), fabs(m1)));
    const double off = fabs((double)r->out.values[i] - ref_hermite(p0, m0, p1, m1, (double)u)) / largest;
    r->off = off == off ? fmax(r->off, off) : INFINITY;
    if (u == 0 || u == 1) {
      const float *key = u == 0 ? &r->p0.values[i] : &r->p1.values[i];
      r->ends = r->ends && memcmp(&r->out.values[i], key, sizeof(float)) == 0;
    }
  }
}

void check_hermite(const sinew_kernels *k, check *c) {
  static const float awkward[] = {0, -0.0f, 1e-40f, -1e-40f, 1e30f, FLT_MAX / 4, 1, -1};
  hermite_run r;
  const bool memory = hermite_open(&r);
  dice d = {53};
  for (int round = 0; round < 40 && memory; round++) {
    guarded *const all[] = {&r.p0, &r.m0, &r.p1, &r.m1};
    for (int i = 0; i < VALUES * SINEW_BLOCK; i++)
      for (int v = 0; v < 4; v++)
        all[v]->values[i] = (float)dice_between(&d, -1, 1) * (float)(1 << round % 12);
    for (int f = 0; f < SINEW_BLOCK; f++)
      r.u.values[f] = f % 8 == 0 ? (float)(f / 8 % 2) : (float)dice_between(&d, 0, 1);
    for (int i = 0; i < VALUES * SINEW_BLOCK; i += 8)
      r.p0.values[i] = awkward[dice_bits(&d) % 8], r.p1.values[i] = awkward[dice_bits(&d) % 8];
    k->hermite(r.p0.values, r.m0.values, r.p1.values, r.m1.values, r.u.values, VALUES, r.out.values);
    hermite_compare(&r);
  }
  check_that(c, memory && r.off <= 5e-7, "hermite: off by %.1e of 5e-7 of the largest value", r.off);
  check_that(c, memory && r.ends, "hermite: at the keys their bits");
  check_that(c, memory && hermite_intact(&r), "hermite: writes nothing beside its planes");
  hermite_close(&r);
}
