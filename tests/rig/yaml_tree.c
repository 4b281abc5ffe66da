#include "rig/yaml_tree.h"
#include "support/keep.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

static yaml_tree *convert(yaml_document_t *document, int index) {
  yaml_node_t *node = yaml_document_get_node(document, index);
  yaml_tree *tree = test_keep(1, sizeof *tree);
  if (node->type == YAML_SCALAR_NODE) {
    tree->text = test_keep_text((const char *)node->data.scalar.value);
  } else if (node->type == YAML_SEQUENCE_NODE) {
    tree->count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    tree->items = test_keep(tree->count + 1, sizeof *tree->items);
    for (size_t i = 0; i < tree->count; i++)
      tree->items[i] = convert(document, node->data.sequence.items.start[i]);
  } else {
    tree->count = (size_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
    tree->items = test_keep(tree->count + 1, sizeof *tree->items);
    tree->keys = test_keep(tree->count + 1, sizeof *tree->keys);
    for (size_t i = 0; i < tree->count; i++) {
      tree->keys[i] = convert(document, node->data.mapping.pairs.start[i].key);
      tree->items[i] = convert(document, node->data.mapping.pairs.start[i].value);
    }
  }
  return tree;
}

yaml_tree *yaml_tree_parse(const char *text, size_t length) {
  yaml_parser_t parser;
  yaml_document_t document;
  yaml_parser_initialize(&parser);
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
  if (!yaml_parser_load(&parser, &document)) {
    fprintf(stderr, "yaml: %s at line %zu\n", parser.problem, parser.problem_mark.line + 1);
    abort();
  }
  yaml_tree *tree = convert(&document, 1);
  yaml_document_delete(&document);
  yaml_parser_delete(&parser);
  return tree;
}

yaml_tree *yaml_find(const yaml_tree *map, const char *key) {
  for (size_t i = 0; map && map->keys && i < map->count; i++)
    if (map->keys[i]->text && strcmp(map->keys[i]->text, key) == 0) return map->items[i];
  return NULL;
}

yaml_tree *yaml_at(const yaml_tree *map, const char *path) {
  char copy[256], *rest = NULL;
  snprintf(copy, sizeof copy, "%s", path);
  yaml_tree *found = NULL;
  for (char *key = strtok_r(copy, "/", &rest); key; key = strtok_r(NULL, "/", &rest)) {
    found = yaml_find(found ? found : map, key);
    if (!found) {
      fprintf(stderr, "yaml: no %s in %s\n", key, path);
      abort();
    }
  }
  return found;
}

double yaml_number(const yaml_tree *scalar) {
  char *end;
  double value = strtod(scalar->text, &end);
  assert(end != scalar->text);
  return value;
}

void yaml_vector(const yaml_tree *map, double *values, int count) {
  static const char *const names[] = {"x", "y", "z", "w"};
  for (int k = 0; k < count; k++) values[k] = yaml_number(yaml_at(map, names[k]));
}

size_t yaml_integers(const yaml_tree *node, int *values, size_t limit) {
  size_t count = 0;
  if (!node->text) {
    for (; count < node->count && count < limit; count++)
      values[count] = (int)yaml_number(node->items[count]);
    return count;
  }
  for (size_t at = 0; at + 8 <= strlen(node->text) && count < limit; at += 8) {
    unsigned word = 0, byte = 0;
    for (int k = 0; k < 4; k++) {
      sscanf(node->text + at + 2 * k, "%2x", &byte);
      word |= byte << 8 * k;
    }
    values[count++] = (int)word;
  }
  return count;
}
