#include "measure/operations.h"

enum {
  HALF_ANGLE = 2, /* muscle times limit; compared with the tangent's reach, past which few clips go */
  HALF_TANGENT = 6,
  ROTATE_ADD = 15, /* a vector by a quaternion, added to another: vquat.h */
  QUATERNION_PRODUCT = 16
};

/* A rotation up to its length from (sine, cosine) pairs of the axes a bone has, and how many of its x, y, z
 * can be other than 0. */
static int inner_operations(int x, int y, int z, int *parts) {
  int count = (x + y + z) * (HALF_ANGLE + HALF_TANGENT) + x; /* the share of its twist that a bone keeps */
  if (y && z) count += 3;
  if (x && y && z)
    count += 2 + 4;
  else if (x && (y || z))
    count += 2 + 2;
  *parts = x ? (y || z ? 3 : 1) : y + z;
  return count;
}

static int bone_operations(const sinew_muscle_bone *bone) {
  const int x = bone->plane[0] >= 0, y = bone->plane[1] >= 0, z = bone->plane[2] >= 0;
  const int receives = bone->donor_plane >= 0;
  if (!x && !y && !z && !receives) return 0;
  int parts;
  int count = inner_operations(x, y, z, &parts);
  const int components = parts + 1;
  count += components;     /* the square of its length */
  count += components;     /* scaled to unit length */
  count += 4 * components; /* pre and post: a constant matrix */
  if (receives)
    count += HALF_ANGLE + 1 + HALF_TANGENT + 2 + 1 /* the twist, its square, into the length */
             + 4 * components + 4 * 2;             /* the matrix that goes with its sine; the two joined */
  return count;
}

double operations_of_muscle(const sinew_muscle_rig *rig) {
  int count = 0;
  for (uint32_t b = 0; b < rig->bone_count; b++) count += bone_operations(&rig->bones[b]);
  return count;
}

double operations_of_fk(const sinew_fk_rig *rig) {
  int count = 0;
  for (uint32_t j = 0; j < rig->joint_count; j++) {
    const sinew_fk_joint *joint = &rig->joints[j];
    if (joint->parent < 0) continue;
    count += ROTATE_ADD;
    if (!joint->rotation_unused) count += QUATERNION_PRODUCT * (joint->has_between ? 2 : 1);
  }
  return count;
}
