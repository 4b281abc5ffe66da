/* One skeleton's turns on another, against double precision: of any rig and pose, a skeleton on itself, a
 * chain of a hundred bones. Five products of rounded quaternions, of which one may be a way between two: 1e-6
 * rad; a bone at rest below others at rest adds a product each. */
#include "check.h"
#include "reference.h"

#include <math.h>
#include <string.h>

enum { SLOTS = 60, JOINTS = 40, TRACK = 4 * SINEW_BLOCK, MODEL = SINEW_MODEL_PLANES * SINEW_BLOCK };

typedef struct delta_run {
  ref_delta_slot ref[SLOTS];
  sinew_delta_slot slots[SLOTS];
  sinew_delta_rig rig;
  ref_hips above;
  guarded model, turned, local, hips_t, hips_q, node_t;
  double rad, root_rad, length, place_m;
  bool rests;
} delta_run;

static bool open_all(delta_run *r) {
  memset(r, 0, sizeof *r);
  r->rests = true;
  return guarded_open(&r->model, JOINTS * MODEL) && guarded_open(&r->turned, SLOTS * TRACK) &&
         guarded_open(&r->local, SLOTS * TRACK) && guarded_open(&r->hips_t, 3 * SINEW_BLOCK) &&
         guarded_open(&r->hips_q, TRACK) && guarded_open(&r->node_t, 3 * SINEW_BLOCK);
}
static bool all_intact(const delta_run *r) {
  return guarded_intact(&r->model) && guarded_intact(&r->turned) && guarded_intact(&r->local) &&
         guarded_intact(&r->hips_t) && guarded_intact(&r->hips_q) && guarded_intact(&r->node_t);
}
static void close_all(delta_run *r) {
  guarded *all[] = {&r->model, &r->turned, &r->local, &r->hips_t, &r->hips_q, &r->node_t};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) guarded_close(all[i]);
}

static void lane(const float *planes, int count, int f, double *out) {
  for (int i = 0; i < count; i++) out[i] = (double)planes[i * SINEW_BLOCK + f];
}
static void larger(double *worst, double off) {
  *worst = off == off ? fmax(*worst, off) : INFINITY;
}
static double rad_between(const double a[4], const double b[4]) {
  return ref_angle_deg(a, b) * M_PI / 180;
}

/* ---- any rig, any pose ---- */

static void make_slot(dice *d, int s, ref_delta_slot *slot) {
  static const double shares[] = {0, 0.25, 0.5, 1};
  const uint32_t kind = s == 0 ? 2 : dice_bits(d) % 5;
  *slot = (ref_delta_slot){.parent = s == 0  ? -1
                                     : s < 6 ? s - 1
                                             : (int)(dice_bits(d) % (uint32_t)s),
                           .joint = {kind == 0 ? -1 : (int)(dice_bits(d) % JOINTS),
                                     kind == 1 || s == 0 ? (int)(dice_bits(d) % JOINTS) : -1},
                           .between = {0, 0, 0, 1}};
  slot->share = dice_bits(d) % 2 ? shares[dice_bits(d) % 4] : dice_between(d, 0, 1);
  for (int end = 0; end < 2; end++) dice_quat(d, slot->source[end]);
  dice_quat(d, slot->stance);
  dice_quat(d, slot->rest);
  if (s > 0 && dice_bits(d) % 4 == 0) dice_quat(d, slot->between);
}

static void make_hips(dice *d, delta_run *r) {
  r->rig = (sinew_delta_rig){.slot_count = SLOTS,
                             .slots = r->slots,
                             .hips_joint = (uint16_t)(dice_bits(d) % JOINTS),
                             .in_place = dice_bits(d) % 2,
                             .has_above = dice_bits(d) % 2,
                             .ratio = (float)dice_between(d, 0.5, 2)};
  dice_quat(d, r->above.above_q);
  r->above.above_scale = dice_between(d, 0.5, 2);
  r->rig.inv_above_scale = (float)(1 / r->above.above_scale);
  for (int c = 0; c < 3; c++) {
    r->above.above_t[c] = dice_between(d, -1, 1), r->rig.above_t[c] = (float)r->above.above_t[c];
    r->rig.source_origin[c] = (float)dice_between(d, -1, 1);
    r->rig.target_origin[c] = (float)dice_between(d, -1, 1);
  }
  for (int c = 0; c < 4; c++) r->rig.above_q[c] = (float)r->above.above_q[c];
}

static void make(dice *d, delta_run *r) {
  for (int s = 0; s < SLOTS; s++) {
    make_slot(d, s, &r->ref[s]);
    ref_fold_delta_slot(&r->ref[s], &r->slots[s]);
  }
  make_hips(d, r);
  for (int j = 0; j < JOINTS; j++)
    for (int f = 0; f < SINEW_BLOCK; f++) {
      double q[4];
      float *joint = r->model.values + j * MODEL + f;
      dice_quat(d, q);
      const double length = 1 + dice_between(d, -5e-6, 5e-6); /* what a chain of products leaves */
      for (int c = 0; c < 3; c++) joint[c * SINEW_BLOCK] = (float)dice_between(d, -2, 2);
      for (int c = 0; c < 4; c++) joint[(3 + c) * SINEW_BLOCK] = (float)(q[c] * length);
    }
}

static void compare_hips(delta_run *r, int f, const double turned[4]) {
  const sinew_delta_rig *rig = &r->rig;
  double at[3], t[3], node[3], got[4], got_node[3], back[4];
  lane(r->model.values + rig->hips_joint * MODEL, 3, f, at);
  for (int c = 0; c < 3; c++) {
    const double moved = (double)rig->ratio * (at[c] - (double)rig->source_origin[c]);
    t[c] = (double)rig->target_origin[c] + (rig->in_place && c != 1 ? 0 : moved);
    node[c] = t[c] - r->above.above_t[c];
  }
  ref_quat_conj(r->above.above_q, back);
  ref_rotate(back, node, node);
  for (int c = 0; c < 3; c++) node[c] = rig->has_above ? node[c] / r->above.above_scale : t[c];
  lane(r->hips_t.values, 3, f, got);
  lane(r->node_t.values, 3, f, got_node);
  for (int c = 0; c < 3; c++)
    larger(&r->place_m, fabs(got[c] - t[c])), larger(&r->place_m, fabs(got_node[c] - node[c]));
  lane(r->hips_q.values, 4, f, got);
  larger(&r->root_rad, rad_between(got, turned));
}

static void compare(delta_run *r) {
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double rotation[JOINTS][4], turned[SLOTS][4], local[SLOTS][4], got[4];
    for (int j = 0; j < JOINTS; j++) {
      lane(r->model.values + j * MODEL + 3 * SINEW_BLOCK, 4, f, rotation[j]);
      ref_quat_normalise(rotation[j]);
    }
    ref_delta(r->ref, SLOTS, (const double(*)[4])rotation, turned, local);
    if (r->rig.has_above) {
      double back[4];
      ref_quat_conj(r->above.above_q, back);
      ref_quat_mul(back, local[0], local[0]);
    }
    for (int s = 0; s < SLOTS; s++) {
      lane(r->turned.values + s * TRACK, 4, f, got);
      larger(&r->root_rad, rad_between(got, turned[s]));
      lane(r->local.values + s * TRACK, 4, f, got);
      larger(&r->length,
             fabs(sqrt(got[0] * got[0] + got[1] * got[1] + got[2] * got[2] + got[3] * got[3]) - 1));
      larger(&r->rad, rad_between(got, local[s]));
      for (int c = 0; c < 4 && r->ref[s].joint[0] < 0; c++)
        r->rests = r->rests && got[c] == (double)r->slots[s].rest[c];
    }
    compare_hips(r, f, turned[0]);
  }
}

static void run(const sinew_kernels *k, delta_run *r) {
  k->delta(&r->rig, r->model.values, r->turned.values, r->local.values, r->hips_t.values, r->hips_q.values,
           r->node_t.values);
}

/* ---- a skeleton on itself, and a long chain ---- */

enum { CHAIN = 100 };

typedef struct chain_run {
  sinew_fk_joint joints[CHAIN];
  sinew_delta_slot slots[CHAIN];
  guarded pose, model, turned, local, hips; /* hips: their place, rotation, place in their node */
  double back_rad, length, rest_length;
} chain_run;

static bool chain_open(chain_run *r) {
  memset(r, 0, sizeof *r);
  return guarded_open(&r->pose, CHAIN * TRACK) && guarded_open(&r->model, CHAIN * MODEL) &&
         guarded_open(&r->turned, CHAIN * TRACK) && guarded_open(&r->local, CHAIN * TRACK) &&
         guarded_open(&r->hips, 10 * SINEW_BLOCK);
}
static bool chain_intact(const chain_run *r) {
  return guarded_intact(&r->pose) && guarded_intact(&r->model) && guarded_intact(&r->turned) &&
         guarded_intact(&r->local) && guarded_intact(&r->hips);
}
static void chain_close(chain_run *r) {
  guarded *all[] = {&r->pose, &r->model, &r->turned, &r->local, &r->hips};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) guarded_close(all[i]);
}

/* Frame 0 is the T-pose of both; what is between two bones is turned for every third one. */
static void chain_make(dice *d, const sinew_kernels *k, chain_run *r) {
  for (int i = 0; i < CHAIN * SINEW_BLOCK; i++) {
    double q[4];
    dice_quat(d, q);
    for (int c = 0; c < 4; c++)
      r->pose.values[i / SINEW_BLOCK * TRACK + c * SINEW_BLOCK + i % SINEW_BLOCK] = (float)q[c];
  }
  for (int j = 0; j < CHAIN; j++) {
    double between[4];
    dice_quat(d, between);
    r->joints[j] = (sinew_fk_joint){.parent = (int16_t)(j - 1),
                                    .slot = (uint16_t)j,
                                    .has_between = j > 0 && j % 3 == 0,
                                    .offset = {0, 0.1f, 0}};
    for (int c = 0; c < 4; c++) r->joints[j].between[c] = (float)between[c];
  }
  k->fk(&(sinew_fk_rig){CHAIN, r->joints}, r->pose.values, NULL, NULL, r->model.values);
  for (int j = 0; j < CHAIN; j++) {
    double tpose[4];
    lane(r->model.values + j * MODEL + 3 * SINEW_BLOCK, 4, 0, tpose);
    ref_quat_normalise(tpose);
    r->slots[j] = (sinew_delta_slot){
        .parent = (int16_t)(j - 1), .joint = {(int16_t)j, -1}, .has_between = r->joints[j].has_between};
    for (int c = 0; c < 4; c++) {
      r->slots[j].undo[0][c] = (float)(c < 3 ? -tpose[c] : tpose[c]);
      r->slots[j].stance[c] = (float)tpose[c];
      r->slots[j].between[c] = r->joints[j].between[c];
      r->slots[j].rest[c] = r->pose.values[j * TRACK + c * SINEW_BLOCK + 1];
    }
  }
}

static double length_off(const float *track, int f) {
  double q[4];
  lane(track, 4, f, q);
  return fabs(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1);
}

/* All bones follow their own joint: the pose comes back. Then all but the first rest: their frame 1 on every
 * frame. */
static void chain_compare(const sinew_kernels *k, chain_run *r) {
  const sinew_delta_rig rig = {.slot_count = CHAIN, .slots = r->slots, .ratio = 1};
  float *const hips = r->hips.values;
  for (int rests = 0; rests < 2; rests++) {
    for (int j = 1; j < CHAIN && rests; j++) r->slots[j].joint[0] = -1;
    k->delta(&rig, r->model.values, r->turned.values, r->local.values, hips, hips + 3 * SINEW_BLOCK,
             hips + 7 * SINEW_BLOCK);
    for (int i = 0; i < CHAIN * SINEW_BLOCK; i++) {
      const int j = i / SINEW_BLOCK, f = i % SINEW_BLOCK;
      double want[4], got[4];
      lane(r->pose.values + j * TRACK, 4, f, want);
      lane(r->local.values + j * TRACK, 4, f, got);
      if (!rests) larger(&r->back_rad, rad_between(want, got));
      if (!rests) larger(&r->length, length_off(r->local.values + j * TRACK, f));
      if (rests) larger(&r->rest_length, length_off(r->turned.values + j * TRACK, f));
    }
  }
}

void check_delta(const sinew_kernels *k, check *c) {
  delta_run r;
  chain_run chain;
  bool memory = open_all(&r);
  memory = chain_open(&chain) && memory;
  dice d = {59};
  for (int round = 0; round < 16 && memory; round++) {
    make(&d, &r);
    run(k, &r);
    compare(&r);
  }
  for (int round = 0; round < 4 && memory; round++) {
    chain_make(&d, k, &chain);
    chain_compare(k, &chain);
  }
  check_that(c, memory && r.rad <= 1e-6, "delta: local rotations off by %.1e of 1e-6 rad", r.rad);
  check_that(c, memory && r.root_rad <= 1e-6, "delta: rotations off by %.1e of 1e-6 rad", r.root_rad);
  check_that(c, memory && r.length <= 2e-7, "delta: length off by %.1e of 2e-7", r.length);
  check_that(c, memory && r.rests, "delta: what nothing moves rests, bit for bit");
  check_that(c, memory && r.place_m <= 2e-6, "delta: hips off by %.1e of 2e-6 m", r.place_m);
  check_that(c, memory && chain.back_rad <= 1e-6, "delta: a skeleton on itself: off by %.1e of 1e-6 rad",
             chain.back_rad);
  check_that(c, memory && fmax(chain.length, chain.rest_length) <= 2e-7,
             "delta: a long chain: length off by %.1e of 2e-7", fmax(chain.length, chain.rest_length));
  check_that(c, memory && all_intact(&r) && chain_intact(&chain), "delta: writes nothing beside its planes");
  close_all(&r);
  chain_close(&chain);
}
