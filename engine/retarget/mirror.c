#include "retarget/mirror.h"

#include "rig/human.h"

#include <string.h>

enum { AXIS_Z = 2, GOAL_CHANNELS = 7, GOAL_Q = 3, FEET = 2, FINGER_BONES = 15 };

/* The bone on the other side, the bone itself in the middle. */
static int twin_of(int bone) {
  if (bone >= HUMAN_UPPER_CHEST) return bone;
  if (bone >= HUMAN_RIGHT_THUMB_PROXIMAL) return bone - FINGER_BONES;
  if (bone >= HUMAN_LEFT_THUMB_PROXIMAL) return bone + FINGER_BONES;
  const bool legs = bone >= HUMAN_LEFT_UPPER_LEG && bone <= HUMAN_RIGHT_FOOT;
  const bool rest = bone >= HUMAN_LEFT_SHOULDER && bone <= HUMAN_RIGHT_EYE;
  if (legs || rest) return ((bone - 1) ^ 1) + 1; /* left and right alternate, left odd */
  return bone;
}

static mirror_source source_of_muscle(uint32_t muscle) {
  const human_muscle_entry *entry = &human_muscles[muscle];
  const int twin = twin_of(entry->bone);
  return (mirror_source){(uint16_t)(SINEW_PLANE_MUSCLE + human_bones[twin].muscle[entry->axis]),
                         twin == entry->bone && entry->axis != AXIS_Z};
}

static mirror_source source_of_goal(uint32_t channel) {
  static const mirror_source place[] = {{0, true}, {1, false}, {2, false}};
  static const mirror_source foot[] = {{2, false}, {3, false}, {0, false}, {1, false}};
  static const mirror_source hand[] = {{1, true}, {0, true}, {3, false}, {2, false}};
  const uint32_t goal = channel / GOAL_CHANNELS, part = channel % GOAL_CHANNELS;
  mirror_source source = part < GOAL_Q ? place[part] : (goal < FEET ? foot : hand)[part - GOAL_Q];
  source.plane =
      (uint16_t)(SINEW_PLANE_GOAL + (goal ^ 1) * GOAL_CHANNELS + source.plane + (part < GOAL_Q ? 0 : GOAL_Q));
  return source;
}

mirror_source mirror_source_of(uint32_t plane) {
  if (plane >= SINEW_PLANE_GOAL) return source_of_goal(plane - SINEW_PLANE_GOAL);
  if (plane >= SINEW_PLANE_MUSCLE) return source_of_muscle(plane - SINEW_PLANE_MUSCLE);
  return (mirror_source){(uint16_t)plane, plane == SINEW_PLANE_ROOT_T || plane == SINEW_PLANE_ROOT_Q + 1 ||
                                              plane == SINEW_PLANE_ROOT_Q + 2};
}

static void move(const float *from, bool negated, float *to) {
  for (int f = 0; f < SINEW_BLOCK; f++) {
    uint32_t bits;
    memcpy(&bits, &from[f], sizeof bits);
    bits ^= negated ? UINT32_C(1) << 31 : 0;
    memcpy(&to[f], &bits, sizeof bits);
  }
}

void mirror_planes(const float *in, float *out) {
  for (uint32_t plane = 0; plane < SINEW_PLANE_COUNT; plane++) {
    const mirror_source source = mirror_source_of(plane);
    float kept[SINEW_BLOCK];
    if (source.plane < plane) continue; /* swapped already */
    memcpy(kept, in + (size_t)plane * SINEW_BLOCK, sizeof kept);
    move(in + (size_t)source.plane * SINEW_BLOCK, source.negated, out + (size_t)plane * SINEW_BLOCK);
    if (source.plane > plane) move(kept, source.negated, out + (size_t)source.plane * SINEW_BLOCK);
  }
}
