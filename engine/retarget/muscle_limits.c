#include "retarget/muscle_limits.h"

#include <string.h>

/* What rounding leaves of a muscle at the end of its range does not count. */
static const float most_unseen = 1 + 1e-6f;

/* The largest |value|. Bits of numbers of one sign are in the order of the numbers, and integers the compiler
 * takes several at a time. */
static float largest_of(const float *plane, uint32_t frames) {
  int32_t most = 0;
  float largest;
  for (uint32_t f = 0; f < frames; f++) {
    int32_t bits;
    memcpy(&bits, &plane[f], sizeof bits);
    bits &= INT32_MAX;
    most = bits > most ? bits : most;
  }
  memcpy(&largest, &most, sizeof largest);
  return largest;
}

/* The bits of frames in which a muscle lies beyond. */
static uint64_t frames_beyond(const float *plane, uint32_t frames) {
  uint64_t beyond = 0;
  for (uint32_t f = 0; f < frames; f++)
    beyond |= (uint64_t)(plane[f] > most_unseen || plane[f] < -most_unseen) << f;
  return beyond;
}

static void hold(float *plane) {
  for (int f = 0; f < SINEW_BLOCK; f++) {
    const float held = plane[f] < -1 ? -1 : plane[f];
    plane[f] = held > 1 ? 1 : held;
  }
}

void limits_apply(float *planes, uint32_t frames, bool clamp, limit_findings *findings) {
  uint64_t any = 0;
  for (uint32_t muscle = 0; muscle < SINEW_MUSCLE_COUNT; muscle++) {
    float *plane = planes + (size_t)(SINEW_PLANE_MUSCLE + muscle) * SINEW_BLOCK;
    if (findings) {
      const float largest = largest_of(plane, frames);
      const uint64_t beyond = largest > most_unseen ? frames_beyond(plane, frames) : 0;
      if (largest > findings->largest[muscle]) findings->largest[muscle] = largest;
      findings->frames_beyond[muscle] += (uint64_t)__builtin_popcountll(beyond);
      any |= beyond;
    }
    if (clamp) hold(plane);
  }
  if (findings) findings->any_beyond += (uint64_t)__builtin_popcountll(any);
}

void limit_findings_merge(limit_findings *into, const limit_findings *from) {
  for (uint32_t muscle = 0; muscle < SINEW_MUSCLE_COUNT; muscle++) {
    into->frames_beyond[muscle] += from->frames_beyond[muscle];
    if (from->largest[muscle] > into->largest[muscle]) into->largest[muscle] = from->largest[muscle];
  }
  into->any_beyond += from->any_beyond;
}
