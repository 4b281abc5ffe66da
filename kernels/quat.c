/* Quaternion tracks: unit length, and one half-space for neighbouring frames. */
#include "isa.h"
#include "vquat.h"

void SINEW_KERNEL(normalise)(float *quats, size_t count) {
  for (size_t i = 0; i < count; i++, quats += 4 * SINEW_BLOCK)
    for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH)
      vquat_store(quats + f, vquat_normalise(vquat_load(quats + f)));
}

/* The lanes of the frames before f..; frame 0 stands before itself. */
SINEW_INLINE vf load_before(const float *plane, int f) {
  if (f > 0) return v_load(plane + f - 1);
  float shifted[SINEW_WIDTH];
  shifted[0] = plane[0];
  for (int i = 1; i < SINEW_WIDTH; i++) shifted[i] = plane[i - 1];
  return v_load(shifted);
}
SINEW_INLINE vquat quat_before(const float *quat, int f) {
  return (vquat){load_before(quat, f), load_before(quat + SINEW_BLOCK, f),
                 load_before(quat + 2 * SINEW_BLOCK, f), load_before(quat + 3 * SINEW_BLOCK, f)};
}

/* Bit f of the result: the exclusive or of bits 0..f. */
static uint64_t prefix_xor(uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

/* Frame f is negated when an odd number of sign changes lies up to it. */
void SINEW_KERNEL(signs)(const float *quats, size_t count, uint64_t *flips) {
  for (size_t i = 0; i < count; i++, quats += 4 * SINEW_BLOCK) {
    uint64_t changes = 0;
    for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
      vi apart = vquat_dot(vquat_load(quats + f), quat_before(quats, f)) < v_set(0.0f);
      changes |= (uint64_t)v_signs((vf)apart) << f;
    }
    flips[i] = prefix_xor(changes);
  }
}
