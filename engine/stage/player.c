#include "stage/player.h"
#include "base/error.h"
#include "stage/context.h"

#include <math.h>
#include <string.h>

enum { GOAL_COUNT = SINEW_GOAL_CHANNEL_COUNT / 7 };

/* Differences of two times, as float, stay finite below it. */
static const double time_limit_s = 1e30;

/* ---- opening ----------------------------------------------------------------------------------------- */

static void set_fill(sinew_player *player) {
  for (int i = 0; i < 7; i++) player->fill[SINEW_PLANE_ROOT_T + i] = player->constants.rest_root[i];
  for (int goal = 0; goal < GOAL_COUNT; goal++) player->fill[SINEW_PLANE_GOAL + 7 * goal + 6] = 1;
}

static sinew_result take_curves(sinew_player *player, const sinew_clip *clip, sinew_error *error) {
  bool others[SINEW_PLANE_COUNT];
  SINEW_TRY(clip_segments_build(clip, player->wanted, &player->pose_curves, error));
  for (int plane = 0; plane < SINEW_PLANE_COUNT; plane++) others[plane] = !player->wanted[plane];
  SINEW_TRY(clip_segments_build(clip, others, &player->other_curves, error));
  if (clip->rows) player->rows = clip_rows_retain(clip->rows);
  player->has_clip = true;
  return SINEW_OK;
}

static sinew_result check_frame(const sinew_player_options *options, sinew_error *error) {
  int frame = options ? (int)options->frame : SINEW_FRAME_UNITY;
  SINEW_CHECK(frame == SINEW_FRAME_UNITY || frame == SINEW_FRAME_GLTF, error, SINEW_ERROR_ARGUMENT,
              "frame is %d, expected SINEW_FRAME_UNITY or SINEW_FRAME_GLTF", frame);
  return SINEW_OK;
}

sinew_result sinew_player_open(const sinew_context *context, const sinew_clip *clip, const sinew_rig *rig,
                               const sinew_player_options *options, sinew_player **player,
                               sinew_error *error) {
  SINEW_CHECK(player, error, SINEW_ERROR_ARGUMENT, "player is NULL");
  *player = NULL;
  SINEW_CHECK(context && rig, error, SINEW_ERROR_ARGUMENT, "context and rig must not be NULL");
  SINEW_TRY(check_frame(options, error));
  SINEW_CHECK(!clip || !clip->body, error, SINEW_ERROR_UNSUPPORTED,
              "a clip of bones, expected one of muscles: players play those alone");
  HEAP_SCOPE(&context->allocator);
  sinew_player *made = heap_alloc(1, sizeof *made);
  SINEW_CHECK(made, error, SINEW_ERROR_MEMORY, "out of memory");
  made->kernels = context->kernels;
  made->frame = options ? options->frame : SINEW_FRAME_UNITY;
  sinew_result result = muscle_rig_build(rig, &made->constants, error);
  if (result == SINEW_OK) bake_plan_list_wanted(&made->constants, made->wanted);
  if (result == SINEW_OK && clip) result = take_curves(made, clip, error);
  if (result != SINEW_OK) {
    sinew_player_close(made);
    return result;
  }
  set_fill(made);
  *player = made;
  return SINEW_OK;
}

void sinew_player_close(sinew_player *player) {
  if (!player) return;
  clip_rows_release(player->rows);
  clip_segments_release(&player->other_curves);
  clip_segments_release(&player->pose_curves);
  muscle_rig_release(&player->constants);
  heap_free(player);
}

uint32_t sinew_player_bone_count(const sinew_player *player) {
  return player ? player->constants.bone_count : 0;
}

uint32_t sinew_player_bone(const sinew_player *player, uint32_t index) {
  return index < sinew_player_bone_count(player) ? player->constants.bone_of_slot[index]
                                                 : SINEW_HUMAN_BONE_COUNT;
}

size_t sinew_player_scratch_bytes(const sinew_player *player) {
  return player ? sizeof(player_scratch) + _Alignof(player_scratch) - 1 : 0;
}

/* ---- a block's planes ---------------------------------------------------------------------------------- */

typedef struct player_call {
  const sinew_player *player;
  const double *time_s; /* of the clip, or else: */
  const float *muscles; /* [count][95] */
  const float *root;    /* [count][7], may be NULL */
  size_t count;
  const sinew_pose_buffers *out;
  player_scratch *scratch;
} player_call;

static sinew_result copy_times(const player_call *call, size_t first, uint32_t frames, sinew_error *error) {
  for (uint32_t f = 0; f < SINEW_BLOCK; f++) {
    size_t i = first + (f < frames ? f : frames - 1);
    double t = call->time_s[i];
    SINEW_CHECK(fabs(t) <= time_limit_s, error, SINEW_ERROR_ARGUMENT,
                "time %zu is %g s, expected a value within +-%g", i, t, time_limit_s);
    call->scratch->time_s[f] = t;
  }
  return SINEW_OK;
}

/* Sorts the block's times; order[i] is the frame whose time became the i-th. Returns whether any moved.
 * Nearly sorted blocks are the usual ones: insertion. */
static bool sort_times(double time_s[SINEW_BLOCK], uint8_t order[SINEW_BLOCK]) {
  bool moved = false;
  for (int i = 0; i < SINEW_BLOCK; i++) {
    double t = time_s[i];
    int at = i;
    for (; at > 0 && time_s[at - 1] > t; at--) {
      time_s[at] = time_s[at - 1];
      order[at] = order[at - 1];
      moved = true;
    }
    time_s[at] = t;
    order[at] = (uint8_t)i;
  }
  return moved;
}

static void restore_order(const clip_segments *curves, const uint8_t order[SINEW_BLOCK],
                          float (*planes)[SINEW_BLOCK]) {
  for (uint32_t i = 0; i < curves->curve_count; i++) {
    float *plane = planes[curves->curves[i].plane], sorted[SINEW_BLOCK];
    memcpy(sorted, plane, sizeof sorted);
    for (int f = 0; f < SINEW_BLOCK; f++) plane[order[f]] = sorted[f];
  }
}

static bool wants_all_planes(const sinew_pose_buffers *out) {
  return out->muscles || out->goals;
}

/* The kernel wants ascending times. A sample depends on its time alone, so sampling in order of time and
 * putting the values back gives what each time would give by itself. */
static void sample_curves(const player_call *call) {
  player_scratch *s = call->scratch;
  const sinew_player *player = call->player;
  uint8_t order[SINEW_BLOCK];
  bool moved = sort_times(s->time_s, order);
  const clip_segments *sets[2] = {&player->pose_curves, &player->other_curves};
  int set_count = wants_all_planes(call->out) ? 2 : 1;
  for (int i = 0; i < set_count; i++) {
    player->kernels->sample(sets[i]->curves, sets[i]->curve_count, s->time_s, s->planes[0]);
    if (moved) restore_order(sets[i], order, s->planes);
  }
}

_Static_assert(sizeof((player_scratch *)0)->model / sizeof(float) >= ROWS_SCRATCH,
               "rows are sampled where the model comes later");

static sinew_result sample_block(const player_call *call, size_t first, uint32_t frames, sinew_error *error) {
  const sinew_player *player = call->player;
  player_scratch *s = call->scratch;
  SINEW_TRY(copy_times(call, first, frames, error));
  if (player->rows)
    clip_rows_sample(player->rows, player->kernels, s->time_s, s->model[0][0], s->planes[0]);
  else
    sample_curves(call);
  return SINEW_OK;
}

static void load_block(const player_call *call, size_t first, uint32_t frames) {
  float(*planes)[SINEW_BLOCK] = call->scratch->planes;
  for (uint32_t f = 0; f < SINEW_BLOCK; f++) {
    size_t i = first + (f < frames ? f : frames - 1);
    for (uint32_t m = 0; m < SINEW_MUSCLE_COUNT; m++)
      planes[SINEW_PLANE_MUSCLE + m][f] = call->muscles[i * SINEW_MUSCLE_COUNT + m];
    for (uint32_t c = 0; call->root && c < 7; c++) planes[SINEW_PLANE_ROOT_T + c][f] = call->root[i * 7 + c];
  }
}

/* ---- a call ----------------------------------------------------------------------------------------------
 */

static bool wants_pose(const sinew_pose_buffers *out) {
  return out->local_q || out->hips_local_m || out->hips_model_m || player_wants_model(out);
}

static void compute_block(const sinew_player *player, player_scratch *s, const sinew_pose_buffers *out) {
  pose_scratch scratch = {.planes = s->planes[0], .model = s->model[0][0], .body = s->body[0]};
  pose_block pose = {
      .local = s->local[0][0], .places = s->node_t[0], .hips_t = s->hips_t[0], .hips_q = s->hips_q[0]};
  pose_from_planes(player->kernels, &player->constants, &scratch, &pose);
  if (player_wants_model(out))
    player->kernels->fk(&player->constants.fk, pose.local, pose.hips_t, pose.hips_q, scratch.model);
}

static void start_scratch(const sinew_player *player, player_scratch *s) {
  for (int plane = 0; plane < SINEW_PLANE_COUNT; plane++)
    for (int f = 0; f < SINEW_BLOCK; f++) s->planes[plane][f] = player->fill[plane];
  memset(&s->local_signs, 0, sizeof s->local_signs);
  memset(&s->model_signs, 0, sizeof s->model_signs);
}

static sinew_result run(const player_call *call, sinew_error *error) {
  const sinew_player *player = call->player;
  player_scratch *s = call->scratch;
  start_scratch(player, s);
  for (size_t first = 0; first < call->count; first += SINEW_BLOCK) {
    size_t left = call->count - first;
    uint32_t frames = left < SINEW_BLOCK ? (uint32_t)left : SINEW_BLOCK;
    if (call->time_s)
      SINEW_TRY(sample_block(call, first, frames, error));
    else
      load_block(call, first, frames);
    SINEW_TRY(pose_check_wanted(player->kernels, s->planes[0],
                                call->time_s && !wants_all_planes(call->out) ? player->wanted : NULL, first,
                                error));
    if (wants_pose(call->out)) compute_block(player, s, call->out);
    player_write(player, s, call->out, first, frames);
  }
  return SINEW_OK;
}

static sinew_result place_scratch(const sinew_player *player, void *scratch, size_t scratch_bytes,
                                  player_scratch **placed, sinew_error *error) {
  size_t need = sinew_player_scratch_bytes(player);
  SINEW_CHECK(scratch, error, SINEW_ERROR_ARGUMENT, "scratch is NULL");
  SINEW_CHECK(scratch_bytes >= need, error, SINEW_ERROR_ARGUMENT, "scratch has %zu bytes, expected %zu",
              scratch_bytes, need);
  size_t past = (uintptr_t)scratch % _Alignof(player_scratch);
  *placed = (void *)((char *)scratch + (past ? _Alignof(player_scratch) - past : 0));
  return SINEW_OK;
}

sinew_result sinew_player_evaluate(const sinew_player *player, void *scratch, size_t scratch_bytes,
                                   const double *time_s, size_t count, const sinew_pose_buffers *out,
                                   sinew_error *error) {
  SINEW_CHECK(player && out && (time_s || count == 0), error, SINEW_ERROR_ARGUMENT,
              "player, out and time_s must not be NULL");
  SINEW_CHECK(player->has_clip, error, SINEW_ERROR_ARGUMENT, "the player was opened without a clip");
  player_call call = {.player = player, .time_s = time_s, .count = count, .out = out};
  SINEW_TRY(place_scratch(player, scratch, scratch_bytes, &call.scratch, error));
  return run(&call, error);
}

sinew_result sinew_player_pose(const sinew_player *player, void *scratch, size_t scratch_bytes,
                               const float *muscles, const float *root, size_t count,
                               const sinew_pose_buffers *out, sinew_error *error) {
  SINEW_CHECK(player && out && (muscles || count == 0), error, SINEW_ERROR_ARGUMENT,
              "player, out and muscles must not be NULL");
  player_call call = {.player = player, .muscles = muscles, .root = root, .count = count, .out = out};
  SINEW_TRY(place_scratch(player, scratch, scratch_bytes, &call.scratch, error));
  return run(&call, error);
}
