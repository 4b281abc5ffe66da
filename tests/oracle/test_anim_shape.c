/* The .anim files that clips become, parsed whole by libyaml, beside the editor's own files of the same
 * version: level by level the same fields in the same order, and the same value wherever the editor writes
 * but one. Left empty, as some of the editor's files have them: m_EditorCurves, a copy of the curves for its
 * curve view, and genericBindings, which importing makes anew. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rig/yaml_tree.h"
#include "support/bake.h"
#include "support/data.h"

/* ---- a file's shape -----------------------------------------------------------------------------------
 */

typedef enum level_kind { MAP, LIST, SCALAR } level_kind;

typedef struct level {
  char *path;   /* "AnimationClip/m_FloatCurves/[]/curve" */
  char *fields; /* a map's, in order; "[]": a list; a scalar's text */
  level_kind kind;
  bool varies; /* maps, or texts, of this path differ */
} level;

typedef struct shape {
  level *levels;
  size_t count, room;
} shape;

static char *copy_text(const char *text) {
  const size_t size = strlen(text) + 1;
  return memcpy(malloc(size), text, size);
}

static level *find_level(const shape *s, const char *path) {
  for (size_t i = 0; i < s->count; i++)
    if (strcmp(s->levels[i].path, path) == 0) return &s->levels[i];
  return NULL;
}

static void add_level(shape *s, const char *path, level_kind kind, const char *fields) {
  level *known = find_level(s, path);
  if (known) {
    known->varies |= known->kind != kind || strcmp(known->fields, fields) != 0;
    return;
  }
  if (s->count == s->room) s->levels = realloc(s->levels, (s->room = 2 * s->room + 64) * sizeof *s->levels);
  s->levels[s->count++] = (level){.path = copy_text(path), .fields = copy_text(fields), .kind = kind};
}

static void release_shape(shape *s) {
  for (size_t i = 0; i < s->count; i++) free(s->levels[i].path), free(s->levels[i].fields);
  free(s->levels);
  *s = (shape){0};
}

enum { PATH_BYTES = 512, FIELD_BYTES = 4096 };

static void add_fields(shape *s, const yaml_tree *map, const char *path) {
  char fields[FIELD_BYTES] = "";
  size_t used = 0;
  for (size_t i = 0; i < map->count; i++) {
    used += (size_t)snprintf(fields + used, sizeof fields - used, "%s ", map->keys[i]->text);
    cr_assert_lt(used, sizeof fields);
  }
  add_level(s, path, MAP, fields);
}

static void add_tree(shape *s, const yaml_tree *tree, const char *path) {
  if (tree->text) {
    add_level(s, path, SCALAR, tree->text);
    return;
  }
  if (tree->keys)
    add_fields(s, tree, path);
  else
    add_level(s, path, LIST, "[]");
  for (size_t i = 0; i < tree->count; i++) {
    char below[PATH_BYTES];
    const int length = snprintf(below, sizeof below, "%s/%s", path, tree->keys ? tree->keys[i]->text : "[]");
    cr_assert(length < PATH_BYTES);
    add_tree(s, tree->items[i], below);
  }
}

/* A whole file, by libyaml; trees last as long as the process. */
static const yaml_tree *parse(const char *path) {
  size_t length;
  char *bytes = test_read_file(path, &length);
  cr_assert(bytes, "%s", path);
  const yaml_tree *tree = yaml_tree_parse(bytes, length);
  free(bytes);
  return tree;
}

static bool same_fields(const yaml_tree *a, const yaml_tree *b) {
  if (!a || !b || a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++)
    if (strcmp(a->keys[i]->text, b->keys[i]->text) != 0) return false;
  return true;
}

/* Of all files of the data folder that are of the same years as `ours`: those with its fields on the topmost
 * level. Older ones of version 6 know prefabs by other names and keys of version 2, later ones are of
 * version 7.
 */
static uint32_t add_editors_files(shape *s, const yaml_tree *ours) {
  static const char *const folders[] = {"humanoid/clips", "humanoid/truth"};
  uint32_t taken = 0;
  for (size_t f = 0; f < 2; f++) {
    size_t count;
    char **paths = test_data_list(folders[f], ".anim", &count);
    for (size_t i = 0; i < count; i++) {
      const yaml_tree *tree = parse(paths[i]), *clip = yaml_find(tree, "AnimationClip");
      if (!same_fields(clip, yaml_at(ours, "AnimationClip"))) continue;
      if (strcmp(yaml_at(clip, "serializedVersion")->text, "6") != 0) continue;
      add_tree(s, tree, "");
      taken++;
    }
  }
  return taken;
}

/* ---- ours beside theirs ------------------------------------------------------------------------------- */

/* What depends on the clip; that the editor's few files agree on it is chance. */
static bool is_a_choice(const char *path) {
  static const char *const choices[] = {"/AnimationClip/m_Name", "/AnimationClip/m_SampleRate",
                                        "/AnimationClip/m_AnimationClipSettings/m_StopTime",
                                        /* settings go from clip to clip as they are */
                                        "/AnimationClip/m_AnimationClipSettings/m_KeepOriginalPositionY",
                                        "/AnimationClip/m_AnimationClipSettings/m_HeightFromFeet"};
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
    if (strcmp(path, choices[i]) == 0) return true;
  return false;
}

static void compare(const shape *ours, const shape *theirs, const char *what) {
  uint32_t maps = 0, values = 0;
  for (size_t i = 0; i < ours->count; i++) {
    const level *own = &ours->levels[i], *other = find_level(theirs, own->path);
    cr_expect(other, "%s: the editor has no %s", what, own->path);
    if (!other) continue;
    cr_expect_eq(own->kind, other->kind, "%s: %s", what, own->path);
    if (own->kind == LIST) continue;
    if (other->varies && own->kind == SCALAR) continue; /* as clips differ */
    if (is_a_choice(own->path)) continue;
    cr_expect(!own->varies && !other->varies && strcmp(own->fields, other->fields) == 0,
              "%s: %s is '%s', the editor's '%s'", what, own->path, own->fields, other->fields);
    maps += own->kind == MAP, values += own->kind == SCALAR;
  }
  fprintf(stderr, "# %s: %u maps and %u values are the editor's\n", what, maps, values);
  cr_expect(maps >= 15 && values >= 30, "%s: %u maps and %u values compared", what, maps, values);
}

/* Curves are called as the editor calls them, and stand in its order: those of a clip with translations too.
 */
static void compare_names(const yaml_tree *ours, const char *what, uint32_t least) {
  const yaml_tree *curves = yaml_at(ours, "AnimationClip/m_FloatCurves");
  cr_expect_geq(curves->count, least, "%s: %zu curves", what, curves->count);
  const yaml_tree *truth = parse(test_data("humanoid/truth/N1rium_female_move_run_front.anim"));
  const yaml_tree *theirs = yaml_at(truth, "AnimationClip/m_FloatCurves");
  size_t next = 0;
  for (size_t i = 0; i < curves->count; i++) {
    const char *name = yaml_at(curves->items[i], "attribute")->text;
    while (next < theirs->count && strcmp(name, yaml_at(theirs->items[next], "attribute")->text) != 0) next++;
    cr_assert(next < theirs->count, "%s: the editor has no curve '%s' behind those before it", what, name);
  }
}

/* ---- clips -------------------------------------------------------------------------------------------- */

static const struct sample {
  const char *clip, *rig; /* of the data folder; rig NULL: none */
  sinew_bake_options options;
  uint32_t least_curves;
} samples[] = {
    {"humanoid/truth/N1rium_female_move_run_front.take.glb", NULL, {.format = SINEW_FORMAT_ANIM}, 130},
    {"humanoid/truth/HEL-d_Y_BotLaughing.anim", NULL, {.format = SINEW_FORMAT_ANIM}, 130},
    {"humanoid/clips/BlackStartx_[GESTURE]_FingerPoint.anim", NULL, {.format = SINEW_FORMAT_ANIM}, 40},
    {"bvh/facebookresearch_jumping_jacks.bvh",
     "rigs/saturday06_Example.vrm",
     {.format = SINEW_FORMAT_ANIM, .mirror = true},
     130},
    {"humanoid/truth/N1rium_female_move_run_back_left.take.glb",
     NULL,
     {.format = SINEW_FORMAT_ANIM, .tdof = true},
     133},
};

static const yaml_tree *bake(const struct sample *sample) {
  sinew_context *context = test_open_context(NULL, 1);
  sinew_clip_file *file = test_open_clip(test_data(sample->clip));
  sinew_rig *rig = sample->rig ? test_open_rig(test_data(sample->rig)) : NULL;
  char *folder = test_folder_make(), path[512];
  sinew_error error = {0};
  snprintf(path, sizeof path, "%s/clip.anim", folder);
  cr_assert_eq(sinew_bake(context, sinew_clip_file_clip(file, 0), rig, &sample->options, path, NULL, &error),
               SINEW_OK, "%s: %s", sample->clip, error.message);
  const yaml_tree *tree = parse(path);
  test_folder_remove(folder);
  sinew_rig_close(rig);
  sinew_clip_file_close(file);
  sinew_context_close(context);
  return tree;
}

Test(anim_shape, is_the_editors, .timeout = 300) {
  NEED_DATA();
  shape theirs = {0};
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
    const yaml_tree *tree = bake(&samples[i]);
    if (i == 0) {
      const uint32_t count = add_editors_files(&theirs, tree);
      fprintf(stderr, "# %u files of the editor have the same fields\n", count);
      cr_assert_geq(count, 10u);
    }
    shape ours = {0};
    add_tree(&ours, tree, "");
    compare(&ours, &theirs, samples[i].clip);
    compare_names(tree, samples[i].clip, samples[i].least_curves);
    release_shape(&ours);
  }
  release_shape(&theirs);
}
