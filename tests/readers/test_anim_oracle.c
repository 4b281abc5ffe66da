/* The scanner against libyaml: the same files through both, every key compared. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clip/clip.h"
#include "readers/made_anim.h"
#include "rig/yaml_tree.h"
#include "support/data.h"

/* ---- documents: libyaml forgets tag handles after the first, and knows no `stripped`
 * ----------------------- */

typedef struct document {
  const char *start;
  size_t length;
} document;

static size_t split(const char *bytes, size_t length, document *out, size_t room) {
  size_t count = 0;
  const char *end = bytes + length;
  for (const char *p = bytes; p && p < end; p = memchr(p, '\n', (size_t)(end - p)), p = p ? p + 1 : NULL) {
    if (end - p < 4 || memcmp(p, "--- ", 4) != 0) continue;
    if (count) out[count - 1].length = (size_t)(p - out[count - 1].start);
    cr_assert(count < room);
    out[count++] = (document){p, (size_t)(end - p)};
  }
  return count;
}

/* Trees and lists of paths have no end of their own; what is reachable is no leak. */
static void *kept[4096];
static size_t kept_count;

static void *keep(void *block) {
  cr_assert(kept_count < sizeof kept / sizeof kept[0]);
  return kept[kept_count++] = block;
}

static yaml_tree *parse_document(const document *d) {
  static const char head[] = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";
  size_t first = sizeof head - 1, line = (size_t)((char *)memchr(d->start, '\n', d->length) - d->start);
  char *copy = malloc(first + d->length);
  memcpy(copy, head, first);
  memcpy(copy + first, d->start, d->length);
  char *stripped = memmem(copy + first, line, " stripped", 9);
  if (stripped) memset(stripped, ' ', 9);
  yaml_tree *tree = keep(yaml_tree_parse(copy, first + d->length));
  free(copy);
  return tree;
}

/* ---- comparison -------------------------------------------------------------------------------------------
 */

static bool is_own(const yaml_tree *entry) {
  const char *path = yaml_at(entry, "path")->text;
  const bool none = path[0] == 0 || strcmp(path, "null") == 0 || strcmp(path, "~") == 0;
  return strcmp(yaml_at(entry, "classID")->text, "95") == 0 && none &&
         yaml_at(entry, "curve/m_Curve")->count > 0;
}

static size_t count_own(const yaml_tree *list) {
  size_t count = 0;
  for (size_t i = 0; list && i < list->count; i++) count += is_own(list->items[i]);
  return count;
}

static float field(const yaml_tree *key, const char *name) {
  return strtof(yaml_at(key, name)->text, NULL);
}

static bool same(float a, float b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

static void compare_key(const sinew_clip *clip, uint64_t at, const yaml_tree *key, const char *where) {
  const yaml_tree *mode_text = yaml_find(key, "weightedMode");
  int mode = mode_text ? atoi(mode_text->text) : 0;
  float in = field(key, "inSlope"), out = field(key, "outSlope"), third = 1.0f / 3;
  float in_weight = mode & 1 ? field(key, "inWeight") : third;
  float out_weight = mode & 2 ? field(key, "outWeight") : third;
  cr_assert(same(clip->time_s[at], field(key, "time")) && same(clip->value[at], field(key, "value")) &&
                same(clip->in_slope[at], isnan(in) ? 0 : in) &&
                same(clip->out_slope[at], isnan(out) ? 0 : out) && clip->weighted_mode[at] == mode &&
                same(clip->in_weight[at], in_weight) && same(clip->out_weight[at], out_weight),
            "%s: key %llu differs", where, (unsigned long long)at);
}

static size_t compare_curves(const sinew_clip *clip, const yaml_tree *list, const char *where) {
  uint32_t curve = 0;
  size_t keys = 0;
  for (size_t i = 0; i < list->count; i++) {
    const yaml_tree *entry = list->items[i];
    if (!is_own(entry)) continue;
    cr_assert(curve < clip->curve_count, "%s: only %u curves", where, clip->curve_count);
    const clip_curve *c = &clip->curves[curve++];
    const yaml_tree *stored = yaml_at(entry, "curve/m_Curve");
    cr_assert_str_eq(c->attribute, yaml_at(entry, "attribute")->text);
    cr_assert_eq(c->key_count, stored->count, "%s: %s", where, c->attribute);
    cr_assert_eq(c->before_code, atoi(yaml_at(entry, "curve/m_PreInfinity")->text));
    cr_assert_eq(c->after_code, atoi(yaml_at(entry, "curve/m_PostInfinity")->text));
    for (size_t k = 0; k < stored->count; k++) compare_key(clip, c->first_key + k, stored->items[k], where);
    keys += stored->count;
  }
  cr_assert_eq(curve, clip->curve_count, "%s", where);
  cr_assert_eq(keys, clip->key_count, "%s", where);
  return keys;
}

static size_t compare_clip(const sinew_clip *clip, const yaml_tree *root, const char *where) {
  const yaml_tree *t = yaml_at(root, "AnimationClip");
  cr_assert_str_eq(clip->name, yaml_at(t, "m_Name")->text);
  cr_assert(same((float)clip->rate_hz, field(t, "m_SampleRate")));
  cr_assert(same((float)clip->stop_s, field(yaml_at(t, "m_AnimationClipSettings"), "m_StopTime")));
  cr_assert_eq(clip->settings.loop_time, atoi(yaml_at(t, "m_AnimationClipSettings/m_LoopTime")->text));
  const yaml_tree *list = yaml_at(t, "m_FloatCurves");
  if (count_own(list) == 0) list = yaml_at(t, "m_EditorCurves");
  return compare_curves(clip, list, where);
}

static size_t compare_file(const char *bytes, size_t length, const char *where) {
  sinew_clip_file *file;
  sinew_error error;
  char message[512];
  sinew_result result = sinew_clip_file_open_memory(bytes, length, where, NULL, &file, &error);
  cr_assert_eq(result, SINEW_OK, "%s", result ? sinew_error_text(&error, message, sizeof message) : "");
  document documents[64];
  size_t count = split(bytes, length, documents, 64), keys = 0;
  uint32_t clip = 0;
  for (size_t i = 0; i < count; i++) {
    if (memcmp(documents[i].start, "--- !u!74 ", 10) != 0) continue;
    const sinew_clip *found = sinew_clip_file_clip(file, clip++);
    cr_assert_not_null(found, "%s: clip %u", where, clip);
    keys += compare_clip(found, parse_document(&documents[i]), where);
  }
  cr_assert_eq(clip, sinew_clip_file_count(file));
  sinew_clip_file_close(file);
  return keys;
}

/* ---- real files -------------------------------------------------------------------------------------------
 */

static size_t compare_folder(const char *folder, size_t *files) {
  size_t count, keys = 0;
  char **paths = keep(test_data_list(folder, ".anim", &count));
  for (size_t i = 0; i < count; i++) {
    size_t length;
    char *bytes = test_read_file(paths[i], &length);
    keys += compare_file(bytes, length, paths[i]);
    free(bytes);
  }
  *files += count;
  return keys;
}

Test(anim_oracle, real_clips) {
  NEED_DATA();
  size_t files = 0;
  size_t keys = compare_folder("humanoid/clips", &files) + compare_folder("humanoid/truth", &files);
  cr_expect_geq(files, 39);
  cr_expect_geq(keys, 70000, "%zu keys", keys);
}

/* ---- made files -------------------------------------------------------------------------------------------
 */

static void compare_made(const made_options *options) {
  text t = made_anim(options);
  char where[96];
  snprintf(where, sizeof where, "form %u, key version %d, seed %llu", options->form, options->key_version,
           (unsigned long long)options->seed);
  size_t keys = compare_file(t.bytes, t.length, where);
  cr_expect_geq(keys, (size_t)options->documents * (size_t)options->curves);
  text_free(&t);
}

Test(anim_oracle, each_form) {
  for (int version = 1; version <= 3; version++)
    for (unsigned form = 0; form <= 2048; form = form ? form * 2 : 1)
      compare_made(&(made_options){.seed = form * 4 + (unsigned)version,
                                   .form = form == 2048 ? 2047 : form,
                                   .key_version = version,
                                   .documents = 3,
                                   .curves = 12,
                                   .keys = 9});
}

Test(anim_oracle, forms_together) {
  uint64_t state = 20;
  for (int i = 0; i < 200; i++) {
    uint64_t r = made_random(&state);
    compare_made(&(made_options){.seed = r,
                                 .form = (unsigned)(r >> 20) & 2047,
                                 .key_version = 1 + (int)(r >> 40) % 3,
                                 .documents = 1 + (int)(r >> 44) % 4,
                                 .curves = 1 + (int)(r >> 48) % 20,
                                 .keys = 1 + (int)(r >> 52) % 30});
  }
}
