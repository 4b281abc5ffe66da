#include "read/unity_keys.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

/* What a weight is taken for where its bit is off. */
static const float third = 1.0f / 3.0f;

/* ---- a key in the layout that Unity writes
 * ----------------------------------------------------------------- Nearly every byte of a clip is a key
 * written by the editor with the same line breaks and indentation. Those bytes are compared whole; whatever
 * differs is left to the scanner, which reads the same key again and names its faults. */

enum { UNITY_KEY_COLUMN = 6, FAST_KEY_BYTES = 1024, NUMBER_BYTES = 64 };

typedef struct cursor {
  const char *p; /* NULL once something differed */
  uint64_t lines;
} cursor;

static inline void expect(cursor *c, const char *text, size_t length) {
  if (c->p && memcmp(c->p, text, length) == 0)
    c->p += length;
  else
    c->p = NULL;
}
#define EXPECT(cursor, literal) expect((cursor), (literal), sizeof(literal) - 1)

static inline void expect_line_end(cursor *c) {
  if (!c->p) return;
  const char *p = c->p;
  p += *p == '\r';
  c->p = *p == '\n' ? p + 1 : NULL;
  c->lines++;
}

static inline void take_number(cursor *c, float *value) {
  if (!c->p) return;
  size_t used = number_parse_float(c->p, NUMBER_BYTES, value);
  c->p = used && used < NUMBER_BYTES ? c->p + used : NULL;
  expect_line_end(c);
}

static inline void pass_int(cursor *c) {
  if (!c->p) return;
  const char *p = c->p;
  p += *p == '-';
  const char *first = p;
  while (p - first < NUMBER_BYTES && *p >= '0' && *p <= '9') p++;
  c->p = p > first ? p : NULL;
  expect_line_end(c);
}

static inline void pass_weight(cursor *c) {
  static const char usual[] = "0.33333334\n";
  if (c->p && memcmp(c->p, usual, sizeof usual - 1) == 0) {
    c->p += sizeof usual - 1;
    c->lines++;
  } else {
    float ignored;
    take_number(c, &ignored);
  }
}

/* Reads an unweighted key behind whose dash p stands, if all of it is as Unity writes it and its numbers need
 * no repair. Returns the byte after it, or NULL. At least FAST_KEY_BYTES follow p. */
static const char *read_fast_key(const char *p, key *k, uint64_t *lines) {
  cursor c = {p, 0};
  EXPECT(&c, "serializedVersion: ");
  if (!c.p) return NULL;
  bool weights = *c.p == '3';
  if (*c.p != '2' && *c.p != '3') return NULL;
  c.p++;
  expect_line_end(&c);
  EXPECT(&c, "        time: ");
  take_number(&c, &k->time_s);
  EXPECT(&c, "        value: ");
  take_number(&c, &k->value);
  EXPECT(&c, "        inSlope: ");
  take_number(&c, &k->in_slope);
  EXPECT(&c, "        outSlope: ");
  take_number(&c, &k->out_slope);
  EXPECT(&c, "        tangentMode: ");
  pass_int(&c);
  if (weights) {
    EXPECT(&c, "        weightedMode: 0");
    expect_line_end(&c);
    EXPECT(&c, "        inWeight: ");
    pass_weight(&c);
    EXPECT(&c, "        outWeight: ");
    pass_weight(&c);
  }
  bool plain =
      c.p && isfinite(k->time_s) && isfinite(k->value) && !isnan(k->in_slope) && !isnan(k->out_slope);
  static const char deeper[] = "       "; /* a part of the key that is not known here */
  if (!plain || memcmp(c.p, deeper, sizeof deeper - 1) == 0) return NULL;
  k->in_weight = k->out_weight = third;
  k->weighted_mode = 0;
  *lines = c.lines;
  return c.p;
}

/* ---- a key in any layout ----------------------------------------------------------------------------------
 */

enum key_part { TIME, VALUE, IN_SLOPE, OUT_SLOPE, WEIGHTED_MODE, IN_WEIGHT, OUT_WEIGHT, PART_COUNT };
static const char *const part_names[PART_COUNT] = {"time",         "value",    "inSlope",  "outSlope",
                                                   "weightedMode", "inWeight", "outWeight"};

typedef struct key_reader {
  scan *s;
  scan_flow *flow;          /* NULL: the key is a block */
  float number[PART_COUNT]; /* but for WEIGHTED_MODE */
  scan_field field[PART_COUNT];
  int64_t mode;
  unsigned seen;
} key_reader;

static sinew_result take_int(key_reader *r, const scan_field *field, int64_t *value) {
  return r->flow ? scan_flow_int(r->flow, field, value) : scan_int(r->s, field, value);
}

static sinew_result take_float(key_reader *r, const scan_field *field, float *value) {
  return r->flow ? scan_flow_float(r->flow, field, value) : scan_float(r->s, field, value);
}

static sinew_result read_part(key_reader *r, const scan_field *field) {
  for (int part = 0; part < PART_COUNT; part++) {
    if (!scan_field_is(field, part_names[part])) continue;
    if (r->seen & 1u << part)
      return scan_fail_key(r->s, SINEW_ERROR_SYNTAX, field, "%s stands twice in a key", part_names[part]);
    r->seen |= 1u << part;
    r->field[part] = *field;
    return part == WEIGHTED_MODE ? take_int(r, field, &r->mode) : take_float(r, field, &r->number[part]);
  }
  if (r->flow) return scan_flow_skip(r->flow);
  scan_skip(r->s, field);
  return SINEW_OK;
}

static sinew_result check_parts(key_reader *r, uint64_t index, const scan_field *first) {
  for (int part = TIME; part <= OUT_SLOPE; part++) {
    if (r->seen & 1u << part) continue;
    if (!r->flow && r->s->ended && scan_at_file_end(r->s))
      return scan_fail(r->s, SINEW_ERROR_SYNTAX, r->s->end, "the file is cut short: it ends inside a key");
    return scan_fail_key(r->s, SINEW_ERROR_SYNTAX, first, "key %llu has no %s", (unsigned long long)index,
                         part_names[part]);
  }
  for (int part = TIME; part <= VALUE; part++)
    if (!isfinite(r->number[part]))
      return scan_fail_value(r->s, SINEW_ERROR_SYNTAX, &r->field[part],
                             "%s is not a finite number (key %llu)", part_names[part],
                             (unsigned long long)index);
  return SINEW_OK;
}

static sinew_result take_weight(key_reader *r, int part, int bit, float *weight) {
  *weight = third;
  if (!(r->mode & bit) || !(r->seen & 1u << part)) return SINEW_OK;
  *weight = r->number[part];
  if (*weight >= 0 && *weight <= 1) return SINEW_OK;
  return scan_fail_value(r->s, SINEW_ERROR_SYNTAX, &r->field[part], "%s is %g, expected 0 to 1",
                         part_names[part], (double)*weight);
}

/* Files hold NaN where a tangent was never computed: flat. */
static float slope(float stored) {
  return isnan(stored) ? 0 : stored;
}

/* Block or flow map: what stands first is named where a part is missing. */
static sinew_result read_parts(key_reader *r, size_t column, scan_field *first) {
  scan_field field;
  bool found;
  for (bool begun = r->flow != NULL;; begun = true) {
    SINEW_TRY(r->flow ? scan_flow_next(r->flow, &field, &found)
                      : scan_field_next(r->s, column, &field, &found));
    if (!found) return SINEW_OK;
    if (!begun) *first = field;
    SINEW_TRY(read_part(r, &field));
  }
}

static sinew_result read_any_key(scan *s, size_t column, uint64_t index, key *k, scan_field *time_field) {
  scan_field first = scan_item_scalar(s, &(scan_field){.name = s->content});
  scan_flow flow = scan_flow_open(s, &first);
  key_reader r = {.s = s, .flow = *s->content == '{' ? &flow : NULL};
  SINEW_TRY(read_parts(&r, column, &first));
  SINEW_TRY(check_parts(&r, index, &first));
  if (r.mode < 0 || r.mode > 3)
    return scan_fail_value(s, SINEW_ERROR_SYNTAX, &r.field[WEIGHTED_MODE],
                           "weightedMode is %lld, expected 0 to 3", (long long)r.mode);
  SINEW_TRY(take_weight(&r, IN_WEIGHT, CLIP_WEIGHT_IN, &k->in_weight));
  SINEW_TRY(take_weight(&r, OUT_WEIGHT, CLIP_WEIGHT_OUT, &k->out_weight));
  k->time_s = r.number[TIME];
  k->value = r.number[VALUE];
  k->in_slope = slope(r.number[IN_SLOPE]);
  k->out_slope = slope(r.number[OUT_SLOPE]);
  k->weighted_mode = (uint8_t)r.mode;
  *time_field = r.field[TIME];
  return SINEW_OK;
}

/* ---- the list ---------------------------------------------------------------------------------------------
 */

static bool try_fast_key(scan *s, const scan_block *list, float after_s, key *k) {
  if (list->column != UNITY_KEY_COLUMN || s->end - s->content < FAST_KEY_BYTES) return false;
  uint64_t lines = 0;
  const char *behind = read_fast_key(s->content, k, &lines);
  if (!behind || k->time_s <= after_s) return false;
  s->next = behind;
  s->line += lines - 1; /* scan_advance counts the last one's end */
  scan_advance(s);
  return true;
}

sinew_result unity_read_keys(scan *s, const scan_block *list, uint64_t key_limit, key_store *store) {
  if (list->kind == SCAN_EMPTY) return SINEW_OK;
  if (list->kind != SCAN_LIST)
    return scan_fail(s, SINEW_ERROR_SYNTAX, s->content, "m_Curve is no list, expected '- ' before each key");
  float last_s = -INFINITY;
  for (uint64_t index = 0; scan_item(s, list->column); index++) {
    key k;
    if (store->count >= key_limit)
      return scan_fail(s, SINEW_ERROR_LIMIT, s->content, "more than %llu keys in a clip, the limit",
                       (unsigned long long)key_limit);
    SINEW_TRY(key_store_make_room(store, s->error));
    if (!try_fast_key(s, list, last_s, &k)) {
      if (s->ended || s->column <= list->column)
        return scan_fail(s, SINEW_ERROR_SYNTAX, s->content, "key %llu is empty", (unsigned long long)index);
      scan_field time_field;
      SINEW_TRY(read_any_key(s, s->column, index, &k, &time_field));
      if (k.time_s <= last_s)
        return scan_fail_value(s, SINEW_ERROR_SYNTAX, &time_field,
                               "time of key %llu is %.9g, expected more than the key before it, %.9g",
                               (unsigned long long)index, (double)k.time_s, (double)last_s);
    }
    last_s = k.time_s;
    key_store_push(store, &k);
  }
  return SINEW_OK;
}
