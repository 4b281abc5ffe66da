/* A clip's mirror is the mirrored movement: by the kernels, on bodies that are their own mirror image and on
 * real ones that nearly are. Which muscle is which one's mirror is found by trying all of them, not by their
 * names. */
#include "retarget/mirror.h"

#include "retarget/muscle_rig.h"
#include "rig/avatar_asset.h"
#include "rig/quat.h"
#include "rig/synthetic.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLANES = SINEW_PLANE_COUNT * SINEW_BLOCK, JOINT = SINEW_MODEL_PLANES * SINEW_BLOCK, GOALS = 4 };

static const int goal_bone[GOALS] = {HUMAN_LEFT_FOOT, HUMAN_RIGHT_FOOT, HUMAN_LEFT_HAND, HUMAN_RIGHT_HAND};

typedef struct body {
  sinew_rig *rig;
  muscle_rig m;
  double tpose_t[HUMAN_BONE_COUNT][3], tpose_q[HUMAN_BONE_COUNT][4]; /* in root space */
} body;

typedef struct pose { /* of a block, by bone */
  double t[SINEW_BLOCK][HUMAN_BONE_COUNT][3];
  double turn[SINEW_BLOCK][HUMAN_BONE_COUNT][4]; /* from the T-pose, in root space */
  double q[SINEW_BLOCK][HUMAN_BONE_COUNT][4];
} pose;

/* By the names of bones: an oracle of its own. */
static int other_bone(int bone) {
  const char *name = human_bones[bone].name;
  char want[64];
  if (strncmp(name, "Left", 4) != 0 && strncmp(name, "Right", 5) != 0) return bone;
  const bool left = name[0] == 'L';
  snprintf(want, sizeof want, "%s%s", left ? "Right" : "Left", name + (left ? 4 : 5));
  for (int b = 0; b < HUMAN_BONE_COUNT; b++)
    if (strcmp(human_bones[b].name, want) == 0) return b;
  cr_assert_fail("%s has no other side", name);
  return -1;
}

static void stand(body *b) {
  const sinew_rig *rig = b->rig;
  for (uint32_t slot = 0; slot < b->m.bone_count; slot++) {
    const int bone = b->m.bone_of_slot[slot], above = rig->parent_bone[bone];
    if (above < 0) {
      memcpy(b->tpose_t[bone], rig->offset[bone], sizeof b->tpose_t[bone]);
      memcpy(b->tpose_q[bone], rig->hips_rest_q, sizeof b->tpose_q[bone]);
      continue;
    }
    quat_rotate(b->tpose_q[above], rig->offset[bone], b->tpose_t[bone]);
    for (int k = 0; k < 3; k++) b->tpose_t[bone][k] += b->tpose_t[above][k];
    quat_mul(b->tpose_q[above], rig->between[bone], b->tpose_q[bone]);
    quat_mul(b->tpose_q[bone], rig->rest_q[bone], b->tpose_q[bone]);
  }
}

/* evenly: the centre of mass counts both arms as it counts the right one. */
static body open_body(const rig_description *description, bool evenly) {
  body b = {0};
  sinew_error error;
  cr_assert_eq(rig_compile(description, 0, &b.rig, &error), SINEW_OK, "%s", error.message);
  cr_assert_eq(muscle_rig_build(b.rig, &b.m, &error), SINEW_OK);
  stand(&b);
  float *weight = arena_alloc(&b.m.memory, HUMAN_BONE_COUNT, sizeof *weight);
  memcpy(weight, b.m.body.com_weight, b.m.body.joint_count * sizeof *weight);
  for (uint32_t i = 0; evenly && i < b.m.body.joint_count; i++)
    for (uint32_t j = 0; j < b.m.body.joint_count; j++)
      if (other_bone(b.m.bone_of_slot[b.m.fk_body.joints[i].slot]) ==
              b.m.bone_of_slot[b.m.fk_body.joints[j].slot] &&
          strncmp(human_bones[b.m.bone_of_slot[b.m.fk_body.joints[i].slot]].name, "Left", 4) == 0)
        weight[i] = weight[j];
  b.m.body.com_weight = weight;
  return b;
}
static void close_body(body *b) {
  muscle_rig_release(&b->m);
  sinew_rig_close(b->rig);
}

/* ---- poses by the kernels -------------------------------------------------------------------------------
 */

static void pose_of(const body *b, const float *planes, pose *out) {
  static _Alignas(64) float local[HUMAN_BONE_COUNT * 4 * SINEW_BLOCK], model[HUMAN_BONE_COUNT * JOINT];
  _Alignas(64) float com[3 * SINEW_BLOCK], frame[4 * SINEW_BLOCK], hips_t[3 * SINEW_BLOCK],
      hips_q[4 * SINEW_BLOCK], node_t[3 * SINEW_BLOCK], node_q[4 * SINEW_BLOCK];
  const sinew_kernels *k = sinew_kernels_select(NULL);
  k->muscle(&b->m.muscle, planes, local);
  k->fk(&b->m.fk_body, local, NULL, NULL, model);
  k->body(&b->m.body, model, com, frame);
  k->hips(&b->m.body, planes, com, frame, hips_t, hips_q, node_t, node_q);
  k->fk(&b->m.fk, local, hips_t, hips_q, model);
  for (uint32_t slot = 0; slot < b->m.bone_count; slot++)
    for (int f = 0; f < SINEW_BLOCK; f++) {
      const int bone = b->m.bone_of_slot[slot];
      double rest[4];
      for (int c = 0; c < 3; c++) out->t[f][bone][c] = (double)model[slot * JOINT + c * SINEW_BLOCK + f];
      for (int c = 0; c < 4; c++)
        out->q[f][bone][c] = (double)model[slot * JOINT + (3 + c) * SINEW_BLOCK + f];
      quat_conj(b->tpose_q[bone], rest);
      quat_mul(out->q[f][bone], rest, out->turn[f][bone]);
    }
}

/* The goals of a pose (humanoid.md 7), into its planes. */
static void set_goals(const body *b, const pose *p, float *planes) {
  for (int i = 0; i < GOALS * SINEW_BLOCK; i++) {
    const int goal = i / SINEW_BLOCK, f = i % SINEW_BLOCK, bone = goal_bone[goal];
    const double k = (double)b->m.body.scale_m, length = goal < 2 ? b->rig->axes[bone].length : 0;
    double q[4], t[3], root[4];
    quat_mul(p->q[f][bone], b->rig->axes[bone].post, q);
    quat_rotate(q, (double[3]){length, 0, 0}, t);
    for (int c = 0; c < 4; c++) root[c] = (double)planes[(SINEW_PLANE_ROOT_Q + c) * SINEW_BLOCK + f];
    quat_conj(root, root);
    for (int c = 0; c < 3; c++)
      t[c] += p->t[f][bone][c] - k * (double)planes[(SINEW_PLANE_ROOT_T + c) * SINEW_BLOCK + f];
    quat_rotate(root, t, t);
    quat_mul(root, q, q);
    float *out = planes + (SINEW_PLANE_GOAL + 7 * goal) * SINEW_BLOCK + f;
    for (int c = 0; c < 3; c++) out[c * SINEW_BLOCK] = (float)(t[c] / k);
    for (int c = 0; c < 4; c++) out[(3 + c) * SINEW_BLOCK] = (float)q[c];
  }
}

/* RootT stays 0 and RootQ the identity. */
static float *new_planes(void) {
  float *planes = aligned_alloc(64, PLANES * sizeof(float));
  cr_assert_not_null(planes);
  memset(planes, 0, PLANES * sizeof(float));
  for (int f = 0; f < SINEW_BLOCK; f++) planes[(SINEW_PLANE_ROOT_Q + 3) * SINEW_BLOCK + f] = 1;
  return planes;
}

static void random_planes(unsigned *state, double reach, float *planes) {
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double q[4];
    for (int muscle = 0; muscle < SINEW_MUSCLE_COUNT; muscle++)
      planes[(SINEW_PLANE_MUSCLE + muscle) * SINEW_BLOCK + f] = (float)(reach * synthetic_random(state));
    for (int c = 0; c < 3; c++)
      planes[(SINEW_PLANE_ROOT_T + c) * SINEW_BLOCK + f] = (float)synthetic_random(state);
    synthetic_random_rotation(state, q);
    for (int c = 0; c < 4; c++) planes[(SINEW_PLANE_ROOT_Q + c) * SINEW_BLOCK + f] = (float)q[c];
  }
}

/* ---- how far from mirrored
 * --------------------------------------------------------------------------------- */

typedef struct error_of {
  double place_m, hips_m, turn_deg;
} error_of;

static void grow(double *most, double value) {
  *most = value == value ? fmax(*most, value) : INFINITY;
}

static double apart(const double a[3], const double b[3]) {
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return sqrt(vec_dot(d, d));
}

/* Between frame f of a pose and the mirror of frame g of another; places are counted from the hips. */
static error_of mirror_error(const body *b, const pose *p, int f, const pose *other, int g) {
  error_of e = {0};
  double hips[3];
  vec_mirror(other->t[g][HUMAN_HIPS], hips);
  e.hips_m = apart(p->t[f][HUMAN_HIPS], hips);
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    const int twin = other_bone(bone);
    double place[3], turn[4];
    if (b->rig->node_of_bone[bone] < 0 || b->rig->node_of_bone[twin] < 0) continue;
    vec_mirror(other->t[g][twin], place);
    quat_mirror(other->turn[g][twin], turn);
    for (int k = 0; k < 3; k++) place[k] += p->t[f][HUMAN_HIPS][k] - hips[k];
    grow(&e.place_m, apart(p->t[f][bone], place));
    grow(&e.turn_deg, quat_angle_deg(p->turn[f][bone], turn));
  }
  return e;
}

static void grow_all(error_of *most, error_of e) {
  grow(&most->place_m, e.place_m), grow(&most->hips_m, e.hips_m), grow(&most->turn_deg, e.turn_deg);
}

static void grow_goals(const float *a, const float *b, double scale_m, error_of *most) {
  for (int i = 0; i < GOALS * SINEW_BLOCK; i++) {
    const size_t at = (size_t)(SINEW_PLANE_GOAL + 7 * (i / SINEW_BLOCK)) * SINEW_BLOCK + i % SINEW_BLOCK;
    double va[7], vb[7];
    for (int c = 0; c < 7; c++)
      va[c] = (double)a[at + c * SINEW_BLOCK], vb[c] = (double)b[at + c * SINEW_BLOCK];
    grow(&most->place_m, scale_m * apart(va, vb));
    grow(&most->turn_deg, quat_angle_deg(va + 3, vb + 3));
  }
}

typedef struct measured {
  error_of body, goals;
} measured;

/* Random poses, their mirror by planes and by the body. */
static measured measure(const body *b, double reach, unsigned seed) {
  static pose p, q;
  measured most = {0};
  unsigned state = seed;
  float *planes = new_planes(), *mirrored = new_planes(), *again = new_planes();
  for (int round = 0; round < 8; round++) {
    random_planes(&state, reach, planes);
    pose_of(b, planes, &p);
    set_goals(b, &p, planes);
    mirror_planes(planes, mirrored);
    pose_of(b, mirrored, &q);
    for (int f = 0; f < SINEW_BLOCK; f++) grow_all(&most.body, mirror_error(b, &q, f, &p, f));
    memcpy(again, mirrored, PLANES * sizeof(float));
    set_goals(b, &q, again);
    grow_goals(again, mirrored, (double)b->m.body.scale_m, &most.goals);
  }
  free(planes), free(mirrored), free(again);
  return most;
}

/* ---- the table
 * ----------------------------------------------------------------------------------------------- */

Test(mirror, twice_is_the_identity_bit_for_bit) {
  unsigned state = 3;
  float *planes = new_planes(), *once = new_planes(), *twice = new_planes();
  for (int i = 0; i < PLANES; i++) {
    const uint32_t bits =
        (uint32_t)(int32_t)(synthetic_random(&state) * 2e9) * 2654435761u; /* any: NaN, -0, infinity */
    memcpy(&planes[i], &bits, sizeof bits);
  }
  planes[0] = 0, planes[1] = -0.0f, planes[SINEW_PLANE_MUSCLE * SINEW_BLOCK] = -0.0f;
  mirror_planes(planes, once);
  mirror_planes(once, twice);
  cr_expect_neq(memcmp(planes, once, PLANES * sizeof(float)), 0);
  cr_expect_eq(memcmp(planes, twice, PLANES * sizeof(float)), 0);
  mirror_planes(planes, planes);
  cr_expect_eq(memcmp(planes, once, PLANES * sizeof(float)), 0, "in place as apart");
  for (uint32_t plane = 0; plane < SINEW_PLANE_COUNT; plane++) {
    const mirror_source source = mirror_source_of(plane), back = mirror_source_of(source.plane);
    cr_expect(back.plane == plane && back.negated == source.negated, "plane %u", plane);
  }
  free(planes), free(once), free(twice);
}

enum { TRIED = 2 * SINEW_MUSCLE_COUNT, TRIED_BLOCKS = (TRIED + SINEW_BLOCK - 1) / SINEW_BLOCK };

/* Pose i: muscle i / 2 alone, at 0.7 or -0.7; the others at 0. */
static pose *lone_muscles(const body *b) {
  pose *poses = calloc(TRIED_BLOCKS, sizeof *poses);
  float *planes = new_planes();
  for (int block = 0; block < TRIED_BLOCKS; block++) {
    memset(planes + SINEW_PLANE_MUSCLE * SINEW_BLOCK, 0, SINEW_MUSCLE_COUNT * SINEW_BLOCK * sizeof(float));
    for (int f = 0; f < SINEW_BLOCK && block * SINEW_BLOCK + f < TRIED; f++) {
      const int tried = block * SINEW_BLOCK + f;
      planes[(SINEW_PLANE_MUSCLE + tried / 2) * SINEW_BLOCK + f] = tried % 2 ? -0.7f : 0.7f;
    }
    pose_of(b, planes, &poses[block]);
  }
  free(planes);
  return poses;
}

/* Of all muscles and both signs exactly one makes the mirror image of what a muscle does: what the table
 * says. */
Test(mirror, the_sign_of_every_muscle_is_found_by_trying) {
  body b = open_body(synthetic_rig(&(synthetic_options){.turned = true, .between = true, .seed = 5}), true);
  pose *poses = lone_muscles(&b);
  for (int tried = 0; tried < TRIED; tried++) {
    int found = -1, count = 0;
    for (int by = 0; by < TRIED; by++) {
      const error_of e = mirror_error(&b, &poses[by / SINEW_BLOCK], by % SINEW_BLOCK,
                                      &poses[tried / SINEW_BLOCK], tried % SINEW_BLOCK);
      if (e.turn_deg < 1e-3 && e.place_m < 1e-5) found = by, count++;
    }
    cr_assert_eq(count, 1, "%s: %d mirror images", human_muscles[tried / 2].attribute, count);
    const mirror_source source = mirror_source_of((uint32_t)(SINEW_PLANE_MUSCLE + found / 2));
    cr_expect_eq(source.plane, SINEW_PLANE_MUSCLE + tried / 2, "%s", human_muscles[tried / 2].attribute);
    cr_expect_eq(source.negated, found % 2 != tried % 2, "%s", human_muscles[tried / 2].attribute);
  }
  free(poses);
  close_body(&b);
}

/* ---- bodies
 * ---------------------------------------------------------------------------------------------------- */

static rig_description *even_body(unsigned seed) {
  synthetic_options o = {.turned = seed % 3 != 0, .between = seed % 2 != 0, .seed = seed};
  if (seed % 4 == 1) o.missing[HUMAN_CHEST] = o.missing[HUMAN_UPPER_CHEST] = o.missing[HUMAN_NECK] = true;
  if (seed % 4 == 2) o.missing[HUMAN_LEFT_SHOULDER] = o.missing[HUMAN_RIGHT_SHOULDER] = true;
  rig_description *d = synthetic_rig(&o);
  d->arm_twist = 0.25, d->fore_arm_twist = 0.75, d->upper_leg_twist = 0.1, d->leg_twist = 1;
  return d;
}

/* Float noise: ten rotations of 1e-7 rad each down to a finger, a metre away. */
Test(mirror, an_even_body_is_mirrored_to_rounding) {
  for (unsigned seed = 0; seed < 8; seed++) {
    body b = open_body(even_body(seed), true);
    const measured most = measure(&b, 1, seed + 1);
    cr_expect_lt(most.body.place_m, 3e-6, "seed %u: places off by %g m", seed, most.body.place_m);
    cr_expect_lt(most.body.hips_m, 3e-6, "seed %u: hips off by %g m", seed, most.body.hips_m);
    cr_expect_lt(most.body.turn_deg, 2e-4, "seed %u: turned by %g degrees", seed, most.body.turn_deg);
    cr_expect_lt(most.goals.place_m, 3e-6, "seed %u: goals off by %g m", seed, most.goals.place_m);
    cr_expect_lt(most.goals.turn_deg, 2e-4, "seed %u: goals turned by %g degrees", seed, most.goals.turn_deg);
    close_body(&b);
  }
}

/* The left lower arm's half of its mass lies at the shoulder end: the body stands elsewhere by at most what
 * that moves the centre of mass, twice; nothing else changes. */
Test(mirror, the_left_arm_of_the_centre_of_mass_moves_the_body_alone) {
  body b = open_body(even_body(0), false);
  const measured most = measure(&b, 1, 9);
  const double arm_m = apart(b.tpose_t[HUMAN_LEFT_UPPER_ARM], b.tpose_t[HUMAN_LEFT_LOWER_ARM]);
  cr_expect_lt(most.body.hips_m, 2 * arm_m * 0.75 / 82.5 + 3e-6, "off by %g m", most.body.hips_m);
  cr_expect_gt(most.body.hips_m, 1e-3, "off by %g m", most.body.hips_m);
  cr_expect_lt(most.body.place_m, 3e-6);
  cr_expect_lt(most.body.turn_deg, 2e-4);
  close_body(&b);
}

/* How far the body itself is from its mirror image, in T-pose. */
static error_of unevenness(const body *b) {
  error_of e = {0};
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    const int twin = other_bone(bone);
    double place[3], axes[2][4];
    if (b->rig->node_of_bone[bone] < 0 || b->rig->node_of_bone[twin] < 0) continue;
    vec_mirror(b->tpose_t[twin], place);
    grow(&e.place_m, apart(b->tpose_t[bone], place));
    quat_mul(b->tpose_q[bone], b->rig->axes[bone].post, axes[0]);
    quat_mul(b->tpose_q[twin], b->rig->axes[twin].post, axes[1]);
    quat_mirror(axes[1], axes[1]);
    double half_turn = 360;
    for (int axis = 1; axis < 3; axis++) {
      double turned[4];
      quat_mul(axes[1], (double[4]){0, axis == 1, axis == 2, 0}, turned);
      half_turn = fmin(half_turn, quat_angle_deg(axes[0], turned));
    }
    grow(&e.turn_deg, half_turn);
  }
  return e;
}

Test(mirror, real_bodies_are_mirrored_as_far_as_they_are_even) {
  NEED_DATA();
  static const char *const folders[] = {"humanoid/avatars", "humanoid/metas", "humanoid/truth"};
  int even = 0;
  for (int i = 0; i < 3; i++) {
    size_t count;
    char **paths = test_data_list(folders[i], ".fbx.meta", &count);
    for (size_t n = 0; n < count; n++) {
      if (strstr(paths[n], "unitychan")) continue; /* its hierarchy stands in the model alone */
      body b = open_body(avatar_meta_load(paths[n]), true);
      const error_of own = unevenness(&b);
      const measured most = measure(&b, 1, 1);
      cr_expect_lt(most.body.place_m, 10 * own.place_m + 3e-6, "%s: %g m", paths[n], most.body.place_m);
      cr_expect_lt(most.body.hips_m, 2 * own.place_m + 3e-6, "%s: hips %g m", paths[n], most.body.hips_m);
      cr_expect_lt(most.goals.place_m, 10 * own.place_m + 3e-6, "%s: goals %g m", paths[n],
                   most.goals.place_m);
      cr_expect_lt(fmax(most.body.turn_deg, most.goals.turn_deg), 5 * own.turn_deg + 2e-4, "%s", paths[n]);
      even += own.place_m < 1e-5;
      close_body(&b);
    }
  }
  cr_expect_geq(even, 4); /* some are modelled so: they are mirrored to a hundredth of a millimetre */
}
