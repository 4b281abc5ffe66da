/* The lists of an Avatar: integers, numbers, nodes, transforms, muscle referentials, paths. */
#include "base/error.h"
#include "base/number.h"
#include "read/unity_avatar.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { FIRST_ITEMS = 64, WORD_DIGITS = 8, PATHS_PER_NODE = 4 };

/* Room for one more item of a heap list that may hold `limit`. */
static sinew_result make_room(unity_avatar *a, void **items, uint32_t count, size_t size, uint32_t limit,
                              const scan_field *list) {
  int length = (int)(list->name_length < 60 ? list->name_length : 60);
  if (count >= limit)
    return scan_fail(a->scan, SINEW_ERROR_LIMIT, a->scan->content, "%.*s has more than %u entries, the limit",
                     length, list->name, limit);
  bool full = count == 0 || (count >= FIRST_ITEMS && (count & (count - 1)) == 0);
  if (!full) return SINEW_OK;
  void *grown = heap_grow(*items, count, count ? (size_t)count * 2 : FIRST_ITEMS, size);
  SINEW_CHECK(grown, a->error, SINEW_ERROR_MEMORY, "out of memory after %u entries of %.*s", count, length,
              list->name);
  *items = grown;
  return SINEW_OK;
}

/* Of integers and numbers: one for each node, or for each human bone. */
static uint32_t list_limit(const unity_avatar *a) {
  uint32_t nodes = a->source->limits.nodes;
  return nodes > HUMAN_BONE_COUNT ? nodes : HUMAN_BONE_COUNT;
}

static sinew_result enter_list(unity_avatar *a, const scan_field *field, scan_block *block) {
  SINEW_TRY(scan_enter(a->scan, field, block));
  if (block->kind == SCAN_MAP)
    return scan_fail(a->scan, SINEW_ERROR_SYNTAX, a->scan->content,
                     "%.*s is no list, expected '- ' before each item", (int)field->name_length, field->name);
  return SINEW_OK;
}

/* Takes the dash of the next item that is a number. */
static sinew_result next_scalar(unity_avatar *a, const scan_field *list, const scan_block *block,
                                scan_field *item, bool *found) {
  scan *s = a->scan;
  *found = block->kind == SCAN_LIST && scan_item(s, block->column);
  if (!*found) return SINEW_OK;
  if (s->ended || s->column <= block->column)
    return scan_fail(s, SINEW_ERROR_SYNTAX, s->content, "an empty item in the list %.*s",
                     (int)list->name_length, list->name);
  *item = scan_item_scalar(s, list);
  return SINEW_OK;
}

/* ---- integers ---------------------------------------------------------------------------------------- */

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Eight digits, the lowest byte first; false where one of them is none. */
static bool read_word(const char *digits, uint32_t *word) {
  *word = 0;
  for (int byte = 0; byte < 4; byte++) {
    int high = hex_digit(digits[2 * byte]), low = hex_digit(digits[2 * byte + 1]);
    if (high < 0 || low < 0) return false;
    *word |= (uint32_t)(high << 4 | low) << (8 * byte);
  }
  return true;
}

static sinew_result read_words(unity_avatar *a, const scan_field *field, avatar_integers *out) {
  scan *s = a->scan;
  size_t digits = (size_t)(field->value_end - field->value);
  if (s->cut_line)
    return scan_fail_value(s, SINEW_ERROR_SYNTAX, field,
                           "the file is cut short: it ends inside or right behind these digits");
  if (digits % WORD_DIGITS != 0)
    return scan_fail_value(s, SINEW_ERROR_SYNTAX, field,
                           "%.*s has %zu hexadecimal digits, expected %d for each entry",
                           (int)field->name_length, field->name, digits, WORD_DIGITS);
  if (digits / WORD_DIGITS > list_limit(a))
    return scan_fail_value(s, SINEW_ERROR_LIMIT, field, "%.*s has %zu entries, the limit is %u",
                           (int)field->name_length, field->name, digits / WORD_DIGITS, list_limit(a));
  out->items = heap_alloc(digits / WORD_DIGITS, sizeof *out->items);
  SINEW_CHECK(out->items, a->error, SINEW_ERROR_MEMORY, "out of memory for %zu entries",
              digits / WORD_DIGITS);
  for (const char *p = field->value; p < field->value_end; p += WORD_DIGITS) {
    uint32_t word;
    if (!read_word(p, &word))
      return scan_fail_value(s, SINEW_ERROR_SYNTAX, field,
                             "%.*s holds '%s', expected a list or hexadecimal digits",
                             (int)field->name_length, field->name, scan_show(p, WORD_DIGITS).text);
    out->items[out->count++] = (int32_t)word;
  }
  scan_advance(s);
  return SINEW_OK;
}

/* Words are signed in one spelling and may be unsigned in the other: both become int32. */
static sinew_result keep_integer(unity_avatar *a, const scan_field *item, avatar_integers *out) {
  int64_t value;
  SINEW_TRY(scan_int(a->scan, item, &value));
  if (value < INT32_MIN || value > UINT32_MAX)
    return scan_fail_value(a->scan, SINEW_ERROR_SYNTAX, item, "%.*s holds %lld, expected 32 bits",
                           (int)item->name_length, item->name, (long long)value);
  out->items[out->count++] = (int32_t)(uint32_t)value;
  return SINEW_OK;
}

static bool is_empty_list(const scan_field *field) {
  return field->value < field->value_end && *field->value == '[';
}

sinew_result avatar_read_integers(unity_avatar *a, const scan_field *field, void *integers) {
  avatar_integers *out = integers;
  out->place = scan_place_of(a->scan, field);
  if (field->value < field->value_end && !is_empty_list(field)) return read_words(a, field, out);
  scan_block block;
  scan_field item;
  bool found;
  SINEW_TRY(enter_list(a, field, &block));
  for (;;) {
    SINEW_TRY(next_scalar(a, field, &block, &item, &found));
    if (!found) return SINEW_OK;
    SINEW_TRY(make_room(a, (void **)&out->items, out->count, sizeof *out->items, list_limit(a), field));
    SINEW_TRY(keep_integer(a, &item, out));
  }
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

/* Numbers are float32 in the editor: what that cannot hold is no number here either. */
static bool is_float(double value) {
  return fabs(value) <= (double)FLT_MAX;
}

static sinew_result read_number(unity_avatar *a, const scan_field *field, void *number) {
  double *value = number;
  SINEW_TRY(scan_double(a->scan, field, value));
  if (is_float(*value)) return SINEW_OK;
  return scan_fail_value(a->scan, SINEW_ERROR_SYNTAX, field, "%.*s is not a finite number",
                         (int)field->name_length, field->name);
}

sinew_result avatar_read_numbers(unity_avatar *a, const scan_field *field, void *numbers) {
  avatar_numbers *out = numbers;
  out->place = scan_place_of(a->scan, field);
  scan_block block;
  scan_field item;
  bool found;
  SINEW_TRY(enter_list(a, field, &block));
  for (;;) {
    SINEW_TRY(next_scalar(a, field, &block, &item, &found));
    if (!found) return SINEW_OK;
    SINEW_TRY(make_room(a, (void **)&out->items, out->count, sizeof *out->items, list_limit(a), field));
    SINEW_TRY(read_number(a, &item, &out->items[out->count]));
    out->count++;
  }
}

static sinew_result read_vector(unity_avatar *a, const scan_field *field, int count, double *value) {
  SINEW_TRY(scan_vector(a->scan, field, count, value));
  for (int i = 0; i < count; i++)
    if (!is_float(value[i]))
      return scan_fail_value(a->scan, SINEW_ERROR_SYNTAX, field, "%c of %.*s is not a finite number",
                             "xyzw"[i], (int)field -> name_length, field -> name);
  return SINEW_OK;
}

static sinew_result read_triple(unity_avatar *a, const scan_field *field, void *value) {
  return read_vector(a, field, 3, value);
}

/* Files hold unit quaternions to about seven digits. */
static sinew_result read_rotation(unity_avatar *a, const scan_field *field, void *value) {
  const double least = 1e-6, off = 1e-3;
  double *q = value;
  SINEW_TRY(read_vector(a, field, 4, q));
  double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(norm > least))
    return scan_fail_value(a->scan, SINEW_ERROR_SYNTAX, field, "%.*s has length %g, expected 1",
                           (int)field->name_length, field->name, norm);
  if (fabs(norm - 1) > off)
    avatar_warn(a, "%.*s (line %llu) has length %g: made 1", (int)field->name_length, field->name,
                (unsigned long long)field->line, norm);
  for (int i = 0; i < 4; i++) q[i] /= norm;
  return SINEW_OK;
}

static sinew_result read_scale(unity_avatar *a, const scan_field *field, void *value) {
  double *scale = value;
  SINEW_TRY(read_vector(a, field, 3, scale));
  for (int i = 0; i < 3; i++)
    if (fabs(scale[i]) < (double)FLT_MIN)
      return scan_fail_value(a->scan, SINEW_ERROR_SYNTAX, field, "scale is zero in %c", "xyz"[i]);
  return SINEW_OK;
}

/* ---- transforms -------------------------------------------------------------------------------------- */

static const avatar_rule transform_rules[] = {{"t", read_triple, offsetof(avatar_transform, t), false},
                                              {"q", read_rotation, offsetof(avatar_transform, q), false},
                                              {"s", read_scale, offsetof(avatar_transform, s), false},
                                              {0}};

sinew_result avatar_read_transform(unity_avatar *a, const scan_field *field, void *transform) {
  ((avatar_transform *)transform)->place = scan_place_of(a->scan, field);
  return avatar_read_map(a, field, transform_rules, transform);
}

static sinew_result read_transforms(unity_avatar *a, const scan_field *list, const scan_block *block,
                                    avatar_pose *out) {
  while (block->kind == SCAN_LIST && scan_item(a->scan, block->column)) {
    SINEW_TRY(
        make_room(a, (void **)&out->items, out->count, sizeof *out->items, a->source->limits.nodes, list));
    avatar_transform *item = &out->items[out->count];
    item->place = scan_here(a->scan);
    SINEW_TRY(avatar_read_item(a, list, block->column, transform_rules, item));
    out->count++;
  }
  return SINEW_OK;
}

static sinew_result read_pose_list(unity_avatar *a, const scan_field *field, void *pose) {
  scan_block block;
  SINEW_TRY(enter_list(a, field, &block));
  return read_transforms(a, field, &block, pose);
}

/* `data` is a map with the list m_X; in older files it is the list itself. */
static sinew_result read_pose_data(unity_avatar *a, const scan_field *field, void *pose) {
  static const avatar_rule rules[] = {{"m_X", read_pose_list, 0, false}, {0}};
  scan_block block;
  SINEW_TRY(scan_enter(a->scan, field, &block));
  if (block.kind == SCAN_LIST) return read_transforms(a, field, &block, pose);
  return avatar_read_entered(a, field, &block, rules, pose);
}

sinew_result avatar_read_pose(unity_avatar *a, const scan_field *field, void *pose) {
  static const avatar_rule rules[] = {{"data", read_pose_data, 0, false}, {0}};
  ((avatar_pose *)pose)->place = scan_place_of(a->scan, field);
  return avatar_read_map(a, field, rules, pose);
}

/* ---- skeletons --------------------------------------------------------------------------------------- */

static sinew_result read_integer(unity_avatar *a, const scan_field *field, void *integer) {
  return scan_int(a->scan, field, integer);
}

static sinew_result read_nodes(unity_avatar *a, const scan_field *field, void *skeleton) {
  static const avatar_rule rules[] = {{"m_ParentId", read_integer, offsetof(avatar_node, parent), false},
                                      {"m_AxesId", read_integer, offsetof(avatar_node, axes), false},
                                      {0}};
  avatar_skeleton *out = skeleton;
  scan_block block;
  SINEW_TRY(enter_list(a, field, &block));
  while (block.kind == SCAN_LIST && scan_item(a->scan, block.column)) {
    SINEW_TRY(
        make_room(a, (void **)&out->nodes, out->count, sizeof *out->nodes, a->source->limits.nodes, field));
    avatar_node *node = &out->nodes[out->count];
    node->place = scan_here(a->scan);
    SINEW_TRY(avatar_read_item(a, field, block.column, rules, node));
    out->count++;
  }
  return SINEW_OK;
}

static sinew_result read_sign(unity_avatar *a, const scan_field *field, void *sign) {
  double *sgn = sign;
  SINEW_TRY(scan_vector(a->scan, field, 3, sgn));
  for (int i = 0; i < 3; i++)
    if (fabs(sgn[i]) != 1)
      return scan_fail_value(a->scan, SINEW_ERROR_SYNTAX, field, "%c of m_Sgn is %g, expected 1 or -1",
                             "xyz"[i], sgn[i]);
  return SINEW_OK;
}

static sinew_result read_limit(unity_avatar *a, const scan_field *field, void *axes) {
  static const avatar_rule rules[] = {{"m_Min", read_triple, offsetof(rig_axes, min_rad), false},
                                      {"m_Max", read_triple, offsetof(rig_axes, max_rad), false},
                                      {0}};
  rig_axes *out = axes;
  SINEW_TRY(avatar_read_map(a, field, rules, axes));
  for (int i = 0; i < 3; i++)
    if (out->min_rad[i] > out->max_rad[i])
      return scan_fail_value(a->scan, SINEW_ERROR_SYNTAX, field, "the limit about %c is from %g to %g",
                             "xyz"[i], out -> min_rad[i], out -> max_rad[i]);
  return SINEW_OK;
}

/* The kind of referential; every human bone has the one of swing and twist. */
static sinew_result check_type(unity_avatar *a, const scan_field *field, void *axes) {
  enum { SWING_AND_TWIST = 1 };
  int64_t type;
  (void)axes;
  SINEW_TRY(scan_int(a->scan, field, &type));
  if (type == SWING_AND_TWIST) return SINEW_OK;
  return scan_fail_value(a->scan, SINEW_ERROR_UNSUPPORTED, field,
                         "m_Type is %lld, expected %d (swing and twist)", (long long)type, SWING_AND_TWIST);
}

static sinew_result read_axes(unity_avatar *a, const scan_field *field, void *skeleton) {
  static const avatar_rule rules[] = {{"m_PreQ", read_rotation, offsetof(rig_axes, pre), false},
                                      {"m_PostQ", read_rotation, offsetof(rig_axes, post), false},
                                      {"m_Sgn", read_sign, offsetof(rig_axes, sgn), false},
                                      {"m_Limit", read_limit, 0, false},
                                      {"m_Length", read_number, offsetof(rig_axes, length), false},
                                      {"m_Type", check_type, 0, true},
                                      {0}};
  avatar_skeleton *out = skeleton;
  scan_block block;
  SINEW_TRY(enter_list(a, field, &block));
  while (block.kind == SCAN_LIST && scan_item(a->scan, block.column)) {
    SINEW_TRY(make_room(a, (void **)&out->axes, out->axes_count, sizeof *out->axes, a->source->limits.nodes,
                        field));
    SINEW_TRY(avatar_read_item(a, field, block.column, rules, &out->axes[out->axes_count]));
    out->axes_count++;
  }
  return SINEW_OK;
}

static sinew_result read_skeleton_data(unity_avatar *a, const scan_field *field, void *skeleton) {
  static const avatar_rule rules[] = {{"m_Node", read_nodes, 0, false},
                                      {"m_ID", avatar_read_integers, offsetof(avatar_skeleton, ids), false},
                                      {"m_AxesArray", read_axes, 0, true},
                                      {0}};
  return avatar_read_map(a, field, rules, skeleton);
}

sinew_result avatar_read_skeleton(unity_avatar *a, const scan_field *field, void *skeleton) {
  static const avatar_rule rules[] = {{"data", read_skeleton_data, 0, false}, {0}};
  ((avatar_skeleton *)skeleton)->place = scan_place_of(a->scan, field);
  return avatar_read_map(a, field, rules, skeleton);
}

/* ---- paths ------------------------------------------------------------------------------------------- */

/* CRC-32 as zlib has it. */
static uint32_t crc32_of(const char *text, size_t length) {
  uint32_t crc = UINT32_MAX;
  for (size_t i = 0; i < length; i++) {
    crc ^= (unsigned char)text[i];
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
  }
  return ~crc;
}

/* The number is the path's own check sum: one that does not fit tells of a path that lost or won something,
 * which harms no more than a name. But where the file stops in the path, more than that is missing. */
static sinew_result check_sum(unity_avatar *a, const scan_field *field, const char *text, size_t length,
                              bool cut, uint32_t id) {
  uint32_t sum = crc32_of(text, length);
  if (sum == id) return SINEW_OK;
  if (cut)
    return scan_fail_value(a->scan, SINEW_ERROR_SYNTAX, field,
                           "the file is cut short: it ends in the middle of this path");
  if (a->odd_paths++ == 0)
    avatar_warn(a, "the path '%s' (line %llu) has CRC-32 %u and stands under %u in m_TOS",
                scan_show(text, length).text, (unsigned long long)field->line, sum, id);
  return SINEW_OK;
}

/* `3079534702: Hips/Spine` */
static sinew_result read_path(unity_avatar *a, const scan_field *field, avatar_path *path) {
  int64_t id;
  size_t used = number_parse_int(field->name, field->name_length, &id), length;
  if (used == 0 || used != field->name_length || id < 0 || id > UINT32_MAX)
    return scan_fail_key(a->scan, SINEW_ERROR_SYNTAX, field, "'%s' in m_TOS, expected a 32-bit number",
                         scan_show(field->name, field->name_length).text);
  path->id = (uint32_t)id;
  path->place = scan_place_of(a->scan, field);
  const char *text;
  SINEW_TRY(scan_text(a->scan, field, &text, &length));
  SINEW_TRY(check_sum(a, field, text, length, a->scan->cut_line && a->scan->ended, path->id));
  path->text = arena_text(a->memory, text, length);
  SINEW_CHECK(path->text, a->error, SINEW_ERROR_MEMORY, "no memory for a path of %zu bytes", length);
  return SINEW_OK;
}

/* A path is as long as the names on the way to its node: the limit of a name is checked once that is known.
 */
static uint32_t path_limit(const unity_avatar *a) {
  uint64_t longest = ((uint64_t)a->source->limits.name_bytes + 1) * a->source->limits.depth;
  return longest < UINT32_MAX ? (uint32_t)longest : UINT32_MAX;
}

sinew_result avatar_read_paths(unity_avatar *a, const scan_field *field, void *paths) {
  avatar_paths *out = paths;
  uint64_t most = (uint64_t)a->source->limits.nodes * PATHS_PER_NODE;
  scan_block block;
  scan_field entry;
  SINEW_TRY(scan_enter(a->scan, field, &block));
  if (block.kind == SCAN_LIST)
    return scan_fail(a->scan, SINEW_ERROR_SYNTAX, a->scan->content,
                     "m_TOS is a list, expected 'number: path'");
  a->scan->text_limit = path_limit(a);
  bool found = block.kind == SCAN_MAP;
  while (found) {
    SINEW_TRY(scan_field_next(a->scan, block.column, &entry, &found));
    if (!found) break;
    SINEW_TRY(make_room(a, (void **)&out->items, out->count, sizeof *out->items,
                        most < UINT32_MAX ? (uint32_t)most : UINT32_MAX, field));
    SINEW_TRY(read_path(a, &entry, &out->items[out->count]));
    out->count++;
  }
  a->scan->text_limit = a->source->limits.name_bytes;
  return SINEW_OK;
}
