/* The real and the odd BVH files beside the project, against what their lists say. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/motion_reader.h"
#include "support/data.h"

static sinew_result read_at(const char *relative, motion_file **file, sinew_error *error) {
  char path[300];
  snprintf(path, sizeof path, "%s", test_data(relative) ? test_data(relative) : relative);
  memset(error, 0, sizeof *error);
  return read_motion_file(path, NULL, file, error);
}

static bool warns(const skeleton *s, const char *words) {
  for (uint32_t i = 0; i < s->warning_count; i++)
    if (strstr(s->warnings[i], words)) return true;
  return words == NULL;
}

/* ---- the odd ones ------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  int joints, channels;
  long frames; /* -1: no MOTION */
  double rate_hz;
  const char *warning; /* the only one, or NULL */
} accepted[] = {
    {"00_plain", 2, 9, 4, 30, NULL},
    {"01_zero_channel_joint", 2, 6, 4, 30, NULL},
    {"02_no_channels_line", 2, 6, 4, 30, "states no CHANNELS: it does not move"},
    {"03_root_3_channels_rotation_only", 2, 6, 4, 30, NULL},
    {"04_root_position_only", 2, 6, 4, 30, NULL},
    {"06_six_channels_everywhere", 2, 12, 4, 30, NULL},
    {"07_single_rotation_channel", 2, 7, 4, 30, NULL},
    {"08_two_channels", 2, 8, 4, 30, NULL},
    {"10_cr_only", 2, 9, 4, 30, NULL},
    {"11_utf8_bom", 2, 9, 4, 30, NULL},
    {"13_tabs_everywhere", 2, 9, 4, 30, NULL},
    {"14_missing_frame_time", 2, 9, 4, 30, "30 frames a second are taken"},
    {"16_fewer_frames_than_declared", 2, 9, 4, 30, "Frames states 10, but 4 rows follow"},
    {"18_frames_zero", 2, 9, 0, 30, NULL},
    {"19_no_motion_section", 2, 9, -1, 0, NULL},
    {"21_brace_same_line", 2, 9, 4, 30, NULL},
    {"22_one_line_hierarchy", 2, 9, 4, 30, NULL},
    {"23_no_end_site", 2, 9, 4, 30, NULL},
    {"25_end_site_lower_case", 2, 9, 4, 30, NULL},
    {"27_unicode_names", 2, 9, 4, 30, NULL},
    {"28_duplicate_names", 2, 9, 4, 30, NULL},
    {"30_zero_length_bone", 2, 9, 4, 30, NULL},
    {"34_frame_time_int_fps", 2, 9, 4, 1, NULL},
    {"35_frame_time_120", 2, 9, 8, 120, NULL},
    {"37_large_angles", 2, 9, 3, 30, NULL},
    {"45_missing_frame_count_word", 2, 9, 4, 30, NULL},
};

static const struct {
  const char *name;
  sinew_result code;
  uint32_t line, column;
  const char *words;
} refused[] = {
    {"31_nan_inf", SINEW_ERROR_SYNTAX, 19, 7, "found 'nan', expected a finite number"},
    {"33_frame_time_zero", SINEW_ERROR_SYNTAX, 18, 13, "found '0', expected the seconds of a frame"},
    {"38_depth_2000", SINEW_ERROR_LIMIT, 0, 0, "more than 256 joints deep, the limit"},
    {"40_channels_count_mismatch", SINEW_ERROR_SYNTAX, 10, 5, "CHANNELS states 3 and names 2: found 'End'"},
};

static uint32_t joints_of(const skeleton *s) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->node_count; i++) count += s->nodes[i].is_joint;
  return count;
}

Test(bvh_data, odd_files_that_are_read) {
  NEED_DATA();
  for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++) {
    char path[100];
    snprintf(path, sizeof path, "bvh-edge/%s.bvh", accepted[i].name);
    motion_file *file;
    sinew_error error;
    cr_assert_eq(read_at(path, &file, &error), SINEW_OK, "%s: %s", path, error.message);
    cr_expect_eq((int)joints_of(file->skeleton), accepted[i].joints, "%s", path);
    cr_expect_eq((int)file->channel_count, accepted[i].channels, "%s", path);
    cr_expect_eq(file->motion_count ? (long)file->motions->frame_count : -1L, accepted[i].frames, "%s", path);
    cr_expect_eq(file->motion_count ? file->motions->rate_hz : 0, accepted[i].rate_hz, "%s", path);
    cr_expect_eq(file->skeleton->warning_count, accepted[i].warning ? 1u : 0u, "%s", path);
    cr_expect(warns(file->skeleton, accepted[i].warning), "%s", path);
    motion_file_close(file);
  }
}

Test(bvh_data, odd_files_that_are_not) {
  NEED_DATA();
  motion_file *file;
  sinew_error error;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    char path[100];
    snprintf(path, sizeof path, "bvh-edge/%s.bvh", refused[i].name);
    cr_expect_eq(read_at(path, &file, &error), refused[i].code, "%s: %s", path, error.message);
    cr_expect(strstr(error.message, refused[i].words), "%s: %s", path, error.message);
    if (refused[i].line)
      cr_expect(error.line == refused[i].line && error.column == refused[i].column, "%s: %u:%u", path,
                error.line, error.column);
  }
  cr_expect_eq(read_at("bvh-edge/41_empty.bvh", &file, &error), SINEW_ERROR_UNSUPPORTED);
  cr_expect_eq(read_at("bvh-edge/42_binary.bvh", &file, &error), SINEW_ERROR_UNSUPPORTED);
  sinew_bvh *bvh;
  cr_expect_eq(sinew_bvh_open(test_data("bvh-edge/41_empty.bvh"), NULL, &bvh, &error), SINEW_ERROR_SYNTAX);
  cr_expect(strstr(error.message, "the file is empty"), "%s", error.message);
  cr_expect_eq(sinew_bvh_open(test_data("bvh-edge/42_binary.bvh"), NULL, &bvh, &error), SINEW_ERROR_SYNTAX);
  cr_expect(strstr(error.message, "expected HIERARCHY"), "%s", error.message);
}

/* ---- the real ones ------------------------------------------------------------------------------------ */

/* The list's joints and frames of a file. */
static bool listed(const char *manifest, const char *name, int *joints, long *frames) {
  char key[300];
  snprintf(key, sizeof key, "bvh/%s,", name);
  const char *field = strstr(manifest, key);
  for (int i = 0; field && i < 5; i++) { /* path, source, commit, original path, licence */
    if (*field == '"') field = strchr(field + 1, '"');
    field = field ? strchr(field, ',') : NULL;
    if (field) field++;
  }
  return field && sscanf(field, "%d,%ld", joints, frames) == 2;
}

/* The rows once more, by the C library from the last of the file's lines that it needs. */
static void compare_rows(const char *path, const motion *m) {
  size_t byte_count;
  char *bytes = test_read_file(path, &byte_count);
  bytes = realloc(bytes, byte_count + 1);
  bytes[byte_count] = 0;
  const char *at = strstr(bytes, "Frame Time:");
  cr_assert(at, "%s", path);
  strtod(at + 11, (char **)&at);
  for (uint64_t i = 0; i < m->frame_count * m->channel_count; i++) {
    const float wanted = strtof(at, (char **)&at);
    cr_assert(memcmp(&wanted, &m->rows[i], sizeof wanted) == 0, "%s: value %llu is %.9g, not %.9g", path,
              (unsigned long long)i, (double)m->rows[i], (double)wanted);
  }
  free(bytes);
}

Test(bvh_data, real_files, .timeout = 120) {
  NEED_DATA();
  size_t count, bytes, seen = 0;
  char *manifest = test_read_file(test_data("bvh/MANIFEST.csv"), &bytes);
  manifest = realloc(manifest, bytes + 1);
  manifest[bytes] = 0;
  char **paths = test_data_list("bvh", ".bvh", &count);
  for (size_t i = 0; i < count; i++) {
    const char *name = strrchr(paths[i], '/') + 1;
    motion_file *file;
    sinew_error error = {0};
    const sinew_result result = read_motion_file(paths[i], NULL, &file, &error);
    if (strcmp(name, "mochi-neko_results.bvh") == 0) {
      cr_expect(result == SINEW_ERROR_SYNTAX && strstr(error.message, "expected a finite number"), "%s",
                error.message);
      cr_expect(error.line > 1 && error.column >= 1);
      continue;
    }
    cr_assert_eq(result, SINEW_OK, "%s:%u: %s", paths[i], error.line, error.message);
    int joints;
    long frames;
    if (listed(manifest, name, &joints, &frames)) {
      seen++;
      cr_expect_eq((int)joints_of(file->skeleton), joints, "%s has %u joints", name,
                   joints_of(file->skeleton));
      cr_expect_eq((long)file->motions->frame_count, frames, "%s has %ld frames", name,
                   (long)file->motions->frame_count);
    }
    compare_rows(paths[i], file->motions);
    motion_file_close(file);
  }
  cr_expect_geq(seen, 25);
  free(manifest);
}
