#include "glb_tracks.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

glb_tracks glb_tracks_open(const char *path) {
  glb_tracks g;
  size_t byte_count;
  g.bytes = test_read_file(path, &byte_count);
  cr_assert(g.bytes && byte_count > 20);
  uint32_t json_bytes;
  memcpy(&json_bytes, g.bytes + 12, sizeof json_bytes);
  cr_assert(json_bytes <= byte_count - 28);
  g.document = json_loadb(g.bytes + 20, json_bytes, 0, NULL);
  cr_assert(g.document);
  g.bin = g.bytes + 20 + json_bytes + 8;
  return g;
}

static json_t *item(json_t *object, const char *list, json_t *index) {
  return json_array_get(json_object_get(object, list), (size_t)json_integer_value(index));
}

glb_values glb_tracks_find(const glb_tracks *g, uint32_t node, const char *path) {
  json_t *animation = json_array_get(json_object_get(g->document, "animations"), 0);
  size_t i;
  json_t *channel;
  json_array_foreach(json_object_get(animation, "channels"), i, channel) {
    json_t *target = json_object_get(channel, "target");
    if (json_integer_value(json_object_get(target, "node")) != node) continue;
    if (strcmp(json_string_value(json_object_get(target, "path")), path) != 0) continue;
    json_t *sampler = item(animation, "samplers", json_object_get(channel, "sampler"));
    json_t *accessor = item(g->document, "accessors", json_object_get(sampler, "output"));
    json_t *view = item(g->document, "bufferViews", json_object_get(accessor, "bufferView"));
    cr_assert(json_integer_value(json_object_get(accessor, "componentType")) == 5126);
    json_int_t offset = json_integer_value(json_object_get(view, "byteOffset")) +
                        json_integer_value(json_object_get(accessor, "byteOffset"));
    return (glb_values){(const float *)(const void *)(g->bin + offset),
                        (size_t)json_integer_value(json_object_get(accessor, "count"))};
  }
  cr_assert(false, "no %s of node %u in the file", path, node);
  return (glb_values){0};
}

void glb_tracks_close(glb_tracks *g) {
  json_decref(g->document);
  free(g->bytes);
}
