/* Bones to muscles against the editor: the takes of clips that it wrote, put on the rigs they came from, give
 * the clip's own values at every key; by the double-precision reference and by every instruction set's
 * kernels.
 *
 * The last frame of one take was cut off before the clip was made of it: its keys there are the editor's own
 * interpolation. */
#include "kernels/reference_inverse.h"
#include "retarget/inverse_rig.h"
#include "retarget/offsets.h"
#include "support/data.h"
#include "support/inverse_body.h"
#include "take.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  bool cut;
} cases[] = {{"ibrahimozturk47_TwinSword_Idle", false},
             {"HEL-d_Y_BotHead_Nod_Yes", true},
             {"HEL-d_Y_BotLaughing", false},
             {"N1rium_female_move_run_back_left", false},
             {"N1rium_female_move_run_front", false}};

static const double muscle_most = 1e-3, muscle_99 = 2e-5, place_most = 2e-6, turn_most_deg = 2e-4;

/* Values at the times of all keys. */
typedef struct values {
  uint32_t count; /* times; room up to a multiple of 64 */
  double *time_s;
  double *at; /* [count][SINEW_PLANE_COUNT] */
} values;

typedef struct truth_run {
  const sinew_kernels *kernels;
  sinew_rig *rig;
  sinew_clip_file *file;
  const sinew_clip *clip;
  muscle_rig muscles;
  inverse_rig inverse;
  offsets_rig offsets;
  inverse_body reference;
  take source;
  values plain, kernel; /* by the reference (muscles alone) and by the kernels */
  double *translations; /* [times][CLIP_CHANNEL_COUNT]: those of the translation degrees of freedom */
  uint32_t limbs, near_limbs, other_limbs;
} truth_run;

static const char *path_of(const char *name, const char *suffix) {
  char path[256];
  snprintf(path, sizeof path, "humanoid/truth/%s%s", name, suffix);
  return test_data(path);
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static values values_open(const sinew_clip *clip) {
  values v = {0};
  v.time_s = calloc(clip->key_count + SINEW_BLOCK, sizeof *v.time_s);
  for (uint64_t k = 0; k < clip->key_count; k++) v.time_s[k] = (double)clip->time_s[k];
  qsort(v.time_s, clip->key_count, sizeof *v.time_s, ascending);
  for (uint64_t k = 0; k < clip->key_count; k++)
    if (v.count == 0 || v.time_s[k] != v.time_s[v.count - 1]) v.time_s[v.count++] = v.time_s[k];
  for (int f = 0; f < SINEW_BLOCK; f++) v.time_s[v.count + (uint32_t)f] = v.time_s[v.count - 1];
  v.at = calloc((size_t)v.count + SINEW_BLOCK, SINEW_PLANE_COUNT * sizeof *v.at);
  return v;
}
static void values_close(values *v) {
  free(v->time_s), free(v->at);
}

/* ---- the kernels ---- */

typedef struct block {
  _Alignas(64) float turns[HUMAN_BONE_COUNT * 4 * SINEW_BLOCK];
  _Alignas(64) float planes[SINEW_PLANE_COUNT * SINEW_BLOCK];
  _Alignas(64) float local[HUMAN_BONE_COUNT * 4 * SINEW_BLOCK];
  _Alignas(64) float model[HUMAN_BONE_COUNT * SINEW_MODEL_PLANES * SINEW_BLOCK];
  _Alignas(64) float com[3 * SINEW_BLOCK];
  _Alignas(64) float frame[4 * SINEW_BLOCK];
  _Alignas(64) float hips_t[3 * SINEW_BLOCK];
  _Alignas(64) float hips_q[4 * SINEW_BLOCK];
  _Alignas(64) float ends[4 * 7 * SINEW_BLOCK];
  _Alignas(64) float source[HUMAN_BONE_COUNT * SINEW_MODEL_PLANES * SINEW_BLOCK];
  _Alignas(64) float offsets[OFFSETS_BONES * 3 * SINEW_BLOCK];
} block;

static void spread(const double *from, int count, float *planes, int lane) {
  for (int i = 0; i < count; i++) planes[i * SINEW_BLOCK + lane] = (float)from[i];
}

static void run_kernels(truth_run *r, block *b) {
  const sinew_kernels *k = r->kernels;
  memset(b->planes, 0, sizeof b->planes);
  k->inverse(&r->inverse.inverse, b->turns, b->planes);
  k->muscle(&r->muscles.muscle, b->planes, b->local);
  k->fk(&r->muscles.fk_body, b->local, NULL, NULL, b->model);
  k->body(&r->muscles.body, b->model, b->com, b->frame);
  k->root(&r->muscles.body, b->com, b->frame, b->hips_t, b->hips_q,
          b->planes + SINEW_PLANE_ROOT_T * SINEW_BLOCK);
  k->goals(&r->inverse.goals, b->ends, b->com, b->frame, b->planes + SINEW_PLANE_GOAL * SINEW_BLOCK);
}

/* The take's translations. */
static void run_offsets(truth_run *r, block *b, uint32_t first) {
  offsets_block(&r->offsets, b->source, b->offsets);
  for (uint32_t i = 0; i < r->offsets.count; i++)
    for (uint32_t c = 0; c < 3; c++)
      for (uint32_t f = 0; f < SINEW_BLOCK; f++)
        r->translations[(first + f) * CLIP_CHANNEL_COUNT + r->offsets.bones[i].channel + c] =
            (double)b->offsets[(i * 3 + c) * SINEW_BLOCK + f];
}

/* Limbs whose course the kernel decided otherwise than the reference show in their muscles. */
static void count_limbs(truth_run *r, const ref_inverse_steps steps[4], const double *plain,
                        const float *planes, int lane) {
  for (int i = 0; i < 4; i++) {
    double apart = 0;
    for (int j = 0; j < 3; j++)
      for (int axis = 0; axis < 3; axis++) {
        const int plane = r->reference.bones[r->reference.body.limb[i].bone[j]].plane[axis];
        if (plane >= 0) apart = fmax(apart, fabs(plain[plane] - (double)planes[plane * SINEW_BLOCK + lane]));
      }
    r->limbs++;
    r->near_limbs += steps[i].closest < 1e-3;
    r->other_limbs += apart > 1e-5;
  }
}

static void compute_block(truth_run *r, block *b, uint32_t first) {
  take_load(&r->source, r->kernel.time_s + first);
  ref_inverse_steps steps[SINEW_BLOCK][4];
  for (int f = 0; f < SINEW_BLOCK; f++) {
    take_pose pose;
    take_pose_of(&r->source, r->rig, &r->muscles, f, &pose);
    ref_inverse(&r->reference.body, (const double(*)[4])pose.turn,
                r->plain.at + (first + (uint32_t)f) * SINEW_PLANE_COUNT, steps[f]);
    for (uint32_t slot = 1; slot < r->muscles.bone_count; slot++)
      spread(pose.turn[slot], 4, b->turns + slot * 4 * SINEW_BLOCK, f);
    for (uint32_t slot = 0; slot < r->muscles.bone_count; slot++)
      spread(pose.model[slot], 7, b->source + slot * SINEW_MODEL_PLANES * SINEW_BLOCK, f);
    for (int i = 0; i < 4; i++) spread(pose.ends[i], 7, b->ends + i * 7 * SINEW_BLOCK, f);
    spread(pose.hips_t, 3, b->hips_t, f);
    spread(pose.hips_q, 4, b->hips_q, f);
  }
  run_kernels(r, b);
  run_offsets(r, b, first);
  for (uint32_t f = 0; f < SINEW_BLOCK && first + f < r->kernel.count; f++) {
    for (uint32_t p = 0; p < SINEW_PLANE_COUNT; p++)
      r->kernel.at[(first + f) * SINEW_PLANE_COUNT + p] = (double)b->planes[p * SINEW_BLOCK + f];
    count_limbs(r, steps[f], r->plain.at + (first + f) * SINEW_PLANE_COUNT, b->planes, (int)f);
  }
}

static void compute(truth_run *r) {
  block *b = aligned_alloc(64, sizeof *b);
  memset(b, 0, sizeof *b);
  for (uint32_t first = 0; first < r->kernel.count; first += SINEW_BLOCK) compute_block(r, b, first);
  free(b);
}

/* ---- against the keys ---- */

typedef struct apart {
  uint32_t count, room;
  double *of;
} apart;

static void apart_add(apart *a, double value) {
  if (a->count == a->room) a->of = realloc(a->of, (a->room = a->room ? 2 * a->room : 4096) * sizeof *a->of);
  a->of[a->count++] = value == value ? value : INFINITY;
}
static double apart_at(apart *a, double share) {
  if (a->count == 0) return 0;
  qsort(a->of, a->count, sizeof *a->of, ascending);
  return a->of[(size_t)(share * (double)(a->count - 1) + 0.5)];
}

static const double *row_at(const values *v, double time_s) {
  const double *at = bsearch(&time_s, v->time_s, v->count, sizeof *v->time_s, ascending);
  cr_assert(at);
  return v->at + (size_t)(at - v->time_s) * SINEW_PLANE_COUNT;
}

static bool is_skipped(const truth_run *r, bool cut, double time_s) {
  return cut && time_s >= r->kernel.time_s[r->kernel.count - 1];
}

static void compare_plane(const truth_run *r, const values *v, int channel, bool cut, apart *out) {
  const int32_t index = r->clip->curve_of_channel[channel], plane = clip_plane_of_channel(channel);
  if (index < 0) return;
  const clip_curve *curve = &r->clip->curves[index];
  for (uint64_t k = curve->first_key; k < curve->first_key + curve->key_count; k++) {
    const double time_s = (double)r->clip->time_s[k];
    if (is_skipped(r, cut, time_s)) continue;
    const double off = fabs(row_at(v, time_s)[plane] - (double)r->clip->value[k]);
    if (getenv("SINEW_TEST_VERBOSE") && off > 5e-5)
      fprintf(stderr, "  %s at %.4f: %.6f, the editor's %.6f\n", curve->attribute, time_s,
              row_at(v, time_s)[plane], (double)r->clip->value[k]);
    apart_add(out, off);
  }
}
/* Component by component, as keys are reduced: to first order one is off by no more than half the angle. */
static void compare_turn(const truth_run *r, const values *v, int first, bool cut, apart *out) {
  for (int channel = first; channel < first + 4; channel++) {
    const int32_t index = r->clip->curve_of_channel[channel], plane = clip_plane_of_channel(channel);
    if (index < 0) continue;
    const clip_curve *curve = &r->clip->curves[index];
    for (uint64_t k = curve->first_key; k < curve->first_key + curve->key_count; k++) {
      const double time_s = (double)r->clip->time_s[k], value = (double)r->clip->value[k];
      if (is_skipped(r, cut, time_s)) continue;
      const double got = row_at(v, time_s)[plane];
      apart_add(out, fmin(fabs(got - value), fabs(got + value)) * 2 * 180 / M_PI);
    }
  }
}

static void compare_translation(const truth_run *r, int channel, bool cut, apart *out) {
  const int32_t index = r->clip->curve_of_channel[channel];
  if (index < 0) return;
  const clip_curve *curve = &r->clip->curves[index];
  for (uint64_t k = curve->first_key; k < curve->first_key + curve->key_count; k++) {
    const double time_s = (double)r->clip->time_s[k];
    if (is_skipped(r, cut, time_s)) continue;
    const size_t row = (size_t)(row_at(&r->kernel, time_s) - r->kernel.at) / SINEW_PLANE_COUNT;
    apart_add(out,
              fabs(r->translations[row * CLIP_CHANNEL_COUNT + (size_t)channel] - (double)r->clip->value[k]));
  }
}

typedef struct outcome {
  apart plain, muscles, root_t, root_q, goal_t, goal_q, translations;
} outcome;

static void compare(const truth_run *r, bool cut, outcome *o) {
  for (int m = 0; m < SINEW_MUSCLE_COUNT; m++) {
    compare_plane(r, &r->plain, CLIP_CHANNEL_MUSCLE + m, cut, &o->plain);
    compare_plane(r, &r->kernel, CLIP_CHANNEL_MUSCLE + m, cut, &o->muscles);
  }
  for (int c = 0; c < 3; c++) compare_plane(r, &r->kernel, CLIP_CHANNEL_ROOT + c, cut, &o->root_t);
  compare_turn(r, &r->kernel, CLIP_CHANNEL_ROOT + 3, cut, &o->root_q);
  for (int c = CLIP_CHANNEL_TDOF; c < CLIP_CHANNEL_COUNT; c++)
    compare_translation(r, c, cut, &o->translations);
  for (int i = 0; i < 4; i++) {
    for (int c = 0; c < 3; c++) compare_plane(r, &r->kernel, CLIP_CHANNEL_GOAL + 7 * i + c, cut, &o->goal_t);
    compare_turn(r, &r->kernel, CLIP_CHANNEL_GOAL + 7 * i + 3, cut, &o->goal_q);
  }
}

static void expect_most(const char *name, const char *isa, const char *what, apart *a, double share,
                        double most) {
  const double value = apart_at(a, share);
  cr_expect(a->count > 0 && value <= most, "%s on %s: %s: %.3g of %u at share %g, at most %.3g expected",
            name, isa, what, value, a->count, share, most);
}

/* Older editors wrote the spine's. */
static void judge_translations(const char *name, const truth_run *r, apart *a) {
  const double most = apart_at(a, 1);
  cr_expect(a->count > 0 || strncmp(name, "N1rium", 6) != 0, "%s: no keys of TDoF", name);
  cr_expect(most <= 1e-6, "%s on %s: TDoF %.3g, at most 1e-6 expected", name, r->kernels->name, most);
  if (getenv("SINEW_TEST_VERBOSE"))
    fprintf(stderr, "%s %s: TDoF: most %.2g of %u keys\n", name, r->kernels->name, most, a->count);
  free(a->of);
}

static void judge(const char *name, const truth_run *r, outcome *o) {
  const struct {
    const char *what;
    apart *a;
    double most;
  } all[] = {{"muscles by the reference", &o->plain, muscle_most},
             {"muscles", &o->muscles, muscle_most},
             {"RootT", &o->root_t, place_most},
             {"RootQ, degrees", &o->root_q, turn_most_deg},
             {"goals T", &o->goal_t, place_most},
             {"goals Q, degrees", &o->goal_q, turn_most_deg}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    expect_most(name, r->kernels->name, all[i].what, all[i].a, 1, all[i].most);
    if (i < 2) expect_most(name, r->kernels->name, all[i].what, all[i].a, 0.99, muscle_99);
    if (getenv("SINEW_TEST_VERBOSE"))
      fprintf(stderr, "%s %s: %s: 50%% %.2g, 99%% %.2g, most %.2g of %u keys\n", name, r->kernels->name,
              all[i].what, apart_at(all[i].a, 0.5), apart_at(all[i].a, 0.99), apart_at(all[i].a, 1),
              all[i].a->count);
    free(all[i].a->of);
  }
  if (getenv("SINEW_TEST_VERBOSE"))
    fprintf(stderr,
            "%s %s: %u limbs, %u within 1e-3 of a threshold, %u off the reference by more than 1e-5\n", name,
            r->kernels->name, r->limbs, r->near_limbs, r->other_limbs);
}

static void run_case(const char *name, bool cut, const sinew_kernels *kernels) {
  truth_run r = {.kernels = kernels};
  outcome o = {0};
  sinew_error error;
  cr_assert(sinew_rig_open(path_of(name, ".fbx.meta"), NULL, &r.rig, &error) == SINEW_OK, "%s",
            error.message);
  cr_assert(sinew_clip_file_open(path_of(name, ".anim"), NULL, &r.file, &error) == SINEW_OK, "%s",
            error.message);
  r.clip = sinew_clip_file_clip(r.file, 0);
  cr_assert(muscle_rig_build(r.rig, &r.muscles, &error) == SINEW_OK);
  cr_assert(inverse_rig_build(r.rig, &r.muscles, INVERSE_EDITOR, &r.inverse, &error) == SINEW_OK);
  inverse_body_of(r.rig, &r.muscles, false, &r.reference);
  take_open(kernels, path_of(name, ".take.glb"), r.rig, &r.source);
  r.plain = values_open(r.clip);
  r.kernel = values_open(r.clip);
  r.translations = calloc((size_t)r.kernel.count + SINEW_BLOCK, CLIP_CHANNEL_COUNT * sizeof *r.translations);
  offsets_rig_build(r.rig, &r.muscles, NULL, &r.offsets);
  compute(&r);
  compare(&r, cut, &o);
  judge(name, &r, &o);
  judge_translations(name, &r, &o.translations);
  free(r.translations);
  values_close(&r.plain), values_close(&r.kernel);
  take_close(&r.source);
  inverse_rig_release(&r.inverse), muscle_rig_release(&r.muscles);
  sinew_clip_file_close(r.file);
  sinew_rig_close(r.rig);
}

Test(inverse_truth, takes_give_the_editors_own_values_at_every_key) {
  NEED_DATA();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const sinew_kernels *kernels;
    for (uint32_t isa = 0; (kernels = sinew_kernels_available(isa)); isa++)
      run_case(cases[i].name, cases[i].cut, kernels);
  }
}
