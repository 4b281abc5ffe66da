/* Muscles to local rotations: humanoid.md 2 to 4.
 *
 * Every angle is a pair (sine, cosine) known up to a common factor, so inner = T(y, z) * Rx(x) costs one
 * normalisation; pre * inner * conj(post) is the constant matrix m, and the twist received from the limb bone
 * above adds the matrix n with the sine. Which axes a bone has and whether it receives twist is fixed per
 * bone, so one loop is compiled for each of the 16 combinations: absent axes cost neither loads nor matrix
 * columns. */
#include "isa.h"
#include "vmath.h"
#include "vquat.h"

enum { AXIS_X = 1, AXIS_Y = 2, AXIS_Z = 4, RECEIVES = 8, PATTERN_COUNT = 16 };

/* How a bone's half angles come from its muscles, the fewest operations first. All give the same bits where
 * they may be used. */
typedef enum angle_reach {
  REACH_EVEN,  /* half_pos == half_neg, no half angle past UNWRAPPED */
  REACH_SIDED, /* no half angle past UNWRAPPED */
  REACH_WRAPS  /* any */
} angle_reach;

/* Half angles up to here wrap to themselves (-0 to 0, which adding 0 does too): a little less than pi/2. */
#define UNWRAPPED 1.57f

/* The half angle of a muscle, wrapped. A limb bone's twist has to be wrapped before it is shared; elsewhere
 * wrapping changes the quaternion's sign alone and brings the angle into the tangent's reach. */
SINEW_INLINE vf half_angle(const float *muscle, float half_pos, float half_neg, angle_reach reach,
                           vf *largest) {
  const vf value = v_load(muscle);
  const vf h =
      value * (reach == REACH_EVEN ? v_set(half_pos) : v_by_sign(value, v_set(half_pos), v_set(half_neg)));
  if (reach == REACH_WRAPS) return v_wrap_half_angle(h);
  *largest = v_max_abs(h, *largest);
  return h + v_set(0.0f);
}

typedef struct inner_part { /* a quaternion up to its length; which components can be other than 0 */
  vquat q;
  int has_x, has_y, has_z;
} inner_part;

SINEW_INLINE inner_part inner_kind(int pattern) {
  const int x = pattern & AXIS_X, y = pattern & AXIS_Y, z = pattern & AXIS_Z;
  return (inner_part){.has_x = x, .has_y = y || (x && z), .has_z = z || (x && y)};
}

SINEW_INLINE vquat inner_rotation(const sinew_muscle_bone *bone, const float *planes, int pattern,
                                  angle_reach reach, vf *largest) {
  const int x = pattern & AXIS_X, y = pattern & AXIS_Y, z = pattern & AXIS_Z;
  const vf zero = v_set(0.0f), one = v_set(1.0f);
  vf s[3] = {zero, zero, zero}, c[3] = {one, one, one};
  for (int axis = 0; axis < 3; axis++) {
    if (!(pattern & AXIS_X << axis)) continue;
    vf h = half_angle(planes + bone->plane[axis] * SINEW_BLOCK, bone->half_pos[axis], bone->half_neg[axis],
                      reach, largest);
    if (axis == 0) h = h * v_set(bone->keep);
    v_half_tangent(h, &s[axis], &c[axis]);
  }

  vquat swing = {zero, zero, zero, one};
  if (y && z)
    swing = (vquat){zero, s[1] * c[2], s[2] * c[1], c[1] * c[2]};
  else if (y)
    swing = (vquat){zero, s[1], zero, c[1]};
  else if (z)
    swing = (vquat){zero, zero, s[2], c[2]};
  if (!x) return swing;

  vquat q = {s[0], zero, zero, c[0]};
  if (y || z) q.x = s[0] * swing.w, q.w = c[0] * swing.w;
  if (y && z)
    q.y = v_fma(swing.y, c[0], swing.z * s[0]), q.z = v_fnma(swing.y, s[0], swing.z * c[0]);
  else if (y)
    q.y = swing.y * c[0], q.z = v_neg(swing.y * s[0]);
  else if (z)
    q.y = swing.z * s[0], q.z = swing.z * c[0];
  return q;
}

/* ---- a bone in two steps ---- */

/* What the first step hands to the second, plane by plane. Two steps, so that one bone's arithmetic fills the
 * time in which the other's waits for a root or a division. */
typedef struct turn {
  _Alignas(64) float inner[4][SINEW_BLOCK]; /* x, y, z, w up to the length; not written where always 0 */
  float rest_sin[SINEW_BLOCK]; /* the twist received, up to its length; not written without one */
  float rest_cos[SINEW_BLOCK];
  float length[SINEW_BLOCK]; /* of both */
} turn;

/* false: a half angle lies out of `reach`, and what is written is of no use. */
SINEW_INLINE int begin_bone(const sinew_muscle_bone *restrict bone, const float *restrict planes,
                            turn *restrict t, int pattern, angle_reach reach) {
  if (pattern == 0) return 1; /* a constant */
  inner_part inner = inner_kind(pattern);
  vf largest = v_set(0.0f);
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    inner.q = inner_rotation(bone, planes + f, pattern, reach, &largest);
    vf square = inner.q.w * inner.q.w;
    if (inner.has_x) square = v_fma(inner.q.x, inner.q.x, square);
    if (inner.has_y) square = v_fma(inner.q.y, inner.q.y, square);
    if (inner.has_z) square = v_fma(inner.q.z, inner.q.z, square);
    if (pattern & RECEIVES) {
      vf rest = half_angle(planes + bone->donor_plane * SINEW_BLOCK + f, bone->donor_half_pos,
                           bone->donor_half_neg, reach, &largest);
      vf rest_sin, rest_cos;
      v_half_tangent(rest * v_set(bone->donor_pass), &rest_sin, &rest_cos);
      square = square * v_fma(rest_sin, rest_sin, rest_cos * rest_cos);
      v_store(t->rest_sin + f, rest_sin), v_store(t->rest_cos + f, rest_cos);
    }
    if (inner.has_x) v_store(t->inner[0] + f, inner.q.x);
    if (inner.has_y) v_store(t->inner[1] + f, inner.q.y);
    if (inner.has_z) v_store(t->inner[2] + f, inner.q.z);
    v_store(t->inner[3] + f, inner.q.w);
    v_store(t->length + f, v_sqrt(square));
  }
  return reach == REACH_WRAPS || v_signs((vf)(largest > v_set(UNWRAPPED))) == 0;
}

SINEW_INLINE vf matrix_row(const float row[4], inner_part inner) {
  vf sum = v_set(row[3]) * inner.q.w;
  if (inner.has_x) sum = v_fma(v_set(row[0]), inner.q.x, sum);
  if (inner.has_y) sum = v_fma(v_set(row[1]), inner.q.y, sum);
  if (inner.has_z) sum = v_fma(v_set(row[2]), inner.q.z, sum);
  return sum;
}

SINEW_INLINE void finish_bone(const sinew_muscle_bone *restrict bone, const turn *restrict t,
                              float *restrict local, int pattern) {
  inner_part inner = inner_kind(pattern);
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    const vf one = v_set(1.0f), unit = pattern == 0 ? one : one / v_load(t->length + f);
    if (inner.has_x) inner.q.x = v_load(t->inner[0] + f) * unit;
    if (inner.has_y) inner.q.y = v_load(t->inner[1] + f) * unit;
    if (inner.has_z) inner.q.z = v_load(t->inner[2] + f) * unit;
    inner.q.w = pattern == 0 ? one : v_load(t->inner[3] + f) * unit;
    for (int c = 0; c < 4; c++) {
      vf out = matrix_row(bone->m[c], inner);
      if (pattern & RECEIVES)
        out = v_fma(v_load(t->rest_sin + f), matrix_row(bone->n[c], inner), v_load(t->rest_cos + f) * out);
      v_store(local + c * SINEW_BLOCK + f, out);
    }
  }
}

/* ---- one loop for each pattern ---- */

typedef int begin_function(const sinew_muscle_bone *bone, const float *planes, turn *t);
typedef void finish_function(const sinew_muscle_bone *bone, const turn *t, float *local);

/* clang-format off */
#define STEPS(p)                                                                                             \
  static int begin_even_##p(const sinew_muscle_bone *bone, const float *planes, turn *t) {                   \
    return begin_bone(bone, planes, t, p, REACH_EVEN);                                                       \
  }                                                                                                          \
  static int begin_sided_##p(const sinew_muscle_bone *bone, const float *planes, turn *t) {                  \
    return begin_bone(bone, planes, t, p, REACH_SIDED);                                                      \
  }                                                                                                          \
  static int begin_wraps_##p(const sinew_muscle_bone *bone, const float *planes, turn *t) {                  \
    return begin_bone(bone, planes, t, p, REACH_WRAPS);                                                      \
  }                                                                                                          \
  static void finish_##p(const sinew_muscle_bone *bone, const turn *t, float *local) {                       \
    finish_bone(bone, t, local, p);                                                                          \
  }
STEPS(0) STEPS(1) STEPS(2) STEPS(3) STEPS(4) STEPS(5) STEPS(6) STEPS(7)
STEPS(8) STEPS(9) STEPS(10) STEPS(11) STEPS(12) STEPS(13) STEPS(14) STEPS(15)

#define BY_PATTERN(step)                                                                                     \
  {step##_0, step##_1, step##_2,  step##_3,  step##_4,  step##_5,  step##_6,  step##_7,                      \
   step##_8, step##_9, step##_10, step##_11, step##_12, step##_13, step##_14, step##_15}
static begin_function *const begin_even[PATTERN_COUNT] = BY_PATTERN(begin_even);
static begin_function *const begin_sided[PATTERN_COUNT] = BY_PATTERN(begin_sided);
static begin_function *const begin_wraps[PATTERN_COUNT] = BY_PATTERN(begin_wraps);
static finish_function *const finish[PATTERN_COUNT] = BY_PATTERN(finish);
/* clang-format on */

static int pattern_of(const sinew_muscle_bone *bone) {
  return (bone->plane[0] >= 0 ? AXIS_X : 0) | (bone->plane[1] >= 0 ? AXIS_Y : 0) |
         (bone->plane[2] >= 0 ? AXIS_Z : 0) | (bone->donor_plane >= 0 ? RECEIVES : 0);
}
static int is_even(const sinew_muscle_bone *bone, int pattern) {
  int even = !(pattern & RECEIVES) || bone->donor_half_pos == bone->donor_half_neg;
  for (int axis = 0; axis < 3; axis++)
    even &= !(pattern & AXIS_X << axis) || bone->half_pos[axis] == bone->half_neg[axis];
  return even;
}

static void begin(const sinew_muscle_bone *bone, int pattern, const float *planes, turn *t) {
  begin_function *const short_way = is_even(bone, pattern) ? begin_even[pattern] : begin_sided[pattern];
  if (!short_way(bone, planes, t)) begin_wraps[pattern](bone, planes, t);
}

/* A bone's muscles are a few lines each, far apart: too short for the hardware to see where they lead, so
 * those of a bone some way ahead are asked for. A donor's muscle is read before as its own bone's. */
enum { BONES_AHEAD = 6 };
static void fetch(const sinew_muscle_bone *ahead, const float *planes) {
  for (int axis = 0; axis < 3; axis++) {
    if (ahead->plane[axis] < 0) continue;
    for (int f = 0; f < SINEW_BLOCK; f += 16)
      __builtin_prefetch(planes + ahead->plane[axis] * SINEW_BLOCK + f);
  }
}

void SINEW_KERNEL(muscle)(const sinew_muscle_rig *rig, const float *planes, float *local) {
  turn turns[2];
  int pattern = 0;
  for (uint32_t b = 0; b <= rig->bone_count; b++) {
    const int pattern_before = pattern;
    if (b + BONES_AHEAD < rig->bone_count) fetch(&rig->bones[b + BONES_AHEAD], planes);
    if (b < rig->bone_count) {
      pattern = pattern_of(&rig->bones[b]);
      begin(&rig->bones[b], pattern, planes, &turns[b % 2]);
    }
    if (b > 0)
      finish[pattern_before](&rig->bones[b - 1], &turns[(b - 1) % 2],
                             local + (size_t)(b - 1) * 4 * SINEW_BLOCK);
  }
}
