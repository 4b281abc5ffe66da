/* From a compiled rig to the kernels' constants: what a bake by muscles needs, computed once in double and
 * rounded. */
#ifndef SINEW_RETARGET_MUSCLE_RIG_H
#define SINEW_RETARGET_MUSCLE_RIG_H

#include "kernels.h"
#include "rig/rig.h"

typedef struct muscle_rig {
  arena memory;
  uint32_t bone_count; /* slots: present bones, parents first; slot 0 is the hips: the identity */
  uint8_t bone_of_slot[HUMAN_BONE_COUNT];
  int8_t slot_of_bone[HUMAN_BONE_COUNT]; /* -1: absent */
  sinew_muscle_rig muscle;
  sinew_fk_rig fk;      /* all present bones, joint i = slot i */
  sinew_fk_rig fk_body; /* the bones the body frame and centre of mass read, and those above them */
  sinew_body_rig body;  /* over fk_body's joints */
  float rest_root[7];   /* RootT and RootQ that hold the T-pose body: what a clip without root curves gets */
} muscle_rig;

sinew_result muscle_rig_build(const sinew_rig *rig, muscle_rig *out, sinew_error *error);
void muscle_rig_release(muscle_rig *m);

#endif
