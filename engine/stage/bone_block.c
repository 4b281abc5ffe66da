#include "stage/bone_block.h"
#include "base/error.h"
#include "stage/turn_planes.h"

#include <math.h>
#include <string.h>

/* Metres: past it a place is no pose but a damaged file. */
static const float place_limit_m = 1e6f;

static float *plane_of(float *planes, size_t track, size_t plane_count) {
  return planes + track * plane_count * SINEW_BLOCK;
}

/* ---- what the file says
 * ------------------------------------------------------------------------------------ */

sinew_result bone_check_places(const motion_plan *sampled, const float *places, uint64_t block,
                               sinew_error *error) {
  for (uint32_t place = 0; place < sampled->place_count; place++)
    for (uint32_t i = 0; i < 3 * SINEW_BLOCK; i++) {
      const float value = places[(size_t)place * 3 * SINEW_BLOCK + i];
      if (fabsf(value) <= place_limit_m) continue;
      char name[96];
      const char *own = sampled->skeleton->nodes[sampled->nodes[sampled->place_slot[place]]].name;
      return error_set(error, SINEW_ERROR_POSE, "node %s %s %g at frame %llu, expected at most %g",
                       error_printable(own, strlen(own), name, sizeof name),
                       sampled->is_scale[place] ? "is scaled by" : "stands from its parent, in metres,",
                       (double)value, (unsigned long long)(block * SINEW_BLOCK + i % SINEW_BLOCK),
                       (double)place_limit_m);
    }
  return SINEW_OK;
}

/* ---- scratch
 * ------------------------------------------------------------------------------------------------ */

/* The motion as its file has it. On its own skeleton nothing more is needed, unless roots are turned: then
 * `local` and `places` are the motion's, and the pose is made of them. */
typedef struct bone_scratch {
  float *motion;
  float *local;  /* [followed nodes][4][64]; on a rig the body's frame behind them */
  float *places; /* [places][3][64] */
  float *scaled; /* [places + roots][3][64] */
  float *model;  /* on a rig: [joints of the source][7][64] */
  float *turned; /* on a rig: [slots][4][64] */
  size_t float_count;
} bone_scratch;

static float *take(float *base, size_t *used, size_t count) {
  float *at = base ? base + *used : NULL;
  *used += count;
  return at;
}

/* base NULL: for the size alone. */
static bone_scratch lay_out(const bake_plan *plan, float *base) {
  const bone_plan *bones = &plan->bones;
  const bool on_rig = plan->way == BAKE_DELTA;
  const size_t followed = (size_t)bones->motion.node_count + 1, places = bones->motion.place_count;
  size_t used = 0;
  bone_scratch at;
  at.motion = take(base, &used, motion_scratch_floats(&bones->motion));
  at.local = take(base, &used, followed * 4 * SINEW_BLOCK);
  at.places = take(base, &used, places * 3 * SINEW_BLOCK);
  at.scaled = take(base, &used, (places + bones->root_count) * 3 * SINEW_BLOCK);
  at.model = take(base, &used, on_rig ? followed * SINEW_MODEL_PLANES * SINEW_BLOCK : 0);
  at.turned = take(base, &used, on_rig ? (size_t)bones->delta.slot_count * 4 * SINEW_BLOCK : 0);
  at.float_count = used;
  return at;
}

size_t bone_scratch_floats(const bake_plan *plan) {
  return lay_out(plan, NULL).float_count;
}

static void scale_places(const bone_plan *bones, const float *places, float *scaled) {
  for (size_t place = 0; place < bones->motion.place_count; place++)
    for (size_t i = place * 3 * SINEW_BLOCK; i < (place + 1) * 3 * SINEW_BLOCK; i++)
      scaled[i] = places[i] * bones->place_scale[place];
}

/* ---- on its own skeleton ----------------------------------------------------------------------------------
 */

static void turn_roots(const bake_plan *plan, const bone_scratch *at, pose_block *pose) {
  const bone_plan *bones = &plan->bones;
  memcpy(pose->local, at->local, (size_t)plan->output.slot_count * 4 * SINEW_BLOCK * sizeof *pose->local);
  memcpy(pose->places, at->places, (size_t)plan->output.place_count * 3 * SINEW_BLOCK * sizeof *pose->places);
  for (uint32_t i = 0; i < bones->root_count; i++) {
    const bone_root *root = &bones->roots[i];
    turn_rotation(bones->up, plane_of(pose->local, root->slot, 4));
    if (root->place >= 0) turn_place(bones->up, plane_of(pose->places, (size_t)root->place, 3));
  }
}

static void root_place(const bake_plan *plan, const pose_block *pose, uint32_t index, float *out) {
  const bone_root *root = &plan->bones.roots[index];
  if (root->place >= 0) {
    memcpy(out, plane_of(pose->places, (size_t)root->place, 3), 3 * SINEW_BLOCK * sizeof *out);
    return;
  }
  for (uint32_t i = 0; i < 3 * SINEW_BLOCK; i++)
    out[i] = (float)plan->output.nodes[root->slot].t[i / SINEW_BLOCK];
}

static void compute_own(const bake_plan *plan, uint64_t block, const bone_scratch *at, pose_block *pose) {
  const bone_plan *bones = &plan->bones;
  if (bones->turned_up) {
    motion_block_load(&bones->motion, block, at->motion, at->local, at->places);
    turn_roots(plan, at, pose);
  } else {
    motion_block_load(&bones->motion, block, at->motion, pose->local, pose->places);
  }
  root_place(plan, pose, 0, pose->hips_t);
  memcpy(pose->hips_q, plane_of(pose->local, bones->roots[0].slot, 4),
         4 * SINEW_BLOCK * sizeof *pose->hips_q);
}

/* Joint 0 is the first root; the others' places stand behind the nodes' and are seen from it. */
void bone_place_joints(const bake_plan *plan, const pose_scratch *scratch, const pose_block *pose,
                       float *model) {
  const bone_plan *bones = &plan->bones;
  const bone_scratch at = lay_out(plan, scratch->bones);
  scale_places(bones, pose->places, at.scaled);
  for (uint32_t i = 1; i < bones->root_count; i++) {
    float *place = plane_of(at.scaled, bones->motion.place_count + i - 1, 3);
    root_place(plan, pose, i, place);
    for (uint32_t k = 0; k < 3 * SINEW_BLOCK; k++) place[k] -= pose->hips_t[k];
  }
  plan->kernels->fk_moved(&plan->output.fk, pose->local, at.scaled, model);
}

/* ---- on a rig
 * ----------------------------------------------------------------------------------------------- */

static void compute_delta(const bake_plan *plan, uint64_t block, const bone_scratch *at, pose_block *pose) {
  const sinew_kernels *k = plan->kernels;
  const delta_rig *delta = &plan->bones.delta;
  motion_block_load(&plan->bones.motion, block, at->motion, at->local, at->places);
  scale_places(&plan->bones, at->places, at->scaled);
  k->fk_moved(&delta->source, at->local, at->scaled, at->model);
  k->delta(&delta->delta, at->model, at->turned, pose->local, pose->hips_t, pose->hips_q, pose->places);
}

/* ---- both -------------------------------------------------------------------------------------------------
 */

void bone_block_begin(const bake_plan *plan, pose_scratch *scratch, pose_block *pose) {
  const bone_plan *bones = &plan->bones;
  const bone_scratch at = lay_out(plan, scratch->bones);
  if (plan->way == BAKE_OWN && !bones->turned_up) {
    motion_block_begin(&bones->motion, pose->local, pose->places);
    return;
  }
  motion_block_begin(&bones->motion, at.local, at.places);
  float *frame = plane_of(at.local, bones->motion.node_count, 4);
  for (uint32_t i = 0; i < 4 * SINEW_BLOCK; i++) frame[i] = bones->delta.align_q[i / SINEW_BLOCK];
}

sinew_result bone_block_compute(const bake_plan *plan, uint64_t block, pose_scratch *scratch,
                                pose_block *pose, sinew_error *error) {
  const bone_scratch at = lay_out(plan, scratch->bones);
  if (plan->way == BAKE_OWN) {
    compute_own(plan, block, &at, pose);
    return bone_check_places(&plan->bones.motion, pose->places, block, error);
  }
  compute_delta(plan, block, &at, pose);
  return bone_check_places(&plan->bones.motion, at.places, block, error);
}
