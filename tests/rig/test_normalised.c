/* A rig made plain stands as the rig it was made of, whatever moves both. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "retarget/muscle_rig.h"
#include "rig/avatar_asset.h"
#include "rig/normalised.h"
#include "rig/quat.h"
#include "rig/synthetic.h"
#include "support/data.h"

/* Where a float kernel's chains of rotations lead, as a share of the body: some 1e-7 a bone. */
static const double place_tolerance = 1e-6;
static const double turn_tolerance = 2e-6;

typedef struct body {
  muscle_rig m;
  _Alignas(64) float planes[SINEW_PLANE_COUNT * SINEW_BLOCK];
  _Alignas(64) float local[HUMAN_BONE_COUNT * 4 * SINEW_BLOCK];
  _Alignas(64) float model[HUMAN_BONE_COUNT * SINEW_MODEL_PLANES * SINEW_BLOCK];
  _Alignas(64) float com[7 * SINEW_BLOCK];
  _Alignas(64) float hips[14 * SINEW_BLOCK];
} body;

static void fill(float *planes) {
  unsigned state = 11;
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double q[4];
    synthetic_random_rotation(&state, q);
    for (int p = 0; p < SINEW_PLANE_COUNT; p++)
      planes[p * SINEW_BLOCK + f] = (float)(f ? synthetic_random(&state) * 1.2 : 0);
    for (int c = 0; c < 4; c++)
      planes[(SINEW_PLANE_ROOT_Q + c) * SINEW_BLOCK + f] = (float)(f ? q[c] : c == 3);
  }
}

static void pose(const sinew_kernels *k, const sinew_rig *rig, body *b) {
  sinew_error error;
  cr_assert_eq(muscle_rig_build(rig, &b->m, &error), SINEW_OK, "%s", error.message);
  fill(b->planes);
  k->muscle(&b->m.muscle, b->planes, b->local);
  k->fk(&b->m.fk_body, b->local, NULL, NULL, b->model);
  k->body(&b->m.body, b->model, b->com, b->com + 3 * SINEW_BLOCK);
  float *hips = b->hips;
  k->hips(&b->m.body, b->planes, b->com, b->com + 3 * SINEW_BLOCK, hips, hips + 3 * SINEW_BLOCK,
          hips + 7 * SINEW_BLOCK, hips + 10 * SINEW_BLOCK);
  k->fk(&b->m.fk, b->local, hips, hips + 3 * SINEW_BLOCK, b->model);
}

static void take(const body *b, int bone, int f, double t[3], double q[4]) {
  const float *at = b->model + b->m.slot_of_bone[bone] * SINEW_MODEL_PLANES * SINEW_BLOCK + f;
  for (int c = 0; c < 3; c++) t[c] = (double)at[c * SINEW_BLOCK];
  for (int c = 0; c < 4; c++) q[c] = (double)at[(3 + c) * SINEW_BLOCK];
}

/* The bone's rotation in T-pose, up its chain. */
static void tpose_of(const sinew_rig *rig, int bone, double q[4]) {
  double own[4];
  if (rig->parent_bone[bone] < 0) {
    memcpy(q, rig->hips_rest_q, 4 * sizeof *q);
    return;
  }
  tpose_of(rig, rig->parent_bone[bone], q);
  quat_mul(rig->between[bone], rig->rest_q[bone], own);
  quat_mul(q, own, q);
}

static void compare_bone(const sinew_rig *rig, const body *own, const body *made, int bone, double *off_m,
                         double *off_rad) {
  double tpose[4], back[4];
  tpose_of(rig, bone, tpose);
  quat_conj(tpose, back);
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double t[3], q[4], made_t[3], made_q[4], dot = 0;
    take(own, bone, f, t, q);
    take(made, bone, f, made_t, made_q);
    quat_mul(q, back, q);
    for (int c = 0; c < 3; c++) *off_m = fmax(*off_m, fabs(t[c] - made_t[c]));
    for (int c = 0; c < 4; c++) dot += q[c] * made_q[c];
    double apart = 0;
    for (int c = 0; c < 4; c++) apart = fmax(apart, fabs(q[c] - (dot < 0 ? -1 : 1) * made_q[c]));
    *off_rad = fmax(*off_rad, 2 * apart);
  }
}

static void compare(const sinew_rig *rig, bool without_eyes, const char *name) {
  static body own, made;
  sinew_rig *plain;
  sinew_error error = {0};
  const rig_normalise_options options = {.without_eyes = without_eyes};
  cr_assert_eq(rig_normalise(rig, &options, &plain, &error), SINEW_OK, "%s: %s", name, error.message);
  const sinew_kernels *k = sinew_kernels_available(0);
  pose(k, rig, &own);
  pose(k, plain, &made);
  double off_m = 0, off_rad = 0;
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    const bool eye = b == HUMAN_LEFT_EYE || b == HUMAN_RIGHT_EYE, there = rig->node_of_bone[b] >= 0;
    cr_assert_eq(plain->node_of_bone[b] >= 0, there && !(eye && without_eyes), "%s: %s", name,
                 human_bones[b].name);
    if (plain->node_of_bone[b] >= 0) compare_bone(rig, &own, &made, b, &off_m, &off_rad);
  }
  cr_expect_lt(off_m / rig->height_m, place_tolerance, "%s: %g m", name, off_m);
  cr_expect_lt(off_rad, turn_tolerance, "%s: %g rad", name, off_rad);
  for (uint32_t i = 0; i < plain->node_count; i++) {
    const rig_node *node = &plain->nodes[i];
    cr_expect(node->q[3] == 1 && node->s[0] == 1 && node->s[1] == 1 && node->s[2] == 1, "%s", node->name);
    cr_expect_eq(node->parent < 0, i == 0, "%s", node->name);
    for (uint32_t j = 0; j < i; j++) cr_expect_str_neq(node->name, plain->nodes[j].name);
  }
  muscle_rig_release(&own.m);
  muscle_rig_release(&made.m);
  sinew_rig_close(plain);
}

Test(normalised, made_bodies) {
  for (unsigned seed = 0; seed < 8; seed++) {
    synthetic_options o = {.turned = true, .between = seed % 2, .asymmetric = true, .seed = seed};
    if (seed % 3 == 1) memcpy(o.root_q, (double[4]){-0.5, 0, 0, 0.5}, sizeof o.root_q), o.root_scale = 100;
    if (seed % 4 == 2)
      o.missing[HUMAN_NECK] = o.missing[HUMAN_UPPER_CHEST] = o.missing[HUMAN_LEFT_TOES] = true;
    rig_description *d = synthetic_rig(&o);
    d->arm_twist = 0.25, d->fore_arm_twist = 0.75, d->upper_leg_twist = 0.1, d->leg_twist = 1;
    sinew_rig *rig;
    sinew_error error;
    cr_assert_eq(rig_compile(d, 0, &rig, &error), SINEW_OK, "%s", error.message);
    compare(rig, seed % 2, "made");
    sinew_rig_close(rig);
  }
}

static void compare_folder(const char *folder, const char *suffix, uint32_t least) {
  size_t count;
  char **paths = test_data_list(folder, suffix, &count);
  uint32_t compared = 0;
  for (size_t i = 0; i < count; i++) {
    sinew_rig *rig;
    sinew_error error;
    if (sinew_rig_open(paths[i], NULL, &rig, &error) != SINEW_OK) continue;
    compare(rig, i % 2, paths[i]);
    compared++;
    sinew_rig_close(rig);
  }
  cr_expect_geq(compared, least, "%s: %u", folder, compared);
}

Test(normalised, files) {
  NEED_DATA();
  compare_folder("humanoid/metas", ".meta", 6);
  compare_folder("rigs", ".glb", 5);
  compare_folder("rigs", ".vrm", 4);
}

static int blocks_left;
static int permit(size_t byte_count) {
  (void)byte_count;
  return blocks_left-- > 0;
}

Test(normalised, every_allocation_fails_in_turn) {
  sinew_rig *rig, *plain;
  sinew_error error;
  cr_assert_eq(rig_compile(synthetic_rig(NULL), 0, &rig, &error), SINEW_OK, "%s", error.message);
  sinew_result result = SINEW_ERROR_MEMORY;
  for (int blocks = 0; result != SINEW_OK && blocks < 200; blocks++) {
    blocks_left = blocks;
    heap_permit = permit;
    result = rig_normalise(rig, NULL, &plain, &error);
    heap_permit = NULL;
    cr_expect(result == SINEW_OK || result == SINEW_ERROR_MEMORY, "%d: %s", blocks, error.message);
  }
  cr_assert_eq(result, SINEW_OK);
  sinew_rig_close(plain);
  sinew_rig_close(rig);
}

Test(normalised, names) {
  char name[RIG_VRM_NAME_BYTES];
  rig_vrm_name(HUMAN_HIPS, name);
  cr_expect_str_eq(name, "hips");
  rig_vrm_name(HUMAN_UPPER_CHEST, name);
  cr_expect_str_eq(name, "upperChest");
  rig_vrm_name(HUMAN_LEFT_THUMB_PROXIMAL, name);
  cr_expect_str_eq(name, "leftThumbMetacarpal");
  rig_vrm_name(HUMAN_RIGHT_THUMB_PROXIMAL + 1, name);
  cr_expect_str_eq(name, "rightThumbProximal");
  rig_vrm_name(HUMAN_RIGHT_THUMB_PROXIMAL + 2, name);
  cr_expect_str_eq(name, "rightThumbDistal");
  rig_vrm_name(HUMAN_RIGHT_THUMB_PROXIMAL + 3, name);
  cr_expect_str_eq(name, "rightIndexProximal");
}
