/* Muscles to local rotations: humanoid.md 2 to 4 in one pass per bone.
 *
 * Every angle is a pair (sine, cosine) known up to a common factor, so inner = T(y, z) * Rx(x) costs one
 * normalisation; pre * inner * conj(post) is the constant matrix m, and the twist received from the limb bone
 * above adds the matrix n with the sine. Which axes a bone has and whether it receives twist is fixed per
 * bone, so one loop is compiled for each of the 16 combinations: absent axes cost neither loads nor matrix
 * columns. */
#include "isa.h"
#include "vmath.h"
#include "vquat.h"

enum { AXIS_X = 1, AXIS_Y = 2, AXIS_Z = 4, RECEIVES = 8 };

/* The half angle of a muscle, wrapped. A limb bone's twist has to be wrapped before it is shared; elsewhere
 * wrapping changes the quaternion's sign alone and brings the angle into the tangent's reach. */
SINEW_INLINE vf half_angle(const float *muscle, float half_pos, float half_neg) {
  vf value = v_load(muscle);
  return v_wrap_half_angle(value * v_by_sign(value, v_set(half_pos), v_set(half_neg)));
}
SINEW_INLINE vf axis_half_angle(const sinew_muscle_bone *bone, int axis, const float *planes, int f) {
  return half_angle(planes + bone->plane[axis] * SINEW_BLOCK + f, bone->half_pos[axis], bone->half_neg[axis]);
}

typedef struct inner_part { /* a quaternion up to its length; which components can be other than 0 */
  vquat q;
  int has_x, has_y, has_z;
} inner_part;

SINEW_INLINE inner_part inner_rotation(const sinew_muscle_bone *bone, const float *planes, int f, int axes) {
  const int x = axes & AXIS_X, y = axes & AXIS_Y, z = axes & AXIS_Z;
  const vf zero = v_set(0.0f), one = v_set(1.0f);
  vf sx = zero, cx = one, sy = zero, cy = one, sz = zero, cz = one;
  if (x) v_half_tangent(axis_half_angle(bone, 0, planes, f) * v_set(bone->keep), &sx, &cx);
  if (y) v_half_tangent(axis_half_angle(bone, 1, planes, f), &sy, &cy);
  if (z) v_half_tangent(axis_half_angle(bone, 2, planes, f), &sz, &cz);

  vquat swing = {zero, zero, zero, one};
  if (y && z)
    swing = (vquat){zero, sy * cz, sz * cy, cy * cz};
  else if (y)
    swing = (vquat){zero, sy, zero, cy};
  else if (z)
    swing = (vquat){zero, zero, sz, cz};
  if (!x) return (inner_part){swing, 0, y, z};

  vquat q = {sx, zero, zero, cx};
  if (y || z) q.x = sx * swing.w, q.w = cx * swing.w;
  if (y && z)
    q.y = v_fma(swing.y, cx, swing.z * sx), q.z = v_fnma(swing.y, sx, swing.z * cx);
  else if (y)
    q.y = swing.y * cx, q.z = v_neg(swing.y * sx);
  else if (z)
    q.y = swing.z * sx, q.z = swing.z * cx;
  return (inner_part){q, 1, y || z, y || z};
}

SINEW_INLINE vf matrix_row(const float row[4], inner_part inner) {
  vf sum = v_set(row[3]) * inner.q.w;
  if (inner.has_x) sum = v_fma(v_set(row[0]), inner.q.x, sum);
  if (inner.has_y) sum = v_fma(v_set(row[1]), inner.q.y, sum);
  if (inner.has_z) sum = v_fma(v_set(row[2]), inner.q.z, sum);
  return sum;
}
SINEW_INLINE vquat matrix_times(const float m[4][4], inner_part inner) {
  return (vquat){matrix_row(m[0], inner), matrix_row(m[1], inner), matrix_row(m[2], inner),
                 matrix_row(m[3], inner)};
}

SINEW_INLINE void turn_bone(const sinew_muscle_bone *bone, const float *planes, float *local, int pattern) {
  const float *donor = pattern & RECEIVES ? planes + bone->donor_plane * SINEW_BLOCK : planes;
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    inner_part inner = inner_rotation(bone, planes, f, pattern & (AXIS_X | AXIS_Y | AXIS_Z));
    vf square = inner.q.w * inner.q.w;
    if (inner.has_x) square = v_fma(inner.q.x, inner.q.x, square);
    if (inner.has_y) square = v_fma(inner.q.y, inner.q.y, square);
    if (inner.has_z) square = v_fma(inner.q.z, inner.q.z, square);
    vf rest_sin = v_set(0.0f), rest_cos = v_set(1.0f);
    if (pattern & RECEIVES) {
      vf rest = half_angle(donor + f, bone->donor_half_pos, bone->donor_half_neg) * v_set(bone->donor_pass);
      v_half_tangent(rest, &rest_sin, &rest_cos);
      square = square * v_fma(rest_sin, rest_sin, rest_cos * rest_cos);
    }
    inner.q = vquat_scale(inner.q, v_set(1.0f) / v_sqrt(square));
    vquat q = matrix_times(bone->m, inner);
    if (pattern & RECEIVES) {
      vquat turned = matrix_times(bone->n, inner);
      q = (vquat){v_fma(rest_sin, turned.x, rest_cos * q.x), v_fma(rest_sin, turned.y, rest_cos * q.y),
                  v_fma(rest_sin, turned.z, rest_cos * q.z), v_fma(rest_sin, turned.w, rest_cos * q.w)};
    }
    vquat_store(local + f, q);
  }
}

static void fixed_bone(const sinew_muscle_bone *bone, float *local) {
  const float q[4] = {bone->m[0][3], bone->m[1][3], bone->m[2][3], bone->m[3][3]};
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) vquat_store(local + f, vquat_set(q));
}

void SINEW_KERNEL(muscle)(const sinew_muscle_rig *rig, const float *planes, float *local) {
  for (uint32_t b = 0; b < rig->bone_count; b++, local += 4 * SINEW_BLOCK) {
    const sinew_muscle_bone *bone = &rig->bones[b];
    int pattern = (bone->plane[0] >= 0 ? AXIS_X : 0) | (bone->plane[1] >= 0 ? AXIS_Y : 0) |
                  (bone->plane[2] >= 0 ? AXIS_Z : 0) | (bone->donor_plane >= 0 ? RECEIVES : 0);
    switch (pattern) {
    case 0:
      fixed_bone(bone, local);
      break;
    case 1:
      turn_bone(bone, planes, local, 1);
      break;
    case 2:
      turn_bone(bone, planes, local, 2);
      break;
    case 3:
      turn_bone(bone, planes, local, 3);
      break;
    case 4:
      turn_bone(bone, planes, local, 4);
      break;
    case 5:
      turn_bone(bone, planes, local, 5);
      break;
    case 6:
      turn_bone(bone, planes, local, 6);
      break;
    case 7:
      turn_bone(bone, planes, local, 7);
      break;
    case 8:
      turn_bone(bone, planes, local, 8);
      break;
    case 9:
      turn_bone(bone, planes, local, 9);
      break;
    case 10:
      turn_bone(bone, planes, local, 10);
      break;
    case 11:
      turn_bone(bone, planes, local, 11);
      break;
    case 12:
      turn_bone(bone, planes, local, 12);
      break;
    case 13:
      turn_bone(bone, planes, local, 13);
      break;
    case 14:
      turn_bone(bone, planes, local, 14);
      break;
    case 15:
      turn_bone(bone, planes, local, 15);
      break;
    }
  }
}
