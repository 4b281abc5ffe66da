#include "rival_naive.h"

#include <math.h>

static rival_quat mul(rival_quat a, rival_quat b) {
  return (rival_quat){
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
static rival_quat conjugate(rival_quat q) {
  return (rival_quat){-q.x, -q.y, -q.z, q.w};
}

static float angle_of(const rival_bone *bone, int axis, const float *muscles) {
  if (bone->muscle[axis] < 0) return 0;
  const float v = muscles[bone->muscle[axis]];
  return v * (v >= 0 ? bone->positive_rad[axis] : bone->negative_rad[axis]);
}

static float wrapped(float angle_rad) {
  const float turn = 6.28318531f;
  return angle_rad - turn * rintf(angle_rad / turn);
}

static rival_quat about_x(float angle_rad) {
  return (rival_quat){sinf(angle_rad / 2), 0, 0, cosf(angle_rad / 2)};
}

static rival_quat swing(float y_rad, float z_rad) {
  const float y = tanf(y_rad / 2), z = tanf(z_rad / 2), scale = 1 / sqrtf(1 + y * y + z * z);
  return (rival_quat){0, y * scale, z * scale, scale};
}

/* The twist that the limb bone above did not keep, as a turn of this bone. */
static rival_quat received(const rival_rig *rig, const rival_bone *bone, const float *muscles) {
  const rival_bone *donor = &rig->bones[bone->donor];
  const float rest_rad = (1 - donor->keep) * wrapped(angle_of(donor, 0, muscles));
  const rival_quat turn = mul(mul(donor->post, about_x(rest_rad)), conjugate(donor->post));
  return mul(mul(conjugate(bone->between), turn), bone->between);
}

void rival_naive(const rival_rig *rig, const float *muscles, size_t frames, rival_quat *local) {
  for (size_t f = 0; f < frames; f++, muscles += SINEW_MUSCLE_COUNT)
    for (int b = 0; b < rig->bone_count; b++) {
      const rival_bone *bone = &rig->bones[b];
      float x_rad = angle_of(bone, 0, muscles);
      if (bone->limb) x_rad = bone->keep * wrapped(x_rad);
      const rival_quat inner =
          mul(swing(angle_of(bone, 1, muscles), angle_of(bone, 2, muscles)), about_x(x_rad));
      rival_quat q = mul(mul(bone->pre, inner), conjugate(bone->post));
      if (bone->donor >= 0) q = mul(received(rig, bone, muscles), q);
      *local++ = q;
    }
}
