/* The kernels' constants against the plain algebra of the humanoid, in double. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "retarget/muscle_rig.h"
#include "support/keep.h"
#include "rig/avatar_asset.h"
#include "rig/quat.h"
#include "rig/synthetic.h"
#include "support/data.h"

enum { RIGS = 12 };

/* Bodies with everything that can stand in the way: turned nodes, nodes in between, a turned and scaled root,
 * missing bones, clavicles under the neck, unequal shares. */
static rig_description *describe(unsigned seed) {
  synthetic_options o = {.turned = seed % 4 != 0, .between = seed % 3 != 0, .asymmetric = true, .seed = seed};
  if (seed % 2) {
    memcpy(o.root_q, (double[4]){-0.5, 0, 0, 0.5}, sizeof o.root_q);
    o.root_scale = 100;
  }
  if (seed % 5 == 1)
    o.missing[HUMAN_NECK] = o.missing[HUMAN_LEFT_SHOULDER] = o.missing[HUMAN_RIGHT_TOES] = true;
  if (seed % 5 == 2) o.missing[HUMAN_CHEST] = o.missing[HUMAN_UPPER_CHEST] = o.missing[30] = true;
  rig_description *d = synthetic_rig(&o);
  d->arm_twist = 0.25, d->fore_arm_twist = 0.75, d->upper_leg_twist = 0.1, d->leg_twist = 1;
  d->limit[HUMAN_HEAD] = (rig_limit){true, {-10, -20, -30}, {5, 6, 7}};
  if (seed == 4) d->nodes[synthetic_node(d, "before LeftShoulder")].parent = d->node_of_bone[HUMAN_NECK];
  return d;
}

static sinew_rig *compile(const rig_description *description, muscle_rig *m) {
  sinew_rig *rig;
  sinew_error error;
  cr_assert_eq(rig_compile(description, 0, &rig, &error), SINEW_OK, "%s", error.message);
  cr_assert_eq(muscle_rig_build(rig, m, &error), SINEW_OK);
  return rig;
}

static void apply(const float m[4][4], const double v[4], double out[4]) {
  for (int c = 0; c < 4; c++) {
    out[c] = 0;
    for (int k = 0; k < 4; k++) out[c] += (double)m[c][k] * v[k];
  }
}

static double apart(const double *a, const double *b, int count) {
  double most = 0;
  for (int k = 0; k < count; k++) most = fmax(most, fabs(a[k] - b[k]));
  return most;
}

static void plain_local(const rig_axes *axes, const double inner[4], double local[4]) {
  double inverse[4];
  quat_conj(axes->post, inverse);
  quat_mul(axes->pre, inner, local);
  quat_mul(local, inverse, local);
}

static int limb_above(int bone) {
  static const int8_t receivers[][2] = {
      {HUMAN_LEFT_LOWER_LEG, HUMAN_LEFT_UPPER_LEG},   {HUMAN_LEFT_FOOT, HUMAN_LEFT_LOWER_LEG},
      {HUMAN_RIGHT_LOWER_LEG, HUMAN_RIGHT_UPPER_LEG}, {HUMAN_RIGHT_FOOT, HUMAN_RIGHT_LOWER_LEG},
      {HUMAN_LEFT_LOWER_ARM, HUMAN_LEFT_UPPER_ARM},   {HUMAN_LEFT_HAND, HUMAN_LEFT_LOWER_ARM},
      {HUMAN_RIGHT_LOWER_ARM, HUMAN_RIGHT_UPPER_ARM}, {HUMAN_RIGHT_HAND, HUMAN_RIGHT_LOWER_ARM}};
  for (int i = 0; i < 8; i++)
    if (receivers[i][0] == bone) return receivers[i][1];
  return -1;
}

/* The rest of the donor's twist acts in the donor's frame, before the nodes in between:
 * (post * Rx(rest) * conj(post)) * between * local, which the constants give as between * (cos m + sin n) *
 * inner. */
static void check_received(const sinew_rig *rig, const sinew_muscle_bone *got, int bone, int donor,
                           unsigned *state) {
  double inner[4], half = synthetic_random(state) * 1.5, twist[4] = {sin(half), 0, 0, cos(half)}, inverse[4];
  synthetic_random_rotation(state, inner);
  double local[4], want[4], m[4], n[4], with[4];
  plain_local(&rig->axes[bone], inner, local);
  quat_conj(rig->axes[donor].post, inverse);
  quat_mul(rig->axes[donor].post, twist, want);
  quat_mul(want, inverse, want);
  quat_mul(want, rig->between[bone], want);
  quat_mul(want, local, want);
  apply(got->m, inner, m);
  apply(got->n, inner, n);
  for (int k = 0; k < 4; k++) with[k] = cos(half) * m[k] + sin(half) * n[k];
  quat_mul(rig->between[bone], with, with);
  cr_expect_lt(apart(with, want, 4), 5e-7, "%s: received twist", human_bones[bone].name);
}

static void check_bone(const sinew_rig *rig, const muscle_rig *m, int bone, unsigned *state) {
  const sinew_muscle_bone *got = &m->muscle.bones[m->slot_of_bone[bone]];
  const char *name = human_bones[bone].name;
  for (int axis = 0; axis < 3; axis++) {
    int muscle = human_bones[bone].muscle[axis];
    cr_expect_eq(got->plane[axis], muscle < 0 ? -1 : 7 + muscle, "%s", name);
    double sgn = human_bones[bone].sgn[axis];
    cr_expect_eq(got->half_pos[axis], (float)(sgn * rig->axes[bone].max_rad[axis] / 2), "%s", name);
    cr_expect_eq(got->half_neg[axis], (float)(-sgn * rig->axes[bone].min_rad[axis] / 2), "%s", name);
  }
  for (int turn = 0; turn < 4; turn++) {
    double inner[4], want[4], have[4];
    synthetic_random_rotation(state, inner);
    plain_local(&rig->axes[bone], inner, want);
    if (bone == HUMAN_HIPS) memcpy(want, inner, sizeof want); /* turned by the root alone */
    apply(got->m, inner, have);
    cr_expect_lt(apart(have, want, 4), 3e-7, "%s", name);
  }
  int donor = limb_above(bone);
  if (donor < 0) {
    cr_expect_eq(got->donor_plane, -1, "%s", name);
    return;
  }
  cr_expect_eq(got->donor_plane, 7 + human_bones[donor].muscle[0]);
  cr_expect_eq(got->donor_half_pos, (float)(rig->axes[donor].sgn[0] * rig->axes[donor].max_rad[0] / 2));
  cr_expect_eq(got->donor_half_neg, (float)(rig->axes[donor].sgn[0] * -rig->axes[donor].min_rad[0] / 2));
  cr_expect_eq(got->donor_pass, (float)(1 - rig->share[donor]));
  check_received(rig, got, bone, donor, state);
}

Test(muscle_rig, constants_are_the_plain_algebra) {
  unsigned state = 5;
  for (unsigned seed = 0; seed < RIGS; seed++) {
    muscle_rig m;
    sinew_rig *rig = compile(describe(seed), &m);
    int wraps = 0;
    for (uint32_t slot = 0; slot < m.bone_count; slot++) {
      check_bone(rig, &m, m.bone_of_slot[slot], &state);
      wraps += m.muscle.bones[slot].wraps;
    }
    cr_expect_eq(wraps, 8);
    static const struct {
      int bone;
      float keep;
    } shares[] = {{HUMAN_LEFT_UPPER_ARM, 0.25f},
                  {HUMAN_RIGHT_LOWER_ARM, 0.75f},
                  {HUMAN_RIGHT_UPPER_LEG, 0.1f},
                  {HUMAN_LEFT_LOWER_LEG, 1},
                  {HUMAN_HEAD, 1},
                  {HUMAN_LEFT_HAND, 1}};
    for (int i = 0; i < 6; i++) {
      const sinew_muscle_bone *bone = &m.muscle.bones[m.slot_of_bone[shares[i].bone]];
      cr_expect_eq(bone->keep, shares[i].keep);
      cr_expect_eq(bone->wraps, i < 4);
    }
    muscle_rig_release(&m);
    sinew_rig_close(rig);
  }
}

/* Positions and rotations of joints from the rest rotations of their slots, as the fk kernel walks them. */
static void walk(const sinew_fk_rig *fk, const muscle_rig *m, const sinew_rig *rig, const double root_t[3],
                 const double root_q[4], double t[][3], double q[][4]) {
  for (uint32_t i = 0; i < fk->joint_count; i++) {
    const sinew_fk_joint *joint = &fk->joints[i];
    if (joint->parent < 0) {
      cr_assert_eq(i, 0);
      memcpy(t[i], root_t, sizeof t[i]);
      memcpy(q[i], root_q, sizeof q[i]);
      continue;
    }
    cr_assert(joint->parent < (int)i && joint->slot < m->bone_count);
    double offset[3], between[4];
    for (int k = 0; k < 3; k++) offset[k] = (double)joint->offset[k];
    for (int k = 0; k < 4; k++) between[k] = (double)joint->between[k];
    if (!joint->has_between) cr_expect(between[3] == 1 && between[0] == 0);
    quat_rotate(q[joint->parent], offset, t[i]);
    for (int k = 0; k < 3; k++) t[i][k] += t[joint->parent][k];
    quat_mul(q[joint->parent], between, q[i]);
    quat_mul(q[i], rig->rest_q[m->bone_of_slot[joint->slot]], q[i]);
  }
}

static void node_global(const sinew_rig *rig, int32_t node, double t[3], double q[4]) {
  memset(t, 0, 3 * sizeof *t);
  memcpy(q, (double[4]){0, 0, 0, 1}, 4 * sizeof *q);
  for (int32_t n = node; n >= 0; n = rig->nodes[n].parent) {
    for (int k = 0; k < 3; k++) t[k] *= rig->nodes[n].s[k];
    quat_rotate(rig->nodes[n].q, t, t);
    for (int k = 0; k < 3; k++) t[k] += rig->nodes[n].t[k];
    quat_mul(rig->nodes[n].q, q, q);
  }
}

Test(muscle_rig, joints_stand_where_the_nodes_do) {
  for (unsigned seed = 0; seed < RIGS; seed++) {
    muscle_rig m;
    const rig_description *description = describe(seed);
    sinew_rig *rig = compile(description, &m);
    const sinew_fk_rig *rigs[] = {&m.fk, &m.fk_body};
    cr_expect_eq(m.fk.joint_count, m.bone_count);
    cr_expect(m.fk_body.joint_count >= 17 && m.fk_body.joint_count <= 24);
    double hips_t[3], hips_q[4], t[HUMAN_BONE_COUNT][3], q[HUMAN_BONE_COUNT][4], bone_t[3], bone_q[4];
    node_global(rig, rig->node_of_bone[HUMAN_HIPS], hips_t, hips_q);
    for (int which = 0; which < 2; which++) {
      walk(rigs[which], &m, rig, hips_t, hips_q, t, q);
      for (uint32_t i = 0; i < rigs[which]->joint_count; i++) {
        int bone = m.bone_of_slot[rigs[which]->joints[i].slot];
        node_global(rig, rig->node_of_bone[bone], bone_t, bone_q);
        cr_expect_lt(apart(t[i], bone_t, 3), 1e-6, "seed %u: %s", seed, human_bones[bone].name);
        cr_expect_lt(quat_angle_deg(q[i], bone_q), 1e-4, "seed %u: %s", seed, human_bones[bone].name);
        bool read = which == 0;
        for (uint32_t j = 0; j < rigs[which]->joint_count; j++)
          read |= rigs[which]->joints[j].parent == (int)i;
        cr_expect_eq(rigs[which]->joints[i].rotation_unused, !read);
        if (which == 0) cr_expect_eq(rigs[0]->joints[i].slot, i);
      }
    }
    muscle_rig_release(&m);
    sinew_rig_close(rig);
  }
}

/* The hips of a pose by the text's own formulas, from the float constants. model: joints with the hips
 * unturned. */
static void reference_hips(const muscle_rig *m, double model[][3], double hips_t[3], double hips_q[4]) {
  const sinew_body_rig *body = &m->body;
  double com[3] = {0, 0, 0}, turned[4][3], x[3], y[3], z[3], l[3], frame[4], part[4];
  for (uint32_t i = 0; i < body->joint_count; i++)
    for (int k = 0; k < 3; k++) com[k] += (double)body->com_weight[i] * model[i][k];
  const uint16_t joints[] = {body->upper_leg[0], body->upper_leg[1], body->upper_arm[0], body->upper_arm[1]};
  for (int i = 0; i < 4; i++)
    for (int row = 0; row < 3; row++) {
      turned[i][row] = 0;
      for (int k = 0; k < 3; k++) turned[i][row] += (double)body->hips_rest[row][k] * model[joints[i]][k];
    }
  for (int k = 0; k < 3; k++) {
    y[k] = (turned[2][k] + turned[3][k] - turned[0][k] - turned[1][k]) / 2;
    l[k] = turned[3][k] - turned[2][k] + turned[1][k] - turned[0][k];
  }
  vec_normalise(y), vec_normalise(l);
  vec_cross(l, y, z), vec_cross(y, z, x);
  quat_from_frame_trace(x, y, z, frame);
  quat_normalise(frame);
  quat_conj(frame, frame);
  for (int k = 0; k < 4; k++) hips_q[k] = (double)m->rest_root[3 + k];
  for (int k = 0; k < 4; k++) part[k] = (double)body->r0[k];
  quat_mul(hips_q, part, hips_q);
  quat_mul(hips_q, frame, hips_q);
  for (int k = 0; k < 4; k++) part[k] = (double)body->after[k];
  quat_mul(hips_q, part, hips_q);
  quat_rotate(hips_q, com, com);
  for (int k = 0; k < 3; k++) hips_t[k] = (double)m->rest_root[k] * (double)body->scale_m - com[k];
}

/* From root space to the hips' parent node, as the hips kernel does it. */
static void to_node(const sinew_body_rig *body, double t[3], double q[4]) {
  double inverse[4];
  if (!body->has_above) return;
  for (int k = 0; k < 4; k++) inverse[k] = (double)body->above_q[k] * (k < 3 ? -1 : 1);
  for (int k = 0; k < 3; k++) t[k] -= (double)body->above_t[k];
  quat_rotate(inverse, t, t);
  for (int k = 0; k < 3; k++) t[k] *= (double)body->inv_above_scale;
  quat_mul(inverse, q, q);
}

static void check_rest(const sinew_rig *rig, const muscle_rig *m, const char *what) {
  double unturned[4] = {0, 0, 0, 1}, origin[3] = {0, 0, 0}, model[HUMAN_BONE_COUNT][3],
         q[HUMAN_BONE_COUNT][4];
  double hips_t[3], hips_q[4], want_t[3], want_q[4];
  walk(&m->fk_body, m, rig, origin, unturned, model, q);
  reference_hips(m, model, hips_t, hips_q);
  const rig_node *node = &rig->nodes[rig->node_of_bone[HUMAN_HIPS]];
  node_global(rig, rig->node_of_bone[HUMAN_HIPS], want_t, want_q);
  cr_expect_lt(apart(hips_t, want_t, 3), 1e-6, "%s: hips off by %g m", what, apart(hips_t, want_t, 3));
  cr_expect_lt(quat_angle_deg(hips_q, want_q), 1e-4, "%s: hips turned by %g", what,
               quat_angle_deg(hips_q, want_q));
  to_node(&m->body, hips_t, hips_q);
  cr_expect_lt(apart(hips_t, node->t, 3) * rig->above_scale, 1e-6, "%s: hips node", what);
  cr_expect_lt(quat_angle_deg(hips_q, node->q), 1e-4, "%s: hips node", what);
  double weight = 0;
  for (uint32_t i = 0; i < m->body.joint_count; i++) weight += (double)m->body.com_weight[i];
  cr_expect_float_eq(weight, 1, 1e-6);
  cr_expect_eq(m->body.com_weight[0], 0); /* the hips' mass lies in the middle of what hangs from them */
}

Test(muscle_rig, rest_root_holds_the_t_pose) {
  for (unsigned seed = 0; seed < RIGS; seed++) {
    muscle_rig m;
    sinew_rig *rig = compile(describe(seed), &m);
    check_rest(rig, &m, "made");
    bool above = seed % 2 || seed % 3; /* a turned root, a node before the hips */
    cr_expect_eq(m.body.has_above, above, "seed %u", seed);
    muscle_rig_release(&m);
    sinew_rig_close(rig);
  }
}

Test(muscle_rig, rest_root_holds_the_t_pose_of_real_rigs) {
  NEED_DATA();
  static const char *const folders[] = {"humanoid/avatars", "humanoid/metas", "humanoid/truth"};
  int checked = 0;
  for (int f = 0; f < 3; f++) {
    size_t count;
    char **paths = test_data_list(folders[f], ".fbx.meta", &count);
    for (size_t i = 0; i < count; i++) {
      if (strstr(paths[i], "unitychan")) continue; /* its hierarchy stands in the model alone */
      muscle_rig m;
      sinew_rig *rig = compile(avatar_meta_load(paths[i]), &m);
      check_rest(rig, &m, paths[i]);
      muscle_rig_release(&m);
      sinew_rig_close(rig);
      checked++;
    }
  }
  cr_assert_geq(checked, 13);
}

/* The weights by the rule in words, on a body without spare bones. */
Test(muscle_rig, centre_of_mass_weights) {
  sinew_rig *rig;
  cr_assert_eq(rig_compile(synthetic_rig(NULL), 0, &rig, NULL), SINEW_OK);
  double w[HUMAN_BONE_COUNT], sum = 0, unit = 1 / 82.5;
  rig_com_weights(rig, w);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) sum += w[b];
  cr_expect_float_eq(sum, 1, 1e-12);
  cr_expect_eq(w[HUMAN_HIPS], 0);
  cr_expect_float_eq(w[HUMAN_SPINE], (12.0 / 3 + 2.5 / 2) * unit, 1e-12); /* hips' third, own half */
  cr_expect_float_eq(w[HUMAN_LEFT_UPPER_LEG], (12.0 / 3 + 10 / 2.0) * unit, 1e-12);
  cr_expect_float_eq(w[HUMAN_LEFT_FOOT], (4 / 2.0 + 0.8) * unit, 1e-12);
  cr_expect_float_eq(w[HUMAN_LEFT_TOES], 0.2 * unit, 1e-12);
  cr_expect_float_eq(w[HUMAN_UPPER_CHEST], (12 / 2.0 + 12 / 4.0) * unit,
                     1e-12); /* neck and two shoulders hang from it */
  cr_expect_float_eq(w[HUMAN_NECK], (12 / 4.0 + 1 / 2.0) * unit, 1e-12);
  cr_expect_float_eq(w[HUMAN_HEAD], (1 / 2.0 + 4) * unit, 1e-12);
  cr_expect_float_eq(w[HUMAN_RIGHT_UPPER_ARM], (0.5 / 2 + 2 / 2.0) * unit, 1e-12);
  cr_expect_float_eq(w[HUMAN_RIGHT_LOWER_ARM], (2 / 2.0 + 1.5 / 2) * unit, 1e-12);
  cr_expect_float_eq(w[HUMAN_LEFT_UPPER_ARM], (0.5 / 2 + 2 / 2.0 + 1.5 / 2) * unit,
                     1e-12); /* the left side's quirk */
  cr_expect_float_eq(w[HUMAN_LEFT_LOWER_ARM], (2 / 2.0) * unit, 1e-12);
  cr_expect_float_eq(w[HUMAN_LEFT_HAND], (1.5 / 2 + 0.5) * unit, 1e-12);
  cr_expect_eq(w[HUMAN_LEFT_EYE] + w[HUMAN_JAW] + w[24] + w[53], 0);
  sinew_rig_close(rig);
}

static int refuse_memory(size_t byte_count) {
  (void)byte_count;
  return 0;
}

Test(muscle_rig, out_of_memory) {
  sinew_rig *rig;
  cr_assert_eq(rig_compile(synthetic_rig(NULL), 0, &rig, NULL), SINEW_OK);
  heap_permit = refuse_memory;
  muscle_rig m;
  cr_expect_eq(muscle_rig_build(rig, &m, NULL), SINEW_ERROR_MEMORY);
  heap_permit = NULL;
  cr_expect_null(m.memory.chunks);
  sinew_rig_close(rig);
}

/* ---- hostile descriptions ------------------------------------------------------------------------------ */

static double odd_number(unsigned *state) {
  static const double odd[] = {0, 0, 1e-30, -1e-9, 1e-5, 1, -1, 100, 1e6, -1e11, 1e300};
  double choice = (synthetic_random(state) + 1) / 2 * 14;
  return choice < 11 ? odd[(int)choice] : synthetic_random(state);
}

static uint32_t any_below(unsigned *state, uint32_t count) {
  uint32_t i = (uint32_t)((synthetic_random(state) + 1) / 2 * count);
  return i < count ? i : count - 1;
}

/* One change that a reader lets through: numbers are finite, quaternions unit, parents before children. */
static void disturb(rig_description *d, unsigned *state) {
  rig_node *node = &d->nodes[any_below(state, d->node_count)];
  uint32_t bone = any_below(state, HUMAN_BONE_COUNT), kind = any_below(state, 7);
  if (kind == 0) node->t[any_below(state, 3)] = odd_number(state);
  if (kind == 1) memset(node->t, 0, sizeof node->t);
  if (kind == 2) synthetic_random_rotation(state, node->q);
  if (kind == 3) node->s[any_below(state, 3)] = odd_number(state) + 1e-3;
  if (kind == 4) node->s[0] = node->s[1] = node->s[2] = odd_number(state) + 1e-3;
  if (kind == 5 && node != d->nodes) node->parent = (int32_t)any_below(state, (uint32_t)(node - d->nodes));
  if (kind == 6) d->node_of_bone[bone] = (int32_t)any_below(state, d->node_count + 1) - 1;
}

static bool all_finite(const float *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

static void expect_usable(const muscle_rig *m) {
  for (uint32_t i = 0; i < m->bone_count; i++) {
    const sinew_muscle_bone *bone = &m->muscle.bones[i];
    cr_assert(all_finite(&bone->m[0][0], 16) && all_finite(&bone->n[0][0], 16) &&
              all_finite(bone->half_pos, 3));
    const sinew_fk_joint *joint = &m->fk.joints[i];
    cr_assert(all_finite(joint->between, 4) && all_finite(joint->offset, 3) && joint->parent < (int)i);
  }
  cr_assert(all_finite(m->rest_root, 7) && all_finite(m->body.r0, 4) && all_finite(m->body.above_t, 3));
  cr_assert(isfinite(m->body.inv_above_scale) && m->body.scale_m > 0);
}

Test(muscle_rig, disturbed_descriptions_are_refused_or_usable) {
  unsigned state = 11;
  int made = 0, refused = 0;
  for (unsigned turn = 0; turn < 4000; turn++) {
    rig_description *d = describe(turn % RIGS);
    for (uint32_t i = any_below(&state, 4) + 1; i > 0; i--) disturb(d, &state);
    sinew_rig *rig;
    sinew_error error;
    sinew_result result = rig_compile(d, turn % 7 == 0 ? 0.01 : 0, &rig, &error);
    if (result == SINEW_OK) {
      muscle_rig m;
      cr_assert_eq(muscle_rig_build(rig, &m, &error), SINEW_OK);
      expect_usable(&m);
      muscle_rig_release(&m);
      sinew_rig_close(rig);
      made++;
    } else {
      cr_assert_eq(result, SINEW_ERROR_RIG, "%s", error.message);
      refused++;
    }
    test_keep_release();
  }
  cr_expect(made > 1000 && refused > 1000, "%d made, %d refused", made, refused);
}
