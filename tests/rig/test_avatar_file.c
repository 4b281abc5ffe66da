/* Avatars through the public door: each as libyaml reads it, value for value. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rig/avatar_asset.h"
#include "rig/quat.h"
#include "support/data.h"

static double furthest(const double *a, const double *b, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

static double off_unit(const double a[4], const double b[4]) {
  double q[4];
  memcpy(q, b, sizeof q);
  quat_normalise(q);
  return furthest(a, q, 4);
}

/* `asset` has the human skeleton's places, `rest` those of m_AvatarSkeletonPose. */
static void expect_nodes(const sinew_rig *rig, const avatar_asset *asset, const avatar_asset *rest,
                         const char *path) {
  const rig_node *wanted = asset->description.nodes, *resting = rest->description.nodes;
  cr_assert_eq(rig->node_count, asset->description.node_count, "%s", path);
  int32_t hips = rig->node_of_bone[HUMAN_HIPS];
  for (uint32_t i = 0; i < rig->node_count; i++) {
    const char *full = asset->paths[i], *slash = strrchr(full, '/');
    const char *name = i == 0 ? asset->name : slash ? slash + 1 : full;
    cr_expect_str_eq(rig->nodes[i].name, name, "%s", path);
    cr_expect_eq(rig->nodes[i].parent, wanted[i].parent, "%s: %s", path, name);
    bool above =
        (int32_t)i < hips; /* only the hips' ancestors stand before them in these files' human skeletons */
    cr_expect_leq(furthest(rig->nodes[i].t, above ? resting[i].t : wanted[i].t, 3), 1e-15, "%s: %s", path,
                  name);
    cr_expect_leq(furthest(rig->nodes[i].q, resting[i].q, 4), 1e-6, "%s: %s", path, name);
    cr_expect_leq(furthest(rig->nodes[i].s, resting[i].s, 3), 1e-15, "%s: %s", path, name);
  }
}

static void expect_bone(const sinew_rig *rig, const avatar_asset *asset, int bone, const char *path) {
  const rig_axes *mine = &rig->axes[bone];
  const avatar_axes *theirs = &asset->axes[bone];
  const char *name = human_bones[bone].name;
  int32_t node = rig->node_of_bone[bone];
  cr_expect_leq(off_unit(mine->pre, theirs->pre), 1e-15, "%s: %s", path, name);
  cr_expect_leq(off_unit(mine->post, theirs->post), 1e-15, "%s: %s", path, name);
  cr_expect_eq(furthest(mine->sgn, theirs->sgn, 3), 0, "%s: %s", path, name);
  cr_expect_eq(mine->length, theirs->length, "%s: %s", path, name);
  cr_expect_leq(furthest(rig->rest_q[bone], asset->description.nodes[node].q, 4), 1e-15, "%s: %s", path,
                name);
  for (int axis = 0; axis < 3; axis++) {
    bool moves = human_bones[bone].muscle[axis] >= 0;
    cr_expect_eq(mine->min_rad[axis], moves ? theirs->min_rad[axis] : 0, "%s: %s", path, name);
    cr_expect_eq(mine->max_rad[axis], moves ? theirs->max_rad[axis] : 0, "%s: %s", path, name);
  }
  cr_expect_not(rig->custom_limits[bone], "%s: %s", path, name);
}

static void expect_body(const sinew_rig *rig, const avatar_asset *asset, const char *path) {
  double sum = 0;
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) sum += asset->mass[b];
  for (int b = 0; b < HUMAN_BONE_COUNT; b++)
    cr_expect_leq(fabs(rig->mass[b] - asset->mass[b] / sum), 1e-16, "%s", path);
  cr_expect_eq(rig->human_scale_m, asset->scale_m, "%s", path);
  cr_expect_eq(furthest(rig->root_t, asset->root_t, 3), 0, "%s", path);
  cr_expect_leq(off_unit(rig->root_q, asset->root_q), 1e-15, "%s", path);
  cr_expect_eq(rig->arm_twist, asset->arm_twist);
  cr_expect_eq(rig->fore_arm_twist, asset->fore_arm_twist);
  cr_expect_eq(rig->upper_leg_twist, asset->upper_leg_twist);
  cr_expect_eq(rig->leg_twist, asset->leg_twist);
  cr_expect_eq(rig->arm_stretch, asset->arm_stretch);
  cr_expect_eq(rig->leg_stretch, asset->leg_stretch);
  cr_expect_eq(rig->feet_spacing, asset->feet_spacing);
  cr_expect_eq(rig->has_translation_dof, asset->has_translation_dof);
}

static void expect_as_libyaml(const char *path) {
  const avatar_asset *asset = avatar_asset_load(path, true), *rest = avatar_asset_load(path, false);
  sinew_rig *rig;
  sinew_error error;
  cr_assert_eq(sinew_rig_open(path, NULL, &rig, &error), SINEW_OK, "%s: %s", path, error.message);
  cr_expect_str_eq(rig->kind, "avatar");
  cr_expect_str_eq(rig->name, asset->name);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    cr_assert_eq(rig->node_of_bone[b], asset->description.node_of_bone[b], "%s: %s", path,
                 human_bones[b].name);
    if (rig->node_of_bone[b] >= 0) expect_bone(rig, asset, b, path);
  }
  expect_nodes(rig, asset, rest, path);
  expect_body(rig, asset, path);
  cr_expect_eq(rig->unit_scale, 1);
  cr_expect_eq(rig->warning_count, 0, "%s: %s", path,
               rig->warnings[0]); /* every CRC-32, too, is its path's */
  sinew_rig_close(rig);
}

Test(avatar_file, each_as_libyaml_reads_it) {
  NEED_DATA();
  static const char *const suffixes[] = {".asset", ".prefab"};
  size_t total = 0;
  for (int s = 0; s < 2; s++) {
    size_t count;
    char **paths = test_data_list("humanoid/avatars", suffixes[s], &count);
    for (size_t i = 0; i < count; i++) expect_as_libyaml(paths[i]);
    total += count;
  }
  cr_assert_geq(total, 6);
}

/* The description that an Avatar was compiled from compiles here to the same rig, as closely as files state
 * it. */
Test(avatar_file, as_its_description) {
  NEED_DATA();
  static const char *const pairs[][2] = {{"humanoid/avatars/OneYoungMean_SMPLX.fbx.meta",
                                          "humanoid/avatars/OneYoungMean_Resources_SMPLXAvatar.asset"},
                                         {"humanoid/avatars/OneYoungMean_SOMA77.fbx.meta",
                                          "humanoid/avatars/OneYoungMean_Resources_SOMAAvatar.asset"}};
  for (int p = 0; p < 2; p++) {
    sinew_rig *meta, *avatar;
    sinew_error error;
    cr_assert_eq(sinew_rig_open(test_data(pairs[p][0]), NULL, &meta, &error), SINEW_OK, "%s", error.message);
    cr_assert_eq(sinew_rig_open(test_data(pairs[p][1]), NULL, &avatar, &error), SINEW_OK, "%s",
                 error.message);
    cr_assert_eq(meta->node_count, avatar->node_count);
    for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
      cr_assert_eq(meta->node_of_bone[b] < 0, avatar->node_of_bone[b] < 0);
      if (meta->node_of_bone[b] < 0) continue;
      cr_expect_str_eq(meta->nodes[meta->node_of_bone[b]].name, avatar->nodes[avatar->node_of_bone[b]].name);
      cr_expect_lt(quat_angle_deg(meta->axes[b].pre, avatar->axes[b].pre), 2e-4);
      cr_expect_lt(quat_angle_deg(meta->axes[b].post, avatar->axes[b].post), 2e-4);
      cr_expect_lt(furthest(meta->offset[b], avatar->offset[b], 3), 1e-6);
      cr_expect_lt(quat_angle_deg(meta->between[b], avatar->between[b]), 1e-4);
      cr_expect_eq(meta->between_count[b], avatar->between_count[b]);
      cr_expect_lt(fabs(meta->mass[b] - avatar->mass[b]), 1e-8);
    }
    cr_expect_lt(fabs(meta->human_scale_m - avatar->human_scale_m), 2e-6);
    sinew_rig_close(meta);
    sinew_rig_close(avatar);
  }
}

static void refuse(const char *bytes, size_t count, sinew_result code, const char *part) {
  sinew_rig *rig;
  sinew_error error;
  cr_assert_eq(sinew_rig_open_memory(bytes, count, "x", NULL, &rig, &error), code, "%s: %s", part,
               error.message);
  cr_expect_not_null(strstr(error.message, part), "\"%s\" lacks \"%s\"", error.message, part);
}

/* What is given for a rig and is none is called by its name. */
Test(avatar_file, other_kinds) {
  static const char glb[] = "glTF\2\0\0\0\x10\0\0\0", fbx[] = "Kaydara FBX Binary  \0\x1a\0",
                    text_fbx[] = "; FBX 7.3.0 project file\n";
  refuse(glb, sizeof glb, SINEW_ERROR_SYNTAX, "the header says 16 bytes, the file has 13");
  refuse(fbx, sizeof fbx, SINEW_ERROR_UNSUPPORTED,
         "a model (FBX), expected a rig: the .fbx.meta that stands beside it");
  refuse(text_fbx, sizeof text_fbx - 1, SINEW_ERROR_UNSUPPORTED, "a model (FBX)");
  static const char clip[] = "%YAML 1.1\n--- !u!74 &1\nAnimationClip:\n  m_Name: a\n";
  refuse(clip, sizeof clip - 1, SINEW_ERROR_UNSUPPORTED, "an animation clip, expected a rig");
  static const char prefab[] = "--- !u!1 &1\nGameObject:\n  m_Name: a\n--- !u!4 &2\nTransform:\n  a: 1\n";
  refuse(prefab, sizeof prefab - 1, SINEW_ERROR_UNSUPPORTED,
         "no Avatar inside (2 documents, none of class 90)");
  static const char stripped[] = "--- !u!90 &1 stripped\nAvatar:\n  m_Name: a\n";
  refuse(stripped, sizeof stripped - 1, SINEW_ERROR_UNSUPPORTED, "no Avatar inside (1 document,");
  static const char binary[] = "\0\0\0\1 2019.4.1f1";
  refuse(binary, sizeof binary, SINEW_ERROR_UNSUPPORTED, "a binary");
}
