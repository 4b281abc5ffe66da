/* What a VRM model or a VRM animation says of its human bones. Names are those of the humanoid, beginning
 * with a small letter. VRM 1.0 and VRMA call the thumb's bones metacarpal, proximal and distal, which are the
 * humanoid's proximal, intermediate and distal; VRM 0.x says what the humanoid says. */
#include "read/gltf_human.h"
#include "base/error.h"
#include "read/gltf_document.h"

#include <string.h>

typedef struct human_dialect {
  const char *extension;
  const char *kind;
  const char *title_key; /* of the model's name in its meta; NULL: it has none */
  bool listed;           /* humanBones is an array of { bone, node }, else an object */
  bool metacarpal;
  bool eyes;
  const char *version; /* NULL: any */
} human_dialect;

static const human_dialect dialects[] = {
    {"VRMC_vrm", "vrm1", "name", false, true, true, "1.0"},
    {"VRM", "vrm0", "title", true, false, true, NULL},
    {"VRMC_vrm_animation", "vrma", NULL, false, true, false, "1.0"},
};

static bool same_but_first(const char *name, const char *bone) {
  return name[0] && name[0] == bone[0] - 'A' + 'a' && strcmp(name + 1, bone + 1) == 0;
}

static int find_bone(const char *name, bool metacarpal) {
  static const char *const thumbs[] = {"ThumbMetacarpal", "ThumbProximal", "ThumbDistal"};
  const bool left = strncmp(name, "leftThumb", 9) == 0, right = strncmp(name, "rightThumb", 10) == 0;
  if (metacarpal && (left || right)) {
    for (int i = 0; i < 3; i++)
      if (strcmp(name + (left ? 4 : 5), thumbs[i]) == 0)
        return (left ? HUMAN_LEFT_THUMB_PROXIMAL : HUMAN_RIGHT_THUMB_PROXIMAL) + i;
    return -1;
  }
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    if (same_but_first(name, human_bones[bone].name)) return bone;
  return -1;
}

/* ---- one bone ----------------------------------------------------------------------------------------- */

/* node -1, which some writers put for a bone that the model lacks, is none. */
static sinew_result read_node(const gltf_document *d, const doc_place *entry, int32_t *node) {
  const doc_place place = doc_at_key(entry, "node");
  uint32_t index;
  *node = -1;
  if (json_is_integer(place.json) && json_integer_value(place.json) == -1) return SINEW_OK;
  SINEW_TRY(doc_own_index(d, &place, d->file->skeleton->node_count, "nodes", &index));
  *node = (int32_t)d->node_of_source[index];
  return SINEW_OK;
}

static sinew_result take_bone(const gltf_document *d, const human_dialect *dialect, const doc_place *entry,
                              const char *name) {
  skeleton *made = d->file->skeleton;
  int32_t node;
  SINEW_TRY(doc_object(d, entry));
  const int bone = find_bone(name, dialect->metacarpal);
  if (bone < 0) {
    DOC_WARN(d, "%s: '%s' is no human bone of this kind of file", entry->path, doc_show(name).text);
    return SINEW_OK;
  }
  if (!dialect->eyes && (bone == HUMAN_LEFT_EYE || bone == HUMAN_RIGHT_EYE)) {
    DOC_WARN(d, "%s: eyes are no bones of a VRM animation: left out", entry->path);
    return SINEW_OK;
  }
  SINEW_TRY(read_node(d, entry, &node));
  if (node < 0) return SINEW_OK;
  if (made->node_of_bone[bone] >= 0)
    return doc_fail(d, SINEW_ERROR_SYNTAX, entry, "%s has a node already", human_bones[bone].name);
  for (int other = 0; other < HUMAN_BONE_COUNT; other++)
    if (made->node_of_bone[other] == node)
      DOC_WARN(d, "%s: node %u is %s already", entry->path, made->nodes[node].source_index,
               human_bones[other].name);
  made->node_of_bone[bone] = node;
  return SINEW_OK;
}

/* ---- all bones ---------------------------------------------------------------------------------------- */

static sinew_result read_listed(const gltf_document *d, const human_dialect *dialect,
                                const doc_place *humanoid) {
  doc_place list;
  uint32_t count;
  const char *name;
  SINEW_TRY(doc_list(d, humanoid, "humanBones", d->source->limits.nodes, &list, &count));
  for (uint32_t i = 0; i < count; i++) {
    const doc_place entry = doc_at_index(&list, i), bone = doc_at_key(&entry, "bone");
    SINEW_TRY(doc_object(d, &entry));
    SINEW_TRY(doc_string(d, &entry, "bone", &name));
    if (!name) return doc_fail(d, SINEW_ERROR_SYNTAX, &bone, "is missing");
    SINEW_TRY(take_bone(d, dialect, &entry, name));
  }
  return SINEW_OK;
}

static sinew_result read_named(const gltf_document *d, const human_dialect *dialect,
                               const doc_place *humanoid) {
  const doc_place bones = doc_at_key(humanoid, "humanBones");
  const char *name;
  json_t *member;
  SINEW_TRY(doc_object(d, &bones));
  json_object_foreach((json_t *)bones.json, name, member) {
    const doc_place entry = doc_at_key(&bones, name);
    SINEW_TRY(take_bone(d, dialect, &entry, name));
  }
  return SINEW_OK;
}

/* A VRM animation of faces alone has no humanoid. */
static sinew_result read_bones(const gltf_document *d, const human_dialect *dialect,
                               const doc_place *extension) {
  const doc_place humanoid = doc_at_key(extension, "humanoid");
  if (!humanoid.json && !dialect->eyes) return SINEW_OK;
  SINEW_TRY(doc_object(d, &humanoid));
  return dialect->listed ? read_listed(d, dialect, &humanoid) : read_named(d, dialect, &humanoid);
}

static sinew_result check_version(const gltf_document *d, const human_dialect *dialect,
                                  const doc_place *extension) {
  const char *version;
  SINEW_TRY(doc_string(d, extension, "specVersion", &version));
  if (!dialect->version || (version && strcmp(version, dialect->version) == 0)) return SINEW_OK;
  DOC_WARN(d, "%s.specVersion is '%s', read as if it were %s", extension->path,
           doc_show(version ? version : "").text, dialect->version);
  return SINEW_OK;
}

sinew_result doc_read_human(gltf_document *d) {
  skeleton *made = d->file->skeleton;
  const doc_place extensions = doc_at_key(&d->root, "extensions");
  made->kind = "gltf";
  if (!extensions.json) return SINEW_OK;
  SINEW_TRY(doc_object(d, &extensions));
  const human_dialect *taken = NULL;
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++) {
    const doc_place extension = doc_at_key(&extensions, dialects[i].extension);
    if (!extension.json) continue;
    if (taken) {
      DOC_WARN(d, "%s is passed over: the bones are those of %s", extension.path, taken->extension);
      continue;
    }
    taken = &dialects[i];
    made->kind = taken->kind;
    SINEW_TRY(doc_object(d, &extension));
    SINEW_TRY(check_version(d, taken, &extension));
    SINEW_TRY(read_bones(d, taken, &extension));
    const doc_place meta = doc_at_key(&extension, "meta");
    if (taken->title_key && json_is_object(meta.json))
      SINEW_TRY(doc_name(d, &meta, taken->title_key, &made->memory, &made->name));
  }
  return SINEW_OK;
}

sinew_result read_gltf_human(const json_t *root, uint32_t node_count, const sinew_read_options *limits,
                             skeleton *made, sinew_error *error) {
  const read_source source = {"", 0, *limits};
  motion_file file = {.skeleton = made};
  gltf_document d = {.source = &source, .error = error, .file = &file, .root = {.json = root}};
  SINEW_TRY(doc_items(&d, &made->memory, node_count, sizeof *made->nodes, &made->nodes));
  SINEW_TRY(doc_items(&d, &made->memory, node_count, sizeof *d.node_of_source, &d.node_of_source));
  made->node_count = node_count;
  for (uint32_t i = 0; i < node_count; i++) d.node_of_source[i] = made->nodes[i].source_index = i;
  return doc_read_human(&d);
}
