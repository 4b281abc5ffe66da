#include "hot.h"
#include "inputs.h"
#include "measure/limit_field.h"
#include "measure/operations.h"
#include "measure/workload.h"
#include "retarget/inverse_rig.h"
#include "rig/quat.h"
#include "rival_inverse.h"
#include "rival_inverse_plain.h"
#include "rival_naive.h"
#include "rival_sleef.h"
#include "support/inverse_body.h"

#include <stdio.h>
#include <string.h>

/* Float quaternions are known to 3 to 5e-5 degrees, whoever computes them. */
static const double rival_tolerance_deg = 1e-4;

typedef struct hot_part {
  hot_set *set;
  workload_part part;
} hot_part;

enum {
  JOINT_FLOATS = HUMAN_BONE_COUNT * 7 * SINEW_BLOCK, /* positions and rotations */
  XYZW_FLOATS = HUMAN_BONE_COUNT * 8 * SINEW_BLOCK   /* rotations in planes and interleaved */
};

struct hot_set {
  const sinew_kernels *kernels;
  workload all, limbs, walk, real;
  bool has_walk, has_real;
  hot_part parts[WORKLOAD_PART_COUNT];
  limit_field limit, store_joints, store_xyzw;
  rival_rig rival;
  const rival_sleef *sleef; /* NULL: none */
  inverse_rig inverse[2];   /* by inverse_limbs */
  inverse_body naive_body;
  plain_body plain_body;
  double naive_turns[SINEW_BLOCK * HUMAN_BONE_COUNT][4];
  double naive_muscles[SINEW_BLOCK * SINEW_PLANE_COUNT];
  float muscles[SINEW_BLOCK * SINEW_MUSCLE_COUNT];
  rival_quat naive[SINEW_BLOCK * HUMAN_BONE_COUNT];
  _Alignas(64) float local[HUMAN_BONE_COUNT * 4 * SINEW_BLOCK];
  _Alignas(64) float stored[XYZW_FLOATS];
  _Alignas(64) float turns[HUMAN_BONE_COUNT * 4 * SINEW_BLOCK];
  _Alignas(64) float back[SINEW_PLANE_COUNT * SINEW_BLOCK];
};

/* ---- what is run --------------------------------------------------------------------------------------- */

static void run_part(void *subject) {
  const hot_part *part = subject;
  workload_run(&part->set->all, part->part);
}
static void run_limbs(void *subject) {
  workload_run(&((hot_set *)subject)->limbs, WORKLOAD_MUSCLE);
}
static void run_walk(void *subject) {
  workload_run(&((hot_set *)subject)->walk, WORKLOAD_SAMPLE);
}
static void run_real(void *subject) {
  workload_run(&((hot_set *)subject)->real, WORKLOAD_SAMPLE);
}
static void run_naive(void *subject) {
  hot_set *set = subject;
  rival_naive(&set->rival, set->muscles, SINEW_BLOCK, set->naive);
}
static void run_copy(void *subject) {
  const workload *w = &((hot_set *)subject)->all;
  memcpy(w->packed, w->pose.local, w->constants.bone_count * 4 * SINEW_BLOCK * sizeof(float));
}
static void run_sleef(void *subject) {
  hot_set *set = subject;
  set->sleef->matrices(&set->all.constants.muscle, set->all.scratch.planes, set->local);
}
static void run_sleef_products(void *subject) {
  hot_set *set = subject;
  set->sleef->products(&set->rival, set->all.scratch.planes, set->local);
}

static void run_inverse(void *subject) {
  hot_set *set = subject;
  set->kernels->inverse(&set->inverse[INVERSE_EDITOR].inverse, set->turns, set->back);
}
static void run_inverse_landing(void *subject) {
  hot_set *set = subject;
  set->kernels->inverse(&set->inverse[INVERSE_EXACT].inverse, set->turns, set->back);
}
static void run_inverse_naive(void *subject) {
  hot_set *set = subject;
  rival_inverse_plain(&set->plain_body, (const double(*)[4])set->naive_turns, SINEW_BLOCK,
                      set->naive_muscles);
}
static void run_inverse_stated(void *subject) {
  hot_set *set = subject;
  rival_inverse(&set->naive_body.body, (const double(*)[4])set->naive_turns, SINEW_BLOCK, set->naive_muscles);
}

/* ---- the rivals are right --------------------------------------------------------------------------------
 */

static void poses_of_planes(const hot_set *set, const float *planes, float *poses) {
  const size_t bones = set->all.constants.bone_count;
  for (size_t f = 0; f < SINEW_BLOCK; f++)
    for (size_t b = 0; b < bones; b++)
      for (size_t k = 0; k < 4; k++) poses[(f * bones + b) * 4 + k] = planes[(b * 4 + k) * SINEW_BLOCK + f];
}

static bool is_close(const hot_set *set, const char *rival, const float *poses) {
  static float wanted[SINEW_BLOCK * HUMAN_BONE_COUNT * 4];
  poses_of_planes(set, set->all.pose.local, wanted);
  const double off_deg = rival_worst_deg(wanted, poses, (size_t)SINEW_BLOCK * set->all.constants.bone_count);
  if (off_deg <= rival_tolerance_deg) return true;
  fprintf(stderr, "%s: %s is off by %g degrees, allowed are %g\n", set->kernels->name, rival, off_deg,
          rival_tolerance_deg);
  return false;
}

/* The rotations from the human parents' that the muscles make. */
static void take_turns(hot_set *set) {
  const muscle_rig *m = &set->all.constants;
  for (uint32_t slot = 0; slot < m->bone_count; slot++)
    for (size_t f = 0; f < SINEW_BLOCK; f++) {
      double *q = set->naive_turns[f * m->bone_count + slot];
      for (size_t c = 0; c < 4; c++) q[c] = (double)set->all.pose.local[(slot * 4 + c) * SINEW_BLOCK + f];
      quat_mul(set->all.rig->between[m->bone_of_slot[slot]], q, q);
      for (size_t c = 0; c < 4; c++) set->turns[(slot * 4 + c) * SINEW_BLOCK + f] = (float)q[c];
    }
}

/* Both stop within 0.1 degrees of where limbs bend about one axis alone, a step apart now and then. */
static bool inverse_is_right(hot_set *set, const char *rival, void (*run)(void *subject)) {
  const double most = 1e-4;
  uint32_t count = 0, off = 0;
  memset(set->naive_muscles, 0, sizeof set->naive_muscles);
  run(set);
  for (size_t f = 0; f < SINEW_BLOCK; f++)
    for (size_t p = SINEW_PLANE_MUSCLE; p < SINEW_PLANE_MUSCLE + SINEW_MUSCLE_COUNT; p++, count++)
      off += !(fabs(set->naive_muscles[f * SINEW_PLANE_COUNT + p] - (double)set->back[p * SINEW_BLOCK + f]) <=
               most);
  if (off <= count / 1000) return true;
  fprintf(stderr, "%s: bones to muscles, %s: %u of %u muscles off\n", set->kernels->name, rival, off, count);
  return false;
}

static bool rivals_are_right(hot_set *set) {
  static float poses[SINEW_BLOCK * HUMAN_BONE_COUNT * 4];
  workload_run(&set->all, WORKLOAD_MUSCLE);
  run_naive(set);
  bool ok = is_close(set, "naive", &set->naive[0].x);
  if (set->sleef) {
    run_sleef(set);
    poses_of_planes(set, set->local, poses);
    ok = is_close(set, "SLEEF with matrices", poses) && ok;
    run_sleef_products(set);
    poses_of_planes(set, set->local, poses);
    ok = is_close(set, "SLEEF with products", poses) && ok;
  }
  take_turns(set);
  run_inverse(set);
  ok = inverse_is_right(set, "naive", run_inverse_naive) && ok;
  ok = inverse_is_right(set, "as stated", run_inverse_stated) && ok;
  workload_run(&set->all, WORKLOAD_PIPELINE);
  return ok;
}

/* ---- opening
 * ----------------------------------------------------------------------------------------------- */

static bool open_sampled(const sinew_kernels *kernels, const char *path, workload *w) {
  sinew_clip_file *file = NULL;
  const bool ok = path && sinew_clip_file_open(path, NULL, &file, NULL) == SINEW_OK &&
                  workload_open(kernels, MADE_BODY_ALL, sinew_clip_file_clip(file, 0), w, NULL) == SINEW_OK;
  sinew_clip_file_close(file);
  return ok;
}

static void take_muscles(hot_set *set) {
  for (size_t f = 0; f < SINEW_BLOCK; f++)
    for (size_t m = 0; m < SINEW_MUSCLE_COUNT; m++)
      set->muscles[f * SINEW_MUSCLE_COUNT + m] =
          set->all.scratch.planes[(SINEW_PLANE_MUSCLE + m) * SINEW_BLOCK + f];
}

static bool open_workloads(hot_set *set, sinew_error *error) {
  if (workload_open(set->kernels, MADE_BODY_ALL, NULL, &set->all, error) != SINEW_OK) return false;
  if (workload_open(set->kernels, MADE_BODY_LIMBS, NULL, &set->limbs, error) != SINEW_OK) return false;
  set->has_walk = open_sampled(set->kernels, input_sample_clip(), &set->walk);
  set->has_real = open_sampled(set->kernels, input_real_clip(), &set->real);
  return true;
}

hot_set *hot_set_open(const sinew_kernels *kernels) {
  hot_set *set = heap_alloc(1, sizeof *set);
  sinew_error error = {0};
  if (!set) return NULL;
  set->kernels = kernels;
  set->limit.loops = sinew_limit_loops_of(kernels->name);
  set->store_joints = (limit_field){.loops = set->limit.loops, .memory = set->stored, .count = JOINT_FLOATS};
  set->store_xyzw = (limit_field){.loops = set->limit.loops, .memory = set->stored, .count = XYZW_FLOATS};
  set->sleef = rival_sleef_of(kernels->name);
  if (!open_workloads(set, &error)) {
    char text[1024];
    fprintf(stderr, "%s\n", sinew_error_text(&error, text, sizeof text));
    hot_set_close(set);
    return NULL;
  }
  for (int part = 0; part < WORKLOAD_PART_COUNT; part++)
    set->parts[part] = (hot_part){set, (workload_part)part};
  take_muscles(set);
  for (int way = 0; way < 2; way++)
    if (inverse_rig_build(set->all.rig, &set->all.constants, (inverse_limbs)way, &set->inverse[way],
                          &error) != SINEW_OK) {
      hot_set_close(set);
      return NULL;
    }
  inverse_body_of(set->all.rig, &set->all.constants, false, &set->naive_body);
  plain_body_of(&set->naive_body.body, &set->plain_body);
  rival_rig_build(set->all.rig, &set->all.constants, &set->rival);
  if (rivals_are_right(set)) return set;
  hot_set_close(set);
  return NULL;
}

void hot_set_close(hot_set *set) {
  if (!set) return;
  workload_close(&set->all);
  workload_close(&set->limbs);
  workload_close(&set->walk);
  workload_close(&set->real);
  for (int way = 0; way < 2; way++) inverse_rig_release(&set->inverse[way]);
  heap_free(set);
}

bool hot_set_case(hot_set *set, hot_case which, bench_case *out) {
  _Static_assert((int)HOT_PIPELINE == (int)WORKLOAD_PIPELINE, "the kernels stand first");
  *out = (bench_case){.isa = set->kernels->name, .subject = set, .poses = SINEW_BLOCK};
  if (which <= HOT_PIPELINE) {
    out->name = workload_part_name((workload_part)which);
    out->run = run_part;
    out->subject = &set->parts[which];
    return true;
  }
  switch (which) {
  case HOT_MUSCLE_22:
    out->name = "muscle_22_bones", out->run = run_limbs;
    return true;
  case HOT_SAMPLE_WALK:
    out->name = "sample_walk", out->run = run_walk;
    return set->has_walk;
  case HOT_SAMPLE_REAL:
    out->name = "sample_real", out->run = run_real;
    return set->has_real;
  case HOT_ARITHMETIC:
    *out = (bench_case){"limit_arithmetic", set->kernels->name, limit_run_arithmetic, &set->limit, 0, 0};
    return true;
  case HOT_STORE_JOINTS:
    *out = (bench_case){"limit_store_joints", set->kernels->name, limit_run_store,
                        &set->store_joints,   SINEW_BLOCK,        0};
    return true;
  case HOT_STORE_XYZW:
    *out = (bench_case){"limit_store_xyzw", set->kernels->name, limit_run_store,
                        &set->store_xyzw,   SINEW_BLOCK,        0};
    return true;
  case HOT_COPY:
    out->name = "limit_copy_planes", out->run = run_copy;
    return true;
  case HOT_NAIVE:
    out->name = "rival_naive", out->run = run_naive;
    return true;
  case HOT_SLEEF:
    out->name = "rival_sleef", out->run = run_sleef;
    return set->sleef != NULL;
  case HOT_SLEEF_PRODUCTS:
    out->name = "rival_sleef_products", out->run = run_sleef_products;
    return set->sleef != NULL;
  case HOT_INVERSE:
    out->name = "inverse", out->run = run_inverse;
    return true;
  case HOT_INVERSE_LANDING:
    out->name = "inverse_landing", out->run = run_inverse_landing;
    return true;
  case HOT_INVERSE_NAIVE:
    out->name = "rival_inverse_naive", out->run = run_inverse_naive;
    return true;
  case HOT_INVERSE_STATED:
    out->name = "rival_inverse_stated", out->run = run_inverse_stated;
    return true;
  default:
    return false;
  }
}

double hot_set_arithmetic_operations(const hot_set *set) {
  return limit_arithmetic_operations(&set->limit);
}
double hot_set_stored_bytes(hot_case limit) {
  return (limit == HOT_STORE_JOINTS ? JOINT_FLOATS : XYZW_FLOATS) * sizeof(float);
}
double hot_set_muscle_operations(const hot_set *set) {
  return operations_of_muscle(&set->all.constants.muscle);
}
double hot_set_fk_operations(const hot_set *set) {
  return operations_of_fk(&set->all.constants.fk);
}
