/* Bones to muscles in double precision, step by step as the rule is stated: rotations in their own frames,
 * angles by the C library, a limb in the frame of the re-posed bone above. Written for reading, beside
 * reference.h. */
#ifndef TESTS_KERNELS_REFERENCE_INVERSE_H
#define TESTS_KERNELS_REFERENCE_INVERSE_H

#include "reference.h"

typedef struct ref_inverse_bone {
  int parent; /* its human parent among the bones, -1: none */
  double pre[4], post[4];
  double mid[4];    /* rotation of the nodes between the parent and it */
  double offset[3]; /* its place in the parent's frame */
  double sgn[3], min_rad[3], max_rad[3];
  int plane[3]; /* of the x, y, z muscle; -1: none */
} ref_inverse_bone;

typedef struct ref_inverse_limb {
  int bone[3]; /* upper, lower, end */
  bool is_arm;
  double share; /* of its twist that the upper bone keeps */
} ref_inverse_limb;

typedef struct ref_inverse_body {
  int bone_count; /* bone 0 is the hips: not read */
  const ref_inverse_bone *bones;
  ref_inverse_limb limb[4]; /* left leg, right leg, left arm, right arm */
  bool exact;               /* hands and feet land; else as the reference editor */
} ref_inverse_body;

/* How the editor's rule went through a limb. */
typedef struct ref_inverse_steps {
  int hinge, end; /* corrections made */
  /* the least | |angle| / 0.1 degrees - 1 | of those that were compared with it; landing: how far the hinge
   * is from the end of its way, 0..1, where its angle follows from the hand's distance with infinite slope */
  double closest;
} ref_inverse_steps;

/* turn: each bone's rotation from its human parent's, mid included -> planes, by number; those of no bone
 * stay. steps: one a limb, may be NULL. */
void ref_inverse(const ref_inverse_body *body, const double (*turn)[4], double *planes,
                 ref_inverse_steps *steps);
/* The constants of the kernel; bones [bone_count]. */
void ref_fold_inverse(const ref_inverse_body *body, sinew_inverse_bone *bones, sinew_inverse_rig *rig);

/* RootT and RootQ: the other way round than ref_hips_place. */
void ref_root(const ref_hips *rig, const double com[3], const double frame[4], const double hips_t[3],
              const double hips_q[4], double root_t[3], double root_q[4]);
/* The goal of an end at t, q in the hips' frame: T over the scale, Q. */
void ref_goal(const ref_hips *rig, const double post[4], double axis_m, const double com[3],
              const double frame[4], const double t[3], const double q[4], double goal_t[3],
              double goal_q[4]);

#endif
