/* The rules of sampling, one by one, on made motions. */
#include "base/heap.h"
#include "motion/plain_motion.h"
#include "motion/still_columns.h"
#include "readers/made_gltf.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EACH_ISA(k) for (uint32_t isa_ = 0; (k = sinew_kernels_available(isa_)); isa_++)

/* ---- made skeletons and rows -------------------------------------------------------------------------- */

enum { NODES = 4, CHANNELS = 11, MOST_ROWS = 200 };

/* A root with 6 channels, one that turns about two axes, one that does not move, one with a height and one
 * turn. */
static skeleton_node made_nodes[NODES] = {
    {.name = "root", .parent = -1, .t = {1, 2, 3}, .q = {0, 0, 0, 1}, .s = {1, 1, 1}},
    {.name = "two", .parent = 0, .t = {0, 10, 0}, .q = {0, 0, 0, 1}, .s = {1, 1, 1}},
    {.name = "still", .parent = 1, .t = {0, 20, -0.5}, .q = {0, 0.6, 0, 0.8}, .s = {1, 1, 1}},
    {.name = "height", .parent = 2, .t = {4, 5, 6}, .q = {0, 0, 0, 1}, .s = {1, 1, 1}}};
static const skeleton made_skeleton = {.name = "", .kind = "bvh", .nodes = made_nodes, .node_count = NODES};
static const motion_channel made_channels[CHANNELS] = {
    {0, MOTION_Z_ROTATION}, {0, MOTION_X_ROTATION}, {0, MOTION_X_POSITION}, {0, MOTION_Y_POSITION},
    {0, MOTION_Z_POSITION}, {0, MOTION_Y_ROTATION}, {1, MOTION_Y_ROTATION}, {1, MOTION_Z_ROTATION},
    {3, MOTION_Y_POSITION}, {3, MOTION_X_ROTATION}, {3, MOTION_X_ROTATION}};

static float made_rows[MOST_ROWS * CHANNELS];

static motion made_motion(uint64_t frame_count) {
  for (uint32_t i = 0; i < frame_count * CHANNELS; i++)
    made_rows[i] = (float)(120 * sin(0.37 * i) + 100 * cos(0.011 * i * i));
  return (motion){.name = "",
                  .rate_hz = 30,
                  .stop_s = frame_count ? (double)(frame_count - 1) / 30 : 0,
                  .frame_count = frame_count,
                  .channel_count = CHANNELS,
                  .channels = made_channels,
                  .rows = made_rows};
}

static float lane_of(const float *planes, uint32_t plane, uint32_t lane) {
  return planes[plane * SINEW_BLOCK + lane];
}

static bool same_lane(const sampled *a, uint32_t lane_a, const sampled *b, uint32_t lane_b) {
  for (uint32_t i = 0; i < a->plan.node_count * 4; i++)
    if (lane_of(a->local, i, lane_a) != lane_of(b->local, i, lane_b)) return false;
  for (uint32_t i = 0; i < a->plan.place_count * 3; i++)
    if (lane_of(a->places, i, lane_a) != lane_of(b->places, i, lane_b)) return false;
  return true;
}

static void expect_pose(const sampled *s, plain_pose pose, uint32_t node, uint32_t lane, double tolerance) {
  double t[3];
  const double apart = plain_turn_apart(&pose, s->local, node, lane);
  cr_expect(pose.doubtful || apart <= tolerance, "node %u, lane %u: turned %g off", node, lane, apart);
  sampled_place(s, node, lane, t);
  for (int i = 0; i < 3; i++) {
    const double wanted = (i == 0 ? -1 : 1) * s->plan.unit_m * pose.t[i];
    cr_expect_lt(fabs(t[i] - wanted), 1e-6 * fmax(1, fabs(wanted)), "node %u, lane %u: %g", node, lane, t[i]);
  }
}

/* ---- rows --------------------------------------------------------------------------------------------- */

Test(motion_rules, a_frame_is_its_row) {
  const sinew_kernels *k;
  EACH_ISA(k) {
    const motion m = made_motion(130);
    sampled s = sampled_open(k, &made_skeleton, &m, 1, 0);
    cr_assert(s.plan.frame_count == 130 && s.plan.rate_hz == 30);
    cr_assert(s.plan.place_count == 2 && s.plan.place_slot[0] == 0 && s.plan.place_slot[1] == 3);
    const bool turns[NODES] = {true, true, false, true};
    cr_expect_eq(memcmp(s.plan.turns, turns, sizeof turns), 0);
    cr_expect(s.plan.moves[0] && s.plan.moves[1]);
    for (uint32_t f = 0; f < 130; f++) {
      if (f % 64 == 0) sampled_load(&s, f / 64);
      const float *row = made_rows + f * CHANNELS;
      const uint32_t lane = f % 64;
      cr_expect(lane_of(s.places, 0, lane) == -row[2] && lane_of(s.places, 1, lane) == row[3] &&
                lane_of(s.places, 2, lane) == row[4]);
      cr_expect(lane_of(s.places, 3, lane) == -4 && lane_of(s.places, 4, lane) == row[8] &&
                lane_of(s.places, 5, lane) == 6);
      for (uint32_t node = 0; node < NODES; node++)
        expect_pose(&s, plain_at_row(&made_skeleton, &m, node, f), node, lane, 1e-6);
    }
    sampled_close(&s);
  }
}

/* Whatever rows stand beside a row, its frame has the same bits. */
Test(motion_rules, lanes_do_not_matter) {
  const sinew_kernels *k;
  EACH_ISA(k) {
    const motion m = made_motion(100);
    sampled all = sampled_open(k, &made_skeleton, &m, 0.01, 0);
    for (uint32_t f = 0; f < 99; f++) {
      motion two = m; /* two rows: one alone would not change */
      two.rows = made_rows + f * CHANNELS, two.frame_count = 2, two.stop_s = 1.0 / 30;
      sampled alone = sampled_open(k, &made_skeleton, &two, 0.01, 0);
      sampled_load(&all, f / 64);
      sampled_load(&alone, 0);
      cr_expect(same_lane(&all, f % 64, &alone, 0), "row %u", f);
      sampled_close(&alone);
    }
    sampled_close(&all);
  }
}

Test(motion_rules, blocks_end_with_their_last_frame) {
  static const uint32_t counts[] = {2, 63, 64, 65, 127, 128, 129};
  const sinew_kernels *k = sinew_kernels_available(0);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    for (int own = 0; own < 2; own++) {
      const motion m = made_motion(counts[i]);
      sampled s = sampled_open(k, &made_skeleton, &m, 1, own ? 0 : 29.999999999);
      cr_assert_eq(s.plan.frame_count, counts[i]);
      cr_assert_eq(s.plan.rows.own_rate, own == 1);
      const uint32_t last = counts[i] - 1;
      sampled_load(&s, last / 64);
      cr_expect_eq(lane_of(s.places, 1, last % 64), made_rows[last * CHANNELS + 3]);
      for (uint32_t lane = last % 64; lane < 64; lane++)
        cr_expect(same_lane(&s, lane, &s, last % 64), "%u frames: lane %u", counts[i], lane);
      sampled_close(&s);
    }
}

Test(motion_rules, other_rates_meet_the_rows) {
  const sinew_kernels *k;
  EACH_ISA(k) {
    const motion m = made_motion(61);
    sampled own = sampled_open(k, &made_skeleton, &m, 0.01, 0),
            twice = sampled_open(k, &made_skeleton, &m, 0.01, 60),
            third = sampled_open(k, &made_skeleton, &m, 0.01, 10);
    cr_assert(own.plan.frame_count == 61 && twice.plan.frame_count == 121 && third.plan.frame_count == 21);
    sampled_load(&own, 0), sampled_load(&third, 0);
    for (uint32_t f = 0; f < 61; f++) {
      if (2 * f % 64 == 0) sampled_load(&twice, 2 * f / 64);
      cr_expect(same_lane(&own, f, &twice, 2 * f % 64), "row %u at 60 Hz", f);
      if (f % 3 == 0) cr_expect(same_lane(&own, f, &third, f / 3), "row %u at 10 Hz", f);
      if (f == 60) break;
      const double time_s = (2 * f + 1) / 60.0;
      for (uint32_t node = 0; node < NODES; node++)
        expect_pose(&twice, plain_at(&made_skeleton, &m, node, time_s), node, (2 * f + 1) % 64, 2e-6);
    }
    sampled_close(&own), sampled_close(&twice), sampled_close(&third);
  }
}

/* 350 and 10 degrees lie 20 apart. */
Test(motion_rules, angles_are_not_blended) {
  const sinew_kernels *k;
  EACH_ISA(k) {
    motion m = made_motion(2);
    memset(made_rows, 0, sizeof made_rows);
    made_rows[1] = 350, made_rows[CHANNELS + 1] = 10;
    made_rows[6] = -170, made_rows[CHANNELS + 6] = 175;
    sampled s = sampled_open(k, &made_skeleton, &m, 1, 60);
    cr_assert_eq(s.plan.frame_count, 3);
    sampled_load(&s, 0);
    cr_expect_lt(fabsf(lane_of(s.local, 0, 1)), 1e-6F);
    cr_expect_gt(fabsf(lane_of(s.local, 3, 1)), 0.9999999F);
    const double half = (180 + 2.5) * M_PI / 360; /* about y, halfway between -170 = 190 and 175 */
    cr_expect_lt(fabs(fabs((double)lane_of(s.local, 4 + 1, 1)) - fabs(sin(half))), 1e-6);
    sampled_close(&s);
  }
}

Test(motion_rules, what_does_not_change) {
  const sinew_kernels *k = sinew_kernels_available(0);
  motion m = made_motion(100);
  for (uint32_t f = 0; f < 100; f++) {
    float *row = made_rows + f * CHANNELS;
    row[6] = 30, row[7] = -40;             /* two: turned, still */
    row[3] = f % 2 ? 0.0F : -0.0F;         /* no height of the root */
    row[8] = 7, row[9] = 10, row[10] = 20; /* the last: 30 degrees about x */
  }
  sampled s = sampled_open(k, &made_skeleton, &m, 2, 0);
  const bool turns[NODES] = {true, false, false, false};
  cr_expect_eq(memcmp(s.plan.turns, turns, sizeof turns), 0);
  cr_expect(s.plan.moves[0] && !s.plan.moves[1]);
  cr_expect_eq(s.plan.rows.coordinate_count, 2);
  cr_expect_eq(s.plan.rows.columns_count, 1);
  for (uint32_t block = 0; block < 2; block++) {
    sampled_load(&s, block);
    for (uint32_t node = 0; node < NODES; node++)
      expect_pose(&s, plain_at_row(&made_skeleton, &m, node, block * 64 + 5), node, 5, 1e-6);
  }
  made_rows[99 * CHANNELS + 7] = -40.00001F;
  sampled_close(&s);
  s = sampled_open(k, &made_skeleton, &m, 2, 0);
  cr_expect(s.plan.turns[1], "the last row differs");
  sampled_close(&s);
}

/* Columns found still against a plain look at each, for widths around the groups'. */
Test(motion_rules, still_columns) {
  enum { ROWS = 150, WIDEST = 40 };
  float *rows = malloc(ROWS * WIDEST * sizeof *rows);
  for (uint32_t width = 1; width <= WIDEST; width++)
    for (uint32_t change = 0; change < ROWS; change += 13) {
      bool still[WIDEST];
      arena memory = {0};
      float *end = rows + ROWS * WIDEST - ROWS * width; /* their end is the end of the memory */
      for (uint32_t i = 0; i < ROWS * width; i++) end[i] = (float)(i % width);
      for (uint32_t c = 0; c < width; c += 3) end[change * width + c] = -1;
      cr_assert(still_columns_find(end, ROWS, width, &memory, still));
      for (uint32_t c = 0; c < width; c++) cr_expect_eq(still[c], c % 3 != 0, "column %u of %u", c, width);
      arena_release(&memory);
    }
  free(rows);
}

Test(motion_rules, nothing_to_follow) {
  const sinew_kernels *k = sinew_kernels_available(0);
  const motion none = made_motion(0);
  const motion *const motions[] = {NULL, &none};
  for (int i = 0; i < 2; i++) {
    sampled s = sampled_open(k, &made_skeleton, motions[i], 0.5, 0);
    cr_expect_eq(s.plan.frame_count, 1);
    cr_expect_eq(s.plan.rate_hz, 30);
    cr_expect_eq(s.plan.place_count, i == 0 ? 0 : 2);
    sampled_load(&s, 0);
    for (uint32_t node = 0; node < NODES; node++)
      expect_pose(&s, plain_at(&made_skeleton, NULL, node, 0), node, 63, 1e-6);
    sampled_close(&s);
  }
}

Test(motion_rules, rest_from_elsewhere) {
  const sinew_kernels *k = sinew_kernels_available(0);
  const motion m = made_motion(3);
  const double rest_t[NODES][3] = {{9, 9, 9}, {8, 8, 8}, {7, 7, 7}, {6, 6, 6}};
  const double rest_q[NODES][4] = {{0, 0, 1, 0}, {0, 0, 1, 0}, {0.48, 0.64, 0, 0.6}, {0, 0, 1, 0}};
  const uint32_t nodes[] = {0, 2, 3};
  motion_plan plan;
  sinew_error error;
  cr_assert_eq(motion_plan_build(k, &made_skeleton, rest_t, rest_q, &m, nodes, 3, 1, 0, &plan, &error),
               SINEW_OK);
  cr_expect(plan.turns[0] && !plan.turns[1] && plan.turns[2]);
  cr_expect(plan.fixed_q[1][0] == 0.48F && plan.fixed_q[1][1] == -0.64F && plan.fixed_q[1][3] == 0.6F);
  cr_assert_eq(plan.place_count, 2);
  cr_expect(plan.fixed_t[1][0] == -6 && plan.fixed_t[1][2] == 6, "channels state the height alone");
  motion_plan_release(&plan);
}

/* Some nodes in another order have what they have among all. */
Test(motion_rules, a_few_nodes) {
  const sinew_kernels *k = sinew_kernels_available(0);
  const motion m = made_motion(70);
  const uint32_t nodes[] = {3, 1};
  sampled all = sampled_open(k, &made_skeleton, &m, 1, 0), few = sampled_open(k, &made_skeleton, &m, 1, 0);
  motion_plan_release(&few.plan);
  cr_assert_eq(motion_plan_build(k, &made_skeleton, NULL, NULL, &m, nodes, 2, 1, 0, &few.plan, NULL),
               SINEW_OK);
  motion_block_begin(&few.plan, few.local, few.places);
  sampled_load(&all, 1), sampled_load(&few, 1);
  cr_expect_eq(memcmp(few.local, all.local + 3 * 256, 1024), 0);
  cr_expect_eq(memcmp(few.local + 256, all.local + 256, 1024), 0);
  cr_expect_eq(memcmp(few.places, all.places + 192, 768), 0);
  sampled_close(&all), sampled_close(&few);
}

/* ---- tracks ------------------------------------------------------------------------------------------- */

enum { KEYS = 5 };
static const float key_times[KEYS] = {0.25F, 0.5F, 0.6F, 1.0F, 1.1F};

/* Rotations of any length, two of them nearly half a turn apart, one with the other sign. */
static const float turn_keys[KEYS][4] = {
    {0, 0, 0, 1}, {0, 0.6F, 0, -0.8F}, {0, 1.2F, 0, 1.6F}, {0.5F, 0.5F, 0.5F, 0.5F}, {0.7F, 0, 0, 0.1F}};
static const float move_keys[KEYS][3] = {
    {1, 2, 3}, {4, 5, 6}, {-7, 0.1F, 9}, {-7, 0.1F, 9}, {100, -3, 1e-3F}};

static void fill_spline(const float *keys, uint32_t width, float *spline) {
  for (uint32_t k = 0; k < KEYS; k++)
    for (uint32_t i = 0; i < width; i++) {
      float *key = spline + k * 3 * width + i;
      key[0] = 0.4F * (float)sin(3 * k + i), key[width] = keys[k * width + i];
      key[2 * width] = 0.7F * (float)cos(5 * k + 2 * i);
    }
}

static float turn_spline[KEYS * 12], move_spline[KEYS * 9];

static void make_tracks(motion_interpolation way, motion_track tracks[2], motion *m) {
  fill_spline(turn_keys[0], 4, turn_spline), fill_spline(move_keys[0], 3, move_spline);
  tracks[0] = (motion_track){1,    MOTION_ROTATION, way,
                             KEYS, key_times,       way == MOTION_CUBIC ? turn_spline : turn_keys[0]};
  tracks[1] = (motion_track){3,    MOTION_TRANSLATION, way,
                             KEYS, key_times,          way == MOTION_CUBIC ? move_spline : move_keys[0]};
  *m = (motion){.name = "", .start_s = 0, .stop_s = 1.5, .track_count = 2, .tracks = tracks};
}

Test(motion_rules, three_ways_between_keys) {
  const sinew_kernels *k;
  EACH_ISA(k) for (int way = 0; way < 3; way++) for (double rate_hz = 7; rate_hz < 1000; rate_hz *= 3.3) {
    motion_track tracks[2];
    motion m;
    make_tracks((motion_interpolation)way, tracks, &m);
    sampled s = sampled_open(k, &made_skeleton, &m, 0.25, rate_hz);
    cr_assert(s.plan.turns[1] && s.plan.place_count == 1 && s.plan.moves[0]);
    for (uint64_t f = 0; f < s.plan.frame_count; f++) {
      const double time_s = f + 1 == s.plan.frame_count ? 1.5 : (double)f / rate_hz;
      if (f % 64 == 0) sampled_load(&s, f / 64);
      for (uint32_t node = 0; node < NODES; node++)
        expect_pose(&s, plain_at(&made_skeleton, &m, node, time_s), node, f % 64, 2e-6);
    }
    sampled_close(&s);
  }
}

/* Frames at keys, a little beside them as rounding leaves it, before the first and after the last. */
Test(motion_rules, keys_are_met) {
  const sinew_kernels *k;
  EACH_ISA(k) for (int way = 0; way < 3; way++) for (int beside = -1; beside <= 1; beside++) {
    motion_track tracks[2];
    motion m;
    make_tracks((motion_interpolation)way, tracks, &m);
    for (uint32_t key = 0; key < KEYS; key++) {
      const double time_s = (double)key_times[key] * (1 + beside * 0x1p-24);
      m.start_s = time_s, m.stop_s = 3;
      sampled s = sampled_open(k, &made_skeleton, &m, 1, 0.3);
      sampled_load(&s, 0);
      for (uint32_t i = 0; i < 3; i++)
        cr_expect_eq(lane_of(s.places, i, 0), (i == 0 ? -1 : 1) * move_keys[key][i], "way %d, key %u", way,
                     key);
      const plain_pose pose = plain_at(&made_skeleton, &m, 1, (double)key_times[key]);
      expect_pose(&s, pose, 1, 0, 1e-6);
      cr_expect_eq(lane_of(s.places, 1, 63), move_keys[KEYS - 1][1], "the last holds");
      sampled_close(&s);
    }
  }
}

Test(motion_rules, keys_of_any_length) {
  static const float lengths[] = {1e-30F, 1e-12F, 0.3F, 1.9F, 1e15F, 3e38F};
  const sinew_kernels *k;
  EACH_ISA(k) for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    float keys[KEYS][4];
    motion_track track = {1, MOTION_ROTATION, MOTION_LINEAR, KEYS, key_times, keys[0]};
    const motion m = {.name = "", .stop_s = 1.5, .track_count = 1, .tracks = &track};
    for (uint32_t key = 0; key < KEYS; key++)
      for (uint32_t c = 0; c < 4; c++) keys[key][c] = turn_keys[key][c] * (key % 2 ? lengths[i] : 1) / 2;
    sampled s = sampled_open(k, &made_skeleton, &m, 1, 40);
    sampled_load(&s, 0);
    for (uint32_t f = 0; f < 60; f++) expect_pose(&s, plain_at(&made_skeleton, &m, 1, f / 40.0), 1, f, 2e-6);
    sampled_close(&s);
  }
}

Test(motion_rules, still_tracks) {
  const sinew_kernels *k = sinew_kernels_available(0);
  float turns[KEYS * 12], moves[KEYS * 3], scales[2 * 3] = {1, 1, 1, 1, 1, 1.00001F};
  motion_track tracks[] = {{1, MOTION_ROTATION, MOTION_CUBIC, KEYS, key_times, turns},
                           {2, MOTION_TRANSLATION, MOTION_LINEAR, KEYS, key_times, moves},
                           {0, MOTION_SCALE, MOTION_LINEAR, 2, key_times, scales}};
  motion m = {.name = "", .start_s = 0.25, .stop_s = 1.1, .track_count = 3, .tracks = tracks};
  memset(turns, 0, sizeof turns);
  for (uint32_t key = 0; key < KEYS; key++) {
    turns[key * 12 + 4 + 2] = -3, turns[key * 12 + 4 + 3] = 4;
    moves[key * 3] = 1, moves[key * 3 + 1] = 0, moves[key * 3 + 2] = -2;
  }
  sampled s = sampled_open(k, &made_skeleton, &m, 10, 0);
  cr_expect(!s.plan.turns[1] && s.plan.place_count == 1 && !s.plan.moves[0] && s.plan.scaled_count == 0);
  cr_expect_eq(s.plan.tracks.times_count, 0);
  sampled_load(&s, 0);
  cr_expect(lane_of(s.local, 4 + 2, 9) == 0.6F && lane_of(s.local, 4 + 3, 9) == 0.8F);
  cr_expect(lane_of(s.places, 0, 9) == -10 && lane_of(s.places, 2, 9) == -20);
  sampled_close(&s);
  turns[8] = 0.1F; /* a tangent leaves the first key */
  scales[5] = 1.01F;
  s = sampled_open(k, &made_skeleton, &m, 10, 0);
  cr_expect(s.plan.turns[1] && s.plan.scaled_count == 1 && s.plan.scaled_nodes[0] == 0);
  sampled_close(&s);
}

/* Normalised integers, STEP and a sparse list, from a file. */
Test(motion_rules, a_made_file) {
  const sinew_kernels *k;
  EACH_ISA(k) {
    motion_file *file = gltf_open(gltf_but(NULL, NULL));
    for (uint32_t i = 0; i < file->motion_count; i++) {
      const motion *m = &file->motions[i];
      sampled s = sampled_open(k, file->skeleton, m, 1, 29);
      cr_expect_eq(s.plan.scaled_count, i == 0, "the walk scales the tail");
      sampled_load(&s, 0);
      for (uint32_t f = 0; f < s.plan.frame_count - 1; f++)
        for (uint32_t node = 0; node < file->skeleton->node_count; node++)
          expect_pose(&s, plain_at(file->skeleton, m, node, f / 29.0), node, f, 2e-6);
      sampled_close(&s);
    }
    motion_file_close(file);
  }
}

/* Any times, shuffled: each has the bits that it has among the frames. */
Test(motion_rules, times_in_any_order) {
  const sinew_kernels *k;
  EACH_ISA(k) for (int way = 0; way < 4; way++) {
    motion_track tracks[2];
    motion m = made_motion(100);
    if (way < 3) make_tracks((motion_interpolation)way, tracks, &m);
    sampled frames = sampled_open(k, &made_skeleton, &m, 1, 40),
            apart = sampled_open(k, &made_skeleton, &m, 1, 40);
    double time_s[SINEW_BLOCK];
    cr_assert_geq(frames.plan.frame_count, 60);
    for (uint32_t i = 0; i < SINEW_BLOCK; i++) time_s[i] = m.start_s + (i * 37 % 59) / 40.0;
    sampled_load(&frames, 0);
    motion_block_at(&apart.plan, time_s, apart.scratch, apart.local, apart.places);
    for (uint32_t i = 0; i < SINEW_BLOCK; i++)
      cr_expect(same_lane(&apart, i, &frames, i * 37 % 59), "way %d, time %u", way, i);
    sampled_close(&frames), sampled_close(&apart);
  }
}

/* ---- refusals ----------------------------------------------------------------------------------------- */

static sinew_result build(const motion *m, const uint32_t *nodes, uint32_t node_count, double rate_hz,
                          sinew_error *error) {
  motion_plan plan;
  const sinew_result result = motion_plan_build(sinew_kernels_available(0), &made_skeleton, NULL, NULL, m,
                                                nodes, node_count, 1, rate_hz, &plan, error);
  cr_expect(result == SINEW_OK || plan.memory.chunks == NULL);
  motion_plan_release(&plan);
  return result;
}

Test(motion_rules, refusals) {
  const motion m = made_motion(3);
  const uint32_t good[] = {0, 1, 2, 3}, twice[] = {0, 2, 2}, beyond[] = {0, NODES};
  sinew_error error;
  cr_expect_eq(build(&m, good, 4, 0, &error), SINEW_OK);
  cr_expect_eq(build(&m, good, 0, 0, &error), SINEW_OK, "nobody is followed");
  cr_expect_eq(build(&m, twice, 3, 0, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_eq(build(&m, beyond, 2, 0, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_eq(build(&m, good, 4, -1, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_eq(build(&m, good, 4, (double)NAN, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_eq(build(&m, good, 4, (double)INFINITY, &error), SINEW_ERROR_ARGUMENT);
  motion_track tracks[2];
  motion spline;
  make_tracks(MOTION_CUBIC, tracks, &spline);
  turn_spline[30] = 1e12F;
  cr_expect_eq(build(&spline, good, 4, 0, &error), SINEW_ERROR_POSE);
  cr_expect(strstr(error.message, "the rotation of node 1 has a spline with the number"), "%s",
            error.message);
}

static int allowed;
static int permit(size_t byte_count) {
  (void)byte_count;
  return allowed-- > 0;
}

Test(motion_rules, no_memory) {
  const uint32_t nodes[] = {0, 1, 2, 3};
  motion_track tracks[2];
  motion motions[2];
  motions[0] = made_motion(3);
  make_tracks(MOTION_LINEAR, tracks, &motions[1]);
  for (int i = 0; i < 2; i++) {
    int failures = 0;
    sinew_result result;
    do {
      sinew_error error;
      allowed = failures;
      heap_permit = permit;
      result = build(&motions[i], nodes, 4, 0, &error);
      heap_permit = NULL;
      cr_assert(result == SINEW_OK || result == SINEW_ERROR_MEMORY);
      failures += result != SINEW_OK;
    } while (result != SINEW_OK && failures < 100);
    cr_expect(failures > 0 && failures < 100);
  }
}
