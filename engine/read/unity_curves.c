#include "read/unity_curves.h"
#include "base/error.h"
#include "read/unity_keys.h"

#include <string.h>

enum { ANIMATOR_CLASS = 95, FIRST_CURVES = 160, CLAMP_CODE = 2 };

void unity_open_curves(curve_reader *r, scan *s, const read_source *source, arena *memory) {
  *r = (curve_reader){.s = s, .source = source, .memory = memory};
  r->keys.byte_limit = source->limits.memory_bytes;
}

void unity_close_curves(curve_reader *r) {
  key_store_close(&r->keys);
  heap_free(r->curves);
  r->curves = NULL;
}

/* ---- `curve:` ---------------------------------------------------------------------------------------------
 */

/* Codes past those known clamp. */
static sinew_result read_infinity(scan *s, const scan_field *field, uint8_t *code) {
  int64_t stored;
  SINEW_TRY(scan_int(s, field, &stored));
  *code = stored == 0 || stored == 1 ? (uint8_t)stored : CLAMP_CODE;
  return SINEW_OK;
}

static sinew_result read_curve(curve_reader *r, const scan_field *curve_field, clip_curve *curve) {
  scan *s = r->s;
  scan_block block, keys;
  SINEW_TRY(scan_enter(s, curve_field, &block));
  if (block.kind != SCAN_MAP)
    return scan_fail_key(s, SINEW_ERROR_SYNTAX, curve_field, "curve is empty, expected m_Curve and its keys");
  scan_field field;
  bool found, has_keys = false;
  for (;;) {
    SINEW_TRY(scan_field_next(s, block.column, &field, &found));
    if (!found) break;
    if (scan_field_is(&field, "m_Curve")) {
      if (has_keys) return scan_fail_key(s, SINEW_ERROR_SYNTAX, &field, "m_Curve stands twice in a curve");
      has_keys = true;
      SINEW_TRY(scan_enter(s, &field, &keys));
      SINEW_TRY(unity_read_keys(s, &keys, r->source->limits.keys, &r->keys));
    } else if (scan_field_is(&field, "m_PreInfinity")) {
      SINEW_TRY(read_infinity(s, &field, &curve->before_code));
    } else if (scan_field_is(&field, "m_PostInfinity")) {
      SINEW_TRY(read_infinity(s, &field, &curve->after_code));
    } else {
      scan_skip(s, &field);
    }
  }
  if (!has_keys) return scan_fail_key(s, SINEW_ERROR_SYNTAX, curve_field, "curve has no m_Curve");
  return SINEW_OK;
}

/* ---- an entry of the list ---------------------------------------------------------------------------------
 */

typedef struct curve_entry {
  clip_curve curve;
  scan_field attribute_field;
  const char *name; /* of a foreign attribute, until the curve is kept */
  size_t name_length;
  sinew_error held; /* a fault of the keys, which matters only in a curve that is kept */
  int64_t class_id;
  bool has_curve;
  bool has_attribute;
  bool has_class;
  bool has_path; /* a path that is not empty */
} curve_entry;

/* Faults of the keys are held back until the entry's class is known, which stands behind them. */
static sinew_result hold_curve(curve_reader *r, const scan_field *field, curve_entry *e) {
  if (e->has_curve) return scan_fail_key(r->s, SINEW_ERROR_SYNTAX, field, "curve stands twice in an entry");
  e->has_curve = true;
  sinew_result result = read_curve(r, field, &e->curve);
  if (result != SINEW_ERROR_SYNTAX) return result;
  e->held = *r->s->error;
  if (r->s->line == field->line) /* what stands behind the colon was at fault */
    scan_skip(r->s, field);
  else
    scan_leave(r->s, field->column);
  return SINEW_OK;
}

static sinew_result read_attribute(curve_reader *r, const scan_field *field, curve_entry *e) {
  const char *text;
  size_t length;
  if (e->has_attribute)
    return scan_fail_key(r->s, SINEW_ERROR_SYNTAX, field, "attribute stands twice in an entry");
  SINEW_TRY(scan_text(r->s, field, &text, &length));
  e->has_attribute = true;
  e->attribute_field = *field;
  int channel = clip_channel_find(text, length);
  e->curve.channel = (int16_t)channel;
  e->curve.attribute = clip_channel_name(channel);
  if (channel >= 0) return SINEW_OK;
  e->name = text;
  e->name_length = length;
  if (text != r->s->scratch) return SINEW_OK;
  e->name = arena_text(r->memory, text, length); /* the next text takes the scratch memory */
  SINEW_CHECK(e->name, r->s->error, SINEW_ERROR_MEMORY, "no memory for a curve's name");
  return SINEW_OK;
}

/* A plain null as any writer of YAML may put it; in quotes it is a name. */
static bool is_null(const scan *s, const char *text, size_t length) {
  static const char *const words[] = {"~", "null", "Null", "NULL"};
  if (text == s->scratch || text[-1] == '"' || text[-1] == '\'') return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (length == strlen(words[i]) && memcmp(text, words[i], length) == 0) return true;
  return false;
}

static sinew_result read_entry_field(curve_reader *r, const scan_field *field, curve_entry *e) {
  if (scan_field_is(field, "curve")) return hold_curve(r, field, e);
  if (scan_field_is(field, "attribute")) return read_attribute(r, field, e);
  if (scan_field_is(field, "classID")) {
    e->has_class = true;
    return scan_int(r->s, field, &e->class_id);
  }
  if (scan_field_is(field, "path")) {
    const char *text;
    size_t length;
    SINEW_TRY(scan_text(r->s, field, &text, &length));
    e->has_path = length > 0 && !is_null(r->s, text, length);
    return SINEW_OK;
  }
  scan_skip(r->s, field);
  return SINEW_OK;
}

static sinew_result missing(curve_reader *r, const scan_field *first, const curve_entry *e) {
  const char *part = !e->has_curve ? "curve" : !e->has_attribute ? "attribute" : "classID";
  if (e->held.code != SINEW_OK) {
    *r->s->error = e->held;
    return e->held.code;
  }
  if (r->s->ended && scan_at_file_end(r->s))
    return scan_fail(r->s, SINEW_ERROR_SYNTAX, r->s->end,
                     "the file is cut short: it ends inside a curve, which has no %s yet", part);
  return scan_fail_key(r->s, SINEW_ERROR_SYNTAX, first, "a curve without %s", part);
}

static sinew_result make_room(curve_reader *r, const scan_field *field) {
  if (r->curve_count >= r->source->limits.curves)
    return scan_fail_value(r->s, SINEW_ERROR_LIMIT, field, "more than %u curves in a clip, the limit",
                           r->source->limits.curves);
  if (r->curve_count < r->capacity) return SINEW_OK;
  uint32_t capacity = r->capacity ? r->capacity * 2 : FIRST_CURVES;
  clip_curve *grown = heap_grow(r->curves, r->curve_count, capacity, sizeof *grown);
  SINEW_CHECK(grown, r->s->error, SINEW_ERROR_MEMORY, "out of memory after %u curves", r->curve_count);
  r->curves = grown;
  r->capacity = capacity;
  return SINEW_OK;
}

static sinew_result keep(curve_reader *r, curve_entry *e) {
  if (e->held.code != SINEW_OK) {
    *r->s->error = e->held;
    return e->held.code;
  }
  e->curve.key_count = r->keys.count - e->curve.first_key;
  if (e->curve.key_count == 0) return SINEW_OK; /* as if it were not there */
  SINEW_TRY(make_room(r, &e->attribute_field));
  if (e->curve.channel >= 0) {
    uint64_t *line = &r->line_of_channel[e->curve.channel];
    if (*line)
      return scan_fail_value(r->s, SINEW_ERROR_SYNTAX, &e->attribute_field,
                             "a second curve for '%s', the first ends in line %llu", e->curve.attribute,
                             (unsigned long long)*line);
    *line = e->attribute_field.line;
    r->humanoid_count++;
  } else {
    e->curve.attribute = arena_text(r->memory, e->name, e->name_length);
    SINEW_CHECK(e->curve.attribute, r->s->error, SINEW_ERROR_MEMORY, "no memory for a curve's name");
  }
  r->curves[r->curve_count++] = e->curve;
  return SINEW_OK;
}

static sinew_result read_entry(curve_reader *r, size_t column) {
  curve_entry e = {
      .curve = {.before_code = CLAMP_CODE, .after_code = CLAMP_CODE, .first_key = r->keys.count}};
  scan_field field, first = {0};
  bool found;
  for (int count = 0;; count = 1) {
    SINEW_TRY(scan_field_next(r->s, column, &field, &found));
    if (!found) break;
    if (count == 0) first = field;
    SINEW_TRY(read_entry_field(r, &field, &e));
  }
  if (!e.has_curve || !e.has_attribute || !e.has_class) return missing(r, &first, &e);
  if (e.class_id == ANIMATOR_CLASS && !e.has_path) return keep(r, &e);
  r->keys.count = e.curve.first_key;
  r->other_count++;
  return SINEW_OK;
}

sinew_result unity_read_curves(curve_reader *r, const scan_field *list) {
  scan *s = r->s;
  scan_block block;
  SINEW_TRY(scan_enter(s, list, &block));
  if (block.kind == SCAN_MAP)
    return scan_fail(s, SINEW_ERROR_SYNTAX, s->content, "%.*s is no list, expected '- ' before each curve",
                     (int)list->name_length, list->name);
  while (block.kind == SCAN_LIST && scan_item(s, block.column)) {
    if (s->ended || s->column <= block.column)
      return scan_fail(s, SINEW_ERROR_SYNTAX, s->content, "an empty entry in the list of curves");
    SINEW_TRY(read_entry(r, s->column));
  }
  return SINEW_OK;
}

sinew_result unity_take_curves(curve_reader *r, sinew_clip *clip) {
  clip->curve_count = r->curve_count;
  clip->curves = arena_alloc(r->memory, r->curve_count, sizeof *clip->curves);
  SINEW_CHECK(clip->curves, r->s->error, SINEW_ERROR_MEMORY, "no memory for %u curves", r->curve_count);
  memcpy(clip->curves, r->curves, r->curve_count * sizeof *clip->curves);
  return key_store_copy(&r->keys, r->memory, clip, r->s->error);
}
