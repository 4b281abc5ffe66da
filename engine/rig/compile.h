/* The avatar compiler's inside: its stages, in the order rig_compile runs them. All work on the rig under
 * construction; everything they report goes to rig_warn or to `error`. */
#ifndef SINEW_RIG_COMPILE_H
#define SINEW_RIG_COMPILE_H

#include "rig/rig.h"

/* The T-pose of every node in root space. Valid once scales are folded: then every node above a human bone
 * has one scale factor for all axes, and `scale` is the product of these factors down to and including the
 * node itself. */
typedef struct rig_pose {
  double (*t)[3];
  double (*q)[4];
  double *scale;
} rig_pose;

/* Checks the human map: the 15 required bones, one bone per node, the chains of a humanoid. Bones that cannot
 * be used (UpperChest without Chest, a finger bone without the one before it) are taken off the map with a
 * warning. */
sinew_result rig_check_hierarchy(sinew_rig *rig, sinew_error *error);

/* true when `above` lies on the way from `node` to its root, the node itself excluded. */
bool rig_is_above(const sinew_rig *rig, int32_t above, int32_t node);
/* The nearest present bone by the full humanoid's parents, -1 above the hips. */
int rig_table_parent(const sinew_rig *rig, int bone);
/* true for a bone that means nothing without the one before it, which is missing: UpperChest without Chest, a finger
 * bone without the one it hangs from. */
bool rig_is_orphan(const int32_t node_of_bone[HUMAN_BONE_COUNT], int bone);
/* The nearest human bone among the nodes above a bone's node, -1 when there is none. */
int rig_nearest_bone_above(const sinew_rig *rig, int bone);

/* Makes the scale of every node above a human bone one factor: what is not goes down to the node's children,
 * shear included, so that every origin is the product of the description's whole matrices. tpose_hips_t, another
 * translation of the hips, is folded as theirs is; NULL: there is none. */
sinew_result rig_fold_scales(sinew_rig *rig, double *tpose_hips_t, arena *scratch, sinew_error *error);

sinew_result rig_pose_alloc(const sinew_rig *rig, arena *scratch, rig_pose *pose, sinew_error *error);
/* Fills a pose allocated by the caller; false when a position or a scale leaves the range that can be
 * computed with (then *bad is the node). */
bool rig_pose_compute(const sinew_rig *rig, rig_pose *pose, uint32_t *bad);

/* Lowest foot or toe to head along Y. */
double rig_chain_height(const sinew_rig *rig, const rig_pose *pose);
/* The metres per unit that make a body of this height human-sized; 1 where it is so already. */
double rig_infer_unit(double height);

/* Puts the nodes of the human bones in the T-pose that stands apart from their rest; rest_q, of all nodes, and
 * rest_hips_t receive the rest. rig_leave_tpose puts them back, in metres. */
void rig_enter_tpose(sinew_rig *rig, const double (*tpose_q)[4], const double *tpose_hips_t,
                     double (*rest_q)[4], double rest_hips_t[3]);
void rig_leave_tpose(sinew_rig *rig, const double (*rest_q)[4], const double rest_hips_t[3]);

/* Parents, nodes in between, offsets and local rotations of the human skeleton. */
void rig_build_skeleton(sinew_rig *rig, const rig_pose *pose);
/* The muscle referentials and limits; limits[bone] as the description has them. */
void rig_build_axes(sinew_rig *rig, const rig_pose *pose, const rig_limit *limits);
/* Masses, centre of mass, body frame. Errors: RIG where the T-pose has no body frame. */
sinew_result rig_build_body(sinew_rig *rig, const rig_pose *pose, sinew_error *error);

/* The shares of twist that each bone keeps, from the four of the limbs. */
void rig_set_shares(sinew_rig *rig);
/* A missing bone's mass goes to the nearest mapped bone above it; the sum becomes 1. */
void rig_pass_masses(sinew_rig *rig);
/* Errors: MEMORY. */
sinew_result rig_set_hash(sinew_rig *rig, sinew_error *error);

/* Before the unit is applied: puts the nodes of the human skeleton in its T-pose. `pose` is that of the nodes
 * as they are, in the file's unit; rest_q, of all nodes, receives the rotations that the output rests with.
 */
void rig_take_human_pose(sinew_rig *rig, const rig_compiled *compiled, const rig_pose *pose,
                         double (*rest_q)[4]);
/* In place of rig_build_axes and rig_build_body; `pose` is the T-pose in metres. Gives the nodes their
 * rest_q. Errors: RIG. */
sinew_result rig_take_compiled(sinew_rig *rig, const rig_compiled *compiled, const rig_pose *pose,
                               double (*rest_q)[4], sinew_error *error);

/* A node's name fit for a message, in one of a few static-size buffers of the caller. */
typedef struct rig_label {
  char text[64];
} rig_label;
rig_label rig_node_label(const sinew_rig *rig, int32_t node);

#endif
