/* From planes of 64 frames to the caller's frame-major arrays. The kernels interleave into glTF's frame;
 * Unity's differs in signs alone, so turning them back is exact. */
#include "stage/player.h"

#include <string.h>

/* Where a block's values go: out[first + f][track][0..width). */
typedef struct pose_target {
  float *out;
  uint32_t track_count;
  uint32_t track;
  size_t first;
  uint32_t frames;
} pose_target;

static float *target_at(const pose_target *to, uint32_t width, uint32_t f) {
  return to->out + ((to->first + f) * to->track_count + to->track) * width;
}

static void write_vec3(const sinew_player *player, player_scratch *s, const float *planes,
                       const pose_target *to) {
  player->kernels->pack_vec3(planes, s->packed);
  for (uint32_t f = 0; f < to->frames; f++) {
    float *v = target_at(to, 3, f);
    memcpy(v, s->packed + 3 * f, 3 * sizeof *v);
    if (player->frame == SINEW_FRAME_UNITY) v[0] = -v[0];
  }
}

static void write_quat(const sinew_player *player, player_scratch *s, const float *quat, uint64_t flips,
                       const pose_target *to) {
  player->kernels->pack_quat(quat, flips, s->packed);
  for (uint32_t f = 0; f < to->frames; f++) {
    float *q = target_at(to, 4, f);
    memcpy(q, s->packed + 4 * f, 4 * sizeof *q);
    if (player->frame == SINEW_FRAME_UNITY) q[1] = -q[1], q[2] = -q[2];
  }
}

/* The mirror image of a 3x4 matrix in the plane x = 0: rows and columns of x change sign, but not where both
 * do. */
static void mirror_matrix(float m[12]) {
  static const int changed[] = {1, 2, 3, 4, 8};
  for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) m[changed[i]] = -m[changed[i]];
}

static void write_matrices(const sinew_player *player, player_scratch *s, const float *model,
                           const pose_target *to) {
  player->kernels->matrices(model, 1, s->packed);
  for (uint32_t f = 0; f < to->frames; f++) {
    float *m = target_at(to, 12, f);
    for (int i = 0; i < 12; i++) m[i] = s->packed[i * SINEW_BLOCK + f];
    if (player->frame == SINEW_FRAME_GLTF) mirror_matrix(m);
  }
}

/* Sampled values are no places in space: they are the same in either frame. */
static void write_planes(float (*planes)[SINEW_BLOCK], uint32_t count, float *out, size_t first,
                         uint32_t frames) {
  for (uint32_t f = 0; f < frames; f++)
    for (uint32_t p = 0; p < count; p++) out[(first + f) * count + p] = planes[p][f];
}

static void write_local(const sinew_player *player, player_scratch *s, const pose_target *to) {
  const sinew_kernels *k = player->kernels;
  pose_target track = *to;
  k->signs(s->local[0][0], to->track_count, s->flips);
  sign_chain_next(k, &s->local_signs, s->local[0][0], (size_t)4 * SINEW_BLOCK, to->track_count, to->frames,
                  s->flips);
  for (uint32_t slot = 0; slot < to->track_count; slot++) {
    track.track = slot;
    write_quat(player, s, s->local[slot][0], s->flips[slot], &track);
  }
}

static void write_model(const sinew_player *player, player_scratch *s, const sinew_pose_buffers *out,
                        const pose_target *to) {
  const sinew_kernels *k = player->kernels;
  pose_target track = *to;
  if (out->model_q) {
    for (uint32_t slot = 0; slot < to->track_count; slot++) k->signs(s->model[slot][3], 1, &s->flips[slot]);
    sign_chain_next(k, &s->model_signs, s->model[0][3], (size_t)SINEW_MODEL_PLANES * SINEW_BLOCK,
                    to->track_count, to->frames, s->flips);
  }
  for (uint32_t slot = 0; slot < to->track_count; slot++) {
    track.track = slot;
    if (out->model_m) {
      track.out = out->model_m;
      write_vec3(player, s, s->model[slot][0], &track);
    }
    if (out->model_q) {
      track.out = out->model_q;
      write_quat(player, s, s->model[slot][3], s->flips[slot], &track);
    }
    if (out->model_matrices) {
      track.out = out->model_matrices;
      write_matrices(player, s, s->model[slot][0], &track);
    }
  }
}

void player_write(const sinew_player *player, player_scratch *s, const sinew_pose_buffers *out, size_t first,
                  uint32_t frames) {
  if (out->root) write_planes(&s->planes[SINEW_PLANE_ROOT_T], 7, out->root, first, frames);
  if (out->muscles)
    write_planes(&s->planes[SINEW_PLANE_MUSCLE], SINEW_MUSCLE_COUNT, out->muscles, first, frames);
  if (out->goals)
    write_planes(&s->planes[SINEW_PLANE_GOAL], SINEW_GOAL_CHANNEL_COUNT, out->goals, first, frames);
  pose_target hips = {.track_count = 1, .first = first, .frames = frames};
  if (out->hips_local_m) {
    hips.out = out->hips_local_m;
    write_vec3(player, s, s->node_t[0], &hips);
  }
  if (out->hips_model_m) {
    hips.out = out->hips_model_m;
    write_vec3(player, s, s->hips_t[0], &hips);
  }
  pose_target bones = {out->local_q, player->constants.bone_count, 0, first, frames};
  if (out->local_q) write_local(player, s, &bones);
  if (player_wants_model(out)) write_model(player, s, out, &bones);
}
