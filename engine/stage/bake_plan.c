#include "stage/bake_plan.h"
#include "base/error.h"
#include "rig/quat.h"
#include "stage/muscle_plan.h"
#include "stance/figure.h"

static const uint64_t frame_limit = UINT64_C(1) << 28;
static const double rate_limit_hz = 1e6;

/* ---- the output -----------------------------------------------------------------------------------------
 */

sinew_result bake_output_open(bake_output *output, arena *memory, sinew_error *error) {
  const size_t tracks = (size_t)output->slot_count + output->place_count;
  output->slot_of_node = arena_alloc(memory, output->node_count, sizeof *output->slot_of_node);
  output->place_of_node = arena_alloc(memory, output->node_count, sizeof *output->place_of_node);
  output->scale_of_node = arena_alloc(memory, output->node_count, sizeof *output->scale_of_node);
  output->tracks = arena_alloc(memory, tracks, sizeof *output->tracks);
  output->planes = arena_alloc(memory, tracks, sizeof *output->planes);
  SINEW_CHECK(output->slot_of_node && output->place_of_node && output->scale_of_node && output->tracks &&
                  output->planes,
              error, SINEW_ERROR_MEMORY, "out of memory for %zu tracks", tracks);
  for (uint32_t node = 0; node < output->node_count; node++)
    output->slot_of_node[node] = output->place_of_node[node] = output->scale_of_node[node] = -1;
  return SINEW_OK;
}

static void add_track(bake_output *output, glb_track track, uint32_t plane) {
  output->tracks[output->track_count] = track;
  output->planes[output->track_count++] = plane;
  output->constant_count += track.constant;
}

void bake_output_turn(bake_output *output, uint32_t node, uint32_t slot, bool constant) {
  output->slot_of_node[node] = (int32_t)slot;
  add_track(output, (glb_track){node, GLB_ROTATION, constant}, slot);
}

void bake_output_move(bake_output *output, uint32_t node, uint32_t place, bool constant) {
  output->place_of_node[node] = (int32_t)place;
  add_track(output, (glb_track){node, GLB_TRANSLATION, constant}, place);
}

void bake_output_scale(bake_output *output, uint32_t node, uint32_t place, bool constant) {
  output->scale_of_node[node] = (int32_t)place;
  add_track(output, (glb_track){node, GLB_SCALE, constant}, place);
}

/* Nodes stand in their file's frame, joints are computed in the rig's root space. */
static void face_file(bake_output *output, const sinew_rig *rig) {
  output->is_turned = rig_is_aligned(rig);
  double inverse[4];
  quat_conj(rig->align_q, inverse);
  for (int c = 0; c < 4; c++) output->to_file_q[c] = (float)inverse[c];
}

/* ---- the plan -------------------------------------------------------------------------------------------
 */

static sinew_result plan_frames(bake_plan *plan, double rate_hz, sinew_error *error) {
  const sinew_clip *clip = plan->clip;
  plan->rate_hz = rate_hz == 0 ? clip->rate_hz : rate_hz;
  SINEW_CHECK(plan->rate_hz > 0 && plan->rate_hz <= rate_limit_hz, error, SINEW_ERROR_ARGUMENT,
              "the rate is %g frames per second, expected more than 0 and at most %g", plan->rate_hz,
              rate_limit_hz);
  double duration_s = clip->stop_s - clip->start_s;
  SINEW_CHECK(duration_s * plan->rate_hz < (double)frame_limit - 1, error, SINEW_ERROR_LIMIT,
              "%g seconds at %g frames per second are more than the limit of %llu frames", duration_s,
              plan->rate_hz, (unsigned long long)frame_limit);
  plan->frame_count = sinew_clip_frame_count(clip, plan->rate_hz);
  plan->block_count = (plan->frame_count + SINEW_BLOCK - 1) / SINEW_BLOCK;
  return SINEW_OK;
}

/* Which ways there are between what a clip holds and what is written. */
static sinew_result check_choice(const bake_plan *plan, const bake_choice *choice, sinew_error *error) {
  const bool of_bones = plan->clip->body != NULL;
  SINEW_CHECK(plan->rig || of_bones || choice->no_pose, error, SINEW_ERROR_ARGUMENT,
              "a clip of muscles moves a rig, and there is none");
  SINEW_CHECK(choice->via == SINEW_VIA_DEFAULT || choice->via == SINEW_VIA_MUSCLE ||
                  choice->via == SINEW_VIA_DELTA,
              error, SINEW_ERROR_ARGUMENT, "via is %d, which is none that is known", (int)choice->via);
  SINEW_CHECK(choice->via != SINEW_VIA_DELTA || of_bones, error, SINEW_ERROR_ARGUMENT,
              "a clip of muscles turns no bones: by delta wants a clip of bones");
  SINEW_CHECK(!choice->in_place || (of_bones && plan->rig && choice->via != SINEW_VIA_MUSCLE), error,
              SINEW_ERROR_ARGUMENT, "in place is for clips of bones on a rig, by delta");
  SINEW_CHECK(
      !(choice->mirror || choice->clamp) || !of_bones || choice->no_pose || choice->via == SINEW_VIA_MUSCLE,
      error, SINEW_ERROR_ARGUMENT, "%s is done to muscles: bones that are to be written want it by muscle",
      choice->mirror ? "mirroring" : "holding to limits");
  SINEW_CHECK(!choice->clip_rig || of_bones, error, SINEW_ERROR_ARGUMENT,
              "a clip of muscles has no skeleton whose rig could be given");
  SINEW_CHECK(!choice->tdof || of_bones, error, SINEW_ERROR_ARGUMENT,
              "translation degrees of freedom are made of a clip of bones, and this one has muscles");
  SINEW_CHECK(!choice->tdof || !choice->mirror, error, SINEW_ERROR_ARGUMENT,
              "translation degrees of freedom cannot be mirrored");
  return SINEW_OK;
}

static const sinew_rig *asked_rig(const bake_plan *plan, const bake_choice *choice) {
  return choice->asked_rig ? choice->asked_rig : plan->rig;
}

/* A clip's bones are its muscles as they are where the skeleton's avatar is known; on another's rig delta
 * comes first. */
static bool needs_delta(const bake_plan *plan, const bake_choice *choice) {
  if (!plan->rig || choice->via == SINEW_VIA_MUSCLE || choice->clip_rig) return false;
  return choice->in_place || choice->via == SINEW_VIA_DELTA ||
         !muscle_source_is_own(plan->clip, asked_rig(plan, choice));
}

static void choose_of_bones(bake_plan *plan, const bake_choice *choice) {
  const bool planes = choice->planes || (choice->planes_if_any && plan->clip->body->figure);
  if (!choice->no_pose)
    plan->way = choice->via == SINEW_VIA_MUSCLE ? BAKE_MUSCLE : plan->rig ? BAKE_DELTA : BAKE_OWN;
  if (plan->way == BAKE_MUSCLE)
    plan->planes_from = PLANES_OF_BONES;
  else if (planes)
    plan->planes_from = needs_delta(plan, choice) ? PLANES_OF_POSE : PLANES_OF_BONES;
  if (plan->planes_from == PLANES_OF_POSE) plan->way = BAKE_DELTA;
  plan->wants_planes = planes;
}

static sinew_result choose_way(bake_plan *plan, const bake_choice *choice, sinew_error *error) {
  const clip_body *body = plan->clip->body;
  SINEW_TRY(check_choice(plan, choice, error));
  plan->way = BAKE_NONE;
  plan->mirror = choice->mirror;
  plan->clamp = choice->clamp;
  if (body) {
    choose_of_bones(plan, choice);
  } else {
    if (!choice->no_pose) plan->way = BAKE_MUSCLE;
    plan->planes_from = PLANES_OF_CLIP;
    plan->wants_planes = choice->planes || choice->planes_if_any;
  }
  if (plan->way == BAKE_DELTA && !body->stance)
    return error_set(error, SINEW_ERROR_RIG, "%s", body->why.message);
  return SINEW_OK;
}

/* On the body that was found in the clip's own file. */
static sinew_result take_own_rig(bake_plan *plan, sinew_error *error) {
  const clip_body *body = plan->clip->body;
  if (!body->figure) return error_set(error, SINEW_ERROR_RIG, "%s", body->why.message);
  SINEW_TRY(figure_rig(body->figure, &plan->made_rig, error));
  plan->rig = plan->made_rig;
  return SINEW_OK;
}

static sinew_result find_muscles(bake_plan *plan, const bake_choice *choice, sinew_error *error) {
  const avatar_choice avatar = {choice->clip_rig, asked_rig(plan, choice), choice->limbs, choice->tdof};
  if (plan->planes_from == PLANES_OF_BONES)
    SINEW_TRY(muscle_source_of_clip(plan, &avatar, &plan->muscles, error));
  if (plan->planes_from == PLANES_OF_POSE)
    SINEW_TRY(muscle_source_of_delta(plan, choice->limbs, &plan->muscles, error));
  return SINEW_OK;
}

static sinew_result build_pose(bake_plan *plan, bool in_place, sinew_error *error) {
  switch (plan->way) {
  case BAKE_MUSCLE:
    return muscle_plan_build(plan, error);
  case BAKE_DELTA:
    return delta_plan_build(plan, in_place, error);
  case BAKE_OWN:
    return own_plan_build(plan, error);
  case BAKE_NONE:
    return muscle_plan_build(plan, error);
  }
  return SINEW_OK;
}

static sinew_result build(bake_plan *plan, const bake_choice *choice, sinew_error *error) {
  SINEW_TRY(choose_way(plan, choice, error));
  SINEW_TRY(plan_frames(plan, choice->rate_hz, error));
  if (plan->planes_from == PLANES_OF_BONES) SINEW_TRY(find_muscles(plan, choice, error));
  if (plan->way == BAKE_MUSCLE && !plan->rig) SINEW_TRY(take_own_rig(plan, error));
  SINEW_TRY(build_pose(plan, choice->in_place, error));
  if (plan->planes_from == PLANES_OF_POSE) SINEW_TRY(find_muscles(plan, choice, error));
  muscle_plan_list_present(plan);
  if (plan->way == BAKE_MUSCLE || plan->way == BAKE_DELTA) face_file(&plan->output, plan->rig);
  return SINEW_OK;
}

sinew_result bake_plan_build(const sinew_kernels *kernels, const sinew_clip *clip, const sinew_rig *rig,
                             const bake_choice *choice, bake_plan *plan, sinew_error *error) {
  *plan = (bake_plan){.clip = clip, .rig = rig, .kernels = kernels};
  const sinew_result result = build(plan, choice ? choice : &(bake_choice){0}, error);
  if (result != SINEW_OK) bake_plan_release(plan);
  return result;
}

/* Float: far above what rounding leaves (about 1e-6 of the body), far below any wrong axis. int16: half a
 * step of 1/32767 in each component turns by up to 6e-5 rad, and a chain of bones adds such turns up. */
bake_bounds bake_plan_bounds(const bake_plan *plan) {
  bake_bounds bounds = plan->quantized ? (bake_bounds){5e-4, 2e-4} : (bake_bounds){1e-5, 4e-6};
  bounds.of_height += 2 * plan->output.unevenness;
  return bounds;
}

void bake_plan_release(bake_plan *plan) {
  box_mesh_release(&plan->mesh);
  bone_plan_release(&plan->bones);
  clip_segments_release(&plan->segments);
  muscle_rig_release(&plan->constants);
  muscle_source_release(&plan->muscles);
  if (plan->made_rig) sinew_rig_close(plan->made_rig);
  arena_release(&plan->memory);
}
