#include "map/map_file.h"
#include "base/error.h"
#include "base/json_text.h"
#include "base/os.h"

#include <stdio.h>
#include <string.h>

enum { MAP_FILE_VERSION = 1, SHOWN_BYTES = 80 };

typedef struct shown {
  char text[SHOWN_BYTES];
} shown;

static shown show(const char *text) {
  shown s;
  error_printable(text, strlen(text), s.text, sizeof s.text);
  return s;
}

static int find_bone(const char *name) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    if (strcmp(human_bones[bone].name, name) == 0) return bone;
  return -1;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static sinew_result take_name(const json_t *value, int bone, const sinew_read_options *limits, map_file *map,
                              sinew_error *error) {
  const size_t length = json_string_length(value);
  SINEW_CHECK(length > 0, error, SINEW_ERROR_SYNTAX, "bones.%s is an empty name", human_bones[bone].name);
  SINEW_CHECK(length <= limits->name_bytes, error, SINEW_ERROR_LIMIT,
              "bones.%s has %zu bytes, the limit is %u", human_bones[bone].name, length, limits->name_bytes);
  map->name[bone] = arena_text(&map->memory, json_string_value(value), length);
  SINEW_CHECK(map->name[bone], error, SINEW_ERROR_MEMORY, "out of memory for a name of %zu bytes", length);
  map->kind[bone] = MAP_FILE_NAME;
  return SINEW_OK;
}

static sinew_result take_index(const json_t *value, int bone, map_file *map, sinew_error *error) {
  const json_t *index = json_object_get(value, "node");
  SINEW_CHECK(json_object_size(value) == 1 && json_is_integer(index), error, SINEW_ERROR_SYNTAX,
              "bones.%s is an object, but not {\"node\": index}", human_bones[bone].name);
  const json_int_t number = json_integer_value(index);
  SINEW_CHECK(number >= 0 && number <= INT32_MAX, error, SINEW_ERROR_SYNTAX,
              "bones.%s.node is %lld, no index", human_bones[bone].name, (long long)number);
  map->kind[bone] = MAP_FILE_INDEX;
  map->index[bone] = (uint32_t)number;
  return SINEW_OK;
}

static sinew_result take_bones(const json_t *bones, const sinew_read_options *limits, map_file *map,
                               sinew_error *error) {
  const char *key;
  json_t *value;
  SINEW_CHECK(json_is_object(bones), error, SINEW_ERROR_SYNTAX, "bones is missing or no object");
  map->has_bones = true;
  json_object_foreach((json_t *)bones, key, value) {
    const int bone = find_bone(key);
    SINEW_CHECK(bone >= 0, error, SINEW_ERROR_SYNTAX, "bones.%s is no human bone", show(key).text);
    if (json_is_string(value))
      SINEW_TRY(take_name(value, bone, limits, map, error));
    else if (json_is_object(value))
      SINEW_TRY(take_index(value, bone, map, error));
    else if (json_is_null(value))
      map->kind[bone] = MAP_FILE_NO_NODE;
    else
      return error_set(error, SINEW_ERROR_SYNTAX, "bones.%s is no name, no {\"node\": index} and not null",
                       human_bones[bone].name);
  }
  return SINEW_OK;
}

static bool is_member(const char *key) {
  static const char *const members[] = {"sinew_map", "bones", "ranges", "twist"};
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    if (strcmp(key, members[i]) == 0) return true;
  return false;
}

static sinew_result take_root(const json_t *root, const sinew_read_options *limits, map_file *map,
                              sinew_error *error) {
  const char *key;
  json_t *value;
  SINEW_CHECK(json_is_object(root), error, SINEW_ERROR_SYNTAX,
              "no JSON object, expected {\"sinew_map\": 1, ...}");
  const json_t *version = json_object_get(root, "sinew_map");
  SINEW_CHECK(json_is_integer(version), error, SINEW_ERROR_SYNTAX,
              "no map file: \"sinew_map\" is missing or no whole number");
  SINEW_CHECK(json_integer_value(version) == MAP_FILE_VERSION, error, SINEW_ERROR_UNSUPPORTED,
              "a map file of version %lld, this program reads version %d",
              (long long)json_integer_value(version), MAP_FILE_VERSION);
  json_object_foreach((json_t *)root, key, value)
      SINEW_CHECK(is_member(key), error, SINEW_ERROR_SYNTAX, "'%s' is no member of a map file of version %d",
                  show(key).text, MAP_FILE_VERSION);
  const json_t *bones = json_object_get(root, "bones"), *ranges = json_object_get(root, "ranges"),
               *twist = json_object_get(root, "twist");
  SINEW_TRY(map_ranges_read(ranges, twist, &map->ranges, error));
  if (!bones && (ranges || twist)) return SINEW_OK;
  return take_bones(bones, limits, map, error);
}

static sinew_result parse(const read_source *source, json_t **root, sinew_error *error) {
  json_error_t reason;
  const size_t mark = source->byte_count >= 3 && memcmp(source->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  bool out_of_memory = false;
  SINEW_CHECK(json_text_need(source->bytes, source->byte_count) <= source->limits.memory_bytes, error,
              SINEW_ERROR_LIMIT, "%zu bytes of JSON take more than %llu bytes, the limit", source->byte_count,
              (unsigned long long)source->limits.memory_bytes);
  *root = json_text_parse(source->bytes + mark, source->byte_count - mark, &reason, &out_of_memory);
  if (*root) return SINEW_OK;
  SINEW_CHECK(!out_of_memory, error, SINEW_ERROR_MEMORY, "out of memory for %zu bytes of JSON",
              source->byte_count);
  return error_set_at(error, SINEW_ERROR_SYNTAX, (uint64_t)(reason.position > 0 ? reason.position : 0) + mark,
                      reason.line > 0 ? (uint32_t)reason.line : 0,
                      reason.column > 0 ? (uint32_t)reason.column : 0, "no sound JSON: %s",
                      show(reason.text).text);
}

sinew_result map_file_read(const read_source *source, map_file *map, sinew_error *error) {
  json_t *root;
  *map = (map_file){.memory.byte_limit = source->limits.memory_bytes};
  SINEW_TRY(parse(source, &root, error));
  const sinew_result result = take_root(root, &source->limits, map, error);
  json_decref(root);
  if (result != SINEW_OK) map_file_release(map);
  return result;
}

sinew_result map_file_open(const char *path, const sinew_read_options *options, map_file *map,
                           sinew_error *error) {
  const sinew_read_options limits = read_limits_complete(options);
  os_file bytes;
  *map = (map_file){0};
  SINEW_TRY(os_file_open(path, limits.file_bytes, &bytes, error));
  const read_source source = {bytes.byte_count ? bytes.bytes : "", bytes.byte_count, limits};
  const sinew_result result = map_file_read(&source, map, error);
  os_file_close(&bytes);
  return result == SINEW_OK ? result : error_in_file(error, result, path);
}

void map_file_release(map_file *map) {
  arena_release(&map->memory);
  *map = (map_file){0};
}

/* ---- binding ------------------------------------------------------------------------------------------- */

static uint32_t count_named(const skeleton *s, const char *name, int32_t *node) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->node_count; i++) {
    if (strcmp(s->nodes[i].name, name) != 0) continue;
    *node = (int32_t)i;
    count++;
  }
  return count;
}

static sinew_result bind_bone(const map_file *map, const skeleton *s, int bone, int32_t *node,
                              sinew_error *error) {
  const char *label = human_bones[bone].name;
  *node = -1;
  if (map->kind[bone] == MAP_FILE_NAME) {
    const uint32_t count = count_named(s, map->name[bone], node);
    SINEW_CHECK(count > 0, error, SINEW_ERROR_RIG, "the map's bones.%s: no node is named \"%s\"", label,
                show(map->name[bone]).text);
    SINEW_CHECK(count == 1, error, SINEW_ERROR_RIG,
                "the map's bones.%s: %u nodes are named \"%s\", say which with {\"node\": index}", label,
                count, show(map->name[bone]).text);
  }
  if (map->kind[bone] == MAP_FILE_INDEX) {
    for (uint32_t i = 0; i < s->node_count; i++)
      if (s->nodes[i].source_index == map->index[bone]) *node = (int32_t)i;
    SINEW_CHECK(*node >= 0, error, SINEW_ERROR_RIG, "the map's bones.%s: there is no node %u", label,
                map->index[bone]);
  }
  return SINEW_OK;
}

sinew_result map_file_bind(const map_file *map, const skeleton *s, int32_t *node_of_bone, bool *said,
                           sinew_error *error) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    said[bone] = map->kind[bone] != MAP_FILE_UNSAID;
    if (!said[bone]) continue;
    SINEW_TRY(bind_bone(map, s, bone, &node_of_bone[bone], error));
    for (int other = 0; other < bone; other++)
      SINEW_CHECK(!said[other] || node_of_bone[bone] < 0 || node_of_bone[other] != node_of_bone[bone], error,
                  SINEW_ERROR_RIG, "the map's bones.%s and bones.%s are one node", human_bones[other].name,
                  human_bones[bone].name);
  }
  return SINEW_OK;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

void map_file_write(const skeleton *s, const int32_t *node_of_bone, const map_ranges *ranges, json_out *out) {
  json_literal(out, "{\n  \"sinew_map\": 1,\n  \"bones\": {");
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    const int32_t node = node_of_bone[bone];
    int32_t named;
    json_literal(out, bone ? ",\n    " : "\n    ");
    json_out_string(out, human_bones[bone].name);
    json_literal(out, ": ");
    if (node < 0) {
      json_literal(out, "null");
    } else if (*s->nodes[node].name && count_named(s, s->nodes[node].name, &named) == 1) {
      json_out_string(out, s->nodes[node].name);
    } else {
      json_literal(out, "{\"node\": ");
      json_uint(out, s->nodes[node].source_index);
      json_literal(out, "}");
    }
  }
  json_literal(out, "\n  }");
  if (ranges) map_ranges_write(ranges, out);
  json_literal(out, "\n}\n");
}
