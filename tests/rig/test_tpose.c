/* A T-pose apart from what the nodes rest with, and a file that stands otherwise than root space: the same
 * body must come of it. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "read/reader.h"
#include "rig/quat.h"
#include "rig/synthetic.h"
#include "support/keep.h"
#include "write/rig_json.h"

static sinew_rig *compile(const rig_description *d) {
  sinew_rig *rig;
  sinew_error error;
  cr_assert_eq(rig_compile(d, 0, &rig, &error), SINEW_OK, "%s", error.message);
  return rig;
}

static double furthest(const double *a, const double *b, int count) {
  double most = 0;
  for (int k = 0; k < count; k++) most = fmax(most, fabs(a[k] - b[k]));
  return most;
}

/* A quaternion and its negative are one rotation. */
static double turned(const double a[4], const double b[4]) {
  double n[4] = {-b[0], -b[1], -b[2], -b[3]};
  return fmin(furthest(a, b, 4), furthest(a, n, 4));
}

/* `d` told otherwise: its bones rest turned at random, its hips stand elsewhere, and its roots are turned so
 * that `align` brings the file to root space. */
static void tell_otherwise(rig_description *d, const double align[4], bool hips_elsewhere) {
  double(*tpose_q)[4] = test_keep(d->node_count, sizeof *tpose_q), back[4];
  double *hips_t = test_keep(3, sizeof *hips_t);
  unsigned state = 5;
  quat_conj(align, back);
  for (uint32_t i = 0; i < d->node_count; i++) {
    rig_node *node = &d->nodes[i];
    if (node->parent >= 0) continue;
    quat_rotate(back, node->t, node->t);
    quat_mul(back, node->q, node->q);
  }
  for (uint32_t i = 0; i < d->node_count; i++) memcpy(tpose_q[i], d->nodes[i].q, sizeof *tpose_q);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++)
    if (d->node_of_bone[b] >= 0) synthetic_random_rotation(&state, d->nodes[d->node_of_bone[b]].q);
  rig_node *hips = &d->nodes[d->node_of_bone[HUMAN_HIPS]];
  memcpy(hips_t, hips->t, sizeof hips->t);
  for (int k = 0; k < 3 && hips_elsewhere; k++) hips->t[k] += synthetic_random(&state);
  d->tpose_q = (const double(*)[4])tpose_q;
  d->tpose_hips_t = hips_elsewhere ? hips_t : NULL;
  memcpy(d->align_q, align, sizeof d->align_q);
}

static void expect_same_body(const sinew_rig *rig, const sinew_rig *want) {
  const double slack = 1e-12;
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    cr_assert_eq(rig->node_of_bone[b], want->node_of_bone[b]);
    if (want->node_of_bone[b] < 0) continue;
    cr_expect_lt(turned(rig->axes[b].pre, want->axes[b].pre), slack, "pre of %s", human_bones[b].name);
    cr_expect_lt(turned(rig->axes[b].post, want->axes[b].post), slack, "post of %s", human_bones[b].name);
    cr_expect_lt(fabs(rig->axes[b].length - want->axes[b].length), slack, "%s", human_bones[b].name);
    cr_expect_lt(turned(rig->rest_q[b], want->rest_q[b]), slack, "T-pose of %s", human_bones[b].name);
    cr_expect_lt(turned(rig->between[b], want->between[b]), slack, "above %s", human_bones[b].name);
    if (b != HUMAN_HIPS) cr_expect_lt(furthest(rig->offset[b], want->offset[b], 3), slack);
  }
  cr_expect_lt(furthest(rig->root_t, want->root_t, 3), slack);
  cr_expect_lt(turned(rig->root_q, want->root_q), slack);
  cr_expect_lt(turned(rig->hips_rest_q, want->hips_rest_q), slack);
  cr_expect_lt(furthest(rig->above_t, want->above_t, 3), slack);
  cr_expect_lt(turned(rig->above_q, want->above_q), slack);
  cr_expect_lt(fabs(rig->above_scale - want->above_scale), slack);
  cr_expect_lt(fabs(rig->human_scale_m - want->human_scale_m), slack);
  cr_expect_lt(fabs(rig->height_m - want->height_m), slack);
}

static const synthetic_options described = {.turned = true,
                                            .between = true,
                                            .root_q = {-1, 0, 0, 1},
                                            .root_scale = 0.01,
                                            .file_scale = 39.37,
                                            .seed = 3};

Test(tpose, apart_from_rest_makes_the_same_body) {
  const double identity[4] = {0, 0, 0, 1};
  rig_description *d = synthetic_rig(&described);
  sinew_rig *want = compile(d);
  tell_otherwise(d, identity, true);
  sinew_rig *rig = compile(d);
  expect_same_body(rig, want);
  for (uint32_t i = 0; i < d->node_count; i++) {
    cr_expect_eq(furthest(rig->nodes[i].q, d->nodes[i].q, 4), 0, "%s keeps its rest", d->nodes[i].name);
    for (int k = 0; k < 3; k++)
      cr_expect_lt(fabs(rig->nodes[i].t[k] - d->nodes[i].t[k] * rig->unit_scale), 1e-12, "%s",
                   d->nodes[i].name);
  }
  cr_expect_str_neq(rig->hash, want->hash);
  sinew_rig_close(rig);
  sinew_rig_close(want);
}

Test(tpose, whichever_way_the_file_faces) {
  static const double faces[][4] = {
      {0, 1, 0, 0},
      {-0.70710678118654757, 0, 0, 0.70710678118654757},
      {0.18257418583505536, 0.36514837167011072, 0.54772255750516607, 0.73029674334022143}};
  for (int i = 0; i < 3; i++) {
    rig_description *d = synthetic_rig(&described);
    sinew_rig *want = compile(d);
    tell_otherwise(d, faces[i], i != 1);
    sinew_rig *rig = compile(d);
    cr_expect_eq(furthest(rig->align_q, faces[i], 4), 0);
    expect_same_body(rig, want);
    sinew_rig_close(rig);
    sinew_rig_close(want);
  }
}

/* The hips themselves a root: what stands above them is the way the file faces. */
Test(tpose, hips_that_are_a_root) {
  const double face[4] = {0, 1, 0, 0};
  rig_description *d = synthetic_rig(NULL);
  d->nodes++, d->node_count--;
  for (uint32_t i = 0; i < d->node_count; i++) d->nodes[i].parent--;
  for (int b = 0; b < HUMAN_BONE_COUNT; b++)
    if (d->node_of_bone[b] >= 0) d->node_of_bone[b]--;
  cr_assert_eq(d->nodes[0].parent, -1);
  sinew_rig *want = compile(d);
  tell_otherwise(d, face, true);
  sinew_rig *rig = compile(d);
  cr_expect_eq(furthest(rig->above_q, face, 4), 0);
  cr_expect_eq(furthest(rig->above_t, (double[3]){0, 0, 0}, 3), 0);
  for (int b = 1; b < HUMAN_BONE_COUNT; b++) {
    if (rig->node_of_bone[b] < 0) continue;
    cr_expect_lt(turned(rig->axes[b].pre, want->axes[b].pre), 1e-12, "%s", human_bones[b].name);
    cr_expect_lt(turned(rig->axes[b].post, want->axes[b].post), 1e-12, "%s", human_bones[b].name);
  }
  cr_expect_lt(turned(rig->hips_rest_q, want->hips_rest_q), 1e-12);
  cr_expect_lt(furthest(rig->root_t, want->root_t, 3), 1e-12);
  sinew_rig_close(rig);
  sinew_rig_close(want);
}

Test(tpose, uneven_scales_fold_the_hips_of_the_tpose_too) {
  rig_description *d = synthetic_rig(&described);
  d->nodes[0].s[1] *= 1.25; /* of the model's root */
  sinew_rig *want = compile(d);
  rig_node *hips = &d->nodes[d->node_of_bone[HUMAN_HIPS]];
  const double stands[3] = {hips->t[0], hips->t[1], hips->t[2]};
  for (int k = 0; k < 3; k++) hips->t[k] += 3;
  d->tpose_hips_t = stands;
  sinew_rig *rig = compile(d);
  expect_same_body(rig, want);
  sinew_rig_close(rig);
  sinew_rig_close(want);
}

static char *text_of(const sinew_rig *rig, size_t *length) {
  json_out out = {0};
  rig_json_write(rig, &out);
  cr_assert_not(out.failed);
  char *text = test_keep(out.byte_count + 1, 1);
  memcpy(text, out.bytes, *length = out.byte_count);
  json_release(&out);
  return text;
}

Test(tpose, comes_back_from_a_rig_file) {
  rig_description *d = synthetic_rig(&described);
  uint32_t *source = test_keep(d->node_count, sizeof *source);
  for (uint32_t i = 0; i < d->node_count; i++) source[i] = 1000 - i;
  sinew_rig *plain = compile(d);
  tell_otherwise(d, (double[4]){0, 1, 0, 0}, true);
  sinew_rig *faced = compile(d);
  d->source_node = source;
  d->nodes[3].name = ""; /* a model's nodes may have none */
  sinew_rig *rig = compile(d), *back;
  cr_expect_str_neq(plain->hash, faced->hash);
  cr_expect_str_neq(rig->hash, faced->hash);
  sinew_error error;
  size_t length, again;
  char *text = text_of(rig, &length);
  cr_assert_eq(sinew_rig_open_memory(text, length, "made", NULL, &back, &error), SINEW_OK, "%s",
               error.message);
  cr_expect_str_eq(back->hash, rig->hash);
  cr_expect_eq(memcmp(text, text_of(back, &again), length), 0);
  cr_expect_eq(length, again);
  cr_expect_eq(memcmp(back->source_node, source, d->node_count * sizeof *source), 0);
  cr_expect_eq(memcmp(back->align_q, rig->align_q, sizeof rig->align_q), 0);
  cr_expect_eq(memcmp(back->above_q, rig->above_q, sizeof rig->above_q), 0);
  cr_expect_eq(memcmp(back->above_t, rig->above_t, sizeof rig->above_t), 0);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    if (rig->node_of_bone[b] < 0) continue;
    cr_expect_eq(memcmp(back->offset[b], rig->offset[b], sizeof rig->offset[b]), 0, "%s",
                 human_bones[b].name);
    cr_expect_eq(memcmp(back->between[b], rig->between[b], sizeof rig->between[b]), 0);
  }
  cr_expect_null(strstr(text_of(plain, &length), "alignQ"));
  cr_expect_null(strstr(text_of(faced, &length), "\"source\""));
  sinew_rig_close(plain);
  sinew_rig_close(faced);
  sinew_rig_close(rig);
  sinew_rig_close(back);
}
