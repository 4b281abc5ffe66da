/* The stance of a figure: the T-pose that muscle axes and deltas are measured from, found by turning limbs
 * straight; which way the file's body stands and faces; its unit and its ground. All from what is measured:
 * the names of nodes play no part.
 *
 * The base pose. A glTF's is its nodes', or its skin's bind pose where that is nearer to a stance. A BVH's is
 * its rest; one that is none (head below hips, limbs of no length, folded or crossed) yields to the frame
 * that is nearest to a stance, and what is written rests in the T-pose found from it.
 *
 * The frame. Body frame: right-handed, Y up, facing +Z, the left at +X. Up is from the feet over the hips to
 * the head, left from the mapped sides; a body within 20 degrees of an axis-aligned one counts as that one,
 * so that a small lean of the stance stays what it is, and any other is measured exactly, which is said. The
 * up axis of a BVH is that of its movement; of a frame the yaw is no property of the file: the body is turned
 * to face +Z instead.
 *
 * The T-pose, parents first. A bone whose direction is off by less than what is kept stays as it is; one
 * further off is turned, by the shortest way, exactly to where it belongs: trunk and neck up, 30 degrees kept
 * (a spine's curve is no stance); shoulder along X, 60 (collar bones slope as they are built); upper arm,
 * lower arm, upper and lower leg 5; hand and fingers 10; thumb (half way between X and Z) 15; foot 10, about
 * the vertical, its slope being its build Feet and head keep the rotation that they have in the base pose
 * when what they hang from is turned. The palms' way down is measured from the fingers' spread, and put right
 * in the lower arm, 15 degrees kept. */
#ifndef SINEW_STANCE_STANCE_H
#define SINEW_STANCE_STANCE_H

#include "clip/motion.h"

enum { STANCE_WARNING_LIMIT = 32 };

typedef struct stance_options {
  int64_t frame; /* of motions[0], from 0, whose limbs are the T-pose's as they are; -1: found */
  double unit_m; /* metres per unit, 0: as the format says, else inferred */
} stance_options;

typedef enum stance_origin { STANCE_REST, STANCE_BIND, STANCE_FRAME } stance_origin;

typedef struct stance {
  arena memory;
  uint32_t node_count;
  /* what the output rests with, local: the file's own; of a BVH the hips stand on the ground, and the
   * T-pose stands in for a rest that is no stance */
  double (*rest_t)[3], (*rest_q)[4], (*rest_s)[3];
  double (*tpose_q)[4];   /* local; nodes that are no human bones as at rest */
  double tpose_hips_t[3]; /* local translation of the hips there */
  double align_q[4];      /* body = align * file */
  double unit_m;
  bool unit_inferred;
  double
      ground_m; /* height of the ground in the body frame, metres: 0 where the lowest joint of the rest (BVH:
                   of the movement) is within 20 % of the reach of 0; the T-pose stands on 0 in any case */
  double reach_m; /* hips to the lowest foot or toe joint, in T-pose */
  stance_origin origin;
  uint64_t frame;                    /* STANCE_FRAME's, of motions[0] */
  double turn_deg[HUMAN_BONE_COUNT]; /* from the base pose to tpose_q */
  const char *warnings[STANCE_WARNING_LIMIT];
  uint32_t warning_count;
} stance;

/* Of the reach: a lowest foot nearer to 0 than this stands on it. */
static const double stance_ground_share = 0.2;

/* node_of_bone: the human map. options NULL: all found. Errors: RIG where the body cannot be measured or a
 * bone is missing, ARGUMENT (no such frame, a unit out of range), MEMORY; the stance is empty then. */
sinew_result stance_find(const skeleton *s, const int32_t node_of_bone[HUMAN_BONE_COUNT],
                         const motion *motions, uint32_t motion_count, const stance_options *options,
                         stance *out, sinew_error *error);
void stance_release(stance *s);

/* The shortest turn, in Unity's frame, that brings the up axis of a file to y; false, and the identity, where
 * it is there: in a glTF always, by its format. */
bool stance_up(const stance *found, const skeleton *s, double up[4]);

void stance_warn(stance *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
