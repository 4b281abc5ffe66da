#include "write/glb_model_use.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

enum { BY_ANIMATION = 1, BY_OTHERS = 2 };

typedef struct use_marks {
  uint8_t *accessors, *views;
  uint32_t accessor_count, view_count;
  uint64_t kept_bytes;
} use_marks;

static void mark(uint8_t *marks, uint32_t count, const json_t *index, uint8_t bit) {
  if (!json_is_number(index)) return;
  const double value = json_number_value(index);
  if (value >= 0 && value < count && value == floor(value)) marks[(uint32_t)value] |= bit;
}

static void mark_accessor(use_marks *marks, const json_t *index, uint8_t bit) {
  mark(marks->accessors, marks->accessor_count, index, bit);
}

static void mark_view(use_marks *marks, const json_t *index, uint8_t bit) {
  mark(marks->views, marks->view_count, index, bit);
}

static void keep_bytes(use_marks *marks, uint64_t end) {
  if (end > marks->kept_bytes) marks->kept_bytes = end;
}

/* ---- what this program does not know ------------------------------------------------------------------ */

/* An extension that names a buffer itself says which bytes of it are meant, or may mean all. */
static void keep_range(use_marks *marks, const json_t *object) {
  const json_t *offset = json_object_get(object, "byteOffset"),
               *length = json_object_get(object, "byteLength");
  const json_int_t from = json_integer_value(offset), count = json_integer_value(length);
  const bool known =
      json_is_integer(length) && (!offset || json_is_integer(offset)) && from >= 0 && count >= 0;
  keep_bytes(marks, known ? (uint64_t)from + (uint64_t)count : UINT64_MAX);
}

/* Any whole number in an extension or in extras may be an index. The parser has limited the depth. */
static void mark_unknown(use_marks *marks, const json_t *value) {
  mark_accessor(marks, value, BY_OTHERS);
  mark_view(marks, value, BY_OTHERS);
  if (json_object_get(value, "buffer")) keep_range(marks, value);
  const char *key;
  json_t *member;
  size_t index;
  if (json_is_object(value)) json_object_foreach((json_t *)value, key, member) mark_unknown(marks, member);
  if (json_is_array(value)) json_array_foreach(value, index, member) mark_unknown(marks, member);
}

/* Extensions whose numbers are nodes, textures, colours, never accessors or views. */
static bool is_known(const char *extension) {
  static const char *const known[] = {"VRM", "KHR_materials_", "KHR_texture_", "KHR_lights_"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strncmp(extension, known[i], strlen(known[i])) == 0) return true;
  return false;
}

static void find_unknown(use_marks *marks, const json_t *value, bool is_root);

static void look_at_extensions(use_marks *marks, const json_t *extensions) {
  const char *name;
  json_t *extension;
  json_object_foreach((json_t *)extensions, name, extension) {
    if (is_known(name))
      find_unknown(marks, extension, false); /* others may hang in it */
    else
      mark_unknown(marks, extension);
  }
}

/* Wherever extensions and extras hang. Those of the old animations go with them. */
static void find_unknown(use_marks *marks, const json_t *value, bool is_root) {
  const char *key;
  json_t *member;
  size_t index;
  if (json_is_array(value)) json_array_foreach(value, index, member) find_unknown(marks, member, false);
  if (!json_is_object(value)) return;
  json_object_foreach((json_t *)value, key, member) {
    if (is_root && strcmp(key, "animations") == 0) continue;
    if (strcmp(key, "extensions") == 0)
      look_at_extensions(marks, member);
    else if (strcmp(key, "extras") == 0)
      mark_unknown(marks, member);
    else
      find_unknown(marks, member, false);
  }
}

/* ---- what it knows ------------------------------------------------------------------------------------ */

static void mark_attributes(use_marks *marks, const json_t *attributes) {
  const char *key;
  json_t *accessor;
  json_object_foreach((json_t *)attributes, key, accessor) mark_accessor(marks, accessor, BY_OTHERS);
}

static void mark_meshes(use_marks *marks, const json_t *root) {
  size_t m, p, t;
  json_t *mesh, *primitive, *target;
  json_array_foreach(json_object_get(root, "meshes"), m, mesh)
      json_array_foreach(json_object_get(mesh, "primitives"), p, primitive) {
    mark_attributes(marks, json_object_get(primitive, "attributes"));
    mark_accessor(marks, json_object_get(primitive, "indices"), BY_OTHERS);
    json_array_foreach(json_object_get(primitive, "targets"), t, target) mark_attributes(marks, target);
  }
}

static void mark_known(use_marks *marks, const json_t *root) {
  size_t i, k;
  json_t *item, *sampler;
  mark_meshes(marks, root);
  json_array_foreach(json_object_get(root, "skins"), i, item)
      mark_accessor(marks, json_object_get(item, "inverseBindMatrices"), BY_OTHERS);
  json_array_foreach(json_object_get(root, "images"), i, item)
      mark_view(marks, json_object_get(item, "bufferView"), BY_OTHERS);
  json_array_foreach(json_object_get(root, "animations"), i, item)
      json_array_foreach(json_object_get(item, "samplers"), k, sampler) {
    mark_accessor(marks, json_object_get(sampler, "input"), BY_ANIMATION);
    mark_accessor(marks, json_object_get(sampler, "output"), BY_ANIMATION);
  }
}

static void mark_views_of(use_marks *marks, const json_t *accessor, uint8_t bit) {
  const json_t *sparse = json_object_get(accessor, "sparse");
  mark_view(marks, json_object_get(accessor, "bufferView"), bit);
  mark_view(marks, json_object_get(json_object_get(sparse, "indices"), "bufferView"), bit);
  mark_view(marks, json_object_get(json_object_get(sparse, "values"), "bufferView"), bit);
}

/* ---- what leaves -------------------------------------------------------------------------------------- */

static uint32_t without_tail(const uint8_t *marks, uint32_t count) {
  while (count && marks[count - 1] == BY_ANIMATION) count--;
  return count;
}

/* Bytes that no view and no extension speaks of can be reached by nothing. */
static uint64_t last_byte_used(use_marks *marks, const json_t *root, uint32_t kept_views) {
  const json_t *views = json_object_get(root, "bufferViews");
  for (uint32_t i = 0; i < kept_views; i++) {
    const json_t *view = json_array_get(views, i);
    const json_int_t offset = json_integer_value(json_object_get(view, "byteOffset"));
    if (json_integer_value(json_object_get(view, "buffer")) == 0)
      keep_bytes(marks, (uint64_t)offset + (uint64_t)json_integer_value(json_object_get(view, "byteLength")));
  }
  return marks->kept_bytes;
}

static void decide(use_marks *marks, const json_t *root, model_use *use) {
  find_unknown(marks, root, true);
  mark_known(marks, root);
  use->kept_accessors = without_tail(marks->accessors, use->accessor_count);
  for (uint32_t i = 0; i < use->accessor_count; i++)
    mark_views_of(marks, json_array_get(json_object_get(root, "accessors"), i),
                  i < use->kept_accessors ? BY_OTHERS : BY_ANIMATION);
  use->kept_views = without_tail(marks->views, use->view_count);
  use->kept_bytes = use->buffer_bytes;
  if (use->kept_views == use->view_count) return;
  const uint64_t used = last_byte_used(marks, root, use->kept_views);
  if (used < use->kept_bytes) use->kept_bytes = used;
}

sinew_result model_use_find(const json_t *root, model_use *use, sinew_error *error) {
  arena memory = {0};
  use_marks marks = {.accessors = arena_alloc(&memory, use->accessor_count, 1),
                     .views = arena_alloc(&memory, use->view_count, 1),
                     .accessor_count = use->accessor_count,
                     .view_count = use->view_count};
  const bool there = marks.accessors && marks.views;
  if (there) decide(&marks, root, use);
  arena_release(&memory);
  SINEW_CHECK(there, error, SINEW_ERROR_MEMORY, "out of memory for %u accessors of the model",
              use->accessor_count);
  return SINEW_OK;
}
