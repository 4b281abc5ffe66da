/* Files of every format have the same bytes whatever makes them: threads, instruction sets of one profile,
 * verified or not. Long clips, whose columns go to a file on their way to text, hold what they were made of,
 * frame by frame, and as the short clips that they begin with. And left for right twice is nothing. */
#include "clip/clip.h"
#include "posed.h"
#include "rows/made_rows.h"
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORMATS = 6 };

static const sinew_format formats[FORMATS] = {SINEW_FORMAT_GLB, SINEW_FORMAT_VRMA, SINEW_FORMAT_BVH,
                                              SINEW_FORMAT_NPZ, SINEW_FORMAT_ANIM, SINEW_FORMAT_CSV};

typedef struct source {
  const char *what;
  const sinew_clip *clip;
  const sinew_rig *rig;
  sinew_bake_options options;
} source;

static char *bake(const sinew_context *context, const source *from, const char *path, size_t *byte_count) {
  sinew_error error;
  char text[1024];
  cr_assert(sinew_bake(context, from->clip, from->rig, &from->options, path, NULL, &error) == SINEW_OK,
            "%s as %s: %s", from->what, sinew_format_name(from->options.format),
            sinew_error_text(&error, text, sizeof text));
  char *bytes = test_read_file(path, byte_count);
  cr_assert(bytes && *byte_count > 100);
  return bytes;
}

static uint64_t hash_of(const sinew_context *context, const source *from, const char *path) {
  size_t count;
  char *bytes = bake(context, from, path, &count);
  const uint64_t hash = test_hash(bytes, count);
  free(bytes);
  unlink(path);
  return hash;
}

static void expect_hash(const char *isa, uint32_t threads, bool no_verify, const source *from,
                        const char *path, uint64_t hash) {
  source other = *from;
  sinew_context *context = test_open_context(isa, threads);
  other.options.no_verify = no_verify;
  cr_expect(hash_of(context, &other, path) == hash, "%s as %s: other bytes on %s with %u threads%s",
            from->what, sinew_format_name(from->options.format), sinew_context_isa(context), threads,
            no_verify ? ", not verified" : "");
  sinew_context_close(context);
}

static const char *fma_isa(uint32_t index) {
  const char *isa = sinew_isa_available(index);
  if (!isa) return NULL;
  sinew_context *context = test_open_context(isa, 1);
  const bool is_fma = strcmp(sinew_context_profile(context), "fma") == 0;
  sinew_context_close(context);
  return is_fma ? isa : NULL;
}

static void expect_one_file(const source *given, const char *folder) {
  char path[512];
  for (int f = 0; f < FORMATS; f++) {
    source from = *given;
    from.options.format = formats[f];
    snprintf(path, sizeof path, "%s/one.%s", folder, sinew_format_name(formats[f]));
    sinew_context *context = test_open_context(NULL, 1);
    const uint64_t hash = hash_of(context, &from, path);
    sinew_context_close(context);
    expect_hash(NULL, 8, false, &from, path, hash);
    expect_hash(NULL, 3, true, &from, path, hash);
    const char *isa;
    for (uint32_t i = 1; (isa = fma_isa(i)); i++) expect_hash(isa, 2, i % 2 == 0, &from, path, hash);
  }
}

Test(format_bytes, of_threads_and_instruction_sets, .timeout = 300) {
  char *folder = test_folder_make();
  sinew_rig *rig = test_open_rig(test_source("scripts/sample/walker.fbx.meta"));
  sinew_clip_file *muscles = test_open_clip(test_source("scripts/sample/walk.anim")),
                  *bones = test_open_clip(test_source("scripts/sample/walk.bvh"));
  const sinew_clip *muscle = sinew_clip_file_clip(muscles, 0), *bone = sinew_clip_file_clip(bones, 0);
  const source all[] = {
      {"muscles on a rig", muscle, rig, {0}},
      {"muscles, many frames, mirrored", muscle, rig, {.rate_hz = 4500, .mirror = true}},
      {"bones", bone, NULL, {0}},
      {"bones on a rig", bone, rig, {.rate_hz = 4500}},
      {"bones by muscles", bone, rig, {.via = SINEW_VIA_MUSCLE, .limb = SINEW_LIMB_EXACT, .npz_xyz = true}},
      {"bones by muscles, clamped",
       bone,
       rig,
       {.via = SINEW_VIA_MUSCLE,
        .limits = SINEW_LIMITS_CLAMP,
        .bvh_order = "XYZ",
        .bvh_rest = SINEW_REST_TPOSE}}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) expect_one_file(&all[i], folder);
  sinew_clip_file_close(bones), sinew_clip_file_close(muscles);
  sinew_rig_close(rig);
  test_folder_remove(folder);
}

/* ---- long clips -------------------------------------------------------------------------------------------
 */

enum { LONG = 16 * 64 * 64 + 1777, SHORT = 700, COLUMNS = 12 };

static const char *const columns[COLUMNS] = {"RootT.x",
                                             "RootT.y",
                                             "RootT.z",
                                             "RootQ.x",
                                             "RootQ.y",
                                             "RootQ.z",
                                             "RootQ.w",
                                             "Spine Front-Back",
                                             "Left Arm Down-Up",
                                             "Right Upper Leg Front-Back",
                                             "Left Forearm Stretch",
                                             "Head Turn Left-Right"};

static sinew_clip_file *made(const float *values, uint64_t frames) {
  const sinew_row_clip rows = {.name = "long",
                               .rate_hz = 30,
                               .frame_count = frames,
                               .values = values,
                               .column_count = COLUMNS,
                               .columns = columns};
  return rows_open(&rows);
}

/* The root turns about an axis, so that its quaternion's sign goes on over every border. */
static float *made_values(void) {
  float *values = calloc(LONG, COLUMNS * sizeof *values);
  cr_assert(values);
  for (uint64_t f = 0; f < LONG; f++) {
    float *row = values + f * COLUMNS;
    const double half = fmod(0.185 * (double)f, M_PI);
    for (uint32_t c = 0; c < COLUMNS; c++)
      row[c] = (float)(0.5 * sin((double)f * (0.02 + 0.01 * row_noise(c, 1)) + c) + 0.05 * row_noise(f, c));
    row[1] = 1;
    row[3] = (float)(0.6 * sin(half)), row[4] = (float)(0.8 * sin(half)), row[5] = 0,
    row[6] = (float)cos(half);
  }
  return values;
}

static int channel_of(uint32_t column) {
  return clip_channel_find(columns[column], strlen(columns[column]));
}

static float value_of(posed *p, uint32_t column, uint64_t frame) {
  return posed_plane(p, clip_plane_of_channel(channel_of(column)), posed_load(p, frame));
}

static void expect_values(const char *path, const float *values) {
  sinew_clip_file *file = test_open_clip(path);
  sinew_error error;
  posed read;
  const bake_choice choice = {.no_pose = true, .planes = true};
  cr_assert(posed_open(sinew_clip_file_clip(file, 0), NULL, &choice, &read, &error), "%s", error.message);
  cr_assert_eq(read.plan.frame_count, (uint64_t)LONG);
  uint64_t other = 0, jumps = 0;
  float before[4] = {0};
  for (uint64_t f = 0; f < LONG; f++) {
    const float *row = values + f * COLUMNS;
    float q[4], dot = 0, on = 0;
    for (uint32_t c = 0; c < 4; c++)
      q[c] = value_of(&read, 3 + c, f), dot += q[c] * row[3 + c], on += q[c] * before[c];
    jumps += on < 0;
    memcpy(before, q, sizeof q);
    for (uint32_t c = 0; c < COLUMNS; c++) {
      const float sign = c >= 3 && c < 7 && dot < 0 ? -1 : 1;
      other += value_of(&read, c, f) != sign * row[c];
    }
  }
  cr_expect(other == 0 && jumps == 0, "%s: %llu other values, %llu turns to the other side", path,
            (unsigned long long)other, (unsigned long long)jumps);
  posed_close(&read);
  sinew_clip_file_close(file);
}

static const char *after(const char *text, const char *word) {
  const char *at = strstr(text, word);
  cr_assert(at, "no '%s'", word);
  at = strchr(at, '\n');
  cr_assert(at);
  return at + 1;
}

static char *bake_text(const sinew_context *context, const float *values, uint64_t first, uint64_t frames,
                       const sinew_rig *rig, sinew_format format, const char *path) {
  sinew_clip_file *file = made(values + first * COLUMNS, frames);
  const source from = {"made rows", sinew_clip_file_clip(file, 0), rig, {.format = format}};
  size_t count;
  char *bytes = bake(context, &from, path, &count);
  bytes = realloc(bytes, count + 1);
  bytes[count] = 0;
  sinew_clip_file_close(file);
  return bytes;
}

/* Lines of frames of a long clip are those of short ones that begin and end as it does. */
static void expect_lines(const sinew_context *context, const float *values, const sinew_rig *rig,
                         sinew_format format, const char *head, bool ends, const char *folder) {
  char path[512];
  snprintf(path, sizeof path, "%s/lines.%s", folder, sinew_format_name(format));
  char *whole = bake_text(context, values, 0, LONG, rig, format, path),
       *first = bake_text(context, values, 0, SHORT, rig, format, path),
       *last = bake_text(context, values, LONG - SHORT, SHORT, rig, format, path);
  const char *lines = after(whole, head), *begin = after(first, head), *end = after(last, head);
  cr_expect(strncmp(lines, begin, strlen(begin)) == 0, "%s begins otherwise", sinew_format_name(format));
  cr_expect(!ends || strcmp(whole + strlen(whole) - strlen(end), end) == 0, "%s ends otherwise",
            sinew_format_name(format));
  free(whole), free(first), free(last);
  unlink(path);
}

Test(format_bytes, of_long_clips, .timeout = 300) {
  char *folder = test_folder_make(), path[512];
  sinew_context *one = test_open_context(NULL, 1), *many = test_open_context(NULL, 4);
  sinew_rig *rig = test_open_rig(test_source("scripts/sample/walker.fbx.meta"));
  float *values = made_values();
  sinew_clip_file *file = made(values, LONG);
  for (int f = 0; f < FORMATS; f++) {
    const source from = {"long rows", sinew_clip_file_clip(file, 0), rig, {.format = formats[f]}};
    snprintf(path, sizeof path, "%s/long.%s", folder, sinew_format_name(formats[f]));
    const uint64_t hash = hash_of(one, &from, path);
    cr_expect_eq(hash_of(many, &from, path), hash, "%s", path);
    if (formats[f] != SINEW_FORMAT_ANIM && formats[f] != SINEW_FORMAT_CSV) continue;
    size_t count;
    free(bake(many, &from, path, &count));
    expect_values(path, values);
    unlink(path);
  }
  expect_lines(many, values, rig, SINEW_FORMAT_BVH, "Frame Time:", true, folder);
  expect_lines(many, values, rig, SINEW_FORMAT_CSV, "RootT.x", false, folder);
  sinew_clip_file_close(file);
  free(values);
  sinew_rig_close(rig);
  sinew_context_close(one), sinew_context_close(many);
  test_folder_remove(folder);
}

/* ---- mirrored twice
 * ----------------------------------------------------------------------------------------- */

static void mirror_twice(const sinew_context *context, const sinew_clip *clip, const char *name,
                         const char *folder) {
  char path[3][512];
  size_t count[2];
  for (int i = 0; i < 3; i++) snprintf(path[i], sizeof path[i], "%s/%d.anim", folder, i);
  const source plain = {name, clip, NULL, {.format = SINEW_FORMAT_ANIM}},
               mirrored = {name, clip, NULL, {.format = SINEW_FORMAT_ANIM, .mirror = true}};
  char *straight = bake(context, &plain, path[0], &count[0]);
  size_t unused;
  free(bake(context, &mirrored, path[1], &unused));
  sinew_clip_file *once = test_open_clip(path[1]);
  const source again = {
      name, sinew_clip_file_clip(once, 0), NULL, {.format = SINEW_FORMAT_ANIM, .mirror = true}};
  char *twice = bake(context, &again, path[2], &count[1]);
  size_t at = 0;
  while (at < count[0] && at < count[1] && straight[at] == twice[at]) at++;
  cr_expect(count[0] == count[1] && at == count[0],
            "%s: mirrored twice differs from byte %zu of %zu and %zu: '%.60s', '%.60s'", name, at, count[0],
            count[1], straight + (at > 40 ? at - 40 : 0), twice + (at > 40 ? at - 40 : 0));
  free(straight), free(twice);
  sinew_clip_file_close(once);
  for (int i = 0; i < 3; i++) unlink(path[i]);
}

static void mirror_file(const sinew_context *context, const char *path, const char *folder) {
  sinew_clip_file *file;
  sinew_error error;
  if (sinew_clip_file_open(path, NULL, &file, &error) != SINEW_OK) return;
  sinew_clip_info info;
  sinew_clip_get_info(sinew_clip_file_clip(file, 0), &info);
  if (info.kind == SINEW_CLIP_MUSCLES || info.is_human)
    mirror_twice(context, sinew_clip_file_clip(file, 0), strrchr(path, '/') + 1, folder);
  sinew_clip_file_close(file);
}

Test(format_bytes, mirrored_twice, .timeout = 300) {
  char *folder = test_folder_make();
  sinew_context *context = test_open_context(NULL, 2);
  mirror_file(context, test_source("scripts/sample/walk.anim"), folder);
  mirror_file(context, test_source("scripts/sample/walk.bvh"), folder);
  static const char *const kinds[][2] = {
      {"humanoid/clips", ".anim"}, {"humanoid/truth", ".glb"}, {"bvh", ".bvh"}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    size_t count;
    char **paths = test_data_list(kinds[i][0], kinds[i][1], &count);
    for (size_t k = 0; k < count; k++) mirror_file(context, paths[k], folder);
  }
  sinew_context_close(context);
  test_folder_remove(folder);
}
