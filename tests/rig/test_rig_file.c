/* The public door: sinew_rig_open against a compilation of what libyaml reads from the same file, and its own
 * refusals. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rig/avatar_asset.h"
#include "support/data.h"

static void expect_same(const sinew_rig *a, const sinew_rig *b, const char *path) {
  cr_assert_eq(a->node_count, b->node_count, "%s", path);
  for (uint32_t i = 0; i < a->node_count; i++) {
    cr_expect_str_eq(a->nodes[i].name, b->nodes[i].name, "%s", path);
    cr_expect_eq(a->nodes[i].parent, b->nodes[i].parent, "%s: %s", path, a->nodes[i].name);
  }
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    cr_assert_eq(a->node_of_bone[bone], b->node_of_bone[bone], "%s: %s", path, human_bones[bone].name);
    if (a->node_of_bone[bone] < 0) continue;
    cr_expect_lt(quat_angle_deg(a->axes[bone].pre, b->axes[bone].pre), 2e-4, "%s: %s", path,
                 human_bones[bone].name);
    cr_expect_lt(quat_angle_deg(a->axes[bone].post, b->axes[bone].post), 2e-4, "%s: %s", path,
                 human_bones[bone].name);
    cr_expect_float_eq(a->axes[bone].max_rad[2], b->axes[bone].max_rad[2], 1e-7);
  }
  cr_expect_float_eq(a->human_scale_m, b->human_scale_m, 1e-6, "%s", path);
  cr_expect_eq(a->unit_scale, b->unit_scale, "%s", path);
}

Test(rig_file, every_meta_as_libyaml_reads_it) {
  NEED_DATA();
  static const char *const folders[] = {"humanoid/avatars", "humanoid/metas", "humanoid/truth"};
  for (int f = 0; f < 3; f++) {
    size_t count;
    char **paths = test_data_list(folders[f], ".fbx.meta", &count);
    for (size_t i = 0; i < count; i++) {
      if (strstr(paths[i], "unitychan")) continue; /* its hierarchy stands in the model alone */
      sinew_rig *mine, *wanted;
      sinew_error error;
      cr_assert_eq(sinew_rig_open(paths[i], NULL, &mine, &error), SINEW_OK, "%s: %s", paths[i],
                   error.message);
      cr_assert_eq(rig_compile(avatar_meta_load(paths[i]), 0, &wanted, &error), SINEW_OK, "%s",
                   error.message);
      expect_same(mine, wanted, paths[i]);
      sinew_rig_close(mine);
      sinew_rig_close(wanted);
    }
  }
}

Test(rig_file, unit_and_memory) {
  NEED_DATA();
  const char *path = test_data("humanoid/avatars/OneYoungMean_SMPLX.fbx.meta");
  size_t size;
  char *bytes = test_read_file(path, &size);
  sinew_rig *rig;
  sinew_error error;
  sinew_rig_options options = {.unit_scale = 0.5};
  cr_assert_eq(sinew_rig_open_memory(bytes, size, "label", &options, &rig, &error), SINEW_OK, "%s",
               error.message);
  cr_expect_eq(rig->unit_scale, 0.5);
  cr_expect_float_eq(rig->height_m, 1.6777 / 2, 1e-3);
  memset(bytes, 0, size); /* nothing of the bytes is kept */
  cr_expect_str_eq(sinew_bone_name(0), "Hips");
  cr_expect_gt(strlen(rig->nodes[1].name), 0);
  sinew_rig_close(rig);
  free(bytes);
}

static void refuse(const char *path, const sinew_rig_options *options, sinew_result code, const char *part) {
  sinew_rig *rig = (sinew_rig *)1;
  sinew_error error;
  char text[900];
  cr_assert_eq(sinew_rig_open(path, options, &rig, &error), code, "%s", part);
  cr_expect_null(rig);
  sinew_error_text(&error, text, sizeof text);
  cr_expect_not_null(strstr(text, part), "\"%s\" lacks \"%s\"", text, part);
}

Test(rig_file, refusals) {
  refuse(NULL, NULL, SINEW_ERROR_ARGUMENT, "path is NULL");
  refuse("/nonexistent/rig.fbx.meta", NULL, SINEW_ERROR_IO, "/nonexistent/rig.fbx.meta: cannot be opened");
  sinew_rig_options options = {.unit_scale = -1};
  refuse("/nonexistent/rig.fbx.meta", &options, SINEW_ERROR_ARGUMENT, "unit_scale is -1");
  options.unit_scale = NAN;
  refuse("/nonexistent/rig.fbx.meta", &options, SINEW_ERROR_ARGUMENT, "expected metres per unit");
  sinew_error error;
  cr_expect_eq(sinew_rig_open("x", NULL, NULL, &error), SINEW_ERROR_ARGUMENT);
  sinew_rig *rig;
  cr_expect_eq(sinew_rig_open_memory(NULL, 3, "label", NULL, &rig, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_eq(sinew_rig_open_memory("", 0, "label", NULL, &rig, &error), SINEW_ERROR_SYNTAX);
  cr_expect_str_eq(error.path, "label");
  sinew_rig_options small = {.read = {.file_bytes = 10}};
  cr_expect_eq(sinew_rig_open_memory("fileFormatVersion: 2\n", 21, "label", &small, &rig, &error),
               SINEW_ERROR_LIMIT);
  cr_expect_null(rig);
}
