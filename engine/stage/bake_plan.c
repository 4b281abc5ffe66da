#include "stage/bake_plan.h"
#include "base/error.h"
#include "rig/quat.h"
#include "stage/muscle_plan.h"

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

static sinew_result choose_way(bake_plan *plan, const bake_choice *choice, sinew_error *error) {
  const clip_body *body = plan->clip->body;
  plan->way = !body ? BAKE_MUSCLE : plan->rig ? BAKE_DELTA : BAKE_OWN;
  SINEW_CHECK(plan->rig || body, error, SINEW_ERROR_ARGUMENT,
              "a clip of muscles moves a rig, and there is none");
  SINEW_CHECK(choice->via == SINEW_VIA_DEFAULT || choice->via == SINEW_VIA_MUSCLE ||
                  choice->via == SINEW_VIA_DELTA,
              error, SINEW_ERROR_ARGUMENT, "via is %d, which is none that is known", (int)choice->via);
  SINEW_CHECK(choice->via != SINEW_VIA_MUSCLE || plan->way == BAKE_MUSCLE, error, SINEW_ERROR_ARGUMENT,
              "a clip of bones has no muscles: by muscle wants a clip of muscles");
  SINEW_CHECK(choice->via != SINEW_VIA_DELTA || plan->way != BAKE_MUSCLE, error, SINEW_ERROR_ARGUMENT,
              "a clip of muscles turns no bones: by delta wants a clip of bones");
  SINEW_CHECK(!choice->in_place || plan->way == BAKE_DELTA, error, SINEW_ERROR_ARGUMENT,
              "in place is for clips of bones on a rig");
  if (plan->way == BAKE_DELTA && !body->stance)
    return error_set(error, SINEW_ERROR_RIG, "%s", body->why.message);
  return SINEW_OK;
}

static sinew_result build(bake_plan *plan, const bake_choice *choice, sinew_error *error) {
  SINEW_TRY(choose_way(plan, choice, error));
  SINEW_TRY(plan_frames(plan, choice->rate_hz, error));
  if (plan->way == BAKE_OWN) return own_plan_build(plan, error);
  SINEW_TRY(plan->way == BAKE_DELTA ? delta_plan_build(plan, choice->in_place, error)
                                    : muscle_plan_build(plan, error));
  face_file(&plan->output, plan->rig);
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
  arena_release(&plan->memory);
}
