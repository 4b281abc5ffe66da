/* What a player computes: a bake's values bit for bit, the independent model's places, and the same whatever
 * is asked for beside it and in whatever order. */
#include "glb_tracks.h"
#include "played.h"
#include "support/compare.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- against a bake -------------------------------------------------------------------------------------
 */

static void expect_track(const glb_values *track, const float *own, size_t stride, size_t width, size_t count,
                         const char *what) {
  cr_assert(track->key_count == count || track->key_count == 1 || track->key_count == 2, "%s: %zu keys", what,
            track->key_count);
  bool constant = track->key_count != count;
  for (size_t i = 0; i < count; i++)
    if (memcmp(track->values + (constant ? 0 : i) * width, own + i * stride, width * sizeof(float)) != 0) {
      cr_expect(false, "%s differs at frame %zu", what, i);
      return;
    }
}

static void compare_tracks(const played *p, const glb_tracks *file, const pose_arrays *out, size_t count) {
  for (uint32_t i = 0; i < p->bone_count; i++) {
    sinew_rig_bone bone;
    cr_assert(sinew_rig_get_bone(p->rig, sinew_player_bone(p->player, i), &bone));
    glb_values track = glb_tracks_find(file, bone.node, "rotation");
    expect_track(&track, out->to.local_q + i * 4u, p->bone_count * 4u, 4, count, bone.node_name);
    if (i > 0) continue;
    track = glb_tracks_find(file, bone.node, "translation");
    expect_track(&track, out->to.hips_local_m, 3, 3, count, "the hips' translation");
  }
}

static void compare_with_bake(const played *p, double rate_hz) {
  char *folder = test_folder_make(), path[1100];
  snprintf(path, sizeof path, "%s/walk.glb", folder);
  sinew_bake_options options = {.rate_hz = rate_hz, .no_verify = true};
  sinew_error error;
  cr_assert(sinew_bake(p->context, p->clip, p->rig, &options, path, NULL, &error) == SINEW_OK, "%s",
            error.message);
  size_t count = sinew_clip_frame_count(p->clip, rate_hz);
  double *time_s = malloc(count * sizeof *time_s);
  for (size_t i = 0; i < count; i++) time_s[i] = sinew_clip_frame_time(p->clip, rate_hz, i);
  pose_arrays out = pose_arrays_make(p, count);
  played_evaluate(p, time_s, count, &out);
  glb_tracks file = glb_tracks_open(path);
  compare_tracks(p, &file, &out, count);
  glb_tracks_close(&file);
  pose_arrays_free(&out);
  free(time_s);
  test_folder_remove(folder);
}

/* the clip's own rate; a rate whose frames fill many blocks, the last not whole; a single block */
Test(player, a_bakes_values_bit_for_bit, .timeout = 120) {
  const char *isa;
  for (uint32_t i = 0; (isa = sinew_isa_available(i)); i++) {
    played p = played_open(isa, SINEW_FRAME_GLTF);
    compare_with_bake(&p, 0);
    compare_with_bake(&p, 3001);
    compare_with_bake(&p, 7);
    played_close(&p);
  }
}

/* Rigs with few bones and with all, with nodes between them and above the hips, with scales. */
Test(player, a_bakes_values_of_real_clips, .timeout = 240) {
  NEED_DATA();
  static const char *const rigs[] = {
      "humanoid/avatars/OneYoungMean_SMPLX.fbx.meta", "humanoid/avatars/co1umbine_SampleScene_BoxMan.prefab",
      "humanoid/avatars/malaybaku_vroid_sample_a.Avatar_VrmAvatar.asset",
      "humanoid/metas/CuteWaterBeary_run.fbx.meta", "humanoid/metas/readyplayerme_Idle.fbx.meta"};
  size_t clip_count;
  char **clips = test_data_list("humanoid/clips", ".anim", &clip_count);
  cr_assert(clip_count >= 34);
  for (size_t i = 0; i < clip_count; i++) {
    played p = played_open_files(NULL, SINEW_FRAME_GLTF, clips[i], test_data(rigs[i % 5]));
    compare_with_bake(&p, i % 2 ? 0 : 47);
    played_close(&p);
  }
}

Test(player, frame_times_are_a_bakes) {
  played p = played_open(NULL, SINEW_FRAME_UNITY);
  sinew_clip_info info;
  sinew_clip_get_info(p.clip, &info);
  uint64_t count = sinew_clip_frame_count(p.clip, 50);
  cr_expect(sinew_clip_frame_time(p.clip, 50, 0) == info.start_s);
  cr_expect(sinew_clip_frame_time(p.clip, 50, 3) == info.start_s + 3.0 / 50);
  cr_expect(sinew_clip_frame_time(p.clip, 50, count - 1) == info.stop_s);
  cr_expect(sinew_clip_frame_time(p.clip, 50, UINT64_MAX) == info.stop_s);
  cr_expect(sinew_clip_frame_time(p.clip, 0, 1) == info.start_s + 1 / info.rate_hz);
  played_close(&p);
}

/* ---- against the independent model -----------------------------------------------------------------------
 */

static void mirrored(bool mirror, const double q[4], double out[4]) {
  for (int i = 0; i < 4; i++) out[i] = mirror && (i == 1 || i == 2) ? -q[i] : q[i];
}

/* The matrix holds the rotation and the position that stand beside it. */
static void check_matrix(const float *m, const float *t, const float *q, const char *name) {
  const double rotation[4] = {q[0], q[1], q[2], q[3]};
  for (int column = 0; column < 3; column++) {
    double e[3] = {column == 0, column == 1, column == 2}, turned[3];
    quat_rotate(rotation, e, turned);
    for (int row = 0; row < 3; row++)
      cr_expect(fabs(m[row * 4 + column] - turned[row]) < 1e-6, "%s: matrix row %d column %d", name, row,
                column);
  }
  for (int row = 0; row < 3; row++) cr_expect(m[row * 4 + 3] == t[row], "%s: matrix position %d", name, row);
}

static void check_joint(const played *p, const pose_arrays *out, size_t frame, uint32_t i, bool mirror,
                        const json_t *truth) {
  const char *name = sinew_bone_name(sinew_player_bone(p->player, i));
  double place[3], turn[4], expected[4], q[4], own[3];
  numbers_of_json(json_object_get(json_object_get(truth, "position_m"), name), place, 3);
  numbers_of_json(json_object_get(json_object_get(truth, "local_rotation"), name), turn, 4);
  if (mirror) place[0] = -place[0];
  mirrored(mirror, turn, expected);
  size_t at = frame * p->bone_count + i;
  for (int c = 0; c < 3; c++) own[c] = out->to.model_m[at * 3 + (size_t)c];
  for (int c = 0; c < 4; c++) q[c] = out->to.local_q[at * 4 + (size_t)c];
  sinew_rig_info info;
  sinew_rig_get_info(p->rig, &info);
  cr_expect(distance(own, place) <= 1e-6 * info.height_m, "%s: %.3g m off", name, distance(own, place));
  cr_expect(angle_deg(q, expected) <= 1e-4, "%s: %.3g degrees off", name, angle_deg(q, expected));
  check_matrix(out->to.model_matrices + at * 12, out->to.model_m + at * 3, out->to.model_q + at * 4, name);
}

/* Where no node stands between a bone and the one above, its model rotation is the other's times its own. */
static void check_chain(const played *p, const pose_arrays *out, size_t frame, uint32_t i,
                        const int32_t index_of[SINEW_HUMAN_BONE_COUNT], size_t *checked) {
  sinew_rig_bone bone;
  cr_assert(sinew_rig_get_bone(p->rig, sinew_player_bone(p->player, i), &bone));
  if (bone.parent_bone < 0 || bone.between_nodes) return;
  double above[4], own[4], model[4], product[4];
  size_t first = frame * p->bone_count, up = first + (size_t)index_of[bone.parent_bone];
  cr_assert(up < first + i, "%s comes before the bone it hangs from", bone.node_name);
  for (size_t c = 0; c < 4; c++) {
    above[c] = out->to.model_q[up * 4 + c];
    own[c] = out->to.local_q[(first + i) * 4 + c];
    model[c] = out->to.model_q[(first + i) * 4 + c];
  }
  quat_mul(above, own, product);
  cr_expect(angle_deg(product, model) <= 1e-4, "%s: model rotation %.3g degrees off", bone.node_name,
            angle_deg(product, model));
  ++*checked;
}

static void compare_with_model(const char *isa, sinew_frame frame, const json_t *truth) {
  played p = played_open(isa, frame);
  cr_assert_eq(p.bone_count, SINEW_HUMAN_BONE_COUNT);
  int32_t index_of[SINEW_HUMAN_BONE_COUNT];
  for (uint32_t i = 0; i < p.bone_count; i++) index_of[sinew_player_bone(p.player, i)] = (int32_t)i;
  const json_t *frames = json_object_get(truth, "frames");
  size_t count = json_array_size(frames), chains = 0;
  double *time_s = calloc(count, sizeof *time_s);
  for (size_t f = 0; f < count; f++)
    time_s[f] = json_number_value(json_object_get(json_array_get(frames, f), "time_s"));
  pose_arrays out = pose_arrays_make(&p, count);
  played_evaluate(&p, time_s, count, &out);
  for (size_t f = 0; f < count; f++)
    for (uint32_t i = 0; i < p.bone_count; i++) {
      check_joint(&p, &out, f, i, frame == SINEW_FRAME_GLTF, json_array_get(frames, f));
      check_chain(&p, &out, f, i, index_of, &chains);
    }
  cr_expect(count >= 10 && chains > 300);
  for (size_t i = 0; i < count; i++)
    cr_expect(memcmp(out.to.hips_model_m + i * 3, out.to.model_m + i * p.bone_count * 3, 3 * sizeof(float)) ==
              0);
  pose_arrays_free(&out);
  free(time_s);
  played_close(&p);
}

Test(player, the_sample_moves_as_its_maker_says) {
  const char *path = getenv("SINEW_TEST_SAMPLE_TRUTH");
  cr_assert(path);
  json_t *truth = json_load_file(path, 0, NULL);
  cr_assert(truth, "%s cannot be read", path);
  const char *isa;
  for (uint32_t i = 0; (isa = sinew_isa_available(i)); i++) {
    compare_with_model(isa, SINEW_FRAME_UNITY, truth);
    compare_with_model(isa, SINEW_FRAME_GLTF, truth);
  }
  json_decref(truth);
}

/* ---- a pose depends on its time alone ---------------------------------------------------------------------
 */

static bool is_quaternion(int buffer) {
  return buffer == 3 || buffer == 7;
}

/* The same rotation: all four components equal, or all four negated. */
static bool same_pose(const float *a, const float *b, size_t width, bool quaternions) {
  size_t group = quaternions ? 4 : width;
  for (size_t i = 0; i < width; i += group) {
    if (memcmp(a + i, b + i, group * sizeof *a) == 0) continue;
    for (size_t c = 0; c < group; c++)
      if (!quaternions || a[i + c] != -b[i + c]) return false;
  }
  return true;
}

Test(player, any_order_gives_each_time_its_pose) {
  enum { COUNT = 200 };
  played p = played_open(NULL, SINEW_FRAME_UNITY);
  double *time_s = wandering_times(&p, COUNT);
  pose_arrays all = pose_arrays_make(&p, COUNT), one = pose_arrays_make(&p, 1);
  played_evaluate(&p, time_s, COUNT, &all);
  for (size_t i = 0; i < COUNT; i++) {
    played_evaluate(&p, &time_s[i], 1, &one);
    for (int b = 0; b < PLAYED_BUFFERS; b++) {
      size_t width = pose_buffer_width(&p, b);
      cr_assert(
          same_pose(*pose_buffer(&all.to, b) + i * width, *pose_buffer(&one.to, b), width, is_quaternion(b)),
          "%s of time %zu, %g s", pose_buffer_name[b], i, time_s[i]);
    }
  }
  pose_arrays_free(&all);
  pose_arrays_free(&one);
  free(time_s);
  played_close(&p);
}

/* Each quaternion lies in the half-space of the one before, over the border of blocks too. */
static void expect_continuous(const float *q, size_t count, uint32_t bones, const char *what) {
  for (uint32_t i = 0; i < bones; i++)
    for (size_t f = 1; f < count; f++) {
      const float *a = q + ((f - 1) * bones + i) * 4, *b = q + (f * bones + i) * 4;
      double dot = (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2] + (double)a[3] * b[3];
      cr_assert(dot > -1e-6, "%s %u turns over at frame %zu", what, i, f);
    }
}

Test(player, neighbouring_quaternions_have_one_sign) {
  enum { COUNT = 1000 };
  played p = played_open(NULL, SINEW_FRAME_GLTF);
  double *time_s = wandering_times(&p, COUNT);
  pose_arrays out = pose_arrays_make(&p, COUNT);
  played_evaluate(&p, time_s, COUNT, &out);
  expect_continuous(out.to.local_q, COUNT, p.bone_count, "local rotation");
  expect_continuous(out.to.model_q, COUNT, p.bone_count, "model rotation");
  pose_arrays_free(&out);
  free(time_s);
  played_close(&p);
}

/* Unity's numbers and glTF's differ in signs and in nothing else. */
Test(player, the_frames_are_mirror_images) {
  enum { COUNT = 70 };
  played unity = played_open(NULL, SINEW_FRAME_UNITY), gltf = played_open(NULL, SINEW_FRAME_GLTF);
  double *time_s = wandering_times(&unity, COUNT);
  pose_arrays a = pose_arrays_make(&unity, COUNT), b = pose_arrays_make(&gltf, COUNT);
  played_evaluate(&unity, time_s, COUNT, &a);
  played_evaluate(&gltf, time_s, COUNT, &b);
  static const char *const signs[PLAYED_BUFFERS] = {"+",
                                                    "+",
                                                    "+",
                                                    "+--+",
                                                    "-++",
                                                    "-++",
                                                    "-++",
                                                    "+--+",
                                                    "+---"
                                                    "-+++"
                                                    "-+++"};
  for (int i = 0; i < PLAYED_BUFFERS; i++) {
    const float *from = *pose_buffer(&a.to, i), *to = *pose_buffer(&b.to, i);
    size_t period = strlen(signs[i]);
    for (size_t v = 0; v < a.value_count[i]; v++)
      cr_assert(to[v] == (signs[i][v % period] == '-' ? -from[v] : from[v]), "%s value %zu",
                pose_buffer_name[i], v);
  }
  pose_arrays_free(&a);
  pose_arrays_free(&b);
  free(time_s);
  played_close(&unity);
  played_close(&gltf);
}

/* ---- poses that the caller gives
 * --------------------------------------------------------------------------- */

Test(player, given_muscles_are_posed_as_sampled_ones) {
  enum { COUNT = 150 };
  played p = played_open(NULL, SINEW_FRAME_GLTF);
  double *time_s = wandering_times(&p, COUNT);
  pose_arrays sampled = pose_arrays_make(&p, COUNT), given = pose_arrays_make(&p, COUNT);
  played_evaluate(&p, time_s, COUNT, &sampled);
  sinew_error error;
  sinew_pose_buffers out = given.to;
  out.goals = NULL; /* goals are a clip's */
  cr_assert(sinew_player_pose(p.player, p.scratch, p.scratch_bytes, sampled.to.muscles, sampled.to.root,
                              COUNT, &out, &error) == SINEW_OK,
            "%s", error.message);
  memcpy(given.to.goals, sampled.to.goals, sampled.value_count[2] * sizeof(float));
  pose_arrays_expect_equal(&sampled, &given, "given and sampled");
  pose_arrays_free(&sampled);
  pose_arrays_free(&given);
  free(time_s);
  played_close(&p);
}

/* Without a root the body stands where its T-pose stands; a player needs no clip for that. */
Test(player, without_a_clip_and_without_a_root) {
  played p = played_open(NULL, SINEW_FRAME_UNITY);
  sinew_player *bare;
  sinew_error error;
  cr_assert(sinew_player_open(p.context, NULL, p.rig, NULL, &bare, &error) == SINEW_OK);
  float muscles[2][SINEW_MUSCLE_COUNT] = {{0}}, place[2][3], root[2][7], goals[2][28];
  sinew_pose_buffers out = {.hips_model_m = place[0], .root = root[0], .goals = goals[0]};
  cr_assert(sinew_player_pose(bare, p.scratch, p.scratch_bytes, muscles[0], NULL, 2, &out, &error) ==
            SINEW_OK);
  sinew_rig_info info;
  sinew_rig_get_info(p.rig, &info);
  cr_expect(fabs(root[0][1] - 1) < 1e-6 && root[1][6] == 1 && root[1][3] == 0);
  cr_expect(goals[1][0] == 0 && goals[1][6] == 1 && goals[1][27] == 1);
  cr_expect(fabs(place[1][1] - info.human_scale_m) < 0.2 * info.height_m &&
            memcmp(place[0], place[1], sizeof place[0]) == 0);
  double t = 0;
  cr_expect_eq(sinew_player_evaluate(bare, p.scratch, p.scratch_bytes, &t, 1, &out, &error),
               SINEW_ERROR_ARGUMENT);
  cr_expect(strstr(error.message, "clip"));
  sinew_player_close(bare);
  played_close(&p);
}
