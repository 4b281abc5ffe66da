/* The kernels: one table of function pointers per instruction set, and the constants they read.
 *
 * A lane is a frame. Every kernel works on one block of 64 frames laid out in planes: a plane is 64 consecutive
 * floats (one channel of one block), aligned to 64 bytes. There are no tails: a block that holds fewer frames
 * repeats its last one. Nothing allocates, nothing is global, no arithmetic crosses lanes, so every width gives the
 * same bytes. Two profiles exist: "fma" (avx512, avx2, neon, scalar: one set of bytes) and "nofma" (sse4:
 * multiply and add are rounded apart; the same accuracy, other last bits).
 *
 * Everything here is in Unity's frame unless said otherwise. Quaternion planes come in the order x, y, z, w.
 */
#ifndef SINEW_KERNELS_H
#define SINEW_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SINEW_BLOCK = 64 }; /* frames per block, floats per plane */

/* Planes of the sampled clip: [SINEW_PLANE_COUNT][64]. */
enum {
  SINEW_PLANE_ROOT_T = 0, /* 3: centre of mass over human scale */
  SINEW_PLANE_ROOT_Q = 3, /* 4: body frame relative to the rig's */
  SINEW_PLANE_MUSCLE = 7, /* 95 */
  SINEW_PLANE_GOAL = 102, /* 28: left foot, right foot, left hand, right hand: T.xyz, Q.xyzw each */
  SINEW_PLANE_COUNT = 130
};

/* ---- curve sampling ------------------------------------------------------------------------------- */

typedef enum sinew_segment_kind {
  SINEW_SEGMENT_CUBIC,  /* value = c0 + u (c1 + u (c2 + u c3)) */
  SINEW_SEGMENT_BEZIER, /* weighted tangents: x(s) = u solved for s, value = c0 + s (c1 + s (c2 + s c3)) */
  SINEW_SEGMENT_JUMP    /* c0 at u = 0 (as near the key as sample() calls reached), c0 + c1 after it */
} sinew_segment_kind;

/* A segment is what a curve is between two keys; u runs from 0 at start_s to 1 at the next key. A curve of n keys has n
 * segments, the last one constant. Segments stand in arrays, one per field; those marked "padded" have room for
 * SINEW_SEGMENT_PADDING items after the last segment, which may be read and do not matter. */
enum { SINEW_SEGMENT_PADDING = 15 };

/* When the segments of a curve begin. Curves with the same key times share one: where they follow each other, the
 * frames' places among the keys are looked for once. */
typedef struct sinew_key_times {
  const double *start_s;     /* ascending; padded */
  const float *inv_duration; /* 1/s, a function of start_s alone; 0: constant, as the last is; padded */
  uint32_t count;            /* at least 1 */
} sinew_key_times;

typedef enum sinew_outside { /* outside the first and last key; the codes are the file's */
  SINEW_OUTSIDE_PING_PONG = 0,
  SINEW_OUTSIDE_REPEAT = 1,
  SINEW_OUTSIDE_CLAMP = 2
} sinew_outside;

typedef struct sinew_curve {
  const sinew_key_times *times;
  const float *c[4];   /* c0 to c3 of each segment; padded */
  const uint8_t *kind; /* sinew_segment_kind of each segment; NULL: all are cubic */
  const float (*x)[2]; /* BEZIER: the two inner control abscissae, 0..1; may be NULL where no segment is one */
  uint16_t plane;      /* where its samples go, 0..SINEW_PLANE_COUNT-1 */
  uint8_t before;      /* sinew_outside */
  uint8_t after;
} sinew_curve;

/* ---- muscles to local rotations -------------------------------------------------------------------- */

/* One human bone. Angles are half angles, in radians per unit of muscle: half_pos = sgn * max / 2 is used where the
 * muscle is >= 0, half_neg = sgn * -min / 2 below. inner = T(y, z) * Rx(x), local = m * inner (humanoid.md 2, 3).
 * A limb bone keeps the share `keep` of its wrapped twist; a bone below a limb bone receives the rest:
 * local = (cos m + sin n) * inner with the half angle of the rest (4). */
typedef struct sinew_muscle_bone {
  int16_t plane[3];       /* the sampled plane of the x, y, z muscle, -1: none */
  int16_t donor_plane;    /* the twist muscle of the limb bone above, -1: none */
  float half_pos[3];
  float half_neg[3];
  float keep;             /* share of the own twist kept; 1 where the bone is no limb bone */
  uint8_t wraps;          /* 1: a limb bone: its twist is wrapped into (-pi, pi] before it is shared */
  uint8_t unused[3];
  float donor_half_pos;
  float donor_half_neg;
  float donor_pass;       /* 1 - the donor's share */
  float m[4][4];          /* out[c] = sum over k of m[c][k] * inner[k], k = x, y, z, w */
  float n[4][4];          /* the same for the received twist's sine */
} sinew_muscle_bone;

typedef struct sinew_muscle_rig {
  uint32_t bone_count; /* slots of `local`; a bone without any muscle or donor gets its constant rotation m[][3] */
  const sinew_muscle_bone *bones;
} sinew_muscle_rig;

/* ---- forward kinematics ------------------------------------------------------------------------------ */

typedef struct sinew_fk_joint {
  int16_t parent; /* index into this rig's joints, lower than the joint's own; -1: the root joint */
  uint16_t slot;  /* the track of `local` that turns it */
  uint8_t has_between; /* nodes in between are turned: between != identity */
  uint8_t unused[3];
  float between[4]; /* rotation of the nodes in between; model rotation = parent * between * local */
  float offset[3];  /* position in the parent joint's frame, metres */
  uint8_t rotation_unused; /* 1: nothing reads this joint's rotation, it need not be computed (planes untouched) */
  uint8_t unused2;
  uint16_t place; /* fk_moved: 1 + the triple of planes that holds its offset frame by frame; 0: `offset`, always */
} sinew_fk_joint;

typedef struct sinew_fk_rig {
  uint32_t joint_count;
  const sinew_fk_joint *joints;
} sinew_fk_rig;

enum { SINEW_MODEL_PLANES = 7 }; /* per joint: position x, y, z, rotation x, y, z, w */

/* ---- angles to local rotations ------------------------------------------------------------------------- */

enum { SINEW_EULER_TURNS = 6 };

/* A joint as a BVH file turns it: about its own axes, in the order in which they stand, the first outermost:
 * R(axis[0]) * R(axis[1]) * ... */
typedef struct sinew_euler_joint {
  uint16_t slot;                     /* the track of `local` */
  uint8_t turn_count;                /* 1..SINEW_EULER_TURNS */
  uint8_t axis[SINEW_EULER_TURNS];   /* 0, 1, 2: x, y, z */
  uint32_t plane[SINEW_EULER_TURNS]; /* of degrees */
} sinew_euler_joint;

/* ---- local rotations to angles ------------------------------------------------------------------------- */

/* A joint as a BVH file is to turn it: three turns about different axes, the first outermost. m takes the track's
 * rotation, what stands constantly before and after it included, to the rows w + x_j, x_i + e x_k, w - x_j, x_i - e x_k
 * of a quaternion in the file's frame (x, y, z, w), whose x is mirrored here; i, j, k are the axes in their order, e is
 * `sign`: 1 for x y z and what follows it in a circle, -1 for the other three orders. */
typedef struct sinew_angle_joint {
  uint16_t slot; /* the track of `local` */
  uint8_t unused[2];
  uint32_t plane[3]; /* of degrees, in the turns' order */
  float sign;
  float m[4][4];
} sinew_angle_joint;

/* ---- body frame, centre of mass, hips ------------------------------------------------------------------ */

typedef struct sinew_body_rig {
  uint32_t joint_count;     /* joints of the fk rig that is summed */
  const float *com_weight;  /* per joint; they sum to at most 1, the rest stands at the hips (the origin) */
  uint16_t upper_leg[2];    /* joints: left, right */
  uint16_t upper_arm[2];
  float hips_rest[3][3];    /* H, rotation of the hips in T-pose, as rows of a matrix; applied before the frame is taken */
  float after[4];           /* H; hips rotation = RootQ * r0 * conj(F) * H */
  float r0[4];              /* body frame in T-pose */
  float scale_m;            /* human scale: RootT * scale is the centre of mass */
  /* from the avatar's root space to the hips' parent node: local = conj(above_q) * q,
   * t = inv_above_scale * (conj(above_q) * (t - above_t)) */
  uint8_t has_above;        /* 0: the hips' parent is at the identity */
  uint8_t unused[3];
  float above_q[4];
  float above_t[3];
  float inv_above_scale;
} sinew_body_rig;

/* ---- local rotations to muscles ------------------------------------------------------------------------- */

/* A rotation in a bone's muscle frame, I = conj(pre) * local * post, is peeled: its twist x first, then the swing's y and z
 * (humanoid.md 3 read backwards). Each angle is a muscle as soon as it is divided by its limit. */
typedef struct sinew_inverse_axis {
  int16_t plane; /* where the muscle goes; -1: the axis has none, its angle is dropped */
  uint8_t unused[2];
  float per_pos; /* muscle per half angle, radians, where that is >= 0; 0 where the limit of that side is 0 */
  float per_neg; /* and below 0 */
} sinew_inverse_axis;

/* A bone that is peeled as it is; some axis has a muscle. */
typedef struct sinew_inverse_bone {
  uint16_t slot;
  uint8_t unused[2];
  sinew_inverse_axis axis[3];
  float m[4][4]; /* I[c] = sum over k of m[c][k] * turn[k] */
} sinew_inverse_bone;

/* An arm or a leg: U upper, L lower, E end bone. mid is the rotation of the nodes between a bone and the one above. */
typedef struct sinew_inverse_limb {
  uint16_t slot[3];      /* U, L, E */
  int16_t parent_slot;   /* of the bone above U where its muscles do not hold all of its turn; -1: it stays */
  uint8_t parent_keeps[3]; /* 1: an axis with a muscle */
  uint8_t is_arm;        /* 1: the elbow is put back where it was before it is bent anew */
  float parent_m[4][4];  /* I of the parent, as in sinew_inverse_bone */
  float parent_post[4];
  sinew_inverse_axis axis[3][3];
  float post[3][4];      /* post_U, post_L, post_E */
  float to_upper[4];     /* conj(mid_U * pre_U) */
  float lower_m[4][4];   /* I of L's own turn, nothing compensated */
  float k[4], k2[4];     /* conj(post_U) * mid_L * pre_L, conj(post_L) * mid_E * pre_E */
  float k_row[3], k2_row[3]; /* their matrices' first rows */
  float to_elbow[3];     /* conj(post_U) applied to L's offset in U, metres */
  float to_end[3];       /* conj(post_L) applied to E's offset in L */
  float per_share;       /* 1 / the share of its twist that U keeps; 0 where it keeps none */
} sinew_inverse_limb;

typedef struct sinew_inverse_rig {
  uint32_t bone_count;
  const sinew_inverse_bone *bones; /* all that have muscles, but those of the limbs */
  sinew_inverse_limb limb[4];      /* left and right leg, left and right arm */
  uint8_t exact;                   /* 1: hands and feet land to rounding; 0: as the reference editor bends limbs */
  uint8_t unused[7];
} sinew_inverse_rig;

/* Where hands and feet are, for the goals: left foot, right foot, left hand, right hand. */
typedef struct sinew_goal_rig {
  float post[4][4];
  float axis_m[4];  /* from the bone to the goal along its muscle frame's x: a foot's height, 0 for hands */
  float upright[4]; /* conj(H): body frame in the hips' frame = upright * F * back */
  float back[4];    /* conj(r0) */
  float inv_scale;  /* 1 / human scale */
} sinew_goal_rig;

/* ---- one skeleton's turns on another ------------------------------------------------------------------------ */

/* A bone of the driven skeleton. Rotations T are in its root space, which the source's model shares: its T-pose is aligned,
 * both bodies face the same way. */
typedef struct sinew_delta_slot {
  int16_t parent;       /* a slot before it; -1: slot 0, the hips, alone */
  int16_t joint[2];     /* of the source's model; joint[0] -1: nothing moves it, local is `rest`; joint[1] may be -1 */
  float share;          /* the turn: joint[0]'s (0, or where joint[1] is -1) to joint[1]'s (1), spherically */
  float undo[2][4];     /* conjugate of the source joint's rotation in T-pose: its turn D = model's rotation * undo */
  float stance[4];      /* the slot's own rotation in T-pose: T = D * stance */
  uint8_t has_between;  /* nodes in between are turned: between != identity */
  uint8_t unused[3];
  float between[4];     /* rotation of the nodes in between at rest: local = conj(T of parent * between) * T */
  float rest[4];        /* local where nothing moves it; then T = T of parent * between * rest */
} sinew_delta_slot;

typedef struct sinew_delta_rig {
  uint32_t slot_count; /* at least 1; the hips' joint[0] is not -1 */
  const sinew_delta_slot *slots;
  uint16_t hips_joint; /* of the source's model: whose place the hips follow */
  uint8_t in_place;    /* 1: x and z of the hips stay at target_origin's */
  uint8_t has_above;   /* 0: the hips' parent is at the identity; otherwise as in sinew_body_rig */
  float source_origin[3], target_origin[3]; /* hips = target_origin + ratio * (place - source_origin), metres */
  float ratio;
  float above_q[4];
  float above_t[3];
  float inv_above_scale;
} sinew_delta_rig;

/* ---- a file's own hierarchy ------------------------------------------------------------------------------ */

typedef enum sinew_node_kind {
  SINEW_NODE_MATRIX,  /* its transform is `local`, or the planes [3][4][64] */
  SINEW_NODE_TURNED,  /* keys: 64 rotations as a file holds them, x, y, z, w in 4 floats */
  SINEW_NODE_TURNED16 /* the same as normalised int16 */
} sinew_node_kind;

/* A node of a finished file, in the file's own frame. Its transform is rows of a 3x4 matrix: rotation, translation. */
typedef struct sinew_node {
  int32_t parent;       /* index of a node before it; -1: none */
  uint8_t kind;         /* sinew_node_kind */
  uint8_t is_leaf;      /* no node has it for parent */
  uint8_t unused[2];
  double local[3][4];   /* of a turned node the last column alone is read: its translation */
  const void *keys;     /* not NULL where it is turned */
  const double *planes; /* not NULL: in place of `local`; of a turned node its translation [3][64] */
} sinew_node;

/* Which nodes are shown, and where joints were computed to be. */
typedef struct sinew_placing {
  const sinew_node *nodes;
  size_t node_count;
  const uint32_t *shown; /* [shown_count]: nodes; at least one */
  size_t shown_count;
  const float *model; /* [shown_count][7][64] in Unity's frame, joint 0 at its origin; NULL: nothing is compared */
  double least;       /* squares below this do not matter */
} sinew_placing;

/* ---- the table ------------------------------------------------------------------------------------------ */

typedef struct sinew_kernels {
  const char *name;    /* x86-64: "avx512", "avx2", "sse4", "scalar"; aarch64: "neon", "scalar" */
  const char *profile; /* "fma" or "nofma" */
  uint32_t width;      /* lanes */

  /* Samples curves at 64 times (seconds, ascending, finite) into their planes. Key times are float32 in
   * the files, frame times exact: a key at most 2^-22 of the time later than a frame counts as reached. */
  void (*sample)(const sinew_curve *curves, size_t curve_count, const double *time_s, float *planes);

  /* Array of structures to planes: column c of frames rows, each `columns` floats and `stride` floats after the one
   * before, becomes plane c of planes [columns][64]. 1 <= frames <= 64: the last frame fills the lanes after it.
   * columns <= stride; nothing but those columns is read; rows need no alignment. Bits are moved, not changed. */
  void (*rows)(const float *rows, size_t stride, uint32_t frames, uint32_t columns, float *planes);

  /* planes [SINEW_PLANE_COUNT][64] -> local [bone_count][4][64], unit quaternions. |muscle| <= 1000. */
  void (*muscle)(const sinew_muscle_rig *rig, const float *planes, float *local);

  /* Normalises count quaternions of 4 planes each in place; one shorter than 1e-18 becomes the identity. */
  void (*normalise)(float *quats, size_t count);

  /* planes of degrees (finite, of any size) -> the joints' tracks of local [slot][4][64], unit quaternions. The angles are a
   * file's whose x is mirrored here: about x they turn as they say, about y and z the other way. Whole turns are taken off
   * without rounding; three turns are right to 5e-7 rad. */
  void (*euler)(const sinew_euler_joint *joints, size_t count, const float *planes, float *local);

  /* The other way: the joints' tracks of local, unit quaternions -> planes of degrees. The outer angles lie in -180..180, the
   * middle one in -90..90. The rotation that the angles make is right to 1e-6 rad, also where the middle angle comes
   * near 90 degrees; there the outer two change fast from frame to frame. */
  void (*angles)(const sinew_angle_joint *joints, size_t count, const float *local, float *planes);

  /* local [slot][4][64] -> model [joint_count][7][64]. The root joint (parent -1) stands at root_t (3 planes; NULL: the
   * origin) and has the rotation of its slot; root_q (4 planes), when not NULL, is used instead. */
  void (*fk)(const sinew_fk_rig *rig, const float *local, const float *root_t, const float *root_q, float *model);

  /* The same where joints move in their parents: the offset of a joint with a `place` is places[place - 1], places
   * [][3][64], metres. Any joint may be a root, several too: it stands at its offset and has the rotation between *
   * local. places may be NULL where no joint has one. */
  void (*fk_moved)(const sinew_fk_rig *rig, const float *local, const float *places, float *model);

  /* Between two keys: count tracks of [4][64], share [count][64] in 0..1: the spherical way from a (0) to b (1), the shorter
   * one: where a . b < 0 it leads to -b. Keys are normalised first, to the last bit or two; shorter than 1e-18 they are the
   * identity. Share 0 gives a so normalised, 1 gives b or -b. The quaternion is right to 3e-7. out is none of the inputs. */
  void (*slerp)(const float *a, const float *b, const float *share, size_t count, float *out);

  /* Between two keys: count planes, u [64] in 0..1 for all of them: the cubic that leaves p0 with the tangent m0 and reaches
   * p1 with m1, tangents times the time between the keys. u = 0 gives p0's bits, 1 p1's. */
  void (*hermite)(const float *p0, const float *m0, const float *p1, const float *m1, const float *u, size_t count,
                  float *out);

  /* model [joint_count][7][64], unit rotations -> matrices [joint_count][12][64]: a 3x4 matrix (rotation, position)
   * row after row. */
  void (*matrices)(const float *model, size_t joint_count, float *matrices);

  /* model [joint_count][7][64] with the hips at the origin and unturned -> com [3][64] (centre of mass in the hips'
   * frame, metres) and frame [4][64] (the body frame F with the hips at their T-pose rotation). humanoid.md 6. */
  void (*body)(const sinew_body_rig *rig, const float *model, float *com, float *frame);

  /* root [7][64] (RootT, RootQ as sampled; RootQ is normalised here), com, frame -> hips_t [3][64], hips_q [4][64] in
   * the avatar's root space, and the same in the hips' parent node: node_t [3][64], node_q [4][64]. */
  void (*hips)(const sinew_body_rig *rig, const float *root, const float *com, const float *frame, float *hips_t,
               float *hips_q, float *node_t, float *node_q);

  /* turns [slot][4][64]: each human bone's rotation from its human parent's, those of nodes in between included (between *
   * local), unit; slots are the muscle rig's, the hips' is not read -> the muscles of the rig's bones in planes
   * [SINEW_PLANE_COUNT][64]; the other planes are left as they are. The reference editor's rule, or (rig->exact) one
   * that lands hands and feet. Finite for any unit turns: angles are -pi..pi. */
  void (*inverse)(const sinew_inverse_rig *rig, const float *turns, float *planes);

  /* The other way round than `hips`: com, frame of the pose that the muscles hold, hips_t [3][64] and hips_q [4][64], unit,
   * in root space -> root [7][64]: RootT, RootQ (unit, of either sign). */
  void (*root)(const sinew_body_rig *rig, const float *com, const float *frame, const float *hips_t,
               const float *hips_q, float *root);

  /* ends [4][7][64]: left foot, right foot, left hand, right hand in the hips' frame (the hips at the origin and unturned),
   * position in metres, rotation (unit); com, frame of the pose that the muscles hold -> goals [28][64], as the planes
   * from SINEW_PLANE_GOAL on: T over the human scale, Q unit, of either sign. */
  void (*goals)(const sinew_goal_rig *rig, const float *ends, const float *com, const float *frame, float *goals);

  /* model [joint_count][7][64] of the source, rotations of length 1 to 1e-4 -> local [slot_count][4][64], unit (`rest` as it
   * is where nothing moves), the hips' in their parent node; hips_t [3][64] and hips_q [4][64] in the avatar's root space,
   * node_t [3][64] in the hips' parent node. turned [slot_count][4][64] takes the rotations T, unit. */
  void (*delta)(const sinew_delta_rig *rig, const float *model, float *turned, float *local, float *hips_t,
                float *hips_q, float *node_t);

  /* flips[i] of track i: bit f set where frame f must be negated so that neighbouring frames lie in one
   * half-space, frame 0 unflipped. Works on rotations that are not yet flipped; a dot product of 0 keeps. */
  void (*signs)(const float *quats, size_t count, uint64_t *flips);

  /* 4 planes -> 64 interleaved xyzw in glTF's frame (x, -y, -z, w), negated where flips has the frame's bit. */
  void (*pack_quat)(const float *quat, uint64_t flips, float *xyzw);
  /* The same as normalised int16: round(32767 * component), ties to even; the quaternion is unit (what lies beyond
   * -1..1 is limited, NaN gives -32767). */
  void (*pack_quat16)(const float *quat, uint64_t flips, int16_t *xyzw);
  /* 3 planes -> 64 interleaved xyz in glTF's frame (-x, y, z). */
  void (*pack_vec3)(const float *planes, float *xyz);

  /* The angles between rotations, radians from 0 to pi, by the shorter way whatever their signs: count pairs of 4 planes
   * each, the next pair a_stride and b_stride floats further; of length 1 to 1e-4 -> angles [count][64], right to 1e-6 rad; small
   * ones to 1e-6 of themselves and 1e-10 rad; 0 between a rotation and its own bits, negated or not. */
  void (*apart)(const float *a, size_t a_stride, const float *b, size_t b_stride, size_t count, float *angles);

  /* The largest |value| of each plane as its bit pattern: NaN > infinity > every number. */
  void (*absmax)(const float *planes, size_t plane_count, uint32_t *bits);

  /* Copies count floats, a multiple of 16, to memory that nobody reads soon: past the caches where the instruction set
   * can, so that the lines written are not read first. Both sides are aligned to 64 bytes and do not overlap. Other
   * threads see the copy as they see any store. */
  void (*stream)(const float *from, size_t count, float *to);

  /* Where nodes stand at 64 frames, in double precision: the transforms multiplied from the root down. places
   * [shown][3][64] in the file's frame (glTF's); scratch holds 96 doubles a node; all aligned to 64 bytes. A rotation
   * counts as the matrix 1 + 2 w [v] + 2 [v][v] whatever its length. With a model, squares [64] are the largest square of
   * the distance between place - place of node shown[0] and the model's position over the others shown: NaN where one is
   * no number or infinite, 0 where there are none; and where a frame's square is below `least`, its places may be left
   * out, those of shown[0] excepted. Returns 0 where the square of a rotation's length is farther than 0.0019 from 1, or
   * no number; else 1. */
  int (*places)(const sinew_placing *in, double *scratch, double *squares, double *places);
} sinew_kernels;

/* The table for the highest instruction set this CPU runs that is not above `cap` (a table's name; NULL: no cap). NULL
 * when no table of this build has the name or nothing fits (scalar needs a CPU with fma). */
const sinew_kernels *sinew_kernels_select(const char *cap);
/* The names that sinew_kernels_select() takes on this machine, best first, those that this CPU lacks included; NULL past
 * the end. */
const char *sinew_kernels_cap(uint32_t index);
/* The tables this CPU can run, best first, the scalar one last; NULL past the end. */
const sinew_kernels *sinew_kernels_available(uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
