/* A clip's mirror: the same movement with left and right swapped, as muscles, root and goals say it. Nothing
 * of a rig is needed, for the axes of a bone and of its twin are mirror images but for a half turn that the
 * signs of their muscles undo (avatar.md 2, 4, 5): limbs, eyes and fingers swap sides as they are, and of the
 * bones in the middle the muscles about x and y (twist, left-right) change sign, those about z (front-back,
 * down-up, the jaw's close) do not.
 *
 * RootT changes the sign of x. RootQ and the goals' rotations, as every rotation, that of y and z; a goal's
 * rotation holds the bone's axes too (humanoid.md 7: q * post), so the half turn stays: with a foot's about
 * y, with a hand's about z, foot (x, y, z, w) -> (z, w, x, y)      hand (x, y, z, w) -> (-y, -x, w, z) of the
 * other side's. Their places change sides and the sign of x.
 *
 * On a body that is its own mirror image the mirrored clip is the mirrored movement, but for two things: the
 * reference's centre of mass counts the left lower arm from the shoulder end (humanoid.md 6), so the whole
 * body stands by up to some millimetres elsewhere; and where a middle bone's range is not the same both ways,
 * neither is what it does.
 */
#ifndef SINEW_RETARGET_MIRROR_H
#define SINEW_RETARGET_MIRROR_H

#include "kernels.h"

#include <stdbool.h>

typedef struct mirror_source {
  uint16_t plane; /* what is mirrored into a plane */
  bool negated;
} mirror_source;

/* plane < SINEW_PLANE_COUNT. Its own inverse: the source's source is the plane, negated if the source is. */
mirror_source mirror_source_of(uint32_t plane);

/* in [SINEW_PLANE_COUNT][64], as sampled or computed -> out, which may be `in` and else does not overlap it.
 * Bits are moved and signs flipped, nothing is rounded: mirrored twice it is as it was, bit for bit. Each
 * frame for itself, in any order, by any thread. Planes without a curve: muscles stay 0 (of either sign). The
 * root that stands for a missing one (the T-pose's, as a rig has it) is set after mirroring, so that the body
 * stands where it would; goals without curves are the identity and are left out of what is written, before
 * mirroring as after it. */
void mirror_planes(const float *in, float *out);

#endif
