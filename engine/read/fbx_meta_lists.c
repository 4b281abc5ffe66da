/* The lists `human` and `skeleton` of a humanDescription. */
#include "base/error.h"
#include "read/fbx_meta.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { FIRST_NODES = 128 };

static sinew_result keep_text(fbx_meta *m, scan *s, const scan_field *field, const char **kept) {
  const char *text;
  size_t length;
  SINEW_TRY(scan_text(s, field, &text, &length));
  *kept = arena_text(m->memory, text, length);
  SINEW_CHECK(*kept, m->error, SINEW_ERROR_MEMORY, "no memory for a name of %zu bytes", length);
  return SINEW_OK;
}

/* Numbers are float32 in the editor: what that cannot hold is no number here either. */
static bool is_float(double value) {
  return fabs(value) <= (double)FLT_MAX;
}

static sinew_result read_vector(scan *s, const scan_field *field, int count, double *value) {
  SINEW_TRY(scan_vector(s, field, count, value));
  for (int i = 0; i < count; i++)
    if (!is_float(value[i]))
      return scan_fail_value(s, SINEW_ERROR_SYNTAX, field, "%c of %.*s is not a finite number", "xyzw"[i],
                             (int)field -> name_length, field -> name);
  return SINEW_OK;
}

/* Starts a list; *more is false when it is empty. */
static sinew_result enter_list(scan *s, const scan_field *field, scan_block *block) {
  SINEW_TRY(scan_enter(s, field, block));
  if (block->kind == SCAN_MAP)
    return scan_fail(s, SINEW_ERROR_SYNTAX, s->content, "%.*s is no list, expected '- ' before each item",
                     (int)field->name_length, field->name);
  return SINEW_OK;
}

static sinew_result check_item(scan *s, const scan_block *block, const char *list) {
  if (!s->ended && s->column > block->column) return SINEW_OK;
  return scan_fail(s, SINEW_ERROR_SYNTAX, s->content, "an empty item in the list %s", list);
}

static sinew_result missing(fbx_meta *m, scan *s, const meta_place *item, const char *what) {
  if (s->ended && scan_at_file_end(s))
    return scan_fail(s, SINEW_ERROR_SYNTAX, s->end,
                     "the file is cut short: it ends inside an item without %s yet", what);
  return meta_fail(m, SINEW_ERROR_SYNTAX, item, "an item without %s", what);
}

/* ---- human ------------------------------------------------------------------------------------------------
 */

typedef struct human_item {
  const char *node_name;
  const char *human_name;
  meta_place node_place;
  meta_place human_place;
  double min_deg[3], max_deg[3];
  meta_place min_place;
  bool has_min, has_max, modified;
} human_item;

static sinew_result read_limit(scan *s, const scan_field *top, human_item *item) {
  scan_block block;
  SINEW_TRY(scan_enter(s, top, &block));
  scan_field field;
  bool found = block.kind == SCAN_MAP;
  while (found) {
    SINEW_TRY(scan_field_next(s, block.column, &field, &found));
    if (!found) break;
    if (scan_field_is(&field, "min")) {
      item->has_min = true;
      item->min_place = scan_place_of(s, &field);
      SINEW_TRY(scan_vector(s, &field, 3, item->min_deg));
    } else if (scan_field_is(&field, "max")) {
      item->has_max = true;
      SINEW_TRY(scan_vector(s, &field, 3, item->max_deg));
    } else if (scan_field_is(&field, "modified")) {
      SINEW_TRY(scan_flag(s, &field, &item->modified));
    } else {
      scan_skip(s, &field);
    }
  }
  return SINEW_OK;
}

static sinew_result read_human_item(fbx_meta *m, scan *s, human_item *item) {
  size_t column = s->column;
  meta_place start = scan_here(s);
  scan_field field;
  for (bool found;;) {
    SINEW_TRY(scan_field_next(s, column, &field, &found));
    if (!found) break;
    if (scan_field_is(&field, "boneName")) {
      item->node_place = scan_place_of(s, &field);
      SINEW_TRY(keep_text(m, s, &field, &item->node_name));
    } else if (scan_field_is(&field, "humanName")) {
      item->human_place = scan_place_of(s, &field);
      SINEW_TRY(keep_text(m, s, &field, &item->human_name));
    } else if (scan_field_is(&field, "limit")) {
      SINEW_TRY(read_limit(s, &field, item));
    } else {
      scan_skip(s, &field);
    }
  }
  if (!item->node_name) return missing(m, s, &start, "boneName");
  if (!item->human_name) return missing(m, s, &start, "humanName");
  return SINEW_OK;
}

static sinew_result keep_limit(fbx_meta *m, const human_item *item, int bone) {
  if (!item->modified) return SINEW_OK;
  const char *name = human_bones[bone].trait_name;
  if (!item->has_min || !item->has_max)
    return meta_fail(m, SINEW_ERROR_SYNTAX, &item->human_place, "the limit of %s is modified, but has no %s",
                     name, item->has_min ? "max" : "min");
  rig_limit *limit = &m->description->limit[bone];
  limit->modified = true;
  for (int axis = 0; axis < 3; axis++) {
    double least = item->min_deg[axis], most = item->max_deg[axis];
    if (!is_float(least) || !is_float(most))
      return meta_fail(m, SINEW_ERROR_SYNTAX, &item->min_place,
                       "the limit of %s about %c is not a finite number", name, "xyz"[axis]);
    if (least > most)
      return meta_fail(m, SINEW_ERROR_SYNTAX, &item->min_place, "the limit of %s about %c is from %g to %g",
                       name, "xyz"[axis], least, most);
    limit->min_deg[axis] = least;
    limit->max_deg[axis] = most;
  }
  return SINEW_OK;
}

static sinew_result keep_human(fbx_meta *m, const human_item *item) {
  int bone = human_bone_find(item->human_name, strlen(item->human_name));
  scan_quote name = scan_show(item->human_name, strlen(item->human_name));
  if (bone < 0) {
    scan_quote node = scan_show(item->node_name, strlen(item->node_name));
    meta_warn(m, "'%s' (line %llu) is no human bone's name: ignored for node '%s'", name.text,
              (unsigned long long)item->human_place.line, node.text);
    return SINEW_OK;
  }
  meta_human *human = &m->human[bone];
  if (human->node_name)
    return meta_fail(m, SINEW_ERROR_SYNTAX, &item->human_place,
                     "%s stands twice in the list, first in line %llu", name.text,
                     (unsigned long long)human->place.line);
  human->node_name = item->node_name;
  human->place = item->node_place;
  return keep_limit(m, item, bone);
}

sinew_result meta_read_human(fbx_meta *m, scan *s, const scan_field *list) {
  scan_block block;
  SINEW_TRY(enter_list(s, list, &block));
  while (block.kind == SCAN_LIST && scan_item(s, block.column)) {
    SINEW_TRY(check_item(s, &block, "human"));
    human_item item = {0};
    SINEW_TRY(read_human_item(m, s, &item));
    SINEW_TRY(keep_human(m, &item));
  }
  return SINEW_OK;
}

/* ---- skeleton ---------------------------------------------------------------------------------------------
 */

enum node_part { PART_NAME = 1, PART_POSITION = 2, PART_ROTATION = 4, PART_SCALE = 8 };

/* Makes q a unit quaternion; files hold them to about seven digits. */
static sinew_result normalise(fbx_meta *m, scan *s, const scan_field *field, double q[4]) {
  const double least = 1e-6, off = 1e-3;
  double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(norm > least))
    return scan_fail_value(s, SINEW_ERROR_SYNTAX, field, "rotation has length %g, expected 1", norm);
  if (fabs(norm - 1) > off)
    meta_warn(m, "a rotation (line %llu) has length %g: made 1", (unsigned long long)field->line, norm);
  for (int i = 0; i < 4; i++) q[i] /= norm;
  return SINEW_OK;
}

static sinew_result read_scale(scan *s, const scan_field *field, double scale[3]) {
  SINEW_TRY(read_vector(s, field, 3, scale));
  for (int i = 0; i < 3; i++)
    if (fabs(scale[i]) < (double)FLT_MIN)
      return scan_fail_value(s, SINEW_ERROR_SYNTAX, field, "scale is zero in %c", "xyz"[i]);
  return SINEW_OK;
}

static sinew_result read_node_field(fbx_meta *m, scan *s, const scan_field *field, meta_node *node,
                                    unsigned *parts) {
  if (scan_field_is(field, "name")) {
    *parts |= PART_NAME;
    node->name_place = scan_place_of(s, field);
    return keep_text(m, s, field, &node->name);
  }
  if (scan_field_is(field, "parentName")) {
    node->parent_place = scan_place_of(s, field);
    return keep_text(m, s, field, &node->parent_name);
  }
  if (scan_field_is(field, "position")) {
    *parts |= PART_POSITION;
    return read_vector(s, field, 3, node->t);
  }
  if (scan_field_is(field, "rotation")) {
    *parts |= PART_ROTATION;
    SINEW_TRY(read_vector(s, field, 4, node->q));
    return normalise(m, s, field, node->q);
  }
  if (scan_field_is(field, "scale")) {
    *parts |= PART_SCALE;
    return read_scale(s, field, node->s);
  }
  scan_skip(s, field);
  return SINEW_OK;
}

static sinew_result read_node(fbx_meta *m, scan *s, meta_node *node) {
  static const char *const part_names[] = {"name", "position", "rotation", "scale"};
  size_t column = s->column;
  meta_place start = scan_here(s);
  unsigned parts = 0;
  *node = (meta_node){.parent_name = "", .parent_place = start};
  scan_field field;
  for (bool found;;) {
    SINEW_TRY(scan_field_next(s, column, &field, &found));
    if (!found) break;
    SINEW_TRY(read_node_field(m, s, &field, node, &parts));
  }
  for (int i = 0; i < 4; i++)
    if (!(parts & 1u << i)) return missing(m, s, &start, part_names[i]);
  if (!*node->name) return meta_fail(m, SINEW_ERROR_SYNTAX, &node->name_place, "a node with an empty name");
  return SINEW_OK;
}

static sinew_result make_room(fbx_meta *m, scan *s) {
  if (m->node_count >= m->source->limits.nodes)
    return scan_fail(s, SINEW_ERROR_LIMIT, s->content, "more than %u nodes, the limit",
                     m->source->limits.nodes);
  if (m->node_count < m->node_capacity) return SINEW_OK;
  uint32_t capacity = m->node_capacity ? m->node_capacity * 2 : FIRST_NODES;
  meta_node *grown = heap_grow(m->nodes, m->node_count, capacity, sizeof *grown);
  SINEW_CHECK(grown, m->error, SINEW_ERROR_MEMORY, "out of memory after %u nodes", m->node_count);
  m->nodes = grown;
  m->node_capacity = capacity;
  return SINEW_OK;
}

sinew_result meta_read_skeleton(fbx_meta *m, scan *s, const scan_field *list) {
  scan_block block;
  SINEW_TRY(enter_list(s, list, &block));
  while (block.kind == SCAN_LIST && scan_item(s, block.column)) {
    SINEW_TRY(check_item(s, &block, "skeleton"));
    SINEW_TRY(make_room(m, s));
    SINEW_TRY(read_node(m, s, &m->nodes[m->node_count]));
    m->node_count++;
  }
  return SINEW_OK;
}
