/* Angles in degrees to rotations: what a BVH file's channels say.
 *
 * Whole turns are taken off first. Every difference is exact: a multiple of 360 is the product of a number of
 * at most 18 bits and one of 6, a float32 without fused rounding too, and what is left is a multiple of the
 * angle's own step. The turns are multiplied as sines and cosines of nearly unit length, and the product is
 * brought to length 1 once. */
#include "isa.h"
#include "vturn.h"

#define TURNS_PER_DEGREE 0.002777777612209320f /* the float below 1/360: 180 is less than half a turn */
#define NEAR_DEG 0x1p17f    /* up to which the number of turns is right but for 0.05 degrees at its half */
#define COUNTED_DEG 0x1p26f /* up to which it has 18 bits */

typedef enum angle_reach {
  REACH_NEAR, /* no angle of the block past NEAR_DEG */
  REACH_FAR   /* any; the same bits where both may be used */
} angle_reach;

SINEW_INLINE vf without_turns(vf a) {
  return v_fnma(v_round(a * v_set(TURNS_PER_DEGREE)), v_set(360.0f), a);
}
/* The first 18 bits of the number of turns at a time: seven times from the largest float32 down. */
SINEW_INLINE vf counted(vf a) {
  for (int i = 0; i < 7; i++) {
    vf turns = (vf)((vi)(a * v_set(TURNS_PER_DEGREE)) & v_seti(~0x3f));
    a = v_select((vf)v_abs_bits(a) > v_set(COUNTED_DEG), v_fnma(turns, v_set(360.0f), a), a);
  }
  return a;
}

/* Within 180.05. */
SINEW_INLINE vf reduced(const float *plane, angle_reach reach, vf *largest) {
  vf a = v_load(plane);
  if (reach == REACH_NEAR) {
    *largest = v_max_abs(a, *largest);
  } else {
    a = counted(a);
    a = v_select((vf)v_abs_bits(a) > v_set(NEAR_DEG), without_turns(a), a);
  }
  return without_turns(a);
}

/* A file's turn about y or z runs the other way here. */
SINEW_INLINE void file_turn(const float *plane, int axis, angle_reach reach, vf *s, vf *c, vf *largest) {
  v_turn(reduced(plane, reach, largest), axis != 0, s, c);
}

/* false: an angle lies out of `reach`, and what is written is of no use. */
SINEW_INLINE int within(vf largest, angle_reach reach) {
  return reach == REACH_FAR || v_signs((vf)(largest > v_set(NEAR_DEG))) == 0;
}

/* ---- three axes, each once ---- */

/* (i s0, c0) * (j s1, c1), the axes i and j not the same. */
SINEW_INLINE vquat two_turns(int i, int j, vf s0, vf c0, vf s1, vf c1) {
  vf v[3];
  const int k = 3 - i - j;
  v[i] = s0 * c1, v[j] = c0 * s1, v[k] = s0 * s1;
  if (j != (i + 1) % 3) v[k] = v_neg(v[k]);
  return (vquat){v[0], v[1], v[2], c0 * c1};
}

SINEW_INLINE int three_axes(const sinew_euler_joint *restrict joint, const float *restrict planes,
                            float *restrict local, int i, int j, angle_reach reach) {
  const float *first = planes + (size_t)joint->plane[0] * SINEW_BLOCK;
  const float *second = planes + (size_t)joint->plane[1] * SINEW_BLOCK;
  const float *third = planes + (size_t)joint->plane[2] * SINEW_BLOCK;
  vf largest = v_set(0.0f);
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    vf s0, c0, s1, c1, s2, c2;
    file_turn(first + f, i, reach, &s0, &c0, &largest);
    file_turn(second + f, j, reach, &s1, &c1, &largest);
    file_turn(third + f, 3 - i - j, reach, &s2, &c2, &largest);
    vquat q = vquat_mul_turn(two_turns(i, j, s0, c0, s1, c1), 3 - i - j, s2, c2);
    vquat_store(local + f, vquat_near_unit(q));
  }
  return within(largest, reach);
}

typedef int turn_function(const sinew_euler_joint *joint, const float *planes, float *local);

#define ORDER(name, i, j)                                                                                    \
  static int near_##name(const sinew_euler_joint *joint, const float *planes, float *local) {                \
    return three_axes(joint, planes, local, i, j, REACH_NEAR);                                               \
  }                                                                                                          \
  static int far_##name(const sinew_euler_joint *joint, const float *planes, float *local) {                 \
    return three_axes(joint, planes, local, i, j, REACH_FAR);                                                \
  }
ORDER(xyz, 0, 1)
ORDER(xzy, 0, 2)
ORDER(yxz, 1, 0)
ORDER(yzx, 1, 2)
ORDER(zxy, 2, 0)
ORDER(zyx, 2, 1)

/* ---- any turns ---- */

static vquat one_turn(int axis, vf s, vf c) {
  const vf zero = v_set(0.0f);
  return (vquat){axis == 0 ? s : zero, axis == 1 ? s : zero, axis == 2 ? s : zero, c};
}

SINEW_INLINE int any_axes(const sinew_euler_joint *restrict joint, const float *restrict planes,
                          float *restrict local, angle_reach reach) {
  vf largest = v_set(0.0f);
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    vquat q = vquat_identity();
    for (int t = 0; t < joint->turn_count; t++) {
      vf s, c;
      file_turn(planes + (size_t)joint->plane[t] * SINEW_BLOCK + f, joint->axis[t], reach, &s, &c, &largest);
      q = t == 0 ? one_turn(joint->axis[t], s, c) : vquat_mul_turn(q, joint->axis[t], s, c);
    }
    vquat_store(local + f, vquat_near_unit(q));
  }
  return within(largest, reach);
}
static int near_any(const sinew_euler_joint *joint, const float *planes, float *local) {
  return any_axes(joint, planes, local, REACH_NEAR);
}
static int far_any(const sinew_euler_joint *joint, const float *planes, float *local) {
  return any_axes(joint, planes, local, REACH_FAR);
}

/* By first and second axis. */
static turn_function *const near_order[3][3] = {
    {near_any, near_xyz, near_xzy}, {near_yxz, near_any, near_yzx}, {near_zxy, near_zyx, near_any}};
static turn_function *const far_order[3][3] = {
    {far_any, far_xyz, far_xzy}, {far_yxz, far_any, far_yzx}, {far_zxy, far_zyx, far_any}};

static int is_three_axes(const sinew_euler_joint *joint) {
  const uint8_t *a = joint->axis;
  return joint->turn_count == 3 && a[0] != a[1] && a[0] != a[2] && a[1] != a[2];
}

void SINEW_KERNEL(euler)(const sinew_euler_joint *joints, size_t count, const float *planes, float *local) {
  for (size_t i = 0; i < count; i++) {
    const sinew_euler_joint *joint = &joints[i];
    const int ordered = is_three_axes(joint);
    const int first = ordered ? joint->axis[0] : 0, second = ordered ? joint->axis[1] : 0;
    float *out = local + (size_t)joint->slot * 4 * SINEW_BLOCK;
    if (!near_order[first][second](joint, planes, out)) far_order[first][second](joint, planes, out);
  }
}
