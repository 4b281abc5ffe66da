/* The real clips and rigs, against what their lists say. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/reader.h"
#include "support/data.h"

static char **kept[4]; /* lists of paths live as long as the process */

/* The manifest's frames and rate of a clip, by its file name. Fields may be quoted; the last two are numbers.
 */
static bool find_clip(const char *manifest, const char *name, double *frames, double *rate_hz) {
  char key[300];
  snprintf(key, sizeof key, "clips/%s,", name);
  const char *row = strstr(manifest, key);
  if (!row) return false;
  const char *end = strchr(row, '\n'), *rate = end, *count;
  while (rate[-1] != ',') rate--;
  for (count = rate - 1; count[-1] != ','; count--) {
  }
  *rate_hz = atof(rate);
  *frames = atof(count);
  return true;
}

/* One clip carries a block of the player with a rate of its own; its list was made from that rate. The
 * editor's m_SampleRate, of the clip itself, is twice that. */
static const char *const other_rate = "flat-lw_squat.anim";

Test(reader_data, clips) {
  NEED_DATA();
  size_t count, bytes, listed = 0;
  char *manifest = test_read_file(test_data("humanoid/MANIFEST.csv"), &bytes);
  manifest = realloc(manifest, bytes + 1);
  manifest[bytes] = 0;
  char **paths = kept[0] = test_data_list("humanoid/clips", ".anim", &count);
  for (size_t i = 0; i < count; i++) {
    sinew_clip_file *file;
    sinew_error error = {0};
    cr_assert_eq(sinew_clip_file_open(paths[i], NULL, &file, &error), SINEW_OK, "%s: %s", paths[i],
                 error.message);
    cr_assert_eq(sinew_clip_file_count(file), 1);
    sinew_clip_info info;
    const sinew_clip *clip = sinew_clip_file_clip(file, 0);
    sinew_clip_get_info(clip, &info);
    double frames, rate_hz;
    const char *name = strrchr(paths[i], '/') + 1;
    if (find_clip(manifest, name, &frames, &rate_hz)) {
      double times = strcmp(name, other_rate) == 0 ? 2 : 1;
      cr_expect_eq(info.rate_hz, rate_hz * times, "%s", name);
      cr_expect_eq((double)sinew_clip_frame_count(clip, rate_hz), frames, "%s", name);
      listed++;
    }
    cr_expect_eq(info.curve_count, info.muscle_curves + info.root_curves + info.goal_curves +
                                       info.tdof_curves + info.foreign_curves);
    cr_expect_geq(info.muscle_curves, 40);
    sinew_clip_file_close(file);
  }
  cr_expect_eq(listed, count);
  cr_expect_geq(count, 34);
  free(manifest);
}

static size_t read_metas(const char *folder, int index) {
  size_t count;
  char **paths = kept[index] = test_data_list(folder, ".fbx.meta", &count);
  for (size_t i = 0; i < count; i++) {
    read_source source = {.limits = read_limits_complete(NULL)};
    char *bytes = test_read_file(paths[i], &source.byte_count);
    source.bytes = bytes;
    arena memory = {0};
    rig_description d;
    sinew_error error = {0};
    sinew_result result = read_fbx_meta(&source, &memory, &d, &error);
    if (strstr(paths[i], "/SeedV_")) {
      cr_expect_eq(result, SINEW_ERROR_UNSUPPORTED, "%s", paths[i]);
      cr_expect_not_null(strstr(error.message, "the hierarchy is not in the file, the rig needs its model"));
    } else {
      cr_assert_eq(result, SINEW_OK, "%s: %s (line %u)", paths[i], error.message, error.line);
      cr_expect_eq(d.warning_count, 0, "%s: %s", paths[i], d.warnings[0]);
      for (int b = 0; b < HUMAN_BONE_COUNT; b++)
        if (human_bones[b].required)
          cr_expect_geq(d.node_of_bone[b], 0, "%s: %s", paths[i], human_bones[b].name);
      for (uint32_t n = 0; n < d.node_count; n++) cr_expect_lt(d.nodes[n].parent, (int32_t)n);
    }
    arena_release(&memory);
    free(bytes);
  }
  return count;
}

Test(reader_data, metas) {
  NEED_DATA();
  size_t count =
      read_metas("humanoid/metas", 1) + read_metas("humanoid/truth", 2) + read_metas("humanoid/avatars", 3);
  cr_expect_geq(count, 16);
}
