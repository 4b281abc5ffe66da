/* Translation degrees of freedom as the program writes them: of both clips that the editor gave them the
 * same curves, equal at the editor's own keys; none of takes whose bones stand still in their parents; the
 * same bytes by any number of threads. */
#include "clip/clip.h"
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double most_apart = 2e-6;

static const char *path_of(const char *name, const char *suffix) {
  char path[256];
  snprintf(path, sizeof path, "humanoid/truth/%s%s", name, suffix);
  return test_data(path);
}

static sinew_result bake_take(const sinew_clip *clip, const sinew_rig *rig, sinew_bake_options options,
                              uint32_t threads, const char *path, sinew_error *error) {
  sinew_context *context = test_open_context(NULL, threads);
  const sinew_result result = sinew_bake(context, clip, rig, &options, path, NULL, error);
  sinew_context_close(context);
  return result;
}

/* A take baked to a file of the folder; returns its path. */
static const char *bake(const char *folder, const char *take, const char *rig_path, double rate_hz, bool tdof,
                        uint32_t threads) {
  static char path[512];
  snprintf(path, sizeof path, "%s/%u.anim", folder, threads);
  sinew_error error;
  sinew_clip_file *file = test_open_clip(take);
  sinew_rig *rig = rig_path ? test_open_rig(rig_path) : NULL;
  const sinew_bake_options options = {.format = SINEW_FORMAT_ANIM, .rate_hz = rate_hz, .tdof = tdof};
  const sinew_result result = bake_take(sinew_clip_file_clip(file, 0), rig, options, threads, path, &error);
  cr_assert(result == SINEW_OK, "%s: %s", take, error.message);
  if (rig) sinew_rig_close(rig);
  sinew_clip_file_close(file);
  return path;
}

/* The value of a curve's key at a time that float32 cannot tell from it. */
static double value_at(const sinew_clip *clip, const clip_curve *curve, double time_s) {
  for (uint64_t k = curve->first_key; k < curve->first_key + curve->key_count; k++)
    if (fabs((double)clip->time_s[k] - time_s) < 1e-5) return (double)clip->value[k];
  return (double)NAN;
}

static uint64_t compare_curve(const sinew_clip *ours, const sinew_clip *editors, int channel) {
  const int32_t theirs = editors->curve_of_channel[channel], own = ours->curve_of_channel[channel];
  cr_expect_eq(own >= 0, theirs >= 0, "curve %s", clip_channel_name(channel));
  if (theirs < 0 || own < 0) return 0;
  const clip_curve *curve = &editors->curves[theirs];
  for (uint64_t k = curve->first_key; k < curve->first_key + curve->key_count; k++) {
    const double time_s = (double)editors->time_s[k], value = (double)editors->value[k];
    const double found = value_at(ours, &ours->curves[own], time_s);
    cr_expect(fabs(found - value) <= most_apart, "%s at %.4f: %.7f, the editor's %.7f", curve->attribute,
              time_s, found, value);
  }
  return curve->key_count;
}

static bool has_tdof(const sinew_clip *clip) {
  for (int channel = CLIP_CHANNEL_TDOF; channel < CLIP_CHANNEL_COUNT; channel++)
    if (clip->curve_of_channel[channel] >= 0) return true;
  return false;
}

static void expect_same_bytes(const char *first, const char *other, uint32_t threads) {
  size_t first_bytes, other_bytes;
  char *a = test_read_file(first, &first_bytes), *b = test_read_file(other, &other_bytes);
  cr_expect(a && b && first_bytes == other_bytes && memcmp(a, b, first_bytes) == 0, "%u threads", threads);
  free(a), free(b);
}

static const char *const runs[] = {"N1rium_female_move_run_back_left", "N1rium_female_move_run_front"};

Test(tdof, is_the_editors_at_its_keys) {
  NEED_DATA();
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    char *folder = test_folder_make();
    sinew_clip_file *truth = test_open_clip(path_of(runs[i], ".anim"));
    const sinew_clip *editors = sinew_clip_file_clip(truth, 0);
    const char *path =
        bake(folder, path_of(runs[i], ".take.glb"), path_of(runs[i], ".fbx.meta"), editors->rate_hz, true, 1);
    sinew_clip_file *baked = test_open_clip(path);
    const sinew_clip *ours = sinew_clip_file_clip(baked, 0);
    uint64_t keys = 0;
    for (int channel = CLIP_CHANNEL_TDOF; channel < CLIP_CHANNEL_COUNT; channel++)
      keys += compare_curve(ours, editors, channel);
    cr_expect(keys > 0, "%s has none", runs[i]);
    sinew_clip_file_close(baked);
    sinew_clip_file_close(truth);
    test_folder_remove(folder);
  }
}

/* Long enough for several pieces of text a curve. */
Test(tdof, has_the_same_bytes_by_any_number_of_threads) {
  NEED_DATA();
  char *folder = test_folder_make();
  char first[512];
  const char *take = path_of(runs[0], ".take.glb"), *rig = path_of(runs[0], ".fbx.meta");
  snprintf(first, sizeof first, "%s", bake(folder, take, rig, 30000, true, 1));
  for (uint32_t threads = 2; threads <= 8; threads *= 2)
    expect_same_bytes(first, bake(folder, take, rig, 30000, true, threads), threads);
  test_folder_remove(folder);
}

Test(tdof, is_not_there_where_nothing_moves_nobody_asks_or_delta_leads) {
  NEED_DATA();
  const struct {
    const char *take, *rig;
    bool tdof;
  } cases[] = {{path_of(runs[0], ".take.glb"), path_of(runs[0], ".fbx.meta"), false},
               {path_of(runs[0], ".take.glb"), path_of("ibrahimozturk47_TwinSword_Idle", ".fbx.meta"), true},
               {test_source("scripts/sample/walk.bvh"), NULL, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *folder = test_folder_make();
    sinew_clip_file *baked = test_open_clip(bake(folder, cases[i].take, cases[i].rig, 0, cases[i].tdof, 1));
    cr_expect(!has_tdof(sinew_clip_file_clip(baked, 0)), "case %zu", i);
    sinew_clip_file_close(baked);
    test_folder_remove(folder);
  }
}

/* ---- what it cannot be asked of ---- */

static void expect_refusal(const char *clip, sinew_bake_options options, const char *what) {
  sinew_error error;
  char *folder = test_folder_make(), path[512];
  snprintf(path, sizeof path, "%s/a.anim", folder);
  sinew_clip_file *file = test_open_clip(test_source(clip));
  cr_expect_eq(bake_take(sinew_clip_file_clip(file, 0), NULL, options, 1, path, &error), SINEW_ERROR_ARGUMENT,
               "%s", what);
  cr_expect(strstr(error.message, "translation degrees of freedom"), "%s: %s", what, error.message);
  cr_expect_eq(test_folder_count(folder), 0u);
  sinew_clip_file_close(file);
  test_folder_remove(folder);
}

Test(tdof, is_refused_where_it_cannot_be) {
  const char *bones = "scripts/sample/walk.bvh", *muscles = "scripts/sample/walk.anim";
  const sinew_format others[] = {SINEW_FORMAT_GLB, SINEW_FORMAT_VRMA, SINEW_FORMAT_BVH, SINEW_FORMAT_NPZ,
                                 SINEW_FORMAT_CSV};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    expect_refusal(bones, (sinew_bake_options){.format = others[i], .tdof = true}, "another format");
  expect_refusal(muscles, (sinew_bake_options){.format = SINEW_FORMAT_ANIM, .tdof = true}, "muscles");
  expect_refusal(bones, (sinew_bake_options){.format = SINEW_FORMAT_ANIM, .tdof = true, .mirror = true},
                 "mirrored");
}
