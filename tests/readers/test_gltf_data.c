/* The public models: counts as their manifest has them, and every key and bind pose against a plain reading
 * of the JSON and its bytes. */
#include "readers/made_gltf.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the manifest ------------------------------------------------------------------------------------- */

enum { COLUMNS = 12, PATH = 0, JOINTS = 5, NODES, SKINS, ANIMATIONS, VRM, HUMAN };

/* Splits a line in place; commas within quotes are no ends. */
static void split(char *line, char *fields[COLUMNS]) {
  for (int i = 0; i < COLUMNS; i++) {
    const bool quoted = *line == '"';
    if (quoted) line++;
    fields[i] = line;
    line += strcspn(line, quoted ? "\"" : ",\r\n");
    if (quoted && *line) *line++ = 0;
    if (*line) *line++ = 0;
  }
}

/* ---- a plain reading ---------------------------------------------------------------------------------- */

typedef struct plain {
  char *bytes;
  json_t *root;
  const char *bin;
} plain;

static plain plain_open(const char *path) {
  plain p = {0};
  size_t count;
  uint32_t json_bytes;
  p.bytes = test_read_file(path, &count);
  cr_assert(p.bytes && count > 20);
  memcpy(&json_bytes, p.bytes + 12, 4);
  p.root = json_loadb(p.bytes + 20, json_bytes, 0, NULL);
  p.bin = p.bytes + 20 + json_bytes + 8;
  cr_assert(p.root);
  return p;
}

static void plain_close(plain *p) {
  json_decref(p->root);
  free(p->bytes);
}

static int64_t whole(const json_t *object, const char *key, int64_t missing) {
  const json_t *member = json_object_get(object, key);
  return member ? json_integer_value(member) : missing;
}

static const json_t *item(const json_t *object, const char *key, int64_t index) {
  return json_array_get(json_object_get(object, key), (size_t)index);
}

static float plain_number(const plain *p, int64_t accessor, int64_t element, int64_t component,
                          int64_t width) {
  const json_t *list = item(p->root, "accessors", accessor);
  const json_t *view = item(p->root, "bufferViews", whole(list, "bufferView", -1));
  cr_assert(view && whole(list, "componentType", 0) == 5126 && !json_object_get(list, "sparse"));
  const char *at = p->bin + whole(view, "byteOffset", 0) + whole(list, "byteOffset", 0) +
                   element * whole(view, "byteStride", width * 4) + component * 4;
  float value;
  memcpy(&value, at, 4);
  return value;
}

/* ---- comparison --------------------------------------------------------------------------------------- */

static const skeleton_node *by_source(const skeleton *made, int64_t source) {
  for (uint32_t i = 0; i < made->node_count; i++)
    if (made->nodes[i].source_index == source) return &made->nodes[i];
  return NULL;
}

static void compare_nodes(const plain *p, const skeleton *made) {
  for (uint32_t i = 0; i < made->node_count; i++) {
    const skeleton_node *node = &made->nodes[i];
    const json_t *plain_node = item(p->root, "nodes", node->source_index);
    const char *name = json_string_value(json_object_get(plain_node, "name"));
    cr_expect_str_eq(node->name, name ? name : "");
    const json_t *t = json_object_get(plain_node, "translation");
    for (size_t k = 0; t && k < 3; k++) cr_expect_eq(node->t[k], json_number_value(json_array_get(t, k)));
    const json_t *children = json_object_get(plain_node, "children");
    for (size_t k = 0; k < json_array_size(children); k++)
      cr_expect_eq(by_source(made, json_integer_value(json_array_get(children, k)))->parent, (int32_t)i);
  }
}

static void compare_track(const plain *p, const json_t *animation, const json_t *channel,
                          const motion_track *track, const skeleton *made) {
  static const char *const paths[] = {"rotation", "translation", "scale"};
  static const char *const ways[] = {"STEP", "LINEAR", "CUBICSPLINE"};
  const json_t *target = json_object_get(channel, "target");
  const json_t *sampler = item(animation, "samplers", whole(channel, "sampler", -1));
  const char *way = json_string_value(json_object_get(sampler, "interpolation"));
  const int64_t input = whole(sampler, "input", -1), output = whole(sampler, "output", -1);
  const int64_t width = track->path == MOTION_ROTATION ? 4 : 3;
  cr_expect_eq(made->nodes[track->node].source_index, whole(target, "node", -1));
  cr_expect_str_eq(paths[track->path], json_string_value(json_object_get(target, "path")));
  cr_expect_str_eq(ways[track->interpolation], way ? way : "LINEAR");
  cr_assert_eq(track->key_count, whole(item(p->root, "accessors", input), "count", 0));
  for (int64_t k = 0; k < track->key_count; k++) {
    cr_assert_eq(track->time_s[k], plain_number(p, input, k, 0, 1));
    for (int64_t c = 0; c < width; c++)
      cr_assert_eq(track->values[k * width + c], plain_number(p, output, k, c, width));
  }
}

static void compare_motions(const plain *p, const motion_file *file) {
  for (uint32_t m = 0; m < file->motion_count; m++) {
    const json_t *animation = item(p->root, "animations", m),
                 *channels = json_object_get(animation, "channels");
    const motion *one = &file->motions[m];
    uint32_t at = 0;
    for (size_t i = 0; i < json_array_size(channels); i++) {
      const json_t *channel = json_array_get(channels, i);
      const char *path = json_string_value(json_object_get(json_object_get(channel, "target"), "path"));
      if (strcmp(path, "weights") == 0) continue;
      cr_assert_lt(at, one->track_count);
      compare_track(p, animation, channel, &one->tracks[at++], file->skeleton);
    }
    cr_expect_eq(at, one->track_count);
  }
}

/* The bind pose times the inverse bind matrix changes nothing. Returns the number of joints. */
static uint32_t compare_skins(const plain *p, const skeleton *made) {
  bool *joint = calloc(made->node_count, sizeof *joint);
  const json_t *skins = json_object_get(p->root, "skins");
  for (size_t s = 0; s < json_array_size(skins); s++) {
    const json_t *skin = json_array_get(skins, s), *joints = json_object_get(skin, "joints");
    const int64_t accessor = whole(skin, "inverseBindMatrices", -1);
    for (size_t j = 0; j < json_array_size(joints); j++) {
      const int64_t source = json_integer_value(json_array_get(joints, j));
      const skeleton_node *node = by_source(made, source);
      cr_expect(node->is_joint && node->has_bind == (accessor >= 0));
      if (joint[source]) continue;
      joint[source] = true;
      for (int r = 0; r < 3 && accessor >= 0; r++)
        for (int c = 0; c < 4; c++) {
          double sum = c == 3 ? node->bind[r][3] : 0;
          for (int k = 0; k < 3; k++)
            sum += node->bind[r][k] * (double)plain_number(p, accessor, (int64_t)j, c * 4 + k, 16);
          cr_expect(fabs(sum - (r == c)) < 1e-9, "%s: %g", node->name, sum);
        }
    }
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < made->node_count; i++) count += joint[i];
  free(joint);
  return count;
}

/* Each bone that the file names, thumbs by the version. */
static void compare_bone(const skeleton *made, const char *name, const json_t *entry, bool metacarpal) {
  char bone[64];
  snprintf(bone, sizeof bone, "%c%s", name[0] - 'a' + 'A', name + 1);
  if (metacarpal && strstr(bone, "ThumbProximal")) strcpy(strstr(bone, "Proximal"), "Intermediate");
  if (metacarpal && strstr(bone, "ThumbMetacarpal")) strcpy(strstr(bone, "Metacarpal"), "Proximal");
  int index = 0;
  while (index < HUMAN_BONE_COUNT && strcmp(bone, human_bones[index].name) != 0) index++;
  cr_assert_lt(index, HUMAN_BONE_COUNT, "%s", name);
  cr_assert_geq(made->node_of_bone[index], 0, "%s", name);
  cr_expect_eq(made->nodes[made->node_of_bone[index]].source_index, whole(entry, "node", -1));
}

static uint32_t compare_human(const plain *p, const skeleton *made, const char *kind) {
  const json_t *extensions = json_object_get(p->root, "extensions");
  const char *name;
  json_t *entry;
  uint32_t count = 0;
  if (strcmp(kind, "vrm0") == 0) {
    const json_t *bones =
        json_object_get(json_object_get(json_object_get(extensions, "VRM"), "humanoid"), "humanBones");
    for (size_t i = 0; i < json_array_size(bones); i++, count++) {
      entry = json_array_get(bones, i);
      compare_bone(made, json_string_value(json_object_get(entry, "bone")), entry, false);
    }
    return count;
  }
  const json_t *extension =
      json_object_get(extensions, strcmp(kind, "vrm1") == 0 ? "VRMC_vrm" : "VRMC_vrm_animation");
  json_t *bones = json_object_get(json_object_get(extension, "humanoid"), "humanBones");
  json_object_foreach(bones, name, entry) {
    compare_bone(made, name, entry, true);
    count++;
  }
  return count;
}

static void compare(char *fields[COLUMNS]) {
  static const struct {
    const char *vrm, *kind;
  } kinds[] = {{"", "gltf"}, {"0.x", "vrm0"}, {"1.0", "vrm1"}, {"vrma", "vrma"}};
  const char *path = test_data(fields[PATH]), *kind = NULL;
  cr_assert(path, "%s", fields[PATH]);
  plain p = plain_open(path);
  size_t byte_count;
  char *bytes = test_read_file(path, &byte_count);
  sinew_error error;
  motion_file *file;
  cr_assert_eq(gltf_read(bytes, byte_count, path, NULL, &file, &error), SINEW_OK, "%s: %s", path,
               error.message);
  free(bytes);
  for (int i = 0; i < 4; i++)
    if (strcmp(fields[VRM], kinds[i].vrm) == 0) kind = kinds[i].kind;
  cr_assert(kind, "%s", fields[VRM]);
  cr_expect_str_eq(file->skeleton->kind, kind);
  cr_expect_eq(file->skeleton->node_count, (uint32_t)atoi(fields[NODES]), "%s", path);
  cr_expect_eq(file->motion_count, (uint32_t)atoi(fields[ANIMATIONS]), "%s", path);
  uint32_t human = 0;
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) human += file->skeleton->node_of_bone[bone] >= 0;
  cr_expect_eq(human, (uint32_t)atoi(fields[HUMAN]), "%s: %u human bones", path, human);
  cr_expect_eq(compare_human(&p, file->skeleton, kind), human, "%s", path);
  cr_expect_eq(json_array_size(json_object_get(p.root, "skins")), (size_t)atoi(fields[SKINS]));
  cr_expect_eq(compare_skins(&p, file->skeleton), (uint32_t)atoi(fields[JOINTS]), "%s", path);
  compare_nodes(&p, file->skeleton);
  compare_motions(&p, file);
  gltf_walk(file);
  for (uint32_t i = 0; i < file->skeleton->warning_count; i++)
    fprintf(stderr, "# %s: %s\n", fields[PATH], file->skeleton->warnings[i]);
  motion_file_close(file);
  plain_close(&p);
}

Test(gltf_data, all_of_the_manifest) {
  NEED_DATA();
  const char *path = test_data("rigs/MANIFEST.csv");
  size_t count;
  char *text = path ? test_read_file(path, &count) : NULL, *fields[COLUMNS];
  if (!text) cr_skip_test("no models in the data folder: skipped");
  char *copy = malloc(count + 1);
  memcpy(copy, text, count), copy[count] = 0;
  uint32_t files = 0;
  for (char *line = strchr(copy, '\n'); line && line[1]; files++) {
    char *next = strchr(++line, '\n');
    split(line, fields);
    compare(fields);
    line = next;
  }
  cr_expect_geq(files, 16);
  free(copy);
  free(text);
}
