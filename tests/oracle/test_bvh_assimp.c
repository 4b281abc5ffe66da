/* Joints of the BVH files beside the project and of such as are written: as our reader gives them, and as
 * assimp does. */
#include <assimp/cimport.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/assimp_pose.h"
#include "oracle/bvh_pose.h"
#include "support/bake.h"
#include "support/data.h"
#include "write/bvh_body.h"

/* assimp counts in single precision, 6e-8 a step: what its angles lose grows along the bones, what its places
 * lose with their distance from the origin. A share of both together. */
static const double tolerance = 3e-7;

enum { FRAMES_COMPARED = 10 };

typedef enum agreement {
  COMPARED,
  WE_REFUSE,      /* whatever assimp makes of it */
  ASSIMP_REFUSES, /* where it does not, it is compared */
  ASSIMP_ERRS,
  NO_FRAMES
} agreement;

/* Files that are not compared as the others are, each with the reason. */
static const struct odd_file {
  const char *name;
  agreement agreement;
  double times_tolerance;
  const char *reason;
} odd_files[] = {
    {"mochi-neko_results", WE_REFUSE, 1, "it holds nan"},
    {"04_root_position_only", ASSIMP_ERRS, 1,
     "assimp drops the positions of a joint that has not six channels"},
    {"11_utf8_bom", ASSIMP_REFUSES, 1, "assimp wants HIERARCHY without a byte order mark"},
    {"14_missing_frame_time", ASSIMP_REFUSES, 1, "assimp wants a Frame Time"},
    {"16_fewer_frames_than_declared", ASSIMP_REFUSES, 1, "assimp wants as many rows as are stated"},
    {"18_frames_zero", NO_FRAMES, 1, "it has no frames"},
    {"19_no_motion_section", ASSIMP_REFUSES, 1, "assimp wants a movement"},
    {"25_end_site_lower_case", ASSIMP_REFUSES, 1, "assimp wants its words in capitals"},
    {"31_nan_inf", WE_REFUSE, 1, "it holds nan"},
    {"33_frame_time_zero", WE_REFUSE, 1, "its frames take no time"},
    {"37_large_angles", COMPARED, 10, "single precision turns thousands of degrees less exactly"},
    {"38_depth_2000", WE_REFUSE, 1, "it is deeper than the limit"},
    {"40_channels_count_mismatch", WE_REFUSE, 1, "it states other channels than it names"},
    {"41_empty", WE_REFUSE, 1, "it is empty"},
    {"42_binary", WE_REFUSE, 1, "it is no text"},
    {"45_missing_frame_count_word", ASSIMP_REFUSES, 1, "assimp wants a blank behind the colon"},
};

static const struct odd_file *find_odd(const char *name) {
  static const struct odd_file usual = {.agreement = COMPARED, .times_tolerance = 1};
  for (size_t i = 0; i < sizeof odd_files / sizeof *odd_files; i++) {
    const size_t length = strlen(odd_files[i].name);
    if (strncmp(name, odd_files[i].name, length) == 0 && strcmp(name + length, ".bvh") == 0)
      return &odd_files[i];
  }
  return &usual;
}

/* ---- frames ------------------------------------------------------------------------------------------- */

static double apart(double (*a)[3], double (*b)[3], uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++)
      if (!(fabs(a[i][k] - b[i][k]) <= most)) most = fabs(a[i][k] - b[i][k]);
  return most;
}

static double farthest(double (*places)[3], uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) most = fmax(most, fabs(places[i][k]));
  return most;
}

typedef struct comparison {
  double off;     /* the most of all frames, as a share of what is allowed; NaN where anything is */
  double shifted; /* the same against assimp's next frame */
} comparison;

static comparison compare_frames(const motion_file *file, const assimp_pose *theirs) {
  const uint32_t count = file->skeleton->node_count;
  const uint64_t frames = file->motions->frame_count;
  const double reach = bvh_reach(file->skeleton);
  double(*a)[3] = calloc(count, sizeof *a), (*b)[3] = calloc(count, sizeof *b);
  comparison c = {0};
  for (uint64_t i = 0; i < FRAMES_COMPARED && i < frames; i++) {
    const uint64_t frame = frames <= FRAMES_COMPARED ? i : i * (frames - 1) / (FRAMES_COMPARED - 1);
    bvh_places(file, frame, a);
    /* a body without any length has to stand exactly where it does */
    const double allowed = fmax(tolerance * (reach + farthest(a, count)), 1e-30);
    assimp_places(theirs, (uint32_t)frame, b);
    const double off = apart(a, b, count) / allowed;
    if (!(off <= c.off)) c.off = off;
    assimp_places(theirs, (uint32_t)((frame + 1) % frames), b);
    c.shifted = fmax(c.shifted, apart(a, b, count) / allowed);
  }
  free(a);
  free(b);
  return c;
}

/* ---- files -------------------------------------------------------------------------------------------- */

static void compare_hierarchy(const skeleton *s, assimp_pose *theirs, const char *name) {
  cr_assert_eq(s->node_count, theirs->node_count, "%s", name);
  bool *rests = calloc(s->node_count, sizeof *rests);
  for (uint32_t i = 0; i < s->node_count; i++) {
    rests[i] = !s->nodes[i].is_joint;
    cr_expect_eq(s->nodes[i].parent, theirs->parent[i], "%s: node %u", name, i);
    cr_expect(rests[i] || strcmp(s->nodes[i].name, theirs->nodes[i]->mName.data) == 0, "%s: %s and %s", name,
              s->nodes[i].name, theirs->nodes[i]->mName.data);
  }
  cr_assert(assimp_pose_in_order(theirs, rests), "%s: other joints move", name);
  free(rests);
}

static comparison compare_opened(const motion_file *file, assimp_pose *theirs, const struct odd_file *odd,
                                 const char *name) {
  compare_hierarchy(file->skeleton, theirs, name);
  if (odd->agreement == NO_FRAMES) {
    cr_expect_eq(file->motions->frame_count, 0);
    return (comparison){0};
  }
  const struct aiAnimation *animation = theirs->scene->mAnimations[0];
  cr_assert_eq(file->motions->frame_count, (uint64_t)animation->mDuration + 1, "%s", name);
  /* six decimals of a thirtieth are less than the rate that was meant */
  cr_expect(fabs(animation->mTicksPerSecond / file->motions->rate_hz - 1) < 2e-3 ||
                strcmp(odd->name ? odd->name : "", "34_frame_time_int_fps") == 0,
            "%s: %g and %g frames a second", name, file->motions->rate_hz, animation->mTicksPerSecond);
  const comparison c = compare_frames(file, theirs);
  const bool agrees = c.off <= odd->times_tolerance;
  cr_expect(agrees || odd->agreement == ASSIMP_ERRS, "%s: %g of the distance allowed", name, c.off);
  if (odd->reason)
    fprintf(stderr, "# %s: %g of the distance allowed: %s\n", name, c.off, odd->reason);
  else
    fprintf(stderr, "# %s: %.2g of the distance allowed\n", name, c.off);
  return c;
}

typedef struct tally {
  uint32_t compared, moving; /* files */
} tally;

static void compare_file(const char *path, tally *t) {
  const char *name = strrchr(path, '/') + 1;
  const struct odd_file *odd = find_odd(name);
  motion_file *file = NULL;
  assimp_pose theirs;
  sinew_error error = {0};
  const sinew_result result = read_motion_file(path, NULL, &file, &error);
  cr_expect_eq(result != SINEW_OK, odd->agreement == WE_REFUSE, "%s: '%s'", path, error.message);
  const bool taken = assimp_pose_open(path, &theirs);
  cr_expect(taken || odd->agreement == WE_REFUSE || odd->agreement == ASSIMP_REFUSES, "%s: assimp: %s", path,
            aiGetErrorString());
  if (file && taken) {
    const comparison c = compare_opened(file, &theirs, odd, name);
    t->compared++;
    t->moving += c.off <= odd->times_tolerance && c.shifted > 1000;
  } else {
    fprintf(stderr, "# %s: not compared: %s\n", name, odd->reason ? odd->reason : "");
  }
  motion_file_close(file);
  if (taken) assimp_pose_close(&theirs);
}

static tally compare_folder(const char *folder) {
  size_t count;
  char **paths = test_data_list(folder, ".bvh", &count);
  tally t = {0};
  for (size_t i = 0; i < count; i++) compare_file(paths[i], &t);
  fprintf(stderr, "# %s: %u of %zu files compared, %u move\n", folder, t.compared, count, t.moving);
  return t;
}

Test(bvh_assimp, real_files) {
  NEED_DATA();
  const tally t = compare_folder("bvh");
  cr_expect_geq(t.compared, 28);
  cr_expect_geq(t.moving, 22);
}

Test(bvh_assimp, odd_files) {
  NEED_DATA();
  const tally t = compare_folder("bvh-edge");
  cr_expect_geq(t.compared, 19);
  cr_expect_geq(t.moving, 15);
}

/* ---- what is written ---------------------------------------------------------------------------------- */

static void write_one(const sinew_rig *rig, const bvh_options *options, bool tpose, const char *path) {
  bvh_body body;
  bvh_plan plan;
  text_out text = {0};
  sinew_error error = {0};
  bvh_body_of_rig(rig, tpose, 5, 7, &body);
  cr_assert_eq(bvh_plan_build(sinew_kernels_available(0), &body.source, options, &plan, &error), SINEW_OK,
               "%s", error.message);
  bvh_body_write(&body, &plan, SINEW_BLOCK, &text);
  FILE *file = fopen(path, "wb");
  cr_assert(file && fwrite(text.bytes, 1, text.byte_count, file) == text.byte_count);
  fclose(file);
  text_out_release(&text);
  bvh_plan_release(&plan);
}

Test(bvh_assimp, written_files) {
  NEED_DATA();
  static const char *const rigs[] = {"rigs/saturday06_Example.vrm", "rigs/bulgat_Soldier.glb",
                                     "rigs/V-Sekai_Godette_vrm_v4.vrm"};
  static const char *const orders[] = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"};
  char *folder = test_folder_make();
  tally t = {0};
  for (int i = 0; i < 12; i++) {
    char path[512];
    sinew_rig *rig;
    sinew_error error;
    const bvh_options options = {.order = orders[i % 6], .metres = i / 3 % 2};
    cr_assert_eq(sinew_rig_open(test_data(rigs[i % 3]), NULL, &rig, &error), SINEW_OK, "%s", error.message);
    snprintf(path, sizeof path, "%s/written-%d.bvh", folder, i);
    write_one(rig, &options, i / 6, path);
    sinew_rig_close(rig);
    compare_file(path, &t);
  }
  test_folder_remove(folder);
  cr_expect_eq(t.compared, 12);
  cr_expect_eq(t.moving, 12);
}
