/* Bipeds told from others, and their hierarchy changed with every node staying where it is. */
#include "base/heap.h"
#include "motion/biped_fix.h"
#include "motion/made_biped.h"
#include "motion/plain_motion.h"
#include "motion/row_tracks.h"
#include "read/motion_reader.h"
#include "skeleton/biped.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double body = 180; /* units high */

/* ---- in the world ------------------------------------------------------------------------------------- */

typedef double affine[3][4];

/* Every node's matrix from its own space to the world. time_s < 0: at rest. */
static void place_all(const skeleton *s, const motion *m, double time_s, affine *world) {
  for (uint32_t i = 0; i < s->node_count; i++) {
    const plain_pose pose = plain_at(s, time_s < 0 ? NULL : m, i, time_s);
    affine local;
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++) local[r][c] = pose.r[r][c] * s->nodes[i].s[c];
      local[r][3] = pose.t[r];
    }
    const int32_t parent = s->nodes[i].parent;
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 4; c++) {
        if (parent < 0) {
          world[i][r][c] = local[r][c];
          continue;
        }
        cr_assert_lt(parent, (int32_t)i);
        const double *row = world[parent][r];
        world[i][r][c] =
            row[0] * local[0][c] + row[1] * local[1][c] + row[2] * local[2][c] + (c == 3 ? row[3] : 0);
      }
  }
}

/* The largest distance of a node, and of the end of an axis 1 % of the body long, as a share of the body. */
static double apart(const motion_file *a, const motion_file *b, double time_s) {
  const uint32_t count = a->skeleton->node_count;
  cr_assert_eq(b->skeleton->node_count, count);
  affine *at = malloc(count * sizeof *at), *bt = malloc(count * sizeof *bt);
  double most = 0;
  place_all(a->skeleton, a->motions, time_s, at), place_all(b->skeleton, b->motions, time_s, bt);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t k = 0;
    while (b->skeleton->nodes[k].source_index != a->skeleton->nodes[i].source_index) cr_assert_lt(++k, count);
    cr_assert_str_eq(a->skeleton->nodes[i].name, b->skeleton->nodes[k].name);
    for (int c = 0; c < 4; c++) {
      double square = 0;
      for (int r = 0; r < 3; r++) square += (at[i][r][c] - bt[k][r][c]) * (at[i][r][c] - bt[k][r][c]);
      const double off = sqrt(square) * (c == 3 ? 1 : 0.01 * body);
      if (!(off <= most)) most = off;
    }
  }
  free(at), free(bt);
  return most / body;
}

static void fix(motion_file *file) {
  sinew_error error = {0};
  cr_assert_eq(biped_fix(file, &error), SINEW_OK, "%s", error.message);
}

static void expect_parent(const motion_file *file, const char *prefix, const char *part, const char *parent) {
  const skeleton *s = file->skeleton;
  cr_expect_eq(s->nodes[biped_node(s, prefix, part)].parent, (int32_t)biped_node(s, prefix, parent), "%s",
               part);
}

static void expect_fixed(const motion_file *file, const char *prefix) {
  static const char *const pairs[][2] = {{"Spine", ""},
                                         {"L Thigh", ""},
                                         {"R Thigh", ""},
                                         {"L Clavicle", "Spine2"},
                                         {"R Clavicle", "Spine2"},
                                         {"Prop1", "R Hand"},
                                         {"LUpArmTwist", "L UpperArm"},
                                         {"RUpArmTwist", "R UpperArm"},
                                         {"LUpArmTwist1", "LUpArmTwist"},
                                         {"Pelvis", ""},
                                         {"Neck", "Spine2"},
                                         {"L Calf", "L Thigh"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    expect_parent(file, prefix, pairs[i][0], pairs[i][1]);
  cr_expect_not(biped_is(file->skeleton), "it is fixed");
}

/* ---- who is one --------------------------------------------------------------------------------------- */

Test(biped, names) {
  static const char *const prefixes[] = {"Bip001", "Bip01", "bip1", "Hero:Bip001", "BIP002"};
  static const char *const separators[] = {" ", "_", "", "-"};
  for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++)
    for (size_t i = 0; i < sizeof separators / sizeof *separators; i++) {
      motion_file *file = biped_open(prefixes[p], separators[i], 1);
      cr_expect(biped_is(file->skeleton), "%s%sSpine", prefixes[p], separators[i]);
      fix(file);
      cr_expect_not(biped_is(file->skeleton), "%s%sSpine", prefixes[p], separators[i]);
      motion_file_close(file);
    }
  static const char *const others[] = {"Hips", "Bip", "Bipx01", "Bip0001", "Bip001x", "mixamorig:Hips", ""};
  for (size_t p = 0; p < sizeof others / sizeof *others; p++) {
    motion_file *file = biped_open(*others[p] ? others[p] : "x", " ", 1);
    cr_expect_not(biped_is(file->skeleton), "%s", others[p]);
    motion_file_close(file);
  }
}

/* Bip001's nodes are none of Bip0011's. */
Test(biped, each_its_own) {
  motion_file *file = biped_open("Bip01", " ", 1);
  skeleton *s = file->skeleton;
  s->nodes[biped_node(s, "Bip01", "L Thigh")].name = "Bip011 L Thigh";
  s->nodes[biped_node(s, "Bip01", "Prop1")].name = "Prop1";
  int32_t *parents = malloc(s->node_count * sizeof *parents);
  cr_expect_eq(biped_parents(s, parents), 6);
  free(parents);
  motion_file_close(file);
}

/* Triangle pelvis and neck: nothing is odd, and nothing is changed. */
Test(biped, a_sound_one_stays) {
  motion_file *file = biped_open("Bip001", " ", 2);
  fix(file);
  const skeleton_node *nodes = file->skeleton->nodes;
  const motion_track *tracks = file->motions->tracks;
  fix(file);
  cr_expect(file->skeleton->nodes == nodes && file->motions->tracks == tracks);
  motion_file_close(file);
}

Test(biped, real_files_are_none) {
  NEED_DATA();
  static const char *const folders[][2] = {
      {"bvh", ".bvh"}, {"bvh-edge", ".bvh"}, {"rigs", ".glb"}, {"rigs", ".vrm"}};
  size_t seen = 0;
  for (size_t i = 0; i < 4; i++) {
    size_t count;
    char **paths = test_data_list(folders[i][0], folders[i][1], &count);
    for (size_t k = 0; k < count; k++) {
      motion_file *file;
      if (read_motion_file(paths[k], NULL, &file, NULL) != SINEW_OK) continue;
      cr_expect_not(biped_is(file->skeleton), "%s", paths[k]);
      seen++;
      motion_file_close(file);
    }
  }
  cr_expect_gt(seen, 50);
}

/* ---- rows --------------------------------------------------------------------------------------------- */

Test(biped, rows) {
  motion_file *before = biped_open("Bip001", " ", 150), *after = biped_open("Bip001", " ", 150);
  uint32_t thigh = biped_node(after->skeleton, "Bip001", "L Thigh");
  after->skeleton->node_of_bone[HUMAN_LEFT_UPPER_LEG] = (int32_t)thigh;
  fix(after);
  expect_fixed(after, "Bip001");
  thigh = biped_node(after->skeleton, "Bip001", "L Thigh");
  cr_expect_eq(after->skeleton->node_of_bone[HUMAN_LEFT_UPPER_LEG], (int32_t)thigh);
  cr_expect(apart(before, after, -1) < 1e-12, "%g at rest", apart(before, after, -1));
  cr_expect_eq(after->motions->channel_count, 0);
  double most = 0;
  for (uint32_t f = 0; f < 150; f++) {
    const double off = apart(before, after, f / 30.0);
    if (!(off <= most)) most = off;
  }
  cr_expect_lt(most, 1e-6, "%g of the body", most);
  cr_log_info("nodes within %g of the body", most);
  sampled s = sampled_open(sinew_kernels_available(0), after->skeleton, after->motions, 0.01, 0);
  cr_expect(s.plan.frame_count == 150 && s.plan.rate_hz == 30, "the frames stay");
  sampled_close(&s);
  motion_file_close(before), motion_file_close(after);
}

Test(biped, rest_alone) {
  motion_file *before = biped_open("Bip001", " ", 0), *after = biped_open("Bip001", " ", 0);
  fix(after);
  expect_fixed(after, "Bip001");
  cr_expect_lt(apart(before, after, -1), 1e-12);
  for (uint32_t c = 0; c < after->channel_count; c++)
    cr_expect_eq(after->skeleton->nodes[after->channels[c].node].source_index, before->channels[c].node);
  cr_expect_eq(after->motions->channels, after->channels);
  motion_file_close(before), motion_file_close(after);
}

/* ---- tracks ------------------------------------------------------------------------------------------- */

/* As a glTF would have it: no rate, tracks of several ways and times, a root scaled to metres and a spine to
 * its half, turned rests. */
static motion_file *open_tracks(void) {
  motion_file *file = biped_open("Bip001", " ", 100);
  skeleton *s = file->skeleton;
  motion *m = file->motions;
  cr_assert_eq(row_tracks_make(sinew_kernels_available(0), s, m, &file->memory, NULL), SINEW_OK);
  m->rate_hz = 0;
  motion_track *tracks = (motion_track *)m->tracks;
  for (uint32_t i = 0; i < m->track_count; i++) {
    if (i % 5 == 0) tracks[i].interpolation = MOTION_STEP;
    if (i % 5 == 1 && tracks[i].key_count > 40) tracks[i].time_s += 20, tracks[i].key_count -= 40;
    if (i % 5 == 2) tracks[i].key_count = 1;
  }
  for (int k = 0; k < 3; k++) {
    s->nodes[0].s[k] = 0.01;
    s->nodes[biped_node(s, "Bip001", "Spine")].s[k] = 0.5;
    s->nodes[biped_node(s, "Bip001", "L Hand")].s[k] = 1 + k; /* its own scale may be uneven */
  }
  for (uint32_t i = 0; i < s->node_count; i++) {
    const double q[4] = {0.1, 0.02 * i, -0.3, sqrt(1 - 0.1 - 0.0004 * i * i)};
    memcpy(s->nodes[i].q, q, sizeof q);
  }
  return file;
}

Test(biped, tracks) {
  motion_file *before = open_tracks(), *after = open_tracks();
  fix(after);
  expect_fixed(after, "Bip001");
  cr_expect_lt(apart(before, after, -1) / 0.01, 1e-12, "%g", apart(before, after, -1));
  double most = 0;
  for (uint32_t f = 0; f < 100; f++) {
    const double off = apart(before, after, f / 30.0) / 0.01;
    if (!(off <= most)) most = off;
  }
  cr_expect_lt(most, 1e-6, "%g of the body", most);
  for (uint32_t i = 0; i < after->motions->track_count; i++) {
    const motion_track *track = &after->motions->tracks[i];
    for (uint32_t k = 1; k < track->key_count; k++) cr_assert_gt(track->time_s[k], track->time_s[k - 1]);
  }
  motion_file_close(before), motion_file_close(after);
}

Test(biped, uneven_scale) {
  motion_file *file = open_tracks();
  file->skeleton->nodes[biped_node(file->skeleton, "Bip001", "Neck")].s[1] = 2;
  sinew_error error;
  cr_expect_eq(biped_fix(file, &error), SINEW_ERROR_UNSUPPORTED);
  cr_expect(strstr(error.message, "is scaled unevenly: 1 2 1"), "%s", error.message);
  motion_file_close(file);
}

Test(biped, scaled_by_the_motion) {
  motion_file *file = open_tracks();
  const uint32_t spine = biped_node(file->skeleton, "Bip001", "Spine");
  static const float time_s[2] = {0, 1}, values[6] = {0.5F, 0.5F, 0.5F, 1, 1, 1};
  ((motion_track *)file->motions->tracks)[0] =
      (motion_track){spine, MOTION_SCALE, MOTION_LINEAR, 2, time_s, values};
  sinew_error error;
  cr_expect_eq(biped_fix(file, &error), SINEW_ERROR_UNSUPPORTED);
  cr_expect(strstr(error.message, "scales node"), "%s", error.message);
  motion_file_close(file);
}

static int allowed;
static int permit(size_t byte_count) {
  (void)byte_count;
  return allowed-- > 0;
}

Test(biped, no_memory) {
  int failures = 0;
  sinew_result result;
  do {
    motion_file *file = biped_open("Bip001", " ", 70);
    sinew_error error;
    allowed = failures;
    heap_permit = permit;
    result = biped_fix(file, &error);
    heap_permit = NULL;
    cr_assert(result == SINEW_OK || result == SINEW_ERROR_MEMORY);
    failures += result != SINEW_OK;
    motion_file_close(file);
  } while (result != SINEW_OK && failures < 500);
  cr_expect(failures > 5 && failures < 500, "%d", failures);
}
