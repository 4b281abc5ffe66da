/* One body, told in many ways: its T-pose must come out the same. And what is no body. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "rig/quat.h"
#include "stance/made_skeleton.h"
#include "stance/stance.h"
#include "stance/align.h"
#include "support/keep.h"

#define TURN_X                                                                                               \
  { -0.70710678118654757, 0, 0, 0.70710678118654757 }

static const double up[3] = {0, 1, 0};

static void in_tpose(const skeleton *s, const stance *st, turned_body *body) {
  arena *memory = test_keep(1, sizeof *memory);
  double(*matrix)[3][4] = arena_alloc(memory, s->node_count, sizeof *matrix);
  cr_assert(turned_body_alloc(s, s->node_of_bone, memory, body));
  memcpy(body->align, st->align_q, sizeof body->align);
  local_pose rest = {st->rest_t, st->rest_q, st->rest_s}, stands = rest;
  stands.t = arena_alloc(memory, s->node_count, sizeof *stands.t);
  memcpy(stands.t, rest.t, s->node_count * sizeof *stands.t);
  memcpy(stands.t[s->node_of_bone[HUMAN_HIPS]], st->tpose_hips_t, sizeof st->tpose_hips_t);
  turned_body_take(body, &stands, matrix);
  memcpy(body->local, st->tpose_q, s->node_count * sizeof *body->local);
  turned_body_place(body);
}

static void find(const skeleton *s, const motion *m, stance *st) {
  sinew_error error;
  cr_assert_eq(stance_find(s, s->node_of_bone, m, m ? 1 : 0, NULL, st, &error), SINEW_OK, "%s",
               error.message);
}

static void expect_body(const made_body *made, const char *what) {
  const made_body plain = {.turned = made->turned, .without_optional = made->without_optional};
  skeleton *s = made_skeleton(made), *want_s = made_skeleton(&plain);
  stance st, want_st;
  turned_body body, want;
  find(s, NULL, &st);
  find(want_s, NULL, &want_st);
  in_tpose(s, &st, &body);
  in_tpose(want_s, &want_st, &want);
  /* straightened legs lift the hips, for feet keep their height */
  const double ground = lowest_foot(&body, up) * st.unit_m, want_ground = lowest_foot(&want, up);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    if (!has_bone(&want, b)) continue;
    for (int k = 0; k < 3; k++) {
      const double at = bone_place(&body, b)[k] * st.unit_m - (k == 1 ? ground - want_ground : 0);
      cr_expect_lt(fabs(at - bone_place(&want, b)[k]), 1e-9, "%s: %s", what, human_bones[b].name);
    }
    cr_expect_lt(turn_degrees(body.q[s->node_of_bone[b]], want.q[want_s->node_of_bone[b]]), 1e-6, "%s: %s",
                 what, human_bones[b].name);
  }
  if (made->legs_deg == 0) cr_expect_lt(fabs(ground - (made->sunk ? 0 : want_ground)), 1e-9, "%s", what);
  cr_expect_lt(fabs(st.reach_m - want_st.reach_m), 1e-9, "%s", what);
  stance_release(&st);
  stance_release(&want_st);
}

Test(stance, one_body_told_in_many_ways) {
  static const struct {
    const char *what;
    made_body made;
  } ways[] = {
      {"plain", {0}},
      {"axes of its own", {.turned = true}},
      {"A-pose", {.turned = true, .arms_deg = 45, .legs_deg = 8}},
      {"arms hang", {.turned = true, .arms_deg = 88, .elbows_deg = 70}},
      {"under a scaled and turned node",
       {.root_q = TURN_X, .root_scale = 0.01, .turned = true, .arms_deg = 30}},
      {"facing -Z", {.face = {0, 1, 0, 0}, .turned = true, .arms_deg = 45}},
      {"facing -X, upside down", {.face = {1, 0, 1, 0}, .arms_deg = 45}},
      {"Z up", {.face = {0.70710678118654757, 0, 0, 0.70710678118654757}, .arms_deg = 45, .turned = true}},
      {"Z up, under a node",
       {.face = {1, 0, 0, 1}, .root_q = {1, 2, 3, 4}, .root_scale = 100, .legs_deg = 20}},
      {"BVH in centimetres", {.kind = "bvh", .unit = 100, .arms_deg = 60, .turned = true}},
      {"BVH in inches, Z up", {.kind = "bvh", .unit = 1 / 0.0254, .face = {1, 0, 0, 1}, .arms_deg = 60}},
      {"BVH whose hips stand at the origin", {.kind = "bvh", .unit = 100, .sunk = true, .arms_deg = 20}},
      {"the required bones alone",
       {.without_optional = true, .turned = true, .arms_deg = 45, .elbows_deg = 30}},
  };
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    made_body made = ways[i].made;
    expect_body(&made, ways[i].what);
  }
}

Test(stance, an_exact_tpose_is_left_alone) {
  static const made_body bodies[] = {{0},
                                     {.turned = true},
                                     {.face = {0, 1, 0, 0}, .turned = true},
                                     {.kind = "bvh", .unit = 100},
                                     {.without_optional = true}};
  for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
    skeleton *s = made_skeleton(&bodies[i]);
    stance st;
    find(s, NULL, &st);
    for (uint32_t n = 0; n < s->node_count; n++) {
      cr_expect_eq(memcmp(st.tpose_q[n], s->nodes[n].q, sizeof s->nodes[n].q), 0, "%s", s->nodes[n].name);
      cr_expect_eq(memcmp(st.rest_q[n], s->nodes[n].q, sizeof s->nodes[n].q), 0);
      cr_expect_eq(memcmp(st.rest_t[n], s->nodes[n].t, sizeof s->nodes[n].t), 0);
    }
    cr_expect_eq(memcmp(st.tpose_hips_t, s->nodes[s->node_of_bone[HUMAN_HIPS]].t, sizeof st.tpose_hips_t), 0);
    for (int b = 0; b < HUMAN_BONE_COUNT; b++) cr_expect_eq(st.turn_deg[b], 0);
    cr_expect_eq(st.ground_m, 0);
    stance_release(&st);
  }
}

Test(stance, aligned_files_get_exact_axes) {
  static const struct {
    double face[4], align[4];
  } ways[] = {{{0, 0, 0, 1}, {0, 0, 0, 1}},
              {{0, 1, 0, 0}, {0, -1, 0, 0}},
              {{1, 0, 0, 1}, {-0.70710678118654746, 0, 0, 0.70710678118654746}}};
  for (size_t i = 0; i < 3; i++) {
    made_body made = {.arms_deg = 45};
    memcpy(made.face, ways[i].face, sizeof made.face);
    stance st;
    find(made_skeleton(&made), NULL, &st);
    for (int k = 0; k < 4; k++) cr_expect_eq(st.align_q[k], ways[i].align[k], "%zu: %.17g", i, st.align_q[k]);
    stance_release(&st);
  }
}

/* A small lean stays a stance's own; a large one is the file's. */
Test(stance, a_lean_is_kept_or_measured) {
  const double small[4] = {0.087155742747658166, 0, 0, 0.99619469809174555}; /* 10 degrees about X */
  const double large[4] = {0, 0.30070579950427312, 0, 0.95371695074822693};  /* 35 about Y */
  made_body made = {0};
  stance st;
  memcpy(made.face, small, sizeof small);
  find(made_skeleton(&made), NULL, &st);
  cr_expect_eq(st.align_q[0], 0);
  cr_expect_eq(st.align_q[3], 1);
  stance_release(&st);
  memcpy(made.face, large, sizeof large);
  find(made_skeleton(&made), NULL, &st);
  cr_expect_float_eq(st.align_q[1], -large[1], 1e-12);
  cr_assert_eq(st.warning_count, 1);
  cr_expect_not_null(strstr(st.warnings[0], "35 degrees off the axes"));
  stance_release(&st);
}

Test(stance, reports_what_was_turned) {
  const made_body made = {.turned = true, .arms_deg = 45, .elbows_deg = 30, .legs_deg = 8};
  stance st;
  find(made_skeleton(&made), NULL, &st);
  cr_expect_float_eq(st.turn_deg[HUMAN_LEFT_UPPER_ARM], 45, 1e-6);
  cr_expect_float_eq(st.turn_deg[HUMAN_RIGHT_LOWER_ARM], 30, 1e-6);
  cr_expect_float_eq(st.turn_deg[HUMAN_RIGHT_UPPER_LEG], 8, 1e-6);
  cr_expect_float_eq(st.turn_deg[HUMAN_LEFT_FOOT], 8, 1e-6);
  cr_expect_eq(st.turn_deg[HUMAN_SPINE], 0);
  cr_expect_eq(st.turn_deg[HUMAN_HEAD], 0);
  stance_release(&st);
}

/* The movement of a BVH holds the same body upright in Z, or in a T-pose that its rest is not. */
Test(stance, a_movement_says_what_is_up) {
  const made_body upright = {.kind = "bvh", .unit = 100},
                  lying = {.kind = "bvh", .unit = 100, .face = {1, 0, 0, 1}};
  skeleton *s = made_skeleton(&upright);
  motion *m = made_motion(made_skeleton(&lying), 3);
  stance st;
  find(s, m, &st);
  cr_expect_eq(st.origin, STANCE_REST);
  cr_expect_float_eq(st.align_q[0], -0.70710678118654757, 1e-12);
  cr_expect_eq(st.turn_deg[HUMAN_HIPS], 0, "the output rests upright");
  cr_expect_float_eq(fabs(st.rest_q[s->node_of_bone[HUMAN_HIPS]][0]), 0.70710678118654757, 1e-12);
  cr_expect_not_null(strstr(st.warnings[0], "the rest stands along +Y, the movement along +Z"));
  turned_body body;
  in_tpose(s, &st, &body);
  cr_expect_float_eq(bone_place(&body, HUMAN_HEAD)[1], 156, 1e-9);
  stance_release(&st);
}

Test(stance, a_rest_that_is_none_yields_to_a_frame) {
  const made_body stands = {.kind = "bvh", .unit = 100, .arms_deg = 30};
  skeleton *s = made_skeleton(&stands);
  motion *m = made_motion(s, 4);
  const int32_t arm = s->node_of_bone[HUMAN_LEFT_UPPER_ARM];
  float *rows = (float *)m->rows;
  for (uint64_t f = 0; f < 4; f++) /* frame 3 of 4 has its left arm straight out */
    for (uint32_t c = 0; c < m->channel_count; c++)
      if (m->channels[c].node == (uint32_t)arm && m->channels[c].kind == MOTION_Z_ROTATION && f == 2)
        rows[f * m->channel_count + c] = 0;
  for (int side = 0; side < 2; side++) /* the rest's legs point up */
    memcpy(s->nodes[s->node_of_bone[HUMAN_LEFT_UPPER_LEG + side]].q, (double[4]){1, 0, 0, 0},
           4 * sizeof(double));
  stance st;
  sinew_error error;
  cr_assert_eq(stance_find(s, s->node_of_bone, m, 1, NULL, &st, &error), SINEW_OK, "%s", error.message);
  cr_expect_eq(st.origin, STANCE_FRAME);
  cr_expect_eq(st.frame, 2);
  cr_expect_not_null(strstr(st.warnings[0], "frame 3, the most stance-like one"));
  stance_release(&st);
}

Test(stance, a_given_frame_is_taken_as_it_is) {
  const made_body rests = {.kind = "bvh", .unit = 100}, frame = {.kind = "bvh", .unit = 100, .arms_deg = 40};
  skeleton *s = made_skeleton(&rests);
  motion *m = made_motion(made_skeleton(&frame), 2);
  stance_options options = {.frame = 1};
  stance st;
  sinew_error error;
  cr_assert_eq(stance_find(s, s->node_of_bone, m, 1, &options, &st, &error), SINEW_OK, "%s", error.message);
  cr_expect_float_eq(st.turn_deg[HUMAN_LEFT_UPPER_ARM], 40, 1e-4);
  cr_expect_float_eq(st.turn_deg[HUMAN_HIPS], 0, 1e-4);
  stance_release(&st);
  options.frame = 2;
  cr_expect_eq(stance_find(s, s->node_of_bone, m, 1, &options, &st, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_str_eq(error.message, "the T-pose is asked from frame 3 of 2 that the movement has");
  cr_expect_eq(stance_find(s, s->node_of_bone, NULL, 0, &options, &st, &error), SINEW_ERROR_ARGUMENT);
}

static void bind(skeleton *s, const skeleton *bound) {
  const local_pose pose = {test_keep(64, 24), test_keep(64, 32), test_keep(64, 24)};
  local_pose rest = pose;
  double(*matrix)[3][4] = test_keep(64, sizeof *matrix);
  local_pose_rest(bound, &rest);
  global_pose(bound, &rest, matrix, NULL);
  for (uint32_t i = 0; i < s->node_count; i++) {
    s->nodes[i].has_bind = true;
    memcpy(s->nodes[i].bind, matrix[i], sizeof matrix[i]);
  }
}

Test(stance, a_bind_pose_that_is_nearer) {
  const made_body crouched = {.turned = true, .arms_deg = 80, .elbows_deg = 120, .legs_deg = 40},
                  tpose = {.turned = true};
  skeleton *s = made_skeleton(&crouched), *bound = made_skeleton(&tpose);
  stance st, want;
  turned_body body, want_body;
  bind(s, bound);
  find(s, NULL, &st);
  find(bound, NULL, &want);
  cr_expect_eq(st.origin, STANCE_BIND);
  in_tpose(s, &st, &body);
  in_tpose(bound, &want, &want_body);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++)
    for (int k = 0; k < 3 && has_bone(&body, b); k++)
      cr_expect_lt(fabs(bone_place(&body, b)[k] - bone_place(&want_body, b)[k]), 1e-9, "%s",
                   human_bones[b].name);
  cr_expect_eq(memcmp(st.rest_q[5], s->nodes[5].q, sizeof s->nodes[5].q), 0);
  stance_release(&st);
  stance_release(&want);
  bind(bound, s); /* the other way round the nodes' own pose is */
  find(bound, NULL, &st);
  cr_expect_eq(st.origin, STANCE_REST);
  stance_release(&st);
}

Test(stance, refusals_and_odd_bodies) {
  static const made_body plain = {.turned = true};
  stance st;
  sinew_error error;
  skeleton *s = made_skeleton(&plain);
  const int32_t foot = s->node_of_bone[HUMAN_LEFT_FOOT];
  s->node_of_bone[HUMAN_LEFT_FOOT] = -1;
  cr_expect_eq(stance_find(s, s->node_of_bone, NULL, 0, NULL, &st, &error), SINEW_ERROR_RIG);
  cr_expect_str_eq(error.message, "required human bone LeftFoot is not mapped to any node");
  s->node_of_bone[HUMAN_LEFT_FOOT] = foot;
  stance_options options = {.frame = -1, .unit_m = NAN};
  cr_expect_eq(stance_find(s, s->node_of_bone, NULL, 0, &options, &st, &error), SINEW_ERROR_ARGUMENT);
  s->nodes[0].s[1] = 0;
  cr_expect_eq(stance_find(s, s->node_of_bone, NULL, 0, NULL, &st, &error), SINEW_ERROR_RIG);
  cr_expect_not_null(strstr(error.message, "\"root\" above a human bone has scale 1, 0, 1"));
  s->nodes[0].s[1] = 1;
  for (uint32_t i = 0; i < s->node_count; i++) /* each bone without length, in turn */
    for (int pass = 0; pass < 2; pass++) {
      double t[3];
      memcpy(t, s->nodes[i].t, sizeof t);
      for (int k = 0; k < 3; k++) s->nodes[i].t[k] = pass ? 1e300 : 0;
      const sinew_result result = stance_find(s, s->node_of_bone, NULL, 0, NULL, &st, &error);
      cr_expect(result == SINEW_OK || result == SINEW_ERROR_RIG, "%s", s->nodes[i].name);
      for (uint32_t n = 0; result == SINEW_OK && n < s->node_count; n++)
        cr_expect(isfinite(st.tpose_q[n][0] + st.tpose_q[n][1] + st.tpose_q[n][2] + st.tpose_q[n][3]));
      stance_release(&st);
      memcpy(s->nodes[i].t, t, sizeof t);
    }
  for (uint32_t i = 0; i < s->node_count; i++) memset(s->nodes[i].t, 0, sizeof s->nodes[i].t);
  cr_expect_eq(stance_find(s, s->node_of_bone, NULL, 0, NULL, &st, &error), SINEW_ERROR_RIG);
  cr_expect_str_eq(error.message, "the body has no stance: the left leg has a bone without length");
}
