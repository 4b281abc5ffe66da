/* The rules the kernels implement, in double precision and as the rules are stated: pre and post quaternions
 * apart, tangents by the C library, no folded matrices. Written for reading. The fold functions turn the same
 * descriptions into the kernels' constants, so that a check covers the folding too. */
#ifndef TESTS_KERNELS_REFERENCE_H
#define TESTS_KERNELS_REFERENCE_H

#include "kernels.h"

#include <stdbool.h>

/* ---- quaternions (x, y, z, w) ---- */

void ref_quat_mul(const double a[4], const double b[4], double out[4]);
void ref_quat_conj(const double q[4], double out[4]);
void ref_quat_normalise(double q[4]);
void ref_rotate(const double q[4], const double v[3], double out[3]);
/* The angle between two rotations whose quaternions may differ in sign. */
double ref_angle_deg(const double a[4], const double b[4]);

/* The same in radians, by tangent instead: the quaternions may be of any length, and of small and of nearly half turns it
 * loses nothing. */
double ref_apart(const double a[4], const double b[4]);

/* ---- curves ---- */

typedef struct ref_key {
  double time_s;
  double value;
  double in_slope, out_slope; /* infinite: a step */
  double in_weight, out_weight;
  bool weighted_in, weighted_out;
} ref_key;

typedef struct ref_curve {
  const ref_key *keys;
  uint32_t key_count;
  sinew_outside before, after;
} ref_curve;

/* The curve's value by Hermite's and Bezier's formulas. */
double ref_curve_value(const ref_curve *curve, double t);
/* y where the cubic Bezier with abscissae 0, x[0], x[1], 1 and ordinates y has the abscissa u. */
double ref_bezier(const double x[2], const double y[4], double u);

enum { REF_SEGMENTS = 600, REF_PADDED = REF_SEGMENTS + SINEW_SEGMENT_PADDING };

/* A curve's segments and the curve that points to them: not to be copied. */
typedef struct ref_segments {
  double start_s[REF_PADDED];
  float inv_duration[REF_PADDED];
  float c[4][REF_PADDED];
  uint8_t kind[REF_SEGMENTS];
  float x[REF_SEGMENTS][2];
  sinew_key_times times;
  sinew_curve curve;
} ref_segments;

/* `count` segments in plane 0, clamped outside, all of them 0 and cubic; the padding is NaN. */
void ref_segments_make(ref_segments *s, uint32_t count);
/* key_count at most REF_SEGMENTS */
void ref_fold_curve(const ref_curve *curve, ref_segments *out);

/* ---- muscles ---- */

typedef struct ref_bone {
  int plane[3]; /* of the x, y, z muscle; -1: none */
  double pre[4], post[4];
  double sgn[3], min_rad[3], max_rad[3];
  bool limb;         /* its twist is shared with a child */
  double share;      /* of the twist that a limb bone keeps */
  int donor;         /* the limb bone above, -1: none */
  double between[4]; /* rotation of the nodes between that bone and this one */
} ref_bone;

/* The angle about an axis, radians, before any wrapping. */
double ref_bone_angle(const ref_bone *bone, int axis, const double *value);
/* value: by plane. */
void ref_bone_local(const ref_bone *bones, int index, const double *value, double q[4]);
/* The angle of T(y, z), 0..180: how near the bone is to the half turn at which its swing is undefined. */
double ref_bone_swing_deg(const ref_bone *bone, const double *value);
void ref_fold_bone(const ref_bone *bones, int index, sinew_muscle_bone *out);

/* ---- angles ---- */

/* A BVH file's turns about its axes, first outermost, as they are once x is mirrored. */
void ref_euler(const uint8_t *axis, const double *degrees, int count, double q[4]);
/* The other way, of three turns about different axes, from the rotation's matrix. */
void ref_angles(const double q[4], const uint8_t axis[3], double degrees[3]);
/* Angles of before * local * after. Slot and planes are left 0. */
void ref_fold_angles(const double before[4], const double after[4], const uint8_t axis[3],
                     sinew_angle_joint *out);

/* ---- between keys ---- */

/* The spherical way from a to b or -b, whichever is nearer (b where both are); of any length but 0. */
void ref_slerp(const double a[4], const double b[4], double share, double q[4]);
/* The cubic through both keys; tangents times the time between them. */
double ref_hermite(double p0, double m0, double p1, double m1, double u);

/* ---- joints, body, hips ---- */

typedef struct ref_joint {
  int parent;
  double between[4];
  double offset[3];
} ref_joint;

/* position[3] and rotation[4] of every joint; joint i turns by local[i]. */
void ref_fk(const ref_joint *joints, int count, const double (*local)[4], const double root_t[3],
            double (*position)[3], double (*rotation)[4]);
/* The same where every joint has its offset of the moment; any joint may be a root (parent -1), which stands
 * at its offset and turns by between * local. */
void ref_fk_moved(const ref_joint *joints, int count, const double (*local)[4], const double (*offset)[3],
                  double (*position)[3], double (*rotation)[4]);
/* The joint as the rows of a 3x4 matrix: where it takes the axes, where it stands. */
void ref_matrix(const double position[3], const double rotation[4], double matrix[12]);

/* points: left and right upper leg, left and right upper arm, with the hips unturned; hips_rest: their T-pose
 * rotation. */
void ref_body_frame(const double points[4][3], const double hips_rest[4], double frame[4]);

typedef struct ref_hips {
  double r0[4], rest[4];
  double scale_m;
  double above_q[4], above_t[3], above_scale;
} ref_hips;

/* root_t, root_q as stored; com and frame of the pose. */
void ref_hips_place(const ref_hips *rig, const double root_t[3], const double root_q[4], const double com[3],
                    const double frame[4], double t[3], double q[4], double node_t[3], double node_q[4]);

/* ---- one skeleton's turns on another ---- */

typedef struct ref_delta_slot {
  int parent;          /* -1: none */
  int joint[2];        /* joint[0] -1: nothing moves it; joint[1] -1: joint[0] alone */
  double share;        /* of joint[1]'s turn */
  double source[2][4]; /* the source joints' rotations in T-pose */
  double stance[4];    /* the bone's own */
  double between[4], rest[4];
} ref_delta_slot;

/* rotation: of the source's joints. turned and local of every slot, the hips' local as if nothing were above
 * them. */
void ref_delta(const ref_delta_slot *slots, int count, const double (*rotation)[4], double (*turned)[4],
               double (*local)[4]);
void ref_fold_delta_slot(const ref_delta_slot *slot, sinew_delta_slot *out);

#endif
