/* Quaternion tracks, packing and the largest value: exact, but for the normalisation's last bits. */
#include "check.h"
#include "reference.h"

#include <math.h>
#include <string.h>

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

void check_normalise(const sinew_kernels *k, check *c) {
  enum { COUNT = 9 };
  static const float sizes[COUNT] = {1, 1e-3f, 1e3f, 1e-15f, 1e15f, 1e-17f, 3e37f, 1e-20f, 0};
  _Alignas(64) float before[COUNT * 4 * SINEW_BLOCK];
  guarded quats;
  dice d = {19};
  double worst = 0;
  if (!guarded_open(&quats, COUNT * 4 * SINEW_BLOCK)) {
    check_that(c, false, "normalise: no memory");
    return;
  }
  for (int i = 0; i < COUNT * 4 * SINEW_BLOCK; i++)
    before[i] = (float)dice_between(&d, 0.5, 1) * sizes[i / (4 * SINEW_BLOCK)] * (dice_bits(&d) & 1 ? 1 : -1);
  memcpy(quats.values, before, sizeof before);
  k->normalise(quats.values, COUNT);
  for (int i = 0; i < COUNT; i++)
    for (int f = 0; f < SINEW_BLOCK; f++) {
      double want[4], apart = 0;
      for (int q = 0; q < 4; q++) want[q] = (double)before[(i * 4 + q) * SINEW_BLOCK + f];
      ref_quat_normalise(want);
      for (int q = 0; q < 4; q++)
        apart = fmax(apart, fabs(want[q] - (double)quats.values[(i * 4 + q) * SINEW_BLOCK + f]));
      worst = apart == apart ? fmax(worst, apart) : INFINITY;
    }
  check_that(c, worst <= 2e-7, "normalise: components off by %.1e of 2e-7", worst);
  check_that(c, guarded_intact(&quats), "normalise: writes nothing beside its planes");
  guarded_close(&quats);
}

/* Frame after frame: negate where the dot product with the frame before, as already negated, is negative. */
static uint64_t signs_by_walking(const float *quat) {
  uint64_t flips = 0;
  int flipped = 0;
  for (int f = 1; f < SINEW_BLOCK; f++) {
    double dot = 0;
    for (int q = 0; q < 4; q++)
      dot += (double)quat[q * SINEW_BLOCK + f] * (double)quat[q * SINEW_BLOCK + f - 1];
    if (dot < 0) flipped = !flipped;
    if (flipped) flips |= (uint64_t)1 << f;
  }
  return flips;
}

void check_signs(const sinew_kernels *k, check *c) {
  enum { COUNT = 40 };
  guarded quats;
  uint64_t flips[COUNT];
  dice d = {23};
  bool equal = true, perpendicular = true;
  if (!guarded_open(&quats, COUNT * 4 * SINEW_BLOCK)) {
    check_that(c, false, "signs: no memory");
    return;
  }
  for (int i = 0; i < COUNT; i++)
    for (int f = 0; f < SINEW_BLOCK; f++) {
      double q[4];
      dice_quat(&d, q);
      if (i % 4 == 3)
        q[0] = q[1] = q[2] = q[3] = dice_bits(&d) & 1 ? 0.5 : -0.5; /* a held rotation, its sign unsteady */
      for (int s = 0; s < 4; s++) quats.values[(i * 4 + s) * SINEW_BLOCK + f] = (float)q[s];
    }
  k->signs(quats.values, COUNT, flips);
  for (int i = 0; i < COUNT; i++)
    equal = equal && flips[i] == signs_by_walking(quats.values + i * 4 * SINEW_BLOCK);
  for (int i = 0; i < 4 * SINEW_BLOCK; i++) /* neighbours at right angles: dot products of 0 and -0 */
    quats.values[i] = i / SINEW_BLOCK == i % SINEW_BLOCK % 4 ? (dice_bits(&d) & 1 ? 1.0f : -1.0f) : -0.0f;
  k->signs(quats.values, 1, flips);
  perpendicular = flips[0] == 0;
  check_that(c, equal, "signs: as walking frame by frame");
  check_that(c, perpendicular, "signs: a dot product of 0 keeps the sign");
  check_that(c, guarded_intact(&quats), "signs: writes nothing beside its planes");
  guarded_close(&quats);
}

static float random_bits(dice *d) {
  uint32_t bits = dice_bits(d);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Any bits at all: packing moves them and turns sign bits, no more. */
static bool pack_quat_is_exact(const sinew_kernels *k, dice *d, guarded *out) {
  _Alignas(64) float quat[4 * SINEW_BLOCK];
  for (int i = 0; i < 4 * SINEW_BLOCK; i++) quat[i] = random_bits(d);
  uint64_t flips = (uint64_t)dice_bits(d) << 32;
  flips |= dice_bits(d);
  k->pack_quat(quat, flips, out->values);
  for (int f = 0; f < SINEW_BLOCK; f++)
    for (int q = 0; q < 4; q++) {
      const bool mirrored = q == 1 || q == 2, flipped = flips >> f & 1;
      const uint32_t want = bits_of(quat[q * SINEW_BLOCK + f]) ^ (mirrored != flipped ? 0x80000000u : 0);
      if (bits_of(out->values[f * 4 + q]) != want) return false;
    }
  return true;
}
/* Unit components, the ends and the ties between neighbours among them. Fused, the rounding is exact; apart,
 * the product's own may take a value to the other side of a tie. Returns the largest distance from 32767
 * times the component beyond the half that rounding costs. */
static double pack_quat16_excess(const sinew_kernels *k, dice *d, guarded *out, bool *exact) {
  _Alignas(64) float quat[4 * SINEW_BLOCK];
  static const float ends[] = {0, -0.0f, 1, -1, 1.0000001f, -1.0000001f, 0.5f, -0.5f};
  for (int i = 0; i < 4 * SINEW_BLOCK; i++) {
    const uint32_t roll = dice_bits(d);
    quat[i] = (float)dice_between(d, -1, 1);
    if (roll % 4 == 0) quat[i] = ends[roll / 4 % 8];
    if (roll % 4 == 1) quat[i] = (float)((floor(dice_between(d, -32767, 32766)) + 0.5) / 32767);
  }
  uint64_t flips = (uint64_t)dice_bits(d) << 32;
  flips |= dice_bits(d);
  k->pack_quat16(quat, flips, (int16_t *)(void *)out->values);
  double worst = 0;
  for (int f = 0; f < SINEW_BLOCK; f++)
    for (int q = 0; q < 4; q++) {
      const bool mirrored = q == 1 || q == 2, flipped = flips >> f & 1;
      const double value = (double)quat[q * SINEW_BLOCK + f] * (mirrored != flipped ? -32767 : 32767);
      int16_t got;
      memcpy(&got, (const char *)out->values + (f * 4 + q) * sizeof got, sizeof got);
      *exact = *exact && got == nearbyint(value);
      worst = fmax(worst, fabs(got - value) - 0.5);
    }
  return worst;
}
/* Not a rotation: still no value outside the format's range. */
static bool pack_quat16_limits(const sinew_kernels *k, guarded *out) {
  _Alignas(64) float quat[4 * SINEW_BLOCK];
  static const float beyond[] = {2, -2, INFINITY, -INFINITY, 3e38f, -3e38f, NAN, -NAN};
  for (int i = 0; i < 4 * SINEW_BLOCK; i++) quat[i] = beyond[i % 8];
  k->pack_quat16(quat, 0, (int16_t *)(void *)out->values);
  for (int i = 0; i < 4 * SINEW_BLOCK; i++) {
    int16_t got;
    memcpy(&got, (const char *)out->values + i * (int)sizeof got, sizeof got);
    const float value = quat[i % 4 * SINEW_BLOCK + i / 4] * (i % 4 == 1 || i % 4 == 2 ? -1 : 1);
    if (got != (value > 0 ? 32767 : -32767)) return false;
  }
  return true;
}
static bool pack_vec3_is_exact(const sinew_kernels *k, dice *d, guarded *out) {
  _Alignas(64) float planes[3 * SINEW_BLOCK];
  for (int i = 0; i < 3 * SINEW_BLOCK; i++) planes[i] = random_bits(d);
  k->pack_vec3(planes, out->values);
  for (int f = 0; f < SINEW_BLOCK; f++)
    for (int v = 0; v < 3; v++)
      if (bits_of(out->values[f * 3 + v]) !=
          (bits_of(planes[v * SINEW_BLOCK + f]) ^ (v == 0 ? 0x80000000u : 0)))
        return false;
  return true;
}

void check_pack(const sinew_kernels *k, check *c) {
  guarded quats = {0}, vectors = {0};
  const bool memory = guarded_open(&quats, 4 * SINEW_BLOCK) && guarded_open(&vectors, 3 * SINEW_BLOCK);
  bool quat = memory, vec3 = memory, quat16 = memory;
  double excess = 0;
  dice d = {29};
  for (int i = 0; i < 50 && memory; i++) {
    quat = quat && pack_quat_is_exact(k, &d, &quats);
    vec3 = vec3 && pack_vec3_is_exact(k, &d, &vectors);
  }
  const bool others_intact = memory && guarded_intact(&quats);
  guarded_close(&quats);
  const bool memory16 = guarded_open(&quats, 2 * SINEW_BLOCK);
  for (int i = 0; i < 50 && memory16; i++) excess = fmax(excess, pack_quat16_excess(k, &d, &quats, &quat16));
  check_that(c, quat, "pack: rotations, bit for bit");
  check_that(c, vec3, "pack: translations, bit for bit");
  if (strcmp(k->profile, "fma") == 0)
    check_that(c, memory16 && quat16, "pack: rotations of 16 bits, exactly rounded");
  check_that(c, memory16 && excess <= 2e-3, "pack: rotations of 16 bits: %.1e of 2e-3 beyond half a step",
             excess);
  check_that(c, memory16 && pack_quat16_limits(k, &quats), "pack: rotations of 16 bits stay in range");
  check_that(c, others_intact && memory16 && guarded_intact(&quats) && guarded_intact(&vectors),
             "pack: writes nothing beside its values");
  guarded_close(&quats);
  guarded_close(&vectors);
}

void check_absmax(const sinew_kernels *k, check *c) {
  enum { COUNT = 70 };
  _Alignas(64) float planes[COUNT * SINEW_BLOCK];
  uint32_t bits[COUNT + 1];
  dice d = {31};
  bool equal = true;
  for (int i = 0; i < COUNT * SINEW_BLOCK; i++) planes[i] = (float)dice_between(&d, -1, 1);
  for (int p = 0; p < SINEW_BLOCK;
       p++) { /* one lane each above all others, of either sign; some not finite */
    static const float peaks[4] = {-2, 3, -INFINITY, NAN};
    planes[p * SINEW_BLOCK + p] = peaks[p % 4];
    if (p % 4 == 3) planes[p * SINEW_BLOCK + (p + 1) % SINEW_BLOCK] = INFINITY;
  }
  bits[COUNT] = 0xdeadbeefu;
  k->absmax(planes, COUNT, bits);
  for (int p = 0; p < COUNT; p++) {
    uint32_t want = 0;
    for (int f = 0; f < SINEW_BLOCK; f++) {
      const uint32_t magnitude = bits_of(planes[p * SINEW_BLOCK + f]) & 0x7fffffffu;
      if (magnitude > want) want = magnitude;
    }
    equal = equal && bits[p] == want;
  }
  check_that(c, equal, "absmax: bit for bit, NaN above infinity above numbers");
  check_that(c, bits[COUNT] == 0xdeadbeefu, "absmax: writes one value per plane");
}
