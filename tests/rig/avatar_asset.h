/* What the reference editor compiled (an Avatar asset), and what it compiled from (a description), as
 * rig_description. */
#ifndef TESTS_RIG_AVATAR_ASSET_H
#define TESTS_RIG_AVATAR_ASSET_H

#include "rig/rig.h"

typedef struct avatar_axes {
  double pre[4], post[4], sgn[3], min_rad[3], max_rad[3], length;
} avatar_axes;

typedef struct avatar_asset {
  rig_description description;
  avatar_axes axes[HUMAN_BONE_COUNT];
  double mass[HUMAN_BONE_COUNT]; /* fingers: 0 */
  double scale_m;
  double root_t[3], root_q[4];
  double arm_twist, fore_arm_twist, upper_leg_twist, leg_twist, arm_stretch, leg_stretch, feet_spacing;
  bool has_translation_dof;
  const char *name;
  const char **paths; /* of each node, "" for the root */
} avatar_asset;

/* The first Avatar of a .asset or .prefab; aborts when there is none. Memory lives until the process ends.
 * Nodes stand at m_AvatarSkeletonPose; with human_pose those of the human skeleton at m_Human's
 * m_SkeletonPose, the same up to the rounding of floats, and what the editor took the axes from. */
avatar_asset *avatar_asset_load(const char *path, bool human_pose);
/* The humanDescription of a .fbx.meta. */
rig_description *avatar_meta_load(const char *path);

/* The angle between two rotations in degrees, well-conditioned near 0; neither need be of unit length. */
double quat_angle_deg(const double a[4], const double b[4]);

#endif
