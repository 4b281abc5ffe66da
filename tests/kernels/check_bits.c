/* The bits themselves: every kernel run on fixed input, its output hashed (FNV-1a of the little-endian
 * bytes), each fed with what the one before gave, as in a bake. Awkward values stand among the input: zeros
 * of both signs, denormals, half and whole turns, muscles of a thousand units, repeated frames. */
#include "figure.h"
#include "golden.h"
#include "made_inverse.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const kernel_names[GOLDEN_COUNT] = {
    "sample", "muscle",   "normalise", "fk",    "body",    "hips",  "signs",   "pack",   "absmax", "matrices",
    "pack16", "fk_moved", "euler",     "slerp", "hermite", "delta", "inverse", "angles", "apart"};

static void hash_add(uint64_t *hash, const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) *hash = (*hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
}

typedef struct bits_run {
  figure fig;
  made_inverse made;
  ref_segments segments[SINEW_PLANE_COUNT];
  sinew_curve curves[SINEW_PLANE_COUNT];
  _Alignas(64) float planes[SINEW_PLANE_COUNT * SINEW_BLOCK];
  _Alignas(64) float local[FIGURE_BONES * 4 * SINEW_BLOCK];
  _Alignas(64) float model[FIGURE_BONES * SINEW_MODEL_PLANES * SINEW_BLOCK];
  _Alignas(64) float pose[21 * SINEW_BLOCK]; /* com 3, frame 4, hips 7, node 7 */
  _Alignas(64) float packed[7 * SINEW_BLOCK];
  _Alignas(64) int16_t packed16[4 * SINEW_BLOCK];
  _Alignas(64) float matrices[FIGURE_BONES * 12 * SINEW_BLOCK];
} bits_run;

static void random_segment(dice *d, ref_segments *s, uint32_t i, double start_s, double duration_s) {
  s->start_s[i] = start_s, s->inv_duration[i] = (float)(1 / duration_s);
  s->kind[i] = (uint8_t)(dice_bits(d) % 8 == 0   ? SINEW_SEGMENT_JUMP
                         : dice_bits(d) % 4 == 0 ? SINEW_SEGMENT_BEZIER
                                                 : 0);
  for (int c = 0; c < 4; c++) s->c[c][i] = (float)dice_between(d, -1, 1);
  s->x[i][0] = (float)dice_between(d, 0, 1), s->x[i][1] = (float)dice_between(d, 0, 1);
}

static void random_curve(dice *d, ref_segments *s) {
  const uint32_t count = 1 + dice_bits(d) % 12;
  double at = dice_between(d, 0, 1);
  ref_segments_make(s, count);
  for (uint32_t i = 0; i < count; i++) {
    const double duration_s = dice_between(d, 0.02, 0.4);
    random_segment(d, s, i, at, duration_s);
    at += duration_s;
  }
  s->kind[count - 1] = SINEW_SEGMENT_CUBIC, s->inv_duration[count - 1] = 0;
  const uint32_t rules = dice_bits(d);
  s->curve.before = (uint8_t)(rules % 3), s->curve.after = (uint8_t)(rules / 3 % 3);
}

static void sample_planes(const sinew_kernels *k, bits_run *r, dice *d) {
  double times[SINEW_BLOCK];
  for (int f = 0; f < SINEW_BLOCK; f++) times[f] = 0.5 + f * dice_between(d, 0.03, 0.031);
  for (int f = 1; f < SINEW_BLOCK; f++) times[f] = times[f] < times[f - 1] ? times[f - 1] : times[f];
  for (int p = 0; p < SINEW_PLANE_COUNT; p++) {
    random_curve(d, &r->segments[p]);
    r->curves[p] = r->segments[p].curve;
    r->curves[p].plane = (uint16_t)p;
  }
  k->sample(r->curves, SINEW_PLANE_COUNT, times, r->planes);
}

static void make_awkward(dice *d, float *planes) {
  static const float awkward[] = {0,           -0.0f,        1e-40f, -1e-40f, 1000, -1000,
                                  3.14159274f, -3.14159274f, 2,      -2,      1,    -1};
  for (int i = 0; i < SINEW_PLANE_COUNT * SINEW_BLOCK; i++) {
    const uint32_t roll = dice_bits(d);
    if (roll % 8 == 0)
      planes[i] = awkward[roll / 8 % (sizeof awkward / sizeof awkward[0])];
    else if (roll % 8 == 1 && i % SINEW_BLOCK > 0)
      planes[i] = planes[i - 1];
  }
}

/* Places out of the sampled planes, a root more than there was. */
static void bits_of_moved(const sinew_kernels *k, dice *d, bits_run *r, uint64_t *hash) {
  for (int j = 0; j < FIGURE_BONES; j++)
    r->fig.joints[j].place = (uint16_t)(dice_bits(d) % (1 + SINEW_PLANE_COUNT / 3));
  r->fig.joints[FIGURE_BONES / 2].parent = -1;
  k->fk_moved(&r->fig.fk, r->local, r->planes, r->model);
  hash_add(hash, r->model, sizeof r->model);
}

/* Angles of any size, those of a clip often small; turns of every order. */
static void bits_of_euler(const sinew_kernels *k, dice *d, bits_run *r, uint64_t *hash) {
  static const float reach[] = {0, 90, 180, 180, 1000, 2e5f, 1e9f, 3e38f};
  sinew_euler_joint joints[FIGURE_BONES] = {0};
  for (int i = 0; i < SINEW_PLANE_COUNT * SINEW_BLOCK; i++) {
    const double limit = (double)reach[dice_bits(d) % (i % 128 < 64 ? 4 : 8)];
    r->planes[i] = (float)dice_between(d, -limit, limit);
  }
  for (int j = 0; j < FIGURE_BONES; j++) {
    joints[j].slot = (uint16_t)j;
    joints[j].turn_count = (uint8_t)(j % 2 ? 3 : 1 + j / 2 % SINEW_EULER_TURNS);
    for (int t = 0; t < joints[j].turn_count; t++) {
      joints[j].axis[t] =
          (uint8_t)(t == 0 ? dice_bits(d) % 3 : (joints[j].axis[t - 1] + 1u + (j & 2u) / 2) % 3);
      joints[j].plane[t] = dice_bits(d) % SINEW_PLANE_COUNT;
    }
  }
  k->euler(joints, FIGURE_BONES, r->planes, r->local);
  hash_add(hash, r->local, sizeof r->local);
}

/* From each bone's rotation to the next one's; planes that end where the next begin. */
static void bits_of_keys(const sinew_kernels *k, bool awkward, bits_run *r, uint64_t hash[GOLDEN_COUNT]) {
  enum { VALUES = 4 * (FIGURE_BONES - 1) };
  dice d = {7};
  float *const shares = r->planes;
  for (int i = 0; i < FIGURE_BONES * SINEW_BLOCK; i++)
    shares[i] = awkward && i % 5 == 0 ? (float)(i % 2) : (float)dice_between(&d, 0, 1);
  k->slerp(r->local, r->local + 4 * SINEW_BLOCK, shares, FIGURE_BONES - 1, r->model);
  hash_add(&hash[GOLDEN_SLERP], r->model, sizeof(float) * VALUES * SINEW_BLOCK);
  k->hermite(r->local, r->model, r->local + 4 * SINEW_BLOCK, r->matrices, shares, VALUES, r->model);
  hash_add(&hash[GOLDEN_HERMITE], r->model, sizeof(float) * VALUES * SINEW_BLOCK);
}

static void some_quat(dice *d, float q[4]) {
  double exact[4];
  dice_quat(d, exact);
  for (int c = 0; c < 4; c++) q[c] = (float)exact[c];
}

/* The figure's joints, posed by the angles, drive as many bones: one in four at rest, one in four between
 * two. */
static void bits_of_delta(const sinew_kernels *k, dice *d, bits_run *r, uint64_t *hash) {
  sinew_delta_slot slots[FIGURE_BONES] = {0};
  for (int s = 0; s < FIGURE_BONES; s++) {
    slots[s].parent = (int16_t)(s == 0 ? -1 : s / 2);
    slots[s].joint[0] = (int16_t)(s % 4 == 3 ? -1 : s);
    slots[s].joint[1] = (int16_t)(s % 4 == 2 ? FIGURE_BONES - 1 - s : -1);
    slots[s].share = (float)(dice_bits(d) % 5) / 4;
    slots[s].has_between = s % 3 == 1;
    some_quat(d, slots[s].undo[0]), some_quat(d, slots[s].undo[1]), some_quat(d, slots[s].stance);
    some_quat(d, slots[s].between), some_quat(d, slots[s].rest);
  }
  slots[1].parent = 0;
  sinew_delta_rig rig = {.slot_count = FIGURE_BONES,
                         .slots = slots,
                         .hips_joint = 5,
                         .in_place = d->state % 2,
                         .has_above = d->state / 2 % 2,
                         .source_origin = {0.25f, -1, 0.125f},
                         .target_origin = {1, 0.75f, -0.3f},
                         .ratio = 1.1f,
                         .above_t = {0.1f, 0.2f, 0.3f},
                         .inv_above_scale = 0.9f};
  some_quat(d, rig.above_q);
  k->fk(&r->fig.fk, r->local, NULL, NULL, r->model);
  k->delta(&rig, r->model, r->matrices, r->local, r->pose, r->pose + 3 * SINEW_BLOCK,
           r->pose + 7 * SINEW_BLOCK);
  hash_add(hash, r->local, sizeof r->local);
  hash_add(hash, r->pose, 10 * SINEW_BLOCK * sizeof(float));
  hash_add(hash, r->matrices, sizeof r->local);
}

/* Both ways of limbs, of any rotations and of those limbs may have; then root and goals of what the figure
 * left. */
static void bits_of_inverse(const sinew_kernels *k, dice *d, bool awkward, bits_run *r, uint64_t *hash) {
  float *const com = r->matrices, *const frame = com + 3 * SINEW_BLOCK, *const hips = frame + 4 * SINEW_BLOCK;
  sinew_goal_rig goals = {.axis_m = {0.1f, -0.05f, 0, 0}, .inv_scale = 1.25f};
  for (int i = 0; i < 4; i++) some_quat(d, goals.post[i]);
  some_quat(d, goals.upright), some_quat(d, goals.back);
  k->root(&r->fig.body, com, frame, hips, r->local, r->planes);
  k->goals(&goals, r->model, com, r->local, r->planes + 7 * SINEW_BLOCK);
  hash_add(hash, r->planes, 35 * SINEW_BLOCK * sizeof(float));
  for (int exact = 0; exact < 2; exact++) {
    made_inverse_make(d, exact, &r->made);
    made_inverse_turns(d, &r->made, awkward && exact == (int)(d->state % 2) ? INFINITY : 0.6, r->local);
    k->inverse(&r->made.rig, r->local, r->planes);
    hash_add(hash, r->planes, sizeof r->planes);
  }
}

/* The bones' rotations, between constant ones, about the axes in every order. */
static void bits_of_angles(const sinew_kernels *k, dice *d, bits_run *r, uint64_t *hash) {
  static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  sinew_angle_joint joints[FIGURE_BONES] = {0};
  for (int j = 0; j < FIGURE_BONES; j++) {
    double before[4] = {0, 0, 0, 1}, after[4] = {0, 0, 0, 1};
    if (j % 3) dice_quat(d, before);
    if (j % 2) dice_quat(d, after);
    ref_fold_angles(before, after, orders[j % 6], &joints[j]);
    joints[j].slot = (uint16_t)j;
    for (int t = 0; t < 3; t++) joints[j].plane[t] = (uint32_t)(3 * j + t) % SINEW_PLANE_COUNT;
  }
  k->angles(joints, FIGURE_BONES, r->local, r->planes);
  hash_add(hash, r->planes, sizeof r->planes);
}

/* Each bone's rotation to another one's, to nearly its own, to its own; of both signs and of a length. */
static void bits_of_apart(const sinew_kernels *k, uint64_t seed, bits_run *r, uint64_t *hash) {
  enum { TRACK = 4 * SINEW_BLOCK };
  dice d = {seed};
  for (int i = 0; i < FIGURE_BONES * SINEW_BLOCK; i++) {
    float *const a = r->local + i / SINEW_BLOCK * TRACK + i % SINEW_BLOCK;
    float *const b = r->matrices + i / SINEW_BLOCK * TRACK + i % SINEW_BLOCK;
    const uint32_t roll = dice_bits(&d);
    const float near = roll % 4 == 0 ? 1e-7f : 1e-3f, sign = roll % 8 < 4 ? 1 : -1;
    float q[2][4];
    some_quat(&d, q[0]), some_quat(&d, q[1]);
    for (int c = 0; c < 4; c++) {
      a[c * SINEW_BLOCK] = q[0][c];
      b[c * SINEW_BLOCK] = sign * (roll % 3 == 0   ? q[1][c]
                                   : roll % 5 == 0 ? q[0][c]
                                                   : q[0][c] + near * q[1][c]);
    }
  }
  k->apart(r->local, TRACK, r->matrices, TRACK, FIGURE_BONES, r->model);
  hash_add(hash, r->model, sizeof(float) * FIGURE_BONES * SINEW_BLOCK);
}

static void bits_of_kernels(const sinew_kernels *k, uint64_t seed, bool awkward, bits_run *r,
                            uint64_t hash[GOLDEN_COUNT]) {
  dice d = {seed};
  float *const com = r->pose, *const frame = com + 3 * SINEW_BLOCK, *const hips_t = frame + 4 * SINEW_BLOCK;
  float *const hips_q = hips_t + 3 * SINEW_BLOCK, *const node_t = hips_q + 4 * SINEW_BLOCK;
  float *const node_q = node_t + 3 * SINEW_BLOCK;
  uint64_t flips[FIGURE_BONES];
  uint32_t largest[SINEW_PLANE_COUNT];
  figure_make(&r->fig, seed);

  sample_planes(k, r, &d);
  hash_add(&hash[GOLDEN_SAMPLE], r->planes, sizeof r->planes);
  if (awkward) make_awkward(&d, r->planes);
  k->muscle(&r->fig.muscle, r->planes, r->local);
  hash_add(&hash[GOLDEN_MUSCLE], r->local, sizeof r->local);
  k->signs(r->local, FIGURE_BONES, flips);
  hash_add(&hash[GOLDEN_SIGNS], flips, sizeof flips);
  k->fk(&r->fig.fk, r->local, r->planes, NULL, r->model);
  hash_add(&hash[GOLDEN_FK], r->model, sizeof r->model);
  k->matrices(r->model, FIGURE_BONES, r->matrices);
  hash_add(&hash[GOLDEN_MATRICES], r->matrices, sizeof r->matrices);
  k->body(&r->fig.body, r->model, com, frame);
  hash_add(&hash[GOLDEN_BODY], com, 7 * SINEW_BLOCK * sizeof(float));
  k->hips(&r->fig.body, r->planes, com, frame, hips_t, hips_q, node_t, node_q);
  hash_add(&hash[GOLDEN_HIPS], hips_t, 14 * SINEW_BLOCK * sizeof(float));
  k->absmax(r->planes, SINEW_PLANE_COUNT, largest);
  hash_add(&hash[GOLDEN_ABSMAX], largest, sizeof largest);
  k->normalise(r->planes, SINEW_PLANE_COUNT / 4);
  hash_add(&hash[GOLDEN_NORMALISE], r->planes, sizeof r->planes);
  k->pack_quat(r->local, flips[0], r->packed);
  k->pack_vec3(hips_t, r->packed + 4 * SINEW_BLOCK);
  hash_add(&hash[GOLDEN_PACK], r->packed, sizeof r->packed);
  for (int bone = 0; bone < FIGURE_BONES; bone++) {
    k->pack_quat16(r->local + bone * 4 * SINEW_BLOCK, flips[bone], r->packed16);
    hash_add(&hash[GOLDEN_PACK16], r->packed16, sizeof r->packed16);
  }
  bits_of_moved(k, &d, r, &hash[GOLDEN_FK_MOVED]);
  bits_of_euler(k, &d, r, &hash[GOLDEN_EULER]);
  bits_of_keys(k, awkward, r, hash);
  bits_of_delta(k, &d, r, &hash[GOLDEN_DELTA]);
  bits_of_inverse(k, &d, awkward, r, &hash[GOLDEN_INVERSE]);
  bits_of_angles(k, &d, r, &hash[GOLDEN_ANGLES]);
  bits_of_apart(k, seed, r, &hash[GOLDEN_APART]);
}

/* false when there is no memory. */
static bool all_bits(const sinew_kernels *k, bool awkward, uint64_t hash[GOLDEN_COUNT]) {
  void *run;
  if (posix_memalign(&run, 64, sizeof(bits_run)) != 0) return false;
  for (int i = 0; i < GOLDEN_COUNT; i++) hash[i] = 0xcbf29ce484222325u;
  for (uint64_t seed = 100; seed < 108; seed++) bits_of_kernels(k, seed, awkward, run, hash);
  free(run);
  return true;
}

void check_bits(const sinew_kernels *k, check *c) {
  const sinew_kernels *scalar = sinew_kernels_select("scalar");
  const bool fma = strcmp(k->profile, "fma") == 0;
  const uint64_t *golden = fma ? golden_fma : golden_nofma;
  uint64_t mine[GOLDEN_COUNT], other[GOLDEN_COUNT];
  bool memory = all_bits(k, true, mine);
  for (int i = 0; i < GOLDEN_COUNT && memory; i++)
    check_that(c, mine[i] == golden[i], "bits: %s: %016" PRIx64 ", wanted %016" PRIx64, kernel_names[i],
               mine[i], golden[i]);
  if (fma && k != scalar && scalar) {
    memory = memory && all_bits(scalar, true, other);
    for (int i = 0; i < GOLDEN_COUNT && memory; i++)
      check_that(c, mine[i] == other[i], "bits: %s equals the scalar reference", kernel_names[i]);
    memory = memory && all_bits(k, false, mine) && all_bits(scalar, false, other);
    check_that(c, memory && memcmp(mine, other, sizeof mine) == 0,
               "bits: tame input: equal to the scalar reference");
  }
  if (!memory) check_that(c, false, "bits: no memory");
}
