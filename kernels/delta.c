/* One skeleton's turns on another: what turned a bone away from its T-pose, in body space, turns the other's
 * bone away from its own. A rotation comes from the model and not from the slots above, so a chain's length
 * adds no error. */
#include "hips_parent.h"
#include "isa.h"
#include "vturn.h"

typedef enum slot_kind {
  SLOT_RESTS, /* nothing moves it */
  SLOT_ONE,   /* a joint's turn */
  SLOT_SHARES /* between two joints' turns */
} slot_kind;

static slot_kind kind_of(const sinew_delta_slot *slot) {
  if (slot->joint[0] < 0) return SLOT_RESTS;
  return slot->joint[1] >= 0 && slot->share > 0 ? SLOT_SHARES : SLOT_ONE;
}

static const float *joint_rotation(const float *model, int16_t joint) {
  return model + (size_t)(joint < 0 ? 0 : joint) * SINEW_MODEL_PLANES * SINEW_BLOCK + 3 * SINEW_BLOCK;
}

SINEW_INLINE void place_slot(const sinew_delta_slot *restrict slot, const float *restrict model,
                             const float *restrict above, float *restrict turned, float *restrict local,
                             slot_kind kind, int has_above) {
  const float *first = joint_rotation(model, slot->joint[0]), *second = joint_rotation(model, slot->joint[1]);
  const vquat undo = vquat_set(slot->undo[0]), other_undo = vquat_set(slot->undo[1]);
  const vquat stance = vquat_set(slot->stance), between = vquat_set(slot->between),
              rest = vquat_set(slot->rest);
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    vquat parent = vquat_identity();
    if (has_above) parent = vquat_load(above + f);
    if (has_above && slot->has_between) parent = vquat_mul(parent, between);
    if (kind == SLOT_RESTS) {
      vquat_store(turned + f, vquat_near_unit(vquat_mul(parent, rest)));
      vquat_store(local + f, rest);
      continue;
    }
    vquat turn = vquat_mul(vquat_load(first + f), undo);
    if (kind == SLOT_SHARES) {
      const vquat other = vquat_mul(vquat_load(second + f), other_undo);
      turn = vquat_slerp(vquat_near_unit(turn), vquat_near_unit(other), v_set(slot->share));
    }
    const vquat q = vquat_normalise(vquat_mul(turn, stance));
    vquat_store(turned + f, q);
    if (has_above) vquat_store(local + f, vquat_near_unit(vquat_mul(vquat_conj(parent), q)));
  }
}

static void place_hips(const sinew_delta_rig *rig, const float *model, float *hips_t) {
  const float *place = model + (size_t)rig->hips_joint * SINEW_MODEL_PLANES * SINEW_BLOCK;
  for (int c = 0; c < 3; c++)
    for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
      const vf target = v_set(rig->target_origin[c]);
      const vf away = v_load(place + c * SINEW_BLOCK + f) - v_set(rig->source_origin[c]);
      v_store(hips_t + c * SINEW_BLOCK + f,
              rig->in_place && c != 1 ? target : v_fma(v_set(rig->ratio), away, target));
    }
}

void SINEW_KERNEL(delta)(const sinew_delta_rig *rig, const float *model, float *turned, float *local,
                         float *hips_t, float *hips_q, float *node_t) {
  enum { TRACK = 4 * SINEW_BLOCK };
  for (uint32_t s = 0; s < rig->slot_count; s++) {
    const sinew_delta_slot *slot = &rig->slots[s];
    float *q = turned + (size_t)s * TRACK, *out = local + (size_t)s * TRACK;
    const float *above = slot->parent < 0 ? NULL : turned + (size_t)slot->parent * TRACK;
    const slot_kind kind = kind_of(slot);
    if (!above)
      place_slot(slot, model, NULL, q, out, kind, 0);
    else if (kind == SLOT_RESTS)
      place_slot(slot, model, above, q, out, SLOT_RESTS, 1);
    else if (kind == SLOT_SHARES)
      place_slot(slot, model, above, q, out, SLOT_SHARES, 1);
    else
      place_slot(slot, model, above, q, out, SLOT_ONE, 1);
  }
  memcpy(hips_q, turned, sizeof(float) * TRACK);
  place_hips(rig, model, hips_t);
  const hips_above above = {rig->above_q, rig->above_t, rig->inv_above_scale, rig->has_above};
  hips_in_parent(above, hips_t, hips_q, node_t, local);
}
