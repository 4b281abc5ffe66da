/* A clip in which nothing moves plays for its length, not for 0 seconds: players divide by it. */
#include "support/bake.h"
#include "support/data.h"
#include "verify/verify.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The sample with the first key of each curve alone, and another stop time. */
static char *still_clip(const char *stop_time, size_t *byte_count) {
  char *text = test_read_file(test_source("scripts/sample/walk_cut.anim"), byte_count);
  cr_assert(text);
  char *out = malloc(*byte_count + 64);
  size_t length = 0;
  int key = 0;
  for (char *line = text, *end; line < text + *byte_count; line = end) {
    char *newline = memchr(line, '\n', (size_t)(text + *byte_count - line));
    end = newline ? newline + 1 : text + *byte_count;
    char *word = line + strspn(line, " ");
    if (strncmp(word, "m_Curve:", 8) == 0 || strncmp(word, "m_PreInfinity", 13) == 0) key = 0;
    if (strncmp(word, "- serializedVersion: 3", 22) == 0) key++;
    if (key > 1) continue;
    if (strncmp(word, "m_StopTime:", 11) == 0) {
      length += (size_t)sprintf(out + length, "    m_StopTime: %s\n", stop_time);
      continue;
    }
    memcpy(out + length, line, (size_t)(end - line));
    length += (size_t)(end - line);
  }
  free(text);
  *byte_count = length;
  return out;
}

static void bake_still(const char *stop_time, const sinew_bake_options *options, const char *path,
                       sinew_bake_report *report) {
  size_t byte_count;
  char *text = still_clip(stop_time, &byte_count), line[1024];
  sinew_error error;
  sinew_clip_file *file;
  cr_assert(sinew_clip_file_open_memory(text, byte_count, "still.anim", NULL, &file, &error) == SINEW_OK,
            "%s", sinew_error_text(&error, line, sizeof line));
  sinew_context *context = test_open_context(NULL, 2);
  sinew_rig *rig = test_open_rig(test_source("scripts/sample/walker_cut.fbx.meta"));
  cr_assert(sinew_bake(context, sinew_clip_file_clip(file, 0), rig, options, path, report, &error) ==
                SINEW_OK,
            "%s", sinew_error_text(&error, line, sizeof line));
  sinew_rig_close(rig);
  sinew_context_close(context);
  sinew_clip_file_close(file);
  free(text);
}

static void expect_length(const char *stop_time, double length_s, uint64_t file_frames, bool quantize) {
  char *folder = test_folder_make(), path[1024];
  snprintf(path, sizeof path, "%s/still.glb", folder);
  sinew_bake_options options = {.quantize = quantize};
  sinew_bake_report report;
  bake_still(stop_time, &options, path, &report);
  cr_expect(report.verified && report.sampled_tracks == 0);
  sinew_error error = {0};
  verify_file *file;
  int fd = open(path, O_RDONLY);
  cr_assert(verify_open(fd, &file, &error) == SINEW_OK, "%s", error.message);
  cr_expect(verify_frame_count(file) == file_frames, "%s s: %llu frames", stop_time,
            (unsigned long long)verify_frame_count(file));
  double end_s;
  cr_assert(verify_frame_time(file, file_frames - 1, &end_s, &error) == SINEW_OK, "%s", error.message);
  cr_expect(fabs(end_s - length_s) <= 1e-6 * length_s, "%s s: ends at %g s", stop_time, end_s);
  uint32_t node_count = verify_node_count(file);
  for (uint32_t node = 0; node < node_count; node++) {
    double first[3], last[3];
    cr_assert(verify_positions(file, &node, 1, 0, 1, first, &error) == SINEW_OK);
    cr_assert(verify_positions(file, &node, 1, file_frames - 1, 1, last, &error) == SINEW_OK);
    cr_expect(memcmp(first, last, sizeof first) == 0, "node %u moves", node);
  }
  verify_close(file);
  close(fd);
  test_folder_remove(folder);
}

Test(still, a_clip_in_which_nothing_moves_keeps_its_length) {
  for (int quantize = 0; quantize < 2; quantize++) {
    expect_length("3", 3, 2, quantize);
    expect_length("0.03333333", 0.03333333, 2, quantize); /* two frames */
    expect_length("100.5", 100.5, 2, quantize);           /* more than a batch of blocks */
    expect_length("0", 0, 1, quantize);                   /* a pose: one frame */
  }
}

/* ---- mirrored ------------------------------------------------------------------------------------------- */

/* One muscle of one side moves. */
static uint64_t bake_arm(const char *muscle, bool mirror, sinew_bake_report *report) {
  enum { FRAMES = 90 };
  static float values[FRAMES];
  for (int f = 0; f < FRAMES; f++) values[f] = 0.01F * (float)f;
  const sinew_row_clip rows = {.name = "arm",
                               .rate_hz = 30,
                               .frame_count = FRAMES,
                               .values = values,
                               .column_count = 1,
                               .columns = &muscle};
  char *folder = test_folder_make(), path[1024];
  snprintf(path, sizeof path, "%s/arm.glb", folder);
  sinew_clip_file *file;
  sinew_error error;
  cr_assert(sinew_clip_from_rows(&rows, NULL, &file, &error) == SINEW_OK, "%s", error.message);
  sinew_context *context = test_open_context(NULL, 1);
  sinew_rig *rig = test_open_rig(test_source("scripts/sample/walker.fbx.meta"));
  const sinew_bake_options options = {.mirror = mirror};
  cr_assert(sinew_bake(context, sinew_clip_file_clip(file, 0), rig, &options, path, report, &error) == SINEW_OK,
            "%s: %s", muscle, error.message);
  size_t byte_count;
  char *bytes = test_read_file(path, &byte_count);
  cr_assert(bytes);
  const uint64_t hash = test_hash(bytes, byte_count);
  free(bytes);
  sinew_rig_close(rig);
  sinew_context_close(context);
  sinew_clip_file_close(file);
  test_folder_remove(folder);
  return hash;
}

Test(still, what_is_still_is_the_other_side_of_a_mirrored_clip) {
  sinew_bake_report mirrored, plain;
  const uint64_t from_left = bake_arm("Left Arm Down-Up", true, &mirrored);
  cr_expect_eq(from_left, bake_arm("Right Arm Down-Up", false, &plain));
  cr_expect(mirrored.sampled_tracks == plain.sampled_tracks && mirrored.sampled_tracks > 0);
}
