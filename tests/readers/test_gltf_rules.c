/* What is read of a sound glTF. */
#include "readers/made_gltf.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_doubles(const double *values, const double *wanted, size_t count, double within) {
  for (size_t i = 0; i < count; i++)
    cr_expect(fabs(values[i] - wanted[i]) <= within, "number %zu is %g, expected %g", i, values[i],
              wanted[i]);
}

static void expect_floats(const float *values, const float *wanted, size_t count) {
  for (size_t i = 0; i < count; i++)
    cr_expect(values[i] == wanted[i], "number %zu is %.9g, expected %.9g", i, (double)values[i],
              (double)wanted[i]);
}

/* ---- nodes and skins ---------------------------------------------------------------------------------- */

Test(gltf_rules, parents_come_first) {
  motion_file *file = gltf_open(gltf_but(NULL, NULL));
  const skeleton *made = file->skeleton;
  static const char *const names[] = {"Hips", "tail", "arm", "table"};
  static const int32_t parents[] = {-1, 0, 0, -1};
  static const uint32_t sources[] = {1, 0, 2, 3};
  cr_assert_eq(made->node_count, 4);
  for (int i = 0; i < 4; i++) {
    cr_expect_str_eq(made->nodes[i].name, names[i]);
    cr_expect_eq(made->nodes[i].parent, parents[i]);
    cr_expect_eq(made->nodes[i].source_index, sources[i]);
  }
  cr_expect_str_eq(made->kind, "gltf");
  cr_expect_str_eq(made->name, "");
  cr_expect_eq(made->warning_count, 0, "%s", made->warning_count ? made->warnings[0] : "");
  gltf_walk(file);
  motion_file_close(file);
}

Test(gltf_rules, rest_as_written_or_from_a_matrix) {
  motion_file *file = gltf_open(gltf_but(NULL, NULL));
  const skeleton_node *nodes = file->skeleton->nodes;
  const double half = sqrt(0.5);
  expect_doubles(nodes[0].q, (double[]){0, 0, 0.6, 0.8}, 4, 1e-15);
  expect_doubles(nodes[0].s, (double[]){1, 2, 1}, 3, 0);
  expect_doubles(nodes[1].t, (double[]){0, 1, 0.5}, 3, 0);
  expect_doubles(nodes[1].q, (double[]){0, 0, 0, 1}, 4, 0);
  expect_doubles(nodes[2].s, (double[]){1, 1, 1}, 3, 0);
  expect_doubles(nodes[3].t, (double[]){5, 6, 7}, 3, 0);
  expect_doubles(nodes[3].q, (double[]){0, 0, half, half}, 4, 1e-15);
  expect_doubles(nodes[3].s, (double[]){2, 3, 4}, 3, 1e-15);
  motion_file_close(file);
}

/* Any rotation and scale comes back from its matrix: for each of the four ways that the largest component of
 * a quaternion can fall. */
Test(gltf_rules, matrix_of_any_turn) {
  static const double turns[][4] = {{0.1, 0.2, 0.3, 0.9},  {0.9, 0.1, -0.2, 0.3}, {0.1, -0.9, 0.2, 0.1},
                                    {-0.2, 0.1, 0.9, 0.3}, {1, 0, 0, 0},          {0, 1, 0, 0},
                                    {0, 0, 1, 0}};
  for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
    double q[4], length = 0, m[9];
    for (int k = 0; k < 4; k++) length += turns[i][k] * turns[i][k];
    for (int k = 0; k < 4; k++) q[k] = turns[i][k] / sqrt(length);
    const double x = q[0], y = q[1], z = q[2], w = q[3], s[3] = {0.01, 2, -3};
    const double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
                         2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
                         2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)};
    for (int k = 0; k < 9; k++) m[k] = r[k] * s[k / 3];
    char json[512];
    snprintf(json, sizeof json,
             "'matrix':[%.17g,%.17g,%.17g,0,%.17g,%.17g,%.17g,0,%.17g,%.17g,%.17g,0,0,0,0,1]", m[0], m[1],
             m[2], m[3], m[4], m[5], m[6], m[7], m[8]);
    motion_file *file = gltf_open(gltf_but("'matrix':[0,2,0,0,-3,0,0,0,0,0,4,0,5,6,7,1]", json));
    const skeleton_node *node = &file->skeleton->nodes[3];
    cr_expect_eq(file->skeleton->warning_count, 0);
    /* the mirrored axis is the first by our rule, whichever was: what the node does to a point is the same */
    for (int axis = 0; axis < 3; axis++) {
      const double v[3] = {axis == 0 ? node->s[0] : 0, axis == 1 ? node->s[1] : 0,
                           axis == 2 ? node->s[2] : 0};
      const double *n = node->q, tx = 2 * (n[1] * v[2] - n[2] * v[1]), ty = 2 * (n[2] * v[0] - n[0] * v[2]),
                   tz = 2 * (n[0] * v[1] - n[1] * v[0]);
      const double turned[3] = {v[0] + n[3] * tx + n[1] * tz - n[2] * ty,
                                v[1] + n[3] * ty + n[2] * tx - n[0] * tz,
                                v[2] + n[3] * tz + n[0] * ty - n[1] * tx};
      expect_doubles(turned, m + (size_t)axis * 3, 3, 1e-14);
    }
    cr_expect_lt(node->s[0], 0);
    motion_file_close(file);
  }
}

Test(gltf_rules, sheared_and_flat_matrices_are_said) {
  static const char matrix[] = "[0,2,0,0,-3,0,0,0,0,0,4,0,5,6,7,1]";
  motion_file *file = gltf_open(gltf_but(matrix, "[1,0,0,0,1,1,0,0,0,0,1,0,0,0,0,1]"));
  cr_expect(gltf_warned(file, "nodes[3].matrix is sheared by up to 0.71"));
  expect_doubles(file->skeleton->nodes[3].q, (double[]){0, 0, 0, 1}, 4, 1e-15);
  gltf_walk(file);
  motion_file_close(file);
  static const char *const flats[] = {
      "[0,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]", "[0,0,0,0,0,2,0,0,0,0,0,0,0,0,0,1]",
      "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1]", "[1,0,0,0,1,0,0,0,1,0,0,0,0,0,0,1]",
      "[1,0,0,0,0,0,0,0,1,0,0,0,0,0,0,1]"};
  for (size_t i = 0; i < sizeof flats / sizeof *flats; i++) {
    file = gltf_open(gltf_but(matrix, flats[i]));
    cr_expect(file->skeleton->warning_count, "%s", flats[i]);
    gltf_walk(file);
    motion_file_close(file);
  }
}

Test(gltf_rules, joints_and_bind_poses) {
  motion_file *file = gltf_open(gltf_but(NULL, NULL));
  const skeleton_node *nodes = file->skeleton->nodes;
  cr_expect(nodes[0].is_joint && nodes[1].is_joint && nodes[2].is_joint && !nodes[3].is_joint);
  cr_expect(nodes[0].has_bind && nodes[1].has_bind && !nodes[2].has_bind && !nodes[3].has_bind);
  expect_doubles(nodes[0].bind[0], (double[]){1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0}, 12, 0);
  expect_doubles(nodes[1].bind[0], (double[]){0, 2, 0, -4, -2, 0, 0, 2, 0, 0, 2, -6}, 12, 1e-15);
  motion_file_close(file);
  /* no matrices: a joint without a known bind pose */
  file = gltf_open(gltf_but("'inverseBindMatrices':4,", ""));
  cr_expect(file->skeleton->nodes[0].is_joint && !file->skeleton->nodes[0].has_bind);
  motion_file_close(file);
}

Test(gltf_rules, odd_bind_poses_are_said) {
  const float none[16] = {1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, row = 0.5F;
  motion_file *file = gltf_open(gltf_bytes_but(GLTF_BINDS, none, sizeof none));
  cr_expect(gltf_warned(file, "skins[0].inverseBindMatrices[0] has no inverse"));
  cr_expect(!file->skeleton->nodes[0].has_bind);
  motion_file_close(file);
  file = gltf_open(gltf_bytes_but(GLTF_BINDS + 60, &row, sizeof row));
  cr_expect(gltf_warned(file, "skins[0].inverseBindMatrices[0] has another last row"));
  motion_file_close(file);
  file = gltf_open(gltf_but("'skeleton':1}]", "'skeleton':1},{'joints':[0,1],'inverseBindMatrices':4}]"));
  cr_expect(gltf_warned(file, "skins[1].inverseBindMatrices[0] binds its joint otherwise"));
  expect_doubles(file->skeleton->nodes[0].bind[1], (double[]){0, 1, 0, 1}, 4, 0);
  motion_file_close(file);
  file = gltf_open(gltf_but("'skeleton':1}]", "'skeleton':1},{'joints':[1,0],'inverseBindMatrices':4}]"));
  cr_expect_eq(file->skeleton->warning_count, 0);
  motion_file_close(file);
}

/* Nodes are told apart by index: names may repeat, be empty, or hold anything. */
Test(gltf_rules, names_are_only_names) {
  char *json = gltf_json_but("'name':'arm'", "'name':'Hips'");
  motion_file *file = gltf_open_json(json);
  cr_expect_str_eq(file->skeleton->nodes[2].name, "Hips");
  const motion_track *track = &file->motions[1].tracks[1];
  cr_expect_eq(track->node, 2);
  motion_file_close(file);
  file = gltf_open(gltf_but("{'name':'arm'}", "{}"));
  cr_expect_str_eq(file->skeleton->nodes[2].name, "");
  motion_file_close(file);
  file = gltf_open(gltf_but("'arm'", "'mixamorig:Left Arm.001 \\u65e5\\u672c'"));
  cr_expect_str_eq(file->skeleton->nodes[2].name, "mixamorig:Left Arm.001 \xe6\x97\xa5\xe6\x9c\xac");
  motion_file_close(file);
}

/* ---- animations --------------------------------------------------------------------------------------- */

Test(gltf_rules, tracks_of_two_animations) {
  motion_file *file = gltf_open(gltf_but(NULL, NULL));
  cr_assert_eq(file->motion_count, 2);
  const motion *walk = &file->motions[0];
  cr_expect_str_eq(walk->name, "walk");
  cr_expect(walk->rate_hz == 0 && walk->start_s == 0 && walk->stop_s == 1.25);
  cr_assert_eq(walk->track_count, 3);
  const motion_track *t = walk->tracks;
  cr_expect(t[0].node == 0 && t[0].path == MOTION_ROTATION && t[0].interpolation == MOTION_LINEAR);
  cr_expect(t[1].node == 0 && t[1].path == MOTION_TRANSLATION && t[1].interpolation == MOTION_STEP);
  cr_expect(t[2].node == 1 && t[2].path == MOTION_SCALE && t[2].interpolation == MOTION_CUBIC);
  cr_assert(t[0].key_count == 3 && t[1].key_count == 3 && t[2].key_count == 2);
  expect_floats(t[0].time_s, (float[]){0, 0.5F, 1.25F}, 3);
  expect_floats(t[0].values, (float[]){0, 0, 0, 1, 0, 0, 0.6F, 0.8F, 0, 0, 1, 0}, 12);
  expect_floats(t[1].values, (float[]){0, 1, 0, 0.25F, 1, 0, 0.5F, 1, -2}, 9);
  expect_floats(t[2].values, (float[]){0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 2, 2, 2, 0, 0, 0}, 18);
  motion_file_close(file);
}

Test(gltf_rules, normalised_integers_and_a_sparse_list) {
  motion_file *file = gltf_open(gltf_but(NULL, NULL));
  const motion_track *t = file->motions[1].tracks;
  cr_assert_eq(file->motions[1].track_count, 3);
  expect_floats(t[0].values, (float[]){0, 0, 0, 1, 0, 0, -1, 0, 19660.0F / 32767, 0, 0, 26214.0F / 32767},
                12);
  expect_floats(t[1].values, (float[]){0, 0, 0, 1, 1, 0, 0, 0, 0, -1, 0, 0}, 12);
  expect_floats(t[2].values, (float[]){7, 8, 9, 0.25F, 1, 0, -7, -8, -9}, 9);
  /* the list below the sparse one stays what it is */
  expect_floats(file->motions[0].tracks[1].values, (float[]){0, 1, 0}, 3);
  motion_file_close(file);
}

Test(gltf_rules, unsigned_integers) {
  const uint16_t shorts[12] = {0, 0, 0, 65535, 65535, 0, 0, 0, 39321, 0, 0, 52428};
  const uint8_t bytes[12] = {0, 0, 0, 255, 255, 0, 0, 0, 153, 0, 0, 204};
  unsigned char bin[GLTF_BIN_BYTES];
  gltf_bin(bin);
  memcpy(bin + GLTF_SHORTS, shorts, sizeof shorts);
  memcpy(bin + GLTF_BYTES, bytes, sizeof bytes);
  char *json = gltf_json_but("'componentType':5122", "'componentType':5123");
  *(strstr(json, "'componentType':5120") + strlen("'componentType':512")) = '1';
  motion_file *file = gltf_open(made_from(json, bin, sizeof bin));
  const float wanted[12] = {0, 0, 0, 1, 1, 0, 0, 0, 0.6F, 0, 0, 0.8F};
  expect_floats(file->motions[1].tracks[0].values, wanted, 12);
  expect_floats(file->motions[1].tracks[1].values, wanted, 12);
  motion_file_close(file);
}

/* A stride is obeyed where one stands, as players do, and below a sparse list as well. */
Test(gltf_rules, strides_are_obeyed) {
  unsigned char bin[GLTF_BIN_BYTES + 60] = {0};
  const float moves[] = {1, 2, 3, 99, 99, 4, 5, 6, 99, 99, 7, 8, 9};
  gltf_bin(bin);
  memcpy(bin + GLTF_BIN_BYTES, moves, sizeof moves);
  static const char base[] = "{'bufferView':0,'byteOffset':60,'componentType':5126,'count':3,'type':'VEC3'";
  char *json = gltf_json_but("'byteOffset':332,'byteLength':28}],'buffers':[{'byteLength':360}",
                             "'byteOffset':332,'byteLength':28},{'buffer':0,'byteOffset':360,'byteLength':52,"
                             "'byteStride':20}],'buffers':[{'byteLength':412}");
  for (char *at = json; (at = strstr(at, base));)
    memcpy(at, "{'bufferView':2,'byteOffset':0 ", strlen("{'bufferView':2,'byteOffset':0 "));
  motion_file *file = gltf_open(made_from(json, bin, 412));
  expect_floats(file->motions[0].tracks[1].values, (float[]){1, 2, 3, 4, 5, 6, 7, 8, 9}, 9);
  expect_floats(file->motions[1].tracks[2].values, (float[]){7, 8, 9, 4, 5, 6, -7, -8, -9}, 9);
  motion_file_close(file);
}

Test(gltf_rules, sparse_without_a_base_is_of_zeros) {
  motion_file *file =
      gltf_open(gltf_but("{'bufferView':0,'byteOffset':60,'componentType':5126,'count':3,'type':'VEC3',"
                         "'sparse'",
                         "{'componentType':5126,'count':3,'type':'VEC3','sparse'"));
  expect_floats(file->motions[1].tracks[2].values, (float[]){7, 8, 9, 0, 0, 0, -7, -8, -9}, 9);
  motion_file_close(file);
}

Test(gltf_rules, channels_that_move_no_node_are_left_out) {
  motion_file *file =
      gltf_open(gltf_but("'target':{'node':1,'path':'rotation'}", "'target':{'path':'rotation'}"));
  cr_expect(gltf_warned(file, "animations[0]: 1 channel without a node left out"));
  cr_expect_eq(file->motions[0].track_count, 2);
  motion_file_close(file);
  file = gltf_open(gltf_but("'path':'rotation'", "'path':'pointer'"));
  cr_expect(gltf_warned(file, "animations[0].channels[0].target.path is none of the format's"));
  motion_file_close(file);
  file = gltf_open(gltf_but("'path':'rotation'", "'path':'weights'"));
  cr_expect_eq(file->skeleton->warning_count, 1);
  cr_expect(strstr(file->skeleton->warnings[0], "morph targets"));
  cr_expect_eq(file->motions[0].track_count, 2);
  motion_file_close(file);
}

Test(gltf_rules, odd_keys_are_said) {
  motion_file *file = gltf_open(gltf_but(",'min':[0],'max':[1.25]", ""));
  cr_expect(gltf_warned(file, "1 list of times without min and max"));
  motion_file_close(file);
  file = gltf_open(gltf_but("'max':[1.25]", "'max':[2]"));
  cr_expect(gltf_warned(file, "1 list of times with other min and max"));
  motion_file_close(file);
  const float half = 0.5F;
  file = gltf_open(gltf_bytes_but(GLTF_ROTATIONS + 12, &half, sizeof half));
  cr_expect(gltf_warned(file, "1 key of rotations has a length that is not 1"));
  motion_file_close(file);
  file = gltf_open(gltf_but("'rotation':[0,0,0.6,0.8]", "'rotation':[0,0,3,4]"));
  cr_expect(gltf_warned(file, "nodes[1].rotation has length 5: it is made 1"));
  expect_doubles(file->skeleton->nodes[0].q, (double[]){0, 0, 0.6, 0.8}, 4, 1e-15);
  motion_file_close(file);
}

/* Of the four lists of a cubic spline's rotations only the values must be rotations. */
Test(gltf_rules, tangents_of_rotations_may_be_anything) {
  char *json = gltf_json_but("'byteOffset':96,'componentType':5126,'count':6,'type':'VEC3'",
                             "'byteOffset':168,'componentType':5126,'count':6,'type':'VEC4'");
  char *path = strstr(json, "'path':'scale'");
  unsigned char bin[GLTF_BIN_BYTES];
  gltf_bin(bin);
  const float spline[24] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 9, 9, 9, 9, 0, 1, 0, 0, 0, 0, 0, 0};
  memcpy(bin + GLTF_BINDS, spline, sizeof spline);
  char turned[8192];
  snprintf(turned, sizeof turned, "%.*s'path':'rotation'%s", (int)(path - json), json,
           path + strlen("'path':'scale'"));
  char *skin = strstr(turned, "'inverseBindMatrices':4,");
  memset(skin, ' ', strlen("'inverseBindMatrices':4,"));
  motion_file *file = gltf_open(made_from(turned, bin, sizeof bin));
  cr_expect_eq(file->skeleton->warning_count, 0);
  expect_floats(file->motions[0].tracks[2].values, spline, 24);
  motion_file_close(file);
}

Test(gltf_rules, without_animations_or_skins) {
  motion_file *file = gltf_open(made_from("{'asset':{'version':'2.0'},'nodes':[{}]}", NULL, 0));
  cr_expect(file->motion_count == 0 && file->skeleton->node_count == 1);
  motion_file_close(file);
  file =
      gltf_open(made_from("{'asset':{'version':'2.1'},'nodes':[{}],'animations':[],'skins':[],'accessors':[],"
                          "'bufferViews':[],'buffers':[],'extensions':{}}",
                          NULL, 0));
  cr_expect_eq(file->motion_count, 0);
  motion_file_close(file);
}

/* What meshes and images are made of is not looked at, however broken. */
Test(gltf_rules, other_parts_may_be_anything) {
  motion_file *file = gltf_open(gltf_but("'buffers':[{'byteLength':360}",
                                         "'meshes':7,'images':[null],'buffers':[{"
                                         "'byteLength':360},{'byteLength':-1,'uri':'../x'}"));
  cr_expect_eq(file->skeleton->warning_count, 0);
  motion_file_close(file);
}

/* ---- human bones -------------------------------------------------------------------------------------- */

static motion_file *open_extension(const char *extension) {
  char *json = gltf_json_but("'scene':0,", extension);
  return gltf_open_json(json);
}

Test(gltf_rules, vrm_0) {
  motion_file *file = open_extension(
      "'extensions':{'VRM':{'specVersion':'0.0','meta':{'title':'Hero'},'humanoid':{'humanBones':["
      "{'bone':'hips','node':1},{'bone':'leftThumbProximal','node':0},{'bone':'rightThumbIntermediate','node'"
      ":2},"
      "{'bone':'jaw','node':-1},{'bone':'wing','node':3}]}}},");
  const skeleton *made = file->skeleton;
  cr_expect_str_eq(made->kind, "vrm0");
  cr_expect_str_eq(made->name, "Hero");
  cr_expect_eq(made->node_of_bone[HUMAN_HIPS], 0);
  cr_expect_eq(made->node_of_bone[HUMAN_LEFT_THUMB_PROXIMAL], 1);
  cr_expect_eq(made->node_of_bone[HUMAN_RIGHT_THUMB_PROXIMAL + 1], 2);
  cr_expect_eq(made->node_of_bone[HUMAN_JAW], -1);
  cr_expect(gltf_warned(file, "extensions.VRM.humanoid.humanBones[4]: 'wing' is no human bone"));
  cr_expect_eq(made->warning_count, 1);
  motion_file_close(file);
}

Test(gltf_rules, vrm_1_names_the_thumb_otherwise) {
  motion_file *file = open_extension(
      "'extensions':{'VRMC_vrm':{'specVersion':'1.0','meta':{'name':'Hero'},'humanoid':{'humanBones':{"
      "'hips':{'node':1},'leftThumbMetacarpal':{'node':0},'leftThumbProximal':{'node':2},"
      "'leftThumbDistal':{'node':3},'leftThumbIntermediate':{'node':3},'leftEye':{'node':0}}}}},");
  const skeleton *made = file->skeleton;
  cr_expect_str_eq(made->kind, "vrm1");
  cr_expect_str_eq(made->name, "Hero");
  for (int i = 0; i < 3; i++) cr_expect_eq(made->node_of_bone[HUMAN_LEFT_THUMB_PROXIMAL + i], 1 + i);
  cr_expect(gltf_warned(file, "'leftThumbIntermediate' is no human bone"));
  cr_expect(gltf_warned(file, "humanBones.leftEye: node 0 is LeftThumbProximal already"));
  cr_expect_eq(made->node_of_bone[HUMAN_LEFT_EYE], 1);
  motion_file_close(file);
}

Test(gltf_rules, vrm_animation) {
  motion_file *file = open_extension(
      "'extensions':{'VRMC_vrm_animation':{'specVersion':'1.0-draft','humanoid':{'humanBones':{"
      "'hips':{'node':1},'upperChest':{'node':2},'leftEye':{'node':0}}}}},");
  const skeleton *made = file->skeleton;
  cr_expect_str_eq(made->kind, "vrma");
  cr_expect_eq(made->node_of_bone[HUMAN_HIPS], 0);
  cr_expect_eq(made->node_of_bone[HUMAN_UPPER_CHEST], 2);
  cr_expect_eq(made->node_of_bone[HUMAN_LEFT_EYE], -1);
  cr_expect(gltf_warned(file, "eyes are no bones of a VRM animation"));
  cr_expect(gltf_warned(file, "VRMC_vrm_animation.specVersion is '1.0-draft'"));
  motion_file_close(file);
  /* of faces alone */
  file = open_extension("'extensions':{'VRMC_vrm_animation':{'specVersion':'1.0','expressions':{}}},");
  cr_expect_str_eq(file->skeleton->kind, "vrma");
  motion_file_close(file);
}

Test(gltf_rules, two_kinds_of_vrm_at_once) {
  motion_file *file = open_extension(
      "'extensions':{'VRM':{},'VRMC_vrm':{'specVersion':'1.0','humanoid':{'humanBones':{}}}},");
  cr_expect_str_eq(file->skeleton->kind, "vrm1");
  cr_expect(gltf_warned(file, "extensions.VRM is passed over: the bones are those of VRMC_vrm"));
  motion_file_close(file);
}

Test(gltf_rules, kinds_are_told_by_content) {
  static const struct {
    const char *text;
    bool gltf;
  } looks[] = {{"glTF", true},
               {" {\"asset\":{\"version\":\"2.0\"}}", true},
               {"\xef\xbb\xbf{\"asset\":{\"version\":\"2.0\"}}", true},
               {"{\"nodes\":[]}", false},
               {"", false},
               {"HIERARCHY", false}};
  for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
    const read_source source = {looks[i].text, strlen(looks[i].text), read_limits_complete(NULL)};
    cr_expect_eq(is_gltf(&source), looks[i].gltf, "%s", looks[i].text);
  }
}
