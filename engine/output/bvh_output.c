/* BVH: head, then a line a frame. */
#include "base/error.h"
#include "map/map.h"
#include "output/formats.h"
#include "output/text_output.h"
#include "rig/quat.h"
#include "stance/figure.h"
#include "write/bvh_plan.h"

#include <string.h>

/* ---- the hierarchy --------------------------------------------------------------------------------------
 */

/* The T-pose of a body on its own skeleton, as its nodes are written. */
static void own_tpose(const bake_plan *plan, double (*q)[4]) {
  const clip_body *body = plan->clip->body;
  double up[4];
  const bool turned = stance_up(body->stance, body->skeleton, up);
  for (uint32_t i = 0; i < plan->output.node_count; i++) {
    quat_mirror(body->stance->tpose_q[i], q[i]);
    if (turned && plan->output.nodes[i].parent < 0) quat_mul(up, q[i], q[i]);
  }
}

static sinew_result set_reference(const output *out, bvh_source *source, arena *scratch, sinew_error *error) {
  const bake_plan *plan = out->plan;
  if (out->options->bvh_rest == SINEW_REST_OWN) return SINEW_OK;
  SINEW_CHECK(out->options->bvh_rest == SINEW_REST_TPOSE, error, SINEW_ERROR_ARGUMENT,
              "bvh_rest is %d, which is none that is known", (int)out->options->bvh_rest);
  double(*q)[4] = arena_alloc(scratch, plan->output.node_count, sizeof *q);
  SINEW_CHECK(q, error, SINEW_ERROR_MEMORY, "out of memory for a T-pose");
  if (plan->rig) {
    bvh_rig_tpose(plan->rig, q);
  } else {
    SINEW_CHECK(plan->clip->body->stance, error, SINEW_ERROR_RIG, "to rest in T-pose is for human bodies: %s",
                plan->clip->body->why.message);
    own_tpose(plan, q);
  }
  source->reference_q = (const double(*)[4])q;
  return SINEW_OK;
}

static sinew_result set_tips(const bake_plan *plan, bvh_source *source, arena *scratch, sinew_error *error) {
  if (!plan->rig) return SINEW_OK;
  double(*tip)[3] = arena_alloc(scratch, plan->output.node_count, sizeof *tip);
  SINEW_CHECK(tip, error, SINEW_ERROR_MEMORY, "out of memory for the ends of bones");
  bvh_rig_tips(plan->rig, tip);
  source->tip = (const double(*)[3])tip;
  return SINEW_OK;
}

static uint32_t hips_of(const bake_plan *plan) {
  const human_map *map = plan->clip->body ? plan->clip->body->map : NULL;
  const int32_t hips = plan->rig ? plan->rig->node_of_bone[HUMAN_HIPS]
                       : map     ? map->node_of_bone[HUMAN_HIPS]
                                 : 0;
  return hips > 0 ? (uint32_t)hips : 0;
}

static sinew_result build_plan(output *out, bvh_plan *own, arena *scratch, sinew_error *error) {
  const bake_plan *plan = out->plan;
  bvh_source source = {.nodes = plan->output.nodes,
                       .node_count = plan->output.node_count,
                       .align_q = plan->rig && rig_is_aligned(plan->rig) ? plan->rig->align_q : NULL,
                       .slot_of_node = plan->output.slot_of_node,
                       .place_of_node = plan->output.place_of_node,
                       .hips = hips_of(plan),
                       .rate_hz = plan->rate_hz,
                       .frame_count = plan->frame_count};
  SINEW_TRY(set_reference(out, &source, scratch, error));
  SINEW_TRY(set_tips(plan, &source, scratch, error));
  /* numbers of an unknown unit stay what they are */
  const clip_body *body = plan->clip->body;
  const bool as_they_are = plan->way == BAKE_OWN && !body->unit_known;
  const bvh_options options = {.order = out->options->bvh_order,
                               .metres = out->options->bvh_metres || as_they_are};
  return bvh_plan_build(plan->kernels, &source, &options, own, error);
}

static sinew_result begin(output *out, sinew_error *error) {
  arena scratch = {0};
  bvh_plan *own = arena_alloc(&out->memory, 1, sizeof *own);
  SINEW_CHECK(own, error, SINEW_ERROR_MEMORY, "out of memory");
  const sinew_result result = build_plan(out, own, &scratch, error);
  arena_release(&scratch);
  if (result == SINEW_OK) out->own = own;
  return result;
}

static sinew_result start(output *out, sinew_error *error) {
  text_out text = {0};
  bvh_head(out->own, &text);
  const sinew_result result = text_output_append(out, &text, error);
  text_out_release(&text);
  return result;
}

/* ---- frames ---------------------------------------------------------------------------------------------
 */

static sinew_result pack_block(void *user, uint64_t piece, uint32_t block, piece_worker *worker,
                               sinew_error *error) {
  const output *out = user;
  const bvh_plan *own = out->own;
  float *planes = (float *)worker->packed;
  const uint64_t first = piece_first_frame(out->plan, piece) / SINEW_BLOCK;
  bvh_planes(own, out->plan->kernels, worker->pose.local, worker->pose.places, planes);
  bvh_lines(own, planes, pose_block_frames(out->plan, first + block), &worker->text);
  SINEW_CHECK(!worker->text.failed, error, SINEW_ERROR_MEMORY, "out of memory for the lines of frames");
  return SINEW_OK;
}

static sinew_result compute(output *out, uint64_t piece, piece_worker *worker, sinew_error *error) {
  const bvh_plan *own = out->own;
  SINEW_TRY(piece_worker_fit(worker, (size_t)own->channel_count * SINEW_BLOCK * sizeof(float), error));
  bvh_planes_begin(own, (float *)worker->packed);
  text_out_clear(&worker->text);
  return piece_compute(&out->source, piece, worker, pack_block, out, error);
}

static void join(output *out, uint64_t piece, piece_worker *worker) {
  (void)piece;
  text_output_join(out, worker);
}

static sinew_result write_piece(output *out, uint64_t piece, piece_worker *worker, sinew_error *error) {
  (void)piece;
  return text_output_write(out, worker, error);
}

static sinew_result check(output *out, uint64_t piece, output_worker *worker, check_findings *found,
                          sinew_error *error) {
  (void)piece;
  (void)found;
  return text_output_check(out, &worker->piece, error);
}

static sinew_result finish(output *out, sinew_error *error) {
  (void)error;
  out->owed_bytes = out->end;
  return SINEW_OK;
}

static void release(output *out) {
  if (out->own) bvh_plan_release(out->own);
}

const output_format output_bvh = {.name = "bvh",
                                  .wants_pose = true,
                                  .begin = begin,
                                  .start = start,
                                  .compute = compute,
                                  .join = join,
                                  .write = write_piece,
                                  .check = check,
                                  .finish = finish,
                                  .release = release};
