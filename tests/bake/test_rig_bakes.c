/* A rig and its rig file are one rig: they have one hash, and what is baked on them has the same bytes. And
 * whatever number a rig file holds, a bake on it ends well or says why not. */
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bake(const sinew_context *context, const sinew_clip *clip, const sinew_rig *rig,
                 const char *path) {
  sinew_error error;
  sinew_bake_report report;
  cr_assert(sinew_bake(context, clip, rig, NULL, path, &report, &error) == SINEW_OK, "%s: %s", path,
            error.message);
  cr_expect(report.verified);
}

static void expect_same_bytes(const char *a, const char *b) {
  size_t left_count, right_count;
  char *left = test_read_file(a, &left_count), *right = test_read_file(b, &right_count);
  cr_assert(left && right);
  cr_expect(left_count == right_count && memcmp(left, right, left_count) == 0, "%s and %s differ", a, b);
  free(left);
  free(right);
}

static void compare(const sinew_context *context, const char *rig_path, const char *clip_path,
                    const char *folder) {
  char file[1024], ours[1024], again[1024];
  snprintf(file, sizeof file, "%s/rig.json", folder);
  snprintf(ours, sizeof ours, "%s/source.glb", folder);
  snprintf(again, sizeof again, "%s/again.glb", folder);
  sinew_error error;
  sinew_rig *source = test_open_rig(rig_path);
  cr_assert(sinew_rig_save(source, file, &error) == SINEW_OK, "%s: %s", rig_path, error.message);
  sinew_rig *rig = test_open_rig(file);
  sinew_rig_info left, right;
  sinew_rig_get_info(source, &left);
  sinew_rig_get_info(rig, &right);
  cr_expect_str_eq(left.hash, right.hash, "%s", rig_path);
  cr_expect_str_eq(right.kind, "rig-file");
  cr_expect_eq(left.warning_count, right.warning_count, "%s", rig_path);
  sinew_clip_file *clips = test_open_clip(clip_path);
  bake(context, sinew_clip_file_clip(clips, 0), source, ours);
  bake(context, sinew_clip_file_clip(clips, 0), rig, again);
  expect_same_bytes(ours, again);
  sinew_clip_file_close(clips);
  sinew_rig_close(source);
  sinew_rig_close(rig);
}

Test(rig_bakes, the_sample) {
  sinew_context *context = test_open_context(NULL, 1);
  char *folder = test_folder_make();
  compare(context, test_source("scripts/sample/walker.fbx.meta"), test_source("scripts/sample/walk.anim"),
          folder);
  test_folder_remove(folder);
  sinew_context_close(context);
}

Test(rig_bakes, every_rig_of_the_data, .timeout = 300) {
  NEED_DATA();
  static const char *const folders[] = {"humanoid/avatars", "humanoid/metas", "humanoid/truth"};
  static const char *const suffixes[] = {".fbx.meta", ".asset", ".prefab"};
  static const char *const clips[] = {"humanoid/clips/malaybaku_Wave.anim",
                                      "humanoid/clips/rurre_pose2.anim"};
  sinew_context *context = test_open_context(NULL, 1);
  char *folder = test_folder_make();
  size_t compared = 0, count;
  for (size_t i = 0; i < 9; i++) {
    char **paths = test_data_list(folders[i / 3], suffixes[i % 3], &count);
    for (size_t p = 0; p < count; p++) {
      if (strstr(paths[p], "unitychan")) continue; /* its hierarchy stands in the model alone */
      for (size_t c = 0; c < 2; c++) compare(context, paths[p], test_data(clips[c]), folder);
      compared++;
    }
  }
  cr_expect_geq(compared, 20);
  test_folder_remove(folder);
  sinew_context_close(context);
}

/* ---- numbers at their ends --------------------------------------------------------------------------------
 */

static size_t number_length(const char *p) {
  return strspn(p, "-+.0123456789e");
}

/* The file with the number at `at` replaced. */
static char *with_number(const char *text, const char *at, const char *number) {
  size_t before = (size_t)(at - text);
  char *made = malloc(strlen(text) + strlen(number) + 1);
  sprintf(made, "%.*s%s%s", (int)before, text, number, at + number_length(at));
  return made;
}

static bool bakes(const sinew_context *context, const sinew_clip *clip, const char *text, const char *path) {
  sinew_rig *rig;
  sinew_error error;
  sinew_result result = sinew_rig_open_memory(text, strlen(text), "x.json", NULL, &rig, &error);
  if (result != SINEW_OK) {
    cr_assert(result == SINEW_ERROR_SYNTAX || result == SINEW_ERROR_RIG || result == SINEW_ERROR_UNSUPPORTED,
              "%s", error.message);
    return false;
  }
  result = sinew_bake(context, clip, rig, NULL, path, NULL, &error);
  cr_assert(result == SINEW_OK || result == SINEW_ERROR_POSE || result == SINEW_ERROR_VERIFY ||
                result == SINEW_ERROR_RIG,
            "%s", error.message);
  sinew_rig_close(rig);
  return result == SINEW_OK;
}

Test(rig_bakes, any_number_of_a_rig_file, .timeout = 280) {
  static const char *const numbers[] = {"1e12", "-1e12", "1e-300", "1", "0"};
  sinew_context *context = test_open_context(NULL, 1);
  char *folder = test_folder_make(), file[1024], output[1024];
  snprintf(file, sizeof file, "%s/rig.json", folder);
  snprintf(output, sizeof output, "%s/x.glb", folder);
  sinew_rig *source = test_open_rig(test_source("scripts/sample/walker_cut.fbx.meta"));
  sinew_error error;
  cr_assert(sinew_rig_save(source, file, &error) == SINEW_OK, "%s", error.message);
  sinew_rig_close(source);
  size_t size, baked = 0, tried = 0;
  char *bytes = test_read_file(file, &size), *text = malloc(size + 1);
  memcpy(text, bytes, size);
  text[size] = 0;
  sinew_clip_file *clips = test_open_clip(test_source("scripts/sample/walk_cut.anim"));
  for (const char *p = text; *p; p++) {
    if (!strchr(":[,", *p) || number_length(p + 1) == 0) continue;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
      char *changed = with_number(text, p + 1, numbers[i]);
      baked += bakes(context, sinew_clip_file_clip(clips, 0), changed, output);
      tried++;
      free(changed);
    }
  }
  cr_expect(tried > 1000 && baked > tried / 20, "%zu of %zu", baked, tried);
  sinew_clip_file_close(clips);
  free(bytes);
  free(text);
  test_folder_remove(folder);
  sinew_context_close(context);
}
