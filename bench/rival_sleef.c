#include "rival_sleef.h"
#include "vquat.h"

#include <sleef.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)

#if SINEW_WIDTH == 16
#define SINCOS Sleef_sincosf16_u35avx512f
#define TAN Sleef_tanf16_u35avx512f
typedef __m512 native;
#elif SINEW_WIDTH == 8
#define SINCOS Sleef_sincosf8_u35avx2
#define TAN Sleef_tanf8_u35avx2
typedef __m256 native;
#elif defined(__x86_64__)
#define SINCOS Sleef_sincosf4_u35sse4
#define TAN Sleef_tanf4_u35sse4
typedef __m128 native;
#else
#define SINCOS Sleef_sincosf4_u35advsimd
#define TAN Sleef_tanf4_u35advsimd
typedef float32x4_t native;
#endif

SINEW_INLINE void sincos_of(vf a, vf *sine, vf *cosine) {
  __typeof__(SINCOS((native)a)) both = SINCOS((native)a);
  *sine = (vf)both.x, *cosine = (vf)both.y;
}
SINEW_INLINE vf tan_of(vf a) {
  return (vf)TAN((native)a);
}

enum { AXIS_X = 1, AXIS_Y = 2, AXIS_Z = 4, RECEIVES = 8 };

SINEW_INLINE vf half_angle(const float *muscle, float half_pos, float half_neg) {
  vf value = v_load(muscle);
  return value * v_by_sign(value, v_set(half_pos), v_set(half_neg));
}
/* A half angle into -pi/2..pi/2: the angle into -pi..pi. */
SINEW_INLINE vf wrapped(vf half) {
  vf n = v_round(half * v_set(0.318309886f));
  half = v_fnma(n, v_set(3.140625f), half);
  return v_fnma(n, v_set(9.67653589793e-4f), half);
}

/* T(y, z) * Rx(x), unit; half angles of the axes in `axes`. */
SINEW_INLINE vquat inner_rotation(vf x, vf y, vf z, int axes) {
  const vf zero = v_set(0.0f), one = v_set(1.0f);
  vquat swing = vquat_identity();
  if (axes & (AXIS_Y | AXIS_Z)) {
    vf tan_y = axes & AXIS_Y ? tan_of(y) : zero, tan_z = axes & AXIS_Z ? tan_of(z) : zero;
    vf square = one;
    if (axes & AXIS_Y) square = v_fma(tan_y, tan_y, square);
    if (axes & AXIS_Z) square = v_fma(tan_z, tan_z, square);
    vf scale = one / v_sqrt(square);
    swing = (vquat){zero, axes & AXIS_Y ? tan_y * scale : zero, axes & AXIS_Z ? tan_z * scale : zero, scale};
  }
  if (!(axes & AXIS_X)) return swing;
  vf sine, cosine;
  sincos_of(x, &sine, &cosine);
  if (!(axes & (AXIS_Y | AXIS_Z))) return (vquat){sine, zero, zero, cosine};
  vquat q = {sine * swing.w, zero, zero, cosine * swing.w};
  if ((axes & AXIS_Y) && (axes & AXIS_Z))
    q.y = v_fma(swing.y, cosine, swing.z * sine), q.z = v_fnma(swing.y, sine, swing.z * cosine);
  else if (axes & AXIS_Y)
    q.y = swing.y * cosine, q.z = v_neg(swing.y * sine);
  else
    q.y = swing.z * sine, q.z = swing.z * cosine;
  return q;
}

/* ---- folded into matrices ------------------------------------------------------------------------------ */

SINEW_INLINE vf row_times(const float row[4], vquat q, int has_x, int has_yz, int axes) {
  vf sum = v_set(row[3]) * q.w;
  if (has_x) sum = v_fma(v_set(row[0]), q.x, sum);
  if (has_yz || (axes & AXIS_Y)) sum = v_fma(v_set(row[1]), q.y, sum);
  if (has_yz || (axes & AXIS_Z)) sum = v_fma(v_set(row[2]), q.z, sum);
  return sum;
}
SINEW_INLINE vquat matrix_times(const float m[4][4], vquat q, int axes) {
  const int x = axes & AXIS_X, yz = x && (axes & (AXIS_Y | AXIS_Z));
  return (vquat){row_times(m[0], q, x, yz, axes), row_times(m[1], q, x, yz, axes),
                 row_times(m[2], q, x, yz, axes), row_times(m[3], q, x, yz, axes)};
}

SINEW_INLINE void matrix_bone(const sinew_muscle_bone *bone, const float *planes, float *local, int pattern) {
  const float *at[3];
  for (int axis = 0; axis < 3; axis++)
    at[axis] = planes + (bone->plane[axis] < 0 ? 0 : bone->plane[axis]) * SINEW_BLOCK;
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    vf half[3] = {v_set(0.0f), v_set(0.0f), v_set(0.0f)};
    for (int axis = 0; axis < 3; axis++)
      if (pattern & (1 << axis))
        half[axis] = half_angle(at[axis] + f, bone->half_pos[axis], bone->half_neg[axis]);
    if ((pattern & AXIS_X) && bone->wraps) half[0] = wrapped(half[0]) * v_set(bone->keep);
    vquat inner = inner_rotation(half[0], half[1], half[2], pattern & 7);
    vquat q = matrix_times(bone->m, inner, pattern & 7);
    if (pattern & RECEIVES) {
      vf sine, cosine;
      vf rest = half_angle(planes + bone->donor_plane * SINEW_BLOCK + f, bone->donor_half_pos,
                           bone->donor_half_neg);
      sincos_of(wrapped(rest) * v_set(bone->donor_pass), &sine, &cosine);
      vquat turned = matrix_times(bone->n, inner, pattern & 7);
      q = (vquat){v_fma(sine, turned.x, cosine * q.x), v_fma(sine, turned.y, cosine * q.y),
                  v_fma(sine, turned.z, cosine * q.z), v_fma(sine, turned.w, cosine * q.w)};
    }
    vquat_store(local + f, q);
  }
}

#define EACH_PATTERN(CASE)                                                                                   \
  CASE(1)                                                                                                    \
  CASE(2)                                                                                                    \
  CASE(3)                                                                                                    \
  CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) CASE(11) CASE(12) CASE(13) CASE(14) CASE(15)

static void matrices(const sinew_muscle_rig *rig, const float *planes, float *local) {
  for (uint32_t b = 0; b < rig->bone_count; b++, local += 4 * SINEW_BLOCK) {
    const sinew_muscle_bone *bone = &rig->bones[b];
    const int pattern = (bone->plane[0] >= 0 ? AXIS_X : 0) | (bone->plane[1] >= 0 ? AXIS_Y : 0) |
                        (bone->plane[2] >= 0 ? AXIS_Z : 0) | (bone->donor_plane >= 0 ? RECEIVES : 0);
    switch (pattern) {
#define CASE(pattern)                                                                                        \
  case pattern:                                                                                              \
    matrix_bone(bone, planes, local, pattern);                                                               \
    break;
      EACH_PATTERN(CASE)
#undef CASE
    default:
      for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH)
        vquat_store(local + f,
                    vquat_set((float[4]){bone->m[0][3], bone->m[1][3], bone->m[2][3], bone->m[3][3]}));
    }
  }
}

/* ---- product after product ------------------------------------------------------------------------------
 */

SINEW_INLINE vf rival_half_angle(const rival_bone *bone, int axis, const float *planes, int f) {
  return half_angle(planes + (SINEW_PLANE_MUSCLE + bone->muscle[axis]) * SINEW_BLOCK + f,
                    bone->positive_rad[axis] * 0.5f, bone->negative_rad[axis] * 0.5f);
}
SINEW_INLINE vquat set_quat(rival_quat q) {
  return vquat_set((float[4]){q.x, q.y, q.z, q.w});
}

SINEW_INLINE void product_bone(const rival_rig *rig, const rival_bone *bone, const float *planes,
                               float *local, int pattern) {
  const vquat pre = set_quat(bone->pre), after = vquat_conj(set_quat(bone->post));
  const rival_bone *donor = pattern & RECEIVES ? &rig->bones[bone->donor] : bone;
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    vf half[3] = {v_set(0.0f), v_set(0.0f), v_set(0.0f)};
    for (int axis = 0; axis < 3; axis++)
      if (pattern & (1 << axis)) half[axis] = rival_half_angle(bone, axis, planes, f);
    if ((pattern & AXIS_X) && bone->limb) half[0] = wrapped(half[0]) * v_set(bone->keep);
    vquat q = vquat_mul(vquat_mul(pre, inner_rotation(half[0], half[1], half[2], pattern & 7)), after);
    if (pattern & RECEIVES) {
      const vquat post = set_quat(donor->post), between = set_quat(bone->between);
      vquat rest = vquat_identity();
      sincos_of(wrapped(rival_half_angle(donor, 0, planes, f)) * v_set(1 - donor->keep), &rest.x, &rest.w);
      rest = vquat_mul(vquat_mul(post, rest), vquat_conj(post));
      q = vquat_mul(vquat_mul(vquat_mul(vquat_conj(between), rest), between), q);
    }
    vquat_store(local + f, q);
  }
}

static void products(const rival_rig *rig, const float *planes, float *local) {
  for (int b = 0; b < rig->bone_count; b++, local += 4 * SINEW_BLOCK) {
    const rival_bone *bone = &rig->bones[b];
    const int pattern = (bone->muscle[0] >= 0 ? AXIS_X : 0) | (bone->muscle[1] >= 0 ? AXIS_Y : 0) |
                        (bone->muscle[2] >= 0 ? AXIS_Z : 0) | (bone->donor >= 0 ? RECEIVES : 0);
    switch (pattern) {
#define CASE(pattern)                                                                                        \
  case pattern:                                                                                              \
    product_bone(rig, bone, planes, local, pattern);                                                         \
    break;
      EACH_PATTERN(CASE)
#undef CASE
    default:
      product_bone(rig, bone, planes, local, 0);
    }
  }
}

extern const rival_sleef JOIN(rival_sleef, SINEW_ISA);

const rival_sleef JOIN(rival_sleef,
                       SINEW_ISA) = {.isa = TEXT(SINEW_ISA), .matrices = matrices, .products = products};
