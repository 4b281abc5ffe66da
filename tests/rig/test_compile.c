/* The compiler on made-up bodies: one body described in many ways, missing bones, odd shapes, refusals. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rig/avatar_asset.h"
#include "rig/compile.h"
#include "rig/quat.h"
#include "rig/synthetic.h"

static sinew_rig *compile_scaled(const rig_description *description, double unit_scale) {
  sinew_rig *rig;
  sinew_error error;
  cr_assert_eq(rig_compile(description, unit_scale, &rig, &error), SINEW_OK, "%s", error.message);
  return rig;
}
static sinew_rig *compile(const rig_description *description) {
  return compile_scaled(description, 0);
}

static void global_rotation(const sinew_rig *rig, int32_t node, double q[4]) {
  memcpy(q, (double[4]){0, 0, 0, 1}, 4 * sizeof *q);
  for (int32_t n = node; n >= 0; n = rig->nodes[n].parent) quat_mul(rig->nodes[n].q, q, q);
}

/* The muscle frame in T-pose, R * post, and at muscle zero, R_parent * pre: both are the body's, not the
 * file's. */
static void world_frames(const sinew_rig *rig, int bone, double rest[4], double zero[4]) {
  int32_t node = rig->node_of_bone[bone];
  global_rotation(rig, node, rest);
  quat_mul(rest, rig->axes[bone].post, rest);
  global_rotation(rig, rig->nodes[node].parent, zero);
  quat_mul(zero, rig->axes[bone].pre, zero);
}

static double apart(const double *a, const double *b, int count) {
  double most = 0;
  for (int k = 0; k < count; k++) most = fmax(most, fabs(a[k] - b[k]));
  return most;
}

static void expect_finite(const sinew_rig *rig, const char *what) {
  double sum = 0, mass = 0;
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    if (rig->node_of_bone[b] < 0) continue;
    const rig_axes *a = &rig->axes[b];
    mass += rig->mass[b];
    sum += a->length;
    for (int k = 0; k < 3; k++) sum += rig->offset[b][k] + a->sgn[k] + a->min_rad[k] + a->max_rad[k];
    for (int k = 0; k < 4; k++) sum += rig->between[b][k] + rig->rest_q[b][k];
    double pre = 0, post = 0;
    for (int k = 0; k < 4; k++) pre += a->pre[k] * a->pre[k], post += a->post[k] * a->post[k];
    cr_expect(fabs(pre - 1) < 1e-12 && fabs(post - 1) < 1e-12, "%s: %s has no unit axes", what,
              human_bones[b].name);
  }
  for (int k = 0; k < 4; k++) sum += rig->root_q[k] + rig->hips_rest_q[k] + rig->above_q[k];
  cr_expect(isfinite(sum), "%s", what);
  cr_expect_float_eq(mass, 1, 1e-12, "%s: masses sum to %g", what, mass);
  cr_expect(rig->human_scale_m > 0 && rig->above_scale > 0);
}

static bool warned(const sinew_rig *rig, const char *part) {
  for (uint32_t i = 0; i < rig->warning_count; i++)
    if (strstr(rig->warnings[i], part)) return true;
  return false;
}

/* Compares two compilations of one body. */
static void expect_same_body(const sinew_rig *a, const sinew_rig *b, double tolerance, const char *what) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    const char *name = human_bones[bone].name;
    cr_assert_eq(a->node_of_bone[bone] < 0, b->node_of_bone[bone] < 0);
    if (a->node_of_bone[bone] < 0) continue;
    double rest[2][4], zero[2][4];
    world_frames(a, bone, rest[0], zero[0]);
    world_frames(b, bone, rest[1], zero[1]);
    cr_expect_lt(quat_angle_deg(rest[0], rest[1]), tolerance * 60, "%s: %s post", what, name);
    cr_expect_lt(quat_angle_deg(zero[0], zero[1]), tolerance * 60, "%s: %s pre", what, name);
    cr_expect_lt(fabs(a->axes[bone].length - b->axes[bone].length), tolerance, "%s: %s length", what, name);
    cr_expect_eq(a->parent_bone[bone], b->parent_bone[bone], "%s: %s parent", what, name);
    double length[2] = {sqrt(vec_dot(a->offset[bone], a->offset[bone])),
                        sqrt(vec_dot(b->offset[bone], b->offset[bone]))};
    cr_expect_lt(fabs(length[0] - length[1]), tolerance, "%s: %s offset", what, name);
  }
  cr_expect_lt(apart(a->root_t, b->root_t, 3), tolerance, "%s: centre of mass", what);
  cr_expect_lt(quat_angle_deg(a->root_q, b->root_q), tolerance * 60, "%s: body frame", what);
  cr_expect_lt(fabs(a->height_m - b->height_m), tolerance, "%s: height", what);
}

Test(compile, plain_body) {
  sinew_rig *rig = compile(synthetic_rig(NULL));
  cr_expect_eq(rig->warning_count, 0);
  expect_finite(rig, "plain");
  cr_expect_float_eq(rig->height_m, 1.54, 1e-12);
  cr_expect_float_eq(rig->root_q[3], 1, 1e-3); /* upright, facing +Z */
  cr_expect_float_eq(rig->axes[HUMAN_LEFT_FOOT].length, 0.09, 1e-12);
  cr_expect_float_eq(rig->axes[HUMAN_HEAD].length, rig->axes[HUMAN_NECK].length, 1e-12);
  cr_expect_float_eq(rig->axes[HUMAN_LEFT_HAND].length, rig->axes[HUMAN_LEFT_LOWER_ARM].length / 4, 1e-12);
  cr_expect_eq(rig->axes[HUMAN_LEFT_EYE].length, 0.1);
  cr_expect_float_eq(rig->axes[26].length, rig->axes[25].length * 9 / 16, 1e-12);
  sinew_rig_info info;
  sinew_rig_get_info(rig, &info);
  cr_expect_eq(info.human_bone_count, 55);
  cr_expect_eq(info.node_count, 56);
  sinew_rig_bone bone;
  cr_expect(sinew_rig_get_bone(rig, HUMAN_LEFT_UPPER_ARM, &bone));
  cr_expect_str_eq(bone.node_name, "LeftUpperArm");
  cr_expect_eq(bone.parent_bone, HUMAN_LEFT_SHOULDER);
  cr_expect_float_eq(bone.min_deg[2], -60, 1e-9);
  cr_expect_float_eq(bone.max_deg[2], 100, 1e-9);
  cr_expect_not(bone.custom_limits);
  cr_expect_not(sinew_rig_get_bone(rig, 55, &bone));
  cr_expect_null(sinew_rig_warning(rig, 0));
  cr_expect_str_eq(sinew_muscle_name(94), "RightHand.Little.3 Stretched");
  cr_expect_null(sinew_muscle_name(95));
  cr_expect_str_eq(sinew_bone_name(54), "UpperChest");
  cr_expect_null(sinew_bone_name(55));
  cr_expect(sinew_bone_required(HUMAN_SPINE) && !sinew_bone_required(HUMAN_NECK) && !sinew_bone_required(55));
  cr_expect_eq(human_bone_find("Left Thumb Proximal", 19), HUMAN_LEFT_THUMB_PROXIMAL);
  cr_expect_eq(human_bone_find("LeftThumbProximal", 17), -1);
  sinew_rig_close(rig);
}

/* The tables agree with each other. */
Test(compile, tables) {
  int driven = 0, required = 0;
  double mass = 0;
  bool seen[HUMAN_BONE_COUNT] = {false};
  for (int i = 0; i < HUMAN_BONE_COUNT; i++) {
    int bone = human_order[i];
    cr_expect_not(seen[bone]);
    cr_expect(i == 0 ? human_bones[bone].parent == -1 : seen[human_bones[bone].parent]);
    seen[bone] = true;
    required += human_bones[bone].required;
    mass += human_bones[bone].mass;
    for (int axis = 0; axis < 3; axis++) {
      int muscle = human_bones[bone].muscle[axis];
      cr_expect_eq(fabs(human_bones[bone].sgn[axis]), 1);
      if (muscle < 0) continue;
      cr_expect(human_muscles[muscle].bone == bone && human_muscles[muscle].axis == axis);
      driven++;
    }
  }
  cr_expect_eq(driven, SINEW_MUSCLE_COUNT);
  cr_expect_eq(required, 15);
  cr_expect_float_eq(mass, 82.5, 1e-12);
}

Test(compile, one_body_however_described) {
  for (unsigned seed = 0; seed < 8; seed++) {
    synthetic_options plain = {.asymmetric = true, .seed = seed};
    sinew_rig *reference = compile(synthetic_rig(&plain));
    synthetic_options variants[] = {
        {.turned = true},
        {.between = true},
        {.turned = true, .between = true},
        {.root_q = {-0.5, 0, 0, 0.5}, .root_scale = 100},
        {.root_q = {-0.5, 0, 0, 0.5}, .root_scale = 0.03, .turned = true, .between = true},
        {.file_scale = 100, .turned = true},
        {.file_scale = 1 / 0.0254, .root_q = {0.1, 0.9, -0.3, 0.4}},
    };
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
      variants[i].asymmetric = true;
      variants[i].seed = seed;
      char what[64];
      snprintf(what, sizeof what, "seed %u, variant %zu", seed, i);
      sinew_rig *rig = compile(synthetic_rig(&variants[i]));
      expect_same_body(reference, rig, 1e-9, what);
      expect_finite(rig, what);
      cr_expect_eq(rig->between_count[HUMAN_LEFT_HAND], variants[i].between, "%s", what);
      cr_expect_eq(rig->unit_inferred, variants[i].file_scale != 0, "%s", what);
      sinew_rig_close(rig);
    }
    sinew_rig_close(reference);
  }
}

/* A scale put into a node and taken out of its children again describes the same body. */
static void stretch_node(rig_description *d, int32_t node, const double s[3]) {
  for (int k = 0; k < 3; k++) d->nodes[node].s[k] *= s[k];
  for (uint32_t i = 0; i < d->node_count; i++) {
    if (d->nodes[i].parent != node) continue;
    for (int k = 0; k < 3; k++) {
      double e[3] = {k == 0, k == 1, k == 2}, along[3];
      quat_rotate(d->nodes[i].q, e, along); /* child axes lie along the parent's in these tests */
      d->nodes[i].s[k] /= fabs(along[0]) * s[0] + fabs(along[1]) * s[1] + fabs(along[2]) * s[2];
      d->nodes[i].t[k] /= s[k];
    }
  }
}

Test(compile, uneven_scales_are_folded) {
  sinew_rig *reference = compile(synthetic_rig(NULL));
  rig_description *d = synthetic_rig(NULL);
  stretch_node(d, d->node_of_bone[HUMAN_LEFT_UPPER_ARM], (double[3]){0.9997479, 1.0000014, 0.9996782});
  sinew_rig *rig = compile(d);
  expect_same_body(reference, rig, 1e-12, "a little");
  cr_expect_eq(rig->warning_count, 1); /* the lower arm takes it back and is uneven itself */
  cr_expect(warned(rig, "2 nodes above human bones scale"), "%s", rig->warnings[0]);
  for (uint32_t i = 0; i < rig->node_count; i++)
    for (int k = 0; k < 3; k++) cr_expect_float_eq(rig->nodes[i].s[k], 1, 1e-12);
  sinew_rig_close(rig);

  d = synthetic_rig(NULL);
  memcpy(d->nodes[d->node_of_bone[HUMAN_SPINE]].q, (double[4]){0, 0, sqrt(0.5), sqrt(0.5)},
         4 * sizeof(double));
  sinew_rig *turned =
      compile(d); /* the spine on its side: not a sane body, but what is compared is the folding */
  stretch_node(d, d->node_of_bone[HUMAN_HIPS], (double[3]){1, 2, 4});
  rig = compile(d);
  expect_same_body(turned, rig, 1e-12, "through a quarter turn");
  sinew_rig_close(rig);
  sinew_rig_close(turned);

  d = synthetic_rig(NULL);
  stretch_node(d, 0, (double[3]){100, 100.00005, 99.99995});
  rig = compile(d);
  cr_expect_eq(rig->warning_count, 0);
  expect_same_body(reference, rig, 2e-6, "seven digits");
  cr_expect_eq(rig->nodes[0].s[0], rig->nodes[0].s[1]);
  sinew_rig_close(rig);
  sinew_rig_close(reference);
}

typedef struct placement {
  double m[3][3];
  double t[3];
} placement;

/* Every node's world matrix, whole: translation * rotation * scale from the root down, as a viewer of the
 * output has it too. */
static void place_nodes(const rig_node *nodes, uint32_t count, placement *out) {
  for (uint32_t i = 0; i < count; i++) {
    placement above = {.m = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (nodes[i].parent >= 0) above = out[nodes[i].parent];
    for (int row = 0; row < 3; row++) {
      out[i].t[row] = above.t[row] + vec_dot(above.m[row], nodes[i].t);
      for (int axis = 0; axis < 3; axis++) {
        double column[3];
        quat_rotate(nodes[i].q, (double[3]){axis == 0, axis == 1, axis == 2}, column);
        out[i].m[row][axis] = vec_dot(above.m[row], column) * nodes[i].s[axis];
      }
    }
  }
}

/* The human skeleton's own T-pose, from its offsets and rotations. */
static void place_bones(const sinew_rig *rig, double t[HUMAN_BONE_COUNT][3]) {
  double q[HUMAN_BONE_COUNT][4];
  for (int i = 0; i < HUMAN_BONE_COUNT; i++) {
    int b = human_order[i], p = rig->parent_bone[b];
    if (rig->node_of_bone[b] < 0) continue;
    memcpy(q[b], p >= 0 ? q[p] : (double[4]){0, 0, 0, 1}, sizeof q[b]);
    quat_rotate(q[b], rig->offset[b], t[b]);
    for (int k = 0; k < 3 && p >= 0; k++) t[b][k] += t[p][k];
    quat_mul(q[b], rig->between[b], q[b]);
    quat_mul(q[b], rig->rest_q[b], q[b]);
  }
}

/* Stretches about half of the nodes, some of them alike along all axes. */
static void stretch_at_random(rig_description *d, double by, unsigned *state) {
  for (uint32_t i = 0; i < d->node_count; i++) {
    bool stretched = synthetic_random(state) < 0, alike = synthetic_random(state) < -0.5;
    double most = 1 + by * synthetic_random(state);
    for (int k = 0; k < 3 && stretched; k++) {
      double other = 1 + by * synthetic_random(state);
      d->nodes[i].s[k] *= alike ? most : other;
    }
  }
}

static void expect_exact_places(const rig_description *d, const char *what) {
  static placement wanted[256], made[256];
  sinew_rig *rig = compile(d);
  double bones[HUMAN_BONE_COUNT][3], tolerance = 1e-9 * rig->height_m;
  place_nodes(d->nodes, d->node_count, wanted);
  place_nodes(rig->nodes, rig->node_count, made);
  place_bones(rig, bones);
  for (uint32_t i = 0; i < d->node_count; i++) {
    for (int k = 0; k < 3; k++) wanted[i].t[k] *= rig->unit_scale;
    double off = apart(wanted[i].t, made[i].t, 3);
    cr_expect_leq(off, tolerance, "%s: node %s is off by %g", what, d->nodes[i].name, off);
  }
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    if (rig->node_of_bone[b] < 0) continue;
    double off = apart(wanted[rig->node_of_bone[b]].t, bones[b], 3);
    cr_expect_leq(off, tolerance, "%s: bone %s is off by %g", what, human_bones[b].name, off);
    for (int32_t n = rig->nodes[rig->node_of_bone[b]].parent; n >= 0; n = rig->nodes[n].parent)
      cr_expect(rig->nodes[n].s[0] == rig->nodes[n].s[1] && rig->nodes[n].s[0] == rig->nodes[n].s[2]);
  }
  sinew_rig_close(rig);
}

Test(compile, folded_scales_keep_every_joint_in_place) {
  static const double by[] = {0.15, 0.01, 4e-7}; /* the last counts as one factor, yet adds up over a chain */
  for (unsigned seed = 0; seed < 60; seed++) {
    synthetic_options o = {.turned = true, .asymmetric = true, .between = seed % 2, .seed = seed};
    if (seed % 3 == 1) o.file_scale = 100, o.root_scale = 0.03;
    if (seed % 4 == 2) /* below the head and the hand hang nodes that no human bone hangs from */
      for (int b = HUMAN_LEFT_EYE; b < HUMAN_LEFT_THUMB_PROXIMAL + 3; b++) o.unmapped[b] = true;
    rig_description *d = synthetic_rig(&o);
    unsigned state = seed + 100;
    stretch_at_random(d, by[seed % 5 % 3], &state);
    char what[64];
    snprintf(what, sizeof what, "seed %u", seed);
    expect_exact_places(d, what);
  }
}

/* Below a folded scale stand a flat and a mirrored node; nothing human hangs from them. */
Test(compile, folded_scales_above_odd_nodes) {
  static const double odd[][3] = {{0, 1, 1}, {-1, 1, 1}, {-1, -1, -1}, {1e-30, 1, 1e6}};
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
    synthetic_options o = {.turned = true};
    for (int b = HUMAN_LEFT_THUMB_PROXIMAL; b < HUMAN_LEFT_THUMB_PROXIMAL + 3; b++) o.unmapped[b] = true;
    rig_description *d = synthetic_rig(&o);
    memcpy(d->nodes[d->node_of_bone[HUMAN_LEFT_LOWER_ARM]].s, (double[3]){1, 1.1, 0.9}, 3 * sizeof(double));
    int32_t node = synthetic_node(d, human_bones[HUMAN_LEFT_THUMB_PROXIMAL].name);
    memcpy(d->nodes[node].s, odd[i], sizeof odd[i]);
    expect_exact_places(d, "odd");
  }
}

Test(compile, folded_scales_say_so) {
  synthetic_options o = {.turned = true};
  rig_description *d = synthetic_rig(&o);
  int32_t tip = d->node_of_bone[HUMAN_LEFT_TOES];
  d->nodes[d->node_of_bone[HUMAN_HIPS]].s[1] = 1.1;
  sinew_rig *rig = compile(d);
  cr_assert_eq(rig->warning_count, 1);
  cr_expect_str_eq(rig->warnings[0], "1 node above human bones scales the axes differently, by up to 9.1%: "
                                     "folded into what hangs below; joints keep their T-pose places");
  for (int k = 0; k < 3; k++) /* an end keeps the length of its axes */
    cr_expect(rig->nodes[tip].s[k] >= 1 - 1e-12 && rig->nodes[tip].s[k] <= 1.1 + 1e-12, "%g",
              rig->nodes[tip].s[k]);
  cr_expect_gt(rig->nodes[tip].s[0] + rig->nodes[tip].s[1] + rig->nodes[tip].s[2], 3.05);
  sinew_rig_close(rig);
}

Test(compile, each_optional_bone_may_be_missing) {
  sinew_rig *whole = compile(synthetic_rig(NULL));
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    if (human_bones[bone].required) continue;
    for (int how = 0; how < 2; how++) {
      synthetic_options o = {.turned = how};
      (how ? o.missing : o.unmapped)[bone] = true;
      sinew_rig *rig = compile(synthetic_rig(&o));
      const char *name = human_bones[bone].name;
      expect_finite(rig, name);
      cr_expect_lt(rig->node_of_bone[bone], 0);
      int heir = rig_table_parent(rig, bone);
      cr_expect_geq(rig->mass[heir], (human_bones[heir].mass + human_bones[bone].mass) / 82.5 - 1e-12, "%s",
                    name);
      for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
        if (rig->node_of_bone[b] < 0 || whole->parent_bone[b] != bone) continue;
        cr_expect_eq(rig->parent_bone[b], heir, "%s: %s", name, human_bones[b].name);
        cr_expect_eq(rig->between_count[b], how ? 0 : 1, "%s: %s", name, human_bones[b].name);
      }
      sinew_rig_close(rig);
    }
  }
  sinew_rig_close(whole);
}

static void expect_x(const sinew_rig *rig, int bone, const double wanted[3]) {
  double rest[4], zero[4], x[3], want[3] = {wanted[0], wanted[1], wanted[2]};
  world_frames(rig, bone, rest, zero);
  quat_rotate(rest, (double[3]){1, 0, 0}, x);
  vec_normalise(want);
  cr_expect_lt(apart(x, want, 3), 1e-9, "%s: x axis %g %g %g", human_bones[bone].name, x[0], x[1], x[2]);
}

static void expect_x_towards(const sinew_rig *rig, int bone, int target) {
  static const synthetic_options plain;
  double a[3], b[3];
  synthetic_place(&plain, bone, a);
  synthetic_place(&plain, target, b);
  expect_x(rig, bone, (double[3]){b[0] - a[0], b[1] - a[1], b[2] - a[2]});
}

Test(compile, axes_reach_over_missing_bones) {
  synthetic_options o = {.missing = {[HUMAN_NECK] = true, [HUMAN_CHEST] = true, [HUMAN_UPPER_CHEST] = true}};
  sinew_rig *rig = compile(synthetic_rig(&o));
  expect_x_towards(rig, HUMAN_HIPS, HUMAN_SPINE);
  expect_x_towards(rig, HUMAN_SPINE, HUMAN_HEAD);
  cr_expect_eq(rig->axes[HUMAN_HEAD].length, 0.25);
  cr_expect_float_eq(rig->mass[HUMAN_SPINE], (2.5 + 12 + 12 + 1) / 82.5, 1e-12);
  cr_expect_eq(rig->warning_count, 0);
  sinew_rig_close(rig);

  synthetic_options toes = {.missing = {[HUMAN_LEFT_TOES] = true, [HUMAN_NECK] = true}};
  rig = compile(synthetic_rig(&toes));
  expect_x_towards(rig, HUMAN_UPPER_CHEST, HUMAN_HEAD);
  expect_x_towards(rig, HUMAN_CHEST, HUMAN_UPPER_CHEST);
  expect_x(rig, HUMAN_LEFT_FOOT, (double[3]){0, -1, 0});
  cr_expect_float_eq(rig->mass[HUMAN_LEFT_FOOT], 1 / 82.5, 1e-12);
  cr_expect_float_eq(rig->mass[HUMAN_RIGHT_FOOT], 0.8 / 82.5, 1e-12);
  sinew_rig_close(rig);
}

Test(compile, bones_without_the_one_before_are_left_out) {
  synthetic_options o = {.unmapped = {[HUMAN_CHEST] = true, [HUMAN_LEFT_THUMB_PROXIMAL] = true, [28] = true}};
  sinew_rig *rig = compile(synthetic_rig(&o));
  static const int gone[] = {HUMAN_UPPER_CHEST, 25, 26, 29};
  for (int i = 0; i < 4; i++) cr_expect_lt(rig->node_of_bone[gone[i]], 0);
  cr_expect_geq(rig->node_of_bone[27], 0);
  cr_expect(warned(rig, "UpperChest is mapped (node \"UpperChest\") but Chest is not"));
  cr_expect(warned(rig, "LeftThumbDistal is mapped"));
  cr_expect(warned(rig, "LeftIndexProximal (node \"LeftIndexProximal\") has no human bone to point to"));
  expect_x_towards(rig, 27, 28); /* the unmapped node is still there to point to */
  cr_expect_float_eq(rig->mass[HUMAN_SPINE], (2.5 + 24) / 82.5, 1e-12);
  cr_expect_eq(rig->parent_bone[HUMAN_LEFT_SHOULDER], HUMAN_SPINE);
  cr_expect_eq(rig->between_count[HUMAN_LEFT_SHOULDER], 2);
  sinew_rig_close(rig);
}

/* Exporters that hang clavicles from the neck and thighs from the spine. */
Test(compile, arms_from_the_neck_legs_from_the_spine) {
  rig_description *d = synthetic_rig(NULL);
  int32_t neck = d->node_of_bone[HUMAN_NECK], shoulder = d->node_of_bone[HUMAN_LEFT_SHOULDER];
  d->nodes[shoulder].parent = neck;
  d->nodes[d->node_of_bone[HUMAN_LEFT_UPPER_LEG]].parent = d->node_of_bone[HUMAN_SPINE];
  sinew_rig *rig = compile(d);
  cr_expect_eq(rig->parent_bone[HUMAN_LEFT_SHOULDER], HUMAN_NECK);
  cr_expect_eq(rig->parent_bone[HUMAN_LEFT_UPPER_LEG], HUMAN_SPINE);
  expect_finite(rig, "neck and spine");
  sinew_rig_close(rig);
}

static void put_at(rig_description *d, int bone, int target) {
  static const synthetic_options plain;
  double from[3], to[3];
  synthetic_place(&plain, bone, from);
  synthetic_place(&plain, target, to);
  for (int k = 0; k < 3; k++) d->nodes[d->node_of_bone[bone]].t[k] += to[k] - from[k];
}

Test(compile, zero_length_bones) {
  synthetic_options o = {.missing = {[HUMAN_NECK] = true, [HUMAN_CHEST] = true, [HUMAN_UPPER_CHEST] = true}};
  rig_description *d = synthetic_rig(&o);
  put_at(d, HUMAN_HEAD, HUMAN_SPINE);
  sinew_rig *rig = compile(d);
  expect_x(rig, HUMAN_SPINE,
           (double[3]){0, 1, 0}); /* as the reference has it where the head lies on the spine */
  cr_expect(warned(rig, "Spine (node \"Spine\") has no length"));
  expect_finite(rig, "head on spine");
  sinew_rig_close(rig);

  /* every bone but the trunk's in turn lies on the one it hangs from */
  for (int bone = 1; bone < HUMAN_BONE_COUNT; bone++) {
    d = synthetic_rig(NULL);
    memset(d->nodes[d->node_of_bone[bone]].t, 0, sizeof d->nodes[0].t);
    rig = compile(d);
    expect_finite(rig, human_bones[bone].name);
    bool pointed_at = human_bones[human_bones[bone].parent].x_rule == HUMAN_X_CHILD &&
                      bone != HUMAN_LEFT_UPPER_LEG && bone != HUMAN_RIGHT_UPPER_LEG &&
                      bone != HUMAN_LEFT_SHOULDER && bone != HUMAN_RIGHT_SHOULDER;
    cr_expect_eq(rig->warning_count > 0, pointed_at, "%s", human_bones[bone].name);
    sinew_rig_close(rig);
  }

  /* an arm straight up: its bend axes are not where the rules look for them */
  d = synthetic_rig(NULL);
  memcpy(d->nodes[d->node_of_bone[HUMAN_LEFT_HAND]].t, (double[3]){0, 0.3, 0}, sizeof d->nodes[0].t);
  rig = compile(d);
  expect_finite(rig, "arm up");
  cr_expect(warned(rig, "LeftLowerArm (node \"LeftLowerArm\") lies along the world axis"));
  sinew_rig_close(rig);
}

Test(compile, units) {
  static const struct {
    double height, unit;
  } cases[] = {{0.501, 1},    {2.999, 1},   {1.7, 1},      {154, 0.01}, {66, 0.0254}, {16, 0.1},
               {1540, 0.001}, {27, 0.0564}, {5.5, 0.3048}, {0.3, 1},    {0.001, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    synthetic_options o = {.file_scale = cases[i].height / 1.54, .turned = true};
    sinew_rig *rig = compile(synthetic_rig(&o));
    cr_expect_eq(rig->unit_scale, cases[i].unit, "height %g: %g", cases[i].height, rig->unit_scale);
    cr_expect_float_eq(rig->height_m, cases[i].height * cases[i].unit, 1e-9);
    bool usual = cases[i].height > 0.5 && cases[i].height < 3;
    cr_expect_eq(rig->unit_inferred, !usual, "height %g", cases[i].height);
    cr_expect_eq(rig->warning_count, usual ? 0 : 1);
    sinew_rig_close(rig);
  }
  sinew_rig *rig = compile_scaled(synthetic_rig(NULL), 2.5);
  cr_expect_eq(rig->unit_scale, 2.5);
  cr_expect_not(rig->unit_inferred);
  cr_expect_float_eq(rig->height_m, 1.54 * 2.5, 1e-12);
  cr_expect_float_eq(rig->nodes[rig->node_of_bone[HUMAN_HIPS]].t[1], 0.98 * 2.5, 1e-12);
  cr_expect_float_eq(rig->axes[HUMAN_LEFT_FOOT].length, 0.09 * 2.5, 1e-12);
  sinew_rig_close(rig);
}

Test(compile, custom_limits) {
  rig_description *d = synthetic_rig(NULL);
  d->limit[HUMAN_HEAD] = (rig_limit){true, {-10, -20, -30}, {5, 6, 7}};
  d->limit[HUMAN_NECK] = (rig_limit){true, {-10, -20, 30}, {5, 6, 7}};
  d->limit[HUMAN_SPINE] = (rig_limit){false, {-10, -20, -30}, {5, 6, 7}};
  d->limit[HUMAN_LEFT_LOWER_ARM] = (rig_limit){true, {-10, 999, -30}, {5, 999, 7}}; /* y has no muscle */
  d->limit[HUMAN_CHEST] = (rig_limit){true, {-10, NAN, -30}, {5, 6, 7}};
  sinew_rig *rig = compile(d);
  sinew_rig_bone bone;
  sinew_rig_get_bone(rig, HUMAN_HEAD, &bone);
  cr_expect(bone.custom_limits);
  cr_expect_float_eq(bone.min_deg[2], -30, 1e-12);
  cr_expect_float_eq(bone.max_deg[0], 5, 1e-12);
  cr_expect_not(rig->custom_limits[HUMAN_NECK] || rig->custom_limits[HUMAN_SPINE] ||
                rig->custom_limits[HUMAN_CHEST]);
  cr_expect(warned(rig, "Neck: limits 30 to 7 degrees cannot be used"));
  cr_expect_eq(rig->warning_count, 2);
  sinew_rig_get_bone(rig, HUMAN_NECK, &bone);
  cr_expect_float_eq(bone.max_deg[2], 40, 1e-12);
  sinew_rig_get_bone(rig, HUMAN_LEFT_LOWER_ARM, &bone);
  cr_expect(bone.custom_limits && bone.max_deg[1] == 0 && fabs(bone.max_deg[2] - 7) < 1e-12);
  sinew_rig_close(rig);
}

Test(compile, warnings_are_bounded) {
  rig_description *d = synthetic_rig(NULL);
  for (int i = 0; i < 32; i++) d->warnings[i] = "from the reader";
  d->warning_count = 32;
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) d->limit[b] = (rig_limit){true, {1, 1, 1}, {0, 0, 0}};
  sinew_rig *rig = compile(d);
  cr_expect_eq(rig->warning_count, RIG_WARNING_LIMIT);
  cr_expect_str_eq(sinew_rig_warning(rig, 0), "from the reader");
  cr_expect_str_eq(sinew_rig_warning(rig, RIG_WARNING_LIMIT - 1), "there are more warnings than can be kept");
  cr_expect_null(sinew_rig_warning(rig, RIG_WARNING_LIMIT));
  sinew_rig_close(rig);
}

static int permitted;
static int permit(size_t byte_count) {
  (void)byte_count;
  return permitted-- > 0;
}

Test(compile, out_of_memory_anywhere) {
  synthetic_options o = {
      .turned = true, .between = true, .file_scale = 100, .unmapped = {[HUMAN_CHEST] = true}};
  rig_description *d = synthetic_rig(&o);
  heap_permit = permit;
  int failures = 0;
  for (int allowed = 0;; allowed++) {
    permitted = allowed;
    sinew_rig *rig;
    sinew_error error;
    sinew_result result = rig_compile(d, 0, &rig, &error);
    if (result == SINEW_OK) {
      sinew_rig_close(rig);
      break;
    }
    cr_assert_eq(result, SINEW_ERROR_MEMORY);
    cr_assert_null(rig);
    failures++;
  }
  heap_permit = NULL;
  cr_expect_geq(failures, 3);
}
