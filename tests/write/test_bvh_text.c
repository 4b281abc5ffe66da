/* BVH text as our reader and plain matrices have it, against the nodes it was made of. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "oracle/bvh_pose.h"
#include "rig/quat.h"
#include "rig/synthetic.h"
#include "support/data.h"
#include "write/bvh_body.h"

/* Of the body: float32 angles, in the planes and as they are read back, are off by up to 1e-6 rad each. */
static const double tolerance = 1e-6;

static motion_file *read_back(const text_out *text) {
  motion_file *file;
  sinew_error error = {0};
  cr_assert(!text->failed);
  cr_assert_eq(read_motion_memory(text->bytes, text->byte_count, "written.bvh", NULL, &file, &error),
               SINEW_OK, "line %u: %s", error.line, error.message);
  return file;
}

/* How far the file's joints are from the nodes, as a share of the body. */
static double compare(const bvh_body *body, const bvh_plan *plan, double unit, double height_m,
                      const motion_file *file) {
  const skeleton *s = file->skeleton;
  double(*places)[3] = calloc(s->node_count, sizeof *places), worst = 0;
  cr_assert_eq(file->motions->frame_count, plan->frame_count);
  cr_assert_eq(file->motions->channel_count, plan->channel_count);
  for (uint32_t frame = 0; frame < plan->frame_count; frame++) {
    bvh_places(file, frame, places);
    uint32_t joint = 0;
    for (uint32_t i = 0; i < s->node_count; i++) {
      if (!s->nodes[i].is_joint) continue;
      const bvh_joint *j = &plan->joints[joint++];
      double want[3] = {0, 0, 0};
      if (j->node != UINT32_MAX) bvh_body_place(body, j->node, frame, unit, want);
      for (int k = 0; k < 3; k++) worst = fmax(worst, fabs(places[i][k] - want[k]) / (unit * height_m));
    }
    cr_assert_eq(joint, plan->joint_count);
  }
  free(places);
  return worst;
}

static double run(const sinew_rig *rig, const char *order, bool metres, bool tpose, uint32_t moving) {
  bvh_body body;
  bvh_plan plan;
  text_out text = {0};
  sinew_error error = {0};
  const bvh_options options = {.order = order, .metres = metres};
  bvh_body_of_rig(rig, tpose, moving, 5, &body);
  cr_assert_eq(bvh_plan_build(sinew_kernels_available(0), &body.source, &options, &plan, &error), SINEW_OK,
               "%s", error.message);
  bvh_body_write(&body, &plan, SINEW_BLOCK, &text);
  motion_file *file = read_back(&text);
  cr_expect_eq(file->motions->rate_hz, 30);
  const double worst = compare(&body, &plan, metres ? 1 : 100, rig->height_m, file);
  motion_file_close(file);
  text_out_release(&text);
  bvh_plan_release(&plan);
  return worst;
}

static sinew_rig *open_rig(const char *path) {
  sinew_rig *rig;
  sinew_error error;
  return sinew_rig_open(path, NULL, &rig, &error) == SINEW_OK ? rig : NULL;
}

static uint32_t compare_folder(const char *folder, const char *suffix) {
  static const char *const orders[] = {"XYZ", "XZY", "YXZ", "YZX", "zxy", "ZYX", NULL};
  size_t count;
  uint32_t compared = 0;
  char **paths = test_data_list(folder, suffix, &count);
  for (size_t i = 0; i < count; i++) {
    sinew_rig *rig = open_rig(paths[i]);
    if (!rig) continue;
    for (int turn = 0; turn < 4; turn++) {
      const double worst = run(rig, orders[(i + (size_t)turn) % 7], turn % 2, turn / 2, turn == 3 ? 4 : 0);
      cr_expect(worst <= tolerance, "%s, way %d: off by %g of the body", paths[i], turn, worst);
    }
    compared++;
    sinew_rig_close(rig);
  }
  return compared;
}

Test(bvh_text, rigs_read_back) {
  NEED_DATA();
  cr_expect_geq(compare_folder("rigs", ".glb"), 5);
  cr_expect_geq(compare_folder("rigs", ".vrm"), 4);
  cr_expect_geq(compare_folder("humanoid/metas", ".meta"), 6);
}

Test(bvh_text, orders_units_and_rests) {
  static const char *const orders[] = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", NULL};
  NEED_DATA();
  sinew_rig *rig = open_rig(test_data("rigs/saturday06_Example.vrm"));
  cr_assert(rig);
  for (int i = 0; i < 28; i++) {
    const double worst = run(rig, orders[i / 4], i % 2, i % 4 / 2, 0);
    cr_expect(worst <= tolerance, "way %d: off by %g of the body", i, worst);
  }
  sinew_rig_close(rig);
}

/* ---- small hierarchies -------------------------------------------------------------------------------- */

typedef struct small {
  rig_node nodes[5];
  int32_t none[5];
  bvh_source source;
} small;

static void make_small(small *s) {
  static const char *const names[5] = {"Hips", "left arm", "left\tarm", "", "\xc3\xa4rm {1}"};
  static const int32_t parents[5] = {-1, 0, 0, 1, -1};
  *s = (small){.none = {-1, -1, -1, -1, -1}};
  for (int i = 0; i < 5; i++)
    s->nodes[i] = (rig_node){
        .name = names[i], .parent = parents[i], .t = {0.25 * i, 1, 0}, .q = {0, 0, 0, 1}, .s = {1, 1, 1}};
  s->source = (bvh_source){.nodes = s->nodes,
                           .node_count = 5,
                           .slot_of_node = s->none,
                           .place_of_node = s->none,
                           .rate_hz = 30,
                           .frame_count = 1};
}

static void write_small(const small *s, const bvh_options *options, text_out *text) {
  bvh_plan plan;
  sinew_error error = {0};
  float planes[64 * SINEW_BLOCK];
  cr_assert_eq(bvh_plan_build(sinew_kernels_available(0), &s->source, options, &plan, &error), SINEW_OK, "%s",
               error.message);
  cr_assert_leq(plan.channel_count, 64);
  bvh_planes_begin(&plan, planes);
  bvh_head(&plan, text);
  bvh_lines(&plan, planes, 1, text);
  bvh_plan_release(&plan);
}

Test(bvh_text, two_roots_names_and_end_sites) {
  static const char want[] = "HIERARCHY\n"
                             "ROOT Root\n"
                             "{\n"
                             "\tOFFSET 0.000000 0.000000 0.000000\n"
                             "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                             "\tJOINT Hips\n"
                             "\t{\n"
                             "\t\tOFFSET 0.000000 100.000000 0.000000\n"
                             "\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
                             "\t\tJOINT left_arm\n"
                             "\t\t{\n"
                             "\t\t\tOFFSET -25.000000 100.000000 0.000000\n"
                             "\t\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
                             "\t\t\tEnd Site\n"
                             "\t\t\t{\n"
                             "\t\t\t\tOFFSET -75.000000 100.000000 0.000000\n"
                             "\t\t\t}\n"
                             "\t\t}\n"
                             "\t\tJOINT left_arm_2\n"
                             "\t\t{\n"
                             "\t\t\tOFFSET -50.000000 100.000000 0.000000\n"
                             "\t\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
                             "\t\t\tEnd Site\n"
                             "\t\t\t{\n"
                             "\t\t\t\tOFFSET 0.000000 5.000000 0.000000\n"
                             "\t\t\t}\n"
                             "\t\t}\n"
                             "\t}\n"
                             "\tJOINT \xc3\xa4rm__1_\n"
                             "\t{\n"
                             "\t\tOFFSET -100.000000 100.000000 0.000000\n"
                             "\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
                             "\t\tEnd Site\n"
                             "\t\t{\n"
                             "\t\t\tOFFSET 0.000000 -20.000000 0.000000\n"
                             "\t\t}\n"
                             "\t}\n"
                             "}\n"
                             "MOTION\n"
                             "Frames: 1\n"
                             "Frame Time: 0.03333333333333333\n";
  static const double tip[5][3] = {{0}, {0}, {0, 0.05, 0}, {0}, {0, -0.2, 0}};
  small s;
  text_out text = {0};
  make_small(&s);
  s.source.tip = tip;
  write_small(&s, NULL, &text);
  cr_assert(!text.failed);
  const size_t head = sizeof want - 1;
  cr_assert_geq(text.byte_count, head);
  cr_expect(memcmp(text.bytes, want, head) == 0, "%.*s", (int)text.byte_count, text.bytes);
  cr_expect_eq(text.byte_count - head, 18 * 9, "%.*s", (int)(text.byte_count - head), text.bytes + head);
  motion_file *file = read_back(&text);
  cr_expect_eq(file->skeleton->node_count, 8);
  motion_file_close(file);
  text_out_release(&text);
}

Test(bvh_text, names_of_the_nameless) {
  const char *names[] = {"", "a b", "", "a_b"};
  arena memory = {0};
  cr_assert_eq(bvh_make_names(names, 4, &memory, NULL), SINEW_OK);
  cr_expect_str_eq(names[0], "joint");
  cr_expect_str_eq(names[1], "a_b");
  cr_expect_str_eq(names[2], "joint_2");
  cr_expect_str_eq(names[3], "a_b_2");
  arena_release(&memory);
}

Test(bvh_text, rates) {
  static const double rates[] = {
      1e-5, 0.25, 0.5, 1,   2,   10,  12.5, 23.976, 24,     25,  29.97, 30,  48,  59.94,          60,
      72,   90,   100, 120, 144, 240, 250,  333.3,  30.003, 500, 1000,  1e4, 1e5, 30000.0 / 1001, 1e6};
  small s;
  make_small(&s);
  for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
    text_out text = {0};
    s.source.rate_hz = rates[i];
    write_small(&s, NULL, &text);
    motion_file *file = read_back(&text);
    const double got = file->motions->rate_hz;
    if (rates[i] >= 1 && rates[i] == floor(rates[i]))
      cr_expect_eq(got, rates[i], "%.17g read as %.17g", rates[i], got);
    else
      cr_expect_leq(fabs(got / rates[i] - 1), 0x1p-51, "%.17g read as %.17g", rates[i], got);
    motion_file_close(file);
    text_out_release(&text);
  }
}

Test(bvh_text, refusals) {
  static const char *const orders[] = {"", "XY", "XXY", "XYZX", "XYW", "xyz "};
  small s;
  bvh_plan plan;
  sinew_error error;
  make_small(&s);
  const sinew_kernels *k = sinew_kernels_available(0);
  for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
    const bvh_options options = {.order = orders[i]};
    cr_expect_eq(bvh_plan_build(k, &s.source, &options, &plan, &error), SINEW_ERROR_ARGUMENT, "%s",
                 orders[i]);
  }
  s.source.rate_hz = 0;
  cr_expect_eq(bvh_plan_build(k, &s.source, NULL, &plan, &error), SINEW_ERROR_ARGUMENT);
  s.source.rate_hz = (double)NAN;
  cr_expect_eq(bvh_plan_build(k, &s.source, NULL, &plan, &error), SINEW_ERROR_ARGUMENT);
  s.source.rate_hz = 30, s.source.frame_count = 0;
  cr_expect_eq(bvh_plan_build(k, &s.source, NULL, &plan, &error), SINEW_ERROR_ARGUMENT);
  s.source.frame_count = 1, s.none[1] = 65536;
  cr_expect_eq(bvh_plan_build(k, &s.source, NULL, &plan, &error), SINEW_ERROR_LIMIT);
  s.none[1] = -1, s.nodes[2].t[1] = 1.1e7; /* metres: centimetres in the file */
  cr_expect_eq(bvh_plan_build(k, &s.source, NULL, &plan, &error), SINEW_ERROR_LIMIT);
  cr_expect(strstr(error.message, "the limit is 1e+09"), "%s", error.message);
}

/* Every number as number_print_fixed has it. */
static void expect_numbers(bool metres, unsigned seed) {
  static const float awkward[] = {0,      -0.0f,      1e-9f,   -4e-7f,   5e-7f,    -5e-7f, 0x1p-21f,
                                  1.5f,   0.0078125f, -0.5f,   99.9999f, 180,      -180,   99999.9f,
                                  1e9f,   6.8e10f,    6.9e10f, -7e10f,   2.2e-16f, 1e20f,  -3e38f,
                                  1e-40f, 1e-8f,      5e-9f,   0x1p-27f};
  small s;
  bvh_plan plan;
  sinew_error error;
  text_out text = {0};
  float planes[64 * SINEW_BLOCK];
  make_small(&s);
  const bvh_options options = {.metres = metres};
  cr_assert_eq(bvh_plan_build(sinew_kernels_available(0), &s.source, &options, &plan, &error), SINEW_OK);
  for (size_t i = 0; i < plan.channel_count * (size_t)SINEW_BLOCK; i++) {
    const double reach = pow(10, 6 * synthetic_random(&seed));
    planes[i] =
        i < sizeof awkward / sizeof awkward[0] ? awkward[i] : (float)(reach * synthetic_random(&seed));
  }
  bvh_lines(&plan, planes, SINEW_BLOCK, &text);
  const char *at = text.bytes;
  for (int f = 0; f < SINEW_BLOCK; f++)
    for (uint32_t c = 0; c < plan.channel_count; c++) {
      char want[NUMBER_PRINT_BYTES + 1];
      const double value = (double)planes[c * SINEW_BLOCK + (uint32_t)f];
      size_t length = number_print_fixed(want, value, c < 3 && metres ? 8 : 6);
      want[length++] = c + 1 < plan.channel_count ? ' ' : '\n';
      cr_assert(memcmp(at, want, length) == 0, "%.*s, wanted %.*s", (int)length, at, (int)length, want);
      at += length;
    }
  cr_expect_eq(at, text.bytes + text.byte_count);
  text_out_release(&text);
  bvh_plan_release(&plan);
}

Test(bvh_text, numbers) {
  for (unsigned seed = 1; seed < 200; seed++) expect_numbers(seed % 2, seed);
}

/* ---- memory ------------------------------------------------------------------------------------------- */

static int blocks_left;
static int permit(size_t byte_count) {
  (void)byte_count;
  return blocks_left-- > 0;
}

Test(bvh_text, every_allocation_fails_in_turn) {
  small s;
  make_small(&s);
  sinew_result result = SINEW_ERROR_MEMORY;
  int blocks = 0;
  for (; result != SINEW_OK && blocks < 100; blocks++) {
    bvh_plan plan;
    text_out text = {0};
    sinew_error error = {0};
    float planes[64 * SINEW_BLOCK];
    blocks_left = blocks;
    heap_permit = permit;
    result = bvh_plan_build(sinew_kernels_available(0), &s.source, NULL, &plan, &error);
    if (result == SINEW_OK) {
      bvh_planes_begin(&plan, planes);
      bvh_head(&plan, &text);
      bvh_lines(&plan, planes, 1, &text);
      result = text.failed ? SINEW_ERROR_MEMORY : SINEW_OK;
      bvh_plan_release(&plan);
    }
    heap_permit = NULL;
    text_out_release(&text);
    cr_expect(result == SINEW_OK || result == SINEW_ERROR_MEMORY, "%d: %s", blocks, error.message);
  }
  cr_expect_eq(result, SINEW_OK);
  cr_expect_geq(blocks, 3);
}

Test(bvh_text, many_names_alike) {
  enum { COUNT = 20000 };
  static const char *names[COUNT];
  arena memory = {0};
  sinew_error error;
  char *longest = malloc(5000);
  memset(longest, 'a', 4999);
  longest[4999] = 0;
  for (int i = 0; i < COUNT; i++) names[i] = i % 3 == 0 ? "a b" : i % 3 == 1 ? longest : "a_b_7";
  cr_assert_eq(bvh_make_names(names, COUNT, &memory, &error), SINEW_OK);
  cr_expect_str_eq(names[0], "a_b");
  cr_expect_str_eq(names[2], "a_b_7");
  cr_expect_str_eq(names[3], "a_b_2");
  cr_expect_str_eq(names[5], "a_b_7_2");
  cr_expect_str_eq(names[18], "a_b_8"); /* the seventh of its name: 7 is taken */
  cr_expect_lt(strlen(names[COUNT - 1]), 1100);
  arena_release(&memory);
  free(longest);
}
