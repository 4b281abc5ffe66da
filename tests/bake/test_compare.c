/* The farthest joint as found over blocks is the one that measuring every joint of every frame finds: the
 * same distance to the last bit, the same joint, the same frame, whatever is amiss. */
#include "stage/joint_compare.h"
#include "support/bake.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct compared {
  sinew_clip_file *clip;
  sinew_rig *rig;
  bake_plan plan;
  joint_compare compare;
  arena memory;
  pose_scratch scratch;
  pose_block pose;
  double *places;
} compared;

static void compared_open(compared *c, const char *isa) {
  sinew_error error = {0};
  memset(c, 0, sizeof *c);
  c->clip = test_open_clip(test_source("scripts/sample/walk.anim"));
  c->rig = test_open_rig(test_source("scripts/sample/walker.fbx.meta"));
  cr_assert(bake_plan_build(sinew_kernels_select(isa), sinew_clip_file_clip(c->clip, 0), c->rig, NULL, &c->plan,
                            &error) == SINEW_OK);
  cr_assert(pose_open(&c->plan, &c->memory, &c->scratch, &c->pose));
  c->places =
      arena_alloc(&c->memory, (size_t)c->plan.constants.bone_count * 3 * SINEW_BLOCK, sizeof *c->places);
  cr_assert(pose_block_compute(&c->plan, 0, &c->scratch, &c->pose, &error) == SINEW_OK);
  c->plan.kernels->fk(&c->plan.constants.fk, c->pose.local, NULL, c->pose.hips_q, c->scratch.model);
  cr_assert(joint_compare_build(&c->plan, &c->compare, &error) == SINEW_OK);
}

static void compared_close(compared *c) {
  bake_plan_release(&c->plan);
  arena_release(&c->memory);
  sinew_clip_file_close(c->clip);
  sinew_rig_close(c->rig);
}

/* The file's places as they should be: the hips', and the others' relative to them. */
static void place_all(compared *c) {
  for (uint32_t slot = 0; slot < c->plan.constants.bone_count; slot++)
    for (uint32_t i = 0; i < 3 * SINEW_BLOCK; i++) {
      const double sign = i < SINEW_BLOCK ? -1 : 1, hips = sign * (double)c->pose.hips_t[i];
      const float *model = c->scratch.model + (size_t)slot * SINEW_MODEL_PLANES * SINEW_BLOCK;
      c->places[slot * 3 * SINEW_BLOCK + i] = slot ? hips + sign * (double)model[i] : hips;
    }
}

static double *place(const compared *c, uint32_t slot, uint32_t axis, uint32_t f) {
  return &c->places[(slot * 3 + axis) * SINEW_BLOCK + f];
}

/* ---- joint after joint -------------------------------------------------------------------------------- */

static double length(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double measured(const compared *c, uint32_t slot, uint32_t f) {
  const double sign[3] = {-1, 1, 1};
  double own[3], off[3], reach = c->plan.output.root_reach_m;
  for (uint32_t i = 0; i < 3; i++) {
    const uint32_t at = i * SINEW_BLOCK + f;
    const float *model = c->scratch.model + (size_t)slot * SINEW_MODEL_PLANES * SINEW_BLOCK;
    own[i] = sign[i] * (double)(slot ? model[at] : c->pose.hips_t[at]);
    off[i] = (slot ? *place(c, slot, i, f) - *place(c, 0, i, f) : *place(c, 0, i, f)) - own[i];
    reach = fmax(reach, fabs(own[i]));
  }
  const double far_m = length(own) - c->plan.output.height_m,
               far_slack = bake_plan_bounds(&c->plan).far_slack;
  const double excess = length(off) - (slot == 0 ? reach * 0x1p-22 : far_m > 0 ? far_m * far_slack : 0);
  return isnan(excess) ? INFINITY : fmax(excess, 0);
}

static void measure_all(const compared *c, uint32_t frames, uint64_t first_frame, worst_joint *worst) {
  for (uint32_t f = 0; f < frames; f++)
    for (uint32_t slot = 0; slot < c->plan.constants.bone_count; slot++) {
      const double distance = measured(c, slot, f);
      if (distance > worst->distance_m ||
          (distance == worst->distance_m && distance > 0 && first_frame + f < worst->frame))
        *worst = (worst_joint){distance, c->plan.output.joint_node[slot], first_frame + f};
    }
}

/* As the kernel does it. */
static void square_all(const compared *c, double squares[SINEW_BLOCK]) {
  for (uint32_t f = 0; f < SINEW_BLOCK; f++) {
    squares[f] = 0;
    for (uint32_t slot = 1; slot < c->plan.constants.bone_count; slot++) {
      double square = 0;
      for (uint32_t i = 0; i < 3; i++) {
        const float own = c->scratch.model[(slot * SINEW_MODEL_PLANES + i) * SINEW_BLOCK + f];
        const double off = *place(c, slot, i, f) - *place(c, 0, i, f) - (i == 0 ? -1 : 1) * (double)own;
        square = fma(off, off, square);
      }
      squares[f] = isnan(square) || isinf(square) || isnan(squares[f]) ? NAN : fmax(squares[f], square);
    }
  }
}

/* From the same start both find the same. */
static void expect_same(const compared *c, uint32_t frames, uint64_t first_frame, worst_joint *worst,
                        const char *what) {
  worst_joint wanted = *worst;
  measure_all(c, frames, first_frame, &wanted);
  double squares[SINEW_BLOCK];
  square_all(c, squares);
  joint_compare_block(&c->compare, squares, c->places, c->scratch.model, &c->pose, frames, first_frame,
                      worst);
  cr_assert(worst->distance_m == wanted.distance_m && worst->node == wanted.node &&
                worst->frame == wanted.frame,
            "%s, %s: %.17g m of node %u at %llu, wanted %.17g m of node %u at %llu", c->plan.kernels->name,
            what, worst->distance_m, worst->node, (unsigned long long)worst->frame, wanted.distance_m,
            wanted.node, (unsigned long long)wanted.frame);
}

static uint64_t dice(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *state >> 33;
}
static double between(uint64_t *state, double low, double high) {
  return low + (high - low) * (double)(dice(state) % 1000003) / 1000003;
}

static void shake(compared *c, uint64_t *state, double size_m) {
  place_all(c);
  for (uint32_t i = 0; i < c->plan.constants.bone_count * 3 * SINEW_BLOCK; i++)
    c->places[i] += between(state, -size_m, size_m);
}

static void on_each_set(void (*run)(compared *c)) {
  static const char *const sets[] = {"avx512", "avx2", "sse4", "scalar", "neon"};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    const sinew_kernels *kernels = sinew_kernels_select(sets[i]);
    if (!kernels || strcmp(kernels->name, sets[i]) != 0) continue;
    compared c;
    compared_open(&c, sets[i]);
    run(&c);
    compared_close(&c);
  }
}

/* ---- what may be amiss -------------------------------------------------------------------------------- */

static void any_noise(compared *c) {
  uint64_t state = 1;
  for (int round = 0; round < 200; round++) {
    worst_joint worst = {0};
    if (round % 2) worst = (worst_joint){between(&state, 0, 2e-6), 3, dice(&state) % 200};
    shake(c, &state, 1e-6);
    for (uint64_t block = 0; block < 3; block++) {
      expect_same(c, block == 2 ? 1 + (uint32_t)(dice(&state) % SINEW_BLOCK) : SINEW_BLOCK,
                  block * SINEW_BLOCK, &worst, "noise");
      for (int i = 0; i < 5; i++) *place(c, dice(&state) % 50, dice(&state) % 3, dice(&state) % 64) += 2e-6;
    }
  }
}

/* Equal distances, in one frame and in several, met in falling order too. */
static void ties(compared *c) {
  uint64_t state = 2;
  for (int round = 0; round < 300; round++) {
    worst_joint worst = {0};
    place_all(c);
    for (uint32_t i = 0; i < 3 * SINEW_BLOCK; i++) c->places[i] = 0, c->pose.hips_t[i] = 0;
    for (uint32_t slot = 1; slot < c->plan.constants.bone_count; slot++)
      for (uint32_t f = 0; f < SINEW_BLOCK; f++) {
        const float *model = c->scratch.model + (size_t)slot * SINEW_MODEL_PLANES * SINEW_BLOCK + f;
        for (uint32_t i = 0; i < 3; i++)
          *place(c, slot, i, f) = (i == 0 ? -1 : 1) * (double)model[i * SINEW_BLOCK];
        if (dice(&state) % 8 == 0) *place(c, slot, 0, f) += 0x1p-18;
      }
    if (round % 3 == 0) *place(c, 0, 1, dice(&state) % 64) += 0x1p-18;
    for (uint64_t block = 4; block-- > 0;) expect_same(c, SINEW_BLOCK, block * SINEW_BLOCK, &worst, "ties");
  }
}

static void no_numbers(compared *c) {
  static const double strange[] = {NAN, -NAN, INFINITY, -INFINITY, 1e300};
  uint64_t state = 3;
  for (int round = 0; round < 200; round++) {
    worst_joint worst = {0};
    shake(c, &state, 1e-6);
    for (int i = round % 4; i >= 0; i--)
      *place(c, dice(&state) % c->plan.constants.bone_count, dice(&state) % 3, dice(&state) % 64) =
          strange[dice(&state) % 5];
    for (uint64_t block = 3; block-- > 0;)
      expect_same(c, 1 + (uint32_t)(dice(&state) % SINEW_BLOCK), block * SINEW_BLOCK, &worst, "no numbers");
  }
}

/* A body as tall as a hand: most of its joints are farther from the hips than that. */
static void far_joints(compared *c) {
  uint64_t state = 4;
  cr_assert(!c->compare.may_be_far);
  for (int round = 0; round < 100; round++) {
    worst_joint worst = {0};
    c->plan.output.height_m = between(&state, 0.01, 1);
    cr_assert(joint_compare_build(&c->plan, &c->compare, NULL) == SINEW_OK);
    cr_assert(c->compare.may_be_far || c->plan.output.height_m > 0.5);
    shake(c, &state, 2e-6);
    for (uint64_t block = 0; block < 3; block++)
      expect_same(c, SINEW_BLOCK, block * SINEW_BLOCK, &worst, "far joints");
  }
}

/* A kilometre away, where a float32's step is 6e-5 m. */
static void far_hips(compared *c) {
  uint64_t state = 5;
  for (uint32_t i = 0; i < SINEW_BLOCK; i++) c->pose.hips_t[i] += 1000;
  for (int round = 0; round < 100; round++) {
    worst_joint worst = {0};
    place_all(c);
    for (uint32_t f = 0; f < SINEW_BLOCK; f++) {
      const double off = between(&state, 0, 3e-4);
      for (uint32_t slot = 0; slot < c->plan.constants.bone_count; slot++) *place(c, slot, 0, f) += off;
    }
    expect_same(c, SINEW_BLOCK, 0, &worst, "far hips");
  }
}

static void nothing(compared *c) {
  worst_joint worst = {0};
  for (uint32_t i = 0; i < 3 * SINEW_BLOCK; i++) c->pose.hips_t[i] = 0;
  place_all(c);
  expect_same(c, SINEW_BLOCK, 0, &worst, "nothing");
  cr_assert(worst.distance_m == 0 && worst.frame == 0 && worst.node == 0);
}

Test(compare, noise) {
  on_each_set(any_noise);
}
Test(compare, equal_distances) {
  on_each_set(ties);
}
Test(compare, what_is_no_number_is_the_worst) {
  on_each_set(no_numbers);
}
Test(compare, joints_far_from_the_hips) {
  on_each_set(far_joints);
}
Test(compare, hips_far_from_the_origin) {
  on_each_set(far_hips);
}
Test(compare, nothing_amiss) {
  on_each_set(nothing);
}
