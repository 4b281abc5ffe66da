/* Every real file opens; what is told of some is what their bytes say to this test's own eyes. */
#include "inspect/walk_glb.h"
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sinew_glb *open_glb(const char *path) {
  sinew_glb *glb;
  sinew_error error;
  char text[1024];
  const sinew_result result = sinew_glb_open(path, NULL, &glb, &error);
  cr_assert(result == SINEW_OK, "%s", sinew_error_text(&error, text, sizeof text));
  return glb;
}

static void open_all(const char *folder, const char *suffix, size_t least) {
  size_t count;
  char **paths = test_data_list(folder, suffix, &count);
  cr_expect_geq(count, least, "%s/*%s: %zu files", folder, suffix, count);
  for (size_t i = 0; i < count; i++) {
    sinew_glb *glb = open_glb(paths[i]);
    walk_glb(glb);
    sinew_glb_close(glb);
  }
}

Test(inspect_data, every_glb_opens) {
  NEED_DATA();
  open_all("rigs", ".glb", 10);
  open_all("rigs", ".vrm", 4);
  open_all("rigs", ".vrma", 2);
  open_all("humanoid/truth", ".glb", 5);
}

/* ---- against the manifest ----------------------------------------------------------------------------- */

/* "path,..,licence,joints,nodes,skins,animations,..": the columns before the licence may hold no comma, the
 * licence does, in quotes or not; the four numbers are found from the first three fields that follow each
 * other as numbers. */
static bool numbers_of_row(const char *row, unsigned numbers[4]) {
  for (const char *p = strchr(row, ','); p; p = strchr(p + 1, ','))
    if (sscanf(p, ",%u,%u,%u,%u,", &numbers[0], &numbers[1], &numbers[2], &numbers[3]) == 4) return true;
  return false;
}

Test(inspect_data, the_manifest_agrees) {
  NEED_DATA();
  FILE *file = fopen(test_data("rigs/MANIFEST.csv"), "r");
  cr_assert(file);
  char row[4096];
  size_t compared = 0;
  while (fgets(row, sizeof row, file)) {
    unsigned numbers[4];
    char name[512];
    if (!numbers_of_row(row, numbers)) continue;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(row, ","), row);
    const char *path = test_data(name);
    if (!path || strncmp(name, "rigs/", 5) != 0) continue;
    sinew_glb *glb = open_glb(path);
    sinew_glb_info info;
    sinew_glb_get_info(glb, &info);
    cr_expect(info.node_count == numbers[1] && info.skin_count == numbers[2] &&
                  info.animation_count == numbers[3],
              "%s: %u nodes, %u skins, %u animations", name, info.node_count, info.skin_count,
              info.animation_count);
    compared++;
    sinew_glb_close(glb);
  }
  fclose(file);
  cr_expect_geq(compared, 15u, "%zu rows compared", compared);
}

/* ---- against the bytes -------------------------------------------------------------------------------- */

static uint32_t word(const char *bytes) {
  uint32_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

static size_t occurrences(const char *text, size_t length, const char *what) {
  size_t count = 0;
  for (const char *p = text; (p = memmem(p, length - (size_t)(p - text), what, strlen(what))); p++) count++;
  return count;
}

/* Takes of the truth: made without blanks in their JSON, one animation, one name per node. */
Test(inspect_data, takes_are_told_as_their_bytes_say) {
  NEED_DATA();
  size_t count;
  char **paths = test_data_list("humanoid/truth", ".glb", &count);
  for (size_t i = 0; i < count; i++) {
    size_t byte_count;
    char *bytes = test_read_file(paths[i], &byte_count);
    const uint32_t json_bytes = word(bytes + 12);
    const char *json = bytes + 20;
    sinew_glb *glb = open_glb(paths[i]);
    sinew_glb_info info;
    sinew_glb_animation animation;
    sinew_glb_get_info(glb, &info);
    cr_assert(sinew_glb_get_animation(glb, 0, &animation));
    cr_expect(info.byte_count == byte_count && info.json_bytes == json_bytes &&
              info.bin_bytes == word(bytes + 20 + json_bytes));
    const size_t channels =
        occurrences(json, json_bytes, "\"path\":") + occurrences(json, json_bytes, "\"path\" :");
    cr_expect_eq(animation.channel_count, channels, "%s: %u channels, %zu paths", paths[i],
                 animation.channel_count, channels);
    /* all of the BIN chunk is the animation's */
    cr_expect(info.animation_bytes == info.bin_bytes && info.other_bytes == 0);
    sinew_glb_close(glb);
    free(bytes);
  }
}

/* The Khronos fox: three clips whose names, lengths and counts are known from its repository. */
Test(inspect_data, the_fox) {
  NEED_DATA();
  sinew_glb *glb = open_glb(test_data("rigs/bevyengine_Fox.glb"));
  static const char *const names[] = {"Survey", "Walk", "Run"};
  static const double durations_s[] = {3.4166667, 0.7083333, 1.1583333};
  sinew_glb_info info;
  sinew_glb_get_info(glb, &info);
  cr_expect_eq(info.vertex_count, 1728u);
  cr_expect_eq(info.triangle_count, 576u);
  for (uint32_t i = 0; i < 3; i++) {
    sinew_glb_animation animation;
    cr_assert(sinew_glb_get_animation(glb, i, &animation));
    cr_expect_str_eq(animation.name, names[i]);
    cr_expect(fabs(animation.stop_s - durations_s[i]) < 1e-3, "%s: %.7g s", names[i], animation.stop_s);
  }
  sinew_glb_close(glb);
}

/* ---- clips and rigs ----------------------------------------------------------------------------------- */

static void inspect_all(const char *folder, const char *suffix, sinew_file_kind kind, size_t least) {
  size_t count, opened = 0;
  char **paths = test_data_list(folder, suffix, &count);
  sinew_context *context = test_open_context(NULL, 1);
  for (size_t i = 0; i < count; i++) {
    sinew_inspection *found;
    sinew_error error;
    if (sinew_inspect(paths[i], NULL, &found, &error) != SINEW_OK) {
      cr_expect(error.message[0] && error.path[0]);
      continue;
    }
    opened++;
    cr_expect_eq(sinew_inspection_kind(found), kind, "%s", paths[i]);
    const sinew_clip_file *clips = sinew_inspection_clips(found);
    for (uint32_t clip = 0; clips && clip < sinew_clip_file_count(clips); clip++) {
      sinew_clip_ranges ranges;
      cr_expect_eq(sinew_clip_measure(context, sinew_clip_file_clip(clips, clip), 0, &ranges, &error),
                   SINEW_OK);
      cr_expect(ranges.frame_count >= 1 && (ranges.root_key_count == 0 || ranges.root_unit_off < 0.1),
                "%s: %g off", paths[i], ranges.root_unit_off);
    }
    sinew_inspection_close(found);
  }
  cr_expect_geq(opened, least, "%s/*%s: %zu of %zu", folder, suffix, opened, count);
  sinew_context_close(context);
}

Test(inspect_data, every_clip_and_rig_is_known) {
  NEED_DATA();
  inspect_all("humanoid/clips", ".anim", SINEW_FILE_CLIP, 34);
  inspect_all("humanoid/truth", ".anim", SINEW_FILE_CLIP, 5);
  inspect_all("humanoid/metas", ".meta", SINEW_FILE_RIG, 6);
  inspect_all("humanoid/truth", ".meta", SINEW_FILE_RIG, 5);
  inspect_all("humanoid/avatars", ".asset", SINEW_FILE_RIG, 5);
  inspect_all("humanoid/avatars", ".prefab", SINEW_FILE_RIG, 1);
}
