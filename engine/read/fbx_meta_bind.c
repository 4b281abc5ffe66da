/* From names to a hierarchy: parents, their order, and the human bones. */
#include "base/error.h"
#include "read/fbx_meta.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = -1, NOT_PLACED = -1 };

typedef struct binder {
  fbx_meta *m;
  uint32_t *by_name; /* node indices, by name, then by place in the file */
  int32_t *parent;   /* of each node as the file orders them */
  int32_t *place;    /* of each node among the delivered ones */
  int32_t *path;     /* a node and its ancestors that are not placed yet */
  uint32_t *depth;   /* 1 for a root */
  uint32_t *walked;  /* the last walk that met a node, to find circles */
} binder;

/* ---- names ------------------------------------------------------------------------------------------------
 */

static int by_name_then_place(const void *a, const void *b, void *nodes) {
  uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  const meta_node *all = nodes;
  int order = strcmp(all[left].name, all[right].name);
  return order ? order : left < right ? -1 : left > right;
}

/* The first entry of by_name whose (name, place) is not below the one asked for. */
static uint32_t lower_bound(const binder *b, const char *name, uint32_t place) {
  uint32_t low = 0, high = b->m->node_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2, node = b->by_name[middle];
    int order = strcmp(b->m->nodes[node].name, name);
    if (order < 0 || (order == 0 && node < place))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool is_named(const binder *b, uint32_t entry, const char *name) {
  return entry < b->m->node_count && strcmp(b->m->nodes[b->by_name[entry]].name, name) == 0;
}

/* Names need not be unique. A parent is the nearest node of its name above the child in the file, where
 * parents stand as a rule, else the first one below; NONE when there is none but the child itself. */
static int32_t find_parent(const binder *b, uint32_t child, const char *name) {
  uint32_t entry = lower_bound(b, name, child);
  if (entry > 0 && is_named(b, entry - 1, name)) return (int32_t)b->by_name[entry - 1];
  if (is_named(b, entry, name) && b->by_name[entry] == child) entry++;
  return is_named(b, entry, name) ? (int32_t)b->by_name[entry] : NONE;
}

/* ---- hierarchy --------------------------------------------------------------------------------------------
 */

static sinew_result check_stored(const fbx_meta *m) {
  if (m->node_count == 1) return SINEW_OK;
  for (uint32_t i = 0; i < m->node_count; i++)
    if (*m->nodes[i].parent_name) return SINEW_OK;
  return meta_fail(m, SINEW_ERROR_UNSUPPORTED, &m->nodes[0].name_place,
                   "no node names its parent: the hierarchy is not in the file, the rig needs its model");
}

static sinew_result bind_parents(binder *b) {
  fbx_meta *m = b->m;
  int32_t root = NONE;
  for (uint32_t i = 0; i < m->node_count; i++) {
    const meta_node *node = &m->nodes[i];
    scan_quote name = scan_show(node->name, strlen(node->name));
    b->parent[i] = NONE;
    if (*node->parent_name) {
      b->parent[i] = find_parent(b, i, node->parent_name);
      if (b->parent[i] == NONE)
        return meta_fail(m, SINEW_ERROR_SYNTAX, &node->parent_place,
                         "the parent of '%s', '%s', is no other node", name.text,
                         scan_show(node->parent_name, strlen(node->parent_name)).text);
    } else if (root != NONE) {
      return meta_fail(m, SINEW_ERROR_SYNTAX, &node->name_place,
                       "node '%s' has no parent, as '%s' in line %llu: expected one root", name.text,
                       scan_show(m->nodes[root].name, strlen(m->nodes[root].name)).text,
                       (unsigned long long)m->nodes[root].name_place.line);
    } else {
      root = (int32_t)i;
    }
  }
  return SINEW_OK;
}

static sinew_result check_depth(const binder *b, uint32_t node) {
  if (b->depth[node] <= b->m->source->limits.depth) return SINEW_OK;
  return meta_fail(b->m, SINEW_ERROR_LIMIT, &b->m->nodes[node].name_place,
                   "the hierarchy is more than %u nodes deep, the limit", b->m->source->limits.depth);
}

/* Gives every node a place behind its parent's and otherwise keeps the file's order. */
static sinew_result order_nodes(binder *b) {
  fbx_meta *m = b->m;
  int32_t placed = 0;
  for (uint32_t i = 0; i < m->node_count; i++) b->place[i] = NOT_PLACED;
  for (uint32_t i = 0; i < m->node_count; i++) {
    uint32_t length = 0;
    for (int32_t node = (int32_t)i; node != NONE && b->place[node] == NOT_PLACED; node = b->parent[node]) {
      if (b->walked[node] == i + 1)
        return meta_fail(m, SINEW_ERROR_SYNTAX, &m->nodes[node].parent_place,
                         "the parents of '%s' run in a circle",
                         scan_show(m->nodes[node].name, strlen(m->nodes[node].name)).text);
      b->walked[node] = i + 1;
      b->path[length++] = node;
    }
    while (length) {
      int32_t node = b->path[--length];
      b->depth[node] = b->parent[node] == NONE ? 1 : b->depth[b->parent[node]] + 1;
      SINEW_TRY(check_depth(b, (uint32_t)node));
      b->place[node] = placed++;
    }
  }
  return SINEW_OK;
}

static sinew_result deliver_nodes(const binder *b) {
  fbx_meta *m = b->m;
  rig_description *d = m->description;
  d->nodes = arena_alloc(m->memory, m->node_count, sizeof *d->nodes);
  SINEW_CHECK(d->nodes, m->error, SINEW_ERROR_MEMORY, "no memory for %u nodes", m->node_count);
  d->node_count = m->node_count;
  for (uint32_t i = 0; i < m->node_count; i++) {
    const meta_node *from = &m->nodes[i];
    rig_node *to = &d->nodes[b->place[i]];
    to->name = from->name;
    to->parent = b->parent[i] == NONE ? NONE : b->place[b->parent[i]];
    memcpy(to->t, from->t, sizeof to->t);
    memcpy(to->q, from->q, sizeof to->q);
    memcpy(to->s, from->s, sizeof to->s);
  }
  return SINEW_OK;
}

/* ---- human bones ------------------------------------------------------------------------------------------
 */

static sinew_result bind_bone(const binder *b, int bone) {
  fbx_meta *m = b->m;
  const meta_human *human = &m->human[bone];
  if (!human->node_name) return SINEW_OK;
  scan_quote name = scan_show(human->node_name, strlen(human->node_name));
  uint32_t entry = lower_bound(b, human->node_name, 0);
  if (!is_named(b, entry, human->node_name)) {
    if (human_bones[bone].required)
      return meta_fail(m, SINEW_ERROR_SYNTAX, &human->place, "%s is node '%s', which is not in the skeleton",
                       human_bones[bone].trait_name, name.text);
    meta_warn(m, "%s (line %llu) is node '%s', which is not in the skeleton: the rig goes without",
              human_bones[bone].trait_name, (unsigned long long)human->place.line, name.text);
    m->description->limit[bone] = (rig_limit){0};
    return SINEW_OK;
  }
  if (is_named(b, entry + 1, human->node_name))
    meta_warn(m, "%s (line %llu) is node '%s', a name of several nodes: the first is taken",
              human_bones[bone].trait_name, (unsigned long long)human->place.line, name.text);
  m->description->node_of_bone[bone] = b->place[b->by_name[entry]];
  return SINEW_OK;
}

static sinew_result check_shared(const fbx_meta *m) {
  const int32_t *node = m->description->node_of_bone;
  for (int a = 0; a < HUMAN_BONE_COUNT; a++)
    for (int b = a + 1; b < HUMAN_BONE_COUNT; b++) {
      if (node[a] < 0 || node[a] != node[b]) continue;
      bool a_first = m->human[a].place.byte < m->human[b].place.byte;
      const char *name = m->human[a].node_name;
      return meta_fail(m, SINEW_ERROR_SYNTAX, &m->human[a_first ? b : a].place, "node '%s' is both %s and %s",
                       scan_show(name, strlen(name)).text, human_bones[a_first ? a : b].trait_name,
                       human_bones[a_first ? b : a].trait_name);
    }
  return SINEW_OK;
}

/* The model's name: that of its first node, which the editor marks as a copy. */
static sinew_result name_rig(fbx_meta *m) {
  static const char copy[] = "(Clone)";
  const char *name = m->nodes[0].name;
  size_t length = strlen(name), tail = sizeof copy - 1;
  if (length > tail && memcmp(name + length - tail, copy, tail) == 0) length -= tail;
  m->description->name = arena_text(m->memory, name, length);
  SINEW_CHECK(m->description->name, m->error, SINEW_ERROR_MEMORY, "no memory for the rig's name");
  return SINEW_OK;
}

static sinew_result bind(binder *b) {
  fbx_meta *m = b->m;
  for (uint32_t i = 0; i < m->node_count; i++) b->by_name[i] = i;
  qsort_r(b->by_name, m->node_count, sizeof *b->by_name, by_name_then_place, m->nodes);
  SINEW_TRY(bind_parents(b));
  SINEW_TRY(order_nodes(b));
  SINEW_TRY(deliver_nodes(b));
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) SINEW_TRY(bind_bone(b, bone));
  SINEW_TRY(check_shared(m));
  return name_rig(m);
}

sinew_result meta_bind(fbx_meta *m) {
  SINEW_TRY(check_stored(m));
  enum { TABLES = 6 };
  uint32_t *tables = heap_alloc(m->node_count, TABLES * sizeof *tables);
  SINEW_CHECK(tables, m->error, SINEW_ERROR_MEMORY, "no memory for %u nodes", m->node_count);
  size_t n = m->node_count;
  binder b = {.m = m,
              .by_name = tables,
              .parent = (int32_t *)(tables + n),
              .place = (int32_t *)(tables + 2 * n),
              .path = (int32_t *)(tables + 3 * n),
              .depth = tables + 4 * n,
              .walked = tables + 5 * n};
  sinew_result result = bind(&b);
  heap_free(tables);
  return result;
}
