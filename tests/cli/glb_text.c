#include "cli/glb_text.h"

#include "support/data.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t word_at(const char *bytes, size_t at) {
  uint32_t word;
  memcpy(&word, bytes + at, sizeof word);
  return word;
}

glb_text glb_text_read(const char *path) {
  size_t byte_count;
  char *bytes = test_read_file(path, &byte_count);
  cr_assert(bytes && byte_count > 28 && memcmp(bytes, "glTF", 4) == 0, "%s is no GLB", path);
  const size_t json_bytes = word_at(bytes, 12), bin_bytes = word_at(bytes, 20 + json_bytes);
  cr_assert_leq(28 + json_bytes + bin_bytes, byte_count);
  glb_text glb = {json_loadb(bytes + 20, json_bytes, 0, NULL), malloc(bin_bytes), bin_bytes};
  cr_assert(glb.json && glb.bin);
  memcpy(glb.bin, bytes + 28 + json_bytes, bin_bytes);
  free(bytes);
  return glb;
}

void glb_text_write(const glb_text *glb, const char *path) {
  char *text = json_dumps(glb->json, JSON_COMPACT);
  const uint32_t padding = (4 - strlen(text) % 4) % 4, json_bytes = (uint32_t)strlen(text) + padding;
  const uint32_t bin_bytes = (uint32_t)glb->bin_bytes;
  const uint32_t head[5] = {0x46546c67, 2, 28 + json_bytes + bin_bytes, json_bytes, 0x4e4f534a},
                 chunk[2] = {bin_bytes, 0x004e4942};
  FILE *file = fopen(path, "wb");
  cr_assert(file, "%s can be written", path);
  fwrite(head, sizeof head, 1, file);
  fprintf(file, "%s%.*s", text, (int)padding, "   ");
  fwrite(chunk, sizeof chunk, 1, file);
  fwrite(glb->bin, 1, glb->bin_bytes, file);
  cr_assert_eq(fclose(file), 0);
  free(text);
}

void glb_text_free(glb_text *glb) {
  json_decref(glb->json);
  free(glb->bin);
}

json_t *glb_text_node(const glb_text *glb, const char *name, size_t *index) {
  json_t *node;
  const json_t *nodes = json_object_get(glb->json, "nodes");
  for (size_t i = 0; (node = json_array_get(nodes, i)); i++) {
    *index = i;
    const char *own = json_string_value(json_object_get(node, "name"));
    if (own && strcmp(own, name) == 0) return node;
  }
  cr_assert(false, "no node %s", name);
  return NULL;
}

static const json_t *item(const json_t *object, const char *list, const json_t *index) {
  return json_array_get(json_object_get(object, list), (size_t)json_integer_value(index));
}

const float *glb_text_track(const glb_text *glb, size_t node, const char *path, size_t *count) {
  const json_t *animation = json_array_get(json_object_get(glb->json, "animations"), 0);
  size_t i;
  json_t *channel;
  json_array_foreach(json_object_get(animation, "channels"), i, channel) {
    const json_t *target = json_object_get(channel, "target");
    if ((size_t)json_integer_value(json_object_get(target, "node")) != node ||
        strcmp(json_string_value(json_object_get(target, "path")), path) != 0)
      continue;
    const json_t *sampler = item(animation, "samplers", json_object_get(channel, "sampler"));
    const json_t *accessor = item(glb->json, "accessors", json_object_get(sampler, "output"));
    const json_t *view = item(glb->json, "bufferViews", json_object_get(accessor, "bufferView"));
    const size_t at = (size_t)(json_integer_value(json_object_get(view, "byteOffset")) +
                               json_integer_value(json_object_get(accessor, "byteOffset")));
    cr_assert_eq(json_integer_value(json_object_get(accessor, "componentType")), 5126);
    *count = (size_t)json_integer_value(json_object_get(accessor, "count")) *
             (strcmp(path, "rotation") == 0 ? 4 : 3);
    cr_assert_leq(at + *count * sizeof(float), glb->bin_bytes);
    return (const float *)(const void *)(glb->bin + at);
  }
  return NULL;
}
